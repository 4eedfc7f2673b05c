"""Rules as scenes: a drawn map, an action, the map after."""

from hypothesis import given, settings
from hypothesis import strategies as st

from components import Mood
from engine.actions import Descend, Move, Refused, Strike, Visit, Wait
from engine.events import Arrived, Died, FoundDoor, LostTrack, Noticed, Spotted, Struck, TookGold
from entities.terrain import Tile
from scenes import drawn, picture, scene

ROOM = """
    ######
    #....#
    #.@..#
    #...>#
    ######
"""


def kinds(events):
    return [type(event) for event in events]


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
    assert engine.world.turn == 1


def test_walls_refuse_and_nothing_changes():
    engine = scene("""
        ####
        #@>#
        ####
    """)
    before = engine.world.digest()
    assert engine.step(Move(-1, 0)) == Refused("blocked")
    assert engine.step(Move(0, -1)) == Refused("blocked")
    assert (engine.world.digest(), engine.world.turn) == (before, 0)


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
    assert engine.world.kills == 1
    assert engine.world.hero.x == 1


def test_a_stroke_at_nobody_is_refused():
    engine = scene(ROOM)
    before = engine.world.digest()
    assert isinstance(engine.step(Strike(1, 0)), Refused)
    assert isinstance(engine.step(Strike(0, 0)), Refused)
    assert engine.world.digest() == before


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
    for creature in engine.world.map.entities.values():
        if creature.mind:
            creature.mind.mood, creature.mind.attention = Mood.HUNTING, 9
    for _ in range(5):
        engine.step(Wait())
    hero = engine.world.hero
    others = [e for e in engine.world.map.entities.values() if e is not hero]
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
    orc = next(e for e in engine.world.map.entities.values() if e.kind == "orc")
    orc.mind.mood, orc.mind.attention = Mood.HUNTING, 2
    assert LostTrack not in kinds(engine.step(Wait()))
    assert LostTrack in kinds(engine.step(Wait()))
    assert orc.mind.mood is Mood.WANDERING


def test_death_ends_the_run():
    engine = scene("""
        #####
        #TTT#
        #T@T#
        #TT>#
        #####
    """)
    events = []
    while engine.world.hero.alive:
        events = engine.step(Wait())
    assert Died in kinds(events)
    assert engine.world.killed_by == "troll"
    assert engine.step(Wait()) == Refused("dead")


def test_the_exit_leads_down_without_end():
    engine = scene(ROOM)
    assert engine.step(Descend()) == Refused("no exit here")
    engine.step(Move(1, 0))
    engine.step(Move(1, 1))
    for depth in (2, 3):
        events = engine.step(Descend())
        assert kinds(events)[0] is Arrived
        assert engine.world.depth == depth
        engine.world.map.remove_entity(engine.world.hero)
        engine.world.hero.x, engine.world.hero.y = engine.world.map.exit
        engine.world.map.add_entity(engine.world.hero)


def test_in_the_workshop_touching_the_exit_is_enough():
    engine = scene(ROOM, workshop=True)
    engine.step(Move(1, 0))
    events = engine.step(Move(1, 1))
    assert Arrived in kinds(events)
    assert str(engine.world.code) == "rooms.1:7:2@6x5" or engine.world.depth == 2


def test_visiting_another_level_ends_the_score():
    engine = scene(ROOM)
    events = engine.step(Visit("caves:5:3"))
    assert events[0] == Arrived("caves.1:5:3@80x45", 3, unscored=True)
    assert not engine.world.scored


def test_visiting_nowhere_changes_nothing():
    engine = scene(ROOM)
    before = engine.world.digest()
    for code in ("nope:1", "rooms:99999999999999999999", "rooms:1@5x5", ""):
        assert isinstance(engine.step(Visit(code)), Refused)
    assert engine.world.digest() == before


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


def test_view_is_symmetric_and_memory_stays():
    engine = scene("""
        #########
        #@..#...#
        #.......#
        #...#..>#
        #########
    """)
    game_map = engine.world.map
    assert game_map.seen[1, 1]
    assert not game_map.seen[1, 6]
    explored = game_map.explored.sum()
    engine.step(Move(1, 1))
    assert game_map.explored.sum() >= explored
    for y, x in zip(*game_map.seen.nonzero(), strict=True):
        if game_map.walkable[y, x]:
            here = (engine.world.hero.x, engine.world.hero.y)
            game_map.look(int(x), int(y), 9)
            assert game_map.seen[here[1], here[0]]
            game_map.look(*here, 9)


def test_fast_creatures_act_twice_and_slow_ones_every_other_turn():
    engine = scene("""
        ############
        #@........o#
        ############
    """)
    orc = next(e for e in engine.world.map.entities.values() if e.kind == "orc")
    orc.mind.mood, orc.mind.attention = Mood.HUNTING, 99
    orc.energy.speed = 200
    engine.step(Wait())
    assert orc.x == 8
    orc.energy.speed = 50
    engine.step(Wait())
    assert orc.x == 8
    engine.step(Wait())
    assert orc.x == 7


def test_gold_traps_and_shrines_do_their_work_once(monkeypatch):
    monkeypatch.setattr("engine.traps.trap_at", lambda *_: "dart")
    engine = scene("""
        #######
        #@$x|>#
        #######
    """)
    hero = engine.world.hero
    assert TookGold in kinds(engine.step(Move(1, 0)))
    assert engine.world.gold > 0
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
    assert engine.world.map.tiles[1, 2] == Tile.DOOR


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
        before = engine.world.digest()
        outcome = engine.step(Move(dx, dy))
        if isinstance(outcome, Refused):
            assert engine.world.digest() == before
        else:
            assert engine.world.digest() != before
