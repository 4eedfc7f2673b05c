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


def ends_of(recipe, parameter):
    """Return the least and the greatest number, or the other answer; words have no ends."""
    match parameter.kind:
        case BoolType():
            return [not parameter_value(recipe, parameter)]
        case IntType():
            low, high = parameter.bounds
            return [int(low) + (parameter.kind.gt is not None), int(high)]
        case FloatType():
            low, high = parameter.bounds
            return [
                low + HAIR * (parameter.kind.gt is not None),
                high - HAIR * (parameter.kind.lt is not None),
            ]
    return []


def extremes():
    """Yield recipes with one parameter at an end of its range, each kind of parameter once."""
    met = set()
    for recipe in current_recipes():
        found = []
        for parameter in parameters_of(recipe):
            which = recipe.steps[parameter.step_index].step.name, parameter.name
            if which not in met:
                met.add(which)
                found += [(parameter, end) for end in ends_of(recipe, parameter)]
        if found:
            yield pytest.param(recipe, found, id=recipe.name)


@pytest.mark.parametrize(("recipe", "found"), list(extremes()))
def test_an_extreme_gives_a_level_or_a_reason(recipe, found):
    width, height = (max(side, 24) for side in recipe.smallest)
    for parameter, end in found:
        changed = with_value(recipe, parameter, end)
        stages = Progress(build_in_stages(changed.code(3, 4, (width, height)), changed))
        try:
            for number, _ in enumerate(stages):
                assert number + 1 < STAGES, (parameter.name, end)
        except BuildFailed:
            continue
        level = stages.result
        plan = Blueprint(level.tiles, level.code.depth, mission=level.mission)
        plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
        assert list(broken_invariants(plan)) == [], (parameter.name, end)
