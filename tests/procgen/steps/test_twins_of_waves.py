"""Steps of wave function collapse against twins that say for each tile what may stand there."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile, openable_mask, terrain
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.carving.region_links import cheapest_links, open_link
from procgen.steps import wave_function_collapse as wave_module
from procgen.steps.wave_function_collapse import (
    _awkward,
    join_in_pattern,
    wave_function_collapse,
)
from procgen.steps.wfc_furnish_rooms import (
    AREA_PER_PATCH,
    UNSOLVED,
    _parted,
    _suits,
    decorate_rooms,
)
from procgen.wfc.samples import sample
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import WfcMap
from support.blueprints import run
from support.by_definition import FOUR, cells, parts, speckled
from support.step_twins import assert_alike, edge_of, open_ground, walkable, widened


def paint(tiles, constraints, rules, rng, kept=(), **given):
    """Collapse ``tiles`` under ``rules``, the tiles that may stand at each (x, y)."""
    canvas = WfcMap(constraints, tiles)
    for allowed in sorted(set(rules.values())):
        mask = np.zeros(tiles.shape, bool)
        for x, y in (spot for spot in rules if rules[spot] == allowed):
            mask[y, x] = True
        canvas.allow(mask, allowed)
    if kept:
        mask = np.zeros(tiles.shape, bool)
        for x, y in kept:
            mask[y, x] = True
        canvas.keep(mask)
    return canvas, canvas.collapse(rng, **given)


def standing(plan):
    """Return where people stand or will, and things lie: these stay open."""
    taken = {tuple(room.center) for room in plan.rooms} | {(one.x, one.y) for one in plan.spawns}
    return taken | {tuple(point) for point in (plan.start, plan.exit) if point}


def slow_wave(plan, rng, *, sample_map, pace, keep, frame, foothold, patches, restarts, otherwise):
    constraints, rules = sample(sample_map, pace=pace), {}
    edge, high, wide = constraints.patterns.edge, plan.height, plan.width
    walks, closed = tuple(constraints.walkable), tuple(constraints.closed)
    if frame:
        above, before, below, behind = (
            rng.between(1, max(1, min(frame, side // 2 - 1))) for side in (high, wide, high, wide)
        )
        rows, columns = (above, high - below - 1), (before, wide - behind - 1)
        for x, y in cells(plan):
            if not (columns[0] <= x <= columns[1] and rows[0] <= y <= rows[1]):
                rules[x, y] = (edge,)
            elif x not in columns or y not in rows:
                rules[x, y] = (*walks, *(tile for tile in closed if tile != edge))
    if foothold:
        across, down = (max(1, (side - 2) // foothold) for side in (wide, high))
        for row, column in product(range(down), range(across)):
            x = 1 + (2 * column + 1) * (wide - 2) // (2 * across)
            x += rng.between(-(foothold // 4), foothold // 4)
            y = 1 + (2 * row + 1) * (high - 2) // (2 * down)
            y += rng.between(-(foothold // 4), foothold // 4)
            rules[max(1, min(x, wide - 2)), max(1, min(y, high - 2))] = walks
    if keep == "shape":
        for x, y in cells(plan):
            rules[x, y] = walks if walkable(plan, x, y) else closed
    rules |= dict.fromkeys(standing(plan), walks)
    rules |= {(x, y): (edge,) for x, y in cells(plan) if edge_of(plan, x, y) == 0}
    budget = max(min(patches, 1), (patches * wide * high + 1800) // 3600)
    canvas, painting = paint(
        plan.tiles, constraints, rules, rng, patches=budget, restarts=restarts,
        tear=otherwise == "leave", stages=5,
    )  # fmt: skip
    try:
        told = [f"The wave collapses, stage {number}" for number, _ in enumerate(painting, 1)]
    except Contradiction:
        if otherwise == "reject":
            raise Rejected("") from None
        return None
    return [*told, f"The wave has collapsed, {canvas.patches} spots solved anew"]


@pytest.mark.parametrize(
    ("size", "given"),
    [
        ((30, 20), {"frame": 0, "foothold": 0}),
        ((30, 20), {"frame": 4, "foothold": 9, "pace": 1}),
        ((17, 23), {"frame": 30, "foothold": 5, "sample_map": "pools"}),
        ((26, 15), {"frame": 0, "foothold": 60, "patches": 3}),
        ((24, 18), {"keep": "shape", "otherwise": "leave", "patches": 1}),
    ],
)
def test_waves_collapse_under_the_rules_of_the_twin(size, given):
    common = {"sample_map": "ruins", "pace": 2, "keep": "nothing", "frame": 0, "foothold": 0,
        "patches": 20, "restarts": 1, "otherwise": "leave"}  # fmt: skip
    for seed in range(3):
        plan = Blueprint.solid(*size)
        if given.get("keep") == "shape":
            run("wave_function_collapse", plan, seed, sample_map="pools", otherwise="leave")
        plan.start, plan.exit = Point(5, 6), Point(size[0] - 4, size[1] - 5)
        plan.rooms, plan.spawns = [RectangularRoom(8, 4, 3, 3)], [Spawn("rat", 3, 11)]
        assert_alike(wave_function_collapse, slow_wave, plan, seed, **common | given)


def is_open(ground, x, y):
    return 0 <= x < ground.shape[1] and 0 <= y < ground.shape[0] and bool(ground[y, x])


@pytest.mark.parametrize("length", [3, 5])
def test_rock_is_awkward_unless_deep_or_in_a_wall_that_is_straight_for_so_long(length):
    span = range(-(length // 2), length // 2 + 1)
    for seed, share in product(range(4), (0.02, 0.1, 0.5)):
        plan = speckled(seed, share)
        plan.tiles[4:8, 3:12] = Tile.FLOOR
        found = _awkward(plan.open, length)
        for x, y in cells(plan):
            fair = False
            for dx, dy in ((1, 0), (0, 1)):
                lines = [
                    [is_open(plan.open, x + n * dx + k * dy, y + n * dy + k * dx) for n in span]
                    for k in (-1, 0, 1)
                ]
                fair |= not any(lines[1]) and all(all(one) or not any(one) for one in lines)
            assert found[y, x] == (not fair), (x, y)


def slow_bury(plan, edge, below):
    ground = parts(open_ground(plan))
    most = min(below, sum(map(len, ground)) // 8)
    dear = {(x, y) for x, y in cells(plan) if plan.tiles[y, x] in wave_module.DEAR}
    largest = max(ground, key=lambda part: (len(part), -min((y, x) for x, y in part)[0]))
    small = [
        part for part in ground
        if len(part) < most and part is not largest and not part & (dear | standing(plan))
    ]  # fmt: skip
    if small:
        gone = set().union(*small)
        left = open_ground(plan) - gone
        for x, y in cells(plan):
            ways = sum((x + dx, y + dy) in left for dx, dy in FOUR)
            tile = plan.tiles[y, x]
            stopped = tile in (Tile.DOOR, Tile.SECRET_DOOR) and ways < 2
            furniture = tile in (Tile.PILLAR, Tile.STATUE, Tile.SHELF)
            if stopped or (furniture and not widened({(x, y)}, 1) & left):
                gone.add((x, y))
        for x, y in gone:
            plan.tiles[y, x] = edge
    return len(small)


def slow_join(plan, rng, *, sample_map, below, over_water, more, patches):
    if len(parts(open_ground(plan))) < 2:
        return []
    constraints = sample(sample_map)
    buried = slow_bury(plan, constraints.patterns.edge, below)
    told = [f"{buried} small regions filled"] if buried else []
    ground = open_ground(plan)
    if len(parts(ground)) < 2:
        return told
    labels = regions_of(plan)
    awkward = [_awkward(plan.open, length) for length in (3, 5)]
    cost = np.zeros(plan.tiles.shape, np.int32)
    for x, y in cells(plan):
        if (x, y) in ground:
            cost[y, x] = 1
        elif edge_of(plan, x, y):
            wet = plan.tiles[y, x] in (Tile.WATER, Tile.LAVA)
            cost[y, x] = 2 * (over_water if wet else 1) + 2 * awkward[0][y, x] + awkward[1][y, x]
    walks = constraints.walkable
    digs = Tile.TUNNEL if Tile.TUNNEL in walks else min(walks)
    dug, number = set(), 0
    for number, way in enumerate(cheapest_links(labels, cost, rng, more), 1):
        open_link(plan.tiles, way.tiles, digs)
        dug |= {tuple(tile) for tile in way.tiles}
        told.append(f"Way {number}: region {way.other} joined to region {way.one}")
    if not dug:
        return told
    ways = patches * number
    return [
        *told,
        f"The ways blend in, all but {slow_blend(plan, rng, constraints, dug, ways)} spots",
    ]


def regions_of(plan):
    labels = np.zeros(plan.tiles.shape, np.int32)
    firsts = sorted(parts(open_ground(plan)), key=lambda part: min((y, x) for x, y in part))
    for number, part in enumerate(firsts, 1):
        for x, y in part:
            labels[y, x] = number
    return labels


def slow_blend(plan, rng, constraints, dug, patches):
    known, before = {*constraints.walkable, *constraints.closed}, open_ground(plan)
    size = constraints.patterns.size
    shown = {window.tobytes() for window in constraints.patterns.windows}
    strange = set()
    for x, y in product(range(plan.width - size + 1), range(plan.height - size + 1)):
        tiles = set(product(range(x, x + size), range(y, y + size)))
        if tiles & dug and plan.tiles[y : y + size, x : x + size].tobytes() not in shown:
            strange |= tiles
    if not strange:
        return 0
    near = {
        (x, y) for x, y in strange - standing(plan)
        if edge_of(plan, x, y) > 0 and ((x, y) in dug or int(plan.tiles[y, x]) in known)
    }  # fmt: skip
    if not near:
        return 0
    left, top = (max(0, min(spot[axis] for spot in near) - size + 1) for axis in (0, 1))
    right, bottom = (max(spot[axis] for spot in near) + size - 1 for axis in (0, 1))
    was = plan.tiles.copy()
    window = plan.tiles[top : bottom + 1, left : right + 1]
    inside = {(x, y) for x, y in cells(plan) if left <= x <= right and top <= y <= bottom}
    rules = {(x - left, y - top): tuple(constraints.walkable) for x, y in before & inside}
    kept = {(x - left, y - top) for x, y in inside - near}
    canvas, painting = paint(window, constraints, rules, rng, kept, patches=patches, tear=True)
    for _ in painting:
        pass
    for part in parts(open_ground(plan)):
        if not part & before:
            for x, y in part:
                plan.tiles[y, x] = was[y, x]
    return canvas.unsolved


@pytest.mark.parametrize(
    ("sample_map", "below", "over_water", "more", "patches"),
    [("chambers", 0, 4, 0.0, 3), ("temple", 30, 1, 0.5, 0), ("temple", 12, 9, 1.0, 1)],
)  # fmt: skip
def test_regions_are_joined_in_pattern_as_the_twin_says(
    sample_map, below, over_water, more, patches
):
    for seed in range(4):
        plan = Blueprint.solid(38, 26)
        run("binary_space_partition", plan, seed, min_leaf=7)
        run("loose_rooms_in_leaves", plan, seed, smallest=0.3, least=2)
        plan.tiles[12:15, 4:30][plan.tiles[12:15, 4:30] == Tile.WALL] = Tile.WATER
        room = plan.rooms[1]
        plan.tiles[room.y, room.x] = (Tile.TREASURE, Tile.STATUE, Tile.DOOR, Tile.PILLAR)[seed]
        plan.tiles[plan.rooms[0].y - 1, plan.rooms[0].x] = Tile.DOOR
        plan.rooms, plan.start = plan.rooms[:1], plan.rooms[-1].center
        assert_alike(
            join_in_pattern, slow_join, plan, seed, sample_map=sample_map, below=below,
            over_water=over_water, more=more, patches=patches,
        )  # fmt: skip


def slow_decorated(plan, rng, *, sample_map, pace, share, smallest, tries):
    constraints, told = sample(sample_map, pace=pace), []
    marks, waiting = standing(plan), []
    for room in plan.rooms:
        spots = [(x, y) for x, y in cells(plan) if room.contains(x, y)]
        within = len(spots) == room.area and all(edge_of(plan, x, y) > 0 for x, y in spots)
        plain = all(plan.tiles[y, x] in (Tile.FLOOR, Tile.TUNNEL) for x, y in spots)
        if within and min(room.width, room.height) >= smallest and plain:
            waiting.append(room)
    waiting, wanted = rng.shuffled(waiting), int(len(plan.rooms) * share + 0.5)
    for _ in range(tries):
        left = wanted - len(told)
        rooms, waiting = waiting[:left], waiting[left:]
        if not rooms:
            break
        tiles, spoiled = slow_furniture(plan, rng, constraints, rooms, marks)
        for room in rooms:
            spots = [(x, y) for x, y in cells(plan) if room.contains(x, y)]
            if spoiled.intersection(spots):
                waiting.append(room)
                continue
            for x, y in spots:
                plan.tiles[y, x] = tiles[y, x]
            told.append(f"Room {len(told) + 1} furnished after {sample_map}")
    return told


def slow_furniture(plan, rng, constraints, rooms, marks):
    edge, rules, ground = constraints.patterns.edge, {}, plan.tiles.copy()
    inner = {(x, y) for x, y in cells(plan) if any(room.contains(x, y) for room in rooms)}
    bare = {(x, y) for x, y in inner if ground[y, x] == Tile.FLOOR}
    goods = tuple(tile for tile in constraints.closed if tile != edge)
    scratch = np.full(ground.shape, edge, np.uint8)
    for x, y in inner:
        around = [(x + dx, y + dy) for dx, dy in FOUR]
        doorway = any(openable_mask()[ground[b, a]] for a, b in around if (a, b) not in inner)
        if not terrain().walkable[ground[y, x]]:
            rules[x, y] = (edge,)
        elif (x, y) not in bare or doorway or (x, y) in marks:
            rules[x, y] = tuple(constraints.walkable)
        else:
            rules[x, y] = (*constraints.walkable, *goods)
        if (x, y) in bare:
            scratch[y, x] = UNSOLVED
    kept = set(cells(plan)) - inner
    painting = paint(
        scratch, constraints, rules, rng, kept, patches=len(inner) // AREA_PER_PATCH, tear=True
    )[1]
    for _ in painting:
        pass
    spoiled = {(x, y) for x, y in bare if scratch[y, x] == UNSOLVED}
    for x, y in bare - spoiled:
        ground[y, x] = scratch[y, x]
    before, after = (
        parts({(x, y) for x, y in inner if terrain().walkable[tiles[y, x]]})
        for tiles in (plan.tiles, ground)
    )
    for part in before:
        if sum(new <= part for new in after) != 1:
            spoiled |= part
    return ground, spoiled


@pytest.mark.parametrize(("sample_map", "pace"), [("chapel", 1), ("library", 2)])
@pytest.mark.parametrize(("share", "smallest", "tries"), [(0.5, 4, 2), (1.0, 2, 1), (0.1, 5, 3)])
def test_rooms_are_furnished_as_the_twin_says(sample_map, pace, share, smallest, tries):
    for seed in range(3):
        plan = Blueprint.solid(44, 30)
        run("binary_space_partition", plan, seed, min_leaf=8)
        run("loose_rooms_in_leaves", plan, seed, smallest=0.4)
        run("join_adjacent_leaves", plan, seed)
        run("doors", plan, seed, chance=0.5)
        for number, tile in enumerate((Tile.GRASS, Tile.PILLAR, Tile.TUNNEL)):
            room = plan.rooms[number]
            plan.tiles[room.y + room.height // 2, room.x + 1] = tile
        plan.start = Point(plan.rooms[-1].x, plan.rooms[-1].y)
        plan.rooms.append(RectangularRoom(38, 24, 6, 6))
        assert_alike(
            decorate_rooms, slow_decorated, plan, seed, sample_map=sample_map, pace=pace,
            share=share, smallest=smallest, tries=tries,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("room", "fits"),
    [((1, 1, 4, 4), True), ((0, 1, 4, 4), False), ((1, 0, 4, 4), False), ((7, 3, 4, 4), True),
     ((8, 3, 4, 4), False), ((7, 4, 4, 4), False), ((2, 2, 3, 5), False), ((2, 2, 5, 3), False)],
)  # fmt: skip
def test_a_room_that_suits_lies_off_the_border_and_is_large_enough(room, fits):
    plan = Blueprint(np.full((8, 12), Tile.FLOOR, np.uint8))
    assert _suits(plan, RectangularRoom(*room), 4) == fits


@pytest.mark.parametrize(
    ("after", "spoiled"),
    [("11101", "00000"), ("10101", "11100"), ("11100", "00001"), ("10100", "11101"),
     ("01101", "00000"), ("00001", "11100"), ("00000", "11101")],
)  # fmt: skip
def test_a_region_is_parted_if_it_is_split_or_lost(after, spoiled):
    masks = [np.array([[digit == "1" for digit in row]]) for row in ("11101", after, spoiled)]
    assert (_parted(*masks[:2]) == masks[2]).all()
