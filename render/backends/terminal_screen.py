"""Turn frames into the fewest escape sequences that update a terminal.

Cells are compared with what the terminal shows; changed ones are sent as runs of one style.
"""

from itertools import pairwise
from typing import Any, NamedTuple
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray
from wcwidth import wcwidth

from render.backends.terminal_colors import ColorDepth, Packed, luma, pack_rgb, to_palette
from render.tiles.glyphs import plain_char
from render.ui.frame import Frame
from render.ui.palette import colors

CODES = 0x110000
"""The number of code points."""
UNKNOWN = CODES
UNFIT = {"Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories that print nothing, or differ from terminal to terminal."""

BOX_DRAWING = range(0x2500, 0x2580)
STAND_INS = dict.fromkeys(BOX_DRAWING, ord("+")) | str.maketrans(
    "·•≈∞§♣▲░▒▓█■○≡→←↑↓…–—‘’“”×✓─━═│┃║╬", ".*~8{&^:%##" + "#0=><^v.--''\"\"x+---|||#"
)


class ScreenCells(NamedTuple):
    """The cells to print: code points, foreground (ink) and background (paper), [y, x] each."""

    codes: NDArray[np.uint32]
    ink: Packed
    paper: Packed

    def clipped_to(self, columns: int, rows: int) -> "ScreenCells":
        """Return the part of the cells that a terminal of that size can show."""
        return ScreenCells(*(layer[:rows, :columns] for layer in self))


class PrintableChars:
    """Replaces code points that a terminal with ``encoding`` cannot print.

    Control characters never pass. ``ambiguous`` is the width at which the terminal prints
    characters of ambiguous width (East Asian).
    """

    def __init__(self, encoding: str, ambiguous: int = 1) -> None:
        self._encoding = encoding
        self._ambiguous = ambiguous
        self._known = np.full(CODES + 1, UNKNOWN, np.uint32)
        self._known[CODES] = ord("?")

    def printed(self, codes: NDArray[np.integer]) -> NDArray[np.uint32]:
        """Return the code points to print for ``codes``, in the same shape."""
        index = np.minimum(codes.astype(np.uint32), CODES)
        for code in np.unique(index[self._known[index] == UNKNOWN]).tolist():
            self._known[code] = ord(self._letter(code))
        return self._known[index]

    def _letter(self, code: int) -> str:
        char = plain_char(code)
        if category(char) == "Cc":
            return " "
        fits = category(char) not in UNFIT and wcwidth(char, ambiguous_width=self._ambiguous) == 1
        if fits and char.encode(self._encoding, "ignore"):
            return char
        bare = normalize("NFKD", char)[0]
        if bare.isascii() and bare.isprintable():
            return bare
        return char.translate(STAND_INS) if ord(char) in STAND_INS else "?"


def flatten(frame: Frame, letters: PrintableChars) -> ScreenCells:
    """Return the cells of ``frame``: the map laid over the text, and overlays over the map."""
    text: NDArray[Any] = frame.text.rgb
    cells = text.copy()
    if frame.map is not None and frame.map_rect is not None:
        below: NDArray[Any] = frame.map.rgb
        area = cells[frame.map_rect.cells]
        height, width = np.minimum(area.shape, below.shape)
        area[:height, :width] = below[:height, :width]
        for rect in frame.overlays:
            cells[rect.cells] = text[rect.cells]
    return ScreenCells(letters.printed(cells["ch"]), pack_rgb(cells["fg"]), pack_rgb(cells["bg"]))


def map_cell_at(frame: Frame, x: int, y: int) -> tuple[int, int] | None:
    """Return the map cell shown at the text cell (x, y), None if the map is not visible."""
    rect = frame.map_rect
    covered = any(over.contains(x, y) for over in frame.overlays)
    if frame.map is None or rect is None or covered or not rect.contains(x, y):
        return None
    spot = x - rect.x, y - rect.y
    return spot if spot[0] < frame.map.width and spot[1] < frame.map.height else None


BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized update: terminals that support it show the change at once, without tearing."""
CLEAR, PLAIN = "\x1b[m\x1b[2J", "\x1b[m"
HIDE_CURSOR, SHOW_CURSOR = "\x1b[?25l", "\x1b[?25h"

BLANK = ord(" ")
BOLD, REVERSED = 1, 2
MONO_STYLES = "0", "0;1", "0;7", "0;1;7"
BRIGHT, LIT, GROUND = 160, 70, 40
"""Without colours: the brightness from which ink is bold, a cell reversed, a point drawn."""
HALVES = np.array([ord(char) for char in " ▀▄█"], np.uint32)
"""Half blocks in which neither half is drawn, the upper, the lower, both."""


def cursor_to(x: int, y: int) -> str:
    """Return the sequence that moves the cursor to a cell, counted from 0."""
    return f"\x1b[{y + 1};{x + 1}H"


class TerminalScreen:
    """Keeps what the terminal shows and returns the sequences that change it."""

    def __init__(self, depth: ColorDepth) -> None:
        self.depth = depth
        self._meant: ScreenCells | None = None
        self._shown: ScreenCells | None = None
        self._cursor: tuple[int, int] | None = None

    def forget(self) -> None:
        """Forget what the terminal shows: the next frame is sent whole."""
        self._meant = self._shown = None

    def paint(self, cells: ScreenCells, cursor: tuple[int, int] | None = None) -> str:
        """Return what to print to show ``cells`` with the cursor at ``cursor``."""
        same = self._meant is not None and all(map(np.array_equal, cells, self._meant))
        if same and cursor == self._cursor:
            return ""
        self._meant = cells
        cells = in_terminal_colors(cells, self.depth)
        before = self._shown
        if before is None or before.codes.shape != cells.codes.shape:
            head, changed = CLEAR, np.ones(cells.codes.shape, bool)
        else:
            head = ""
            changed = np.any([new != old for new, old in zip(cells, before, strict=True)], axis=0)
        runs = style_runs(cells, changed, self.depth)
        if not (runs or head or cursor != self._cursor):
            return ""
        tail = cursor_to(*cursor) + SHOW_CURSOR if cursor else ""
        self._shown, self._cursor = cells, cursor
        return f"{BEGIN}{HIDE_CURSOR}{head}{runs}{tail}{END}"


def in_terminal_colors(cells: ScreenCells, depth: ColorDepth) -> ScreenCells:
    """Return ``cells`` with ink and paper as the terminal's colour numbers; blanks have ink 0.

    Without colours, paper holds the style: bold and reversed.
    """
    codes, ink, paper = cells
    blank = codes == BLANK
    if depth == ColorDepth.MONO:
        light, ground = luma(ink), luma(paper)
        halves = codes == HALVES[1]  # Two points of a picture: the shape says which are light.
        selected = paper == pack_rgb(np.array(colors()["line"]))  # A row of a list.
        reverse = selected | (ground > np.where(blank, LIT, np.minimum(light, LIT))) & ~halves
        bold = (light >= BRIGHT) & ~(blank | reverse | halves)
        codes = np.where(halves, HALVES[(light > GROUND) + 2 * (ground > GROUND)], codes)
        ink, paper = np.zeros_like(ink), (BOLD * bold + REVERSED * reverse).astype(np.uint32)
    elif depth != ColorDepth.TRUE:
        ink, paper = to_palette(ink, paper, depth)
    return ScreenCells(codes, np.where(blank, 0, ink).astype(np.uint32), paper)


def style_runs(cells: ScreenCells, changed: NDArray[np.bool_], depth: ColorDepth) -> str:
    """Return the text that prints the changed cells, in runs of one row and one style."""
    where = np.flatnonzero(changed)
    if not len(where):
        return ""
    width = changed.shape[1]
    codes, ink, paper = (layer.ravel()[where] for layer in cells)
    # Blank cells take the ink of the character before them, which saves a colour change.
    ink = ink[np.maximum.accumulate(np.where(codes == BLANK, 0, np.arange(len(ink))))]
    moved = np.ones(len(where), bool)
    moved[1:] = (np.diff(where) != 1) | (where[1:] % width == 0)
    begins = moved.copy()
    begins[1:] |= (ink[1:] != ink[:-1]) | (paper[1:] != paper[:-1])
    starts = np.flatnonzero(begins)
    text = codes.astype("<u4").tobytes().decode("utf-32-le")
    places = [
        cursor_to(at % width, at // width) if jump else ""
        for at, jump in zip(where[starts].tolist(), moved[starts].tolist(), strict=True)
    ]
    pieces = [text[start:end] for start, end in pairwise([*starts.tolist(), len(text)])]
    return _styled_text(places, ink[starts].tolist(), paper[starts].tolist(), pieces, depth)


def _styled_text(
    places: list[str], inks: list[int], papers: list[int], pieces: list[str], depth: ColorDepth
) -> str:
    """Return the pieces, each preceded by its position and the changed part of its style."""
    ink_codes = {number: _color(number, 30, depth) for number in set(inks)}
    paper_codes = {number: _color(number, 40, depth) for number in set(papers)}
    parts = [PLAIN]
    last_ink = last_paper = -1
    for place, ink, paper, piece in zip(places, inks, papers, pieces, strict=True):
        style = [ink_codes[ink]] if ink != last_ink else []
        style += [paper_codes[paper]] if paper != last_paper else []
        sequence = f"\x1b[{';'.join(style)}m" if style else ""
        parts.append(f"{place}{sequence}{piece}")
        last_ink, last_paper = ink, paper
    return "".join(parts) + PLAIN


def _color(number: int, base: int, depth: ColorDepth) -> str:
    """Return the SGR parameters of a foreground (base 30) or background (base 40) colour."""
    if depth == ColorDepth.MONO:
        return MONO_STYLES[number]
    if depth == ColorDepth.TRUE:
        return f"{base + 8};2;{number >> 16};{number >> 8 & 255};{number & 255}"
    if depth == ColorDepth.INDEXED:
        return f"{base + 8};5;{number}"
    return str(base + number if number < 8 else base + 52 + number)
