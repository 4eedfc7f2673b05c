"""Steps of towns against twins that do the same tile by tile, over many seeds and parameters."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.placement.safe_placement import FreeFloor
from procgen.steps.houses import build_houses
from procgen.steps.town import (
    enclose_town,
    green_blocks,
    lay_streets,
    market_square,
    open_gates,
    start_at_edge,
)
from support.blueprints import run
from support.step_twins import assert_alike, edge_of, rocky, walkable

MEADOW = (Tile.GRASS, Tile.FOREST)
AROUND = ((0, -1), (1, 0), (0, 1), (-1, 0))


def inner(room):
    return product(range(room.y, room.y + room.height), range(room.x, room.x + room.width))


def fill(plan, room, tile):
    for y, x in inner(room):
        plan.tiles[y, x] = tile


def streets(size=(44, 31), seed=1, **parameters):
    plan = Blueprint.solid(*size)
    run(enclose_town, plan, seed)
    run(lay_streets, plan, seed, **parameters)
    return plan


def slow_enclosure(plan, rng, *, outskirts, least, trees, vary):
    depth = outskirts if plan.width >= least and plan.height >= least else 0
    left, top, right, bottom = (max(rng.varied(depth, vary), min(depth, 2)) for _ in range(4))
    edge = 1 if depth else 0
    x1, y1 = left + edge, top + edge
    x2, y2 = plan.width - 1 - right - edge, plan.height - 1 - bottom - edge
    before = plan.tiles.copy()
    if depth:
        dice = rng.random_bytes(plan.height, plan.width)
        for y, x in product(range(plan.height), range(plan.width)):
            outside = not (x1 <= x <= x2 and y1 <= y <= y2)
            if outside and edge_of(plan, x, y) and before[y, x] == Tile.WALL:
                wooded = int(dice[y, x]) < round(trees * 256)
                plan.tiles[y, x] = Tile.FOREST if wooded else Tile.GRASS
    if x2 - x1 < 2 or y2 - y1 < 2:
        raise Rejected("")
    if depth >= 2:
        for x, y, dx, dy in product((x1, x2), (y1, y2), (-1, 0, 1), (-1, 0, 1)):
            if before[y + dy, x + dx] == Tile.WALL:
                plan.tiles[y + dy, x + dx] = Tile.WALL
    town = RectangularRoom(x1 + 1, y1 + 1, x2 - x1 - 1, y2 - y1 - 1)
    plan.leaves = [town]
    return [f"A town of {town.width} by {town.height} is marked out"]


@pytest.mark.parametrize("size", [(40, 30), (28, 28), (12, 9), (9, 12)])
@pytest.mark.parametrize(("outskirts", "least", "vary"), [(0, 5, 0.5), (1, 28, 0.0), (2, 9, 1.0),
    (3, 28, 0.0), (3, 29, 0.5), (4, 8, 0.8)])  # fmt: skip
def test_a_town_is_enclosed_as_its_twin_does(size, outskirts, least, vary):
    for seed in range(3):
        plan = Blueprint.solid(*size)
        plan.tiles[3:7, 2:9] = Tile.WATER
        assert_alike(
            enclose_town, slow_enclosure, plan, seed, outskirts=outskirts, least=least,
            trees=0.3, vary=vary,
        )  # fmt: skip


def slow_streets(plan, rng, *, avenues, avenue, lane, min_block, max_block):
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    told, plots = [], []

    def pave(room):
        for y, x in inner(room):
            if edge_of(plan, x, y) > 0 and plan.tiles[y, x] == Tile.WALL:
                plan.tiles[y, x] = Tile.ROAD

    for leaf in plan.leaves:
        within = leaf.grown(-lane)
        if within.width <= 0 or within.height <= 0:
            continue
        kept = set(inner(within))
        for y, x in inner(leaf):
            if (y, x) not in kept:
                pave(RectangularRoom(x, y, 1, 1))
        plots.append((within, 0))
        told.append("A lane around the town")
    blocks, laid = [], 0
    while plots:
        (plot, cuts), plots = plots[0], plots[1:]
        x, y, wide, high = plot.x, plot.y, plot.width, plot.height
        width = avenue if cuts < avenues else lane
        side = max(wide, high)
        if side <= max_block or side < 2 * min_block + width:
            blocks.append(plot)
            fill_regions(plan, plot, len(blocks))
            continue
        last = max(min_block, min(side - width - min_block, 2 * side // 3))
        at = rng.between(min(max(side // 3, min_block), last), last)
        if wide >= high:
            pave(RectangularRoom(x + at, y, width, high))
            halves = [RectangularRoom(x, y, at, high)]
            halves.append(RectangularRoom(x + at + width, y, wide - at - width, high))
        else:
            pave(RectangularRoom(x, y + at, wide, width))
            halves = [RectangularRoom(x, y, wide, at)]
            halves.append(RectangularRoom(x, y + at + width, wide, high - at - width))
        plots += [(half, cuts + 1) for half in halves]
        laid += 1
        if laid % plan.scale == 0:
            told.append("An avenue" if cuts < avenues else "A lane")
    plan.leaves = blocks
    return told


def fill_regions(plan, room, number):
    for y, x in inner(room):
        plan.regions[y, x] = number


@pytest.mark.parametrize(
    ("avenues", "avenue", "lane", "blocks"),
    [
        (2, 2, 1, (7, 15)),
        (0, 3, 2, (5, 9)),
        (1, 4, 1, (3, 8)),
        (3, 1, 3, (9, 9)),
        (1, 2, 5, (4, 6)),
    ],
)
@pytest.mark.parametrize("size", [(52, 40), (30, 40), (90, 81)])
def test_streets_are_laid_as_their_twin_does(size, avenues, avenue, lane, blocks):
    for seed in range(3):
        plan = Blueprint.solid(*size)
        plan.tiles[5, 3:20] = Tile.WATER
        third = size[1] // 3
        plan.leaves = [
            RectangularRoom(0, 0, size[0] // 2, size[1]),
            RectangularRoom(size[0] // 2 + 1, 2, size[0] // 2 - 1, third),
            RectangularRoom(size[0] // 2 + 1, third + 6, 10, 10),
        ]
        assert_alike(
            lay_streets, slow_streets, plan, seed, avenues=avenues, avenue=avenue, lane=lane,
            min_block=blocks[0], max_block=blocks[1],
        )  # fmt: skip


def slow_market(plan, rng, *, least, stalls):
    def away(leaf):
        x, y = leaf.center
        return abs(x - plan.width // 2) + abs(y - plan.height // 2)

    blocks = sorted((leaf for leaf in plan.leaves if rocky(plan, leaf)), key=away)
    if len(blocks) < 4:
        return []
    square = max(blocks[:3], key=lambda leaf: leaf.area)
    plan.leaves = [leaf for leaf in plan.leaves if leaf != square]
    fill(plan, square, Tile.ROAD)
    floor = FreeFloor(plan)
    x, y = square.center
    fountain = square.width >= least and square.height >= least
    if fountain:
        floor.place_blocking(x, y, Tile.STATUE)
        for dx, dy in (*AROUND, (1, -1), (1, 1), (-1, 1), (-1, -1)):
            floor.place_blocking(x + dx, y + dy, Tile.WATER)
    for row in range(1, square.height - 1, 2):
        for column in range(1, square.width - 2, 3):
            if rng.chance(min(stalls, 1 / 3) * 3):
                for x in (square.x + column, square.x + column + 1):
                    floor.place_walkable(x, square.y + row, Tile.CARPET)
    return ["The market square", "A fountain"][: 1 + fountain]


@pytest.mark.parametrize(("least", "stalls"), [(1, 0.1), (7, 0.24), (9, 0.4)])
def test_a_market_square_is_paved_as_its_twin_does(least, stalls):
    for seed in range(8):
        plan = streets((70, 45), seed, min_block=4 + seed % 4)
        plan.tiles[plan.leaves[0].y, plan.leaves[0].x] = Tile.WATER
        plan.leaves += [RectangularRoom(0, 0, 1, 1), RectangularRoom(68, 43, 2, 2)]
        assert_alike(market_square, slow_market, plan, seed, least=least, stalls=stalls)
    bare = Blueprint.solid(50, 40)
    bare.leaves = [RectangularRoom(x, y, 5, 5) for x, y in ((0, 5), (9, 0), (45, 9), (9, 35))]
    bare.leaves += [RectangularRoom(x, 20, 5, 6) for x in (1, 20, 26)]
    assert_alike(market_square, slow_market, bare, least=least, stalls=stalls)
    assert len(bare.leaves) == 7, "four lie on the border, so there are only three"
    bare.leaves.append(RectangularRoom(44, 33, 5, 6))
    assert_alike(market_square, slow_market, bare, least=least, stalls=stalls)
    assert len(bare.leaves) == 7


def slow_greens(plan, rng, *, share, trees, ponds):
    blocks = rng.shuffled([leaf for leaf in plan.leaves if rocky(plan, leaf)])
    blocks, told = blocks[: int(len(blocks) * share + 0.5)], []
    plan.leaves = [leaf for leaf in plan.leaves if leaf not in blocks]
    for block in blocks:
        dice = rng.random_bytes(block.height, block.width)
        for y, x in inner(block):
            wooded = int(dice[y - block.y, x - block.x]) < int(trees * 256 + 0.5)
            plan.tiles[y, x] = Tile.FOREST if wooded else Tile.GRASS
        if rng.chance(ponds) and block.width > 5 and block.height > 5:
            told.append("A garden with a pond")
            wide, high = block.width - 4, block.height - 4
            for y, x in product(range(high), range(wide)):
                away = ((x + 0.5 - wide / 2) / wide * 2) ** 2 + (
                    (y + 0.5 - high / 2) / high * 2
                ) ** 2
                if away <= 1 + 1e-9:
                    tile = Tile.SHALLOWS if away > 0.5 + 1e-9 else Tile.WATER
                    plan.tiles[block.y + 2 + y, block.x + 2 + x] = tile
        else:
            told.append("A garden with a shrine")
            plan.tiles[block.center[::-1]] = Tile.SHRINE
    return told


@pytest.mark.parametrize(
    ("share", "trees", "ponds"), [(0.15, 0.2, 0.5), (0.5, 0.0, 1.0), (1.0, 0.7, 0.3), (0.4, 1.0, 0)]
)
def test_gardens_are_laid_out_as_their_twin_does(share, trees, ponds):
    for seed in range(4):
        plan = streets(seed=seed, min_block=4 + seed)
        plan.leaves.append(RectangularRoom(0, 0, 3, 3))
        assert_alike(green_blocks, slow_greens, plan, seed, share=share, trees=trees, ponds=ponds)


def slow_gates(plan, rng, *, gates):
    told = []
    for dx, dy in rng.shuffled(AROUND):
        if len(told) == gates:
            break
        fair, best = [], []
        for y, x in product(range(1, plan.height - 1), range(1, plan.width - 1)):
            within = [(x - n * dx, y - n * dy) for n in (1, 2, 3)]
            tiles = [plan.tiles[b % plan.height, a % plan.width] for a, b in within]
            if plan.tiles[y, x] == Tile.WALL and plan.tiles[y + dy, x + dx] in MEADOW:
                fair += [(x, y)] * bool(tiles[0] == Tile.ROAD)
                best += [(x, y)] * (tiles == [Tile.ROAD] * 3)
        if not fair:
            continue
        x, y = rng.pick(best or fair)
        while edge_of(plan, x, y) > 0:
            if plan.tiles[y, x] in MEADOW or not walkable(plan, x, y):
                plan.tiles[y, x] = Tile.ROAD
            x, y = x + dx, y + dy
        told.append(f"Gate {len(told) + 1}")
    return told


@pytest.mark.parametrize("gates", [0, 1, 3, 9])
def test_gates_are_broken_as_their_twin_does(gates):
    for seed in range(8):
        plan = streets(seed=seed, lane=1 + seed % 3)
        plan.tiles[2, ::5] = Tile.BRIDGE
        if seed % 2:
            plan.tiles[plan.leaves[0].y :, 6] = Tile.ROAD
            plan.tiles[7, 4:20] = Tile.WALL
        assert_alike(open_gates, slow_gates, plan, seed, gates=gates)


def slow_start(plan, rng, *, on):
    def free(x, y):
        tile = plan.tiles[y, x]
        return walkable(plan, x, y) and tile != Tile.DOOR and (x, y) not in plan.marks

    named = [int(getattr(Tile, name.upper())) for name in on]
    cells = [(x, y) for y, x in product(range(plan.height), range(plan.width)) if free(x, y)]
    cells = [(x, y) for x, y in cells if plan.tiles[y, x] in named] or cells
    if not cells:
        raise Rejected("")
    least = min(edge_of(plan, x, y) for x, y in cells)
    plan.start = Point(*rng.pick([cell for cell in cells if edge_of(plan, *cell) == least]))
    return ["Start at the edge of the map"]


@pytest.mark.parametrize("on", [("road",), ("floor", "carpet"), ("lava",), ()])
def test_the_start_lies_at_the_edge_as_its_twin_says(on):
    for seed in range(12):
        rng = np.random.default_rng(seed)
        plan = Blueprint.solid(9, 8)
        kinds = [Tile.WALL, Tile.FLOOR, Tile.ROAD, Tile.DOOR, Tile.GRASS]
        tiles = rng.choice(kinds, (8, 9), p=[0.5, 0.1, 0.1, 0.2, 0.1])
        plan.tiles[:] = (
            tiles if seed > 5 else np.where(np.pad(np.ones((4, 5)), 2), tiles, Tile.WALL)
        )
        plan.exit = Point(4, 3)
        assert_alike(start_at_edge, slow_start, plan, seed, on=on)
    assert_alike(start_at_edge, slow_start, Blueprint.solid(5, 5), on=on)


def slow_houses(plan, rng, *, least, most, grand, yards, second_door):
    least, houses, told = max(3, least), [], []
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for number, block in enumerate(plan.leaves):
        if any(plan.tiles[y, x] != Tile.WALL for y, x in inner(block)):
            continue
        done, todo = ([block], []) if rng.chance(grand) else ([], [block])
        rim = set(inner(block)) - set(inner(block.grown(-1)))
        while todo:
            plot = todo.pop()
            sides = [("x", plot.width), ("y", plot.height)]
            if plot.width < plot.height:
                sides.reverse()
            halves = []
            for axis, side in sides:
                if not halves and side > most and side + 1 >= 2 * least:
                    at = rng.between(least, side - least + 1)
                    halves = [
                        RectangularRoom(plot.x, plot.y, at, plot.height),
                        RectangularRoom(plot.x + at - 1, plot.y, side - at + 1, plot.height),
                    ] if axis == "x" else [
                        RectangularRoom(plot.x, plot.y, plot.width, at),
                        RectangularRoom(plot.x, plot.y + at - 1, plot.width, side - at + 1),
                    ]  # fmt: skip
            if halves and all(rim & set(inner(half)) for half in halves):
                todo += halves
            else:
                done.append(plot)
        for plot in done:
            room = plot.grown(-1)
            sides = []
            for dx, dy, wall in room.walls() if room.width > 0 and room.height > 0 else []:
                spots = [
                    (x, y) for x, y in wall
                    if edge_of(plan, x, y) > 0
                    and walkable(plan, x + dx, y + dy)
                    and not plan.regions[y + dy, x + dx]
                ]  # fmt: skip
                sides += [spots] if spots else []
            if not sides:
                continue
            yard = len(done) > 1 and rng.chance(yards)
            fill(plan, room, Tile.GRASS if yard else Tile.FLOOR)
            if yard:
                dice = rng.random_bytes(room.height, room.width)
                for y, x in np.argwhere(dice < 40).tolist():
                    plan.tiles[room.y + y, room.x + x] = Tile.FOREST
            for spots in rng.shuffled(sides)[: 2 if rng.chance(second_door) else 1]:
                x, y = rng.pick(spots)
                plan.tiles[y, x] = Tile.GRASS if yard else Tile.DOOR
            plan.rooms.append(room)
            houses.append(plot)
            fill_regions(plan, plot, len(houses))
        if number % plan.scale == 0:
            told.append(pluralise(len(houses), "house"))
    if not houses:
        raise Rejected("")
    plan.leaves = houses
    return [*told, f"{pluralise(len(houses), 'house')} in all"]


@pytest.mark.parametrize(
    ("least", "most", "grand", "yards", "second"),
    [(5, 9, 0.12, 0.12, 0.25), (1, 3, 0.0, 0.5, 1.0), (4, 6, 0.5, 1.0, 0.0), (6, 7, 0.0, 0.0, 0.5)],
)
@pytest.mark.parametrize("size", [(44, 31), (100, 75)])
def test_houses_are_built_as_their_twin_does(least, most, grand, yards, second, size):
    for seed in range(3):
        plan = streets(size, seed, min_block=3 + seed)
        plan.tiles[plan.leaves[1].inner] = Tile.WATER
        plan.leaves += [RectangularRoom(0, 0, 2, 2)]
        assert_alike(
            build_houses, slow_houses, plan, seed, least=least, most=most, grand=grand,
            yards=yards, second_door=second,
        )  # fmt: skip
    solid = Blueprint.solid(20, 20)
    solid.leaves = [RectangularRoom(3, 3, 9, 9)]
    assert_alike(
        build_houses, slow_houses, solid, least=least, most=most, grand=grand, yards=yards,
        second_door=second,
    )  # fmt: skip
