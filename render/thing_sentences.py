"""What happens to things, as sentences."""

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
    Who,
)
from entities.items import sort_of
from entities.kinds import HERO, creatures
from render.things import named, plain_name, the

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
    "blinked": "elsewhere in a blink",
    "teleported": "whisked away",
    "swapped": "where another was",
    "pushed": "thrown back",
    "washed": "washed ashore",
}


def _does(who: Who, verb: str) -> str:
    if who.kind == HERO:
        return f"You {verb}"
    ending = "es" if verb.endswith(("s", "sh", "ch", "w")) and not verb.endswith("w") else "s"
    return f"The {creatures()[who.kind].name} {verb}{ending}"


def _is(who: Who) -> str:
    return "You are" if who.kind == HERO else f"The {creatures()[who.kind].name} is"


def _a(kind: str) -> str:
    name = creatures()[kind].name
    return f"{'An' if name[0] in 'aeiou' else 'A'} {name}"


def thing_sentence(event: Event) -> tuple[str, str] | None:
    """Return what to say of an ``event`` about things; None if there is nothing to say."""
    match event:
        case PickedUp(who, what):
            return f"{_does(who, 'take')} {named(what)} ({what.letter}).", "text"
        case Dropped(who, what):
            return f"{_does(who, 'drop')} {named(what)}.", "dim"
        case Equipped(who, what):
            verb = "wield" if sort_of(what.kind).slot in {"weapon", "bow"} else "put on"
            return f"You {verb} {the(what)}.", "text"
        case TookOff(who, what):
            return f"You take off {the(what)}.", "dim"
        case Used(who, what):
            return f"{_does(who, sort_of(what.kind).verb)} {the(what)}.", "text"
        case Threw(who, what, _, bow):
            return f"{_does(who, 'shoot' if bow else 'throw')} {named(what)}.", "text"
        case Shattered(what):
            return f"{the(what, start=True)} shatters.", "text"
        case Fizzled(what):
            return "Nothing comes of it.", "dim"
        case Identified(what):
            return f"So that is what it is: a {plain_name(what)}.", "accent"
        case Displaced(who, _, how):
            return f"{_is(who)} {DISPLACED[how]}.", "warn" if who.kind == HERO else "text"
        case Appeared(who):
            return f"{_a(who.kind)} appears out of nothing.", "bad"
        case Changed(who, before):
            return f"The {creatures()[before].name} turns into {_a(who.kind).lower()}.", "text"
        case Mapped():
            return "The lie of the level comes to your mind.", "accent"
        case Burnt(what):
            return f"{the(what, start=True)} burns to ashes.", "warn"
        case Improved(what):
            return f"{the(what, start=True)} gleams for a moment.", "good"
        case NoRoom(what):
            return f"Your pack has no room for {the(what)}.", "warn"
    return None
