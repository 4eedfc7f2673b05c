"""Where a rule of monsters ends, to the tile and to the turn."""

import pytest

from components import AiState
from engine.engine import Engine
from engine.monsters.behaviours import BEHAVIOURS
from engine.monsters.monster_actions import Charge
from engine.monsters.perception import Senses
from engine.monsters.wandering_monsters import _entrance
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Wait
from engine.state.game_map import ACTIVE_RADIUS
from entities.terrain import Tile
from procgen.blueprint import Point
from support.monsters import one
from support.scenes import scene

FIELD = """
    ############
    #..........#
    #.@........#
    #..........#
    #..........#
    #..........#
    #.....q....#
    #..........#
    ############
"""


def charge(engine: Engine) -> object:
    """Return what the bull would do now."""
    bull = one(engine, "bull")
    bull.ai.state, bull.ai.cooldown = AiState.HUNTING, 0
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    return BEHAVIOURS["charger"](engine.state, bull, senses)


@pytest.mark.parametrize(
    ("at", "course"), [((6, 6), (-1, -1)), ((2, 6), (0, -1)), ((9, 2), (-1, 0))]
)
def test_a_bull_charges_along_every_straight_line_unless_something_is_in_it(at, course):
    engine = scene(FIELD)
    engine.state.map.move_entity(one(engine, "bull"), *at)
    assert charge(engine) == Charge(*course)
    engine.state.map.set_tile(at[0] + course[0], at[1] + course[1], Tile.WALL)
    assert not isinstance(charge(engine), Charge)


def test_a_bull_charges_from_two_to_seven_tiles_off():
    for apart in range(1, 9):
        engine = scene(FIELD)
        engine.state.map.move_entity(one(engine, "bull"), 2 + apart, 2)
        assert isinstance(charge(engine), Charge) == (2 <= apart <= 7)


def test_a_frightened_monster_flees_for_its_turns_and_hunts_again():
    engine = scene("#" * 60 + "\n#@" + "." * 56 + "o#\n" + "#" * 60)
    orc = one(engine, "orc")
    orc.ai.state, orc.ai.turns_left_tracking = AiState.FLEEING, 5
    for _ in range(4):
        engine.step(Wait())
    assert orc.ai.state is AiState.FLEEING
    engine.step(Wait())
    assert orc.ai.state is not AiState.FLEEING


@pytest.mark.parametrize(("apart", "counts"), [(ACTIVE_RADIUS, True), (ACTIVE_RADIUS + 1, False)])
@pytest.mark.parametrize("turned", [False, True])
def test_creatures_up_to_the_radius_act(apart, counts, turned):
    hall = "@" + "." * (apart - 1) + "o"
    rows = ["#" * 3, *(f"#{tile}#" for tile in hall), "#" * 3]
    flat = ["#" * (apart + 3), f"#{hall}#", "#" * (apart + 3)]
    engine = scene("\n".join(rows if turned else flat))
    game_map, hero = engine.state.map, engine.state.hero
    assert (one(engine, "orc") in game_map.near(hero.x, hero.y)) == counts
    orc = one(engine, "orc")
    assert (hero in game_map.near(orc.x, orc.y)) == counts


def test_hunters_come_by_stairs_out_of_view_if_there_are_any():
    engine = scene("""
        ######################
        #@........>#.........#
        #.########.#.........#
        #....................#
        ######################
    """)
    game_map = engine.state.map
    game_map.start = Point(19, 1)
    game_map.visible[:] = False
    game_map.visible[1, 10] = True
    assert _entrance(engine.state) == Point(19, 1), "the furthest out of view"
    game_map.start = Point(1, 2)
    assert _entrance(engine.state) == Point(10, 1), "in view rather than none"
    engine.state.hero.x = 3
    assert _entrance(engine.state) is None, "too near"


def test_waypoints_reach_to_the_last_rows_and_columns():
    rows = ["#" * 21] + ["#" + "." * 19 + "#"] * 20
    game_map = scene("\n".join([*rows, "#" * 21]).replace("#.", "#@", 1)).state.map
    stops = DijkstraMaps(game_map).stops(1, 1, 1, 40)
    assert max(stop.y for stop in stops) == 20
    assert len({(stop.x // 10, stop.y // 10) for stop in stops}) == len(stops) == 6
