"""Turning a recipe's parameters by key."""

import re

import pytest

from engine.saves.files import recorded_paths
from engine.state.actions import Wait
from engine.state.run_setup import Mode, RunSetup
from main import main
from procgen.recipe_parameters import (
    InvalidParameter,
    parameter_value,
    parameters_of,
    parse_value,
    stepped_value,
    with_value,
)
from procgen.recipes import find_recipe
from procgen.wfc.samples import SAMPLES
from render.screens.play_screen import PlayScreen
from render.screens.screen import Leave
from render.screens.watch_build import WatchBuildScreen
from render.session.start_run import begin
from render.ui.input import Key, Paste, Pointer
from render.workshop.build_recording import BuildRecording
from render.workshop.parameter_panel import LONGEST
from support.build_screens import full, level_of, tuning, watching
from support.play_screens import playing, world_of


def test_a_turned_parameter_grows_another_level_from_the_same_seed():
    person = tuning("bsp:3")
    before = level_of(person)
    assert before.steps == watching("bsp:3").top.player.recording.level.steps
    person.presses("right")
    after = level_of(person)
    assert "rounds" in person.reads()
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 6
    assert after.steps[-1][1] != before.steps[-1][1]
    assert str(after.code) == "bsp.1;binary_space_partition.rounds=6:3:1@80x45"
    assert person.top.player.index == person.top.player.last
    assert " was " in person.reads()
    person.types("r")
    assert level_of(person).steps == before.steps
    person.app.handle(Key("right", shift=True))
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 15
    person.types("R")
    assert person.top.recipe == find_recipe("bsp")


def test_values_are_typed_and_invalid_ones_are_explained():
    person = tuning()
    own = level_of(person)
    person.types("1.5\n")
    assert "rock must be from 0 to 1." in person.reads()
    assert level_of(person) is own
    person.types("0.4\n")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0.4
    assert level_of(person).steps != own.steps
    person.types("9").presses("escape")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0.4
    person.presses("down", "down").types("2.5\n")
    assert "rounds must be a whole number" in person.reads()
    person.types("999999999\n")
    assert "rounds must be a whole number from 0 to 1000." in person.reads()
    person.presses("escape", "enter", "backspace").types("7\n")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 7
    person.presses("kp_1", "kp_2", "kp_enter")  # The first digit begins to type.
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 12


def test_the_first_key_replaces_a_number_and_a_refused_one_stays_with_the_reason():
    person = tuning()
    person.presses("enter").types("0.9\n")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0.9
    person.presses("enter", "right").types("0.3.5\n")
    assert "rock must be from 0 to 1, not '0.3.5'." in person.reads()
    assert person.top.panel.text == "0.3.5"
    person.presses("backspace", "backspace").types("5\n")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0.35
    person.presses("enter", "escape").types("0.6\n")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0.6


def test_the_recipes_value_stands_before_choices_that_are_too_many_for_the_panel():
    person = tuning()
    while not person.top.panel.selected or person.top.panel.selected.name != "tile":
        person.presses("down")
    rows = person.reads().splitlines()
    first = next(y for y, row in enumerate(rows) if "The recipe says forest; one of bones" in row)
    assert rows[first + 2].rstrip().endswith(" …")


def test_a_long_meaning_is_read_to_its_end_on_the_smallest_screen():
    person = tuning("walk:7")
    person.backend.size = 80, 24
    person.presses("down").types("0.5\n")
    said = "".join(row[46:] for row in person.reads().splitlines())
    assert "at most 'at_most' steps for each tile of the map." in " ".join(said.split())


def test_refused_words_stay_to_be_corrected_and_their_reason_is_read_to_its_end():
    person = tuning("one_rule_maze:7")
    before = parameter_value(person.top.recipe, person.top.panel.selected)
    person.presses("enter").types(f", {'wall ' * 40}\n")
    said = " ".join(person.reads().split())
    assert "a rule is a pattern, -> and what it becomes: floor wall -> floor floor." in said
    person.presses(*["backspace"] * 190).types("-> same floor\n")
    after = parameter_value(person.top.recipe, person.top.panel.selected)
    assert after == (*before, "wall wall -> same floor")
    person.presses("enter").types(",\n").presses("escape", "down")
    assert "a rule is" not in person.reads()


def test_rules_are_typed_and_no_key_or_arrow_steps_through_them():
    person = tuning("one_rule_maze:7")
    recipe = person.top.recipe
    for key in ("right", "left"):
        text = person.presses("down", "up", key).reads()
        assert "rules must be typed." in text
        assert "Enter type" in text
    assert person.top.recipe is recipe


def test_pasting_is_cut_like_typing_and_goes_nowhere_without_a_parameter():
    person = tuning("one_rule_maze:7").presses("enter")
    person.app.handle(Paste(f", {'wall ' * 1000}"))
    assert len(person.top.panel.text) == LONGEST
    person = tuning("caves:7")
    while person.top.panel.selected:
        person.presses("down")
    person.app.handle(Paste("0.5"))
    assert person.top.panel.text is None
    assert "join_regions has no parameters." in person.types("5").reads()


def test_a_long_code_leaves_room_for_the_overlay_and_for_what_made_a_tile():
    code = "caves;cellular_automaton.rounds=7;scatter_rock.rock=0.5;require_floor.share=0.05:42"
    person = watching(code).presses("end").types("x")
    assert re.search(r"… tuned +40,22 \S+ by step \d+, ", person.reads())
    assert "← → ↑ ↓ point   Esc back" in person.reads().splitlines()[-1]
    person.types("xm")
    assert " m regions " in person.reads()
    person.types("t")
    assert " m regions " in person.reads()


def test_turning_stops_at_the_bounds():
    person = tuning()
    for _ in range(30):
        person.presses("left")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 0
    person.presses("left")
    assert "rock must be from 0 to 1." in person.reads()


@pytest.mark.parametrize("name", ["terrain", "mondrian", "caverns"])
def test_every_parameter_can_be_turned_and_stays_within_bounds(name):
    recipe = find_recipe(name)
    for parameter in parameters_of(recipe):
        for by in (1, -1, 10, -10):
            changed = recipe
            for _ in range(4):
                wanted = stepped_value(changed, parameter, by, parameter_value(recipe, parameter))
                changed = with_value(changed, parameter, wanted)
            assert parameter_value(changed, parameter) == parameter_value(
                with_value(recipe, parameter, wanted), parameter
            )
        with pytest.raises(InvalidParameter, match=parameter.name):
            with_value(recipe, parameter, parse_value(parameter, "purple"))


def test_a_build_that_fails_is_said_in_a_sentence():
    person = tuning()
    person.types("1\n")
    person.top.player.recording.to_end()
    assert "  No level: all 64 attempts were rejected: too little floor" in person.reads()
    person.presses("escape")
    assert "tuned" in person.reads()
    person.presses("end").waits()
    assert "attempts were rejected" in person.reads()


def test_a_recipe_that_makes_no_level_can_be_tuned_until_it_does(tmp_path, monkeypatch):
    rock = '[rock]\ndescription = ""\nextends = "caves"\nchange = { scatter_rock = { rock = 1 } }\n'
    (tmp_path / "recipes.toml").write_text(rock, "utf-8")
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    person = tuning("~rock:7")
    assert level_of(person) is None
    person.types("0.5\n")
    level_of(person)
    assert "floor " in person.reads()
    assert " was " not in person.reads()
    person.types("0.4\n")
    level_of(person)
    assert " was " in person.reads()


def test_from_a_sample_of_ones_own_the_keys_turn_to_the_samples_of_the_program(
    tmp_path, monkeypatch
):
    change = '{ wave_function_collapse = { sample_map = "~mine", tiled = false } }'
    entry = f'[own]\ndescription = ""\nextends = "wfc"\nchange = {change}\n'
    (tmp_path / "recipes.toml").write_text(entry, "utf-8")
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "mine.txt").write_text("#####\n#...#\n#####\n", "utf-8")
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    person = tuning("~own:7@20x15")
    parameter = person.top.panel.selected
    assert parameter.name == "sample_map"
    assert parameter_value(person.top.recipe, parameter) == "~mine"
    for key, sample in (("right", SAMPLES[0]), ("left", SAMPLES[-1])):
        person.types("R").presses(key)
        assert parameter_value(person.top.recipe, parameter) == sample


def test_a_step_that_breaks_on_odd_values_is_said_too(monkeypatch):
    def broken(*_, **__):
        raise ValueError("low >= high")
        yield

    monkeypatch.setattr("procgen.step_registry.Step.run", broken)
    growth = BuildRecording(full("rooms;rectangular_rooms.tries=7:1"))
    growth.to_end()
    assert growth.failure.startswith("No level: ")
    assert growth.failure.endswith("(ValueError: low >= high)")
    with pytest.raises(ValueError, match="low"):
        BuildRecording(full("rooms:1")).to_end()


def test_leaving_the_panel_watches_the_new_recipe():
    person = tuning("bsp:3")
    person.presses("right")
    wanted = person.top.code
    person.presses("escape")
    assert isinstance(person.top, WatchBuildScreen)
    assert person.top.code == person.top.player.recording.code == wanted
    assert "tuned" in person.reads()
    person.types("tR").presses("escape")
    assert " tuned" not in person.reads()


ROUNDS = "binary_space_partition.rounds=6"


def test_changed_values_are_asked_about_on_leaving_and_kept():
    person = playing(RunSetup(3, "3", Mode.WORKSHOP, "bsp")).types("vt").presses("right", "escape")
    assert person.top.code.settings == (ROUNDS,)
    person.presses("escape")
    assert "You changed 1 setting" in person.reads()
    assert not re.search("them|they|changes", person.reads()), "one is no plural"
    assert ROUNDS in person.reads()
    person.types("s")
    assert person.top.code.settings == (ROUNDS,)
    person.types("qd")
    assert isinstance(person.top, PlayScreen)
    person.types("vt")
    assert person.top.recipe == find_recipe("bsp")
    person.presses("right", "escape", "escape").types("k")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).code.settings == ()
    person.types("v")
    assert person.top.code.settings == (ROUNDS,)
    assert "tuned" in person.reads()
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    person.types("vtR").presses("escape", "escape").types("v")
    assert person.top.code.settings == ()


def test_changed_values_of_a_dressed_level_can_be_kept():
    person = playing(RunSetup(3, "3", Mode.WORKSHOP, "bsp")).types("vt").presses("right", "escape")
    person.presses("{", "b").presses("escape")
    said = " ".join(person.reads().replace("│", " ").split())
    assert "You changed 1 setting and overlays" in said
    assert "when you next watch bsp or bsp+burning." in said
    person.types("k")
    assert isinstance(person.top, PlayScreen)
    assert str(world_of(person).code) == "bsp.1:3:1@80x45"
    assert person.types("v").top.code.settings == (ROUNDS,)
    person.presses("escape", "{", "b")
    assert world_of(person).code.name == "bsp+burning"
    assert person.types("v").top.code.settings == (ROUNDS,)


def test_a_level_with_other_overlays_only_has_no_settings_to_keep():
    person = playing(RunSetup(3, "3", Mode.WORKSHOP, "bsp")).types("v").presses("{", "b", "escape")
    assert "overlays" in person.reads()
    assert "Keep them" not in person.reads()
    assert "What you keep" not in person.reads()


def test_a_tuned_level_is_played_unscored_and_its_run_replays(own_home, capsys):
    person = playing(RunSetup(3, "3", Mode.WORKSHOP, "bsp")).types("vt").presses("right", "escape")
    wanted = level_of(person)
    person.presses("escape").types("p")
    assert isinstance(person.top, PlayScreen)
    state = world_of(person)
    assert str(state.code) == f"bsp.1;{ROUNDS}:3:1@80x45"
    assert (state.map.level.tiles == wanted.tiles).all()
    assert not state.scored
    person.types("..vt")
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 6
    person.types("R").presses("escape", "escape").types("p")
    assert world_of(person).code.settings == ()
    person.app.answer(Leave())
    (path,) = recorded_paths()
    assert f'["visit","bsp.1;{ROUNDS}:3:1@80x45"]' in path.read_text()
    assert main(["replay", str(path), "--verify"]) == 0
    assert "turns   4\n" in capsys.readouterr().out


def test_a_run_begun_with_changed_values_replays(own_home, capsys):
    session = begin(RunSetup(3, "3", generator="bsp", settings=(ROUNDS,)))
    session.act(Wait())
    assert not session.run.state.scored
    session.run.close()
    (path,) = recorded_paths()
    assert main(["replay", str(path), "--verify"]) == 0
    assert f"level   bsp.1;{ROUNDS}:3:1@80x45" in capsys.readouterr().out


def test_values_that_make_no_level_can_not_be_played():
    person = playing(RunSetup(7, "7", Mode.WORKSHOP, "caves")).types("vt1\n")
    person.presses("escape", "escape").types("p")
    assert "attempts were rejected" in person.reads()
    person.presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).code.settings == ()


def test_counts_of_neighbours_go_up_to_nine():
    parameters = {
        parameter.name: parameter.range for parameter in parameters_of(find_recipe("caves"))
    }
    assert parameters["birth"] == parameters["survive"] == "a whole number from 0 to 9"


def test_the_panel_is_worked_by_mouse():
    person = tuning("bsp:3").points("min_leaf")
    assert person.top.panel.selected.name == "min_leaf"
    row = next(y for y, line in enumerate(person.reads().splitlines()) if "►" in line)
    x = person.reads().splitlines()[row].index("►")
    person.app.handle(Pointer("press", x, row, None, "left"))
    assert parameter_value(person.top.recipe, person.top.panel.selected) == 9


def wheels(person, amount):
    """Turn the wheel over the panel, up if ``amount`` is positive; return the selected name."""
    person.app.handle(Pointer("wheel", 100, 10, amount=amount))
    return person.top.panel.selected.name


def test_the_wheel_walks_the_list_and_stops_at_its_ends():
    person = tuning("bsp:3")
    first = person.top.panel.selected.name
    assert wheels(person, 1) == first
    person.types("99999\n")
    assert f"{first} must be" in person.reads()
    person.presses("escape")
    assert wheels(person, -1) == person.presses("up", "down").top.panel.selected.name != first
    assert f"{first} must be" not in person.reads()
    assert wheels(person, 3) == first
    last = person.presses("up").top.panel.selected.name
    assert last != first
    assert wheels(person, -1) == last


def test_a_value_being_typed_goes_to_no_other_parameter():
    person = tuning("bsp:3").types("7")
    recipe, chosen = person.top.recipe, person.top.panel.selected
    wheels(person, -1)
    person.points("min_leaf")
    assert person.top.panel.selected == chosen
    assert person.top.recipe == recipe
    person.app.handle(Paste(" 2 "))
    person.types("\n")
    assert parameter_value(person.top.recipe, chosen) == 72


def test_parameters_that_can_do_nothing_are_not_shown():
    row = re.compile(r"large_max +\d")
    person = tuning("cardinal:3")
    assert not row.search(person.reads())
    while person.top.panel.selected.name != "large":
        person.presses("down")
    assert not row.search(person.reads())
    person.types("0.5\n")
    assert row.search(person.reads())


def test_parameters_measured_to_do_nothing_in_a_recipe_are_not_shown():
    person = tuning("ruins:3")
    shown = person.reads()
    assert "foothold" in shown
    assert "restarts" not in shown
    assert "otherwise" not in shown
