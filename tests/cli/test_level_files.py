"""Levels from files: checked, described, drawn and learned from; bad files get a sentence."""

import csv
import json
import sys
from argparse import Namespace

import numpy as np
import pytest
from msgspec.structs import asdict, replace

from cli import play
from engine.items.loot import initial_loot, items_of
from engine.levels.drawn_level import pack_drawn, unpack_drawn
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import parse_playable_code, pinned
from entities.data_files import MOST_BYTES
from entities.terrain import Tile, terrain
from procgen.blueprint import Spawn
from procgen.build import build
from procgen.level_code import parse_code
from procgen.map_files import LONGEST_SIDE
from procgen.metrics import ROOM_METRICS, measure
from procgen.settings import complete
from procgen.wfc.samples import read_sheets
from support.level_exports import CODES, level_of, run
from support.tmj_maps import GROUND, tmj
from workbench.exports.formats import export_files
from workbench.level_files import read_level

MAP = "########\n#<..+.>#\n#..##..#\n########\n"
NEITHER = "neither a level code such as digger:7 nor a level file (.txt, .tmj)"


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
    assert measure(found).path == measure(level).path
    assert found.spawns == tuple(Spawn(one.kind, one.x, one.y) for one in level.spawns)
    assert sorted(found.items or ()) == sorted(items_of(level))
    if name == "a.tmj":
        assert found.rooms == level.rooms
        assert (initial_loot(found), found.theme) == (initial_loot(level), level.theme)
        assert found.code.depth == level.code.depth
        planned = measure(level).cycles  # A file holds no graph.
        assert replace(measure(found), cycles=planned) == measure(level)
    assert (found.code.depth, found.light) == (level.code.depth, level.light)
    again = read_level(written(tmp_path, found, f"again{name[1:]}"))
    assert (again.code, again.theme, again.light) == (found.code, found.theme, found.light)
    assert unpack_drawn(pack_drawn(found, 4), 4).tiles.tobytes() == found.tiles.tobytes()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names of files")
@pytest.mark.parametrize("command", ["check", "describe"])
def test_the_name_of_a_file_does_nothing_to_the_terminal(inside, capsys, command):
    (inside / "a\x1b[2Jb.txt").write_text(MAP)
    assert run(command, "a\x1b[2Jb.txt") == 0
    assert capsys.readouterr().out.startswith("a?[2Jb.txt")


def test_a_plain_map_is_checked_described_and_exported(inside, capsys):
    (inside / "plain.txt").write_text(MAP)
    assert run("check", "plain.txt") == 0
    assert capsys.readouterr().out == "plain.txt: healthy\n"
    assert run("describe", "plain.txt") == 0
    name, told = capsys.readouterr().out.splitlines()
    assert name == "plain.txt"
    assert " level with " in told
    assert "The exit is 5 steps from the start" in told
    assert run("map", "plain.txt") == 0
    assert capsys.readouterr().out.splitlines()[1:5] == MAP.splitlines()
    for name in ("a.png", "a.json", "a.npz", "a.xp", "a.svg", "a.pdf", "a.tmj", "a.ldtk"):
        assert run("map", "plain.txt", "--output", name) == 0
        assert (inside / name).stat().st_size > 100
    record = json.loads((inside / "a.json").read_text())
    assert record["command"] == "python main.py map plain.txt --format json --output a.json"
    assert record["tiles"][1] == "#...+..#"
    assert run("check", "a.tmj") == 0
    assert [record["metrics"][name] for name in ROOM_METRICS] == [None] * 3  # It names no rooms.


def test_a_table_has_the_metrics_of_files_and_codes(inside, capsys):
    (inside / "plain.txt").write_text(MAP)
    assert run("map", "bsp:3", "--output", "drawn.tmj") == 0
    capsys.readouterr()
    assert run("describe", "plain.txt", "drawn.tmj", "bsp:3", "--json") == 0
    plain, drawn, built = json.loads(capsys.readouterr().out)
    for name, value in asdict(measure(build(complete(parse_code("bsp:3"))))).items():
        assert built[name] == value
        assert drawn[name] == value or name not in ROOM_METRICS
    assert plain["path"] == 5
    assert run("describe", "plain.txt", "--format", "csv") == 0
    (row,) = csv.DictReader(capsys.readouterr().out.splitlines())
    assert (row["path"], row["rooms"]) == ("5", "")


def test_a_level_from_a_file_is_written_to_a_folder_or_a_pattern(inside):
    (inside / "plain.txt").write_text(MAP)
    assert run("map", "plain.txt", "--format", "png", "--output", "new/") == 0
    assert [path.suffix for path in (inside / "new").iterdir()] == [".png"]
    assert run("map", "plain.txt", "--output", "{width}x{height}.xp") == 0
    assert (inside / "8x4.xp").exists()


def test_the_other_files_are_checked_if_one_cannot_be_read(inside, capsys):
    (inside / "plain.txt").write_text(MAP)
    assert run("check", "none.txt", "plain.txt") == 1
    said = capsys.readouterr()
    assert said.out == "plain.txt: healthy\n"
    assert "none.txt: cannot be read" in said.err


@pytest.mark.parametrize("program", ["main.py", "python main.py", "seedhollow"])
def test_a_level_drawn_by_a_checkout_is_read_by_the_installed_program_and_back(program, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(f"walk.1:1:3@8x4\n{MAP}{program} map walk.1:1:3@8x4 --output a.txt\n")
    found = read_level(path)
    assert (found.tiles.shape, found.code.depth) == ((4, 8), 3)


def test_a_map_without_marks_gets_start_and_exit_far_apart(tmp_path):
    (tmp_path / "a.txt").write_text("##########\n#........#\n##########\n")
    level = read_level(tmp_path / "a.txt")
    assert {level.start, level.exit} == {(1, 1), (8, 1)}


def test_a_broken_level_is_named_and_exits_with_6(inside, capsys):
    (inside / "open.txt").write_text("###.###\n#<...>#\n###S###\n")
    assert run("check", "open.txt") == 6
    assert capsys.readouterr().out == "open.txt: the border is open: 3,0\n"
    assert run("play", "open.txt") == 1
    assert "open.txt: the border is open: 3,0, so it cannot be played" in capsys.readouterr().err


FLOR = tmj(tilesets=[{"firstgid": 1, "tiles": [{"id": 0, "type": "flor"}]}], layers=[GROUND])


def with_object(**fields):
    return tmj(layers=[GROUND, {"type": "objectgroup", "objects": [fields]}])


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "", "sides of 3 to"),
        ("a.txt", "###\n#Q#\n###\n", "line 2, column 2: no tile is drawn as 'Q'"),
        ("a.txt", "####\n#<<#\n####\n", "line 2: a second start"),
        ("a.txt", "###\n###\n###\n", "has no floor"),
        ("a.txt", f"theme: mud\n{MAP}", "theme: there is no theme 'mud'"),
        ("a.txt", f"thme: moss\n{MAP}", "line 1: there is no header 'thme' (do you mean theme?)"),
        ("a.txt", f"dpeth: 3\n{MAP}", "line 1: there is no header 'dpeth' (do you mean depth?)"),
        ("a.txt", f"Theme: Moss\n{MAP}", "no header 'Theme' (do you mean theme?)"),
        ("a.txt", f"monster 4,1 orc\n{MAP}", "line 1: right below a map, write lines as in"),
        ("a.txt", f"theme: moss\ntheme: ice\n{MAP}", "line 2: theme is given twice"),
        ("a.txt", f"{MAP}monster 4,1 orc\n", "line 5: right below a map, write lines as in"),
        ("a.txt", f"{MAP}\nspawn 2,1 orc\n", "line 6: right below a map, write lines as in"),
        ("a.txt", f"{MAP}\n#..#\n", "line 6: a map has sides of 3 to"),
        ("a.txt", f"{MAP}item 1,1 dart mnay=2\n", "line 5: right below a map, write lines as in"),
        ("a.txt", f"theme: ~mud\n{MAP}", "theme: there is no theme '~mud'"),
        ("a.txt", f"light: drk\n{MAP}", "light: there is no light 'drk' (do you mean dark?)"),
        ("a.txt", f"depth: 0\n{MAP}", "depth: Expected a whole number >= 1"),
        ("a.txt", f"depth: -4\n{MAP}", "depth: Expected a whole number >= 1"),
        ("a.txt", f"depth: 99999999999\n{MAP}", "depth: Expected a whole number <= "),
        ("a.txt", f"depth: deep\n{MAP}", "depth: Expected a whole number or nothing, got text"),
        ("a.txt", f"{MAP}\n{MAP}", "one map, without gaps"),
        ("a.txt", f"{MAP}" + "spawn 1,1 rat\n" * 20_001, "a map has at most 20,000 monsters and"),
        ("a.txt", "#" * (LONGEST_SIDE + 1) + "\n#\n#\n", "sides of 3 to"),
        ("a.txt", "." * (MOST_BYTES + 1), "at most 8 MB"),
        ("a.txt", b"\xff\xfe#", "not text in UTF-8"),
        ("a.txt", f"{MAP}spawn 1,1 ork\n", "no monster 'ork' (do you mean orc?)"),
        ("a.txt", f"{MAP}spwan 1,1 orc\n", "right below a map, write lines as in: item 3,4"),
        ("a.txt", f"{MAP}item 1,1 pebble\n", "item 1,1: there is no item 'pebble'"),
        ("a.txt", f"{MAP}item 8,1 arrow many=3\n", "line 5: the object 'arrow' is not on the map"),
        ("a.txt", f"{MAP}item 1,1 arrow many=0\n", "item 1,1: many: Expected"),
        ("a.txt", f"{MAP}spawn 1,1\n", "line 5: right below a map, write lines as in"),
        ("a.txt", f"{MAP}item 1,1 dart many=x\n", "line 5: right below a map, write lines as in"),
        ("a.txt", f"{MAP}spawn 1,1 rat many=3\n", "many=2 or: spawn 2,1 orc"),
        ("a.txt", f"{MAP}item 1,1 dart\n####\n", "line 6: right below a map, write lines as in"),
        ("a.tmj", "[" * 100_000, "not a map of Tiled"),
        ("a.tmj", "{}", "not a map of Tiled"),
        ("a.tmj", tmj(data="eJxj"), "as uncompressed CSV"),
        ("a.tmj", tmj(data=[1] * 8), "does not fit"),
        ("a.tmj", tmj(data=[7] * 9), "line 1, column 1: tile 7: there is no kind of tile ''"),
        ("a.tmj", tmj(infinite=True), "must be finite"),
        ("a.tmj", tmj(orientation="isometric"), "a map must be orthogonal, not isometric"),
        ("a.tmj", tmj(orientation="hexagonal"), "a map must be orthogonal, not hexagonal"),
        ("a.tmj", tmj(layers=[{"type": "group", "layers": [GROUND]}]), "must be a tile layer"),
        ("a.tmj", tmj(data=[-1] * 9), "tile 268435455: there is no kind"),
        ("a.tmj", tmj(data=[2**80 + 5] * 9), "tile 5: there is no kind of tile"),
        ("a.tmj", tmj(data=[1.5] * 9), "not a map of Tiled"),
        ("a.tmj", tmj()[:40], "not a map of Tiled"),
        ("a.tmj", tmj(tilewidth=float("nan")), "not a map of Tiled"),
        ("a.tmj", with_object(type="room", x=1e308, width=1), "not on the map"),
        ("a.tmj", with_object(type="room").replace('"room"', '"room", "x": 1e400'), "not a map of"),
        ("a.tmj", tmj(properties=[{"name": ["theme"], "value": {}}]), "has no floor"),
        ("a.tmj", tmj(properties=[{"name": "theme", "value": {}}]), "theme: Expected"),
        ("a.tmj", tmj(width=10**9), "sides of 3 to"),
        ("a.tmj", tmj(tilewidth=0), "tiles of 1 to 10,000 pixels a side"),
        ("a.tmj", tmj(tilewidth=10**400, layers=[{"type": "", "objects": [{}]}]), "tiles of 1 to"),
        ("a.tmj", tmj(tilesets=[{"firstgid": 1, "source": "my.tsx"}]), "embed the tile set"),
        ("a.tmj", with_object(type="spawn", name="dragonet"), "no monster 'dragonet'"),
        ("a.tmj", with_object(type="start", x=99), "not on the map"),
        ("a.tmj", with_object(type="room", width=1e300), "not on the map"),
        ("a.tmj", with_object(type="room", height=1e300), "not on the map"),
        ("a.tmj", with_object(type="start", y=99), "not on the map"),
        ("a.tmj", with_object(type="start", x=-1), "not on the map"),
        ("a.tmj", with_object(type="start", y=-1), "not on the map"),
        ("a.tmj", with_object(type="item", name="sord"), "no item 'sord' (do you mean sword?)"),
        ("a.tmj", with_object(type="spwan", name="orc"), "type of object 'spwan' (do you mean sp"),
        ("a.tmj", tmj(layers=[GROUND | {"offsetx": 24}]), "must be a tile layer without offset"),
        ("a.tmj", FLOR, "no kind of tile 'flor' (do you mean floor?)"),
        (
            "a.tmj",
            with_object(type="item", name="dart", properties=[{"name": "many", "value": 0}]),
            "item 0,0: many: Expected a whole number >= 1",
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


def test_a_word_that_is_no_level_is_refused_alike_by_every_command(inside, capsys):
    (inside / "a.png").write_text(MAP)
    for command in ("map", "describe", "play"):
        assert run(command, "a.png") == 2
        assert capsys.readouterr().err == f"main.py: 'a.png' is {NEITHER}\n"
    for word in ("a.png", "digger:7"):  # `check` takes no codes: it must not ask for one.
        assert run("check", word) == 2
        fault = f"main.py: {word!r} is not a level file (.txt, or Tiled's JSON, .tmj)\n"
        assert capsys.readouterr().err == fault


def test_a_level_code_is_played_as_the_level_of_that_code():
    options = Namespace(file="digger+flooded;loops.at_most=0:42:3", seed=None, depth=None)
    setup = play.chosen_setup(options)
    state = new_game(pinned(setup))
    assert str(state.map.code) == str(parse_playable_code(options.file))
    assert state.map.code.overlays == ("flooded.1",)


def test_the_code_of_a_place_in_a_world_is_played_from_there():
    options = Namespace(file="endless_caves.1:42@-291,74", seed=None, depth=None)
    setup = pinned(play.chosen_setup(options))
    assert setup.place == (-291, 74)
    state = new_game(setup)
    assert str(state.map.code) == str(parse_playable_code(options.file))
    x, y = state.map.world_place(state.hero.x, state.hero.y)
    assert max(abs(x + 291), abs(y - 74)) < 40


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["map", "a.txt", "--output", "a.gif"], "how a level grows"),
        (["map", "a.txt", "--output", "a.html"], "how a level grows"),
        (["map", "a.txt", "--seed", "3"], "not both"),
        (["map", "a.txt", "--set", "a.b=1"], "--set has no effect"),
        (["map", "a.txt", "caves:1"], "one level file at a time"),
        (["map", "a.txt", "--output", "b.png", "--card"], "--card has no effect"),
        (["map", "a.txt", "--format", "png"], "needs --output"),
        (["check", "a.txt", "--generator", "caves"], "not both"),
        (["play", "a.txt", "--workshop"], "leave out --workshop"),
        (["play", "a.txt", "--continue"], "beside LEVEL only --terminal"),
        (["play", "caves"], NEITHER.replace("digger", "caves")),
        (["play", "caves:1", "--seed", "3"], "leave out --seed"),
        (["play", "nope:1"], "no generator 'nope'"),
    ],
)
def test_options_that_mean_nothing_for_a_file_are_refused(arguments, words, inside, capsys):
    (inside / "a.txt").write_text(MAP)
    assert run(*arguments) == 2
    assert words in capsys.readouterr().err
    assert [path.name for path in inside.iterdir()] == ["a.txt"]


@pytest.mark.parametrize(
    ("content", "theme", "depth"),
    [
        (MAP, "stone", 1),
        (f"theme: moss\ndepth: 4\n{MAP}", "moss", 4),
        (f"caves:1:3\n{MAP}", "moss", 3),
        (f"caves+frozen:1:3\n{MAP}", "moss+ice", 3),
        (f"caves:1:3\ntheme: city\n{MAP}", "city", 3),
        (f"nowhere:1:3\n{MAP}", "stone", 3),
        (f"~nowhere:1:3\n{MAP}", "stone", 3),
        (MAP.replace(".", "T"), "meadow", 1),
        (MAP.replace(".", "i"), "ice", 1),
    ],
)
def test_a_drawn_level_has_a_theme(content, theme, depth, inside, capsys):
    (inside / "a.txt").write_text(content)
    level = read_level(inside / "a.txt")
    assert (level.theme, level.code.depth) == (theme, depth)
    for name in ("b.txt", "b.tmj"):
        assert run("map", "a.txt", "--output", name) == 0
        again = read_level(inside / name)
        assert (again.theme, again.code) == (level.theme, level.code)
    assert unpack_drawn(pack_drawn(level, depth), depth).theme == theme


def test_layers_of_tiled_lie_on_each_other_and_stairs_may_be_painted(inside):
    tiles = [{"id": 0, "type": "floor"}, {"id": 1, "type": "water"}, {"id": 2, "type": "exit"}]
    upper = {"type": "tilelayer", "data": [0, 0, 0, 0, 2, 0, 0, 0, 3]}
    traced = {"type": "imagelayer", "image": "sketch.png", "offsetx": 4}
    changes = {"layers": [traced, GROUND, upper], "tilesets": [{"firstgid": 1, "tiles": tiles}]}
    (inside / "a.tmj").write_text(tmj(**changes))
    level = read_level(inside / "a.tmj")
    assert terrain().text(level.tiles) == ["...", ".~.", "..."]
    assert level.exit == (2, 2)


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
