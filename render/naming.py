"""How creatures and what hurts are called in a sentence."""

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


def name_of(kind: str, *, definite: bool = True, start: bool = False) -> str:
    """Return how a creature is called: ``you``, ``the orc``, ``an orc``."""
    if kind == HERO:
        return "You" if start else "you"
    name = THINGS.get(kind) or (traps().get(kind) or creatures()[kind]).name
    if kind in creatures() and creatures()[kind].lair:
        return f"{name[0].upper()}{name[1:]}" if start else name
    article = "the" if definite else ("an" if name[0] in "aeiou" else "a")
    return f"{article.capitalize() if start else article} {name}"
