"""Every parameter turned as far as it goes: a level comes out, or a reason why none can."""

import pytest
from msgspec.inspect import BoolType, FloatType, IntType

from procgen.blueprint import Blueprint
from procgen.build import build_in_stages
from procgen.progress import Progress
from procgen.recipe_builder import BuildFailed
from procgen.recipe_parameters import parameter_value, parameters_of, with_value
from procgen.recipes import current_recipes
from procgen.validate import broken_invariants

HAIR = 0.001
"""How far within a bound that may not be reached itself."""
STAGES = 4_000
"""More than any build that is not stuck has to show."""


def ends_of(recipe, knob):
    """Return the least and the greatest number, or the other answer; words have no ends."""
    match knob.kind:
        case BoolType():
            return [not parameter_value(recipe, knob)]
        case IntType():
            low, high = knob.bounds
            return [int(low) + (knob.kind.gt is not None), int(high)]
        case FloatType():
            low, high = knob.bounds
            return [
                low + HAIR * (knob.kind.gt is not None),
                high - HAIR * (knob.kind.lt is not None),
            ]
    return []


def extremes():
    """Yield recipes with one parameter at an end of its range, each kind of parameter once."""
    met = set()
    for recipe in current_recipes():
        found = []
        for knob in parameters_of(recipe):
            which = recipe.steps[knob.place].step.name, knob.name
            if which not in met:
                met.add(which)
                found += [(knob, end) for end in ends_of(recipe, knob)]
        if found:
            yield pytest.param(recipe, found, id=recipe.name)


@pytest.mark.parametrize(("recipe", "found"), list(extremes()))
def test_an_extreme_gives_a_level_or_a_reason(recipe, found):
    width, height = (max(side, 24) for side in recipe.smallest)
    for knob, end in found:
        changed = with_value(recipe, knob, end)
        stages = Progress(build_in_stages(changed.code(3, 4, (width, height)), changed))
        try:
            for number, _ in enumerate(stages):
                assert number + 1 < STAGES, (knob.name, end)
        except BuildFailed:
            continue
        level = stages.made
        plan = Blueprint(level.tiles, level.code.depth, mission=level.mission)
        plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
        assert list(broken_invariants(plan)) == [], (knob.name, end)
