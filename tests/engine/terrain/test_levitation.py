"""Creatures that float over water, lava and traps, and what happens when they come down."""

import pytest

from components import AiState
from components.inventory import Item
from engine.engine import Engine
from engine.monsters.wandering_monsters import hunters_in_reach
from engine.state.actions import Drop, Move, Strike, Throw, Use, Wait
from engine.state.events import Arrived, Spotted, Struck, Stumbled, TrapTriggered
from entities.terrain import Tile
from support.items import bare, give
from support.rule_scenes import field, put
from support.scenes import DrawnLevels, kinds, scene


def afloat(drawing, turns=1):
    """Return an engine whose hero floats for ``turns`` more turns."""
    engine = bare(scene(drawing))
    engine.state.hero.statuses["levitating"] = turns
    return engine


LAKE = """
    ##########
    #@~~~~~#.#
    #.~~~~~#>#
    ##########
"""


def over_the_lake(far):
    """Return an engine whose hero floats over a lake, ``far`` tiles from the shore."""
    engine = afloat(LAKE, 99)
    engine.state.map.move_entity(engine.state.hero, 1 + far, 1)
    return engine


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.LAVA])
def test_a_hero_who_hovers_with_no_shore_beside_it_is_teleported_to_the_ground(tile):
    engine = over_the_lake(4)
    for x in range(2, 7):
        for y in (1, 2):
            engine.state.map.set_tile(x, y, tile)
    assert isinstance(engine.step(Use(give(engine, "teleportation_scroll").id)), list)
    assert (engine.state.hero.x, engine.state.hero.y) == (1, 2)


def test_hunters_on_the_shore_press_a_hero_who_hovers_over_the_lake():
    engine = over_the_lake(4)
    hunter, shut_off = (put(engine, "orc", x, 1) for x in (1, 8))
    for orc in (hunter, shut_off):
        orc.spawned_in_play, orc.ai.state = True, AiState.HUNTING
    assert hunters_in_reach(engine.state) == 1


def test_what_a_hero_drops_over_water_lies_on_the_shore():
    engine = over_the_lake(5)
    engine.step(Drop(give(engine, "sword").id))
    assert list(engine.state.map.items) == [(1, 1)]


def test_what_is_thrown_from_over_water_into_water_lies_on_the_shore():
    engine = over_the_lake(2)
    engine.step(Throw(give(engine, "sword").id, 5, 1))
    assert list(engine.state.map.items) == [(1, 1)]


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.LAVA])
def test_what_a_monster_carried_that_dies_over_water_or_lava_lies_on_the_shore(tile):
    engine = over_the_lake(5)
    thief = put(engine, "pilferer", 5, 1)
    thief.statuses["levitating"], thief.fighter.hp = 9, 1
    thief.inventory.append(Item(7, "sword"))
    for x in range(2, 7):
        engine.state.map.set_tile(x, 1, tile)
    engine.step(Strike(-1, 0))
    assert not thief.alive
    assert list(engine.state.map.items) == [(1, 1)]


PLATE = """
    ######
    #@x.>#
    ######
"""


@pytest.mark.parametrize("turns", [2, 3])
def test_a_plate_under_a_hero_goes_off_when_it_floats_no_more(turns):
    engine = afloat(PLATE, turns)
    events = [kinds(engine.step(action)) for action in (Move(1, 0), Wait(), Wait(), Wait())]
    assert [TrapTriggered in told for told in events] == [turn == turns for turn in (1, 2, 3, 4)]


def test_a_plate_does_not_go_off_under_a_light_foot_that_floats_no_more():
    engine = afloat(PLATE, 2)
    engine.state.hero.experience.talents.append("lightfoot")
    assert TrapTriggered not in kinds([*engine.step(Move(1, 0)), *engine.step(Wait())])


def test_a_hero_that_sinks_is_not_washed_behind_a_wall():
    engine = afloat("""
        ############
        #.~~~~@#..>#
        ########...#
        ############
    """)
    engine.state.map.set_tile(6, 1, Tile.WATER)
    engine.step(Wait())
    assert (engine.state.hero.x, engine.state.hero.y) == (1, 1)


def test_a_hero_that_sinks_in_a_walled_pool_is_washed_over_the_wall():
    engine = afloat("""
        ############
        #~~~~~@#..>#
        ########...#
        ############
    """)
    engine.state.map.set_tile(6, 1, Tile.WATER)
    engine.step(Wait())
    assert (engine.state.hero.x, engine.state.hero.y) == (8, 1)


@pytest.mark.parametrize(("tile", "cause"), [(Tile.WATER, "water"), (Tile.LAVA, "lava")])
def test_a_hero_that_sinks_where_all_ground_is_taken_dies_of_what_it_sinks_in(tile, cause):
    engine = afloat("""
        ######
        #@~.>#
        ######
    """)
    engine.state.map.move_entity(engine.state.hero, 2, 1)
    engine.state.map.set_tile(2, 1, tile)
    for x in (1, 3, 4):
        put(engine, "orc", x, 1)
    engine.step(Wait())
    assert engine.state.killed_by == cause


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.LAVA])
def test_a_confused_hero_that_floats_goes_astray_over_water_and_lava_too(tile):
    engine = field()
    engine.state.hero.statuses |= {"levitating": 99, "confused": 99}
    for x in range(1, 21):
        for y in range(1, 14):
            engine.state.map.set_tile(x, y, tile)
    places = set()
    for _ in range(12):
        before = engine.state.hero.x, engine.state.hero.y
        if Stumbled in kinds(engine.step(Move(1, 0))):
            places.add((engine.state.hero.x - before[0], engine.state.hero.y - before[1]))
    assert len(places) > 2


class GuardedLevels(DrawnLevels):
    """Levels below whose trapdoors an orc stands beside the hero."""

    def fall(self, state):
        transition = super().fall(state)
        put(Engine(state), "orc", state.hero.x + 1, state.hero.y)
        return transition


def test_nobody_below_a_trapdoor_acts_before_a_hero_that_floats_no_more(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "fall")
    engine = bare(scene(PLATE, levels=GuardedLevels(PLATE, PLATE)))
    engine.state.hero.statuses["levitating"] = 2
    events = [*engine.step(Move(1, 0)), *engine.step(Wait())]
    assert kinds(events)[-2:] == [Arrived, Spotted]
    assert Struck in kinds(engine.step(Wait()))
