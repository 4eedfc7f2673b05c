"""Ways down, visits, view, speed, gold, plates and secret doors."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from components import AiState
from engine.saves.digests import state_digest
from engine.saves.run import Run
from engine.state.actions import Descend, Move, Refused, Visit, Wait
from engine.state.events import Arrived, FoundDoor, Spotted, TookGold
from engine.state.run_setup import RunSetup
from entities.terrain import Tile
from procgen.analysis.field_of_view import field_of_view
from render.messages.message_log import turn_messages
from support.items import first
from support.scenes import ROOM, drawn, kinds, scene


def test_the_exit_leads_down_without_end():
    engine = scene(ROOM)
    assert engine.step(Descend()) == Refused("no exit here")
    engine.step(Move(1, 0))
    engine.step(Move(1, 1))
    for depth in (2, 3):
        events = engine.step(Descend())
        assert kinds(events)[0] is Arrived
        assert engine.state.depth == depth
        engine.state.map.remove_entity(engine.state.hero)
        engine.state.hero.x, engine.state.hero.y = engine.state.map.exit
        engine.state.map.add_entity(engine.state.hero)


def test_in_the_workshop_touching_the_exit_is_enough():
    engine = scene(ROOM, workshop=True)
    engine.step(Move(1, 0))
    events = engine.step(Move(1, 1))
    assert Arrived in kinds(events)
    assert str(engine.state.code) == "rooms.1:7:2@6x5" or engine.state.depth == 2


def test_visiting_another_level_ends_the_score():
    engine = scene(ROOM)
    events = engine.step(Visit("caves:5:3"))
    assert events[0] == Arrived("caves.1:5:3@80x45", 3, unscored=True)
    assert not engine.state.scored


def test_visiting_nowhere_changes_nothing():
    engine = scene(ROOM)
    before = state_digest(engine.state)
    for code in ("nope:1", "rooms:99999999999999999999", "rooms:1@5x5", ""):
        assert isinstance(engine.step(Visit(code)), Refused)
    assert state_digest(engine.state) == before


def test_what_comes_into_view_is_told_once():
    engine = scene("""
        ########
        #@#...f#
        #.#.####
        #...>###
        ########
    """)
    events = [engine.step(Move(0, 1)), engine.step(Move(0, 1)), engine.step(Move(1, 0))]
    seen = [event for step in events for event in step if isinstance(event, Spotted)]
    engine.step(Move(1, 0))
    assert len(seen) <= 1


def test_what_comes_into_view_is_not_told_to_a_hero_who_died_on_that_turn():
    engine = scene("""
        ##########
        ####o#####
        ####.#####
        #r@......#
        ##########
    """)
    orc, rat = (first(engine, kind) for kind in ("orc", "rat"))
    for monster in (orc, rat):
        monster.ai.state, monster.ai.goal = AiState.HUNTING, (2, 3)
        monster.ai.state_turns_left = 20
    assert not engine.state.map.visible[orc.y, orc.x]
    rat.fighter.power = 99
    events = engine.step(Wait())
    assert not engine.state.hero.alive
    assert orc in engine.state.map.entities_in_view()
    assert not any(isinstance(event, Spotted) for event in events)


def test_view_is_symmetric_and_memory_stays():
    engine = scene("""
        #########
        #@..#...#
        #.......#
        #...#..>#
        #########
    """)
    game_map = engine.state.map
    assert game_map.visible[1, 1]
    assert not game_map.visible[1, 6]
    explored = game_map.explored.sum()
    engine.step(Move(1, 1))
    assert game_map.explored.sum() >= explored
    for y, x in zip(*game_map.visible.nonzero(), strict=True):
        if game_map.walkable[y, x]:
            here = (engine.state.hero.x, engine.state.hero.y)
            game_map.look(int(x), int(y), 9)
            assert game_map.visible[here[1], here[0]]
            game_map.look(*here, 9)


def test_a_view_that_is_kept_is_the_view_of_a_fresh_look():
    game_map = Run.begin(RunSetup(5, "5")).state.map
    rng, places = np.random.default_rng(2), np.argwhere(game_map.walkable).tolist()
    for turn in range(900):
        y, x = places[int(rng.integers(40))] if turn % 3 else places[int(rng.integers(len(places)))]
        if turn % 50 == 49:
            game_map.set_tile(x, y, Tile.WALL if turn % 100 == 49 else Tile.FLOOR)
        game_map.look(x, y, 8)
        window, seen = field_of_view(game_map.transparent, x, y, 8)
        assert np.array_equal(game_map.visible[window], seen)
        assert np.count_nonzero(game_map.visible) == np.count_nonzero(seen)


def test_fast_creatures_act_twice_and_slow_ones_every_other_turn():
    engine = scene("""
        ############
        #@........o#
        ############
    """)
    orc = next(e for e in engine.state.map.entities.values() if e.kind == "orc")
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, 99
    orc.energy.speed = 200
    engine.step(Wait())
    assert orc.x == 8
    orc.energy.speed = 50
    engine.step(Wait())
    assert orc.x == 8
    engine.step(Wait())
    assert orc.x == 7


def test_a_shrine_waits_for_wounds_and_says_so():
    engine = scene("""
        #######
        #@|..>#
        #######
    """)
    events = engine.step(Move(1, 0))
    assert "would heal your wounds" in " ".join(text for text, _ in turn_messages(events))
    engine.step(Move(1, 0))
    engine.state.hero.fighter.hp -= 5
    events = engine.step(Move(-1, 0))
    assert "The light of the shrine heals" in " ".join(text for text, _ in turn_messages(events))
    assert engine.state.hero.fighter.hp == engine.state.hero.fighter.max_hp


def test_gold_traps_and_shrines_do_their_work_once(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "dart")
    engine = scene("""
        #######
        #@$x|>#
        #######
    """)
    hero = engine.state.hero
    assert TookGold in kinds(engine.step(Move(1, 0)))
    assert engine.state.gold > 0
    engine.step(Move(1, 0))
    assert hero.fighter.hp < hero.fighter.max_hp
    engine.step(Move(1, 0))
    assert hero.fighter.hp == hero.fighter.max_hp
    assert drawn(engine).splitlines()[1] == "#..:@>#"


def test_waiting_beside_a_secret_door_finds_it():
    engine = scene("""
        ######
        #@S.>#
        ######
    """)
    assert isinstance(engine.step(Move(1, 0)), Refused)
    assert kinds(engine.step(Wait())) == [FoundDoor]
    assert engine.state.map.tiles[1, 2] == Tile.DOOR


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(-1, 1), st.integers(-1, 1)), max_size=40))
def test_refused_steps_never_change_the_state(steps):
    engine = scene("""
        ########
        #@..o..#
        #.##.#.#
        #T.....#
        #....#>#
        ########
    """)
    for dx, dy in steps:
        before = state_digest(engine.state)
        outcome = engine.step(Move(dx, dy))
        if isinstance(outcome, Refused):
            assert state_digest(engine.state) == before
        else:
            assert state_digest(engine.state) != before
