"""Two textures of perfect maze, grown on any graph of places and walls between them.

``ways[node]`` are the ways out of a place as pairs of cells, its own first; ``nodes[cell]`` is
the place that a cell belongs to.
"""

from collections.abc import Iterator

from procgen.rng import Rng
from procgen.ways.spanning import Pair

Ways = list[list[Pair]]

BATCH = 512
FAIR = 2**31


def growing_tree(
    ways: Ways, nodes: list[int], rng: Rng, *, newest: float, straight: float
) -> Iterator[Pair]:
    """Yield the ways to open, from some place grown so far to a new one, till all are reached.

    With chance ``newest`` the place last reached goes on, which makes long winding corridors
    (1 is the recursive backtracker), else any one, which makes short twigs; with chance
    ``straight`` a way that continues the last one is taken. (Jamis Buck's growing tree.)
    """
    rolls = _rolls(rng)
    first = next(rolls) % len(ways)
    reached = [False] * len(ways)
    reached[first] = True
    growing = [(first, 0)]
    while growing:
        at = len(growing) - 1
        if next(rolls) >= newest * FAIR:
            at = next(rolls) % len(growing)
        node, course = growing[at]
        choices = [way for way in ways[node] if not reached[nodes[way[1]]]]
        if not choices:
            growing[at] = growing[-1]
            growing.pop()
            continue
        onward = [way for way in choices if way[1] - way[0] == course]
        if onward and next(rolls) < straight * FAIR:
            choices = onward
        way = choices[next(rolls) % len(choices)]
        reached[nodes[way[1]]] = True
        growing.append((nodes[way[1]], way[1] - way[0]))
        yield way


def uniform_tree(ways: Ways, nodes: list[int], rng: Rng) -> Iterator[Pair]:
    """Yield the ways of a spanning tree, each possible tree being equally likely.

    Every place not yet reached walks at random until it meets the tree; the walk, less its
    loops, joins it. (David Wilson, "Generating random spanning trees more quickly than the
    cover time", 1996.)
    """
    rolls = _rolls(rng)
    reached = [False] * len(ways)
    reached[next(rolls) % len(ways)] = True
    last: list[Pair | None] = [None] * len(ways)
    for start in range(len(ways)):
        node = start
        while not reached[node]:
            choices = ways[node]
            last[node] = way = choices[next(rolls) % len(choices)]
            node = nodes[way[1]]
        node = start
        while not reached[node]:
            reached[node] = True
            taken = last[node]
            assert taken
            yield taken
            node = nodes[taken[1]]


def braids(ways: Ways, nodes: list[int], opened: list[Pair], rng: Rng, share: float) -> list[Pair]:
    """Return further ways that give this share of the dead ends another way out.

    ``opened`` are the ways of the maze. Where there is a choice a way leads to another dead
    end, so that two are gone at once.
    """
    links: list[list[int]] = [[] for _ in ways]
    for cell, next_cell in opened:
        _link(links, nodes[cell], nodes[next_cell])
    ends = [node for node, joined in enumerate(links) if len(joined) == 1]
    left = int(len(ends) * share + 0.5)
    found = []
    for node in rng.shuffled(ends):
        choices = [way for way in ways[node] if nodes[way[1]] not in links[node]]
        if left <= 0 or len(links[node]) > 1 or not choices:
            continue
        way = rng.pick([way for way in choices if len(links[nodes[way[1]]]) == 1] or choices)
        left -= 1 + (len(links[nodes[way[1]]]) == 1)
        _link(links, node, nodes[way[1]])
        found.append(way)
    return found


def _link(links: list[list[int]], one: int, other: int) -> None:
    links[one].append(other)
    links[other].append(one)


def _rolls(rng: Rng) -> Iterator[int]:
    """Yield integers below `FAIR` without end."""
    while True:
        yield from rng.integers(0, FAIR - 1, BATCH).tolist()
