"""Layout of the window in pixels: text cells, tiles, and which of them are at a pixel."""

from math import floor
from typing import NamedTuple

from render.ui.frame import Frame, Rect

PixelSize = tuple[int, int]
Spot = tuple[int, int]

TEXT_HEIGHTS = (14, 16, 18, 20, 22, 24, 28, 32, 40)
TILE_SIZES = (16, 20, 24, 28, 32, 40, 48, 64)

FEWEST_CELLS = (80, 30)
"""Columns and rows of text that must fit at any text size the player chooses."""
FIRST_CELLS = (128, 40)
"""Columns and rows of text at start-up; there may be a few more."""


def grid(window: PixelSize, cell: PixelSize) -> PixelSize:
    """Return the columns and rows of whole cells that fit, at least 1 each."""
    return max(1, window[0] // cell[0]), max(1, window[1] // cell[1])


def text_cell(height: int) -> PixelSize:
    """Return the size in pixels of a text cell of ``height`` pixels."""
    return height // 2, height


def smallest_window() -> PixelSize:
    """Return the window size in pixels for the fewest cells at the smallest text."""
    width, height = text_cell(TEXT_HEIGHTS[0])
    return FEWEST_CELLS[0] * width, FEWEST_CELLS[1] * height


def largest_text(window: PixelSize, wish: int, cells: PixelSize = FEWEST_CELLS) -> int:
    """Return the greatest text height up to ``wish`` that leaves room for ``cells``."""
    for height in reversed(TEXT_HEIGHTS):
        columns, rows = grid(window, text_cell(height))
        if height <= wish and columns >= cells[0] and rows >= cells[1]:
            return height
    return TEXT_HEIGHTS[0]


def nearest_size(sizes: tuple[int, ...], size: int, change: int = 0) -> int:
    """Return the entry of ``sizes`` that is ``change`` places after the nearest one to ``size``."""
    nearest = min(range(len(sizes)), key=lambda index: abs(sizes[index] - size))
    return sizes[max(0, min(len(sizes) - 1, nearest + change))]


def _within(start: int, length: int, end: int) -> tuple[int, int]:
    return max(0, min(start, end)), max(0, min(start + length, end))


class WindowLayout(NamedTuple):
    """One frame laid out in the window, in pixels."""

    frame: Frame
    window: PixelSize
    cell: PixelSize
    tile: int

    @property
    def origin(self) -> Spot:
        """The upper left pixel of the text, which is centred."""
        width, height = self.frame.columns * self.cell[0], self.frame.rows * self.cell[1]
        return max(0, (self.window[0] - width) // 2), max(0, (self.window[1] - height) // 2)

    def area(self, rect: Rect) -> Rect:
        """Return the pixel rectangle of a rectangle of text cells, clipped to the frame."""
        (left, top), (width, height) = self.origin, self.cell
        x, right = _within(rect.x, rect.width, self.frame.columns)
        y, bottom = _within(rect.y, rect.height, self.frame.rows)
        return Rect(left + x * width, top + y * height, (right - x) * width, (bottom - y) * height)

    def map_area(self) -> Rect | None:
        """Return the pixel rectangle of the map console, which may exceed its area."""
        if self.frame.map is None or self.frame.map_rect is None:
            return None
        area = self.area(self.frame.map_rect)
        width, height = self.frame.map.width * self.tile, self.frame.map.height * self.tile
        right, down = (round(cells * self.tile) for cells in self.frame.scroll)
        x, y = area.x + (area.width - width) // 2, area.y + (area.height - height) // 2
        return Rect(x + right, y + down, width, height)

    def cell_at(self, x: float, y: float) -> Spot:
        """Return the text cell at a pixel, or the nearest one."""
        left, top = self.origin
        column, row = floor((x - left) / self.cell[0]), floor((y - top) / self.cell[1])
        return (max(0, min(self.frame.columns - 1, column)), max(0, min(self.frame.rows - 1, row)))

    def spot_at(self, x: float, y: float) -> Spot | None:
        """Return the map cell at a pixel, None where the map is not visible."""
        pixel = floor(x), floor(y)
        tiles, rect = self.map_area(), self.frame.map_rect
        if tiles is None or rect is None:
            return None
        if not (tiles.contains(*pixel) and self.area(rect).contains(*pixel)):
            return None
        if any(self.area(overlay).contains(*pixel) for overlay in self.frame.overlays):
            return None
        return (pixel[0] - tiles.x) // self.tile, (pixel[1] - tiles.y) // self.tile
