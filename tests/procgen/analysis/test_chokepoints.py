"""Structure against slow, obvious references, and that every recipe can be measured."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from procgen.analysis.chokepoints import Structure
from procgen.build import build
from procgen.metrics import Metrics, measure
from procgen.recipes import current_recipes, find_recipe
from support.by_definition import cells_behind, count_loops


def flood(mask, start):
    """Return the (x, y) reached from start, slowly."""
    reached, pending = set(), [start]
    while pending:
        x, y = pending.pop()
        height, width = mask.shape
        if (x, y) in reached or not (0 <= x < width and 0 <= y < height) or not mask[y, x]:
            continue
        reached.add((x, y))
        pending += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return reached


def parts_without(mask, tile, among):
    """Return the parts that ``among`` falls into when ``tile`` is closed."""
    closed = mask.copy()
    closed[tile[1], tile[0]] = False
    left, parts = set(among) - {tile}, []
    while left:
        parts.append(flood(closed, min(left)))
        left -= parts[-1]
    return parts


@st.composite
def small_maps(draw):
    width, height = draw(st.integers(1, 8)), draw(st.integers(1, 7))
    cells = draw(st.lists(st.booleans(), min_size=width * height, max_size=width * height))
    mask = np.array(cells).reshape(height, width)
    ys, xs = np.nonzero(mask)
    if not len(xs):
        mask[0, 0] = True
        return mask, (0, 0)
    index = draw(st.integers(0, len(xs) - 1))
    return mask, (int(xs[index]), int(ys[index]))


def expected_cuts(mask, start):
    """Return what each tile cuts off, by closing each in turn."""
    here = flood(mask, start)
    cuts = {}
    for tile in here:
        parts = parts_without(mask, tile, here)
        keep = [part for part in parts if start in part] or sorted(parts, key=len)[-1:]
        cuts[tile] = sum(map(len, parts)) - sum(map(len, keep))
    return cuts


@given(small_maps())
@settings(max_examples=300, deadline=None)
def test_cuts_match_closing_each_tile_in_turn(drawing):
    mask, start = drawing
    structure = Structure(mask, start)
    cuts = expected_cuts(mask, start)
    for y, x in np.ndindex(mask.shape):
        assert structure.cuts[y, x] == cuts.get((x, y), 0)
    assert structure.largest_cut == max(cuts.values())


@given(small_maps())
@settings(max_examples=200, deadline=None)
def test_every_tile_that_can_be_reached_is_listed_once(drawing):
    mask, start = drawing
    reached = sorted(y * mask.shape[1] + x for x, y in flood(mask, start))
    assert sorted(Structure(mask, start).parts.order.tolist()) == reached


@given(small_maps())
@settings(max_examples=200, deadline=None)
def test_behind_is_exactly_what_can_no_longer_be_reached(drawing):
    mask, start = drawing
    structure = Structure(mask, start)
    here = flood(mask, start)
    for y, x in np.argwhere(structure.cuts).tolist():
        tile = (x, y)
        behind = {(c % mask.shape[1], c // mask.shape[1]) for c in cells_behind(structure, *tile)}
        assert len(behind) == structure.cuts[y, x]
        parts = parts_without(mask, tile, here)
        if tile == start:
            assert len(parts) > 1
            assert here - behind - {tile} in parts
        else:
            assert behind == set().union(*(part for part in parts if start not in part))


@given(small_maps())
@settings(max_examples=200, deadline=None)
def test_sealed_is_the_smallest_part_one_tile_can_shut(drawing):
    mask, start = drawing
    structure = Structure(mask, start)
    here = flood(mask, start)
    smallest = dict.fromkeys(here, 0)
    for tile in here:
        parts = parts_without(mask, tile, here)
        open_side = [part for part in parts if start in part]
        biggest = open_side[0] if open_side else None
        for part in parts:
            if part is biggest or tile == start:
                continue
            for inside in part:
                smallest[inside] = min(smallest[inside] or len(part), len(part))
    sealed = structure.sealed()
    if not structure.cuts[start[1], start[0]]:
        assert {tile: int(sealed[tile[1], tile[0]]) for tile in here} == smallest


@given(small_maps())
@settings(max_examples=200, deadline=None)
def test_loops_are_the_holes_of_the_shape(drawing):
    mask, start = drawing
    here = flood(mask, start)
    shape = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), bool)
    for x, y in here:
        shape[y + 1, x + 1] = True
    outside, holes = set(), 0
    for y, x in np.ndindex(shape.shape):
        if shape[y, x] or (x, y) in outside:
            continue
        pending = [(x, y)]
        while pending:
            cx, cy = pending.pop()
            inside = 0 <= cy < shape.shape[0] and 0 <= cx < shape.shape[1]
            if (cx, cy) in outside or not inside or shape[cy, cx]:
                continue
            outside.add((cx, cy))
            pending += [(cx + dx, cy + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        holes += 1
    assert count_loops(shape) == holes - 1


@pytest.mark.parametrize("recipe", [recipe.name for recipe in current_recipes()])
def test_every_recipe_can_be_measured(recipe):
    metrics = measure(build(find_recipe(recipe).code(7)))
    assert 0 < metrics.floor < 1
    assert metrics.path >= 1
    assert metrics.detour >= 1
    assert metrics.openness >= 1
    assert metrics == msgspec.convert(msgspec.to_builtins(metrics), Metrics)
