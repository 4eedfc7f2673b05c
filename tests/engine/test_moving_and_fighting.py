"""The basic rules: walking, striking, hunting, death."""

from components import AiState
from engine.saves.digests import state_digest
from engine.state.actions import Move, Refused, Strike, Wait
from engine.state.events import Died, LostTrack, Noticed, Struck
from support.scenes import ROOM, drawn, kinds, picture, scene


def test_a_step_moves_the_hero():
    engine = scene(ROOM)
    engine.step(Move(1, -1))
    assert drawn(engine) == picture("""
        ######
        #..@.#
        #....#
        #...>#
        ######
    """)
    assert engine.state.turn == 1


def test_walls_refuse_and_nothing_changes():
    engine = scene("""
        ####
        #@>#
        ####
    """)
    before = state_digest(engine.state)
    assert engine.step(Move(-1, 0)) == Refused("blocked")
    assert engine.step(Move(0, -1)) == Refused("blocked")
    assert (state_digest(engine.state), engine.state.turn) == (before, 0)


def test_walking_into_an_orc_strikes_it_until_it_dies():
    engine = scene("""
        #####
        #@o>#
        #####
    """)
    events = []
    while Died not in kinds(events):
        events = engine.step(Move(1, 0))
        assert not isinstance(events, Refused)
        assert Struck in kinds(events)
    assert "o" not in drawn(engine)
    assert engine.state.kills == 1
    assert engine.state.hero.x == 1


def test_a_stroke_at_nobody_is_refused():
    engine = scene(ROOM)
    before = state_digest(engine.state)
    assert isinstance(engine.step(Strike(1, 0)), Refused)
    assert isinstance(engine.step(Strike(0, 0)), Refused)
    assert state_digest(engine.state) == before


def test_an_orc_that_sees_the_hero_comes_and_strikes():
    engine = scene("""
        ##########
        #@.....o>#
        ##########
    """)
    events = []
    while Noticed not in kinds(events):
        events = engine.step(Wait())
    for _ in range(4):
        engine.step(Wait())
    assert drawn(engine).splitlines()[1] == "#@o.....>#"
    assert any(isinstance(e, Struck) for e in engine.step(Wait()))


def test_a_hunter_goes_round_corners_and_round_its_friends():
    engine = scene("""
        #########
        #@#.....#
        #...oo..#
        #.......#
        #......>#
        #########
    """)
    for creature in engine.state.map.entities.values():
        if creature.ai:
            creature.ai.state, creature.ai.state_turns_left = AiState.HUNTING, 9
    for _ in range(5):
        engine.step(Wait())
    hero = engine.state.hero
    others = [e for e in engine.state.map.entities.values() if e is not hero]
    assert all(max(abs(e.x - hero.x), abs(e.y - hero.y)) == 1 for e in others)


def test_an_orc_that_cannot_see_stays_where_it_is():
    engine = scene("""
        #########
        #@.#...o#
        #..#....#
        #..#>...#
        #########
    """)
    for _ in range(5):
        assert engine.step(Wait()) == []
    assert drawn(engine).splitlines()[1] == "#@.#...o#"


def test_a_hunter_that_loses_the_hero_gives_up():
    engine = scene("""
        ####################
        #@................>#
        #.##################
        #.................o#
        ####################
    """)
    orc = next(e for e in engine.state.map.entities.values() if e.kind == "orc")
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, 2
    assert LostTrack not in kinds(engine.step(Wait()))
    assert LostTrack in kinds(engine.step(Wait()))
    assert orc.ai.state is AiState.WANDERING


def test_death_ends_the_run():
    engine = scene("""
        #####
        #TTT#
        #T@T#
        #TT>#
        #####
    """)
    events = []
    while engine.state.hero.alive:
        events = engine.step(Wait())
    assert Died in kinds(events)
    assert engine.state.killed_by == "troll"
    assert engine.step(Wait()) == Refused("dead")
