"""The First Seed is seen from afar, called out, stopped for and asked about."""

import numpy as np
import pytest

from engine.levels.populate import populated_map
from engine.monsters.initial_monsters import BOSS_DISTANCE
from engine.pathfinding.auto_travel import Stop, explore, travel
from engine.saves.run import Run
from engine.state.actions import Climb, Descend, Move, Wait
from engine.state.events import FoundGoal
from engine.state.game_state import GameState
from engine.state.run_setup import LAST_DEPTH, RunSetup
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.analysis.distances import distances
from procgen.build import build
from procgen.recipes import find_recipe
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from support.auto_travel import walk
from support.fake_backend import Person
from support.items import told
from support.play_screens import playing, world_of
from support.scenes import level_of, scene
from support.stairs import adventure, stand_on

LONG_HALL = f"""
    {"#" * 50}
    #@#{"." * 46}#
    #.{"." * 46}>#
    {"#" * 50}
"""


def hall():
    """Return an engine whose hero stands around the corner of a hall with the First Seed."""
    engine = scene(LONG_HALL)
    engine.state.map.set_tile(40, 2, Tile.RELIC)
    return engine


def in_hall() -> tuple[Person, GameState]:
    engine = hall()
    person = Person()
    person.app.answer(Push(PlayScreen(Session(Run(engine)))))
    return person, engine.state


def test_the_first_seed_is_seen_from_afar_and_called_out_once():
    engine = hall()
    assert not engine.state.map.goal_found
    assert told(engine.step(Move(0, 1)), FoundGoal)[0].place == (40, 2)
    assert engine.state.map.visible[2, 40]
    assert not engine.state.map.visible[2, 20]
    assert not told(engine.step(Move(1, 0)), FoundGoal)


def test_that_of_a_level_from_a_file_is_called_out_and_the_last_depth_adds_no_other():
    drawing = LONG_HALL.replace(".>", "*>")
    engine = scene(drawing)
    assert told(engine.step(Move(0, 1)), FoundGoal)[0].place == (47, 2)
    level = level_of(drawing, LAST_DEPTH)
    game_map = populated_map(level, RunSetup(1, "1"), iter(range(1, 99)).__next__)
    assert np.argwhere(game_map.tiles == Tile.RELIC).tolist() == [[2, 47]]
    assert game_map.goal == (47, 2)


@pytest.mark.parametrize("recipe", ["caves", "bsp", "mission", "maze"])
def test_the_last_boss_stands_beside_it(recipe):
    for seed in range(4):
        level = build(find_recipe(recipe).code(seed, LAST_DEPTH))
        game_map = populated_map(level, RunSetup(1, "1"), iter(range(1, 9999)).__next__)
        (boss,) = [one for one in game_map.entities.values() if creature_kinds()[one.kind].lair]
        steps = distances(game_map.walkable, *game_map.goal)[boss.y, boss.x]
        assert abs(steps - BOSS_DISTANCE) <= 1
        assert game_map.entity_at(boss.x, boss.y) is boss


def test_the_last_boss_takes_nobodys_place_beside_it():
    drawing = f"{'#' * 16}\n#>{'.' * 8}o..*@#\n{'#' * 16}"
    level = level_of(drawing, LAST_DEPTH)
    game_map = populated_map(level, RunSetup(1, "1"), iter(range(1, 99)).__next__)
    (boss,) = [one for one in game_map.entities.values() if creature_kinds()[one.kind].lair]
    assert game_map.entity_at(13 - BOSS_DISTANCE, 1).kind == "orc"
    places = [(one.x, one.y) for one in game_map.entities.values()]
    assert len(places) == len({*places}) >= 2
    assert abs(boss.x - 13) in (BOSS_DISTANCE - 1, BOSS_DISTANCE + 1)


def test_without_any_ground_but_the_stairs_it_is_on_the_way_down():
    level = level_of("####\n#@>#\n####", LAST_DEPTH)
    game_map = populated_map(level, RunSetup(1, "1"), iter(range(1, 99)).__next__)
    assert np.argwhere(game_map.tiles == Tile.RELIC).tolist() == [[1, 2]]


def test_it_is_called_out_once_however_often_the_hero_comes_to_its_level():
    engine = adventure(generator="rooms", depth=LAST_DEPTH)
    state = engine.state
    goal, called = state.map.goal, []
    for at, action in ((goal, Wait()), (state.map.exit, Descend()), (None, Climb())):
        stand_on(engine, at or state.map.start)
        called.append(len(told(engine.step(action), FoundGoal)))
    assert called == [1, 0, 0]
    assert state.map.goal == goal


def test_the_blind_see_no_light():
    engine = hall()
    engine.state.hero.statuses["blind"] = 9
    assert not told(engine.step(Move(0, 1)), FoundGoal)


def test_exploring_stops_at_its_sight_and_in_the_end_beside_it():
    engine = hall()
    state = engine.state
    assert walk(engine, explore(state))[0] is Stop.GOAL
    ends = [walk(engine, explore(state))[0] for _ in range(3)]
    assert Stop.GOAL in ends
    assert (abs(state.hero.x - 40), state.won) == (1, None)


def test_it_can_be_travelled_to():
    person, state = in_hall()
    state.map.restore_view(state.map.visible, np.ones_like(state.map.explored))
    person.types("_").presses("tab").presses("enter").waits(60)
    assert state.won is not None or (state.hero.x, state.hero.y) == (40, 2)


def test_the_stairs_of_its_level_ask_before_it_is_left_behind():
    person = playing(RunSetup(42, "42", generator="rooms", depth=LAST_DEPTH))
    state = world_of(person)
    state.map.remove_entity(state.hero)
    if crowd := state.map.entity_at(*state.map.exit):
        state.map.remove_entity(crowd)
    state.hero.x, state.hero.y = state.map.exit
    state.map.add_entity(state.hero)
    state.look()
    person.types(">")
    assert "Go down without it" in person.reads()
    person.types("n")
    assert state.depth == LAST_DEPTH
    person.types(">").types("y")
    assert state.depth == LAST_DEPTH + 1


def test_travel_walks_to_a_place_beyond_it():
    engine = hall()
    engine.state.map.explored[:] = True
    assert walk(engine, travel(engine.state, (46, 2)))[0] in (Stop.ARRIVED, Stop.GOAL)
    assert engine.state.won is None
