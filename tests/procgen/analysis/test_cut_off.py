"""What closing a tile cuts off, against a flood of the whole map."""

import numpy as np
import pytest

from procgen.analysis.distances import cut_off, reachable


def random_ground(seed, shape):
    """Return winding ground, all of it reached from the start, and the start."""
    rng = np.random.default_rng(seed)
    ground = rng.random(shape) < rng.choice([0.45, 0.55, 0.65])
    ground[[0, -1]] = ground[:, [0, -1]] = False
    return ground, rng


@pytest.mark.parametrize("diagonal", [True, False])
@pytest.mark.parametrize("shape", [(20, 30), (90, 120)])
def test_what_is_cut_off_is_what_the_start_no_longer_reaches(shape, diagonal):
    parted = 0
    for seed in range(6):
        ground, rng = random_ground(seed, shape)
        places = np.argwhere(ground).tolist()
        y, x = places[int(rng.integers(len(places)))]
        start = x, y
        ground = reachable(ground, *start, diagonal=diagonal)
        places = [place for place in np.argwhere(ground).tolist() if place != [y, x]]
        for row, column in rng.permutation(places)[:60].tolist() if places else []:
            window, gone = cut_off(ground, (column, row), start, diagonal=diagonal)
            left = ground.copy()
            left[row, column] = False
            expected = left & ~reachable(left, *start, diagonal=diagonal)
            found = np.zeros_like(ground)
            found[window] = gone
            np.testing.assert_array_equal(found, expected, str((seed, row, column)))
            parted += gone.any()
    assert parted > 10


def test_a_dead_end_is_looked_at_nearby_and_a_ring_as_a_whole():
    ground = np.zeros((200, 200), np.bool_)
    ground[100, 10:190] = True
    gone = cut_off(ground, (185, 100), (10, 100))[1]
    assert gone.shape[0] < 20
    assert gone.sum() == 4
    ground[50, 10:190] = ground[50:101, 10] = ground[50:101, 189] = True
    gone = cut_off(ground, (100, 100), (20, 100))[1]
    assert not gone.any()
    assert gone.shape == ground.shape


def test_a_closed_gate_cuts_nothing_off():
    ground = np.zeros((9, 9), np.bool_)
    ground[4, 1:8] = True
    assert not cut_off(ground, (4, 3), (1, 4))[1].any()
