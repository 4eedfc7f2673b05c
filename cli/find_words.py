"""`find --words`: what a request in words became, and what of it no level meets."""

import argparse
import shlex
import sys
from dataclasses import dataclass, field

from cli.arguments import chosen_recipes
from cli.errors import UsageError
from entities.program import COMMAND
from procgen.metrics import format_metric
from procgen.word_query import Wish, WordQuery, parse_words
from workbench.search.search_jobs import Hit

DEFAULT_LIMIT, LEVELS = 10, 1000
"""The number of levels shown, and of levels tried in all, by default."""


def word_query(options: argparse.Namespace) -> WordQuery | None:
    """Return what ``--words`` asks for, None without it.

    Raises `UsageError` if no word of it is understood.
    """
    if options.words is None:
        return None
    if options.settings:
        raise UsageError("--words changes generators by overlays: leave out --set")
    query = parse_words(options.words)
    if options.generator:
        query.recipes = tuple(recipe.name for recipe in chosen_recipes(options.generator))
    if query.is_empty:
        raise UsageError(f"--words {options.words[:80]!r}: nothing in it is understood")
    return query


def print_understood(query: WordQuery) -> None:
    """Print on stderr what a request became, and what of it was not understood."""
    print(f"understood: {query}", file=sys.stderr)
    if query.unknown:
        print(f"not understood: {', '.join(query.unknown)}", file=sys.stderr)
    print(f"the same as: {_command(query)}", file=sys.stderr)


def _command(query: WordQuery) -> str:
    """Return the command that asks for the conditions without words."""
    words = [*COMMAND.split(), "find"]
    if query.recipes or query.overlays:
        words += ["--generator", ",".join(query.generators)]
    if query.where:
        words += ["--where", query.where]
    goals = [f"{wish.metric}={wish.numbers[0]:g}" for wish in query.wishes if wish.relation == "~"]
    more = [f"{wish.relation}{wish.metric}" for wish in query.wishes if not wish.numbers]
    if goals:
        words += ["--closest", ", ".join(goals)]
    elif more:
        words.append("--sort=" + "".join(more).removeprefix("+"))
    if query.size:
        words += ["--size", f"{query.size[0]}x{query.size[1]}"]
    return shlex.join(words)


@dataclass
class WordCost:
    """The cost of hits for a `TopHits`; notes the nearest value of each condition on the way."""

    query: WordQuery
    nearest: dict[Wish, tuple[float, float]] = field(default_factory=dict)
    met: bool = False
    """Whether some level meets all conditions."""

    def __call__(self, hit: Hit) -> float:
        """Return how far the level is from the request."""
        conditions = [wish for wish in self.query.wishes if wish.is_condition]
        self.met |= all(wish.holds(getattr(hit.metrics, wish.metric)) for wish in conditions)
        for wish in self.query.wishes:
            value = getattr(hit.metrics, wish.metric)
            away = wish.cost(value, hit.code.width, hit.code.height), value
            self.nearest[wish] = min(away, self.nearest.get(wish, away))
        return self.query.cost(hit.code, hit.metrics)

    def unmet(self, tried: int) -> list[str]:
        """Return a sentence for each condition that none of the levels meets."""
        unmet = [
            f"none of {tried:,} levels has {wish}: the nearest has "
            f"{format_metric(wish.metric, value)}"
            for wish, (_, value) in self.nearest.items()
            if wish.is_condition and not wish.holds(value)
        ]
        if unmet or self.met or not tried:
            return unmet
        return [f"each of these is met, but none of {tried:,} levels has {self.query.where}"]
