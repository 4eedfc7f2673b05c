"""The menu of overlays, in play in the Workshop and while a level is watched growing."""

import re

import pytest

from engine.levels.drawn_level import pack_drawn
from engine.state.run_setup import Mode, RunSetup
from procgen.level_overlays import overlay_names, overlays
from render.screens.menu import LETTERS
from support.build_screens import watching
from support.play_screens import playing, world_of
from workbench.level_files import read_level

SETUP = RunSetup(42, "42", Mode.WORKSHOP, "rooms", size=(40, 30))


def test_keys_add_overlays_to_a_level_of_the_workshop_and_remove_them():
    person = playing(SETUP).presses("{")
    assert "Up to 3 at once" in person.reads()
    assert "+ flooded" in person.reads()
    person.presses("a")
    assert str(world_of(person).code) == "rooms.1+flooded.1:42:1@40x30"
    assert "the old halls, flooded" in person.reads()
    person.presses("{", "b")
    assert world_of(person).code.overlays == ("flooded.1", "burning.1")
    person.presses("{", "a")
    assert world_of(person).code.overlays == ("burning.1",)
    person.presses("}", "0")
    assert str(world_of(person).code) == "rooms.1:42:1@40x30"


def test_overlays_of_one_s_own_stand_behind_ours_with_the_mark(tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    entry = '[{}]\ndescription = "Own."\nsteps = []\n'
    names = [f"own_{chr(97 + n // 9)}{chr(97 + n % 9)}" for n in range(20)]
    path = tmp_path / "overlays.toml"
    path.write_text("".join(entry.format(name) for name in ("misty", "odd", *names)))
    person = playing(SETUP, rows=60).presses("{")
    assert "+ ~misty" in person.reads()
    person.presses(LETTERS[len(overlay_names())])
    assert str(world_of(person).code) == "rooms.1+~misty.1:42:1@40x30"
    assert "the old halls, misty" in person.reads()
    person.presses("{", "a")
    assert world_of(person).code.overlays == ("flooded.1", "~misty.1")
    person.presses("{")
    assert all(f"+ ~{name.replace('_', ' ')}" in person.reads() for name in names)
    person.presses("0")
    assert world_of(person).code.overlays == ()
    person.presses("{", LETTERS[len(overlay_names())])
    path.write_text(entry.format("misty").replace("steps", "step"))
    assert "[misty]: unknown field" in person.presses("{").reads()


@pytest.mark.parametrize("columns", [80, 160])
def test_the_descriptions_of_overlays_begin_in_one_column(columns):
    rows = playing(SETUP, columns=columns, rows=30).presses("{").reads().splitlines()
    starts = [
        row.index(text) for row in rows for text in (" Water stands", " Orcs and") if text in row
    ]
    assert len(starts) >= 2
    assert len(set(starts[:2])) == 1
    assert any("across" in row for row in rows if "collapsed" in row)


def test_the_next_generator_has_the_overlays_of_this_one():
    person = playing(SETUP).presses("{", "a").presses("]")
    assert world_of(person).code.name == "sparse+flooded"


def test_a_fourth_overlay_takes_the_place_of_the_last():
    person = playing(SETUP)
    for letter in "abcd":
        person.presses("{", letter)
    assert world_of(person).code.name == "rooms+flooded+burning+overgrown"


def test_overlays_can_be_added_while_a_level_is_watched():
    person = watching("rooms:42@40x30").presses("{", "a")
    assert "rooms.1+flooded.1:42:1@40x30" in person.reads()
    assert "flooded/lakes" in [use.label for use in person.top.player.recording.recipe.steps]


def test_an_infinite_world_takes_no_overlays():
    person = playing(RunSetup(42, "42", Mode.WORKSHOP, "wilds"))
    assert "overlays" not in person.reads()
    assert "burning ..." not in person.presses("escape").reads()
    person = watching("wilds:42:1@0,0@40x30")
    assert not [word for word in ("tune", "overlays") if word in person.reads().splitlines()[-1]]
    assert "compare" in person.reads().splitlines()[-1]
    person.presses("{")
    assert "takes no overlays" in person.reads()


def test_a_level_from_a_file_has_no_overlays_no_build_and_no_next_seed(tmp_path):
    (tmp_path / "a.txt").write_text("########\n#<....>#\n########\n")
    drawn = pack_drawn(read_level(tmp_path / "a.txt"), 1)
    setup = RunSetup(1, "1", drawn=drawn, drawn_from="a.txt")
    person = playing(setup).presses("{")
    assert "This level came from a file: it takes no overlays." in person.reads()
    person.presses("space", "space")  # The first puts the card away.
    assert "no other seed grows one like it" in person.reads()
    assert "there is no build to watch." in person.presses("v").reads()


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_every_overlay_is_described_cut_where_it_does_not_fit(columns):
    lines = playing(SETUP, columns=columns).presses("{").reads().splitlines()
    for name in overlay_names():
        described = overlays()[name].kind.description
        line = next(line for line in lines if f"+ {name.replace('_', ' ')} " in line)
        said = line.partition(f"+ {name.replace('_', ' ')} ")[2].partition("│")[0].strip()
        assert described.startswith(said.removesuffix("…")), name
        assert said == described or (said.endswith("…") and len(said) > 30)


def test_all_keys_of_the_commands_stand_in_front_of_what_they_do():
    person = playing(SETUP).presses("escape")
    keys = {"Space": "Next seed", "S": "Return to the title"}
    for key, text in keys.items():
        assert re.search(f"│ +{key} +{text}", person.reads())
    before = world_of(person).code.seed
    person.presses("space")
    assert world_of(person).code.seed == before + 1


def test_a_menu_that_reaches_below_the_map_leaves_the_sidebar_whole():
    person = playing(SETUP, columns=160, rows=34)
    keys = [line[132:] for line in person.reads().splitlines()]
    assert any("find by words" in line for line in keys)
    menu = [line[132:] for line in person.presses("escape").reads().splitlines()]
    assert [line for line in keys if line.strip()] == [line for line in menu if line.strip()]
