"""Neighbours, and spanning trees over them: the fewest links that leave nothing alone."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


def adjacent_pairs(owner: NDArray[np.int32]) -> list[Pair]:
    """Return the pairs of different numbers that lie side by side in ``owner[y, x]``.

    The smaller number comes first, and the pairs are in order; numbers below 0 do not count.
    """
    base = int(owner.max(initial=0)) + 1
    found = []
    for here, there in ((owner[:, :-1], owner[:, 1:]), (owner[:-1], owner[1:])):
        meet = (here != there) & (here >= 0) & (there >= 0)
        one, other = here[meet].astype(np.int64), there[meet]
        found.append(np.minimum(one, other) * base + np.maximum(one, other))
    return [divmod(pair, base) for pair in np.unique(np.concatenate(found)).tolist()]


class DisjointSets:
    """Which numbers hang together: at first none, then ever more as they are joined.

    (Disjoint sets, also called union-find, with paths halved on the way up; a group is led by
    the smallest of its numbers.)
    """

    def __init__(self) -> None:
        self._above: dict[int, int] = {}

    def leader(self, number: int) -> int:
        """Return the smallest number of the group that ``number`` belongs to."""
        leads = self._above
        above = leads.setdefault(number, number)
        while above != number:
            leads[number] = leads[above]
            number, above = above, leads[above]
        return number

    def join(self, one: int, other: int) -> bool:
        """Make one group of those of ``one`` and ``other``; return whether they were two."""
        first, second = self.leader(one), self.leader(other)
        self._above[max(first, second)] = min(first, second)
        return first != second


def spanning_tree(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split ``pairs`` into those that join something new, in order, and the redundant rest.

    With shuffled pairs the first list is a random spanning tree (Kruskal's algorithm); if
    they do not hold together, one tree for every part.
    """
    groups = DisjointSets()
    tree: list[Pair] = []
    rest: list[Pair] = []
    for pair in pairs:
        (tree if groups.join(*pair) else rest).append(pair)
    return tree, rest
