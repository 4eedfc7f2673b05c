"""Rooms with a meaning and creatures in their places, on drawn maps and on built levels."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.kinds import creatures
from entities.terrain import Tile, terrain
from procgen.analysis import distances, regions
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.build import build
from procgen.furnishing.footing import Floorspace, can_close
from procgen.furnishing.furniture import garden, hall, library, shrine, trap_room, treasury
from procgen.furnishing.sites import find_sites
from procgen.furnishing.spawning import in_sight
from procgen.measure.pockets import pockets, structure_of
from procgen.measure.structure import analyse, dead_ends
from procgen.recipes import find_recipe
from procgen.registry import all_steps
from procgen.rng import Rng
from procgen.steps.lairs import foreshadow, lairs_in_dead_ends
from procgen.steps.packs import monsters_by_region, monsters_clumped
from procgen.steps.room_types import room_types
from procgen.steps.start_exit import start_and_exit_apart
from procgen.steps.treasure import treasure_behind_chokepoints
from procgen.validate import broken_promises

CELL_BLOCK = """
    ##########################
    #<...........#.......#...#
    #............#.......#...#
    #............+.......+...#
    #............#.......#...#
    #............#.......#...#
    ######+###################
    #............#############
    #............#############
    #...........>#############
    #............#############
    ##########################
"""


def drawn(text, depth=3):
    """Return a blueprint as drawn; '<' and '>' are start and exit on floor."""
    kinds = {kind.char: number for number, kind in enumerate(terrain().kinds)}
    rows = text.split()
    marks = {
        char: Point(x, y)
        for y, row in enumerate(rows)
        for x, char in enumerate(row)
        if char in "<>"
    }
    tiles = [[kinds.get(char, Tile.FLOOR) for char in row] for row in rows]
    plan = Blueprint(np.array(tiles, np.uint8), depth)
    plan.start, plan.exit = marks.get("<"), marks.get(">")
    return plan


def level_plan(recipe, seed, depth=4):
    """Return the blueprint of a built level without its inhabitants."""
    level = build(find_recipe(recipe).code(seed, depth))
    plan = Blueprint(level.tiles.copy(), depth, list(level.rooms))
    plan.start, plan.exit = level.start, level.exit
    return plan


def run(step, plan, seed=0, **parameters):
    return list(step(plan, Rng(seed, "test"), **parameters))


def places(plan, tile):
    ys, xs = np.nonzero(plan.tiles == tile)
    return [Point(*spot) for spot in zip(xs.tolist(), ys.tolist(), strict=True)]


def site_of(text):
    """Return a floor, and the one site of a drawing with the start in another room."""
    plan = drawn(text)
    structure = structure_of(plan)
    (site,) = find_sites(plan, structure, Rng(0, "sites"), least=9, most=100)
    return plan, Floorspace(plan), site


ROOM = """
    #############
    #<+.........#
    ###.........#
    ###.........#
    ###.........#
    ###.........#
    #############
"""


@given(st.lists(st.booleans(), min_size=25, max_size=25))
@settings(max_examples=300, deadline=None)
def test_a_tile_that_can_be_closed_never_parts_the_rest(cells):
    mask = np.pad(np.array(cells).reshape(5, 5), 1)
    mask[3, 3] = True
    before = regions(mask)[1]
    if can_close(mask, 3, 3):
        mask[3, 3] = False
        assert regions(mask)[1] <= before


def test_pockets_are_the_innermost_parts_behind_one_tile():
    plan = drawn(CELL_BLOCK)
    found = pockets(structure_of(plan), 9, 40)
    assert [len(pocket.cells) for pocket in found] == [14]
    east, south = pockets(structure_of(plan), 20, 60)
    assert (east.gate.x, south.gate.y) == (14, 7)


def test_sites_know_how_they_lie():
    plan = drawn(CELL_BLOCK)
    plan.rooms = [
        RectangularRoom(1, 1, 12, 5),
        RectangularRoom(14, 1, 7, 5),
        RectangularRoom(22, 1, 3, 5),
    ]
    first, second = find_sites(plan, structure_of(plan), Rng(0, "sites"), least=9, most=100)
    assert (first.box, second.box) == (plan.rooms[1], plan.rooms[2])
    assert second.sealed
    assert not second.on_way
    assert second.distance > first.distance
    assert second.deepest.x == 24


@pytest.mark.parametrize("furnish", [treasury, trap_room, shrine, library, garden, hall])
def test_furniture_never_cuts_a_room(furnish):
    for seed in range(8):
        plan, floor, site = site_of(ROOM)
        assert furnish(floor, site, Rng(seed, "furniture")) > 0
        assert regions(plan.open)[1] == 1
        assert plan.tiles[1, 2] == Tile.DOOR
        assert terrain().walkable[plan.tiles[1:3, 3]].all()


def test_a_trap_room_can_be_crossed_without_a_plate():
    for seed in range(8):
        plan, floor, site = site_of(ROOM)
        trap_room(floor, site, Rng(seed, "trap"))
        safe = plan.open & (plan.tiles != Tile.TRAP)
        assert places(plan, Tile.TRAP)
        assert regions(safe)[1] == 1


def test_a_library_has_shelves_in_rows_with_an_aisle():
    plan, floor, site = site_of(ROOM)
    while library(floor, site, Rng(3, "library")) == 0:
        pass
    assert len(places(plan, Tile.SHELF)) >= 8


@pytest.mark.parametrize("recipe", ["rooms", "bsp", "caves", "walk"])
def test_room_types_keep_every_promise(recipe):
    for seed in range(4):
        plan = level_plan(recipe, seed)
        run(room_types, plan, seed, traps=2, libraries=2)
        assert list(broken_promises(plan)) == []
        shunned = plan.open & (plan.tiles != Tile.TRAP)
        steps = distances(shunned, *plan.start, diagonal=False)
        assert steps[plan.exit.y, plan.exit.x] < plan.tiles.size


def test_room_types_say_what_became_of_which_room():
    plan = level_plan("bsp", 1)
    captions = run(room_types, plan, 1)
    assert [caption.split(",")[0] for caption in captions][:2] == ["A treasury", "A lair"]
    assert places(plan, Tile.TREASURE)
    assert places(plan, Tile.SHRINE)
    assert places(plan, Tile.BONES)
    assert plan.spawns


def test_treasure_lies_behind_a_chokepoint():
    plan = drawn(CELL_BLOCK)
    run(treasure_behind_chokepoints, plan, hoards=1, heaps=2, most=20)
    gold = places(plan, Tile.TREASURE)
    assert gold
    assert all(spot.x >= 22 for spot in gold)


def test_a_lair_is_a_clump_far_off_that_shows_on_the_way():
    for seed in range(5):
        plan = drawn(CELL_BLOCK)
        run(lairs_in_dead_ends, plan, seed, size=3, minions=0)
        assert len(plan.spawns) == 3
        assert all(spawn.x >= 20 for spawn in plan.spawns)
        signs = places(plan, Tile.BONES) + places(plan, Tile.STAIN)
        assert any(spot.x < 22 for spot in signs)
        assert list(broken_promises(plan)) == []


def test_foreshadowing_surrounds_the_largest_pack_only():
    plan = drawn(CELL_BLOCK)
    plan.spawns += [Spawn("orc", 24, y) for y in (1, 2, 3)]
    run(foreshadow, plan, reach=6, minions=0)
    signs = places(plan, Tile.BONES) + places(plan, Tile.STAIN) + places(plan, Tile.RUBBLE)
    assert signs
    assert all(spot.x > 16 for spot in signs)


@pytest.mark.parametrize("recipe", ["rooms", "caves", "walk"])
def test_start_and_exit_lie_in_niches_far_apart(recipe):
    for seed in range(4):
        plan = level_plan(recipe, seed)
        plan.spawns = [Spawn("orc", *spot) for spot in places(plan, Tile.FLOOR)[::7]]
        run(start_and_exit_apart, plan, seed)
        steps = distances(plan.open, *plan.start)
        reached = int(steps[plan.open].max())
        assert steps[plan.exit.y, plan.exit.x] * 2 > reached
        seen = in_sight(plan, *plan.start)
        assert not any(seen[spawn.y, spawn.x] for spawn in plan.spawns)
        assert list(broken_promises(plan)) == []


def test_dead_ends_are_preferred_for_start_and_exit():
    plan = drawn("""
        ################
        ######....######
        #.....##.......#
        ######....######
        ################
    """)
    run(start_and_exit_apart, plan)
    assert dead_ends(plan.open)[[plan.start.y, plan.exit.y], [plan.start.x, plan.exit.x]].all()


def test_packs_keep_together_and_grow_with_the_distance():
    near, far = [], []
    for seed in range(12):
        plan = level_plan("bsp", seed)
        run(monsters_clumped, plan, seed, per_100=1.0, pack=5)
        steps = distances(plan.open, *plan.start)
        limit = int(steps[plan.open].max())
        spots = [(spawn.x, spawn.y) for spawn in plan.spawns]
        for x, y in spots:
            company = sum(max(abs(x - ox), abs(y - oy)) <= 3 for ox, oy in spots)
            (near if steps[y, x] * 2 < limit else far).append(company)
    assert sum(far) / len(far) > sum(near) / len(near) > 1


def test_regions_differ_in_who_lives_there():
    plan = level_plan("bsp", 3)
    run(monsters_by_region, plan, 3, per_100=3.0, strangers=0.0)
    homes = [
        {spawn.kind for spawn in plan.spawns if room.contains(spawn.x, spawn.y)}
        for room in plan.rooms
    ]
    habits = {name: kind.habits for name, kind in creatures().items()}
    for kinds in homes:
        folk = {kind for kind in kinds if habits[kind].pack[1] > 1}
        led = {other for kind in folk for other in habits[kind].escort}
        assert len(folk - led) <= 1, kinds
    assert any(not kinds for kinds in homes)
    assert sum(map(bool, homes)) > 4


def test_nobody_is_put_in_sight_of_the_start():
    for seed in range(4):
        for step in (monsters_clumped, monsters_by_region, lairs_in_dead_ends, room_types):
            plan = level_plan("caves", seed)
            run(step, plan, seed)
            seen = in_sight(plan, *plan.start)
            assert not any(seen[spawn.y, spawn.x] for spawn in plan.spawns)


MINE = (
    "room_types",
    "lairs_in_dead_ends",
    "foreshadow",
    "treasure_behind_chokepoints",
    "monsters_clumped",
    "monsters_by_region",
    "place_vaults",
    "start_and_exit_apart",
)


@given(st.lists(st.sampled_from(MINE), min_size=2, max_size=7), st.integers(0, 50))
@settings(max_examples=40, deadline=None)
def test_any_order_of_these_steps_keeps_every_promise(names, seed):
    recipe = ("rooms", "bsp", "caves", "walk")[seed % 4]
    level = build(find_recipe(recipe).code(seed % 5, 2, (50, 30)))
    plan = Blueprint(level.tiles.copy(), 2, list(level.rooms))
    plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
    for number, name in enumerate(names):
        step = all_steps()[name]
        list(step.run(plan, Rng(seed, name, number), step.parameters()))
    assert list(broken_promises(plan)) == []


def test_the_same_stream_gives_the_same_rooms():
    one, other = (level_plan("bsp", 6) for _ in range(2))
    for plan in (one, other):
        run(room_types, plan, 6)
    assert one.digest() == other.digest()
    assert all(first != second for first, second in pairwise(sorted(one.spawns)))


def test_structure_is_asked_from_the_start():
    plan = drawn(CELL_BLOCK)
    assert structure_of(plan).start == plan.start
    plan.start = None
    assert structure_of(plan) is None
    assert analyse(plan.open, (1, 1)).largest_cut > 40
