"""How creatures and what hurts are called in a sentence, and what they do."""

from engine.events import Who
from entities.kinds import HERO, creatures
from entities.traps import traps

THINGS = {
    "trap": "dart trap",
    "shrine": "shrine",
    "burning": "fire",
    "fire": "fire",
    "lightning": "lightning",
    "cold": "cold",
    "lava": "lava",
    "wall": "wall",
    "water": "water",
    "thorns": "ring of thorns",
    "poisoned": "poison",
}
UNCOUNTED = {"fire", "lightning", "cold", "lava", "water", "poison"}
"""What there is no one of: one is killed by fire, not by a fire."""


HURTS = {
    "burning": "Flames burn",
    "fire": "Fire burns",
    "lightning": "Lightning strikes",
    "cold": "Cold bites",
    "lava": "Lava swallows",
    "wall": "The wall bruises",
    "water": "The water drags at",
    "thorns": "Thorns prick",
    "poisoned": "Poison gnaws at",
    "dart": "A dart strikes",
    "fall": "The fall hurts",
}
"""What that which hurts does, where there is a better word than that it hurts."""


def hurts(cause: str, whom: str) -> str:
    """Return that ``cause`` hurts ``whom``: ``Fire burns the orc``."""
    return f"{HURTS.get(cause) or f'{name_of(cause, start=True)} hurts'} {whom}"


def does(who: Who, verb: str) -> str:
    """Return subject and verb: ``You hit``, ``The orc hits``."""
    return f"{name_of(who.kind, start=True)} {verb if who.kind == HERO else f'{verb}s'}"


def name_of(kind: str, *, definite: bool = True, start: bool = False) -> str:
    """Return how a creature is called: ``you``, ``the orc``, ``an orc``."""
    if kind == HERO:
        return "You" if start else "you"
    name = THINGS.get(kind) or (traps().get(kind) or creatures()[kind]).name
    if kind in creatures() and creatures()[kind].lair:
        return f"{name[0].upper()}{name[1:]}" if start else name
    if name in UNCOUNTED and not definite:
        return name
    article = "the" if definite else ("an" if name[0] in "aeiou" else "a")
    return f"{article.capitalize() if start else article} {name}"
