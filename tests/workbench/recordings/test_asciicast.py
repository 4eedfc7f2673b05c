"""Asciicasts of runs: another terminal shows every picture exactly."""

import json
import re
from functools import partial
from itertools import pairwise

import numpy as np
import pyte
import pytest

from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Move, Refused, Visit, Wait
from engine.state.run_setup import Mode, RunSetup
from main import main
from render.backends.terminal_colors import ColorDepth
from render.backends.terminal_screen import PrintableChars, flatten, in_terminal_colors
from render.ui.frame import Frame
from support.bot_runs import headed, played
from workbench.recordings.asciicast import HOLD, asciicast
from workbench.recordings.frames import FilmOptions, frame_times, recorded_frames

COLUMNS, ROWS = 84, 30
LETTERS = PrintableChars("utf-8")
PRINTED = re.compile(
    r"(\x1b\[\?(2026|25)[hl]|\x1b\[2J|\x1b\[\d+;\d+H|\x1b\[[\d;]*m|[^\x00-\x1f\x7f-\x9f])*"
)
"""All that a terminal may be told by an export."""
ESCAPE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


@pytest.fixture(scope="module")
def travels(tmp_path_factory):
    """A run from one kind of level to another, with a long wait and a seed made to deceive."""
    path = tmp_path_factory.mktemp("runs") / "travels.jsonl"
    travel = Run.begin(RunSetup(9, "\x1b[31mred\x07", Mode.WORKSHOP, "rooms"), path)
    steps = [Wait()] * 40 + [Visit("garden:7:3")] + [Wait(), Move(1, 0), Move(-1, 0)] * 4
    done = [action for action in steps if not isinstance(travel.act(action), Refused)]
    travel.close()
    assert len(done) > 45
    return read_run(path)


def actions(recorded):
    return [action for action, *_ in recorded.actions]


def whole(recorded, **changes):
    """Return the cut that shows all of a run."""
    cut = FilmOptions(0, len(recorded.actions), 1.0, 2.0, 30.0, 10**6)
    return cut._replace(**changes)


def lines_of(recorded, cut, size=(COLUMNS, ROWS)):
    taken = list(
        recorded_frames(recorded, frame_times(actions(recorded), cut), partial(Frame, *size))
    )
    lines = b"".join(asciicast(recorded, taken, 2.0)).decode().splitlines()
    return taken, [json.loads(line) for line in lines]


def looks(screen):
    """Return what pyte shows: characters, ink (of what is not blank) and paper, row by row."""
    rows = []
    for y in range(screen.lines):
        cells = (screen.buffer[y][x] for x in range(screen.columns))
        rows.append([(c.data, c.data != " " and c.fg, c.bg) for c in cells])
    return rows


def meant(frame):
    """Return what a frame says, in the same form."""
    codes, ink, paper = (layer.tolist() for layer in flatten(frame, LETTERS))
    return [
        [
            (chr(code), code != ord(" ") and f"{fore:06x}", f"{back:06x}")
            for code, fore, back in zip(*row, strict=True)
        ]
        for row in zip(codes, ink, paper, strict=True)
    ]


@pytest.mark.parametrize("size", [(COLUMNS, ROWS), (120, 40)])
def test_another_terminal_shows_every_picture_exactly(cave_run, size):
    taken, (header, *events) = lines_of(cave_run, whole(cave_run, first=100, last=160), size)
    assert (header["version"], header["width"], header["height"]) == (2, *size)
    assert header["idle_time_limit"] == 2.0
    assert header["title"] == "Seedhollow, seed 4"
    screen = pyte.Screen(*size)
    stream = pyte.Stream(screen)
    drawn = {time: text for time, kind, text in events[:-1] if kind == "o"}
    assert len(drawn) > 40
    for number, shot in enumerate(taken):
        stream.feed(drawn.get(round(shot.time, 4), ""))
        if number % 7 == 0 or shot is taken[-1]:
            assert looks(screen) == meant(shot.frame)
    assert screen.cursor.hidden
    text = "\n".join(screen.display)
    assert "turn 160" in text
    assert "@" in text


def test_only_what_changed_is_told(cave_run):
    taken, (_, first, *events) = lines_of(cave_run, whole(cave_run, last=60))
    told = {time: ESCAPE.sub("", text) for time, kind, text in events if kind == "o"}
    assert len(ESCAPE.sub("", first[2])) == COLUMNS * ROWS
    for before, after in pairwise(taken):
        then, now = (
            in_terminal_colors(flatten(shot.frame, PrintableChars("utf-8")), ColorDepth.TRUE)
            for shot in (before, after)
        )
        changed = np.any([one != other for one, other in zip(then, now, strict=True)], axis=0)
        assert len(told.get(round(after.time, 4), "")) == changed.sum()


def test_time_goes_on_and_the_end_can_be_read(travels):
    _, (header, *events) = lines_of(travels, whole(travels))
    times = [event[0] for event in events]
    assert times[0] == 0.0
    assert times == sorted(times)
    assert max(np.diff(times)) <= header["idle_time_limit"]
    assert events[-1] == [round(times[-2] + HOLD, 4), "o", ""]
    assert [event[1:] for event in events if event[1] == "m"] == [["m", "Depth 3"]]
    assert times[-2] == pytest.approx(2.0 + (len(travels.actions) - 40) / 8, abs=0.01)


def test_nothing_in_a_run_file_reaches_the_terminal_as_a_command(travels):
    _, (header, *events) = lines_of(travels, whole(travels))
    assert header["title"] == "Seedhollow, seed ?[31mred?"
    for _, kind, text in events:
        assert kind == "m" or PRINTED.fullmatch(text)


def test_the_same_run_gives_the_same_bytes(cave_run):
    one, other = (lines_of(cave_run, whole(cave_run, last=20))[1] for _ in range(2))
    assert one == other


@pytest.mark.parametrize("started", ["0001-01-01T00:00:00", "9999-12-31T23:59:59", "noon"])
def test_any_date_in_the_header_can_be_exported(tmp_path, started, capsys):
    path = played(tmp_path / "run.jsonl", 3).recorder.path
    headed(path, list(map(json.loads, path.read_text().splitlines())), started=started)
    assert main(["replay", str(path), "--export", str(tmp_path / "run.cast")]) == 0
    assert "fault of the program" not in capsys.readouterr().err
