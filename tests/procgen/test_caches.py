"""Caches stay small however many levels are built in a process."""

import sys

from procgen.build import build
from procgen.level_light import natural_light
from procgen.metrics import measure
from procgen.recipes import find_recipe
from procgen.wfc.constraints import REMEMBERED
from procgen.wfc.samples import sample

PACKAGES = ("procgen", "entities")


def unbounded():
    """Return the entries of every cache without a limit, by module and name."""
    found = {}
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in PACKAGES:
            for thing in vars(module).values():
                if hasattr(thing, "cache_info") and thing.cache_info().maxsize is None:
                    key = thing.__module__, thing.__qualname__
                    found[key] = thing.cache_info().currsize
    return found


def build_some(seeds, more):
    for name in ("rooms", "caves", "maze", "recursive_division", "mission", "wfc", "pools"):
        recipe = find_recipe(name)
        for seed in seeds:
            width, height = recipe.smallest
            level = build(recipe.code(seed, 1 + seed, (width + 9 + more, height + 5 + more)))
            natural_light(level.code, level.theme)
            measure(level)


def test_a_cache_without_limit_grows_neither_with_seeds_nor_with_sizes_nor_with_depths():
    build_some(range(2), 0)
    before = unbounded()
    build_some(range(7, 9), 3)
    assert unbounded() == before
    assert sample("pools").forbidden.cache_info().maxsize == REMEMBERED
