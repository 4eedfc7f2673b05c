"""Stairs lead both ways, and a level is found again exactly as it was left."""

import msgspec
import numpy as np
import pytest

from components import AiState
from components.inventory import Item
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.levels.stored_levels import pack_level, unpack_level
from engine.saves.digests import state_digest
from engine.state.actions import Climb, Descend, Move, PlantFirstSeed, Refused, Visit, Wait
from engine.state.events import Arrived, Followed, Struggled
from engine.state.game_map import GameMap
from engine.state.game_state import NoLevel
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.level_code import DEEPEST
from procgen.recipe_builder import BuildFailed
from support.items import told
from support.rule_scenes import put
from support.scenes import DrawnLevels, drawn, kinds, picture, scene
from support.stairs import adventure, stand_on, take, written


def as_data(state):
    """Return all of a level but the hero, as plain data."""
    state.map.remove_entity(state.hero)
    data = unpack_level(pack_level(state.map))
    state.map.add_entity(state.hero)
    return msgspec.to_builtins(data)


def test_a_level_is_found_again_as_it_was_left():
    engine = adventure()
    state = engine.state
    state.map.set_tile(4, 4, Tile.RUBBLE)
    state.map.add_item(Item(state.next_id, "dagger"), 3, 3)
    state.next_id += 1
    creature = next(one for one in state.map.entities.values() if one.ai)
    creature.fighter.hp = 1
    creature.statuses["slowed"] = 7
    stand_on(engine, state.map.exit)
    state.look()
    before, tiles, code = as_data(state), state.map.tiles.copy(), str(state.code)
    assert take(engine, Descend()) == Arrived(str(state.code), 2)
    assert 1 in state.stored_levels
    for _ in range(3):
        engine.step(Wait())
    assert take(engine, Climb()) == Arrived(code, 1, again=True, upward=True)
    assert (state.hero.x, state.hero.y) == state.map.exit
    assert 1 not in state.stored_levels
    assert as_data(state) == before
    assert np.array_equal(state.map.tiles, tiles)
    assert state.map.items_at(3, 3)[0].kind == "dagger"


def test_a_level_is_not_settled_again_and_time_stands_still_there():
    engine = adventure()
    first = sorted(engine.state.map.entities)
    take(engine, Descend())
    second, born = sorted(engine.state.map.entities), engine.state.next_id
    take(engine, Climb())
    assert sorted(engine.state.map.entities) == first
    take(engine, Descend())
    assert sorted(engine.state.map.entities) == second
    assert engine.state.next_id == born
    assert engine.state.deepest == 2


def test_stairs_are_refused_elsewhere_and_above_the_first_level():
    engine = adventure()
    before = state_digest(engine.state)
    assert engine.step(Descend()) == Refused("no exit here")
    assert engine.step(Climb()) == Refused("no way back")
    engine.state.map.move_entity(engine.state.hero, *engine.state.map.exit)
    assert engine.step(Climb()) == Refused("no way up here")
    stand_on(engine, engine.state.map.start)
    assert state_digest(engine.state) == before


@pytest.mark.parametrize("action", [Descend(), Climb()])
def test_a_way_that_leads_to_no_level_is_refused(action, monkeypatch):
    engine = adventure(depth=2)
    stand_on(engine, engine.state.map.exit if action == Descend() else engine.state.map.start)
    before = state_digest(engine.state)

    def fails(*_, **__):
        raise BuildFailed("nothing grew there")

    monkeypatch.setattr("engine.levels.recipe_by_depth.build", fails)
    assert engine.step(action) == Refused("nothing grew there")
    assert state_digest(engine.state) == before


def test_stairs_lead_to_the_levels_the_state_was_given():
    first = """
        ####
        #@>#
        ####
    """
    second = """
        #####
        #@.>#
        #####
    """
    engine = scene(first, levels=DrawnLevels(first, second))
    engine.step(Move(1, 0))
    assert engine.step(Descend()) == [Arrived("rooms.1:7:2@5x3", 2)]
    assert drawn(engine) == picture(second)
    assert engine.step(Climb()) == [Arrived("rooms.1:7:1@4x3", 1, upward=True)]
    assert engine.step(Descend()) == [Arrived("rooms.1:7:2@5x3", 2)]
    engine.step(Move(1, 0))
    engine.step(Move(1, 0))
    assert engine.step(Descend()) == Refused("no level is drawn for depth 3")


def test_the_workshop_has_no_way_up_and_remembers_nothing():
    engine = Engine(new_game(pinned(RunSetup(5, "5", Mode.WORKSHOP))))
    assert engine.step(Climb()) == Refused("no stairs in the Workshop")
    assert not take(engine, Descend()).again
    assert engine.state.stored_levels == {}


def test_who_hunts_close_by_comes_along():
    engine = scene("""
        ########
        #...o..#
        #o.o@..#
        #...>..#
        ########
    """)
    state = engine.state
    hunters = [one for one in state.map.entities.values() if one.ai]
    for hunter in hunters[:2]:
        hunter.ai.state, hunter.ai.state_turns_left = AiState.HUNTING, 9
    state.map.move_entity(state.hero, *state.map.exit)
    near = [one.id for one in state.pursuers()]
    assert near == []
    state.map.move_entity(hunters[0], 4, 2)
    assert [one.id for one in state.pursuers()] == [hunters[0].id]
    events = engine.step(Descend())
    assert [event.who.id for event in events if isinstance(event, Followed)] == [hunters[0].id]
    assert max(abs(hunters[0].x - state.hero.x), abs(hunters[0].y - state.hero.y)) <= 2
    assert hunters[1].id not in state.map.entities


def test_a_hunter_that_finds_no_room_below_stays_where_it_was():
    engine = on_stairs()
    state, hunter = engine.state, put(engine, "orc", 5, 2)
    below = GameMap(state.levels.offered_level(state.levels.level_choices(state)[0]))
    while spot := below.nearest_free(*below.start):
        below.add_entity(make_creature("rat", state.new_id(), *spot))
    state.stored_levels[2] = pack_level(below)
    assert not told(engine.step(Descend()), Followed)
    assert state.depth == 2
    (stayed,) = unpack_level(state.stored_levels[1]).entities
    assert (stayed.id, stayed.x, stayed.y) == (hunter.id, 5, 2)


def test_a_hero_who_falls_into_what_has_become_a_lake_lands_on_its_shore():
    first, engine = on_stairs(), on_stairs()
    first.state.levels.fall(first.state)
    state, place = engine.state, Point(first.state.hero.x, first.state.hero.y)
    below = GameMap(state.levels.offered_level(state.levels.level_choices(state)[0]))
    for x, y in np.ndindex(5, 5):
        if below.walkable[(at := Point(place.x + x - 2, place.y + y - 2)).y, at.x]:
            below.set_tile(*at, Tile.WATER)
    state.stored_levels[2] = pack_level(below)
    state.levels.fall(state)
    assert state.map.walkable[state.hero.y, state.hero.x]
    assert max(abs(state.hero.x - place.x), abs(state.hero.y - place.y)) >= 3


def followers(engine, *hunting):
    """Return the kinds of the monsters at (3, 2) and (3, 3) that follow the hero downstairs."""
    for y, kind in enumerate(hunting, 2):
        put(engine, kind, 3, y)
    return [one.who.kind for one in engine.step(Descend()) if isinstance(one, Followed)]


@pytest.mark.parametrize("kind", ["puffball", "gazer", "shriekcap"])
def test_monsters_that_never_move_do_not_follow_by_the_stairs(kind):
    assert followers(on_stairs(), "orc", kind) == ["orc"]


@pytest.mark.parametrize("status", ["asleep", "held"])
def test_monsters_that_sleep_or_are_held_do_not_follow_by_the_stairs(status):
    engine = on_stairs()
    put(engine, "goblin", 5, 2).statuses[status] = 9
    assert followers(engine, "orc") == ["orc"]


@pytest.mark.parametrize("action", [Climb(), Descend()])
def test_a_hero_in_a_net_tears_at_it_before_it_takes_the_stairs(action):
    engine = on_stairs()
    engine.state.map.start, engine.state.hero.statuses["held"] = engine.state.map.exit, 8
    assert Struggled in kinds(engine.step(action))
    assert (engine.state.depth, engine.state.hero.statuses["held"]) == (1, 4)


@pytest.mark.parametrize("action", [Visit("rooms:7:3@44x30"), PlantFirstSeed()])
def test_no_net_comes_along_to_a_level_that_a_code_or_the_first_seed_makes(action):
    engine = adventure(3, generator="rooms")
    engine.state.won, engine.state.hero.statuses["held"] = 1, 8
    assert Arrived in kinds(engine.step(action))
    assert "held" not in engine.state.hero.statuses


def on_stairs():
    """Return an engine whose hero stands on the stairs down, at (4, 2)."""
    engine = scene("""
        ########
        #@.....#
        #...>..#
        #......#
        ########
    """)
    engine.state.map.move_entity(engine.state.hero, 4, 2)
    return engine


def test_who_stands_on_the_stairs_does_not_keep_the_hero_from_arriving():
    engine = adventure()
    creature = next(one for one in engine.state.map.entities.values() if one.ai)
    stand_on(engine, engine.state.map.exit)
    engine.step(Descend())
    memory = unpack_level(engine.state.stored_levels[1])
    for entity in memory.entities:
        if entity.id == creature.id:
            level = adventure().state.map.level
            entity.x, entity.y = level.exit
    engine.state.stored_levels[1] = written(memory)
    take(engine, Climb())
    state = engine.state
    assert (state.map.entities[creature.id].x, state.map.entities[creature.id].y) == state.map.exit
    apart = max(abs(state.hero.x - state.map.exit.x), abs(state.hero.y - state.map.exit.y))
    assert apart == 1
    assert state.map.entity_at(state.hero.x, state.hero.y) is state.hero


@pytest.mark.parametrize("tile", [Tile.TRAP, Tile.KEY, Tile.TREASURE])
def test_a_hero_whose_stairs_are_taken_arrives_beside_traps_and_gold_and_not_on_them(tile):
    engine = adventure()
    take(engine, Descend())
    memory = unpack_level(engine.state.stored_levels[1])
    level, (x, y) = adventure().state.map.level, adventure().state.map.exit
    memory.entities[0].x, memory.entities[0].y = x, y
    for row in range(y - 1, y + 2):
        changed = [
            column for column in range(x - 1, x + 2) if level.tiles[row, column] != Tile.WALL
        ]
        memory.changes.update({row * level.tiles.shape[1] + column: tile for column in changed})
    engine.state.stored_levels[1] = written(memory)
    take(engine, Climb())
    game_map, hero = engine.state.map, engine.state.hero
    assert game_map.tiles[y, x] == tile
    assert hero.distance_to(game_map.entity_at(x, y)) == 2
    assert game_map.tiles[hero.y, hero.x] != tile


def test_visiting_forgets_what_lay_at_that_depth_only():
    engine = adventure()
    take(engine, Descend())
    engine.step(Visit("rooms:3:1"))
    assert engine.state.stored_levels == {}
    take(engine, Descend())
    assert list(engine.state.stored_levels) == [1]
    assert take(engine, Climb()).code.startswith("rooms.1:3:1@")


@pytest.mark.parametrize("more", [{}, {"generator": "rooms"}, {"mode": Mode.WORKSHOP}])
def test_below_the_last_depth_there_is_no_level(more):
    setup = pinned(RunSetup(5, "5", depth=DEEPEST, **more))
    engine = Engine(new_game(setup))
    state = engine.state
    stand_on(engine, state.map.exit)
    assert state.levels.level_choices(state) == []
    refused = engine.step(Descend())
    assert refused == Refused("there is no level below depth 999999")
    with pytest.raises(NoLevel, match="there is no level below"):
        state.levels.fall(state)
    assert state.depth == DEEPEST
