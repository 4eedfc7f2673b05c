"""What creatures do that heroes do not."""

from dataclasses import dataclass

from engine.events.basic import Who


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
