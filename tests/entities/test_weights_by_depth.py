"""How often something appears, by depth."""

import pytest

from entities.data_files import weight_at


@pytest.mark.parametrize(
    ("depth", "weight"), [(1, 0), (2, 5), (8, 5), (9, 12), (10, 0), (11, 0), (99, 0)]
)
def test_a_weight_holds_from_its_depth_down_to_the_next(depth, weight):
    assert weight_at(depth, {"10": 0, "2": 5, "9": 12}) == weight


def test_what_has_no_weights_never_appears():
    assert weight_at(5, {}) == 0


def test_zeros_before_a_depth_change_nothing():
    assert [weight_at(depth, {"02": 5, "009": 7}) for depth in (1, 2, 9)] == [0, 5, 7]
