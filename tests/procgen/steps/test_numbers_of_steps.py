"""The numbers of a step are kept exactly: counts, sides, gaps and shares, over many seeds."""

from itertools import pairwise, product

import numpy as np
import pytest

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.analysis.distances import distances, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.carving.room_shapes import SHAPES, random_shape
from procgen.missions.carving import lattice_spans
from procgen.placement.room_sites import RoomSite
from procgen.placement.safe_placement import FreeFloor
from procgen.position_hash import hash_fraction, hash_points, position_noise, position_word
from procgen.recipe_parameters import parameter_value, parameters_of, stepped_value, with_value
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.steps.garden import PLOTS, _within
from procgen.steps.heightmap import _site, rim_share
from procgen.steps.lakes_rivers_fissures import _bed, _blob, _course
from procgen.steps.maze import Lattice, growing_tree, uniform_tree
from procgen.steps.room_types import trap_room, treasury
from procgen.steps.symmetry import Mirror
from procgen.steps.wfc_furnish_rooms import _before_doorways
from procgen.validate import broken_invariants
from support.blueprints import drawn, run, with_rooms

SEEDS = range(30)


def mission(seed, *steps):
    plan = Blueprint.solid(80, 45)
    for name, parameters in steps:
        run(name, plan, seed, **parameters)
    return plan.mission


def test_a_main_path_has_any_number_of_rooms_asked_for_and_no_other():
    found = set()
    for seed in SEEDS:
        made = mission(seed, ("main_path", {"least": 2, "most": 4}))
        names = [room.name for room in made.rooms]
        assert names == ["start", "exit", *(f"room {n}" for n in range(1, len(names) - 1))]
        order = [0, *range(2, len(names)), 1]
        assert [(e.one, e.other) for e in made.edges] == list(pairwise(order))
        found.add(len(names) - 2)
    assert found == {2, 3, 4}
    assert len(mission(1, ("main_path", {"least": 0, "most": 0})).rooms) == 2
    assert len(mission(1, ("main_path", {"least": 9, "most": 1})).rooms) == 3


@pytest.mark.parametrize("rejoins", [True, False])
def test_a_side_path_has_its_rooms_its_end_and_leads_back_if_it_shall(rejoins):
    side = {"name": "attic", "rooms": 2, "ends_in": "library", "rejoins": rejoins}
    for seed in SEEDS:
        made = mission(seed, ("main_path", {}), ("side_path", side))
        added = [room.purpose for room in made.rooms if room.path == "attic"]
        assert added == ["room", "room", "library"]
        ways = [edge for edge in made.edges if edge.path == "attic"]
        assert len(ways) in ((3, 4) if rejoins else (3,))
        assert all(made.is_bridge(edge) for edge in ways) == (len(ways) == 3)
        assert 1 not in (ways[0].one, ways[0].other), "never from the exit"


@pytest.mark.parametrize(
    ("side", "count", "cell"), [(80, 9, 4), (45, 8, 4), (60, 3, 5), (30, 9, 3)]
)
def test_columns_of_a_lattice_fill_the_map_a_line_of_rock_apart(side, count, cell):
    begins, widths = set(), set()
    for seed in SEEDS:
        spans = lattice_spans(side, count, cell, Rng(seed))
        assert len(spans) == count
        assert sum(wide for _, wide in spans) == min(side - 1 - count, count * (cell + 4))
        assert all(a + wide + 1 == b for (a, wide), (b, _) in pairwise(spans))
        assert spans[0][0] >= 1
        assert sum(spans[-1]) <= side - 1
        assert min(wide for _, wide in spans) >= min(3, (side - 1 - count) // count)
        begins.add(spans[0][0])
        widths |= {wide for _, wide in spans}
    spare = side - 1 - count - min(side - 1 - count, count * (cell + 4))
    assert begins <= set(range(1 + spare // 4, 2 + spare - spare // 4))
    assert len(begins) > 1 or spare < 2
    assert len(widths) > 2 or min(widths) < 3


@pytest.mark.parametrize("gap", [0, 1, 3])
def test_shaped_rooms_keep_their_gap_and_their_sides(gap):
    nearest, sides, edges = set(), set(), set()
    for seed in range(12):
        plan = Blueprint.solid(60, 40)
        run(
            "shaped_rooms", plan, seed, rooms=20, per_area=2400, gap=gap, large=0.25, min_side=4,
            max_side=6, large_min=9, large_max=11, circle=0, cross=0,
        )  # fmt: skip
        large = sum(max(room.width, room.height) > 6 for room in plan.rooms)
        assert large <= 5
        for number, room in enumerate(plan.rooms, 1):
            assert (plan.regions[room.inner] == number).all()
            assert (max(room.width, room.height) > 6) == (number <= large)
            sides |= {room.width, room.height}
            edges |= {room.x, room.y, 59 - room.x - room.width + 1, 39 - room.y - room.height + 1}
            for other in plan.rooms[number:]:
                across = max(other.x - room.x - room.width, room.x - other.x - other.width)
                down = max(other.y - room.y - room.height, room.y - other.y - other.height)
                nearest.add(max(across, down))
        assert plan.open.sum() == sum(room.area for room in plan.rooms)
    assert min(nearest) == gap
    assert sides == {4, 5, 6, 9, 10, 11}
    assert min(edges) == 1


def test_insisting_places_all_rooms_or_fills_the_map():
    for seed in range(6):
        plan = Blueprint.solid(40, 30)
        run(
            "shaped_rooms", plan, seed, rooms=12, per_area=1200, insist=True, tries=1, large=0.0,
            min_side=3, max_side=7, gap=1,
        )  # fmt: skip
        assert len(plan.rooms) == 12
    small = Blueprint.solid(12, 12)
    run("shaped_rooms", small, rooms=60, per_area=144, insist=True, gap=0, min_side=3, max_side=3)
    assert len(small.rooms) <= 144 // 8


@pytest.mark.parametrize("span", [11, 20, 60])
def test_two_rooms_could_always_lie_abreast(span):
    plan, sides = Blueprint.solid(span, span), set()
    for seed in range(60):
        _, shape = random_shape({"rectangle": 1}, Rng(seed), (3, 9), plan)
        sides |= {shape.width, shape.height}
    assert sides == set(range(3, min(9, (span - 3) // 2) + 1))


def test_bars_of_a_cross_are_a_third_to_half_of_its_sides_and_never_on_the_rim():
    tall, wide = set(), set()
    for seed in range(80):
        mask, core, _ = SHAPES["cross"](Rng(seed), 12, 9)
        rows, columns = np.flatnonzero(mask.all(axis=1)), np.flatnonzero(mask.all(axis=0))
        tall.add(len(rows))
        wide.add(len(columns))
        assert 0 < rows[0] <= rows[-1] < 8
        assert 0 < columns[0] <= columns[-1] < 11
        assert mask.sum() == len(rows) * 12 + len(columns) * 9 - len(rows) * len(columns)
        assert core.area == max(len(rows) * 12, len(columns) * 9)
    assert tall == {3, 4, 5}
    assert wide == {4, 5, 6}


@pytest.mark.parametrize(("width", "height"), [(9, 7), (10, 7), (14, 8), (8, 7), (9, 6), (7, 12)])
def test_a_hall_has_two_rows_of_pillars_three_tiles_apart_along_its_longer_side(width, height):
    mask, core, pillars = SHAPES["hall"](Rng(1), width, height)
    long, short = max(width, height), min(width, height)
    if long < 9 or short < 7:
        assert mask.all()
        assert not pillars
        return
    along = [x if width >= height else y for x, y in pillars]
    aside = [y if width >= height else x for x, y in pillars]
    first = min(along)
    assert sorted(set(aside)) == [1, short - 2]
    assert sorted(set(along)) == list(range(first, long - 1, 3))[: len(set(along))]
    assert max(along) == long - 1 - first
    assert 1 <= first <= 3
    assert len(pillars) == 2 * len(set(along)) == mask.size - mask.sum()
    assert core.area == long * (short - 4)


def test_creatures_of_rooms_are_as_many_as_asked_for_in_the_rooms_after_the_first():
    plan = with_rooms((2, 2, 5, 4), (20, 2, 5, 4), (30, 2, 5, 4), (2, 12, 5, 4), (20, 12, 5, 4))
    plan.start, plan.exit = Point(2, 2), Point(21, 13)
    run("monsters_in_rooms", plan, rooms=3, each=2, first="rat")
    homes = [sum(room.contains(one.x, one.y) for one in plan.spawns) for room in plan.rooms]
    assert homes == [0, 2, 2, 2, 0]
    assert {one.kind for one in plan.spawns} == {"rat"}
    deep = with_rooms((2, 2, 5, 4), (20, 2, 5, 4))
    deep.depth, deep.start = 9, Point(2, 2)
    run("monsters_in_rooms", deep, rooms=1, each=6, first="rat")
    assert {one.kind for one in deep.spawns} != {"rat"}
    with pytest.raises(Exception, match="no creature of that name"):
        run("monsters_in_rooms", deep, first="dodo")


def field(depth=1, width=62, height=42):
    """Return an open map of 40 by 60 tiles whose start lies walled off in a corner."""
    plan = Blueprint.solid(width, height)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    plan.depth, plan.start, plan.exit = depth, Point(1, 1), Point(width - 2, height - 2)
    plan.tiles[1:4, 3], plan.tiles[3, 1:4] = Tile.WALL, Tile.WALL
    plan.tiles[3, 2] = Tile.DOOR
    return plan


@pytest.mark.parametrize("step", ["monsters_by_density", "monsters_clumped"])
@pytest.mark.parametrize(("depth", "factor"), [(1, 1.0), (2, 1.1), (11, 2.0), (21, 3.0), (40, 3.0)])
def test_there_are_more_creatures_with_every_depth_up_to_three_times_as_many(step, depth, factor):
    for seed in range(3):
        plan = field(depth)
        wanted = int(plan.open.sum() * 0.01 * factor)
        run(step, plan, seed, per_100=1.0, deeper=0.1, at_least=3)
        assert len(plan.spawns) == wanted
        assert len({(one.x, one.y) for one in plan.spawns}) == wanted
        plan = field(depth)
        run(step, plan, seed, per_100=0.0, at_least=4)
        assert len(plan.spawns) == 4


@pytest.mark.parametrize(("empty", "crowded", "factor"), [(0, 0, 1), (0, 1, 3), (1, 0, 0)])
def test_regions_are_empty_or_crowded_by_their_share(empty, crowded, factor):
    plan = field()
    plan.regions = np.ones(plan.tiles.shape, np.int32)
    plan.regions[:, 30:] = 2
    run(
        "monsters_by_region", plan, per_100=2.0, deeper=0.0, empty=float(empty),
        crowded=float(crowded), at_least=2,
    )  # fmt: skip
    east = sum(one.x >= 30 for one in plan.spawns)
    due = 0.02 * factor * (plan.tiles[:, 30:] == Tile.FLOOR).sum()
    assert int(due) <= east <= int(due) + 1 or not factor
    assert len(plan.spawns) >= 2
    assert factor or len(plan.spawns) == 2


def test_creatures_for_every_tile_of_a_room_but_the_first():
    plan = with_rooms((2, 2, 5, 4), (20, 2, 5, 4), (30, 2, 6, 5))
    plan.start, plan.exit = Point(2, 2), Point(3, 3)
    run("monsters_per_tile_of_room", plan, per_tile=0.2)
    homes = [sum(room.contains(one.x, one.y) for one in plan.spawns) for room in plan.rooms]
    assert homes == [0, 4, 6]
    tossed = []
    for seed in range(60):
        plan = with_rooms((2, 2, 5, 4), (20, 2, 5, 4))
        plan.start, plan.exit = Point(2, 2), Point(3, 3)
        run("monsters_per_tile_of_room", plan, seed, per_tile=0.125)
        tossed.append(len(plan.spawns))
    assert set(tossed) == {2, 3}
    assert 18 <= tossed.count(3) <= 42


def test_packs_keep_their_distance_and_grow_from_loners_to_twice_their_size_less_one():
    alone = {name for name, kind in creature_kinds().items() if kind.traits.pack[1] == 1}
    assert alone
    for seed in range(4):
        plan = field()
        captions = run("monsters_clumped", plan, seed, per_100=1.5, pack=4, spread=9)
        sizes = [int(caption.split()[3]) for caption in captions]
        assert sum(sizes) == len(plan.spawns)
        assert max(sizes) <= 7
        firsts = [sum(sizes[:n]) for n in range(len(sizes))]
        homes = [plan.spawns[n] for n in firsts]
        steps = distances(plan.open, *plan.start)
        furthest = steps[plan.open].max()
        for home, size in zip(homes[:-1], sizes[:-1], strict=True):
            assert size <= 1 + 6 * (int(steps[home.y, home.x]) + 3) / furthest


@pytest.mark.parametrize("bend", [0.0, 0.3, 1.0])
def test_a_river_runs_between_opposite_sides_in_stretches_of_three_tiles(bend):
    plan, ends = Blueprint.solid(60, 40), set()
    for seed in SEEDS:
        course = _course(plan, Rng(seed), bend)
        one, other = course[0], course[-1]
        sideways = (one.x, other.x) == (0, 59)
        assert sideways or (one.y, other.y) == (0, 39)
        ends.add(sideways)
        assert all(0 <= x < 60 and 0 <= y < 40 for x, y in course)
        for a, b in pairwise(course):
            assert max(abs(a.x - b.x), abs(a.y - b.y)) <= 3
        if not bend:
            assert all(
                abs((x - one.x) * (other.y - one.y) - (y - one.y) * (other.x - one.x))
                <= 2.5 * max(abs(other.x - one.x), abs(other.y - one.y))
                for x, y in course
            )
    assert ends == {True, False}


@pytest.mark.parametrize("width", [1, 2, 4])
def test_a_bed_is_never_wider_than_the_river_and_holds_its_course(width):
    plan, widths = Blueprint.solid(60, 40), set()
    for seed in SEEDS:
        bed = _bed(plan, Rng(seed), [Point(0, 20), *(Point(x, 20) for x in range(3, 60, 3))], width)
        columns = bed[:, :58].sum(axis=0)
        widths |= set(columns.tolist())
        assert bed[20, :58].all() or width > 1
        assert regions(bed)[1] == 1
        assert not bed[:17].any()
        assert not bed[24:].any()
    assert min(widths) >= 1
    assert max(widths) <= width + (width > 1)


@pytest.mark.parametrize(("width", "most"), [(2, 2), (9, 8), (12, 11), (16, 15)])
def test_a_lake_is_one_piece_without_holes_no_wider_than_asked_for(width, most):
    widest = set()
    for seed in SEEDS:
        blob = _blob(Rng(seed), width)
        assert blob.shape[1] <= width
        assert blob.shape[0] <= max(2, (width * 3 + 3) // 4)
        assert regions(blob)[1] == 1
        assert regions(np.pad(~blob, 1, constant_values=True))[1] == 1
        assert all(side.any() for side in (blob[0], blob[-1], blob[:, 0], blob[:, -1]))
        widest.add(blob.shape[1])
    assert most <= max(widest) <= width


def test_lakes_are_poured_by_number_and_lie_on_open_ground_as_far_as_asked_for():
    rows = ["#" * 80] + ["#" + "." * 78 + "#"] * 43 + ["#" * 80]
    for number in (0, 1, 3):
        plan = drawn("\n".join(rows))
        captions = run("lakes", plan, number=number, smallest=4, largest=7, shores=0.0)
        assert len(captions) == number
        deep = [int(caption.split()[2]) for caption in captions]
        assert sum(deep) == (plan.tiles == Tile.WATER).sum()
        assert not (plan.tiles == Tile.SHALLOWS).any()
    plan = Blueprint.solid(80, 45)
    plan.tiles[20:24, 20:40] = Tile.FLOOR
    assert run("lakes", plan, on_floor=1.0, smallest=9, largest=9) == []
    assert len(run("lakes", plan, on_floor=0.0, smallest=9, largest=9)) == 4


def test_pools_lie_around_the_centres_of_a_share_of_the_rooms():
    rooms = [(x, y, 11, 9) for x in range(3, 70, 16) for y in range(3, 40, 14)]
    poured = []
    for share in (0.0, 0.5, 1.0):
        plan = with_rooms(*rooms, size=(80, 45))
        captions = run("pools_in_rooms", plan, share=share, smallest=3, largest=5, shores=1.0)
        wet = plan.tiles == Tile.WATER
        poured.append(len(captions))
        for room in plan.rooms:
            x, y = room.center
            ys, xs = np.nonzero(wet[room.inner])
            if len(ys):
                assert max(abs(xs + room.x - x).max(), abs(ys + room.y - y).max()) <= 3
    assert poured[0] == 0
    assert poured[2] == len(rooms)
    assert 3 <= poured[1] <= 12


@pytest.mark.parametrize(("share", "liquid"), [(0.02, "lava"), (0.1, "water")])
def test_fissures_spare_what_they_shall_and_take_more_with_a_larger_share(share, liquid):
    plan = field()
    plan.tiles[10:20, 10:30] = Tile.MOSS
    run("fissures", plan, share=share, liquid=liquid, spare=("moss",), banks=0.0, fords=0.0)
    wet = plan.tiles == {"lava": Tile.LAVA, "water": Tile.WATER}[liquid]
    assert share * 2604 * 0.5 <= wet.sum() <= share * 2604 + 400
    assert not wet[10:20, 10:30].any()
    assert not (plan.tiles == Tile.RUBBLE).any(), "neither banks nor fords"


@pytest.mark.parametrize(
    ("corridor", "wall", "size"), [(1, 1, (21, 15)), (2, 1, (30, 24)), (1, 3, (29, 29))]
)
def test_cells_of_a_maze_are_as_wide_and_as_far_apart_as_asked_for(corridor, wall, size):
    lattice = Lattice.fit(*size, corridor, wall)
    pitch = corridor + wall
    assert lattice.columns == (size[0] - 2 + wall) // pitch
    assert lattice.rows == (size[1] - 2 + wall) // pitch
    last = lattice.block(lattice.columns - 1, lattice.rows - 1)
    spare = size[0] - last.x - last.width, size[1] - last.y - last.height
    for before, behind in ((lattice.left, spare[0]), (lattice.top, spare[1])):
        assert before >= 1
        assert behind >= 1
        assert 0 <= behind - before <= 1
    assert lattice.block(1, 2, 3, 2) == RectangularRoom(
        lattice.left + pitch, lattice.top + 2 * pitch, 3 * pitch - wall, 2 * pitch - wall
    )
    for tree in ("growing_tree", "spanning_tree"):
        plan = Blueprint.solid(*size)
        run("grow_maze", plan, corridor=corridor, wall=wall, texture=tree, clearings=0.0)
        cells = lattice.columns * lattice.rows
        assert plan.open.sum() in {
            n * corridor**2 + (n - 1) * corridor * wall
            for n in (cells, cells - lattice.rows, cells - lattice.columns,
                      cells - lattice.rows - lattice.columns + 1)
        }  # fmt: skip
        assert regions(plan.open)[1] == 1


def dead_ends(plan):
    ground = np.pad(plan.open, 1).astype(int)
    around = ground[:-2, 1:-1] + ground[2:, 1:-1] + ground[1:-1, :-2] + ground[1:-1, 2:]
    return int(((around == 1) & plan.open).sum())


def test_braiding_opens_its_share_of_the_dead_ends():
    left = []
    for braid in (0.0, 0.5, 1.0):
        plan = Blueprint.solid(41, 31)
        run("grow_maze", plan, 3, clearings=0.0, braid=braid)
        left.append(dead_ends(plan))
    assert abs(left[1] - left[0] / 2) <= 1
    assert left[2] == 0


@pytest.mark.parametrize(("least", "most"), [(1, 1), (2, 3), (4, 4)])
def test_clearings_have_sides_in_their_range_and_cover_their_share(least, most):
    sides, covered = set(), []
    for seed in range(8):
        plan = Blueprint.solid(61, 41)
        run(
            "grow_maze", plan, seed, clearings=0.2, min_clearing=least, max_clearing=most,
            braid=0.0,
        )  # fmt: skip
        cells = [((room.width + 1) // 2, (room.height + 1) // 2) for room in plan.rooms]
        sides |= {side for cell in cells for side in cell}
        covered.append(sum(wide * high for wide, high in cells) / 600)
        for room in plan.rooms:
            around = np.s_[
                room.y - 1 : room.y + room.height + 1, room.x - 1 : room.x + room.width + 1
            ]
            ring = plan.open[around].copy()
            ring[1:-1, 1:-1] = False
            assert ring.sum() >= 1, "a clearing is entered"
    assert sides == set(range(least, most + 1))
    assert 0.08 < sum(covered) / len(covered) <= 0.21


@pytest.mark.parametrize("tree", [growing_tree, uniform_tree])
def test_a_maze_reaches_every_place_once(tree):
    lattice = Lattice.fit(21, 15, 1, 1)
    nodes = list(range(lattice.count))
    ways = lattice.ways(nodes)
    assert sum(map(len, ways)) == 2 * (
        (lattice.columns - 1) * lattice.rows + lattice.columns * (lattice.rows - 1)
    )
    shape = {"newest": 0.9, "straight": 0.3} if tree is growing_tree else {}
    opened = list(tree(ways, nodes, Rng(2), **shape))
    assert len(opened) == lattice.count - 1
    joined = {0}
    for _ in opened:
        joined |= {b for a, b in opened if a in joined} | {a for a, b in opened if b in joined}
    assert joined == set(nodes)


def test_a_maze_of_the_newest_place_winds_and_of_any_place_branches():
    ends = {}
    for newest, straight in ((1.0, 0.0), (0.0, 0.0), (1.0, 1.0)):
        plan = Blueprint.solid(61, 41)
        run("grow_maze", plan, 1, clearings=0.0, newest=newest, straight=straight)
        runs = sum(
            int((ground[2:] & ground[1:-1] & ground[:-2]).sum())
            for ground in (plan.open, plan.open.T)
        )
        ends[newest, straight] = dead_ends(plan), runs
    assert ends[1.0, 0.0][0] * 2 < ends[0.0, 0.0][0]
    assert ends[1.0, 1.0][1] > 1.2 * ends[1.0, 0.0][1]


@pytest.mark.parametrize("stop", ["area", "sides", "count"])
@pytest.mark.parametrize("axis", ["longest", "random", "alternate"])
@pytest.mark.parametrize("order", ["random", "depth_first"])
def test_a_painting_is_cut_until_it_is_finished(stop, axis, order):
    for seed in range(4):
        plan = Blueprint.solid(71, 47)
        run(
            "mondrian_partition", plan, seed, stop=stop, axis=axis, order=order, min_width=7,
            min_height=5, min_area=160, leaves=17,
        )  # fmt: skip
        covered = np.zeros(plan.tiles.shape, int)
        for number, leaf in enumerate(plan.leaves, 1):
            covered[leaf.inner] += 1
            assert (plan.regions[leaf.inner] == number).all()
            assert leaf.width >= 7
            assert leaf.height >= 5
            if stop != "count":
                can = leaf.width >= 14 or leaf.height >= 10
                assert not can or (stop == "area" and leaf.area <= 160)
        assert (covered == 1).all()
        assert stop != "count" or len(plan.leaves) == 17


@pytest.mark.parametrize(("smallest", "least", "margin"), [(0.5, 3, 1), (1.0, 3, 2), (0.0, 4, 1)])
def test_loose_rooms_lie_in_their_leaves_with_sides_in_their_range(smallest, least, margin):
    shares = set()
    for seed in SEEDS:
        plan = Blueprint.solid(50, 40)
        plan.leaves = [RectangularRoom(0, 0, 20, 16), RectangularRoom(20, 5, 6, 30)]
        run("loose_rooms_in_leaves", plan, seed, smallest=smallest, least=least, margin=margin)
        for leaf, room in zip(plan.leaves, plan.rooms, strict=True):
            assert leaf.x + margin <= room.x
            assert leaf.y + margin <= room.y
            assert room.x + room.width <= leaf.x + leaf.width - margin
            assert room.y + room.height <= leaf.y + leaf.height - margin
        wide = plan.rooms[0].width
        most = 20 - 2 * margin
        assert min(most, max(least, int(most * smallest))) <= wide <= most
        shares.add(wide)
    assert max(shares) == 20 - 2 * margin
    assert min(shares) <= max(least, int(max(shares) * smallest)) + 1


def test_leaves_of_a_grid_are_equal_and_never_smaller_than_six_tiles():
    for columns, rows, size in product((1, 3, 9), (2, 7), ((80, 45), (20, 15), (6, 5))):
        plan = Blueprint.solid(*size)
        run("grid_of_leaves", plan, columns=columns, rows=rows)
        across, down = (
            max(1, min(n, side // 6)) for n, side in zip((columns, rows), size, strict=True)
        )
        assert len(plan.leaves) == across * down
        assert sum(leaf.area for leaf in plan.leaves) == size[0] * size[1]
        for leaf in plan.leaves:
            assert leaf.width - size[0] // across in (0, 1)
            assert leaf.height - size[1] // down in (0, 1)


def test_cuts_of_a_partition_fall_between_their_shares_and_leave_whole_leaves():
    found = set()
    for seed in SEEDS:
        plan = Blueprint.solid(60, 40)
        run("binary_space_partition", plan, seed, rounds=1, min_leaf=8, low=0.25, high=0.75)
        one, other = plan.leaves
        assert one.height == other.height == 40
        assert one.width + other.width == 60
        found.add(one.width)
        run("binary_space_partition", plan, seed, rounds=9, min_leaf=8, low=0.0, high=1.0)
        assert all(min(leaf.width, leaf.height) >= 8 for leaf in plan.leaves)
        assert all(max(leaf.width, leaf.height) < 16 for leaf in plan.leaves)
    assert 15 <= min(found) <= 20
    assert 40 <= max(found) <= 45
    square, ways = Blueprint.solid(40, 40), set()
    for seed in SEEDS:
        run("binary_space_partition", square, seed, rounds=1)
        ways.add(square.leaves[0].width == 40)
    assert ways == {True, False}
    run("binary_space_partition", square, rounds=1, min_leaf=20)
    assert [leaf.area for leaf in square.leaves] == [800, 800]
    run("binary_space_partition", square, rounds=3, min_leaf=21)
    assert len(square.leaves) == 1


@pytest.mark.parametrize(("width", "height", "rim"), [(20, 15, 4), (21, 30, 0), (9, 9, 3)])
def test_the_rim_rises_from_its_width_to_the_border(width, height, rim):
    share = rim_share(width, height, rim)
    for y, x in product(range(height), range(width)):
        off = min(x, y, width - 1 - x, height - 1 - y)
        assert share[y, x] == pytest.approx(max(0.0, 1 - off / (rim + 1)) ** 2)


def garden(name, width, height, seed=1, hedged=0.0, gates=3):
    """Return the tiles of one plot of a garden."""
    plan = Blueprint.solid(width + 4, height + 4)
    plan.leaves = [RectangularRoom(1, 1, width + 2, height + 2)]
    weights = dict.fromkeys(("lawns", "ponds", "orchards", "courts", "labyrinths"), 0) | {name: 1}
    run("garden_plots", plan, seed, hedged=hedged, gates=gates, **weights)
    assert (plan.tiles[1, 1:-1] == Tile.ROAD).all()
    return plan.tiles[2:-2, 2:-2]


@pytest.mark.parametrize("gates", [0, 2, 3, 4, 9])
def test_a_hedge_has_as_many_gates_as_asked_for_one_a_side(gates):
    where = set()
    for seed in SEEDS:
        plot = garden("lawns", 9, 7, seed, hedged=1.0, gates=gates)
        sides = [plot[0], plot[-1], plot[:, 0], plot[:, -1]]
        opened = [int((side == Tile.GRASS).sum()) for side in sides]
        assert sum(opened) == max(2, min(4, gates))
        assert max(opened) == 1
        where |= {(n, int(x)) for n in range(4) for x in np.flatnonzero(sides[n] == Tile.GRASS)}
    longest = {(n, x) for n in (0, 1) for x in range(1, 8)} | {
        (n, y) for n in (2, 3) for y in range(1, 6)
    }
    assert where <= longest
    assert len(where) > 0.7 * len(longest)


def test_plots_of_a_garden_are_what_they_are_called():
    court = garden("courts", 9, 8)
    assert [tuple(place) for place in np.argwhere(court == Tile.STATUE).tolist()] == [(4, 4)]
    pillars = [[y, x] for y in (1, 6) for x in (1, 4, 7)]
    assert np.argwhere(court == Tile.PILLAR).tolist() == pillars
    assert not (garden("courts", 6, 9) == Tile.PILLAR).any()
    assert not (garden("courts", 4, 9) == Tile.STATUE).any()
    apart = set()
    for seed in SEEDS:
        ys, xs = np.nonzero(garden("orchards", 12, 9, seed) == Tile.FOREST)
        step = sorted(set(xs.tolist()))[1] - 1
        assert sorted(set(xs.tolist())) == list(range(1, 12, step))
        assert sorted(set(ys.tolist())) == list(range(1, 9, step))
        apart.add(step)
    assert apart == {2, 3}
    pond = np.zeros((9, 11), np.uint8)
    PLOTS["pond"](pond, Rng(1))
    for y, x in product(range(9), range(11)):
        away = ((x - 5) / 5) ** 2 + ((y - 4) / 4) ** 2
        tile = Tile.WATER if away < 0.45 else Tile.SHALLOWS if away < 0.85 else Tile.GRASS
        assert pond[y, x] == tile
    labyrinth = garden("labyrinths", 11, 11)
    assert np.argwhere(labyrinth == Tile.SHRINE).tolist() == [[5, 5]]
    hedges = [(labyrinth[n, n : 11 - n] == Tile.WALL).sum() for n in (0, 2, 4)]
    assert all(hedge in (side, side - 1) for hedge, side in zip(hedges, (11, 7, 3), strict=True))
    assert not (labyrinth[1, 1:-1] == Tile.WALL).any()


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
    with pytest.raises(Exception, match="no leaf has place for a room"):
        run("loose_rooms_in_leaves", plan)


def test_sites_of_islands_leave_three_quarters_of_a_radius_to_the_border():
    plan, xs, ys = Blueprint.solid(60, 40), set(), set()
    for seed in range(200):
        x, y, radius = _site(plan, Rng(seed), 8, [])
        assert radius == 8
        xs.add(x)
        ys.add(y)
    assert (min(xs), max(xs)) == (7, 52)
    assert (min(ys), max(ys)) == (7, 32)
    assert _site(Blueprint.solid(9, 9), Rng(1), 20, [])[2] == 2


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
    plan.start, plan.rooms = Point(10, 9), [RectangularRoom(14, 9, 1, 1)]
    assert run("wall_off", plan, on=("floor",), rubble=1.0) == ["Wall 1: 16 tiles"]
    ring = plan.tiles[distances(np.ones_like(plan.open), 10, 9) == 2]
    assert sorted(ring.tolist()) == [Tile.WALL] * 15 + [Tile.DOOR]
    ((y, x),) = np.argwhere(plan.tiles == Tile.DOOR).tolist()
    assert (x - 10) ** 2 + (y - 9) ** 2 == 5, "no door further from the start hangs in a wall"
    assert regions(plan.open)[1] == 1
    assert (plan.tiles == Tile.RUBBLE).sum() > 32


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
    knob = next(one for one in parameters_of(recipe) if one.name == "texture")
    now = parameter_value(recipe, knob)
    other = stepped_value(recipe, knob, 1, now)
    assert other != now
    turned = with_value(recipe, knob, other)
    assert stepped_value(turned, knob, 1, now) == now
    assert stepped_value(turned, knob, -1, now) == now
    several = find_recipe("terrain")
    for knob in parameters_of(several):
        value = parameter_value(several, knob)
        if isinstance(value, tuple) and value:
            up = stepped_value(several, knob, 1, value)
            assert len(up) == 1
            changed = with_value(several, knob, up)
            down = stepped_value(changed, knob, -1, value)
            assert stepped_value(with_value(several, knob, down), knob, 1, value) == up
            assert down != up


def test_doorways_of_a_room_are_kept_free_on_its_inner_side():
    rim = np.zeros((6, 7), np.bool_)
    for y, x, inner in ((0, 2, (1, 2)), (5, 4, (4, 4)), (3, 0, (3, 1)), (2, 6, (2, 5))):
        rim[:] = False
        rim[y, x] = True
        assert np.argwhere(_before_doorways(rim)).tolist() == [list(inner)]


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
    plan = Blueprint.solid(60, 40)
    nearer = 0
    for seed in SEEDS:
        x, _, _ = _site(plan, Rng(seed), 6, [(12, 30, 9), (14, 8, 9)])
        nearer += x < 25
    assert nearer <= 3


@pytest.mark.parametrize("end", ["start", "exit"])
def test_a_level_needs_both_a_start_and_an_exit(end):
    plan = with_rooms((2, 2, 9, 7))
    setattr(plan, end, Point(3, 3))
    assert list(broken_invariants(plan))
