"""A level being built, kept moment by moment so that it can be watched both ways."""

from collections.abc import Generator
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Point
from procgen.build import BuildFailed, Level, Stage, grow
from procgen.code import LevelCode
from procgen.recipes import Recipe


@dataclass(frozen=True)
class Moment:
    """The blueprint after one change worth watching, and what changed it."""

    tiles: NDArray[np.uint8]
    regions: NDArray[np.int32] | None
    start: Point | None
    exit: Point | None
    spawns: tuple[tuple[int, int], ...]
    step: str
    parameters: str
    caption: str
    attempt: int


class Growth:
    """Every moment of a build so far; `advance` adds the next one."""

    def __init__(self, code: LevelCode, recipe: Recipe | None = None) -> None:
        self.code = code
        self.moments: list[Moment] = []
        self.level: Level | None = None
        self.failure = ""
        self._stages: Generator[Stage, None, Level] | None = grow(code, recipe)

    @property
    def finished(self) -> bool:
        """Whether the build is over."""
        return self._stages is None

    def advance(self) -> bool:
        """Build up to the next moment; return whether there was one."""
        if self._stages is None:
            return False
        try:
            self.moments.append(_moment(next(self._stages)))
        except StopIteration as end:
            self.level = end.value
            self._stages = None
        except BuildFailed as fault:
            self.failure = str(fault)
            self._stages = None
        return self._stages is not None

    def to_end(self) -> None:
        """Build all that is left."""
        while self.advance():
            pass


def _moment(stage: Stage) -> Moment:
    plan, values = stage.plan, msgspec.to_builtins(stage.use.parameters)
    return Moment(
        tiles=plan.tiles.copy(),
        regions=None if plan.regions is None else plan.regions.copy(),
        start=plan.start,
        exit=plan.exit,
        spawns=tuple((spawn.x, spawn.y) for spawn in plan.spawns),
        step=stage.use.label,
        parameters="  ".join(f"{name} {value}" for name, value in values.items()),
        caption=stage.caption,
        attempt=stage.attempt,
    )
