"""Distance maps that are worked out only as far as somebody asks."""

import numpy as np
import pytest

from engine.pathfinding.dijkstra_maps import ApproachMap
from procgen.analysis.distances import BEYOND, UNREACHED, bitboard_distances, dijkstra, distances


def test_a_way_is_as_long_as_if_all_around_had_been_worked_out_at_once():
    ground = np.random.default_rng(3).random((150, 161)) < 0.62
    whole, way = distances(ground, 80, 70), ApproachMap(85, 79, 5, 9, ground)
    for x, y in [(x, y) for y in range(-3, 153, 6) for x in range(-3, 164, 5)]:
        inside = 0 <= x < 161 and 0 <= y < 150
        assert way.at(x + 5, y + 9) == (whole[y, x] if inside else UNREACHED)


@pytest.mark.parametrize("share", [0.2, 0.4, 0.6, 0.95])
def test_rings_are_distances_as_far_as_they_go(share):
    ground = np.random.default_rng(7).random((23, 38)) < share
    for x, y, most in [(0, 0, 5), (37, 22, 9), (12, 11, 80), (37, 0, 60)]:
        start = np.full(ground.shape, UNREACHED, np.int32)
        start[y, x] = 0
        steps = dijkstra(start, ground.astype(np.int8), diagonal=True)
        assert (distances(ground, x, y) == steps).all()
        near = np.where(steps <= most, steps, BEYOND)
        assert (bitboard_distances(ground, x, y, most) == near).all()
        way = ApproachMap(x, y, 0, 0, ground)
        assert [[way.at(x, y) for x in range(38)] for y in range(23)] == steps.tolist()


def test_a_way_too_long_for_rings_is_known_all_the_same():
    ground = np.ones((41, 41), bool)
    ground[1::4, :-1] = ground[3::4, 1:] = False
    assert distances(ground, 0, 0)[40, 40] == distances(ground, 40, 40)[0, 0] > 800
    assert ApproachMap(0, 0, 0, 0, ground).at(40, 40) == distances(ground, 0, 0)[40, 40]
