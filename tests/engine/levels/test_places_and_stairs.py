"""Small rules of levels and saves: whose stairs they are, drawn levels, places in a world."""

import numpy as np
import pytest

from components.inventory import Item
from engine.infinite.infinite_map import LOAD_DISTANCE, RADIUS, SPAN, InfiniteMap
from engine.infinite.populated_chunks import PopulatedChunk
from engine.items.item_actions import ARMOUR_TIME, equip, take_off
from engine.levels.drawn_level import pack_drawn
from engine.levels.dungeon import _open_way_up
from engine.levels.recipe_by_depth import code_at
from engine.levels.transitions import climb, descend, plant_first_seed, visit
from engine.perform import perform
from engine.saves.files import append_line
from engine.saves.run_file import depth_of
from engine.state.actions import (
    Climb,
    Descend,
    Done,
    Equip,
    PlantFirstSeed,
    Refused,
    TakeOff,
    Visit,
)
from engine.state.game_map import GameMap
from engine.state.run_setup import RunSetup
from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.level_code import FROM_FILE
from procgen.world_types import world_types
from support.items import bare
from support.rule_scenes import field, put, silent
from support.scenes import level_of

SIDE = SPAN // (2 * RADIUS + 1)
"""The side of a chunk, in tiles."""


def test_monsters_take_no_stairs():
    engine = field(3, 7)
    state, orc = engine.state, put(engine, "orc", 5, 7)
    state.map.exit = state.map.start = Point(5, 7)
    assert descend(state, orc, Descend(), silent) == Refused("no exit here")
    assert climb(state, orc, Climb(), silent) == Refused("no way up here")
    assert visit(state, orc, Visit("rooms:7"), silent) == Refused("not for you")
    state.won = 3
    assert plant_first_seed(state, orc, PlantFirstSeed(), silent) == Refused("no First Seed")
    assert descend(state, state.hero, Descend(), silent) == Refused("no exit here")
    assert climb(state, state.hero, Climb(), silent) == Refused("no way up here")
    state.won = None
    seed = PlantFirstSeed()
    assert perform(state, state.hero, seed, silent) == Refused("no First Seed")
    state.won, state.hollow = 3, "rooms:7"
    assert perform(state, state.hero, seed, silent) == Refused("no First Seed")
    assert state.scored


@pytest.mark.parametrize(("hollow", "comes"), [("rooms:7", True), ("", False)])
def test_only_the_way_up_from_depth_1_of_the_hollow_leads_home(hollow, comes):
    engine = field(3, 7)
    state = engine.state
    state.map.start, state.hollow = Point(3, 7), hollow
    answer = perform(state, state.hero, Climb(), silent)
    assert (answer == Done(0)) == comes
    assert (state.home is not None) == comes


@pytest.mark.parametrize(("kind", "time"), [
    ("dagger", 100), ("thorns_ring", 100), ("leather_armour", ARMOUR_TIME), ("short_bow", 100)
])  # fmt: skip
def test_armour_takes_longer_to_put_on_and_off(kind, time):
    engine = bare(field())
    state, hero = engine.state, engine.state.hero
    hero.inventory.append(Item(900, kind))
    assert equip(state, hero, Equip(900), silent) == Done(time)
    assert take_off(state, hero, TakeOff(900), silent) == Done(time)
    assert take_off(state, hero, TakeOff(900), silent) == Refused("not worn")


@pytest.mark.parametrize(("depth", "own"), [(3, True), (2, False), (4, False), (1, False)])
def test_a_drawn_level_is_the_one_of_its_depth_alone(depth, own):
    level = level_of("#######\n#@....#\n#....>#\n#######")
    found = code_at(RunSetup(5, "5", depth=3, drawn=pack_drawn(level, 3)), depth)
    assert (found.recipe == FROM_FILE) == own
    assert found.depth == depth
    assert ((found.width, found.height) == (7, 4)) == own


@pytest.mark.parametrize(("text", "torn"), [
    (b"", False), (b"\n", False), (b"a", True), (b"a\n", False), (b"a\nb", True), (b"a\n\n", False)
])  # fmt: skip
def test_a_torn_last_line_is_ended_before_a_line_is_appended(text, torn, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_bytes(text)
    append_line(path, b"new")
    assert path.read_bytes() == text + b"\n" * torn + b"new\n"


@pytest.mark.parametrize(("code", "depth"), [
    ("rooms:7", 1), ("rooms:7:1", 1), ("rooms:7:4", 4), ("rooms.1:7:12@80x45", 12), ("no code", 0)
])  # fmt: skip
def test_the_depth_of_a_code_is_1_unless_it_says_more(code, depth):
    assert depth_of(code) == depth


class Window:
    """A window of an infinite map, without tiles."""

    corner, origin = (5, -3), (40, -70)


def test_a_place_of_the_window_is_a_place_of_the_world():
    assert GameMap.world_place(Window(), 3, 9) == (43, -61)


@pytest.mark.parametrize("at", [(SPAN // 2, SPAN // 2), (0, 0), (SPAN - 1, 3), (SIDE, SPAN - 1)])
@pytest.mark.parametrize("reach", [0, 1, LOAD_DISTANCE, SPAN])
def test_chunks_near_a_place_are_those_of_the_tiles_in_reach(at, reach):
    columns, rows = (
        {place // SIDE for place in range(SPAN) if abs(place - middle) <= reach} for middle in at
    )
    found = InfiniteMap._chunks_near(Window(), *at, reach)
    assert found == [(5 + c, -3 + r) for r in sorted(rows) for c in sorted(columns)]


@pytest.mark.parametrize(("ground", "middle"), [
    ([], (0, 0)), ([(0, 0)], (0, 0)), ([(0, 0), (3, 2)], (3, 2)),
    ([(SIDE - 1, 0), (0, 0)], (SIDE - 1, 0)), ([(SIDE // 2, SIDE // 2), (1, 1)], (SIDE // 2,) * 2),
])  # fmt: skip
def test_the_middle_of_a_chunk_is_the_walkable_tile_nearest_to_it(ground, middle):
    tiles = np.full((SIDE, SIDE), Tile.WALL, np.uint8)
    for x, y in ground:
        tiles[y, x] = Tile.FLOOR
    level = PopulatedChunk(world_types()["wilds"], 7, 1, tiles, (), ()).level(1)
    assert level.start == level.exit == middle


def test_locks_of_a_new_level_open_for_who_comes_from_below_only_if_they_bar_the_way():
    game_map = GameMap(level_of("#######\n#>...@#\n###.###\n###.###\n#######"))
    game_map.set_tile(3, 2, Tile.LOCKED_DOOR)
    _open_way_up(game_map)
    assert game_map.tiles[2, 3] == Tile.LOCKED_DOOR, "a closet beside the way stays shut"
    game_map.set_tile(3, 1, Tile.PORTCULLIS)
    _open_way_up(game_map)
    assert game_map.walkable[1:3, 3].all()
