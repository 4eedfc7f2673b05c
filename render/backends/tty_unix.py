"""The terminal device on Unix: raw input, output, terminal modes and signals."""

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

from render.backends.terminal_capabilities import capabilities, terminal_size

assert sys.platform != "win32"  # Makes type checkers skip this module on Windows.

ENDING = signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT
SIGNALS = *ENDING, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT
INPUT_FLAGS, LOCAL_FLAGS, CONTROL_CHARACTERS = 0, 3, 6
"""Indices into the list of termios attributes."""


class UnixTty:
    """Standard input and output in raw mode while open.

    ``gone`` is set if the terminal hung up or a signal of `ENDING` came, ``stopping`` if
    Ctrl-Z was pressed, ``resumed`` if the process was stopped and the screen may have changed.
    """

    def __init__(self) -> None:
        stdin, stdout = sys.__stdin__, sys.__stdout__
        assert stdin  # `require_terminal` refuses closed streams.
        assert stdout
        self.capabilities: blessed.Terminal = capabilities()
        self.encoding = stdout.encoding
        self.gone = self.stopping = self.resumed = False
        self._keyboard, self._screen = stdin.fileno(), stdout.fileno()
        self._decoder = codecs.getincrementaldecoder(self.encoding)("surrogateescape")
        self._ours: dict[int, Any] = {}
        self._modes: list[Any] | None = None

    def size(self) -> tuple[int, int]:
        """Return the current columns and rows."""
        return terminal_size(self._screen)

    def open(self) -> None:
        """Switch to raw input without echo, and install signal handlers."""
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        if threading.current_thread() is threading.main_thread():
            # Python runs handlers in the main thread only, but the signal may be delivered to
            # another thread (numpy starts some). Then select would go on waiting without the pipe.
            self._before = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
            self._ours = {number: signal.signal(number, self._note) for number in SIGNALS}
        self._modes = termios.tcgetattr(self._keyboard)
        self.set_modes()

    def close(self) -> None:
        """Restore modes and signals; drop unread input, so that the shell does not get it."""
        self._restore()
        if self._ours:
            signal.set_wakeup_fd(self._before)
        for number, before in self._ours.items():
            signal.signal(number, signal.SIG_DFL if before is None else before)
        self._ours = {}
        os.close(self._wake_read)
        os.close(self._wake_write)

    def set_modes(self) -> None:
        """Set the terminal modes for play; only Ctrl-C and Ctrl-Z keep their meaning."""
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
        """True if this process is in the foreground; only then may it change the terminal."""
        try:
            return os.tcgetpgrp(self._keyboard) == os.getpgrp()
        except OSError:  # There is no job control.
            return True

    def _restore(self) -> None:
        if self._modes and self.in_front:
            with suppress(OSError, termios.error):
                termios.tcsetattr(self._keyboard, termios.TCSAFLUSH, self._modes)

    def stop(self) -> None:
        """Stop the process as Ctrl-Z does; return when it is continued."""
        self.stopping, self.resumed = False, True
        self._restore()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._note)
        with suppress(OSError, termios.error):
            self._modes = termios.tcgetattr(self._keyboard)

    def _note(self, number: int, _frame: FrameType | None) -> None:
        """Record a signal in the flags."""
        self.stopping |= number == signal.SIGTSTP
        self.resumed |= number == signal.SIGCONT
        self.gone |= number in ENDING

    def listen(self, seconds: float | None) -> str:
        """Wait up to ``seconds`` for input and return it; a signal ends the wait."""
        try:
            ready, _, _ = select.select([self._keyboard, self._wake_read], [], [], seconds)
            if self._wake_read in ready:
                os.read(self._wake_read, 4096)
            if self._keyboard not in ready:
                return ""
            data = os.read(self._keyboard, 1 << 16)
        except OSError:
            data = b""
        self.gone |= not data
        return self._decoder.decode(data)

    def send(self, text: str) -> bool:
        """Print ``text``; return False if the terminal is gone."""
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
