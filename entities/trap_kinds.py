"""Trap kinds from data/traps.toml."""

from functools import cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from entities.data_files import DataError, Weights, read_entries, weight_at
from entities.statuses import status_kinds

Natural = Annotated[int, Meta(ge=0, le=999)]


class TrapKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of trap: its effect when stepped on, and its spawn weights.

    ``low`` to ``high`` are hit points; ``status`` lasts ``turns``; ``reach`` is in tiles around.
    """

    name: str
    text: str
    spring: Literal["hurt", "status", "alarm", "shift", "fall"]
    spawn_weight: Weights
    low: Natural = 0
    high: Natural = 0
    status: str | None = None
    turns: Natural = 0
    reach: Natural = 0


@cache
def trap_kinds() -> dict[str, TrapKind]:
    """Return every kind of trap by name, in file order; raise `DataError` for an invalid one."""
    kinds = read_entries("traps.toml", TrapKind)
    for name, trap in kinds.items():
        where = f"data/traps.toml: [{name}]"
        if (trap.status is not None) != (trap.spring == "status"):
            raise DataError(f"{where}: status: belongs to a trap that springs one, and to no other")
        if trap.status is not None and (trap.status not in status_kinds() or not trap.turns):
            raise DataError(f"{where}: status: there is no {trap.status!r} for {trap.turns} turns")
        if trap.low > trap.high:
            raise DataError(f"{where}: low: is more than high")
    if not any(weight_at(1, trap.spawn_weight) for trap in kinds.values()):
        raise DataError("data/traps.toml: no trap appears at depth 1")
    return kinds
