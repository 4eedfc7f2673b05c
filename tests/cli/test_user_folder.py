"""A user folder: recipes, steps, samples, vaults and themes, by command lines."""

import json
import shlex

import pytest
from PIL import Image

import seedhollow
from entities.folders import command_line
from main import main
from procgen.build import build_in_stages
from procgen.recipes import find_any
from support.command_line import assert_refused, run
from support.user_folder import RECIPES, STEP, printed

OF_BSP = '[odd]\ndescription = ""\nextends = "bsp"\n'
OF_WFC = OF_BSP.replace("bsp", "wfc") + 'change.wave_function_collapse.sample_map = "{}"\n'
OF_STEP = '[odd]\ndescription = ""\nsteps = [{{ {} }}]\n'
OF_ROOMS = OF_BSP.replace("bsp", "rooms") + 'change.monsters_in_rooms.first = "ork"\n'
OF_CYCLES = OF_BSP.replace("bsp", "mission") + 'change.cycles.kinds = ["patrol", "two_key"]\n'
OF_SCATTER = OF_STEP.format('step = "scatter", on = ["floor", "tunel"]')
LOOP = OF_BSP.replace("bsp", "~odd")
RED = '[dusk]\nname = "x"\narrival = ["", "", ""]\nwall_kind = "rock"\nlight = "red"\n'


def levels(text):
    return [json.loads(line) for line in text.splitlines()]


def test_recipes_steps_samples_vaults_and_themes_are_loaded_like_ours(mine, capsys):
    codes = [f"~{name}:7" for name in ("trench", "pillars", "cells")]
    text = printed(capsys, "map", *codes, "--mine", mine, "--format", "jsonl")
    trench, pillars, cells = levels(text)
    assert trench["code"] == "~trench.1:7:1@80x45"
    assert all(row[1:-1] == "." * 78 for row in trench["tiles"][22:24])
    assert any("O" in row for row in pillars["tiles"])
    assert sum("%" in row for row in cells["tiles"]) >= 1
    listed = printed(capsys, "list", "--mine", mine)
    assert "~trench  A cave with a straight corridor." in listed
    assert "width = 1" in printed(capsys, "list", "midway", "--mine", mine)
    assert "midway" in printed(capsys, "list", "--steps", "--mine", mine)


def test_the_code_is_the_same_level_without_the_mark_too_but_says_that_it_is_not_ours(mine, capsys):
    text = printed(capsys, "map", "trench:7", "--mine", mine)
    assert text.startswith("~trench.1:7:1@80x45\n")
    assert printed(capsys, "map", "~trench.1:7:1@80x45", "--mine", mine) == text


def test_a_recipe_that_extends_ours_makes_our_levels_with_its_changes(mine, capsys):
    ours = printed(capsys, "map", "digger:7", "--set", "loops.at_most=0")
    own = printed(capsys, "map", "~open_digger:7", "--mine", mine)
    assert own.splitlines()[1:] == ours.splitlines()[1:]
    changes = "--set=loops.at_most=0", "--set=attach_rooms.rooms=9"
    ours = printed(capsys, "map", "digger:7", *changes)
    own = printed(capsys, "map", "~wide_digger:7", "--mine", mine)
    assert own.splitlines()[1:] == ours.splitlines()[1:]


def test_an_old_version_stays_the_same_level_whatever_the_current_one_extends(mine, capsys):
    path, old = mine / "recipes.toml", '["kept.1"]\ndescription = ""\nextends = "digger"\n'
    new = '[kept]\nversion = 2\ndescription = ""\nextends = "caves"\n'
    path.write_text(path.read_text() + old + new)
    ours = printed(capsys, "map", "digger:7")
    own = printed(capsys, "map", "~kept.1:7", "--mine", mine)
    assert own.splitlines()[1:] == ours.splitlines()[1:]


def test_written_commands_name_the_folder_of_one_s_own_if_an_option_did(mine, capsys):
    target, sheet = mine / "a.png", mine / "sheet.png"
    printed(capsys, "map", "trench:7", "--mine", mine, "--output", target)
    with Image.open(target) as picture:
        words = shlex.split(picture.info["Command"])[2:]
    target.unlink()
    assert main([word.replace("a.png", str(target)) for word in words]) == 0
    with Image.open(target) as picture:
        assert picture.info["Title"] == "~trench.1:7:1@80x45"
    printed(capsys, "gallery", "--generator", "trench", "--mine", mine, "--output", sheet)
    with Image.open(sheet) as picture:
        assert picture.info["Command"].endswith(shlex.join(["--mine", str(mine)]))
    target.unlink()
    printed(capsys, "map", "walk:7", "--output", target)
    with Image.open(target) as picture:
        assert "--mine" not in picture.info["Command"]


def test_searches_checks_and_settings_work_on_one_s_own_on_all_cores(mine):
    found = run(
        "find", "--generator", "~trench", "--set", "midway.width=3", "--where", "floor > 0.01",
        "--seeds", "0:60", "--limit", 2, "--workers", 2, "--mine", mine, "--format", "codes",
    )  # fmt: skip
    assert found.stdout.splitlines()[0] == "~trench.1;midway.width=3:0:1@80x45", found.stderr
    checked = run("check", "--generator", "~trench,~cells", "--seeds", "0:3", "--mine", mine)
    assert checked.returncode == 0, checked.stderr


def test_no_step_of_one_s_own_goes_into_a_recipe_that_others_have_without_it(mine, capsys):
    words = "there is no step 'midway'"
    assert_refused(["map", "rooms;midway=exit_in_last_room:1", "--mine", mine], words, capsys)


def test_the_library_searches_levels_of_one_s_own_recipes_and_steps(mine, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    found = list(seedhollow.find("floor > 0.01", "~trench", range(3), workers=2))
    assert [code.partition(":")[0] for code, _ in found] == ["~trench.1"] * 3
    with pytest.raises(ValueError, match=r"recipes.toml \(set another folder with --mine or"):
        list(seedhollow.find("floor > 0.01", "~nope", range(3)))


@pytest.mark.parametrize(("yielded", "caption"), [("", "midway"), ("width", "2")])
def test_a_caption_is_text_whatever_a_step_yields(mine, monkeypatch, yielded, caption):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    path = mine / "steps" / "midway.py"
    path.write_text(STEP.replace('"A corridor"', yielded))
    frames = seedhollow.level("~trench:7").steps()
    assert caption in [frame.caption for frame in frames if frame.step == "midway"]


def test_the_folder_for_options_is_one_s_own_if_none_is_named(mine, monkeypatch, capsys):
    monkeypatch.delenv("SEEDHOLLOW_MINE")
    monkeypatch.setenv("SEEDHOLLOW_DATA", str(mine))
    assert "~trench.1" in printed(capsys, "map", "~trench:7")


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("recipes.toml", "[odd]\ndescription = 3\n", "recipes.toml: [odd]: description: Expected"),
        ("recipes.toml", OF_STEP.format('step = "nope"'), "'nope'; see `list --steps`; your"),
        ("recipes.toml", OF_STEP.format('step = "mdway"'), "'mdway' (do you mean midway?); see"),
        ("recipes.toml", OF_STEP.format('stepp = "midway"'), 'no step = "NAME"; it has stepp\n'),
        ("recipes.toml", '[odd]\ndescription = ""\nsteps = [{ step = [] }]\n', "no step '[]'"),
        ("recipes.toml", '[odd]\ndescription = ""\nextends = "bsp"\ntheme = "x"\n', "theme 'x'"),
        ("recipes.toml", OF_BSP + "change = { locked_vaults = { atmost = 1 } }\n", "mean at_most?"),
        ("recipes.toml", OF_BSP + "change = { locked_vaults = 3 }\n", "locked_vaults: must be"),
        ("recipes.toml", OF_BSP + 'edit = ["doors=off"]\n', "`edit` (do you mean edits?)"),
        ("recipes.toml", OF_ROOMS, "[odd]: monsters_in_rooms: first: there is no monster 'ork' ("),
        ("recipes.toml", OF_CYCLES, "cycles: kinds: there is no 'two_key' (do you mean two_keys"),
        ("recipes.toml", OF_SCATTER, "scatter: on[1]: Invalid enum value 'tunel' (do you mean tun"),
        ("recipes.toml", OF_BSP + "smallest = [1, 1]\n", "[odd]: smallest: must be at least 3x3"),
        ("recipes.toml", OF_BSP + "size = [80, 14]\n", "size: is below the smallest, 20x15"),
        ("recipes.toml", OF_BSP + "size = [9, 99]\n", "[odd]: size: is below the smallest, 20x15"),
        ("recipes.toml", OF_WFC.format("~my cave"), "wreck, or ~NAME of letters a to z, digits, "),
        ("recipes.toml", OF_WFC.format("wrek"), "sample_map: Expected canals, chambers, chapel, "),
        ("recipes.toml", "[odd\n", "recipes.toml: not valid TOML"),
        ("recipes.toml", OF_BSP + "size = [99999, 9]\n", "size[0]: Expected a whole number <= 40"),
        ("recipes.toml", LOOP, "[odd]: extends: '~odd' extends itself"),
        ("steps/odd.py", "def (\n", "odd.py: SyntaxError: "),
        ("steps/odd.py", "raise SystemExit(3)", "odd.py: SystemExit: 3"),
        ("steps/odd.py", STEP.replace("midway", "loops"), "another step called loops"),
        ("steps/odd.py", STEP.replace("yield", "plan ="), "midway yields nothing: a step yields"),
        ("steps/odd.py", STEP.replace('(needs="floor")', ""), "odd.py: TypeError: write @step(), "),
        (
            "steps/odd.py",
            STEP.replace('"floor"', '"floor", depends_on={"width": "hight=high"}'),
            "odd.py: ValueError: midway: varies or depends_on names hight, which is no parameter",
        ),
        (
            "steps/odd.py",
            STEP.replace('"floor"', '"floor", varies="wide"'),
            "odd.py: ValueError: midway: varies or depends_on names wide, which is no parameter",
        ),
        ("steps/odd.py", STEP.replace("*, ", ""), "midway must be a function (plan, rng, *, "),
        ("steps/odd.py", STEP.replace("plan, rng, ", ""), "midway must be a function (plan, rng, "),
        ("steps/odd.py", STEP.replace("int = 1", "set = Tile"), "odd.py: TypeError: Encoding"),
        ("steps/odd.py", STEP.replace("1", '"x"'), "width: Expected a whole number, got text\n"),
        ("steps/odd.py", STEP.replace("int = 1", "list[str] = ['a']"), "width must be a tuple"),
        (
            "steps/odd.py",
            STEP.replace("midway", "shaft").replace("floor", "flor"),
            "odd.py: shaft needs 'flor' (do you mean floor?), which no step gives",
        ),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_and_the_rest_still_works(mine, file, text, words, capsys):
    path = mine / file
    path.write_text((path.read_text() if path.exists() else "") + text)
    for asked in (["map", "~odd:7"], ["list", "odd"]):
        assert_refused([*asked, "--mine", mine], words, capsys, code=1)
    printed(capsys, "map", "walk:7", "--mine", mine)
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr()
    assert words in said.err
    assert said.err.count("\n") == 1
    if "not valid" not in words:
        printed(capsys, "map", "~trench:7", "--mine", mine)


@pytest.mark.parametrize(
    ("base", "step", "value", "words"),
    [
        ("sparse", "place_vaults", 'tags = ["~nosuch"]', "tags: there is no vault with the tag '~"),
        ("sparse", "place_vaults", 'tags = ["nosuch"]', "tags: there is no vault with the tag 'n"),
        ("wfc", "wave_function_collapse", 'sample_map = "~nosuch"', "nosuch.txt: cannot be read"),
    ],
)
def test_a_part_that_there_is_not_is_named(mine, base, step, value, words, capsys):
    edits = 'edits = ["place_vaults=rectangular_rooms"]\n' if base == "sparse" else ""
    entry = f'[odd]\ndescription = ""\nextends = "{base}"\n{edits}change.{step} = {{ {value} }}\n'
    (mine / "recipes.toml").write_text(entry)
    assert_refused(["map", "~odd:7", "--mine", mine], words, capsys, code=1)
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr().err
    assert f"recipes.toml: [odd]: {step}: {value.split()[0]}: there is no " in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("file", "text", "code", "words"),
    [
        (
            "steps/midway.py",
            STEP.replace("height", "hight"),
            "~trench:7",
            "midway.py, line 7, in midway: ",
        ),
        (
            "steps/midway.py",
            STEP.replace("width: int = 1", "width=1"),
            "~trench:7",
            "midway.py: ValueError: midway: the parameter width needs a type",
        ),
        (
            "steps/midway.py",
            STEP.replace("width: int = 1", "width: int"),
            "~trench:7",
            "midway.py: ValueError: midway: the parameter width needs a default",
        ),
        ("steps/midway.py", STEP.replace('"A corridor"', "exit(3)"), "~trench:7", "SystemExit: 3"),
        (
            "steps/midway.py",
            STEP.replace("    yield", "    plan.tiles = plan.tiles[1:]\n    yield"),
            "~trench:7",
            "midway.py: midway changed the size of the map",
        ),
        ("samples/posts.txt", "##\n##\n", "~pillars:7", "posts.txt: line 1: a map has sides of 3"),
        ("vaults/mine.txt", "[odd]\nmap:\n###\n", "~cells:7", "mine.txt: [odd]"),
        ("themes.toml", "[dusk]\nname = 3\n", None, "themes.toml: [dusk]"),
        ("themes.toml", RED.replace('"x"', '""'), None, "name: Expected text of length at least 1"),
        ("themes.toml", RED, None, "themes.toml: [dusk]: light: Expected a colour such as #e8d0ff"),
    ],
)
def test_a_fault_found_only_when_building_names_the_file_or_the_step(
    mine, file, text, code, words, capsys
):
    (mine / file).write_text(text)
    if code:
        assert_refused(["map", code, "--mine", mine], words, capsys, code=1)
    else:
        printed(capsys, "map", "~trench:7", "--mine", mine)
    if not file.startswith("steps"):
        assert main(["list", "--mine", str(mine)]) == 1
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("after", ["attach_rooms", "monsters_by_density"])
def test_a_step_that_changes_the_size_after_its_last_picture_is_named(mine, after, capsys):
    """As the last step it gave a level of another size than its code says."""
    wider = '"A corridor"\n    plan.tiles = plan.tiles.repeat(2, axis=1)'
    (mine / "steps" / "midway.py").write_text(STEP.replace('"A corridor"', wider))
    entry = f'[odd]\ndescription = ""\nextends = "digger"\nedits = ["midway={after}"]\n'
    (mine / "recipes.toml").write_text(entry)
    words = "midway.py: midway changed the size of the map"
    assert_refused(["map", "~odd:7", "--mine", mine], words, capsys, code=1)


def test_a_picture_without_a_caption_has_the_name_of_its_step(mine, monkeypatch):
    (mine / "steps" / "midway.py").write_text(STEP.replace('yield "A corridor"', "yield"))
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    captions = [stage.caption for stage in build_in_stages(find_any("~trench").code(7))]
    assert captions.count("midway") == 1
    assert "No change" not in captions


def test_texts_of_recipes_command_no_terminal_and_are_not_endless(mine, capsys):
    entry = '[odd]\ndescription = "\\u001b[2J"\nextends = "{}"\n'
    edit = 'edits = ["place_vaults=rectangular_rooms"]\n'
    change = 'change.place_vaults.tags = ["\\u001b[2J"]\n'
    (mine / "recipes.toml").write_text(entry.format("sparse") + edit + change)
    for asked in ([], ["~odd"]):
        main(["list", *asked, "--mine", str(mine)])
        said = capsys.readouterr()
        assert "?[2J" in said.out
        assert "\x1b" not in said.out + said.err
    (mine / "recipes.toml").write_text(entry.format("bsp") + f'wishes = "{"(" * 10**5}"\n')
    for asked in (["list"], ["map", "~odd:1"]):
        assert main([*asked, "--mine", str(mine)]) == 1
        assert len(capsys.readouterr().err) < 3000


def test_a_broken_file_of_steps_is_named_before_the_recipes_that_lack_the_step(mine, capsys):
    (mine / "steps" / "midway.py").write_text("def (\n")
    assert main(["list", "--mine", str(mine)]) == 1
    listed = capsys.readouterr().err
    assert main(["map", "~trench:7", "--mine", str(mine)]) == 1
    for said in (listed, capsys.readouterr().err):
        assert said.index("midway.py: SyntaxError: ") < said.index("there is no step 'midway'; see")
        assert "scatter_rock" not in said


def test_only_steps_run_code(mine, capsys):
    flag = mine / "ran"
    for name in ("recipes.py", "samples/evil.py", "vaults/evil.py", "themes.py"):
        (mine / name).write_text(f"open({str(flag)!r}, 'w')")
    printed(capsys, "map", "~trench:7", "~pillars:7", "~cells:7", "--mine", mine)
    assert not flag.exists()


def test_the_mistakes_in_all_themes_are_told_at_once_on_lines_of_their_own(mine, capsys):
    written = "".join(
        f'[{name}]\nname = "the {name}"\nwall_kind = "wood"\n' for name in ("ash", "fen")
    )
    (mine / "themes.toml").write_text(written)
    assert main(["list", "--mine", str(mine)]) == 1
    *_, ash, fen = capsys.readouterr().err.splitlines()
    assert ash.startswith(f"{mine / 'themes.toml'}: [ash]: ")
    assert fen.startswith(f"{mine / 'themes.toml'}: [fen]: ")


def test_a_theme_that_is_written_while_the_program_runs_is_found(mine, capsys):
    path = mine / "themes.toml"
    written = path.read_text()
    path.unlink()
    assert_refused(["map", "~trench:7", "--mine", mine], "no theme '~dusk'", capsys, code=1)
    path.write_text(written)
    assert printed(capsys, "map", "~trench:7", "--mine", mine).startswith("~trench")


def test_without_the_folder_a_code_of_it_names_what_there_is(mine, capsys):
    needed = "there is no generator '~nope': names with ~ are your own, from "
    needed += (
        f"{mine / 'home' / 'recipes.toml'} (not found; `list` names files not read; set another "
    )
    assert_refused(["map", "~nope:7"], needed, capsys)
    near = "there is no generator '~trnch' (do you mean ~trench?): names with ~ are your own"
    assert_refused(["map", "~trnch:7", "--mine", mine], near, capsys)
    with pytest.raises(SystemExit) as caught:
        main(["list", "--mine", str(mine / "nowhere")])
    assert caught.value.code == 2
    assert "is not a folder" in capsys.readouterr().err


def test_a_package_offers_steps_by_its_entry_points(mine, capsys, monkeypatch):
    site = mine / "packages"
    about = site / "my_steps-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "my_steps.py").write_text(STEP.replace("midway", "halfway"))
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: my-steps\nVersion: 1.0\n")
    points = "[seedhollow.steps]\nall = my_steps\nbad = my_steps:nothing\n"
    (about / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(site)
    entry = RECIPES.replace("[trench]", "[lock]").replace("midway", "halfway")
    (mine / "recipes.toml").write_text(entry)
    text = printed(capsys, "map", "~lock:7", "--mine", mine, "--format", "jsonl")
    assert all(row[1:-1] == "." * 78 for row in levels(text)[0]["tiles"][22:24])
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr().err
    assert "seedhollow.steps: bad: AttributeError: " in said
    assert said.count("\n") == 1


def test_a_command_to_repeat_names_the_folders_that_it_takes(monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", "/b")
    monkeypatch.setenv("SEEDHOLLOW_OPTIONS", "--data-dir /a --mine /b")
    for command in ("play", "replay"):
        assert command_line(command, "x").endswith(f"{command} x --data-dir /a --mine /b")
    assert command_line("find", "x").endswith("find x --mine /b")
    monkeypatch.setenv("SEEDHOLLOW_OPTIONS", "")
    assert command_line("find", "x").endswith("find x")
