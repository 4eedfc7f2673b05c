"""The ground that a seed takes: what aiming shows of it, and how far it reaches."""

import numpy as np
import pytest
from msgspec.structs import replace

from engine.engine import Engine
from engine.items.aiming import aim_of
from engine.levels.dungeon import new_game
from engine.state.actions import Use
from engine.state.events import Ripened
from engine.state.run_setup import Mode, RunSetup
from entities.item_kinds import item_kinds
from entities.seed_kinds import seed_kinds
from entities.terrain import Tile
from procgen.analysis.distances import regions
from procgen.blueprint import Point
from support.items import give, told
from support.planting_scenes import HALL, POND, grown
from support.scenes import scene


def test_a_seed_can_take_the_rest_of_the_level(monkeypatch):
    wide = replace(seed_kinds()["frost_seed"], radius=200)
    monkeypatch.setitem(seed_kinds(), "frost_seed", wide)
    item = replace(item_kinds()["frost_seed"], seed=wide)
    monkeypatch.setitem(item_kinds(), "frost_seed", item)
    engine = Engine(new_game(RunSetup(2, "3", Mode.WORKSHOP, "digger")))
    hero = engine.state.hero
    before = engine.state.map.tiles.copy()
    engine.step(Use(give(engine, "frost_seed").id, (hero.x, hero.y)))
    grown(engine)
    frozen = engine.state.map.tiles == Tile.ICE
    assert (frozen & (before == Tile.FLOOR)).sum() > 0.5 * (before == Tile.FLOOR).sum()
    assert np.ptp(np.nonzero(frozen)[1]) > 60


def test_the_aim_shows_the_ground_and_why_nothing_grows_there():
    engine = scene(POND)
    seed, hero = give(engine, "bridge_seed"), engine.state.hero
    shown = aim_of(engine.state, hero, seed, Point(8, 2))
    assert shown.why is None
    assert {Point(7, 2), Point(10, 3)} <= set(shown.tiles)
    dry = scene(HALL)
    seed = give(dry, "bridge_seed")
    shown = aim_of(dry.state, dry.state.hero, seed, Point(9, 3))
    assert shown.why == seed_kinds()["bridge_seed"].barren


@pytest.mark.parametrize("place", [(14, 3), (25, 2), (9, 5), (28, 1), (2, 5)])
def test_what_is_shown_before_planting_is_the_ground_around_the_place(place):
    engine = scene(HALL)
    for kind in ("frost_seed", "thicket_seed", "lake_seed"):
        found = aim_of(engine.state, engine.state.hero, give(engine, kind), Point(*place))
        if found.why:
            continue
        reach = seed_kinds()[kind].radius
        assert place in found.tiles
        assert len(set(found.tiles)) == len(found.tiles) > reach
        for x, y in found.tiles:
            assert max(abs(x - place[0]), abs(y - place[1])) <= reach
            assert engine.state.map.walkable[y, x]
            assert (x, y) not in (engine.state.map.exit, (6, 3))


def test_stairs_in_the_corner_of_a_hall_move_nothing_that_grows_in_it():
    found = []
    for place in ((1, 1), (1, 2), (3, 1)):
        hall = [list(f"#{'.' * 16}#") for _ in range(7)]
        hall[3][8], hall[place[1] - 1][place[0]] = "@>"
        wall = "#" * 18
        engine = scene("\n".join([wall, *map("".join, hall), wall]))
        hero = engine.state.hero
        engine.step(Use(give(engine, "colonnade_seed").id, (hero.x, hero.y)))
        grown(engine)
        found.append(np.isin(engine.state.map.tiles, (Tile.PILLAR, Tile.CARPET)))
    assert found[0].sum() >= 20
    assert all(np.array_equal(found[0], one) for one in found)


@pytest.mark.parametrize("target", [(8, 6), (5, 1), (9, 3), (9, 6)])
def test_a_chamber_leaves_pillars_and_the_walls_of_other_rooms_alone(target):
    engine = scene("""
        ##############################
        #.........####...............#
        #.........####.O.O.O.O.O.O.O.#
        #.........####...............#
        #..@......++++...............#
        #.......O.####.O.O.O.O.O.O.O.#
        #.........####...............#
        #############................#
        #############...............>#
        ##############################
    """)
    game_map = engine.state.map
    pillars = game_map.tiles == Tile.PILLAR
    engine.step(Use(give(engine, "chamber_seed").id, target))
    assert told(grown(engine), Ripened)
    assert (game_map.tiles[pillars] == Tile.PILLAR).all()
    rooms = regions(game_map.walkable & (game_map.tiles != Tile.DOOR))[0]
    assert rooms[4, 9] != rooms[4, 14]


@pytest.mark.parametrize("target", [(8, 3), (4, 1), (3, 5)])
def test_the_fruit_of_a_chamber_lies_in_it(target):
    engine = scene("""
        ##############################
        #.........####################
        #.........####################
        #..@......####################
        #.........####################
        #........>####################
        ##############################
        ##############################
        ##############################
        ##############################
    """)
    before = engine.state.map.tiles.copy()
    engine.step(Use(give(engine, "chamber_seed").id, target))
    (ripe,) = told(grown(engine), Ripened)
    assert before[ripe.place.y, ripe.place.x] == Tile.WALL


@pytest.mark.parametrize("seed", [15, 39])
def test_the_fruit_of_a_vault_in_an_open_hall_lies_in_it(seed):
    row = "#" + "." * 38 + "#"
    hall = ["#" * 40, *[row] * 8, "#..@" + "." * 34 + ">#", *[row] * 9, "#" * 40]
    engine = scene("\n".join(hall), seed=seed)
    engine.state.map.visible[:] = True
    before = engine.state.map.tiles.copy()
    engine.step(Use(give(engine, "vault_seed").id, (10, 0)))
    (ripe,) = told(grown(engine), Ripened)
    changed = np.argwhere(engine.state.map.tiles != before)
    (top, left), (bottom, right) = changed.min(0), changed.max(0)
    assert top < ripe.place.y < bottom
    assert left < ripe.place.x < right
