"""The line a terminal hangs on: signals, a crash, an end, and all as it was before."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from render.backends import terminal
from render.ui.frame import NoDisplay
from render.ui.input import Closed, Resized
from support.fake_terminal import scribble
from support.pseudo_terminal import on_a_line

pty = pytest.importorskip("pty")
termios = pytest.importorskip("termios")


@pytest.fixture
def line(monkeypatch):
    with on_a_line(monkeypatch) as line:
        yield line


def test_a_crash_gives_the_terminal_back(line):
    def play():
        with terminal.TerminalBackend() as face:
            face.show(scribble("x"))
            line.printed()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play()
    assert line.modes() == line.before
    assert "\x1b[?1049l" in line.printed()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_request_to_end_is_heard(line, number):
    with terminal.TerminalBackend() as face:
        os.kill(os.getpid(), number)
        assert face.wait(2) == [Closed()]
        assert face.wait(None) == [Closed()]


def test_a_line_that_hangs_up_is_heard_and_harms_nothing(line):
    with terminal.TerminalBackend() as face:
        line.hang_up()
        assert face.wait(2) == [Closed()]
        face.show(scribble("nobody sees this"))
        assert not face.copy("nor that")


def test_after_being_stopped_everything_is_set_up_again(line):
    with terminal.TerminalBackend() as face:
        face.show(face.frame())
        line.printed()
        termios.tcsetattr(line.slave, termios.TCSANOW, line.before)
        os.kill(os.getpid(), signal.SIGCONT)
        assert face.wait(2) == [Resized()]
        assert not line.modes()[3] & termios.ECHO
        assert "\x1b[?1049h" in line.printed()
    assert line.modes() == line.before


def test_where_there_is_no_terminal_a_sentence_says_so(line, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(NoDisplay, match="set TERM"):
        terminal.TerminalBackend()
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "__stdin__", nothing)
        with pytest.raises(NoDisplay, match="no terminal to play in"):
            terminal.TerminalBackend()
    assert line.printed() == ""


PROGRAM = """
from render.backends.terminal import TerminalBackend
with TerminalBackend() as face:
    frame = face.frame()
    frame.text.print(0, 0, "ready")
    face.show(frame)
    face.wait(None)
"""


def test_ctrl_c_interrupts_a_wait_and_leaves_the_terminal_as_it_was():
    pid, master = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
        os.environ["PYTHON_COLORS"] = "0"  # Python 3.13 colours the last line of a traceback.
        os.execv(sys.executable, [sys.executable, "-c", PROGRAM])
    before = termios.tcgetattr(master)
    printed = read_until(master, "ready")
    assert termios.tcgetattr(master) != before
    time.sleep(0.1)
    os.write(master, b"\x03")
    printed = read_until(master, "KeyboardInterrupt\r\n")
    assert printed.index("\x1b[?1049l") < printed.index("Traceback")
    assert termios.tcgetattr(master) == before
    assert os.waitpid(pid, 0)[1] == signal.SIGINT
    os.close(master)


def read_until(master, sign):
    text, end = "", time.monotonic() + 10
    while sign not in text and time.monotonic() < end:
        text += os.read(master, 65536).decode()
    assert sign in text
    return text
