"""A level in a few sentences, in words that `find --words` understands."""

from entities.wording import pluralise
from procgen.analysis.distances import UNREACHED
from procgen.level import Level
from procgen.metrics import Metrics, measure, position
from procgen.vocabulary import level_phrase

MUCH, LITTLE = 2 / 3, 1 / 3
"""Thresholds of a normalised metric (1/2 is typical) above or below which it is described."""
FEELS = {"openness": ("open", "cramped"), "detour": ("a long detour", "nearly straight")}
COUNTS = {"rooms": "room", "loops": "loop", "dead_ends": "dead end", "chokepoints": "chokepoint"}
COUNTS |= {"doors": "door", "locks": "lock", "bridges": "bridge", "creatures": "creature"}


def describe(level: Level) -> str:
    """Return a few sentences on a level: what it is, and what it is like to walk through."""
    metrics = measure(level)
    return f"{_what_it_is(level, metrics)} {_the_way(level, metrics)}"


def _what_it_is(level: Level, metrics: Metrics) -> str:
    called = level_phrase(level.code, _feel(level, metrics, "openness"))
    counted = [*(["rooms"] if metrics.rooms else []), "loops", "dead_ends"]
    return f"{called[0].upper()}{called[1:]} with {_counts(metrics, counted)}."


def _the_way(level: Level, metrics: Metrics) -> str:
    extras = [name for name in ("doors", "locks", "bridges", "creatures") if getattr(metrics, name)]
    counts = _counts(metrics, ["chokepoints", *extras])
    floor = f"{metrics.floor:.0%} of it can be walked on"
    for name in ("water", "lava"):
        share = getattr(metrics, name)
        floor += f", {share:.0%} is {name}" if share >= 0.01 else ""
    if not level.has_exit:
        return f"There is no exit. It has {counts}; {floor}."
    if metrics.path == UNREACHED:
        return f"There is no way from start to exit. It has {counts}; {floor}."
    detour = _feel(level, metrics, "detour")
    way = f"The exit is {pluralise(metrics.path, 'step')} from the start"
    return f"{way}{f', {detour}' if detour else ''}. It has {counts}; {floor}."


def _feel(level: Level, metrics: Metrics, name: str) -> str:
    """Return the words for a high or low value of a metric; "" for a usual value."""
    value, size = getattr(metrics, name), (level.code.width, level.code.height)
    place = position(name, value, *size) if value >= 0 else 1.0  # No tile is a wall.
    high_words, low_words = FEELS[name]
    return high_words if place > MUCH else low_words if place < LITTLE else ""


def _counts(metrics: Metrics, names: list[str]) -> str:
    """Return how many of each there are, as in ``2 loops, one dead end and no doors``."""
    numbers = [(getattr(metrics, name), COUNTS[name]) for name in names]
    few = [{0: f"no {word}s", 1: f"one {word}"} for _, word in numbers]
    each = [told.get(n, pluralise(n, word)) for told, (n, word) in zip(few, numbers, strict=True)]
    return " and ".join([", ".join(each[:-1]), each[-1]] if each[1:] else each)
