"""Steps of ruins, halls, landmarks and inner walls against twins, tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.placement.painting import protected
from procgen.placement.safe_placement import FreeFloor
from procgen.steps.inner_walls import divide_rooms, wall_off
from procgen.steps.landmarks import landmark_drawings, landmarks
from procgen.steps.ruins_and_pillars import colonnades, ruin_rooms
from support.blueprints import CHARS, cave, run, with_rooms
from support.by_definition import EIGHT, FOUR, cells, is_open, parts
from support.step_twins import assert_alike, edge_of, touching, walkable


def dungeon(seed=1, size=(44, 31)):
    """Return rooms in a row of leaves, joined by tunnels."""
    plan = Blueprint.solid(*size)
    run("binary_space_partition", plan, seed, min_leaf=8)
    run("loose_rooms_in_leaves", plan, seed)
    run("join_rooms_in_order", plan, seed)
    return plan


def slow_ruins(plan, rng, *, share, decay, overgrown):
    floor, told = FreeFloor(plan), []
    rooms = rng.shuffled(plan.rooms)
    for number, room in enumerate(rooms[: int(len(rooms) * share + 0.5)]):
        xs, ys = range(room.x, room.x + room.width), range(room.y, room.y + room.height)
        beside = [(x, y, 0, dy) for x in xs for y, dy in ((ys[0], -1), (ys[-1], 1))]
        beside += [(x, y, dx, 0) for y in ys for x, dx in ((xs[0], -1), (xs[-1], 1))]
        walls = []
        for x, y, dx, dy in beside:
            rock = plan.tiles[y + dy, x + dx] == Tile.WALL
            if walkable(plan, x, y) and edge_of(plan, x + dx, y + dy) and rock:
                walls.append((x + dx, y + dy))
        for x, y in [place for place in walls if rng.chance(decay)]:
            plan.tiles[y, x] = Tile.RUBBLE
        dice = rng.random_bytes(room.height, room.width).tolist()
        for y, x in product(ys, xs):
            die = dice[y - room.y][x - room.x]
            if die < int(overgrown * 256 + 0.5):
                floor.place_walkable(x, y, Tile.GRASS)
            elif die >= 224:
                floor.place_walkable(x, y, Tile.RUBBLE)
        if number % plan.scale == 0:
            told.append(f"Ruin {number + 1}")
    return told


@pytest.mark.parametrize(
    ("share", "decay", "overgrown"),
    [(0.12, 0.45, 0.4), (0.5, 1.0, 0.0), (1.0, 0.0, 0.95), (0.7, 0.6, 0.001)],
)
def test_rooms_fall_into_ruin_as_their_twin_says(share, decay, overgrown):
    for seed in range(4):
        plan = dungeon(seed)
        for number, room in enumerate(plan.rooms):
            plan.tiles[room.y, room.x] = (Tile.PILLAR, Tile.WATER, Tile.FLOOR)[number % 3]
        assert_alike(
            ruin_rooms, slow_ruins, plan, seed, share=share, decay=decay, overgrown=overgrown
        )
    edge = with_rooms((1, 1, 38, 18))
    assert_alike(ruin_rooms, slow_ruins, edge, share=1.0, decay=1.0, overgrown=overgrown)
    large = dungeon(1, (100, 80))
    assert_alike(ruin_rooms, slow_ruins, large, share=share, decay=decay, overgrown=overgrown)


def slow_colonnades(plan, rng, *, share, least, carpets, spacing):
    floor, told, done = FreeFloor(plan), [], 0
    for room in plan.rooms:
        if room.width < least or room.height < least or not rng.chance(share):
            continue
        if any(plan.tiles[y, x] != Tile.FLOOR for y, x in product(*ranges(room))):
            continue
        carpet, pillars, laid = rng.chance(carpets), 0, 0
        ys, xs = ranges(room)
        long, short = (xs, ys) if room.width >= room.height else (ys, xs)
        rows = range((len(long) - 3) // spacing + 1)
        left_over = len(long) - 3 - spacing * rows[-1]
        for at in [1 + left_over // 2 + spacing * n for n in rows if left_over % 2 == 0]:
            for side in (short[1], short[-2]):
                x, y = (long[at], side) if long is xs else (side, long[at])
                pillars += floor.place_blocking(x, y, Tile.PILLAR)
        if carpet:
            for y, x in product(ys[2:-2], xs[2:-2]):
                laid += floor.place_walkable(x, y, Tile.CARPET)
        if done % plan.scale == 0 and pillars:
            told.append(f"{pluralise(pillars, 'pillar')}{' around a carpet' * bool(laid)}")
        elif done % plan.scale == 0 and laid:
            told.append("A carpet")
        done += 1
    return told


def ranges(room):
    return range(room.y, room.y + room.height), range(room.x, room.x + room.width)


@pytest.mark.parametrize("spacing", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("least", [3, 5, 7])
def test_colonnades_are_raised_as_their_twin_does(least, spacing):
    for seed in range(4):
        sides = np.random.default_rng(seed).integers(3, 12, (9, 2)).tolist()
        rooms = [(1 + n % 3 * 13, 1 + n // 3 * 13, *side) for n, side in enumerate(sides)]
        for size in ((40, 40), (90, 85)):
            plan = with_rooms(*rooms, size=size)
            plan.tiles[plan.rooms[4].center[::-1]] = Tile.MOSS
            plan.tiles[plan.rooms[0].y - 1, plan.rooms[0].x + 2] = Tile.DOOR
            assert_alike(
                colonnades, slow_colonnades, plan, seed, share=0.7, least=least, carpets=0.5,
                spacing=spacing,
            )  # fmt: skip


def slow_division(plan, rng, *, chance, larger_than, least, on):
    named = [int(getattr(Tile, name.upper())) for name in on]
    ok = {(x, y) for x, y in cells(plan) if plan.tiles[y, x] in named} - set(plan.marks)
    todo, finished, told, walls = list(plan.rooms), [], [], 0
    while todo:
        room, *todo = todo
        ys, xs = ranges(room)
        halves = []
        plain = all(spot in ok for spot in product(xs, ys))
        if len(xs) * len(ys) > larger_than and plain and rng.chance(chance):
            upright = len(xs) >= len(ys)
            long, short = (xs, ys) if upright else (ys, xs)
            lines = [
                [(at, side) if upright else (side, at)
                 for side in (short[0] - 1, *short, short[-1] + 1)]
                for at in long
            ]  # fmt: skip
            fit = [
                at for at in range(least, len(long) - least)
                if not any(
                    walkable(plan, x, y) or plan.tiles[y, x] == Tile.SECRET_DOOR
                    for x, y in (lines[at][0], lines[at][-1])
                )
            ]  # fmt: skip
            if fit:
                at, gap = rng.pick(fit), rng.below(len(short))
                for number, (x, y) in enumerate(lines[at][1:-1]):
                    plan.tiles[y, x] = Tile.DOOR if number == gap else Tile.WALL
                    ok -= set() if number == gap else {(x, y)}
                one, other = long[:at], long[at + 1 :]
                halves = [
                    RectangularRoom(part[0], ys[0], len(part), len(ys)) if upright
                    else RectangularRoom(xs[0], part[0], len(xs), len(part))
                    for part in (one, other)
                ]  # fmt: skip
        if not halves:
            finished.append(room)
            continue
        todo = halves + todo
        walls += 1
        if walls % (8 * plan.scale) == 1:
            told.append(pluralise(walls, "inner wall"))
    kept = [room for room in finished if is_open(plan, *room.center)]
    plan.rooms = kept or finished
    return told


@pytest.mark.parametrize(
    ("chance", "larger", "least", "on"),
    [(1.0, 24, 2, ("floor",)), (1.0, 11, 1, ("floor", "moss")), (0.6, 12, 3, ("floor",)),
     (1.0, 8, 1, ("moss",))],
)  # fmt: skip
def test_rooms_are_divided_as_their_twin_does(chance, larger, least, on):
    for seed in range(4):
        plan = dungeon(seed)
        for number, room in enumerate(plan.rooms):
            if number % 3 == 1:
                plan.tiles[room.inner] = Tile.MOSS
            if number % 4 == 2:
                plan.tiles[room.y - 1, room.x : room.x + 3] = Tile.SECRET_DOOR
        plan.start = plan.rooms[0].center
        for one in (plan, with_rooms((1, 1, 38, 8), (1, 11, 38, 7)), dungeon(seed, (100, 80))):
            assert_alike(
                divide_rooms, slow_division, one, seed, chance=chance, larger_than=larger,
                least=least, on=on,
            )  # fmt: skip


def slow_walling(plan, rng, *, radius, stray, rubble, on):
    named = [int(getattr(Tile, name.upper())) for name in on]
    doors = {(x, y) for x, y in cells(plan) if plan.tiles[y, x] == Tile.DOOR}
    near_door = {(x + dx, y + dy) for x, y in doors for dx, dy in (*EIGHT, (0, 0))}
    may = {(x, y) for x, y in cells(plan) if edge_of(plan, x, y) and plan.tiles[y, x] in named}
    may -= near_door | set(plan.marks)
    told = []
    for number, room in enumerate(plan.rooms, 1):
        wall = next(
            (wall for wall in candidates(plan, may, room.center, radius, stray)
             if slow_build(plan, wall, rng)), None
        )  # fmt: skip
        if not wall:
            continue
        may -= wall
        dice = rng.random_bytes(plan.height, plan.width).tolist()
        for x, y in may:
            beside = any(max(abs(x - a), abs(y - b)) <= 2 for a, b in wall)
            if beside and dice[y][x] < int(rubble * 256 + 0.5):
                plan.tiles[y, x] = Tile.RUBBLE
        told.append(f"Wall {number}: {pluralise(len(wall), 'tile')}")
    return told


def steps_from(ground, start):
    steps, ring, number = {start: 0}, {start}, 0
    while ring:
        number += 1
        ring = {(x + dx, y + dy) for x, y in ring for dx, dy in EIGHT} & ground - steps.keys()
        steps |= dict.fromkeys(ring, number)
    return steps


def candidates(plan, may, center, radius, stray):
    ground = {(x, y) for x, y in cells(plan) if is_open(plan, x, y)}
    ground = {(x, y) for x, y in ground if plan.open[y, x]}

    def far(tile):
        return (tile[0] - center.x) ** 2 + (tile[1] - center.y) ** 2

    across = {tile: tile[0] - center.x for tile in ground}
    along = {tile: tile[1] - center.y for tile in ground}
    straight, bent = [across, along], []
    if plan.start and center in ground:
        steps = steps_from(ground, tuple(plan.start))
        if center in steps:
            bent = [{tile: n - steps[center] for tile, n in steps.items()}]
        else:
            bent = [dict.fromkeys(ground - steps.keys(), 0)]
        if abs(center.x - plan.start.x) < abs(center.y - plan.start.y):
            straight.reverse()
    for fields, off in product((straight, bent), sorted(range(-stray, stray + 1), key=abs)):
        for field in fields:
            line = {tile for tile in ground if field.get(tile) == off}
            if not line:
                continue
            nearest = min(line, key=lambda tile: (far(tile), tile[1], tile[0]))
            (wall,) = [part for part in touching(line) if nearest in part]
            if all(tile in may and far(tile) <= radius * (radius + 1) for tile in wall):
                yield wall


def slow_build(plan, wall, rng):
    ground = {(x, y) for x, y in cells(plan) if plan.open[y, x]}
    doors = []
    for x, y in sorted(wall, key=lambda tile: tile[::-1]):
        shut = [
            not plan.contains(x + dx, y + dy)
            or (x + dx, y + dy) in wall
            or (x + dx, y + dy) not in ground
            for dx, dy in FOUR
        ]
        if (shut[0] and shut[2]) != (shut[1] and shut[3]):
            doors.append((x, y))
    start = plan.start or (0, 0)
    order = sorted(
        rng.shuffled(doors), key=lambda at: -((at[0] - start[0]) ** 2 + (at[1] - start[1]) ** 2)
    )
    for door in order[:4]:
        left = ground - wall | {door}
        if all(
            sum(bool(part & home) for part in split(left)) <= 1
            for split in (parts, touching)
            for home in split(ground)
        ):
            for x, y in wall:
                plan.tiles[y, x] = Tile.DOOR if (x, y) == door else Tile.WALL
            return True
    return False


@pytest.mark.parametrize(
    ("radius", "stray", "rubble", "on"),
    [(7, 2, 0.3, ("floor",)), (4, 0, 0.0, ("floor", "tunnel")), (9, 1, 1.0, ("floor", "moss"))],
)
def test_ground_is_walled_off_as_the_twin_does(radius, stray, rubble, on):
    for seed in range(5):
        plan = dungeon(seed, (33, 23)) if seed % 2 else cave(seed, 33, 23)
        if not plan.rooms:
            spots = np.argwhere(plan.open)[3 + seed :: 29].tolist()
            plan.rooms = [RectangularRoom(x, y, 1, 1) for y, x in spots]
        if seed:
            plan.start = Point(*np.argwhere(plan.open)[seed].tolist()[::-1])
        plan.spawns = [Spawn("rat", *np.argwhere(plan.open)[-seed - 1].tolist()[::-1])]
        plan.tiles[plan.rooms[-1].inner] = Tile.MOSS
        plan.tiles[2, 2] = Tile.DOOR
        assert_alike(
            wall_off, slow_walling, plan, seed, radius=radius, stray=stray, rubble=rubble, on=on
        )


def slow_landmarks(plan, rng, *, number, kinds, on, crumble, apart):
    named = [int(getattr(Tile, name.upper())) for name in on]
    kept = protected(plan)
    free = {
        (x, y) for x, y in cells(plan)
        if plan.tiles[y, x] in named and edge_of(plan, x, y) and not kept[y, x]
    }  # fmt: skip
    ground = {(x, y) for x, y in cells(plan) if plan.open[y, x]}
    queue, told = [], []
    scaled = max(min(number, 1), int(number * plan.width * plan.height / 3600 + 0.5))
    for _ in range(scaled if kinds else 0):
        queue = queue or rng.shuffled(kinds)
        kind = queue.pop()
        rows = [list(row) for row in landmark_drawings()[kind]]
        dice = rng.random_bytes(len(rows), len(rows[0]))
        for y, x in product(range(len(rows)), range(len(rows[0]))):
            if rows[y][x] == "#" and dice[y, x] < int(crumble * 256 + 0.5):
                rows[y][x] = ":"
        for _ in range(rng.below(4)):  # A quarter to the left each time.
            rows = [list(column) for column in zip(*rows, strict=True)][::-1]
        if rng.chance(0.5):
            rows = [row[::-1] for row in rows]
        high, wide = len(rows), len(rows[0])
        top = rng.between(0, max(0, plan.height - 100))
        left = rng.between(0, max(0, plan.width - 100))
        spots = [
            (x, y)
            for y in range(top, min(plan.height, top + 100) - high + 1)
            for x in range(left, min(plan.width, left + 100) - wide + 1)
            if all((x + dx, y + dy) in free for dy in range(high) for dx in range(wide))
        ]
        if not spots:
            continue
        x, y = rng.pick(spots)
        drawn = {
            (x + dx, y + dy): CHARS[char]
            for dy, row in enumerate(rows) for dx, char in enumerate(row) if char != " "
        }  # fmt: skip
        box = set(product(range(x, x + wide), range(y, y + high)))
        shut = {tile for tile in box if not walks(drawn.get(tile, plan.tiles[tile[::-1]]))}
        closed = shut & ground
        beside = {(a + dx, b + dy) for a, b in closed for dx, dy in FOUR} & ground - closed
        touched = sum(not beside.isdisjoint(part) for part in parts(ground - closed))
        if closed and touched != 1:
            continue
        for (a, b), tile in drawn.items():
            plan.tiles[b, a] = tile
        ground -= shut
        free -= set(product(range(x - apart, x + wide + apart), range(y - apart, y + high + apart)))
        told.append(f"A landmark: {kind}")
    return told


def walks(tile):
    return walkable(Blueprint(np.array([[tile]], np.uint8)), 0, 0)


@pytest.mark.parametrize(
    ("number", "crumble", "apart", "on"),
    [(3, 0.2, 8, ("floor", "grass")), (12, 0.0, 0, ("floor",)), (9, 1.0, 3, ("grass", "floor"))],
)
def test_landmarks_are_built_as_their_twin_does(number, crumble, apart, on):
    kinds = tuple(landmark_drawings())
    for seed in range(3):
        plan = cave(seed, 60, 44)
        plan.tiles[3:30, 5:30] = Tile.GRASS
        plan.start = Point(12, 12)
        some = kinds[seed:] if seed else kinds
        assert_alike(
            landmarks, slow_landmarks, plan, seed, number=number, kinds=some, on=on,
            crumble=crumble, apart=apart,
        )  # fmt: skip
    wide = Blueprint.solid(107, 20)
    wide.tiles[3:-3, 2:-2] = Tile.FLOOR
    for several in (kinds, ()):
        assert_alike(
            landmarks, slow_landmarks, wide, number=number, kinds=several, on=on,
            crumble=crumble, apart=apart,
        )  # fmt: skip
