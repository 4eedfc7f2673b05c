"""Recipes as they are written: entries of recipes.toml, and what they extend."""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from entities.data_files import DataError
from entities.folders import USER_MARK
from entities.wording import did_you_mean
from procgen.level_code import LONGEST_SIDE

FIRST, OFF = "first", "off"
MOST_EXTENDED = 50
"""The most recipes that extend one another: each costs a call and a copy of the chain."""
Side = Annotated[int, Meta(ge=1, le=LONGEST_SIDE)]
Size = tuple[Side, Side]


class RecipeEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A recipe as written: its own steps, or those of ``extends`` with edits and changes.

    ``edits`` insert, move or remove steps (`edited_chain`). ``change`` then sets parameters of
    steps by their labels, so the second use of a step is ``NAME#2``.
    ``no_effect`` names, by step, parameters that were measured to change no level of the recipe.
    ``wishes`` is a condition on metrics: what the description leads players to expect.
    """

    description: str
    theme: str | None = None
    version: Annotated[int, Meta(ge=1)] = 1
    size: Size | None = None
    smallest: Size | None = None
    steps: tuple[dict[str, Any], ...] = ()
    extends: str | None = None
    edits: tuple[str, ...] = ()
    change: dict[str, Any] = {}
    no_effect: dict[str, tuple[str, ...]] = {}
    wishes: str = ""


def whole_entry(
    entry: RecipeEntry, entries: dict[str, RecipeEntry], where: str, seen: tuple[str, ...] = ()
) -> RecipeEntry:
    """Return ``entry`` merged with the entry it extends; ``seen`` are those that extend it."""
    if entry.extends is None:
        if entry.edits or entry.change:
            raise DataError(f"{where}: edits and change need a recipe that the entry extends")
        return entry
    if entry.steps:
        raise DataError(f"{where}: steps: an entry that extends a recipe has edits instead")
    if entry.extends in seen:
        raise DataError(f"{where}: extends: {entry.extends!r} extends itself")
    if len(seen) == MOST_EXTENDED:
        raise DataError(f"{where}: extends: a chain of more than {MOST_EXTENDED} recipes")
    if entry.extends not in entries:
        raise DataError(f"{where}: extends: there is no {unknown_name(entry.extends, entries)}")
    parent = whole_entry(entries[entry.extends], entries, where, (*seen, entry.extends))
    own_labels = step_labels(str(table.get("step")) for table in parent.steps)
    own = dict(zip(own_labels, parent.steps, strict=True))
    try:
        chain = edited_chain(own, entry.edits)
    except ValueError as fault:
        raise DataError(f"{where}: edits: {fault}") from None
    edited = tuple(own.get(label, {"step": label.partition("#")[0]}) for label in chain)
    labels = step_labels(str(table.get("step")) for table in edited)
    if unknown := [label for label in entry.change if label not in labels]:
        raise DataError(f"{where}: change: there is no {unknown_name(unknown[0], labels, own)}")
    if odd := [label for label, table in entry.change.items() if not isinstance(table, dict)]:
        raise DataError(f"{where}: change: {odd[0]}: must be a table such as {{ at_most = 3 }}")
    changes = [entry.change.get(label, {}) for label in labels]
    return msgspec.structs.replace(
        entry,
        steps=tuple(use | change for use, change in zip(edited, changes, strict=True)),
        theme=entry.theme or parent.theme,
        size=entry.size or parent.size,
        smallest=entry.smallest or parent.smallest,
    )


def edited_chain(labels: Collection[str], edits: Iterable[str]) -> list[str]:
    """Return the labels of the steps after each of ``edits`` in turn.

    ``STEP=AFTER`` inserts or moves a step right after another, or before all others if AFTER is
    `FIRST`; ``STEP=off`` removes it. Raises `ValueError` for any other edit.
    """
    chain = list(labels)
    for edit in edits:
        label, _, place = edit.partition("=")
        if not (label and place):
            raise ValueError(f"{edit[:60]!r} is not STEP=AFTER, STEP={FIRST} or STEP={OFF}")
        if label in chain:
            chain.remove(label)
        elif place == OFF:
            raise ValueError(f"there is no step {unknown_name(label, chain, labels)}")
        if place not in {FIRST, OFF, *chain}:
            raise ValueError(f"{label[:60]} cannot go after {unknown_name(place, chain, labels)}")
        if place != OFF:
            chain.insert(0 if place == FIRST else chain.index(place) + 1, label)
    return chain


def unknown_name(name: str, names: Iterable[str], edited: Collection[str] = ()) -> str:
    """Return ``name`` with one of ``names`` that is similar, or all, or that it was ``edited``."""
    if name in edited:
        return f"{name[:60]!r}, which an edit moves or removes"
    known = list(names)
    if hint := did_you_mean(name, known):
        return f"{name[:60]!r}{hint}"
    return f"{name[:60]!r}; there {'are' if known[1:] else 'is'} {', '.join(known) or 'none'}"


def step_labels(names: Iterable[str]) -> list[str]:
    """Return the label of each step: its name, or ``NAME#2`` where it is used again."""
    seen: Counter[str] = Counter()
    labels = []
    for name in names:
        seen[name] += 1
        labels.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return labels


def root_recipe(key: str, entries: dict[str, RecipeEntry]) -> str:
    """Return the recipe whose streams that of ``key`` uses, without `USER_MARK`; "" for ours."""
    if not key.startswith(USER_MARK):
        return ""
    while key.startswith(USER_MARK) and (extended := entries[key].extends):
        key = extended
    return key.removeprefix(USER_MARK).partition(".")[0]
