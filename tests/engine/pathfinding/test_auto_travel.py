"""Journeys yield ordinary steps and say why they stop; the bot walks by them."""

import numpy as np
import pytest

from components import AiState
from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.monsters.wandering_monsters import quiet_turns
from engine.pathfinding import auto_travel as journeys
from engine.pathfinding import known_paths
from engine.pathfinding.auto_travel import (
    Journal,
    Stop,
    explore,
    rest,
    run,
    travel,
)
from engine.pathfinding.known_paths import WalkRules, attack_nearest
from engine.pathfinding.threats import threats_in_view
from engine.saves.digests import state_digest
from engine.state.actions import Move, Refused
from engine.state.events import StatusApplied, creature_ref
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import DEEP, Tile
from procgen.blueprint import Point
from procgen.recipes import current_recipes
from support.auto_travel import walk
from support.items import give
from support.sampling import sampled
from support.scenes import drawn, scene

HALL = """
    ############
    #@...#.....#
    #....#.....#
    #..........#
    #....#....>#
    ############
"""


def test_explore_sees_everything_and_says_so():
    engine = scene(HALL)
    reason, _ = walk(engine, explore(engine.state))
    assert reason is Stop.EXPLORED
    assert engine.state.map.explored.all()


def test_explore_refuses_with_an_enemy_in_view_and_stops_when_one_comes():
    engine = scene(HALL.replace("#@...#", "#@.o.#"))
    assert walk(engine, explore(engine.state)) == (Stop.ENEMY, 0)
    engine = scene(HALL.replace("#@...#.....#", "#@...#....o#"))
    reason, steps = walk(engine, explore(engine.state))
    assert reason in (Stop.ENEMY, Stop.HURT)
    assert steps > 0


@pytest.mark.parametrize(
    ("status", "hit_points", "turns", "wanted"),
    [
        ("poisoned", 30, 5, (Stop.ARRIVED, 9)),
        ("poisoned", 17, 5, (Stop.ARRIVED, 9)),
        ("poisoned", 16, 5, (Stop.HURT, 1)),
        ("poisoned", 5, 5, (Stop.HURT, 1)),
        ("burning", 30, 5, (Stop.HURT, 1)),
    ],
)
def test_poison_stops_a_walk_only_where_it_may_cost_most_of_the_hit_points(
    status, hit_points, turns, wanted
):
    engine = scene(HALL)
    engine.state.map.explored[:] = True
    hero = engine.state.hero
    hero.fighter.max_hp, hero.fighter.hp, hero.statuses[status] = 36, hit_points, turns
    assert walk(engine, travel(engine.state, (10, 4))) == wanted


def test_a_walk_stops_when_poison_begins():
    engine = scene(HALL)
    engine.state.map.explored[:] = True
    journey = travel(engine.state, (10, 4))
    next(journey)
    with pytest.raises(StopIteration) as stop:
        journey.send([StatusApplied(creature_ref(engine.state.hero), "poisoned", 5)])
    assert stop.value.value is Stop.HURT


def test_travel_takes_the_shortest_known_way():
    engine = scene(HALL)
    engine.state.map.explored[:] = True
    assert walk(engine, travel(engine.state, (10, 4))) == (Stop.ARRIVED, 9)
    assert walk(engine, travel(engine.state, (10, 4))) == (Stop.ARRIVED, 0)


def test_travel_to_the_unknown_finds_no_way():
    engine = scene(HALL)
    assert walk(engine, travel(engine.state, (10, 1))) == (Stop.NO_WAY, 0)
    assert walk(engine, travel(engine.state, (99, 99))) == (Stop.NO_WAY, 0)


def test_journeys_go_round_traps():
    engine = scene("""
        #######
        #@.x.>#
        #.....#
        #######
    """)
    engine.state.map.explored[:] = True
    reason, _ = walk(engine, travel(engine.state, (5, 1)))
    assert reason is Stop.ARRIVED
    assert "x" in drawn(engine)


def test_rest_ends_when_healed():
    engine = scene(HALL)
    engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp - 2
    reason, turns = walk(engine, rest(engine.state))
    assert reason is Stop.HEALED
    assert 9 < turns <= 18


def test_nobody_rests_whose_wounds_cannot_close():
    engine = scene(HALL)
    engine.state.hero.equipment["ring"] = give(engine, "embers_ring").id
    engine.state.hero.fighter.hp -= 2
    assert walk(engine, rest(engine.state)) == (Stop.UNHEALING, 0)


@pytest.mark.parametrize("tile", DEEP)
def test_nobody_rests_over_what_it_would_fall_into(tile):
    engine = scene(HALL)
    hero = engine.state.hero
    hero.statuses["levitating"], hero.fighter.hp = 99, 10
    engine.state.map.set_tile(hero.x, hero.y, tile)
    assert walk(engine, rest(engine.state)) == (Stop.AFLOAT, 0)


def test_running_stops_where_the_way_opens():
    engine = scene("""
        ############
        #@.........#
        #####.######
        #####.....>#
        ############
    """)
    reason, steps = walk(engine, run(engine.state, 1, 0))
    assert reason is Stop.JUNCTION
    assert steps in (3, 4, 5)


@pytest.mark.parametrize("recipe", sampled([recipe.name for recipe in current_recipes()], 4))
def test_the_bot_leaves_every_kind_of_level_alive_or_not(recipe):
    state = new_game(RunSetup(4, "4", Mode.ADVENTURE, recipe))
    engine, bot = Engine(state), Bot()
    while state.depth == 1 and state.hero.alive:
        events = engine.step(bot.choose(state))
        assert not isinstance(events, Refused)
        bot.hear(events)
        assert state.turn < 8000, "the bot is lost"


def test_bots_on_one_seed_play_the_same_run():
    digests = []
    for _ in range(2):
        state = new_game(RunSetup(9, "9"))
        engine, bot = Engine(state), Bot()
        for _ in range(200):
            bot.hear(engine.step(bot.choose(state)))
        digests.append(state_digest(state))
    assert digests[0] == digests[1]


VAULT = """
    ############
    #@.....#..?#
    #......#...#
    ###].###..>#
    #$.#.......#
    ############
"""
"""A key in the far corner of the room, a locked door to the rest of the level."""


def test_a_bot_that_explores_takes_keys_and_opens_what_they_fit():
    engine = scene(VAULT)
    assert walk(engine, explore(engine.state, decides=True))[0] is Stop.EXPLORED
    assert engine.state.gold > 0
    assert engine.state.map.keys == 0
    assert engine.state.map.explored.all()


KEY_ROOM = """
    #############
    #@.....#....#
    #.....?#....#
    #......]...>#
    #############
"""


def test_explore_stops_beside_keys_and_locks_and_spends_none():
    engine = scene(KEY_ROOM)
    state = engine.state
    nothing = np.zeros_like(state.map.explored)
    state.map.restore_view(nothing, nothing)
    state.look()
    seen = [walk(engine, explore(state))[0] for _ in range(4)]
    assert Stop.KEY in seen
    assert (state.map.keys, int(state.map.tiles[2, 6])) == (0, Tile.KEY)
    assert max(abs(state.hero.x - 6), abs(state.hero.y - 2)) == 1
    state.map.set_tile(6, 2, Tile.FLOOR)
    state.map.keys = 1
    state.map.move_entity(state.hero, 1, 1)
    assert walk(engine, explore(state))[0] is Stop.LOCK
    assert (state.map.keys, int(state.map.tiles[3, 7])) == (1, Tile.LOCKED_DOOR)
    assert max(abs(state.hero.x - 7), abs(state.hero.y - 3)) == 1
    assert walk(engine, explore(state)) == (Stop.LOCK, 0)
    state.map.keys = 0
    assert walk(engine, explore(state)) == (Stop.EXPLORED, 0)


def test_sleepers_are_no_reason_to_stop_but_who_is_awake_is():
    engine = scene("#############\n#@....r.....#\n#..........>#\n#############")
    state = engine.state
    state.map.explored[:] = True
    rat = state.map.entity_at(6, 1)
    rat.statuses["asleep"] = 99
    assert threats_in_view(state) == []
    assert walk(engine, travel(state, (11, 2)))[0] is Stop.ARRIVED
    rat.statuses.clear()
    rat.ai.state = AiState.ASLEEP
    assert threats_in_view(state) == []
    rat.ai.state = AiState.WANDERING
    assert threats_in_view(state) == [rat]
    assert walk(engine, explore(state)) == (Stop.ENEMY, 0)
    assert walk(engine, rest(state, {rat.id}))[0] is Stop.HEALED


def test_explore_leads_once_to_each_mechanism_and_then_says_that_all_is_explored():
    engine = scene("""
        ###############
        #.............#
        #.....@......>#
        #.............#
        ###############
    """)
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    state.map.set_tile(1, 1, Tile.LEVER)
    state.map.set_tile(12, 3, Tile.BRAZIER)
    state.map.keys = 1  # It opens no mechanism.
    assert walk(engine, explore(state, journal=journal)) == (Stop.LEVER, 4)
    assert walk(engine, explore(state, journal=journal)) == (Stop.BRAZIER, 9)
    assert walk(engine, explore(state, journal=journal)) == (Stop.EXPLORED, 0)


def test_explore_leads_again_to_a_mechanism_while_the_way_down_is_unknown():
    engine = scene("###############\n#..@......#..>#\n###############")
    state, journal = engine.state, Journal()
    state.map.explored[:, :11] = True
    state.map.set_tile(1, 1, Tile.LEVER)
    for _ in range(2):
        assert walk(engine, explore(state, journal=journal))[0] is Stop.LEVER
        assert (state.hero.x, state.hero.y) == (2, 1)
        assert walk(engine, explore(state, journal=journal)) == (Stop.LEVER, 0)  # Now it knows.
        assert walk(engine, travel(state, (8, 1), journal=journal))[0] is Stop.ARRIVED
    state.map.explored[:] = True
    assert walk(engine, explore(state, journal=journal)) == (Stop.EXPLORED, 0)


def test_explore_leads_to_a_lock_that_was_passed_without_a_key():
    engine = scene("#########\n#@.....##\n#......>#\n#########")
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    state.map.set_tile(7, 1, Tile.LOCKED_DOOR)
    state.map.set_tile(1, 2, Tile.KEY)
    assert walk(engine, travel(state, (6, 1)))[0] is Stop.ARRIVED
    assert walk(engine, explore(state, journal=journal))[0] is Stop.KEY
    state.map.set_tile(1, 2, Tile.FLOOR)
    state.map.keys = 1
    assert walk(engine, explore(state, journal=journal))[0] is Stop.LOCK
    assert (state.hero.x, state.hero.y) == (6, 1)


def test_explore_leads_to_a_shrine_only_when_wounded():
    engine = scene("##########\n#@.......#\n#.......>#\n##########")
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    state.map.set_tile(7, 1, Tile.SHRINE)
    assert walk(engine, explore(state, journal=journal)) == (Stop.EXPLORED, 0)
    assert walk(engine, travel(state, (6, 1)))[0] is Stop.ARRIVED
    assert walk(engine, explore(state, journal=journal)) == (Stop.EXPLORED, 0)
    assert walk(engine, travel(state, (1, 1)))[0] is Stop.ARRIVED
    state.hero.fighter.hp = 5
    assert walk(engine, explore(state, journal=journal))[0] is Stop.SHRINE
    assert (state.hero.x, state.hero.y) == (6, 1)


def test_no_journey_and_no_attack_spends_a_shrine():
    engine = scene("""
        ##########
        #..@.....#
        #........#
        #.......>#
        ##########
    """)
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    state.map.set_tile(5, 1, Tile.SHRINE)
    state.hero.fighter.hp = 5
    assert walk(engine, explore(state, journal=journal))[0] is Stop.SHRINE
    assert walk(engine, explore(state, journal=journal)) == (Stop.EXPLORED, 0)
    assert walk(engine, travel(state, (8, 1), journal=journal))[0] is Stop.ARRIVED
    assert int(state.map.tiles[1, 5]) == Tile.SHRINE
    engine = scene("#########\n#@....r.#\n#......>#\n#########")
    engine.state.map.explored[:] = True
    engine.state.map.set_tile(2, 1, Tile.SHRINE)
    assert attack_nearest(engine.state) == Move(1, 0)
    assert attack_nearest(engine.state, WalkRules(decides=False)) == Move(1, 1)


def test_explore_leaves_a_lock_without_a_key_alone():
    engine = scene("""
        ########
        #@...].#
        #.>..###
        ########
    """)
    assert walk(engine, explore(engine.state))[0] is Stop.EXPLORED
    assert not engine.state.map.explored[1, 6]


def test_rest_ends_when_the_level_stirs():
    engine = scene("""
        ########
        #@.....#
        #.....>#
        ########
    """)
    state = engine.state
    state.hero.fighter.hp = 1
    state.map.turns_here = quiet_turns(state) - 3
    assert walk(engine, rest(state))[0] is Stop.ALERT
    assert state.turn == 3


@pytest.mark.parametrize("goal", [(6, 1), (6, 2)])
def test_a_player_on_the_way_to_the_stairs_down_goes_on_when_the_level_stirs(goal):
    engine = scene("""
        ########
        #@.....#
        #.....>#
        ########
    """)
    state = engine.state
    state.map.explored[:] = True
    state.map.turns_here = quiet_turns(state) - 3
    end, _ = walk(engine, travel(state, goal, journal=Journal()))
    assert end is (Stop.ARRIVED if goal == state.map.exit else Stop.ALERT)


def test_exploring_ends_even_where_no_walk_ever_shows_anything(monkeypatch):
    engine = scene(HALL)
    engine.state.map.explored[:] = True
    ends = iter([Point(4, 4), Point(1, 1)] * 500)
    monkeypatch.setattr(known_paths, "next_to_explore", lambda *_, **__: next(ends))
    reason, steps = walk(engine, explore(engine.state))
    assert reason is Stop.EXPLORED
    assert steps >= journeys.FRUITLESS_WALKS


def test_exploring_ends_where_the_next_thing_to_see_is_underfoot(monkeypatch):
    engine = scene(HALL)
    hero = engine.state.hero
    monkeypatch.setattr(known_paths, "next_to_explore", lambda *_, **__: Point(hero.x, hero.y))
    assert walk(engine, explore(engine.state)) == (Stop.EXPLORED, 0)


@pytest.mark.parametrize(("char", "stop"), [("?", Stop.KEY), ("*", Stop.GOAL)])
@pytest.mark.parametrize("side", ["above", "below"])
def test_a_walk_stops_where_something_to_decide_comes_into_view(char, stop, side):
    beside = f"#######{char}####"
    above, below = (beside, "#" * 12) if side == "above" else ("#" * 12, beside)
    engine = scene("\n".join(["#" * 12, above, "#@.........#", below, "#.........>#", "#" * 12]))
    engine.state.map.explored[2] = True
    reason, steps = walk(engine, travel(engine.state, (10, 2)))
    assert reason is stop
    assert steps < 9
