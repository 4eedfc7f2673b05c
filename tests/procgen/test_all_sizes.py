"""Every recipe can be built at every size it says it can."""

import pytest

from entities.terrain import Tile
from procgen.build import build
from procgen.recipes import current_recipes
from procgen.rng import Rng

RECIPES = current_recipes()
LARGEST = 100
SAMPLE = 500


def sizes(recipe):
    """Return every (width, height) from the smallest of ``recipe`` to 100 on each side."""
    least_width, least_height = recipe.smallest
    return [
        (width, height)
        for width in range(least_width, LARGEST + 1)
        for height in range(least_height, LARGEST + 1)
    ]


def sampled():
    """Return a fixed sample of (recipe, width, height): small sizes, where builds fail, mostly."""
    rng = Rng(0, "sizes")
    found = []
    for number in range(SAMPLE):
        recipe = RECIPES[number % len(RECIPES)]
        sides = (least + min(rng.below(45), rng.below(45)) for least in recipe.smallest)
        found.append((recipe, *sides))
    return found


def test_a_fixed_sample_of_sizes_can_be_built():
    for recipe, width, height in sampled():
        build(recipe.code(width * 1000 + height, 1, (width, height)))


@pytest.mark.parametrize("side", [27, 28, 29])
def test_a_keep_of_28_tiles_a_side_can_be_built(side):
    recipe = next(one for one in RECIPES if one.name == "keep")
    for other in (side, 40, 100):
        for seed in range(3):
            build(recipe.code(seed, 1, (side, other)))
            build(recipe.code(seed, 1, (other, side)))


@pytest.mark.parametrize("name", ["mission", "sunken_mission", "wild_mission", "fortress_mission"])
def test_a_mission_on_a_large_map_can_be_built_and_takes_most_of_it(name):
    recipe = next(one for one in RECIPES if one.name == name)
    level = build(recipe.code(0, 4, (260, 200)))
    assert len(level.rejected) < 16
    for axis, side in ((1, 260), (0, 200)):
        dug = (level.tiles != Tile.WALL).any(1 - axis).nonzero()[0]
        assert dug[-1] - dug[0] > side // 2


def test_no_dungeon_of_vaults_dies_out():
    recipe = next(one for one in RECIPES if one.name == "vaulted")
    levels = [build(recipe.code(seed, 1, (160, 160))) for seed in range(4)]
    assert min(len(level.rooms) for level in levels) > 100
    again = [build(recipe.code(seed, 1)) for seed in (8, 50)]
    assert [level.rejected for level in again] == [("too few vaults",)] * 2
    assert min(len(level.rooms) for level in again) > 20


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_every_size_can_be_built(recipe):
    for width, height in sizes(recipe):
        build(recipe.code(width * 1000 + height, 1, (width, height)))
