"""Settings in level codes: parameters of a recipe, changed by name."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from procgen import recipe_builder
from procgen.build import build, build_in_stages, recipe_of
from procgen.level_code import CodeError, parse_code
from procgen.progress import run_to_end
from procgen.recipe_builder import BuildFailed
from procgen.recipe_parameters import InvalidParameter, parameters_of, parse_value, with_value
from procgen.recipes import current_recipes, find_recipe
from procgen.settings import complete, recipe_for_code, settings_of
from procgen.step_registry import all_steps, struct_parameters


def full(text):
    return complete(parse_code(text))


def test_a_setting_changes_the_level_and_is_part_of_its_code():
    code = full("digger;attach_rooms.rooms=5:7")
    assert str(code) == "digger.1;attach_rooms.rooms=5:7:1@80x45"
    assert full(str(code)) == code
    assert len(build(code).rooms) < 9 < len(build(full("digger:7")).rooms)
    assert recipe_of(code).parameters()["attach_rooms"]["rooms"] == 5


def test_a_level_has_one_code_however_its_settings_are_written():
    written = full(
        "digger;loops.at_most=3;attach_rooms.rooms=12;loops.at_most=4;doors.chance=.60:7"
    )
    assert str(written) == "digger.1;attach_rooms.rooms=12;loops.at_most=4:7:1@80x45"
    assert str(full("digger.1;attach_rooms.rooms=37:7")) == "digger.1:7:1@80x45"
    assert full("digger;doors.chance=-0:7") == full("digger;doors.chance=0:7")


def test_settings_move_no_random_number_of_other_steps():
    plain, empty = build(full("caves:3")), build(full("caves;monsters_by_density.per_100=0:3"))
    assert (plain.tiles == empty.tiles).all()
    assert len(plain.spawns) > len(empty.spawns)


def test_words_lists_and_repeated_steps_can_be_set():
    code = full("caves;scatter.tile=grass;scatter#2.on=floor,grass;scatter#2.beside=none:3")
    recipe = recipe_for_code(code)
    assert recipe.parameters()["scatter"]["tile"] == "grass"
    assert recipe.parameters()["scatter#2"]["on"] == ("floor", "grass")
    assert recipe.parameters()["scatter#2"]["beside"] == ()
    assert settings_of(find_recipe("caves"), recipe) == code.settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("lops.at_most=3", "digger has no step 'lops' .do you mean loops"),
        ("loops.at_mst=3", "loops has no parameter 'at_mst' .do you mean at_most"),
        ("loops.at_most=many", "at_most must be a whole number from 0 to 50"),
        ("loops.at_most=51", "at_most must be a whole number from 0 to 50"),
        ("loops.threshold=-1", "from 0 to 10000 steps"),
        ("loops.doors=nan", "doors must be from 0 to 1"),
        ("loops.at_most=1;loops.at_most=" + "9" * 1_500, "from 0 to 50"),
        ("loops.at_most", "is not STEP.PARAMETER=VALUE"),
        ("=", "is not STEP.PARAMETER=VALUE"),
        ("", "is not STEP.PARAMETER=VALUE"),
        ("loops.at_most=1=2", "a value has no space"),
        ("x.y=" + "9" * 3_000, "at most 2,000 characters"),
    ],
)
def test_an_impossible_setting_is_refused_in_one_sentence(settings, words):
    with pytest.raises(CodeError, match=words) as fault:
        full(f"digger;{settings}:1")
    assert "\n" not in str(fault.value)
    assert len(str(fault.value)) < 300


def test_a_later_value_has_the_bounds_of_the_recipe_not_of_an_earlier_one():
    with pytest.raises(CodeError, match="from 1 to 1000"):
        full("digger;attach_rooms.rooms=1000;attach_rooms.rooms=2000:1")


def test_an_infinite_world_takes_no_settings():
    with pytest.raises(CodeError, match="wilds is an infinite world"):
        full("wilds;rivers.width=3:1")


@pytest.mark.parametrize(
    ("file", "origin", "words"),
    [
        (recipe_builder.__file__, "", "with these settings .ValueError: high <= 0"),
        ("own.py", "own", "own.py, line 2, in stumbles: ValueError: high <= 0"),
    ],
)
def test_values_that_no_step_can_work_with_fail_the_build_with_a_sentence(file, origin, words):
    code = full("rooms;rectangular_rooms.tries=3:1")
    (first, *others) = recipe_for_code(code).steps

    found = {}
    exec(compile("def stumbles(*_, **__):\n    raise ValueError('high <= 0')", file, "exec"), found)
    step = replace(first.step, function=found["stumbles"], origin=origin)
    recipe = replace(recipe_for_code(code), steps=(replace(first, step=step), *others))
    with pytest.raises(BuildFailed, match=words):
        run_to_end(build_in_stages(code, recipe))
    with pytest.raises(ValueError, match=r"^high"):  # Without settings it is a fault of ours.
        run_to_end(build_in_stages(code, replace(recipe, settings=())))


KNOBS = [(recipe, parameter) for recipe in current_recipes() for parameter in parameters_of(recipe)]
TEXTS = [*map(str, range(-3, 40)), "0.25", "-0.1", "1e-7", ".5", "1e9", "nan", "inf", "", "none"]
TEXTS += ["yes", "no", "wall", "floor,grass", "orc", "random", "9" * 5_00]


@given(st.sampled_from(KNOBS), st.sampled_from(TEXTS))
def test_whatever_can_be_set_is_read_back_from_the_code(one, text):
    recipe, parameter = one
    label = recipe.steps[parameter.step_index].label
    try:
        changed = with_value(recipe, parameter, parse_value(parameter, text))
    except InvalidParameter:
        with pytest.raises(CodeError):
            full(f"{recipe.name};{label}.{parameter.name}={text}:5")
        return
    code = full(f"{recipe.name};{label}.{parameter.name}={text}:5")
    assert full(str(code)) == code
    assert recipe_for_code(code).parameters() == changed.parameters()


def test_every_parameter_of_every_step_has_a_meaning():
    missing = [
        f"{step.name}.{one.name}"
        for step in all_steps().values()
        for one in struct_parameters(step.parameters)
        if not step.meaning(one.name)
    ]
    assert missing == []


def test_what_is_told_of_a_step_names_no_constant_and_every_way_to_grow():
    assert [one.name for one in all_steps().values() if re.search(r"`[A-Z_]{3,}`", one.text)] == []
    meaning = all_steps()["diffusion_limited_aggregation"].meaning("mode")
    assert '"inward"' in meaning
    assert '"outward"' in meaning


def labels(recipe):
    return [use.label for use in recipe.steps]


def test_steps_are_put_in_moved_and_taken_out_and_that_is_part_of_the_code():
    code = full("caves;bridges=fissures;scatter_rock=first;fissures=off;bridges.most=4:7")
    plain = labels(find_recipe("caves"))
    assert "bridges" not in plain
    assert str(code) == "caves.1;fissures=off;bridges=join_regions;bridges.most=4:7:1@80x45"
    recipe = recipe_for_code(code)
    assert labels(recipe) == [("bridges" if name == "fissures" else name) for name in plain]
    assert full(str(code)) == code
    level = build(code)
    assert [label for label, _ in level.steps] == labels(recipe)
    assert str(full("caves;bridges=fissures;bridges=off:7")) == str(full("caves:7"))


def test_a_step_keeps_its_draws_when_another_is_put_in_behind_it():
    plain, edited = build(full("caves:7")), build(full("caves;bridges=fissures:7"))
    at = labels(find_recipe("caves")).index("fissures") + 1
    assert edited.steps[:at] == plain.steps[:at]
    assert edited.steps[at][0] == "bridges"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("lakes=lops", "lakes cannot go after 'lops' .do you mean loops"),
        ("lekes=loops", "there is no step 'lekes' .do you mean lakes"),
        ("bridges=off", "there is no step 'bridges'"),
        ("doors=first", "doors needs floor from an earlier step"),
        ("start_in_first_room=off", "needs start from an earlier step"),
        ("loops=off;loops.doors=0.5", "has no step 'loops'"),
    ],
)
def test_an_edit_that_cannot_be_is_refused_with_the_reason(settings, words):
    with pytest.raises(CodeError, match=words) as fault:
        full(f"digger;{settings}:1")
    assert "\n" not in str(fault.value)
    assert len(str(fault.value)) < 300


@settings(deadline=None)
@given(
    edits=st.lists(
        st.tuples(
            st.sampled_from([*all_steps()][::3] + labels(find_recipe("caves"))),
            st.sampled_from([*labels(find_recipe("caves")), "first", "off"]),
        ),
        max_size=4,
    )
)
def test_any_edits_that_fit_make_one_code_that_reads_back(edits):
    settings = [f"{label}={place}" for label, place in edits if label != place]
    try:
        code = full(";".join(["caves", *settings]) + ":3")
    except CodeError:
        return  # What is refused has a test above.
    assert full(str(code)) == code
    assert recipe_for_code(full(str(code))).steps == recipe_for_code(code).steps


@pytest.mark.parametrize(
    ("edit", "lacks"),
    [
        ("rooms;exit_in_last_room=off;monsters_in_rooms=off", "exit"),
        ("rooms;start_in_first_room=off;exit_in_last_room=off;monsters_in_rooms=off", "exit or"),
    ],
)
def test_a_step_that_alone_gives_start_or_exit_cannot_be_left_out(edit, lacks):
    with pytest.raises(CodeError, match=f"no step gives {lacks}"):
        full(f"{edit}:1")
