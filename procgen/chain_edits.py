"""Chain edits: the steps of a recipe put in, moved and removed, as in ``caves;lakes=loops:42``."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from procgen.recipe_entries import FIRST, OFF, edited_chain, unknown_name
from procgen.recipes import Recipe, StepUse, incomplete, own_recipes, unmet_needs
from procgen.step_registry import Step, all_steps


def with_edits(recipe: Recipe, edits: Sequence[str]) -> Recipe:
    """Return ``recipe`` after the ``edits`` of its chain (`procgen.recipe_entries.edited_chain`).

    A step that it lacks comes with its default parameters. Raises `ValueError` if a step that is
    named does not exist, if one lacks what it needs, or if the level would have no start or exit.
    """
    if not edits:
        return recipe
    own, known = {use.label: use for use in recipe.steps}, usable_steps(recipe)
    chain = edited_chain(own, edits)
    steps = tuple(_relabelled(own.get(label) or _added(label, known) for label in chain))
    if fault := unmet_needs(steps) or incomplete(steps):
        raise ValueError(fault)
    return replace(recipe, steps=steps, no_effect=frozenset())


def usable_steps(recipe: Recipe) -> dict[str, Step]:
    """Return the steps that can be put into ``recipe``: only a recipe of one's own has one's own.

    Nobody else could build a level of ours with steps of one's own in it.
    """
    return {**all_steps(), **(own_recipes().steps if recipe.is_own else {})}


def edits_of(original: Recipe, recipe: Recipe) -> tuple[str, ...]:
    """Return the edits that turn the chain of ``original`` into that of ``recipe``."""
    before, after = ([use.label for use in one.steps] for one in (original, recipe))
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    stay = {label for block in blocks for label in after[block.b : block.b + block.size]}
    moved = [
        f"{label}={earlier}"
        for earlier, label in zip([FIRST, *after], after, strict=False)
        if label not in stay
    ]
    return (*(f"{label}={OFF}" for label in before if label not in after), *moved)


def is_edit(setting: str) -> bool:
    """Return True for ``STEP=AFTER``, False for ``STEP.PARAMETER=VALUE``."""
    name, _, place = setting.partition("=")
    return bool(name and place) and "." not in name


def _added(label: str, known: dict[str, Step]) -> StepUse:
    name = label.partition("#")[0]
    if name not in known:
        raise ValueError(f"there is no step {unknown_name(name, known)}")
    return StepUse(known[name], known[name].parameters(), label, 1)


def _relabelled(uses: Iterable[StepUse]) -> Iterable[StepUse]:
    """Yield the uses with numbers by their order again: draws depend on them."""
    seen: Counter[tuple[str, str]] = Counter()
    for use in uses:
        seen[use.overlay, use.step.name] += 1
        number = seen[use.overlay, use.step.name]
        name = "/".join(filter(None, (use.overlay, use.step.name)))
        label = name if number == 1 else f"{name}#{number}"
        yield replace(use, label=label, occurrence=number)
