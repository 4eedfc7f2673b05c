"""Everything to be said of a thing, as lines."""

from textwrap import wrap

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
    (first, color), *others = line
    indent = " " * 4
    if not others:
        return [[(text, color)] for text in wrap(first, width, subsequent_indent=indent)]
    said, hue, lead = "".join(text for text, _ in others), others[-1][1], " " * len(first)
    told = wrap(said, width, initial_indent=lead, subsequent_indent=indent, break_on_hyphens=False)
    return [
        [(first, color), (told[0].removeprefix(lead), hue)],
        *([(text, hue)] for text in told[1:]),
    ]
