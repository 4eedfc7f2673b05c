"""Every number of every step has a least and a greatest value, and both can be set."""

import pytest
from msgspec.inspect import FloatType, IntType

from procgen.recipe_parameters import (
    InvalidParameter,
    parameter_value,
    parameters_of,
    parse_value,
    with_value,
)
from procgen.recipes import current_recipes, find_recipe
from procgen.step_registry import all_steps

NUMBERS = [
    (step.name, one)
    for step in all_steps().values()
    for one in step.own_parameters
    if isinstance(one.kind, IntType | FloatType)
]


def test_every_number_has_bounds_of_its_own_kind():
    assert len(NUMBERS) > 200
    for step, one in NUMBERS:
        low = one.kind.ge if one.kind.ge is not None else one.kind.gt
        high = one.kind.le if one.kind.le is not None else one.kind.lt
        assert low is not None, (step, one.name)
        assert high is not None, (step, one.name)
        assert low < high <= 10_000, (step, one.name)


@pytest.mark.parametrize("recipe", current_recipes(), ids=lambda recipe: recipe.name)
def test_the_values_of_a_recipe_and_both_ends_can_be_set(recipe):
    for knob in parameters_of(recipe):
        own = parameter_value(recipe, knob)
        assert with_value(recipe, knob, own).steps == recipe.steps
        if not isinstance(knob.kind, IntType | FloatType):
            continue
        low, high = knob.bounds
        for end, beyond in ((low, low - 1), (high, high + 1)):
            if end != knob.kind.gt:
                assert parameter_value(with_value(recipe, knob, end), knob) == end
            with pytest.raises(InvalidParameter, match=f"{knob.name} must be "):
                with_value(recipe, knob, beyond)


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "9" * 400])
def test_what_is_no_number_in_a_range_is_refused(text):
    recipe = find_recipe("caves")
    for knob in parameters_of(recipe)[:2]:
        with pytest.raises(InvalidParameter, match=f"{knob.name} must be "):
            with_value(recipe, knob, parse_value(knob, text))
