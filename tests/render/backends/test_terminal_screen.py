"""What the terminal face prints: letters and colours, and only what changed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from render.backends.terminal_colors import (
    _CUBE,
    _GREYS,
    PALETTES,
    ColorDepth,
    color_depth,
    to_palette,
)
from render.backends.terminal_screen import (
    BLANK,
    PrintableChars,
    ScreenCells,
    TerminalScreen,
    flatten,
    in_terminal_colors,
    map_cell_at,
)
from render.screens.menu import Choice, Menu
from render.screens.screen import Pop
from render.tiles.glyphs import FLAMES, ITEMS, STAIRS_DOWN, WALLS
from render.ui.frame import Frame, Rect
from render.ui.palette import colors
from support.fake_backend import Person
from support.fake_terminal import LETTERS, Paper, packed, scribble


def test_the_palettes_own_colours_stay_what_they_are():
    colors = np.array([r << 16 | g << 8 | b for r, g, b in _CUBE + _GREYS], np.uint32)
    assert PALETTES[ColorDepth.INDEXED].nearest(colors).tolist() == list(range(16, 256))


@pytest.mark.parametrize(
    ("color", "number"),
    [("0b0d14", 232), ("fefefe", 231), ("7d7f8a", 244), ("e8b765", 215), ("5f5faf", 61)],
)
def test_colours_fall_back_to_the_cube_or_the_greys(color, number):
    assert PALETTES[ColorDepth.INDEXED].nearest(packed(color)).tolist() == [number]


def test_sixteen_colours_keep_the_hue_and_the_dark():
    inks = packed("c9c4b6", "e8b765", "8fc07a", "e0705c", "7fb0c9", "4a4e5e")
    ground = np.full_like(inks, 0x0B0D14)
    ink, paper = to_palette(inks, ground, ColorDepth.ANSI)
    assert ink.tolist() == [7, 3, 2, 9, 6, 8]
    assert set(paper.tolist()) == {0}


def test_a_full_health_bar_is_green_in_sixteen_colours_and_its_numbers_are_readable():
    shades = colors()
    text, full = (packed("{:02x}{:02x}{:02x}".format(*shades[it])) for it in ("text", "bar_good"))
    ink, paper = to_palette(text, full, ColorDepth.ANSI)
    assert (ink.tolist(), paper.tolist()) == ([0], [2])


@pytest.mark.parametrize("depth", [ColorDepth.ANSI, ColorDepth.INDEXED])
def test_a_faint_letter_does_not_drown_and_a_hidden_one_stays_hidden(depth):
    ink, paper = to_palette(packed("20283c", "111111"), packed("141a28", "111111"), depth)
    assert ink[0] != paper[0]
    assert ink[1] == paper[1]


@pytest.mark.parametrize(
    ("colors", "environ", "depth"),
    [
        (256, {}, ColorDepth.INDEXED),
        (256, {"COLORTERM": "truecolor"}, ColorDepth.TRUE),
        (8, {"COLORTERM": "24bit"}, ColorDepth.TRUE),
        (1 << 24, {}, ColorDepth.TRUE),
        (8, {}, ColorDepth.ANSI),
        (88, {}, ColorDepth.ANSI),
        (0, {}, ColorDepth.MONO),
        (1 << 24, {"COLORTERM": "truecolor", "NO_COLOR": "1"}, ColorDepth.MONO),
        (256, {"NO_COLOR": ""}, ColorDepth.INDEXED),
        (1 << 24, {"COLORTERM": "truecolor", "STY": "1.pts"}, ColorDepth.INDEXED),
    ],
)
def test_how_many_colours_there_are(colors, environ, depth):
    assert color_depth(colors, environ) is depth


def test_without_colour_light_ground_is_reversed_and_bright_ink_bold():
    codes = np.array([[ord("a"), ord("b"), ord("c"), BLANK]], np.uint32)
    ink = packed("ffffff", "000000", "404040", "ffffff").reshape(1, 4)
    paper = packed("000000", "e0e0e0", "000000", "e0e0e0").reshape(1, 4)
    styled = in_terminal_colors(ScreenCells(codes, ink, paper), ColorDepth.MONO)
    assert styled.paper.tolist() == [[1, 2, 0, 2]]
    assert "38;" not in TerminalScreen(ColorDepth.MONO).paint(ScreenCells(codes, ink, paper))


def test_without_colour_the_selected_row_of_a_menu_is_reversed():
    person = Person(80, 24, Menu("Menu", [Choice("One", "a", Pop), Choice("Two", "b", Pop)]))
    person.presses("down")
    cells = flatten(person.app.picture(), PrintableChars("utf-8"))
    styles = in_terminal_colors(cells, ColorDepth.MONO).paper
    rows = person.reads().splitlines()
    one, two = (next(y for y, row in enumerate(rows) if word in row) for word in ("One", "Two"))
    assert not (styles[one] & 2).any()
    assert styles[two, rows[two].index("Two")] == 2


def test_without_colour_half_blocks_show_by_their_shape_which_points_are_light():
    codes = np.full((1, 4), ord("▀"), np.uint32)
    ink = packed("0b0d10", "c0a080", "1d2740", "5f5f5f").reshape(1, 4)
    paper = packed("0b0d10", "0b0d10", "c0a080", "5f5f5f").reshape(1, 4)
    styled = in_terminal_colors(ScreenCells(codes, ink, paper), ColorDepth.MONO)
    assert "".join(map(chr, styled.codes[0].tolist())) == " ▀▄█"
    assert styled.paper.tolist() == [[0, 0, 0, 0]]
    colored = in_terminal_colors(ScreenCells(codes, ink, paper), ColorDepth.ANSI)
    assert np.array_equal(colored.codes, codes)


def test_the_map_lies_over_the_text_and_overlays_over_the_map():
    frame = Frame(6, 3)
    frame.text.rgb["ch"] = ord("t")
    frame.open_map(Rect(1, 0, 4, 3)).rgb["ch"] = [WALLS + 7, STAIRS_DOWN, ord("@"), 0]
    frame.overlays.append(Rect(0, 1, 3, 1))
    paper = Paper(6, 3)
    paper.print(TerminalScreen(ColorDepth.TRUE).paint(flatten(frame, LETTERS)))
    assert paper.rows() == ["t#>@ t", "ttt@ t", "t#>@ t"]
    assert map_cell_at(frame, 3, 2) == (2, 2)
    assert map_cell_at(frame, 2, 1) is None
    assert map_cell_at(frame, 5, 0) is None


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


@given(st.lists(pictures, min_size=2, max_size=4), st.sampled_from(list(ColorDepth)))
@settings(max_examples=40, deadline=None)
def test_exactly_the_changed_cells_are_printed(drawn, depth):
    screen, paper = TerminalScreen(depth), Paper(5, 3)
    colors = packed("000000", "c08040", "ffffff")
    before = None
    for picture in drawn:
        codes = np.array([ord(char) for char, _, _ in picture], np.uint32)
        ink = colors[[ink for _, ink, _ in picture]]
        ground = colors[[ground for _, _, ground in picture]]
        cells = ScreenCells(*(layer.reshape(3, 5) for layer in (codes, ink, ground)))
        touched = paper.print(screen.paint(cells))
        now = np.stack(in_terminal_colors(cells, depth))
        changed = np.ones((3, 5), bool) if before is None else (now != before).any(axis=0)
        assert touched == [(x, y) for y, x in np.argwhere(changed)]
        assert paper.rows() == chars(cells)
        assert screen.paint(cells) == ""
        before = now


def test_a_letter_keeps_its_colours_next_to_a_blank():
    frame = Frame(3, 1)
    frame.text.print(0, 0, "a b", fg=(1, 2, 3), bg=(4, 5, 6))
    out = TerminalScreen(ColorDepth.TRUE).paint(flatten(frame, LETTERS))
    assert "\x1b[38;2;1;2;3;48;2;4;5;6ma b\x1b[m" in out


@given(st.lists(st.integers(-5, 0x110005) | st.integers(0, 0xFFF), min_size=8, max_size=8))
@settings(max_examples=100, deadline=None)
def test_nothing_but_printable_letters_one_column_wide_reaches_the_terminal(codes):
    frame = Frame(8, 1)
    frame.text.rgb["ch"] = codes
    paper = Paper(8, 1)
    touched = paper.print(TerminalScreen(ColorDepth.TRUE).paint(flatten(frame, LETTERS)))
    assert len(touched) == 8
    for char in paper.rows()[0]:
        assert wcwidth(char) == 1
        assert not 0xD800 <= ord(char) < 0xF900


def test_an_item_code_without_an_item_is_no_error():
    assert (LETTERS.printed(np.arange(ITEMS, FLAMES)) >= 32).all()


def test_all_code_points_can_be_printed():
    printed = LETTERS.printed(np.arange(0x2FFF))
    assert not (printed < 32).any()
    assert not ((printed >= 127) & (printed < 160)).any()
    assert all(wcwidth(chr(code)) == 1 for code in set(printed.tolist()))
    assert chr(int(LETTERS.printed(np.array([0x4E00]))[0])) == "?"


def test_letters_a_terminal_lacks_have_stand_ins():
    text = "a·•≈∞§♣─╪╬é“漢"
    codes = np.array([ord(char) for char in text])
    assert "".join(map(chr, PrintableChars("ascii").printed(codes))) == 'a.*~8{&-+#e"?'
    assert "".join(map(chr, LETTERS.printed(codes))) == text[:-1] + "?"
    assert chr(PrintableChars("utf-8", ambiguous=2).printed(codes)[1]) == "."


def test_the_cursor_is_shown_where_the_frame_says():
    screen = TerminalScreen(ColorDepth.TRUE)
    cells = flatten(scribble("x"), LETTERS)
    assert screen.paint(cells, (3, 2)).endswith("\x1b[3;4H\x1b[?25h\x1b[?2026l")
    moved = screen.paint(cells, (0, 0))
    assert "x" not in moved
    assert "\x1b[1;1H\x1b[?25h" in moved
    assert "\x1b[?25h" not in screen.paint(cells)
    assert screen.paint(cells) == ""
