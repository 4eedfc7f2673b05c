"""Overlays: part of the code, the same place in other clothes, and no promise broken."""

import numpy as np
import pytest
from scipy import ndimage

from engine.state.field_of_view import light_of
from entities.terrain import Tile, terrain
from procgen.build import build
from procgen.level_code import CodeError, parse_code
from procgen.level_overlays import overlay_names, overlays
from procgen.recipes import current_recipes, find_recipe
from procgen.settings import complete, recipe_for_code
from render.ui.palette import theme

RECIPES = [recipe.name for recipe in current_recipes()]
PAIRS = [(recipe, overlay) for recipe in RECIPES for overlay in overlay_names()]


def flooded_from(ground, start):
    """Return which of the tiles ``ground[y, x]`` hang together with ``start``, by a plain list."""
    reached, pending = {tuple(start)}, [tuple(start)]
    while pending:
        x, y = pending.pop()
        for place in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if ground[place[1]][place[0]] and place not in reached:
                reached.add(place)
                pending.append(place)
    return reached


def broken(level):
    """Return the first promise that ``level`` breaks, found without the validator; or ''."""
    passes, tiles = terrain().walkable[level.tiles], level.tiles
    doors = (tiles == Tile.LOCKED_DOOR) | (tiles == Tile.SECRET_DOOR)
    everywhere = flooded_from((passes | doors).tolist(), level.start)
    if len(everywhere) != int((passes | doors).sum()):
        return "parted"
    free = flooded_from(passes.tolist(), level.start)
    if not level.mission and tuple(level.exit) not in free:
        return "the exit is locked away"
    if any((spawn.x, spawn.y) not in everywhere for spawn in level.spawns):
        return "a creature stands in rock"
    corners, _ = ndimage.label(passes, np.ones((3, 3)))
    for y, x in np.argwhere(tiles == Tile.LOCKED_DOOR).tolist():
        beside = {corners[y - 1, x], corners[y + 1, x], corners[y, x - 1], corners[y, x + 1]} - {0}
        if len(beside) < 2:
            return "a lock shuts nothing"
    if int((tiles == Tile.KEY).sum()) != int((tiles == Tile.LOCKED_DOOR).sum()):
        return "keys and locks differ"
    return ""


def check_pair(name, overlay, seeds):
    recipe = find_recipe(f"{name}+{overlay}")
    for seed in seeds:
        level = build(recipe.code(seed, 1 + seed % 12), digests=False)
        assert broken(level) == "", str(level.code)


def test_one_seed_of_every_recipe_keeps_every_promise_under_an_overlay_in_turn():
    for number, name in enumerate(RECIPES):
        check_pair(name, overlay_names()[number % len(overlay_names())], [number])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "overlay"), PAIRS)
def test_fifty_seeds_of_every_recipe_keep_every_promise_under_every_overlay(name, overlay):
    check_pair(name, overlay, range(50))


def test_overlays_are_part_of_the_code_and_printed_in_full():
    code = complete(parse_code("Keep+Flooded:42:3"))
    assert str(code) == "keep.1+flooded.1:42:3@80x45"
    assert complete(parse_code(str(code))) == code
    assert (code.name, code.recipe) == ("keep+flooded", "keep")
    assert str(build(code).code) == str(code)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("keep+sunken:1", "there is no overlay 'sunken'; there are flooded"),
        ("keep+flooded+flooded:1", "flooded is named twice"),
        ("keep+flooded.9:1", "the overlay flooded has no version 9; its newest is 1"),
        ("wilds+flooded:1", "wilds is an infinite world: it takes no overlays"),
    ],
)
def test_what_cannot_be_worn_is_refused_in_a_sentence(text, words):
    with pytest.raises(CodeError, match=words):
        complete(parse_code(text))


def test_start_and_exit_stay_where_they_were():
    for name in ("keep", "caverns", "garden", "mission"):
        bare, worn = (build(find_recipe(f"{name}{more}").code(5)) for more in ("", "+flooded"))
        assert (bare.start, bare.exit) == (worn.start, worn.exit)
        assert (bare.tiles != worn.tiles).any()


def test_the_palette_is_the_overlays_and_walls_and_light_are_the_recipes():
    level = build(find_recipe("keep+flooded").code(1))
    assert level.theme == "stone+coast"
    assert (theme(level.theme).made, theme(level.theme).name) == (
        theme("stone").made,
        theme("stone").name,
    )
    assert theme(level.theme).water == theme("coast").water
    bare = find_recipe("keep").code(1, 5)
    worn = find_recipe("keep+flooded").code(1, 5)
    assert light_of(worn, level.theme) == light_of(bare, "stone")


def test_steps_of_an_overlay_are_tuned_by_their_own_names():
    code = complete(parse_code("caves+flooded;flooded/lakes.number=2;lakes.number=1:7"))
    assert code.settings == ("lakes.number=1", "flooded/lakes.number=2")
    numbers = [u.parameters.number for u in recipe_for_code(code).steps if u.step.name == "lakes"]
    assert numbers == [1, 2]


def test_every_overlay_has_steps_that_exist_and_a_palette_that_exists():
    for name in overlay_names():
        assert find_recipe(f"rooms+{name}").steps
        palette = overlays()[name].palette
        assert palette is None or theme(palette) == theme(f"{palette}+{palette}")
