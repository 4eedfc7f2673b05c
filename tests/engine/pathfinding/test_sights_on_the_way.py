"""What a player's journey stops for on the way: keys, floods, memories, also behind a fight."""

import pytest

from components import AiState
from engine.pathfinding.auto_travel import Journal, Stop, explore, travel
from engine.terrain.growth import begin_flood
from entities.terrain import Tile
from procgen.blueprint import Point
from render.messages.refusal_messages import explored_message
from support.auto_travel import walk
from support.rule_scenes import put
from support.scenes import scene

BEND = "##########\n#@..######\n###.######\n###.....>#\n###......#\n##########"


def test_a_key_that_came_into_view_with_an_enemy_is_told_after_the_fight():
    engine = scene(BEND.replace(".....>#", "..o..>#"))
    state, journal = engine.state, Journal()
    state.map.set_tile(7, 4, Tile.KEY)
    orc = next(one for one in state.map.entities.values() if one.ai)
    orc.ai.state, orc.ai.behaviour = AiState.HUNTING, "rooted"
    assert walk(engine, explore(state, journal=journal))[0] is Stop.ENEMY
    assert state.map.explored[4, 7], "the key came into view, too"
    state.map.remove_entity(orc)
    assert walk(engine, explore(state, journal=journal)) == (Stop.KEY, 0)
    stop, steps = walk(engine, explore(state, journal=journal))
    assert (stop, steps > 0) == (Stop.KEY, True), "told once, it stops beside the key at last"


def test_a_key_that_is_taken_in_the_fight_is_not_told_afterwards():
    engine = scene(BEND)
    state, journal = engine.state, Journal()
    journal.sighted = Stop.KEY
    assert walk(engine, explore(state, journal=journal))[0] is Stop.EXPLORED
    assert journal.sighted is None


def with_a_shelf():
    """Return the state of a scene whose shelf, around the bend, holds the level's memory."""
    engine = scene(BEND)
    engine.state.map.set_tile(9, 4, Tile.SHELF)
    engine.state.map.memory_at = Point(9, 4)
    assert not engine.state.map.explored[4, 9]
    return engine


def test_exploring_stops_where_a_memory_comes_into_view():
    engine = with_a_shelf()
    assert walk(engine, explore(engine.state, journal=Journal()))[0] is Stop.MEMORY
    assert engine.state.map.explored[4, 9]
    assert engine.state.hero.x < 6, "at the first sight, not beside it"


def test_a_memory_that_was_seen_before_is_told_at_the_end_only():
    engine = with_a_shelf()
    engine.state.map.explored[4, 9] = True
    assert walk(engine, explore(engine.state, journal=Journal()))[0] is Stop.MEMORY
    assert engine.state.hero.x == 8


def test_a_memory_is_offered_again_after_a_fight_on_the_way():
    engine = with_a_shelf()
    state, journal = engine.state, Journal()
    assert walk(engine, explore(state, journal=journal))[0] is Stop.MEMORY
    orc = put(engine, "orc", 8, 3)
    orc.ai.behaviour = "rooted"
    assert walk(engine, travel(state, state.map.memory_at, (), journal))[0] is Stop.ENEMY
    state.map.remove_entity(orc)
    assert walk(engine, explore(state, journal=journal)) == (Stop.MEMORY, 0)


def test_exploring_stops_once_when_what_is_rooted_comes_into_view():
    engine, journal = scene(BEND), Journal()
    fungus = put(engine, "puffball", 8, 4)
    stop, steps = walk(engine, explore(engine.state, journal=journal))
    assert (stop, steps > 0) == (Stop.ENEMY, True)
    assert engine.state.hero.distance_to(fungus) > 1
    assert walk(engine, explore(engine.state, journal=journal)) == (Stop.EXPLORED, 0)


def test_exploring_stops_once_when_a_flood_begins():
    engine, journal = scene(BEND), Journal()
    engine.state.map.set_tile(1, 2, Tile.GRATING)
    begin_flood(engine.state)
    assert walk(engine, explore(engine.state, journal=journal)) == (Stop.FLOOD, 1)
    assert walk(engine, explore(engine.state, journal=journal))[0] is not Stop.FLOOD


@pytest.mark.parametrize("hurt", [0, 9])
@pytest.mark.parametrize("seen", [True, False])
def test_a_shrine_that_bars_the_way_on_is_named_when_nothing_else_is_left(hurt, seen):
    drawing = "########\n#@.....#\n####.###\n####.###\n#.....>#\n########"
    engine, journal = scene(drawing), Journal()
    state = engine.state
    state.map.set_tile(4, 2, Tile.SHRINE)
    state.map.explored[3, 4] = seen
    state.hero.fighter.hp -= hurt
    stops = [walk(engine, explore(state, journal=journal))[0] for _ in range(4)]
    assert (stops[0], stops[-1]) == (Stop.SHRINE, Stop.EXPLORED)
    assert explored_message(state) == "The shrine bars the way on: step on it."


def test_a_shrine_in_a_niche_bars_no_way():
    engine = scene("#####\n#@..#\n##.##\n#####")
    engine.state.map.set_tile(2, 2, Tile.SHRINE)
    engine.state.map.explored[:] = True
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert "shrine" not in explored_message(engine.state)


def test_a_memory_is_told_before_a_key_seen_with_it():
    engine = with_a_shelf()
    state = engine.state
    state.map.set_tile(8, 4, Tile.KEY)
    assert walk(engine, explore(state, journal=Journal()))[0] is Stop.MEMORY
    assert state.map.explored[4, 8], "the key came into view, too"
