"""Every number of every step has a least and a greatest value, and both can be set."""

from typing import Annotated

import pytest
from msgspec import Meta
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, type_info

from procgen.recipe_parameters import (
    InvalidParameter,
    parameter_value,
    parameters_of,
    parse_value,
    stepped_value,
    value_text,
    with_value,
)
from procgen.recipes import current_recipes, find_recipe
from procgen.step_registry import Parameter, all_steps, parameter_struct, struct_parameters

NUMBERS = [
    (step.name, one)
    for step in all_steps().values()
    for one in struct_parameters(step.parameters)
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
    for parameter in parameters_of(recipe):
        own = parameter_value(recipe, parameter)
        assert with_value(recipe, parameter, own).steps == recipe.steps
        if not isinstance(parameter.kind, IntType | FloatType):
            continue
        low, high = parameter.bounds
        for end, beyond in ((low, low - 1), (high, high + 1)):
            if end != parameter.kind.gt:
                assert parameter_value(with_value(recipe, parameter, end), parameter) == end
            with pytest.raises(InvalidParameter, match=f"{parameter.name} must be "):
                with_value(recipe, parameter, beyond)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (int, "a whole number"),
        (float, "a number"),
        (Annotated[int, Meta(ge=5)], "a whole number at least 5"),
        (Annotated[int, Meta(ge=0, le=2**24)], "a whole number from 0 to 16777216"),
        (tuple[str, ...], "words with commas between them"),
        (dict[str, int], "names with weights"),
    ],
)
def test_a_value_is_described_without_bounds_too(kind, words):
    assert Parameter("many", type_info(kind)).range == words


def test_a_description_of_a_type_hides_no_number():
    def walk(*, many: Annotated[int, Meta(ge=5, description="Five")] = 5):
        """Take a parameter as the step of a user may."""

    (parameter,) = struct_parameters(parameter_struct(walk))
    assert parameter.range == "a whole number at least 5"
    assert parse_value(parameter, "7") == 7


def test_weights_are_written_without_spaces():
    assert value_text({"digger": 3, "temple": 4}) == "digger:3,temple:4"


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "9" * 400])
def test_what_is_no_number_in_a_range_is_refused(text):
    recipe = find_recipe("caves")
    for parameter in parameters_of(recipe)[:2]:
        with pytest.raises(InvalidParameter, match=f"{parameter.name} must be "):
            with_value(recipe, parameter, parse_value(parameter, text))


def stepped(recipe, parameter, by, value):
    """Return what ``parameter`` steps to from ``value``."""
    return stepped_value(with_value(recipe, parameter, value), parameter, by, value)


@pytest.mark.parametrize("recipe", current_recipes()[::4], ids=lambda recipe: recipe.name)
def test_a_parameter_is_stepped_by_a_notch_and_stays_within_its_bounds(recipe):
    for parameter in parameters_of(recipe):
        match parameter.kind:
            case BoolType():
                assert [stepped(recipe, parameter, 1, value) for value in (True, False)] == [
                    False,
                    True,
                ]
            case LiteralType(values):
                for number, value in enumerate(values):
                    assert (
                        stepped(recipe, parameter, 1, value) == values[(number + 1) % len(values)]
                    )
                    assert stepped(recipe, parameter, -1, value) == values[number - 1]
            case IntType():
                low, high = parameter.bounds
                assert stepped(recipe, parameter, 3, low) == min(low + 3, high)
                assert stepped(recipe, parameter, -1, low) == low
                assert stepped(recipe, parameter, -1, high) == high - 1
                assert stepped(recipe, parameter, 1, high) == high
            case FloatType(gt=None):
                low, high = parameter.bounds
                assert stepped(recipe, parameter, -2, high) == pytest.approx(high - 0.1)
                assert stepped(recipe, parameter, 1, high) == high
                assert stepped(recipe, parameter, -1, low) == low
                assert stepped(recipe, parameter, 1, low) == pytest.approx(low + 0.05)
                at_least = with_value(recipe, parameter, low)
                assert stepped_value(at_least, parameter, 1, 0.09) == pytest.approx(low + 0.01)
                assert stepped_value(at_least, parameter, 1, 0.1) == pytest.approx(low + 0.05)
            case FloatType(gt=least):
                at_least = stepped_value(recipe, parameter, -1000, 1.0)
                assert least < at_least == pytest.approx(least + 0.005)
                assert (
                    parameter_value(with_value(recipe, parameter, at_least), parameter) == at_least
                )
