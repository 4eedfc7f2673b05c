"""Chunks with all that lives and lies there, surveyed ahead of the hero by a thread of its own.

The thread calls nothing but pure functions, and what it finds is used no sooner than the rules
ask for it: whether it was quick or slow changes nothing but the wait.
"""

import sys
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache, cached_property
from threading import Lock, Thread, main_thread

import numpy as np

from engine.dwellers import Dweller, dwellers
from engine.things.stock import Thing, stock
from entities.terrain import terrain
from procgen.blueprint import Point
from procgen.code import LevelCode
from procgen.endless.chunk import SIDE, Chunk, Site, Tiles
from procgen.endless.life import danger
from procgen.endless.lots import word
from procgen.endless.realms import Realm, realms
from procgen.level import Level

KEPT = 56
"""As many plots are kept at hand."""
PATIENCE = 0.0005
"""Seconds that whoever plays waits for the crew to let go of the interpreter, each time."""
NOWHERE_SPECIAL = 999_983
"""A depth where no boss has its lair."""

Key = tuple[str, int, int, int]
"""Which plot: the world's name, its seed, the chunk's column and row."""


@dataclass(frozen=True, eq=False)
class Plot:
    """A chunk as nobody has seen it yet; ``depth`` is how dangerous it is there.

    Who lives there and what lies there is worked out when first asked for: who only goes on
    with a run knows already what came of them.
    """

    realm: Realm
    own: int
    chunk: Chunk
    depth: int

    @property
    def tiles(self) -> Tiles:
        """The ground, as tile numbers [y, x]."""
        return self.chunk.tiles

    @property
    def sites(self) -> tuple[Site, ...]:
        """The places that have a name."""
        return self.chunk.sites

    @cached_property
    def dwellers(self) -> tuple[Dweller, ...]:
        """Who lives there."""
        return tuple(dwellers(self._level(NOWHERE_SPECIAL)))

    @cached_property
    def things(self) -> tuple[Thing, ...]:
        """What lies there."""
        return tuple(stock(self._level(self.depth)))

    def _level(self, depth: int) -> Level:
        tiles, realm = self.chunk.tiles, self.realm
        middle = _middle(tiles)
        code = LevelCode(realm.name, realm.version, self.own, depth, SIDE, SIDE)
        return Level(code, realm.theme, tiles, (), middle, middle, self.chunk.spawns, (), ())


def plot(key: Key) -> Plot:
    """Return the plot of ``key``: always the same."""
    name, seed, cx, cy = key
    realm = realms()[name]
    return Plot(realm, word(seed, "plot", cx, cy), realm.chunk(seed, cx, cy), danger(cx, cy))


def furnished(key: Key) -> Plot:
    """Return the plot of ``key`` with all that is there worked out."""
    found = plot(key)
    _ = found.dwellers, found.things
    return found


def _middle(tiles: Tiles) -> Point:
    """Return the ground nearest to the middle of a chunk."""
    ys, xs = np.nonzero(terrain().walkable[tiles])
    away = (ys - SIDE // 2) ** 2 + (xs - SIDE // 2) ** 2
    nearest = int(away.argmin())
    return Point(int(xs[nearest]), int(ys[nearest]))


class Surveyor:
    """Has plots made before they are wanted, and keeps the last ones wanted."""

    def __init__(self) -> None:
        self._plots: OrderedDict[Key, Future[Plot]] = OrderedDict()
        self._queue: list[Key] = []
        self._lock = Lock()
        self._at_work = False

    def expect(self, keys: Sequence[Key]) -> None:
        """Have the plots of ``keys`` made in the background, in that order and before others."""
        waiting = [key for key in keys if self._waits(key)]
        if self._queue[: len(waiting)] == waiting:
            return
        fresh = [key for key in waiting if key not in self._plots]
        self._plots |= {key: Future() for key in fresh}
        for key in reversed(keys):
            self._plots.move_to_end(key)
        self._trim()
        with self._lock:
            others = [key for key in self._queue if key in self._plots and self._waits(key)]
            self._queue = list(dict.fromkeys([*waiting, *others]))
            idle, self._at_work = not self._at_work, True
        if idle:
            sys.setswitchinterval(PATIENCE)
            Thread(target=self._work, name="surveyor").start()

    def _waits(self, key: Key) -> bool:
        """Whether nobody has begun to make the plot of ``key``."""
        plot = self._plots.get(key)
        return plot is None or not (plot.done() or plot.running())

    def _work(self) -> None:
        """Make the plots in the queue that nobody else has made, until none is left.

        Whoever leaves the program does not wait for more than the one at hand.
        """
        while True:
            with self._lock:
                if not self._queue or not main_thread().is_alive():
                    self._at_work = False
                    return
                key = self._queue.pop(0)
            waiting = self._plots.get(key)
            if waiting and not waiting.done() and waiting.set_running_or_notify_cancel():
                try:
                    waiting.set_result(furnished(key))
                except Exception as fault:  # noqa: BLE001 - it is raised where the plot is wanted
                    waiting.set_exception(fault)

    def ready(self, key: Key) -> Plot | None:
        """Return the plot of ``key`` if it has been made."""
        waiting = self._plots.get(key)
        return waiting.result() if waiting and waiting.done() else None

    def plot(self, key: Key) -> Plot:
        """Return the plot of ``key``, waiting for it if it must be."""
        waiting = self._plots.get(key)
        if waiting is None or waiting.cancel():
            made: Future[Plot] = Future()
            made.set_result(plot(key))
            self._plots[key] = waiting = made
        self._plots.move_to_end(key)
        self._trim()
        return waiting.result()

    def _trim(self) -> None:
        while len(self._plots) > KEPT:
            self._plots.popitem(last=False)[1].cancel()


@cache
def surveyor() -> Surveyor:
    """Return the one surveyor that all maps of this process share."""
    return Surveyor()
