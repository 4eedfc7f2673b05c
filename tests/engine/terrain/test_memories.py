"""Memories of how a level was made, in shelves and statues."""

import numpy as np
import pytest
from msgspec.structs import replace

from components.inventory import Item
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.stored_levels import pack_level, restore_map, unpack_level
from engine.pathfinding.auto_travel import Stop, offer
from engine.pathfinding.known_paths import DECISIONS
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Move, Refused
from engine.state.compression import InvalidSave
from engine.state.events import FoundDoor, Remembered
from engine.state.run_setup import RunSetup
from engine.terrain.memories import LATER_TILES, ROOM_TILES, memory_left
from entities.pack import add_to_pack
from entities.terrain import Tile, tile_mask
from procgen.analysis.distances import with_neighbours
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete
from render.map.viewport import drawn_level
from render.screens.watch_build import WatchBuildScreen
from render.session.session import Session
from support.play_screens import playing, world_of

SETUP = RunSetup(3, "3")


def before_memory(code, monkeypatch=None, reach=None):
    """Return an engine whose hero stands beside the memory of the level, and the step into it."""
    engine = Engine(new_game(SETUP, build(complete(parse_code(code)))))
    return engine, beside(engine.state, reach, monkeypatch)


def beside(state, reach=None, monkeypatch=None):
    if reach:
        monkeypatch.setattr("engine.terrain.memories.position_word", lambda *_: reach - 1)
    place = state.map.memory_at
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        x, y = place.x - dx, place.y - dy
        if state.map.contains(x, y) and state.map.walkable[y, x]:
            if other := state.map.entity_at(x, y):
                state.map.remove_entity(other)
            state.map.remove_entity(state.hero)
            state.hero.x, state.hero.y = x, y
            state.map.add_entity(state.hero)
            state.look()
            return Move(dx, dy)
    raise AssertionError("nothing leads there")


CODE = "mission:1:6"


@pytest.mark.parametrize("reach", [1, 3])
def test_walls_of_a_memory_are_drawn_with_floor_beside_them_that_stays_to_be_explored(
    monkeypatch, reach
):
    engine, step = before_memory(CODE, monkeypatch, reach)
    game_map = engine.state.map
    assert (drawn_level(engine.state).explored == game_map.explored).all()
    engine.step(step)
    level, open_tiles = drawn_level(engine.state), game_map.walkable
    strip = level.explored & ~game_map.explored
    assert strip.sum() > 100
    assert open_tiles[strip].all()
    assert set(level.tiles[strip].tolist()) == {Tile.FLOOR}, "it tells no kind of ground"
    assert not (strip & (game_map.tiles == Tile.DOOR)).any()
    beside_walls = with_neighbours(game_map.explored & ~open_tiles) & open_tiles
    unseen = beside_walls & ~game_map.explored & (game_map.tiles != Tile.DOOR)
    assert (strip == unseen).all()


@pytest.mark.parametrize("reach", [1, 2, 3])
def test_a_memory_marks_as_much_as_it_goes_and_no_floor(monkeypatch, reach):
    engine, step = before_memory(CODE, monkeypatch, reach)
    game_map = engine.state.map
    before, tiles = game_map.explored.copy(), game_map.tiles.copy()
    events = engine.step(step)
    assert Remembered(reach) in events
    new = game_map.explored & ~before
    assert new.sum() > 50
    floor = np.isin(tiles, (Tile.FLOOR, Tile.TUNNEL, Tile.CARPET))
    marked = new & floor & ~game_map.visible
    stairs = {game_map.start, game_map.exit} if reach > 1 else set()
    assert {(x, y) for y, x in np.argwhere(marked).tolist()} <= stairs
    hidden = new & ~game_map.visible
    assert (hidden & np.isin(tiles, ROOM_TILES)).any() == (reach > 1)
    assert (hidden & np.isin(tiles, LATER_TILES)).any() == (reach > 2)
    found = [event for event in events if isinstance(event, FoundDoor)]
    assert len(found) == (tiles == Tile.SECRET_DOOR).sum() * (reach > 2)


def test_it_is_recalled_once():
    engine, step = before_memory(CODE)
    assert not isinstance(engine.step(step), Refused)
    assert engine.state.map.memory_at
    assert memory_left(engine.state.map) is None
    assert engine.step(step) == Refused("blocked")


def test_a_shelf_that_burnt_or_was_dug_away_remembers_nothing():
    engine, _ = before_memory(CODE)
    game_map = engine.state.map
    game_map.set_tile(*game_map.memory_at, Tile.RUBBLE)
    assert memory_left(game_map) is None


def test_it_is_saved_and_stored_with_the_level():
    engine, step = before_memory(CODE)
    engine.step(step)
    state = engine.state
    assert state.map.remembered
    again = load_state(SETUP, save_state(state))
    assert state_digest(again) == state_digest(state)
    stored = restore_map(unpack_level(pack_level(state.map)), state.map.level)
    assert stored.remembered == state.map.remembered
    with pytest.raises(InvalidSave, match="remembered"):
        unpack_state(pack_state(replace(save_state(state), remembered=4)))


def test_recalling_plays_the_making_of_the_level_and_shows_the_floor_between_its_walls():
    person = playing(RunSetup(3, "3"))
    session = person.app.stack[-1].session
    state = session.run.state
    assert isinstance(session, Session)
    engine, _ = before_memory(CODE)
    state.map = engine.state.map
    state.map.remove_entity(engine.state.hero)
    state.map.add_entity(state.hero)
    for monster in [one for one in state.map.entities.values() if one.ai]:
        state.map.remove_entity(monster)  # With one in view, no build opens by itself.
    step = beside(state)
    names = {(1, 0): "right", (-1, 0): "left", (0, 1): "down", (0, -1): "up"}
    person.presses(names[step.dx, step.dy])
    assert isinstance(person.top, WatchBuildScreen)
    person.presses("end").waits(30)
    snapshot = person.top.player.recording.snapshots[-1]
    shown = person.top.view.explored.tiles(snapshot) != Tile.WALL
    known = world_of(person).map
    more = shown & ~known.explored
    assert more.sum() > 200
    assert known.walkable[more].all()
    tiles = person.top.view.explored.tiles(snapshot)
    assert (tiles[more] == Tile.FLOOR).all(), "neither water nor what lies there is told"
    assert not (shown & (known.tiles == Tile.DOOR) & ~known.explored).any()
    treasure = known.walkable & np.isin(known.tiles, (Tile.TRAP, Tile.TREASURE))
    assert shown[treasure].all(), "no hole in the floor tells of a trap"
    person.top.view.explored.mask[known.exit.y, known.exit.x] = False
    assert person.top.view.explored.cut_out(snapshot).exit is None
    person.presses("escape")
    assert "You see how this level was made" in person.reads()


@pytest.fixture
def traveller():
    """Return a person on a level without monsters whose hero knows all of it but remembers none."""
    person = playing(RunSetup(3, "3", generator="mission", depth=6))
    state = world_of(person)
    for creature in [other for other in state.map.entities.values() if other is not state.hero]:
        state.map.remove_entity(creature)
    state.map.explored[:] = True
    person.top.session.card = []
    return person


def test_travel_and_tab_lead_into_a_memory_that_was_seen(traveller):
    state = world_of(traveller)
    memory = state.map.memory_at
    traveller.types("_")
    for _ in range(4):
        traveller.presses("tab")
        if traveller.top.target == memory:
            break
    assert traveller.top.target == memory
    traveller.presses("enter").waits(300)
    assert isinstance(traveller.top, WatchBuildScreen)
    traveller.presses("escape")
    assert "You see how this level was made" in traveller.reads()
    assert "is in the way" not in traveller.reads()
    assert max(abs(state.hero.x - memory.x), abs(state.hero.y - memory.y)) == 1


def test_exploring_stops_once_beside_a_memory_and_then_walks_into_it(traveller):
    state, now = world_of(traveller), [0.0]
    for y, x in np.argwhere(tile_mask((*DECISIONS, *LATER_TILES))[state.map.tiles]).tolist():
        state.map.set_tile(x, y, Tile.FLOOR)
    traveller.top._clock, memory = lambda: now[0], state.map.memory_at
    traveller.types("o").waits(300)
    said = traveller.top.session.log.messages[-1].text
    shelf, offered = said.split(". ")
    assert shelf == "You stop: a bookshelf here remembers how this level was made"
    assert offered == "Press o to walk into it."
    assert max(abs(state.hero.x - memory.x), abs(state.hero.y - memory.y)) == 1
    traveller.types(".").types("o")
    assert traveller.top.session.log.messages[-1].text.startswith("Explored.")
    traveller.top._journal.passed.clear()
    for _ in range(2):
        now[0] += 1.0
        traveller.types("o").waits(9)
    assert isinstance(traveller.top, WatchBuildScreen)
    assert memory_left(state.map) is None


def test_exploring_does_not_stop_for_a_memory_out_of_reach(traveller):
    state = world_of(traveller)
    assert offer(state, Stop.MEMORY) == state.map.memory_at
    state.map.explored[state.map.memory_at[::-1]] = False
    assert offer(state, Stop.MEMORY) is None


def test_a_mapping_scroll_plays_the_making_of_the_level():
    person = playing()
    state = world_of(person)
    scroll = add_to_pack(state.hero, Item(state.new_id(), "mapping_scroll", identified=True))
    person.types(f"a{scroll.letter}")
    assert isinstance(person.top, WatchBuildScreen)


def test_levels_of_infinite_worlds_have_none():
    assert new_game(RunSetup(3, "3", generator="wilds")).map.memory_at is None
