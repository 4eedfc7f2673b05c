"""Lakes, pools, rivers and fissures against twins that go tile by tile."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.carving.region_links import cheapest_links
from procgen.gradient_noise import fractal_noise
from procgen.placement.painting import passable, protected, tile_named
from procgen.rng import Rng
from procgen.steps import lakes_rivers_fissures
from procgen.steps.lakes_rivers_fissures import _blobs, fissures, lakes, pools_in_rooms, river
from support.blueprints import cave, run, with_rooms
from support.by_definition import EIGHT, cells, parts, places
from support.step_twins import (
    assert_alike,
    can_shut,
    edge_of,
    open_ground,
    still_joined,
    walkable,
)


def furnished(seed, width=44, height=31):
    """Return a cave with a start, an exit, a creature, a shrine and some rooms."""
    plan = cave(seed, width, height)
    ground = sorted(open_ground(plan))
    for number, (x, y) in enumerate(ground[5 :: len(ground) // 6]):
        plan.rooms.append(RectangularRoom(x, y, 2 + number, 3))
    plan.start, plan.exit = Point(*ground[9]), Point(*ground[-9])
    plan.spawns = [Spawn("rat", *ground[len(ground) // 2])]
    x, y = ground[len(ground) // 3]
    plan.tiles[y, x] = Tile.SHRINE
    return plan


def slow_blobs(rng, widths):
    """Yield the blobs of sixteen throws of the dice at a time, each cut from its own columns."""
    for start in range(0, len(widths), 16):
        some = widths[start : start + 16]
        high = max(max(2, -(-3 * width // 4)) for width in some)
        dice, left = rng.random_bytes(high + 2, 1 + sum(some) + len(some)).tolist(), 1
        for width in some:
            yield slow_blob([row[left : left + width] for row in dice[1:]], width)
            left += width + 1


def slow_blob(dice, width):
    box = set(product(range(width), range(max(2, -(-3 * width // 4)))))
    wet = {(x, y) for x, y in box if dice[y][x] < 141}
    for _ in range(5):
        wet = {
            (x, y)
            for x, y in box
            if sum((x + dx, y + dy) in wet for dx, dy in (*EIGHT, (0, 0))) > 4
        }
    if not wet:
        return box & {(0, 0), (1, 0), (0, 1), (1, 1)}
    lake = max(sorted(parts(wet), key=lambda part: min(spot[::-1] for spot in part)), key=len)
    around = {(x + dx, y + dy) for x, y in box for dx, dy in EIGHT} | box
    (outside,) = [part for part in parts(around - lake) if (-1, -1) in part]
    lake = box - outside
    left, top = min(x for x, _ in lake), min(y for _, y in lake)
    return {(x - left, y - top) for x, y in lake}


def size_of(blob):
    return max(x for x, _ in blob) + 1, max(y for _, y in blob) + 1


@pytest.mark.parametrize("widths", [[], [1], [2], [3], [4], [7], [12], [5, 1, 9], [6] * 17 + [2]])
def test_blobs_are_smoothed_and_filled_as_their_twins_are(widths):
    for seed in range(20):
        found = [places(blob) for blob in _blobs(Rng(seed), widths)]
        assert found == list(slow_blobs(Rng(seed), widths))


def pour(plan, deep, kind):
    for x, y in deep:
        plan.tiles[y, x] = kind


def slow_banks(plan, deep, rng, bank, share):
    """Turn ground beside ``deep`` to ``bank``; the dice are thrown for the whole map."""
    if not terrain().walkable[bank]:
        return
    shore = {(x + dx, y + dy) for x, y in deep for dx, dy in EIGHT} - deep
    shore -= places(protected(plan, paint=bank))
    shore = {(x, y) for x, y in shore if plan.contains(x, y) and walkable(plan, x, y)}
    if share < 1:
        dice = rng.random_bytes(plan.height, plan.width).tolist()
        shore = {(x, y) for x, y in shore if dice[y][x] < int(share * 256 + 0.5)}
    pour(plan, shore, bank)


def slow_lakes(plan, rng, *, number, smallest, largest, tries, on_floor, liquid, shore, shores):
    ground, fixed, told, all_deep = open_ground(plan), places(protected(plan)), [], set()
    most = min(largest, plan.width // 3, plan.height // 3)
    scaled = max(min(number, 1), int(number * plan.width * plan.height / 3600 + 0.5))
    for blob in slow_blobs(rng, [rng.between(min(smallest, most), most) for _ in range(scaled)]):
        wide, high = size_of(blob)
        found = None
        if plan.width - wide > 1 and plan.height - high > 1:
            for _ in range(tries):
                x = rng.between(1, plan.width - 1 - wide)
                y = rng.between(1, plan.height - 1 - high)
                wet = {(x + dx, y + dy) for dx, dy in blob}
                dry_enough = len(wet & ground) >= on_floor * len(wet)
                if dry_enough and can_shut(ground, wet - fixed):
                    found = wet
                    break
        if found:
            deep = found - fixed
            pour(plan, deep, tile_named(liquid))
            ground -= deep
            all_deep |= deep
            told.append(f"Lake {len(told) + 1}: {pluralise(len(deep), 'tile')} of {liquid}")
    return told + slow_shores(plan, all_deep, rng, shore, shores)


def slow_shores(plan, deep, rng, shore, shores):
    if not deep:
        return []
    slow_banks(plan, deep, rng, tile_named(shore), shores)
    return ["Shores added"]


@pytest.mark.parametrize(
    ("number", "sides", "tries", "on_floor", "liquid", "shore", "shores"),
    [
        (4, (5, 16), 12, 0.4, "water", "shallows", 0.8),
        (20, (2, 4), 3, 1.0, "lava", "rubble", 1.0),
        (9, (6, 6), 5, 0.0, "ice", "moss", 0.0), (12, (9, 3), 9, 0.7, "water", "wall", 0.5),
    ],
)  # fmt: skip
def test_lakes_are_poured_as_their_twin_does(number, sides, tries, on_floor, liquid, shore, shores):
    given = {"number": number, "smallest": sides[0], "largest": sides[1], "tries": tries}
    given |= {"on_floor": on_floor, "liquid": liquid, "shore": shore, "shores": shores}
    for seed in range(4):
        assert_alike(lakes, slow_lakes, furnished(seed), seed, **given)
    bare = Blueprint.solid(30, 9)
    assert_alike(lakes, slow_lakes, bare, **given | {"on_floor": 0.0, "tries": 40})


def slow_pools(plan, rng, *, share, smallest, largest, tries, liquid, shore, shores):
    ground, fixed, told, all_deep = open_ground(plan), places(protected(plan)), [], set()
    dry = [number for number in range(len(plan.rooms)) if rng.chance(share)]
    for _ in range(tries):
        widths = [rng.between(smallest, max(smallest, largest)) for _ in dry]
        for number, blob in zip(tuple(dry), slow_blobs(rng, widths), strict=True):
            wide, high = size_of(blob)
            x, y = plan.rooms[number].center
            left, top = x - wide // 2, y - high // 2
            deep = {(left + dx, top + dy) for dx, dy in blob} - fixed
            corners = product((left, left + wide - 1), (top, top + high - 1))
            if all(edge_of(plan, *spot) > 0 for spot in corners) and can_shut(ground, deep):
                pour(plan, deep, tile_named(liquid))
                ground -= deep
                all_deep |= deep
                dry.remove(number)
                told.append(f"Pool {number + 1}: {pluralise(len(deep), 'tile')} of {liquid}")
    return told + slow_shores(plan, all_deep, rng, shore, shores)


@pytest.mark.parametrize(
    ("share", "sides", "tries", "shores"),
    [(0.3, (4, 9), 8, 0.8), (1.0, (3, 5), 2, 1.0), (1.0, (6, 2), 1, 0.0), (0.7, (2, 7), 4, 0.5)],
)
def test_pools_are_poured_as_their_twin_does(share, sides, tries, shores):
    given = {"share": share, "smallest": sides[0], "largest": sides[1], "tries": tries}
    given |= {"liquid": "water", "shore": "shallows", "shores": shores}
    for seed in range(4):
        assert_alike(pools_in_rooms, slow_pools, furnished(seed), seed, **given)
        rooms = [(1, 1, 4, 4), (7, 2, 9, 7), (18, 1, 6, 6), (1, 9, 5, 4), (9, 11, 12, 5)]
        plan = with_rooms(*rooms, size=(26, 18))
        run("join_rooms_in_order", plan, seed)
        assert_alike(pools_in_rooms, slow_pools, plan, seed, **given)


def slow_course(plan, rng, bend, corners=4):
    if rng.below(plan.width + plan.height) < plan.width:
        course = [(x, rng.between(0, plan.height - 1)) for x in (0, plan.width - 1)]
    else:
        course = [(rng.between(0, plan.width - 1), y) for y in (0, plan.height - 1)]
    longest = corners * (plan.width + plan.height)
    while True:
        finer = course[:1]
        for (ax, ay), (bx, by) in pairwise(course):
            span = max(abs(ax - bx), abs(ay - by))
            if span > 3:
                stray = min(int(span * bend), span // 2 - 1) if len(course) < longest else 0
                x = (ax + bx) // 2 + rng.between(-stray, stray)
                y = (ay + by) // 2 + rng.between(-stray, stray)
                finer.append(
                    (sorted((0, x, plan.width - 1))[1], sorted((0, y, plan.height - 1))[1])
                )
            finer.append((bx, by))
        if len(finer) == len(course):
            return course
        course = finer


@pytest.mark.parametrize("corners", [0, 0.1, 0.3, 4])
def test_a_river_of_many_corners_strays_no_more(corners, monkeypatch):
    monkeypatch.setattr(lakes_rivers_fissures, "LONGEST", corners)
    plan = Blueprint.solid(44, 31)
    for seed in range(12):
        course = lakes_rivers_fissures._course(plan, Rng(seed), 1.0)
        assert course == slow_course(plan, Rng(seed), 1.0, corners)


def slow_bed(plan, rng, course, width):
    across, bed = rng.between(1, width), set()
    for (ax, ay), (bx, by) in pairwise(course):
        across = sorted((min(2, width), across + rng.between(-1, 1), width))[1]
        steps = max(abs(ax - bx), abs(ay - by), 1)
        for n in range(steps + 1):
            x = ax + int(np.floor(n * (bx - ax) / steps + 0.5)) - across // 2
            y = ay + int(np.floor(n * (by - ay) / steps + 0.5)) - across // 2
            bed |= set(product(range(x, x + across), range(y, y + across)))
    return {(x, y) for x, y in bed if plan.contains(x, y)}


def slow_crossing(plan, rng, deep, bridge, ford, fords):
    labels, count = regions(plan.open)
    if count < 2:
        return 0
    cost = np.zeros(plan.tiles.shape, np.int32)
    for x, y in cells(plan):
        cost[y, x] = labels[y, x] > 0 or ((x, y) in deep and edge_of(plan, x, y) > 0)
    ways = 0
    for way in cheapest_links(labels, cost, rng):
        xs, ys = {x for x, _ in way.tiles}, {y for _, y in way.tiles}
        low = rng.chance(fords) or (len(xs) > 1 and len(ys) > 1)
        pour(plan, way.tiles, ford if low else bridge)
        ways += 1
    return ways


def slow_flood(plan, wet, liquid):
    deep = wet - places(protected(plan, paint=liquid))
    if passable(liquid):
        deep = {(x, y) for x, y in deep if edge_of(plan, x, y)}
    pour(plan, deep, liquid)
    return deep


def slow_river(plan, rng, *, rivers, width, bend, liquid, bank, banks, bridge, ford, fords):
    told = []
    width = max(1, min(width, plan.width // 8, plan.height // 8))
    for number in range(1, rivers * max(1, (plan.width + plan.height) // 125) + 1):
        before, tiles = open_ground(plan), plan.tiles.copy()
        deep = slow_flood(
            plan, slow_bed(plan, rng, slow_course(plan, rng, bend), width), tile_named(liquid)
        )
        told.append(f"River {number} crosses the map")
        slow_banks(plan, deep, rng, tile_named(bank), banks)
        ways = slow_crossing(plan, rng, deep, tile_named(bridge), tile_named(ford), fords)
        if not still_joined(before, open_ground(plan)) or not plan.open.any():
            plan.tiles[:] = tiles
            told.append(f"River {number} would disconnect the level, and is removed")
        elif ways:
            told.append(f"River {number} can be crossed in {pluralise(ways, 'place')}")
    return told


@pytest.mark.parametrize(
    ("rivers", "width", "bend", "liquid", "bank", "banks", "fords"),
    [
        (1, 3, 0.3, "water", "shallows", 0.5, 0.4), (2, 1, 0.0, "lava", "rubble", 1.0, 0.0),
        (1, 9, 1.0, "ice", "moss", 0.0, 1.0), (3, 2, 0.6, "water", "wall", 0.7, 0.5),
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [(44, 31), (20, 26)])
def test_rivers_run_as_their_twin_does(rivers, width, bend, liquid, bank, banks, fords, size):
    given = {"rivers": rivers, "width": width, "bend": bend, "liquid": liquid, "bank": bank}
    given |= {"banks": banks, "bridge": "bridge", "ford": "shallows", "fords": fords}
    for seed in range(4):
        assert_alike(river, slow_river, furnished(seed, *size), seed, **given)


@pytest.mark.parametrize("size", [(125, 125), (64, 61), (62, 62), (300, 8)])
def test_larger_maps_have_more_and_wider_rivers(size):
    plan = Blueprint.solid(*size)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    assert_alike(
        river, slow_river, plan, rivers=1, width=40, bend=0.1, liquid="water", bank="sand",
        banks=0.5, bridge="bridge", ford="shallows", fords=0.5,
    )  # fmt: skip


def slow_fissures(
    plan, rng, *, scale, octaves, share, liquid, spare, bank, banks, bridge, ford, fords
):
    before, tiles = open_ground(plan), plan.tiles.copy()
    relief = fractal_noise(
        rng.below(2**62), 0, 0, plan.width, plan.height, scale=scale, octaves=octaves
    )
    inner = [(x, y) for x, y in cells(plan) if edge_of(plan, x, y)]
    flattest = sorted(abs(relief[y, x]) for x, y in inner)[: int(share * len(inner) + 0.5)]
    cracks = {(x, y) for x, y in inner if flattest and abs(relief[y, x]) <= flattest[-1]}
    for x, y in inner:
        signs = [relief[b, a] > 0 for a, b in ((x, y), (x + 1, y), (x, y + 1))]
        if len(set(map(bool, signs))) > 1:
            cracks.add((x, y))
    spared = [tile_named(name) for name in spare]
    cracks = {(x, y) for x, y in cracks if plan.tiles[y, x] not in spared}
    deep = slow_flood(plan, cracks, tile_named(liquid))
    told = ["The ground cracks"]
    slow_banks(plan, deep, rng, tile_named(bank), banks)
    ways = slow_crossing(plan, rng, deep, tile_named(bridge), tile_named(ford), fords)
    if not still_joined(before, open_ground(plan)) or not plan.open.any():
        plan.tiles[:] = tiles
        told.append("The cracks would disconnect the level, and are removed")
    elif ways:
        told.append(f"The cracks can be crossed in {pluralise(ways, 'place')}")
    return told


@pytest.mark.parametrize(
    ("share", "liquid", "spare", "banks", "fords"),
    [(0.03, "water", (), 0.3, 0.5), (0.2, "lava", ("moss",), 1.0, 0.0), (0.0, "ice", (), 0.0, 1.0),
     (1.0, "water", (), 0.5, 0.5)],
)  # fmt: skip
def test_the_ground_cracks_as_the_twin_says(share, liquid, spare, banks, fords):
    for seed in range(4):
        plan = furnished(seed)
        plan.tiles[8:20, 5:20] = Tile.MOSS
        assert_alike(
            fissures, slow_fissures, plan, seed, scale=0.1, octaves=1 + seed % 2, share=share,
            liquid=liquid, spare=spare, bank="rubble", banks=banks, bridge="bridge",
            ford="rubble", fords=fords,
        )  # fmt: skip
