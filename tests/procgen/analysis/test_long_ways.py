"""Distances along ways that are longer than the fast method counts."""

from itertools import pairwise

import numpy as np
import pytest

from procgen.analysis.distances import BEYOND, UNREACHED, WINDING, distances


def serpentine(length, width):
    """Return one corridor of so many tiles that winds to and fro, and its places in order."""
    rows = -(-length // (width + 1)) + 1
    tiles = np.zeros((2 * rows + 1, width + 2), np.bool_)
    places = []
    for row in range(rows):
        run = [(2 * row + 1, x + 1) for x in range(width)][:: 1 if row % 2 == 0 else -1]
        places += [*run, (2 * row + 2, run[-1][1])]
    for place in places[:length]:
        tiles[place] = True
    return tiles, places[:length]


@pytest.mark.parametrize("length", [BEYOND - 2, BEYOND - 1, BEYOND, BEYOND + 1, BEYOND + 60])
@pytest.mark.parametrize("width", [25, 90])
def test_every_step_of_a_winding_corridor_counts(length, width):
    tiles, places = serpentine(length, width)
    assert (WINDING * sum(tiles.shape) > length) == (width == 90), "the fast method goes so far"
    y, x = places[0]
    steps = distances(tiles, x, y)
    # Diagonal steps cut the two corners at each end of a row.
    slow = distances(tiles, x, y, diagonal=False)
    assert [slow[place] for place in places] == list(range(length))
    found = [steps[place] for place in places]
    assert found == sorted(found)
    assert np.diff(found).max() == 1
    cuts = sum(a == b for a, b in pairwise(found))
    assert found[-1] == length - 1 - cuts
    assert (steps[~tiles] == UNREACHED).all()
