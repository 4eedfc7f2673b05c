"""What has been said, newest last; what repeats is counted."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.state.events import Died, Event, ItemRef, Noticed, Spotted, Struck, Threw
from render.messages.event_messages import Sentence, attack_message, event_message
from render.messages.names import BARE_HANDS, creature_name


@dataclass
class Message:
    """One line of the log, said ``count`` times in a row, last on ``turn``."""

    text: str
    color: str
    turn: int
    count: int = 1

    def __str__(self) -> str:
        return f"{self.text} (x{self.count})" if self.count > 1 else self.text


class MessageLog:
    """The messages of a run; identical neighbours stack."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def add(self, text: str, color: str, turn: int) -> None:
        """Say ``text``."""
        if not text:
            return
        last = self.messages[-1] if self.messages else None
        if last and (last.text, last.color) == (text, color):
            last.count += 1
            last.turn = turn
        else:
            self.messages.append(Message(text, color, turn))


DEATH_FOLLOWS_WITHIN = 3
"""How many events after a blow the death it deals may follow: waking, turning to flee."""


def turn_messages(events: Sequence[Event], weapon: str = BARE_HANDS) -> Iterator[Sentence]:
    """Yield what there is to say of ``events``; ``weapon`` is what the hero has in hand."""
    dealt: set[int] = set()
    alert = {event.who.id for event in events if isinstance(event, Noticed)}
    alert &= {event.who.id for event in events if isinstance(event, Spotted)}
    for number, event in enumerate(events):
        if number in dealt or (isinstance(event, Noticed) and event.who.id in alert):
            continue
        said = None
        if isinstance(event, Struck):
            death = _death_of(event, events, number)
            if death is not None:
                dealt.add(death)
            missile = _missile_of(events, number)
            said = attack_message(event, weapon=weapon, missile=missile, kills=death is not None)
        elif isinstance(event, Spotted) and event.who.id in alert:
            who = creature_name(event.who.kind, definite=False, start=True)
            said = f"{who} comes into view and notices you.", "warn"
        elif _missile_of(events, number + 1) is None:
            said = event_message(event)
        if said:
            yield said


def _missile_of(events: Sequence[Event], number: int) -> ItemRef | None:
    """Return what was thrown or shot and struck with event ``number``; None if nothing did."""
    match events[max(0, number - 1) : number + 1]:
        case [Threw(who, what), Struck(attacker)] if who.id == attacker.id:
            return what
    return None


def _death_of(event: Struck, events: Sequence[Event], number: int) -> int | None:
    """Return which of the events after ``number`` is the death that ``event``, a blow, deals."""
    if not event.damage:
        return None
    for later, other in enumerate(
        events[number + 1 : number + 1 + DEATH_FOLLOWS_WITHIN], number + 1
    ):
        if isinstance(other, Struck) and other.target.id == event.target.id:
            return None
        if isinstance(other, Died) and other.who.id == event.target.id:
            return later if other.killer == event.attacker.kind else None
    return None
