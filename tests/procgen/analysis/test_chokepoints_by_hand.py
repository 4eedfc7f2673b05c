"""What the structure and the silhouette of drawn maps come to, counted by hand."""

import numpy as np
import pytest

from procgen.analysis.bitboard import Bitboard
from procgen.analysis.chokepoints import Structure, dead_ends
from support.by_definition import cells_behind, count_loops


def drawn(text):
    """Return the mask of a drawn map ('#' closed) and the places of other characters."""
    rows = text.split()
    marks = {
        char: (x, y) for y, row in enumerate(rows) for x, char in enumerate(row) if char not in "#."
    }
    return np.array([[char != "#" for char in row] for row in rows]), marks


def test_a_corridor_with_a_cell_at_its_end():
    mask, marks = drawn("""
        ##########
        #a..######
        #...b.c..#
        #...###..#
        ##########
    """)
    structure = Structure(mask, marks["a"])
    bx, by = marks["b"]
    assert structure.cuts[by, bx] == 6
    assert cells_behind(structure, bx, by) == [25, 26, 27, 28, 37, 38]
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
    structure = Structure(mask, marks["s"])
    assert [tuple(point) for point in structure.dead_ends] == [marks["d"]]
    assert count_loops(mask) == 1
    assert int(dead_ends(mask).sum()) == 1
    assert structure.largest_cut == 2


def test_open_space_has_no_loops():
    assert count_loops(np.ones((6, 9), bool)) == 0


def test_openness_counts_steps_to_the_nearest_wall():
    room = np.zeros((5, 5), bool)
    room[1:4, 1:4] = True
    assert Bitboard.of(room).openness() == pytest.approx((8 * 1 + 2) / 9)
