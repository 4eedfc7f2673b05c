"""`--set STEP.PARAMETER=VALUE` on every command that takes it, and `list`, which explains them."""

import io
import json
import shlex

import pytest
from PIL import Image

from cli import play
from engine.levels.dungeon import new_game
from engine.saves.run_file import read_run
from main import main
from procgen.step_registry import all_steps
from support.command_line import assert_refused
from support.fake_backend import Keyboard

NO_LOOPS = "digger.1;loops.at_most=0"


def printed(capsys, *arguments):
    assert main([str(argument) for argument in arguments]) == 0
    return capsys.readouterr().out


def test_what_is_set_is_in_the_code_and_the_code_makes_the_level_again(capsys):
    text = printed(capsys, "map", "--generator", "digger", "--seed", 7, "--set", "loops.at_most=0")
    code, _, _ = text.partition("\n")
    assert code == f"{NO_LOOPS}:7:1@80x45"
    assert printed(capsys, "map", code) == text
    assert printed(capsys, "map", "digger:7", "--set=loops.at_most=0") == text
    assert printed(capsys, "map", "digger:7") != text


def test_an_option_replaces_what_a_code_sets(capsys):
    text = printed(capsys, "map", f"{NO_LOOPS}:7", "--set", "loops.at_most=16")
    assert text.startswith("digger.1:7:1@80x45\n")


@pytest.mark.parametrize("form", ["text", "csv", "jsonl", "codes"])
def test_found_levels_are_found_again_by_their_lines(form, capsys, monkeypatch):
    lists = "--set", "scatter.on=floor,shallows", "--set", "lakes.number=1"
    found = printed(
        capsys, "find", "--generator", "caves", *lists, "--where", "floor > 0.3",
        "--seeds", "0:2", "--workers", 1, "--format", form,
    )  # fmt: skip
    assert "caves.1;lakes.number=1;scatter.on=floor,shallows:0:1@80x45" in found
    monkeypatch.setattr("sys.stdin", io.StringIO(found))
    lines = printed(capsys, "map", "-").splitlines()
    assert lines[0] == "caves.1;lakes.number=1;scatter.on=floor,shallows:0:1@80x45"
    assert sum("caves" in line for line in lines) == 2


def test_survey_check_and_gallery_measure_and_draw_the_changed_generator(capsys, tmp_path):
    few = "--seeds", "0:3", "--workers", 1
    page = printed(
        capsys, "survey", "--generator", "digger", "--set=loops.at_most=0", *few, "--output", "-"
    )
    assert "<h2>digger;loops.at_most=0</h2>" in page
    assert "--set=loops.at_most=0" in page
    assert (
        main(["check", "--generator", "caves", "--set=require_floor.share=1", *map(str, few)]) == 6
    )
    assert (
        "broken: caves.1;require_floor.share=1:0:1@80x45: all 64 attempts were rejected "
        "(and 2 other levels)\n" in capsys.readouterr().out
    )
    target = tmp_path / "sheet.png"
    printed(capsys, "gallery", "digger:1", "--set=loops.at_most=0", "--output", target)
    assert b"digger.1;loops.at_most=0:1:1@80x45" in target.read_bytes()
    printed(capsys, "gallery", "caves:1", "--set=fissures=off", "--output", target, "--force")
    with Image.open(target) as sheet:
        again = shlex.split(sheet.text["Command"].replace("python main.py ", ""))
    printed(capsys, *again[:-1], tmp_path / "again.png")
    assert (tmp_path / "again.png").exists()


def test_files_of_levels_that_differ_in_settings_alone_have_names_of_their_own(capsys, tmp_path):
    codes = [f"rooms;rectangular_rooms.tries={tries}:1" for tries in (20, 25)]
    printed(capsys, "map", *codes, "--output", f"{tmp_path}/", "--format", "text")
    names = sorted(path.name for path in tmp_path.iterdir())
    assert len(names) == 2
    assert all(name.startswith("rooms.1-set-") and name.endswith("-80x45.txt") for name in names)


def test_a_run_keeps_its_settings_on_every_depth_and_in_its_file(own_home, monkeypatch):
    monkeypatch.setattr(play, "open_backend", lambda **_: Keyboard("."))
    assert main(["play", "--generator", "digger", "--seed", "7", "--set", "loops.at_most=0"]) == 0
    (path,) = (own_home / "runs").glob("*.jsonl")
    recorded = read_run(path)
    setup = recorded.header.setup
    assert setup.settings == ("loops.at_most=0",)
    assert not setup.is_standard
    state = new_game(setup)
    assert str(state.code) == f"{NO_LOOPS}:7:1@80x45"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["map", "digger:1", "--set", "lops.at_most=1"], "do you mean loops?"),
        (["find", "--generator", "digger", "--set", "a.b", "--sort", "path"], "is not STEP."),
        (["survey", "--set", "loops.at_most=1"], "rooms has no step 'loops'"),
        (["check", "--generator", "digger", "--set", "loops.at_most=-1"], "from 0 to 50"),
        (["play", "--set", "loops.at_most=1"], "--set needs a --generator"),
        (["play", "--continue", "--set", "loops.at_most=1"], "give no other options"),
        (["play", "--generator", "wilds", "--set", "a.b=1"], "wilds is an infinite world"),
        (["map", "--generator", "wilds", "--set", "a.b=1"], "wilds is an infinite world"),
        (
            ["find", "--generator", "digger", "--evolve", "path=9", "--set", "loops.at_most=1"],
            "give --set or --evolve, not both",
        ),
        (["list", "nope"], "there is no generator or step 'nope'"),
        (["list", "cvaes"], "there is no generator or step 'cvaes' (do you mean caves?)"),
        (["list", "latkes"], "there is no generator or step 'latkes' (do you mean lakes?)"),
        (["list", "--steps", "digger"], "leave out the names"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_one_sentence(arguments, words, capsys):
    assert_refused(arguments, words, capsys)


def test_the_short_list_writes_values_as_settings_take_them(capsys):
    lines = [line.split() for line in printed(capsys, "list").splitlines()]
    written = {pair for line in lines if line[:1] == ["scatter"] for pair in line[1:]}
    assert {"on=floor", "beside=none"} <= written


def test_a_level_that_no_attempt_can_build_fails_with_a_sentence(capsys):
    assert_refused(
        ["map", "diamonds;voronoi_cells.area=1:3"], "attempts were rejected", capsys, code=1
    )


def test_levels_beside_one_that_cannot_be_built_are_written(tmp_path, capsys):
    codes = ["rooms:1", "diamonds;voronoi_cells.area=1:3", "rooms:2"]
    assert main(["map", *codes, "--format", "jsonl"]) == 1
    out, err = capsys.readouterr()
    assert [json.loads(line)["seed"] for line in out.splitlines()] == [1, 2]
    assert "attempts were rejected" in err
    assert main(["map", *codes, "--output", str(tmp_path / "one.txt")]) == 1
    assert (tmp_path / "one.txt").read_text(encoding="utf-8").count("--format text") == 2
    assert main(["map", *codes, "--format", "png", "--output", f"{tmp_path}/many/"]) == 1
    assert len(list((tmp_path / "many").iterdir())) == 2
    assert main(["map", codes[1], "--output", str(tmp_path / "none.txt")]) == 1
    assert not (tmp_path / "none.txt").exists()


@pytest.mark.parametrize("name", ["arena", "mission", "wilds", "--steps"])
def test_no_line_of_an_explanation_is_wider_than_a_terminal(name, capsys):
    lines = printed(capsys, "list", name).splitlines()
    wrapped = [line for line in lines if line.startswith(" ")]  # Headings may be longer.
    assert max(map(len, wrapped)) <= 100
    assert not any(len(line.strip()) == 1 for line in lines), "no room was left beside a value"


def test_list_explains_every_parameter_of_a_generator(capsys):
    told = printed(capsys, "list", "digger")
    assert "version 1, 80x45 by default, 20x15 at least" in told
    assert "loops; needs floor" in told
    assert "threshold = 20  a whole number from 0 to 10000 steps" in told
    assert "A share `doors` of the openings gets a door." in told
    (record,) = json.loads(printed(capsys, "list", "digger", "--json"))
    (loops,) = (step for step in record["steps"] if step["step"] == "loops")
    assert loops["needs"] == ["floor"]
    assert loops["parameters"][0]["name"] == "threshold"
    assert loops["parameters"][0]["unit"] == "steps"
    assert loops["parameters"][0]["value"] == 20
    assert "longer than `threshold` steps" in loops["parameters"][0]["meaning"]


def test_a_script_reads_the_limits_of_a_parameter_as_numbers(capsys):
    records = json.loads(printed(capsys, "list", "digger", "bsp", "--json"))
    limits = {
        f"{step['label']}.{one['name']}": (one["least"], one["most"])
        for record in records
        for step in record["steps"]
        for one in step["parameters"]
    }
    assert limits["loops.threshold"] == (0, 10000)
    assert limits["loops.doors"] == (0, 1)
    assert limits["place_vaults.tags"] == (None, None)
    heading = printed(capsys, "list", "digger", "--format", "csv").partition("\n")[0]
    assert "range,least,most,unit" in heading


def test_list_explains_all_steps_or_one(capsys):
    records = json.loads(printed(capsys, "list", "--steps", "--json"))
    assert [record["step"] for record in records] == list(all_steps())
    told = printed(capsys, "list", "--steps")
    assert all(f"\n{name}" in f"\n{told}" for name in all_steps())
    alone = printed(capsys, "list", "scatter")
    assert alone.startswith("scatter; needs floor\n  Turn a `share` of the tiles `on` into `tile`")
    assert alone in told
    assert "wilderness" in printed(capsys, "list", "wilds")
