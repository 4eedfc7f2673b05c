"""`find --evolve`: a recipe's numbers bred towards a wish, as an entry to paste."""

import argparse
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from string import ascii_lowercase

from cli.arguments import generators, number, seed_range, size
from cli.errors import INTERRUPTED, OK, UsageError
from cli.output import Report, progress
from procgen.level_code import SEED_LIMIT, LevelCode, parse_seed
from procgen.metric_query import QueryError, condition, targets
from procgen.recipes import find_recipe, recipes
from workbench.evolution.cma_es import Breeding, NoDials
from workbench.evolution.evaluation import Trial, Wish, dials
from workbench.evolution.evolved_recipe import as_json, as_toml, proven
from workbench.search.process_pool import hired
from workbench.search.search_jobs import NAMES, fingerprint

GENERATIONS, LEVELS, MOST_LEVELS = 25, "0:8", 10_000
PROOF = 40
"""On how many levels, none of which it was bred on, a recipe is measured in the end."""


def evolve(options: argparse.Namespace) -> int:
    """Print recipes bred towards a wish, the best first; after Ctrl-C as far as it got."""
    _checked(options)
    wish, code = _wish(options), _code(options)
    seeds, count = _seeds(options.seeds or LEVELS), number(options.limit, "--limit", high=20) or 1
    names = _names(code.recipe, count)
    print_ = fingerprint(code.recipe, code.version)
    trials = [Trial(code, name, (), seeds, print_) for name in names]
    workers = number(options.workers, "--workers", high=256)
    with hired(workers, options.cluster) as crew:
        bred = [Breeding(trial, wish, crew) for trial in trials]
        stopped = not _bred(bred, options)
        better = sorted((one for one in bred if one.best.turned), key=lambda one: one.best.cost)
        found = [proven(one, _others(seeds)) for one in better]
    if not found:
        print("nothing nearer to the wish was found than the recipe as it is", file=sys.stderr)
    command = _command(options)
    for one in found:
        sys.stdout.write(as_json(one) if options.format == "jsonl" else as_toml(one, command))
    return INTERRUPTED if stopped else OK


def _bred(many: Sequence[Breeding], options: argparse.Namespace) -> bool:
    """Let each evolve and shed what it does not need; return whether nobody stopped it."""
    generations = number(options.generations, "--generations", high=10_000) or GENERATIONS
    seed = parse_seed(options.seed or "0")
    try:
        with progress(
            "breeding", generations * len(many), hits=False, unit="generations"
        ) as report:
            for one in many:
                _evolved(one, generations, seed, report)
    except NoDials as fault:
        raise UsageError(str(fault)) from None
    except KeyboardInterrupt:
        return False
    return True


def _evolved(breeding: Breeding, generations: int, seed: int, report: Report) -> None:
    trial = breeding.trial
    alive = breeding.alive(dials(find_recipe(trial.code.recipe, trial.code.version)))
    for _ in breeding.evolve(alive, generations, seed):
        report(1, 0)
    breeding.simplify()


def _checked(options: argparse.Namespace) -> None:
    """Refuse what cannot be asked of an evolution."""
    for name in ("sort", "closest", "diverse"):
        if getattr(options, name) is not None:
            raise UsageError(f"give --{name} or --evolve, not both")
    if options.format not in {"text", "jsonl"}:
        raise UsageError("--evolve writes an entry for data/recipes.toml, or --format jsonl")
    if len(generators(options.generator)) > 1:
        raise UsageError("say with --generator which one is to evolve")
    if find_spec("cma") is None:
        raise UsageError("--evolve needs cma: pip install -r requirements-evolve.txt")


def _wish(options: argparse.Namespace) -> Wish:
    option = "evolve"
    try:
        goals = targets(options.evolve, NAMES)
        option = "where"
        if options.where is not None:
            condition(options.where, NAMES)
    except QueryError as fault:
        raise UsageError(f"--{option} {getattr(options, option)[:80]!r}: {fault}") from None
    return Wish(goals, options.where or "")


def _code(options: argparse.Namespace) -> LevelCode:
    depth = number(options.depth, "--depth") or 1
    return generators(options.generator)[0].code(0, depth, size(options.size))


def _seeds(text: str) -> range:
    seeds = seed_range(text)
    if len(seeds) > MOST_LEVELS:
        raise UsageError(f"--evolve tries every recipe on all seeds: at most {MOST_LEVELS:,}")
    return seeds


def _others(seeds: range) -> range:
    """Return seeds that nothing was bred on."""
    if seeds.stop + PROOF <= SEED_LIMIT:
        return range(seeds.stop, seeds.stop + PROOF)
    return range(seeds.start - PROOF, seeds.start)


def _names(recipe: str, count: int) -> list[str]:
    """Return names for what comes of ``recipe`` that no entry has yet."""
    plain = [f"{recipe}_evolved", *(f"{recipe}_evolved_{letter}" for letter in ascii_lowercase[1:])]
    free = [name for name in plain if name not in recipes()]
    if len(free) < count:
        raise UsageError(f"{plain[0]} and its like are all taken in data/recipes.toml")
    return free[:count]


def _command(options: argparse.Namespace) -> str:
    """Return the command that finds the same again."""
    words = ["python", "main.py", "find"]
    for name in ("evolve", "where", "generator", "seeds", "depth", "size", "generations", "seed"):
        given = getattr(options, name)
        if given is not None and (name, given) != ("depth", "1"):
            words += [f"--{name}", given]
    return shlex.join(words + (["--limit", options.limit] if options.limit else []))
