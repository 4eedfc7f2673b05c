"""Selection of hits: the best, or the most different."""

from bisect import insort
from collections.abc import Callable
from operator import itemgetter

import numpy as np
from msgspec.structs import asdict

from procgen.metric_query import Query
from procgen.metrics import SHAPE
from workbench.search.metric_space import farthest_points, normalize_level
from workbench.search.search_jobs import Hit

POOL = 1000
"""The least size of the pool from which different levels are chosen."""


class TopHits:
    """Keeps the ``limit`` hits of the lowest ``cost``, on a tie the first."""

    def __init__(self, limit: int, cost: Callable[[Hit], float | None]) -> None:
        self.limit, self.cost = limit, cost
        self.kept: list[tuple[float, Hit]] = []

    def add(self, hit: Hit) -> None:
        """Keep the hit for now if it has a cost."""
        if (cost := self.cost(hit)) is not None:
            insort(self.kept, (cost, hit), key=itemgetter(0))
            del self.kept[self.limit :]

    def chosen(self) -> list[Hit]:
        """Return the kept hits, the best first."""
        return [hit for _, hit in self.kept]


class DiverseHits:
    """Keeps ``count`` hits as different from each other as possible.

    When the pool has grown to twice its size, it is cut to its most diverse half. (Indyk and
    others, "Composable core-sets for diversity and coverage maximization", 2014.)
    """

    def __init__(self, count: int) -> None:
        self.count, self.size = count, max(POOL, 4 * count)
        self.kept: list[Hit] = []
        self.points: list[np.ndarray] = []

    def add(self, hit: Hit) -> None:
        """Keep the hit for now."""
        self.kept.append(hit)
        self.points.append(normalize_level(hit.metrics, hit.code.width, hit.code.height)[SHAPE])
        if len(self.kept) >= 2 * self.size:
            self._cut(self.size)

    def chosen(self) -> list[Hit]:
        """Return the hits that differ most from each other, the most unusual first."""
        self._cut(self.count)
        return self.kept

    def _cut(self, count: int) -> None:
        if self.kept:
            rows = farthest_points(np.array(self.points), count)
            self.kept = [self.kept[row] for row in rows]
            self.points = [self.points[row] for row in rows]


def highest_first(number: Query) -> Callable[[Hit], float | None]:
    """Return a cost that is lowest for the highest ``number``."""

    def cost(hit: Hit) -> float | None:
        value = number.number(asdict(hit.metrics))
        return None if value is None else -value

    return cost
