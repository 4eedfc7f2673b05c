"""Everything to be said of a thing, as lines."""

from engine.world import World
from entities.item import Item
from render.draw import paragraphs
from render.lines import Line
from render.pack.compare import comparison
from render.pack.told import what_it_does


def details(world: World, item: Item, width: int) -> list[Line]:
    """Return what ``item`` does and how it compares, in lines of ``width`` cells."""
    lines: list[Line] = []
    for sentence in what_it_does(world, item):
        lines += [[(line, "text")] for line in paragraphs(sentence, width)]
    compared = comparison(world, item)
    if compared:
        lines += [[], *compared]
    return lines
