"""What files of levels are called, where they go, and what is refused."""

import re
import shutil
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from PIL import Image

from cli.gallery import caption
from engine.levels.recipe_by_depth import parse_playable_code
from entities.data_files import read_table
from support.level_exports import run
from workbench.exports.formats import FORMATS

ENDINGS = ", ".join(["txt", *(form for form in FORMATS if form != "text")])


def test_several_levels_are_numbered_put_in_a_folder_or_named(inside):
    many = ("map", "--generator", "walk", "--seeds", "5:7", "--size", "24x20")
    assert run(*many, "--output", "one.xp") == 0
    assert run(*many, "--format", "xp", "--output", "folder") == 0
    assert run(*many, "--output", "{generator}-{seed}-{number}.xp") == 0
    assert run(*many, "--format", "text", "--output", "folder/") == 0
    assert run(*many, "--output", "by/{seed}/level.npz") == 0
    assert (inside / "by" / "6" / "level.npz").exists()
    assert run(*many, "--output", "by/name/{seed}.npz") == 0
    assert run(*many, "--output", "by/number/level.npz") == 0
    assert {path.name for path in (inside / "by" / "name").iterdir()} == {"5.npz", "6.npz"}
    assert len(list((inside / "by" / "number").iterdir())) == 2
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


@pytest.mark.parametrize("code", ["ember:1", "wilds:1"])
def test_shared_tiles_carry_the_command_that_makes_them_again(code, inside):
    assert run("map", code, "--tile", "8", "--output", "one.tmj") == 0
    (tiles,) = inside.glob("tiles-*-8.png")
    first = tiles.read_bytes()
    tiles.unlink()
    assert run(*Image.open(BytesIO(first)).text["Command"].split()[2:]) == 0
    assert tiles.read_bytes() == first


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


def test_a_folder_that_is_not_there_is_made_for_one_file(inside, capsys):
    assert run("map", "walk:1", "--output", "new/er/level.npz") == 0
    made = np.load(inside / "new/er/level.npz", allow_pickle=False)
    assert made["code"] == "walk.1:1:1@80x45"
    (inside / "file").write_text("mine")
    assert run("map", "walk:1", "--output", "file/level.npz") == 1
    assert "file: the folder cannot be created" in capsys.readouterr().err
    assert (inside / "file").read_text() == "mine"


def test_the_name_of_the_output_says_the_format(inside):
    assert run("map", "walk:1", "--output", "level.npz") == 0
    assert np.load(inside / "level.npz", allow_pickle=False)["code"] == "walk.1:1:1@80x45"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "png"], "needs --output"),
        (["--output", "{sead}.png"], "no field {sead}; there are code"),
        (["--generator", "all", "--output", "{seed}.png"], "two levels would be written"),
        (["--format", "xp", "--tile", "12", "--output", "a.xp"], "--tile has no effect"),
        (["--card", "--output", "a.gif"], "--card has no effect"),
        (["--card", "--tile", "12", "--output", "a.png"], "a fixed size"),
        (["--tile", "4", "--output", "a.png"], "from 6 to 64"),
        (["--tile", "64", "--output", "a.gif"], "moving picture"),
        (["--frames", "1", "--output", "a.gif"], "from 2"),
        (["--seeds", "0:100001", "--output", "a.png"], "files"),
        (["--output", "a.bmp"], f".bmp is not one of {ENDINGS}; add"),
        (["--output", ""], "names no file"),
        (["--size", "4000x4000", "--output", "a.png"], "the most is 50: take --flat"),
        (["--size", "4000x4000", "--flat", "--tile", "2", "--output", "a.png"], "the most is 50"),
    ],
)
def test_a_wish_that_means_nothing_gets_a_sentence(arguments, words, inside, capsys):
    assert run("map", *arguments) == 2
    told = capsys.readouterr()
    assert words in told.err
    assert "Traceback" not in told.err
    assert told.out == ""
    assert list(inside.iterdir()) == []


@pytest.mark.parametrize(
    "code", ["digger:7", "digger:7:3@60x40", "wilds:2@5000,300@40x30", "endless_caves:x:4@-9,0"]
)
def test_a_caption_typed_in_gives_its_level(code, inside, capsys):
    full = parse_playable_code(code)
    assert run("map", "".join(caption(full)), "--format", "text") == 0
    assert capsys.readouterr().out.splitlines()[0] == str(full)


def test_a_sheet_is_named_and_captioned(inside, capsys):
    many = ("gallery", "--generator", "walk", "--seeds", "0:3", "--size", "40x30")
    assert run(*many, "--output", "sheet.png") == 0
    image = Image.open(inside / "sheet.png")
    assert image.text["Command"] == (
        "python main.py gallery --generator walk --seeds 0:3 --size 40x30 --columns 4 "
        "--output sheet.png"
    )
    assert image.text["Title"].startswith("walk: One drunken digger")
    assert run(*many, "--output", "sheet.png") == 2
    assert run(*many, "--output", "sheet.jpg") == 2
    assert "not overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("option", ["tile", "flat", "card", "captions", "frames"])
def test_the_help_names_the_formats_that_have_an_option(option):
    commands = read_table("commands.toml", dict[str, Any], section="options")
    text = commands["pictures"][f"--{option}"]["help"]
    named = re.search(r"\(([a-z, ]+)", text)[1].split(", ")
    assert named == [form for form, entry in FORMATS.items() if option in entry.options]
