"""Levels for other programs: what is in the files, and what other programs say to them."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

import main
from entities.kinds import HERO, creatures
from entities.terrain import Tile, terrain
from procgen.build import build
from procgen.code import parse_code
from procgen.measure.metrics import measure
from procgen.recipes import complete
from render.exports.flip_book import bound
from render.exports.formats import FORMATS, files
from render.exports.gif import _dyes, chosen
from render.exports.origin import Wishes, command
from render.exports.text import level_text
from render.exports.tiled_set import COLUMNS, tile_set
from render.exports.xp import NOTHING, NUMBERS, unpacked, words_of
from render.glyphs import plain
from render.palette import themes
from render.prints.pictures import TooLarge, flat_picture, level_picture
from render.prints.scene import level_console

CODES = ("vaulted:7:5@60x40", "caves:3:2@44x30", "keep:1:6@50x34")
OFFSCREEN = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
MISSING = [tool for tool in ("tiled", "tmxrasterizer") if shutil.which(tool) is None]


def level_of(text):
    return build(complete(parse_code(text)))


@pytest.fixture(scope="module")
def level():
    return level_of(CODES[0])


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """Work in an empty folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def run(*arguments):
    """Return the exit code of the command line."""
    try:
        return main.main([str(argument) for argument in arguments])
    except SystemExit as end:
        return end.code


def words_in(form, content, path):
    """Return the code and the command that a file carries."""
    match form:
        case "text":
            lines = content.decode().splitlines()
            return lines[0], lines[-2]
        case "json" | "jsonl":
            record = json.loads(content)
            return record["code"], record["command"]
        case "png":
            notes = Image.open(BytesIO(content)).text
            return notes["Title"], notes["Command"]
        case "gif":
            return tuple(Image.open(BytesIO(content)).info["comment"].decode().split("\n"))
        case "tmj":
            facts = {p["name"]: p["value"] for p in json.loads(content)["properties"]}
            return facts["code"], facts["command"]
        case "npz":
            arrays = np.load(BytesIO(content), allow_pickle=False)
            return arrays["code"].item(), arrays["command"].item()
        case "xp":
            path.write_bytes(content)
            return tuple(words_of(unpacked(path)).split("  "))


@pytest.mark.parametrize("form", FORMATS)
def test_every_file_carries_its_code_and_the_command_that_makes_it_again(form, inside):
    name = f"one.{form}"
    assert run("map", CODES[1], "--format", form, "--output", name) == 0
    content = (inside / name).read_bytes()
    code, made_by = words_in(form, content, inside / "read.xp")
    assert code == "caves.1:3:2@44x30"
    assert made_by.startswith("python main.py map caves.1:3:2@44x30 ")
    (inside / "again").mkdir()
    os.chdir(inside / "again")
    assert run(*made_by.split()[2:]) == 0
    assert (inside / "again" / name).read_bytes() == content


def test_wishes_are_part_of_the_command(level):
    wishes = Wishes(tile=8, captions=True, frames=5)
    assert command(level.code, "gif", wishes, "/far/away/a b.gif") == (
        f"python main.py map {level.code} --format gif --captions --tile 8 --frames 5 "
        "--output 'a b.gif'"
    )


def test_text_on_a_terminal_is_only_code_and_rows(level):
    assert files(level, "text")[""].decode().splitlines() == [
        str(level.code), *level_text(level), "",
    ]  # fmt: skip


def test_json_holds_the_metrics(level):
    record = json.loads(files(level, "json")[""])
    found = measure(level)
    assert record["metrics"] == {name: getattr(found, name) for name in found.__struct_fields__}
    assert list(record)[-3:] == ["metrics", "steps", "command"]


@pytest.mark.parametrize("code", CODES)
def test_arrays_say_what_the_level_says(code):
    level = level_of(code)
    arrays = np.load(BytesIO(files(level, "npz")[""]), allow_pickle=False)
    assert (arrays["tiles"] == level.tiles).all()
    assert arrays["tiles"].dtype == np.uint8
    assert (arrays["walkable"] == terrain().walkable[level.tiles]).all()
    assert (arrays["transparent"] == terrain().transparent[level.tiles]).all()
    assert (tuple(arrays["start"]), tuple(arrays["exit"])) == (level.start, level.exit)
    assert [tuple(spawn) for spawn in arrays["spawns"].tolist()] == list(level.spawns)
    assert arrays["rooms"].shape == (len(level.rooms), 4)
    assert "tiles" not in json.loads(arrays["metadata"].item())
    assert arrays["text"].tolist() == terrain().text(level.tiles)


def test_a_picture_has_a_tile_for_each_tile(level):
    image = Image.open(BytesIO(files(level, "png", Wishes(tile=12))[""]))
    assert image.size == (60 * 12, 40 * 12)
    assert image.text["Software"].startswith("Seedhollow ")


def test_flat_colours_tell_kinds_of_tiles_apart(level):
    image = np.asarray(flat_picture(level, 2))
    assert image.shape == (80, 120, 3)
    assert (image[::2, ::2] == image[1::2, 1::2]).all()
    taken = [level.start, level.exit, *((s.x, s.y) for s in level.spawns)]
    floor = [p for p in np.argwhere(level.tiles == Tile.FLOOR) if (p[1], p[0]) not in taken]
    water = np.argwhere(level.tiles == Tile.SHALLOWS)
    floors = {tuple(image[2 * y, 2 * x].tolist()) for y, x in floor}
    waters = {tuple(image[2 * y, 2 * x].tolist()) for y, x in water}
    assert len(floors) == 1
    assert floors.isdisjoint(waters)


def test_a_picture_too_large_is_refused(level):
    with pytest.raises(TooLarge, match="--flat"):
        level_picture(replace(level, tiles=np.zeros((1500, 1500), np.uint8)))


@pytest.mark.parametrize("code", [CODES[0], "walk:3@20x60", "cardinal:1", "rooms:1@300x40"])
def test_a_card_shows_the_picture_and_ten_metrics(code):
    level = level_of(code)
    image = Image.open(BytesIO(files(level, "png", Wishes(card=True))[""]))
    pixels = np.asarray(image.convert("RGB"))
    assert 800 < image.width <= 1800
    assert image.height <= 1400
    tint = np.array(tuple(bytes.fromhex(themes()[level.theme].wall[1:])))
    bars = (pixels == tint).all(axis=2).sum(axis=1)
    assert bars[:6].min() == image.width
    edge = pixels[10:, -1]
    assert (edge == edge[0]).all(), "nothing runs over the edge"


def test_moments_are_chosen_from_first_to_last():
    assert chosen(3, 100) == [0, 1, 2]
    few = chosen(1000, 10)
    assert (len(few), few[0], few[-1]) == (10, 0, 999)
    assert few == sorted(set(few))


def test_a_film_ends_with_the_finished_level(level):
    image = Image.open(BytesIO(files(level, "gif", Wishes(frames=6))[""]))
    assert 3 <= image.n_frames <= 7
    assert image.info["loop"] == 0
    image.seek(image.n_frames - 1)
    assert image.info["duration"] >= 2500
    last = np.asarray(image.convert("RGB")).astype(int)
    assert abs(last - np.asarray(level_picture(level, 12)).astype(int)).mean() < 4
    captioned = Image.open(BytesIO(files(level, "gif", Wishes(frames=2, captions=True))[""]))
    assert captioned.size[0] == image.size[0]
    assert captioned.size[1] > image.size[1]


def test_pages_that_are_bound_can_be_seen_again():
    rng = np.random.RandomState(5)
    page = rng.randint(0, 9, (20, 30)).astype(np.uint8)
    dyes = _dyes([rng.randint(0, 255, (20, 30, 3)).astype(np.uint8)])
    pages = [page.copy()]
    for _ in range(6):
        page = page.copy()
        page[rng.randint(20), rng.randint(30)] = 12
        page[rng.randint(20), 3:9] = 13
        pages += [page, page]
    image = Image.open(BytesIO(bound(((page, 7) for page in pages), dyes, "a" * 600)))
    assert image.info["comment"] == b"a" * 600
    assert image.n_frames == 7
    for number in range(7):
        image.seek(number)
        assert image.info["duration"] == (70 if number == 0 else 140)
        assert (np.asarray(image.convert("RGB")) == dyes.table[pages[2 * number]]).all()


@pytest.mark.parametrize("code", CODES)
def test_rexpaint_layers_read_back(code, tmp_path):
    level = level_of(code)
    path = tmp_path / "level.xp"
    path.write_bytes(files(level, "xp")[""])
    words, ground, folk = unpacked(path)
    codes = level_console(level).rgb
    stands = np.zeros(level.tiles.shape, bool)
    for spawn in level.spawns:
        stands[spawn.y, spawn.x] = True
        assert chr(folk.rgb[spawn.y, spawn.x]["ch"]) == creatures()[spawn.kind].glyph
    assert ((folk.rgb["bg"] != NOTHING).any(axis=2) == stands).all()
    shown = [[chr(c) for c in row] for row in ground.rgb["ch"].tolist()]
    meant = [[plain(c) for c in row] for row in codes["ch"].tolist()]
    for y, x in np.argwhere(~stands).tolist():
        assert shown[y][x] == meant[y][x]
    assert (ground.rgb["bg"] == codes["bg"]).all()
    assert str(level.code) in words_of((words,))


def test_the_code_page_of_rexpaint_has_all_that_is_drawn():
    level = level_of(CODES[0])
    shown = {plain(code) for code in np.unique(level_console(level).rgb["ch"]).tolist()}
    shown |= {kind.glyph for name, kind in creatures().items() if name != HERO}
    for theme in themes():
        shown |= {plain(piece.code) for piece in tile_set(theme).pieces if piece}
    assert {char for char in shown if ord(char) not in NUMBERS} == set()


def tiled(level, folder):
    """Write a map for Tiled and return its path and what it says."""
    for name, content in files(level, "tmj", name="level.tmj").items():
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
    ground, stairs, rooms, places, spawns = found["layers"]
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
    assert len(rooms["objects"]) == len(level.rooms)
    numbers = [o["id"] for layer in (rooms, places, spawns) for o in layer["objects"]]
    assert len(set(numbers)) == len(numbers) == found["nextobjectid"] - 1
    facts = {p["name"]: p["value"] for p in found["properties"]}
    assert facts["seed"] == str(level.code.seed)


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
    taken = {level.start, level.exit, *((s.x, s.y) for s in level.spawns)}
    for index in range(0, len(ours["layers"][0]["data"]), 37):
        y, x = divmod(index, 60)
        if (x, y) in taken:
            continue
        row, column = divmod(ours["layers"][0]["data"][index] - tiles["firstgid"], COLUMNS)
        meant = sheet.crop((column * side, row * side, (column + 1) * side, (row + 1) * side))
        shown = picture.crop((x * side, y * side, (x + 1) * side, (y + 1) * side))
        gap = np.asarray(meant.convert("RGB")).astype(int) - np.asarray(shown).astype(int)
        assert abs(gap).max() <= 2


def test_several_levels_are_numbered_put_in_a_folder_or_named(inside):
    many = ("map", "--generator", "walk", "--seeds", "5:7", "--size", "24x20")
    assert run(*many, "--output", "one.xp") == 0
    assert run(*many, "--format", "xp", "--output", "folder") == 0
    assert run(*many, "--output", "{generator}-{seed}-{number}.xp") == 0
    assert run(*many, "--format", "text", "--output", "folder/") == 0
    assert run(*many, "--output", "by/{seed}/level.npz") == 0
    assert (inside / "by" / "6" / "level.npz").exists()
    shutil.rmtree(inside / "by")
    names = {"one-1.xp", "one-2.xp", "walk-5-1.xp", "walk-6-2.xp", "folder"}
    assert {path.name for path in inside.iterdir()} == names
    assert sorted(path.name for path in (inside / "folder").iterdir()) == [
        f"walk.1-{seed}-1-24x20.{ending}" for seed in (5, 6) for ending in ("txt", "xp")
    ]


def test_maps_of_one_theme_share_their_tiles(inside):
    assert run("map", "rooms:1", "sparse:2", "--format", "tmj", "--output", "maps/") == 0
    assert len(list((inside / "maps").glob("*.png"))) == 1
    assert len(list((inside / "maps").glob("*.tmj"))) == 2


def test_nothing_is_overwritten_without_being_told_to(inside, capsys):
    (inside / "a-2.png").write_text("mine")
    many = ("map", "--generator", "walk", "--seeds", "0:3", "--output", "a.png", "--flat")
    assert run(*many) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert [path.name for path in inside.iterdir()] == ["a-2.png"]
    assert (inside / "a-2.png").read_text() == "mine"
    assert run(*many, "--force") == 0
    assert Image.open(inside / "a-2.png").text["Title"] == "walk.1:1:1@80x45"
    assert capsys.readouterr().err == ""


def test_a_folder_that_is_not_there_is_not_made_for_one_file(inside, capsys):
    assert run("map", "walk:1", "--output", "tpyo/level.npz") == 1
    assert "cannot be written" in capsys.readouterr().err
    assert list(inside.iterdir()) == []


def test_the_name_of_the_output_says_the_format(inside):
    assert run("map", "walk:1", "--output", "level.npz") == 0
    assert np.load(inside / "level.npz", allow_pickle=False)["code"] == "walk.1:1:1@80x45"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "png"], "needs --output"),
        (["--output", "{sead}.png"], "no field {sead}; there are code"),
        (["--generator", "all", "--output", "{seed}.png"], "two levels would be written"),
        (["--format", "xp", "--tile", "12", "--output", "a.xp"], "--tile means nothing"),
        (["--card", "--output", "a.gif"], "--card means nothing"),
        (["--card", "--tile", "12", "--output", "a.png"], "one size"),
        (["--tile", "4", "--output", "a.png"], "from 6 to 64"),
        (["--tile", "64", "--output", "a.gif"], "moving picture"),
        (["--frames", "1", "--output", "a.gif"], "from 2"),
        (["--seeds", "0:100001", "--output", "a.png"], "files"),
    ],
)
def test_a_wish_that_means_nothing_gets_a_sentence(arguments, words, inside, capsys):
    assert run("map", *arguments) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "Traceback" not in told.err
    assert told.out == ""
    assert list(inside.iterdir()) == []


def test_a_sheet_is_named_and_captioned(inside, capsys):
    many = ("gallery", "--generator", "walk", "--seeds", "0:3", "--size", "40x30")
    assert run(*many, "--output", "sheet.png") == 0
    image = Image.open(inside / "sheet.png")
    assert image.text["Command"] == (
        "python main.py gallery --generator walk --seeds 0:3 --depth 1 --size 40x30 --columns 4 "
        "--output sheet.png"
    )
    assert image.text["Title"].startswith("walk: One drunken digger")
    assert run(*many, "--output", "sheet.png") == 2
    assert "not overwritten" in capsys.readouterr().err
