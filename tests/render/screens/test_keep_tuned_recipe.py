"""A tuned recipe is copied, saved and named."""

import re
import shutil

import pytest

from entities.data_files import DATA
from procgen.build import build
from procgen.recipes import find_recipe, recipes
from support.build_screens import level_of, tuning, watching
from support.other_data import read_from


@pytest.mark.parametrize(("name", "keys"), [("caves", 1), ("sparse", 1), ("terrain", 40)])
def test_a_copied_entry_is_a_recipe(tmp_path, name, keys):
    person = tuning(f"{name}:7")
    for _ in range(keys):
        person.presses("down")
    person.presses("right").types("p")
    [text] = person.backend.copied
    assert f"[{name}_retuned]" in person.reads()
    shutil.copytree(DATA, tmp_path / "data")
    with (tmp_path / "data" / "recipes.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + text)
    written = read_from(tmp_path / "data", recipes)[f"{name}_retuned"]
    person.presses("escape")
    assert written.steps == person.top.recipe.steps
    assert written.steps != find_recipe(name).steps
    assert (written.theme, written.size) == (find_recipe(name).theme, find_recipe(name).size)


def test_a_saved_recipe_makes_the_tuned_level_under_a_name_of_one_s_own(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path / "mine"))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "recipes.toml").symlink_to(tmp_path / "dotfiles.toml")
    person = tuning("wfc:7").presses("right")  # A recipe that uses steps twice.
    tuned = level_of(person)
    person.types("sno name\n")
    assert "lower-case letters" in person.reads()
    person.presses("escape").types("stuned\n")
    said = re.sub(r"\s", "", "".join(re.findall("│(.*)│", person.reads())))
    path = tmp_path / "mine" / "recipes.toml"
    assert path.is_symlink()
    assert f"Savedin{path}.Thislevelisnowalso~tuned.1:7:1@80x45." in said
    saved = build(find_recipe("~tuned").code(7))
    assert (saved.tiles == tuned.tiles).all()
    person.presses("escape").types("stuned\n")
    assert "already" in person.reads()
    person.presses("escape", "right").types("stwice\n").presses("escape")
    assert find_recipe("~twice").steps == person.top.recipe.steps
    assert find_recipe("~tuned").steps != find_recipe("~twice").steps


def test_a_name_is_cut_only_where_its_value_stands():
    lines = watching("sparse:42", 80, 24).types("t").reads().splitlines()
    assert any(re.search(r"  horizontal_first +0\.5 ", f"{line} ") for line in lines)


@pytest.mark.parametrize("columns", [50, 64, 80, 107])
@pytest.mark.parametrize("key", "s?i")
def test_a_dialog_beside_the_list_has_room_and_keeps_its_border(columns, key):
    rows = watching("caves:4", columns, 24).types("t" + key).reads().splitlines()
    top = next(y for y, row in enumerate(rows) if "╭" in row)
    left, right = rows[top].index("╭"), rows[top].index("╮")
    below = next(y for y, row in enumerate(rows) if row[left : left + 1] == "╰")
    assert right - left + 1 >= min(columns - 2, 60)
    assert {row[left] + row[right] for row in rows[top + 1 : below]} == {"││"}
    assert not "".join(row[right + 1 :].strip() for row in rows[top : below + 1]) or columns == 107


@pytest.mark.parametrize("keys", ["?", "2?", "t?"])
def test_help_begins_with_the_mouse_and_the_keys_of_the_screen(keys):
    text = watching("caves:4", 80, 24).types(keys).reads()
    assert "to walk there" not in text
    assert re.search("Watching a replay or a build|Changing a generator", text)
