"""Random numbers that belong to a place, against the same in Python's own integers."""

from itertools import product
from zlib import crc32

import numpy as np
import pytest

from procgen.position_hash import (
    gradients,
    hash_fraction,
    hash_points,
    position_noise,
    position_random,
    position_word,
    purpose_seed,
)
from procgen.rng import Rng

WORD = 2**64
GOLDEN_RATIO = 0x9E3779B97F4A7C15
"""2**64 divided by the golden ratio: the stride of splitmix."""
PLACES = [(0, 0), (1, 0), (0, 1), (-1, -1), (7, -12), (2**40 + 3, -(2**50)), (-(2**63), 2**63 - 1)]


def splitmix(word):
    """Return ``word`` finished as splitmix does it (Stafford's variant 13)."""
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ word >> 27) * 0x94D049BB133111EB % WORD
    return word ^ word >> 31


def word_at(seed, x, y):
    column = splitmix((x * 0xD6E8FEB86659FD93 + seed * GOLDEN_RATIO + 1) % WORD)
    return splitmix(column ^ y * 0xA0761D6478BD642F % WORD)


def seed_for(seed, purpose):
    return (seed + crc32(purpose.encode()) * 0x9FB21C651E98DF25) % WORD


@pytest.mark.parametrize("seed", [0, 1, 2, 99, 2**63, 2**64 - 1])
def test_the_word_of_a_place_is_two_rounds_of_splitmix_over_its_coordinates(seed):
    for x, y in PLACES:
        found = hash_points(seed, np.array([x], np.int64), np.array([y], np.int64))
        assert found.tolist() == [word_at(seed, x, y)]
        assert position_word(seed, "moss", x, y) == word_at(seed_for(seed, "moss"), x, y)
    columns, rows = np.arange(-3, 4)[None, :], np.arange(5, 9)[:, None]
    assert hash_points(seed, columns, rows).tolist() == [
        [word_at(seed, x, y) for x in range(-3, 4)] for y in range(5, 9)
    ]


@pytest.mark.parametrize(("corner", "size"), [((0, 0), (3, 2)), ((-5, 2**45), (1, 6))])
def test_noise_is_the_highest_byte_of_the_word_of_each_tile(corner, size):
    found = position_noise(4, "springs", corner, *size)
    assert found.dtype == np.uint8
    assert found.tolist() == [
        [
            word_at(seed_for(4, "springs"), corner[0] + x, corner[1] + y) >> 56
            for x in range(size[0])
        ]
        for y in range(size[1])
    ]


def test_each_purpose_has_a_seed_of_its_own():
    for seed, purpose in product((0, 5, 2**64 - 1), ("", "bend x", "bend y", "Höhle")):
        assert purpose_seed(seed, purpose) == seed_for(seed, purpose)


@pytest.mark.parametrize(("x", "y"), PLACES)
def test_the_stream_of_a_place_is_keyed_by_the_halves_of_its_coordinates(x, y):
    halves = x % 2**32, x % WORD >> 32, y % 2**32, y % WORD >> 32
    one, other = position_random(3, "heart", x, y), Rng(3, "endless", "heart", *halves)
    assert [one.below(10**6) for _ in range(4)] == [other.below(10**6) for _ in range(4)]


@pytest.mark.parametrize("numbers", [(), (0,), (1, 2, 3), (-1, 2**70), (3, 2, 1)])
def test_a_fraction_is_the_upper_53_bits_of_splitmix_after_the_last_number(numbers):
    word = 1
    for number in numbers:
        word = splitmix((word + number * GOLDEN_RATIO) % WORD)
    assert hash_fraction(*numbers) == (word >> 11) / 2**53


def test_gradients_are_sixteen_directions_of_one_length_by_the_highest_bits():
    xs, ys = np.arange(-30, 30)[None, :], np.arange(40)[:, None]
    angle = (hash_points(6, xs, ys) >> np.uint64(60)) * (np.pi / 8)
    assert len(np.unique(angle)) == 16
    right, down = gradients(6, xs, ys)
    assert np.allclose(right, np.sqrt(2) * np.cos(angle))
    assert np.allclose(down, np.sqrt(2) * np.sin(angle))
