"""Where treasure, lairs, packs, start and exit come to lie."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.analysis.chokepoints import Structure, dead_ends, structure_of
from procgen.analysis.distances import distances
from procgen.blueprint import Blueprint, Spawn
from procgen.build import build
from procgen.placement.monster_placement import in_sight
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.step_registry import all_steps
from procgen.steps.monster_lairs import foreshadow, lairs_in_dead_ends
from procgen.steps.room_types import room_types
from procgen.steps.spawns import monsters_by_region, monsters_clumped
from procgen.steps.start_and_exit import start_and_exit_apart
from procgen.steps.treasure import treasure_behind_chokepoints
from procgen.validate import broken_invariants
from support.blueprints import drawn, run
from support.room_type_levels import CELL_BLOCK, level_plan, places


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
        assert list(broken_invariants(plan)) == []


def test_foreshadowing_surrounds_the_largest_pack_only():
    plan = drawn(CELL_BLOCK)
    plan.spawns += [Spawn("orc", 24, y) for y in (1, 2, 3)]
    run(foreshadow, plan, reach=6, minions=0)
    signs = places(plan, Tile.BONES) + places(plan, Tile.STAIN) + places(plan, Tile.RUBBLE)
    assert signs
    assert all(spot.x > 16 for spot in signs)


def test_the_way_to_the_exit_has_a_bend_if_there_is_such_a_way():
    wall = "#" * 40
    hall = f"#{'.' * 38}#"
    half = f"#{'.' * 20}#{'.' * 17}#"
    for bend, drawing in (
        (1.5, [wall, *[hall] * 3, *[half] * 15, wall]),
        (1.5, [wall, hall, wall]),
    ):
        ratios = []
        for seed in range(20):
            plan = drawn("\n".join(drawing))
            run(start_and_exit_apart, plan, seed, far=0.3, bend=bend)
            (x, y), (ex, ey) = plan.start, plan.exit
            steps = int(distances(plan.open, x, y)[ey, ex])
            ratios.append(steps / max(abs(ex - x), abs(ey - y)))
        assert (min(ratios) >= bend) == (half in drawing)
        assert max(ratios) == 1 or half in drawing


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
        assert list(broken_invariants(plan)) == []


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
    traits = {name: kind.traits for name, kind in creature_kinds().items()}
    for kinds in homes:
        folk = {kind for kind in kinds if traits[kind].pack[1] > 1}
        led = {other for kind in folk for other in traits[kind].escort}
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
    assert list(broken_invariants(plan)) == []


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
    assert Structure(plan.open, (1, 1)).largest_cut > 40
