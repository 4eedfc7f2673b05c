"""Overlays: part of the code, the same place in other clothes, and no promise broken."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import ndimage

from engine.levels.dungeon import new_game
from engine.state.run_setup import RunSetup
from engine.terrain.fire import spread_fires
from entities.terrain import LOCK_TILES, TILE_NAMES, Tile, terrain
from procgen.build import build, build_in_stages
from procgen.level_code import CodeError, UnknownRecipe, parse_code
from procgen.level_overlays import (
    extra_spawn_weights,
    light_of,
    overlay_names,
    overlays,
)
from procgen.recipe_builder import undo_mission_breaks
from procgen.recipes import current_recipes, find_recipe
from procgen.settings import complete, recipe_for_code
from procgen.step_chain import MAY_LACK, step_uses
from procgen.step_registry import all_steps
from procgen.validate import broken_invariants
from render.ui.palette import theme

GIVEN = MAY_LACK | {"floor", "start", "exit"}
RECIPES = [recipe.name for recipe in current_recipes()]


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
    doors = np.isin(tiles, (*LOCK_TILES, Tile.SECRET_DOOR))
    everywhere = flooded_from((passes | doors).tolist(), level.start)
    if len(everywhere) != int((passes | doors).sum()):
        return "parted"
    free = flooded_from(passes.tolist(), level.start)
    if not level.mission and tuple(level.exit) not in free:
        return "the exit is locked away"
    if any((spawn.x, spawn.y) not in everywhere for spawn in level.spawns):
        return "a creature stands in rock"
    found = passes if level.mission else passes | (tiles == Tile.SECRET_DOOR)
    corners, _ = ndimage.label(found, np.ones((3, 3)))
    for y, x in np.argwhere(np.isin(tiles, LOCK_TILES)).tolist():
        beside = {corners[y - 1, x], corners[y + 1, x], corners[y, x - 1], corners[y, x + 1]} - {0}
        if len(beside) < 2:
            return "a lock can be bypassed"
    if int((tiles == Tile.KEY).sum()) != int((tiles == Tile.LOCKED_DOOR).sum()):
        return "keys and locks differ"
    return ""


def check_pair(name, overlay, seeds):
    recipe = find_recipe(f"{name}+{overlay}")
    for seed in seeds:
        level = build(recipe.code(seed, 1 + seed % 12))
        assert broken(level) == "", str(level.code)


def test_one_seed_of_every_recipe_keeps_every_promise_under_an_overlay_in_turn():
    for number, name in enumerate(RECIPES):
        check_pair(name, overlay_names()[number % len(overlay_names())], [number])


@pytest.mark.slow
@pytest.mark.parametrize("name", RECIPES)
def test_fifty_seeds_of_every_recipe_keep_every_promise_under_every_overlay(name):
    for overlay in overlay_names():
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
        ("keep+sunken:1", "there is no overlay 'sunken'; there are flooded, burning"),
        ("keep+floded:1", "there is no overlay 'floded' .do you mean flooded"),
        ("keep+dark+ruined+frozen+flooded:1", "a level has at most 3 overlays, not 4"),
        ("keep+flooded+flooded:1", "flooded is named twice"),
        ("keep+flooded.9:1", "the overlay flooded has no version 9; its newest is 1"),
        ("wilds+flooded:1", "wilds is an infinite world: it takes no overlays"),
    ],
)
def test_what_cannot_be_worn_is_refused_in_a_sentence(text, words):
    with pytest.raises((CodeError, UnknownRecipe), match=words):
        complete(parse_code(text))


def test_an_overlay_by_itself_is_told_where_it_goes():
    with pytest.raises(UnknownRecipe, match=r"flooded is an overlay: .* as in keep\+flooded"):
        complete(parse_code("flooded:1"))


@pytest.mark.parametrize("version", ["x", "0", "9"])
def test_a_version_that_an_overlay_does_not_have_is_refused(version):
    with pytest.raises(UnknownRecipe, match=f"flooded has no version {version}; its newest is 1"):
        find_recipe(f"keep+flooded.{version}")
    assert find_recipe("keep+flooded.01") == find_recipe("keep+flooded")


def test_a_level_has_one_code_in_whatever_order_its_overlays_are_typed():
    one, other = (
        complete(parse_code(text)) for text in ("bsp+dark+flooded:1", "bsp+flooded+dark:1")
    )
    assert str(one) == str(other) == "bsp.1+flooded.1+dark.1:1:1@80x45"


def test_pairs_of_overlays_keep_every_promise():
    names = overlay_names()
    for number, name in enumerate(names):
        other = names[(number + 3) % len(names)]
        check_pair(RECIPES[number * 4 % len(RECIPES)], f"{name}+{other}", [number])


@pytest.mark.slow
def test_all_pairs_of_overlays_keep_every_promise_on_every_recipe():
    for number, (one, other) in enumerate(combinations(overlay_names(), 2)):
        for name in RECIPES:
            check_pair(name, f"{one}+{other}", [number])


WORN = {
    "flooded": (("shallows", "water", "reeds"), 0.3),
    "frozen": (("ice",), 0.25),
    "overgrown": (("grass", "forest", "moss"), 0.25),
    "burning": (("embers", "lava"), 0.02),
    "haunted": (("bones", "statue", "moss"), 0.04),
    "ruined": (("rubble", "grass"), 0.08),
    "collapsed": (("rubble",), 0.15),
    "at_war": (("bones", "stain", "embers", "rubble"), 0.06),
}
"""The tiles that an overlay is made of, and the least share of what can be walked or seen."""


@pytest.mark.parametrize("name", WORN)
def test_an_overlay_looks_like_its_word(name):
    tiles, least = WORN[name]
    for recipe in ("bsp", "caverns", "hypostyle", "mission"):
        level = build(find_recipe(f"{recipe}+{name}").code(4, 6))
        found = np.isin(level.tiles, [TILE_NAMES.index(tile) for tile in tiles]).sum()
        assert found >= least * terrain().transparent[level.tiles].sum(), (recipe, name)


def test_a_haunted_level_is_dark_and_the_dead_live_there():
    kinds = Counter()
    for seed in range(6):
        level = build(find_recipe("bsp+haunted").code(seed, 8))
        assert level.light == "dark"
        kinds.update(spawn.kind for spawn in level.spawns)
    dead = sum(kinds[kind] for kind in ("ghoul", "skeleton", "shade", "necromancer"))
    assert dead > 0.5 * kinds.total()


def test_an_overlay_moves_no_draw_of_the_recipes_own_steps():
    bare, worn = (build(find_recipe(f"caves{more}").code(9)) for more in ("", "+dark"))
    before = [step for step in worn.steps if "/" not in step[0]]
    assert before[: len(bare.steps) - 1] == list(bare.steps[:-1])


def test_what_an_overlay_would_break_of_a_mission_is_undone():
    plan = next(
        stage.plan
        for stage in build_in_stages(find_recipe("mission").code(2))
        if stage.use.step.name == "doors"
    )
    before = plan.tiles.copy()
    plan.tiles[1:-1, 1:-1] = np.where(
        before[1:-1, 1:-1] == Tile.WALL, Tile.RUBBLE, before[1:-1, 1:-1]
    )
    assert undo_mission_breaks(plan, before)
    assert not undo_mission_breaks(plan, before)
    assert list(broken_invariants(plan)) == []


@pytest.mark.parametrize("name", ["mission", "wild_mission", "fortress_mission"])
def test_an_overlay_leaves_the_windows_of_a_mission_and_what_lies_beside_them(name):
    windows = 0
    for seed in range(12):
        before = after = None
        for stage in build_in_stages(find_recipe(f"{name}+collapsed").code(seed)):
            if stage.use.overlay:
                after = stage.plan.tiles.copy()
            elif after is None:
                before = stage.plan.tiles.copy()
        assert (before != after).any()
        for edge in stage.plan.mission.gated("window", "drop"):
            x, y = edge.place
            box = np.s_[y - 1 : y + 2, x - 1 : x + 2]
            assert (before[box] == after[box]).all(), (seed, x, y)
            windows += edge.gate == "window"
    assert windows


def test_embers_burn_when_the_hero_comes_and_light_themselves_again():
    setup = RunSetup(3, "3", generator="bsp+burning", depth=4)
    state = new_game(setup)
    embers = {(x, y) for y, x in np.argwhere(state.map.tiles == Tile.EMBERS).tolist()}
    assert embers
    assert embers <= state.map.fires.keys()
    for _ in range(60):
        spread_fires(state, lambda _: None)
    assert len(embers & state.map.fires.keys()) > len(embers) // 2
    assert all(state.map.tiles[y, x] == Tile.EMBERS for x, y in embers)


def test_there_is_a_way_round_every_bed_of_embers():
    for seed in range(8):
        level = build(find_recipe("keep+burning").code(seed, 6))
        ground = terrain().walkable[level.tiles] & (level.tiles != Tile.EMBERS)
        assert tuple(level.exit) in flooded_from(ground.tolist(), level.start), seed


def test_start_and_exit_stay_where_they_were():
    for name in ("keep", "caverns", "garden", "mission"):
        bare, worn = (build(find_recipe(f"{name}{more}").code(5)) for more in ("", "+flooded"))
        assert (bare.start, bare.exit) == (worn.start, worn.exit)
        assert (bare.tiles != worn.tiles).any()


def test_no_step_that_makes_ground_wipes_an_overlay_out(tmp_path, monkeypatch):
    walk = '{ step = "random_walk", steps = 900 }, { step = "cellular_automaton", birth = 9 }'
    text = f'[dug]\ndescription = "Dug."\ntheme = "earth"\nsteps = [{walk}]\n'
    (tmp_path / "recipes.toml").write_text(text)
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    bare, worn = (build(find_recipe(f"~dug{more}").code(5)) for more in ("", "+burning"))
    assert not (bare.tiles == Tile.EMBERS).any()
    assert (worn.tiles == Tile.EMBERS).any()


def test_the_palette_is_the_overlays_and_walls_and_light_are_the_recipes():
    level = build(find_recipe("keep+flooded").code(1))
    assert level.theme == "fort+coast"
    assert (theme(level.theme).wall_kind, theme(level.theme).name) == (
        theme("fort").wall_kind,
        theme("fort").name,
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
        palette = overlays()[name].kind.palette
        assert palette is None or theme(palette) == theme(f"{palette}+{palette}")


@pytest.mark.parametrize(
    "name", [one.name for one in all_steps().values() if one.needs & MAY_LACK and one.needs < GIVEN]
)
def test_a_step_of_an_overlay_does_nothing_in_a_recipe_without_what_it_needs(name):
    caves, (use,) = find_recipe("caves"), step_uses(({"step": name},), "here", GIVEN)
    added = replace(use, label=f"own/{name}", overlay="own")
    changed = replace(caves, steps=(*caves.steps, added))
    stages = build_in_stages(caves.code(7, 1, (40, 30)), changed)
    assert [stage.caption for stage in stages if stage.use is added] == ["No change"]


def test_of_two_overlays_that_add_a_monster_the_one_that_adds_more_counts():
    shared = 0
    for pair in permutations(overlay_names(), 2):
        for depth in (1, 4, 9):
            each = [extra_spawn_weights((name,), depth) for name in pair]
            wanted = {kind: max(one.get(kind, 0) for one in each) for one in each for kind in one}
            assert extra_spawn_weights(pair, depth) == wanted
            shared += each[0] != each[1] and not each[0].keys().isdisjoint(each[1])
    assert shared
