"""The terminal face on a real line: it takes the terminal over and gives it back."""

import os
import signal
import time

import pytest

from render.backends import terminal
from render.ui.frame import Rect
from render.ui.input import Key, Paste, Pointer, Resized
from support.fake_terminal import Paper, scribble
from support.pseudo_terminal import on_a_line

termios = pytest.importorskip("termios")


@pytest.fixture
def line(monkeypatch):
    with on_a_line(monkeypatch) as line:
        yield line


def test_the_terminal_is_taken_over_and_given_back(line):
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with terminal.TerminalBackend() as face:
        local = line.modes()[3]
        assert not local & (termios.ECHO | termios.ICANON | termios.IEXTEN)
        assert local & termios.ISIG
        opened = line.printed()
        for mode in ("1049h", "25l", "2004h", "1003h", "1006h"):
            assert f"\x1b[?{mode}" in opened
        assert (face.frame().columns, face.frame().rows) == (40, 12)
    assert line.modes() == line.before
    closed = line.printed()
    for mode in ("1049l", "25h", "2004l", "1003l", "1006l", "7h"):
        assert f"\x1b[?{mode}" in closed
    face.__exit__()
    assert line.printed() == ""
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == handlers


def test_frames_are_shown_and_only_changes_printed(line):
    with terminal.TerminalBackend() as face:
        line.printed()
        paper = Paper(40, 12)
        frame = face.frame()
        frame.text.print(2, 1, "hello")
        face.show(frame)
        assert len(paper.print(line.printed())) == 480
        assert paper.rows()[1].rstrip() == "  hello"
        frame.text.print(2, 1, "hallo")
        face.show(frame)
        assert paper.print(line.printed()) == [(3, 1)]
        face.show(frame)
        assert line.printed() == ""
        face.show(scribble("too large", 200, 100))
        paper.print(line.printed())
        assert paper.rows()[0].rstrip() == "too large"


def test_keys_come_through_the_line(line):
    with terminal.TerminalBackend() as face:
        line.type("aé\x1b[A\x13")
        assert face.wait(1) == [Key("a"), Key("é"), Key("up"), Key("s", ctrl=True)]
        start = time.monotonic()
        assert face.wait(0.05) == []
        assert time.monotonic() - start > 0.04
        line.type("\x1b")
        start = time.monotonic()
        assert face.wait(9) == [Key("escape")]
        assert time.monotonic() - start < 3
        line.type("\x1b[200~pasted \x1b[201~")
        assert face.wait(1) == [Paste("pasted ")]
        line.type("abc")
        face.discard()
        assert face.wait(0) == []


def test_waiting_costs_nothing(line):
    with terminal.TerminalBackend() as face:
        face.wait(0)
        start = time.thread_time()
        face.wait(0.3)
        assert time.thread_time() - start < 0.1


def test_the_pointer_knows_the_cell_of_the_map(line):
    with terminal.TerminalBackend() as face:
        frame = face.frame()
        frame.open_map(Rect(4, 2, 10, 5))
        face.show(frame)
        line.type("\x1b[<0;7;4M")
        assert face.wait(1) == [Pointer("press", 6, 3, spot=(2, 1), button="left")]


def test_a_new_size_is_noticed_and_everything_drawn_again(line):
    with terminal.TerminalBackend() as face:
        face.show(face.frame())
        line.resize(50, 20)
        os.kill(os.getpid(), signal.SIGWINCH)
        assert face.wait(2) == [Resized()]
        line.printed()
        face.show(face.frame())
        assert len(Paper(50, 20).print(line.printed())) == 1000
        line.type("\x12")
        assert face.wait(2) == [Resized()]
        face.show(face.frame())
        assert len(Paper(50, 20).print(line.printed())) == 1000


def test_text_is_offered_to_the_clipboard(line):
    with terminal.TerminalBackend() as face:
        line.printed()
        assert face.copy("caves:42")
        assert line.printed() == "\x1b]52;c;Y2F2ZXM6NDI=\x07"
        assert not face.copy("x" * 100_000)
        assert not face.screenshot("nowhere.png")
    assert not face.copy("too late")


def test_a_terminal_answers_that_it_cannot_change_its_size(line):
    with terminal.TerminalBackend() as face:
        assert [face.zoom(1), face.zoom_text(1), face.toggle_fullscreen()] == [False] * 3


def test_a_frame_in_no_colour(line, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal.TerminalBackend() as face:
        assert "\x1b[?1049h" in line.printed()
        face.show(scribble("x"))
        assert "38;" not in line.printed()
        assert face.frame().flicker is None, "it would switch bold on and off"
    assert os.environ["NO_COLOR"] == "1"
