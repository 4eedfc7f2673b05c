"""Records of all generators and steps, and the names of metrics, creatures and items."""

import inspect
from typing import Any

import msgspec

from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_kinds
from procgen.build import no_step
from procgen.recipes import Recipe, known_recipes, user_recipes
from procgen.step_registry import Step, all_steps, struct_parameters
from procgen.world_types import WorldType, world_types
from workbench.search.search_jobs import METRIC_NAMES


def available() -> dict[str, Any]:
    """Return what there is: generators and steps as in the JSON of `list`, metrics, and kinds."""
    every: list[Recipe | WorldType] = [*known_recipes(), *world_types().values()]
    names = {
        "generators": [generator_record(one, steps=False) for one in every],
        "steps": [*map(generator_record, (all_steps() | user_recipes().steps).values())],
        "metrics": METRIC_NAMES,
        "creatures": {key: one.name for key, one in creature_kinds().items() if key != HERO},
        "items": {key: one.name for key, one in item_kinds().items()},
    }
    return msgspec.json.decode(msgspec.json.encode(names), type=dict[str, Any])


def generator_record(entry: Recipe | WorldType | Step, *, steps: bool = True) -> dict[str, Any]:
    """Return a generator with its sizes and parameters, and its ``steps`` in words; or a step."""
    if isinstance(entry, Step):
        return _step_record(entry, entry.name, entry.parameters())
    record = {
        "name": entry.name,
        "version": entry.version,
        "description": entry.description,
        "parameters": entry.parameters(),
        "default_size": "{}x{}".format(*entry.size),
        "smallest_size": "{}x{}".format(*entry.smallest),
    }
    return record | ({"steps": _step_records(entry)} if steps else {})


def _step_records(definition: Recipe | WorldType) -> list[dict[str, Any]]:
    if isinstance(definition, Recipe):
        return [_step_record(use.step, use.label, use.parameters) for use in definition.steps]
    maker, nothing = definition.maker, frozenset[str]()
    name, documentation = maker.__name__, inspect.getdoc(maker) or ""
    step = Step(name, no_step, type(definition.values), nothing, nothing, documentation)
    return [_step_record(step, name, definition.values)]


def _step_record(step: Step, label: str, values: msgspec.Struct) -> dict[str, Any]:
    """Return a step with its docstring, and each parameter's value, range, unit and meaning.

    A parameter's meaning is the sentences of the docstring that explain it.
    """
    parameters = struct_parameters(type(values))
    meanings = [step.meaning(parameter.name) for parameter in parameters]
    others = [part for part in step.sentences()[1:] if part not in " ".join(meanings)]
    return {
        "label": label,
        "step": step.name,
        "about": " ".join([step.summary, *others]).replace("``", "`"),
        "needs": sorted(step.needs),
        "gives": sorted(step.gives),
        "parameters": [
            {
                "name": parameter.name,
                "value": getattr(values, parameter.name),
                "range": parameter.range,
                "least": parameter.bounds[0],
                "most": parameter.bounds[1],
                "unit": parameter.unit,
                "meaning": meaning.replace("``", "`"),
            }
            for parameter, meaning in zip(parameters, meanings, strict=True)
        ],
    }
