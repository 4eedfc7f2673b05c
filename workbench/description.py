"""A level in two sentences, in words that `find --words` understands."""

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
    """Return two sentences on a level: what it is, and what it is like to walk through."""
    metrics = measure(level)
    return f"{_what_it_is(level, metrics)} {_the_way(level, metrics)}"


def _what_it_is(level: Level, metrics: Metrics) -> str:
    called = level_phrase(level.code, _feel(level, metrics, "openness"))
    counted = [*(["rooms"] if metrics.rooms else []), "loops", "dead_ends"]
    counts = [_count(metrics, name) for name in counted]
    return f"{called[0].upper()}{called[1:]} with {', '.join(counts[:-1])} and {counts[-1]}."


def _the_way(level: Level, metrics: Metrics) -> str:
    extras = [name for name in ("doors", "locks", "bridges", "creatures") if getattr(metrics, name)]
    counts = ", ".join(_count(metrics, name) for name in ("chokepoints", *extras))
    floor = f"{metrics.floor:.0%} of it is floor"
    for name in ("water", "lava"):
        share = getattr(metrics, name)
        floor += f", {share:.0%} {name}" if share >= 0.01 else ""
    if not level.has_exit:
        return f"It has no exit, {counts}, and {floor}."
    if metrics.path == UNREACHED:
        return f"No way leads from start to exit. It has {counts}, and {floor}."
    detour = _feel(level, metrics, "detour")
    steps = pluralise(metrics.path, "step")
    way = f"From start to exit it is {steps}{f', {detour}' if detour else ''}"
    return f"{way}, with {counts}, and {floor}."


def _feel(level: Level, metrics: Metrics, name: str) -> str:
    """Return the words for a high or low value of a metric; "" for a usual value."""
    place = position(name, getattr(metrics, name), level.code.width, level.code.height)
    high_words, low_words = FEELS[name]
    return high_words if place > MUCH else low_words if place < LITTLE else ""


def _count(metrics: Metrics, name: str) -> str:
    count, word = getattr(metrics, name), COUNTS[name]
    return f"one {word}" if count == 1 else f"{count or 'no'} {word}s"
