"""Moments of a build, each remembered as it was."""

from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Point, RectangularRoom
from procgen.recipes import StepUse
from render.workshop.reel import Box, Reel


@dataclass(eq=False)
class Film:
    """What all moments of a build share: their pictures, and why attempts were given up."""

    tiles: Reel[np.uint8] = field(default_factory=Reel)
    regions: Reel[np.int32] = field(default_factory=Reel)
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Moment:
    """The blueprint after one change worth watching, and what changed it.

    ``index`` is its place in the build, ``step_index`` the step's in the recipe; ``rejects``
    marks the end of an attempt that came to nothing.
    """

    film: Film
    index: int
    region_index: int | None
    start: Point | None
    exit: Point | None
    spawns: tuple[tuple[int, int], ...]
    leaves: tuple[RectangularRoom, ...]
    use: StepUse
    step_index: int
    said: str
    attempt: int
    rejects: bool = False

    @property
    def tiles(self) -> NDArray[np.uint8]:
        """The tiles [y, x], not to be written to."""
        return self.film.tiles[self.index]

    @property
    def regions(self) -> NDArray[np.int32] | None:
        """The blueprint's own regions [y, x], if it had any."""
        return None if self.region_index is None else self.film.regions[self.region_index]

    @property
    def changed(self) -> Box | None:
        """The rows and columns that this moment changed."""
        return self.film.tiles.changed(self.index)

    @property
    def step(self) -> str:
        """The label of the step at work."""
        return self.use.label

    @property
    def parameters(self) -> list[tuple[str, str]]:
        """The names and values of the step's parameters."""
        values = msgspec.to_builtins(self.use.parameters)
        return [(name, plain_value(value)) for name, value in values.items()]

    @property
    def caption(self) -> str:
        """What happened, in a few words."""
        if not self.rejects:
            return self.said
        reasons = self.film.reasons
        why = f": {reasons[self.attempt]}" if self.attempt < len(reasons) else ""
        return f"Attempt {self.attempt + 1} is rejected{why}"


def plain_value(value: object) -> str:
    """Return a parameter's value as people read it."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {plain_value(part)}" for key, part in value.items()) or "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
