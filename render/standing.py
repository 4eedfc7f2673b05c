"""How a level's metrics read: in words and figures, and beside those of other levels."""

from typing import NamedTuple

from procgen.build import Level
from procgen.measure.metrics import measure

TILES, SIDES = 80 * 45, 80 + 45
"""The size of level that `TYPICAL` holds for."""
TYPICAL = {
    "floor": 0.47,
    "rooms": 12,
    "path": 80,
    "detour": 0.43,
    "loops": 20,
    "dead_ends": 4,
    "chokepoints": 53,
    "largest_cut": 1160,
    "openness": 0.54,
    "room_scale": 0.24,
}
"""Medians over all generators (tests/benchmarks/search.py typical); of what is never below 1, by
how much it is above."""
FROM_ONE = frozenset({"detour", "openness"})
BY_TILES = frozenset({"rooms", "loops", "dead_ends", "chokepoints", "largest_cut"})
"""What grows with the level's tiles; ``path`` grows with its sides, the rest with neither."""


class Standing(NamedTuple):
    """A metric: its name, its value as people read it, and where it stands from 0 to 1.

    Half is typical of all generators, for a level of that size.
    """

    name: str
    value: str
    place: float


def standings(level: Level) -> list[Standing]:
    """Return the metrics of ``level`` in their usual order."""
    height, width = level.tiles.shape
    found = []
    metrics = measure(level)
    for name, typical in TYPICAL.items():
        value = getattr(metrics, name)
        if name in BY_TILES:
            scale = level.tiles.size / TILES
        else:
            scale = (width + height) / SIDES if name == "path" else 1.0
        above = value - 1 if name in FROM_ONE else value
        place = above / (above + typical * scale)
        found.append(Standing(name.replace("_", " "), shown(name, value), place))
    return found


def shown(name: str, value: float) -> str:
    """Return a metric's value as people read it."""
    if name == "floor":
        return f"{value:.0%}"
    return f"{value:.2f}" if isinstance(value, float) else f"{value:,}".replace(",", " ")
