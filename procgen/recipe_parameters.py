"""The parameters of a recipe: list, read, change, parse, and write the result as TOML."""

import json
from dataclasses import replace
from typing import Any

import msgspec
from msgspec.inspect import BoolType, FloatType, IntType, LiteralType, VarTupleType

from entities.folders import USER_MARK
from procgen.recipes import Recipe, find_recipe, with_edits
from procgen.step_chain import edits_between
from procgen.step_registry import Parameter, struct_parameters


class InvalidParameter(ValueError):
    """A value outside a parameter's range; the message is a sentence that gives the range."""


def parameters_of(recipe: Recipe) -> list[Parameter]:
    """Return every parameter of every step, in order."""
    uses = enumerate(recipe.steps)
    known = ((n, p) for n, use in uses for p in struct_parameters(type(use.parameters)))
    return [replace(parameter, step_index=n) for n, parameter in known]


def idle_parameters(recipe: Recipe) -> set[tuple[int, str]]:
    """Return the (step index, name) of all parameters without effect, given the others' values."""
    idle = set()
    for parameter in parameters_of(recipe):
        use = recipe.steps[parameter.step_index]
        is_idle = use.step.is_idle(parameter.name, use.parameters)
        if is_idle or (use.label, parameter.name) in recipe.no_effect:
            idle.add((parameter.step_index, parameter.name))
    return idle


def parameter_value(recipe: Recipe, parameter: Parameter) -> Any:
    """Return the value that ``recipe`` gives to ``parameter``."""
    return getattr(recipe.steps[parameter.step_index].parameters, parameter.name)


def with_value(recipe: Recipe, parameter: Parameter, value: Any) -> Recipe:
    """Return ``recipe`` with one parameter changed; raise `InvalidParameter` for a bad value."""
    use = recipe.steps[parameter.step_index]
    values = {**msgspec.to_builtins(use.parameters), parameter.name: value}
    try:
        parameters = msgspec.convert(values, type(use.parameters))
    except msgspec.ValidationError as fault:
        checked = isinstance(fault.__cause__, ValueError)
        message = str(fault) if checked else f"{parameter.name} must be {parameter.range}"
        raise InvalidParameter(message) from fault
    steps = list(recipe.steps)
    steps[parameter.step_index] = replace(use, parameters=parameters)
    return replace(recipe, steps=tuple(steps))


def stepped_value(recipe: Recipe, parameter: Parameter, notches: int, written: Any) -> Any:
    """Return the value ``notches`` further on, within bounds; ``written`` is the recipe's own."""
    value = parameter_value(recipe, parameter)
    match parameter.kind:
        case BoolType():
            return not value
        case LiteralType(values):
            # A name from the user folder is not among the values: go to the first or the last.
            at = values.index(value) if value in values else -1 if notches > 0 else 0
            return values[(at + (1 if notches > 0 else -1)) % len(values)]
        case VarTupleType(LiteralType(values)):
            at = values.index(value[0]) if len(value) == 1 else -1 if notches > 0 else 0
            return (values[(at + (1 if notches > 0 else -1)) % len(values)],)
        case IntType():
            low, high = parameter.bounds
            return int(max(low, min(high, value + notches)))
        case FloatType():
            notch = 0.01 if abs(written) < 0.1 and written else 0.05
            low, high = parameter.bounds
            if parameter.kind.gt is not None:
                low += notch / 10
            return round(max(low, min(high, value + notches * notch)), 6)
        case _:
            return value


def parse_value(parameter: Parameter, text: str) -> Any:
    """Return the value that ``text`` means; raise `InvalidParameter` if it cannot be one."""
    text = text.strip()
    try:
        match parameter.kind:
            case BoolType():
                return {"yes": True, "true": True, "no": False, "false": False}[text.lower()]
            case VarTupleType():
                words = [" ".join(word.replace(".", " ").split()) for word in text.split(",")]
                return tuple(word for word in words if word and word != "none")
            case IntType():
                return int(text)
            case FloatType():
                return float(text)
            case _:
                return text
    except (ValueError, KeyError, OverflowError):
        must = f"{parameter.name} must be {parameter.range}"
        raise InvalidParameter(f"{must}, not {text[:20]!r}") from None


def value_text(value: Any) -> str:
    """Return the text of a value, which `parse_value` reads back.

    It has no spaces, since a level code has none: the words of a part are separated by dots.
    """
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return repr(value or 0.0).removesuffix(".0")  # Not -0: a level has one code.
        case dict():
            return ",".join(f"{name}:{weight}" for name, weight in value.items())
        case tuple() | list():
            return ",".join(str(part).replace(" ", ".") for part in value) or "none"
    return str(value)


def changed_parameters(original: Recipe, recipe: Recipe) -> dict[str, dict[str, Any]]:
    """Return the values, by step and name, in which ``recipe`` differs from its ``original``."""
    changes = dict[str, dict[str, Any]]()
    for parameter in parameters_of(original):
        if (value := parameter_value(recipe, parameter)) != parameter_value(original, parameter):
            changes.setdefault(recipe.steps[parameter.step_index].label, {})[parameter.name] = value
    return changes


def recipe_entry(original: Recipe, recipe: Recipe, name: str | None = None) -> str:
    """Return the TOML text of ``recipe``, called ``name``: how it differs from ``original``.

    Overlays are not part of an entry: level codes add them, as to any recipe.
    """
    plain = find_recipe(original.plain_name, original.version)
    bare = replace(recipe, steps=tuple(use for use in recipe.steps if not use.overlay))
    edits = edits_between(plain.steps, bare.steps)
    tables = changed_parameters(with_edits(plain, edits), bare)
    current = find_recipe(plain.name).version == plain.version
    lines = [
        f"[{(name or f'{plain.name}_retuned').removeprefix(USER_MARK)}]",
        f"description = {_toml(plain.description)}",
        f"extends = {_toml(plain.name if current else f'{plain.name}.{plain.version}')}",
        *([f"edits = {_toml(edits)}"] if edits else []),
        *([f"change = {_toml(tables)}"] if tables else []),
    ]
    return "\n".join(lines) + "\n"


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        names = {name: f'"{name}"' if "#" in name else name for name in value}
        parts = [f"{names[name]} = {_toml(part)}" for name, part in value.items()]
        return f"{{ {', '.join(parts)} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
