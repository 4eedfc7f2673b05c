"""`find --evolve`: optimise a recipe's parameters with CMA-ES; print it as a TOML entry."""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from string import ascii_lowercase

from cli import arguments
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import progress
from entities.folders import USER_MARK
from entities.program import how_to_install
from procgen.level_code import SEED_LIMIT, parse_seed
from procgen.metric_query import parse_condition, parse_targets
from procgen.recipes import user_recipes
from workbench.evolution.cma_es import Evolution
from workbench.evolution.evaluation import Objective, tunable_numbers
from workbench.evolution.evolved_recipe import as_json, as_toml, measure_evolved
from workbench.search.process_pool import worker_pool

GENERATIONS, LEVELS, MOST_LEVELS = 25, "0:8", 10_000
RERUN_OPTIONS = (
    *("evolve", "where", "generator", "seeds", "depth", "size"),
    *("generations", "seed", "limit"),
)
"""The options that a result depends on."""
PROOF = 40
"""The number of levels an evolved recipe is finally measured on; none was used to optimise."""


def find_by_evolution(options: argparse.Namespace) -> int:
    """Print better recipes, best first; Ctrl-C prints the best so far and exits with 130."""
    _check_options(options)
    arguments.query(options, "where", parse_condition)
    goals = arguments.query(options, "evolve", parse_targets) or {}
    objective = Objective(goals, options.where or "")
    (code,) = arguments.recipe_codes(options)
    seeds = arguments.seed_range(options.seeds or LEVELS)
    if len(seeds) > MOST_LEVELS:
        raise UsageError(
            f"--evolve builds every candidate with all seeds: give at most {MOST_LEVELS:,}"
        )
    names = _names(code.recipe, arguments.optional_int(options.limit, "--limit", high=20) or 1)
    with worker_pool(*arguments.pool_options(options)) as pool:
        runs = [Evolution(code, name, seeds, objective, pool) for name in names]
        stopped = not _run_evolution(runs, options)
        better = sorted((run for run in runs if run.best.changes), key=lambda run: run.best.cost)
        unused = seeds.stop if seeds.stop + PROOF <= SEED_LIMIT else seeds.start - PROOF
        measured = (measure_evolved(run, range(unused, unused + PROOF)) for run in better)
        found = [new for new in measured if objective.cost(new.after) < objective.cost(new.before)]
    if stopped:
        so_far = "the best so far" if found else "nothing better was found so far"
        print(f"stopped early: {so_far}", file=sys.stderr)
    elif not found:
        print("nothing better was found; try more --seeds or --generations", file=sys.stderr)
    command = arguments.rerun_command(["find"], options, RERUN_OPTIONS)
    for new in found:
        sys.stdout.write(as_json(new) if options.format == "jsonl" else as_toml(new, command))
    return INTERRUPTED if stopped else OK


def _run_evolution(evolutions: Sequence[Evolution], options: argparse.Namespace) -> bool:
    """Run each evolution and simplify its result; return False if interrupted."""
    number = arguments.optional_int(options.generations, "--generations", high=10_000)
    generations = number or GENERATIONS
    seed = parse_seed(options.seed or "0")
    total = generations * len(evolutions)
    try:
        with progress("evolving", total, hits=False, unit="generations") as report:
            for evolution in evolutions:
                alive = evolution.sensitive(tunable_numbers(evolution.recipe))
                if not alive:
                    raise UsageError("no parameter of this recipe changes a metric")
                for _ in evolution.evolve(alive, generations, seed):
                    report(1, 0)
                evolution.simplify()
    except KeyboardInterrupt:
        return False
    return True


def _check_options(options: argparse.Namespace) -> None:
    """Raise `UsageError` for options that ``--evolve`` excludes."""
    if options.format not in {"text", "jsonl"}:
        raise UsageError("--evolve prints TOML, or JSON lines with --format jsonl")
    if len(arguments.chosen_recipes(options.generator)) > 1:
        raise UsageError("--evolve needs one --generator")
    if "+" in (options.generator or ""):
        raise UsageError("--evolve changes a recipe's own parameters: leave out overlays")
    if find_spec("cma") is None:
        raise UsageError(f"--evolve needs cma: {how_to_install('evolve')}")


def _names(recipe: str, count: int) -> list[str]:
    """Return ``count`` names for evolved recipes that the user folder does not contain yet."""
    recipe = f"{USER_MARK}{recipe.removeprefix(USER_MARK)}"
    plain = [f"{recipe}_evolved", *(f"{recipe}_evolved_{letter}" for letter in ascii_lowercase[1:])]
    free = [name for name in plain if name not in user_recipes().entries]
    if len(free) < count:
        raise UsageError(f"{plain[0]} and its variants are all taken in your own recipes.toml")
    return free[:count]
