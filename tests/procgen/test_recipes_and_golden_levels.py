"""Every recipe keeps its promises, whatever the seed and size, and never changes."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import msgspec
import numpy as np
import pytest
from msgspec.inspect import BoolType, LiteralType

import golden
from cli.check import broken_level_invariants
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances, furthest_tile, regions
from procgen.blueprint import Blueprint, Point, Rejected, Spawn
from procgen.build import build, build_in_stages
from procgen.level_code import LevelCode, parse_code
from procgen.progress import run_to_end
from procgen.recipe_builder import BuildFailed
from procgen.recipes import Recipe, current_recipes, find_recipe
from procgen.settings import complete
from procgen.step_registry import all_steps, struct_parameters
from procgen.validate import broken_invariants, validate
from support.paths import ROOT
from support.spare_recipes import spares

RECIPES = current_recipes()
SEEDS = {(20, 15): 8, (33, 21): 3, (57, 43): 1}
"""How many seeds at each size in every run, of `MORE` in the slow one.

Thousands more are what `check` is for.
"""
MORE = 45
each_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
usual_and_more_seeds = pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, 4), marks=pytest.mark.slow)], ids=["usual", "more"]
)


@each_recipe
@pytest.mark.parametrize(
    ("size", "seeds"),
    [
        *((size, range(few)) for size, few in SEEDS.items()),
        *(
            pytest.param(size, range(few, MORE), marks=pytest.mark.slow)
            for size, few in SEEDS.items()
        ),
    ],
    ids=str,
)
def test_every_level_keeps_every_promise(recipe, size, seeds):
    width, height = max(size[0], recipe.smallest[0]), max(size[1], recipe.smallest[1])
    for seed in seeds:
        level = build(recipe.code(seed, 1 + seed % 12, (width, height)))
        plan = Blueprint(level.tiles, level.code.depth, mission=level.mission)
        plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
        assert list(broken_invariants(plan)) == [], str(level.code)


def test_the_page_on_tests_says_how_many_levels_of_each_recipe_a_run_builds():
    page = " ".join((ROOT / "tests" / "README.md").read_text(encoding="utf-8").split())
    most, usual = MORE * len(SEEDS), sum(SEEDS.values())
    assert f"and {usual} of the {most} small levels that must keep their invariants." in page


@each_recipe
@usual_and_more_seeds
def test_default_size_is_held_to_its_promises_twice(recipe, seeds):
    for seed in seeds:
        assert list(broken_level_invariants(build(recipe.code(seed)))) == []


@pytest.mark.parametrize("recipe", golden.kept_recipes(), ids=lambda recipe: recipe.name)
def test_golden_levels_and_who_lives_there_are_as_they_were(recipe):
    fault, inhabitants = golden.compared(recipe.name)
    assert not fault, fault
    assert inhabitants == golden.kept_inhabitants().get(recipe.name), golden.KEEP_INHABITANTS


def test_a_difference_names_the_command_that_keeps_it(monkeypatch):
    recipe = find_recipe("rooms")
    monkeypatch.setattr(golden, "compared", lambda name: ("", "another digest"))
    with pytest.raises(AssertionError, match=r"python tests/keep\.py inhabitants"):
        test_golden_levels_and_who_lives_there_are_as_they_were(recipe)
    monkeypatch.undo()
    kept = golden.kept("rooms")
    kept[0][1][0] = (kept[0][1][0][0], "0" * 16)
    monkeypatch.setattr(golden, "kept", lambda name: kept)
    with pytest.raises(AssertionError, match=r"python tests/keep\.py levels rooms"):
        test_golden_levels_and_who_lives_there_are_as_they_were(recipe)


def test_a_new_recipe_names_the_commands_that_keep_it(monkeypatch):
    new = replace(find_recipe("rooms"), name="burrow")
    with pytest.raises(AssertionError, match=r"python tests/keep\.py levels burrow"):
        test_golden_levels_and_who_lives_there_are_as_they_were(new)
    monkeypatch.setattr(golden, "kept_recipes", lambda: [*current_recipes(), new])
    with pytest.raises(AssertionError, match=r"python tests/keep\.py inhabitants"):
        test_what_is_kept_is_of_these_recipes_and_no_others()
    monkeypatch.setattr(golden, "compared", lambda name: ("", "digest"))
    with pytest.raises(AssertionError, match=r"python tests/keep\.py inhabitants"):
        test_golden_levels_and_who_lives_there_are_as_they_were(new)


@pytest.mark.slow
@pytest.mark.parametrize("recipe", golden.kept_recipes(), ids=lambda recipe: recipe.name)
def test_all_golden_levels_are_as_they_were(recipe):
    fault = golden.differences(recipe.name)
    assert not fault, fault


def test_what_is_kept_is_of_these_recipes_and_no_others():
    names = {recipe.name for recipe in golden.kept_recipes()}
    assert set(golden.kept_inhabitants()) == names, golden.KEEP_INHABITANTS
    assert {path.stem for path in golden.FOLDER.glob("*.txt")} == names, golden.KEEP_LEVELS
    for recipe in golden.kept_recipes():
        codes = [text for text, _ in golden.kept(recipe.name)]
        assert codes == [str(code) for code in golden.golden_codes(recipe)], golden.KEEP_LEVELS
        assert {code.depth for code in golden.golden_codes(recipe)[:: golden.SAMPLE]} == {1, 4, 9}


def test_no_step_and_no_choice_of_one_goes_without_golden_levels():
    made = {
        (use.step.name, *choice)
        for recipe in golden.kept_recipes()
        for use in recipe.steps
        for choice in [("", ""), *msgspec.structs.asdict(use.parameters).items()]
        if isinstance(choice[1], str | bool)
    }
    there = {(name, "", "") for name in all_steps()}
    for name, step in all_steps().items():
        for field in struct_parameters(step.parameters):
            if isinstance(field.kind, BoolType):
                there |= {(name, field.name, value) for value in (False, True)}
            elif isinstance(field.kind, LiteralType) and len(field.kind.values) <= 4:
                there |= {(name, field.name, value) for value in field.kind.values}
    assert there - made == set()


@pytest.mark.parametrize("name", spares())
def test_every_spare_step_does_something_in_its_golden_levels(name):
    changed = {"require_floor"}
    changed |= {use.label for use in spares()[name].steps if use.label.startswith("monsters_")}
    for _, steps in golden.kept(name):
        changed.add(steps[0][0])
        changed |= {label for (_, was), (label, now) in pairwise(steps) if now != was}
    assert changed >= {use.label for use in spares()[name].steps}


def test_digests_are_the_same_in_other_processes_whatever_their_hash_seed():
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from procgen.recipes import current_recipes\n"
        "from procgen.build import build\n"
        "for r in current_recipes():\n"
        "    print(build(r.code(11, 2, r.smallest)).steps)\n"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", script, str(ROOT)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "4242")
    }
    assert len(printed) == 1
    assert printed.pop().count(b"\n") == len(RECIPES)


def test_depth_and_seed_and_recipe_each_change_a_level():
    recipe = RECIPES[0]
    tiles = {build(recipe.code(*where)).tiles.tobytes() for where in ((1, 1), (1, 2), (2, 1))}
    assert len(tiles) == 3


def plan_of(*rows):
    chars = {"#": Tile.WALL, ".": Tile.FLOOR, "S": Tile.SECRET_DOOR}
    plan = Blueprint(np.array([[chars[c] for c in row] for row in rows], np.uint8))
    plan.start, plan.exit = Point(1, 1), Point(3, 1)
    return plan


@pytest.mark.parametrize(
    ("rows", "change", "reason"),
    [
        (("#.###", "#...#", "#####"), {}, "border is open"),
        (("#####", "#.#.#", "#####"), {}, "not in one piece"),
        (("#####", "#####", "#####"), {}, "no floor"),
        (("#####", "#...#", "#####"), {"exit": Point(1, 1)}, "the same tile"),
        (("#####", "#...#", "#####"), {"exit": None}, "missing"),
        (("#####", "#...#", "#####"), {"spawns": [Spawn("orc", 0, 0)]}, "not on walkable"),
        (("#####", "#...#", "#####"), {"spawns": [Spawn("orc", 1, 1)]}, "share a tile"),
        (("#####", "#.S.#", "#####"), {}, "secret door"),
    ],
)
def test_each_broken_promise_is_named(rows, change, reason):
    plan = plan_of(*rows)
    for name, value in change.items():
        setattr(plan, name, value)
    with pytest.raises(Rejected, match=reason):
        validate(plan)


def test_a_sound_plan_is_accepted():
    validate(plan_of("#####", "#...#", "#####"))


def test_a_recipe_that_never_works_fails_with_its_reasons():
    corridors = find_recipe("rooms").steps[1:2]
    only_rock = Recipe("void", 1, "", "stone", (20, 15), (20, 15), corridors)
    with pytest.raises(BuildFailed, match="there is no floor"):
        run_to_end(build_in_stages(LevelCode("void", 1, 0, 1, 20, 15), only_rock))


def test_a_reason_that_names_other_places_each_time_is_given_once():
    with pytest.raises(BuildFailed, match="the level is not in one piece: ") as failure:
        build(complete(parse_code("rooms;join_rooms_in_order=off:1")))
    assert str(failure.value).count("is cut off") == 1
    assert ": all 64 attempts were rejected: the level is not in one piece: " in str(failure.value)


def test_rejected_builds_are_counted_with_their_reasons():
    hypostyle = next(recipe for recipe in RECIPES if recipe.name == "hypostyle")
    reasons = [r for seed in range(12) for r in build(hypostyle.code(seed, 1, (20, 15))).rejected]
    assert set(reasons) == {"too little floor"}


def test_analysis_answers_small_drawn_maps():
    ground = np.array([[c == "." for c in row] for row in ("..#.", ".##.", "...#")])
    labels, count = regions(ground)
    assert count == 2
    assert labels[0, 0] == labels[2, 2] != labels[0, 3]
    steps = distances(ground, 0, 0, diagonal=False)
    assert steps[2, 2] == 4
    assert steps[0, 3] == UNREACHED
    assert distances(ground, 0, 0)[2, 2] == 3
    assert distances(ground, 0, 0)[1, 3] == 4
    assert furthest_tile(ground, 0, 0) == (3, 0)
