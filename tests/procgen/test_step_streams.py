"""Each step draws from a stream of its own: what one draws moves nothing of another's."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from procgen.blueprint import Blueprint, Point, Rejected, Spawn
from procgen.build import build_in_stages
from procgen.progress import run_to_end
from procgen.recipes import Recipe, current_recipes, find_recipe
from procgen.rng import Rng
from procgen.step_chain import StepUse
from procgen.step_registry import Positive, Share, Step, all_steps, describe_step, step

RECIPES = current_recipes()
each_recipe = pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)


def one_more(plan, rng):
    """Settle somebody somewhere, drawing a great deal."""
    rng.random_bytes(100, 100)
    ends = [Point(*point) for point in (plan.start, plan.exit) if point]
    taken = ends + [Point(spawn.x, spawn.y) for spawn in plan.spawns]
    places = [Point(x, y) for y, x in np.argwhere(plan.open).tolist()]
    place = rng.pick([place for place in places if place not in taken])
    plan.spawns.append(Spawn("orc", *place))
    yield "One more"


def draw_in_vain(plan, rng):
    """Draw many numbers of all sorts and do nothing."""
    rng.shuffled(range(rng.between(100, 200)))
    rng.random_bytes(9, 9)
    yield "In vain"


def use_of(function, **parameters):
    """A use of ``function`` as a step, without its being in the registry."""
    kind = msgspec.defstruct(function.__name__, [(name, object) for name in parameters])
    step = Step(function.__name__, function, kind, frozenset(), frozenset())
    return StepUse(step, kind(**parameters), step.name)


def grown(recipe, seed=7, depth=3, size=(48, 36)):
    """The level of ``recipe``, whatever steps it was given."""
    sides = (max(pair) for pair in zip(size, recipe.smallest, strict=True))
    return run_to_end(build_in_stages(recipe.code(seed, depth, tuple(sides)), recipe, digests=True))


def varying(recipe):
    """The uses of steps that draw some of their numbers for each level."""
    return [use for use in recipe.steps if use.step.varies and use.parameters.vary]


def with_step(recipe, place, use):
    return replace(recipe, steps=(*recipe.steps[:place], use, *recipe.steps[place:]))


def without(level, name):
    return [step for step in level.steps if step[0] != name]


def changed(recipe, name, **values):
    """``recipe`` with other parameters for its step ``name``."""
    uses = [
        replace(use, parameters=msgspec.structs.replace(use.parameters, **values))
        if use.label == name
        else use
        for use in recipe.steps
    ]
    return replace(recipe, steps=tuple(uses))


@each_recipe
def test_one_more_creature_moves_no_wall(recipe):
    level = grown(recipe)
    fuller = grown(with_step(recipe, len(recipe.steps), use_of(one_more)))
    assert fuller.steps[:-1] == level.steps
    assert np.array_equal(fuller.tiles, level.tiles)
    assert fuller.spawns[:-1] == level.spawns
    assert (fuller.start, fuller.exit) == (level.start, level.exit)


@each_recipe
def test_a_step_that_only_draws_moves_nothing_wherever_it_stands(recipe):
    level = grown(recipe)
    for place in (0, len(recipe.steps) // 2, len(recipe.steps) - 1):
        other = grown(with_step(recipe, place, use_of(draw_in_vain)))
        assert without(other, "draw_in_vain") == list(level.steps)
        assert np.array_equal(other.tiles, level.tiles)
        assert other.spawns == level.spawns


def test_more_creatures_by_another_parameter_move_no_wall():
    rooms = find_recipe("rooms")
    level, fuller = grown(rooms), grown(changed(rooms, "monsters_in_rooms", each=3))
    assert len(fuller.spawns) > len(level.spawns)
    assert fuller.steps[:-1] == level.steps[:-1]
    assert np.array_equal(fuller.tiles, level.tiles)


def test_a_second_use_of_a_step_leaves_the_first_as_it_was():
    terrain = find_recipe("terrain")
    scatter = all_steps()["scatter"]
    again = StepUse(scatter, scatter.parameters(on=("sand",), share=0.5), "scatter#9")
    level = grown(terrain)
    other = grown(with_step(terrain, len(terrain.steps), again))
    assert other.steps[:-1] == level.steps
    assert not np.array_equal(other.tiles, level.tiles)


def streams(recipe, **where):
    """What each step of ``recipe`` would draw first, attempt by attempt, all of them rejected."""
    drawn = []

    def note(plan, rng):
        drawn.append(tuple(rng.integers(0, 10**9, 4).tolist()))
        if len(drawn) % 2 == 0 and len(drawn) < 16:
            raise Rejected("once more")
        plan.tiles[1:-1, 1:-1] = 1
        plan.start, plan.exit = Point(1, 1), Point(2, 2)
        yield "Noted"

    uses = (use_of(note), replace(use_of(note), label="note#2"))
    grown(replace(recipe, steps=uses), **where)
    assert len(drawn) == 16
    return drawn


def test_seed_depth_recipe_step_use_and_attempt_each_give_another_stream():
    recipe = Recipe("streams", 1, "", "stone", (20, 15), (20, 15), ())
    ways = [
        streams(recipe),
        streams(recipe, seed=8),
        streams(recipe, depth=4),
        streams(replace(recipe, name="others")),
    ]
    drawn = [first for way in ways for first in way]
    assert len(set(drawn)) == len(drawn)


def test_size_and_version_and_parameters_do_not_change_a_stream():
    recipe = Recipe("streams", 1, "", "stone", (20, 15), (20, 15), ())
    assert streams(recipe) == streams(replace(recipe, version=2), size=(70, 50))


def test_a_number_that_varies_stays_within_its_share_and_its_bounds():
    seen = []

    def note(plan, rng, *, rooms: Positive = 1, share: Share = 0.8, still: Positive = 5):
        """Note ``rooms``, ``share`` and ``still``."""
        seen.append((rooms, share, still, rng.below(10**9)))
        yield "Noted"

    noted = describe_step(step(varies="rooms share")(note))
    for rooms, vary in ((10, 0.0), (10, 0.4), (1, 1.0)):
        seen.clear()
        for seed in range(200):
            parameters = noted.parameters(rooms=rooms, vary=vary)
            list(noted.run(Blueprint.solid(20, 15), Rng(seed, "note"), parameters))
        least, most = max(1, round(rooms * (1 - vary))), round(rooms * (1 + vary))
        assert {one[0] for one in seen} == set(range(least, most + 1))
        assert all(0.8 * (1 - vary) <= one[1] <= min(1, 0.8 * (1 + vary)) for one in seen)
        assert (len({one[1] for one in seen}) > 1) == (vary > 0)
        assert {one[2] for one in seen} == {5}
        drawn = [one[3] for one in seen]  # What the step itself draws is as without variation.
        assert drawn == [Rng(seed, "note").below(10**9) for seed in range(200)]
    told = "``vary`` is the largest share by which ``rooms``, ``share`` may change."
    assert noted.meaning("vary") == told


@pytest.mark.parametrize(
    "recipe", [one for one in RECIPES if varying(one)], ids=lambda one: one.name
)
def test_no_recipe_varies_a_number_in_vain(recipe):
    for use in varying(recipe):
        still = changed(recipe, use.label, vary=0.0)
        pairs = ((grown(one, seed, size=(80, 45)) for one in (recipe, still)) for seed in range(8))
        assert any(not np.array_equal(one.tiles, other.tiles) for one, other in pairs), use.label
