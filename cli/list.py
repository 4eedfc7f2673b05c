"""`list`: print the generators and their parameters."""

import argparse
from typing import Any

from cli.errors import OK
from cli.output import print_json
from procgen.recipes import Recipe, current_recipes
from procgen.world_types import WorldType, world_types


def list_generators(options: argparse.Namespace) -> int:
    """Print all generators and infinite worlds with their parameters."""
    bounded: list[Recipe | WorldType] = [] if options.infinite else [*current_recipes()]
    infinite: list[Recipe | WorldType] = [*world_types().values()]
    every = [*bounded, *infinite]
    if options.json:
        print_json([_record(recipe) for recipe in bounded or infinite])
        return OK
    for recipe in every:
        print(f"{recipe.name}  {recipe.description}")
        for label, parameters in recipe.parameters().items():
            values = " ".join(f"{name}={value}" for name, value in parameters.items())
            print(f"    {label} {values}".rstrip())
    return OK


def _record(recipe: Recipe | WorldType) -> dict[str, Any]:
    return {
        "name": recipe.name,
        "version": recipe.version,
        "description": recipe.description,
        "parameters": recipe.parameters(),
        "default_size": list(recipe.size),
        "smallest_size": list(recipe.smallest),
    }
