"""What creatures do that heroes do not, as sentences."""

from engine.events import (
    Blinked,
    Called,
    Charged,
    Divided,
    Event,
    Fled,
    Shot,
    Stole,
    Summoned,
    Who,
)
from render.naming import name_of
from render.things import the
from render.words import calls

Sentence = tuple[str, str]


def creature_sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event`` and the interface colour to say it in."""
    match event:
        case Shot(attacker, target, missile, damage):
            return _shot(attacker, target, missile, damage)
        case Called(who):
            return calls(who), "warn"
        case Fled(who):
            return f"{_the(who)} turns to flee.", "good"
        case Stole(who, None, gold):
            return f"{_the(who)} snatches {gold} pieces of gold from you!", "bad"
        case Stole(who, what) if what:
            return f"{_the(who)} snatches {the(what)} from you!", "bad"
        case Summoned(who, summoner):
            return f"{_the(summoner)} calls up {name_of(who.kind, definite=False)}.", "warn"
        case Charged(who):
            return f"{_the(who)} lowers its head and charges!", "warn"
        case Blinked(who):
            return f"{_the(who)} is suddenly elsewhere.", "warn"
        case Divided(who):
            return f"{_the(who)} divides in two.", "warn"
        case _:
            return None


def _the(who: Who) -> str:
    return name_of(who.kind, start=True)


def _shot(attacker: Who, target: Who, missile: str, damage: int) -> Sentence:
    said = f"{_the(attacker)}'s {missile}"
    if damage:
        return f"{said} hits {name_of(target.kind)} for {damage}.", "bad"
    return f"{said} finds {name_of(target.kind)} but does no harm.", "dim"
