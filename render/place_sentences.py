"""What places do, as sentences: traps, locks, and the unrest of a level one stays on too long."""

from engine.events import Event, Hunted, Rang, Sprung, Stirred, TookKey, Unlocked, Vanished
from engine.unrest import Unrest
from entities.kinds import HERO
from entities.traps import traps

Sentence = tuple[str, str]

UNREST = {
    Unrest.QUIET: "quiet",
    Unrest.STIRRING: "stirring",
    Unrest.HUNTED: "hunted",
    Unrest.BESIEGED: "besieged",
}
"""What the player reads for how much a level minds."""

STIRRED = {
    Unrest.STIRRING: "The level stirs: from now on hunters come by the stairs. Do not linger.",
    Unrest.HUNTED: "You are hunted: they come more often now.",
    Unrest.BESIEGED: "You are besieged: there is no end of them.",
}


def place_sentence(event: Event) -> Sentence | None:
    """Return what to say of ``event`` if it is about a place; None if it is not."""
    match event:
        case Stirred(unrest):
            return STIRRED[Unrest(unrest)], "bad"
        case Hunted(_, above):
            way = "down" if above else "up"
            return f"Something comes {way} the stairs, looking for you.", "warn"
        case Sprung(who, trap):
            subject = "You tread" if who.kind == HERO else "Something treads"
            return f"{subject} on a pressure plate: it {traps()[trap].text}.", "bad"
        case Rang():
            return "A bell rings through the halls. Everyone knows where you are.", "bad"
        case Vanished(who) if who.kind == HERO:
            return "The world turns over. You are somewhere else.", "warn"
        case TookKey():
            return "You take a key. Somewhere on this level is a lock for it.", "accent"
        case Unlocked():
            return "The key turns, and stays in the lock. The vault is open.", "accent"
        case _:
            return None
