"""Groups that are joined, and the fewest links that leave nothing alone."""

import random

import numpy as np

from procgen.carving.region_links import DisjointSets, shortest_ways, spanning_tree


def test_groups_are_led_by_their_smallest_number():
    groups = DisjointSets()
    assert groups.join(7, 4)
    assert groups.join(9, 7)
    assert not groups.join(4, 9)
    assert [groups.find(number) for number in (4, 7, 9, 5)] == [4, 4, 4, 5]
    assert groups.join(9, 1)
    assert {groups.find(number) for number in (1, 4, 7, 9)} == {1}


def test_a_tree_joins_all_and_the_rest_joins_nothing_new():
    chance = random.Random(3)
    pairs = [(chance.randrange(60), chance.randrange(60)) for _ in range(400)]
    tree, rest = spanning_tree(pairs)
    assert sorted(tree + rest) == sorted(pairs)
    whole, grown = DisjointSets(), DisjointSets()
    for pair in pairs:
        whole.join(*pair)
    assert all(grown.join(*pair) for pair in tree)
    assert not any(grown.join(*pair) for pair in rest)
    everyone = range(60)
    assert [whole.find(one) for one in everyone] == [grown.find(one) for one in everyone]


def test_territories_meet_on_the_shortest_way_that_comes_near_no_third_region():
    labels = np.array([[1, 0, 0, 2, 0, 3], [0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0]], np.int32)
    ground = np.ones(labels.shape, np.bool_)
    assert shortest_ways(labels, ground)[:3] == [(1, 2, 3), (1, 4, 2), (2, 3, 2)]
    ground[1] = False  # A wall: the fourth is alone.
    assert shortest_ways(labels, ground) == [(1, 2, 3), (2, 3, 2)]
