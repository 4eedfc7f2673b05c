"""Levels for RexPaint and Tiled: they are what those programs read."""

import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from PIL import Image

from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of
from entities.terrain import terrain
from render.map.whole_level import level_and_ground
from render.tiles.glyphs import plain_char
from render.ui.palette import themes
from support.level_exports import CODES, level_of, xp_layers, xp_origin
from workbench.exports.formats import export_files
from workbench.exports.rexpaint import NUMBERS, TRANSPARENT
from workbench.exports.theme_tiles import COLUMNS, tile_set
from workbench.exports.tiled import wang_sets


@pytest.fixture(scope="module")
def level():
    return level_of(CODES[0])


OFFSCREEN = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


MISSING = [tool for tool in ("tiled", "tmxrasterizer") if shutil.which(tool) is None]


@pytest.mark.parametrize("code", CODES)
def test_rexpaint_layers_read_back(code, tmp_path):
    level = level_of(code)
    path = tmp_path / "level.xp"
    path.write_bytes(export_files(level, "xp")[""])
    _, ground, folk = xp_layers(path)
    codes, monsters = level_and_ground(level)[0].rgb, initial_monsters(level)
    stands = np.zeros(level.tiles.shape, bool)
    for item in items_of(level):
        stands[item.y, item.x] = True
        if (item.x, item.y) not in {(one.x, one.y) for one in monsters}:
            assert chr(folk.rgb[item.y, item.x]["ch"]) == item_class_of(item.kind).glyph
    for one in monsters:
        stands[one.y, one.x] = True
        assert chr(folk.rgb[one.y, one.x]["ch"]) == creature_kinds()[one.kind].glyph
    assert ((folk.rgb["bg"] != TRANSPARENT).any(axis=2) == stands).all()
    shown = [[chr(c) for c in row] for row in ground.rgb["ch"].tolist()]
    meant = [[plain_char(c) for c in row] for row in codes["ch"].tolist()]
    for y, x in np.argwhere(~stands).tolist():
        assert shown[y][x] == meant[y][x]
    assert (ground.rgb["bg"] == codes["bg"]).all()
    assert str(level.code) in xp_origin(path)


def test_the_code_page_of_rexpaint_has_all_that_is_drawn():
    level = level_of(CODES[0])
    shown = {plain_char(code) for code in np.unique(level_and_ground(level)[0].rgb["ch"]).tolist()}
    shown |= {kind.glyph for name, kind in creature_kinds().items() if name != HERO}
    for theme in themes():
        shown |= {plain_char(piece.code) for piece in tile_set(theme).pieces if piece}
    assert {char for char in shown if ord(char) not in NUMBERS} == set()


def tiled(level, folder):
    """Write a map for Tiled and return its path and what it says."""
    for name, content in export_files(level, "tmj", name="level.tmj").items():
        (folder / (name or "level.tmj")).write_bytes(content)
    return folder / "level.tmj", json.loads((folder / "level.tmj").read_text())


@pytest.mark.parametrize("code", CODES)
def test_a_tiled_map_says_what_each_tile_is(code, tmp_path):
    level = level_of(code)
    _, found = tiled(level, tmp_path)
    (tiles,) = found["tilesets"]
    assert Image.open(tmp_path / tiles["image"]).size == (tiles["imagewidth"], tiles["imageheight"])
    assert tiles["imagewidth"] == COLUMNS * tiles["tilewidth"]
    about = {
        tile["id"]: {p["name"]: p["value"] for p in tile["properties"]} for tile in tiles["tiles"]
    }
    ground, stairs, rooms, places, spawns, items = found["layers"]
    kinds = terrain().kinds
    for number, tile in zip(ground["data"], level.tiles.ravel().tolist(), strict=True):
        kind = kinds[tile]
        assert about[number - tiles["firstgid"]] == {
            "name": kind.name, "walkable": kind.walkable, "transparent": kind.transparent,
        }  # fmt: skip
    marked = {divmod(i, level.code.width)[::-1] for i, gid in enumerate(stairs["data"]) if gid}
    assert marked == {level.start, level.exit}
    side = found["tilewidth"]
    assert [(o["x"] // side, o["y"] // side) for o in places["objects"]] == [
        level.start,
        level.exit,
    ]
    assert [(o["name"], o["x"] // side, o["y"] // side - 1) for o in spawns["objects"]] == list(
        level.spawns
    )
    assert [(o["name"], o["x"] // side, o["y"] // side - 1) for o in items["objects"]] == [
        item[:3] for item in items_of(level)
    ]
    assert len(rooms["objects"]) == len(level.rooms)
    numbers = [o["id"] for layer in (rooms, places, spawns, items) for o in layer["objects"]]
    assert len(set(numbers)) == len(numbers) == found["nextobjectid"] - 1
    facts = {p["name"]: p["value"] for p in found["properties"]}
    assert facts["seed"] == str(level.code.seed)


@pytest.mark.parametrize("theme", themes())
def test_the_terrain_sets_of_tiled_say_how_walls_join(theme):
    pieces = tile_set(theme).pieces
    sets = {one["name"]: one for one in wang_sets(pieces)}
    assert list(sets) == ["wall", "forest", "mountain", "edge"]
    for name, found in sets.items():
        told = {one["tileid"]: tuple(one["wangid"]) for one in found["wangtiles"]}
        walls = {n for n in told if pieces[n].key[0] == name}
        assert len({told[n] for n in walls}) == 47
        for number in walls:
            mask = pieces[number].code & 255
            # Tiled: above, upper right, right, ...; our bits: N, E, S, W, NE, SE, SW, NW.
            sides = [told[number][place] == 2 for place in (0, 2, 4, 6)]
            assert sides == [bool(mask >> bit & 1) for bit in range(4)]
            corners = [told[number][place] == 2 for place in (1, 3, 5, 7)]
            shut = [not (sides[a] or sides[b]) for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))]
            for bit, (open_corner, both_shut) in enumerate(zip(corners, shut, strict=True)):
                assert open_corner == (bool(mask >> (4 + bit) & 1) if both_shut else True)
        others = {pieces[n].key[0] for n in told} - {name}
        assert others == ({"floor"} if name == "wall" else set())
        assert {told[n] for n in told if n not in walls} <= {(2,) * 8}


@pytest.mark.skipif(bool(MISSING), reason=f"{', '.join(MISSING)} not installed (Debian: tiled)")
def test_tiled_opens_the_map_and_draws_it(level, tmp_path):
    path, ours = tiled(level, tmp_path)
    drawn, told = tmp_path / "drawn.png", tmp_path / "told.json"
    for words in (["tmxrasterizer", path, drawn], ["tiled", "--export-map", "json", path, told]):
        done = subprocess.run(
            [str(word) for word in words],
            env=OFFSCREEN,
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert b"rror" not in done.stderr
    theirs = json.loads(told.read_text())
    assert [layer["name"] for layer in theirs["layers"]] == [
        layer["name"] for layer in ours["layers"]
    ]
    assert theirs["layers"][0]["data"] == ours["layers"][0]["data"]
    assert {p["name"] for p in theirs["properties"]} == {p["name"] for p in ours["properties"]}
    tiles = ours["tilesets"][0]
    sheet = Image.open(tmp_path / tiles["image"]).convert("RGBA")
    picture, side = Image.open(drawn).convert("RGB"), ours["tilewidth"]
    assert picture.size == (60 * side, 40 * side)
    things = [*level.spawns, *items_of(level)]
    taken = {level.start, level.exit, *((thing.x, thing.y) for thing in things)}
    for index in range(0, len(ours["layers"][0]["data"]), 37):
        y, x = divmod(index, 60)
        if (x, y) in taken:
            continue
        row, column = divmod(ours["layers"][0]["data"][index] - tiles["firstgid"], COLUMNS)
        meant = sheet.crop((column * side, row * side, (column + 1) * side, (row + 1) * side))
        shown = picture.crop((x * side, y * side, (x + 1) * side, (y + 1) * side))
        gap = np.asarray(meant.convert("RGB")).astype(int) - np.asarray(shown).astype(int)
        assert abs(gap).max() <= 2
