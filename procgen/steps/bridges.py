"""Bridges where the walk around is long."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from procgen.analysis import UNREACHED, distances
from procgen.blueprint import Blueprint
from procgen.furnishing.ground import (
    Paint,
    TileName,
    for_area,
    interior,
    tile_named,
    walkable,
    where,
)
from procgen.registry import Count, Side, step
from procgen.rng import Rng


class Span(NamedTuple):
    """A straight line of ``length`` tiles from (x, y) on, to the right or down, bank to bank."""

    x: int
    y: int
    length: int
    down: bool

    @property
    def tiles(self) -> tuple[slice, slice]:
        """The tiles to be spanned, as an index into ``tiles[y, x]``."""
        if self.down:
            return slice(self.y, self.y + self.length), slice(self.x, self.x + 1)
        return slice(self.y, self.y + 1), slice(self.x, self.x + self.length)


@step(needs="floor")
def bridges(
    plan: Blueprint,
    rng: Rng,
    *,
    over: tuple[TileName, ...] = ("water", "lava"),
    longest: Side = 12,
    ratio: Annotated[float, Meta(ge=1)] = 3.0,
    most: Count = 6,
    tries: Count = 40,
    tile: Paint = "bridge",
) -> Iterator[str]:
    """Build straight bridges where they shorten the walk by more than ``ratio``.

    Candidates lead over at most ``longest`` tiles of ``over`` from bank to bank; ``tries`` of
    them are looked at, in random order, and at most ``most`` are built, on an 80x45 map, others
    in proportion. ``tile`` is what bridges are made of. (The rule is Brogue's.)
    """
    water = where(plan, over) & interior(plan)
    spans = _spans(water, walkable(plan), longest, down=False)
    spans += _spans(water.T, walkable(plan).T, longest, down=True)
    open_tiles = plan.open
    built = 0
    for index in rng.shuffled(range(len(spans)))[: for_area(plan, tries)]:
        span = spans[index]
        if built >= for_area(plan, most):
            return
        if open_tiles[span.tiles].any() or not _worth_it(open_tiles, span, ratio):
            continue
        plan.tiles[span.tiles] = tile_named(tile)
        open_tiles[span.tiles] = True
        built += 1
        yield f"Bridge {built}, {span.length} long"


def _spans(
    water: NDArray[np.bool_], land: NDArray[np.bool_], longest: int, *, down: bool
) -> list[Span]:
    """Return the runs of ``water`` along the rows that begin and end at ``land``."""
    if min(water.shape) < 3:
        return []
    lines, starts = np.nonzero(water[:, 1:-1] & ~water[:, :-2])
    _, ends = np.nonzero(water[:, 1:-1] & ~water[:, 2:])
    lengths = ends - starts + 1
    good = (lengths <= longest) & land[lines, starts] & land[lines, ends + 2]
    found = np.column_stack([lines, starts + 1, lengths])[good].tolist()
    return [
        Span(line, start, length, down) if down else Span(start, line, length, down)
        for line, start, length in found
    ]


def _worth_it(open_tiles: NDArray[np.bool_], span: Span, ratio: float) -> bool:
    """Whether the walk around ``span`` takes more than ``ratio`` times the steps over it."""
    steps = span.length + 1
    limit = int(steps * ratio)
    x1, y1 = (span.x, span.y - 1) if span.down else (span.x - 1, span.y)
    x2, y2 = (x1, y1 + steps) if span.down else (x1 + steps, y1)
    margin = (limit - steps) // 2 + 1
    left, top = max(0, x1 - margin), max(0, y1 - margin)
    window = open_tiles[top : y2 + margin + 1, left : x2 + margin + 1]
    walk = int(distances(window, x1 - left, y1 - top)[y2 - top, x2 - left])
    return walk == UNREACHED or walk > limit
