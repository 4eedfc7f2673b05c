"""The workers: this process, every core, or other machines; results keep their order."""

import os
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children, parent_process
from multiprocessing.process import BaseProcess
from threading import Thread
from types import FrameType
from typing import Any, TypeVar

from workbench.search.dask_pool import Submit, dask_pool
from workbench.search.interrupts import interrupt_count

Task = TypeVar("Task")
Done = TypeVar("Done")

MOST_WORKERS, AHEAD = 61 if sys.platform == "win32" else 256, 4
"""Workers (Windows waits for no more), and tasks for each: enough to be busy, quick to cancel."""
KILL_AFTER_SECONDS = 2.0
"""Seconds that workers have to stop."""
TASKS_PER_PROCESS = 100
"""Tasks after which a process is replaced: native libraries leak a little per level, which over a
million levels would be gigabytes."""


def cores() -> int:
    """Return the number of cores that this process may use, at most `MOST_WORKERS`."""
    ours = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(ours or 1, MOST_WORKERS)


def ordered_results(
    function: Callable[[Task], Done],
    tasks: Iterable[Task],
    workers: int | None = None,
    cluster: str | None = None,
) -> Generator[Done, None, None]:
    """Yield the result of every task, in the order of ``tasks``.

    Only a few tasks are taken in advance, so memory does not grow with their number; closing the
    iterator cancels these. Raises `OSError` with a sentence if workers cannot continue.
    """
    waiting = iter(tasks)
    if cluster is not None:
        with dask_pool(cluster) as (submit, count):
            yield from _in_order(submit, function, waiting, AHEAD * count)
        return
    if (count := workers or cores()) == 1:
        yield from _in_this_process(function, islice(waiting, TASKS_PER_PROCESS))
    while first := [*islice(waiting, count)]:  # Some start methods begin all processes at once.
        share = chain(first, islice(waiting, TASKS_PER_PROCESS * count - len(first)))
        with _pool(len(first)) as submit:
            yield from _in_order(submit, function, share, AHEAD * count)


@contextmanager
def worker_pool(
    workers: int | None = None, cluster: str | None = None
) -> Iterator[Callable[..., Iterator[Any]]]:
    """Yield a function like `ordered_results` that keeps its workers between calls."""
    if cluster is not None:
        with dask_pool(cluster) as (submit, count):
            yield partial(_in_order, submit, ahead=AHEAD * count)
    elif (count := workers or cores()) == 1:
        yield _in_this_process
    else:
        with _pool(count) as submit:
            yield partial(_in_order, submit, ahead=AHEAD * count)


def _in_this_process(function: Callable[[Task], Done], tasks: Iterable[Task]) -> Iterator[Done]:
    """Run tasks in this process; re-raise an interrupt that native code swallowed."""
    before = interrupt_count()
    for task in tasks:
        done = function(task)
        if interrupt_count() > before:
            raise KeyboardInterrupt
        yield done


def _in_order(
    submit: Callable[..., Any], function: Callable[[Task], Done], tasks: Iterable[Task], ahead: int
) -> Iterator[Done]:
    waiting: deque[Future[Done]] = deque()
    try:
        for task in tasks:
            waiting.append(submit(function, task))
            if len(waiting) >= ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _pool(count: int) -> Iterator[Submit]:
    """Yield a function that submits to processes, which leave Ctrl-C to this process."""
    others = active_children()
    begin, done = partial(_set_up_worker, {**os.environ}), False
    pool = ProcessPoolExecutor(count, initializer=begin)

    def submit(function: Callable[..., Any], task: Any) -> Future[Any]:
        with _interrupt_blocked():
            return pool.submit(_run_task, function, task)

    try:
        yield submit
        done = True
    except BrokenProcessPool:
        hint = 'try fewer workers; a script needs if __name__ == "__main__": around its calls'
        raise OSError(f"a worker process ended (out of memory?): {hint}") from None
    finally:
        # The pool's thread must end before the interpreter does, or both can deadlock.
        closing = Thread(target=partial(pool.shutdown, cancel_futures=True))
        closing.start()
        if not done:
            _stop_workers([child for child in active_children() if child not in others])
        closing.join()


@contextmanager
def _interrupt_blocked() -> Iterator[None]:
    """Block SIGINT while a process may be started; it inherits the mask.

    Before `_set_up_worker` has run in it, Ctrl-C would kill it with a traceback.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _StopHandler:
    """A worker's handler of SIGTERM, which ends the running task and all later ones."""

    busy = stopping = False

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        first, self.stopping = not self.stopping, True
        if first and self.busy:
            raise SystemExit


_stop = _StopHandler()


def _set_up_worker(environment: dict[str, str]) -> None:
    """Take over ``environment``; ignore SIGINT; make SIGTERM end tasks and nothing else.

    On Linux, from Python 3.14 on, workers are forked by a server that has the environment of its
    first search. A worker that ends while it reads or writes the shared pipes leaves half a message
    to the others. Blocking SIGTERM between tasks is not enough: threads of native code receive it.
    """
    os.environ.clear()
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    Thread(target=_exit_with_parent, daemon=True).start()


def _exit_with_parent() -> None:
    """Exit when the parent process has ended, even if it was killed."""
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _run_task(function: Callable[[Task], Done], task: Task) -> Done:
    """Run a task; raise `SystemExit` if SIGTERM comes during it or came before."""
    try:
        _stop.busy = True
        if _stop.stopping:
            raise SystemExit
        return function(task)
    finally:
        _stop.busy = False


def _stop_workers(workers: list[BaseProcess]) -> None:
    """Terminate ``workers``; kill those still alive after `KILL_AFTER_SECONDS`."""
    for worker in workers:
        worker.terminate()
    end = time.monotonic() + KILL_AFTER_SECONDS
    for worker in workers:
        worker.join(max(0.0, end - time.monotonic()))
        if worker.is_alive():
            worker.kill()
