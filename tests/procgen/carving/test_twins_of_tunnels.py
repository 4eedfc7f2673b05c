"""Routes of tunnels against twins: costs tile by tile, and a search in plain loops."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.carving.tunnel_routes import (
    Costs,
    TunnelFinder,
    cheapest_path,
    step_costs,
    stepped_line,
)
from procgen.rng import Rng
from support.blueprints import run
from support.by_definition import EIGHT, FOUR, cells, parts
from support.step_twins import edge_of, open_ground

COURSES = ((1, 0), (-1, 0), (0, 1), (0, -1))
PASSAGES = (Tile.TUNNEL, Tile.DOOR, Tile.SECRET_DOOR)


def dungeon(seed, size=(40, 31)):
    plan = Blueprint.solid(*size)
    run("binary_space_partition", plan, seed, min_leaf=8)
    run("loose_rooms_in_leaves", plan, seed)
    rng = np.random.default_rng(seed)
    plan.tiles[rng.random(plan.tiles.shape) < 0.03] = Tile.TUNNEL
    plan.tiles[rng.random(plan.tiles.shape) < 0.03] = Tile.WATER
    plan.tiles[rng.random(plan.tiles.shape) < 0.02] = Tile.DOOR
    return plan


def slow_costs(plan, costs):
    found = {}
    ground = open_ground(plan)
    rooms = {(x, y) for x, y in ground if plan.tiles[y, x] not in PASSAGES}
    for x, y in cells(plan):
        near = any((x + dx, y + dy) in rooms for dx, dy in EIGHT)
        cost = 0
        if (x, y) in rooms:
            cost = costs.room
        elif (x, y) in ground:
            cost = costs.tunnel
        elif plan.tiles[y, x] == Tile.WALL:
            cost = costs.beside if near else costs.rock
        found[x, y] = cost if edge_of(plan, x, y) > 0 else 0
    return found


def slow_path(price, start, end, courses):
    """Return the cheapest way; of equally cheap steps that which keeps the course, if one does."""
    far, changed = {end: 0}, True
    while changed:
        changed = False
        for x, y in price:
            around = [(x + dx, y + dy) for dx, dy in FOUR]
            # The search runs from the end: what is paid is the tile that it comes to.
            least = min((far[spot] + price[x, y] for spot in around if spot in far), default=None)
            if price[x, y] > 0 and least is not None and least < far.get((x, y), 10**9):
                far[x, y], changed = least, True
    if start not in far:
        return []
    way, courses = [start], list(courses)
    while way[-1] != end and far[way[-1]]:
        x, y = way[-1]
        wanted = far[x, y] - price[x, y]
        course = next(at for at in courses if far.get((x + at[0], y + at[1])) == wanted)
        courses = [course, *(one for one in courses if one != course)]
        way.append((x + course[0], y + course[1]))
    return way


@pytest.mark.parametrize("costs", [Costs(), Costs(3, 2, 5, 7), Costs(1, 9, 0, 2)])
def test_steps_cost_what_their_twin_says(costs):
    for seed in range(4):
        plan = dungeon(seed)
        field, wanted = step_costs(plan, costs), slow_costs(plan, costs)
        assert all(field[y, x] == wanted[x, y] for x, y in cells(plan))


@pytest.mark.parametrize("upright", [False, True])
def test_the_cheapest_path_is_that_of_a_search_in_plain_loops(upright):
    courses = ((0, 1), (0, -1), (1, 0), (-1, 0)) if upright else COURSES
    for seed in range(6):
        rng = np.random.default_rng(seed)
        field = rng.integers(0, 5, (11, 14)).astype(np.int32)
        price = {(x, y): int(field[y, x]) for y, x in product(range(11), range(14))}
        left, top = rng.integers(0, 9, 2).tolist()
        spots = sorted(spot for spot in price if price[spot])
        for _ in range(6):
            start, end = (spots[int(n)] for n in rng.integers(0, len(spots), 2))
            moved = [(x + left, y + top) for x, y in (start, end)]
            box = np.s_[top : top + 11, left : left + 14]
            way = cheapest_path(field, box, *moved, upright_first=upright)
            wanted = slow_path(price, start, end, courses)
            assert [(x - left, y - top) for x, y in way] == wanted


@pytest.mark.parametrize("route", ["winding", "cheapest"])
def test_tunnels_are_found_and_dug_as_the_twin_does(route):
    for seed in range(3):
        plan, rng, twin = dungeon(seed), Rng(seed, "way"), Rng(seed, "way")
        finder = TunnelFinder(plan, rng, route, bends=20)
        price = slow_costs(plan, Costs())
        homes = {spot: n for n, part in enumerate(parts(open_ground(plan))) for spot in part}
        ends = np.random.default_rng(seed)
        inner = [spot for spot in cells(plan) if price[spot]]
        for turn in range(4):
            start, end = (inner[int(n)] for n in ends.integers(0, len(inner), 2))
            way = finder.find(start, end, shortcut=turn % 2 == 1)
            courses = ((0, 1), (0, -1), (1, 0), (-1, 0)) if twin.chance(0.5) else COURSES
            xs, ys = sorted((start[0], end[0])), sorted((start[1], end[1]))
            wanted = []
            for reach in (8, 99):
                box = [
                    (x, y) for x, y in price
                    if xs[0] - reach <= x <= xs[1] + reach and ys[0] - reach <= y <= ys[1] + reach
                ]  # fmt: skip
                near = {spot: price[spot] for spot in box}
                if turn % 2:
                    near = {spot: 3 if cost == 1 else cost for spot, cost in near.items()}
                own = {homes[spot] for spot in (start, end) if spot in homes}
                near |= {spot: 1 for spot in near if homes.get(spot, -1) in own}
                if route == "winding":
                    left, top = min(x for x, _ in box), min(y for _, y in box)
                    wide = 1 + max(x for x, _ in box) - left
                    dice = twin.noise(1 + max(y for _, y in box) - top, wide).astype(int) * 20
                    for x, y in near:
                        near[x, y] += int(dice[y - top, x - left]) // 256 * (near[x, y] > 0)
                wanted = wanted or slow_path(near, start, end, courses)
                if wanted:
                    break
            assert list(way) == wanted
            rock = [(x, y) for x, y in wanted if plan.tiles[y, x] == Tile.WALL]
            assert finder.dig(way) == len(rock)
            assert all(plan.tiles[y, x] == Tile.TUNNEL for x, y in rock)
            price |= dict.fromkeys(rock, 1)


def test_a_stepped_line_is_never_further_from_the_straight_one_than_half_a_step():
    for x, y in product(range(-6, 7), repeat=2):
        way = stepped_line((3, 2), (3 + x, 2 + y))
        assert (way[0], way[-1], len(way)) == ((3, 2), (3 + x, 2 + y), abs(x) + abs(y) + 1)
        assert all(abs(a.x - b.x) + abs(a.y - b.y) == 1 for a, b in pairwise(way))
        long = max(abs(x), abs(y), 1)
        off = [abs((spot.x - 3) * y - (spot.y - 2) * x) for spot in way]
        assert all(2 * one <= abs(x) + abs(y) + long * (abs(x) == abs(y)) for one in off)
    assert stepped_line((0, 0), (2, 1)) == [(0, 0), (1, 0), (1, 1), (2, 1)]
    assert stepped_line((0, 0), (1, 1)) == [(0, 0), (0, 1), (1, 1)]
