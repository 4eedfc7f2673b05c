"""Structure and metrics against slow, obvious references."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from procgen.blueprint import RectangularRoom
from procgen.build import build
from procgen.measure.metrics import Metrics, measure, room_scale
from procgen.measure.silhouette import Silhouette
from procgen.measure.structure import analyse, dead_ends, loops
from procgen.recipes import current_recipes, find_recipe


def drawn(text):
    """Return the mask of a drawn map ('#' closed) and the places of other characters."""
    rows = text.split()
    marks = {
        char: (x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char not in "#."
    }
    return np.array([[char != "#" for char in row] for row in rows]), marks


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
    structure = analyse(mask, start)
    cuts = expected_cuts(mask, start)
    for y, x in np.ndindex(mask.shape):
        assert structure.cuts[y, x] == cuts.get((x, y), 0)
    found = {(point.x, point.y): point.cut for point in structure.chokepoints}
    assert found == {tile: cut for tile, cut in cuts.items() if cut}
    assert structure.largest_cut == max(cuts.values())


@given(small_maps())
@settings(max_examples=200, deadline=None)
def test_behind_is_exactly_what_can_no_longer_be_reached(drawing):
    mask, start = drawing
    structure = analyse(mask, start)
    here = flood(mask, start)
    for point in structure.chokepoints:
        tile = (point.x, point.y)
        behind = {(c % mask.shape[1], c // mask.shape[1]) for c in structure.behind(*tile).tolist()}
        assert len(behind) == point.cut
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
    structure = analyse(mask, start)
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
    assert loops(shape) == holes - 1


def test_a_corridor_with_a_cell_at_its_end():
    mask, marks = drawn("""
        ##########
        #a..######
        #...b.c..#
        #...###..#
        ##########
    """)
    structure = analyse(mask, marks["a"])
    bx, by = marks["b"]
    assert structure.cuts[by, bx] == 6
    assert structure.behind(bx, by).tolist() == [25, 26, 27, 28, 37, 38]
    assert structure.dead_ends == ()
    assert structure.sealed()[marks["c"][1], marks["c"][0]] == 5
    assert structure.distance[marks["c"][1], marks["c"][0]] == 5


def test_dead_ends_and_loops_of_a_drawn_map():
    mask, marks = drawn("""
        #######
        #s....#
        #.###.#
        #.#d#.#
        #.#.#.#
        #.....#
        #######
    """)
    structure = analyse(mask, marks["s"])
    assert [tuple(point) for point in structure.dead_ends] == [marks["d"]]
    assert structure.loops == 1
    assert int(dead_ends(mask).sum()) == 1
    assert structure.largest_cut == 2


def test_open_space_has_no_loops():
    assert loops(np.ones((6, 9), bool)) == 0


def test_openness_counts_steps_to_the_nearest_wall():
    room = np.zeros((5, 5), bool)
    room[1:4, 1:4] = True
    assert Silhouette.of(room).openness() == pytest.approx((8 * 1 + 2) / 9)


def test_room_scale_is_nothing_for_equal_rooms():
    same = (RectangularRoom(1, 1, 3, 4), RectangularRoom(9, 9, 4, 3))
    assert room_scale(same) == 0
    assert room_scale(same[:1]) == 0
    assert room_scale((RectangularRoom(1, 1, 1, 1), RectangularRoom(5, 5, 1, 3))) == 0.5


@pytest.mark.parametrize("recipe", [recipe.name for recipe in current_recipes()])
def test_every_recipe_can_be_measured(recipe):
    metrics = measure(build(find_recipe(recipe).code(7)))
    assert 0 < metrics.floor < 1
    assert metrics.path >= 1
    assert metrics.detour >= 1
    assert metrics.openness >= 1
    assert metrics == msgspec.convert(msgspec.to_builtins(metrics), Metrics)
