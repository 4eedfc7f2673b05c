"""Export a run as an asciicast (version 2): terminal output with times."""

from collections.abc import Iterable, Iterator
from datetime import datetime

import msgspec

from engine.saves.run_file import RecordedRun
from render.backends.terminal_colors import ColorDepth
from render.backends.terminal_screen import PrintableChars, TerminalScreen, flatten
from render.ui.palette import colors
from render.ui.text import printable
from workbench.recordings.frames import RecordedFrame

HOLD = 2.0
"""Seconds for which the last frame is shown."""
ANSI_COLORS = ("ground", "bad", "good", "warn", "cold", "accent", "cold", "text")


def asciicast(run: RecordedRun, shots: Iterable[RecordedFrame], idle: float) -> Iterator[bytes]:
    """Yield the lines of the file for ``shots``: a header, then the changes of each frame."""
    screen, letters = TerminalScreen(ColorDepth.TRUE), PrintableChars("utf-8")
    depth, time = None, 0.0
    for shot in shots:
        if depth is None:
            yield msgspec.json.encode(_header(run, shot, idle)) + b"\n"
        time = shot.time
        if depth not in (None, shot.depth):
            yield _event(time, "m", f"Depth {shot.depth}")
        depth = shot.depth
        if drawn := screen.paint(flatten(shot.frame, letters)):
            yield _event(time, "o", drawn)
    yield _event(time + HOLD, "o", "")


def _header(recorded: RecordedRun, shot: RecordedFrame, idle: float) -> dict[str, object]:
    setup, palette = recorded.header.setup, ":".join(map(_hex, ANSI_COLORS))
    header: dict[str, object] = {
        "version": 2,
        "width": shot.frame.columns,
        "height": shot.frame.rows,
        "title": f"Seedhollow, seed {printable(setup.typed_seed)}",
        "idle_time_limit": idle,
        "env": {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
        "theme": {"fg": _hex("text"), "bg": _hex("ground"), "palette": palette},
    }
    try:
        started = datetime.fromisoformat(recorded.header.started)
        return header | {"timestamp": int(started.timestamp())}
    except (ValueError, OverflowError, OSError):  # It is no date, or outside the clock's range.
        return header


def _hex(name: str) -> str:
    red, green, blue = colors()[name]
    return f"#{red:02x}{green:02x}{blue:02x}"


def _event(seconds: float, kind: str, data: str) -> bytes:
    return msgspec.json.encode([round(seconds, 4), kind, data]) + b"\n"
