"""Mazes with clearings: one way everywhere, and here and there a place to breathe."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Rejected
from procgen.grids.lattice import Lattice
from procgen.grids.mazes import braids, growing_tree, uniform_tree
from procgen.registry import Share, Side, step
from procgen.rng import Rng
from procgen.ways.spanning import Pair

SHOWN = 30
"""Captions for a long process, at most."""


@step(gives="floor rooms")
def grow_maze(
    plan: Blueprint,
    rng: Rng,
    *,
    corridor: Side = 1,
    wall: Side = 1,
    texture: Literal["growing_tree", "spanning_tree"] = "growing_tree",
    newest: Share = 0.9,
    straight: Share = 0.3,
    braid: Share = 0.0,
    clearings: Share = 0.12,
    min_clearing: Side = 2,
    max_clearing: Side = 4,
) -> Iterator[str]:
    """Cover the map with a maze whose corridors are ``corridor`` tiles wide, ``wall`` apart.

    ``texture`` "growing_tree" winds (``newest``, ``straight``: see procgen/grids/mazes.py);
    "spanning_tree" is a uniform one, all short twigs. About a share ``clearings`` of the cells
    lies in clearings, ``min_clearing`` to ``max_clearing`` cells a side, each entered as if it
    were one cell. ``braid`` is the share of dead ends that get another way out; without it
    exactly one way leads from anywhere to anywhere.
    """
    lattice = Lattice.fit(plan.width, plan.height, corridor, wall)
    if lattice.count < 2:
        raise Rejected("no maze fits")
    nodes = list(range(lattice.count))
    for number, place in enumerate(_clearings(lattice, rng, clearings, min_clearing, max_clearing)):
        column, row, columns, rows = place
        for cell in _cells(lattice, column, row, columns, rows):
            nodes[cell] = lattice.count + number
        room = lattice.block(*place)
        plan.rooms.append(room)
        ground = plan.tiles[room.inner]
        ground[ground == Tile.WALL] = Tile.FLOOR
        yield f"Clearing {number + 1}: {columns} by {rows} cells"
    nodes = _renumbered(nodes)
    ways = lattice.ways(nodes)
    if texture == "growing_tree":
        tree = growing_tree(ways, nodes, rng, newest=newest, straight=straight)
    else:
        tree = uniform_tree(ways, nodes, rng)
    opened: list[Pair] = []
    while batch := list(islice(tree, len(ways) // SHOWN + 1)):
        opened += batch
        _open(plan, lattice, batch)
        yield f"{len(opened)} of {len(ways) - 1} ways"
    if more := braids(ways, nodes, opened, rng, braid):
        _open(plan, lattice, more)
        yield f"{len(more)} dead ends opened"


def _open(plan: Blueprint, lattice: Lattice, ways: list[Pair]) -> None:
    """Turn the rock of ``ways`` to floor."""
    ys, xs = lattice.openings(ways)
    rock = plan.tiles[ys, xs] == Tile.WALL
    plan.tiles[ys[rock], xs[rock]] = Tile.FLOOR


def _clearings(
    lattice: Lattice, rng: Rng, share: float, least: int, most: int
) -> Iterator[tuple[int, int, int, int]]:
    """Yield (column, row, columns, rows) of clearings at least a cell apart; one at any rate."""
    taken = [False] * lattice.count
    goal = int(lattice.count * share)
    covered = 0
    for _ in range(4 + goal):
        columns, rows = (
            rng.between(min(least, fit), min(max(least, most), fit))
            for fit in (max(1, lattice.columns // 2), max(1, lattice.rows // 2))
        )
        column = rng.below(lattice.columns - columns + 1)
        row = rng.below(lattice.rows - rows + 1)
        around = _cells(lattice, column - 1, row - 1, columns + 2, rows + 2)
        if covered and (covered + columns * rows > goal or any(taken[cell] for cell in around)):
            continue
        for cell in _cells(lattice, column, row, columns, rows):
            taken[cell] = True
        covered += columns * rows
        yield column, row, columns, rows


def _cells(lattice: Lattice, column: int, row: int, columns: int, rows: int) -> list[int]:
    return [
        y * lattice.columns + x
        for y in range(max(0, row), min(lattice.rows, row + rows))
        for x in range(max(0, column), min(lattice.columns, column + columns))
    ]


def _renumbered(nodes: list[int]) -> list[int]:
    """Return ``nodes`` numbered from 0 without holes, in the order they come."""
    numbers: dict[int, int] = {}
    return [numbers.setdefault(node, len(numbers)) for node in nodes]
