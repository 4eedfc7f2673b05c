"""What anyone can do in a turn: frozen records of plain values, and the three ways they end.

The same record is a key's meaning, a brain's choice and a line in a run file.
"""

from dataclasses import dataclass
from typing import Annotated

import msgspec
from msgspec import Meta

Step = Annotated[int, Meta(ge=-1, le=1)]


class Move(msgspec.Struct, frozen=True, array_like=True, tag="move"):
    """Step to a neighbouring tile, or strike whoever stands there."""

    dx: Step
    dy: Step


class Strike(msgspec.Struct, frozen=True, array_like=True, tag="strike"):
    """Hit whoever stands on a neighbouring tile."""

    dx: Step
    dy: Step


class Wait(msgspec.Struct, frozen=True, array_like=True, tag="wait"):
    """Let time pass."""


class Descend(msgspec.Struct, frozen=True, array_like=True, tag="descend"):
    """Take the exit underfoot to the next depth."""


class Climb(msgspec.Struct, frozen=True, array_like=True, tag="climb"):
    """Take the stairs underfoot, where the level starts, up to the depth above."""


class Struggle(msgspec.Struct, frozen=True, array_like=True, tag="struggle"):
    """Tear at what holds one: a net, a web."""


class Choose(msgspec.Struct, frozen=True, array_like=True, tag="choose"):
    """Learn a talent that is offered; takes no time."""

    talent: Annotated[str, Meta(max_length=60)]


class Visit(msgspec.Struct, frozen=True, array_like=True, tag="visit"):
    """Go to the start of the level that ``code`` names; an adventure stops being scored."""

    code: Annotated[str, Meta(max_length=200)]


Action = Move | Strike | Wait | Struggle | Descend | Climb | Visit | Choose


@dataclass(frozen=True, slots=True)
class Done:
    """It happened and took ``time``: 100 is an ordinary step."""

    time: int = 100


@dataclass(frozen=True, slots=True)
class Refused:
    """It cannot be done: nothing changed, nothing was drawn at random. ``why`` is a word."""

    why: str


@dataclass(frozen=True, slots=True)
class Instead:
    """In this place it means another action."""

    action: Action


Outcome = Done | Refused | Instead
