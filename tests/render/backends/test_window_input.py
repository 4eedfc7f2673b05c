"""What the window hears: keys, text, mouse and news of its size."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tcod.event import (
    KeyDown,
    KeySym,
    Modifier,
    MouseButton,
    MouseButtonDown,
    MouseMotion,
    MouseWheel,
    Point,
    Quit,
    Scancode,
    TextInput,
    WindowEvent,
)

from render.backends.window_input import EventTranslator
from render.backends.window_layout import (
    FEWEST_CELLS,
    TEXT_HEIGHTS,
    grid,
    largest_text,
    smallest_window,
    text_cell,
)
from render.ui.input import Closed, Key, Paste, Pointer, Resized

NO_MOD, CTRL, SHIFT, ALTGR = Modifier(0), Modifier.LCTRL, Modifier.LSHIFT, Modifier.MODE


ALT, RIGHT_ALT, COMMAND = Modifier.LALT, Modifier.LCTRL | Modifier.RALT, Modifier.LGUI


def down(sym, mod=NO_MOD, scancode=Scancode.UNKNOWN, repeat=False):
    sym = KeySym[sym] if isinstance(sym, str) else KeySym(sym)
    return KeyDown(scancode=scancode, sym=sym, mod=mod, repeat=repeat, pressed=True)


def typed(text):
    return TextInput(text=text)


def keypad(name, mod=NO_MOD):
    return down(f"KP_{name}", mod, Scancode[f"KP_{name}"])


def window_event(kind):
    return WindowEvent(type=kind, window_id=1, data=(0, 0))


def find(point):
    """Pretend that cells are ten pixels and that the map lies right of 100."""
    x, y = int(point[0] // 10), int(point[1] // 10)
    return x, y, (x - 10, y) if x >= 10 else None


def hear(*events, clipboard="seed"):
    return EventTranslator(find, lambda: clipboard).translate(events)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([down("A"), typed("a")], [Key("a")]),
        ([down("PERIOD", SHIFT), typed(">")], [Key(">")]),
        ([down("LESS"), typed("<")], [Key("<")]),
        ([down(0xE4), typed("ä")], [Key("ä")]),
        ([typed("né")], [Key("n"), Key("é")]),
        ([down("H", repeat=True), typed("h")], [Key("h", repeat=True)]),
        ([down("H", repeat=True), typed("h"), down("J"), typed("j")], None),
        ([down("UP")], [Key("up")]),
        ([down("UP", SHIFT, repeat=True)], [Key("up", shift=True, repeat=True)]),
        ([down("RETURN", ALT)], [Key("enter", alt=True)]),
        ([down("LEFT_TAB", SHIFT)], [Key("tab", shift=True)]),
        ([down("F12")], [Key("f12")]),
        ([down("LSHIFT", SHIFT), down("LCTRL", CTRL)], []),
        ([down("SPACE"), typed(" ")], [Key("space")]),
        ([down("SPACE", SHIFT), typed(" ")], [Key("space", shift=True)]),
        ([down("SPACE", CTRL), typed(" ")], [Key("space", ctrl=True)]),
        ([keypad("7"), typed("7")], [Key("kp_7")]),
        ([keypad("7")], [Key("kp_7")]),
        ([keypad("7", SHIFT)], [Key("kp_7", shift=True)]),
        ([keypad("7"), down("N7"), typed("7")], [Key("kp_7"), Key("7")]),
        ([keypad("ENTER")], [Key("kp_enter")]),
        ([keypad("PLUS"), typed("+")], [Key("+")]),
        ([keypad("PLUS", CTRL)], [Key("+", ctrl=True)]),
        ([down("A", CTRL)], [Key("a", ctrl=True)]),
        ([down("A", CTRL | SHIFT)], [Key("a", ctrl=True)]),
        ([down("EQUALS", CTRL | SHIFT, Scancode.EQUALS)], [Key("+", ctrl=True)]),
        ([down("A", ALT), typed("a")], [Key("a", alt=True)]),
        ([down("A", ALT), down("B", ALT)], [Key("a", alt=True), Key("b", alt=True)]),
        ([down("Q", ALTGR), typed("@")], [Key("@")]),
        ([down("Q", RIGHT_ALT), typed("@")], [Key("@")]),
        ([down("V", CTRL)], [Paste("seed")]),
        ([down("V", COMMAND)], [Paste("seed")]),
    ],
)
def test_keys(events, expected):
    assert hear(*events) == (expected or hear(*events[:2]) + hear(*events[2:]))


def test_pasted_text_loses_what_cannot_be_printed():
    pasted = hear(down("V", CTRL), clipboard="\ufeffcaves:42\u200b\r\nrooms:7\x1b")
    assert pasted == [Paste("caves:42\nrooms:7")]


def test_an_empty_clipboard_pastes_nothing():
    assert hear(down("V", CTRL), clipboard="") == []


def test_a_keypad_digit_does_not_swallow_the_next_thing_typed():
    listener = EventTranslator(find, str)
    assert listener.translate([keypad("4"), typed("4")]) == [Key("kp_4")]
    assert listener.translate([typed("4")]) == [Key("4")]


def test_mouse():
    way = Point(1.0, 0.0)
    moves = [MouseMotion(position=Point(x, 5.5), motion=way) for x in (5.0, 33.0, 119.9)]
    arrival = MouseMotion(position=Point(50.0, 5.5), motion=Point(0.0, 0.0))
    press = MouseButtonDown(position=Point(105.0, 20.0), button=MouseButton.RIGHT)
    side = MouseButtonDown(position=Point(105.0, 20.0), button=MouseButton.X1)
    rolls = [MouseWheel(x=0, y=y, flipped=False, position=Point(1.0, 1.0)) for y in (-2, 0)]
    assert hear(*moves, arrival, press, side, *rolls, moves[0]) == [
        Pointer("move", 11, 0, (1, 0)),
        Pointer("press", 10, 2, (0, 2), "right"),
        Pointer("wheel", 0, 0, None, amount=-2),
        Pointer("move", 0, 0, None),
    ]


def test_window_news_comes_once():
    kinds = ("WindowResized", "PixelSizeChanged", "WindowExposed", "WindowFocusLost", "WindowClose")
    assert hear(*map(window_event, kinds), Quit()) == [Resized(), Closed()]


windows = st.tuples(
    st.integers(smallest_window()[0], 5000), st.integers(smallest_window()[1], 3000)
)


@given(window=windows, wish=st.sampled_from(TEXT_HEIGHTS))
def test_enough_text_always_fits(window, wish):
    height = largest_text(window, wish)
    columns, rows = grid(window, text_cell(height))
    assert height <= wish
    assert columns >= FEWEST_CELLS[0]
    assert rows >= FEWEST_CELLS[1]
