"""Keys that are held: water that rises, a thief that runs, a statue that wakes, the dark."""

from types import SimpleNamespace

import numpy as np
import pytest

from components import AiState
from engine.creatures.health import apply_damage, drop_key
from engine.engine import Engine
from engine.items.effects.creature_effects import _change_kind
from engine.levels.dungeon import new_game
from engine.levels.populate import populated_map
from engine.levels.recipe_by_depth import pinned
from engine.levels.stored_levels import pack_level, restore_map, unpack_level
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Move, Refused, Wait
from engine.state.events import Displaced, DroppedKey, Grew, Hurt
from engine.state.game_map import is_disguised
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.terrain import LOCK_TILES, Tile
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances, reachable
from procgen.blueprint import Point
from procgen.build import build
from procgen.recipes import find_recipe
from render.map.viewport import visible_level
from render.messages.refusal_messages import tile_name
from support.rule_scenes import field, put, silent
from support.scenes import drawn, kinds, scene

MISSIONS = ("mission", "sunken_mission", "wild_mission", "fortress_mission")
CAVE = """
    ##############
    #gg#.........#
    #?@..........#
    #............#
    #g...........#
    #..........>.#
    ##############
"""


def cave(tile=Tile.KEY):
    engine = scene(CAVE.replace("g", "."))
    engine.state.map.set_tile(1, 2, tile)
    for place in ((1, 1), (2, 1)):
        engine.state.map.set_tile(*place, Tile.GRATING)
    return engine


def visited(level):
    """Return an engine whose hero is at the start of ``level``, alone but for who holds a key."""
    state = new_game(pinned(RunSetup(1, "1", Mode.WORKSHOP, "rooms")))
    state.map = populated_map(level, state.setup, state.new_id)
    state.place_hero(level.start)
    return Engine(state)


def held_rooms(seeds, test):
    """Yield (level, anchor) of rooms of missions whose anchor passes ``test(level, x, y)``."""
    for name in MISSIONS:
        for seed in seeds:
            level = build(find_recipe(name).code(seed, 3))
            for room in level.mission.rooms:
                if room.holds not in ("", "treasure") and test(level, *room.anchor):
                    yield level, room.anchor


def beside_a_grating(level, x, y):
    return bool((level.tiles[y - 1 : y + 2, x - 1 : x + 2] == Tile.GRATING).any())


@pytest.mark.parametrize("tile", [Tile.KEY, Tile.LEVER])
def test_water_rises_turn_by_turn_once_what_lies_beside_a_grating_is_taken(tile):
    engine = cave(tile)
    assert Grew in kinds(engine.step(Move(-1, 0)))
    depths = []
    for _ in range(14):
        engine.step(Wait())
        depths.append(int((engine.state.map.tiles == Tile.WATER).sum()))
    assert depths[0] == 0 < depths[4] < depths[-1]
    assert depths == sorted(depths)
    assert not engine.state.map.growing


def test_a_flood_in_progress_is_saved_and_goes_on_the_same():
    engine = visited(build(find_recipe("caves").code(3)))
    state, hero = engine.state, engine.state.hero
    ways = [way for way in DIRECTIONS if not state.map.is_blocked(hero.x + way[0], hero.y + way[1])]
    way = ways[0]
    state.map.set_tile(hero.x + way[0], hero.y + way[1], Tile.KEY)
    state.map.set_tile(hero.x, hero.y, Tile.GRATING)
    for action in (Move(*way), Wait(), Wait(), Wait()):
        engine.step(action)
    assert state.map.growing
    again = load_state(state.setup, unpack_state(pack_state(save_state(state))))
    other = Engine(again)
    for _ in range(8):
        assert engine.step(Wait()) == other.step(Wait())
        assert state_digest(engine.state) == state_digest(other.state)


def test_a_hero_that_dawdles_is_washed_along_and_never_cut_off():
    engine = cave()
    engine.step(Move(-1, 0))
    events = [event for _ in range(12) for event in engine.step(Wait())]
    washed = [one for one in events if isinstance(one, Displaced) and one.how == "washed"]
    assert washed
    assert any(isinstance(one, Hurt) and one.cause == "water" for one in events)
    game_map, hero = engine.state.map, engine.state.hero
    assert reachable(game_map.walkable, hero.x, hero.y)[game_map.exit[1], game_map.exit[0]]


def test_in_every_flooded_room_a_hero_that_runs_gets_away_unhurt_and_no_ground_is_cut_off():
    rooms = 0
    for level, (x, y) in held_rooms(range(12), beside_a_grating):
        engine = visited(level)
        game_map, hero = engine.state.map, engine.state.hero
        for one in [one for one in game_map.entities.values() if one is not hero]:
            game_map.remove_entity(one)
        steps = distances(game_map.walkable, x, y)
        beside = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
        game_map.move_entity(hero, *next(at for at in beside if game_map.walkable[at[::-1]]))
        before = reachable(game_map.walkable, x, y)
        engine.step(Move(x - hero.x, y - hero.y))
        far = np.argwhere((steps >= 14) & (steps < UNREACHED)).tolist()
        goal = min(far, key=lambda at: steps[tuple(at)], default=None)
        for _ in range(15):
            way = distances(game_map.walkable, *goal[::-1]) if goal else None
            course = min(DIRECTIONS, key=lambda d: way[hero.y + d[1], hero.x + d[0]]) if goal else 0
            outcome = engine.step(Move(*course) if goal else Wait())
            if isinstance(outcome, Refused):
                outcome = engine.step(Wait())
            assert not goal or not any(isinstance(one, Hurt) for one in outcome), str(level.code)
        after = reachable(game_map.walkable, hero.x, hero.y)
        assert not (before & game_map.walkable & ~after).any(), str(level.code)
        for row, column in np.argwhere(np.isin(game_map.tiles, LOCK_TILES)).tolist():
            around = np.s_[row - 1 : row + 2, column - 1 : column + 2]
            assert after[around].any() or not before[around].any(), str(level.code)
        rooms += 1
    assert rooms >= 4


THIEF = """
    ##########
    #@....p..#
    #........#
    #!!!!!!!!#
    #.......>#
    ##########
"""


def with_thief(x=6, y=1):
    engine = scene(THIEF.replace("p", "."))
    thief = make_creature("key_thief", engine.state.new_id(), x, y)
    engine.state.map.add_entity(thief)
    return engine, thief


def test_a_thief_that_stands_on_a_key_has_it_and_runs_from_the_hero():
    found = 0
    for level, (x, y) in held_rooms(range(12), lambda *_: True):
        held = [spawn for spawn in level.spawns if spawn.kind == "key_thief"]
        if not any((spawn.x, spawn.y) == (x, y) for spawn in held):
            continue
        assert level.tiles[y, x] == Tile.KEY
        engine = visited(level)
        thief = engine.state.map.entity_at(x, y)
        assert engine.state.map.tiles[y, x] == Tile.FLOOR
        assert thief.ai.state is AiState.ASLEEP
        found += 1
    assert found >= 2
    engine, thief = with_thief(3, 1)
    thief.ai.state = AiState.HUNTING
    for _ in range(3):
        engine.step(Wait())
    assert thief.x > 3


@pytest.mark.parametrize("cause", ["struck", "burnt", "frozen and struck", "in lava"])
def test_a_dying_thief_drops_the_key_where_the_hero_can_walk(cause):
    engine, thief = with_thief(2, 1)
    game_map = engine.state.map
    thief.fighter.hp, thief.ai.state = 1, AiState.ASLEEP
    if cause == "burnt":
        game_map.fires[2, 1] = 3
    elif cause == "in lava":
        game_map.move_entity(thief, 4, 3)
    elif cause == "frozen and struck":
        thief.statuses["slowed"] = 5
    told = []
    for _ in range(3):
        told += engine.step(Move(1, 0) if "struck" in cause and thief.alive else Wait())
    (dropped,) = [one for one in told if isinstance(one, DroppedKey)]
    assert game_map.tiles[dropped.place[::-1]] == Tile.KEY
    assert reachable(game_map.walkable, engine.state.hero.x, engine.state.hero.y)[
        dropped.place[::-1]
    ]
    assert engine.state.kills == 1


def test_the_key_stays_on_its_level_with_the_thief():
    engine, thief = with_thief(2, 1)
    thief.ai.state = AiState.HUNTING
    state = engine.state
    assert state.pursuers() == []
    back = restore_map(unpack_level(pack_level(state.map)), state.map.level)
    assert [one.kind for one in back.entities.values() if one.ai] == ["key_thief"]


def test_a_thief_that_is_polymorphed_drops_the_key_first():
    engine, thief = with_thief(2, 1)
    told = []
    _change_kind(SimpleNamespace(state=engine.state, emit=told.append), thief, "rat")
    assert DroppedKey in kinds(told)
    assert (engine.state.map.tiles == Tile.KEY).sum() == 1


def test_one_statue_wakes_when_the_hero_comes_near_and_looks_like_the_others_before():
    engine = scene("""
        #########
        #@......#
        #.....&.#
        #......>#
        #########
    """)
    idol = make_creature("idol", engine.state.new_id(), 5, 1)
    idol.ai.state = AiState.HIDDEN
    engine.state.map.add_entity(idol)
    engine.state.look()
    assert is_disguised(idol)
    assert visible_level(engine.state).tiles[1, 5] == Tile.STATUE
    assert engine.state.map.tiles[1, 5] == Tile.FLOOR
    assert tile_name(engine.state.map, 5, 1) == tile_name(engine.state.map, 6, 2) == "statue"
    for _ in range(2):
        engine.step(Move(1, 0))
    assert idol.ai.state is AiState.HUNTING
    assert visible_level(engine.state).tiles[1, 5] == Tile.FLOOR


def test_idols_stand_around_keys_from_the_first_depth_on():
    kinds_there = set()
    for name in MISSIONS:
        for seed in range(8):
            level = build(find_recipe(name).code(seed, 1))
            kinds_there |= {spawn.kind for spawn in level.spawns}
    assert "idol" in kinds_there
    assert "gargoyle" not in kinds_there


def test_a_key_in_the_dark_is_seen_from_the_next_tile_only():
    engine = scene("""
        #########
        #@......#
        #....?..#
        #......>#
        #########
    """)
    for x in (3, 4, 5, 6, 7):
        for y in (1, 2, 3):
            if (x, y) not in ((5, 2), (7, 3)):
                engine.state.map.set_tile(x, y, Tile.GLOOM)
    engine.state.look()
    assert not engine.state.map.visible[2, 5]
    for _ in range(3):
        engine.step(Move(1, 0))
    assert (engine.state.hero.x, engine.state.hero.y) == (4, 1)
    assert engine.state.map.visible[2, 5]
    assert drawn(engine)


def test_a_thief_shut_in_with_the_hero_drops_its_key_where_it_stands():
    engine = scene("####\n#@.#\n####")
    engine.state.map.start = engine.state.map.exit = Point(0, 0)
    thief = make_creature("key_thief", engine.state.new_id(), 2, 1)
    engine.state.map.add_entity(thief)
    drop_key(engine.state, thief, lambda _: None)
    assert engine.state.map.tiles[1, 2] == Tile.KEY


@pytest.mark.parametrize("below", [Tile.WATER, Tile.LAVA])
def test_the_key_of_a_thief_covers_no_lever_while_the_hero_hovers(below):
    engine, thief = with_thief(2, 1)
    game_map, hero = engine.state.map, engine.state.hero
    game_map.set_tile(hero.x, hero.y, below)
    hero.statuses["levitating"] = 9
    game_map.set_tile(thief.x, thief.y, Tile.LEVER)
    told = []
    drop_key(engine.state, thief, told.append)
    assert game_map.tiles[thief.y, thief.x] == Tile.LEVER
    assert game_map.tiles[told[0].place[::-1]] == Tile.KEY


def test_a_key_that_is_dropped_does_not_take_the_place_of_the_first_seed():
    engine = field()
    state, thief = engine.state, put(engine, "key_thief", 14, 7)
    state.map.set_tile(thief.x, thief.y, Tile.RELIC)
    apply_damage(state, thief, 99, "fire", silent)
    assert state.map.goal == (14, 7)
    assert state.map.has_tile(Tile.KEY)
