"""A town: blocks between avenues and lanes, a market square, gardens, a wall with gates."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain, tile_mask
from procgen.analysis.distances import CARDINALS, DIRECTIONS
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.placement.painting import TileName, interior, mask_of
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Few, Share, Side, Tiles, step


@step(needs="leaves", gives="floor leaves regions", varies="min_block max_block")
def lay_streets(
    plan: Blueprint,
    rng: Rng,
    *,
    avenues: Few = 2,
    avenue: Side = 2,
    lane: Side = 1,
    min_block: Side = 7,
    max_block: Side = 15,
) -> Iterator[str]:
    """Cut every leaf into blocks by streets, until none is longer than ``max_block`` tiles.

    A lane runs around each leaf. The first ``avenues`` rounds of cuts make streets ``avenue`` tiles
    wide. All other streets are ``lane`` tiles wide. No cut leaves a block narrower than
    ``min_block`` tiles. The blocks are the new leaves, and each is a region.
    """
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    plots = []
    for leaf in plan.leaves:
        inner = leaf.grown(-lane)
        if min(inner.width, inner.height) > 0:
            within = plan.tiles[inner.inner].copy()
            _pave(plan, leaf)
            plan.tiles[inner.inner] = within
            plots.append((inner, 0))
            yield "A lane around the town"
    blocks: list[RectangularRoom] = []
    laid = 0
    while plots:
        plot, cuts = plots.pop(0)
        width = avenue if cuts < avenues else lane
        parts = _cut(plot, width, min_block, max_block, rng)
        if not parts:
            blocks.append(plot)
            plan.regions[plot.inner] = len(blocks)
            continue
        block, street, next_block = parts
        _pave(plan, street)
        plots += [(block, cuts + 1), (next_block, cuts + 1)]
        laid += 1
        if laid % plan.scale == 0:
            yield "An avenue" if cuts < avenues else "A lane"
    plan.leaves = blocks


def _cut(plot: RectangularRoom, gap: int, least: int, most: int, rng: Rng) -> list[RectangularRoom]:
    """Return a part of ``plot``, a street of ``gap`` across its longer side and the rest; or []."""
    upright = plot.width >= plot.height
    side = plot.width if upright else plot.height
    if side <= most or side < 2 * least + gap:
        return []
    highest = max(least, min(side - gap - least, side * 2 // 3))
    at = rng.between(min(max(least, side // 3), highest), highest)
    block, rest = plot.halves(upright, at)
    return [block, *rest.halves(upright, gap)]


def _pave(plan: Blueprint, street: RectangularRoom) -> None:
    """Turn the rock of ``street`` to paving; the map's border stays."""
    ground = plan.tiles[plan.within_border(street).inner]
    ground[ground == Tile.WALL] = Tile.ROAD


CHOICE = 3
"""The market square is the largest of this many blocks nearest to the middle, if there are more."""


@step(needs="leaves", gives="floor")
def market_square(
    plan: Blueprint, rng: Rng, *, least: Side = 7, stalls: Share = 0.24
) -> Iterator[str]:
    """Pave the largest of the blocks near the middle, with a fountain and a few stalls.

    Only blocks still solid are used, if there are over three. A block with a side under ``least``
    tiles gets no fountain. ``stalls`` is the share of the pavement, a third at most, under awnings.
    """
    middle_x, middle_y = plan.width // 2, plan.height // 2
    blocks = [leaf for leaf in plan.leaves if _solid(plan, leaf)]
    blocks.sort(key=lambda leaf: abs(leaf.center.x - middle_x) + abs(leaf.center.y - middle_y))
    if len(blocks) <= CHOICE:
        return
    square = max(blocks[:CHOICE], key=lambda leaf: leaf.area)
    plan.leaves.remove(square)
    plan.tiles[square.inner] = Tile.ROAD
    yield "The market square"
    floor = FreeFloor(plan)
    x, y = square.center
    if min(square.width, square.height) >= least:
        floor.place_blocking(x, y, Tile.STATUE)
        for dx, dy in DIRECTIONS:
            floor.place_blocking(x + dx, y + dy, Tile.WATER)
        yield "A fountain"
    for y in range(square.y + 1, square.y + square.height - 1, 2):
        for x in range(square.x + 1, square.x + square.width - 2, 3):
            if rng.chance(min(1.0, 3 * stalls)):
                floor.place_walkable(x, y, Tile.CARPET)
                floor.place_walkable(x + 1, y, Tile.CARPET)


@step(needs="leaves", gives="floor")
def green_blocks(
    plan: Blueprint, rng: Rng, *, share: Share = 0.15, trees: Share = 0.2, ponds: Share = 0.5
) -> Iterator[str]:
    """Turn a ``share`` of the blocks that are still solid into gardens of grass and trees.

    ``trees`` is the share of a garden's tiles with trees. A share ``ponds`` of the larger gardens
    has a pond in the middle, all others a shrine.
    """
    blocks = rng.shuffled([leaf for leaf in plan.leaves if _solid(plan, leaf)])
    blocks = blocks[: int(len(blocks) * share + 0.5)]
    green = set(blocks)
    plan.leaves = [leaf for leaf in plan.leaves if leaf not in green]
    for block in blocks:
        ground = plan.tiles[block.inner]
        ground[:] = Tile.GRASS
        ground[rng.random_bytes(*ground.shape) < int(trees * 256 + 0.5)] = Tile.FOREST
        if rng.chance(ponds) and min(block.width, block.height) >= 6:
            _pond(plan, block)
            yield "A garden with a pond"
        else:
            plan.tiles[block.center[::-1]] = Tile.SHRINE
            yield "A garden with a shrine"


def _solid(plan: Blueprint, block: RectangularRoom) -> bool:
    """Return True if ``block`` is all rock and keeps off the map's border."""
    last = block.x + block.width - 1, block.y + block.height - 1
    within = plan.inside(block.x, block.y) and plan.inside(*last)
    return within and bool((plan.tiles[block.inner] == Tile.WALL).all())


def _pond(plan: Blueprint, garden: RectangularRoom) -> None:
    """Dig an oval pond in the middle of ``garden``, two tiles from its edge, with a shore."""
    water = plan.tiles[garden.grown(-2).inner]
    high, wide = water.shape
    y, x = np.ogrid[1 - high : high : 2, 1 - wide : wide : 2]  # In half tiles from the middle.
    away, edge = (x * high) ** 2 + (y * wide) ** 2, (wide * high) ** 2
    water[away <= edge] = Tile.SHALLOWS
    water[2 * away <= edge] = Tile.WATER


MEADOW = (Tile.GRASS, Tile.FOREST)


@step(gives="leaves")
def enclose_town(
    plan: Blueprint,
    rng: Rng,
    *,
    outskirts: Tiles = 3,
    least: Side = 28,
    trees: Share = 0.15,
    vary: Share = 0.0,
) -> Iterator[str]:
    """Leave a ring of rock as the town wall; the area inside becomes the only leaf.

    Outside the wall a meadow ``outskirts`` tiles wide runs around the map. On a map with a side
    under ``least`` tiles there is no meadow: the map's border is the wall. A share ``trees`` of the
    meadow is wooded. Each side of the meadow is wider or narrower by up to the share ``vary``.
    """
    depth = outskirts if min(plan.width, plan.height) >= least else 0
    left, top, right, bottom = (max(min(depth, 2), rng.varied(depth, vary)) for _ in range(4))
    rock = plan.tiles == Tile.WALL
    meadow = interior(plan)
    meadow[1 + top : -1 - bottom, 1 + left : -1 - right] = False
    if depth:
        wooded = rng.random_bytes(plan.height, plan.width) < int(trees * 256 + 0.5)
        plan.tiles[meadow & rock] = Tile.GRASS
        plan.tiles[meadow & rock & wooded] = Tile.FOREST
    edge = 1 if depth else 0
    wide, high = plan.width - left - right - 2 * edge, plan.height - top - bottom - 2 * edge
    wall = RectangularRoom(left + edge, top + edge, wide, high)
    town = wall.grown(-1)
    if min(town.width, town.height) < 1:
        raise Rejected("no place for a town")
    if depth >= 2:
        for x, y in product((wall.x, wall.x + wall.width - 1), (wall.y, wall.y + wall.height - 1)):
            tower = np.s_[y - 1 : y + 2, x - 1 : x + 2]
            plan.tiles[tower][rock[tower]] = Tile.WALL
    plan.leaves = [town]
    yield f"A town of {town.width} by {town.height} is marked out"


@step(needs="floor")
def open_gates(plan: Blueprint, rng: Rng, *, gates: Few = 3) -> Iterator[str]:
    """Open up to ``gates`` gates, at most one a side, in a wall between a street and the meadow.

    If streets lead straight up to the wall, gates lie there. The road goes on to the map's edge.
    """
    built = 0
    for dx, dy in rng.shuffled(CARDINALS):
        if built == gates:
            return
        places = _gate_places(plan, dx, dy)
        if not places:
            continue
        x, y = rng.pick(places)
        while plan.inside(x, y):
            if not terrain().walkable[plan.tiles[y, x]] or plan.tiles[y, x] in MEADOW:
                plan.tiles[y, x] = Tile.ROAD
            x, y = x + dx, y + dy
        built += 1
        yield f"Gate {built}"


def _gate_places(plan: Blueprint, dx: int, dy: int) -> list[Point]:
    """Return the wall tiles between meadow and street, straight ahead of a street if any are."""
    tiles = plan.tiles

    def shifted(steps: int) -> NDArray[np.uint8]:
        """Return for each tile the one ``steps`` further out."""
        return np.roll(tiles, (-dy * steps, -dx * steps), (0, 1))

    outside = tile_mask(MEADOW)[shifted(1)]
    gate = (tiles == Tile.WALL) & outside & (shifted(-1) == Tile.ROAD) & interior(plan)
    approach = gate & (shifted(-2) == Tile.ROAD) & (shifted(-3) == Tile.ROAD)
    chosen = approach if approach.any() else gate
    return [Point(x, y) for y, x in np.argwhere(chosen).tolist()]


@step(needs="floor", gives="start")
def start_at_edge(
    plan: Blueprint, rng: Rng, *, on: tuple[TileName, ...] = ("road",)
) -> Iterator[str]:
    """Put the start as near to the map's edge as possible, ``on`` these tiles if there are any."""
    free = terrain().walkable[plan.tiles] & (plan.tiles != Tile.DOOR) & ~plan.occupied
    chosen = free & mask_of(plan, on)
    ys, xs = np.nonzero(chosen if chosen.any() else free)
    if not len(ys):
        raise Rejected("no place for the start")
    depth = np.minimum(np.minimum(xs, plan.width - 1 - xs), np.minimum(ys, plan.height - 1 - ys))
    nearest = np.flatnonzero(depth == depth.min())
    index = int(nearest[rng.below(len(nearest))])
    plan.start = Point(int(xs[index]), int(ys[index]))
    yield "Start at the edge of the map"
