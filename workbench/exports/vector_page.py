"""A page of black-and-white vector drawing, written as SVG or as PDF.

A path is a list of (letter, numbers): M and L with a point, C with three points, Z with none. Units
are points (1/72 inch) from the upper left corner. Text is in Times, which every PDF reader has.
"""

import re
from collections.abc import Iterable, Iterator
from html import escape
from io import BytesIO
from itertools import pairwise
from math import cos, pi, sin
from typing import Literal, NamedTuple
from zlib import compress

import numpy as np
import scipy
from PIL.PdfParser import PdfName, PdfParser

from entities.terrain import Mask
from procgen.blueprint import RectangularRoom
from procgen.rng import Rng
from workbench.templates import filled_page

Path = list[tuple[str, tuple[float, ...]]]
Loop = list[tuple[float, float]]
Weight = Literal["Roman", "Bold", "Italic"]
WEIGHTS: tuple[Weight, ...] = ("Roman", "Bold", "Italic")
SVG_STYLES = {"Roman": "", "Bold": ' font-weight="bold"', "Italic": ' font-style="italic"'}
OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
WAYS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""East, south, west and north, as (column, row) offsets."""


class DrawnPath(NamedTuple):
    """A path that may be filled with a grey, 0 to 1, and stroked in ``grey`` with some width."""

    path: Path
    fill: float | None = None
    width: float = 0.0
    grey: float = 0.0


class Label(NamedTuple):
    """A line of text; (x, y) is the left end of its baseline, or its middle if ``centered``."""

    x: float
    y: float
    text: str
    size: float
    weight: Weight = "Roman"
    centered: bool = False


class VectorPage(NamedTuple):
    """A page: its width and height in points, and its marks, the lowest first."""

    width: float
    height: float
    marks: list[DrawnPath | Label]


def rough_width(text: str, size: float) -> float:
    """Return the width of ``text`` in Times: exact for digits, else within a few percent."""
    narrow, wide = (sum(text.count(char) for char in chars) for chars in ("fijlt,.:;'()| ", "mwMW"))
    capitals = sum(char.isupper() for char in text)
    return size * (0.5 * len(text) - 0.21 * narrow + 0.25 * wide + 0.17 * capitals)


def path_of(text: str) -> Path:
    """Return the path written in ``text``, where ``O x y r`` is a circle."""
    path: Path = []
    for letter, words in re.findall(r"([A-Z])([^A-Z]*)", text):
        numbers = tuple(map(float, words.split()))
        path += circle(*numbers) if letter == "O" else [(letter, numbers)]
    return path


def circle(x: float, y: float, radius: float) -> Path:
    """Return a circle of four Bézier curves."""
    k, r = 0.5523 * radius, radius
    return [
        ("M", (x + r, y)),
        ("C", (x + r, y + k, x + k, y + r, x, y + r)),
        ("C", (x - k, y + r, x - r, y + k, x - r, y)),
        ("C", (x - r, y - k, x - k, y - r, x, y - r)),
        ("C", (x + k, y - r, x + r, y - k, x + r, y)),
        ("Z", ()),
    ]


def rectangle(left: float, top: float, right: float, bottom: float) -> Path:
    """Return a rectangle."""
    return polygon([(left, top), (right, top), (right, bottom), (left, bottom)])


def polygon(points: Iterable[tuple[float, float]], *, closed: bool = True) -> Path:
    """Return straight lines through ``points``."""
    path: Path = [("L" if n else "M", point) for n, point in enumerate(points)]
    return [*path, ("Z", ())] if closed else path


def outlines(mask: Mask) -> list[Loop]:
    """Return the borders of ``mask`` [y, x] as loops of corners, with set tiles on the right."""
    padded = np.pad(mask, 1)
    following: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for (dx, dy), (ox, oy) in zip(WAYS, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
        beyond = np.roll(padded, (dx, -dy), axis=(0, 1))  # the tile on the left
        for y, x in np.argwhere(padded & ~beyond).tolist():
            start = x - 1 + ox, y - 1 + oy
            following.setdefault(start, []).append((start[0] + dx, start[1] + dy))
    loops = []
    while following:
        corner = start = next(iter(following))
        loop: Loop = []
        heading = (0, 0)
        while True:
            ends = following[corner]
            # Where four borders meet, turn right, so that tiles that touch at a corner stay apart.
            right = corner[0] - heading[1], corner[1] + heading[0]
            end = right if right in ends else ends[0]
            ends.remove(end)
            if not ends:
                del following[corner]
            new = end[0] - corner[0], end[1] - corner[1]
            if new != heading:
                loop.append(corner)
            corner, heading = end, new
            if corner == start and start not in following:
                break
        loops.append(loop)
    return loops


def smooth_loop(loop: Loop) -> Loop:
    """Return ``loop`` with its corners cut twice (Chaikin), by at most half a tile."""
    for share, most in ((0.25, 0.5), (0.25, 0.2)):
        smooth: Loop = []
        for (x, y), (u, v) in zip(loop, [*loop[1:], loop[0]], strict=True):
            length = max(abs(u - x), abs(v - y), 1e-9)
            cut = min(share, most / length)
            dx, dy = (u - x) * cut, (v - y) * cut
            smooth += [(x + dx, y + dy), (u - dx, v - dy)]
        loop = smooth
    return loop


class PageGrid(NamedTuple):
    """The tiles on the page: the upper left corner of tile (0, 0), and the side, in points."""

    left: float
    top: float
    cell: float

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the page that is ``x`` tiles to the right and ``y`` tiles down."""
        return self.left + x * self.cell, self.top + y * self.cell

    def placed(self, path: Path, x: int, y: int, *, turned: bool = False) -> Path:
        """Return a path of the unit square moved to the tile (x, y), ``turned`` if asked for."""
        shifted: Path = []
        for letter, numbers in path:
            pairs = zip(numbers[::2], numbers[1::2], strict=True)
            moved = [self.at(x + b, y + a) if turned else self.at(x + a, y + b) for a, b in pairs]
            shifted.append((letter, tuple(number for pair in moved for number in pair)))
        return shifted


def hatching(ground: Mask, box: RectangularRoom, grid: PageGrid) -> Iterator[DrawnPath]:
    """Yield patches of strokes for the rock beside ``ground`` [y, x] in ``box``, row by row.

    Ground at the edge goes on beyond it. A patch has three strokes over a white square, so that
    the strokes of patches do not cross.
    """
    pad, cell = 3, grid.cell
    rock = np.kron(~np.pad(ground, pad, "edge"), np.ones((3, 3)))
    depth = scipy.ndimage.distance_transform_edt(rock)
    rng, step = Rng(0, "hatching"), max(0.46 * cell, 3.4)
    reach, size = max(1.05 * cell, 5.0), max(0.62 * cell, 4.4)
    columns, rows = (int((n + 3) * cell / step) for n in (box.width, box.height))
    for row in range(rows):
        for column in range(columns):
            x, y = ((n + rng.below(100) / 100) * step for n in (column, row))
            turn, distance = pi * rng.below(24) / 24, reach * (0.62 + rng.below(60) / 100)
            x, y = x / cell + box.x - 1.5, y / cell + box.y - 1.5
            spot = int(3 * (y + pad)), int(3 * (x + pad))
            if min(spot) < 0 or spot[0] >= depth.shape[0] or spot[1] >= depth.shape[1]:
                continue
            if not 0 < depth[spot] * cell / 3 <= distance:
                continue
            middle, way = complex(*grid.at(x, y)), complex(cos(turn), sin(turn)) * size / 2
            strokes: Path = []
            for n in (-0.625j, 0j, 0.625j):
                strokes += polygon(_turned(middle, way, n - 1, n + 1), closed=False)
            square = _turned(middle, way, -1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j)
            yield DrawnPath(polygon(square), fill=1.0)
            yield DrawnPath(strokes, width=0.45)


def _turned(middle: complex, way: complex, *spots: complex) -> Loop:
    """Return ``spots`` rotated and scaled by ``way`` around ``middle``."""
    turned = (middle + spot * way for spot in spots)
    return [(spot.real, spot.imag) for spot in turned]


def subpaths(path: Path) -> Iterator[Path]:
    """Yield the parts of ``path``, each beginning with a move."""
    marks = [*(n for n, (letter, _) in enumerate(path) if letter == "M"), len(path)]
    for start, end in pairwise(marks):
        yield path[start:end]


def svg_bytes(page: VectorPage, title: str, note: str) -> bytes:
    """Return ``page`` as SVG; ``note`` is its description."""
    marks = "\n".join(map(_svg_mark, page.marks))
    texts = {"title": escape(title), "note": escape(note), "marks": marks}
    size = {"width": f"{page.width:g}", "height": f"{page.height:g}"}
    return filled_page("vector/page.svg", **size, **texts).encode()


def _svg_mark(mark: DrawnPath | Label) -> str:
    if isinstance(mark, Label):
        anchor = ' text-anchor="middle"' if mark.centered else ""
        style = f'font-size="{mark.size:g}"{SVG_STYLES[mark.weight]}{anchor}'
        return f'<text x="{mark.x:.4g}" y="{mark.y:.4g}" {style}>{escape(mark.text)}</text>'
    path = "".join(letter + " ".join(map(_number, numbers)) for letter, numbers in mark.path)
    look = f' stroke="{_hex(mark.grey)}" stroke-width="{mark.width:.3g}"' if mark.width else ""
    fill = "none" if mark.fill is None else _hex(mark.fill)
    return f'<path fill="{fill}"{look} d="{path}"/>'


def _hex(grey: float) -> str:
    return "#" + 3 * f"{round(255 * grey):02x}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def pdf_bytes(page: VectorPage, title: str, note: str) -> bytes:
    """Return ``page`` as a PDF of one page; ``note`` is its subject (ISO 32000-1, 7.5)."""
    drawn = "\n".join([f"1 0 0 -1 0 {page.height:g} cm 1 J 1 j", *map(_pdf_mark, page.marks)])
    content = compress(drawn.encode("cp1252", "replace"), 9)
    pdf = PdfParser(f=(stream := BytesIO()))
    pdf.start_writing()
    pdf.write_header()
    pdf.write_comment("âãÏÓ")  # Programs that copy files see by these bytes that it is binary.
    pdf.info.Title, pdf.info.Subject = title, note
    pdf.pages = [pdf.next_object_id(0)]
    pdf.write_catalog()
    times = {"Type": PdfName("Font"), "Subtype": PdfName("Type1")}
    times |= {"Encoding": PdfName("WinAnsiEncoding")}
    fonts = {w: pdf.write_obj(None, BaseFont=PdfName(f"Times-{w}"), **times) for w in WEIGHTS}
    pdf.write_page(
        pdf.pages[0],
        MediaBox=[0, 0, page.width, page.height],
        Contents=pdf.write_obj(None, stream=content, Filter=PdfName("FlateDecode")),
        Resources={"Font": fonts},
    )
    pdf.write_xref_and_trailer()
    return stream.getvalue()


def _pdf_mark(mark: DrawnPath | Label) -> str:
    if isinstance(mark, Label):
        x = mark.x - rough_width(mark.text, mark.size) / 2 if mark.centered else mark.x
        place = f"1 0 0 -1 {x:.2f} {mark.y:.2f} Tm"
        text = re.sub(r"([()\\])", r"\\\1", mark.text)
        return f"BT 0 g /{mark.weight} {mark.size:g} Tf {place} ({text}) Tj ET"
    steps = ([*map(_number, numbers), OPERATORS[letter]] for letter, numbers in mark.path)
    path = " ".join(map(" ".join, steps))
    fill = "" if mark.fill is None else f"{mark.fill:g} g "
    stroke = f"{mark.grey:g} G {mark.width:g} w " if mark.width else ""
    both = {(True, True): "B*", (True, False): "f*", (False, True): "S", (False, False): "n"}
    return f"{fill}{stroke}{path} {both[bool(fill), bool(stroke)]}"
