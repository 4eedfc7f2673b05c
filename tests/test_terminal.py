"""The terminal face: what it prints, what it hears, and that it gives the terminal back."""

import os
import re
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from render.faces import terminal, terminal_voice
from render.faces.ansi import BLANK, Screen, dyed
from render.faces.ansi_colors import _CUBE, _GREYS, PALETTES, Depth, depth_of, fall_back
from render.faces.terminal_cells import Cells, Letters, flatten, spot_at
from render.faces.terminal_keys import PASTE_PAUSE, Keyboard
from render.frame import Frame, NoDisplay, Rect
from render.glyphs import STAIRS_DOWN, WALLS
from render.inputs import Closed, Key, Paste, Pointer, Resized

pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")
termios = pytest.importorskip("termios")

LETTERS = Letters("utf-8")
PART = re.compile(
    r"\x1b\[\?[\d;]*[hl]|(?P<clear>\x1b\[2J)|\x1b\[(?P<y>\d+);(?P<x>\d+)H"
    r"|\x1b\[(?P<style>[\d;]*)m|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)


class Paper:
    """A terminal of the simplest kind: keeps what is printed where, and in which style."""

    def __init__(self, columns, rows):
        self.cells = {(x, y): None for x in range(columns) for y in range(rows)}
        self.x = self.y = 0
        self.style = ""

    def print(self, text):
        """Return the cells printed on; fail at anything that is not understood."""
        touched, at = [], 0
        while at < len(text):
            part = PART.match(text, at)
            assert part, f"unexpected {text[at : at + 20]!r}"
            at = part.end()
            if part["clear"]:
                self.cells = dict.fromkeys(self.cells)
            elif part["y"]:
                self.x, self.y = int(part["x"]) - 1, int(part["y"]) - 1
            elif part["style"] is not None:
                self.style = part["style"]
            for char in part["text"] or "":
                assert (self.x, self.y) in self.cells
                self.cells[self.x, self.y] = char
                touched.append((self.x, self.y))
                self.x += 1
        return touched

    def rows(self):
        width = max(x for x, _ in self.cells) + 1
        chars = [self.cells[key] or " " for key in sorted(self.cells, key=lambda at: at[::-1])]
        return ["".join(chars[at : at + width]) for at in range(0, len(chars), width)]


def packed(*colors):
    return np.array([int(color, 16) for color in colors], np.uint32)


def scribble(text="", columns=12, rows=4):
    frame = Frame(columns, rows)
    frame.text.print(0, 0, text)
    return frame


# What is printed


def test_the_palettes_own_colours_stay_what_they_are():
    colors = np.array([r << 16 | g << 8 | b for r, g, b in _CUBE + _GREYS], np.uint32)
    assert PALETTES[Depth.INDEXED].nearest(colors).tolist() == list(range(16, 256))


@pytest.mark.parametrize(
    ("color", "number"),
    [("0b0d14", 232), ("fefefe", 231), ("7d7f8a", 244), ("e8b765", 215), ("5f5faf", 61)],
)
def test_colours_fall_back_to_the_cube_or_the_greys(color, number):
    assert PALETTES[Depth.INDEXED].nearest(packed(color)).tolist() == [number]


def test_sixteen_colours_keep_the_hue_and_the_dark():
    inks = packed("c9c4b6", "e8b765", "8fc07a", "e0705c", "7fb0c9", "4a4e5e")
    ground = np.full_like(inks, 0x0B0D14)
    ink, paper = fall_back(inks, ground, Depth.ANSI)
    assert ink.tolist() == [7, 3, 2, 9, 6, 8]
    assert set(paper.tolist()) == {0}


@pytest.mark.parametrize("depth", [Depth.ANSI, Depth.INDEXED])
def test_a_faint_letter_does_not_drown_and_a_hidden_one_stays_hidden(depth):
    ink, paper = fall_back(packed("20283c", "111111"), packed("141a28", "111111"), depth)
    assert ink[0] != paper[0]
    assert ink[1] == paper[1]


@pytest.mark.parametrize(
    ("colors", "environ", "depth"),
    [
        (256, {}, Depth.INDEXED),
        (256, {"COLORTERM": "truecolor"}, Depth.TRUE),
        (8, {"COLORTERM": "24bit"}, Depth.TRUE),
        (1 << 24, {}, Depth.TRUE),
        (8, {}, Depth.ANSI),
        (88, {}, Depth.ANSI),
        (0, {}, Depth.MONO),
        (1 << 24, {"COLORTERM": "truecolor", "NO_COLOR": "1"}, Depth.MONO),
        (256, {"NO_COLOR": ""}, Depth.INDEXED),
        (1 << 24, {"COLORTERM": "truecolor", "STY": "1.pts"}, Depth.INDEXED),
    ],
)
def test_how_many_colours_there_are(colors, environ, depth):
    assert depth_of(colors, environ) is depth


def test_without_colour_light_ground_is_reversed_and_bright_ink_bold():
    codes = np.array([[ord("a"), ord("b"), ord("c"), BLANK]], np.uint32)
    ink = packed("ffffff", "000000", "404040", "ffffff").reshape(1, 4)
    paper = packed("000000", "e0e0e0", "000000", "e0e0e0").reshape(1, 4)
    styled = dyed(Cells(codes, ink, paper), Depth.MONO)
    assert styled.paper.tolist() == [[1, 2, 0, 2]]
    assert "38;" not in Screen(Depth.MONO).paint(Cells(codes, ink, paper))


def test_the_map_lies_over_the_text_and_overlays_over_the_map():
    frame = Frame(6, 3)
    frame.text.rgb["ch"] = ord("t")
    frame.open_map(Rect(1, 0, 4, 3)).rgb["ch"] = [WALLS + 7, STAIRS_DOWN, ord("@"), 0]
    frame.overlays.append(Rect(0, 1, 3, 1))
    paper = Paper(6, 3)
    paper.print(Screen(Depth.TRUE).paint(flatten(frame, LETTERS)))
    assert paper.rows() == ["t#>@ t", "ttt@ t", "t#>@ t"]
    assert spot_at(frame, 3, 2) == (2, 2)
    assert spot_at(frame, 2, 1) is None
    assert spot_at(frame, 5, 0) is None


def test_a_map_that_hangs_over_the_edge_is_cut():
    frame = Frame(4, 2)
    frame.open_map(Rect(2, 1, 9, 9)).rgb["ch"] = ord("m")
    frame.overlays.append(Rect(-3, -3, 4, 4))
    assert chars(flatten(frame, LETTERS)) == ["    ", "  mm"]


def chars(cells):
    return ["".join(map(chr, row)) for row in cells.codes.tolist()]


pictures = st.lists(
    st.tuples(st.sampled_from("ab #·"), st.integers(0, 2), st.integers(0, 2)),
    min_size=15,
    max_size=15,
)


@given(st.lists(pictures, min_size=2, max_size=4), st.sampled_from(list(Depth)))
@settings(max_examples=40, deadline=None)
def test_exactly_the_changed_cells_are_printed(drawn, depth):
    screen, paper = Screen(depth), Paper(5, 3)
    colors = packed("000000", "c08040", "ffffff")
    before = None
    for picture in drawn:
        codes = np.array([ord(char) for char, _, _ in picture], np.uint32)
        ink = colors[[ink for _, ink, _ in picture]]
        ground = colors[[ground for _, _, ground in picture]]
        cells = Cells(*(layer.reshape(3, 5) for layer in (codes, ink, ground)))
        touched = paper.print(screen.paint(cells))
        now = np.stack(dyed(cells, depth))
        changed = np.ones((3, 5), bool) if before is None else (now != before).any(axis=0)
        assert touched == [(x, y) for y, x in np.argwhere(changed)]
        assert paper.rows() == chars(cells)
        assert screen.paint(cells) == ""
        before = now


def test_a_letter_keeps_its_colours_next_to_a_blank():
    frame = Frame(3, 1)
    frame.text.print(0, 0, "a b", fg=(1, 2, 3), bg=(4, 5, 6))
    out = Screen(Depth.TRUE).paint(flatten(frame, LETTERS))
    assert "\x1b[38;2;1;2;3;48;2;4;5;6ma b\x1b[m" in out


@given(st.lists(st.integers(-5, 0x110005) | st.integers(0, 0xFFF), min_size=8, max_size=8))
@settings(max_examples=100, deadline=None)
def test_nothing_but_printable_letters_one_column_wide_reaches_the_terminal(codes):
    frame = Frame(8, 1)
    frame.text.rgb["ch"] = codes
    paper = Paper(8, 1)
    touched = paper.print(Screen(Depth.TRUE).paint(flatten(frame, LETTERS)))
    assert len(touched) == 8
    for char in paper.rows()[0]:
        assert wcwidth(char) == 1
        assert not 0xD800 <= ord(char) < 0xF900


def test_all_code_points_can_be_printed():
    printed = LETTERS.printed(np.arange(0x2FFF))
    assert not (printed < 32).any()
    assert not ((printed >= 127) & (printed < 160)).any()
    assert all(wcwidth(chr(code)) == 1 for code in set(printed.tolist()))
    assert chr(int(LETTERS.printed(np.array([0x4E00]))[0])) == "?"


def test_letters_a_terminal_lacks_have_stand_ins():
    text = "a·•≈♣─╬é“漢"
    codes = np.array([ord(char) for char in text])
    assert "".join(map(chr, Letters("ascii").printed(codes))) == 'a.*~&-+e"?'
    assert "".join(map(chr, LETTERS.printed(codes))) == text[:-1] + "?"
    assert chr(Letters("utf-8", ambiguous=2).printed(codes)[1]) == "."


def test_the_cursor_is_shown_where_the_frame_says():
    screen = Screen(Depth.TRUE)
    cells = flatten(scribble("x"), LETTERS)
    assert screen.paint(cells, (3, 2)).endswith("\x1b[3;4H\x1b[?25h\x1b[?2026l")
    moved = screen.paint(cells, (0, 0))
    assert "x" not in moved
    assert "\x1b[1;1H\x1b[?25h" in moved
    assert "\x1b[?25h" not in screen.paint(cells)
    assert screen.paint(cells) == ""


# What is heard


def keyboard(kind="xterm-256color"):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", kind)
        patch.setenv("NO_COLOR", "1")
        return Keyboard(terminal_voice.voice())


KEYBOARD = keyboard()


def heard(text, board=KEYBOARD, *, later=60.0):
    board.hear(text, 0.0)
    return board.read(0.0) + board.read(later)


SENT = {
    "a": "a",
    "G": "G",
    "é": "é",
    "漢": "漢",
    ">": ">",
    " ": "space",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\x1b": "escape",
    "\x01": "ctrl+a",
    "\x00": "ctrl+space",
    "\x1c": "ctrl+\\",
    "\x1bx": "alt+x",
    "\x1bX": "alt+x",
    "\x1b\r": "alt+enter",
    "\x1b[": "alt+[",
    "\x1bO": "alt+o",
    "\x1b\x01": "ctrl+alt+a",
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[H": "home",
    "\x1b[4~": "end",
    "\x1b[5~": "pageup",
    "\x1b[3~": "delete",
    "\x1b[2~": "insert",
    "\x1bOP": "f1",
    "\x1b[15~": "f5",
    "\x1b[24~": "f12",
    "\x1b[Z": "shift+tab",
    "\x1b[1;2A": "shift+up",
    "\x1b[1;2H": "shift+home",
    "\x1b[5;2~": "shift+pageup",
    "\x1b[1;5C": "ctrl+right",
    "\x1b[1;3D": "alt+left",
    "\x1b[1;2P": "shift+f1",
    "\x1bOp": "kp_0",
    "\x1bOy": "kp_9",
    "\x1b[E": "kp_5",
    "\x1bOE": "kp_5",
    "\x1bOk": "+",
    "\x1bOM": "enter",
    "\x1b[97;5u": "ctrl+a",
    "\x1b[27;5;105~": "ctrl+i",
    "\x1b[27;2;13~": "shift+enter",
}


@pytest.mark.parametrize("sent", SENT)
def test_keys_are_told_by_what_the_terminal_sends(sent):
    assert [str(key) for key in heard(sent)] == [SENT[sent]]


def test_keys_of_other_terminals():
    linux = keyboard("linux")
    assert heard("\x1b[[A\x1b[[E\x1b[1~", linux) == [Key("f1"), Key("f5"), Key("home")]
    rxvt = keyboard("rxvt-unicode-256color")
    keys = heard("\x1b[a\x1bOd\x1b[7$\x1b[6^\x1b[3@\x1b[25~\x1b[11~", rxvt)
    assert " ".join(map(str, keys)) == (
        "shift+up ctrl+left shift+home ctrl+pagedown ctrl+shift+delete f1"
    )


@pytest.mark.parametrize("sent", [sent for sent in SENT if len(sent) > 2])
def test_a_key_may_come_in_pieces(sent):
    board = KEYBOARD
    for at, char in enumerate(sent):
        board.hear(char, at * 0.01)
        keys = board.read(at * 0.01)
    assert [str(key) for key in keys + board.read(60)] == [SENT[sent]]


def test_what_nobody_asked_for_is_swallowed_whole():
    noise = (
        "\x1b[?62;4c\x1b[12;40R\x1bP1+r544e\x1b\\\x1b]11;rgb:0/0/0\x07\x1b[I\x1b[99;7x\x85\udc80"
    )
    assert heard(f"a{noise}b") == [Key("a"), Key("b")]


def test_escape_counts_once_nothing_follows():
    board = keyboard()
    board.hear("\x1b", 5.0)
    assert board.read(5.0) == []
    assert 0 < board.due - 5.0 <= 0.1
    assert board.read(board.due) == [Key("escape")]
    assert board.due is None
    assert heard("\x1b\x1b[A", board) == [Key("escape"), Key("up")]


def test_a_paste_is_one_input_however_it_comes():
    assert heard("x\x1b[200~two\r\nlines\x1b[31m\rq\x00\x1b[201~y") == [
        Key("x"),
        Paste("two\nlines[31m\nq"),
        Key("y"),
    ]
    board = keyboard()
    for at, piece in enumerate(("\x1b[20", "0~he", "llo\x1b[2", "01~")):
        board.hear(piece, at * 0.04)
        inputs = board.read(at * 0.04)
    assert inputs == [Paste("hello")]
    board.hear("\x1b[200~cut off", 0.0)
    assert board.read(PASTE_PAUSE - 0.1) == []
    assert board.read(PASTE_PAUSE) == [Paste("cut off")]


def test_the_mouse():
    moves = "\x1b[<35;5;5M\x1b[<35;6;7M"
    assert heard(moves + "\x1b[<0;6;7M\x1b[<0;6;7m\x1b[<2;1;1M\x1b[<64;2;2M\x1b[<65;2;2M") == [
        Pointer("move", 5, 6),
        Pointer("press", 5, 6, button="left"),
        Pointer("press", 0, 0, button="right"),
        Pointer("wheel", 1, 1, amount=1),
        Pointer("wheel", 1, 1, amount=-1),
    ]
    assert heard("\x1b[M !!") == [Pointer("press", 0, 0, button="left")]


@given(st.text(st.sampled_from("\x1b[]OPM<;:?0129~$ amu\\\x07\x00\r\udc9b"), max_size=12))
@settings(max_examples=150, deadline=None)
def test_any_input_comes_to_an_end(text):
    for one in heard(text):
        assert not isinstance(one, Key) or one.name.isprintable()
    assert KEYBOARD.due is None


# A real terminal line


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
        start = time.process_time()
        face.wait(0.3)
        assert time.process_time() - start < 0.1


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
