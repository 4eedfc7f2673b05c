"""Plots surveyed ahead of the hero by a thread of its own.

The thread calls nothing but pure functions, and what it finds is used no sooner than the rules
ask for it: whether it was quick or slow changes nothing but the wait. What is more urgent goes
first even while something else is half made, and whoever waits for a plot works on it too.
"""

import sys
from collections import OrderedDict
from collections.abc import Container, Iterable, Sequence
from functools import cache
from threading import Lock, Thread, main_thread
from time import perf_counter, sleep

from engine.infinite.populated_chunks import KEPT, Key, PopulatedChunk, growing
from procgen.chunk import chunk_distance, chunks_over

PATIENCE = 0.0005
"""Seconds that whoever plays waits for the thread to let go of the interpreter, each time."""
MOMENT = 0.05
"""Seconds that whoever walks faster than the thread works leaves it alone, each turn."""
PAUSE = 0.001
"""Seconds that one rests at a time while somebody else is at what there is to do."""


class Survey:
    """A plot in the making; part after part, by whoever has time.

    A ``bare`` one is of a chunk where one has been: who lives there needs no working out.
    """

    def __init__(self, key: Key) -> None:
        self.key = key
        self.bare = True
        self.wanted = False
        self.plot: PopulatedChunk | None = None
        self._done = False
        self._fault: Exception | None = None
        self._lock = Lock()
        self._growing = growing(key)

    @property
    def served(self) -> bool:
        """Whether all is made that is expected."""
        return self._done or (self.bare and self.plot is not None)

    def go_on(self) -> bool:
        """Make the next part, unless somebody else is at it; return whether it was made."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            self._advance()
        finally:
            self._lock.release()
        return True

    def finish(self) -> PopulatedChunk:
        """Return the plot, its ground made at least, as is expected."""
        self.wanted = True
        try:
            with self._lock:
                while not self.served:
                    self._advance()
        finally:
            self.wanted = False
        if self._fault or self.plot is None:
            raise self._fault or RuntimeError("nothing grew")
        return self.plot

    def _advance(self) -> None:
        """Make the next part; what goes wrong is raised where the plot is wanted."""
        try:
            self.plot = next(self._growing)
        except StopIteration:
            self._done = True
        except Exception as fault:  # noqa: BLE001
            self._fault, self._done = fault, True
        except BaseException:  # Whoever played has stopped it; it can be made another time.
            self._growing = growing(self.key)
            raise


class ChunkLoader:
    """Has plots made before they are wanted, and keeps the last ones wanted."""

    def __init__(self) -> None:
        self._surveys: OrderedDict[Key, Survey] = OrderedDict()
        self._queue: list[Survey] = []
        self._lock = Lock()
        self._at_work = False

    def expect(self, keys: Sequence[Key], *, bare: bool = False) -> None:
        """Have the plots of ``keys`` made in the background, in that order and before others.

        ``bare`` ones are made no further than their ground.
        """
        ahead = [self._survey(key, bare=bare) for key in keys]
        for key in reversed(keys):
            self._surveys.move_to_end(key)
        self._trim()
        with self._lock:
            others = [one for one in self._queue if one.key in self._surveys]
            self._queue = [one for one in dict.fromkeys([*ahead, *others]) if not one.served]
            idle = bool(self._queue) and not self._at_work
            self._at_work |= idle
        if idle:
            sys.setswitchinterval(PATIENCE)
            Thread(target=self._work, name="surveyor").start()

    def let_work(self, keys: Iterable[Key]) -> None:
        """Let the thread have a moment for itself unless the plots of ``keys`` are made."""
        surveys = [self._surveys[key] for key in keys if key in self._surveys]
        end = perf_counter() + MOMENT
        while self._at_work and not all(survey.served for survey in surveys):
            if perf_counter() >= end:
                return
            sleep(PAUSE)

    def ready(self, key: Key) -> PopulatedChunk | None:
        """Return the plot of ``key`` if its ground has been made."""
        survey = self._surveys.get(key)
        return survey.plot if survey else None

    def plot(self, key: Key, *, bare: bool = False) -> PopulatedChunk:
        """Return the plot of ``key``, waiting for it if it must be; ``bare`` if that will do."""
        survey = self._survey(key, bare=bare)
        self._surveys.move_to_end(key)
        self._trim()
        return survey.finish()

    def _survey(self, key: Key, *, bare: bool) -> Survey:
        if key not in self._surveys:
            self._surveys[key] = Survey(key)
        survey = self._surveys[key]
        survey.bare &= bare
        return survey

    def _work(self) -> None:
        """Make what is in the queue part by part, always the first that nobody else is at.

        Whoever leaves the program does not wait for more than the part at hand.
        """
        while True:
            with self._lock:
                self._queue = [one for one in self._queue if not one.served]
                if not self._queue or not main_thread().is_alive():
                    self._at_work = False
                    return
                queue = self._queue
            if not any(one.go_on() for one in queue if not one.wanted):
                sleep(PAUSE)

    def _trim(self) -> None:
        while len(self._surveys) > KEPT:
            self._surveys.popitem(last=False)


@cache
def surveyor() -> ChunkLoader:
    """Return the one surveyor that all maps of this process share."""
    return ChunkLoader()


SOON = 448
"""Chunks this near are surveyed, to be at hand."""
LEASH, LEAN = 16, 4
"""The last so many tiles of a walk tell where it goes; one looks out so many times as far."""

PRESSING = 120
"""Chunks this near to where one looks out from are opened soon."""

Chunk = tuple[int, int]


class ChunkPrefetch:
    """Remembers where one comes from; what it says decides on nothing but who waits for what.

    Ahead is away from where a dog on a leash would trot behind.
    """

    def __init__(self) -> None:
        self._dog: tuple[int, int] | None = None
        self.pressing: list[Chunk] = []
        """Of the chunks wanted last, those that will be opened soon."""

    def wanted(self, x: int, y: int, opened: Container[Chunk]) -> list[Chunk]:
        """Return the chunks within `SOON` of (x, y) that are not ``opened``, nearest ahead first.

        All places are those of the world.
        """
        dog_x, dog_y = self._dog or (x, y)
        dog_x = min(max(dog_x, x - LEASH), x + LEASH)
        dog_y = min(max(dog_y, y - LEASH), y + LEASH)
        self._dog = dog_x, dog_y
        ahead = x + (x - dog_x) * LEAN, y + (y - dog_y) * LEAN
        chunks = chunks_over(x - SOON, y - SOON, 2 * SOON + 1, 2 * SOON + 1)
        far = {chunk: chunk_distance(chunk, *ahead) for chunk in chunks if chunk not in opened}
        wanted = sorted(far, key=far.__getitem__)
        moves = (dog_x, dog_y) != (x, y)
        self.pressing = [chunk for chunk in wanted if moves and far[chunk][0] <= PRESSING]
        return wanted
