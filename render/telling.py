"""A turn's events as a tale: one sentence after another, a blow and the death it deals in one."""

from collections.abc import Iterator, Sequence

from engine.events import Died, Event, Struck
from entities.kinds import HERO
from render.sentences import Sentence, hit, sentence

SOON = 3
"""How many events after a blow the death it deals may follow: waking, turning to flee."""


def told(events: Sequence[Event]) -> Iterator[Sentence]:
    """Yield what there is to say of ``events``."""
    dealt: set[int] = set()
    for number, event in enumerate(events):
        death = _death_of(event, events, number)
        if death is not None:
            dealt.add(death)
        said = None if number in dealt else _blow(event) if death is not None else sentence(event)
        if said:
            yield said


def _death_of(event: Event, events: Sequence[Event], number: int) -> int | None:
    """Return which of the events after ``number`` is the death that ``event``, a blow, deals."""
    if not isinstance(event, Struck) or not event.damage:
        return None
    for later, other in enumerate(events[number + 1 : number + 1 + SOON], number + 1):
        if isinstance(other, Struck) and other.target.id == event.target.id:
            return None
        if isinstance(other, Died) and other.who.id == event.target.id:
            return later if other.killer == event.attacker.kind else None
    return None


def _blow(event: Event) -> Sentence:
    """Return that a blow killed."""
    assert isinstance(event, Struck)
    attacker, target, damage = event.attacker, event.target, event.damage
    kills = "kill" if attacker.kind == HERO else "kills"
    victim = "you" if target.kind == HERO else "it"
    color = "bad" if target.kind == HERO else "good" if attacker.kind == HERO else "dim"
    return f"{hit(attacker, target)} for {damage} and {kills} {victim}.", color
