"""The result of evolution: an entry for recipes.toml in the user folder, and its figures."""

from statistics import median
from typing import Any, NamedTuple

import msgspec

from entities.folders import command_line
from procgen.metrics import format_metric
from procgen.recipe_parameters import changed_parameters, recipe_entry
from procgen.recipes import Recipe
from workbench.evolution.cma_es import Evolution
from workbench.evolution.evaluation import Objective, rejections, variant
from workbench.search.search_jobs import METRIC_NAMES, JobResult

NEAREST = 3
"""The number of levels named in the result."""


class EvolvedRecipe(NamedTuple):
    """An evolved recipe and its original, both measured on seeds not used to optimise."""

    objective: Objective
    recipe: Recipe
    original: Recipe
    before: JobResult
    after: JobResult

    @property
    def entry(self) -> str:
        """The entry for recipes.toml."""
        return recipe_entry(self.original, self.recipe, self.recipe.name)

    @property
    def codes(self) -> list[str]:
        """The codes of the levels nearest to the goals, for the entry in recipes.toml."""
        code = self.after.code
        seeds = self.objective.nearest(self.after, NEAREST)
        size = code.width, code.height
        return [str(self.recipe.code(seed, code.depth, size)) for seed in seeds]


def measure_evolved(evolution: Evolution, seeds: range) -> EvolvedRecipe:
    """Measure the best recipe of ``evolution`` on other ``seeds``."""
    changes = evolution.best.changes
    before, after = evolution.build_all([(), changes], seeds)
    recipe = variant(evolution.recipe, evolution.name, changes)
    return EvolvedRecipe(evolution.objective, recipe, evolution.recipe, before, after)


def as_toml(evolved: EvolvedRecipe, command: str) -> str:
    """Return the TOML entry with its figures as comments."""
    name, was = evolved.recipe.name, evolved.original.name
    rows = [("", "goal", was, name), *_rows(evolved)]
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    forms = [f"{{:<{first}}}", *(f"{{:>{width}}}" for width in others)]
    table = ["  ".join(forms).format(*row) for row in rows]
    comments = [
        f"Evolved from {was}.{evolved.original.version} by",
        f"  {command}",
        f"Medians of {evolved.after.tried} levels not used to optimise:",
        *(f"  {line}" for line in table),
        "Levels of it, once this entry stands in your own recipes.toml:",
        f"  {command_line('map', *evolved.codes)}",
    ]
    return "\n".join(f"# {line}".rstrip() for line in comments) + f"\n{evolved.entry}\n"


def _rows(evolved: EvolvedRecipe) -> list[tuple[str, ...]]:
    """Return the goals with the medians before and after."""
    outcomes = (evolved.before, evolved.after)
    rows = []
    for name, goal in evolved.objective.goals.items():
        medians = [_median(outcome, name) for outcome in outcomes]
        shown = ["-" if value is None else format_metric(name, value) for value in medians]
        rows.append((name, format_metric(name, goal), *shown))
    if evolved.objective.where:
        shares = [f"{_share(evolved.objective, outcome):.0%}" for outcome in outcomes]
        rows.append((evolved.objective.where, "100%", *shares))
    rows.append(("builds rejected", "0%", *(f"{rejections(outcome):.0%}" for outcome in outcomes)))
    costs = [f"{evolved.objective.cost(outcome):.3f}" for outcome in outcomes]
    return [*rows, ("cost", "0", *costs)]


def _median(outcome: JobResult, name: str) -> float | None:
    values = [getattr(metrics, name) for _, metrics in outcome.hits]
    return float(median(values)) if values else None


def _share(objective: Objective, outcome: JobResult) -> float:
    return sum(objective.holds(metrics) for _, metrics in outcome.hits) / max(1, outcome.tried)


def as_json(evolved: EvolvedRecipe) -> str:
    """Return the recipe and its figures as one line of JSON."""
    record = {
        "generator": evolved.recipe.name,
        "from": f"{evolved.original.name}.{evolved.original.version}",
        "goals": evolved.objective.goals,
        "where": evolved.objective.where,
        "before": _figures(evolved, evolved.before),
        "after": _figures(evolved, evolved.after),
        "changes": changed_parameters(evolved.original, evolved.recipe),
        "codes": evolved.codes,
        "entry": evolved.entry,
    }
    return msgspec.json.encode(record).decode() + "\n"


def _figures(evolved: EvolvedRecipe, outcome: JobResult) -> dict[str, Any]:
    return {
        "cost": round(evolved.objective.cost(outcome), 6),
        "matching": _share(evolved.objective, outcome),
        "rejected": rejections(outcome),
        "medians": {name: _median(outcome, name) for name in METRIC_NAMES},
    }
