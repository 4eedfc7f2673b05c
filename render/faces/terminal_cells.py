"""A frame laid flat: one printable, one column wide character and two colours for each cell."""

from typing import Any, NamedTuple
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray
from wcwidth import wcwidth

from render.faces.ansi_colors import Packed, pack
from render.frame import Frame, Rect
from render.glyphs import plain

CODES = 0x110000
"""How many code points there are."""
UNKNOWN = CODES
UNFIT = {"Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Categories of characters that print nothing, or something else on every terminal."""

STAND_INS = str.maketrans(
    "·•≈♣▲░▒▓█■○≡→←↑↓…–—‘’“”×✓─━═│┃║",
    ".*~&^:%##" + "#0=><^v.--''\"\"x+---|||",
)
FRAMES = range(0x2500, 0x2580)


class Cells(NamedTuple):
    """What to print: characters, ink and paper, arrays [y, x]."""

    codes: NDArray[np.uint32]
    ink: Packed
    paper: Packed


class Letters:
    """What stands for each code point on a terminal with ``encoding``.

    Control characters never pass. ``ambiguous`` is how wide the terminal prints characters that
    are wide in East Asian fonts only.
    """

    def __init__(self, encoding: str, ambiguous: int = 1) -> None:
        self._encoding = encoding
        self._ambiguous = ambiguous
        self._known = np.full(CODES + 1, UNKNOWN, np.uint32)
        self._known[CODES] = ord("?")

    def printed(self, codes: NDArray[np.integer]) -> NDArray[np.uint32]:
        """Return the code points to print for ``codes``, an array of the same shape."""
        index = np.minimum(codes.astype(np.uint32), CODES)
        found = self._known[index]
        if (found == UNKNOWN).any():
            for code in np.unique(index[found == UNKNOWN]).tolist():
                self._known[code] = ord(self._letter(code))
            found = self._known[index]
        return found

    def _letter(self, code: int) -> str:
        char = plain(code)
        if category(char) == "Cc":
            return " "
        return char if self._fits(char) else self._stand_in(char)

    def _fits(self, char: str) -> bool:
        if category(char) in UNFIT or wcwidth(char, ambiguous_width=self._ambiguous) != 1:
            return False
        return char.encode(self._encoding, "ignore") != b""

    def _stand_in(self, char: str) -> str:
        simple = "+" if ord(char) in FRAMES else "?"
        simple = char.translate(STAND_INS) if ord(char) in STAND_INS else simple
        bare = normalize("NFKD", char)[0]
        return bare if bare.isascii() and bare.isprintable() else simple


def flatten(frame: Frame, letters: Letters) -> Cells:
    """Lay the map over the text, and the overlays over the map."""
    text: NDArray[Any] = frame.text.rgb
    cells = text.copy()
    if frame.map is not None and frame.map_rect is not None:
        below: NDArray[Any] = frame.map.rgb
        there = cells[_area(frame.map_rect)]
        height, width = np.minimum(there.shape, below.shape)
        there[:height, :width] = below[:height, :width]
        for rect in frame.overlays:
            cells[_area(rect)] = text[_area(rect)]
    return Cells(letters.printed(cells["ch"]), pack(cells["fg"]), pack(cells["bg"]))


def clipped(cells: Cells, columns: int, rows: int) -> Cells:
    """Return the part of ``cells`` that a terminal of that size can show."""
    return Cells(*(layer[:rows, :columns] for layer in cells))


def spot_at(frame: Frame, x: int, y: int) -> tuple[int, int] | None:
    """Return the cell of the map console that is seen on the text cell (x, y)."""
    rect = frame.map_rect
    if frame.map is None or rect is None or not rect.contains(x, y):
        return None
    if any(over.contains(x, y) for over in frame.overlays):
        return None
    spot = x - rect.x, y - rect.y
    return spot if spot[0] < frame.map.width and spot[1] < frame.map.height else None


def _area(rect: Rect) -> tuple[slice, slice]:
    """Return the rows and columns of ``rect``; what lies left of or above the frame is cut."""
    down, right = max(0, rect.y + rect.height), max(0, rect.x + rect.width)
    return slice(max(0, rect.y), down), slice(max(0, rect.x), right)
