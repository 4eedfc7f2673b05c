"""A terminal's line with us on the far side of it; who imports this skips where there is none."""

import os
import sys
from contextlib import contextmanager

import pytest

pytest.importorskip("pty")
termios = pytest.importorskip("termios")


class Line:
    """A pty with us on the far side of it."""

    def __init__(self):
        self.master, self.slave = os.openpty()
        os.set_blocking(self.master, False)
        self.resize(40, 12)
        self.before = self.modes()

    def resize(self, columns, rows):
        termios.tcsetwinsize(self.master, (rows, columns))

    def modes(self):
        return termios.tcgetattr(self.slave)

    def type(self, text):
        os.write(self.master, text.encode())

    def printed(self):
        data = b""
        try:
            while more := os.read(self.master, 65536):
                data += more
        except OSError:
            pass
        return data.decode()

    def hang_up(self):
        os.close(self.master)
        self.master = -1


@contextmanager
def on_a_line(monkeypatch):
    """Let standard input and output be a `Line`."""
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("NO_COLOR", "STY", "ESCDELAY"):
        monkeypatch.delenv(name, raising=False)
    line = Line()
    monkeypatch.setattr(sys, "__stdin__", os.fdopen(line.slave, closefd=False))
    monkeypatch.setattr(sys, "__stdout__", os.fdopen(line.slave, "w", closefd=False))
    try:
        yield line
    finally:
        for fd in (line.master, line.slave):
            if fd >= 0:
                os.close(fd)
