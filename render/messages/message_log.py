"""The message log, and the messages of a turn.

Some events share a sentence: a hit and the death it causes; coming into view and noticing.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from engine.state import events as ev
from engine.state.events import Event, ItemRef
from engine.state.game_map import is_hidden
from engine.state.game_state import GameState
from entities.creature_kinds import HERO, Hiding, creature_kinds
from entities.equipment import equipped
from entities.statuses import is_asleep
from procgen.blueprint import Point
from render.map.place_names import bearing
from render.messages import names
from render.messages.event_messages import GRAVE, Sentence, attack_message, event_message

GAP = "Messages of earlier turns are left out here."
"""The entry in the log where turns were skipped."""


@dataclass
class Message:
    """One line of the log, said ``count`` times in a row on ``turn``, or up to it if it is older.

    ``answers``: whether it answers a key that took no time. ``grave``: it must not be missed.
    """

    text: str
    color: str
    turn: int
    count: int = 1
    answers: bool = False
    grave: bool = False

    def __str__(self) -> str:
        return f"{self.text} (x{self.count})" if self.count > 1 else self.text


class MessageLog:
    """The messages of a run, newest last; repeated ones are counted, those of a new turn anew."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def add(self, text: str, color: str, turn: int) -> None:
        """Add a message, grave if ``color`` ends with `GRAVE`; nothing if ``text`` is empty."""
        if not text:
            return
        grave, color = color.endswith(GRAVE), color.removesuffix(GRAVE)
        # What several monsters do or suffer in a turn alternates; an answer stands at the end.
        for said in takewhile(lambda said: said.turn == turn, reversed(self.messages)):
            is_old_answer = said.answers and said is not self.messages[-1]
            if (said.text, said.color) == (text, color) and not is_old_answer:
                said.count += 1
                return
        last_two = self.messages[-2:]  # Only earlier turns share a line: the new must be countable.
        if [(one.text, one.color) for one in last_two] == [(text, color)] * 2:
            last_two[1].count += self.messages.pop(-2).count
        self.messages.append(Message(text, color, turn, grave=grave))

    def answer(self, text: str, turn: int) -> None:
        """Answer a key in place of another answer of the turn, or the same one of an earlier turn.

        Refusals must not push events out of a log of three lines; one given again is counted.
        """
        log = self.messages
        while text and log and log[-1].answers and (log[-1].turn == turn) != (log[-1].text == text):
            log.pop()
        self.add(text, "text", turn)  # Not dim, as earlier turns are.
        if text:
            next(one for one in reversed(log) if one.text == text).answers = True


HEARD = (
    *(ev.CalledForHelp, ev.AlarmRang, ev.Stole, ev.HunterArrived, ev.DroppedKey, ev.Shattered),
    *(ev.MechanismUsed, ev.Ripened, ev.FoundDoor, ev.FoundGoal),
)
"""Events that are told wherever they are; others only if the hero sees a creature or place."""


def witnessed(events: list[Event], state: GameState, before: Container[int] = ()) -> list[Event]:
    """Return ``events`` without those of unseen or hidden creatures; kills by the hero are kept.

    So are statuses of creatures that were in view ``before``, by id: a seed's growth may hide those
    it slows. If the turn led to another level or moved the map, places cannot be compared.
    """
    if any(isinstance(event, ev.Arrived | ev.Shifted) for event in events):
        return events
    hidden = {creature.id for creature in state.map.entities.values() if is_hidden(creature)}
    ids = {state.hero.id, *(event.who.id for event in events if isinstance(event, ev.Spotted))}
    coming = ids - {state.hero.id}

    def is_witnessed(event: Event) -> bool:
        if isinstance(event, ev.Spotted):
            coming.discard(event.who.id)
        if isinstance(event, ev.Woke) and event.who.id in coming:
            return False  # It woke before it came into view.
        if isinstance(event, ev.StatusApplied) and event.who.id in before:
            return True
        if isinstance(event, HEARD) or getattr(event, "killer", "") == HERO:
            return True
        parts = [getattr(event, name) for name in event.__struct_fields__]
        parts += getattr(event, "tiles", ())
        refs = [part for part in parts if isinstance(part, ev.CreatureRef)]
        places = [ref.place for ref in refs] + [part for part in parts if isinstance(part, Point)]
        if not places and not hasattr(event, "tiles"):
            return True  # It is about the whole level, or about the hero's things.
        seen = any(state.map.visible[y, x] for x, y in places)
        who = {ref.id for ref in refs}
        return not who.isdisjoint(ids) or (seen and who.isdisjoint(hidden))

    return list(filter(is_witnessed, events))


DEATH_FOLLOWS_WITHIN = 3
"""The number of events after a hit in which its death is searched for (waking, fleeing ...)."""


def turn_messages(events: Sequence[Event], state: GameState | None = None) -> Iterator[Sentence]:
    """Yield the messages for the ``events`` of a turn that led to ``state``.

    They name the hero's weapon, and where monsters come into view, notice the hero, or call.
    """
    weapon = item.kind if state and (item := equipped(state.hero, "weapon")) else None
    told_deaths: set[int | None] = set()
    introduced = {event.who.id for event in events if isinstance(event, ev.Appeared | ev.Summoned)}
    alert = {event.who.id for event in events if isinstance(event, ev.Noticed)}
    alert &= {event.who.id for event in events if isinstance(event, ev.Spotted)}
    used = {event.what.kind for event in events if isinstance(event, ev.Used)}
    seen = state.map.entities_in_view() if state else []
    in_view, asleep = {one.id for one in seen}, {one.id for one in seen if is_asleep(one)}
    for number, event in enumerate(events):
        met = event.who if isinstance(event, ev.Noticed | ev.Spotted | ev.Woke) else None
        if number in told_deaths or (met and met.id in introduced):
            continue
        sentence = None
        way = _way_to(met.id, state) if met and state else ""
        way += ", asleep" * (isinstance(event, ev.Spotted) and event.who.id in asleep)
        if isinstance(event, ev.Struck):
            death = _death_of(event, events, number)
            told_deaths.add(death)
            missile, kills = _missile_of(events, number), death is not None
            sentence = attack_message(event, weapon=weapon, missile=missile, kills=kills)
        elif met and met.id in alert:
            # At the first of these events: an attack at once must not come before it.
            introduced.add(met.id)
            waits = " 1 tile " in way and creature_kinds()[met.kind].traits.hides != Hiding.NOWHERE
            sentence = event_message(ev.Noticed(met), "ambush" if waits else "alert", way)
        elif _missile_of(events, number + 1) is None:
            by_another = isinstance(event, ev.Identified) and used and event.what.kind not in used
            variant = "in_pack" if by_another else ""
            if state and isinstance(event, ev.CalledForHelp) and event.who.id not in in_view:
                variant, way = "unseen", _way_to(event.who.id, state)
            sentence = event_message(event, variant, way)
        if sentence and (deadly := _with_death(sentence, events[number : number + 2])):
            told_deaths.add(number + 1)
            sentence = deadly
        if sentence:
            yield sentence


def _with_death(sentence: Sentence, events: Sequence[Event]) -> Sentence | None:
    """Return ``sentence`` with the death if ``events`` are a monster's wound and its death."""
    match events, sentence:
        case [ev.Hurt(who, damage=damage), ev.Died(dead, killer)], (text, color):
            if who.id == dead.id and who.kind != HERO and text.endswith(f" for {damage}."):
                told = f"{text[:-1]} and kills {names.pronoun(who.kind).object}."
                return told, "good" if killer == HERO else color
    return None


def _way_to(creature_id: int, state: GameState) -> str:
    """Return where a creature is, with a blank before it, "" if it is gone."""
    other, hero = state.map.entities.get(creature_id), state.hero
    return f" {bearing(other.x - hero.x, other.y - hero.y)}" if other else ""


def _missile_of(events: Sequence[Event], number: int) -> ItemRef | None:
    """Return what was thrown or shot if event ``number`` is its hit, None otherwise."""
    match events[max(0, number - 1) : number + 1]:
        case [ev.Threw(who, what), ev.Struck(attacker)] if who.id == attacker.id:
            return what
    return None


def _death_of(event: ev.Struck, events: Sequence[Event], number: int) -> int | None:
    """Return the number of the death that ``event``, a hit, causes; None if it causes none."""
    if not event.damage:
        return None
    for later, other in enumerate(events[number + 1 :][:DEATH_FOLLOWS_WITHIN], number + 1):
        match other:
            case ev.Struck(target=hit) | ev.Hurt(who=hit) if hit.id == event.target.id:
                return None
            case ev.Died(who=dead) if dead.id == event.target.id:
                return later if other.killer == event.attacker.kind else None
    return None
