"""The terminal face on a real line: it takes the terminal over and gives it back."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from paper import Paper, scribble
from render.faces import terminal
from render.frame import NoDisplay, Rect
from render.inputs import Closed, Key, Paste, Pointer, Resized

pty = pytest.importorskip("pty")
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


@pytest.fixture
def line(monkeypatch):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    for name in ("NO_COLOR", "STY", "ESCDELAY"):
        monkeypatch.delenv(name, raising=False)
    line = Line()
    monkeypatch.setattr(sys, "__stdin__", os.fdopen(line.slave, closefd=False))
    monkeypatch.setattr(sys, "__stdout__", os.fdopen(line.slave, "w", closefd=False))
    yield line
    for fd in (line.master, line.slave):
        if fd >= 0:
            os.close(fd)


def test_the_terminal_is_taken_over_and_given_back(line):
    handlers = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with terminal.Terminal() as face:
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


def test_a_crash_gives_the_terminal_back(line):
    def play():
        with terminal.Terminal() as face:
            face.show(scribble("x"))
            line.printed()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        play()
    assert line.modes() == line.before
    assert "\x1b[?1049l" in line.printed()


def test_frames_are_shown_and_only_changes_printed(line):
    with terminal.Terminal() as face:
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
    with terminal.Terminal() as face:
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
    with terminal.Terminal() as face:
        face.wait(0)
        start = time.thread_time()
        face.wait(0.3)
        assert time.thread_time() - start < 0.1


def test_the_pointer_knows_the_cell_of_the_map(line):
    with terminal.Terminal() as face:
        frame = face.frame()
        frame.open_map(Rect(4, 2, 10, 5))
        face.show(frame)
        line.type("\x1b[<0;7;4M")
        assert face.wait(1) == [Pointer("press", 6, 3, spot=(2, 1), button="left")]


def test_a_new_size_is_noticed_and_everything_drawn_again(line):
    with terminal.Terminal() as face:
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


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_end_is_heard(line, number):
    with terminal.Terminal() as face:
        os.kill(os.getpid(), number)
        assert face.wait(2) == [Closed()]
        assert face.wait(None) == [Closed()]


def test_a_line_that_hangs_up_is_heard_and_harms_nothing(line):
    with terminal.Terminal() as face:
        line.hang_up()
        assert face.wait(2) == [Closed()]
        face.show(scribble("nobody sees this"))
        assert not face.copy("nor that")


def test_after_being_stopped_everything_is_set_up_again(line):
    with terminal.Terminal() as face:
        face.show(face.frame())
        line.printed()
        termios.tcsetattr(line.slave, termios.TCSANOW, line.before)
        os.kill(os.getpid(), signal.SIGCONT)
        assert face.wait(2) == [Resized()]
        assert not line.modes()[3] & termios.ECHO
        assert "\x1b[?1049h" in line.printed()
    assert line.modes() == line.before


def test_text_is_offered_to_the_clipboard(line):
    with terminal.Terminal() as face:
        line.printed()
        assert face.copy("caves:42")
        assert line.printed() == "\x1b]52;c;Y2F2ZXM6NDI=\x07"
        assert not face.copy("x" * 100_000)
        assert not face.screenshot("nowhere.png")
    assert not face.copy("too late")


def test_a_frame_in_no_colour(line, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    with terminal.Terminal() as face:
        assert "\x1b[?1049h" in line.printed()
        face.show(scribble("x"))
        assert "38;" not in line.printed()
    assert os.environ["NO_COLOR"] == "1"


def test_where_there_is_no_terminal_a_sentence_says_so(line, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    with pytest.raises(NoDisplay, match="set TERM"):
        terminal.Terminal()
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "__stdin__", nothing)
        with pytest.raises(NoDisplay, match="needs a terminal"):
            terminal.Terminal()
    assert line.printed() == ""


PROGRAM = """
from render.faces.terminal import Terminal
with Terminal() as face:
    frame = face.frame()
    frame.text.print(0, 0, "ready")
    face.show(frame)
    face.wait(None)
"""


def test_ctrl_c_interrupts_a_wait_and_leaves_the_terminal_as_it_was():
    pid, master = pty.fork()
    if pid == 0:
        os.environ |= {"TERM": "xterm-256color", "PYTHONPATH": os.pathsep.join(sys.path)}
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
