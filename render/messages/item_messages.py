"""Messages about items: picking up, wearing, using, throwing, identifying, losing."""

from dataclasses import replace

from engine.state import events as ev
from engine.state.events import ItemRef
from entities.item_kinds import item_class_of, item_kinds
from entities.seed_kinds import seed_kinds
from render.messages.item_descriptions import fizzle_text, gear_texts
from render.messages.message_registry import Sentence, message
from render.messages.names import break_verb, item_phrase, subject_and_verb, the_item


def _item_and_verb(what: ItemRef, verb: str) -> str:
    """Return subject and verb: ``The scroll burns``, ``The arrows burn``."""
    return f"{the_item(what, start=True)} {verb if what.count > 1 else f'{verb}s'}"


@message(ev.TookGold)
def _took_gold(event: ev.TookGold) -> Sentence:
    return f"You pick up {event.amount} gold.", "accent"


@message(ev.PickedUp)
def _picked_up(event: ev.PickedUp) -> Sentence:
    text = f"{subject_and_verb(event.who, 'take')} {item_phrase(event.what)}"
    return f"{text} ({event.what.letter}).", "text"


@message(ev.Dropped)
def _dropped(event: ev.Dropped) -> Sentence:
    return f"{subject_and_verb(event.who, 'drop')} {item_phrase(event.what)}.", "dim"


@message(ev.Equipped)
def _equipped(event: ev.Equipped) -> Sentence:
    held = item_class_of(event.what.kind).slot in {"weapon", "bow"}
    return f"You {'wield' if held else 'put on'} {the_item(event.what)}.", "text"


@message(ev.TookOff)
def _took_off(event: ev.TookOff) -> Sentence:
    held = item_class_of(event.what.kind).slot in {"weapon", "bow"}
    return f"You {'put away' if held else 'take off'} {the_item(event.what)}.", "dim"


@message(ev.Used)
def _used(event: ev.Used) -> Sentence:
    verb = item_class_of(event.what.kind).verb
    return f"{subject_and_verb(event.who, verb)} {the_item(event.what)}.", "text"


@message(ev.Threw)
def _threw(event: ev.Threw) -> Sentence:
    verb = "shoot" if event.bow else "throw"
    return f"{subject_and_verb(event.who, verb)} {item_phrase(event.what)}.", "text"


@message(ev.Shattered)
def _shattered(event: ev.Shattered) -> Sentence:
    return f"{the_item(event.what, start=True)} {break_verb(event.what.kind)}.", "text"


@message(ev.Fizzled)
def _fizzled(event: ev.Fizzled) -> Sentence:
    return fizzle_text(item_kinds()[event.what.kind].effect or ""), "dim"


@message(ev.Planted)
def _planted(event: ev.Planted) -> Sentence:
    return seed_kinds()[event.kind].grows, "accent"


@message(ev.Identified)
def _identified(event: ev.Identified) -> Sentence:
    kind = item_kinds()[event.what.kind]
    worn = " ".join(gear_texts(kind)) if item_class_of(event.what.kind).slot else ""
    return f"It's {item_phrase(replace(event.what, count=1))}! {worn}".strip(), "accent"


@message(ev.Burnt)
def _burnt(event: ev.Burnt) -> Sentence:
    return f"{_item_and_verb(event.what, 'burn')} to ashes.", "warn"


@message(ev.Improved)
def _improved(event: ev.Improved) -> Sentence:
    gleams = "gleam" if event.what.count > 1 else "gleams"
    name = the_item(event.what).removeprefix("the ")
    return f"Your {name} {gleams} for a moment.", "good"


@message(ev.NoRoom)
def _no_room(event: ev.NoRoom) -> Sentence:
    return f"Your pack has no room for {the_item(event.what)}.", "warn"
