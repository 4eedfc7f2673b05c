"""Levels from files: checked, described, drawn and learned from; bad files get a sentence."""

import json

import numpy as np
import pytest

from engine.items.loot import initial_loot
from engine.levels.drawn_level import pack_drawn, unpack_drawn
from entities.terrain import Tile, terrain
from procgen.metrics import measure
from procgen.wfc.samples import read_sheets
from support.level_exports import CODES, level_of, run
from workbench.exports.formats import export_files
from workbench.level_files import LONGEST_SIDE, MOST_BYTES, read_level

MAP = "########\n#<..+.>#\n#..##..#\n########\n"


def written(folder, level, name):
    form = "text" if name.endswith("txt") else "tmj"
    for beside, content in export_files(level, form, name=name).items():
        (folder / (beside or name)).write_bytes(content)
    return folder / name


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", ["a.txt", "a.tmj"])
def test_an_exported_level_comes_back(code, name, tmp_path):
    level = level_of(code)
    found = read_level(written(tmp_path, level, name))
    assert (found.tiles == level.tiles).all() if name == "a.tmj" else True
    same = found.tiles == level.tiles
    marks = {level.start, level.exit}
    assert {(x, y) for y, x in np.argwhere(~same).tolist()} <= marks
    assert (found.start, found.exit) == (level.start, level.exit)
    if name == "a.tmj":
        assert (found.rooms, found.spawns) == (level.rooms, level.spawns)
        assert (initial_loot(found), found.theme) == (initial_loot(level), level.theme)
        assert found.code.depth == level.code.depth
        assert measure(found) == measure(level)
    assert found.code.depth == level.code.depth
    assert unpack_drawn(pack_drawn(found, 4), 4).tiles.tobytes() == found.tiles.tobytes()


def test_a_plain_map_is_checked_described_and_exported(inside, capsys):
    (inside / "plain.txt").write_text(MAP)
    assert run("check", "plain.txt") == 0
    assert capsys.readouterr().out == "plain.txt: healthy\n"
    assert run("describe", "plain.txt") == 0
    name, told = capsys.readouterr().out.splitlines()
    assert name == "plain.txt"
    assert " map with " in told
    assert "From start to exit it is 5 steps" in told
    assert run("map", "plain.txt") == 0
    assert capsys.readouterr().out.splitlines()[1:5] == MAP.splitlines()
    for name in ("a.png", "a.json", "a.npz", "a.xp", "a.svg", "a.pdf", "a.tmj", "a.ldtk"):
        assert run("map", "plain.txt", "--output", name) == 0
        assert (inside / name).stat().st_size > 100
    record = json.loads((inside / "a.json").read_text())
    assert record["command"] == "python main.py map plain.txt --format json --output a.json"
    assert record["tiles"][1] == "#...+..#"
    assert run("check", "a.tmj") == 0


def test_a_map_without_marks_gets_start_and_exit_far_apart(tmp_path):
    (tmp_path / "a.txt").write_text("##########\n#........#\n##########\n")
    level = read_level(tmp_path / "a.txt")
    assert {level.start, level.exit} == {(1, 1), (8, 1)}


def test_a_broken_level_is_named_and_exits_with_6(inside, capsys):
    (inside / "open.txt").write_text("###.###\n#<...>#\n###S###\n")
    assert run("check", "open.txt") == 6
    assert capsys.readouterr().out == "open.txt: the border is open\n"
    assert run("play", "open.txt") == 1
    assert "open.txt: the border is open, so it cannot be played" in capsys.readouterr().err


def tmj(**changes):
    layer = {"type": "tilelayer", "name": "ground", "data": [0] * 9}
    found = {
        "width": 3, "height": 3, "tilewidth": 8, "tileheight": 8, "layers": [layer],
        "tilesets": [{"firstgid": 1, "tiles": [{"id": 0, "type": "floor"}]}],
    }  # fmt: skip
    layer |= {"data": changes.pop("data")} if "data" in changes else {}
    return json.dumps(found | changes)


GROUND = {"type": "tilelayer", "data": [1] * 9}


def with_object(**fields):
    return tmj(layers=[GROUND, {"type": "objectgroup", "objects": [fields]}])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "", "sides of 3 to"),
        ("a.txt", "###\n#Q#\n###\n", "line 2, column 2: no tile is drawn 'Q'"),
        ("a.txt", "####\n#<<#\n####\n", "line 2: a second start"),
        ("a.txt", "###\n###\n###\n", "no floor at all"),
        ("a.txt", f"{MAP}\n{MAP}", "one map, without gaps"),
        ("a.txt", "#" * (LONGEST_SIDE + 1) + "\n#\n#\n", "sides of 3 to"),
        ("a.txt", "." * (MOST_BYTES + 1), "at most 8 MB"),
        ("a.txt", b"\xff\xfe#", "not text in UTF-8"),
        ("a.tmj", "[" * 100_000, "no map of Tiled"),
        ("a.tmj", "{}", "no map of Tiled"),
        ("a.tmj", tmj(data="eJxj"), "saved as CSV"),
        ("a.tmj", tmj(data=[1] * 8), "does not fit"),
        ("a.tmj", tmj(data=[7] * 9), "the tile 7 has no type"),
        ("a.tmj", tmj(infinite=True), "not infinite"),
        ("a.tmj", tmj(width=10**9), "sides of 3 to"),
        ("a.tmj", tmj(tilewidth=0), "does not fit"),
        ("a.tmj", tmj(tilesets=[{"firstgid": 1, "source": "my.tsx"}]), "embed the tile set"),
        ("a.tmj", with_object(type="spawn", name="dragonet"), "no monster 'dragonet'"),
        ("a.tmj", with_object(type="start", x=99), "not on the map"),
        ("a.tmj", with_object(type="room", width=1e300), "not on the map"),
        ("a.tmj", with_object(type="item", name="sord"), "no item 'sord'"),
        (
            "a.tmj",
            with_object(type="item", name="dart", properties=[{"name": "many", "value": 0}]),
            "item 'dart': [3]: Expected `int` >= 1",
        ),
        ("a.tmj", tmj(properties=[{"name": "depth", "value": 0}]), "depth: Expected"),
        ("b.txt", None, "No such file"),
    ],
)  # fmt: skip
def test_a_bad_file_gets_a_sentence(name, content, words, inside, capsys):
    if isinstance(content, bytes):
        (inside / name).write_bytes(content)
    elif content is not None:
        (inside / name).write_text(content)
    for command in (("check", name), ("describe", name), ("map", name), ("play", name)):
        assert run(*command) == 1
        told = capsys.readouterr()
        assert words in told.err
        assert "Errno" not in told.err
        assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["map", "a.txt", "--output", "a.gif"], "how a level grows"),
        (["map", "a.txt", "--output", "a.html"], "how a level grows"),
        (["map", "a.txt", "--seed", "3"], "--seed has no effect"),
        (["map", "a.txt", "--set", "a.b=1"], "--set has no effect"),
        (["map", "a.txt", "caves:1"], "one level file at a time"),
        (["map", "a.txt", "--output", "b.png", "--card"], "--card has no effect"),
        (["map", "a.txt", "--format", "png"], "needs --output"),
        (["check", "a.txt", "--generator", "caves"], "not both"),
        (["play", "a.txt", "--workshop"], "no other options"),
        (["play", "a.txt", "--continue"], "no other options"),
        (["play", "caves:1"], "ends in .txt or .tmj"),
    ],
)
def test_options_that_mean_nothing_for_a_file_are_refused(arguments, words, inside, capsys):
    (inside / "a.txt").write_text(MAP)
    assert run(*arguments) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in inside.iterdir()] == ["a.txt"]


def test_an_exported_level_is_a_sample_as_it_is(tmp_path):
    level = level_of(CODES[1])
    (tmp_path / "samples").mkdir()
    written(tmp_path / "samples", level, "mine.txt")
    (sheet,) = read_sheets("mine", tmp_path)
    tiles = level.tiles.copy()
    for x, y in (level.start, level.exit):
        tiles[y, x] = Tile.FLOOR
    assert (sheet == tiles).all()
    assert set("".join(terrain().text(sheet))) <= {kind.char for kind in terrain().kinds}
