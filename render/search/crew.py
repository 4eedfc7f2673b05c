"""Who does the work: this process, every core, or other machines; always in the same order."""

import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from typing import Any, TypeVar

from render.search.fleet import fleet

Task = TypeVar("Task")
Done = TypeVar("Done")

AHEAD = 4
"""How many tasks wait for each worker: enough to keep it busy, few enough to forget."""
RENEWED = 100
"""After so many tasks a process makes way for a new one: whatever a native library keeps to itself
at every call, a million levels would turn into gigabytes."""


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def ordered(
    work: Callable[[Task], Done],
    tasks: Iterable[Task],
    workers: int | None = None,
    cluster: str | None = None,
) -> Generator[Done, None, None]:
    """Yield the result of every task, in the order of ``tasks``.

    Only a few tasks are drawn ahead, so memory stays flat however many there are; closing
    the iterator drops those. Raises `OSError` with a sentence if workers cannot go on.
    """
    waiting = iter(tasks)
    if cluster:
        with fleet(cluster) as (submit, count):
            yield from _in_order(submit, work, waiting, AHEAD * count)
        return
    if (count := workers or cores()) == 1:
        yield from map(work, islice(waiting, RENEWED))
    for first in waiting:
        share = chain((first,), islice(waiting, RENEWED * count - 1))
        with _pool(count) as pool:
            yield from _in_order(pool.submit, work, share, AHEAD * count)


@contextmanager
def hired(
    workers: int | None = None, cluster: str | None = None
) -> Iterator[Callable[..., Iterator[Any]]]:
    """Yield a function like `ordered`, for work in rounds: the same workers do all of them."""
    if cluster:
        with fleet(cluster) as (submit, count):
            yield partial(_in_order, submit, ahead=AHEAD * count)
    elif (count := workers or cores()) == 1:
        yield map
    else:
        with _pool(count) as pool:
            yield partial(_in_order, pool.submit, ahead=AHEAD * count)


def _in_order(
    submit: Callable[..., Any], work: Callable[[Task], Done], tasks: Iterable[Task], ahead: int
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    try:
        for task in tasks:
            waiting.append(submit(work, task))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _pool(count: int) -> Iterator[ProcessPoolExecutor]:
    """Yield worker processes that leave Ctrl-C to this one."""
    pool = ProcessPoolExecutor(count, initializer=_deaf)
    try:
        yield pool
    except BrokenProcessPool:
        sentence = "a worker process was killed (out of memory?); try fewer with --workers"
        raise OSError(sentence) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _deaf() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
