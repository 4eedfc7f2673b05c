"""No recipe's levels become alike: variety is held to what was kept."""

import json

import pytest

import variety
from procgen.recipes import current_recipes, find_recipe

KEPT = json.loads(variety.KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KEPT)
def test_no_recipe_lost_more_than_a_tenth_of_its_variety(name):
    now = variety.varieties([find_recipe(name)], 1)
    assert variety.poorer({name: KEPT[name]}, now) == []


def test_every_recipe_has_its_variety_kept():
    assert list(KEPT) == [recipe.name for recipe in current_recipes()]


def test_a_poorer_recipe_is_named():
    kept = {"caves": 0.1, "bsp": 0.1, "maze": 0.1}
    assert variety.poorer(kept, {"caves": 0.091, "bsp": 0.3, "maze": 0.1, "new": 0}) == []
    assert [line.split(":")[0] for line in variety.poorer(kept, {"caves": 0.089, "maze": 0.1})] == [
        "bsp is gone",
        "caves",
    ]
