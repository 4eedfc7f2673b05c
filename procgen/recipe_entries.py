"""Recipes as they are written: entries of recipes.toml, and what they extend."""

from collections import Counter
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.data_files import DataError
from entities.folders import OWN

Size = tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]


class RecipeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recipe as written: its own steps, or those of ``extends`` with some parameters changed.

    ``change`` names steps by their labels, so the second of two is ``NAME#2``.
    ``no_effect`` names, by step, parameters that were measured to change no level of the recipe.
    """

    description: str
    theme: str | None = None
    version: Annotated[int, Meta(ge=1)] = 1
    size: Size | None = None
    smallest: Size | None = None
    steps: tuple[dict[str, Any], ...] = ()
    extends: str | None = None
    change: dict[str, dict[str, Any]] = {}
    no_effect: dict[str, tuple[str, ...]] = {}


def whole_entry(
    entry: RecipeEntry, entries: dict[str, RecipeEntry], where: str, seen: tuple[str, ...] = ()
) -> RecipeEntry:
    """Return ``entry`` merged with the entry it extends; ``seen`` are those that extend it."""
    if entry.extends is None:
        return entry
    if entry.extends not in entries or entry.extends in seen:
        raise DataError(f"{where}: extends: there is no such recipe: {entry.extends!r}")
    parent = whole_entry(entries[entry.extends], entries, where, (*seen, entry.extends))
    changes, steps = dict(entry.change), []
    for use, label in zip(parent.steps, step_labels(parent.steps), strict=True):
        steps.append({**use, **changes.pop(label, {})})
    if changes:
        raise DataError(f"{where}: change: {entry.extends!r} has no step {next(iter(changes))!r}")
    return msgspec.structs.replace(
        entry,
        steps=tuple(steps),
        theme=entry.theme or parent.theme,
        size=entry.size or parent.size,
        smallest=entry.smallest or parent.smallest,
    )


def step_labels(written: tuple[dict[str, Any], ...]) -> list[str]:
    """Return the label of each step: its name, or ``NAME#2`` where it is used again."""
    seen: Counter[str] = Counter()
    labels = []
    for table in written:
        name = str(table.get("step"))
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return labels


def root_recipe(name: str, entries: dict[str, RecipeEntry]) -> str:
    """Return the recipe whose streams ``name`` has, without `OWN`; "" for one of ours."""
    if not name.startswith(OWN):
        return ""
    while name.startswith(OWN) and (extended := entries[name].extends):
        name = extended
    return name.removeprefix(OWN).partition(".")[0]
