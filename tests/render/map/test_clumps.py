"""Trees and mountains that join with their neighbours, and doors that somebody stands in."""

import numpy as np
import pytest
from tcod.console import Console

from entities.terrain import Tile
from render.map.map_view import draw_ground
from render.map.viewport import Viewport, VisibleLevel
from render.tiles.glyphs import (
    CLUMP_VARIANTS,
    OPEN_DOOR,
    OPEN_SIDE_DOOR,
    clump_codes,
    clump_start,
    plain_char,
    tile_code,
)
from render.tiles.tileset import map_tileset


def codes(tiles, view=None, **more):
    tiles = np.array(tiles, np.uint8)
    seen = np.ones(tiles.shape, bool)
    level = VisibleLevel(tiles, seen, more.pop("explored", seen), "meadow", None, None, **more)
    console = Console(*tiles.shape[::-1])
    draw_ground(console, level, view or Viewport())
    return console.ch


def mask_of(code, tile):
    return (int(code) - clump_start(tile)) % 256


@pytest.mark.parametrize("tile", [Tile.FOREST, Tile.MOUNTAIN, Tile.EDGE])
def test_a_clump_joins_what_is_known_of_its_kind(tile):
    tiles = np.full((5, 5), Tile.GRASS)
    tiles[1:4, 1:4] = tile
    drawn = codes(tiles)
    assert mask_of(drawn[2, 2], tile) == 0
    assert mask_of(drawn[1, 2], tile) == 0b0001, "only the north is of another kind"
    known = np.ones((5, 5), bool)
    known[3] = False
    assert mask_of(codes(tiles, explored=known)[2, 2], tile) == 0b0100, "unknown trees do not join"
    assert {plain_char(int(code)) for code in drawn[1:4, 1:4].ravel()} == {
        plain_char(tile_code(tile, 0))
    }


def test_cliffs_and_mountains_stand_on_the_same_rock():
    row = [Tile.GRASS, Tile.EDGE, Tile.MOUNTAIN, Tile.FOREST]
    drawn = codes([[Tile.GRASS] * 4, row, [Tile.GRASS] * 4])[1]
    assert mask_of(drawn[1], Tile.EDGE) == 0b1101, "open but for the mountain in the east"
    assert mask_of(drawn[2], Tile.MOUNTAIN) == 0b0111, "open but for the cliff in the west"
    assert mask_of(drawn[3], Tile.FOREST) == 0b1111
    tiles = map_tileset(16).whole()
    faced, joined = (tiles.get_tile(clump_start(Tile.EDGE) + 256 + mask) for mask in (0b0100, 0))
    assert (faced != joined).any()
    assert (joined[..., 3] == 255).all(), "rock fills a tile that has no edge"


def test_scrolling_does_not_change_a_clump():
    tiles = np.full((9, 9), Tile.FOREST)
    whole = codes(tiles)
    view = Viewport(left=2, top=3)
    console = Console(4, 4)
    seen = np.ones(tiles.shape, bool)
    level = VisibleLevel(tiles.astype(np.uint8), seen, seen, "meadow", None, None)
    draw_ground(console, level, view)
    assert (console.ch == whole[3:7, 2:6]).all()


@pytest.mark.parametrize("tile", [Tile.FOREST, Tile.MOUNTAIN])
def test_the_inside_of_a_clump_shows_hardly_any_ground(tile):
    tiles = map_tileset(20).whole()
    for variant in range(CLUMP_VARIANTS):
        start = clump_start(tile) + 256 * variant
        inside, alone = (tiles[start + mask][:, :, 3] for mask in (0, 0b1111))
        assert inside.mean() > 238 > alone.mean()
    assert all(code in tiles for code in clump_codes(tile))


def test_a_door_is_open_while_somebody_in_sight_stands_in_it():
    tiles = np.full((5, 5), Tile.FLOOR)
    tiles[2] = Tile.WALL
    tiles[2, 2] = Tile.DOOR
    assert codes(tiles, open_doors=[(2, 2)])[2, 2] == OPEN_DOOR
    assert codes(tiles.T, open_doors=[(2, 2)])[2, 2] == OPEN_SIDE_DOOR
    assert codes(tiles)[2, 2] not in {OPEN_DOOR, OPEN_SIDE_DOOR}
