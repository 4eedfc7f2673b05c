"""`find --evolve`: optimise a recipe's parameters with CMA-ES; print it as a TOML entry."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from string import ascii_lowercase

from cli.arguments import chosen_recipes, optional_int, optional_size, seed_range
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import ReportProgress, progress
from entities.folders import OWN
from entities.program import COMMAND, how_to_install
from procgen.level_code import SEED_LIMIT, LevelCode, parse_seed
from procgen.metric_query import QueryError, parse_condition, parse_targets
from procgen.recipes import find_recipe, own_recipes
from workbench.evolution.cma_es import Evolution, NothingToTune
from workbench.evolution.evaluation import Objective, Trial, tunable_numbers
from workbench.evolution.evolved_recipe import as_json, as_toml, measure_evolved
from workbench.search.process_pool import worker_pool
from workbench.search.search_jobs import METRIC_NAMES, recipe_fingerprint

GENERATIONS, LEVELS, MOST_LEVELS = 25, "0:8", 10_000
PROOF = 40
"""Levels that an evolved recipe is measured on in the end; none was used to optimise it."""


def find_by_evolution(options: argparse.Namespace) -> int:
    """Print evolved recipes, best first; Ctrl-C prints the best so far and exits with 130."""
    _check_options(options)
    objective, code = _objective(options), _code(options)
    seeds, count = (
        _seeds(options.seeds or LEVELS),
        optional_int(options.limit, "--limit", high=20) or 1,
    )
    names = _names(code.recipe, count)
    print_ = recipe_fingerprint(code.recipe, code.version)
    trials = [Trial(code, name, (), seeds, print_) for name in names]
    workers = optional_int(options.workers, "--workers", high=256)
    with worker_pool(workers, options.cluster) as crew:
        bred = [Evolution(trial, objective, crew) for trial in trials]
        stopped = not _run_evolution(bred, options)
        better = sorted((one for one in bred if one.best.changes), key=lambda one: one.best.cost)
        found = [measure_evolved(one, _unused_seeds(seeds)) for one in better]
    if not found:
        print("no change brings the recipe nearer to the goals", file=sys.stderr)
    command = _command(options)
    for one in found:
        sys.stdout.write(as_json(one) if options.format == "jsonl" else as_toml(one, command))
    return INTERRUPTED if stopped else OK


def _run_evolution(many: Sequence[Evolution], options: argparse.Namespace) -> bool:
    """Run each evolution and simplify its result; return False if interrupted."""
    generations = optional_int(options.generations, "--generations", high=10_000) or GENERATIONS
    seed = parse_seed(options.seed or "0")
    try:
        with progress(
            "evolving", generations * len(many), hits=False, unit="generations"
        ) as report:
            for one in many:
                _evolve_one(one, generations, seed, report)
    except NothingToTune as fault:
        raise UsageError(str(fault)) from None
    except KeyboardInterrupt:
        return False
    return True


def _evolve_one(evolution: Evolution, generations: int, seed: int, report: ReportProgress) -> None:
    trial = evolution.trial
    alive = evolution.sensitive(tunable_numbers(find_recipe(trial.code.recipe, trial.code.version)))
    for _ in evolution.evolve(alive, generations, seed):
        report(1, 0)
    evolution.simplify()


def _check_options(options: argparse.Namespace) -> None:
    """Raise `UsageError` for options that do not go with ``--evolve``."""
    for name in ("words", "sort", "closest", "diverse"):
        if getattr(options, name) is not None:
            raise UsageError(f"give --{name} or --evolve, not both")
    if options.settings:
        raise UsageError("give --set or --evolve, not both: evolution sets the parameters")
    if options.format not in {"text", "jsonl"}:
        raise UsageError("--evolve prints TOML, or JSON lines with --format jsonl")
    if len(chosen_recipes(options.generator)) > 1:
        raise UsageError("--evolve needs one --generator")
    if "+" in (options.generator or ""):
        raise UsageError("--evolve changes a recipe's own parameters: leave out overlays")
    if find_spec("cma") is None:
        raise UsageError(f"--evolve needs cma: {how_to_install('evolve')}")


def _objective(options: argparse.Namespace) -> Objective:
    option = "evolve"
    try:
        goals = parse_targets(options.evolve, METRIC_NAMES)
        option = "where"
        if options.where is not None:
            parse_condition(options.where, METRIC_NAMES)
    except QueryError as fault:
        raise UsageError(f"--{option} {getattr(options, option)[:80]!r}: {fault}") from None
    return Objective(goals, options.where or "")


def _code(options: argparse.Namespace) -> LevelCode:
    depth = optional_int(options.depth, "--depth") or 1
    return chosen_recipes(options.generator)[0].code(0, depth, optional_size(options.size))


def _seeds(text: str) -> range:
    seeds = seed_range(text)
    if len(seeds) > MOST_LEVELS:
        raise UsageError(
            f"--evolve builds every candidate with all seeds: give at most {MOST_LEVELS:,}"
        )
    return seeds


def _unused_seeds(seeds: range) -> range:
    """Return seeds that were not used to optimise."""
    if seeds.stop + PROOF <= SEED_LIMIT:
        return range(seeds.stop, seeds.stop + PROOF)
    return range(seeds.start - PROOF, seeds.start)


def _names(recipe: str, count: int) -> list[str]:
    """Return ``count`` names for evolved recipes that the folder of one's own does not use yet."""
    recipe = f"{OWN}{recipe.removeprefix(OWN)}"
    plain = [f"{recipe}_evolved", *(f"{recipe}_evolved_{letter}" for letter in ascii_lowercase[1:])]
    free = [name for name in plain if name not in own_recipes().recipes]
    if len(free) < count:
        raise UsageError(f"{plain[0]} and its variants are all taken in your own recipes.toml")
    return free[:count]


def _command(options: argparse.Namespace) -> str:
    """Return the command that finds the same recipes."""
    words = [*COMMAND.split(), "find"]
    for name in ("evolve", "where", "generator", "seeds", "depth", "size", "generations", "seed"):
        given = getattr(options, name)
        if given is not None and (name, given) != ("depth", "1"):
            words += [f"--{name}", given]
    return shlex.join(words + (["--limit", options.limit] if options.limit else []))
