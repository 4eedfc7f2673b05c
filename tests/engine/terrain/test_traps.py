"""What pressure plates do, to whom, and that they can be seen."""

import numpy as np
import pytest

from components import AiState
from engine.creatures.noise import action_noise
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import code_at, pinned
from engine.pathfinding.known_paths import path_to
from engine.state.actions import Move, Wait
from engine.state.events import (
    AlarmRang,
    Arrived,
    Died,
    Displaced,
    StatusEnded,
    TookKey,
    TrapTriggered,
    creature_ref,
)
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.tile_effects import TRAP_EFFECTS, trap_at, trigger_trap
from entities.creature_kinds import make_creature
from entities.data_files import weight_at
from entities.terrain import Tile, terrain
from entities.trap_kinds import trap_kinds
from procgen.analysis.distances import reachable
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.recipes import find_recipe
from support.rule_scenes import wear
from support.scenes import DrawnLevels, drawn, kinds, scene

LANE = """
    ##########
    #........#
    #@x......#
    #.......>#
    ##########
"""


def trodden(name, monkeypatch, drawing=LANE, **hero):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: name)
    engine = scene(drawing)
    for field, value in hero.items():
        setattr(engine.state.hero, field, value)
    return engine, engine.step(Move(1, 0))


@pytest.mark.parametrize("name", trap_kinds())
def test_every_trap_goes_off_once_and_says_so(name, monkeypatch):
    engine, events = trodden(name, monkeypatch)
    assert [e.trap for e in events if isinstance(e, TrapTriggered)] == [name]
    if trap_kinds()[name].spring != "fall":
        assert "x" not in drawn(engine)


def test_a_hero_that_a_trap_kills_finds_no_door_after_that(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "dart")
    engine = scene(LANE.replace("#........#", "#.S......#"))
    hero = engine.state.hero
    hero.fighter.hp = 1
    hero.experience.talents.append("keen")
    assert kinds(engine.step(Move(1, 0)))[-1] is Died
    assert not hero.alive


def test_a_teleport_trap_leads_onto_what_lies_there(monkeypatch):
    keys = LANE.replace(".", "?")
    engine, events = trodden("shift", monkeypatch, keys)
    hero, game_map = engine.state.hero, engine.state.map
    assert TookKey in kinds(events)
    assert game_map.tiles[hero.y, hero.x] == Tile.FLOOR
    assert game_map.visible[hero.y, hero.x]


def test_traps_do_what_their_data_say(monkeypatch):
    hero = trodden("dart", monkeypatch)[0].state.hero
    assert 2 <= hero.fighter.max_hp - hero.fighter.hp <= 5
    for name, trap in trap_kinds().items():
        if trap.status:
            engine, _ = trodden(name, monkeypatch)
            assert trap.status in engine.state.hero.statuses
    engine, events = trodden("shift", monkeypatch)
    assert [one.how for one in events if isinstance(one, Displaced)] == ["vanished"]
    assert (engine.state.hero.x, engine.state.hero.y) != (2, 2)
    engine, events = trodden("fall", monkeypatch)
    assert Arrived in kinds(events)
    assert (engine.state.depth, engine.state.deepest) == (2, 2)
    assert 1 in engine.state.stored_levels
    assert engine.state.map.walkable[engine.state.hero.y, engine.state.hero.x]


def test_an_alarm_is_heard_by_all(monkeypatch):
    engine, events = trodden(
        "alarm",
        monkeypatch,
        """
        ##########
        #@x..#.oo#
        #....#####
        #.......>#
        ##########
    """,
    )
    assert AlarmRang in kinds(events)
    orcs = [one for one in engine.state.map.entities.values() if one.ai]
    assert all(orc.ai.state in (AiState.SEARCHING, AiState.HUNTING) for orc in orcs)


def test_spores_reach_those_around(monkeypatch):
    engine, _ = trodden(
        "spores",
        monkeypatch,
        """
        ##########
        #@x.o...o#
        #.......>#
        ##########
    """,
    )
    near, far = [one for one in engine.state.map.entities.values() if one.ai]
    assert "confused" in near.statuses
    assert "confused" not in far.statuses


@pytest.mark.parametrize("tile", [Tile.TRAP, Tile.TREASURE])
def test_a_trapdoor_drops_the_hero_beside_traps_and_gold_and_not_onto_them(tile, monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "fall")
    for seed in range(20):  # Until the level below has such a tile.
        engine = Engine(new_game(pinned(RunSetup(seed, "", generator="vaulted", depth=4))))
        state = engine.state
        below = build(code_at(state.setup, 5))
        there = reachable(terrain().walkable[below.tiles], *below.start) & (below.tiles == tile)
        if there[:, 1:].any():
            break
    y, x = np.argwhere(there)[0].tolist()
    for column, plate in ((x - 1, Tile.FLOOR), (x, Tile.TRAP)):
        state.map.set_tile(column, y, plate)
    for one in [one for one in state.map.entities.values() if one is not state.hero]:
        state.map.remove_entity(one)
    state.map.move_entity(state.hero, x - 1, y)
    assert Arrived in kinds(engine.step(Move(1, 0)))
    assert state.map.tiles[y, x] == tile
    assert (state.hero.x, state.hero.y) != (x, y)


@pytest.mark.parametrize("trap", ["shift", "fall"])
def test_a_trap_that_takes_a_hero_out_of_a_net_leaves_the_net_behind(trap, monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: trap)
    engine = scene(LANE, levels=DrawnLevels(LANE, LANE))
    hero = engine.state.hero
    hero.fighter.hp = 999
    hero.statuses["held"], told = 9, []
    trigger_trap(engine.state, told.append)
    assert "held" not in hero.statuses
    assert StatusEnded(creature_ref(hero), "held") in told


def test_a_flame_trap_does_not_burn_who_is_immune_to_fire(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "flame")
    engine = scene(LANE)
    wear(engine, "ring", "embers_ring")
    assert TrapTriggered in kinds(engine.step(Move(1, 0)))
    engine.step(Wait())
    assert engine.state.hero.fighter.hp == engine.state.hero.fighter.max_hp
    assert not engine.state.hero.statuses


def test_a_light_foot_is_heard_half_as_far():
    engine = scene(LANE)
    hero = engine.state.hero
    loud = action_noise(hero, Move(1, 0), []).loudness
    hero.experience.talents.append("lightfoot")
    assert action_noise(hero, Move(1, 0), []).loudness == loud // 2


def test_who_floats_or_treads_lightly_sets_nothing_off(monkeypatch):
    engine, events = trodden("dart", monkeypatch, statuses={"levitating": 9})
    assert TrapTriggered not in kinds(events)
    assert "x" in drawn(scene(LANE))
    engine = scene(LANE)
    engine.state.hero.experience.talents.append("lightfoot")
    assert TrapTriggered not in kinds(engine.step(Move(1, 0)))


def test_a_trapdoor_on_the_shore_takes_the_hero_before_others_sink(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "fall")
    engine = scene("#######\n#x~~~~#\n#@~~~~#\n#>~~~~#\n#######")
    upper, hero = engine.state.map, engine.state.hero
    for x, y in ((1, 2), (1, 3)):
        upper.set_tile(x, y, Tile.WATER)
    orc = make_creature("orc", 77, 4, 2)
    upper.add_entity(orc)
    for creature in (hero, orc):
        creature.statuses["levitating"] = 1
    assert Arrived in kinds(engine.step(Wait()))
    assert engine.state.depth == 2
    assert (upper.entity_at(4, 2), hero.alive) == (orc, True)


def test_a_plate_is_of_the_same_kind_for_ever_and_journeys_go_round_it():
    engine, deep = scene(LANE), scene(LANE)
    deep.state.map.code = LevelCode("rooms", 1, 7, 3, 80, 45)
    found = [trap_at(deep.state.map, x, 5) for x in range(200)]
    assert found == [trap_at(deep.state.map, x, 5) for x in range(200)]
    assert len(set(found)) > 4
    assert set(TRAP_EFFECTS) == {trap.spring for trap in trap_kinds().values()}
    assert {trap_at(engine.state.map, x, 5) for x in range(200)} <= {
        name for name, trap in trap_kinds().items() if weight_at(1, trap.spawn_weight)
    }
    assert (2, 2) not in path_to(engine.state, (3, 2))[:-1]


SHUT_IN = """
    ##############################
    #@x#.........................#
    #..].........................#
    #..#.........................#
    #..#........................>#
    ##############################
"""


def test_a_shift_trap_moves_nobody_past_a_lock(monkeypatch):
    engine, events = trodden("shift", monkeypatch, SHUT_IN)
    assert [one.how for one in events if isinstance(one, Displaced)] == ["vanished"]
    assert engine.state.hero.x < 3


def test_nobody_falls_into_a_locked_room(monkeypatch):
    level = build(find_recipe("mission").code(3))
    free = reachable(terrain().walkable[level.tiles], *level.start)
    shut_in = [room.anchor for room in level.mission.rooms if not free[room.anchor[::-1]]]
    assert shut_in, "take a seed with a lock"
    for x, y in shut_in:
        state = new_game(RunSetup(1, "x", Mode.ADVENTURE))
        monkeypatch.setattr("engine.levels.recipe_by_depth.build", lambda *_, **__: level)
        state.map.move_entity(state.hero, x, y)
        state.levels.fall(state)
        assert free[state.hero.y, state.hero.x]
        monkeypatch.undo()


@pytest.mark.parametrize("origin", [(0, 0), (30, 0), (0, -40), (-17, 23)])
def test_the_kind_of_a_trap_goes_by_its_place_in_the_world(origin):
    asked = set()
    for x in range(1, 9):
        engine = scene(LANE.replace("x", "."))
        state = engine.state
        state.map.origin = origin
        state.map.set_tile(x, 3, Tile.TRAP)
        state.map.move_entity(state.hero, x, 3)
        told = []
        trigger_trap(state, told.append)
        (name,) = [event.trap for event in told if isinstance(event, TrapTriggered)]
        state.map.origin = (0, 0)
        assert name == trap_at(state.map, x + origin[0], 3 + origin[1])
        asked.add(name)
    assert len(asked) > 1


@pytest.mark.parametrize("at", [(2, 2), (3, 2), (8, 1), (5, 3), (1, 1)])
@pytest.mark.parametrize("seed", [7, 8])
def test_the_trap_that_goes_off_is_the_one_of_its_place(at, seed, monkeypatch):
    engine, told = scene(LANE, seed=seed), []
    state = engine.state
    name = trap_at(state.map, *at)
    monkeypatch.setitem(TRAP_EFFECTS, trap_kinds()[name].spring, lambda *_: None)
    state.map.move_entity(state.hero, *at)
    trigger_trap(state, told.append)
    assert told == [TrapTriggered(creature_ref(state.hero), name)]


def test_a_flame_trap_sets_the_grass_around_it_on_fire(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "flame")
    engine = scene("#########\n#.......#\n#..@....#\n#......>#\n#########")
    game_map = engine.state.map
    for x in range(2, 7):
        game_map.set_tile(x, 1, Tile.GRASS)
    game_map.set_tile(4, 2, Tile.TRAP)
    engine.step(Move(1, 0))
    assert {(3, 1), (4, 1), (5, 1)} <= {*game_map.fires}
    assert (2, 1) not in game_map.fires or engine.state.turn > 1
