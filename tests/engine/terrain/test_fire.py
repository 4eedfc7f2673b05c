"""How long fire burns, where, and what is left of what it ate."""

import pytest

from engine.items.effects.creature_effects import OIL_TURNS
from engine.state.actions import Throw, Wait
from engine.state.events import Hurt
from engine.terrain.fire import (
    BURNING_TURNS,
    FIRE_DAMAGE,
    FLASH_TURNS,
    FUEL_TURNS,
    SPREAD_CHANCE,
)
from entities.terrain import Tile
from support.items import bare, first, give
from support.scenes import scene

HALL = """
    ##############
    #............#
    #@...........#
    #............#
    #...........>#
    ##############
"""


def thrown(engine, *kinds, at=(6, 2)):
    """Throw one of each of ``kinds`` at a tile, one after another."""
    for kind in kinds:
        engine.state.identified_kinds.append(kind)
        engine.step(Throw(give(engine, kind).id, *at))
    return engine


def burning(engine, place):
    """Wait until ``place`` burns no more; return the turns that took."""
    turns = 0
    while place in engine.state.map.fires:
        engine.step(Wait())
        turns += 1
    return turns


def test_oil_burns_longer_than_a_flash_on_bare_ground():
    assert burning(thrown(bare(scene(HALL)), "fire_potion"), (6, 2)) == FLASH_TURNS - 1
    assert burning(thrown(bare(scene(HALL)), "oil_flask"), (6, 2)) == FLASH_TURNS + OIL_TURNS - 1


def test_a_flash_does_not_put_out_oil_that_burns():
    alone = burning(thrown(bare(scene(HALL)), "oil_flask"), (6, 2))
    after = burning(thrown(bare(scene(HALL)), "oil_flask", "fire_potion"), (6, 2))
    assert after == alone - 1, "the throw of the second took a turn"


def test_oil_poured_into_a_flash_burns_as_long_as_oil():
    alone = burning(thrown(bare(scene(HALL)), "oil_flask"), (6, 2))
    assert burning(thrown(bare(scene(HALL)), "fire_potion", "oil_flask"), (6, 2)) == alone


def test_grass_burns_as_long_as_its_fuel_lasts_and_becomes_bare_floor():
    engine = bare(scene(HALL))
    engine.state.map.set_tile(6, 2, Tile.GRASS)
    thrown(engine, "fire_potion")
    assert burning(engine, (6, 2)) == FUEL_TURNS - 1
    assert engine.state.map.tiles[2, 6] == Tile.FLOOR


@pytest.mark.parametrize("tile", [Tile.CRYSTAL, Tile.SHELF, Tile.GRASS])
def test_a_flash_on_bare_ground_sets_fire_to_what_burns_beside_it(tile):
    caught = 0
    for seed in range(30):
        engine = bare(scene(HALL, seed=seed))
        engine.state.map.set_tile(7, 2, tile)
        engine.state.map.fires[6, 2] = FLASH_TURNS
        burning(engine, (6, 2))
        caught += (7, 2) in engine.state.map.fires
    assert 30 * SPREAD_CHANCE < caught < 30, "there are two chances"


@pytest.mark.parametrize("at", [(0, 4), (13, 2), (5, 0), (5, 5)])
def test_shelves_on_the_border_of_a_level_do_not_burn_away(at):
    engine = bare(scene(HALL))
    engine.state.map.set_tile(*at, Tile.SHELF)
    place = min(max(at[0], 1), 12), min(max(at[1], 1), 4)
    engine.state.map.fires[place] = 20
    burning(engine, place)
    assert at not in engine.state.map.fires
    assert engine.state.map.tiles[at[::-1]] == Tile.SHELF


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.SHALLOWS, Tile.ICE, Tile.LAVA, Tile.BRIDGE])
def test_nothing_wet_burns(tile):
    engine = bare(scene(HALL))
    engine.state.map.set_tile(6, 2, tile)
    assert (6, 2) not in thrown(engine, "oil_flask").state.map.fires


def test_who_steps_out_of_a_fire_burns_on_for_a_while_and_then_no_more():
    engine = bare(scene(HALL.replace("#@.....", "#@....o")))
    orc = first(engine, "orc")
    orc.fighter.hp = orc.fighter.max_hp = 99
    orc.statuses["held"] = 50
    engine.state.map.fires[orc.x, orc.y] = 1
    events = engine.step(Wait())
    assert next(e.damage for e in events if isinstance(e, Hurt)) == FIRE_DAMAGE
    assert "burning" in orc.statuses
    turns = 0
    while "burning" in orc.statuses:
        engine.step(Wait())
        turns += 1
    assert turns == BURNING_TURNS
