"""What a run writes down when it begins, so that later data cannot change it."""

import pytest

from engine.levels.recipe_by_depth import pinned, recipe_at
from engine.state.run_setup import Mode, RunSetup


@pytest.mark.parametrize("mode", list(Mode))
def test_a_run_of_one_recipe_writes_down_its_version_and_no_strata(mode):
    setup = pinned(RunSetup(3, "3", mode, "caves"))
    assert (setup.generator, setup.version) == ("caves", 1)
    assert not setup.strata


def test_the_workshop_without_a_recipe_writes_down_the_first():
    setup = pinned(RunSetup(3, "3", Mode.WORKSHOP))
    assert (setup.generator, setup.version) == (recipe_at(setup, 1).name, 1)
    assert not setup.strata


def test_an_adventure_writes_down_which_recipes_come_at_which_depth():
    setup = pinned(RunSetup(3, "3"))
    assert setup.generator is None
    assert setup.version is None
    assert setup.strata[0].from_depth == 1
    assert all(name.endswith(".1") for stratum in setup.strata for name in stratum.recipes)
