"""Levels as text or from Tiled in the user folder: samples and vaults, by command lines."""

import json
import re
import shlex

import numpy as np
import pytest

import seedhollow
from entities.terrain import terrain
from main import main
from procgen.wfc.samples import read_sheets
from render.ui.palette import theme
from support.command_line import assert_refused
from support.paths import ROOT
from support.tmj_maps import GROUND, tmj

CAVE_WITH_VAULT = """
[{name}]
description = "A cave with a vault."
steps = [
  {{ step = "scatter_rock" }},
  {{ step = "cellular_automaton", rounds = 5, birth = 5, survive = 5 }},
  {{ step = "join_regions" }},
  {{ step = "place_vaults", tags = ["~nook"], count = 1{more} }},
  {{ step = "start_and_exit_apart" }},
]
"""
RECIPES = """
[learned]
description = "Drawn after a level."
steps = [
  { step = "wave_function_collapse", sample_map = "~cave-7" },
  { step = "join_regions" },
  { step = "start_and_exit_apart" },
]
"""
RECIPES += CAVE_WITH_VAULT.format(name="furnished", more="")
RECIPES += CAVE_WITH_VAULT.format(name="glade", more=", outdoors = true")
SEA = [{"name": "place", "value": "sea"}]
CLOSED = "########\n#......#\n#.$y.x.#\n#......#\n########\n"
DOORS = "###+####\n#......#\n+.$y.x.#\n#......#\n########\n"
GAPS = "  ####\n###..###\n#......+\n#.$y.x.#\n########\n"
OPEN = '""""""""\n""""""""\n""$y"x""\n""""""""\n""""""""\n'


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_DATA", str(tmp_path / "home"))
    monkeypatch.setenv("SEEDHOLLOW_MINE", "")  # The option sets it; this undoes that.
    for name in ("samples", "vaults"):
        (tmp_path / name).mkdir()
    (tmp_path / "recipes.toml").write_text(RECIPES)
    return tmp_path


def mapped(capsys, mine, *codes):
    """Return the rows of each level that `map` prints."""
    assert main(["map", *codes, "--mine", str(mine), "--format", "jsonl"]) == 0
    return [json.loads(line)["tiles"] for line in capsys.readouterr().out.splitlines()]


def exported(capsys, code, path):
    assert main(["map", code, "--output", str(path)]) == 0
    capsys.readouterr()


def windows(rows):
    return {
        tuple(row[x : x + 3] for row in rows[y : y + 3])
        for y in range(len(rows) - 2)
        for x in range(len(rows[0]) - 2)
    }


def views(rows):
    """Yield the rows turned and mirrored in all eight ways."""
    grid = np.array([list(row) for row in rows])
    for quarter in range(4):
        for one in (np.rot90(grid, quarter), np.fliplr(np.rot90(grid, quarter))):
            yield ["".join(row) for row in one.tolist()]


def holds(rows, drawing):
    """Return whether a level holds a drawing somewhere, whichever way it is turned."""
    high, wide = len(drawing), len(drawing[0])
    return any(
        [row[x : x + wide] for row in view[y : y + high]] == drawing
        for view in views(rows)
        for y in range(len(view) - high + 1)
        for x in range(len(view[0]) - wide + 1)
    )


@pytest.mark.parametrize("ending", ["txt", "tmj"])
def test_an_exported_level_is_a_sample_in_either_format(mine, ending, capsys):
    (drawn,) = mapped(capsys, mine, "caves:7@40x30")
    exported(capsys, "caves:7@40x30", mine / "samples" / f"cave-7.{ending}")
    (made,) = mapped(capsys, mine, "~learned:3@40x24")
    assert terrain().text(read_sheets("cave-7", mine)[0]) == drawn
    known = set().union(*(windows(view) for view in views(drawn)))
    assert len(windows(made) & known) > 0.85 * len(windows(made))  # Tunnels join the regions.
    (mine / "vaults" / "nook.txt").write_text(CLOSED)
    assert main(["list", "--mine", str(mine)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("drawing", [CLOSED, DOORS, GAPS, f"theme: moss\n{CLOSED}"])
def test_a_drawing_in_the_folder_is_a_vault(mine, drawing, capsys):
    (mine / "vaults" / "nook.txt").write_text(drawing)
    (rows,) = mapped(capsys, mine, "~furnished:5@60x30")
    assert holds(rows, ["......", ".$y.x."])


def test_the_vault_of_the_page_is_placed(mine, capsys):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"```toml\n(\[house\].*?)```", page, re.DOTALL)
    (mine / "recipes.toml").write_text(entry)
    exported(capsys, "rooms:3@26x18", mine / "vaults" / "three_rooms.tmj")
    without, placed = mapped(capsys, mine, "sparse:2", "~house:2")
    assert sum(row.count(".") for row in placed) > sum(row.count(".") for row in without) + 40


def test_the_sample_of_the_page_makes_levels_that_are_whole(mine, capsys):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"```toml\n(\[learnt_caves\].*?)```", page, re.DOTALL)
    (mine / "recipes.toml").write_text(entry)
    exported(capsys, "caves:7@40x30", mine / "samples" / "cave.txt")
    words = ["check", "--generator", "~learnt_caves", "--seeds", "0:10", "--workers", "1"]
    assert main([*words, "--mine", str(mine)]) == 0


def test_the_step_of_the_page_is_used_by_its_recipe(mine, capsys):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    step, _ = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (entry,) = re.findall(r"```toml\n(\[crossed_digger\].*?)```", page, re.DOTALL)
    (mine / "steps").mkdir()
    (mine / "steps" / "corridor.py").write_text(step)
    (mine / "recipes.toml").write_text(entry)
    (rows,) = mapped(capsys, mine, "~crossed_digger;room_types=off:42")
    assert rows[22:24] == [f"#{'.' * 78}#"] * 2


def test_the_condition_of_the_page_holds_in_every_level(mine, capsys, monkeypatch):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    _, step = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (entry,) = re.findall(r"```toml\n(\[far_digger\].*?)```", page, re.DOTALL)
    (mine / "steps").mkdir()
    (mine / "steps" / "far_exit.py").write_text(step)
    (mine / "recipes.toml").write_text(entry)
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    assert main(["list"]) == 0
    assert capsys.readouterr().err == ""
    near, far = (
        [max(abs(one.exit.x - one.start.x), abs(one.exit.y - one.start.y)) for one in levels]
        for levels in (seedhollow.levels(name, range(6)) for name in ("digger", "~far_digger"))
    )
    assert min(near) < 60 <= min(far)


def test_the_overlay_of_the_page_is_used_as_its_commands_say(mine, capsys, monkeypatch):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    overlay, recipe = (
        re.search(rf"```toml\n(\[{name}\].*?)```", page, re.DOTALL)[1]
        for name in ("misty", "straight_digger")
    )
    (mine / "overlays.toml").write_text(overlay)
    (mine / "recipes.toml").write_text(recipe)
    monkeypatch.chdir(mine.parent)
    commands = re.findall(r"^python main.py (.*\+~misty.*) --mine mine$", page, re.MULTILINE)
    assert len(commands) == 3
    for command in commands:
        assert main([*shlex.split(command), "--mine", str(mine)]) == 0
        printed = capsys.readouterr().out
        assert "~misty.1" in printed
    assert main(["list", "--mine", str(mine)]) == 0


def test_the_theme_of_the_page_is_whole(mine, capsys):
    page = (ROOT / "docs" / "user-folder.md").read_text(encoding="utf-8")
    (entry,) = re.findall(r"```toml\n(\[violet\].*?)```", page, re.DOTALL)
    (mine / "themes.toml").write_text(entry)
    look = '[mauve]\ndescription = ""\nextends = "rooms"\ntheme = "~violet"\n'
    (mine / "recipes.toml").write_text(look)
    assert main(["list", "--mine", str(mine)]) == 0
    assert capsys.readouterr().err == ""
    assert theme("~violet").name == "the violet halls"


def test_a_level_in_the_open_stands_on_open_floor_only(mine, capsys):
    (mine / "vaults" / "nook.txt").write_text(OPEN)
    glade, furnished = mapped(capsys, mine, "~glade:5@60x30", "~furnished:5@60x30")
    assert holds(glade, OPEN.splitlines())
    assert not holds(furnished, ["$y"])


def test_a_small_level_from_tiled_is_a_vault_without_the_rock_around_it(mine, capsys):
    (rows,) = mapped(capsys, mine, "rooms:3@26x18")
    exported(capsys, "rooms:3@26x18", mine / "vaults" / "nook.tmj")
    (found,) = mapped(capsys, mine, "~furnished:5@80x45")
    lines = [y for y, row in enumerate(rows) if set(row) != {"#"}]
    columns = [x for row in rows for x, tile in enumerate(row) if tile != "#"]
    inside = slice(min(columns), max(columns) + 1)
    assert holds(found, [row[inside] for row in rows[lines[0] : lines[-1] + 1]])


@pytest.mark.parametrize(("depth", "there"), [(2, False), (3, True)])
def test_properties_in_tiled_are_the_header_of_a_vault(mine, depth, there, capsys):
    facts = [{"name": "depths", "value": "3+"}, {"name": "tags", "value": "old"}]
    tiles = [{"firstgid": 1, "tiles": [{"id": 0, "type": "shelf"}]}]
    facts.append({"name": "place", "value": "open"})
    text = tmj(layers=[GROUND], tilesets=tiles, properties=facts)
    (mine / "vaults" / "nook.tmj").write_text(text)
    (rows,) = mapped(capsys, mine, f"~glade:5:{depth}@60x30")
    assert holds(rows, ["BBB"] * 3) == there


@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("samples/a.txt", "###\n#Q#\n###\n", "a.txt: line 2, column 2: no tile is drawn as 'Q'"),
        ("samples/a.tmj", tmj(data=[1, 1, 1, 1, 7, 1, 1, 1, 1]), "line 2, column 2: tile 7: there"),
        (
            "samples/a.tmj",
            tmj(infinite=True),
            "a.tmj: a map must be finite, with tiles of 1 to 10,000 pixels a side",
        ),
        ("vaults/a.txt", "###\n#Q#\n###\n", "a.txt: line 2, column 2: no tile is drawn as 'Q'"),
        ("vaults/a.txt", "###.\n#...\n####\n", "a.txt: line 1, column 4: an exit must have"),
        ("vaults/a.txt", f"{CLOSED}\n{CLOSED}", "a.txt: line 7: a file holds one map"),
        ("vaults/a.txt", "####\n####\n####\n", "a.txt: has no floor"),
        ("vaults/a.txt", f"weight: 3\nmap:\n{CLOSED}", "line 1: expected a name in brackets"),
        ("vaults/a.txt", "#####\n#.#.#\n#####\n", "a.txt: line 2, column 4: cannot be reached"),
        ("vaults/a.txt", "." * 41 + f"\n{'.' * 41}\n..\n", "a.txt: a vault is at most 40 tiles"),
        ("vaults/a.tmj", "{", "a.tmj: is not a map of Tiled"),
        ("vaults/a.tmj", tmj(layers=[GROUND], properties=SEA), "a.tmj: place: Invalid enum value"),
        ("vaults/a.tmj", tmj(data=[7] * 9), "line 1, column 1: tile 7: there is no kind of"),
    ],
)
def test_a_mistake_names_the_file_and_the_place(mine, file, text, words, capsys):
    (mine / "recipes.toml").unlink()  # It names files that are not there.
    (mine / file).write_text(text)
    assert main(["list", "--mine", str(mine)]) == 1
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_sample_is_there_once_and_has_its_limits(mine, capsys):
    rng = np.random.default_rng(1)
    noise = rng.choice(list('.,+~-="T:O_;'), (60, 60)).tolist()
    (mine / "samples" / "cave-7.txt").write_text("\n".join("".join(row) for row in noise))
    read_sheets("cave-7", mine)
    words = "samples/cave-7: a sample has at most 20,000 windows"
    assert_refused(["map", "~learned:3", "--mine", mine], words, capsys, code=1)
    (mine / "samples" / "cave-7.tmj").write_text(tmj())
    words = "samples/cave-7: there is a .tmj and a .txt"
    assert_refused(["map", "~learned:3", "--mine", mine], words, capsys, code=1)
