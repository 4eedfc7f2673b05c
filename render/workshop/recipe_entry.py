"""A retuned recipe written down as an entry for data/recipes.toml."""

import json
from typing import Any

import msgspec

from entities.data import read_entries
from procgen.recipes import FILE, Recipe, RecipeEntry, StepUse, find_recipe
from render.workshop.tuning import changes, value


def recipe_entry(original: Recipe, recipe: Recipe, name: str | None = None) -> str:
    """Return the TOML text of ``recipe``, as few words as say how it differs from ``original``.

    Where ``extends`` cannot say it, the entry lists every step. It is called ``name``.
    """
    key, plain = _found(original)
    changed = changes(original, recipe)
    lines = [
        f"[{name or f'{original.name}_retuned'}]",
        f"description = {_toml(original.description)}",
    ]
    if plain and all(recipe.steps[knob.place].occurrence == 1 for knob in changed):
        tables: dict[str, dict[str, Any]] = {}
        for knob in changed:
            step = recipe.steps[knob.place].step.name
            tables.setdefault(step, {})[knob.name] = value(recipe, knob)
        lines += [f"extends = {_toml(key)}", *([f"change = {_toml(tables)}"] if tables else [])]
    else:
        lines += [
            f"theme = {_toml(recipe.theme)}",
            f"size = {_toml(recipe.size)}",
            f"smallest = {_toml(recipe.smallest)}",
            "steps = [",
            *(f"  {_toml(_written(use))}," for use in recipe.steps),
            "]",
        ]
    return "\n".join(lines) + "\n"


def _found(recipe: Recipe) -> tuple[str, bool]:
    """Return the recipe's key in the file, and whether others may extend it."""
    key = recipe.name
    if find_recipe(recipe.name).version != recipe.version:
        key = f"{recipe.name}.{recipe.version}"
    return key, read_entries(FILE, RecipeEntry)[key].extends is None


def _written(use: StepUse) -> dict[str, Any]:
    """Return a step as a recipe names it: only what differs from the step's own defaults."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(use.parameters)}
    given = msgspec.structs.asdict(use.parameters)
    return {"step": use.step.name} | {
        name: given[name] for name in given if given[name] != defaults[name]
    }


def _toml(given: Any) -> str:
    if isinstance(given, dict):
        return f"{{ {', '.join(f'{name} = {_toml(part)}' for name, part in given.items())} }}"
    if isinstance(given, (list, tuple)):
        return f"[{', '.join(map(_toml, given))}]"
    return json.dumps(given, ensure_ascii=False)
