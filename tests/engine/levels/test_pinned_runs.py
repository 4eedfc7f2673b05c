"""What a run writes down when it begins, so that later data cannot change it."""

import pytest

from engine.levels.recipe_by_depth import pinned, recipe_at
from engine.state.run_setup import Mode, RunSetup, Stratum
from procgen.level_code import CodeError
from procgen.recipes import current_recipes


@pytest.mark.parametrize("mode", list(Mode))
def test_a_run_of_one_recipe_writes_down_its_version_and_no_strata(mode):
    setup = pinned(RunSetup(3, "3", mode, "caves"))
    assert (setup.generator, setup.version) == ("caves", 1)
    assert not setup.strata


def test_the_workshop_without_a_recipe_writes_down_the_first():
    setup = pinned(RunSetup(3, "3", Mode.WORKSHOP))
    assert (setup.generator, setup.version) == (recipe_at(setup, 1).name, 1)
    assert not setup.strata


def test_the_workshop_without_a_recipe_draws_none_and_takes_the_first_at_any_depth():
    for depth in range(1, 9):
        setup = RunSetup(depth, str(depth), Mode.WORKSHOP)
        assert recipe_at(setup, depth) is current_recipes()[0]


def test_an_adventure_writes_down_which_recipes_come_at_which_depth():
    setup = pinned(RunSetup(3, "3"))
    assert setup.generator is None
    assert setup.version is None
    assert setup.strata[0].from_depth == 1
    assert all(name.endswith(".1") for stratum in setup.strata for name in stratum.recipes)


def test_a_run_whose_strata_or_settings_hang_in_the_air_is_refused():
    strata = (Stratum(2, {"caves.1": 1}),)
    with pytest.raises(CodeError, match="must begin at depth 1"):
        RunSetup(3, "3", strata=strata)
    with pytest.raises(CodeError, match="need a generator"):
        RunSetup(3, "3", settings=("doors=off",))
