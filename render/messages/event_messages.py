"""Message log text: the sentence for each event, from data/messages.toml.

The rules emit events and hold no English. The file holds the sentences, by event and variant; this
module tells the variants apart, fills in the words, and computes the messages of hits.
"""

from dataclasses import replace
from functools import cache
from string import Formatter

import msgspec

from engine.state import events as ev
from engine.state.events import CreatureRef, Event, ItemRef, event_types
from engine.state.game_map import FLOOD
from engine.terrain.growth import FLOOD_TURNS, FRUIT
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import check_names, event_name, for_variant, read_table
from entities.item_kinds import item_class_of, item_kinds
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.talents import talents
from entities.trap_kinds import trap_kinds
from procgen.level_code import parse_code
from procgen.settings import complete, generator_for_code
from render.map.place_names import bearing
from render.messages import names
from render.messages.item_descriptions import FIZZLED, gear_texts, item_texts
from render.ui.palette import Interface

MESSAGES_FILE = "messages.toml"
WORDS = frozenset(
    ["call", "begins", "ends", "place", "verb", "breaks", "fizzle", "grows", "one", "gear", "way"]
)
"""Placeholders in the sentences other than the fields of events."""
LIGHT_HIT, HEAVY_HIT = 6, 2
"""A hit for at most 1/6 of the hit points of the target's kind is light, for at least 1/2 heavy."""

Sentence = tuple[str, str]
"""A message and the interface colour to write it in, with `GRAVE` after it if it is grave."""
GRAVE = "!"


class EventText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence and its colour; ``you`` and ``you_color`` if it is about the hero."""

    text: str
    color: str = "text"
    you: str | None = None
    you_color: str | None = None


@cache
def event_texts() -> dict[str, EventText]:
    """Return the sentences by event and variant; raise `DataError` for an invalid one."""
    table = read_table(MESSAGES_FILE, dict[str, EventText])
    types = event_types()
    for name, entry in table.items():
        where, event = f"data/{MESSAGES_FILE}: {name}", name.partition(".")[0]
        check_names(where, [event], types, "event")
        used = {color.removesuffix(GRAVE) for color in (entry.color, entry.you_color) if color}
        check_names(where, sorted(used), Interface.__struct_fields__, "colour")
        parts = Formatter().parse(entry.text + (entry.you or ""))
        words = [word for _, word, _, _ in parts if word]
        check_names(where, words, [*types[event].__struct_fields__, *WORDS], "placeholder")
    return table


def event_message(event: Event, variant: str = "", way: str = "") -> Sentence | None:
    """Return the message and colour for ``event``, None if it has no message.

    ``variant`` names the sentence if the event does not; ``way`` fills the placeholder so named.
    """
    if isinstance(event, ev.Struck):
        return attack_message(event)
    name, own = event_name(type(event)), _variant(event)
    entry = for_variant(event_texts(), name, own if f"{name}.{own}" in event_texts() else variant)
    assert entry, f'data/{MESSAGES_FILE} has no "{name}"'
    text, color = entry.text, entry.color
    if (who := getattr(event, "who", None)) and who.kind == HERO:
        text = text if entry.you is None else entry.you
        color = entry.you_color or color
    return (text.format_map({"way": way} | _words(event)).strip(), color) if text else None


def _variant(event: Event) -> str:
    """Return which sentence fits ``event``, "" for the usual one of its type."""
    match event:
        case ev.Hurt(cause=variant) | ev.Displaced(how=variant) | ev.LevelAlerted(variant):
            return variant
        case ev.Grew(kind=kind, left=left) if kind == FLOOD and left < FLOOD_TURNS:
            return "on"
        case ev.Grew(kind=variant) | ev.MechanismUsed(variant):
            return variant
        case ev.Healed(cause="shrine", amount=amount):
            return "shrine" if amount else "shrine_unhurt"
        case ev.Healed(amount=0):
            return "unhurt"
        case ev.Healed(cause=cause) if cause in item_kinds():
            return item_kinds()[cause].effect or ""
        case ev.ShotFired(damage=0, missile=missile):
            return "gaze" if missile == "gaze" else "harmless"
        case ev.Died(who, killer):
            return "by_you" if killer == HERO != who.kind else ""
        case ev.Noticed(who):
            return who.kind
        case ev.Stole(what=None):
            return "gold"
        case ev.HunterArrived(above=True):
            return "above"
        case ev.StatusApplied(status=status, again=again):
            return "again" if again else "good" if status_kinds()[status].good else "bad"
        case ev.Struggled(free=True):  # The message at the end of the status tells it.
            return "free"
        case ev.Arrived(grown=True):
            return "grown"
        case ev.Arrived(code, unscored=unscored, again=again):
            facts = {"world": parse_code(code).place, "again": again, "unscored": unscored}
            return "_".join(name for name, holds in facts.items() if holds)
        case ev.Remembered(reach):
            return f"{reach}"
        case ev.Learned(_, talent) if talents()[talent].level == 1:
            return "background"
        case ev.Equipped(_, what) if item_class_of(what.kind).slot == "bow":
            return "slung"
        case ev.Equipped(_, what) | ev.TookOff(_, what):
            return "held" if item_class_of(what.kind).slot in {"weapon", "bow"} else ""
        case ev.PickedUp(what=what, taken=taken) if what.count > taken:
            return "more" if taken else "charges"
        case ev.PickedUp(what=what) if what.kind == FRUIT:
            return "fruit"
        case ev.Dropped(who, what) if (
            creature_kinds()[who.kind].lair and what.kind not in seed_kinds()
        ):
            return "boss"
        case ev.Ripened(place, hero) if place == hero:
            return "here"
        case ev.Threw(what=what, bow=bow) if item_kinds()[what.kind].shatters is None:
            # A throw that hits is told by the message of its hit.
            return "bow" if bow else "missed" if item_kinds()[what.kind].damage else "harmless"
        case ev.Burnt(what) | ev.Improved(what) | ev.Wilted(what) if what.count > 1:
            return "several"
    return ""


class _Creature:
    """Formats a kind of creature, or a cause, in a sentence: {who}, {who:The}, {who:its} ..."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __format__(self, form: str) -> str:
        if form == "its":
            return names.pronoun(self._kind).possessive
        start, definite = form[:1].isupper(), form.lower() != "a"
        name = names.creature_name(self._kind, definite=definite, start=start)
        be = "are" if self._kind == HERO else "is"
        return f"{name} {be}" if form == "Is" else name


class _Item:
    """Formats an item in a sentence: {what:the}, {what:a}, {what:bare}, {what:letter} ..."""

    def __init__(self, item: ItemRef) -> None:
        self._item = item

    def __format__(self, form: str) -> str:
        item, name = self._item, names.item_name_bare(self._item)
        name = names.plural(name) if item.count > 1 else name
        texts = {"letter": item.letter, "count": f"{item.count}", "a": names.item_phrase(item)}
        texts |= {"bare": name, "The": f"The {name}"}
        return texts.get(form, f"the {name}")


def _words(event: Event) -> dict[str, object]:
    """Return the words that the sentences on ``event`` may contain, by placeholder."""
    words: dict[str, object] = {}
    for name in type(event).__struct_fields__:
        value = getattr(event, name)
        if isinstance(value, CreatureRef):
            value = _Creature(value.kind)
        elif isinstance(value, ItemRef):
            value = _Item(value)
        words[name] = _Creature(value) if name in {"cause", "killer", "before"} else value
    return words | _more_words(event)


def _more_words(event: Event) -> dict[str, object]:
    """Return the values of `WORDS` for ``event``, and names for fields that hold only a key."""
    verbs = names.verb_table()
    match event:
        case ev.CalledForHelp(who):
            return {"call": verbs.calls.get(who.kind, "calls for help!")}
        case ev.StatusApplied(who, status) | ev.StatusEnded(who, status):
            word = "begins" if isinstance(event, ev.StatusApplied) else "ends"
            text = getattr(verbs.statuses[status], word)[who.kind != HERO]
            return {word: text.format(who=_Creature(who.kind))}
        case ev.Learned(_, talent):
            learned = talents()[talent]
            return {"talent": learned.name if learned.level > 1 else learned.name.lower()}
        case ev.TrapTriggered(_, trap):
            return {"trap": trap_kinds()[trap].text}
        case ev.Arrived(text):
            code = complete(parse_code(text))
            return {"place": names.place_name(code, generator_for_code(code).theme)}
        case ev.PickedUp(what=what, taken=taken):
            return {"taken": _Item(replace(what, count=taken))}
        case ev.Ripened(place, hero):
            return {"way": bearing(place.x - hero.x, place.y - hero.y)}
        case ev.Used(_, what):
            return {"verb": item_class_of(what.kind).verb}
        case ev.Shattered(what):
            return {"breaks": verbs.breaks.get(what.kind, "shatters")}
        case ev.Fizzled(what):
            effect = item_kinds()[what.kind].effect or ""
            return {"fizzle": item_texts().fizzles.get(effect, FIZZLED)}
        case ev.Planted(kind):
            return {"grows": seed_kinds()[kind].grows}
        case ev.Identified(what):
            worn = item_class_of(what.kind).slot
            gear = " ".join(gear_texts(item_kinds()[what.kind])) if worn else ""
            return {"one": _Item(replace(what, count=1)), "gear": gear}
    return {}


def attack_message(
    event: ev.Struck,
    *,
    weapon: str | None = None,
    missile: ItemRef | None = None,
    kills: bool = False,
) -> Sentence:
    """Return the message for a hit.

    ``weapon`` is the kind of weapon that the hero wields, ``missile`` the item if one was thrown or
    shot. ``kills`` is set if the hit was deadly: the death then needs no message of its own.
    """
    mine, target, damage = event.attacker.kind == HERO, event.target, event.damage
    subject, force, third = names.creature_name(event.attacker.kind, start=True), _force(event), "s"
    verbs = names.verb_table()
    if missile:
        owner = "Your" if mine else f"{subject}'s"
        subject = f"{owner} {names.item_name_bare(missile)}"
        verb = verbs.missiles[force]
    elif mine:
        verb, third = verbs.weapons[weapon or names.BARE_HANDS][force], ""
    else:
        verb = verbs.blows.get(event.attacker.kind, "hits")
    victim = names.creature_name(target.kind)
    if event.asleep and victim.startswith("the "):
        victim = f"the sleeping {victim[4:]}"
    text = f"{subject} {verb} {victim}"
    if not damage:
        return f"{text} but do{'es' if third else ''} no damage.", "dim"
    if kills:
        color = "bad" if target.kind == HERO else "good" if mine else "dim"
        return f"{text} for {damage} and kill{third} {names.pronoun(target.kind).object}.", color
    return f"{text} for {damage}.", "bad" if target.kind == HERO else "text"


def _force(event: ev.Struck) -> int:
    """Return how hard a hit is for a creature of the target's kind: 0 light, 1 fair, 2 heavy.

    The kind's hit points count: the event does not have the maximum of the creature, which grows
    with the depth, and for the hero with its level.
    """
    health = creature_kinds()[event.target.kind].hp
    if event.damage * LIGHT_HIT <= health:
        return 0
    return 2 if event.damage * HEAVY_HIT >= health else 1
