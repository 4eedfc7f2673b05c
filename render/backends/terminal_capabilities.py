"""Capabilities of the terminal: whether it is usable, and how to enter and leave full screen."""

import os
import sys
from io import StringIO

import blessed

from entities.program import PROGRAM
from render.ui.frame import NoDisplay

NO_TERMINAL = (
    "there is no display and no terminal to play in; run it on a desktop, in a terminal with "
    f"--terminal, or headless with `{PROGRAM} map`, `simulate` or `replay FILE --verify`"
)
TOO_PLAIN = "The terminal type {!r} cannot move a cursor: set TERM, for example to xterm-256color."

MODES = "7l", "2004h", "1003h", "1006h"
"""Modes: no line wrapping, bracketed paste, all mouse moves, SGR mouse coordinates."""
MODES_OFF = "2026l", "1006l", "1003l", "2004l", "7h"
UNDERLINE_CURSOR, USUAL_CURSOR = "\x1b[4 q", "\x1b[0 q"
CLEAR = "\x1b[H\x1b[2J"
USUAL_SIZE = 80, 24


def require_terminal() -> None:
    """Raise `NoDisplay` unless input and output are a terminal that can be drawn on."""
    streams = sys.__stdin__, sys.__stdout__
    if not all(stream is not None and not stream.closed and stream.isatty() for stream in streams):
        raise NoDisplay(NO_TERMINAL)
    kind = os.environ.get("TERM", "")
    if kind in {"", "dumb", "unknown"} and sys.platform != "win32":
        raise NoDisplay(TOO_PLAIN.format(kind))


def capabilities(*, mute: bool = True) -> blessed.Terminal:
    """Return blessed's terminal object.

    ``mute`` keeps blessed from sending queries, which some terminals print and others never answer
    (it would wait for seconds). NO_COLOR is hidden from blessed, which otherwise supports neither
    keys nor full screen. `terminal_colors` obeys NO_COLOR instead.
    """
    no_color = os.environ.pop("NO_COLOR", None)
    try:
        return blessed.Terminal(stream=StringIO() if mute else None, force_styling=True)
    finally:
        if no_color is not None:
            os.environ["NO_COLOR"] = no_color


def terminal_size(descriptor: int) -> tuple[int, int]:
    """Return the current columns and rows of the terminal at a file descriptor."""
    try:
        columns, rows = os.get_terminal_size(descriptor)
    except OSError:
        return USUAL_SIZE
    return (columns, rows) if columns and rows else USUAL_SIZE


def enter_sequence(terminal: blessed.Terminal) -> str:
    """Return the sequence that switches to full screen, mouse and paste modes."""
    shape = "" if is_linux_console(terminal) else UNDERLINE_CURSOR
    modes = "".join(f"\x1b[?{mode}" for mode in MODES)
    return f"{terminal.enter_fullscreen}{terminal.smkx}{modes}{shape}{terminal.hide_cursor}"


def exit_sequence(terminal: blessed.Terminal) -> str:
    """Return the sequence that restores the terminal."""
    shape = "" if is_linux_console(terminal) else USUAL_CURSOR
    modes = "".join(f"\x1b[?{mode}" for mode in MODES_OFF)
    end = terminal.exit_fullscreen or CLEAR
    return f"\x1b[m{modes}{terminal.rmkx}{shape}{terminal.normal_cursor}{end}"


def is_linux_console(terminal: blessed.Terminal) -> bool:
    """Return whether this is the Linux console, which prints sequences it does not know."""
    return bool(terminal.kind.startswith("linux"))
