"""Streams: the same for ever, and none moves another."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.random import PCG64, RandomState, SeedSequence

from procgen.rng import FACES, HANDFUL, STATE_BYTES, Dice, Rng, stable_key

GOLDEN = [
    13, -2, False, "a", [4, 2, 3, 5, 1, 0], [2, 5, 1, 9, 4],
    [[51, 15, 59, 27, 46, 59, 141, 68, 7]], "orc",
]  # fmt: skip


def test_a_stream_draws_the_same_numbers_for_ever():
    rng = Rng(42, "caves", 3, "scatter_rock", 1, 0)
    drawn = [rng.below(1000), rng.between(-5, 5), rng.chance(0.5), rng.pick("abcdef")]
    drawn += [
        rng.shuffled(range(6)),
        rng.integers(0, 9, 5).tolist(),
        rng.random_bytes(1, 9).tolist(),
    ]
    drawn.append(rng.weighted({"orc": 3, "troll": 1}))
    assert drawn == GOLDEN


def test_integers_are_those_that_numpy_draws_with_everything_else_in_between():
    rng, bits = Rng(7), PCG64(SeedSequence(7, spawn_key=()))
    plain = RandomState(bits)
    for limit in [1, 2, 3, 5, 6, 8, 9, 100, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**40] * 50:
        assert rng.below(limit) == plain.randint(0, limit, dtype=np.int64)
        assert rng.between(-limit, 4) == plain.randint(-limit, 5, dtype=np.int64)
        count = rng.below(20)
        assert count == plain.randint(0, 20, dtype=np.int64)
        drawn = rng.integers(-3, limit - 4, count).tolist()
        assert drawn == plain.randint(-3, limit - 3, count, dtype=np.int64).tolist()
        assert rng.chance(0.5) == (plain.random_sample() < 0.5)
        assert rng.shuffled(range(limit % 7)) == plain.permutation(limit % 7).tolist()
    words = bits.state["state"]["state"].to_bytes(16, "little")
    assert rng.state_bytes[:16] == words


def test_streams_of_different_names_have_nothing_in_common():
    one, other = Rng(1, "a"), Rng(1, "b")
    assert [one.below(10**9) for _ in range(5)] != [other.below(10**9) for _ in range(5)]


def test_reading_where_a_stream_stands_draws_nothing():
    watched, alone = Rng(5, "x"), Rng(5, "x")
    for _ in range(20):
        assert watched.state_bytes == watched.state_bytes
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


def test_a_number_varies_by_its_share_to_both_sides_in_whole_numbers_or_thousandths():
    rng = Rng(0, "varied")
    assert {rng.varied(8, 0.25) for _ in range(200)} == {6, 7, 8, 9, 10}
    assert {rng.varied(3, 0.3) for _ in range(200)} == {2, 3, 4}  # By .9, rounded.
    assert {rng.varied(5, 0.05) for _ in range(200)} == {5}
    one, other = Rng(1, "varied"), Rng(1, "varied")
    assert [one.varied(8, 0.25) for _ in range(40)] == [other.between(6, 10) for _ in range(40)]
    found = {rng.varied(0.5, 0.02) for _ in range(400)}
    assert found == {thousandths / 1000 for thousandths in range(490, 511)}
    assert all(isinstance(rng.varied(7, share), int) for share in (0, 0.5))


def test_a_number_that_varies_by_nothing_draws_nothing():
    rng, untouched = Rng(3, "still"), Rng(3, "still")
    assert (rng.varied(9, 0), rng.varied(2.5, 0.0)) == (9, 2.5)
    assert rng.below(10**9) == untouched.below(10**9)


def test_dice_show_what_the_stream_draws_by_the_handful_from_the_last_to_the_first():
    dice, drawn = Dice(Rng(5, "dice")), []
    rng = Rng(5, "dice")
    for limit in range(1, 2 * HANDFUL + 9):
        drawn = drawn or rng.integers(0, FACES - 1, HANDFUL).tolist()
        assert dice.below(limit) == drawn.pop() % limit
    for low, high in ((0, 0), (-3, 4), (10, 99)):
        drawn = drawn or rng.integers(0, FACES - 1, HANDFUL).tolist()
        assert dice.between(low, high) == low + drawn.pop() % (high - low + 1)
    for share in (0.0, 0.3, 0.5, 0.9, 1.0):
        assert dice.chance(share) == (drawn.pop() < share * FACES)
    assert dice.pick("abcdefg") == "abcdefg"[drawn.pop() % 7]


def test_a_share_of_nothing_never_comes_even_of_the_lowest_draw():
    rng = Rng(1, "never")
    rng.__dict__["_state"] = SimpleNamespace(random_sample=lambda: 0.0)
    assert not rng.chance(0.0)
    dice = Dice(rng)
    dice.rolls = iter([0])
    assert not dice.chance(0.0)


def test_a_branch_is_one_stream_of_its_own_name():
    rng = Rng(4, "step")
    kinds = rng.branch("kinds")
    assert rng.branch("kinds") is kinds is not rng.branch("other")
    assert kinds.below(10**9) == Rng(4, "step", "kinds").below(10**9)
    assert rng.below(10**9) == Rng(4, "step").below(10**9), "the branch moved its stem"


def test_integers_come_from_both_ends_and_all_between():
    found = Rng(2, "integers").integers(-2, 3, 300)
    assert set(found.tolist()) == set(range(-2, 4))
    assert found.dtype == np.int64


@pytest.mark.parametrize("shape", [(1, 1), (1, 8), (3, 3), (2, 8), (5, 5), (0, 4)])
def test_noise_takes_as_many_words_as_it_has_bytes_for_and_no_more(shape):
    rng, bits = Rng(6, "noise"), PCG64(SeedSequence(6, spawn_key=(stable_key("noise"),)))
    words = bits.random_raw(-(-shape[0] * shape[1] // 8))
    raw = b"".join(int(word).to_bytes(8, "little") for word in np.atleast_1d(words))
    assert rng.random_bytes(*shape).tobytes() == raw[: shape[0] * shape[1]]
    following = int(bits.random_raw(1)[0])
    assert rng.random_bytes(1, 8).tobytes() == following.to_bytes(8, "little")


@pytest.mark.parametrize("draws", range(6))
def test_a_stream_goes_on_from_where_another_stood(draws):
    one, other = Rng(8, "mark"), Rng(8, "mark")
    for _ in range(draws):
        one.below(1000)  # Takes half a word, so after an odd number the other half is left.
    mark = one.state_bytes
    assert len(mark) == STATE_BYTES
    assert mark[-1] == draws % 2
    other.restore(mark)
    assert other.state_bytes == mark
    assert [one.below(10**9) for _ in range(9)] == [other.below(10**9) for _ in range(9)]
    assert other.state_bytes == one.state_bytes != mark
    for wrong in (mark[:-1], bytes(1) + mark, b"", mark[:-1] + b"\x02", mark[:-1] + b"\xff"):
        with pytest.raises(ValueError, match="not the state of a stream"):
            other.restore(wrong)


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: rng.below(0),
        lambda rng: rng.below(-3),
        lambda rng: rng.pick([]),
        lambda rng: rng.weighted({}),
        lambda rng: rng.weighted({"a": 0}),
    ],
)
def test_a_draw_from_nothing_is_one_sentence(draw):
    with pytest.raises(ValueError, match="there must be at least 1 thing to draw from, not"):
        draw(Rng(1))


def test_a_range_the_wrong_way_round_is_told_with_its_ends():
    with pytest.raises(ValueError, match="low 10 is above high 3"):
        Rng(1).between(10, 3)


def test_there_is_no_negative_number_of_integers():
    assert Rng(1).integers(0, 5, 0).tolist() == []
    with pytest.raises(ValueError, match="negative"):
        Rng(1).integers(0, 5, -3)
