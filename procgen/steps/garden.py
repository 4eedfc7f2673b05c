"""A formal garden, plot by plot: lawns, ponds, orchards, courts, hedge mazes."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, RectangularRoom, Rejected, close_border
from procgen.placement.painting import reserved
from procgen.rng import Rng
from procgen.step_registry import Few, Share, Weight, step

Box = NDArray[np.uint8]


@step(needs="leaves", gives="floor rooms regions")
def garden_plots(
    plan: Blueprint,
    rng: Rng,
    *,
    hedged: Share = 0.6,
    gates: Few = 3,
    lawns: Weight = 3,
    ponds: Weight = 2,
    orchards: Weight = 2,
    courts: Weight = 2,
    labyrinths: Weight = 2,
) -> Iterator[str]:
    """Pave the map and lay out a garden in each leaf, with a path between neighbours.

    ``lawns``, ``ponds``, ``orchards``, ``courts`` and ``labyrinths`` are the weights of the kinds
    of garden. A share ``hedged`` of the gardens, labyrinths aside, is surrounded by a hedge. A
    hedge has ``gates`` openings, but at least two and at most one on each side.
    """
    plan.tiles[:] = Tile.ROAD
    close_border(plan)
    yield "The grounds are paved"
    mix = lawns, ponds, orchards, courts, labyrinths
    weights = dict(zip([*PLOTS, "labyrinth"], mix, strict=True))
    if not sum(weights.values()):
        raise Rejected("all kinds of garden plot have weight 0")
    plan.regions = areas = np.zeros(plan.tiles.shape, np.int32)
    plots = filter(None, (_within(leaf, plan) for leaf in plan.leaves))
    for number, room in enumerate(plots, start=1):
        name = rng.weighted(weights)
        box = plan.tiles[room.inner]
        if name == "labyrinth":
            _labyrinth(box, rng)
        else:
            inner = _hedge(box, rng, max(2, gates)) if rng.chance(hedged) else box
            PLOTS[name](inner, rng)
        areas[room.inner] = number
        if terrain().walkable[plan.tiles[room.center.y, room.center.x]]:
            plan.rooms.append(room)
        yield f"{name.capitalize()}, {room.width} by {room.height}"
    plan.tiles[reserved(plan) & ~terrain().walkable[plan.tiles]] = Tile.GRASS
    if not plan.rooms:
        raise Rejected("no garden plot can be walked on")


def _within(leaf: RectangularRoom, plan: Blueprint) -> RectangularRoom | None:
    """Return ``leaf`` without a path around it, or None if less than 3 by 3 tiles are left."""
    plot = plan.within_border(leaf.grown(-1), 2)
    return plot if min(plot.width, plot.height) >= 3 else None


def _hedge(box: Box, rng: Rng, gates: int) -> Box:
    """Plant a hedge around ``box`` with ``gates`` openings; return the area inside."""
    height, width = box.shape
    box[[0, -1], :] = Tile.WALL
    box[:, [0, -1]] = Tile.WALL
    for side in rng.shuffled(range(4))[:gates]:
        across, down = rng.between(1, width - 2), rng.between(1, height - 2)
        openings = (0, across), (-1, across), (down, 0), (down, -1)
        box[openings[side]] = Tile.GRASS
    return box[1:-1, 1:-1]


def _labyrinth(box: Box, rng: Rng) -> None:
    """Plant hedges within hedges, each with two openings, around a heap of gold."""
    while min(box.shape) >= 3:
        box = _hedge(box, rng, 2)
        box[:] = Tile.GRASS
        if min(box.shape) < 5:
            break
        box = box[1:-1, 1:-1]
    height, width = box.shape
    box[height // 2, width // 2] = Tile.TREASURE


def lawn(box: Box, rng: Rng) -> None:
    """Plant grass with a few trees."""
    box[:] = np.where(rng.random_bytes(*box.shape) < 16, Tile.FOREST, Tile.GRASS)


def pond(box: Box, rng: Rng) -> None:
    """Dig a round pond, shallow at the edge, in a lawn."""
    box[:] = Tile.GRASS
    height, width = box.shape
    dy, dx = np.ogrid[:height, :width]
    across = (2 * dx - width + 1) / max(1, width - 1)
    down = (2 * dy - height + 1) / max(1, height - 1)
    away = across * across + down * down
    box[away < 0.85] = Tile.SHALLOWS
    box[away < 0.45] = Tile.WATER


def orchard(box: Box, rng: Rng) -> None:
    """Plant trees in rows."""
    box[:] = Tile.GRASS
    spacing = rng.between(2, 3)
    box[1::spacing, 1::spacing] = Tile.FOREST


def court(box: Box, rng: Rng) -> None:
    """Pave a court, with a statue in the middle and two rows of pillars."""
    box[:] = Tile.FLOOR
    height, width = box.shape
    if height >= 7 and width >= 7:
        spacing = next((gap for gap in (3, 4, 5) if (width - 3) % gap == 0), width - 3)
        for y in (1, height - 2):
            box[y, 1:-1:spacing] = Tile.PILLAR
    if height >= 5 and width >= 5:
        box[height // 2, width // 2] = Tile.STATUE


PLOTS = {plot.__name__: plot for plot in (lawn, pond, orchard, court)}
