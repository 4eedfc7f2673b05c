"""The terminal device on Windows: blessed reads keys, the size is polled."""

import signal
import sys
from contextlib import ExitStack
from types import FrameType

import blessed

from render.backends.terminal_capabilities import capabilities, terminal_size

GLANCE = 0.25
"""Seconds between two polls of the size."""


class WindowsTty:
    """Standard input and output in raw mode while open; see `UnixTty`."""

    def __init__(self) -> None:
        stdout = sys.__stdout__
        assert stdout  # `require_terminal` refuses closed streams.
        self.capabilities: blessed.Terminal = capabilities(mute=False)
        self.encoding = stdout.encoding
        self.gone = self.stopping = self.resumed = False
        self._stdout = stdout
        self._closing = ExitStack()

    def size(self) -> tuple[int, int]:
        """Return the current columns and rows."""
        return terminal_size(self._stdout.fileno())

    def open(self) -> None:
        """Switch to raw input without echo; notice when the console is closed."""
        self._closing.enter_context(self.capabilities.cbreak())
        number = getattr(signal, "SIGBREAK", None)
        if number is not None:
            self._closing.callback(signal.signal, number, signal.signal(number, self._note))

    def close(self) -> None:
        """Restore modes and signals."""
        self._closing.close()

    @property
    def in_front(self) -> bool:
        """True always: there is no job control, so the process is always in the foreground."""
        return True

    def set_modes(self) -> None:
        """Do nothing: console modes do not change while the process is stopped."""

    def stop(self) -> None:
        """Do nothing: there is no job control."""

    def _note(self, _number: int, _frame: FrameType | None) -> None:
        self.gone = True

    def listen(self, seconds: float | None) -> str:
        """Wait up to ``seconds``, but at most `GLANCE`, for input; return it, or '' without any."""
        text = ""
        try:
            if self.capabilities.kbhit(GLANCE if seconds is None else min(seconds, GLANCE)):
                text = self.capabilities.getch()
                while self.capabilities.kbhit(0):
                    text += self.capabilities.getch()
        except (EOFError, OSError):
            self.gone = True
        return text

    def send(self, text: str) -> bool:
        """Print ``text``; return False if the console is gone."""
        try:
            self._stdout.write(text)
            self._stdout.flush()
        except OSError:
            self.gone = True
            return False
        return True
