"""Write text on images in the project's font."""

from functools import cache
from textwrap import wrap
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from entities.data_files import DATA
from render.tiles.letters import ADVANCE
from render.ui.frame import Color

Weight = Literal["Regular", "Bold"]


@cache
def _font(weight: Weight, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(DATA / "font" / f"JetBrainsMono-{weight}.ttf"), size)


class Pen:
    """Writes lines of text on ``image``; positions are in pixels, y is the baseline."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self._draw = ImageDraw.Draw(image)

    def write(
        self, at: tuple[int, int], text: str, color: Color, size: int, weight: Weight = "Regular"
    ) -> int:
        """Write ``text`` from ``at`` on and return the x after it."""
        self._draw.text(at, text, color, _font(weight, size), anchor="ls")
        return at[0] + width_of(text, size, weight)

    def write_left_of(
        self, at: tuple[int, int], text: str, color: Color, size: int, weight: Weight = "Regular"
    ) -> int:
        """Write ``text`` so that it ends at ``at`` and return the x at which it begins."""
        self._draw.text(at, text, color, _font(weight, size), anchor="rs")
        return at[0] - width_of(text, size, weight)

    def fill(self, box: tuple[int, int, int, int], color: Color) -> None:
        """Fill the rectangle (left, top, right, bottom), right and bottom exclusive."""
        left, top, right, bottom = box
        if right > left and bottom > top:
            self._draw.rectangle((left, top, right - 1, bottom - 1), color)


def width_of(text: str, size: int, weight: Weight = "Regular") -> int:
    """Return the width of ``text`` in pixels."""
    return round(_font(weight, size).getlength(text))


def shortened(text: str, size: int, width: int, end: str = "") -> str:
    """Return ``text`` and ``end`` in ``width`` pixels, the text cut with an ellipsis if need be."""
    room = max(1, int(width / (ADVANCE * size)) - len(end))
    return (text if len(text) <= room else text[: room - 1].rstrip() + "…") + end


def wrapped_lines(text: str, size: int, width: int) -> list[str]:
    """Return ``text`` broken between words into lines of at most ``width`` pixels."""
    room = max(1, int(width / (ADVANCE * size)))
    return wrap(text, room, break_long_words=False, break_on_hyphens=False)
