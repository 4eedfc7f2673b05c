"""Furniture, ruins, plots and treasure against their promises, tile by tile."""

from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from entities.seed_kinds import GroundShape
from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.analysis.chokepoints import structure_of
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected, Spawn
from procgen.placement.lairs import scatter_signs
from procgen.placement.room_sites import CLEARINGS, find_sites
from procgen.placement.safe_placement import FreeFloor, can_close
from procgen.plot_ground import BARE, ground_shape
from procgen.rng import Rng
from procgen.steps.great_hall import _place as hall_place
from procgen.steps.great_hall import _ways_in
from procgen.steps.ruins_and_pillars import _walls
from procgen.steps.start_and_exit import furthest_free
from support.blueprints import drawn, field, run, text, with_rooms
from support.by_definition import EIGHT, FOUR, cells, parts, speckled

seeds = pytest.mark.parametrize("seed", range(4))


@seeds
def test_a_tile_can_be_closed_if_the_ways_beside_it_meet_in_the_ring_around_it(seed):
    plan = speckled(seed, 0.7)
    open_tiles = plan.open
    for x, y in cells(plan):
        if plan.inside(x, y):
            ring = {(x + dx, y + dy) for dx, dy in EIGHT if open_tiles[y + dy, x + dx]}
            ways = {(x + dx, y + dy) for dx, dy in FOUR} & ring
            joined = sum(not ways.isdisjoint(part) for part in parts(ring))
            assert can_close(open_tiles, x, y) == (joined <= 1), (x, y)


@seeds
def test_furniture_stands_only_where_it_may_and_once(seed):
    plan = speckled(seed, 0.8)
    plan.tiles[4, 5], plan.tiles[9, 12] = Tile.DOOR, Tile.SECRET_DOOR
    plan.rooms.append(RectangularRoom(13, 2, 5, 4))
    plan.start, plan.exit = Point(2, 2), Point(3, 11)
    plan.spawns.append(Spawn("rat", 8, 8))
    floor, before = FreeFloor(plan), plan.tiles.copy()
    stands = {(2, 2), (3, 11), (8, 8)}
    for x, y in cells(plan):
        free = plan.inside(x, y) and before[y, x] == Tile.FLOOR and (x, y) not in stands
        doors = any(
            before[y + dy, x + dx] in (Tile.DOOR, Tile.SECRET_DOOR)
            for dx, dy in EIGHT
            if 0 <= x + dx < plan.width and 0 <= y + dy < plan.height
        )
        assert floor.free[y, x] == free
        assert floor.may_block[y, x] == (free and not doors and (x, y) != plan.rooms[0].center)
    for x, y in cells(plan):
        if plan.inside(x, y):
            free = floor.free[y, x]
            assert floor.place_walkable(x, y, Tile.CARPET) == free
            assert not floor.place_walkable(x, y, Tile.CARPET)
            assert not floor.place_blocking(x, y, Tile.PILLAR)


@seeds
def test_the_furthest_free_tile_is_the_first_of_those_with_the_most_steps(seed):
    plan = speckled(seed, 0.75)
    x, y = next((x, y) for x, y in cells(plan) if plan.open[y, x])
    for _ in range(4):
        steps = distances(plan.open, x, y)
        stands = {(spawn.x, spawn.y) for spawn in plan.spawns}
        far = {
            (int(steps[b, a]), -b, -a)
            for a, b in cells(plan)
            if steps[b, a] < UNREACHED and (a, b) not in stands
        }
        most, b, a = max(far)
        if not most:
            with pytest.raises(Rejected, match="all is taken"):
                furthest_free(plan, Point(x, y), "all is taken")
            return
        assert furthest_free(plan, Point(x, y), "all is taken") == Point(-a, -b)
        plan.spawns.append(Spawn("rat", -a, -b))


@pytest.mark.parametrize(("decay", "overgrown"), [(0.0, 0.0), (1.0, 0.0), (0.0, 0.5), (0.0, 1.0)])
def test_a_ruin_is_strewn_inside_and_its_walls_come_down_by_their_share(decay, overgrown):
    plan = with_rooms((2, 3, 14, 11), (20, 4, 9, 8), (31, 2, 7, 5))
    before = plan.tiles.copy()
    run("ruin_rooms", plan, share=1.0, decay=decay, overgrown=overgrown)
    walls = {place for room in plan.rooms for place in _walls_of(plan, before, room)}
    counts = {Tile.GRASS: 0, Tile.RUBBLE: 0}
    for y, x in np.argwhere(plan.tiles != before).tolist():
        inside = any(room.contains(x, y) for room in plan.rooms)
        assert inside or (x, y) in walls, text(plan)
        counts[int(plan.tiles[y, x])] += inside
    area = sum(room.area for room in plan.rooms)
    fallen = sum(plan.tiles[y, x] == Tile.RUBBLE for x, y in walls)
    assert fallen == len(walls) * decay
    assert abs(counts[Tile.GRASS] - overgrown * area) < 30
    assert abs(counts[Tile.RUBBLE] - area / 8) < 25 or overgrown == 1.0


def _walls_of(plan, tiles, room):
    """Return the rock that shares a side with the walkable floor of ``room``, by definition."""
    inner = {(x, y) for x, y in cells(plan) if room.contains(x, y)}
    return {
        (x + dx, y + dy)
        for x, y in inner
        for dx, dy in FOUR
        if (x + dx, y + dy) not in inner
        and plan.inside(x + dx, y + dy)
        and tiles[y + dy, x + dx] == Tile.WALL
        and terrain().walkable[tiles[y, x]]
    }


@seeds
def test_the_walls_of_a_room_are_the_rock_that_shares_a_side_with_its_floor(seed):
    rng = np.random.default_rng(seed)
    plan = with_rooms((2, 3, 6, 5), (1, 1, 4, 3), (12, 6, 5, 7), size=(18, 14))
    plan.tiles[rng.random(plan.tiles.shape) < 0.2] = Tile.PILLAR
    for room in plan.rooms:
        found = list(_walls(plan, room))
        assert len(found) >= len(set(found)) == len(_walls_of(plan, plan.tiles, room))
        assert set(found) == _walls_of(plan, plan.tiles, room)


@seeds
def test_clearings_are_free_squares_two_tiles_apart_and_so_many_at_most(seed):
    plan = field()
    plan.tiles[np.random.default_rng(seed).random(plan.tiles.shape) < 0.01] = Tile.PILLAR
    plan.tiles[1:4, 1:3] = Tile.FLOOR
    structure = structure_of(plan)
    boxes = [site.box for site in find_sites(plan, structure, Rng(seed), least=9, most=60)]
    squares = [box for box in boxes if box.width == box.height]
    assert 3 < len(squares) <= CLEARINGS
    assert {box.width for box in squares} <= {3, 5, 7}
    for one, other in combinations(squares, 2):
        across = max(other.x - one.x - one.width, one.x - other.x - other.width)
        down = max(other.y - one.y - one.height, one.y - other.y - other.height)
        assert max(across, down) >= 2
    for box in squares:
        assert plan.open[box.inner].all()


BESIDE = (-1, 0, 1)


def plot(shape, radius, tiles, here, target):
    kind = SimpleNamespace(ground=shape, radius=radius)
    return ground_shape(kind, tiles, Point(*here), Point(*target))


@pytest.mark.parametrize("radius", [0, 1, 2, 4])
@pytest.mark.parametrize(
    ("here", "target"), [((2, 3), (15, 8)), ((9, 2), (9, 11)), ((4, 9), (4, 9))]
)
def test_a_disc_and_a_strip_are_the_tiles_within_their_radius(radius, here, target):
    tiles = np.zeros((14, 19), np.uint8)
    disc = plot(GroundShape.DISC, radius, tiles, here, target)
    strip = plot(GroundShape.LINE, radius, tiles, here, target)
    way = np.array(target, float) - here
    for y, x in product(range(14), range(19)):
        off = np.array((x, y), float) - here
        along = np.clip(off @ way / max(1.0, way @ way), 0, 1)
        assert disc[y, x] == ((x - target[0]) ** 2 + (y - target[1]) ** 2 < (radius + 0.5) ** 2)
        assert strip[y, x] == (np.hypot(*(off - along * way)) <= radius + 1e-9), (x, y)


@seeds
@pytest.mark.parametrize("radius", [1, 3, 9])
def test_the_room_of_a_plot_is_the_largest_rectangle_of_bare_ground_a_few_steps_off(seed, radius):
    tiles = speckled(seed, 0.9).tiles
    assert Tile.FLOOR in BARE
    for x, y in ((9, 7), (2, 2), (16, 11)):
        bare, part = {(a, b) for b, a in np.argwhere(tiles == Tile.FLOOR).tolist()}, {(x, y)}
        for _ in range(radius):
            part |= bare & {(a + dx, b + dy) for a, b in part for dx in BESIDE for dy in BESIDE}
        ys, xs = np.nonzero(plot(GroundShape.ROOM, radius, tiles, (1, 1), (x, y)))
        left, right, top, bottom = xs.min(), xs.max(), ys.min(), ys.max()
        assert len(xs) == (right - left + 1) * (bottom - top + 1)
        assert set(zip(xs.tolist(), ys.tolist(), strict=True)) <= part
        areas = [
            (right - left) * (bottom - top)
            for left, right in combinations(range(20), 2)
            for top, bottom in combinations(range(15), 2)
            if part.issuperset(product(range(left, right), range(top, bottom)))
        ]
        assert len(xs) == max(areas)


@pytest.mark.parametrize("apart", [1, 3, 8])
def test_landmarks_keep_their_distance(apart):
    for seed in range(3):
        plan = field(width=80, height=45)
        before = plan.tiles.copy()
        said = run("landmarks", plan, seed, number=6, apart=apart, crumble=0.0, kinds=("obelisk",))
        assert len(said) == 6
        built = parts(binary_dilation(plan.tiles != before, np.ones((3, 3))))
        if apart > 1:
            assert len(built) == 6
        for one, other in combinations([np.array(sorted(part)) for part in built], 2):
            gap = np.abs(one[:, None] - other[None]).max(2).min() - 1
            assert gap + 2 >= apart


@pytest.mark.parametrize(("width", "height"), [(40, 30), (41, 33), (80, 45), (20, 15)])
@pytest.mark.parametrize(("wide", "high"), [(0.0, 0.0), (0.3, 0.5), (1.0, 1.0)])
def test_a_great_hall_lies_as_far_from_the_left_as_from_the_right(width, height, wide, high):
    hall = hall_place(Blueprint.solid(width, height), wide, high)
    for side, near, span, share in (
        (hall.width, hall.x, width, wide), (hall.height, hall.y, height, high),
    ):  # fmt: skip
        wanted = min(max(5, int(span * share)), span - 6)
        assert side in (wanted, wanted - 1)
        assert near == span - near - side
        assert near >= 3


@seeds
def test_the_ways_into_a_hall_are_the_stretches_of_its_wall_with_open_ground_before_them(seed):
    plan, hall = speckled(seed, 0.6), RectangularRoom(5, 4, 8, 6)
    found = [set(stretch) for stretch in _ways_in(plan, hall)]
    wall = {(x, y): (0, -1) for x in range(5, 13) for y in (3,)}
    wall |= {(x, 10): (0, 1) for x in range(5, 13)}
    wall |= {(4, y): (-1, 0) for y in range(4, 10)} | {(13, y): (1, 0) for y in range(4, 10)}
    open_ones = {at for at, (dx, dy) in wall.items() if plan.open[at[1] + dy, at[0] + dx]}
    assert sorted(map(sorted, found)) == sorted(map(sorted, parts(open_ones)))


@pytest.mark.parametrize("reach", [3, 9])
def test_signs_of_a_lair_lie_within_reach_and_the_thicker_the_nearer(reach):
    near, far = 0, 0
    for seed in range(8):
        plan = field()
        before, source = plan.tiles.copy(), Point(30, 20)
        away = distances(plan.open, *source)
        start = distances(plan.open, 58, 20)
        scatter_signs(plan, Rng(seed), source, start, reach=reach, dense=1.0)
        changed = plan.tiles != before
        assert int(away[changed].max()) < max(reach, 2)
        near += int(changed[away * 3 <= reach].sum())
        far += int(changed[away * 3 > 2 * reach].sum())
        assert set(np.unique(plan.tiles[changed]).tolist()) <= {
            Tile.BONES, Tile.STAIN, Tile.RUBBLE,
        }  # fmt: skip
    assert near > far


DENS = """
    ####################
    #.......#....#.....#
    #.<.....+....+.....#
    #.......#....#.....#
    ####+########+######
    #......#..#........#
    #......#..#.....>..#
    #......+..#........#
    ####################
"""


@pytest.mark.parametrize(("hoards", "heaps"), [(0, 3), (1, 1), (1, 4), (2, 2)])
def test_so_many_hoards_of_so_many_heaps_lie_apart_from_start_and_exit(hoards, heaps):
    for seed in range(6):
        plan = drawn(DENS)
        said = run(
            "treasure_behind_chokepoints", plan, seed, hoards=hoards, heaps=heaps, least=6, most=40
        )
        gold = (plan.tiles == Tile.TREASURE).sum()
        assert len(said) == hoards
        assert hoards <= gold <= hoards * heaps
        assert not (plan.tiles[1:4, 1:8] == Tile.TREASURE).any()
        assert not (plan.tiles[5:8, 11:19] == Tile.TREASURE).any()


@pytest.mark.parametrize(
    ("larger_than", "least", "walls"), [(34, 2, 1), (35, 2, 0), (34, 3, 1), (34, 4, 0)]
)
def test_a_room_is_divided_if_it_is_larger_and_leaves_as_much_on_both_sides(
    larger_than, least, walls
):
    cuts = set()
    for seed in range(20):
        plan = with_rooms((3, 3, 7, 5))
        run("divide_rooms", plan, seed, chance=1.0, larger_than=larger_than, least=least)
        built = np.argwhere(plan.tiles[3:8, 3:10] != Tile.FLOOR)
        assert len(built) == (5 if walls else 0)
        assert (plan.tiles == Tile.DOOR).sum() == walls
        cuts |= set(built[:, 1].tolist())
        assert sum(room.area for room in plan.rooms) == 35 - 5 * walls
    assert cuts == (set(range(least, 7 - least)) if walls else set())


@pytest.mark.parametrize("scale", [1, 2])
def test_a_larger_map_has_no_more_captions(scale):
    """A caption is a picture of the level on its way: twice as many would show no more."""
    rooms = [(x, y, 7, 5) for y in range(2, 38, 7) for x in range(2, 72 * scale, 9)]
    plan = with_rooms(*rooms, size=(80 * scale, 45))
    said = run("divide_rooms", plan, chance=1.0, larger_than=34, least=2)
    assert said == [pluralise(n, "inner wall") for n in range(1, len(rooms) + 1, 8 * scale)]
    plan = with_rooms(*rooms, size=(80 * scale, 45))
    said = run("ruin_rooms", plan, share=1.0)
    assert said == [f"Ruin {n}" for n in range(1, len(rooms) + 1, scale)]
