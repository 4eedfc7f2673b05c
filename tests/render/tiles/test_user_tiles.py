"""A PNG in the player's folder replaces a drawn tile, in its own colours; a bad one is named."""

import numpy as np
import pytest
from PIL import Image
from tcod.console import Console

from entities.creature_kinds import creature_kinds
from entities.folders import FOLDER_VARIABLE
from entities.item_kinds import item_kinds
from entities.terrain import TILE_NAMES, Tile
from main import main
from render.map import tile_colors
from render.map.map_view import draw_world
from render.map.viewport import Viewport
from render.tiles import user_tiles
from render.tiles.glyphs import creature_tile, tile_code
from render.tiles.tileset import map_tileset
from support.scenes import scene

HALF = np.zeros((8, 8, 4), np.uint8)
HALF[:4] = (10, 200, 30, 255)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder for tiles; caches are emptied before and after."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    caches = [user_tiles.user_tiles, map_tileset, tile_colors._paint_by_visibility]
    for cache in caches:
        cache.cache_clear()
    (tmp_path / "tiles").mkdir()
    yield tmp_path / "tiles"
    for cache in caches:
        cache.cache_clear()


def test_names_are_unique_and_name_every_picture():
    names = user_tiles.tile_names()
    kinds = [*TILE_NAMES, *creature_kinds(), *item_kinds(), "stairs_down", "stairs_up", "fire"]
    assert list(names) == kinds
    codes = [code for found in names.values() for code in found]
    assert len(codes) == len(set(codes))


def test_a_picture_may_end_in_capitals(folder):
    Image.fromarray(HALF).save(folder / "orc.PNG")
    assert list(user_tiles.user_tiles().pictures) == ["orc"]


def test_a_picture_replaces_the_drawn_tile_and_keeps_its_colours(folder):
    for name in ("orc", "floor"):
        Image.fromarray(HALF).save(folder / f"{name}.png")
    codes = [creature_tile("orc"), tile_code(Tile.FLOOR, 5)]
    case = map_tileset(24)
    case.need(np.array(codes, np.int32))
    for code in codes:
        pixels = case.tileset.get_tile(code)
        assert (pixels[:12] == (10, 200, 30, 255)).all()
        assert (pixels[12:, :, 3] == 0).all()
    console = Console(9, 3)
    state = scene("#########\n#@..o...#\n#########").state
    draw_world(console, state, Viewport())
    assert console.fg[1, 4].tolist() == [255, 255, 255]
    drawn = case.tileset.get_tile(creature_tile("hero"))
    assert (drawn[..., 3] == 0).all()  # Not needed yet.
    case.need(np.array([creature_tile("hero")], np.int32))
    assert case.tileset.get_tile(creature_tile("hero"))[..., 3].any()


def test_files_that_cannot_be_used_are_named(folder, capsys):
    (folder / "orc.png").write_bytes(b"no picture")
    Image.fromarray(HALF).save(folder / "orcc.png")
    Image.new("RGBA", (2000, 2)).save(folder / "troll.png")
    Image.fromarray(HALF).save(folder / "ghoul.png")
    assert main(["list", "--tiles"]) == 1
    said = capsys.readouterr()
    assert "ghoul  (user)" in said.out.splitlines()
    assert "troll" in said.out.splitlines()
    faults = said.err.splitlines()
    assert [fault.split(": ")[0] for fault in faults] == [
        str(folder / f"{name}.png") for name in ("orc", "orcc", "troll")
    ]


def test_the_list_of_tiles_says_where_they_belong(folder, capsys):
    assert main(["list", "--tiles"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert str(folder) in lines[0]
    assert lines[1:] == list(user_tiles.tile_names())
    assert main(["list", "--tiles", "--steps"]) == 2
