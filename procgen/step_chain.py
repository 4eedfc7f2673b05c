"""The chain of a recipe's steps: what fits where, and edits such as ``lakes=loops``."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

import msgspec

from entities.data_files import DataError, convert
from entities.wording import did_you_mean
from procgen.recipe_entries import FIRST, OFF, edited_chain, step_labels
from procgen.step_registry import Step, all_steps

MAY_LACK = frozenset({"rooms", "regions", "leaves"})
"""Needs that the steps of an overlay may leave unmet; they then do nothing."""


@dataclass(frozen=True)
class StepUse:
    """One step of a recipe with its parameters; ``label`` tells repeated steps apart.

    ``overlay`` is the name of the overlay that the step belongs to, "" for the recipe's own.
    """

    step: Step
    parameters: msgspec.Struct
    label: str
    overlay: str = ""

    @property
    def occurrence(self) -> int:
        """The number of uses of the step up to this one, on which its random stream depends."""
        return int(self.label.partition("#")[2] or 1)


def step_uses(
    written: tuple[dict[str, Any], ...],
    where: str,
    given: frozenset[str] = frozenset(),
    extra: Mapping[str, Step] | None = None,
) -> tuple[StepUse, ...]:
    """Return the steps ``written``, each checked against its signature and its needs.

    ``given`` is what exists before the first; ``extra`` are steps beside those of the registry.
    Raises `DataError`, beginning with ``where``.
    """
    steps = {**all_steps(), **(extra or {})}
    uses = []
    labels = step_labels(str(table.get("step")) for table in written)
    for index, (table, label) in enumerate(zip(written, labels, strict=True)):
        parameters = dict(table)
        if "step" not in parameters:
            keys = ", ".join(parameters) or "nothing"
            raise DataError(f'{where}: steps[{index}]: there is no step = "NAME"; it has {keys}')
        name = str(parameters.pop("step"))
        if name not in steps:
            own = "your own have @step(...) above them, in steps/*.py"
            raise DataError(f"{where}: {_no_step(name, steps)}; {own}")
        values = convert(parameters, steps[name].parameters, f"{where}: {label}")
        uses.append(StepUse(steps[name], values, label))
    if fault := unmet_needs(uses, given):
        raise DataError(f"{where}: {fault}")
    return tuple(uses)


def unmet_needs(uses: Iterable[StepUse], given: frozenset[str] = frozenset()) -> str:
    """Return which step needs what no step before it gives, in words; "" if none does.

    Steps of an overlay may lack what is in `MAY_LACK`; what they give does not count for others.
    """
    known = set(given)
    for use in uses:
        if missing := sorted(use.step.needs - known - (MAY_LACK if use.overlay else set())):
            words = sorted(known.union(*(step.gives for step in all_steps().values())))
            hints = [did_you_mean(word, words) for word in missing if word not in words]
            return f"{use.label} needs {' and '.join(missing)} from an earlier step{''.join(hints)}"
        known |= set() if use.overlay else use.step.gives
    return ""


def whole_chain(
    written: tuple[dict[str, Any], ...], where: str, extra: Mapping[str, Step] | None = None
) -> tuple[StepUse, ...]:
    """Return the steps of a recipe, which must give floor, start and exit."""
    uses = step_uses(written, where, extra=extra)
    if fault := incomplete(uses):
        raise DataError(f"{where}: {fault}")
    return uses


def incomplete(uses: Iterable[StepUse]) -> str:
    """Return what a level of these steps would lack, in words; "" if it has all it must have."""
    given = frozenset().union(*(use.step.gives for use in uses))
    missing = sorted({"floor", "start", "exit"} - given)
    return f"no step gives {' or '.join(missing)}" if missing else ""


def edited_steps(
    uses: tuple[StepUse, ...], edits: Iterable[str], known: Mapping[str, Step]
) -> tuple[StepUse, ...]:
    """Return the chain ``uses`` after ``edits`` (`procgen.recipe_entries.edited_chain`).

    A step that is not among them is one of ``known``, with its default parameters. Raises
    `ValueError` if a step does not exist or lacks what it needs, or start or exit would be missing.
    """
    by_label = {use.label: use for use in uses}
    chain = [by_label.get(at) or _added(at, known) for at in edited_chain(by_label, edits)]
    labels = step_labels("/".join(filter(None, (use.overlay, use.step.name))) for use in chain)
    steps = tuple(replace(use, label=label) for use, label in zip(chain, labels, strict=True))
    if fault := unmet_needs(steps) or incomplete(steps):
        raise ValueError(fault)
    return steps


def edits_between(old: tuple[StepUse, ...], new: tuple[StepUse, ...]) -> tuple[str, ...]:
    """Return the edits that turn the chain ``old`` into ``new``."""
    before, after = ([use.label for use in uses] for uses in (old, new))
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    stay = {label for block in blocks for label in after[block.b : block.b + block.size]}
    pairs = zip([FIRST, *after], after, strict=False)
    moved = [f"{label}={earlier}" for earlier, label in pairs if label not in stay]
    return (*(f"{label}={OFF}" for label in before if label not in after), *moved)


def is_edit(setting: str) -> bool:
    """Return True for ``STEP=AFTER``, False for ``STEP.PARAMETER=VALUE``."""
    name, _, place = setting.partition("=")
    return bool(name and place) and "." not in name


def _added(label: str, known: Mapping[str, Step]) -> StepUse:
    name = label.partition("#")[0]
    if name not in known:
        raise ValueError(_no_step(name, known))
    return StepUse(known[name], known[name].parameters(), label)


def _no_step(name: str, known: Iterable[str]) -> str:
    """Return a sentence on an unknown step; there are too many to list them all."""
    return f"there is no step {name[:60]!r}{did_you_mean(name, known)}; see `list --steps`"
