"""Whether a tile is anywhere on the map is known at once, and after each change."""

import random

from engine.levels.dungeon import new_game
from engine.state.run_setup import RunSetup
from entities.terrain import Tile


def test_a_map_knows_which_tiles_it_has_after_every_change():
    game_map = new_game(RunSetup(4, "4", generator="caves")).map
    rng = random.Random(4)
    asked = (Tile.WATER, Tile.LAVA, Tile.SECRET_DOOR)
    for _ in range(60):
        for tile in asked:
            assert game_map.has_tile(tile) == bool((game_map.tiles == tile).any())
        game_map.set_tile(rng.randrange(3), 0, rng.choice((*asked, Tile.WALL, Tile.WALL)))
    assert not game_map.has_tile(Tile.RELIC)
