"""Ctrl-C as a wish to see what there is so far: the first ends the work, others spoil nothing."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

GRACE = 2.0
"""Seconds after an interrupt in which others do nothing: time to send workers home and to tell."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Let an interrupt end what is done inside, but not those that follow on its heels.

    Who presses twice gets the same table. A process that was told to ignore interrupts does.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    last: list[float] = []

    def interrupted(_number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if last and now - last[-1] < GRACE:
            return
        last.append(now)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    finally:
        if not last:
            signal.signal(signal.SIGINT, before)
