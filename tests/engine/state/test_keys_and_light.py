"""Vaults and their keys, dark and light levels."""

from collections import Counter

import numpy as np
import pytest

from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.levels.stored_levels import pack_level, restore_map, unpack_level
from engine.monsters.perception import Senses
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Move, Refused, Unlock, Wait
from engine.state.events import Displaced, MechanismUsed, TookKey, Unlocked
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.fire import ignite
from entities.data_files import DATA, DataError
from entities.light_levels import LIT, light_levels, sight
from entities.terrain import Tile
from entities.trap_kinds import trap_kinds
from procgen.blueprint import Point
from procgen.level_code import LevelCode
from procgen.level_light import natural_light
from render.ui.palette import themes
from support.other_data import read_from
from support.scenes import drawn, kinds, level_of, scene

VAULT = """
    #########
    #@?.].$.#
    #...#####
    #......>#
    #########
"""


def test_a_lock_wants_its_key():
    engine = scene(VAULT)
    before = state_digest(engine.state)
    assert engine.step(Unlock(1, 0)) == Refused("nothing to unlock")
    engine.state.map.move_entity(engine.state.hero, 3, 1)
    assert engine.step(Move(1, 0)) == Refused("locked")
    engine.state.map.move_entity(engine.state.hero, 1, 1)
    assert state_digest(engine.state) == before
    assert TookKey in kinds(engine.step(Move(1, 0)))
    assert engine.state.map.keys == 1
    engine.step(Move(1, 0))
    assert Unlocked in kinds(engine.step(Move(1, 0)))
    assert drawn(engine).splitlines()[1] == "#..@+.$.#"
    assert engine.state.map.keys == 0
    assert isinstance(engine.step(Unlock(1, 0)), Refused)
    for _ in range(3):
        engine.step(Move(1, 0))
    assert engine.state.gold > 0


@pytest.mark.parametrize(
    ("mechanism", "lock", "opened"),
    [
        (Tile.LEVER, Tile.PORTCULLIS, Tile.FLOOR),
        (Tile.WINCH, Tile.DRAWBRIDGE, Tile.BRIDGE),
        (Tile.BRAZIER, Tile.CRYSTAL, Tile.RUBBLE),
    ],
)
def test_a_mechanism_opens_its_lock_at_once(mechanism, lock, opened):
    engine = scene(VAULT)
    game_map = engine.state.map
    game_map.set_tile(2, 1, mechanism)
    game_map.set_tile(4, 1, lock)
    assert MechanismUsed in kinds(engine.step(Move(1, 0)))
    assert game_map.tiles[1, 2:5].tolist() == [Tile.FLOOR, Tile.FLOOR, opened]
    assert game_map.walkable[1, 4]
    assert game_map.keys == 0


def test_fire_breaks_a_crystal():
    engine = scene(VAULT)
    engine.state.map.set_tile(4, 1, Tile.CRYSTAL)
    ignite(engine.state.map, Point(4, 1))
    for _ in range(6):
        engine.step(Wait())
    assert engine.state.map.tiles[1, 4] == Tile.RUBBLE


def test_a_ledge_is_jumped_down_from_its_brink_and_never_up():
    engine = scene("""
        #######
        #@)(..#
        #....>#
        #######
    """)
    assert isinstance(engine.step(Move(1, 0)), list)
    assert Displaced in kinds(engine.step(Move(1, 0)))
    assert (engine.state.hero.x, engine.state.hero.y) == (4, 1)
    assert engine.step(Move(-1, 0)) == Refused("blocked")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["mission", "sunken_mission", "wild_mission", "fortress_mission"])
def test_bots_use_every_mechanism_on_their_way(name):
    """A bot that reaches the exit of many levels has opened the locks before it."""
    opened = Counter()
    for seed in range(4):
        engine = Engine(new_game(pinned(RunSetup(seed, str(seed), Mode.ADVENTURE, name))))
        bot = Bot()
        for _ in range(1500):
            events = engine.step(bot.choose(engine.state))
            if isinstance(events, Refused):
                events = engine.step(Wait())
            bot.hear(events)
            opened.update(type(event) for event in events)
            if not engine.state.hero.alive:
                break
    assert opened[MechanismUsed] >= 2
    assert opened[Unlocked] >= 1


def test_keys_in_hand_are_kept_with_their_level():
    state = new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE)))
    before = state_digest(state)
    state.map.keys = 2
    assert state_digest(state) != before
    assert load_state(state.setup, unpack_state(pack_state(save_state(state)))).map.keys == 2
    assert restore_map(unpack_level(pack_level(state.map)), state.map.level).keys == 2


def test_every_light_is_of_themes_that_exist_and_most_places_are_lit():
    for light in light_levels().values():
        assert set(light.themes) <= themes().keys()
    found = Counter(
        natural_light(LevelCode("caves", 1, seed, depth, 80, 45), "moss")
        for seed in range(60)
        for depth in (1, 5)
    )
    assert set(found) == {LIT, "dark"}
    assert found[LIT] > found["dark"] > 5
    assert not any(
        natural_light(LevelCode("caves", 1, seed, 1, 80, 45), "moss") == "dark"
        for seed in range(99)
    )


def test_in_the_dark_one_sees_little_but_what_glows():
    drawing = """
        ##############
        #@...........#
        #......m.....#
        #...........>#
        ##############
    """
    lit = scene(drawing).state
    dark = scene(drawing, light="dark").state
    assert dark.map.visible.sum() < lit.map.visible.sum()
    assert dark.map.visible[2, 7]
    assert dark.map.visible[1, 4]
    assert not dark.map.visible[3, 11]
    assert not (dark.map.visible & ~lit.map.visible).any()
    hero = dark.hero
    assert sight(hero, "dark") < sight(hero, LIT) < sight(hero, "bright")
    hero.experience.talents.append("keen")
    assert sight(hero, "dark") == sight(hero, LIT)
    hero.statuses["blind"] = 3
    assert sight(hero, "bright") == 1
    dark.look()
    assert dark.map.visible.sum() <= 9


def test_flames_light_the_dark_as_long_as_they_burn():
    rows = ["#" * 20, f"#@{'.' * 17}#", *[f"#{'.' * 18}#"] * 11, f"#{'.' * 17}>#", "#" * 20]
    engine = scene("\n".join(rows), light="dark")
    state = engine.state
    engine.step(Wait())
    before = state.map.visible.copy()
    assert not before[1, 8]
    state.map.fires[8, 1] = 3
    engine.step(Wait())
    assert state.map.visible[1, 8]
    assert state.map.glow[1, 8]
    for _ in range(4):
        engine.step(Wait())
    assert not state.map.fires
    assert (state.map.visible == before).all()


def test_a_continued_run_is_lit_by_its_fires_as_before():
    state = new_game(RunSetup(3, "3", generator="caves+dark"))
    unlit = state.map.glow.sum()
    state.map.fires[state.hero.x + 1, state.hero.y] = 5
    Engine(state).step(Wait())
    again = load_state(state.setup, save_state(state))
    assert again.map.glow.sum() > unlit
    assert (again.map.glow == state.map.glow).all()
    assert (again.map.visible == state.map.visible).all()


def test_the_dark_hides_from_both_sides():
    drawing = """
        ##############
        #@......o....#
        #............#
        #...........>#
        ##############
    """
    lit = scene(drawing)
    dark = scene(drawing, light="dark")
    aglow = scene(drawing, light="dark")
    aglow.state.map.glow[:] = True
    for engine, seen in ((lit, True), (dark, False), (aglow, True)):
        orc = next(one for one in engine.state.map.entities.values() if one.ai)
        assert Senses(engine.state, DijkstraMaps(engine.state.map)).sees(orc) is seen


@pytest.mark.parametrize(
    ("name", "before", "after", "load", "words"),
    [
        ("traps.toml", 'status = "held"', 'status = "dull"', trap_kinds, r"\[net\]: status"),
        ("traps.toml", 'spring = "shift"', 'spring = "swap"', trap_kinds, r"\[shift\]: spring"),
        ("traps.toml", "low = 2", "low = 9", trap_kinds, r"\[dart\]: low"),
        ("lights.toml", "moss = 25", "moss = 101", light_levels, r"\[dark\]: themes"),
        ("lights.toml", "[bright]", "[lit]", light_levels, r"\[lit\]"),
    ],
)
def test_a_fault_in_the_data_is_named(tmp_path, name, before, after, load, words):
    text = (DATA / name).read_text()
    assert before in text
    (tmp_path / name).write_text(text.replace(before, after, 1))
    with pytest.raises(DataError, match=words):
        read_from(tmp_path, load)


def test_the_ground_a_level_had_at_first_counts():
    open_tiles = np.isin(level_of(VAULT).tiles, [Tile.FLOOR, Tile.KEY, Tile.TREASURE])
    assert scene(VAULT).state.map.initial_walkable_count == int(open_tiles.sum())
