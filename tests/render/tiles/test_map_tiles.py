"""The tiles of the map: nothing missing, and everything that should join joins."""

import numpy as np
import pytest

from entities.terrain import TILES, Tile
from render.tiles.glyphs import (
    HEDGE_WALLS,
    MARKS,
    NEIGHBOURS,
    ROCK_WALLS,
    VARIANTS,
    WALLS,
    WILD_TERRAIN,
    WILD_TILES,
    WILD_VARIANTS,
    tile_code,
    visible_mask,
)
from render.tiles.letters import LATIN
from render.tiles.tileset import MAP_SIGNS, map_tileset
from support.tile_sheet import tile_sheet

SIZES = (16, 20, 31)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
SOUTH_EAST = 32
TERRAIN_CODES = [tile_code(tile, look) for tile in TILES for look in range(VARIANTS)]
TERRAIN_CODES += [
    tile_code(tile, look, WILD_TERRAIN) for tile in WILD_TILES for look in range(VARIANTS)
]
WILD_WALLS = [
    start + 256 * look for start in (ROCK_WALLS, HEDGE_WALLS) for look in range(WILD_VARIANTS)
]
ESSENTIALS = sorted({visible_mask(mask) for mask in range(256)})


def shades(tiles, mask):
    return tiles[WALLS + mask][:, :, 0].astype(int)


@pytest.mark.parametrize("size", SIZES)
def test_every_code_point_of_the_map_can_be_seen(size):
    tiles = map_tileset(size).whole()
    assert tiles.tile_shape == (size, size)
    codes = [*range(WALLS, WALLS + 256), *TERRAIN_CODES, *range(MARKS, MARKS + 5)]
    codes += [start + mask for start in WILD_WALLS for mask in ESSENTIALS]
    codes += map(ord, LATIN + MAP_SIGNS)
    for code in codes:
        assert code in tiles, hex(code)
        assert tiles[code][:, :, 3].max() > 30, hex(code)


def test_drawing_twice_gives_the_same_tiles():
    again = map_tileset.__wrapped__(16).whole()
    assert all((again[code] == map_tileset(16).whole()[code]).all() for code in TERRAIN_CODES)


def test_a_tile_is_drawn_when_it_is_needed_and_looks_the_same():
    case = map_tileset.__wrapped__(16)
    codes = np.array([[WALLS + 3, ord("@")], [TERRAIN_CODES[9], HEDGE_WALLS]], np.int32)
    assert not any(code in case.tileset for code in codes.ravel().tolist())
    case.need(codes)
    for code in codes.ravel().tolist():
        assert (case.tileset[code] == map_tileset(16).whole()[code]).all(), hex(code)
    assert ROCK_WALLS not in case.tileset


@pytest.mark.parametrize("size", SIZES)
def test_walls_are_solid_and_grey(size):
    tiles = map_tileset(size).whole()
    for mask in range(0, 256, 5):
        tile = tiles[WALLS + mask]
        assert (tile[:, :, 3] == 255).all()
        assert (np.ptp(tile[:, :, :3], axis=2) == 0).all()


@pytest.mark.parametrize("size", SIZES)
def test_a_wall_open_to_the_south_shows_its_face(size):
    tiles = map_tileset(size).whole()
    foot = slice(round(size * 0.6), None)
    for mask in range(0, 256, 3):
        if not mask & SOUTH:
            closed, front = shades(tiles, mask), shades(tiles, mask | SOUTH)
            assert front[foot].mean() > closed[foot].mean() + 20


@pytest.mark.parametrize("side", [NORTH, EAST, SOUTH, WEST])
def test_a_wall_is_lit_along_its_open_side(side):
    tiles = map_tileset(24).whole()
    dx, dy = NEIGHBOURS[side.bit_length() - 1]
    row = 12 if dx else 0 if dy < 0 else 13  # the southern rim stands above the face
    column = 12 if dy else 0 if dx < 0 else 23
    assert shades(tiles, side)[row, column] > 3 * shades(tiles, 0)[row, column]


def test_corners_beside_an_open_side_do_not_matter():
    assert len({visible_mask(mask) for mask in range(256)}) == 47
    tiles = map_tileset(16).whole()
    assert (shades(tiles, SOUTH) == shades(tiles, SOUTH | SOUTH_EAST)).all()
    assert (shades(tiles, 0) != shades(tiles, SOUTH_EAST)).any()


@pytest.mark.parametrize("size", SIZES)
def test_walls_join_without_a_seam(size):
    """Masks of neighbours in one wall: their rock must meet at the same shade."""
    tiles = map_tileset(size).whole()
    row = shades(tiles, NORTH)
    assert np.abs(row[:, 0] - row[:, -1]).max() < 8
    # A wall with a face, and east of it one that the room to the south does not touch.
    left, right = shades(tiles, SOUTH), shades(tiles, 64)
    top = slice(0, size - round(size * 0.42) - 2)
    assert np.abs(left[top, -1] - right[top, 0]).max() < 24
    # A wall whose east is open above one that goes on: the rim runs through.
    above, below = shades(tiles, EAST), shades(tiles, EAST)
    assert np.abs(above[-1] - below[0]).max() < 8


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("start", [ROCK_WALLS, HEDGE_WALLS])
def test_any_two_looks_of_a_ragged_wall_join(size, start):
    """Along a wall, and inside of it, one tile's last pixels and the next one's first agree."""
    tiles = map_tileset(size).whole()
    ends = {
        NORTH: np.s_[:, -1],
        SOUTH: np.s_[:, -1],
        EAST: np.s_[-1],
        WEST: np.s_[-1],
        0: np.s_[-1],
    }
    starts = {NORTH: np.s_[:, 0], SOUTH: np.s_[:, 0], EAST: np.s_[0], WEST: np.s_[0], 0: np.s_[0]}
    for mask in ends:
        looks = [tiles[start + 256 * look + mask].astype(int) for look in range(WILD_VARIANTS)]
        assert len({look.tobytes() for look in looks}) == WILD_VARIANTS
        for one in looks:
            for other in looks:
                step = np.abs(one[ends[mask]] - other[starts[mask]])
                assert step[:, 3].max() < 150  # half a pixel of an outline
                assert step[:, 0].mean() < (30 if start == ROCK_WALLS else 45)


@pytest.mark.parametrize("start", WILD_WALLS)
def test_a_ragged_wall_is_whole_inside_and_bitten_only_where_it_is_open(start):
    tiles = map_tileset(24).whole()
    for mask in ESSENTIALS:
        cover = tiles[start + mask][:, :, 3]
        assert (cover[8:16, 8:16] == 255).all()
        assert cover.mean() > 150
        for side, edge in ((NORTH, cover[0]), (EAST, cover[:, -1]), (WEST, cover[:, 0])):
            assert mask & side or (edge[8:16] == 255).all()
            assert not mask & side or edge.min() < 255


def test_a_secret_door_looks_like_the_wall_it_hides_in():
    tiles = map_tileset(20).whole()
    for look in range(VARIANTS):
        secret = tiles[tile_code(Tile.SECRET_DOOR, look)]
        assert (secret == tiles[WALLS + SOUTH]).all()


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.SHALLOWS, Tile.LAVA])
def test_what_flows_moves_and_joins_at_any_moment(tile):
    """No crest may touch the side of its tile, where another moment may stand."""
    frames = [map_tileset(24).whole()[tile_code(tile, look)] for look in range(VARIANTS)]
    assert len({frame.tobytes() for frame in frames}) == VARIANTS
    for edge in (np.s_[0, :], np.s_[-1, :], np.s_[:, 0], np.s_[:, -1]):
        sides = np.array([frame[edge].astype(int) for frame in frames])
        assert np.ptp(sides, axis=0).max() < 40


def test_floors_stay_quieter_than_what_stands_on_them():
    tiles = map_tileset(24).whole()
    loudest = max(tiles[tile_code(Tile.FLOOR, look)][:, :, 3].mean() for look in range(VARIANTS))
    quietest = min(tiles[ord(char)][:, :, 3].mean() for char in "@ogkDT")
    assert loudest * 3 < quietest


def test_sand_has_no_wash_of_ink_that_bones_and_pillars_on_it_would_lack():
    tiles = map_tileset(32).whole()
    for look in range(VARIANTS):
        assert np.median(tiles[tile_code(Tile.SAND, look)][:, :, 3]) == 0


@pytest.mark.parametrize("size", SIZES)
def test_figures_stand_in_the_middle_on_a_dark_halo(size):
    for char in "@ogyTD?!":
        tile = map_tileset(size).whole()[ord(char)].astype(int)
        ink = np.argwhere((tile[:, :, 0] > 128) & (tile[:, :, 3] > 128))
        middle = (ink.min(axis=0) + ink.max(axis=0)) / 2
        assert np.abs(middle - (size - 1) / 2).max() <= 1.5, char
        halo = (tile[:, :, 0] < 90) & (tile[:, :, 3] > 60)
        assert halo.sum() > size, char


def test_the_sheet_shows_everything():
    picture = np.asarray(tile_sheet(16))
    assert picture.shape[1] == 32 * 16
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
