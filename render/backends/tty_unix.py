"""The line to a terminal on Unix: characters both ways, its modes, the signals that come by it."""

import codecs
import os
import select
import signal
import sys
import termios
import threading
import tty
from contextlib import suppress
from types import FrameType
from typing import Any

import blessed

from render.backends.terminal_capabilities import capabilities

SIGNALS = signal.SIGHUP, signal.SIGTERM, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT
INPUT_FLAGS, LOCAL_FLAGS, CONTROL_CHARACTERS = 0, 3, 6
"""Where termios keeps them."""
USUAL_SIZE = 80, 24


class UnixTty:
    """Standard input and output, taken over while open.

    ``gone`` tells that the other end hung up or that we are asked to end, ``stopping`` that
    Ctrl-Z was pressed, ``stirred`` that we were stopped and the screen may look different now.
    """

    def __init__(self) -> None:
        stdin, stdout = sys.__stdin__, sys.__stdout__
        if stdin is None or stdout is None:
            raise OSError("standard input and output are closed")
        self.voice: blessed.Terminal = capabilities()
        self.encoding = stdout.encoding
        self.gone = self.stopping = self.stirred = False
        self._keyboard, self._screen = stdin.fileno(), stdout.fileno()
        self._decoder = codecs.getincrementaldecoder(self.encoding)("surrogateescape")
        self._ours: dict[int, Any] = {}
        self._modes: list[Any] | None = None

    def size(self) -> tuple[int, int]:
        """Return columns and rows there are now."""
        try:
            columns, rows = os.get_terminal_size(self._screen)
        except OSError:
            return USUAL_SIZE
        return (columns, rows) if columns and rows else USUAL_SIZE

    def open(self) -> None:
        """Take keys as they are pressed, unechoed, and heed signals."""
        self._hark, self._bell = os.pipe()
        os.set_blocking(self._bell, False)
        if threading.current_thread() is threading.main_thread():
            # Python's own handlers run in this thread only, but a signal may come to any other
            # (numpy starts some) and then would not end our wait.
            self._before = signal.set_wakeup_fd(self._bell, warn_on_full_buffer=False)
            self._ours = {number: signal.signal(number, self._note) for number in SIGNALS}
        self._modes = termios.tcgetattr(self._keyboard)
        self.tame()

    def close(self) -> None:
        """Restore modes and signals; forget what was typed, so that no shell reads it."""
        self._restore()
        if self._ours:
            signal.set_wakeup_fd(self._before)
        for number, before in self._ours.items():
            signal.signal(number, signal.SIG_DFL if before is None else before)
        self._ours = {}
        os.close(self._hark)
        os.close(self._bell)

    def tame(self) -> None:
        """Set the modes we play in; only Ctrl-C and Ctrl-Z keep their meaning."""
        with suppress(OSError, termios.error):
            tty.setcbreak(self._keyboard, termios.TCSANOW)
            modes = termios.tcgetattr(self._keyboard)
            modes[INPUT_FLAGS] &= ~termios.IXON
            modes[LOCAL_FLAGS] &= ~termios.IEXTEN
            off = os.fpathconf(self._keyboard, "PC_VDISABLE")
            modes[CONTROL_CHARACTERS][termios.VQUIT] = bytes([off & 0xFF])
            termios.tcsetattr(self._keyboard, termios.TCSANOW, modes)

    @property
    def in_front(self) -> bool:
        """Whether the terminal is ours to change, not that of the shell that put us aside."""
        try:
            return os.tcgetpgrp(self._keyboard) == os.getpgrp()
        except OSError:  # It is no terminal that jobs share.
            return True

    def _restore(self) -> None:
        if self._modes and self.in_front:
            with suppress(OSError, termios.error):
                termios.tcsetattr(self._keyboard, termios.TCSAFLUSH, self._modes)

    def stop(self) -> None:
        """Stop as Ctrl-Z does, and return when we are continued."""
        self.stopping, self.stirred = False, True
        self._restore()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._note)
        with suppress(OSError, termios.error):
            self._modes = termios.tcgetattr(self._keyboard)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal."""
        match number:
            case signal.SIGTSTP:
                self.stopping = True
            case signal.SIGCONT:
                self.stirred = True
            case signal.SIGHUP | signal.SIGTERM:
                self.gone = True

    def listen(self, seconds: float | None) -> str:
        """Return what is typed within ``seconds``, as soon as it is; a signal ends the wait."""
        try:
            ready, _, _ = select.select([self._keyboard, self._hark], [], [], seconds)
            if self._hark in ready:
                os.read(self._hark, 4096)
            if self._keyboard not in ready:
                return ""
            data = os.read(self._keyboard, 1 << 16)
        except OSError:
            data = b""
        self.gone |= not data
        return self._decoder.decode(data)

    def send(self, text: str) -> bool:
        """Print ``text``; return whether there was anyone to print it to."""
        data = text.encode(self.encoding, "replace")
        try:
            while data:
                data = data[self._write(data) :]
        except OSError:
            self.gone = True
            return False
        return True

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._screen, data)
        except BlockingIOError:
            select.select([], [self._screen], [])
            return 0
