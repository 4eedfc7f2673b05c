"""Voronoi cells: every tile belongs to its nearest site."""

from collections.abc import Iterator
from itertools import product
from math import isqrt
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from entities.wording import pluralise
from procgen.blueprint import Blueprint
from procgen.carving.region_links import adjacent_pairs, spanning_tree
from procgen.rng import Rng
from procgen.step_registry import Area, Count, Share, step

Metric = Literal["euclidean", "manhattan", "chebyshev"]

BLOCK = 16
"""Side of the squares of tiles that are compared with the same few sites."""


def apart(metric: Metric, dx: NDArray[np.int64], dy: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the length of (``dx``, ``dy``) in tiles, squared for "euclidean"."""
    if metric == "euclidean":
        return dx * dx + dy * dy
    across, down = np.abs(dx), np.abs(dy)
    return across + down if metric == "manhattan" else np.maximum(across, down)


def nearest_site(
    width: int, height: int, sites: NDArray[np.int64], metric: Metric
) -> NDArray[np.int32]:
    """Return the index of the nearest of ``sites`` (rows of x, y) for every tile [y, x].

    Of equally near sites the first is taken. Each block of tiles is compared only with sites that
    could be nearest to one of its tiles, so the work grows with the map, not with map times sites.
    """
    owner = np.zeros((height, width), np.int32)
    for top, left in product(range(0, height, BLOCK), range(0, width, BLOCK)):
        near = _candidates(sites, left + BLOCK // 2, top + BLOCK // 2, metric)
        xs = np.arange(left, min(width, left + BLOCK))
        ys = np.arange(top, min(height, top + BLOCK))
        dx = xs[None, None, :] - sites[near, 0][:, None, None]
        dy = ys[None, :, None] - sites[near, 1][:, None, None]
        owner[top : top + BLOCK, left : left + BLOCK] = near[apart(metric, dx, dy).argmin(axis=0)]
    return owner


def _candidates(sites: NDArray[np.int64], x: int, y: int, metric: Metric) -> NDArray[np.intp]:
    """Return, in order, the sites that may be nearest to a tile of the block around (x, y).

    A tile lies at most the block's half diagonal from its middle, so a site that is further off
    than the nearest by more than twice that is never nearest.
    """
    away = apart(metric, sites[:, 0] - x, sites[:, 1] - y)
    least = int(away.min())
    if metric == "euclidean":
        return np.flatnonzero(away <= (isqrt(least) + 1 + 2 * BLOCK) ** 2)
    return np.flatnonzero(away <= least + 2 * BLOCK)


@step(gives="regions", varies="area")
def voronoi_cells(
    plan: Blueprint, rng: Rng, *, area: Area = 75, metric: Metric = "euclidean", stages: Count = 6
) -> Iterator[str]:
    """Scatter random sites, one for every ``area`` tiles, and assign each tile to the nearest.

    ``metric`` is the measure of distance: "euclidean" makes honeycombs, "manhattan" diamonds and
    slanted edges, "chebyshev" blocks. Of equally near sites the earlier is taken. The growth of the
    cells is shown in ``stages`` steps. (A Voronoi diagram in whole numbers.)
    """
    count = max(2, plan.width * plan.height // area)
    across = rng.integers(1, plan.width - 2, count).tolist()
    down = rng.integers(1, plan.height - 2, count).tolist()
    sites = np.array(list(dict.fromkeys(zip(across, down, strict=True))), np.int64)
    owner = nearest_site(plan.width, plan.height, sites, metric)
    ys, xs = np.indices(owner.shape)
    away = apart(metric, xs - sites[owner, 0], ys - sites[owner, 1])
    furthest = int(away.max())
    plan.regions = np.zeros(owner.shape, np.int32)
    plan.regions[sites[:, 1], sites[:, 0]] = np.arange(1, len(sites) + 1)
    yield pluralise(len(sites), "site")
    for stage in range(1, stages + 1):
        reached = away * stages * stages <= furthest * stage * stage
        plan.regions[reached] = owner[reached] + 1
        yield f"The cells grow: {stage} of {stages}"
    plan.regions[:] = owner + 1


@step(needs="regions")
def merge_regions(plan: Blueprint, rng: Rng, *, share: Share = 0.15) -> Iterator[str]:
    """Merge a ``share`` of the regions with a neighbour each, which makes large halls."""
    assert plan.regions is not None
    numbers = np.unique(plan.regions[plan.regions > 0]).tolist()
    pairs = rng.shuffled([pair for pair in adjacent_pairs(plan.regions) if pair[0] > 0])
    chosen = pairs[: int(len(numbers) * share)]
    merged = np.arange(int(plan.regions.max(initial=0)) + 1, dtype=np.int32)
    for region, neighbour in chosen:
        merged[merged == merged[neighbour]] = merged[region]
    if chosen:
        plan.regions[:] = merged[plan.regions]
        yield f"{pluralise(len(chosen), 'cell')} merged with a neighbour"


@step(needs="regions", varies="share")
def drop_regions(plan: Blueprint, rng: Rng, *, share: Share = 0.15) -> Iterator[str]:
    """Leave up to a ``share`` of the regions to the rock without disconnecting the rest.

    They are end nodes of a random spanning tree over the regions, so the others stay connected.
    """
    assert plan.regions is not None
    pairs = [pair for pair in adjacent_pairs(plan.regions) if pair[0] > 0]
    links: dict[int, list[int]] = {}
    for region, neighbour in spanning_tree(rng.shuffled(pairs))[0]:
        links.setdefault(region, []).append(neighbour)
        links.setdefault(neighbour, []).append(region)
    goal = int(len(links) * share)
    twigs = rng.shuffled([number for number in sorted(links) if len(links[number]) == 1])
    dropped: list[int] = []
    for twig in twigs:
        if len(dropped) >= goal or len(links[twig]) != 1:
            continue
        links[links.pop(twig)[0]].remove(twig)
        dropped.append(twig)
    if dropped:
        plan.regions[np.isin(plan.regions, dropped)] = 0
        yield f"{len(dropped)} of {len(dropped) + len(links)} cells stay rock"
