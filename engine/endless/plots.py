"""Chunks with all that lives and lies there, surveyed ahead of the hero by a thread of its own.

The thread calls nothing but pure functions, and what it finds is used no sooner than the rules
ask for it: whether it was quick or slow changes nothing but the wait.
"""

from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Lock

import numpy as np

from engine.dwellers import Dweller, dwellers
from engine.things.stock import Thing, stock
from entities.terrain import terrain
from procgen.blueprint import Point
from procgen.code import LevelCode
from procgen.endless.chunk import SIDE, Tiles
from procgen.endless.life import danger
from procgen.endless.lots import word
from procgen.endless.realms import realms
from procgen.level import Level

KEPT = 56
"""As many plots are kept at hand."""
NOWHERE_SPECIAL = 999_983
"""A depth where no boss has its lair."""

Key = tuple[str, int, int, int]
"""Which plot: the world's name, its seed, the chunk's column and row."""


@dataclass(frozen=True, eq=False)
class Plot:
    """A chunk as nobody has seen it yet; ``depth`` is how dangerous it is there."""

    tiles: Tiles
    dwellers: tuple[Dweller, ...]
    things: tuple[Thing, ...]
    depth: int


def plot(key: Key) -> Plot:
    """Return the plot of ``key``: always the same."""
    name, seed, cx, cy = key
    realm = realms()[name]
    chunk = realm.chunk(seed, cx, cy)
    depth = danger(cx, cy)
    own = word(seed, "plot", cx, cy)
    middle = _middle(chunk.tiles)

    def level(depth: int) -> Level:
        code = LevelCode(name, realm.version, own, depth, SIDE, SIDE)
        return Level(code, realm.theme, chunk.tiles, (), middle, middle, chunk.spawns, (), ())

    lives, lies = dwellers(level(NOWHERE_SPECIAL)), stock(level(depth))
    return Plot(chunk.tiles, tuple(lives), tuple(lies), depth)


def _middle(tiles: Tiles) -> Point:
    """Return the ground nearest to the middle of a chunk."""
    ys, xs = np.nonzero(terrain().walkable[tiles])
    away = (ys - SIDE // 2) ** 2 + (xs - SIDE // 2) ** 2
    nearest = int(away.argmin())
    return Point(int(xs[nearest]), int(ys[nearest]))


class Surveyor:
    """Has plots made before they are wanted, and keeps the last ones wanted."""

    def __init__(self) -> None:
        self._crew = ThreadPoolExecutor(1, "surveyor")
        self._plots: OrderedDict[Key, Future[Plot]] = OrderedDict()
        self._queue: list[Key] = []
        self._lock = Lock()

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
        for _ in fresh:
            self._crew.submit(self._work)

    def _waits(self, key: Key) -> bool:
        """Whether nobody has begun to make the plot of ``key``."""
        plot = self._plots.get(key)
        return plot is None or not (plot.done() or plot.running())

    def _work(self) -> None:
        """Make the first plot in the queue that nobody else has made."""
        while True:
            with self._lock:
                if not self._queue:
                    return
                key = self._queue.pop(0)
            waiting = self._plots.get(key)
            if waiting and not waiting.done() and waiting.set_running_or_notify_cancel():
                try:
                    waiting.set_result(plot(key))
                except Exception as fault:  # noqa: BLE001 - it is raised where the plot is wanted
                    waiting.set_exception(fault)
                return

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
