"""The numbers of what is put into rooms and on open ground are kept exactly."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.distances import distances, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.placement.room_sites import RoomSite
from procgen.placement.safe_placement import FreeFloor
from procgen.position_hash import hash_fraction, hash_points, position_noise, position_word
from procgen.recipe_parameters import parameter_value, parameters_of, stepped_value, with_value
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.steps.garden import _within
from procgen.steps.heightmap import _site
from procgen.steps.room_types import trap_room, treasury
from procgen.steps.symmetry import Mirror
from procgen.validate import broken_invariants
from support.blueprints import drawn, field, run, with_rooms

SEEDS = range(30)


def splitmix(word):
    """Return splitmix64's finaliser (Stafford's variant 13) of ``word``."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % 2**64
    return word ^ (word >> 31)


def test_hashes_of_places_follow_their_formula():
    assert splitmix(0x9E3779B97F4A7C15) == 0xE220A8397B1DCDAF, "the first number of seed 0"
    word = 1
    for number in (7, -3, 2**63):
        word = splitmix((word + number * 0x9E3779B97F4A7C15) % 2**64)
    assert hash_fraction(7, -3, 2**63) == (word >> 11) / 2**53
    xs, ys = np.array([5, -4]), np.array([9, 1000])
    start = 3 * 0x9E3779B97F4A7C15 + 1
    wanted = [
        splitmix(
            splitmix((x * 0xD6E8FEB86659FD93 + start) % 2**64) ^ (y * 0xA0761D6478BD642F) % 2**64
        )
        for x, y in ((5, 9), (-4, 1000))
    ]
    assert [int(word) for word in hash_points(3, xs, ys)] == wanted
    window = position_noise(8, "sand", (-3, 40), 5, 4)
    assert window.shape == (4, 5)
    assert window[2, 1] == position_word(8, "sand", -2, 42) >> 56
    assert position_word(8, "sand", -2, 42) != position_word(8, "dust", -2, 42)


def test_treasure_is_laid_in_hoards_of_so_many_heaps():
    cells = "#" * 31 + "\n" + ("#" + "." * 29 + "#\n") * 3
    cells += ("#" * 4 + "." + "#" * 6) * 2 + "#" * 4 + ".####\n"
    cells += ("#" + "." * 7 + "###" + "." * 8 + "###" + "." * 8 + "#\n") * 3 + "#" * 31
    laid = {}
    for hoards, heaps in ((1, 2), (2, 3), (3, 1)):
        plan = drawn(cells)
        plan.start, plan.exit = Point(1, 1), Point(29, 1)
        captions = run("treasure_behind_chokepoints", plan, hoards=hoards, heaps=heaps, most=40)
        laid[hoards, heaps] = int((plan.tiles == Tile.TREASURE).sum())
        assert len(captions) == hoards
        assert not (plan.tiles[1:4] == Tile.TREASURE).any()
    assert laid == {(1, 2): 2, (2, 3): 6, (3, 1): 3}


def test_a_clearing_is_never_longer_than_half_the_maze():
    for seed in range(12):
        plan = Blueprint.solid(17, 13)
        run("grow_maze", plan, seed, clearings=1.0, min_clearing=9, max_clearing=9)
        assert plan.rooms
        assert all(room.width <= 7 and room.height <= 5 for room in plan.rooms)


def test_a_leaf_with_place_for_one_tile_has_a_room_of_one_tile():
    plan = Blueprint.solid(9, 9)
    plan.leaves = [RectangularRoom(0, 0, 3, 9), RectangularRoom(3, 0, 6, 3)]
    run("loose_rooms_in_leaves", plan, smallest=1.0)
    assert plan.rooms == [RectangularRoom(1, 1, 1, 7), RectangularRoom(4, 1, 4, 1)]
    plan.leaves = [RectangularRoom(0, 0, 2, 9)]
    plan.rooms = []
    with pytest.raises(Exception, match="no leaf has space for a room"):
        run("loose_rooms_in_leaves", plan)


def test_sites_of_islands_leave_three_quarters_of_a_radius_to_the_border():
    plan, xs, ys, none = Blueprint.solid(60, 40), set(), set(), np.zeros((3, 0), np.int64)
    for seed in range(200):
        x, y, radius = _site(plan, Rng(seed), 8, none)
        assert radius == 8
        xs.add(x)
        ys.add(y)
    assert (min(xs), max(xs)) == (7, 52)
    assert (min(ys), max(ys)) == (7, 32)
    assert _site(Blueprint.solid(9, 9), Rng(1), 20, none)[2] == 2


def test_packs_settle_only_where_the_hero_can_walk():
    plan = field()
    plan.tiles[20, :] = Tile.WALL
    run("monsters_clumped", plan, per_100=2.0)
    assert plan.spawns
    assert all(one.y < 20 for one in plan.spawns)


def test_no_treasure_lies_in_a_part_with_the_start_or_the_exit():
    cells = "#" * 31 + "\n" + ("#" + "." * 29 + "#\n") * 3
    cells += "####.######.######.############\n"
    cells += ("#" + "." * 7 + "##" + "." * 4 + "##" + "." * 14 + "#\n") * 3 + "#" * 31
    for end in (Point(3, 6), Point(12, 6)):
        plan = drawn(cells)
        plan.start, plan.exit = Point(20, 2), end
        run("treasure_behind_chokepoints", plan, hoards=3, heaps=2, most=30)
        gold = np.argwhere(plan.tiles[5:, :16] == Tile.TREASURE)[:, 1]
        assert len(gold) == 2
        assert ((gold < 9) == (end.x > 9)).all()


@pytest.mark.parametrize("spacing", [2, 3, 5])
@pytest.mark.parametrize("size", [(60, 45), (61, 40)])
def test_pillars_of_a_hall_stand_in_rows_from_its_third_tile_on(size, spacing):
    plan = Blueprint.solid(*size)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    run("great_hall", plan, width=0.3, height=0.6, spacing=spacing)
    hall = plan.rooms[0]
    inside = plan.tiles[hall.inner]
    middle = 2 - hall.width % 2
    columns = list(range(2, (hall.width - middle) // 2 - 1, spacing))
    both = sorted({*columns, *(hall.width - 1 - x for x in columns)})
    ys, xs = np.nonzero(inside == Tile.PILLAR)
    assert sorted(set(xs.tolist())) == both
    rows = sorted(set(ys.tolist()))
    assert all(b - a == spacing for a, b in pairwise(rows))
    assert abs(rows[0] - (hall.height - 1 - rows[-1])) <= 1
    assert rows[0] >= 2
    assert len(ys) == len(both) * len(rows)
    carpet = np.argwhere(inside == Tile.CARPET)
    assert set(carpet[carpet[:, 0] > 2][:, 1].tolist()) == set(
        range((hall.width - 1) // 2, (hall.width - 1) // 2 + middle)
    )
    assert set(np.nonzero(inside == Tile.SHRINE)[0].tolist()) == {1}
    assert (inside == Tile.SHRINE).sum() == middle


@pytest.mark.parametrize(("size", "traps"), [((5, 3), 3), ((6, 5), 5), ((9, 8), 9)])
def test_a_room_of_traps_has_one_for_six_tiles_from_three_to_nine(size, traps):
    plan = with_rooms((2, 2, *size))
    cells = np.flatnonzero(plan.open)
    site = RoomSite(cells, plan.width, plan.rooms[0], 9, sealed=False, on_way=False)
    trap_room(FreeFloor(plan), site, Rng(1))
    laid = int((plan.tiles == Tile.TRAP).sum())
    assert laid <= traps
    assert laid == traps or size != (9, 8)


@pytest.mark.parametrize(("start", "upright"), [((1, 8), True), ((16, 1), False), ((1, 1), True)])
def test_a_room_is_walled_off_square_to_the_way_from_the_start(start, upright):
    plan = with_rooms((12, 4, 9, 9), size=(40, 20))
    plan.tiles[1, 1:20] = plan.tiles[1:9, 1] = plan.tiles[8, 1:12] = Tile.TUNNEL
    plan.tiles[1:4, 16] = Tile.TUNNEL
    plan.start = Point(*start)
    assert len(run("wall_off", plan, on=("floor",), stray=2)) == 1
    ((y, x),) = np.argwhere(plan.tiles == Tile.DOOR).tolist()
    column, row = plan.tiles[4:13, x], plan.tiles[y, 12:21]
    built = column if upright else row
    assert sorted(built.tolist()) == [Tile.WALL] * 8 + [Tile.DOOR]


def test_an_open_field_is_walled_off_at_one_distance_from_the_start():
    plan = with_rooms((1, 1, 38, 18), size=(40, 20))
    plan.start, plan.rooms = Point(1, 9), [RectangularRoom(5, 9, 1, 1)]
    assert run("wall_off", plan, on=("floor",), rubble=1.0) == ["Wall 1: 17 tiles"]
    steps = distances(np.ones_like(plan.open), 1, 9)
    steps[:, 0] = 0
    assert sorted(plan.tiles[steps == 4].tolist()) == [Tile.WALL] * 16 + [Tile.DOOR]
    ((y, x),) = np.argwhere(plan.tiles == Tile.DOOR).tolist()
    assert (x - 1) ** 2 + (y - 9) ** 2 == 25, "no door further from the start hangs in a wall"
    assert regions(plan.open)[1] == 1
    assert (plan.tiles == Tile.RUBBLE).sum() > 32


def test_no_ring_is_built_around_a_start_far_from_all_walls():
    plan = with_rooms((1, 1, 38, 18), size=(40, 20))
    plan.start, plan.rooms = Point(10, 9), [RectangularRoom(14, 9, 1, 1)]
    assert run("wall_off", plan, on=("floor",)) == []
    assert (plan.tiles == Tile.WALL).sum() == 2 * 40 + 2 * 18


def test_mirrored_rooms_have_floor_and_lie_on_the_map():
    for axis, (x, y) in product(("vertical", "horizontal", "both", "rotate"), ((2, 2), (25, 12))):
        mirror = Mirror(31, 21, axis)
        rooms = mirror.images([RectangularRoom(x, y, 4, 5), RectangularRoom(13, 8, 6, 6)])
        assert rooms
        for room in rooms:
            assert room.width > 0 < room.height
            assert 0 <= room.x <= 31 - room.width
            assert 0 <= room.y <= 21 - room.height
        assert any(room.contains(15, 10) for room in rooms)


def test_steps_of_a_value_go_round_its_choices():
    recipe = find_recipe("maze")
    parameter = next(one for one in parameters_of(recipe) if one.name == "texture")
    now = parameter_value(recipe, parameter)
    other = stepped_value(recipe, parameter, 1, now)
    assert other != now
    turned = with_value(recipe, parameter, other)
    assert stepped_value(turned, parameter, -1, now) == now
    seen = [now]
    while len(seen) == 1 or seen[-1] != now:
        seen.append(stepped_value(with_value(recipe, parameter, seen[-1]), parameter, 1, now))
    assert sorted(seen[1:]) == sorted(parameter.kind.values)
    several = find_recipe("terrain")
    for parameter in parameters_of(several):
        value = parameter_value(several, parameter)
        if isinstance(value, tuple) and value:
            up = stepped_value(several, parameter, 1, value)
            assert len(up) == 1
            changed = with_value(several, parameter, up)
            down = stepped_value(changed, parameter, -1, value)
            assert stepped_value(with_value(several, parameter, down), parameter, 1, value) == up
            assert down != up


def six_regions():
    plan = Blueprint.solid(24, 16)
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for number, (row, column) in enumerate(product(range(2), range(3)), 1):
        plan.regions[2 + 6 * row : 8 + 6 * row, 2 + 7 * column : 9 + 7 * column] = number
    return plan


def test_the_first_region_may_swallow_a_neighbour_too():
    swallowed = set()
    for seed in range(40):
        plan, before = six_regions(), six_regions().regions
        run("merge_regions", plan, seed, share=0.17)
        heirs = {int(new) for new in np.unique(plan.regions[plan.regions != before])}
        swallowed |= heirs
    assert 1 in swallowed


def test_houses_share_their_walls_and_fill_their_plots():
    for seed in range(6):
        plan = Blueprint.solid(60, 40)
        run("enclose_town", plan, seed, outskirts=0)
        run("lay_streets", plan, seed)
        run("build_houses", plan, seed, least=5, most=9, grand=0.0, yards=0.2, second_door=1.0)
        for plot, room in zip(plan.leaves, plan.rooms, strict=True):
            assert room == RectangularRoom(plot.x + 1, plot.y + 1, plot.width - 2, plot.height - 2)
            assert min(plot.width, plot.height) >= 5
            walls = np.ones((plot.height, plot.width), np.bool_)
            walls[1:-1, 1:-1] = False
            rim = plan.tiles[plot.inner][walls]
            assert set(rim.tolist()) <= {Tile.WALL, Tile.DOOR, Tile.GRASS}
            assert not (plan.tiles[room.inner] == Tile.WALL).any()


def test_the_exit_lies_straight_before_the_shrine():
    plan = with_rooms((2, 2, 9, 7))
    plan.tiles[4, 6] = Tile.SHRINE
    run("exit_at_shrine", plan)
    assert plan.exit == Point(6, 5)
    plan.tiles[5, 6] = Tile.PILLAR
    run("exit_at_shrine", plan)
    assert plan.exit in (Point(6, 4), Point(7, 4))


@pytest.mark.parametrize(("size", "heaps"), [((5, 4), 2), ((10, 6), 4), ((12, 12), 5)])
def test_a_treasury_has_more_heaps_the_larger_it_is(size, heaps):
    plan = with_rooms((2, 2, *size))
    cells = np.flatnonzero(plan.open)
    site = RoomSite(cells, plan.width, plan.rooms[0], 9, sealed=True, on_way=False)
    assert treasury(FreeFloor(plan), site, Rng(1)) == heaps
    ys, xs = np.nonzero(plan.tiles == Tile.TREASURE)
    assert len(ys) == heaps
    places = [
        int(np.flatnonzero(cells == y * plan.width + x)[0]) for y, x in zip(ys, xs, strict=True)
    ]
    assert min(places) >= len(cells) - max(heaps, len(cells) // 3), "at the far end"


def test_a_hall_swallows_the_rooms_in_its_place_and_no_others():
    plan = with_rooms((2, 2, 5, 4), (28, 20, 5, 5), (50, 36, 6, 5), size=(60, 45))
    inside, *_ = [room for room in plan.rooms if room.x == 28]
    others = [room for room in plan.rooms if room is not inside]
    run("great_hall", plan, width=0.3, height=0.5)
    assert plan.rooms[0].contains(*inside.center)
    assert plan.rooms[1:] == others


def test_a_plot_of_a_garden_has_three_tiles_a_side_at_least():
    plan = Blueprint.solid(30, 30)
    assert _within(RectangularRoom(4, 6, 5, 5), plan) == RectangularRoom(5, 7, 3, 3)
    assert _within(RectangularRoom(4, 6, 4, 9), plan) is None
    assert _within(RectangularRoom(4, 6, 9, 4), plan) is None
    assert _within(RectangularRoom(0, 0, 30, 30), plan) == RectangularRoom(2, 2, 26, 26)


@pytest.mark.parametrize("lairs", [0, 1, 2])
def test_there_are_as_many_lairs_as_asked_for(lairs):
    plan = field(width=80, height=45)
    plan.tiles[:, 20:60:8] = Tile.WALL
    plan.tiles[20, 20:60:8] = Tile.FLOOR
    captions = run("lairs_in_dead_ends", plan, lairs=lairs, minions=0, reach=3)
    assert [caption.partition(":")[0] for caption in captions] == [
        f"Lair {number}" for number in range(1, len(captions) + 1)
    ]
    assert len(captions) <= lairs
    assert bool(captions) == bool(lairs)


def test_an_island_rises_where_the_sea_is_widest():
    plan, placed = Blueprint.solid(60, 40), np.array([(12, 30, 9), (14, 8, 9)]).T
    nearer = 0
    for seed in SEEDS:
        x, _, _ = _site(plan, Rng(seed), 6, placed)
        nearer += x < 25
    assert nearer <= 3


@pytest.mark.parametrize("end", ["start", "exit"])
def test_a_level_needs_both_a_start_and_an_exit(end):
    plan = with_rooms((2, 2, 9, 7))
    setattr(plan, end, Point(3, 3))
    assert list(broken_invariants(plan))
