"""Searches on bitboards find what distances over the whole map say."""

import numpy as np
import pytest

from procgen.analysis.bitboard import Bitboard
from procgen.analysis.distances import UNREACHED, distances, regions
from procgen.rng import Rng


def maps():
    """Yield random maps from sparse to open, with a start on each."""
    for seed, share in enumerate((0.35, 0.55, 0.7, 1.0)):
        rng = np.random.default_rng(seed)
        ground = rng.random((23, 38)) < share
        for start in ((0, 0), (37, 22), tuple(rng.integers((38, 23)).tolist())):
            ground[start[1], start[0]] = True
            yield rng, ground.copy(), start


def test_the_nearest_wanted_tile_is_the_first_of_those_with_the_fewest_steps():
    for rng, ground, start in maps():
        wanted = rng.random(ground.shape) < 0.02
        steps = np.where(wanted, distances(ground, *start), UNREACHED)
        far = int(steps.min())
        y, x = divmod(int(steps.argmin()), 38)
        board, bits = Bitboard.of(ground), Bitboard.of(wanted).bits
        assert board.nearest(bits, start) == (None if far == UNREACHED else (x, y))
        if 0 < far < UNREACHED:
            assert board.nearest(bits, start, far) == (x, y)
            assert board.nearest(bits, start, far - 1) is None


@pytest.mark.parametrize("end", [(5, 4), (37, 0), (20, 22), (0, 0)])
def test_a_path_is_a_shortest_one_and_none_is_longer_than_its_limit(end):
    for _, ground, start in maps():
        ground[end[1], end[0]] = True
        far = int(distances(ground, *start)[end[1], end[0]])
        board = Bitboard.of(ground)
        path = board.path(start, end)
        assert board.steps(start, end) == far
        if far == UNREACHED:
            assert path is None
            continue
        assert (len(path), [start, *path][-1]) == (far, end)
        for (x, y), (column, row) in zip([start, *path], path, strict=False):
            assert max(abs(column - x), abs(row - y)) == 1
            assert ground[row, column]
        assert board.path(start, end, far) == path
        assert far == 0 or board.path(start, end, far - 1) is None


def test_parts_are_the_regions_in_reading_order():
    for seed in range(40):
        tiles = Rng(seed, "parts").random_bytes(3 + seed % 9, 3 + seed % 13) < 150
        board, (labels, count) = Bitboard.of(tiles), regions(tiles)
        parts = [board.trimmed(board.field(part)) for part in board.connected_components()]
        assert np.array_equal(parts, [labels == number for number in range(1, count + 1)])
