"""The chunk loader: a thread that builds chunks of infinite worlds before the hero reaches them.

The thread calls pure functions only, and a chunk enters play only in `InfiniteMap.recentre`, at a
fixed place in the turn, or when a saved map is restored. So the speed of the thread changes waiting
times, never results, and replays stay in sync. More urgent chunks go first, even while another is
half built, and a caller that needs a chunk helps to build it.
"""

import sys
from collections import OrderedDict
from collections.abc import Container, Iterable, Sequence
from functools import cache
from threading import Lock, Thread, main_thread
from time import perf_counter, sleep

from engine.infinite.populated_chunks import CACHE_SIZE, Key, PopulatedChunk, populate_in_parts
from procgen.chunk import ChunkIndex, chunk_distance, chunks_over

SWITCH_INTERVAL = 0.0005
"""Seconds after which the loader thread must hand the interpreter to the game."""
LONGEST_WAIT = 0.05
"""The longest wait per turn, in seconds, for urgent chunks that the thread is building."""
POLL_INTERVAL = 0.001
"""Seconds between two checks of a chunk that another thread is building."""


class ChunkJob:
    """A chunk being built, part by part, by any thread.

    A ``tiles_only`` job ends without monsters and items: the chunk was visited before and they
    come from its saved state. ``wanted`` is set while a caller waits for it.
    """

    def __init__(self, key: Key) -> None:
        self.key = key
        self.tiles_only = True
        self.wanted = False
        self.chunk: PopulatedChunk | None = None
        self._done = False
        self._fault: Exception | None = None
        self._lock = Lock()
        self._parts = populate_in_parts(key)

    @property
    def finished(self) -> bool:
        """True if the requested parts are built: tiles, or tiles and contents."""
        return self._done or (self.tiles_only and self.chunk is not None)

    def build_part(self) -> bool:
        """Build the next part; return False if another thread is building one."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._advance()
        finally:
            self._lock.release()
        return True

    def result(self) -> PopulatedChunk:
        """Build the missing parts and return the chunk; raise any exception of the build."""
        # The loader thread now leaves this job alone: otherwise both would compete for its lock.
        self.wanted = True
        try:
            with self._lock:
                while not self.finished:
                    self._advance()
        finally:
            self.wanted = False
        if self._fault or self.chunk is None:
            raise self._fault or RuntimeError("the chunk was not built")
        return self.chunk

    def _advance(self) -> None:
        """Build the next part; keep an exception for the caller that needs the chunk."""
        try:
            self.chunk = next(self._parts)
        except StopIteration:
            self._done = True
        except Exception as fault:  # noqa: BLE001
            self._fault, self._done = fault, True
        except BaseException:
            # Ctrl-C ended the generator half way: start over, or the chunk would stay incomplete.
            self._parts = populate_in_parts(self.key)
            raise


class ChunkLoader:
    """Builds chunks in a thread and keeps the most recently used (an LRU cache)."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[Key, ChunkJob] = OrderedDict()
        self._queue: list[ChunkJob] = []
        self._lock = Lock()
        self._running = False

    def prefetch(self, keys: Sequence[Key], *, tiles_only: bool = False) -> None:
        """Build the chunks of ``keys`` in the background, in that order, before all others."""
        ahead = [self._job(key, tiles_only=tiles_only) for key in keys]
        for key in reversed(keys):
            self._jobs.move_to_end(key)
        self._trim()
        with self._lock:
            others = [job for job in self._queue if job.key in self._jobs]
            self._queue = [job for job in dict.fromkeys([*ahead, *others]) if not job.finished]
            start = bool(self._queue) and not self._running
            self._running |= start
        if start:
            # With Python's default of 5 ms, the game would wait that long for the interpreter.
            sys.setswitchinterval(SWITCH_INTERVAL)
            Thread(target=self._run, name="chunk loader").start()

    def cancel_prefetch(self) -> None:
        """Drop everything that `prefetch` has queued, for instance when the player leaves a run."""
        with self._lock:
            self._queue = []

    def wait_for(self, keys: Iterable[Key]) -> None:
        """Wait until the chunks of ``keys`` are finished, for at most `LONGEST_WAIT` seconds.

        Without this, a running hero would reach a chunk before it is built and the game would
        freeze at its border; many short waits are hardly noticed.
        """
        jobs = [self._jobs[key] for key in keys if key in self._jobs]
        end = perf_counter() + LONGEST_WAIT
        while self._running and not all(job.finished for job in jobs):
            if perf_counter() >= end:
                return
            sleep(POLL_INTERVAL)

    def if_built(self, key: Key) -> PopulatedChunk | None:
        """Return the chunk of ``key`` if its tiles are built, without waiting."""
        job = self._jobs.get(key)
        return job.chunk if job else None

    def load(self, key: Key, *, tiles_only: bool = False) -> PopulatedChunk:
        """Return the chunk of ``key``; build it now if it is not finished."""
        job = self._job(key, tiles_only=tiles_only)
        self._jobs.move_to_end(key)
        self._trim()
        return job.result()

    def _job(self, key: Key, *, tiles_only: bool) -> ChunkJob:
        if key not in self._jobs:
            self._jobs[key] = ChunkJob(key)
        job = self._jobs[key]
        job.tiles_only &= tiles_only
        return job

    def _run(self) -> None:
        """Build the queued chunks part by part, each time the first that no other thread builds.

        It ends with the main thread, so quitting waits for at most one part.
        """
        while True:
            with self._lock:
                self._queue = [job for job in self._queue if not job.finished]
                if not self._queue or not main_thread().is_alive():
                    self._running = False
                    return
                queue = self._queue
            if not any(job.build_part() for job in queue if not job.wanted):
                sleep(POLL_INTERVAL)

    def _trim(self) -> None:
        while len(self._jobs) > CACHE_SIZE:
            self._jobs.popitem(last=False)


@cache
def chunk_loader() -> ChunkLoader:
    """Return the chunk loader that all maps of this process share."""
    return ChunkLoader()


PREFETCH_DISTANCE = 448
"""Chunks up to this many tiles away are built in advance."""
LEASH_LENGTH, LOOKAHEAD = 16, 4
"""The longest trail in tiles that gives the direction; how many times as far to look ahead."""
URGENT_DISTANCE = 120
"""Chunks within this many tiles of the predicted place are needed soon."""


class ChunkPrefetch:
    """Predicts the walking direction to choose which chunks to build first.

    It changes speed only, never results, so it is not saved. A follower point trails the hero
    by at most `LEASH_LENGTH` tiles; the direction is that from the follower to the hero.
    """

    def __init__(self) -> None:
        self._follower: tuple[int, int] | None = None
        self.urgent: list[ChunkIndex] = []
        """The chunks of the last choice that will be needed soon."""

    def choose(self, x: int, y: int, loaded: Container[ChunkIndex]) -> list[ChunkIndex]:
        """Return the chunks near (x, y) that are not ``loaded``, those ahead of the hero first.

        All coordinates are world coordinates.
        """
        behind_x, behind_y = self._follower or (x, y)
        behind_x = min(max(behind_x, x - LEASH_LENGTH), x + LEASH_LENGTH)
        behind_y = min(max(behind_y, y - LEASH_LENGTH), y + LEASH_LENGTH)
        self._follower = behind_x, behind_y
        ahead = x + (x - behind_x) * LOOKAHEAD, y + (y - behind_y) * LOOKAHEAD
        side = 2 * PREFETCH_DISTANCE + 1
        chunks = chunks_over(x - PREFETCH_DISTANCE, y - PREFETCH_DISTANCE, side, side)
        away = {chunk: chunk_distance(chunk, *ahead) for chunk in chunks if chunk not in loaded}
        chosen = sorted(away, key=away.__getitem__)
        moving = (behind_x, behind_y) != (x, y)
        self.urgent = [chunk for chunk in chosen if moving and away[chunk][0] <= URGENT_DISTANCE]
        return chosen
