"""Stairs lead both ways, and a level is found again exactly as it was left."""

import msgspec
import numpy as np
import pytest

from components import Mood
from components.inventory import Item
from descents import adventure, stand_on, take, written
from engine.engine import Engine
from engine.levels.level_choice import pinned
from engine.levels.level_memory import fold, unfold
from engine.state.actions import Climb, Descend, Refused, Visit, Wait
from engine.state.events import Arrived, Followed
from engine.state.game_state import World
from engine.state.run_setup import Mode, Setup
from entities.terrain import Tile
from procgen.recipe_builder import BuildFailed
from scenes import scene


def as_data(world):
    """Return all of a level but the hero, as plain data."""
    world.map.remove_entity(world.hero)
    data = unfold(fold(world.map))
    world.map.add_entity(world.hero)
    return msgspec.to_builtins(data)


def test_a_level_is_found_again_as_it_was_left():
    engine = adventure()
    world = engine.world
    world.map.set_tile(4, 4, Tile.RUBBLE)
    world.map.lay(Item(world.next_id, "dagger"), 3, 3)
    world.next_id += 1
    creature = next(one for one in world.map.entities.values() if one.mind)
    creature.fighter.hp = 1
    creature.statuses["slowed"] = 7
    stand_on(engine, world.map.exit)
    world.look()
    before, tiles, code = as_data(world), world.map.tiles.copy(), str(world.code)
    assert take(engine, Descend()) == Arrived(str(world.code), 2)
    assert 1 in world.remembered
    for _ in range(3):
        engine.step(Wait())
    assert take(engine, Climb()) == Arrived(code, 1, again=True, upward=True)
    assert (world.hero.x, world.hero.y) == world.map.exit
    assert 1 not in world.remembered
    assert as_data(world) == before
    assert np.array_equal(world.map.tiles, tiles)
    assert world.map.items_at(3, 3)[0].kind == "dagger"


def test_a_level_is_not_settled_again_and_time_stands_still_there():
    engine = adventure()
    first = sorted(engine.world.map.entities)
    take(engine, Descend())
    second, born = sorted(engine.world.map.entities), engine.world.next_id
    take(engine, Climb())
    assert sorted(engine.world.map.entities) == first
    take(engine, Descend())
    assert sorted(engine.world.map.entities) == second
    assert engine.world.next_id == born
    assert engine.world.deepest == 2


def test_stairs_are_refused_elsewhere_and_above_the_first_level():
    engine = adventure()
    before = engine.world.digest()
    assert engine.step(Descend()) == Refused("no exit here")
    assert engine.step(Climb()) == Refused("no way back")
    engine.world.map.move_entity(engine.world.hero, *engine.world.map.exit)
    assert engine.step(Climb()) == Refused("no way up here")
    stand_on(engine, engine.world.map.start)
    assert engine.world.digest() == before


@pytest.mark.parametrize("action", [Descend(), Climb()])
def test_a_way_that_leads_to_no_level_is_refused(action, monkeypatch):
    engine = adventure(depth=2)
    stand_on(engine, engine.world.map.exit if action == Descend() else engine.world.map.start)
    before = engine.world.digest()

    def fails(_):
        raise BuildFailed("nothing grew there")

    monkeypatch.setattr("engine.levels.transitions.build", fails)
    assert engine.step(action) == Refused("nothing grew there")
    assert engine.world.digest() == before


def test_the_workshop_has_no_way_up_and_remembers_nothing():
    engine = Engine(World(pinned(Setup(5, "5", Mode.WORKSHOP))))
    assert engine.step(Climb()) == Refused("no stairs in the Workshop")
    assert not take(engine, Descend()).again
    assert engine.world.remembered == {}


def test_who_hunts_close_by_comes_along():
    engine = scene("""
        ########
        #...o..#
        #o.o@..#
        #...>..#
        ########
    """)
    world = engine.world
    hunters = [one for one in world.map.entities.values() if one.mind]
    for hunter in hunters[:2]:
        hunter.mind.mood, hunter.mind.attention = Mood.HUNTING, 9
    world.map.move_entity(world.hero, *world.map.exit)
    near = [one.id for one in world.pursuers()]
    assert near == []
    world.map.move_entity(hunters[0], 4, 2)
    assert [one.id for one in world.pursuers()] == [hunters[0].id]
    events = engine.step(Descend())
    assert [event.who.id for event in events if isinstance(event, Followed)] == [hunters[0].id]
    assert max(abs(hunters[0].x - world.hero.x), abs(hunters[0].y - world.hero.y)) <= 2
    assert hunters[1].id not in world.map.entities


def test_who_stands_on_the_stairs_does_not_keep_the_hero_from_arriving():
    engine = adventure()
    creature = next(one for one in engine.world.map.entities.values() if one.mind)
    stand_on(engine, engine.world.map.exit)
    engine.step(Descend())
    memory = unfold(engine.world.remembered[1])
    for entity in memory.entities:
        if entity.id == creature.id:
            level = adventure().world.map.level
            entity.x, entity.y = level.exit
    engine.world.remembered[1] = written(memory)
    take(engine, Climb())
    world = engine.world
    assert (world.map.entities[creature.id].x, world.map.entities[creature.id].y) == world.map.exit
    apart = max(abs(world.hero.x - world.map.exit.x), abs(world.hero.y - world.map.exit.y))
    assert apart == 1
    assert world.map.entity_at(world.hero.x, world.hero.y) is world.hero


def test_visiting_forgets_what_lay_at_that_depth_only():
    engine = adventure()
    take(engine, Descend())
    engine.step(Visit("rooms:3:1"))
    assert engine.world.remembered == {}
    take(engine, Descend())
    assert list(engine.world.remembered) == [1]
    assert take(engine, Climb()).code.startswith("rooms.1:3:1@")
