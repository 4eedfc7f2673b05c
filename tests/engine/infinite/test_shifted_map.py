"""When the map moves on over the world, all that is on it stays where it is in the world."""

import pytest

from components import AiState
from engine.infinite.infinite_map import shift_map
from entities.terrain import Tile
from support.items import first, lay
from support.scenes import scene

FIELD = """
    ...............
    ...............
    ......o........
    ...............
    .......@.......
    ...............
    ............>..
    ...............
    ...............
"""


@pytest.mark.parametrize("move", [(2, 1), (-2, 2), (4, -2), (-1, -1), (0, 2), (3, 0)])
def test_everything_keeps_its_distance_from_the_hero(move):
    engine = scene(FIELD)
    state = engine.state
    game_map, hero, orc = state.map, state.hero, first(engine, "orc")
    orc.ai.state, orc.ai.goal = AiState.HUNTING, (9, 5)
    game_map.set_tile(8, 3, Tile.RUBBLE)
    game_map.fires[6, 5] = 4
    lay(engine, "dagger", 5, 4)
    game_map.explored[3, 9] = True
    right, down = move
    edits, discoveries = game_map.tile_edits, game_map.discoveries
    shift_map(game_map, right, down)
    assert game_map.tile_edits > edits, "or paths would be those of the old window"
    assert game_map.discoveries > discoveries
    assert (hero.x, hero.y) == (7 - right, 4 - down)
    assert (orc.x, orc.y) == (6 - right, 2 - down)
    assert game_map.entity_at(6 - right, 2 - down) is orc
    assert game_map.entity_at(7 - right, 4 - down) is hero
    assert orc.ai.goal == (9 - right, 5 - down)
    assert game_map.fires == {(6 - right, 5 - down): 4}
    assert list(game_map.items) == [(5 - right, 4 - down)]
    assert game_map.tiles[3 - down, 8 - right] == Tile.RUBBLE
    assert list(game_map.changes) == [(3 - down) * game_map.width + 8 - right]
    assert game_map.exit == (12 - right, 6 - down)


def test_an_exit_that_the_map_leaves_behind_is_none_any_more():
    game_map = scene(FIELD).state.map
    shift_map(game_map, 0, 6)
    assert game_map.exit == (12, 0)
    shift_map(game_map, 0, 1)
    assert game_map.exit == (-1, -1)
