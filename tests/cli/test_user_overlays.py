"""Overlays in the user folder, by command lines."""

import json

import pytest

from main import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.recipes import find_recipe
from procgen.settings import complete
from support.bot_runs import played
from support.command_line import assert_refused
from support.user_folder import STEP, printed
from workbench.search.search_jobs import (
    recipe_fingerprint,
    run_search_job,
    search_jobs,
)

ODD = '[odd]\ndescription = ""\n'


def levels(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(
    ("typed", "printed_code"),
    [
        ("keep+~misty:7", "keep.1+~misty.1:7:1@80x45"),
        ("Keep+Misty:7", "keep.1+~misty.1:7:1@80x45"),
        ("keep+crossed+~misty+flooded:7", "keep.1+flooded.1+~misty.1+~crossed.1:7:1@80x45"),
        ("~trench+misty:7", "~trench.1+~misty.1:7:1@80x45"),
        ("keep+~dark+dark:7", "keep.1+dark.1+~dark.1:7:1@80x45"),
        ("keep+dark:7", "keep.1+dark.1:7:1@80x45"),
    ],
)
def test_a_code_has_our_overlays_and_then_those_of_the_folder(mine, typed, printed_code, capsys):
    text = printed(capsys, "map", typed, "--mine", mine)
    assert text.startswith(f"{printed_code}\n")
    assert printed(capsys, "map", printed_code, "--mine", mine) == text


def test_overlays_of_one_s_own_bring_steps_colours_light_and_monsters(mine, capsys, monkeypatch):
    asked = ("keep:7", "keep+~misty:7", "keep+~crossed:7", "--mine", mine, "--format", "jsonl")
    plain, misty, crossed = levels(printed(capsys, "map", *asked))
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    built = build(complete(parse_code("keep+~misty:7")))
    assert (built.theme, built.light) == ("fort+~dusk", "dark")
    bats = [sum(one["kind"] == "bat" for one in level["spawns"]) for level in (plain, misty)]
    assert bats[1] > bats[0] + 5
    assert all("#" not in row[1:-1] for row in crossed["tiles"][22:24])
    assert "misty keep" in printed(capsys, "describe", "keep+~misty:7", "--mine", mine)


def test_overlays_of_one_s_own_work_on_every_command(mine, capsys):
    printed(capsys, "check", "--generator", "walk+~misty", "--seeds", "0:3", "--mine", mine)
    settings = ("--set", "~misty/scatter.share=0.2")
    found = printed(
        capsys, "find", "--generator", "walk+misty", *settings, "--where", "floor > 0.01",
        "--seeds", "0:3", "--workers", 1, "--mine", mine, "--format", "codes",
    )  # fmt: skip
    assert found.splitlines()[0] == "walk.1+~misty.1;~misty/scatter.share=0.2:0:1@80x45"
    surveyed = printed(
        capsys, "survey", "--generator", "bsp+~misty", "--seeds", "0:3", "--mine", mine
    )
    assert "bsp+~misty" in surveyed
    listed = printed(capsys, "list", "--mine", mine)
    assert listed.index("\nat_war  Orcs") < listed.index("\n~misty  Moss and dim light.\n")
    assert "~crossed/midway; needs floor" in printed(capsys, "list", "bsp+crossed", "--mine", mine)
    gallery = ("gallery", "--generator", "all+~misty", "--size", "60x40", "--mine", mine)
    printed(capsys, *gallery, "--output", mine / "sheet.png")


@pytest.mark.parametrize(
    ("request_text", "understood"),
    [
        ("a misty keep with many loops", "keep+~misty; many loops"),
        ("~crossed sparse", "sparse+~crossed"),
        ("~wide_digger", "~wide_digger"),
        ("~unknown keep", "keep\nnot understood: ~unknown"),
    ],
)
def test_a_request_in_words_may_name_what_is_in_the_folder(mine, request_text, understood, capsys):
    main(["find", "--words", request_text, "--seeds", "0:1", "--workers", "1", "--mine", str(mine)])
    assert f"understood: {understood}\n" in capsys.readouterr().err


def test_an_overlay_is_read_anew_when_its_file_changes(mine, capsys):
    asked = [("keep+~misty:7",), ("keep+~misty:7", "--set", "~misty/scatter.patch=4")]
    before = [printed(capsys, "map", *words, "--mine", mine) for words in asked]
    path = mine / "overlays.toml"
    path.write_text(path.read_text().replace("share = 0.4", "share = 0.25"))
    for words, text in zip(asked, before, strict=True):
        assert printed(capsys, "map", *words, "--mine", mine) != text
    path.write_text('[misty]\ndescription = ""\nversion = 2\nsteps = []\n')
    words = "the overlay ~misty has no version 1; its newest is 2"
    assert_refused(["map", "walk+~misty.1:7", "--mine", mine], words, capsys)


def test_our_names_alone_leave_the_folder_alone(mine, capsys):
    flag = mine / "ran"
    (mine / "steps" / "evil.py").write_text(f"open({str(flag)!r}, 'w')")
    printed(capsys, "map", "keep+flooded:7", "walk:7", "--mine", mine)
    drawn = "keep.1+~misty.1:7:1@80x45\n#####\n#<.>#\n#####\n"
    (mine / "drawn.txt").write_text(drawn)
    printed(capsys, "describe", mine / "drawn.txt", "--mine", mine)
    words = ("--words", "a flooded keep", "--seeds", "0:1", "--workers", 1)
    printed(capsys, "find", *words, "--mine", mine)
    assert not flag.exists()
    printed(capsys, "map", "keep+~misty:7", "--mine", mine)
    assert flag.exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("steps = 3\n", "[odd]: steps: Expected a list, got a whole number"),
        ('steps = []\npallete = "coast"\n', "`pallete` (do you mean palette?)"),
        ('steps = []\npalette = "x"\n', "[odd]: palette: there is no theme 'x'"),
        ('steps = []\npalette = "interface"\n', "palette: there is no theme 'interface'"),
        ('steps = []\npalette = "cost"\n', "there is no theme 'cost' (do you mean coast?)"),
        ('steps = []\npalette = "~dsk"\n', "there is no theme '~dsk' (do you mean ~dusk?)"),
        ('steps = []\nlight = "drak"\n', "light: there is no 'drak' (do you mean dark?)"),
        ('steps = []\nsides = [["ork"], ["bat"]]\n', "sides: there is no 'ork' (do you mean orc?)"),
        ('steps = []\nlight = "x"\n', "[odd]: light: there is no 'x'"),
        ('steps = []\nsides = [["hero"], ["bat"]]\n', "sides: there is no 'hero' (do you mean arc"),
        ('steps = []\nsides = [["bat"], ["pixie"]]\n', "[odd]: sides: there is no 'pixie'"),
        ('steps = []\nsides = [["orc"]]\n', "sides: Expected a list of length at least 2"),
        ('steps = []\nsides = [["orc"], []]\n', "sides[1]: Expected a list of length at least 1"),
        ('steps = []\nsides = [["orc"], ["bat", "orc"]]\n', "sides: 'orc' is on more than one"),
        ('steps = [{ step = "main_path" }]\n', "main_path: the level is laid out before any"),
        ('steps = [{ step = "random_walk" }]\n', "random_walk: the level is laid out before"),
        ('steps = [{ step = "rectangular_rooms" }]\n', "rooms: the level is laid out before"),
        ("steps = []\n[odd.spawn_weights]\nunicorn = {}\n", "spawn_weights: there is no 'unicorn'"),
        ("steps = []\nspawn_weights = { bat = { deep = 5 } }\n", " a key of spawn_weights[...]: "),
        ('steps = []\nspawn_weights = { bat = { "1\\n" = 5 } }\n', "spawn_weights[...]: "),
        ("steps = []\nspawn_weights = { bat = { 1 = 1_000_001 } }\n", "a whole number <= 1000000"),
        (f"steps = []\n[odd.spawn_weights.bat]\n{'9' * 5000} = 5\n", "spawn_weights[...]: "),
        ('steps = [{ step = "mdway" }]\n', "[odd]: there is no step 'mdway' (do you mean"),
        ('steps = [{ step = "midway", width = "x" }]\n', "[odd]: midway: width: Expected a whole"),
        ('steps = []\n["odd.2"]\ndescription = ""\nsteps = []\n', "the name says 2, the entry 1"),
        ('steps = []\n[Odd]\ndescription = ""\nsteps = []\n', "[Odd]: a name has 1 to 60 lower"),
        (f'steps = []\n[{"a" * 61}]\ndescription = ""\nsteps = []\n', "a name has 1 to 60 lower"),
        (
            'steps = [{ step = "place_vaults", tags = ["~no"] }]\n',
            "[odd]: place_vaults: tags: there is no vault with the tag '~no'",
        ),
        ("steps = [\n", "overlays.toml: not valid TOML"),
    ],
)  # fmt: skip
def test_a_mistake_in_an_overlay_costs_only_that_overlay(mine, text, words, capsys):
    path = mine / "overlays.toml"
    path.write_text(path.read_text() + ODD + text)
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert f"{path}: " in said
    assert said.count("\n") == 1
    if not any(part in text for part in ("[Odd]", "[aaa", "odd.2", "tags")):
        for code in ("walk+~odd:7", "walk+odd:7"):
            assert_refused(["map", code, "--mine", mine], words, capsys, code=1)
    printed(capsys, "map", "keep+flooded:7", "~trench:7", "--mine", mine)
    if "not valid" not in words:
        printed(capsys, "map", "keep+~misty:7", "--mine", mine)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (
            "keep+~msty:7",
            "no overlay '~msty' (do you mean ~misty?): names with ~ are your own, from",
        ),
        ("keep+msty:7", "there is no overlay 'msty' (do you mean ~misty?)"),
        ("~misty:7", "~misty is an overlay: add it to a generator, as in keep+~misty"),
        ("misty:7", "misty is an overlay: add it to a generator, as in keep+misty"),
        ("keep+misty+~misty:7", "the overlay ~misty is named twice"),
        ("keep+misty+crossed+dark+flooded:7", "a level has at most 3 overlays, not 4"),
        ("wilds+~misty:7", "wilds is an infinite world: it takes no overlays"),
    ],
)
def test_an_overlay_that_cannot_be_used_is_refused_in_a_sentence(mine, typed, words, capsys):
    assert_refused(["map", typed, "--mine", mine], words, capsys)


def test_a_step_of_one_s_own_that_fails_in_an_overlay_is_named_by_file_and_line(mine, capsys):
    (mine / "steps" / "midway.py").write_text(STEP.replace("height", "hight"))
    words = "midway.py, line 7, in midway: "
    assert_refused(["map", "walk+~crossed:7", "--mine", mine], words, capsys, code=1)


def test_a_run_is_not_scored_and_names_the_overlay_that_is_missing(mine, capsys, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    path = mine / "run.jsonl"
    state = played(path, 5, generator="rooms+misty", size=(40, 30)).state
    assert (str(state.code), state.scored) == ("rooms.1+~misty.1:3:1@40x30", False)
    assert main(["replay", str(path), "--verify"]) == 0
    (mine / "overlays.toml").unlink()
    capsys.readouterr()
    assert main(["replay", str(path), "--verify"]) == 1
    said = capsys.readouterr().err
    needed = "there is no overlay '~misty': names with ~ are your own, from "
    assert (
        f"{path}: needs a recipe of your own: {needed}{mine / 'overlays.toml'} (not found; " in said
    )
    assert "keyframes" not in said


def test_a_worker_with_another_overlay_is_refused(mine, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    recipe_fingerprint.cache_clear()
    job = next(search_jobs([find_recipe("walk+misty").code(0)], range(3)))
    assert run_search_job(job).tried == 3
    path = mine / "overlays.toml"
    path.write_text(path.read_text().replace('"1" = 500', '"1" = 40'))
    recipe_fingerprint.cache_clear()
    with pytest.raises(OSError, match=r"another recipe walk\+~misty"):
        run_search_job(job)
    path.unlink()
    recipe_fingerprint.cache_clear()
    with pytest.raises(OSError, match=r"a worker: there is no overlay '~misty': names with ~"):
        run_search_job(job)
