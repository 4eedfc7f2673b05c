"""Evolution: what may be turned, and what a trial costs."""

from dataclasses import replace

import pytest

from procgen.build import build, build_in_stages
from procgen.level_code import parse_code
from procgen.metrics import measure, metric_scales
from procgen.progress import run_to_end
from procgen.recipe_parameters import InvalidParameter, parameters_of, with_value
from procgen.recipes import current_recipes, find_recipe
from workbench.evolution.cma_es import Evolution
from workbench.evolution.evaluation import (
    Objective,
    parameter_changes,
    tunable_numbers,
    variant,
    varied_code,
)
from workbench.search.search_jobs import JobResult

ROOMS = find_recipe("rooms")
FOUR = range(4)


def evolution(goals, recipe=ROOMS):
    """Return the evolution of small levels towards ``goals``."""
    return Evolution(recipe.code(0, 1, (40, 30)), "evolved", FOUR, Objective(goals, ""), map)


def dial_of(name, recipe=ROOMS):
    return next(dial for dial in tunable_numbers(recipe) if dial.parameter.name == name)


@pytest.mark.parametrize("recipe", current_recipes(), ids=lambda recipe: recipe.name)
def test_every_number_is_a_dial_that_begins_at_its_own_value_and_stays_in_bounds(recipe):
    found = tunable_numbers(recipe)
    numbers = [use.parameters for use in recipe.steps]
    assert len(found) > 1
    assert parameter_changes(found, [dial.place for dial in found]) == ()
    for dial in found:
        assert (
            getattr(numbers[dial.parameter.step_index], dial.parameter.name)
            == dial.initial
            == dial.at(dial.place)
        )
        for share in (-1.0, 0.0, 0.37, 1.0, 2.0):
            assert dial.low <= dial.at(share) <= dial.high
    for share in (0.0, 1.0):
        variant(
            recipe, "other", parameter_changes(found, [share] * len(found))
        )  # Raises if refused.


def test_a_number_with_more_digits_than_a_notch_begins_at_its_own_value():
    share = dial_of("horizontal_first").parameter
    exact = dial_of("horizontal_first", with_value(ROOMS, share, 0.4512345678))
    assert exact.at(exact.place) == exact.initial == 0.4512345678
    assert parameter_changes([exact], [exact.place]) == ()
    assert exact.at(1.0) == 1


def _place(dial):
    return dial.parameter.step_index, dial.parameter.name


def test_whole_numbers_stay_whole_and_shares_are_round():
    tries, share = dial_of("tries"), dial_of("horizontal_first")
    assert (tries.low, tries.high) == (10, 90)
    assert {type(tries.at(n / 50)) for n in range(51)} == {int}
    assert share.at(0.123456) == 0.12
    assert (share.at(0.0), share.at(1.0)) == (0, 1)


def test_a_variant_is_the_recipe_but_for_what_was_turned():
    (tries,) = (parameter for parameter in parameters_of(ROOMS) if parameter.name == "tries")
    other = variant(ROOMS, "crowded", ((tries.step_index, "tries", 60),))
    assert (other.name, other.version) == ("crowded", 1)
    expected = {**ROOMS.parameters()}
    expected["rectangular_rooms"] = {**expected["rectangular_rooms"], "tries": 60}
    assert other.parameters() == expected
    with pytest.raises(InvalidParameter, match="min_side: the lower end"):
        variant(ROOMS, "crowded", ((0, "min_side", 11),))
    variant(ROOMS, "crowded", ((0, "min_side", 11), (0, "max_side", 12)))
    assert varied_code(ROOMS.code(0, 1), ROOMS, ((0, "min_side", 11),)) is None
    (none,) = evolution({}).build_all([((0, "min_side", 11),)], FOUR)
    assert (none.hits, len(none.failed)) == ([], 4)


def test_no_candidate_has_more_settings_than_a_level_code_can_hold():
    recipe = find_recipe("river_valley+flooded+burning+at_war")
    changes = [
        (*_place(dial), dial.low if dial.initial != dial.low else dial.high)
        for dial in tunable_numbers(recipe)
        if "min" not in dial.parameter.name and "max" not in dial.parameter.name
    ]
    few, code = changes[:20], recipe.code(0)
    assert parse_code(str(varied_code(code, recipe, few))).settings
    assert varied_code(code, recipe, changes) is None


def test_the_cost_of_levels_counted_by_hand():
    code = ROOMS.code(0, 1, (80, 45))
    level = measure(build(code))
    there = {"loops": float(level.loops), "path": float(level.path)}
    hits = JobResult(code, 2, [(0, level), (1, level)], [])
    assert Objective(there, "").cost(hits) == 0
    assert Objective(there, "loops < 0").cost(hits) == 1
    # Two levels at a distance of 1/2 in one of two metrics: an eighth is the mean square.
    far = {"loops": 0.0, "path": there["path"]}
    place = level.loops / (level.loops + metric_scales()["loops"].typical)
    assert Objective(far, "").cost(hits) == pytest.approx(place / 2**0.5)
    assert Objective(there, "").cost(hits._replace(rejected=2)) == 0.5
    failed = JobResult(code, 2, [], ["it cannot be built"] * 2)
    assert Objective(there, "").cost(failed) > Objective(far, "").cost(hits) + 1
    assert Objective({}, "loops >= 0").cost(hits) == 0


def test_candidates_are_the_levels_that_the_pasted_entry_will_build():
    changes = ((dial_of("tries").parameter.step_index, "tries", 60),)
    recipe = variant(ROOMS, "rooms_evolved", changes)
    levels = [run_to_end(build_in_stages(recipe.code(seed, 1, (40, 30)), recipe)) for seed in FOUR]
    (found,) = evolution({}).build_all([changes], FOUR)
    assert found.hits == [(seed, measure(level)) for seed, level in enumerate(levels)]


def test_numbers_that_nothing_can_be_built_from_fail_instead_of_breaking(monkeypatch):
    rock = ((*_place(dial_of("rock", find_recipe("caves"))), 1.0),)
    breeding = evolution({}, find_recipe("caves"))
    (solid,) = breeding.build_all([rock], FOUR)
    assert (solid.hits, len(solid.failed)) == ([], 4)

    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("procgen.recipe_builder.validate", broken)
    (failed,) = breeding.build_all([((*rock[0][:2], 0.5),)], FOUR)
    assert len(failed.failed) == 4


def test_rejected_builds_are_counted():
    caves = find_recipe("caves")
    rock = ((*_place(dial_of("rock", caves)), 0.7),)
    (found,) = evolution({}, caves).build_all([rock], FOUR)
    code = varied_code(caves.code(0, 1, (40, 30)), caves, rock)
    levels = [build(replace(code, seed=seed)) for seed in FOUR]
    assert found.rejected == sum(len(level.rejected) for level in levels) > 0


def test_numbers_that_change_nothing_measured_are_left_alone():
    breeding = evolution({"loops": 5.0})
    alive = {dial.parameter.name for dial in breeding.sensitive(tunable_numbers(ROOMS))}
    assert {"tries", "min_side", "max_side"} <= alive
    assert not alive & {"per_100", "rooms", "each"}
    assert breeding.sensitive([dial_of("each")]) == []


def test_numbers_the_best_does_as_well_without_are_set_back():
    breeding = evolution({"rooms": 12.0})
    tries, each = dial_of("tries"), dial_of("each")
    breeding.best = _candidate(breeding, ((*_place(tries), 80), (*_place(each), 3)))
    breeding.simplify()
    assert breeding.best.changes == ((*_place(tries), 80),)


def _candidate(breeding, turned):
    return type(breeding.best)(turned, breeding._costs([turned])[0])
