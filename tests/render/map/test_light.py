"""Light is worked out at the corners of tiles: it fades, mixes, stops at walls and stands still."""

import re

import numpy as np
import pytest
from tcod.console import Console

from entities.data_files import DATA
from entities.terrain import Tile
from procgen.blueprint import Point
from render.map.light import (
    CARRIED,
    FULL_LIGHT,
    WIDE,
    at_corners,
    attenuation,
    corner_light,
    diffuse_light,
    in_cells,
    shed_light,
    waves,
)
from render.map.map_view import draw_ground
from render.map.tile_colors import REMEMBERED_LIGHT
from render.map.tile_variants import known_tiles
from render.map.viewport import Viewport, VisibleLevel
from render.ui.palette import colors, depth_tint, theme_paint

RED, BLUE = np.array([2.0, 0, 0], np.float32), np.array([0, 0, 2.0], np.float32)


def level(tiles, seen=True, lamp=None, fires=(), theme="stone"):
    tiles = np.array(tiles, np.uint8)
    known = np.ones(tiles.shape, bool)
    return VisibleLevel(
        tiles, known & seen, known, theme, None, None, lamp, 9, fires=frozenset(fires)
    )


def light_of(ground, phase=0):
    box, view = (0, 0, ground.width, ground.height), Viewport(phase=phase)
    return corner_light(ground, box, known_tiles(ground, box, view), view)


def test_a_corner_is_the_mean_of_its_cells_and_a_cell_that_of_its_corners():
    cells = np.zeros((3, 4), np.float32)
    cells[1, 2] = 1
    corners = at_corners(cells)
    assert corners.shape == (4, 5)
    assert (corners[1:3, 2:4] == 0.25).all()
    assert corners.sum() == 1
    assert in_cells(corners).shape == cells.shape
    assert (in_cells(at_corners(np.full((2, 2, 3), 7, np.float32))) == 7).all()


def test_the_lamp_falls_off_without_a_step_to_the_light_of_remembered_tiles():
    away = np.linspace(0, 12, 241, dtype=np.float32)
    light = attenuation(away, reach=9, flicker=0)
    assert light[0] > 1.5
    assert (np.diff(light) <= 1e-6).all()
    assert np.diff(light).min() > -0.02
    assert abs(light[-1] - REMEMBERED_LIGHT) < 0.2


def test_the_edge_of_sight_has_no_step():
    seen = np.zeros((19, 19), bool)
    seen[:, :10] = True
    lit = light_of(level(np.full((19, 19), Tile.FLOOR), seen, Point(4, 9)))
    row = lit.sight[9, :, 0].tolist()
    assert row[8:13] == [1, 1, 0.5, 0, 0]
    assert lit.factors[9, 10].mean() < lit.factors[9, 9].mean()
    assert lit.factors[9, 12] == pytest.approx(REMEMBERED_LIGHT)


def drawn_where(explored):
    """Return the ground of a cave floor that is known where ``explored``, and the console."""
    tiles = np.full(explored.shape, Tile.SHALLOWS, np.uint8)
    ground = VisibleLevel(tiles, explored & False, explored, "moss", None, None, Point(0, 0))
    console = Console(*explored.shape[::-1])
    return draw_ground(console, ground, Viewport()), console


def test_known_ground_fades_out_over_its_unknown_neighbours_in_a_window():
    explored = np.zeros((9, 11), bool)
    unknown, dark = drawn_where(explored)
    explored[:, :5] = True
    lit, console = drawn_where(explored)
    carried = lit.tiles.rgb[4, 5]
    assert carried["ch"] == ord(" ")
    assert carried["bg"] == pytest.approx(lit.tiles.rgb[4, 4]["bg"] * CARRIED, abs=1)
    assert (lit.tiles.rgb[:, 6:] == unknown.tiles.rgb[:, 6:]).all()
    light, glow = lit.light[4], lit.glow[4]
    assert 0.4 * light[4].mean() < light[5].mean() < light[4].mean()
    assert (light[6] == 0).all()
    assert glow[6] == pytest.approx(colors()["ground"])
    assert (lit.light[:, 8:] == unknown.light[:, 8:]).all()
    assert (lit.glow[:, 8:] == unknown.glow[:, 8:]).all()
    assert (console.rgb[:, 5:] == dark.rgb[:, 5:]).all()  # A terminal has whole cells.


def test_an_unknown_tile_amid_known_ones_is_no_black_square():
    explored = np.ones((7, 7), bool)
    whole, _ = drawn_where(explored)
    explored[3, 3] = False
    lit, _ = drawn_where(explored)
    assert lit.tiles.rgb[3, 3]["bg"] == pytest.approx(lit.tiles.rgb[3, 2]["bg"] * CARRIED, abs=1)
    share = lit.light[3:5, 3:5] / whole.light[3:5, 3:5]
    assert ((share > 0.6) & (share < 0.95)).all()


def test_without_a_lamp_rooms_are_bright_in_the_middle_and_passages_dim():
    tiles = np.full((15, 23), Tile.WALL)
    tiles[2:13, 2:13] = tiles[7, 13:] = Tile.FLOOR
    factors = light_of(level(tiles)).factors.mean(axis=2)
    middle, edge, passage = factors[7, 7], factors[7, 3], factors[8, 18]
    assert middle > 1.1 * edge
    assert edge > passage
    wide = light_of(level(np.full((15, 23), Tile.FLOOR))).factors
    tint = theme_paint("stone").light * depth_tint(1)
    assert wide == pytest.approx(np.broadcast_to(WIDE * tint, wide.shape), rel=0.02)


def test_light_lies_between_nothing_and_full_light():
    tiles = np.full((12, 12), Tile.LAVA)
    lit = light_of(level(tiles, lamp=Point(5, 5), fires=[(5, 4), (6, 4)], theme="ember"))
    assert lit.factors.min() >= 0
    assert lit.factors.max() <= FULL_LIGHT
    assert lit.haze.max() > 20


def test_lights_of_two_colours_mix():
    open_floor = np.ones((1, 9), bool)
    light = np.zeros((1, 9, 3), np.float32)
    light[0, 2], light[0, 6] = RED, BLUE
    mixed = diffuse_light(light, open_floor)[0]
    assert mixed[4, 0] > 0
    assert mixed[4, 0] == pytest.approx(mixed[4, 2])
    assert mixed[3, 0] > mixed[3, 2] > 0
    assert mixed[2, 0] > mixed[3, 0] > mixed[4, 0] > mixed[5, 0]


def test_walls_are_lit_but_let_nothing_through():
    clear = np.ones((5, 9), bool)
    clear[:, 4] = False
    light = np.zeros((5, 9, 3), np.float32)
    light[2, 2] = RED
    shed = diffuse_light(light, clear)[2, :, 0]
    assert shed[4] > 0
    assert (shed[5:] == 0).all()


def test_no_light_is_computed_without_a_source():
    tiles = np.full((4, 4), Tile.FLOOR, np.uint8)
    hashes = np.zeros((4, 4), np.int32)
    assert shed_light(tiles, [], hashes, "stone", 0) is None
    shed = shed_light(tiles, [(1, 2)], hashes, "stone", 0)
    assert shed is not None
    assert shed[1, 2].argmax() == 0
    assert shed[1, 2, 0] == shed.max()


def test_flames_keep_a_rhythm_of_their_own():
    hashes = np.array([0, 700, 2100, 4095], np.int32)
    frames = np.array([waves(hashes, phase) for phase in range(60)])
    assert np.abs(frames).max() <= 1
    assert np.abs(np.diff(frames, axis=0)).max() < 1.2
    apart = np.corrcoef(frames.T)[np.triu_indices(4, 1)]
    assert np.abs(apart).max() < 0.8


def test_light_dances_on_water_and_only_there():
    tiles = np.full((9, 18), Tile.FLOOR)
    tiles[:, :6] = Tile.WATER
    ground = level(tiles)
    early, late = light_of(ground, 3).factors, light_of(ground, 9).factors
    assert np.abs(early - late)[:, :6].max() > 0.05
    assert (early[:, 8:] == late[:, 8:]).all()


def test_light_stands_still_while_the_phase_does():
    tiles = np.full((9, 9), Tile.LAVA)
    ground = level(tiles, lamp=Point(4, 4), fires=[(2, 2)])
    one, other = light_of(ground, 5), light_of(ground, 5)
    assert (one.factors == other.factors).all()
    assert (one.haze == other.haze).all()


def test_the_same_light_in_a_window_and_in_a_terminal():
    """The terminal's ink is the window's tile in full light times the light at its corners."""
    tiles = np.full((15, 15), Tile.FLOOR)
    tiles[3:6, 3:6] = Tile.WALL
    console = Console(15, 15)
    lit = draw_ground(console, level(tiles, lamp=Point(9, 9)), Viewport())
    share = in_cells(lit.light)
    bright = lit.tiles.fg.max(axis=2) >= 254  # Ink that full light would make too bright.
    assert not bright.all()
    assert np.abs(lit.tiles.fg * share - console.fg)[~bright].max() <= 2
    assert (lit.tiles.ch == console.ch).all()
    assert (lit.cells == console.rgb).all()


def test_a_map_that_scrolls_keeps_its_light():
    tiles = np.full((20, 20), Tile.FLOOR)
    tiles[8, 8] = Tile.LAVA
    ground = level(tiles, lamp=Point(9, 9))
    whole = draw_ground(Console(20, 20), ground, Viewport())
    part = draw_ground(Console(10, 10), ground, Viewport(left=4, top=5))
    assert part.light == pytest.approx(whole.light[5:16, 4:15], abs=1e-6)
    assert part.glow == pytest.approx(whole.glow[5:16, 4:15], abs=1e-4)


def test_a_theme_may_have_black_colours(tmp_path, monkeypatch):
    stone = (DATA / "themes.toml").read_text("utf-8").partition("[stone]")[2].partition("\n[")[0]
    black = re.sub('(_ink|gold|glow|wood) = "#.*"', r'\1 = "#000000"', stone)
    (tmp_path / "themes.toml").write_text(f"[black]{black}", "utf-8")
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    paint = theme_paint("~black")
    assert not paint.ink[Tile.DOOR].any()
    assert np.isfinite(paint.glow).all()
