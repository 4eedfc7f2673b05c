"""The settings of a run: together with the actions they determine it completely."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from components.inventory import Item
from procgen.level_code import (
    FARTHEST_PLACE,
    LONGEST_CODE,
    LONGEST_SIDE,
    SEED_LIMIT,
    SETTINGS_LIMIT,
    CodeError,
)

LAST_DEPTH = 12
"""The depth of the goal; below it the descent goes on without end."""
MOST_TILES = 1_000_000
"""The largest level of a run: beyond that some recipes take minutes to build."""
MOST_DRAWN = 200_000
"""The most bytes of a level from a file: it must fit into a header with a taken-over state."""
Side = Annotated[int, Meta(ge=1, le=LONGEST_SIDE)]
Coordinate = Annotated[int, Meta(ge=0, lt=LONGEST_SIDE)]
Place = Annotated[int, Meta(ge=-FARTHEST_PLACE, le=FARTHEST_PLACE)]
Positive = Annotated[int, Meta(ge=1, le=999_999)]
RecipeName = Annotated[
    str, Meta(pattern=r"^[a-z_]{1,60}(\.[0-9]{1,6})?(\+[a-z_]{1,60}(\.[0-9]{1,6})?){0,3}$")
]
"""A recipe or one version of it, with overlays: ``caves``, ``caves.1``, ``caves.1+flooded.1``."""
Setting = Annotated[str, Meta(max_length=SETTINGS_LIMIT)]
CodeText = Annotated[str, Meta(max_length=LONGEST_CODE)]
Short = Annotated[str, Meta(max_length=200)]


class Mode(StrEnum):
    """The mode of a run."""

    ADVENTURE = "adventure"
    WORKSHOP = "workshop"


class Stratum(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The recipes, by weight, that an adventure chooses from at ``from_depth`` and below."""

    from_depth: Positive
    recipes: Annotated[dict[RecipeName, Positive], Meta(min_length=1, max_length=200)]


class EarlierRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An earlier run of the same dungeon that is replayed as a ghost, and the item of its grave.

    ``run`` is the name of its file, which only the screen uses. If its hero died, its ``item`` lies
    at (``x``, ``y``) on the level of the code ``level``.
    """

    run: Annotated[str, Meta(max_length=120)]
    level: CodeText = ""
    x: Coordinate = 0
    y: Coordinate = 0
    item: Item | None = None


class RunSetup(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The choices made before the first turn.

    ``typed_seed`` is the seed as the player typed it. ``generator`` and ``version`` fix one recipe,
    which may have overlays (``keep+flooded``), for all depths, with the ``settings`` of a level
    code; without them an adventure chooses by depth from ``strata``, or from data/adventure.toml if
    that is empty. ``size`` (width, height) is None for each recipe's default, ``place`` for
    the place where an infinite world begins. ``grew_from`` is the
    run file and turn, e.g. ``a.jsonl@120``, of a run that was taken over; ``ghost`` is the earlier
    run shown beside it. ``drawn`` is the level at ``depth`` of an adventure that begins on one from
    a file (`engine.levels.drawn_level`), so that the run replays without the file; ``drawn_from``
    is the file's name, for lists of runs.
    """

    seed: Annotated[int, Meta(ge=0)]
    typed_seed: Short
    mode: Mode = Mode.ADVENTURE
    generator: Annotated[str, Meta(max_length=300)] | None = None
    depth: Positive = 1
    size: tuple[Side, Side] | None = None
    place: tuple[Place, Place] | None = None
    grew_from: Annotated[str, Meta(max_length=120)] | None = None
    version: Positive | None = None
    strata: Annotated[tuple[Stratum, ...], Meta(max_length=100)] = ()
    settings: Annotated[tuple[Setting, ...], Meta(max_length=200)] = ()
    ghost: EarlierRun | None = None
    drawn: Annotated[bytes, Meta(max_length=MOST_DRAWN)] | None = None
    drawn_from: Annotated[str, Meta(max_length=255)] = "a level file"

    @property
    def dungeon(self) -> str:
        """The name of the dungeon in lists: its generator, the file it begins on, or the mode."""
        if not self.generator:
            return self.drawn_from if self.drawn else self.mode.value
        return "+".join(part.partition(".")[0] for part in self.generator.split("+"))

    @property
    def taken_over(self) -> str:
        """``taken over from run-2 on turn 90``, "" for a run that was not."""
        run, at, turn = (self.grew_from or "").rpartition("@")
        return f"taken over from {run.removesuffix('.jsonl')} on turn {turn}" if at else ""

    @property
    def is_standard(self) -> bool:
        """True if runs are scored: an adventure from depth 1 with the levels of the data files.

        Other starts are worth different points (depth 500 beats every other run), so such runs
        cannot share a board. Runs with a ghost have a separate board.
        """
        chosen = self.generator or self.size or self.grew_from or self.drawn
        return self.mode is Mode.ADVENTURE and self.depth == 1 and not chosen

    def __post_init__(self) -> None:
        if not 0 <= self.seed < SEED_LIMIT:
            raise CodeError("the seed of a run must be from 0 to 2^64-1")
        if self.settings and not self.generator:
            raise CodeError("the settings of a run need a generator")
        if self.drawn and (self.generator or self.size or self.mode is not Mode.ADVENTURE):
            raise CodeError("a level from a file begins an adventure of usual levels")
        if self.strata and self.strata[0].from_depth != 1:
            raise CodeError("the strata of a run must begin at depth 1")
