"""Loops, bridges, dead ends, start and exit against twins that look tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import TILE_NAMES, Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.placement.monster_placement import in_sight
from procgen.steps.loops_and_dead_ends import bridges, loops, remove_dead_ends
from procgen.steps.start_and_exit import (
    exit_at_shrine,
    exit_furthest,
    exit_in_furthest_room,
    exit_in_last_room,
    start_and_exit_apart,
    start_furthest,
    start_in_first_room,
)
from support.blueprints import cave, run, with_rooms
from support.by_definition import EIGHT, FOUR, cells, parts, speckled
from support.step_twins import assert_alike, edge_of, open_ground, walkable

WIDE = 22


def steps_from(ground, start, around=EIGHT):
    """Return the steps from ``start`` to what can be reached on ``ground``."""
    steps, ring = {tuple(start): 0}, {tuple(start)}
    while ring:
        number = 1 + max(steps.values())
        ring = {(x + dx, y + dy) for x, y in ring for dx, dy in around} & ground - steps.keys()
        steps |= dict.fromkeys(ring, number)
    return steps


def tunnels(seed, size=(33, 24)):
    plan = Blueprint.solid(*size)
    run("binary_space_partition", plan, seed, min_leaf=6, rounds=6)
    run("loose_rooms_in_leaves", plan, seed)
    run("join_rooms_in_order", plan, seed)
    return plan


def slow_loops(plan, rng, *, threshold, at_most, thickness, doors):
    ground, found, told = open_ground(plan), [], []
    shut = {(x, y) for x, y in ground if plan.tiles[y, x] in (Tile.DOOR, Tile.SECRET_DOOR)}
    ends, first = ground - shut, {(x, y) for x, y in cells(plan) if plan.tiles[y, x] == Tile.WALL}

    def solid(wall, dx, dy):
        return all(
            {(x, y), (x + dy, y + dx), (x - dy, y - dx)} <= first
            and plan.inside(*((1, y) if dx else (x, 1)))
            for x, y in wall
        )

    for dx, dy in ((1, 0), (0, 1)):
        length = plan.width if dx else plan.height
        order = product(range(plan.height), range(plan.width))
        order = [(x, y) for y, x in order] if dx else list(cells(plan))
        for thick in range(1, min(thickness, length - 2) + 1):
            for x, y in order:
                way = [(x + n * dx, y + n * dy) for n in range(thick + 2)]
                if way[0] in ends and way[-1] in ends and solid(way[1:-1], dx, dy):
                    found.append((way, dx, dy))
    for way, dx, dy in rng.shuffled(found):
        if len(told) == at_most * plan.scale:
            break
        beside = [(x + n * dy, y + n * dx) for x, y in way[1:-1] for n in (-1, 0, 1)]
        still = all(plan.tiles[y, x] == Tile.WALL for x, y in beside)
        if not still:
            continue
        if steps_from(ground, way[0], FOUR).get(way[-1], 10**6) <= threshold:
            continue
        tunnel = any(plan.tiles[y, x] == Tile.TUNNEL for x, y in (way[0], way[-1]))
        for x, y in way[1:-1]:
            plan.tiles[y, x] = Tile.TUNNEL if tunnel or len(way) > 3 else Tile.FLOOR
        ground |= set(way)
        if rng.chance(doors):
            plan.tiles[way[1][::-1]] = Tile.DOOR
        told.append(f"Loop {len(told) + 1}: the way around was over {pluralise(threshold, 'step')}")
    return told


@pytest.mark.parametrize(
    ("threshold", "most", "thickness", "doors"),
    [(20, 8, 1, 0.5), (4, 3, 2, 1.0), (9, 50, 3, 0.0), (2, 0, 1, 0.5), (30, 20, 2, 0.3)],
)
def test_loops_are_opened_as_the_twin_does(threshold, most, thickness, doors):
    for seed in range(4):
        given = {"threshold": threshold, "at_most": most, "thickness": thickness, "doors": doors}
        plan = tunnels(seed)
        run("doors", plan, seed)
        for one in (plan, speckled(seed, 0.6, 14, 11)):
            assert_alike(loops, slow_loops, one, seed, **given)


def slow_bridges(plan, rng, *, over, longest, ratio, most, tries, tile):
    liquid = [TILE_NAMES.index(name) for name in over]
    water = {(x, y) for x, y in cells(plan) if plan.tiles[y, x] in liquid and edge_of(plan, x, y)}
    spans = []
    for dx, dy in ((1, 0), (0, 1)):
        order = list(cells(plan)) if dy else [
            (x, y) for y, x in product(range(plan.height), range(plan.width))
        ]  # fmt: skip
        for x, y in order:
            run_ = []
            while (x + len(run_) * dx, y + len(run_) * dy) in water:
                run_.append((x + len(run_) * dx, y + len(run_) * dy))
            banks = (x - dx, y - dy), (x + len(run_) * dx, y + len(run_) * dy)
            whole = run_ and banks[0] not in water and len(run_) <= longest
            if whole and all(walkable(plan, *bank) for bank in banks):
                spans.append((run_, banks))
    scale, told = plan.width * plan.height / 3600, []

    def scaled(number):
        return max(min(number, 1), int(number * scale + 0.5))

    ground = open_ground(plan)
    for number in rng.shuffled(range(len(spans)))[: scaled(tries)]:
        way, banks = spans[number]
        if len(told) >= scaled(most):
            return told
        if ground & set(way):
            continue
        one, other = banks
        walk = steps_from(ground, one).get(other)
        if walk is not None and walk <= int((len(way) + 1) * ratio):
            continue
        for x, y in way:
            plan.tiles[y, x] = TILE_NAMES.index(tile)
        ground |= set(way)
        told.append(f"Bridge {len(told) + 1}, {len(way)} long")
    return told


@pytest.mark.parametrize(
    ("longest", "ratio", "most", "tries"),
    [(12, 3.0, 6, 40), (2, 1.0, 50, 500), (5, 1.5, 20, 200), (9, 9.0, 30, 300), (4, 2.0, 1, 9)],
)
def test_bridges_are_built_as_the_twin_does(longest, ratio, most, tries):
    for seed in range(4):
        plan = cave(seed, 40, 28)
        run(
            "lakes",
            plan,
            seed,
            number=40,
            smallest=2,
            largest=9,
            liquid=("water", "lava")[seed % 2],
        )
        run("river", plan, seed, rivers=2, fords=0.0, width=3)
        plan.tiles[0, 5:9] = Tile.WATER
        assert_alike(
            bridges, slow_bridges, plan, seed, over=("water", "lava"), longest=longest,
            ratio=ratio, most=most, tries=tries, tile="bridge",
        )  # fmt: skip


def slow_filling(plan, rng, *, share, rounds):
    ground = open_ground(plan)
    held = {spot for room in plan.rooms for spot in cells(plan) if room.contains(*spot)}
    held |= set(plan.marks) | {spot for spot in ground if not edge_of(plan, *spot)}

    def ways(x, y):
        return [(x + dx, y + dy) for dx, dy in FOUR if (x + dx, y + dy) in ground]

    rows = sorted(ground, key=lambda spot: spot[::-1])
    tips = [spot for spot in rows if len(ways(*spot)) == 1 and edge_of(plan, *spot) > 0]
    chosen = rng.shuffled(tips)[: int(share * len(tips) + 0.5)]
    told, filled = [], 0
    for number, tip in enumerate(sorted(chosen, key=lambda spot: spot[::-1]), 1):
        spot = tip
        for _ in range(rounds):
            onward = ways(*spot)
            if spot in held or len(onward) != 1:
                break
            plan.tiles[spot[::-1]] = Tile.WALL
            ground.remove(spot)
            filled += 1
            spot = onward[0]
        if number % max(1, len(chosen) // 20) == 0:
            told.append(
                f"{pluralise(number, 'dead end')} removed, {pluralise(filled, 'tile')} filled"
            )
    return told


@pytest.mark.parametrize(("share", "rounds"), [(1.0, 1000), (0.5, 2), (0.2, 1), (1.0, 5), (0.0, 9)])
def test_dead_ends_are_filled_as_the_twin_does(share, rounds):
    for seed in range(4):
        maze = Blueprint.solid(35, 23)
        run("grow_maze", maze, seed, clearings=0.1 * (seed % 2))
        spots = sorted(open_ground(maze))
        maze.start, maze.spawns = Point(*spots[3]), [Spawn("rat", *spots[-5])]
        plan = tunnels(seed)
        plan.rooms = plan.rooms[::2]
        for one in (maze, plan, speckled(seed, 0.45)):
            assert_alike(remove_dead_ends, slow_filling, one, seed, share=share, rounds=rounds)


def free_spots(plan):
    return [
        (x, y) for y, x in product(range(plan.height), range(plan.width))
        if walkable(plan, x, y) and (x, y) not in plan.marks
    ]  # fmt: skip


def slow_furthest(plan, start):
    ground = {(x, y) for x, y in cells(plan) if walkable(plan, x, y)}
    steps = steps_from(ground, start)
    far = [(-steps[x, y], y, x) for x, y in free_spots(plan) if steps.get((x, y))]
    return Point(*min(far)[:0:-1]) if far else None


def slow_end(plan, rng, *, end):
    other = plan.exit if end == "start" else plan.start
    place = slow_furthest(plan, other)
    if place is None:
        raise Rejected("")
    setattr(plan, end, place)


def slow_first(plan, rng):
    place = plan.rooms[0].center if plan.rooms else None
    if place not in free_spots(plan):
        raise Rejected("")
    plan.start = place


def slow_last(plan, rng):
    place = plan.rooms[-1].center if len(plan.rooms) > 1 else plan.start
    if place == plan.start:
        place = slow_furthest(plan, plan.start)
    if place not in free_spots(plan):
        raise Rejected("")
    plan.exit = place


def slow_far_room(plan, rng):
    ground = {(x, y) for x, y in cells(plan) if walkable(plan, x, y)}
    steps, free, best = steps_from(ground, plan.start), free_spots(plan), (0, None)
    for room in plan.rooms:
        far = steps.get(room.center, 0) if room.center in free else 0
        if far > best[0]:
            best = far, room.center
    plan.exit = best[1] or slow_furthest(plan, plan.start)
    if plan.exit is None:
        raise Rejected("")


def slow_shrine(plan, rng):
    free = [(x, y) for x, y in free_spots(plan) if plan.tiles[y, x] != Tile.DOOR]
    if not free:
        raise Rejected("")
    for y, x in np.argwhere(plan.tiles == Tile.SHRINE).tolist()[:1]:
        for spot in ((x, y + 1), (x, y), (x + 1, y), (x - 1, y), (x, y - 1)):
            if spot in free:
                plan.exit = Point(*spot)
                return
    plan.exit = Point(*rng.pick(free))


@pytest.mark.parametrize("seed", range(12))
def test_start_and_exit_lie_where_the_twins_put_them(seed):
    rng, plan = np.random.default_rng(seed), speckled(seed, 0.3 + seed % 4 / 5, 17, 12)
    plan.tiles[rng.random(plan.tiles.shape) < 0.04] = Tile.DOOR
    for number in range(seed % 5):
        x, y = rng.integers(0, 14, 2).tolist()
        plan.rooms.append(RectangularRoom(x, y % 10, 1 + number % 3, 2))
    for y, x in rng.integers(1, 11, (seed % 3, 2)).tolist():
        plan.tiles[y, x] = Tile.SHRINE
    assert_alike(start_in_first_room, slow_first, plan, seed)
    spots = free_spots(plan)
    plan.start, plan.spawns = Point(*spots[seed]), [Spawn("rat", *spots[-1 - seed])]
    pairs = [
        (exit_in_last_room, slow_last), (exit_in_furthest_room, slow_far_room),
        (exit_at_shrine, slow_shrine),
    ]  # fmt: skip
    for step, twin in pairs:
        plan.exit = None
        assert_alike(step, twin, plan, seed)

    def slow_exit(plan, rng):
        return slow_end(plan, rng, end="exit")

    def slow_start(plan, rng):
        return slow_end(plan, rng, end="start")

    plan.exit = None
    assert_alike(exit_furthest, slow_exit, plan, seed)
    plan.start, plan.exit = None, Point(*spots[seed // 2])
    assert_alike(start_furthest, slow_start, plan, seed)


def test_walls_all_over_have_no_place_for_start_or_exit():
    for step, twin in ((start_in_first_room, slow_first), (exit_at_shrine, slow_shrine)):
        for plan in (Blueprint.solid(6, 5), with_rooms((2, 2, 1, 1), size=(6, 5))):
            assert_alike(step, twin, plan)
    lone = with_rooms((2, 2, 1, 1), size=(6, 5))
    lone.start = Point(2, 2)
    for step, twin in ((exit_in_last_room, slow_last), (exit_in_furthest_room, slow_far_room)):
        assert_alike(step, twin, lone)


def slow_apart(plan, rng, *, far, bend):
    walks = {(x, y) for x, y in cells(plan) if walkable(plan, x, y)}
    order = sorted(parts(walks), key=lambda part: min(spot[::-1] for spot in part))
    ground = max(order, key=len, default=set())
    barred = (Tile.DOOR, Tile.TRAP, Tile.TREASURE, Tile.SHRINE)
    free = {(x, y) for x, y in ground if plan.tiles[y, x] not in barred}
    free -= {(one.x, one.y) for one in plan.spawns}
    if len(free) < 2:
        raise Rejected("")
    sides = {spot: [n for n, (dx, dy) in enumerate(FOUR)
                    if (spot[0] + dx, spot[1] + dy) in ground] for spot in free}  # fmt: skip
    tips = {spot for spot in free if len(sides[spot]) == 1}
    bends = {spot for spot in free if len(sides[spot]) == 2 and sum(sides[spot]) % 2}
    ends = None
    for least, niches in product((bend, 1.0) if bend > 1 else (1.0,), (tips, bends, free)):
        ends = ends or slow_pair(ground, niches, rng, far, least)
    if not ends:
        raise Rejected("")
    if rng.chance(0.5):
        ends = ends[::-1]
    plan.start, plan.exit = map(Point._make, ends)
    seen = in_sight(plan, *plan.start)
    plan.spawns = [one for one in plan.spawns if not seen[one.y, one.x]]


def slow_pair(ground, niches, rng, far, bend):
    def rows(spots):
        return sorted(spots, key=lambda spot: spot[::-1])

    if len(niches) < 2:
        return None
    steps = steps_from(ground, rng.pick(rows(ground)))
    first = max(rows(niches), key=steps.__getitem__)
    steps = steps_from(ground, first)
    distant = [
        (x, y) for x, y in rows(niches - {first})
        if steps[x, y] >= far * max(steps.values())
        and steps[x, y] >= bend * max(abs(x - first[0]), abs(y - first[1]))
    ]  # fmt: skip
    return (first, rng.pick(distant)) if distant else None


@pytest.mark.parametrize(("far", "bend"), [(0.8, 1.0), (0.3, 1.5), (1.0, 3.0), (0.0, 1.2)])
def test_start_and_exit_lie_apart_as_the_twin_says(far, bend):
    for seed in range(8):
        maze = Blueprint.solid(WIDE + 1, 15)
        run("grow_maze", maze, seed, braid=seed % 2)
        for plan in (speckled(seed, 0.35 + seed % 4 / 6, WIDE, 13), cave(seed, WIDE, 17), maze):
            spots = sorted(open_ground(plan))
            plan.spawns = [Spawn("rat", *spot) for spot in spots[2 :: 5 + seed]]
            plan.tiles[spots[1][::-1]], plan.tiles[spots[-1][::-1]] = Tile.DOOR, Tile.TREASURE
            assert_alike(start_and_exit_apart, slow_apart, plan, seed, far=far, bend=bend)
    assert_alike(start_and_exit_apart, slow_apart, Blueprint.solid(5, 5), far=far, bend=bend)
