"""What tells kinds of creature apart beside their numbers: how they live and what they can do."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

Few = Annotated[int, Meta(ge=0, le=99)]
Some = Annotated[int, Meta(ge=1, le=99)]
Part = Annotated[float, Meta(ge=0, le=1)]
Group = tuple[Few, Few]


class Hiding(StrEnum):
    """Where a creature lies in wait."""

    NOWHERE = "nowhere"
    PLACE = "place"
    DOOR = "door"
    TREASURE = "treasure"


class Shot(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What it hits with from afar: as far as ``reach`` tiles, once in ``every`` turns.

    ``missile`` names what flies, for the screen; ``through`` whether it goes through friends.
    """

    missile: str
    reach: Some
    power: Few
    every: Some = 1
    through: bool = False


class Touch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What its blows and shots do beside harm: a status for so many ``turns``, by ``chance``."""

    status: str
    turns: Some
    chance: Part = 1.0


class Summons(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whom it calls out of nothing, how many at a time, once in ``every`` turns."""

    kind: str
    number: Some = 1
    every: Some = 10


class Habits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a kind lives.

    ``asleep`` is the share that sleeps when one comes, ``roams`` the share of the others that
    goes about; ``hides`` is where it lies in wait unseen instead. ``ears`` are in percent of what
    others hear, ``doors`` whether it can open them. Below a share of ``fears`` of its hit points
    it flees. ``calls`` is how many steps its cry for help carries. It keeps in a ``pack`` of so
    many to so many, with an ``escort`` of other kinds.
    """

    asleep: Part = 0.4
    roams: Part = 0.5
    hides: Hiding = Hiding.NOWHERE
    ears: Annotated[int, Meta(ge=0, le=400)] = 100
    doors: bool = True
    fears: Part = 0.0
    calls: Few = 0
    pack: Group = (1, 1)
    escort: dict[str, Group] = {}
    shot: Shot | None = None
    touch: Touch | None = None
    summons: Summons | None = None
