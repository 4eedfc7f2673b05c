"""Contact sheets: thumbnails of many levels, each captioned with its code."""

from collections.abc import Sequence
from statistics import median

from PIL import Image

from procgen.level import Level
from render.ui.palette import colors
from workbench.images.level_pictures import flat_picture, level_picture, thumbnail
from workbench.images.picture_text import Pen, shortened, width_of

MARGIN, GAP = 20, 24
WIDTH = 400
"""The greatest width of a picture, in pixels."""
TITLE, LETTERS, CAPTION = 30, 21, 44
"""Font sizes of title and captions, and the height reserved for a caption."""
TILE, MANY = 12, 60_000
"""Pixels per tile before shrinking; the number of tiles above which plain colours are used."""


def contact_sheet(
    levels: Sequence[tuple[str, str, Level]], columns: int, title: str, note: str
) -> Image.Image:
    """Return captioned pictures of ``levels`` in rows of ``columns`` under a ``title``.

    A caption has two parts: a name, and the rest in a dimmer colour.
    """
    columns = min(columns, len(levels))
    shapes = [level.tiles.shape for _, _, level in levels]
    tallest = round(WIDTH * min(1.25, max(0.5, median(h / w for h, w in shapes))))
    drawn = [(name, rest, _thumbnail(level, tallest)) for name, rest, level in levels]
    rows = [drawn[first : first + columns] for first in range(0, len(drawn), columns)]
    heights = [max(shown.height for *_, shown in row) for row in rows]
    top = MARGIN + TITLE + GAP
    width = columns * (WIDTH + GAP) - GAP + 2 * MARGIN
    size = (width, top + sum(heights) + len(rows) * (CAPTION + GAP) - GAP + MARGIN)
    sheet = Image.new("RGB", size, colors()["ground"])
    pen = Pen(sheet)
    _write_title(pen, width, title, note)
    for row, height in zip(rows, heights, strict=True):
        for column, (name, rest, shown) in enumerate(row):
            x = MARGIN + column * (WIDTH + GAP)
            left = x + (WIDTH - shown.width) // 2
            sheet.paste(shown, (left, top + (height - shown.height) // 2))
            _caption(pen, x, (left, top + height + LETTERS + 8), name, rest)
        top += height + CAPTION + GAP
    return sheet


def _write_title(pen: Pen, width: int, title: str, note: str) -> None:
    y = MARGIN + TITLE - 6
    x = pen.write((MARGIN, y), title, colors()["accent"], TITLE, "Bold") + 24
    if x + width_of("abcdefgh", LETTERS) < width - MARGIN:
        pen.write((x, y), shortened(note, LETTERS, width - MARGIN - x), colors()["dim"], LETTERS)


def _thumbnail(level: Level, tallest: int) -> Image.Image:
    is_large = level.tiles.size > MANY
    shown = flat_picture(level) if is_large else level_picture(level, TILE)
    return thumbnail(shown, WIDTH, tallest)


def _caption(pen: Pen, column: int, at: tuple[int, int], name: str, rest: str) -> None:
    """Write a caption under its picture, further left if it needs the room."""
    settings, colon, seed = rest.partition(":")
    caption = shortened(name + settings, LETTERS, WIDTH, colon + seed)
    x = max(column, min(at[0], column + WIDTH - width_of(caption, LETTERS)))
    name = caption[: len(name)]
    x = pen.write((x, at[1]), name, colors()["text"], LETTERS, "Bold")
    pen.write((x, at[1]), caption[len(name) :], colors()["dim"], LETTERS)
