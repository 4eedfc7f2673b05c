"""Composing a recipe in the tuning panel: steps put in, taken out and moved, undo, and saving."""

import re

import pytest

from procgen.build import build
from render.ui.input import Key
from support.build_screens import full, level_of, tuning


def chain(person):
    return [use.label for use in person.top.recipe.steps]


def test_steps_are_taken_out_moved_and_put_in():
    person = tuning("caves:7")
    plain = chain(person)
    person.presses("pagedown", "pagedown")
    assert plain[person.top.panel.place] == "fill_small_regions"
    person.presses("shift+up")
    assert chain(person)[:3] == ["scatter_rock", "fill_small_regions", "cellular_automaton"]
    assert "fill_small_regions=scatter_rock" in person.reads()
    person.presses("shift+down").types("x")
    assert chain(person) == [label for label in plain if label != "fill_small_regions"]
    assert level_of(person).steps[1][0] == "cellular_automaton"
    person.types("i")
    assert "Insert after" in person.reads()
    assert "needs rooms from an earlier step" in " ".join(
        choice.note for choice in person.top.choices
    )
    person.points("bridges")
    assert "bridges" in chain(person)
    assert chain(person)[person.top.panel.place] == "bridges"
    person.types("R")
    assert chain(person) == plain
    assert person.top.code.settings == ()


def test_an_edit_that_does_not_fit_is_said_with_the_reason():
    person = tuning("digger:7")
    place = chain(person).index("start_in_first_room")
    for _ in range(place):
        person.presses("pagedown")
    before = chain(person)
    person.types("x")
    assert "needs start from an earlier step" in person.reads()
    assert chain(person) == before
    while person.top.panel.place:
        person.presses("pageup")
    person.presses("shift+up")
    assert "attach_rooms is the first step." in person.reads()


def test_a_step_without_parameters_is_selected_and_says_so():
    person = tuning("digger:7")
    while person.top.panel.selected is not None:
        person.presses("pagedown")
    label = chain(person)[person.top.panel.place]
    person.presses("right")
    assert f"{label} has no parameters." in person.reads()
    person.types("7\n").presses("r", "left")
    assert f"{label} has no parameters." in person.reads()


def test_a_composed_recipe_is_saved_as_one_s_own(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path / "mine"))
    person = tuning("caves+flooded:7").presses("pagedown", "shift+down", "right")
    composed = level_of(person)
    person.types("smixed\n")
    assert "~mixed.1+flooded.1:7:1@80x45" in "".join(person.reads().split())
    saved = build(full("~mixed+flooded:7"))
    assert (saved.tiles == composed.tiles).all()
    assert "edits = [" in (tmp_path / "mine" / "recipes.toml").read_text()


def test_every_change_can_be_undone_one_after_another():
    person = tuning("caves+flooded:7")
    before = []

    def changes(*keys):
        top = person.top
        before.append((top.code.settings, top.recipe, top.panel.selected, top.panel.place))
        person.types(keys)
        assert person.top.code.settings != before[-1][0], keys

    assert "u undo" not in person.reads()
    changes("right")
    changes(*"0.4\n")
    person.types(["pagedown"])
    changes(Key("down", shift=True))
    changes("x")
    changes("x")
    changes("i", *["down"] * list_index(person, "river"), "\n")
    changes("right")
    changes("R")
    person.types(["up", "up"])
    assert "u undo" in person.reads()
    while before:
        person.types("u")
        top = person.top
        assert (top.code.settings, top.recipe, top.panel.selected, top.panel.place) == before.pop()
        assert top.panel.original == top.original
        assert level_of(person) is None or level_of(person).code.settings == top.code.settings
    assert "u undo" not in person.reads()
    assert "nothing to undo" in person.types("u").reads()


def list_index(person, step):
    """Return the line of ``step`` in the list of steps to put in."""
    labels = [choice.label for choice in person.types("i").top.choices]
    person.presses("escape")
    return labels.index(step)


def test_a_refused_change_and_a_reset_of_nothing_need_no_undo():
    person = tuning().types("1.5\n").presses("escape").types("R")
    assert "nothing to undo" in person.types("u").reads()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("name", b"[unclosed\n", "recipes.toml: not valid TOML: Expected ']'"),
        ("name", b"\xff\xfe", "recipes.toml: is not text in UTF-8"),
        ("Not a name", None, "A name has 1 to 60 lower-case letters and _."),
        ("map", None, "The name is that of levels from files."),
    ],
)
def test_the_reason_why_a_recipe_cannot_be_saved_is_said(tmp_path, monkeypatch, name, text, words):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    path = tmp_path / "recipes.toml"
    if text:
        path.write_bytes(text)
    person = tuning("bsp:3").presses("right").types(f"s{name}\n")
    assert words in person.top.fault
    assert person.top.fault[:30] in person.reads()
    assert path.exists() == bool(text)
    assert not text or path.read_bytes() == text


def test_a_folder_that_cannot_be_written_to_keeps_the_dialog_open(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path / "file"))
    person = tuning("bsp:3").presses("right").types("sname\n")
    assert re.search(r"recipes.toml: cannot be read \(\w.*\)\.$", person.top.fault)
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    person.types("\n")
    assert "Saved in" in person.reads()
    assert "[name]" in (tmp_path / "recipes.toml").read_text()
