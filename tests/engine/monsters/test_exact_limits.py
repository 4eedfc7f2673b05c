"""Where a rule of monsters ends, to the tile and to the turn."""

import pytest

from components import AiState
from engine.engine import Engine
from engine.items.plant_seed import _free
from engine.monsters.behaviours import BEHAVIOURS
from engine.monsters.choose_action import ACTIVE_RANGE, is_undisturbed
from engine.monsters.monster_actions import spawn_places
from engine.monsters.perception import Senses, _hunt
from engine.monsters.steering import _pass_by
from engine.monsters.wandering_monsters import _entrance
from engine.pathfinding.auto_travel import Stop, explore, translated
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Charge, Move, SwapPlaces, Wait
from engine.state.events import CalledForHelp, Struck
from engine.state.game_map import ROW
from entities.entity import Entity
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from support.auto_travel import walk
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


def make_orc(engine: Engine, x: int, y: int) -> Entity:
    """Return an orc put at (x, y)."""
    orc = one(scene(FIELD.replace("q", "o")), "orc")
    orc.id, orc.x, orc.y = 900, x, y
    engine.state.map.add_entity(orc)
    return orc


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
    orc.ai.state, orc.ai.state_turns_left = AiState.FLEEING, 5
    for _ in range(4):
        engine.step(Wait())
    assert orc.ai.state is AiState.FLEEING
    engine.step(Wait())
    assert orc.ai.state is not AiState.FLEEING


@pytest.mark.parametrize(("apart", "waits"), [(ACTIVE_RANGE, False), (ACTIVE_RANGE + 1, True)])
@pytest.mark.parametrize("turned", [False, True])
def test_a_wanderer_up_to_the_radius_acts_and_one_further_off_gathers_no_energy(
    apart, waits, turned
):
    hall = "@" + "." * (apart - 1) + "o"
    rows = ["#" * 3, *(f"#{tile}#" for tile in hall), "#" * 3]
    flat = ["#" * (apart + 3), f"#{hall}#", "#" * (apart + 3)]
    engine = scene("\n".join(rows if turned else flat))
    orc = one(engine, "orc")
    orc.ai.state, orc.energy.speed = AiState.WANDERING, 150
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    assert is_undisturbed(orc, senses) == waits
    engine.step(Wait())
    assert orc.energy.stored == (0 if waits else 50)


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


@pytest.mark.parametrize(("cooldown", "calls"), [(0, True), (3, False)])
def test_a_monster_that_has_just_called_does_not_call_again(cooldown, calls):
    engine = scene(FIELD.replace("q", "g"))
    goblin = one(engine, "goblin")
    goblin.ai.state, goblin.ai.cooldown = AiState.IDLE, cooldown
    told = []
    senses = Senses(engine.state, DijkstraMaps(engine.state.map))
    _hunt(engine.state, goblin, senses, told.append)
    assert any(isinstance(event, CalledForHelp) for event in told) == calls
    assert goblin.ai.state is AiState.HUNTING
    assert goblin.ai.goal == (2, 2)


@pytest.mark.parametrize("facing", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1)])
def test_a_hunter_changes_places_with_a_wanderer_in_any_direction(facing):
    dx, dy = facing
    engine = scene(FIELD.replace("@", ".").replace("#..........#", "#@.........#", 1))
    game_map = engine.state.map
    hunter, other = one(engine, "bull"), make_orc(engine, 6 + dx, 4 + dy)
    game_map.move_entity(hunter, 6, 4)
    hunter.ai.state, other.ai.state = AiState.HUNTING, AiState.IDLE
    ways = DijkstraMaps(game_map)
    goal = ways.to(6 + 2 * dx, 4 + 2 * dy)
    ahead = goal[4 * ROW + 6]
    assert Move(dx, dy) in dict(ahead).values()
    assert _pass_by(game_map, hunter, ahead) == SwapPlaces(dx, dy)


def test_seeds_do_not_grow_on_the_border_of_the_map():
    game_map = scene(FIELD).state.map
    whole = _free(game_map, 0, 0, game_map.width, game_map.height)
    wanted = [[0 < x < 11 and 0 < y < 8 for x in range(12)] for y in range(9)]
    assert whole.tolist() == wanted
    assert _free(game_map, 3, 2, 4, 3).all()


def test_a_place_is_kept_when_an_infinite_map_moves():
    game_map = scene(FIELD).state.map
    game_map.origin = (30, -7)
    assert translated(game_map, Point(5, 6), (20, 4)) == Point(-5, 17)


def test_a_journey_ends_beside_a_key_and_not_far_from_one():
    engine = scene(FIELD.replace("q", "."))
    engine.state.map.move_entity(engine.state.hero, 8, 5)
    engine.state.map.explored[:] = True
    for x, y, steps in ((7, 4, 0), (9, 6, 0), (2, 5, 5), (6, 5, 2)):
        engine.state.map.set_tile(x, y, Tile.KEY)
        assert walk(engine, explore(engine.state)) == (Stop.KEY, steps)
        engine.state.map.set_tile(x, y, Tile.FLOOR)


def test_a_monster_with_its_last_hit_point_still_acts():
    engine = scene(FIELD.replace("q", "o"))
    orc = one(engine, "orc")
    engine.state.map.move_entity(orc, 3, 2)
    orc.ai.state, orc.fighter.hp = AiState.HUNTING, 1
    assert any(isinstance(event, Struck) for event in engine.step(Wait()))


def test_free_tiles_beside_a_monster_come_in_the_order_of_directions():
    state = scene(FIELD).state
    for taken in DIRECTIONS:
        state.map.set_tile(6 + taken[0], 4 + taken[1], Tile.WALL)
        free = [(dx, dy) for dx, dy in DIRECTIONS if state.map.walkable[4 + dy, 6 + dx]]
        assert spawn_places(state, 6, 4) == [(6 + dx, 4 + dy) for dx, dy in free]
