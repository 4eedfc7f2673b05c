"""Who and what stands on the ground: a picture, or a letter, as the options have it."""

from entities.kinds import HERO, creatures
from render.glyphs import BOLT, FLAME_LOOKS, FLAMES, STONE, THORN, being_look, plain, thing_tile
from render.options.choices import current

_SHOTS = {"thorn": THORN, "stone": STONE}


def being_code(kind: str) -> int:
    """Return the code point that shows a ``kind`` of creature."""
    figures = current().figures
    letter = figures == "letters" or (kind == HERO and figures != "all")
    return ord(creatures()[kind].glyph) if letter else being_look(kind)


def thing_code(kind: str) -> int:
    """Return the code point that shows a ``kind`` of thing."""
    return _drawn(thing_tile(kind))


def flame_code(x: int, y: int, phase: int) -> int:
    """Return the code point that shows fire at (x, y) in moment ``phase``."""
    return _drawn(FLAMES + (x * 7 + y * 13 + phase) % FLAME_LOOKS)


def shot_code(missile: str) -> int:
    """Return the code point that shows what a creature shoots, or what magic does."""
    if missile == "arrow":
        return thing_code(missile)
    return _drawn(_SHOTS.get(missile, BOLT))


def _drawn(code: int) -> int:
    """Return ``code``, or that of its letter if all is to be letters."""
    return ord(plain(code)) if current().figures == "letters" else code
