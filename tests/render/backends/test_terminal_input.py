"""What the terminal face hears: keys, pastes and the mouse, however they are sent."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render.backends import terminal_capabilities as terminal_voice
from render.backends.terminal_input import PASTE_PAUSE, InputParser, escape_delay
from render.ui.input import Key, Paste, Pointer

pytest.importorskip("termios")


def keyboard(kind="xterm-256color"):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TERM", kind)
        patch.setenv("NO_COLOR", "1")
        return InputParser(terminal_voice.capabilities())


KEYBOARD = keyboard()


def heard(text, board=KEYBOARD, *, later=60.0):
    board.feed(text, 0.0)
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
        board.feed(char, at * 0.01)
        keys = board.read(at * 0.01)
    assert [str(key) for key in keys + board.read(60)] == [SENT[sent]]


def test_unrequested_reports_of_the_terminal_are_ignored_whole():
    noise = (
        "\x1b[?62;4c\x1b[12;40R\x1bP1+r544e\x1b\\\x1b]11;rgb:0/0/0\x07\x1b[I\x1b[99;7x\x85\udc80"
    )
    assert heard(f"a{noise}b") == [Key("a"), Key("b")]


def test_escape_counts_once_nothing_follows():
    board = keyboard()
    board.feed("\x1b", 5.0)
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
        board.feed(piece, at * 0.04)
        inputs = board.read(at * 0.04)
    assert inputs == [Paste("hello")]
    board.feed("\x1b[200~cut off", 0.0)
    assert board.read(PASTE_PAUSE - 0.1) == []
    assert board.read(PASTE_PAUSE) == [Paste("cut off")]


def test_a_key_that_follows_itself_at_once_is_held_down():
    board = keyboard()

    def at(now, text):
        board.feed(text, now)
        return [key.repeat for key in board.read(now)]

    assert at(1.0, "l") == [False]
    assert at(1.5, "l") == [False]  # the pause before a keyboard repeats may be a second press
    assert at(1.53, "l") == [True]
    assert at(1.62, "ll") == [True, True]
    assert at(1.9, "lkk\x1b[A\x1b[A") == [False, False, True, False, True]
    assert at(1.95, "\x1b[<35;3;4M\x1b[A"[-3:]) == [True]
    assert at(2.5, "\x1b[A") == [False]


@pytest.mark.parametrize("kind", ["xterm-256color", "linux", "vt100", "screen", "rxvt"])
def test_keys_of_normal_and_of_application_mode_are_heard_whatever_the_terminal(kind):
    names = ["up", "down", "right", "left", "kp_5", "end", "home"]
    for lead in ("\x1b[", "\x1bO"):
        assert [
            str(key) for key in heard("".join(lead + c for c in "ABCDEFH"), keyboard(kind))
        ] == (names)


def test_two_presses_that_a_slow_line_delivers_at_once_are_no_held_key():
    board = keyboard()

    def at(now, text):
        board.feed(text, now)
        return [key.repeat for key in board.read(now)]

    assert at(5.0, "ff") == [False, False]
    assert at(5.03, "f") == [True]
    assert at(5.06, "ff") == [True, True]
    assert at(6.0, "fff") == [False, False, True], "no more than two"
    assert at(7.0, "o") == [False]
    assert at(7.25, "o") == [False]
    assert at(7.28, "o") == [True], "held on a fast line"
    assert at(9.0, "o") + at(9.5, "oo") == [False, False, True], "held while the game was busy"


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


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("25", 0.025), ("", 0.05), ("soon", 0.05), ("1e30", 60), ("inf", 60), ("nan", 60)],
)
def test_the_delay_after_esc_is_one_that_can_be_waited_for(text, seconds, monkeypatch):
    monkeypatch.setenv("ESCDELAY", text)
    assert escape_delay() == seconds
