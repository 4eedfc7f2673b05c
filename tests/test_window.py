"""The window face: what keys and the mouse mean, where pixels lie, what is shown."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from tcod.cffi import ffi, lib
from tcod.console import Console
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
from tcod.tileset import Tileset

from render.faces.window import Window
from render.faces.window_keys import Listener
from render.faces.window_layout import (
    FEWEST,
    TEXT_HEIGHTS,
    TILE_SIZES,
    Layout,
    grid,
    largest_text,
    narrow,
    notch,
    smallest_window,
)
from render.frame import Frame, Rect
from render.glyphs import WALLS
from render.inputs import Closed, Key, Paste, Pointer, Resized
from render.tiles.tileset import map_tileset, text_tileset

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
    return Listener(find, lambda: clipboard).hear(events)


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


def test_an_empty_clipboard_pastes_nothing():
    assert hear(down("V", CTRL), clipboard="") == []


def test_a_keypad_digit_does_not_swallow_the_next_thing_typed():
    listener = Listener(find, str)
    assert listener.hear([keypad("4"), typed("4")]) == [Key("kp_4")]
    assert listener.hear([typed("4")]) == [Key("4")]


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
    columns, rows = grid(window, narrow(height))
    assert height <= wish
    assert columns >= FEWEST[0]
    assert rows >= FEWEST[1]


def test_first_sizes_and_notches():
    assert largest_text((1280, 800), 40, (128, 40)) == 20
    assert largest_text((2560, 1600), 40, (128, 40)) == 40
    assert largest_text((300, 200), 40) == TEXT_HEIGHTS[0]
    assert notch(TILE_SIZES, 24) == 24
    assert notch(TILE_SIZES, 24, 2) == 32
    assert notch(TILE_SIZES, 60, 5) == 64
    assert notch(TILE_SIZES, 16, -3) == 16


def laid_out():
    """80 by 30 cells of 10 by 20 in a window with 7 and 5 pixels to spare; tiles of 24."""
    frame = Frame(80, 30, (2.4, 1.2))
    frame.open_map(Rect(2, 3, 50, 20))
    frame.overlays.append(Rect(40, 5, 30, 4))
    return Layout(frame, (807, 605), (10, 20), 24)


def test_layout():
    layout = laid_out()
    assert layout.origin == (3, 2)
    assert layout.area(Rect(2, 3, 50, 20)) == (23, 62, 500, 400)
    assert layout.area(Rect(70, -2, 50, 20)) == (703, 2, 100, 360)
    # 20 by 16 tiles leave 20 by 16 pixels over, half of them on each side.
    assert layout.map_area() == (33, 70, 480, 384)


@pytest.mark.parametrize(
    ("pixel", "cell", "spot"),
    [
        ((0.0, 0.0), (0, 0), None),
        ((806.9, 604.9), (79, 29), None),
        ((23.0, 62.0), (2, 3), None),
        ((33.0, 70.0), (3, 3), (0, 0)),
        ((56.9, 93.9), (5, 4), (0, 0)),
        ((57.0, 94.0), (5, 4), (1, 1)),
        ((512.9, 453.9), (50, 22), (19, 15)),
        ((513.0, 453.9), (51, 22), None),
        ((402.9, 110.0), (39, 5), (15, 1)),
        ((403.0, 110.0), (40, 5), None),
        ((403.0, 182.0), (40, 9), (15, 4)),
    ],
)
def test_what_lies_at_a_pixel(pixel, cell, spot):
    assert laid_out().cell_at(*pixel) == cell
    assert laid_out().spot_at(*pixel) == spot


def test_a_map_too_large_for_its_rectangle_is_only_seen_inside():
    layout = laid_out()._replace(tile=64)
    assert layout.spot_at(30.0, 70.0) is not None
    assert layout.spot_at(10.0, 70.0) is None


@pytest.fixture
def window() -> Iterator[Window]:
    lib.SDL_SetHintWithPriority(b"SDL_VIDEO_DRIVER", b"dummy", lib.SDL_HINT_OVERRIDE)
    with Window() as face:
        face._window.size = (907, 613)
        face.show(face.frame())
        face.wait(0)
        yield face
    lib.SDL_ResetHint(b"SDL_VIDEO_DRIVER")


def composed(console: Console, tileset: Tileset) -> np.ndarray:
    """Draw a console by the book, cell by cell."""
    height, width = tileset.tile_height, tileset.tile_width
    picture = np.zeros((console.height * height, console.width * width, 3))
    for (y, x), (char, ink, paper) in np.ndenumerate(console.rgb):
        tile = tileset.get_tile(int(char)) / 255.0
        cover = tile[:, :, 3:] if char != ord(" ") else 0
        cell = paper * (1 - cover) + ink * tile[:, :, :3] * cover
        picture[y * height : (y + 1) * height, x * width : (x + 1) * width] = cell
    return picture


def expected(layout: Layout) -> np.ndarray:
    frame = layout.frame
    picture = np.zeros((layout.window[1], layout.window[0], 3))
    picture[:] = frame.text.bg[0, 0]

    def put(area, pixels):
        picture[area.y : area.y + area.height, area.x : area.x + area.width] = pixels

    text = composed(frame.text, text_tileset(layout.cell[1]))
    put(Rect(*layout.origin, text.shape[1], text.shape[0]), text)
    put(layout.area(frame.map_rect), frame.text.bg[frame.map_rect.y, frame.map_rect.x])
    put(layout.map_area(), composed(frame.map, map_tileset(layout.tile)))
    for overlay in frame.overlays:
        area = layout.area(overlay)
        x, y = area.x - layout.origin[0], area.y - layout.origin[1]
        put(area, text[y : y + area.height, x : x + area.width])
    return picture


def page(frame: Frame) -> Frame:
    frame.text.rgb["bg"][:] = (14, 16, 24)
    for y in range(frame.rows):
        line = "".join(chr(33 + (x + y) % 94) for x in range(frame.columns))
        frame.text.print(0, y, line, fg=(200, 190, 160))
    level = frame.open_map(Rect(3, 2, 61, 17))
    level.rgb["bg"][:] = (30, 30, 60)
    level.rgb["fg"][:] = (250, 200, 100)
    level.rgb["ch"][:] = WALLS + np.arange(level.width * level.height).reshape(level.height, -1)
    level.print(2, 1, "@ g", fg=(255, 230, 150))
    frame.overlays.append(Rect(40, 5, 30, 6))
    return frame


def shot(window: Window, path: Path) -> np.ndarray:
    assert window.screenshot(str(path))
    return np.asarray(Image.open(path)).astype(float)


def test_every_pixel_is_where_it_belongs(window, tmp_path):
    frame = page(window.frame())
    window.show(frame)
    layout = window._shown
    assert layout.window == (907, 613)
    assert np.abs(shot(window, tmp_path / "a.png") - expected(layout)).max() <= 3
    frame.map.print(3, 3, "T", fg=(90, 230, 90))
    frame.text.rgb["bg"][:4] = (60, 0, 0)
    frame.overlays[0] = Rect(60, 25, 99, 99)
    window.show(frame)
    assert np.abs(shot(window, tmp_path / "b.png") - expected(layout)).max() <= 3


def test_frames_follow_the_window_and_the_zoom(window, tmp_path):
    small = window.frame()
    cell = window._lay().cell
    assert (small.columns, small.rows) == (907 // cell[0], 613 // cell[1])
    assert small.tile == (window._tile / cell[0], window._tile / cell[1])
    window.zoom(1)
    assert window.frame().tile[0] > small.tile[0]
    window.zoom_text(99)
    assert window.frame().columns >= FEWEST[0]
    assert window.frame().rows >= FEWEST[1]
    window.zoom_text(-99)
    small = window.frame()
    window._window.size = (1200, 700)
    assert Resized() in window.wait(1)
    assert window.frame().columns > small.columns
    window.show(page(window.frame()))
    assert shot(window, tmp_path / "large.png").shape == (700, 1200, 3)


def push(kind, **key):
    event = ffi.new("SDL_Event*")
    event.type = kind
    for name, value in key.items():
        setattr(event.key, name, value)
    assert lib.SDL_PushEvent(event)


def test_wait_and_discard(window):
    assert window.wait(0) == []
    assert window.wait(0.02) == []
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_UP, down=True)
    assert window.wait(None) == [Key("up")]
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_UP, down=True)
    push(lib.SDL_EVENT_KEY_UP, key=lib.SDLK_UP)
    push(lib.SDL_EVENT_QUIT)
    window.discard()
    assert window.wait(0) == [Closed()]


def test_clipboard(window):
    assert window.copy("a seed with an ä")
    push(lib.SDL_EVENT_KEY_DOWN, key=lib.SDLK_V, mod=lib.SDL_KMOD_LCTRL, down=True)
    assert window.wait(1) == [Paste("a seed with an ä")]


def test_a_second_window_opens_after_the_first(window):
    window.__exit__()
    with Window() as second:
        second.show(second.frame())
        assert second.frame().columns >= FEWEST[0]


def test_nowhere_to_open_a_window():
    program = """
from render.faces.window import Window
from render.frame import NoDisplay
try:
    Window()
except NoDisplay as fault:
    print(fault)
"""
    found = subprocess.run(
        [sys.executable, "-c", program],
        env={"SDL_VIDEO_DRIVER": "x11"},
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("There is no display to open a window on")
    assert found.stderr == ""


@pytest.mark.parametrize(
    "rect", [Rect(-5, -5, 3, 3), Rect(500, 500, 10, 10), Rect(5, 5, 0, 0), Rect(5, 5, 500, 500)]
)
def test_rectangles_off_the_frame_do_no_harm(window, tmp_path, rect):
    frame = window.frame()
    frame.open_map(rect)
    frame.overlays.append(rect)
    window.show(frame)
    assert shot(window, tmp_path / "off.png").shape == (613, 907, 3)
