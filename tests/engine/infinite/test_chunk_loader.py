"""What is surveyed ahead of the hero: in which order, by whom, and that it is always the same."""

import time
from threading import main_thread

import pytest

from engine.infinite import populated_chunks as plots
from engine.infinite.chunk_loader import MOMENT, ChunkLoader, ChunkPrefetch, Survey

CAVES = ("endless_caves", 3, 7, -2)
BESIDE = ("endless_caves", 3, 8, -2)


def idle(surveyor, seconds=60):
    """Wait until the thread has nothing left to do."""
    end = time.monotonic() + seconds
    while surveyor._at_work and time.monotonic() < end:
        time.sleep(0.01)
    assert not surveyor._at_work


@pytest.fixture
def alone(monkeypatch):
    """A surveyor whose thread never comes to anything."""
    found = ChunkLoader()
    monkeypatch.setattr(found, "_work", lambda: None)
    return found


def test_a_plot_is_the_same_whoever_makes_it():
    early, late = ChunkLoader(), ChunkLoader()
    early.expect([CAVES, BESIDE])
    one, other = early.plot(BESIDE), late.plot(BESIDE)
    assert (one.tiles == other.tiles).all()
    assert (one.dwellers, one.things) == (other.dwellers, other.things)
    idle(early)
    assert early.ready(CAVES)


def test_what_is_bare_is_made_no_further_than_its_ground(alone):
    assert alone.plot(CAVES, bare=True).tiles.any()
    survey = alone._surveys[CAVES]
    assert survey.served
    assert not survey._done
    alone.expect([CAVES], bare=True)
    assert not alone._queue
    alone.expect([CAVES])
    assert [one.key for one in alone._queue] == [CAVES]
    alone.plot(CAVES)
    assert survey._done


def test_what_is_asked_for_last_comes_first_and_nothing_is_lost(alone):
    alone.expect([CAVES])
    half = alone._surveys[CAVES]
    half.go_on()
    alone.expect([BESIDE])
    assert [one.key for one in alone._queue] == [BESIDE, CAVES]
    assert alone._queue[1] is half


def test_whoever_walks_fast_leaves_the_thread_a_moment_for_what_is_pressing(alone):
    def lasted(keys):
        start = time.perf_counter()
        alone.let_work(keys)
        return time.perf_counter() - start

    alone.expect([CAVES])
    assert MOMENT <= lasted([CAVES]) < 50 * MOMENT
    assert lasted([BESIDE]) < MOMENT
    assert BESIDE not in alone._surveys
    alone.plot(CAVES)
    assert lasted([CAVES]) < MOMENT


def test_what_goes_wrong_in_the_thread_is_raised_where_the_plot_is_wanted(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(plots, "danger", broken)
    surveyor = ChunkLoader()
    surveyor.expect([CAVES])
    idle(surveyor)
    assert surveyor.ready(CAVES) is None
    with pytest.raises(ZeroDivisionError):
        surveyor.plot(CAVES)
    assert main_thread().is_alive()


def test_only_who_moves_is_pressed():
    outlook = ChunkPrefetch()
    outlook.wanted(128, 128, {(0, 0)})
    assert outlook.pressing == []
    for x in range(129, 133):
        outlook.wanted(x, 128, {(0, 0)})
    assert outlook.pressing == [(1, 0)]


def test_a_survey_tells_how_far_it_is():
    survey = Survey(("endless_caves", 3, 9, 9))
    seen = []
    while not survey._done:
        survey.go_on()
        seen.append((survey.plot is None, survey.served))
    assert seen[0] == (True, False)
    assert seen[-1] == (False, True)
    assert survey.finish() is survey.plot
