"""What is built ahead of the hero: in which order, by whom, and that it is always the same."""

import time
from threading import main_thread

import pytest

from engine.infinite import populated_chunks as plots
from engine.infinite.chunk_loader import (
    LONGEST_WAIT,
    LOOKAHEAD,
    URGENT_DISTANCE,
    ChunkJob,
    ChunkLoader,
    ChunkPrefetch,
    chunk_loader,
)
from engine.saves.run import Run
from engine.state.run_setup import RunSetup

CAVES = ("endless_caves", 3, 7, -2)
BESIDE = ("endless_caves", 3, 8, -2)


def idle(loader, seconds=60):
    """Wait until the thread has nothing left to do."""
    end = time.monotonic() + seconds
    while loader._running and time.monotonic() < end:
        time.sleep(0.01)
    assert not loader._running


@pytest.fixture
def alone(monkeypatch):
    """A loader whose thread never comes to anything."""
    found = ChunkLoader()
    monkeypatch.setattr(found, "_run", lambda: None)
    return found


def test_a_plot_is_the_same_whoever_makes_it():
    early, late = ChunkLoader(), ChunkLoader()
    early.prefetch([CAVES, BESIDE])
    one, other = early.load(BESIDE), late.load(BESIDE)
    assert (one.tiles == other.tiles).all()
    assert (one.monsters, one.items) == (other.monsters, other.items)
    idle(early)
    assert early.if_built(CAVES)


def test_what_is_bare_is_made_no_further_than_its_ground(alone):
    assert alone.load(CAVES, tiles_only=True).tiles.any()
    job = alone._jobs[CAVES]
    assert job.finished
    assert not job._done
    alone.prefetch([CAVES], tiles_only=True)
    assert not alone._queue
    alone.prefetch([CAVES])
    assert [one.key for one in alone._queue] == [CAVES]
    alone.load(CAVES)
    assert job._done


def test_what_is_asked_for_last_comes_first_and_nothing_is_lost(alone):
    alone.prefetch([CAVES])
    half = alone._jobs[CAVES]
    half.build_part()
    alone.prefetch([BESIDE])
    assert [one.key for one in alone._queue] == [BESIDE, CAVES]
    assert alone._queue[1] is half


def test_whoever_walks_fast_leaves_the_thread_a_moment_for_what_is_pressing(alone):
    def lasted(keys):
        start = time.perf_counter()
        alone.wait_for(keys)
        return time.perf_counter() - start

    alone.prefetch([CAVES])
    assert LONGEST_WAIT <= lasted([CAVES]) < 50 * LONGEST_WAIT
    assert lasted([BESIDE]) < LONGEST_WAIT
    assert BESIDE not in alone._jobs
    alone.load(CAVES)
    assert lasted([CAVES]) < LONGEST_WAIT


def test_what_goes_wrong_in_the_thread_is_raised_where_the_plot_is_wanted(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(plots, "chunk_danger", broken)
    loader = ChunkLoader()
    loader.prefetch([CAVES])
    idle(loader)
    assert loader.if_built(CAVES) is None
    with pytest.raises(ZeroDivisionError):
        loader.load(CAVES)
    assert main_thread().is_alive()


def test_nothing_is_built_ahead_for_a_run_that_is_closed():
    run, loader = Run.begin(RunSetup(3, "3", generator="walk"), None), chunk_loader()
    far = [("endless_caves", 3, 40 + x, 40) for x in range(6)]
    loader.prefetch(far)
    run.close()
    assert loader._queue == []
    idle(loader)
    assert not loader.if_built(far[-1])
    assert loader.load(far[-1], tiles_only=True).tiles.any()  # Built all the same.


def test_only_who_moves_is_pressed():
    prefetch = ChunkPrefetch()
    prefetch.choose(128, 128, {(0, 0)})
    assert prefetch.urgent == []
    for x in range(129, 133):
        prefetch.choose(x, 128, {(0, 0)})
    assert prefetch.urgent == [(1, 0)]


def test_a_job_tells_how_far_it_is():
    job = ChunkJob(("endless_caves", 3, 9, 9))
    seen = []
    while not job._done:
        job.build_part()
        seen.append((job.chunk is None, job.finished))
    assert seen[0] == (True, False)
    assert seen[-1] == (False, True)
    assert job.result() is job.chunk


@pytest.mark.parametrize(("x", "urgent"), [(131, []), (132, [(1, 0)]), (134, [(1, 0)])])
def test_a_chunk_is_pressing_a_hundred_and_twenty_tiles_from_where_the_hero_will_be(x, urgent):
    prefetch = ChunkPrefetch()
    prefetch.choose(x - 1, 128, {(0, 0)})
    chosen = prefetch.choose(x, 128, {(0, 0)})
    assert chosen[0] == (1, 0)
    assert 256 - (x + LOOKAHEAD) == URGENT_DISTANCE + 132 - x
    assert prefetch.urgent == urgent


@pytest.mark.parametrize("most", [1, 2, 3])
def test_only_the_chunks_asked_for_last_are_kept(alone, most, monkeypatch):
    monkeypatch.setattr("engine.infinite.chunk_loader.CACHE_SIZE", most)
    keys = [CAVES, BESIDE, ("endless_caves", 3, 9, -2)]
    for key in keys:
        alone.prefetch([key])
    assert list(alone._jobs) == keys[-most:]
    alone.prefetch(keys)
    assert list(alone._jobs) == keys[:most][::-1]
