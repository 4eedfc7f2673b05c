"""Status kinds from data/statuses.toml, and what statuses do to speed and steps."""

from enum import StrEnum
from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from components import AiState
from entities.data_files import check_names, read_entries
from entities.entity import Entity
from entities.talents import has_talent
from entities.terrain import TILE_NAMES

LONGEST_STATUS = 9999
"""The most turns that a status can last."""


class StepEffect(StrEnum):
    """The effect of a status on its bearer's steps."""

    FREE = "free"
    STUMBLES = "stumbles"
    HELD = "held"


class StatusKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of status.

    ``good`` says whether it helps; ``color`` is a colour of the interface. ``speed`` is its factor
    on the bearer's speed, in percent; ``sight`` the farthest a bearer sees, in tiles; ``harm`` the
    hit points it takes each turn; ``moves`` what happens to the bearer's steps; ``acts`` and
    ``regenerates`` whether the bearer can do so; damage ends a status without ``acts``. ``ends``
    names the tiles that end it, ``cures`` the other statuses that it ends when it begins.
    """

    name: str
    good: bool
    color: str
    text: str
    speed: Annotated[int, Meta(ge=10, le=400)] = 100
    sight: Annotated[int, Meta(ge=0, le=99)] = 99
    harm: Annotated[int, Meta(ge=0, le=99)] = 0
    moves: StepEffect = StepEffect.FREE
    acts: bool = True
    regenerates: bool = True
    ends: tuple[str, ...] = ()
    cures: tuple[str, ...] = ()


@cache
def status_kinds() -> dict[str, StatusKind]:
    """Return every kind of status by name, in file order; raise `DataError` for an invalid one."""
    kinds = read_entries("statuses.toml", StatusKind)
    for name, status in kinds.items():
        where = f"data/statuses.toml: [{name}]"
        check_names(f"{where}: cures", status.cures, {*kinds} - {name}, "other status")
        check_names(f"{where}: ends", status.ends, TILE_NAMES, "tile")
    return kinds


def speed(creature: Entity) -> int:
    """Return the present speed of ``creature`` in percent."""
    pace = creature.energy.speed
    if not creature.statuses and creature.experience is None:
        return pace  # The case of nearly every monster, several times a turn.
    for name in creature.statuses:
        pace = pace * status_kinds()[name].speed // 100
    if has_talent(creature, "swift"):
        pace = pace * 11 // 10
    return max(1, pace)


def is_asleep(creature: Entity) -> bool:
    """Return True if ``creature`` is asleep, naturally or by magic."""
    by_nature = creature.ai is not None and creature.ai.state is AiState.ASLEEP
    return by_nature or "asleep" in creature.statuses


def can_walk(creature: Entity) -> bool:
    """Return True if no status keeps ``creature`` from acting or holds it in place."""
    kinds = [status_kinds()[name] for name in creature.statuses]
    return all(kind.acts and kind.moves is not StepEffect.HELD for kind in kinds)
