"""Streams: the same for ever, and none moves another."""

import numpy as np
from numpy.random import PCG64, RandomState, SeedSequence

from procgen.rng import Rng

GOLDEN = [
    13, -2, False, "a", [4, 2, 3, 5, 1, 0], [2, 5, 1, 9, 4],
    [[51, 15, 59, 27, 46, 59, 141, 68, 7]], "orc",
]  # fmt: skip


def test_a_stream_draws_the_same_numbers_for_ever():
    rng = Rng(42, "caves", 3, "scatter_rock", 1, 0)
    drawn = [rng.below(1000), rng.between(-5, 5), rng.chance(0.5), rng.pick("abcdef")]
    drawn += [rng.shuffled(range(6)), rng.integers(0, 9, 5).tolist(), rng.noise(1, 9).tolist()]
    drawn.append(rng.weighted({"orc": 3, "troll": 1}))
    assert drawn == GOLDEN


def test_integers_are_those_that_numpy_draws_with_everything_else_in_between():
    rng, bits = Rng(7), PCG64(SeedSequence(7, spawn_key=()))
    plain = RandomState(bits)
    for limit in [1, 2, 3, 5, 6, 8, 9, 100, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**40] * 50:
        assert rng.below(limit) == plain.randint(0, limit, dtype=np.int64)
        assert rng.between(-limit, 4) == plain.randint(-limit, 5, dtype=np.int64)
        assert rng.chance(0.5) == (plain.random_sample() < 0.5)
        assert rng.shuffled(range(limit % 7)) == plain.permutation(limit % 7).tolist()
    words = bits.state["state"]["state"].to_bytes(16, "little")
    assert rng.mark[:16] == words


def test_streams_of_different_names_have_nothing_in_common():
    one, other = Rng(1, "a"), Rng(1, "b")
    assert [one.below(10**9) for _ in range(5)] != [other.below(10**9) for _ in range(5)]


def test_reading_where_a_stream_stands_draws_nothing():
    watched, alone = Rng(5, "x"), Rng(5, "x")
    for _ in range(20):
        assert watched.mark == watched.mark
        assert watched.below(1000) == alone.below(1000)


def test_weights_are_honoured():
    rng = Rng(0, "weights")
    counts = {"common": 0, "rare": 0, "never": 0}
    for _ in range(2000):
        counts[rng.weighted({"common": 9, "never": 0, "rare": 1})] += 1
    assert counts["never"] == 0
    assert 120 < counts["rare"] < 290


def test_between_reaches_both_ends():
    rng = Rng(0, "ends")
    assert {rng.between(2, 4) for _ in range(200)} == {2, 3, 4}
