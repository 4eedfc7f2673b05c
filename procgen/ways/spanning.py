"""Neighbours, and spanning trees over them: the fewest links that leave nothing alone."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Pair = tuple[int, int]


def touching(owner: NDArray[np.int32]) -> list[Pair]:
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


def tree_and_rest(pairs: Iterable[Pair]) -> tuple[list[Pair], list[Pair]]:
    """Split ``pairs`` into those that join something new, in order, and the redundant rest.

    With shuffled pairs the first list is a random spanning tree (Kruskal's algorithm); if
    they do not hold together, one tree for every part.
    """
    leader: dict[int, int] = {}
    tree, rest = [], []
    for one, other in pairs:
        first, second = _leader(leader, one), _leader(leader, other)
        if first == second:
            rest.append((one, other))
        else:
            leader[second] = first
            tree.append((one, other))
    return tree, rest


def _leader(leader: dict[int, int], number: int) -> int:
    above = leader.setdefault(number, number)
    while above != number:
        leader[number] = leader[above]
        number, above = above, leader[above]
    return number
