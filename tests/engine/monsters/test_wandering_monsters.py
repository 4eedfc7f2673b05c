"""Whoever lingers is hunted, ever more, by creatures that teach nothing."""

import pytest

from components import AiState
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.monsters import wandering_monsters
from engine.monsters.monster_actions import spawn_hunter
from engine.monsters.wandering_monsters import (
    HUNTER_MEMORY,
    MOST_HUNTERS,
    LevelAlert,
    hunters_in_reach,
    level_alert,
    quiet_turns,
    send_wanderers,
    turns_until_next_alert,
)
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Climb, Descend, Wait
from engine.state.events import HunterArrived, LevelAlerted
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import IMMOBILE, Hiding, creature_kinds, make_creature
from entities.terrain import Tile
from procgen.blueprint import Point
from support.scenes import kinds, scene
from support.stairs import quiet_world


def test_whoever_lingers_is_hunted_ever_more():
    engine = quiet_world()
    state = engine.state
    told, hunters, stages = [], [], {}
    quiet = quiet_turns(state)
    assert turns_until_next_alert(state) == quiet
    while state.map.turns_here < quiet + 1000:
        events = engine.step(Wait())
        told += [e.alert for e in events if isinstance(e, LevelAlerted)]
        new = [e.who.id for e in events if isinstance(e, HunterArrived)]
        hunters += new
        stages[level_alert(state)] = stages.get(level_alert(state), 0) + len(new)
        assert sum(one.spawned_in_play for one in state.map.entities.values()) <= MOST_HUNTERS
        for number in [n for n in list(state.map.entities) if n]:
            state.map.remove_entity(state.map.entities[number])
        state.hero.fighter.hp = 32
    assert told == ["stirring", "hunted", "besieged"]
    assert stages[LevelAlert.QUIET] == 0
    assert stages[LevelAlert.STIRRING] <= stages[LevelAlert.BESIEGED]
    assert len(hunters) > 5
    assert turns_until_next_alert(state) is None


def test_hunters_come_by_the_stairs_find_their_quarry_and_teach_nothing():
    engine = quiet_world()
    state = engine.state
    state.map.turns_here = quiet_turns(state) + 900
    events = []
    while HunterArrived not in kinds(events):
        events = engine.step(Wait())
    event = next(e for e in events if isinstance(e, HunterArrived))
    hunter = state.map.entities[event.who.id]
    assert event.who.place in (state.map.start, state.map.exit)
    assert hunter.spawned_in_play
    assert hunter.ai.state is AiState.HUNTING
    assert not state.map.visible[event.who.place[1], event.who.place[0]]
    twin = Engine(load_state(state.setup, unpack_state(pack_state(save_state(state)))))
    for hero in (state.hero, twin.state.hero):
        hero.fighter.max_hp = hero.fighter.hp = 10_000
    for _ in range(60):
        assert kinds(engine.step(Wait())) == kinds(twin.step(Wait()))
        assert state_digest(twin.state) == state_digest(state)


def test_a_monster_on_the_stairs_keeps_no_hunter_away():
    engine = quiet_world()
    state = engine.state
    state.map.turns_here = quiet_turns(state) + 900
    state.hero.fighter.max_hp = state.hero.fighter.hp = 10_000
    for number, (x, y) in enumerate((state.map.start, state.map.exit), 900):
        if state.map.entity_at(x, y) is None:
            cap = make_creature("shriekcap", number, x, y)
            cap.ai.state = AiState.ASLEEP
            state.map.add_entity(cap)
    arrivals = []
    for _ in range(600):
        came = [e for e in engine.step(Wait()) if isinstance(e, HunterArrived)]
        arrivals += [event.who.place for event in came]
    assert len(arrivals) > 3
    assert not {*arrivals} & {state.map.start, state.map.exit}


@pytest.mark.parametrize(("kind", "counts"), [("rat", False), ("orc", True)])
def test_a_hunter_shut_in_by_a_door_counts_only_if_it_opens_doors(kind, counts):
    engine = scene("""
        ############
        #@....+....#
        ############
    """)
    spawn_hunter(engine.state, kind, 8, 1)
    assert hunters_in_reach(engine.state) == counts


@pytest.mark.parametrize("depth", [3, 8, 12])
def test_no_hunter_is_of_a_kind_that_hides_or_cannot_walk(monkeypatch, depth):
    state = new_game(RunSetup(4, "4", generator="rooms", depth=depth))
    state.map.turns_here = quiet_turns(state) + 900
    came = []
    monkeypatch.setattr(
        wandering_monsters, "spawn_hunter", lambda _, kind, x, y: came.append(kind) or state.hero
    )
    for _ in range(8_000):
        send_wanderers(state, lambda event: None)
    assert len(came) > 100
    hunters = [creature_kinds()[kind] for kind in set(came)]
    assert all(it.traits.hides is Hiding.NOWHERE for it in hunters)
    assert not [it for it in hunters if it.behaviour in IMMOBILE]


def test_a_level_one_comes_back_to_has_not_forgotten():
    engine = quiet_world()
    engine.state.map.turns_here = 77
    engine.state.map.move_entity(engine.state.hero, *engine.state.map.exit)
    engine.step(Descend())
    assert engine.state.map.turns_here == 0
    engine.state.map.move_entity(engine.state.hero, *engine.state.map.start)
    engine.step(Climb())
    assert engine.state.map.turns_here == 77


def test_the_workshop_never_minds_and_the_endless_deep_sooner():
    state = new_game(pinned(RunSetup(4, "4", Mode.WORKSHOP, "rooms")))
    state.map.turns_here = 10**6
    assert level_alert(state) is LevelAlert.QUIET
    assert turns_until_next_alert(state) is None
    quiet = [
        quiet_turns(new_game(RunSetup(4, "4", generator="rooms", depth=depth)))
        for depth in (12, 40, 900)
    ]
    assert quiet[0] > quiet[1] > quiet[2] >= 200


def test_the_way_home_wakes_as_it_climbs_and_stays_awake():
    quiet = {}
    for depth in range(1, 15):
        state = new_game(RunSetup(4, "4", generator="rooms", depth=depth))
        down = quiet_turns(state)
        state.hollow = "rooms:7"
        quiet[depth] = quiet_turns(state) / down
    assert [quiet[depth] for depth in (14, 13, 12)] == [1, 1, 1]
    assert 1 > quiet[11] > quiet[10] > quiet[9] > quiet[8]
    engine = quiet_world()
    engine.state.hollow = "rooms:7"
    told = [event.alert for event in engine.step(Wait()) if isinstance(event, LevelAlerted)]
    assert (told, level_alert(engine.state)) == (["stirring"], LevelAlert.STIRRING)
    assert turns_until_next_alert(engine.state) == 300


@pytest.mark.parametrize(("depth", "hollow", "drawn_at"), [
    (3, "", 3), (3, "rooms:7", 12), (12, "rooms:7", 12), (13, "rooms:7", 13),
])  # fmt: skip
def test_hunters_on_the_way_home_are_those_of_the_last_depth(monkeypatch, depth, hollow, drawn_at):
    seen = []
    weights = wandering_monsters.spawn_weights
    monkeypatch.setattr(
        wandering_monsters, "spawn_weights", lambda at: seen.append(at) or weights(at)
    )
    state = quiet_world(depth=depth).state
    state.hollow = hollow
    wandering_monsters._send(state, 1, lambda _event: None)
    assert seen == [drawn_at]


CORRIDOR = """
    #############
    #@...oT.....#
    ###########>#
    #############
"""


def test_a_hunter_passes_one_that_stands_in_the_corridor():
    engine = scene(CORRIDOR)
    orc, troll = (engine.state.map.entity_at(x, 1) for x in (5, 6))
    orc.ai.state = AiState.IDLE
    orc.ai.sight = 1
    troll.ai.state, troll.ai.state_turns_left = AiState.HUNTING, 99
    troll.ai.goal = (1, 1)
    for _ in range(8):
        engine.step(Wait())
    assert max(abs(troll.x - 1), abs(troll.y - 1)) == 1


def test_hunters_of_an_alerted_level_never_give_up():
    engine = scene(CORRIDOR.replace("oT", "#T"))
    state = engine.state
    state.map.set_tile(5, 1, Tile.WALL)
    troll = state.map.entity_at(6, 1)
    troll.spawned_in_play = True
    troll.ai.state, troll.ai.state_turns_left = AiState.HUNTING, 2
    state.map.turns_here = 5000
    for _ in range(30):
        engine.step(Wait())
    assert troll.ai.state is AiState.HUNTING


def test_hunters_that_cannot_reach_the_hero_do_not_keep_others_away():
    engine = scene(CORRIDOR.replace("oT", "#T"))
    state = engine.state
    troll = state.map.entity_at(6, 1)
    troll.spawned_in_play, troll.ai.state = True, AiState.HUNTING
    assert hunters_in_reach(state) == 0
    state.map.set_tile(5, 1, Tile.FLOOR)
    assert hunters_in_reach(state) == 1


WATCHED = """
    ###########
    #@.......>#
    #.........#
    ###########
"""


@pytest.mark.parametrize("crowded", [False, True])
def test_no_place_in_view_of_the_stairs_is_safe_for_ever(crowded):
    engine = scene(WATCHED)
    state = engine.state
    state.map.start = Point(9, 2) if crowded else Point(1, 2)
    state.map.turns_here = quiet_turns(state) + 900
    if crowded:
        state.map.add_entity(make_creature("puffball", state.new_id(), 9, 1))
    assert state.map.visible[1, 9]
    state.hero.fighter.max_hp = state.hero.fighter.hp = 10_000
    events = [event for _ in range(400) for event in engine.step(Wait())]
    came = {event.who.place for event in events if isinstance(event, HunterArrived)}
    assert came == {(9, 2) if crowded else (9, 1)}


@pytest.mark.parametrize("x", [60, 66, 72])
def test_a_hunter_comes_from_stairs_at_the_far_end_of_a_level(x):
    engine = scene("#" * 80 + "\n#@" + "." * 76 + ">#\n" + "#" * 80)
    hunter = spawn_hunter(engine.state, "orc", x, 1)
    hunter.ai.state_turns_left = HUNTER_MEMORY
    for _ in range(40):
        engine.step(Wait())
    assert hunter.x == x - 40


def test_what_has_roots_never_comes_by_the_stairs(monkeypatch):
    weights = {"puffball": 99, "shriekcap": 99, "gazer": 99, "orc": 1}
    monkeypatch.setattr(wandering_monsters, "spawn_weights", lambda _depth: weights)
    engine = scene(WATCHED)
    engine.state.map.turns_here = quiet_turns(engine.state) + 900
    engine.state.hero.fighter.max_hp = engine.state.hero.fighter.hp = 10_000
    events = [event for _ in range(400) for event in engine.step(Wait())]
    assert {event.who.kind for event in events if isinstance(event, HunterArrived)} == {"orc"}
