"""Every screen at sizes from 50x20 to 240x80: no word is cut, none run together, edges whole."""

import re

import pytest

from engine.state.run_setup import Mode, RunSetup
from procgen.blueprint import Point
from render.backends.window_layout import WindowLayout
from render.map.place_names import name_parts
from render.screens.play_screen import PlayScreen
from render.screens.reader import help_screen
from render.screens.screen import Push
from render.session.start_run import begin
from render.ui.frame import Frame
from render.ui.input import Key
from render.ui.text import plain_text, wrapped_line
from support.build_screens import tuning
from support.fake_backend import Person
from support.paths import ROOT
from support.play_screens import slain

SCREENS = {
    "": ("", "e", "w", "o", "h", "s", "r", "d"),
    "rooms": ("", "escape", "i", "i a", "x", "?", "@", "M", "~", "_", "t a", "Q"),
    "Workshop keep": ("", "m", "v", "v t", "v 2"),
    "wilds": ("", "W"),
}
"""The generator to play, and the keys that open each screen from there; "" is the title."""
SIZES = ((50, 20), (64, 24), (80, 24), (107, 36), (108, 30), (240, 80))
SOURCES = ("render", "data", "engine", "entities", "procgen")


FORMS = ("*.py", "*.toml", "*.txt")


@pytest.fixture(scope="module")
def vocabulary():
    """Return all words in the source and the data of the game, and the names made of them."""
    files = [file for folder in SOURCES for form in FORMS for file in (ROOT / folder).rglob(form)]
    parts = name_parts()
    names = {first + last for first in parts.beginnings for last in parts.ends}
    return names.union(*(re.findall(r"[^\W\d_]+", file.read_text("utf-8")) for file in files))


def started(setup, size):
    person = Person(*size)
    if setup:
        mode = Mode.WORKSHOP if setup.startswith("Workshop") else Mode.ADVENTURE
        setup = RunSetup(42, "42", mode, setup.split()[-1])
        person.app.answer(Push(PlayScreen(begin(setup))))
    person.reads()
    return person


def read_beside_the_map(person):
    """Return the lines of the top screen, the map left out."""
    frame = person.app.picture()
    codes = frame.text.ch.copy()
    if frame.map_rect:
        x, y, width, height = frame.map_rect
        codes[y : y + height, x : x + width] = ord(" ")
        for x, y, width, height in frame.overlays:
            part = slice(max(0, y), y + height), slice(max(0, x), x + width)
            codes[part] = frame.text.ch[part]
    return ["".join(map(chr, row)) for row in codes.tolist()]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("setup", SCREENS)
def test_no_screen_cuts_words_or_runs_them_together(setup, size, vocabulary):
    person = started(setup, size)
    for keys in SCREENS[setup]:
        person.types([Key.read(key) for key in keys.split()])
        for line in read_beside_the_map(person):
            for word in re.findall(r"[^\W\d_]{3,}", "" if "Saved in" in line else line):
                known = word in vocabulary or word.lower() in vocabulary
                assert known or word.removesuffix("s") in vocabulary, (keys, word, line)
            assert not re.search("╰─*[^─│╯]", line), f"{keys}: the edge is broken: {line}"
        while len(person.app.stack) > 1 + bool(setup):
            person.app.stack.pop().close()


def without_spaces(lines):
    return "".join(plain_text(lines).split())


def test_a_line_is_wrapped_whole_in_any_width():
    parts = [("Compared with it: ", "dim"), (" a longer reach, and ", "text"), ("less", "bad")]
    for line in (parts, parts[1:2]):
        for width in range(-3, 60):
            assert without_spaces(wrapped_line(line, width)) == without_spaces([line])


@pytest.mark.parametrize("setup", SCREENS)
def test_every_screen_can_be_drawn_in_a_terminal_however_small(setup):
    person = started(setup, (80, 24))
    for keys in SCREENS[setup]:
        person.types([Key.read(key) for key in keys.split()])
        for person.backend.size in ((1, 1), (5, 10), (110, 1), (110, 2), (1, 44), (80, 24)):
            person.app.picture()
        while len(person.app.stack) > 1 + bool(setup):
            person.app.stack.pop().close()


def test_the_end_can_be_drawn_in_a_terminal_however_small():
    person = slain()
    for person.backend.size in ((1, 1), (5, 10), (12, 30), (16, 40), (110, 1), (1, 44), (80, 24)):
        person.app.picture()
    assert "You die" in person.reads()


@pytest.mark.parametrize("width", [44, 66, 90])
def test_the_help_keeps_keys_and_texts_apart_and_within_its_width(width):
    for line in help_screen().lines(width):
        assert sum(len(text) for text, _ in line) <= width
        assert len(line) < 2 or line[0][0].endswith("  "), line


@pytest.mark.parametrize("columns", [50, 80, 110])
def test_long_lines_do_not_run_over_the_edge_of_a_page(columns):
    sheet, recipe = Person(), tuning("keep:7")
    sheet.app.answer(Push(PlayScreen(begin(RunSetup(42, "s" * 110)))))
    for person, key, end in ((sheet, "@", "s" * 10), (recipe, "p", 'chamber."')):
        person.types(key)
        person.backend.size = (columns, 60)
        rows = person.reads().splitlines()
        first = next(y for y, row in enumerate(rows) if row.startswith("╭─ "))
        last = next(y for y, row in enumerate(rows) if row.startswith("╰─"))
        assert any(end in row for row in rows[first:last])
        assert {row[rows[first].index("╮")] for row in rows[first + 1 : last]} == {"│"}


@pytest.mark.parametrize("columns", [57, 60, 80, 90])
def test_what_is_examined_stays_in_view_in_a_window_however_small(columns):
    person = started("rooms", (80, 24))
    person.types("x")
    screen = person.top
    map_ = screen.session.run.state.map
    for x in range(map_.width):
        screen.target = Point(x, screen.target.y)
        frame = Frame(columns, 18, (4.0, 2.0), 28)
        frame.fluid = True
        screen.draw(frame)
        layout = WindowLayout(frame, (7 * columns, 14 * 18), (7, 14), 28)
        left, top, _, _ = layout.map_area()
        tile_x = left + 28 * (x - screen.session.view.left)
        tile_y = top + 28 * (screen.target.y - screen.session.view.top)
        for overlay in frame.overlays:
            over_x, over_y, width, height = layout.area(overlay)
            beside = tile_x + 28 <= over_x or tile_x >= over_x + width
            assert beside or tile_y >= over_y + height, (x, overlay)


def test_beside_a_dialog_lies_no_piece_of_a_menu_or_of_the_lines_below():
    person = Person(110, 40).types("e")
    assert "endless caves" in person.reads()
    assert "endless" not in person.presses("enter").reads()
    assert "endless caves" in person.presses("escape").reads()
    person = tuning("bsp:3")
    for pieces in ("move step", "chokepoints "):
        assert pieces in person.reads()
    shown = person.types("i").reads()
    assert "Insert after" in shown
    assert "move step" not in shown
    assert "chokepoints " not in shown
