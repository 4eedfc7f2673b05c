"""The tileset: nothing missing, nothing clipped, and everything that should join joins."""

import unicodedata

import numpy as np
import pytest
from PIL import ImageFont

from entities.data import DATA
from entities.terrain import TILES, Tile
from render.glyphs import (
    HEDGE_WALLS,
    MARKS,
    NEIGHBOURS,
    ROCK_WALLS,
    VARIANTS,
    WALLS,
    WILD_LOOKS,
    WILD_TERRAIN,
    WILD_TILES,
    essential,
    tile_look,
)
from render.tiles.boxes import BOXES, box_arms
from render.tiles.letters import LATIN
from render.tiles.sheet import sheet
from render.tiles.symbols import SYMBOLS
from render.tiles.tileset import (
    BLOCKS,
    EXTENDED,
    MAP_SIGNS,
    SIGNS,
    map_case,
    map_tileset,
    text_tileset,
)

SIZES = (16, 20, 31)
HEIGHTS = (16, 20, 33)
NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8
SOUTH_EAST = 32
TERRAIN_CODES = [tile_look(tile, look) for tile in TILES for look in range(VARIANTS)]
TERRAIN_CODES += [
    tile_look(tile, look, WILD_TERRAIN) for tile in WILD_TILES for look in range(VARIANTS)
]
WILD_WALLS = [
    start + 256 * look for start in (ROCK_WALLS, HEDGE_WALLS) for look in range(WILD_LOOKS)
]
ESSENTIALS = sorted({essential(mask) for mask in range(256)})


def shades(tiles, mask):
    return tiles[WALLS + mask][:, :, 0].astype(int)


@pytest.mark.parametrize("size", SIZES)
def test_every_code_point_of_the_map_can_be_seen(size):
    tiles = map_tileset(size)
    assert tiles.tile_shape == (size, size)
    codes = [*range(WALLS, WALLS + 256), *TERRAIN_CODES, *range(MARKS, MARKS + 5)]
    codes += [start + mask for start in WILD_WALLS for mask in ESSENTIALS]
    codes += map(ord, LATIN + MAP_SIGNS)
    for code in codes:
        assert code in tiles, hex(code)
        assert tiles[code][:, :, 3].max() > 30, hex(code)


@pytest.mark.parametrize("height", HEIGHTS)
def test_every_letter_of_text_can_be_seen(height):
    letters = text_tileset(height)
    assert letters.tile_shape == (height, (height + 1) // 2)
    for char in LATIN + EXTENDED + SIGNS + BOXES + BLOCKS:
        assert letters[ord(char)][:, :, 3].max() > 30, char


def test_drawing_twice_gives_the_same_tiles():
    again = map_case.__wrapped__(16).whole()
    assert all((again[code] == map_tileset(16)[code]).all() for code in TERRAIN_CODES)


def test_a_tile_is_drawn_when_it_is_needed_and_looks_the_same():
    case = map_case.__wrapped__(16)
    codes = np.array([[WALLS + 3, ord("@")], [TERRAIN_CODES[9], HEDGE_WALLS]], np.int32)
    assert not any(code in case.tileset for code in codes.ravel().tolist())
    case.need(codes)
    for code in codes.ravel().tolist():
        assert (case.tileset[code] == map_tileset(16)[code]).all(), hex(code)
    assert ROCK_WALLS not in case.tileset


@pytest.mark.parametrize("size", SIZES)
def test_walls_are_solid_and_grey(size):
    tiles = map_tileset(size)
    for mask in range(0, 256, 5):
        tile = tiles[WALLS + mask]
        assert (tile[:, :, 3] == 255).all()
        assert (np.ptp(tile[:, :, :3], axis=2) == 0).all()


@pytest.mark.parametrize("size", SIZES)
def test_a_wall_open_to_the_south_shows_its_face(size):
    tiles = map_tileset(size)
    foot = slice(round(size * 0.6), None)
    for mask in range(0, 256, 3):
        if not mask & SOUTH:
            closed, front = shades(tiles, mask), shades(tiles, mask | SOUTH)
            assert front[foot].mean() > closed[foot].mean() + 20


@pytest.mark.parametrize("side", [NORTH, EAST, SOUTH, WEST])
def test_a_wall_is_lit_along_its_open_side(side):
    tiles = map_tileset(24)
    dx, dy = NEIGHBOURS[side.bit_length() - 1]
    row = 12 if dx else 0 if dy < 0 else 13  # the southern rim stands above the face
    column = 12 if dy else 0 if dx < 0 else 23
    assert shades(tiles, side)[row, column] > 3 * shades(tiles, 0)[row, column]


def test_corners_beside_an_open_side_do_not_matter():
    assert len({essential(mask) for mask in range(256)}) == 47
    tiles = map_tileset(16)
    assert (shades(tiles, SOUTH) == shades(tiles, SOUTH | SOUTH_EAST)).all()
    assert (shades(tiles, 0) != shades(tiles, SOUTH_EAST)).any()


@pytest.mark.parametrize("size", SIZES)
def test_walls_join_without_a_seam(size):
    """Masks of neighbours in one wall: their rock must meet at the same shade."""
    tiles = map_tileset(size)
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
    tiles = map_tileset(size)
    ends = {
        NORTH: np.s_[:, -1],
        SOUTH: np.s_[:, -1],
        EAST: np.s_[-1],
        WEST: np.s_[-1],
        0: np.s_[-1],
    }
    starts = {NORTH: np.s_[:, 0], SOUTH: np.s_[:, 0], EAST: np.s_[0], WEST: np.s_[0], 0: np.s_[0]}
    for mask in ends:
        looks = [tiles[start + 256 * look + mask].astype(int) for look in range(WILD_LOOKS)]
        assert len({look.tobytes() for look in looks}) == WILD_LOOKS
        for one in looks:
            for other in looks:
                step = np.abs(one[ends[mask]] - other[starts[mask]])
                assert step[:, 3].max() < 150  # half a pixel of an outline
                assert step[:, 0].mean() < (30 if start == ROCK_WALLS else 45)


@pytest.mark.parametrize("start", WILD_WALLS)
def test_a_ragged_wall_is_whole_inside_and_bitten_only_where_it_is_open(start):
    tiles = map_tileset(24)
    for mask in ESSENTIALS:
        cover = tiles[start + mask][:, :, 3]
        assert (cover[8:16, 8:16] == 255).all()
        assert cover.mean() > 150
        for side, edge in ((NORTH, cover[0]), (EAST, cover[:, -1]), (WEST, cover[:, 0])):
            assert mask & side or (edge[8:16] == 255).all()
            assert not mask & side or edge.min() < 255


def test_a_secret_door_looks_like_the_wall_it_hides_in():
    tiles = map_tileset(20)
    for look in range(VARIANTS):
        secret = tiles[tile_look(Tile.SECRET_DOOR, look)]
        assert (secret == tiles[WALLS + SOUTH]).all()


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.SHALLOWS, Tile.LAVA])
def test_what_flows_moves_and_joins_at_any_moment(tile):
    """No crest may touch the side of its tile, where another moment may stand."""
    frames = [map_tileset(24)[tile_look(tile, look)] for look in range(VARIANTS)]
    assert len({frame.tobytes() for frame in frames}) == VARIANTS
    for edge in (np.s_[0, :], np.s_[-1, :], np.s_[:, 0], np.s_[:, -1]):
        sides = np.array([frame[edge].astype(int) for frame in frames])
        assert np.ptp(sides, axis=0).max() < 40


def test_floors_stay_quieter_than_what_stands_on_them():
    tiles = map_tileset(24)
    loudest = max(tiles[tile_look(Tile.FLOOR, look)][:, :, 3].mean() for look in range(VARIANTS))
    quietest = min(tiles[ord(char)][:, :, 3].mean() for char in "@ogkDT")
    assert loudest * 3 < quietest


@pytest.mark.parametrize("size", SIZES)
def test_figures_stand_in_the_middle_on_a_dark_halo(size):
    for char in "@ogyTD?!":
        tile = map_tileset(size)[ord(char)].astype(int)
        ink = np.argwhere((tile[:, :, 0] > 128) & (tile[:, :, 3] > 128))
        middle = (ink.min(axis=0) + ink.max(axis=0)) / 2
        assert np.abs(middle - (size - 1) / 2).max() <= 1.5, char
        halo = (tile[:, :, 0] < 90) & (tile[:, :, 3] > 60)
        assert halo.sum() > size, char


def reach(cell, baseline):
    """How many rows of ink stand above and hang below the baseline."""
    rows = np.flatnonzero(cell.max(axis=1) > 40)
    return baseline - rows[0], rows[-1] + 1 - baseline


@pytest.mark.parametrize("height", HEIGHTS)
def test_no_letter_is_clipped(height):
    """Each reaches as high and as deep as the font's own outline says, give or take a pixel."""
    letters = {char: text_tileset(height)[ord(char)][:, :, 3] for char in LATIN + EXTENDED}
    baseline = int(np.flatnonzero(letters["H"].max(axis=1) > 40)[-1]) + 1
    outline = ImageFont.truetype(str(DATA / "font" / "JetBrainsMono-Regular.ttf"), 1000)
    em = min((height + 1) // 2 / 0.6, height / 1.2)
    for char, cell in letters.items():
        if char in SYMBOLS:
            continue
        _, top, _, bottom = outline.getbbox(char, anchor="ls")
        above, below = reach(cell, baseline)
        # What has marks all around it may have been cut a little smaller to fit.
        least = em / 1000 * (0.93 if char in LATIN else 0.8)
        assert above >= -top * least - 1, char
        assert bottom <= 0 or below >= bottom * least - 1, char


@pytest.mark.parametrize("height", HEIGHTS)
def test_letters_stand_on_one_line(height):
    feet = set()
    for char in "HExhnmkzAT147":
        cell = text_tileset(height)[ord(char)][:, :, 3]
        feet.add(int(np.flatnonzero(cell.max(axis=1) > 90)[-1]))
    assert len(feet) == 1


def arms(char):
    """The weight of a box drawing character's line to each side, by its name."""
    name = unicodedata.name(char)
    return {} if "DIAGONAL" in name or "DASH" in name else box_arms(name.partition("DRAWINGS ")[2])


@pytest.mark.parametrize("height", HEIGHTS)
def test_box_drawing_runs_on_from_cell_to_cell(height):
    """All lines of one weight leave a cell where the next one takes them up."""
    letters = text_tileset(height)
    edges = {"LEFT": np.s_[:, 0], "RIGHT": np.s_[:, -1], "UP": np.s_[0, :], "DOWN": np.s_[-1, :]}
    straight = {1: "─│", 2: "━┃", 3: "═║"}
    for char in BOXES:
        if not (lines := arms(char)):
            continue
        for side, edge in edges.items():
            weight = lines.get(side, 0)
            lit = letters[ord(char)][:, :, 3][edge] > 127
            model = straight[weight][side in {"UP", "DOWN"}] if weight else " "
            expected = letters.get_tile(ord(model))[:, :, 3][edge] > 127
            assert lit.any() == bool(weight)
            assert (lit == expected).all(), (char, side)


@pytest.mark.parametrize("height", HEIGHTS)
def test_blocks_fill_their_cell(height):
    letters = text_tileset(height)
    assert (letters[ord("█")][:, :, 3] == 255).all()
    for upper, lower in (("▀", "▄"), ("▌", "▐"), ("▚", "▞"), ("▙", "▝"), ("▛", "▗")):
        both = letters[ord(upper)][:, :, 3].astype(int) + letters[ord(lower)][:, :, 3]
        assert (both == 255).all(), upper + lower
    rising = [int((letters[0x2580 + i][:, :, 3] > 0).sum()) for i in range(1, 9)]
    assert rising == sorted(rising)


def test_the_sheet_shows_everything():
    picture = np.asarray(sheet(16))
    assert picture.shape[1] == 32 * 16
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 500
