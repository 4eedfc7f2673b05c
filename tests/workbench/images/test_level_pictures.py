"""Levels as pictures: still ones, cards, and those that grow."""

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from engine.monsters.initial_monsters import initial_monsters
from engine.state.game_map import DARK
from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.build import build
from procgen.recipes import find_recipe
from render.map.whole_level import level_and_ground
from render.tiles.tileset import console_image
from render.ui.palette import themes
from support.contrast import contrast
from support.level_exports import CODES, level_of
from workbench.exports.build_film import evenly_chosen
from workbench.exports.formats import export_files
from workbench.exports.origin import ExportOptions
from workbench.images.gif_writer import GifFrame, GifPalette, color_counts, gif_pieces
from workbench.images.level_pictures import TooLarge, flat_picture, level_picture


@pytest.fixture(scope="module")
def level():
    return level_of(CODES[0])


def test_a_picture_has_a_tile_for_each_tile(level):
    image = Image.open(BytesIO(export_files(level, "png", ExportOptions(tile=12))[""]))
    assert image.size == (60 * 12, 40 * 12)
    assert image.text["Software"].startswith("Seedhollow ")


def test_flat_colours_tell_kinds_of_tiles_apart(level):
    image = np.asarray(flat_picture(level, 2))
    assert image.shape == (80, 120, 3)
    assert (image[::2, ::2] == image[1::2, 1::2]).all()
    taken = [level.start, level.exit, *((one.x, one.y) for one in initial_monsters(level))]
    floor = [p for p in np.argwhere(level.tiles == Tile.FLOOR) if (p[1], p[0]) not in taken]
    water = np.argwhere(level.tiles == Tile.SHALLOWS)
    floors = {tuple(image[2 * y, 2 * x].tolist()) for y, x in floor}
    waters = {tuple(image[2 * y, 2 * x].tolist()) for y, x in water}
    assert len(floors) == 1
    assert floors.isdisjoint(waters)


def test_a_dark_level_is_dark_in_pictures_but_for_what_glows():
    dark, plain = (build(find_recipe(name).code(42, 5)) for name in ("keep+dark", "keep"))
    brightness = [float(np.asarray(level_picture(one, 8)).mean()) for one in (dark, plain)]
    assert brightness[0] < 0.72 * brightness[1]
    haunted = np.asarray(level_picture(build(find_recipe("keep+haunted").code(42, 5)), 8))
    assert haunted.max(axis=2).std() > np.asarray(level_picture(dark, 8)).max(axis=2).std()


@pytest.mark.parametrize("name", sorted(themes()))
def test_floors_of_a_dark_level_stand_out_from_solid_ground(name):
    tiles = np.full((11, 11), Tile.WALL, np.uint8)
    tiles[1:10, 1:10] = Tile.FLOOR
    ends = {"start": Point(1, 1), "exit": Point(9, 9), "spawns": (), "items": ()}
    dark = replace(level_of(CODES[0]), tiles=tiles, theme=name, light=DARK, **ends)
    image = np.asarray(level_picture(dark, 16))
    floor, solid = image[64:112, 64:112], image[2:6, 2:-2].mean(axis=(0, 1))
    assert np.median(contrast(floor, solid)) > 1.15


def test_a_picture_too_large_is_refused(level):
    large = replace(level, tiles=np.zeros((1500, 1500), np.uint8))
    with pytest.raises(TooLarge, match="--flat"):
        level_picture(large)
    with pytest.raises(TooLarge, match="--flat, with a smaller --tile or none"):
        flat_picture(large, 16)  # It is flat already.


@pytest.mark.parametrize("code", [CODES[0], "walk:3@20x60", "cardinal:1", "rooms:1@300x40"])
def test_a_card_shows_the_picture_and_the_metrics(code):
    level = level_of(code)
    image = Image.open(BytesIO(export_files(level, "png", ExportOptions(card=True))[""]))
    pixels = np.asarray(image.convert("RGB"))
    assert 800 < image.width <= 1800
    assert image.height <= 1600
    tint = np.array(tuple(bytes.fromhex(themes()[level.theme].wall[1:])))
    bars = (pixels == tint).all(axis=2).sum(axis=1)
    assert bars[:6].min() == image.width
    edge = pixels[10:, -1]
    assert (edge == edge[0]).all(), "nothing runs over the edge"


def test_moments_are_chosen_from_first_to_last():
    assert evenly_chosen(3, 100) == [0, 1, 2]
    few = evenly_chosen(1000, 10)
    assert (len(few), few[0], few[-1]) == (10, 0, 999)
    assert few == sorted(set(few))


def test_a_film_ends_with_the_finished_level(level):
    image = Image.open(BytesIO(export_files(level, "gif", ExportOptions(frames=6))[""]))
    assert 3 <= image.n_frames <= 6
    assert image.info["loop"] == 0
    image.seek(image.n_frames - 1)
    assert image.info["duration"] >= 2500
    last = np.asarray(image.convert("RGB")).astype(int)
    finished = np.asarray(console_image(level_and_ground(level)[0], 12)).astype(int)
    assert abs(last - finished).mean() < 4  # A film has one light a tile: few colours, small files.
    captioned = Image.open(
        BytesIO(export_files(level, "gif", ExportOptions(frames=2, captions=True))[""])
    )
    assert captioned.size[0] == image.size[0]
    assert captioned.size[1] > image.size[1]


def test_the_frames_of_a_gif_can_be_seen_again():
    rng = np.random.RandomState(5)
    page = rng.randint(0, 9, (20, 30)).astype(np.uint8)
    palette = GifPalette([color_counts(rng.randint(0, 255, (20, 30, 3)).astype(np.uint8))])
    pages = [page.copy()]
    for _ in range(6):
        page = page.copy()
        page[rng.randint(20), rng.randint(30)] = 12
        page[rng.randint(20), 3:9] = 13
        pages += [page, page]
    frames = (GifFrame(page, 7, palette) for page in pages)
    image = Image.open(BytesIO(b"".join(gif_pieces(frames, "a" * 600))))
    assert image.info["comment"] == b"a" * 600
    assert image.n_frames == 7
    for number in range(7):
        image.seek(number)
        assert image.info["duration"] == (70 if number == 0 else 140)
        assert (np.asarray(image.convert("RGB")) == palette.table[pages[2 * number]]).all()
