"""Tunnels between rooms against a twin that prices them tile by tile."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, stepped_line
from procgen.carving.region_links import cheapest_links
from procgen.steps.corridors import cheapest_tunnels
from support.blueprints import run
from support.by_definition import EIGHT, cells, parts
from support.step_twins import assert_alike, edge_of, open_ground


def dungeon(seed, size=(40, 31)):
    plan = Blueprint.solid(*size)
    run("binary_space_partition", plan, seed, min_leaf=8)
    run("loose_rooms_in_leaves", plan, seed)
    rng = np.random.default_rng(seed)
    plan.tiles[rng.random(plan.tiles.shape) < 0.03] = Tile.TUNNEL
    plan.tiles[rng.random(plan.tiles.shape) < 0.03] = Tile.WATER
    plan.tiles[rng.random(plan.tiles.shape) < 0.02] = Tile.DOOR
    plan.rooms = plan.rooms[::-1][: 9 - seed]
    return plan


def slow_tunnels(plan, rng, *, extra, rock, beside, bends):
    ground, told = open_ground(plan), []
    homes = sorted(parts(ground), key=lambda part: min(spot[::-1] for spot in part))
    labels = np.zeros(plan.tiles.shape, np.int32)
    for number, home in enumerate(homes, 1):
        if any(tuple(room.center) in home for room in plan.rooms):
            for x, y in home:
                labels[y, x] = number
    for number, room in enumerate(plan.rooms, len(homes) + 1):
        if room.center not in ground:
            labels[room.center.y, room.center.x] = number
    price = np.zeros(plan.tiles.shape, np.int32)
    dice = rng.random_bytes(plan.height, plan.width).tolist() if bends else None
    for x, y in cells(plan):
        if edge_of(plan, x, y) <= 0:
            continue
        if (x, y) in ground:
            price[y, x] = 1
        elif plan.tiles[y, x] == Tile.WALL:
            near = any((x + dx, y + dy) in ground for dx, dy in EIGHT)
            price[y, x] = (beside if near else rock) + (dice[y][x] * bends // 256 if bends else 0)
    for link in cheapest_links(labels, price, rng, extra):
        dug = [(x, y) for x, y in link.tiles if plan.tiles[y, x] == Tile.WALL]
        for x, y in dug:
            plan.tiles[y, x] = Tile.TUNNEL
        if dug:
            told.append(f"Tunnel, {len(dug)} long")
    return told


@pytest.mark.parametrize("costs", [(4, 9, 0), (3, 5, 20), (6, 2, 1)])
@pytest.mark.parametrize("extra", [0.0, 0.4, 1.0])
def test_tunnels_are_found_and_dug_as_the_twin_does(costs, extra):
    rock, beside, bends = costs
    for seed in range(4):
        given = {"extra": extra, "rock": rock, "beside": beside, "bends": bends}
        assert_alike(cheapest_tunnels, slow_tunnels, dungeon(seed), seed, **given)


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
