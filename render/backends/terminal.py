"""The terminal backend: one character per cell; only changed cells are sent."""

import atexit
import base64
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Self

from render.backends.terminal_capabilities import (
    enter_sequence,
    exit_sequence,
    is_linux_console,
    require_terminal,
)
from render.backends.terminal_colors import color_depth
from render.backends.terminal_input import InputParser
from render.backends.terminal_screen import PrintableChars, TerminalScreen, flatten, map_cell_at
from render.ui.frame import Backend, Frame
from render.ui.input import Closed, Input, Key, Pointer, Resized
from render.ui.options import current

if sys.platform == "win32":
    from render.backends.tty_windows import WindowsTty as Tty
else:
    from render.backends.tty_unix import UnixTty as Tty

REDRAW = Key("r", ctrl=True)
"""The key that redraws everything, in case another program wrote on the terminal."""
SLOW_FLICKER = 0.4  # Each change of flickering light can be 2 KB over a slow line.
LARGEST_COPY = 74_994
"""Bytes that even strict terminals accept for the clipboard."""

BELL, ALARMING = "\a", frozenset(["danger", "alarm", "death"])
"""The character that rings a terminal's bell, and the sounds that ring it."""


class TerminalBackend(Backend):
    """The backend on standard input and output; raises `NoDisplay` if they are no terminal."""

    def __init__(self) -> None:
        require_terminal()
        self._tty = Tty()
        terminal = self._tty.capabilities
        self._keyboard = InputParser(terminal)
        self._screen = TerminalScreen(color_depth(terminal.number_of_colors, os.environ))
        self._letters = PrintableChars(self._tty.encoding, terminal.ambiguous_width)
        self._size = self._tty.size()
        self._frame: Frame | None = None
        self._open = False

    def __enter__(self) -> Self:
        """Switch the terminal to full screen and raw input."""
        sys.stdout.flush()
        if not callable(signal.getsignal(signal.SIGINT)) and _in_main_thread():
            signal.signal(signal.SIGINT, signal.default_int_handler)  # It was inherited as ignored.
        try:
            # A Ctrl-C before `__exit__` is registered would leave the terminal in raw mode.
            with _interrupt_deferred():
                self._open = True
                self._tty.open()
                atexit.register(self.__exit__)
                self._tty.send(enter_sequence(self._tty.capabilities))
                self._screen.forget()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *fault: object) -> None:
        """Restore the terminal."""
        with _interrupt_deferred():
            if self._open:
                self._open = False
                if self._tty.in_front:
                    self._tty.send(exit_sequence(self._tty.capabilities))
                self._tty.close()
                atexit.unregister(self.__exit__)

    def frame(self) -> Frame:
        """Return an empty frame as large as the terminal."""
        frame = Frame(*self._tty.size())
        frame.flicker = SLOW_FLICKER if self._screen.depth else None  # It would switch bold.
        return frame

    def show(self, frame: Frame) -> None:
        """Print the cells of ``frame`` that differ from what the terminal shows."""
        self._frame = frame
        cells = flatten(frame, self._letters).clipped_to(*self._tty.size())
        rows, columns = cells.codes.shape
        cursor = frame.cursor
        if cursor and not (0 <= cursor[0] < columns and 0 <= cursor[1] < rows):
            cursor = None
        try:
            sent = self._tty.send(self._screen.paint(cells, cursor))
        # Some of it may have arrived, so the next frame is sent whole.
        except BaseException:
            self._screen.forget()
            raise
        if not sent:
            self._screen.forget()
        if current().bell and any(cue.name in ALARMING for cue in frame.sounds):
            self._tty.send(BELL)
        frame.sounds = []

    def wait(self, timeout: float | None) -> list[Input]:
        """Return the next input, or [] after ``timeout`` seconds."""
        end = None if timeout is None else time.monotonic() + timeout
        self._listen(0)
        while not (inputs := self._news()):
            # Esc begins every special key; if nothing follows soon, it was the Esc key itself.
            deadlines = [deadline for deadline in (end, self._keyboard.due) if deadline is not None]
            now = time.monotonic()
            if end is not None and now >= end:
                return []
            self._listen(max(0.0, min(deadlines) - now) if deadlines else None)
        return inputs

    def _listen(self, seconds: float | None) -> None:
        if text := self._tty.listen(seconds):
            self._keyboard.feed(text, time.monotonic())

    def _news(self) -> list[Input]:
        """Return the input so far; handle suspending and resuming the program, and resizing."""
        inputs = [self._placed(event) for event in self._keyboard.read(time.monotonic())]
        if self._tty.stopping:
            self._tty.send(exit_sequence(self._tty.capabilities))
            self._tty.stop()
        if self._tty.resumed and not self._tty.gone:
            self._tty.resumed = False
            self._tty.set_modes()
            self._tty.send(enter_sequence(self._tty.capabilities))
            self._size = 0, 0
        if REDRAW in inputs or (self._size != self._tty.size() and not self._tty.gone):
            self._size = self._tty.size()
            self._screen.forget()
            inputs = [*(event for event in inputs if event != REDRAW), Resized()]
        return [*inputs, Closed()] if self._tty.gone else inputs

    def _placed(self, event: Input) -> Input:
        """Add the map cell to a mouse event."""
        if isinstance(event, Pointer) and self._frame:
            return replace(event, spot=map_cell_at(self._frame, event.x, event.y))
        return event

    def discard(self) -> None:
        """Drop key presses that have not been read yet, but not the first half of a paste."""
        self._listen(0)
        self._keyboard.read(time.monotonic())

    def copy(self, text: str) -> bool:
        """Put ``text`` on the terminal's clipboard (OSC 52); return whether it was sent."""
        data = base64.b64encode(text.encode(errors="replace")).decode()
        if not self._open or len(data) > LARGEST_COPY or is_linux_console(self._tty.capabilities):
            return False
        return self._tty.send(f"\x1b]52;c;{data}\x07")


@contextmanager
def _interrupt_deferred() -> Iterator[None]:
    """Defer Ctrl-C, so that the terminal is never left between two modes."""
    if not _in_main_thread():
        yield
        return
    deferred: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: deferred.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before if before is not None else signal.SIG_DFL)
        if deferred and callable(before):
            before(signal.SIGINT, None)


def _in_main_thread() -> bool:
    """Return True if signals can be handled here."""
    return threading.current_thread() is threading.main_thread()
