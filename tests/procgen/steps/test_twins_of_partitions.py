"""Partitions, and the rooms in their leaves, against twins that cut and dig one by one."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import adjacent_pairs, spanning_tree
from procgen.steps.bsp import binary_space_partition, grid_of_leaves, rooms_in_leaves
from procgen.steps.mondrian import loose_rooms_in_leaves, mondrian_partition
from procgen.steps.voronoi import drop_regions, merge_regions, voronoi_cells
from support.blueprints import run
from support.by_definition import cells
from support.step_twins import assert_alike, edge_of, tiles_of


def cut(box, upright, at):
    """Return the two parts of ``box`` (x, y, width, height)."""
    x, y, wide, high = box
    if upright:
        return (x, y, at, high), (x + at, y, wide - at, high)
    return (x, y, wide, at), (x, y + at, wide, high - at)


def slow_bsp(plan, rng, *, rounds, min_leaf, low, high):
    leaves, told = [(0, 0, plan.width, plan.height)], []
    for turn in range(1, rounds + 1):
        halves = []
        for leaf in leaves:
            _, _, wide, tall = leaf
            upright = rng.chance(0.5) if wide == tall else wide > tall
            side = max(wide, tall)
            if side < 2 * min_leaf:
                halves.append(leaf)
                continue
            least = min(max(min_leaf, round(side * low)), side - min_leaf)
            most = max(least, min(side - min_leaf, round(side * high)))
            halves += cut(leaf, upright, rng.between(least, most))
        leaves = halves
        told.append(f"Round {turn}: {len(leaves)} leaves")
    plan.leaves = [RectangularRoom(*leaf) for leaf in leaves]
    return told


@pytest.mark.parametrize("size", [(40, 30), (32, 32), (17, 50), (9, 9)])
@pytest.mark.parametrize(("rounds", "least", "low", "high"), [(4, 8, 0.3, 0.7), (6, 3, 0.0, 1.0),
    (1, 5, 0.5, 0.5), (3, 4, 0.8, 0.1), (0, 4, 0.3, 0.7)])  # fmt: skip
def test_a_map_is_halved_as_the_twin_does(size, rounds, least, low, high):
    for seed in range(4):
        assert_alike(
            binary_space_partition, slow_bsp, Blueprint.solid(*size), seed, rounds=rounds,
            min_leaf=least, low=low, high=high,
        )  # fmt: skip


def slow_grid(plan, rng, *, columns, rows):
    xs, ys = (
        [side * n // number for n in range(number + 1)]
        for side, number in (
            (plan.width, max(1, min(columns, plan.width // 6))),
            (plan.height, max(1, min(rows, plan.height // 6))),
        )
    )
    plan.leaves = [
        RectangularRoom(a, c, b - a, d - c) for c, d in pairwise(ys) for a, b in pairwise(xs)
    ]
    return [f"Leaves: {len(plan.leaves)}"]


@pytest.mark.parametrize("size", [(40, 30), (5, 4), (12, 6), (35, 41)])
def test_a_grid_is_cut_as_the_twin_does(size):
    for columns, rows in product((1, 2, 3, 7), repeat=2):
        assert_alike(grid_of_leaves, slow_grid, Blueprint.solid(*size), columns=columns, rows=rows)


def slow_rooms(plan, rng, *, margin):
    told = []
    for leaf in plan.leaves:
        xs = range(max(1, leaf.x + margin), min(plan.width - 1, leaf.x + leaf.width - margin))
        ys = range(max(1, leaf.y + margin), min(plan.height - 1, leaf.y + leaf.height - margin))
        if not xs or not ys:
            continue
        for x, y in product(xs, ys):
            plan.tiles[y, x] = Tile.FLOOR
        plan.rooms.append(RectangularRoom(xs[0], ys[0], len(xs), len(ys)))
        told.append(f"Room {len(plan.rooms)}: {len(xs)} by {len(ys)}")
    return told


def slow_loose(plan, rng, *, smallest, least, margin):
    told = []
    for leaf in plan.leaves:
        fits = leaf.width - 2 * margin, leaf.height - 2 * margin
        if fits[0] <= 0 or fits[1] <= 0:
            continue
        wide, high = (
            rng.between(min(most, max(least, int(most * smallest))), most) for most in fits
        )
        x = leaf.x + margin + rng.below(fits[0] - wide + 1)
        y = leaf.y + margin + rng.below(fits[1] - high + 1)
        plan.rooms.append(RectangularRoom(x, y, wide, high))
        for spot in tiles_of(plan.rooms[-1]):
            plan.tiles[spot[::-1]] = Tile.FLOOR
        if (len(plan.rooms) - 1) % plan.scale == 0:
            told.append(f"Room {len(plan.rooms)}: {wide} by {high}")
    if not plan.rooms:
        raise Rejected("")
    return told


@pytest.mark.parametrize("margin", [0, 1, 2, 5])
@pytest.mark.parametrize("size", [(40, 30), (100, 75)])
def test_leaves_get_their_rooms_as_the_twins_do(margin, size):
    for seed, (smallest, least) in product(range(3), ((0.6, 3), (0.0, 1), (1.0, 9))):
        plan = Blueprint.solid(*size)
        run("binary_space_partition", plan, seed, rounds=9, min_leaf=4 + seed)
        other = Blueprint.solid(*size)
        other.leaves = list(plan.leaves)
        assert_alike(rooms_in_leaves, slow_rooms, plan, seed, margin=margin)
        assert_alike(
            loose_rooms_in_leaves, slow_loose, other, seed, smallest=smallest, least=least,
            margin=margin,
        )  # fmt: skip


def slow_painting(plan, rng, *, min_width, min_height, min_area, axis, stop, order, leaves):
    def holds(box):
        return max(1, box[2] // min_width) * max(1, box[3] // min_height)

    found = [(0, 0, plan.width, plan.height)]
    spare = holds(found[0]) - leaves if stop == "count" else 10**9
    todo, told = [(0, rng.chance(0.5))], []
    while todo and (stop != "count" or len(found) < leaves):
        pick = len(todo) - 1
        if order == "random":
            pick = rng.below(len(todo))
            todo[pick], todo[-1] = todo[-1], todo[pick]
        number, parent = todo.pop()
        box, coin = found[number], rng.chance(0.5)
        may = [box[2] >= 2 * min_width, box[3] >= 2 * min_height]
        if not any(may) or (stop == "area" and box[2] * box[3] <= min_area):
            continue
        if not all(may):
            upright = may[0]
        elif axis == "alternate":
            upright = not parent
        elif axis == "random" or box[2] == box[3]:
            upright = coin
        else:
            upright = box[2] > box[3]
        side, least = (box[2], min_width) if upright else (box[3], min_height)
        rows = max(1, box[3] // min_height if upright else box[2] // min_width)
        places = range(least, side - least + 1)
        if rows <= spare:
            at = rng.between(least, side - least)
        else:
            at = rng.pick(
                [at for at in places if at // least + (side - at) // least == side // least]
            )
        one, other = cut(box, upright, at)
        spare += holds(one) + holds(other) - holds(box)
        found[number] = one
        found.append(other)
        todo += [(len(found) - 1, upright), (number, upright)]
        told.append(f"Cut {len(found) - 1}: {one[2]} by {one[3]} and {other[2]} by {other[3]}")
    plan.leaves = [RectangularRoom(*box) for box in found]
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for number, leaf in enumerate(plan.leaves, 1):
        for x, y in tiles_of(leaf):
            plan.regions[y, x] = number
    return told


@pytest.mark.parametrize("stop", ["area", "sides", "count"])
@pytest.mark.parametrize("axis", ["longest", "random", "alternate"])
@pytest.mark.parametrize("order", ["random", "depth_first"])
def test_a_painting_is_cut_as_the_twin_does(stop, axis, order):
    for seed, (wide, high), least in product(range(2), ((40, 40), (53, 22)), ((10, 10), (4, 7))):
        assert_alike(
            mondrian_partition, slow_painting, Blueprint.solid(wide, high), seed,
            min_width=least[0], min_height=least[1], min_area=(250, 100)[seed], axis=axis,
            stop=stop, order=order, leaves=(7, 200)[seed],
        )  # fmt: skip


def slow_cells(plan, rng, *, area, metric, stages):
    count = max(2, plan.width * plan.height // area)
    xs = rng.integers(1, plan.width - 2, count).tolist()
    ys = rng.integers(1, plan.height - 2, count).tolist()
    sites = list(dict.fromkeys(zip(xs, ys, strict=True)))
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for x, y in cells(plan):
        far = []
        for number, (a, b) in enumerate(sites, 1):
            dx, dy = abs(x - a), abs(y - b)
            apart = {"euclidean": dx**2 + dy**2, "manhattan": dx + dy, "chebyshev": max(dx, dy)}
            far.append((apart[metric], number))
        plan.regions[y, x] = min(far)[1]
    stages = [f"The cells grow: {stage} of {stages}" for stage in range(1, stages + 1)]
    return [pluralise(len(sites), "site"), *stages]


def slow_merging(plan, rng, *, share):
    numbers = {int(number) for number in plan.regions.flat} - {0}
    pairs = rng.shuffled([pair for pair in adjacent_pairs(plan.regions) if 0 not in pair])
    wanted = pairs[: int(len(numbers) * share)]
    heir = {number: number for number in numbers}
    for one, other in wanted:
        gone = heir[other]
        heir = {number: heir[one] if now == gone else now for number, now in heir.items()}
    for x, y in cells(plan):
        plan.regions[y, x] = heir.get(int(plan.regions[y, x]), 0)
    return [f"{pluralise(len(wanted), 'cell')} merged with a neighbour"] if wanted else []


def slow_dropping(plan, rng, *, share):
    pairs = [pair for pair in adjacent_pairs(plan.regions) if 0 not in pair]
    tree, _ = spanning_tree(rng.shuffled(pairs))
    links = {
        number: {*(a for a, b in tree if b == number), *(b for a, b in tree if a == number)}
        for number in sorted({number for pair in tree for number in pair})
    }
    goal, dropped = int(len(links) * share), []
    for twig in rng.shuffled([number for number in links if len(links[number]) == 1]):
        if len(dropped) < goal and len(links[twig]) == 1:
            links[links.pop(twig).pop()].remove(twig)
            dropped.append(twig)
    for x, y in cells(plan):
        if plan.regions[y, x] in dropped:
            plan.regions[y, x] = 0
    total = len(dropped) + len(links)
    return [f"{len(dropped)} of {total} cells stay rock"] if dropped else []


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize(("area", "share"), [(75, 0.15), (20, 0.5), (700, 1.0), (40, 0.0)])
def test_cells_grow_merge_and_go_as_the_twins_say(metric, area, share):
    for seed in range(2):
        plan = Blueprint.solid(35, 21 - 3 * seed)
        assert_alike(
            voronoi_cells, slow_cells, plan, seed, area=area, metric=metric, stages=seed * 3
        )
        for y, x in np.argwhere(plan.regions == 2).tolist():
            plan.regions[y, x] = 0 if edge_of(plan, x, y) > 2 else 2
        assert_alike(merge_regions, slow_merging, plan, seed, share=share)
        assert_alike(drop_regions, slow_dropping, plan, seed, share=share)
