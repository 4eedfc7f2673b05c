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
        lines += [[], *(part for line in compared for part in _broken(line, width))]
    return lines


def _broken(line: Line, width: int) -> list[Line]:
    """Return ``line`` broken into several if it is longer than ``width``; the rest is indented."""
    whole = "".join(text for text, _ in line)
    if len(whole) <= width:
        return [line]
    first, color = line[0]
    told = paragraphs("".join(text for text, _ in line[1:]), width - len(first))
    rest: list[Line] = [[(" " * 4 + text, line[-1][1])] for text in told[1:]]
    return [[(first, color), (told[0], line[-1][1])], *rest]
