"""Eroded walls, cleared regions, passages and doors against twins, tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import TILE_NAMES, Tile
from entities.wording import pluralise
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.carving.region_links import cheapest_links
from procgen.steps.cellular_automaton import erode_edges, scatter_rock, widen_floor
from procgen.steps.doors import doors, secret_doors
from procgen.steps.regions import (
    fill_small_regions,
    join_by_passages,
    remove_small_islands,
    remove_small_pillars,
)
from support.blueprints import cave, run
from support.by_definition import EIGHT, FOUR, cells, parts, speckled
from support.step_twins import (
    assert_alike,
    edge_of,
    open_ground,
    touching,
    walkable,
)


def rows(spots):
    return sorted(spots, key=lambda spot: spot[::-1])


def slow_rock(plan, rng, *, rock):
    dice = rng.random_bytes(plan.height, plan.width)
    for x, y in cells(plan):
        solid = dice[y, x] < int(rock * 256 + 0.5) and (x, y) not in plan.marks
        plan.tiles[y, x] = Tile.FLOOR if edge_of(plan, x, y) and not solid else Tile.WALL
    return [f"Rock scattered over {rock:.0%} of the map"]


def rock_beside(plan, x, y):
    return sum(
        not plan.contains(x + dx, y + dy) or plan.tiles[y + dy, x + dx] == Tile.WALL
        for dx, dy in EIGHT
    )


def slow_widening(plan, rng, *, share, chance, leave, rounds, floor):
    enough, kind = int(share * plan.tiles.size + 0.5), TILE_NAMES.index(floor)
    inner = [spot for spot in cells(plan) if edge_of(plan, *spot)]
    if len(open_ground(plan)) >= enough or all(plan.tiles[y, x] != Tile.WALL for x, y in inner):
        return []
    told = []
    if not open_ground(plan):
        plan.tiles[plan.height // 2, plan.width // 2] = kind
        told.append("The middle is opened")
    for turn in range(1, rounds + 1):
        ground, dice = open_ground(plan), rng.random_bytes(plan.height, plan.width)
        beside = [
            (x, y) for x, y in inner
            if plan.tiles[y, x] == Tile.WALL and rock_beside(plan, x, y) <= leave
            and any((x + dx, y + dy) in ground for dx, dy in FOUR)
        ]  # fmt: skip
        gone = [(x, y) for x, y in beside if dice[y, x] < int(chance * 256 + 0.5)]
        for x, y in gone:
            plan.tiles[y, x] = kind
        told.append(f"Round {turn}: {pluralise(len(gone), 'tile')} of rock removed")
        if len(open_ground(plan)) >= enough or not beside:
            break
    return told


def slow_erosion(plan, rng, *, rounds, chance, survive, birth, rubble):
    bare, told = (Tile.FLOOR, Tile.TUNNEL, Tile.RUBBLE), []
    barred = {
        (x + dx, y + dy)
        for x, y in cells(plan) if plan.tiles[y, x] in (Tile.DOOR, Tile.SECRET_DOOR)
        for dx, dy in (*EIGHT, (0, 0))
    }  # fmt: skip
    barred |= {*plan.marks, *(room.center for room in plan.rooms)}
    free = {spot for spot in cells(plan) if edge_of(plan, *spot)} - barred
    for turn in range(1, rounds + 1):
        dice = rng.random_bytes(plan.height, plan.width)
        struck = {(x, y) for x, y in free if dice[y, x] < int(chance * 256 + 0.5)}
        crumbled = {
            (x, y) for x, y in struck
            if plan.tiles[y, x] == Tile.WALL and rock_beside(plan, x, y) < survive
            and any(plan.tiles[y + dy, x + dx] in bare for dx, dy in FOUR)
        }  # fmt: skip
        lies = rng.random_bytes(plan.height, plan.width)
        for x, y in crumbled:
            plan.tiles[y, x] = Tile.RUBBLE if lies[y, x] < int(rubble * 256 + 0.5) else Tile.FLOOR
        silted = 0
        floor = {(x, y) for x, y in cells(plan) if plan.tiles[y, x] in bare}
        for column, row in ((0, 0), (1, 1), (1, 0), (0, 1)):
            ground = open_ground(plan)
            doomed = [
                (x, y) for x, y in (struck - crumbled) & floor
                if x % 2 == column and y % 2 == row and rock_beside(plan, x, y) >= birth
                and joined_around(ground, x, y)
            ]  # fmt: skip
            for x, y in doomed:
                plan.tiles[y, x] = Tile.WALL
            silted += len(doomed)
        told.append(
            f"Round {turn}: {pluralise(len(crumbled), 'tile')} of rock removed, {silted} filled"
        )
    return told


def joined_around(ground, x, y):
    """Return True if the open sides of (x, y), one at least, are joined around it."""
    ring = {(x + dx, y + dy) for dx, dy in EIGHT} & ground
    sides = {(x + dx, y + dy) for dx, dy in FOUR} & ground
    return sum(not sides.isdisjoint(part) for part in parts(ring)) == 1


@pytest.mark.parametrize("seed", range(6))
def test_rock_is_strewn_widened_and_eroded_as_the_twins_do(seed):
    for rock in (0.0, 0.45, 0.8, 1.0):
        plan = Blueprint.solid(27, 19)
        plan.spawns = [Spawn("rat", 5, 5), Spawn("rat", 0, 3)]
        assert_alike(scatter_rock, slow_rock, plan, seed, rock=rock)
        run("cellular_automaton", plan, rounds=seed % 3)
        if rock == 0.8:
            plan.tiles[3:5, 9:14] = Tile.WATER
        plan.rooms = [RectangularRoom(10, 10, 3, 3)]
        plan.tiles[8, 4] = Tile.DOOR
        given = {"share": 0.3 + seed / 10, "chance": 0.6, "leave": 8 - seed % 4, "rounds": 1 + seed}
        assert_alike(widen_floor, slow_widening, plan, seed, **given, floor="moss")
        assert_alike(
            erode_edges, slow_erosion, plan, seed, rounds=2, chance=0.4 + seed / 10,
            survive=4 + seed, birth=2 + seed, rubble=0.4,
        )  # fmt: skip


def slow_small(plan, rng, *, below):
    found, ground = parts(open_ground(plan)), open_ground(plan)
    small = [part for part in found if len(part) < below and part.isdisjoint(plan.marks)]
    gone = set().union(*small)
    left = ground - gone
    for x, y in cells(plan) if small else ():
        tile, ways = plan.tiles[y, x], sum((x + dx, y + dy) in left for dx, dy in FOUR)
        stopped = tile in (Tile.DOOR, Tile.SECRET_DOOR) and ways < 2
        reached = any((x + dx, y + dy) in left for dx, dy in EIGHT)
        if stopped or (tile in (Tile.PILLAR, Tile.STATUE, Tile.SHELF) and not reached):
            gone.add((x, y))
    for x, y in gone:
        plan.tiles[y, x] = Tile.WALL
    return [f"{len(small)} of {len(found)} regions filled"] if small else []


def slow_pillars(plan, rng, *, below):
    rock = [spot for spot in cells(plan) if plan.tiles[spot[::-1]] == Tile.WALL]
    small = []
    for part in touching(rock):
        beside = {(x + dx, y + dy) for x, y in part for dx, dy in EIGHT} - part
        inside = all(edge_of(plan, *spot) for spot in part)
        if inside and len(part) < below and all(walkable(plan, *spot) for spot in beside):
            small.append(part)
    for x, y in set().union(*small):
        plan.tiles[y, x] = Tile.FLOOR
    return [f"{pluralise(len(small), 'island')} of rock removed"] if small else []


def slow_islands(plan, rng, *, below):
    kept = {*plan.marks, *(room.center for room in plan.rooms)}
    kept |= {spot for spot in cells(plan) if plan.tiles[spot[::-1]] == Tile.SHRINE}
    found = sorted(parts(open_ground(plan)), key=lambda part: rows(part)[0][::-1])
    largest = max(found, key=len, default=None)
    small = [part for part in found if part != largest and len(part) < below and not part & kept]
    before = plan.tiles.copy()
    closed = [spot for spot in cells(plan) if not plan.open[spot[::-1]]]
    for x, y in set().union(*small):
        near = min(abs(x - a) + abs(y - b) for a, b in closed)
        kinds = {int(before[b, a]) for a, b in closed if abs(x - a) + abs(y - b) == near}
        assert len(kinds) == 1, "this twin needs to know which"
        plan.tiles[y, x] = kinds.pop()
    return [f"{len(small)} of {len(found)} regions filled"] if small else []


@pytest.mark.parametrize("seed", range(6))
def test_small_regions_go_as_the_twins_say(seed):
    for below in (0, 2, 5, 40):
        for share in (0.25, 0.5, 0.85):
            plan = speckled(seed, share, 21, 14)
            plan.tiles[10:, 15:][plan.tiles[10:, 15:] == Tile.WALL] = Tile.WATER
            spots = rows(open_ground(plan))
            plan.start, plan.spawns = Point(*spots[3]), [Spawn("rat", *spots[-4])]
            plan.tiles[spots[9][::-1]] = Tile.SHRINE
            assert_alike(remove_small_pillars, slow_pillars, plan, seed, below=below)
            plan.tiles[plan.tiles == Tile.WALL] = Tile.WATER
            assert_alike(remove_small_islands, slow_islands, plan, seed, below=below)
            plan = speckled(seed, share, 21, 14)
            plan.exit = Point(*spots[5])
            rng = np.random.default_rng(seed)
            kinds = (Tile.DOOR, Tile.SECRET_DOOR, Tile.PILLAR, Tile.STATUE, Tile.SHELF)
            some = rng.random(plan.tiles.shape) < 0.15
            plan.tiles[some] = rng.choice(kinds, int(some.sum()))
            assert_alike(fill_small_regions, slow_small, plan, seed, below=below)


def slow_passages(plan, rng, *, wander, wide, more, through_rock, **given):
    over_mountain, over_water = given.pop("over_mountain"), given.pop("over_water")
    names = {"rock": "wall", "mountain": "mountain", "water": "water", "lava": "lava"}
    price = {TILE_NAMES.index(names[name]): cost for name, cost in given.items()}
    price[Tile.EDGE] = given["mountain"]
    over = {Tile.WALL: through_rock, Tile.WATER: over_water, Tile.LAVA: over_water}
    over |= dict.fromkeys((Tile.MOUNTAIN, Tile.EDGE), over_mountain)
    labels, count = regions(plan.open)
    if count < 2:
        return []
    dice, cost = (
        rng.random_bytes(plan.height, plan.width).tolist(),
        np.zeros(labels.shape, np.int32),
    )
    for x, y in cells(plan):
        worth = price.get(int(plan.tiles[y, x]), 0) * 16
        bump = dice[y][x] * wander * 16 // 256 if worth else 0
        cost[y, x] = worth + bump if edge_of(plan, x, y) else 0
    cost[labels > 0] = 1
    told = []
    for way in cheapest_links(labels, cost, rng, more):
        for x, y in way.tiles:
            if int(plan.tiles[y, x]) in over:
                plan.tiles[y, x] = TILE_NAMES.index(over[int(plan.tiles[y, x])])
            if wide and rng.chance(wide):
                a, b = rng.pick(((x + 1, y), (x, y + 1)))
                if edge_of(plan, a, b) > 0 and plan.tiles[b, a] == Tile.WALL:
                    plan.tiles[b, a] = TILE_NAMES.index(through_rock)
        told.append(f"Region {way.end} joined to region {way.start}")
    return told


@pytest.mark.parametrize(("wander", "wide", "more"), [(0, 0.0, 0.0), (5, 0.6, 0.3), (90, 1.0, 1.0)])
def test_passages_are_opened_as_the_twin_does(wander, wide, more):
    for seed in range(4):
        rng, plan = np.random.default_rng(seed), speckled(seed, 0.2, 26, 18)
        kinds = rng.integers(0, 9, plan.tiles.shape)
        for number, tile in enumerate((Tile.MOUNTAIN, Tile.WATER, Tile.LAVA, Tile.EDGE)):
            plan.tiles[(kinds == number) & (plan.tiles == Tile.WALL)] = tile
        assert_alike(
            join_by_passages, slow_passages, plan, seed, rock=3, mountain=seed, water=2, lava=1,
            wander=wander, wide=wide, more=more, through_rock="tunnel", over_mountain="rubble",
            over_water="bridge",
        )  # fmt: skip


def doorways(plan, kinds):
    """Return where a door may hang, in reading order."""
    ground, found = open_ground(plan), []

    def rock(x, y):
        return plan.tiles[y, x] == Tile.WALL

    def roomy(x, y):
        return any(
            {(x + a, y + b) for a, b in product((dx, dx + 1), (dy, dy + 1))} <= ground
            for dx, dy in product((-1, 0), repeat=2)
        )

    for x, y in rows(ground - set(plan.marks)):
        for dx, dy in ((1, 0), (0, 1)) if edge_of(plan, x, y) and plan.tiles[y, x] in kinds else ():
            ends = (x + dx, y + dy), (x - dx, y - dy)
            walls = rock(x + dy, y + dx) and rock(x - dy, y - dx)
            if walls and set(ends) <= ground and any(roomy(*end) for end in ends):
                found.append((x, y))
    return found


PLAIN = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.RUBBLE, Tile.MOSS)
SHUT = (Tile.DOOR, Tile.SECRET_DOOR, Tile.LOCKED_DOOR)


def near_door(plan, x, y):
    near = [(x + n * dx, y + n * dy) for dx, dy in FOUR for n in (1, 2)]
    inside = [(a, b) for a, b in near if 0 <= a < plan.width and 0 <= b < plan.height]
    return any(plan.tiles[b, a] in SHUT for a, b in inside)


def slow_doors(plan, rng, *, chance):
    hung = 0
    for x, y in doorways(plan, PLAIN):
        if rng.chance(chance) and not near_door(plan, x, y):
            plan.tiles[y, x] = Tile.DOOR
            hung += 1
    return [f"{pluralise(hung, 'door')} hung"] if hung else []


def slow_secrets(plan, rng, *, chance, at_most, hidden, worth, detour):
    ground = {spot for spot in cells(plan) if walkable(plan, *spot)}

    def reached():
        return next(part for part in parts(ground) if plan.start in part)

    now, told = reached(), []
    least = len(open_ground(plan)) * (1 - hidden)
    for x, y in rng.shuffled(doorways(plan, (*PLAIN, Tile.DOOR))):
        if len(told) == at_most * plan.scale:
            break
        if not rng.chance(chance) or (x, y) not in now or near_door(plan, x, y):
            continue
        ground.remove((x, y))
        rest = reached()
        lost = len(now) - 1 - len(rest)
        fine = lost >= worth
        if not lost:
            one, other = [(x + dx, y + dy) for dx, dy in FOUR if (x + dx, y + dy) in ground]
            ring, steps = {one}, 0
            seen = {one}
            while other not in seen:
                ring = {(a + dx, b + dy) for a, b in ring for dx, dy in FOUR} & ground - seen
                seen |= ring
                steps += 1
            fine = steps > detour
        if plan.exit in rest and len(rest) >= least and fine:
            plan.tiles[y, x] = Tile.SECRET_DOOR
            now = rest
            told.append(f"A secret door hides {pluralise(lost, 'tile') if lost else 'a shortcut'}")
        else:
            ground.add((x, y))
    return told


@pytest.mark.parametrize("seed", range(6))
def test_doors_are_hung_and_hidden_as_the_twins_do(seed):
    plan = Blueprint.solid(40, 28)
    run("binary_space_partition", plan, seed, min_leaf=6, rounds=6)
    run("loose_rooms_in_leaves", plan, seed)
    run("join_adjacent_leaves", plan, seed, loops=0.6)
    spots = rows(open_ground(plan))
    plan.start, plan.exit = Point(*spots[9]), Point(*spots[-9])
    assert_alike(doors, slow_doors, plan, seed, chance=(0.5, 1.0, 0.2)[seed % 3])
    for detour, worth in ((16, 6), (3, 0), (60, 30)):
        other = Blueprint(plan.tiles.copy(), start=plan.start, exit=plan.exit)
        assert_alike(
            secret_doors, slow_secrets, other, seed, chance=0.9, at_most=2 + seed, hidden=0.3,
            worth=worth, detour=detour,
        )  # fmt: skip
    assert_alike(doors, slow_doors, cave(seed, 30, 22), seed, chance=1.0)
