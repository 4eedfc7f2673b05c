"""Help, made from the key table."""

from render.draw import paragraphs
from render.keys import SECTIONS, bindings, shown
from render.lines import Line
from render.screens.reader import Reader

INTRODUCTION = (
    "Twelve depths down lies the First Seed; take it, and the way goes on without end. Walk into "
    "creatures to strike them; each level you gain is a talent to choose. Wounds close slowly and "
    "whoever stays on a level too long is hunted, so waiting never pays. Unknown potions, scrolls, "
    "wands and rings are learned by using them. Look at anything to learn what it is and what a "
    "fight with it comes to."
)
SEEDS = (
    "A dungeon grows from its seed: the same level code gives the same level, for ever. Every run "
    "is kept as it is played and can be watched again, turn by turn."
)
WORKSHOP = (
    "In the Workshop you switch generators and seeds freely and step into the exit for the next "
    "map, without end. In an Adventure the same keys ask first, for the run is no longer scored "
    "afterwards."
)
MOUSE = (
    "Mouse: point at anything to learn its name; press to walk there, one step at a time while "
    "something hostile is in view; press on yourself to take what lies there, use stairs or wait. "
    "The right button lists everything there is to do, and goes back; every key on the screen can "
    "be pressed; the wheel makes the map larger or smaller, and scrolls."
)


def help_screen(
    sections: tuple[str, ...] = ("move", "run", "play", "menu", "any"),
    texts: tuple[str, ...] = (INTRODUCTION, SEEDS, WORKSHOP, MOUSE),
) -> Reader:
    """Return the help for these sections of the key table, after ``texts``."""
    return Reader("Help", lambda width: _lines(width, sections, texts))


def _lines(width: int, sections: tuple[str, ...], texts: tuple[str, ...]) -> list[Line]:
    lines: list[Line] = []
    for text in texts:
        lines += [[(line, "text")] for line in paragraphs(text, width)]
        lines.append([])
    for section in sections:
        lines.append([(SECTIONS[section], "accent")])
        for binding in bindings()[section].values():
            keys = "  ".join(shown(key) for key in binding.keys)
            lines.append([(f"  {keys:<26}", "cold"), (binding.help, "text")])
        lines.append([])
    return lines
