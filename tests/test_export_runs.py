"""Asciicasts of runs, and the command line that makes films."""

import json
import re
from functools import partial
from itertools import pairwise

import numpy as np
import pyte
import pytest

import main
from engine.actions import Move, Refused, Visit, Wait
from engine.records.record import read_run
from engine.records.run import OutOfSync, Playback, Run
from engine.setup import Mode, Setup
from render.faces.ansi import dyed
from render.faces.ansi_colors import Depth
from render.faces.terminal_cells import Letters, flatten
from render.film.cast import HOLD, cast
from render.film.cues import Cut, cues
from render.film.shots import shots
from render.frame import Frame
from render.search.playing import simulated

COLUMNS, ROWS = 84, 30


LETTERS = Letters("utf-8")


PRINTED = re.compile(
    r"(\x1b\[\?(2026|25)[hl]|\x1b\[2J|\x1b\[\d+;\d+H|\x1b\[[\d;]*m|[^\x00-\x1f\x7f-\x9f])*"
)
"""All that a terminal may be told by an export."""


ESCAPE = re.compile(r"\x1b\[[?\d;]*[A-Za-z]")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(scope="module")
def recorded(folder):
    """A bot's run of some turns."""
    simulated(Setup(4, "4", generator="caves", size=(60, 35)), 160, folder)
    return read_run(folder / "run-4.jsonl")


@pytest.fixture(scope="module")
def travels(folder):
    """A run from one kind of level to another, with a long wait and a seed made to deceive."""
    run = Run.begin(Setup(9, "\x1b[31mred\x07", Mode.WORKSHOP, "rooms"), folder / "travels.jsonl")
    steps = [Wait()] * 40 + [Visit("garden:7:3")] + [Wait(), Move(1, 0), Move(-1, 0)] * 4
    done = [action for action in steps if not isinstance(run.act(action), Refused)]
    run.close()
    assert len(done) > 45
    return read_run(run.recorder.path)


def actions(recorded):
    return [action for action, *_ in recorded.actions]


def whole(recorded, **changes):
    """Return the cut that shows all of a run."""
    cut = Cut(0, len(recorded.actions), 1.0, 2.0, 30.0, 10**6)
    return cut._replace(**changes)


def command(*arguments):
    """Return the exit code of the command line."""
    return main.main([str(argument) for argument in arguments])


def lines_of(recorded, cut, size=(COLUMNS, ROWS)):
    taken = list(shots(recorded, cues(actions(recorded), cut), partial(Frame, *size)))
    lines = b"".join(cast(recorded, taken, 2.0)).decode().splitlines()
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
def test_another_terminal_shows_every_picture_exactly(recorded, size):
    taken, (header, *events) = lines_of(recorded, whole(recorded, first=100, last=160), size)
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


def test_only_what_changed_is_told(recorded):
    taken, (_, first, *events) = lines_of(recorded, whole(recorded, last=60))
    told = {time: ESCAPE.sub("", text) for time, kind, text in events if kind == "o"}
    assert len(ESCAPE.sub("", first[2])) == COLUMNS * ROWS
    for before, after in pairwise(taken):
        then, now = (
            dyed(flatten(shot.frame, Letters("utf-8")), Depth.TRUE) for shot in (before, after)
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


def test_the_same_run_gives_the_same_bytes(recorded):
    one, other = (lines_of(recorded, whole(recorded, last=20))[1] for _ in range(2))
    assert one == other


def test_a_film_never_overwrites_without_being_told(recorded, tmp_path, capsys):
    target = tmp_path / "run.cast"
    target.write_text("dear")
    assert command("replay", recorded.path, "--export", target) == 2
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == "dear"
    assert command("replay", recorded.path, "--export", target, "--force") == 0
    assert json.loads(target.read_text().splitlines()[0])["width"] == 100
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["run.cast"]


def test_a_range_a_size_and_a_speed_are_kept_to(recorded, tmp_path, capsys):
    target = tmp_path / "part.cast"
    options = ("--from-turn", 20, "--to-turn", 36, "--export-size", "90x24", "--speed", "1/2")
    assert command("replay", recorded.path, "--export", target, *options) == 0
    assert "turns 20 to 36, 4.0 s, 17 pictures" in capsys.readouterr().err
    header, *events = map(json.loads, target.read_text().splitlines())
    assert (header["width"], header["height"]) == (90, 24)
    screen = pyte.Screen(90, 24)
    stream = pyte.Stream(screen)
    stream.feed(events[0][2])
    assert "turn 20" in "\n".join(screen.display)
    for _, kind, text in events[1:]:
        stream.feed(text if kind == "o" else "")
    assert "turn 36" in "\n".join(screen.display)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--export", "a.png"], "must end in .cast or .gif"),
        (["--export", "a.cast", "--export-size", "10x10"], "must be from 40x16 to 240x80"),
        (["--export", "a.cast", "--export-size", "wide"], "must be from 40x16"),
        (["--export", "a.cast", "--from-turn", "9", "--to-turn", "3"], "comes after"),
        (["--export", "a.cast", "--to-turn", "99999"], "from 0 to 160"),
        (["--export", "a.cast", "--idle", "never"], "number of seconds"),
        (["--export", "a.cast", "--speed", "max"], "cannot be filmed"),
        (["--export", "a.cast", "--speed", "1/0"], "from 1/8 to 64"),
        (["--export", "a.cast", "--verify"], "not several"),
        (["--to-turn", "5"], "go with --export"),
        (["--force"], "go with --export"),
    ],
)
def test_bad_options_are_said_in_a_sentence(
    recorded, tmp_path, monkeypatch, capsys, options, sentence
):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert command("replay", recorded.path, *options) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_is_not_there_is_said(recorded, tmp_path, capsys):
    target = tmp_path / "nowhere" / "a.cast"
    assert command("replay", recorded.path, "--export", target) == 1
    assert f"{target}: cannot be written" in capsys.readouterr().err


def wrong(recorded, tmp_path, turn):
    """Return the path of the run with a wrong action on ``turn``."""
    lines = recorded.path.read_text().splitlines()
    number = [n for n, line in enumerate(lines) if '"do"' in line][turn - 1]
    line = lines[number]
    action = line[line.index("[") : line.index("]") + 1]
    lines[number] = line.replace(action, '["descend"]', 1)
    path = tmp_path / "wrong.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_run_out_of_sync_makes_no_film_but_what_came_before_does(recorded, tmp_path, capsys):
    path = wrong(recorded, tmp_path, 30)
    target = tmp_path / "a.cast"
    target.write_text("dear")
    assert command("replay", path, "--export", target, "--force") == 4
    assert "turn 30" in capsys.readouterr().err
    assert target.read_text() == "dear"
    fresh = tmp_path / "b.cast"
    assert command("replay", path, "--export", fresh) == 4
    assert not fresh.exists()
    assert command("replay", path, "--export", fresh, "--to-turn", 29) == 0
    assert fresh.exists()
    with pytest.raises(OutOfSync):
        list(Playback(read_run(path)).to_end())


def test_an_interrupted_film_leaves_nothing_behind(recorded, tmp_path, monkeypatch):
    def interrupted(*_):
        yield b"half of it"
        raise KeyboardInterrupt

    monkeypatch.setattr("render.cli.export.cast", interrupted)
    target = tmp_path / "a.cast"
    assert command("replay", recorded.path, "--export", target) == 130
    assert not target.exists()
    target.write_text("dear")
    assert command("replay", recorded.path, "--export", target, "--force") == 130
    assert [path.read_text() for path in tmp_path.glob("a.cast*")] == ["dear"]


def test_a_run_without_a_single_turn_is_one_picture(tmp_path):
    run = Run.begin(Setup(5, "5", generator="rooms"), tmp_path / "new.jsonl")
    run.close()
    target = tmp_path / "a.cast"
    assert command("replay", tmp_path / "new.jsonl", "--export", target) == 0
    assert [json.loads(line)[1] for line in target.read_text().splitlines()[1:]] == ["o", "o"]
