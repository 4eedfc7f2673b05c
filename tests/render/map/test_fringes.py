"""Where grounds meet one laps over the other, with a ragged edge; doors turn with their wall."""

import numpy as np
import pytest
from tcod.console import Console

from entities.terrain import Tile
from render.map.map_view import draw_ground
from render.map.tile_variants import ground_under
from render.map.viewport import Viewport, VisibleLevel
from render.tiles.fringe_tiles import (
    FRINGE_COLUMNS,
    FRINGE_VARIANTS,
    LINE,
    SMOOTH,
    fringe_sheet,
)
from render.tiles.glyphs import (
    NEIGHBOURS,
    SIDE_DOORS,
    VARIANTS,
    plain_char,
    tile_code,
)
from render.ui.frame import Fringes


def ground(tiles, theme="coast", explored=None):
    tiles = np.array(tiles, np.uint8)
    everywhere = np.ones(tiles.shape, bool)
    known = everywhere if explored is None else explored
    level = VisibleLevel(tiles, known, known, theme, None, None)
    console = Console(level.width, level.height)
    return draw_ground(console, level, Viewport()), console


def test_a_pillar_stands_on_the_ground_around_it_as_far_as_that_is_known():
    tiles = np.full((5, 5), Tile.FLOOR, np.uint8)
    tiles[:, 2:], tiles[2, 2], tiles[0, 0] = Tile.GRASS, Tile.PILLAR, Tile.STATUE
    known = np.ones(tiles.shape, bool)
    under = ground_under(tiles, known)
    assert (under[2, 2], under[0, 0]) == (Tile.GRASS, Tile.FLOOR)
    assert (np.delete(under, 12) == np.delete(tiles, 12)).sum() == 23  # All others but the statue.
    known[:, 3:] = known[::4, 2] = False
    assert ground_under(tiles, known)[2, 2] == Tile.FLOOR
    known[:] = False
    assert (ground_under(tiles, known) == tiles).all()


def shore():
    tiles = np.full((7, 7), Tile.WATER)
    tiles[:, 4:] = Tile.SAND
    return tiles


def steps(fringes: Fringes, style: int):
    """Return place and direction of each fringe of a style."""
    rows, columns = np.divmod(fringes.numbers, FRINGE_COLUMNS)
    return {
        (x, y, *NEIGHBOURS[column // FRINGE_VARIANTS])
        for (x, y), row, column in zip(
            fringes.places.tolist(), rows.tolist(), columns.tolist(), strict=True
        )
        if row == style
    }


def test_sand_laps_over_water_with_a_line_of_foam():
    lit, _ = ground(shore())
    laps = {(3, y, 1, 0) for y in range(7)}
    assert steps(lit.fringes, SMOOTH) == laps
    assert steps(lit.fringes, LINE) == laps
    sand = lit.tiles.bg[3, 4].tolist()
    assert sand in lit.fringes.colors.tolist()


def test_a_corner_shows_only_where_no_side_laps_over():
    tiles = np.full((5, 5), Tile.SHALLOWS)
    tiles[2, 2] = Tile.GRASS
    found = steps(ground(tiles)[0].fringes, LINE)
    assert found == {(2 - dx, 2 - dy, dx, dy) for dx, dy in NEIGHBOURS}


@pytest.mark.parametrize("tile", [Tile.WALL, Tile.BRIDGE, Tile.CARPET, Tile.DOOR])
def test_what_is_built_has_straight_edges(tile):
    tiles = np.full((5, 5), Tile.WATER)
    tiles[:, 3:] = tile
    assert not len(ground(tiles)[0].fringes.numbers)


def test_nothing_covers_what_stands_on_the_ground():
    tiles = np.full((5, 5), Tile.GRASS)
    tiles[2, 2] = Tile.STATUE
    assert not len(ground(tiles)[0].fringes.numbers)
    tiles[2, 2] = Tile.FLOOR
    assert len(ground(tiles)[0].fringes.numbers)


def test_unknown_ground_laps_over_nothing():
    explored = np.ones((7, 7), bool)
    explored[:, 4:] = False
    assert not len(ground(shore(), explored=explored)[0].fringes.numbers)


def test_paths_end_straight_only_where_walls_are_built():
    tiles = np.full((5, 5), Tile.TUNNEL)
    tiles[:, 3:] = Tile.FLOOR
    assert not len(ground(tiles, "brick")[0].fringes.numbers)
    assert len(ground(tiles, "moss")[0].fringes.numbers)


@pytest.mark.parametrize("size", [12, 20, 32])
def test_fringes_join_where_tiles_meet(size):
    """All variants of a side have the same depth at both ends."""
    sheet = fringe_sheet(size)
    assert sheet.shape == (4 * size, FRINGE_COLUMNS * size, 4)  # The last row holds marks.
    north = sheet[:size, : FRINGE_VARIANTS * size, 3].reshape(size, FRINGE_VARIANTS, size)
    ends = (north[..., [0, -1]] > 127).sum(axis=0)
    assert np.ptp(ends) <= max(1, size // 16)
    depths = (north > 127).sum(axis=0)
    assert np.ptp(depths) >= size // 12
    assert depths.max() < size // 2


def test_doors_are_seen_from_the_side_in_walls_that_run_up_and_down():
    tiles = np.full((7, 7), Tile.FLOOR)
    tiles[:, 3] = Tile.WALL
    tiles[3, 3] = Tile.DOOR
    tiles[5, 3] = Tile.LOCKED_DOOR
    codes = ground(tiles, "stone")[1].ch
    assert 0 <= codes[3, 3] - SIDE_DOORS[Tile.DOOR] < VARIANTS
    assert 0 <= codes[5, 3] - SIDE_DOORS[Tile.LOCKED_DOOR] < VARIANTS
    assert plain_char(int(codes[3, 3])) == plain_char(tile_code(Tile.DOOR, 0))
    across = ground(tiles.T, "stone")[1].ch
    assert across[3, 3] - tile_code(Tile.DOOR, 0) in range(VARIANTS)
