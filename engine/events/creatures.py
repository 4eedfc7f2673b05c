"""What creatures do that heroes do not."""

from dataclasses import dataclass

from engine.events.basic import What, Who
from procgen.blueprint import Point


@dataclass(frozen=True, slots=True)
class Shot:
    """``attacker`` hit ``target`` from afar with a ``missile`` for ``damage`` hit points."""

    attacker: Who
    target: Who
    missile: str
    damage: int


@dataclass(frozen=True, slots=True)
class Called:
    """``who`` cried for help."""

    who: Who


@dataclass(frozen=True, slots=True)
class Fled:
    """``who`` lost heart and ran."""

    who: Who


@dataclass(frozen=True, slots=True)
class Stole:
    """``who`` took ``what`` from the hero, or ``gold`` pieces of gold."""

    who: Who
    what: What | None
    gold: int = 0


@dataclass(frozen=True, slots=True)
class Summoned:
    """``who`` came out of nothing, called by ``summoner``."""

    who: Who
    summoner: Who


@dataclass(frozen=True, slots=True)
class Charged:
    """``who`` came running from ``origin``."""

    who: Who
    origin: Point


@dataclass(frozen=True, slots=True)
class Blinked:
    """``who`` was at ``origin`` a moment ago."""

    who: Who
    origin: Point


@dataclass(frozen=True, slots=True)
class Divided:
    """``who`` became two; ``other`` is the second."""

    who: Who
    other: Who
