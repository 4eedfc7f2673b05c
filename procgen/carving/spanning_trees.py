"""Adjacent regions, disjoint sets (union-find), and spanning trees (Kruskal)."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


def adjacent_pairs(owner: NDArray[np.int32]) -> list[Pair]:
    """Return the pairs of different numbers that are 4-neighbours in ``owner[y, x]``, sorted.

    The smaller number of a pair comes first; numbers below 0 do not count.
    """
    base = int(owner.max(initial=0)) + 1
    found = []
    for here, there in ((owner[:, :-1], owner[:, 1:]), (owner[:-1], owner[1:])):
        meet = (here != there) & (here >= 0) & (there >= 0)
        one, other = here[meet].astype(np.int64), there[meet]
        found.append(np.minimum(one, other) * base + np.maximum(one, other))
    return [divmod(pair, base) for pair in np.unique(np.concatenate(found)).tolist()]


class DisjointSets:
    """Disjoint sets of numbers (union-find with path halving); at first each is alone.

    A set is represented by its smallest number.
    """

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def find(self, number: int) -> int:
        """Return the smallest number of the set of ``number``."""
        leads = self._above
        above = leads.setdefault(number, number)
        while above != number:
            leads[number] = leads[above]
            number, above = above, leads[above]
        return number

    def join(self, one: int, other: int) -> bool:
        """Unite the sets of ``one`` and ``other``; return whether they were different."""
        first, second = self.find(one), self.find(other)
        self._above[max(first, second)] = min(first, second)
        return first != second


def spanning_tree(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split ``pairs`` into a spanning tree and the redundant rest, both in order (Kruskal).

    With shuffled pairs the tree is a random one; a graph in several parts gives one tree a part.
    """
    groups = DisjointSets()
    tree: list[Pair] = []
    rest: list[Pair] = []
    for pair in pairs:
        (tree if groups.join(*pair) else rest).append(pair)
    return tree, rest
