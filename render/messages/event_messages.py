"""Message log text: one function per event type, in a table.

The rules emit events and hold no English; all of it is in this folder and in data/verbs.toml. An
event that needs no message stands in `SILENT`.
"""

from engine.monsters.wandering_monsters import LevelAlert
from engine.state import events as ev
from engine.state.events import CreatureRef, Event, ItemRef
from entities.creature_kinds import HERO, creature_kinds
from entities.statuses import status_kinds
from entities.talents import talents
from entities.trap_kinds import trap_kinds
from procgen.level_code import parse_code
from procgen.settings import complete, generator_for_code
from render.messages import item_messages
from render.messages.message_registry import MESSAGES, Sentence, message
from render.messages.names import (
    BARE_HANDS,
    attack_verb,
    call_message,
    creature_name,
    hurt_clause,
    item_name_bare,
    missile_verb,
    place_name,
    pronoun,
    status_begins,
    status_ends,
    subject_and_verb,
    the_item,
    weapon_verb,
)

ELSEWHERE = (item_messages,)
"""The modules with other messages: importing them registers those."""
SILENT: frozenset[type] = frozenset({ev.Moved, ev.Shifted, ev.LostTrack, ev.Grew})
"""Events that can be seen on the map, or that the hero cannot know of."""

ALWAYS_THE_SAME: dict[type, Sentence] = {
    ev.Rang: ("A bell rings through the halls. Every monster knows where you are.", "bad"),
    ev.FoundGoal: ("There it is: the First Seed! Its light shines across the level.", "accent"),
    ev.FoundDoor: ("You find a secret door.", "accent"),
    ev.TookKey: ("You take a key. It fits a lock somewhere on this level.", "accent"),
    ev.Unlocked: ("The key turns, and stays in the lock. The vault is open.", "accent"),
    ev.Mapped: ("The layout of the level enters your mind.", "accent"),
    ev.Won: ("The First Seed is yours! The stairs lead on down, without end.", "accent"),
    ev.CameHome: ("You step out into the light. Behind you the dungeon goes on growing.", "accent"),
}
"""Messages that do not depend on the event's fields."""
LIGHT_HIT, HEAVY_HIT = 6, 2
"""A hit for at most 1/6 of the target's full health is light, for at least 1/2 of it heavy."""


def event_message(event: Event) -> Sentence | None:
    """Return the message and colour for ``event``, None if there is nothing to say."""
    if type(event) in SILENT:
        return None
    return ALWAYS_THE_SAME.get(type(event)) or MESSAGES[type(event)](event)


def attack_message(
    event: ev.Struck,
    *,
    weapon: str = BARE_HANDS,
    missile: ItemRef | None = None,
    kills: bool = False,
) -> Sentence:
    """Return the message for a hit.

    ``weapon`` is the kind of weapon the hero wields, ``missile`` what hit if it was thrown or
    shot. ``kills`` is set if the hit was deadly, so that the death needs no message of its own.
    """
    mine, target, damage = event.attacker.kind == HERO, event.target, event.damage
    subject, force, third = creature_name(event.attacker.kind, start=True), _force(event), "s"
    if missile:
        whose = "Your" if mine else f"{subject}'s"
        subject = f"{whose} {item_name_bare(missile)}"
        verb = missile_verb(force)
    elif mine:
        verb, third = weapon_verb(weapon, force), ""
    else:
        verb = attack_verb(event.attacker.kind)
    text = f"{subject} {verb} {creature_name(target.kind)}"
    if not damage:
        return f"{text} but do{'es' if third else ''} no damage.", "dim"
    if kills:
        color = "bad" if target.kind == HERO else "good" if mine else "dim"
        return f"{text} for {damage} and kill{third} {pronoun(target.kind).object}.", color
    return f"{text} for {damage}.", "bad" if target.kind == HERO else "text"


def _force(event: ev.Struck) -> int:
    """Return how hard a hit is for its target: 0 light, 1 fair, 2 heavy."""
    health = creature_kinds()[event.target.kind].hp
    return (
        0 if event.damage * LIGHT_HIT <= health else 2 if event.damage * HEAVY_HIT >= health else 1
    )


def _the(who: CreatureRef) -> str:
    return creature_name(who.kind, start=True)


def _is(who: CreatureRef) -> str:
    return f"{_the(who)} {'are' if who.kind == HERO else 'is'}"


def _status_color(who: CreatureRef, begun: str | None) -> str:
    """Return the colour of a change of status; ``begun`` is the status that began, if one did."""
    if who.kind != HERO or begun is None:
        return "dim"
    return "good" if status_kinds()[begun].good else "bad"


# Combat


@message(ev.GrewHollow)
def _grew_hollow(event: ev.GrewHollow) -> Sentence:
    return f"The First Seed grows your own hollow, {event.code}. All stairs up lead home.", "accent"


@message(ev.Remembered)
def _remembered(event: ev.Remembered) -> Sentence:
    parts = ("its walls", "its rooms and stairs", "its doors, traps and locks")
    known = ", ".join(parts[: event.reach])
    return f"You remember how this level was made: {known}.", "accent"


@message(ev.Struck)
def _struck(event: ev.Struck) -> Sentence:
    return attack_message(event)


@message(ev.ShotFired)
def _shot_fired(event: ev.ShotFired) -> Sentence:
    text, target = f"{_the(event.attacker)}'s {event.missile}", creature_name(event.target.kind)
    if event.damage:
        return f"{text} hits {target} for {event.damage}.", "bad"
    return f"{text} hits {target} but does no damage.", "dim"


@message(ev.Died)
def _died(event: ev.Died) -> Sentence:
    if event.who.kind == HERO:
        return f"{creature_name(event.killer, start=True)} kills you.", "bad"
    if event.killer == HERO:
        return f"You kill {creature_name(event.who.kind)}.", "good"
    return f"{_the(event.who)} dies.", "dim"


@message(ev.Hurt)
def _hurt(event: ev.Hurt) -> Sentence:
    text = f"{hurt_clause(event.cause, creature_name(event.who.kind))} for {event.damage}."
    return text, "bad" if event.who.kind == HERO else "text"


@message(ev.Healed)
def _healed(event: ev.Healed) -> Sentence:
    mine = event.who.kind == HERO
    if event.cause == "shrine":
        return "The light of the shrine heals your wounds.", "good"
    if not event.amount:
        return f"{_is(event.who)} already at full health.", "dim"
    verb, color = ("feel", "good") if mine else ("looks", "warn")
    return f"{_the(event.who)} {verb} better (+{event.amount}).", color


# Monsters


@message(ev.Spotted)
def _spotted(event: ev.Spotted) -> Sentence:
    name = creature_name(event.who.kind, definite=False, start=True)
    return f"{name} comes into view.", "warn"


BOSS_LINES = {
    "warlord": "These stairs are mine. So are your teeth!",
    "broodmother": "Children. It has come to us by itself.",
    "warden": "Nothing that goes down to the Seed comes up again.",
}
"""The sentences about bosses that see the hero."""


@message(ev.Noticed)
def _noticed(event: ev.Noticed) -> Sentence:
    if line := BOSS_LINES.get(event.who.kind):
        return f"{_the(event.who)} sees you: “{line}”", "bad"
    return f"{_the(event.who)} notices you.", "warn"


@message(ev.Called)
def _called(event: ev.Called) -> Sentence:
    return call_message(event.who), "warn"


@message(ev.Fled)
def _fled(event: ev.Fled) -> Sentence:
    return f"{_the(event.who)} turns to flee.", "good"


@message(ev.Stole)
def _stole(event: ev.Stole) -> Sentence:
    loot = the_item(event.what) if event.what else f"{event.gold} gold"
    return f"{_the(event.who)} snatches {loot} from you!", "bad"


@message(ev.Summoned)
def _summoned(event: ev.Summoned) -> Sentence:
    name = creature_name(event.who.kind, definite=False)
    return f"{_the(event.summoner)} summons {name}.", "warn"


@message(ev.Charged)
def _charged(event: ev.Charged) -> Sentence:
    whose = pronoun(event.who.kind).possessive
    return f"{_the(event.who)} lowers {whose} head and charges!", "warn"


@message(ev.Blinked)
def _blinked(event: ev.Blinked) -> Sentence:
    return f"{_the(event.who)} vanishes and reappears elsewhere.", "warn"


@message(ev.Divided)
def _divided(event: ev.Divided) -> Sentence:
    return f"{_the(event.who)} splits in two.", "warn"


@message(ev.Appeared)
def _appeared(event: ev.Appeared) -> Sentence:
    name = creature_name(event.who.kind, definite=False, start=True)
    return f"{name} appears out of thin air.", "bad"


@message(ev.Changed)
def _changed(event: ev.Changed) -> Sentence:
    became = creature_name(event.who.kind, definite=False)
    return f"{creature_name(event.before, start=True)} turns into {became}.", "text"


@message(ev.Followed)
def _followed(event: ev.Followed) -> Sentence:
    return f"{subject_and_verb(event.who, 'follow')} you.", "warn"


# Statuses and levels of experience


@message(ev.Afflicted)
def _afflicted(event: ev.Afflicted) -> Sentence | None:
    if event.again:
        return None
    return status_begins(event.who, event.status), _status_color(event.who, event.status)


@message(ev.Relieved)
def _relieved(event: ev.Relieved) -> Sentence:
    return status_ends(event.who, event.status), _status_color(event.who, None)


@message(ev.Stumbled)
def _stumbled(event: ev.Stumbled) -> Sentence | None:
    return ("You stumble.", "warn") if event.who.kind == HERO else None


@message(ev.Struggled)
def _struggled(event: ev.Struggled) -> Sentence | None:
    if event.who.kind != HERO or event.free:  # The end of the status says that it is free.
        return None
    return "You struggle to get free.", "warn"


@message(ev.LeveledUp)
def _leveled_up(event: ev.LeveledUp) -> Sentence:
    return f"You have reached level {event.level}. Choose a talent.", "good"


@message(ev.Learned)
def _learned(event: ev.Learned) -> Sentence:
    return f"You learn {talents()[event.talent].name}.", "good"


# The level


ALERT_NAMES = {
    LevelAlert.QUIET: "quiet",
    LevelAlert.STIRRING: "stirring",
    LevelAlert.HUNTED: "hunted",
    LevelAlert.BESIEGED: "besieged",
}
"""The stages of the anti-stalling clock, as the panels show them."""

ALERT_MESSAGES = {
    LevelAlert.STIRRING: "The level stirs. Hunters will come by the stairs: do not linger.",
    LevelAlert.HUNTED: "You are hunted: more of them come, and sooner.",
    LevelAlert.BESIEGED: "You are besieged: hunters keep coming without end.",
}


@message(ev.Arrived)
def _arrived(event: ev.Arrived) -> Sentence:
    code = complete(parse_code(event.code))
    place = place_name(code, generator_for_code(code).theme)
    lead = "You are back on depth" if event.again else "You reach depth"
    note = " This run is no longer scored." if event.unscored else ""
    return f"{lead} {event.depth}: {place}.{note}", "accent"


@message(ev.Stirred)
def _stirred(event: ev.Stirred) -> Sentence:
    return ALERT_MESSAGES[LevelAlert(event.unrest)], "bad"


@message(ev.Hunted)
def _hunted(event: ev.Hunted) -> Sentence:
    way = "down" if event.above else "up"
    return f"Something comes {way} the stairs, looking for you.", "warn"


@message(ev.Sprung)
def _sprung(event: ev.Sprung) -> Sentence:
    subject = "You step" if event.who.kind == HERO else "Something steps"
    return f"{subject} on a pressure plate: it {trap_kinds()[event.trap].text}.", "bad"


@message(ev.Vanished)
def _vanished(event: ev.Vanished) -> Sentence | None:
    mine = event.who.kind == HERO
    return ("The world turns over. You are somewhere else.", "warn") if mine else None


DISPLACED = {
    "blinked": "suddenly elsewhere",
    "teleported": "whisked away",
    "swapped": "pulled to another place",
    "pushed": "thrown back",
    "washed": "washed ashore",
    "shoved": "shoved aside by what grows",
}
"""Verbs for forced movement."""


@message(ev.Displaced)
def _displaced(event: ev.Displaced) -> Sentence:
    color = "warn" if event.who.kind == HERO else "text"
    return f"{_is(event.who)} {DISPLACED[event.how]}.", color
