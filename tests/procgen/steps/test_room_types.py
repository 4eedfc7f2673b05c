"""Rooms with a meaning: furnished, never cutting a level, each said where it lies."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from entities.terrain import Tile, terrain
from procgen.analysis.chokepoints import chokepoint_areas, structure_of
from procgen.analysis.distances import distances, regions
from procgen.blueprint import RectangularRoom
from procgen.placement.room_sites import find_sites
from procgen.placement.safe_placement import FreeFloor, can_close
from procgen.rng import Rng
from procgen.steps.room_types import garden, hall, library, room_types, shrine, trap_room, treasury
from procgen.validate import broken_invariants
from support.blueprints import drawn, run
from support.room_type_levels import CELL_BLOCK, level_plan, places


def site_of(text):
    """Return a floor, and the one site of a drawing with the start in another room."""
    plan = drawn(text)
    structure = structure_of(plan)
    (site,) = find_sites(plan, structure, Rng(0, "sites"), least=9, most=100)
    return plan, FreeFloor(plan), site


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
    found = chokepoint_areas(structure_of(plan), 9, 40)
    assert [len(area.cells) for area in found] == [14]
    east, south = chokepoint_areas(structure_of(plan), 20, 60)
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


def test_a_library_without_room_for_a_shelf_lays_no_carpet(monkeypatch):
    for seed in range(8):
        plan, floor, site = site_of(ROOM)
        monkeypatch.setattr(floor, "place_blocking", lambda *_: False)
        before = plan.tiles.copy()
        assert library(floor, site, Rng(seed, "library")) == 0
        assert (plan.tiles == before).all()


@pytest.mark.parametrize("recipe", ["rooms", "bsp", "caves", "walk"])
def test_room_types_keep_every_promise(recipe):
    for seed in range(4):
        plan = level_plan(recipe, seed)
        run(room_types, plan, seed, traps=2, libraries=2)
        assert list(broken_invariants(plan)) == []
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
