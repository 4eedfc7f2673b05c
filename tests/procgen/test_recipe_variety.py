"""No recipe's levels become alike: variety is held to what was kept."""

import json

import numpy as np
import pytest

import variety
from entities.terrain import openable_mask
from procgen.build import build
from procgen.recipes import current_recipes, find_recipe

KEPT = json.loads(variety.KEPT.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", KEPT)
def test_no_recipe_lost_more_than_a_tenth_of_its_variety(name):
    now = variety.varieties([find_recipe(name)], 1)
    assert variety.poorer({name: KEPT[name]}, now) == []


def test_every_recipe_has_its_variety_kept():
    assert list(KEPT) == [recipe.name for recipe in current_recipes()], variety.KEEP_AGAIN


def test_a_poorer_recipe_is_named():
    kept = {"caves": 0.1, "bsp": 0.1, "maze": 0.1}
    assert variety.poorer(kept, {"caves": 0.091, "bsp": 0.3, "maze": 0.1, "new": 0}) == []
    said = variety.poorer(kept, {"caves": 0.089, "maze": 0.1})
    assert [line.split(":")[0].split(".")[0] for line in said] == ["bsp is gone", "caves"]
    assert all("python tests/keep.py variety" in line for line in said)


def likeness(name, seeds=10):
    """Return how far two levels are one drawing: correlation of ground, best of four flips."""
    found = [openable_mask()[build(find_recipe(name).code(seed)).tiles] for seed in range(seeds)]
    flat = np.array([one - one.mean() for one in found])
    flat /= np.sqrt((flat**2).sum(axis=(1, 2), keepdims=True))
    views = (flat, flat[:, ::-1], flat[:, :, ::-1], flat[:, ::-1, ::-1])
    best = np.max([np.einsum("iyx,jyx->ij", flat, view) for view in views], axis=0)
    return float(best[np.triu_indices(seeds, 1)].mean())


@pytest.mark.parametrize("name", ["keep", "city", "labyrinth", "maze", "caves", "ruins"])
def test_plans_differ_from_seed_to_seed(name):
    assert likeness(name) < 0.42
