"""A build that is looped over: its stages, and what it returns."""

import pytest

from procgen.progress import Progress, run_to_end


def counting(last):
    yield from range(last)
    return "made"


def test_a_loop_has_every_stage_and_then_what_was_made():
    watched = Progress(counting(3))
    assert list(watched) == [0, 1, 2]
    assert watched.result == "made"
    assert run_to_end(counting(0)) == "made"


def test_nothing_is_made_before_the_end():
    watched = Progress(counting(3))
    assert next(iter(watched)) == 0
    with pytest.raises(AttributeError):
        watched.result  # noqa: B018 - asking is enough


def test_what_goes_wrong_is_heard():
    def fails():
        yield 1
        raise LookupError("lost")

    with pytest.raises(LookupError, match="lost"):
        run_to_end(fails())
