"""What makes chunks quick: shorter ways to the same result."""

import numpy as np
import pytest
from scipy import ndimage

from engine.items.loot import START_STEPS, _near_start, _reachable
from procgen.analysis.distances import UNREACHED, dijkstra, distances, with_neighbours
from procgen.blueprint import Point
from procgen.infinite.chunk_joining import dijkstra_costs


@pytest.mark.parametrize("seed", range(6))
def test_ways_from_the_rim_of_a_goal_cost_what_ways_from_all_of_it_cost(seed):
    rng = np.random.default_rng(seed)
    goal = ndimage.uniform_filter(rng.random((60, 70)), 5) > 0.52
    cost = rng.integers(1, 40, goal.shape).astype(np.int32)
    field = dijkstra_costs(goal, cost)
    assert (field == 0).sum() == goal.sum()
    graph = np.where(goal, 1, cost).astype(np.int32)
    whole = np.where(goal, 0, UNREACHED).astype(np.int32)
    plain = dijkstra(whole, graph * 2, diagonal=True)
    assert (plain <= field)[~goal].all()
    for y, x in np.argwhere(~goal)[::41]:
        around = [
            field[y + dy, x + dx] + (3 if dx and dy else 2) * cost[y, x]
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if (dx or dy) and 0 <= y + dy < 60 and 0 <= x + dx < 70
        ]
        assert field[y, x] == min(around)


def test_what_lies_beside_is_what_a_dilation_finds():
    mask = np.random.default_rng(3).random((40, 50)) < 0.05
    assert (with_neighbours(mask) == ndimage.binary_dilation(mask, np.ones((3, 3), bool))).all()


@pytest.mark.parametrize("start", [(20, 20), (0, 0), (2, 39), (49, 1)])
def test_things_lie_where_steps_lead_but_not_at_hand(start):
    ground = np.random.default_rng(5).random((40, 50)) < 0.6
    steps = distances(ground, *start)
    inside, at_hand = _reachable(ground, Point(*start)), _near_start(ground, Point(*start))
    assert (inside == (steps < UNREACHED)).all()
    assert ((inside & ~at_hand) == ((steps < UNREACHED) & (steps >= START_STEPS))).all()
