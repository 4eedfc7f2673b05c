"""Formal gardens and corals grown by walkers against twins, tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.steps.diffusion_limited_aggregation import diffusion_limited_aggregation, scatter_seeds
from procgen.steps.garden import garden_plots
from support.blueprints import run, with_rooms
from support.by_definition import cells
from support.step_twins import assert_alike, edge_of, tiles_of, walkable


def slow_garden(plan, rng, *, hedged, gates, **weights):
    for x, y in cells(plan):
        plan.tiles[y, x] = Tile.ROAD if edge_of(plan, x, y) else Tile.WALL
    names = {name.removesuffix("s"): weight for name, weight in weights.items()}
    if not any(names.values()):
        raise Rejected("")
    told, plan.regions = ["The grounds are paved"], np.zeros(plan.tiles.shape, np.int32)
    for leaf in plan.leaves:
        left, top = max(2, leaf.x + 1), max(2, leaf.y + 1)
        right = min(plan.width - 3, leaf.x + leaf.width - 2)
        bottom = min(plan.height - 3, leaf.y + leaf.height - 2)
        wide, high = right - left + 1, bottom - top + 1
        if wide < 3 or high < 3:
            continue
        name = rng.weighted(names)
        plot = left, top, right, bottom
        if name == "labyrinth":
            slow_labyrinth(plan, rng, *plot)
        else:
            if rng.chance(hedged):
                plot = slow_hedge(plan, rng, *plot, max(2, gates))
            plant(plan, rng, name, *plot)
        for y, x in product(range(top, bottom + 1), range(left, right + 1)):
            plan.regions[y, x] = len(told)
        room = RectangularRoom(left, top, wide, high)
        if walkable(plan, *room.center):
            plan.rooms.append(room)
        told.append(f"{name.capitalize()}, {wide} by {high}")
    for x, y in [*plan.marks, *(room.center for room in plan.rooms)]:
        if not walkable(plan, x, y):
            plan.tiles[y, x] = Tile.GRASS
    if not plan.rooms:
        raise Rejected("")
    return told


def slow_hedge(plan, rng, left, top, right, bottom, gates):
    for y, x in product(range(top, bottom + 1), range(left, right + 1)):
        if x in (left, right) or y in (top, bottom):
            plan.tiles[y, x] = Tile.WALL
    for side in rng.shuffled(range(4))[:gates]:
        x, y = rng.between(left + 1, right - 1), rng.between(top + 1, bottom - 1)
        x, y = ((x, top), (x, bottom), (left, y), (right, y))[side]
        plan.tiles[y, x] = Tile.GRASS
    return left + 1, top + 1, right - 1, bottom - 1


def slow_labyrinth(plan, rng, left, top, right, bottom):
    while right - left >= 2 and bottom - top >= 2:
        left, top, right, bottom = slow_hedge(plan, rng, left, top, right, bottom, 2)
        for y, x in product(range(top, bottom + 1), range(left, right + 1)):
            plan.tiles[y, x] = Tile.GRASS
        if right - left < 4 or bottom - top < 4:
            break
        left, top, right, bottom = left + 1, top + 1, right - 1, bottom - 1
    plan.tiles[(top + bottom + 1) // 2, (left + right + 1) // 2] = Tile.TREASURE


def plant(plan, rng, name, left, top, right, bottom):
    wide, high = right - left + 1, bottom - top + 1
    dice = rng.random_bytes(high, wide).tolist() if name == "lawn" else None
    apart = rng.between(2, 3) if name == "orchard" else 0
    if name == "court":
        apart = next((gap for gap in (3, 4, 5) if (wide - 3) % gap == 0), wide - 3)
    for y, x in product(range(high), range(wide)):
        tile = Tile.FLOOR if name == "court" else Tile.GRASS
        away = ((2 * x - wide + 1) / max(1, wide - 1)) ** 2 + (
            (2 * y - high + 1) / max(1, high - 1)
        ) ** 2
        if name == "lawn" and dice[y][x] < 16:
            tile = Tile.FOREST
        elif name == "pond" and away < 0.85:
            tile = Tile.WATER if away < 0.45 else Tile.SHALLOWS
        elif name == "orchard" and x % apart == 1 and y % apart == 1:
            tile = Tile.FOREST
        elif name == "court" and min(wide, high) >= 5 and (x, y) == (wide // 2, high // 2):
            tile = Tile.STATUE
        elif name == "court" and min(wide, high) >= 7 and y in (1, high - 2):
            tile = Tile.PILLAR if 0 < x < wide - 1 and (x - 1) % apart == 0 else tile
        plan.tiles[top + y, left + x] = tile


@pytest.mark.parametrize(
    ("name", "hedged"),
    [
        ("lawns", 1.0),
        ("ponds", 0.5),
        ("orchards", 0.5),
        ("courts", 0.5),
        ("labyrinths", 0),
        ("", 1),
    ],
)
@pytest.mark.parametrize("gates", [0, 3, 4])
def test_gardens_are_planted_as_the_twin_does(name, hedged, gates):
    names = ("lawns", "ponds", "orchards", "courts", "labyrinths")
    weights = {one: int(not name or one == name) for one in names}
    for seed in range(4):
        plan = Blueprint.solid(46, 33)
        run("binary_space_partition", plan, seed, min_leaf=4 + 2 * seed, rounds=6 - seed)
        plan.start = Point(20 + seed, 12)
        assert_alike(garden_plots, slow_garden, plan, seed, hedged=hedged, gates=gates, **weights)
    for wide, high in product(range(4, 13), repeat=2):
        plan = Blueprint.solid(wide + 4, high + 4)
        plan.leaves = [RectangularRoom(1, 1, wide, high), RectangularRoom(0, 0, 3, 3)]
        assert_alike(garden_plots, slow_garden, plan, hedged=hedged, gates=gates, **weights)
    assert_alike(garden_plots, slow_garden, plan, hedged=1.0, gates=1, **dict.fromkeys(weights, 0))


def slow_seeds(plan, rng, *, count, width, height, candidates):
    width, height, told = min(width, plan.width - 2), min(height, plan.height - 2), []
    for _ in range(count * plan.scale):
        best = -1, None
        for _ in range(candidates):
            x, y = rng.between(1, plan.width - 1 - width), rng.between(1, plan.height - 1 - height)
            gaps = [max(abs(x - room.x), abs(y - room.y)) for room in plan.rooms]
            if min(gaps, default=0) > best[0]:
                best = min(gaps, default=0), (x, y)
        plan.rooms.append(RectangularRoom(*best[1], width, height))
        for x, y in tiles_of(plan.rooms[-1]):
            plan.tiles[y, x] = Tile.FLOOR
        told.append(f"Chamber {len(plan.rooms)}")
    return told


@pytest.mark.parametrize("size", [(30, 20), (5, 9), (9, 5), (120, 61)])
@pytest.mark.parametrize(("wide", "high", "tried"), [(5, 3, 8), (1, 9, 1), (9, 2, 3)])
def test_chambers_are_dug_apart_as_the_twin_does(size, wide, high, tried):
    for seed in range(3):
        assert_alike(
            scatter_seeds, slow_seeds, Blueprint.solid(*size), seed, count=4, width=wide,
            height=high, candidates=tried,
        )  # fmt: skip


def slow_aggregation(plan, rng, *, mode, share, straight, per_grain, rounds):
    inward, width, size = mode == "inward", plan.width, plan.width * plan.height
    number, spots = max(32, size // per_grain), [(n % width, n // width) for n in range(size)]
    floor = [bool(plan.open[y, x]) for x, y in spots]
    rock = [plan.tiles[y, x] == Tile.WALL and edge_of(plan, x, y) > 0 for x, y in spots]
    may = [a or b for a, b in zip(floor, rock, strict=True)]
    grains, courses, done, told = [], [0] * number, 0, []
    turning, batch = int(64 * (1 - straight) + 0.5), 16 if per_grain >= 8 else 2 * per_grain
    while done < rounds and sum(floor) < int(share * size):
        if inward:
            digs = [n for n in range(size) if may[n] and not floor[n]]
            near = {}
            for n in digs:
                x, y = spots[n]
                near[n] = min(
                    (max(abs(x - a), abs(y - b)) for (a, b), open_ in zip(spots, floor, strict=True)
                     if open_), default=99,
                )  # fmt: skip
            places = [n for n in digs if 3 <= near[n] <= 9] or digs
        else:
            middles = [room.center.y * width + room.center.x for room in plan.rooms]
            places = sorted({n for n in middles if floor[n]}) or [
                n for n in range(size) if floor[n]
            ]
        if not places:
            break
        homes = [places[n] for n in rng.integers(0, len(places) - 1, number).tolist()]
        grains = grains or homes
        for dice in rng.random_bytes(batch, number).tolist():
            courses = [
                die % 4 if die // 4 < turning else course
                for die, course in zip(dice, courses, strict=True)
            ]
            ahead = [
                grain + (-width, 1, width, -1)[course]
                for grain, course in zip(grains, courses, strict=True)
            ]
            rest = [floor[there] == inward and may[there] for there in ahead]
            ended = [r or floor[grain] == inward for r, grain in zip(rest, grains, strict=True)]
            for r, grain, there in zip(rest, grains, ahead, strict=True):
                if r:
                    floor[grain if inward else there] = True
            grains = [b if may[b] else a for a, b in zip(grains, ahead, strict=True)]
            grains = [
                home if end else grain
                for grain, end, home in zip(grains, ended, homes, strict=True)
            ]
        done += batch
        for (x, y), open_ in zip(spots, floor, strict=True):
            if open_ and plan.tiles[y, x] == Tile.WALL:
                plan.tiles[y, x] = Tile.FLOOR
        if done % (4 * batch) == 0:
            told.append(f"Round {done}: {pluralise(sum(floor), 'tile')} open")
    return [*told, f"{pluralise(sum(floor), 'tile')} open"]


@pytest.mark.parametrize("mode", ["inward", "outward"])
@pytest.mark.parametrize(("straight", "share", "rounds"), [(0.5, 0.4, 200), (0.0, 0.9, 40),
    (1.0, 0.2, 64), (0.8, 0.0, 9)])  # fmt: skip
def test_floor_grows_by_walkers_as_the_twin_does(mode, straight, share, rounds):
    for rooms in ([(8, 6, 3, 3)], [(2, 2, 2, 2), (14, 9, 4, 2)], []):
        plan = with_rooms(*rooms, size=(22, 16))
        plan.tiles[12, 3:9] = Tile.WATER
        plan.tiles[0, 5] = Tile.FLOOR if rooms == [] else Tile.WALL
        plan.rooms += [RectangularRoom(18, 12, 1, 1)]
        assert_alike(
            diffusion_limited_aggregation, slow_aggregation, plan, mode=mode, share=share,
            straight=straight, per_grain=8 if share < 0.9 else 1, rounds=rounds,
        )  # fmt: skip
