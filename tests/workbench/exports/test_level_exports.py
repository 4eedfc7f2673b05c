"""Levels as files: each says what the level says, and how to make it again."""

import json
import os
import re
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageSequence
from PIL.PdfParser import PdfParser

from engine.items.loot import initial_loot
from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import measure, relative_metrics
from procgen.recipes import find_recipe
from procgen.settings import complete
from support.level_exports import CODES, level_of, run, xp_origin
from workbench.exports.formats import FORMATS, export_files
from workbench.exports.level_record import level_text
from workbench.exports.origin import ExportOptions, export_command


@pytest.fixture(scope="module")
def level():
    return level_of(CODES[0])


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
        case "html":
            words = re.search(
                r'id="code".*?>(.*?)<.*<code>(.*?)</code>', content.decode(), re.DOTALL
            )
            return words.groups()
        case "ldtk":
            return tuple(json.loads(content)["tutorialDesc"].split("\n"))
        case "svg":
            told = re.search("<title>(.*?)</title><desc>(.*?)</desc>", content.decode())
            return told.groups()
        case "pdf":
            told = PdfParser(buf=content).info
            return told.Title, told.Subject
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
            return tuple(xp_origin(path).split("  "))
        case _:
            pytest.fail(f"say here where a .{form} file holds code and command")


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


def test_a_file_on_standard_output_carries_a_command_that_makes_it_again(capsysbinary, tmp_path):
    assert run("map", CODES[1], "--format", "png", "--output", "-") == 0
    content = capsysbinary.readouterr().out
    made_by = words_in("png", content, tmp_path)[1]
    assert run(*made_by.split()[2:]) == 0
    assert capsysbinary.readouterr().out == content


def test_a_map_to_print_carries_the_name_of_its_file_in_any_alphabet(inside):
    (inside / "城—é.txt").write_text("#####\n#<.>#\n#####\n")
    assert run("map", "城—é.txt", "--output", "a.pdf") == 0
    made_by = words_in("pdf", (inside / "a.pdf").read_bytes(), inside)[1]
    assert made_by == "python main.py map '城—é.txt' --format pdf --output a.pdf"


def test_wishes_are_part_of_the_command(level):
    wishes = ExportOptions(tile=8, captions=True, frames=5)
    assert export_command(level.code, "gif", wishes, "/far/away/a b.gif") == (
        f"python main.py map {level.code} --format gif --captions --tile 8 --frames 5 "
        "--output 'a b.gif'"
    )


def test_text_on_a_terminal_is_only_code_and_rows(level):
    assert export_files(level, "text")[""].decode().splitlines() == [
        str(level.code), *level_text(level), "",
    ]  # fmt: skip


def test_json_holds_the_graph_of_a_mission_and_null_without_one(level):
    assert json.loads(export_files(level, "json")[""])["mission"] is None
    made = build(find_recipe("mission").code(3))
    record = json.loads(export_files(made, "json")[""])
    graph = record["mission"]
    names = [room["name"] for room in graph["rooms"]]
    assert names[:2] == ["start", "exit"]
    assert graph["rooms"][0]["anchor"] == list(made.start)
    assert graph["cycles"] == list(made.mission.cycles)
    ways = {(names[edge["start"]], names[edge["end"]], edge["gate"]) for edge in graph["edges"]}
    rooms = made.mission.rooms
    assert ways == {(rooms[e.start].name, rooms[e.end].name, e.gate) for e in made.mission.edges}
    for x, y in graph["locks"]:
        char = record["tiles"][y][x]
        assert record["legend"][char]["opens"] in ("key", "lever", "winch", "brazier")


def test_json_names_the_kinds_of_tiles_as_npz_does(level):
    record = json.loads(export_files(level, "json")[""])
    with np.load(BytesIO(export_files(level, "npz")[""])) as arrays:
        names = arrays["tile_names"][arrays["tiles"]].tolist()
    chars = [list(row) for row in record["tiles"]]
    assert [[record["legend"][char]["kind"] for char in row] for row in chars] == names


def test_json_holds_the_metrics(level):
    record = json.loads(export_files(level, "json")[""])
    found = measure(level)
    assert record["metrics"] == {name: getattr(found, name) for name in found.__struct_fields__}
    assert list(record)[-3:] == ["metrics", "steps", "command"]
    assert [tuple(item.values()) for item in record["items"]] == list(initial_loot(level))
    assert len(record["items"]) > 0


@pytest.mark.parametrize("code", CODES)
def test_arrays_say_what_the_level_says(code):
    level = level_of(code)
    arrays = np.load(BytesIO(export_files(level, "npz")[""]), allow_pickle=False)
    assert (arrays["tiles"] == level.tiles).all()
    assert arrays["tiles"].dtype == np.uint8
    assert (arrays["walkable"] == terrain().walkable[level.tiles]).all()
    assert (arrays["transparent"] == terrain().transparent[level.tiles]).all()
    assert (tuple(arrays["start"]), tuple(arrays["exit"])) == (level.start, level.exit)
    assert [tuple(spawn) for spawn in arrays["spawns"].tolist()] == list(level.spawns)
    assert [tuple(item) for item in arrays["items"].tolist()] == list(initial_loot(level))
    named = [TILE_NAMES[tile] for tile in level.tiles.ravel().tolist()]
    assert arrays["tile_names"][arrays["tiles"]].ravel().tolist() == named
    for kinds, things in (("spawn_kinds", "spawns"), ("item_kinds", "items")):
        assert {*arrays[things]["kind"].tolist()} <= {*arrays[kinds]["kind"].tolist()}
        assert all(arrays[kinds]["name"].tolist())
    assert arrays["theme"].item() == level.theme
    assert arrays["rooms"].shape == (len(level.rooms), 4)
    assert "tiles" not in json.loads(arrays["metadata"].item())
    assert arrays["text"].tolist() == terrain().text(level.tiles)


def test_a_window_without_a_way_down_has_no_exit_in_any_export():
    level = build(complete(parse_code("wilds:42@1,1@10x10")))
    assert Tile.ENTRANCE not in level.tiles
    record = json.loads(export_files(level, "json")[""])
    assert record["exit"] is None
    assert record["items"] == []
    assert record["metrics"]["path"] is record["metrics"]["detour"] is None
    assert record["metrics"]["floor"] > 0
    assert b">" not in export_files(level, "text")[""]
    with np.load(BytesIO(export_files(level, "npz")[""])) as arrays:
        assert arrays["exit"].shape == (0,)
    layers = json.loads(export_files(level, "tmj")[""])["layers"]
    places = next(layer for layer in layers if layer["name"] == "places")
    assert [place["name"] for place in places["objects"]] == ["start"]
    assert not {"path", "detour"} & {name for name, *_ in relative_metrics(level)}


def test_a_window_with_a_way_down_has_it_as_its_exit():
    level = build(complete(parse_code("endless_caves:3@128,128@256x256")))
    assert level.tiles[level.exit.y, level.exit.x] == Tile.ENTRANCE
    assert json.loads(export_files(level, "json")[""])["metrics"]["path"] > 0


def test_the_partition_has_its_colours_in_a_gif_of_the_build():
    for options in (ExportOptions(tile=8), ExportOptions(tile=8, flat=True)):
        content = export_files(level_of("mondrian:3@50x34"), "gif", options)[""]
        with Image.open(BytesIO(content)) as film:
            frames = [
                np.asarray(frame.convert("RGB"), int) for frame in ImageSequence.Iterator(film)
            ]
        red = [(frame[..., 0] - frame[..., 1:].max(axis=2) > 60).mean() for frame in frames]
        blue = [(frame[..., 2] - frame[..., 0] > 60).mean() for frame in frames]
        assert max(red) > 0.04
        assert max(blue) > 0.04
        assert red[-1] < max(red) / 2
