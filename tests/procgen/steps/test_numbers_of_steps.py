"""The numbers of a step are kept exactly: rooms, creatures and water, over many seeds."""

from itertools import pairwise

import numpy as np
import pytest

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.analysis.distances import distances, regions
from procgen.blueprint import Blueprint, Point
from procgen.carving.room_shapes import SHAPES, random_shape
from procgen.missions.carving import lattice_spans
from procgen.rng import Rng
from procgen.steps.lakes_rivers_fissures import _bed, _blobs, _course
from support.blueprints import drawn, field, run, with_rooms

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
        assert [(e.start, e.end) for e in made.edges] == list(pairwise(order))
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
        assert 1 not in (ways[0].start, ways[0].end), "never from the exit"


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
        shape = SHAPES["cross"](Rng(seed), 12, 9)
        mask, core = shape.mask, shape.core
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
    shape = SHAPES["hall"](Rng(1), width, height)
    mask, core, pillars = shape.mask, shape.core, shape.pillars
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


def test_a_colonnade_is_told_of_by_what_it_has():
    odd, even = (2, 2, 7, 5), (2, 2, 6, 5)  # Pillars two tiles apart are not symmetric in six.
    for room, carpets, captions in (
        (odd, 1.0, ["6 pillars around a carpet"]),
        (odd, 0.0, ["6 pillars"]),
        (even, 1.0, ["A carpet"]),
        (even, 0.0, []),
    ):
        assert run("colonnades", with_rooms(room), share=1.0, carpets=carpets) == captions


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
    with pytest.raises(Exception, match="there is no monster 'dodo'"):
        run("monsters_in_rooms", deep, first="dodo")


def test_no_two_creatures_share_a_tile_of_rooms_that_overlap():
    plan = with_rooms((2, 2, 4, 4), (20, 2, 3, 3), (21, 2, 3, 3))
    plan.start = Point(2, 2)
    run("monsters_in_rooms", plan, rooms=2, each=9)
    assert len(plan.spawns) == len({(one.x, one.y) for one in plan.spawns}) == 12


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
        sizes = [1 if "lone" in caption else int(caption.split()[3]) for caption in captions]
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
        (blob,) = _blobs(Rng(seed), [width])
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
        *captions, last = run("lakes", plan, number=number, smallest=4, largest=7, shores=0.0) or [
            ""
        ]
        assert len(captions) == number
        assert last == ("Shores added" if number else "")
        deep = [int(caption.split()[2]) for caption in captions]
        assert sum(deep) == (plan.tiles == Tile.WATER).sum()
        assert not (plan.tiles == Tile.SHALLOWS).any()
    plan = Blueprint.solid(80, 45)
    plan.tiles[20:24, 20:40] = Tile.FLOOR
    assert run("lakes", plan, on_floor=1.0, smallest=9, largest=9) == []
    assert len(run("lakes", plan, on_floor=0.0, smallest=9, largest=9)) == 5


def test_pools_lie_around_the_centres_of_a_share_of_the_rooms():
    rooms = [(x, y, 11, 9) for x in range(3, 70, 16) for y in range(3, 40, 14)]
    poured = []
    for share in (0.0, 0.5, 1.0):
        plan = with_rooms(*rooms, size=(80, 45))
        told = run("pools_in_rooms", plan, share=share, smallest=3, largest=5, shores=1.0)
        wet = plan.tiles == Tile.WATER
        poured.append(sum("Pool" in caption for caption in told))
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
