"""Open places of a town: the market square and the green blocks."""

from collections.abc import Iterator

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.furnishing.footing import Floorspace
from procgen.registry import Share, Side, step
from procgen.rng import Rng

CHOICE = 3
"""The market square is the largest of this many blocks nearest to the middle, if there are more."""


@step(needs="leaves", gives="floor")
def market_square(
    plan: Blueprint, rng: Rng, *, least: Side = 7, stalls: Share = 0.24
) -> Iterator[str]:
    """Pave the largest of the blocks near the middle, with a fountain and a few stalls.

    Only blocks still solid are taken; one under ``least`` tiles deep or wide gets no fountain.
    ``stalls`` is the share of the pavement, a third at most, that is covered by awnings.
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
    floor = Floorspace(plan)
    x, y = square.center
    if min(square.width, square.height) >= least:
        floor.stand(x, y, Tile.STATUE)
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)):
            floor.stand(x + dx, y + dy, Tile.WATER)
        yield "A fountain"
    for y in range(square.y + 1, square.y + square.height - 1, 2):
        for x in range(square.x + 1, square.x + square.width - 2, 3):
            if rng.chance(min(1.0, 3 * stalls)):
                floor.lay(x, y, Tile.CARPET)
                floor.lay(x + 1, y, Tile.CARPET)


@step(needs="leaves", gives="floor")
def green_blocks(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.15,
    trees: Share = 0.2,
    ponds: Share = 0.5,
) -> Iterator[str]:
    """Leave this share of the blocks, those still solid, to grass and trees.

    ``trees`` is the share of a garden's tiles that are wooded; the share ``ponds`` of the
    larger gardens has a pond in the middle, the others a shrine.
    """
    blocks = rng.shuffled([leaf for leaf in plan.leaves if _solid(plan, leaf)])
    blocks = blocks[: int(len(blocks) * share + 0.5)]
    plan.leaves = [leaf for leaf in plan.leaves if leaf not in blocks]
    for block in blocks:
        ground = plan.tiles[block.inner]
        ground[:] = Tile.GRASS
        ground[rng.noise(*ground.shape) < int(trees * 256 + 0.5)] = Tile.FOREST
        if rng.chance(ponds) and min(block.width, block.height) >= 6:
            _pond(plan, block)
            yield "A garden with a pond"
        else:
            plan.tiles[block.center[::-1]] = Tile.SHRINE
            yield "A garden with a shrine"


def _solid(plan: Blueprint, block: RectangularRoom) -> bool:
    """Whether nothing but rock fills ``block``, and the map's border is not part of it."""
    within = plan.inside(block.x, block.y) and plan.inside(
        block.x + block.width - 1, block.y + block.height - 1
    )
    return within and bool((plan.tiles[block.inner] == Tile.WALL).all())


def _pond(plan: Blueprint, garden: RectangularRoom) -> None:
    """Dig an oval pond in the middle of ``garden``, two tiles from its edge, with a shore."""
    wide, high = garden.width - 4, garden.height - 4
    for y in range(high):
        for x in range(wide):
            across = (2 * x + 1 - wide) ** 2 * high**2
            down = (2 * y + 1 - high) ** 2 * wide**2
            if across + down <= wide**2 * high**2:
                place = (garden.x + 2 + x, garden.y + 2 + y)
                shore = 2 * (across + down) > wide**2 * high**2
                plan.tiles[place[::-1]] = Tile.SHALLOWS if shore else Tile.WATER
