"""What happens to things, as sentences."""

from dataclasses import replace

from engine.events import (
    Appeared,
    Burnt,
    Changed,
    Displaced,
    Dropped,
    Equipped,
    Event,
    Fizzled,
    Identified,
    Improved,
    Mapped,
    NoRoom,
    PickedUp,
    Shattered,
    Threw,
    TookOff,
    Used,
    What,
    Who,
)
from entities.items import sort_of
from entities.kinds import HERO
from render.naming import does, name_of
from render.things import named, the

THING_REFUSALS = {
    "nothing here": "There is nothing here to pick up.",
    "pack full": "Your pack is full.",
    "not in the pack": "You do not carry that.",
    "cannot be worn": "That cannot be worn.",
    "already worn": "You wear that already.",
    "not worn": "You do not wear that.",
    "no use": "There is nothing to do with it.",
    "empty": "It is empty.",
    "nothing to fire": "You have nothing to shoot or throw.",
    "no foe in view": "There is nobody to strike.",
    "needs a target": "It needs a target.",
    "out of view": "You cannot see that place.",
    "out of range": "That is too far away.",
    "not at yourself": "Not at yourself.",
    "needs a thing": "Choose a thing to use it on.",
    "cannot be improved": "That cannot be made any better.",
}


DISPLACED = {
    "blinked": "suddenly elsewhere",
    "teleported": "whisked away",
    "swapped": "pulled to another place",
    "pushed": "thrown back",
    "washed": "washed ashore",
}


def _is(who: Who) -> str:
    return f"{name_of(who.kind, start=True)} {'are' if who.kind == HERO else 'is'}"


def _it(what: What, verb: str) -> str:
    """Return subject and verb: ``The scroll burns``, ``The arrows burn``."""
    return f"{the(what, start=True)} {verb if what.count > 1 else f'{verb}s'}"


def thing_sentence(event: Event) -> tuple[str, str] | None:
    """Return what to say of an ``event`` about things; None if there is nothing to say."""
    match event:
        case PickedUp(who, what):
            return f"{does(who, 'take')} {named(what)} ({what.letter}).", "text"
        case Dropped(who, what):
            return f"{does(who, 'drop')} {named(what)}.", "dim"
        case Equipped(who, what):
            verb = "wield" if sort_of(what.kind).slot in {"weapon", "bow"} else "put on"
            return f"You {verb} {the(what)}.", "text"
        case TookOff(who, what):
            return f"You take off {the(what)}.", "dim"
        case Used(who, what):
            return f"{does(who, sort_of(what.kind).verb)} {the(what)}.", "text"
        case Threw(who, what, _, bow):
            return f"{does(who, 'shoot' if bow else 'throw')} {named(what)}.", "text"
        case Shattered(what):
            return f"{_it(what, 'shatter')}.", "text"
        case Fizzled(what):
            return "Nothing comes of it.", "dim"
        case Identified(what):
            return f"So that is what it is: {named(replace(what, count=1))}.", "accent"
        case Displaced(who, _, how):
            return f"{_is(who)} {DISPLACED[how]}.", "warn" if who.kind == HERO else "text"
        case Appeared(who):
            return f"{name_of(who.kind, definite=False, start=True)} appears out of nothing.", "bad"
        case Changed(who, before):
            became = name_of(who.kind, definite=False)
            return f"{name_of(before, start=True)} turns into {became}.", "text"
        case Mapped():
            return "The lie of the level comes to your mind.", "accent"
        case Burnt(what):
            return f"{_it(what, 'burn')} to ashes.", "warn"
        case Improved(what):
            return f"{_it(what, 'gleam')} for a moment.", "good"
        case NoRoom(what):
            return f"Your pack has no room for {the(what)}.", "warn"
    return None
