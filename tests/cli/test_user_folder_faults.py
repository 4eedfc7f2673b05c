"""Files of the user folder, and folders, that cannot be read or used."""

import os
import re
from errno import EACCES
from pathlib import Path

import pytest

from main import main
from procgen.vaults.vault_library import user_vaults
from procgen.wfc.samples import read_sheets
from render.tiles.user_tiles import user_tiles
from render.ui.palette import theme
from support.command_line import assert_refused
from support.user_folder import STEP, printed
from workbench.level_files import read_level


def test_vaults_and_samples_may_end_in_capitals(tmp_path):
    for folder in ("vaults", "samples"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "cell.TXT").write_text("#####\n#...#\n#####\n")
    assert [vault.name for vault in user_vaults(tmp_path)[0]] == ["cell"]
    assert [sheet.shape for sheet in read_sheets("cell", tmp_path)] == [(3, 5)]


def test_a_faulty_vault_file_costs_only_its_own_vaults(mine, capsys):
    head = (
        '[{}]\ndescription = ""\nextends = "sparse"\nedits = ["place_vaults=rectangular_rooms"]\n'
    )
    named, absent = (f'change.place_vaults = {{ tags = ["{tag}"] }}\n' for tag in ("~holy", "~no"))
    text = head.format("one") + named + head.format("two") + absent
    (mine / "recipes.toml").write_text(text)
    (mine / "vaults" / "another.tmj").write_text("{")
    assert printed(capsys, "map", "~one:7", "--mine", mine).startswith("~one")
    assert_refused(["map", "~two:7", "--mine", mine], "another.tmj", capsys, code=1)
    assert main(["list", "--mine", str(mine)]) == 1
    assert "another.tmj" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("find", "--sort", "path", "--seeds", "0:3"),
        ("find", "--evolve", "path=60", "--seeds", "0:3"),
        ("find", "--illuminate", "loops,detour", "--levels", 48),
        ("survey", "--seeds", "0:3"),
        ("survey", "--seeds", "0:3", "--json"),
    ],
)
def test_a_command_that_can_build_nothing_exits_with_1(mine, words, capsys):
    if "--evolve" in words:
        pytest.importorskip("cma", reason="pip install -r requirements-evolve.txt")
    (mine / "steps" / "midway.py").write_text(STEP.replace("height", "hight"))
    few = ("--generator", "~trench", "--workers", 1, "--mine", mine)
    assert main([str(word) for word in (*words, *few)]) == 1
    assert "midway.py, line 7, in midway: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("left", "words"),
    [
        ("plan.tiles[5, 4] = 200", "midway.py: midway left tile 200 at 4,5, which does not exist"),
        ("plan.tiles = plan.tiles / 2", "midway.py: midway changed the size of the map or the"),
        ("plan.spawns.append(Spawn('orc', 500, 5))", "='orc', x=500, y=5) is off the 80x45 map"),
        ("plan.spawns.append(Spawn('orc', 5.0, 5))", "y=5) is not in whole numbers"),
        ("plan.spawns.append(Spawn('orrc', 5, 5))", "midway: there is no monster 'orrc' (do you m"),
        ("plan.spawns.append(('orc', 5, 5))", "midway: a spawn must be a seedhollow.Spawn, not ('"),
        ("plan.rooms.append(RectangularRoom(1, 1, 99, 9))", "width=99, height=9) is off the 80x45"),
        ("plan.rooms.append(RectangularRoom(5, 5, 0, 9))", "width=0, height=9) is off the 80x45"),
        ("plan.rooms.append(RectangularRoom(1, 1, 9 / 2, 9))", "midway: the room RectangularRoom"),
        ("plan.rooms.append((5, 5, 3, 3))", "a room must be a seedhollow.RectangularRoom, not (5"),
        ("plan.start = (3, 4)", "midway: a start must be a seedhollow.Point, not (3, 4)"),
        ("plan.exit = Point(8, 60)", "midway: the exit Point(x=8, y=60) is off the 80x45 map\n"),
        ("plan.start = Point(-5, 3)", "midway: the start Point(x=-5, y=3) is off the 80x45 map\n"),
        ("plan.exit = Point(30 / 2, 8)", "the exit Point(x=15.0, y=8) is not in whole numbers\n"),
    ],
)  # fmt: skip
def test_the_step_that_has_left_something_impossible_is_named(mine, left, words, capsys):
    step = STEP.replace("import ", "import Point, RectangularRoom, Spawn, ").replace(
        "yield", f"{left}\n    yield"
    )
    (mine / "steps" / "midway.py").write_text(step)
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)


def test_each_mistake_in_a_file_of_steps_is_named(mine, capsys):
    (mine / "steps" / "more.py").write_text(
        STEP.replace("midway", "loops") + STEP.replace("midway", "lakes")
    )
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr().err
    assert [f"another step called {name}\n" in said for name in ("lakes", "loops")] == [True] * 2


@pytest.mark.parametrize(
    "name", ["recipes.toml", "overlays.toml", "themes.toml", "steps", "samples", "vaults"]
)
def test_what_is_no_file_or_no_folder_is_a_mistake_too(mine, name, capsys):
    path = mine / name
    if path.is_dir():
        path.rename(mine / "away")
        path.write_text("")
    else:
        path.unlink()
        path.mkdir()
    words = f"{path}: cannot be read ({'Is' if path.is_dir() else 'Not'} a directory)"
    assert main(["list", "--mine", str(mine)]) == 1
    assert words in capsys.readouterr().err
    if name == "overlays.toml":
        assert_refused(["map", "walk+misty:7", "--mine", mine], words, capsys, code=1)
    if name in {"recipes.toml", "steps"}:  # With and without the user mark.
        assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)
        assert_refused(["map", "trench:7", "--mine", mine], words, capsys, code=1)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("recipe.toml", "recipe.toml: is not read (do you mean recipes.toml?)"),
        ("Overlays.toml", "Overlays.toml: is not read (do you mean overlays.toml?)"),
        ("recipes.toml.txt", "recipes.toml.txt: is not read (do you mean recipes.toml?)"),
        ("plan", "plan: is not read"),
        ("creatures.toml", "creatures.toml: is not read; data/creatures.toml is"),
        ("step/x.py", "step: is not read (do you mean steps?)"),
        ("samples/a.png", "samples/a.png: is not read; .txt and .tmj are"),
        ("vaults/w.vault", "vaults/w.vault: is not read; .txt and .tmj are"),
        ("steps/a.PY", "steps/a.PY: ImportError: Python imports it only if its name ends in .py"),
        ("tiles/orc.jpg", "tiles/orc.jpg: is not read; .png are"),
        *((name, "") for name in ("options.toml", "options.toml.bad1", "scores.jsonl", "runs/a")),
        *((name, "") for name in (".git/a", "_old.toml", "a~", "README.md", "LICENSE", "docs/a")),
        *((name, "") for name in ("steps/numbers.json", "samples/B.TXT~", "samples/.keep")),
        *((name, "") for name in ("steps/notes.txt", "docs/b.toml")),
    ],
)
def test_a_file_that_is_not_read_is_a_mistake_except_for_some(mine, name, told, capsys):
    path = mine / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    assert main(["list", "--mine", str(mine)]) == bool(told)
    assert capsys.readouterr().err == (f"{mine / told}\n" if told else "")


@pytest.mark.parametrize("name", ["tiles", "pictures.toml"])
def test_pictures_that_are_no_file_or_no_folder_are_a_mistake(mine, name, capsys, monkeypatch):
    monkeypatch.setattr("render.tiles.user_tiles.user_tiles", user_tiles.__wrapped__)
    monkeypatch.setattr("cli.list.user_tiles", user_tiles.__wrapped__)
    (mine / name).write_text("") if name == "tiles" else (mine / name).mkdir()
    assert main(["list", "--tiles", "--mine", str(mine)]) == 1
    assert f"{mine / name}: cannot be read (" in capsys.readouterr().err


@pytest.mark.parametrize("mistake", ['[creatures]\norc = "#ff0000"\n', "[dust]\nname = 3\n"])
def test_a_theme_stays_whatever_else_is_in_its_file(mine, mistake, capsys, monkeypatch):
    path = mine / "themes.toml"
    path.write_text(path.read_text().replace('"the old halls"', '"the dusky halls"') + mistake)
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    assert theme.__wrapped__("~dusk").name == "the dusky halls"
    assert main(["list", "--mine", str(mine)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"{path}: {mistake.splitlines()[0]}: ")
    assert "[dust]" in mistake or "your themes.toml holds themes only" in told


def test_the_palette_of_an_overlay_may_be_a_theme_of_one_s_own(mine, monkeypatch):
    path = mine / "themes.toml"
    path.write_text(re.sub("(?m)^wall = .*$", 'wall = "#123456"', path.read_text()))
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    painted = theme.__wrapped__("city+~dusk")
    assert (painted.wall, painted.name) == ("#123456", theme("city").name)


@pytest.mark.skipif(not Path(os.devnull).is_char_device(), reason="no devices in folders here")
@pytest.mark.parametrize(
    "name",
    [
        *(
            "recipes.toml",
            "overlays.toml",
            "themes.toml",
            "steps/midway.py",
            "vaults/mine.txt",
            "samples/posts.txt",
        ),
        *("pictures.toml", "tiles/orc.png"),
    ],
)
def test_a_pipe_or_device_is_refused_as_reading_it_might_never_end(mine, name, capsys, monkeypatch):
    monkeypatch.setattr("render.tiles.user_tiles.user_tiles", user_tiles.__wrapped__)
    monkeypatch.setattr("cli.list.user_tiles", user_tiles.__wrapped__)
    path = mine / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(os.devnull)  # The one device whose reading does end, if it is read after all.
    pictures = ["--tiles"] if name in {"pictures.toml", "tiles/orc.png"} else []
    assert main(["list", *pictures, "--mine", str(mine)]) == 1
    told = [line for line in capsys.readouterr().err.splitlines() if str(path) in line]
    assert any("a pipe or device, not a file" in line for line in told)


def test_a_folder_that_may_not_be_read_is_the_reason(mine, capsys, monkeypatch):
    def refused(path, **_):
        raise PermissionError(EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refused)  # The tests may run as a user who may do all.
    monkeypatch.setattr(Path, "is_dir", lambda path: True)
    words = "recipes.toml: cannot be read (Permission denied)"
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)
    assert main(["list", "--mine", str(mine)]) == 1
    assert words in capsys.readouterr().err


@pytest.mark.parametrize(("current", "code"), [("", 2), ("[gone]\ndescription = 3\n", 1)])
def test_an_old_version_without_a_usable_current_one_stops_nothing(mine, current, code, capsys):
    path = mine / "recipes.toml"
    old = '["gone.1"]\ndescription = ""\nextends = "bsp"\n'
    path.write_text(path.read_text() + old + current)
    printed(capsys, "map", "~trench:7", "--mine", mine)
    assert_refused(["map", "~gone.1:7", "--mine", mine], "gone", capsys, code=code)


@pytest.mark.parametrize(
    ("code", "theme", "light"),
    [
        ("~trench:7", "~dusk", "lit"),
        ("keep+~misty:7", "fort+~dusk", "dark"),
        ("~cells:7", "stone", "lit"),  # It names no theme.
    ],
)
@pytest.mark.parametrize("ending", ["txt", "tmj"])
def test_an_exported_level_keeps_a_theme_and_light_of_one_s_own(
    mine, code, theme, light, ending, capsys, monkeypatch
):
    path = mine / f"level.{ending}"
    printed(capsys, "map", code, "--output", path, "--mine", mine)
    found = read_level(path)
    assert (found.theme, found.light) == (theme, light)
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine / "elsewhere"))
    assert (read_level(path).theme, read_level(path).light) == ("stone", light)


@pytest.mark.parametrize(
    ("file", "name", "code"),
    [("recipes.toml", "dig2", "~dig2:7"), ("overlays.toml", "wet-2", "keep+~wet-2:7")],
)
def test_a_name_with_a_digit_is_refused_with_the_mistake_in_the_file(
    mine, file, name, code, capsys
):
    (mine / file).write_text(f'[{name}]\ndescription = ""\nsteps = []\n')
    words = f"{mine / file}: [{name}]: a name has 1 to 60 lower-case letters and _"
    assert_refused(["map", code, "--mine", mine], words, capsys, code=1)


@pytest.mark.parametrize("typed", ["~Hall", "hall"])
def test_a_name_in_capitals_is_refused_with_the_mistake_in_the_file(mine, typed, capsys):
    path = mine / "recipes.toml"
    path.write_text(path.read_text() + '[Hall]\ndescription = ""\nextends = "bsp"\n')
    words = f"{path}: [Hall]: a name has 1 to 60 lower-case letters and _"
    assert_refused(["map", f"{typed}:7", "--mine", mine], words, capsys, code=1)
    assert_refused(["list", typed, "--mine", mine], words, capsys, code=1)
    path.write_text(path.read_text() + '[hall]\ndescription = ""\nextends = "bsp"\n')
    assert printed(capsys, "map", f"{typed}:7", "--mine", mine).startswith("~hall")
