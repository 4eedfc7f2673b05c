"""Ctrl-C as a wish to see what there is so far: the first ends the work, others spoil nothing."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 2.0
"""Seconds after an interrupt in which others do nothing: time to send workers home and to tell."""


class _InterruptHandler:
    """A handler of Ctrl-C: it raises `KeyboardInterrupt` and counts how often."""

    def __init__(self) -> None:
        self.count = 0
        self._quiet_until = 0.0

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if now < self._quiet_until:
            return
        self.count += 1
        self._quiet_until = now + GRACE
        raise KeyboardInterrupt


@contextmanager
def handle_interrupts() -> Iterator[None]:
    """Let an interrupt end what is done inside, but not those that follow on its heels.

    Who presses twice gets the same table. A process that was told to ignore interrupts does.
    """
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
    """Return how often `handle_interrupts` work was interrupted so far.

    Whoever finds more of them than before was not told: native code may drop what is raised while
    it looks at an object's class or calls back. Long work asks between its parts.
    """
    handler = signal.getsignal(signal.SIGINT)
    return handler.count if isinstance(handler, _InterruptHandler) else 0
