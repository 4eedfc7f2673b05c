"""Steps of wave function collapse against twins that say for each tile what may stand there."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile, openable_mask, terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.placement.painting import interior
from procgen.steps.wave_function_collapse import (
    AREA_PER_PATCH,
    _parted,
    _suits,
    decorate_rooms,
    wave_function_collapse,
)
from procgen.wfc.samples import sample
from procgen.wfc.wave import Contradiction
from procgen.wfc.wfc_map import UNSOLVED, WfcMap
from support.blueprints import run
from support.by_definition import FOUR, cells, parts
from support.step_twins import assert_alike, edge_of, walkable


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


def slow_wave(
    plan, rng, *, sample_map, pace, tiled, keep, frame, foothold, patches, restarts, otherwise
):
    constraints, rules = sample(sample_map, pace=pace, tiled=tiled), {}
    edge, high, wide = constraints.patterns.edge, plan.height, plan.width
    walks, closed = tuple(constraints.walkable), tuple(constraints.closed)
    if frame:
        others = (*walks, *(tile for tile in closed if tile != edge))
        rules = {(x, y): others for x, y in cells(plan) if edge_of(plan, x, y) >= frame}
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
        leave_out=otherwise == "leave", stages=5,
    )  # fmt: skip
    try:
        told = [f"Wave function collapse, stage {number}" for number, _ in enumerate(painting, 1)]
    except Contradiction:
        raise Rejected("") from None
    return [
        *told,
        (
            f"Collapsed: {pluralise(canvas.patches, 'neighbourhood')} solved again, "
            f"{pluralise(canvas.unsolved, 'place')} left unsolved"
        ),
    ]


@pytest.mark.parametrize(
    ("size", "given"),
    [
        ((30, 20), {"frame": 0, "foothold": 0}),
        ((30, 20), {"frame": 4, "foothold": 9, "pace": 1}),
        ((17, 23), {"frame": 30, "foothold": 5, "sample_map": "pools"}),
        ((26, 15), {"frame": 0, "foothold": 60, "patches": 3}),
        ((26, 21), {"frame": 5, "sample_map": "chambers", "pace": 4, "tiled": True, "patches": 2}),
        ((24, 18), {"keep": "shape", "otherwise": "leave", "patches": 1}),
    ],
)
def test_waves_collapse_under_the_rules_of_the_twin(size, given):
    common = {"sample_map": "ruins", "pace": 2, "tiled": False, "keep": "nothing", "frame": 0,
        "foothold": 0, "patches": 20, "restarts": 1, "otherwise": "leave"}  # fmt: skip
    for seed in range(3):
        plan = Blueprint.solid(*size)
        if given.get("keep") == "shape":
            run("wave_function_collapse", plan, seed, sample_map="pools", otherwise="leave")
        plan.start, plan.exit = Point(5, 6), Point(size[0] - 4, size[1] - 5)
        plan.rooms, plan.spawns = [RectangularRoom(8, 4, 3, 3)], [Spawn("rat", 3, 11)]
        assert_alike(wave_function_collapse, slow_wave, plan, seed, **common | given)


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
            told.append(f"Room {len(told) + 1} furnished like the sample {sample_map}")
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
        scratch, constraints, rules, rng, kept, patches=len(inner) // AREA_PER_PATCH, leave_out=True
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
    plain = interior(Blueprint(np.full((8, 12), Tile.FLOOR, np.uint8)))
    assert _suits(plain, RectangularRoom(*room), 4) == fits


@pytest.mark.parametrize(
    ("after", "spoiled"),
    [("11101", "00000"), ("10101", "11100"), ("11100", "00001"), ("10100", "11101"),
     ("01101", "00000"), ("00001", "11100"), ("00000", "11101")],
)  # fmt: skip
def test_a_region_is_parted_if_it_is_split_or_lost(after, spoiled):
    masks = [np.array([[digit == "1" for digit in row]]) for row in ("11101", after, spoiled)]
    assert (_parted(*masks[:2]) == masks[2]).all()
