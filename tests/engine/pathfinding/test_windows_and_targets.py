"""Windows of searches and tiles that are walked to, at the edges of maps and beside the hero."""

import numpy as np
import pytest

from components.inventory import Item
from engine.pathfinding.auto_travel import Stop, run
from engine.pathfinding.dijkstra_maps import APPROACH_REACH, SAFETY_REACH, DijkstraMaps
from engine.pathfinding.known_paths import (
    FIRST_WINDOW,
    WINDOW_GROWTH,
    attack_nearest,
    known_way_down,
    nearest_decision,
    next_to_explore,
    path_to,
    pickup_targets,
    windows,
)
from engine.state.actions import Move
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS, UNREACHED
from procgen.blueprint import Point
from support.auto_travel import walk
from support.items import bare, lay
from support.rule_scenes import field, put
from support.scenes import scene


class Extent:
    """A map without tiles, as large as it says."""

    def __init__(self, width, height):
        self.width, self.height = width, height


@pytest.mark.parametrize("size", [(20, 20), (97, 20), (20, 97), (300, 20), (20, 300), (400, 500)])
@pytest.mark.parametrize("at", [(0, 0), (1, 1), (0.5, 0.5), (1, 0.3)])
def test_windows_grow_around_a_place_until_they_are_the_whole_map(size, at):
    width, height = size
    x, y = int(at[0] * (width - 1)), int(at[1] * (height - 1))
    found, reach = list(windows(Extent(width, height), x, y)), FIRST_WINDOW
    for window in found:
        rows, columns = window.box
        assert (columns.start, columns.stop) == (max(0, x - reach), min(width, x + reach + 1))
        assert (rows.start, rows.stop) == (max(0, y - reach), min(height, y + reach + 1))
        assert (window.left, window.top) == (columns.start, rows.start)
        whole = (columns.stop - columns.start, rows.stop - rows.start) == size
        assert window.reach == (UNREACHED if whole else reach)
        assert whole == (window is found[-1])
        reach *= WINDOW_GROWTH


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize("far", [1, 2, 3])
def test_the_nearest_decision_is_found_in_every_direction(dx, dy, far):
    state = field(10, 7).state
    state.map.explored[:] = True
    key = Point(10 + far * dx, 7 + far * dy)
    state.map.set_tile(*key, Tile.KEY)
    state.map.set_tile(14, 7, Tile.LEVER)
    assert nearest_decision(state) == key


@pytest.mark.parametrize("at", [(1, 1), (0, 0), (3, 3), (0, 3)])
def test_ground_is_connected_up_to_the_outermost_tiles(at):
    ways = DijkstraMaps(scene("....\n.@..\n....\n...>").state.map)
    places = [Point(0, 0), Point(3, 3), Point(2, 1)]
    assert ways.connected(*at, places) == places


@pytest.mark.parametrize("drawing", ["@\n.\n.\n>", ".\n.\n@\n>", "@..>", "..@>"])
def test_ground_a_single_tile_wide_is_connected_from_end_to_end(drawing):
    rows = drawing.split()
    ways = DijkstraMaps(scene(drawing).state.map)
    places = [Point(x, y) for y, row in enumerate(rows) for x in range(len(row))]
    for at in places:
        assert ways.connected(*at, places) == places, at


@pytest.mark.parametrize(("drawing", "step", "at"), [
    ("@....", (1, 0), (4, 0)), ("....@", (-1, 0), (0, 0)),
    ("@\n.\n.\n.", (0, 1), (0, 3)), (".\n.\n.\n@", (0, -1), (0, 0)),
])  # fmt: skip
def test_a_run_comes_to_the_outermost_tile(drawing, step, at):
    engine = bare(scene(drawing))
    engine.state.map.exit = Point(-1, -1)
    steps = 0
    while (engine.state.hero.x, engine.state.hero.y) != at:
        reason, taken = walk(engine, run(engine.state, *step))
        assert reason in (Stop.JUNCTION, Stop.WALL)
        assert taken
        steps += taken
    assert steps == max(len(drawing.split()[0]), len(drawing.split())) - 1
    assert walk(engine, run(engine.state, *step)) == (Stop.WALL, 0)


@pytest.mark.parametrize("decides", [True, False])
@pytest.mark.parametrize("keys", [0, 1])
def test_single_tiles_are_targets_as_in_the_array_of_all(decides, keys):
    engine = bare(field(2, 2))
    game_map = engine.state.map
    game_map.explored[:, :14] = True
    game_map.explored[:, 14:] = False
    for x, tile in enumerate((Tile.KEY, Tile.TREASURE, Tile.LOCKED_DOOR, Tile.RELIC, Tile.DOOR), 4):
        for y in (3, 5):
            game_map.set_tile(x + (9 if y == 5 else 0), y, tile)
    lay(engine, "net", 5, 9)
    lay(engine, "net", 17, 9)
    game_map.add_item(Item(901, "healing_potion", letter="p"), 7, 9)
    game_map.keys = keys
    wanted = pickup_targets(engine.state, decides=decides)
    assert wanted.any()
    for y, x in np.ndindex(wanted.shape):
        tile = np.s_[y : y + 1, x : x + 1]
        assert pickup_targets(engine.state, tile, decides=decides).item() == wanted[y, x]
    part = np.s_[3:8, 4:9]
    assert np.array_equal(pickup_targets(engine.state, part, decides=decides), wanted[part])


@pytest.mark.parametrize("goal", [(-1, 3), (3, -1), (22, 3), (3, 15)])
def test_no_path_leads_off_the_map(goal):
    state = field(2, 2).state
    state.map.explored[:] = True
    assert path_to(state, goal) == []


@pytest.mark.parametrize(("doors", "hidden", "found"), [
    ([(13, 7), (6, 7)], [], (13, 7)), ([(13, 7), (6, 7)], [(13, 7)], (6, 7)), ([], [], None),
    ([(10, 7), (11, 7)], [], (10, 7)), ([(3, 12)], [], (3, 12)), ([(3, 12)], [(3, 12)], None),
])  # fmt: skip
def test_the_way_down_from_an_infinite_world_is_the_nearest_known_entrance(doors, hidden, found):
    state = field(10, 7).state
    game_map = state.map
    game_map.is_infinite, game_map.is_way_down = True, lambda x, y: (x, y) in doors
    game_map.explored[:] = True
    for x, y in doors:
        game_map.set_tile(x, y, Tile.ENTRANCE)
    for x, y in hidden:
        game_map.explored[y, x] = False
    assert known_way_down(state) == found


@pytest.mark.parametrize(("infinite", "found"), [(False, [150, 180, 190]), (True, [150, 180])])
def test_without_an_edge_only_ground_nearby_is_connected(infinite, found):
    game_map = field(100, 1, "#" * 202 + "\n#" + "." * 200 + "#\n" + "#" * 202).state.map
    game_map.is_infinite = infinite
    game_map.set_tile(40, 1, Tile.WALL)
    places = [Point(x, 1) for x in (30, 150, 180, 190)]
    reached = DijkstraMaps(game_map).connected(100, 1, places[: 3 + (not infinite)])
    assert [place.x for place in reached] == found


@pytest.mark.parametrize("infinite", [False, True])
@pytest.mark.parametrize(("item", "wood", "seen", "found"), [
    (25, 0, 40, 25), (30, 0, 40, 30), (31, 0, 40, 3), (25, 5, 28, 25), (None, 0, 28, 3),
    (None, 5, 28, 28), (None, 5, 30, 30), (None, 5, 31, 3),
])  # fmt: skip
def test_without_an_edge_items_come_first_and_then_open_ground(item, wood, seen, found, infinite):
    engine = field(10, 1, "#" * 45 + "\n#" + "." * 43 + "#\n" + "#" * 45)
    game_map = engine.state.map
    game_map.is_infinite = infinite
    game_map.explored[:, 3 : seen + 1] = True
    game_map.explored[:, :3] = game_map.explored[:, seen + 1 :] = False
    for x in range(3, 3 + wood):
        game_map.set_tile(x, 1, Tile.FOREST)
    if item:
        lay(engine, "net", item, 1)
    assert next_to_explore(engine.state) == ((found if infinite else 3), 1)


RINGS = """
    .........
    .#######.
    .#.....#.
    .#.###.#.
    .#.#.#.#.
    .#.###.#.
    .#.....#.
    .#######.
    .........
"""


def test_ground_two_tiles_away_behind_a_wall_is_not_connected():
    game_map = scene(RINGS.replace(".", "@", 1)).state.map
    ways = DijkstraMaps(game_map)
    places = [Point(x, y) for y, x in np.argwhere(game_map.walkable).tolist()]
    for at in places:
        ring = max(abs(at.x - 4), abs(at.y - 4))
        assert ways.connected(*at, places) == [
            one for one in places if max(abs(one.x - 4), abs(one.y - 4)) == ring
        ]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("flees", [False, True])
def test_the_windows_of_dijkstra_maps_reach_as_far_down_as_across(turned, flees):
    reach, middle = (SAFETY_REACH if flees else APPROACH_REACH), APPROACH_REACH + 5
    row = "." * middle + "@" + "." * middle
    drawing = "\n".join(row) if turned else row
    ways = DijkstraMaps(scene(drawing).state.map)
    at = (0, middle) if turned else (middle, 0)
    field = ways.away(*at) if flees else ways.to(*at)
    for far in (-reach - 1, -reach, reach, reach + 1):
        value = field.at(*(middle + far if along else 0 for along in at))
        assert (value < UNREACHED) == (abs(far) <= reach), far


def test_an_exit_below_the_window_is_kept_off_without_a_look_at_it():
    rows = [["."] * 150 for _ in range(110)]
    rows[5][75], rows[80][75] = "@", ">"
    state = scene("\n".join(map("".join, rows))).state
    found = next_to_explore(state)
    assert found
    assert next_to_explore(state, avoid_exit=True) == found


def test_of_monsters_equally_near_one_that_can_hurt_is_attacked():
    engine = field()
    hero = engine.state.hero
    put(engine, "shriekcap", hero.x - 1, hero.y).fighter.hp = 1
    put(engine, "orc", hero.x + 1, hero.y)
    engine.state.look()
    assert attack_nearest(engine.state) == Move(1, 0)
