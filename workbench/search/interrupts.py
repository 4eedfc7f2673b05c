"""Ctrl-C: the first stops the work and shows the results so far; quick repeats are ignored."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 2.0
"""Seconds after an interrupt in which others are ignored, to stop workers and print results."""


class _InterruptHandler:
    """A handler of Ctrl-C that raises `KeyboardInterrupt` and counts its calls."""

    def __init__(self) -> None:
        self.count = 0
        self._quiet_until = 0.0

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        if (now := time.monotonic()) < self._quiet_until:
            return
        self.count += 1
        self._quiet_until = now + GRACE
        raise KeyboardInterrupt


@contextmanager
def handle_interrupts() -> Iterator[None]:
    """Install the handler for the block; a process that ignores SIGINT keeps ignoring it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    handler = _InterruptHandler()
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        if not handler.count:
            signal.signal(signal.SIGINT, before)


def interrupt_count() -> int:
    """Return how often the handler ran.

    Native code can swallow a KeyboardInterrupt raised in a callback. Long work therefore compares
    this count between its parts.
    """
    handler = signal.getsignal(signal.SIGINT)
    return handler.count if isinstance(handler, _InterruptHandler) else 0
