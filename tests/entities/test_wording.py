"""Counts of things, and hints for names that are not known."""

import pytest

from entities.wording import did_you_mean, pluralise


@pytest.mark.parametrize(
    ("number", "said"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (2000, "2,000 turns")]
)
def test_a_count_is_in_the_singular_for_one_alone(number, said):
    assert pluralise(number, "turn") == said


@pytest.mark.parametrize(
    ("name", "said"),
    [("wal", " (do you mean wall?)"), ("flor", " (do you mean floor?)"), ("quartz", ""), ("", "")],
)
def test_the_name_that_is_most_like_an_unknown_one_is_offered(name, said):
    assert did_you_mean(name, ["floor", "wall", "water"]) == said
