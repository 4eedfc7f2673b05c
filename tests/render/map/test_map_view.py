"""Every place has a face of its own, and whoever stands in it can be made out."""

import numpy as np
import pytest
from tcod.console import Console

from entities.terrain import TILE_NAMES, TILES, Tile, terrain
from procgen.blueprint import Point
from render.map.map_view import draw_ground
from render.map.viewport import Viewport, VisibleLevel
from render.tiles.glyphs import (
    HEDGE_WALLS,
    ROCK_WALLS,
    STAIRS_DOWN,
    STAIRS_UP,
    VARIANTS,
    WALLS,
    WILD_TERRAIN,
    plain_char,
    tile_code,
    visible_mask,
)
from render.tiles.lit_picture import lit_picture
from render.tiles.tileset import console_image
from render.ui.palette import choose_palette, creature_colors, themes
from support.contrast import contrast, luminance

SIGHT = 9
UNDERFOOT = [tile for tile in TILES if terrain().walkable[tile]]
THEMES = sorted(themes())


def drawn(tiles, theme, *, seen=True, lamp=None, explored=True, view=None, marks=(None, None)):
    """Return what a whole level looks like."""
    shape = np.shape(tiles)
    ground = VisibleLevel(
        np.array(tiles, np.uint8),
        np.broadcast_to(seen, shape),
        np.broadcast_to(explored, shape),
        theme,
        *marks,
        lamp,
        SIGHT,
    )
    console = Console(ground.width, ground.height)
    draw_ground(console, ground, view or Viewport())
    return console


def field(tile, size=2 * SIGHT + 1):
    return np.full((size, size), tile, np.uint8)


def room(tile=Tile.FLOOR):
    tiles = field(Tile.WALL, 9)
    tiles[2:7, 2:7] = tile
    return tiles


def mean_color(tile, theme, **how):
    """Return the mean colour of a tile by lamp light; of a wall, that of its face."""
    tiles = field(tile)
    if tile == Tile.WALL:
        tiles[SIGHT + 1 :] = Tile.FLOOR
    console = drawn(tiles, theme, lamp=Point(SIGHT, SIGHT), **how)
    pixels = np.asarray(console_image(console, 12)).reshape(2 * SIGHT + 1, 12, 2 * SIGHT + 1, 12, 3)
    rows = slice(7, None) if tile == Tile.WALL else slice(None)
    return pixels[SIGHT, rows, 3:-3].mean(axis=(0, 1, 2))


@pytest.mark.parametrize("theme", THEMES)
def test_creatures_stand_out_from_any_ground(theme):
    """At the lamp, where the ground is brightest, and on what glows."""
    for tile in UNDERFOOT:
        grounds = drawn(field(tile), theme, lamp=Point(SIGHT, SIGHT), view=Viewport(phase=3)).rgb[
            "bg"
        ]
        for name, color in creature_colors().items():
            assert contrast(color, grounds).min() >= 4.5, (TILE_NAMES[tile], name)


@pytest.mark.parametrize("theme", THEMES)
def test_creatures_are_brighter_than_walls_and_grounds(theme):
    dimmest = min(luminance(color) for color in creature_colors().values())
    for tile in (Tile.WALL, *UNDERFOOT):
        assert luminance(mean_color(tile, theme)) < 0.7 * dimmest, TILE_NAMES[tile]


@pytest.mark.parametrize("theme", THEMES)
def test_what_is_remembered_is_darker_and_cooler_than_what_is_seen(theme):
    """Even at the rim of the lamp's light; and it can still be told from what is unknown."""
    for tile in UNDERFOOT:
        seen = drawn(field(tile), theme, lamp=Point(SIGHT, SIGHT))
        past = drawn(field(tile), theme, seen=False)
        rim = np.s_[SIGHT, 0]
        assert luminance(past.rgb["bg"][rim]) < luminance(seen.rgb["bg"][rim]), TILE_NAMES[tile]
        assert luminance(past.rgb["fg"][rim]) < luminance(seen.rgb["fg"][rim]), TILE_NAMES[tile]
        unknown = drawn(field(tile), theme, seen=False, explored=False)
        assert contrast(past.rgb["bg"][rim], unknown.rgb["bg"][rim]) > 1.04, TILE_NAMES[tile]
    walls = mean_color(Tile.WALL, theme), mean_color(Tile.WALL, theme, seen=False)
    assert luminance(walls[1]) < 0.8 * luminance(walls[0])
    assert walls[1][2] / walls[1].sum() > walls[0][2] / walls[0].sum() - 0.05


@pytest.mark.parametrize("theme", THEMES)
def test_floor_tunnel_and_wall_can_be_told_apart(theme):
    floor, tunnel, wall = (mean_color(tile, theme) for tile in (Tile.FLOOR, Tile.TUNNEL, Tile.WALL))
    assert luminance(tunnel) < 0.8 * luminance(floor)
    assert tunnel[2] / tunnel.sum() > floor[2] / floor.sum() + 0.03
    assert np.abs(wall - floor).max() > 20
    assert contrast(wall, floor) > 1.2


def test_no_two_places_look_alike():
    """Their walls and floors, or what they are made of, tell them from each other."""
    faces = {
        theme: np.concatenate([mean_color(Tile.WALL, theme), mean_color(Tile.FLOOR, theme)])
        for theme in THEMES
    }
    for one in THEMES:
        for other in THEMES:
            if one < other:
                near = np.abs(faces[one] - faces[other]).max() < 14
                assert not near or themes()[one].wall_kind != themes()[other].wall_kind, (
                    one,
                    other,
                )


@pytest.mark.parametrize("theme", THEMES)
def test_walls_and_ground_are_of_what_the_place_is_made_of(theme):
    start = {"masonry": WALLS, "rock": ROCK_WALLS, "hedge": HEDGE_WALLS}[themes()[theme].wall_kind]
    codes = drawn(room(), theme).ch
    assert ((codes[:2] >= start) & (codes[:2] < start + 0x400)).all()
    wild = (codes[2:7, 2:7] >= WILD_TERRAIN).all()
    assert wild == (start != WALLS)
    assert {plain_char(code) for code in codes.ravel().tolist()} == {"#", "·"}


def test_walls_join_by_their_known_neighbours_only():
    explored = np.ones((9, 9), bool)
    explored[2:7, 2:7] = False
    assert set(drawn(room(), "stone", explored=explored).ch[0:2].ravel().tolist()) == {WALLS}
    codes = drawn(room(), "moss").ch - ROCK_WALLS
    assert codes[1, 4] % 256 == 4
    assert codes[1, 1] % 256 == 32
    assert all(visible_mask(mask) == mask for mask in (codes[:2] % 256).ravel().tolist())
    assert len(set((codes[0] // 256).tolist())) > 1


def test_ground_lies_in_shade_at_the_foot_of_known_walls():
    paper = drawn(room(), "stone").rgb["bg"].astype(int).sum(axis=2)
    for y, x in ((2, 4), (6, 4), (4, 2), (4, 6)):
        assert paper[y, x] < paper[4, 4]
    assert paper[2, 2] < min(paper[2, 4], paper[4, 2])
    explored = np.ones((9, 9), bool)
    explored[:2] = False
    hidden = drawn(room(), "stone", explored=explored).rgb["bg"].astype(int).sum(axis=2)
    assert hidden[2, 4] > paper[2, 4]


def test_what_glows_lights_its_surroundings_without_changing_others():
    tiles = field(Tile.FLOOR)
    dark = drawn(tiles, "crypt", lamp=Point(0, 0)).rgb["bg"].astype(int)
    tiles[12, 12] = Tile.LAVA
    glow = drawn(tiles, "crypt", lamp=Point(0, 0)).rgb["bg"].astype(int)
    assert glow[12, 13, 0] > dark[12, 13, 0]
    assert (glow[:5] == dark[:5]).all()
    assert (glow[:, :5] == dark[:, :5]).all()


def test_stairs_show_on_whatever_they_stand_on():
    tiles = field(Tile.SAND, 5)
    marks = (Point(1, 1), Point(3, 3))
    console = drawn(tiles, "coast", marks=marks)
    assert console.ch[1, 1] == STAIRS_UP
    assert console.ch[3, 3] == STAIRS_DOWN
    assert np.ptp(console.rgb["bg"][1:4, 1:4].astype(int), axis=(0, 1)).max() < 8
    unknown = drawn(tiles, "coast", marks=marks, seen=False, explored=False)
    assert {plain_char(code) for code in unknown.ch.ravel().tolist()} == {" "}


@pytest.mark.parametrize("theme", THEMES)
def test_stairs_are_the_brightest_thing_remembered_in_a_window(theme):
    tiles, known = field(Tile.FLOOR, 7), np.ones((7, 7), bool)
    tiles[1, 5], tiles[5, 1] = Tile.DOOR, Tile.LAVA
    stairs = Point(1, 1), Point(5, 5)
    ground = VisibleLevel(tiles, ~known, known, theme, *stairs)
    console = Console(7, 7)
    lit = draw_ground(console, ground, Viewport())
    pixels = np.asarray(lit_picture(console, lit, 32), float).max(axis=2)
    brightest = {
        (x, y): np.percentile(pixels[32 * y : 32 * y + 32, 32 * x : 32 * x + 32], 98)
        for x in range(7)
        for y in range(7)
    }
    assert {place for place, light in brightest.items() if light > 150} == {*stairs}


def test_a_view_past_the_edge_shows_the_same_as_one_within():
    tiles = room()
    tiles[4, 4] = Tile.LAVA
    whole = drawn(tiles, "moss")
    shifted = Console(9, 9)
    everywhere = np.ones((9, 9), bool)
    ground = VisibleLevel(tiles, everywhere, everywhere, "moss", None, None)
    draw_ground(shifted, ground, Viewport(left=-3, top=-2))
    assert (shifted.rgb[2:, 3:] == whole.rgb[:-2, :-3]).all()


@pytest.mark.parametrize("reveal", [True, False])
def test_around_a_level_that_is_shown_whole_lies_no_texture(reveal):
    tiles, console = room(), Console(15, 13)
    known = np.ones(tiles.shape, bool)
    ground = VisibleLevel(tiles, known, known, "moss", None, None)
    lit = draw_ground(console, ground, Viewport(left=-3, top=-2, reveal=reveal))
    outside = np.asarray(lit_picture(console, lit, 16))[:, : 16 * 2]
    assert (len(np.unique(outside.reshape(-1, 3), axis=0)) == 1) is reveal


def test_looks_do_not_run_in_rows():
    codes = drawn(field(Tile.FLOOR, 64), "stone").ch - tile_code(Tile.FLOOR, 0)
    counts = np.bincount(codes.ravel(), minlength=VARIANTS)
    assert counts.min() > 64 * 64 / VARIANTS * 0.8
    assert (codes[:, 1:] == codes[:, :-1]).mean() < 0.2
    assert (codes[1:] == codes[:-1]).mean() < 0.2


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("seen", "least"), [(True, 3.5), (False, 1.9)])
def test_high_contrast_has_bright_walls_over_dark_floors_in_a_window(theme, seen, least):
    tiles = np.full((5, 7), Tile.WALL, np.uint8)
    tiles[1:-1, 1:-1] = Tile.FLOOR
    known = np.ones(tiles.shape, bool)
    found = {}
    for name in ("lamplight", "high_contrast"):
        choose_palette(name)
        ground = VisibleLevel(tiles, known & seen, known, theme, None, None, Point(3, 2))
        console = Console(7, 5)
        lit = draw_ground(console, ground, Viewport())
        pixels = np.asarray(lit_picture(console, lit, 32), float)
        wall = np.percentile(pixels[16:32, 64:160].reshape(-1, 3), 75, axis=0)
        found[name] = contrast(wall, pixels[64:96, 64:160].mean(axis=(0, 1)))
    choose_palette("lamplight")
    assert found["high_contrast"] > max(least, 1.5 * found["lamplight"])
