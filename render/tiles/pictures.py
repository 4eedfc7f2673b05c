"""Pictures as data: lists of shapes in the files of `data/pictures`, drawn by `draw_picture`.

Points are written ``"x,y x,y"`` on a square from (0, 0) to (1, 1), y down. Every number, including
those in points, may be a formula (+ - * / `FUNCTIONS`) of these names: the shades dark, mid and
pale; ``hair``, the width of the finest line; ``pixels``, the side of the tile; ``pi``; ``variant``,
that of the tile; ``copy``, the number of the copy of the shape; ``random``, a number from 0 to 1
that depends on both; and the ``sizes`` of the picture. A scattered shape also has ``which``,
another number from 0 to 1, and ``scattered_x`` and ``scattered_y``.
"""

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from math import inf, pi, sin, sqrt
from operator import itemgetter
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from entities.creature_kinds import creature_kinds
from entities.data_files import DataError, check_names, convert, read_entries, read_toml, shown_path
from entities.folders import user_folder
from entities.item_kinds import item_kinds
from procgen import metric_query
from procgen.metric_query import Query, parse_formula
from procgen.position_hash import hash_fraction
from render.tiles.tile_canvas import TileCanvas, hair_width, scattered_points

Number = float | str
Point = tuple[float, float]
Placing = Callable[[float, float], Point]
"""Moves a point of a picture to its place on the tile."""

SHADES = {"dark": 0.1, "mid": 0.62, "pale": 1.0}
CLEAR = "clear"
"""The shade that cuts a hole."""
OWN_FILE = "pictures.toml"
PARTS = "parts"
"""The file with parts for the pictures of all files."""
SHADE, POINT, RADIUS, DRAWN, SIZE = (0, 1), (-1, 2), (0.001, 9), (-9, 9), (-1000, 1000)
"""The least and greatest numbers, so that no file causes endless work: ``SIZE`` of sizes, copies
and seeds, ``DRAWN`` of what is drawn except for shades and covers, points and radii."""
MOST_NESTED = 4
MOST_COPIES = 1000
"""The most copies of a shape, multiplied by the copies of the parts that contain it."""


@lru_cache(maxsize=4000)
def _chance(*numbers: float) -> float:
    return hash_fraction(*map(int, numbers))


WORD = re.compile(r"[A-Za-z_]\w*")
FUNCTIONS: metric_query.Functions = metric_query.FUNCTIONS | {
    "sin": (sin, 1, 1),
    "mod": (operator.mod, 2, 2),
    "power": (math.pow, 2, 2),
    "over": (operator.gt, 2, 2),
    "pick": (lambda number, *of: of[int(number) % len(of)], 2, 9),
    "chance": (_chance, 1, 9),
}
"""``over(a, b)`` is 1 if a > b, else 0; ``pick(n, ...)`` the n-th of the numbers, from 0;
``chance(...)`` a hash from 0 to 1 of its numbers, which are cut to whole numbers."""


class PictureShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shape of a picture; exactly one of the first five fields is given."""

    bar: str = ""
    """Two corners of a rectangle that is snapped to whole pixels."""
    disc: str = ""
    """The centre of an ellipse with ``radius``, or the centres of several."""
    line: str = ""
    """Points along a line of ``width``."""
    polygon: str = ""
    part: str = ""
    """The name of another picture, drawn here with the sizes in ``with``."""
    given: dict[str, Number] = msgspec.field(name="with", default_factory=dict)
    shade: Number = "pale"
    cover: Number = 1.0
    width: Number = 0.0
    radius: Number = 0.0
    """A number, or two: ``"across,down"``."""
    at: str = "0,0"
    """The offsets of the shape, a point for each copy."""
    copies: Number = 1
    """The number of copies at each point of ``at``, or of scattered copies."""
    scattered: Number | None = None
    """The seed of the offsets used instead of ``at``, spread evenly over the tile."""
    margin: Number = 0.0
    """The least distance of scattered points from the edges."""
    downwards: bool = False
    """Draw scattered copies from top to bottom."""
    when: Number = 1
    """Copies for which this is 0 are left out."""
    mirrored: bool = False
    """Draw the shape a second time, mirrored left to right."""
    variants: list[int] | None = None
    """The variants of the tile that have this shape; None for all."""


class DrawnPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture, drawn shape by shape."""

    about: str
    """The subject in one line."""
    shapes: list[PictureShape]
    sizes: dict[str, Number] = {}
    """Named numbers, also formulas of earlier ones; a picture with this part may override them."""
    diagonal: bool = False
    """Points are (along, off): along the rising diagonal from 0 to 1, and off to its right."""


class PictureBook(NamedTuple):
    """The pictures of a file by name, and the file's path for messages."""

    where: str
    pictures: Mapping[str, DrawnPicture]


@cache
def picture_book(name: str) -> PictureBook:
    """Return the pictures of ``data/pictures/NAME.toml``; raise `DataError` for invalid ones."""
    file = f"pictures/{name}.toml"
    pictures = read_entries(file, DrawnPicture)
    if name == "creatures":  # Other files have parts and item classes, too.
        check_names(shown_path(file), pictures, creature_kinds(), "creature")
    return PictureBook(shown_path(file), pictures)


class UserPictures(NamedTuple):
    """The user's pictures: the book, the names of creatures and items in it, and faults."""

    book: PictureBook
    names: frozenset[str]
    faults: list[str]


def picture_of(name: str, book: str) -> PictureBook | None:
    """Return the book with the picture ``name``: the user's, else ``book``, else None."""
    with suppress(OSError):
        own = user_pictures(user_folder())
        if name in own.names:
            return own.book
    standard = picture_book(book)
    return standard if name in standard.pictures else None


@cache
def user_pictures(folder: Path) -> UserPictures:
    """Return the user's pictures in ``folder``; each is drawn once to find its faults."""
    path = folder / OWN_FILE
    pictures: dict[str, DrawnPicture] = {}
    book, names, faults = PictureBook(str(path), pictures), set[str](), list[str]()
    try:
        tables = read_toml(path.name, folder, optional=True)
    except DataError as fault:
        return UserPictures(book, frozenset(), [str(fault)])
    for name, table in tables.items():
        try:
            pictures[name] = convert(table, DrawnPicture, f"{path}: [{name}]")
        except DataError as fault:
            faults.append(str(fault))
    parts = {shape.part for picture in pictures.values() for shape in picture.shapes}
    for name in pictures:
        try:
            if name in creature_kinds() or name in item_kinds():
                draw_picture(canvas := TileCanvas(16), book, name)
                if canvas.pixels()[..., 3].any():
                    names.add(name)
                else:
                    faults.append(f"{path}: [{name}]: nothing of it can be seen")
            elif name not in parts:
                known = [*creature_kinds(), *item_kinds()]
                check_names(f"{path}: [{name}]", [name], known, "creature or item")
        except DataError as fault:
            faults.append(str(fault))
    return UserPictures(book, frozenset(names), faults)


def draw_picture(
    canvas: TileCanvas,
    book: PictureBook,
    name: str,
    variant: int = 0,
    sizes: Mapping[str, float] = MappingProxyType({}),
) -> None:
    """Draw the picture ``name`` with other ``sizes``; raise `DataError` for an invalid shape."""
    _Drawing(canvas, variant, book).draw(name, sizes, lambda x, y: (x, y))


class _Drawing(NamedTuple):
    """A picture being drawn; how deep it is nested as a part, and how often it is drawn."""

    canvas: TileCanvas
    variant: int
    book: PictureBook
    nested: int = 0
    times: int = 1

    def draw(self, name: str, sizes: Mapping[str, float], place: Placing) -> None:
        """Draw the picture ``name`` with the ``sizes`` given; raise `DataError` as above."""
        picture = self.book.pictures[name]
        side = self.canvas.size
        names = SHADES | {"hair": hair_width(side) / side, "pixels": side, "pi": pi}
        names |= {"variant": self.variant}
        if picture.diagonal:
            place = _from_diagonal(place)
        try:
            where = "sizes"
            for size, value in picture.sizes.items():
                names[size] = sizes[size] if size in sizes else _number(value, names, SIZE)
            for index, shape in enumerate(picture.shapes):
                where = f"shapes[{index}]"
                if shape.variants is None or self.variant in shape.variants:
                    self._copies(shape, names, place)
        except ValueError as fault:
            raise DataError(f"{self.book.where}: [{name}]: {where}: {fault}") from None

    def _copies(self, shape: PictureShape, names: dict[str, float], place: Placing) -> None:
        count = int(_number(shape.copies, names, SIZE))
        drawing = self._replace(times=self.times * count) if count > 1 else self
        if drawing.times > MOST_COPIES:
            raise ValueError(f"it is drawn more than {MOST_COPIES} times")
        for copy, (across, down, *more) in enumerate(_places(shape, names, count)):
            copy_names = names | {"random": _chance(self.variant, copy, 4), "copy": copy}
            if more:
                copy_names |= {"scattered_x": across, "scattered_y": down, "which": more[0]}
            if shape.when == 1 or _number(shape.when, copy_names):
                drawing.form(shape, copy_names, _moved(place, across, down))
                if shape.mirrored:
                    drawing.form(shape, copy_names, _moved(place, across, down, mirrored=True))

    def form(self, shape: PictureShape, names: dict[str, float], place: Placing) -> None:
        """Draw one copy of ``shape``."""
        clear = shape.shade == CLEAR
        shade, cover = (0, 0) if clear else (shape.shade, shape.cover)
        ink = _number(shade, names, SHADE), _number(cover, names, SHADE)
        match [form for form in ("bar", "disc", "line", "polygon", "part") if getattr(shape, form)]:
            case ["part"]:
                self._part(shape, names, place)
            case ["bar"]:
                (x, y), (right, bottom) = _placed(shape.bar, names, place, 2)
                if place(1, 0) < place(0, 0):
                    x, right = right, x
                self.canvas.bar(x, y, right, bottom, *ink)
            case ["disc"]:
                value = shape.radius
                radii = _between_commas(value) if isinstance(value, str) else [value]
                radius = [_number(radius, names, RADIUS) for radius in radii]
                for x, y in _placed(shape.disc, names, place):
                    self.canvas.disc(x, y, radius[0], radius[-1], *ink)
            case ["line"]:
                width = _number(shape.width, names)
                self.canvas.line(_placed(shape.line, names, place, 2), width, *ink)
            case ["polygon"]:
                self.canvas.shape(_placed(shape.polygon, names, place, 3), *ink)
            case _:
                raise ValueError("must be one of bar, disc, line, polygon and part")

    def _part(self, shape: PictureShape, names: dict[str, float], place: Placing) -> None:
        book = self.book if shape.part in self.book.pictures else picture_book(PARTS)
        if shape.part not in book.pictures:
            raise ValueError(f"there is no part {shape.part!r}")
        if self.nested == MOST_NESTED:
            raise ValueError(f"parts are nested more than {MOST_NESTED} deep")
        sizes = {name: _number(size, names, SIZE) for name, size in shape.given.items()}
        variant = int(sizes.pop("variant", self.variant))
        if unknown := sizes.keys() - book.pictures[shape.part].sizes.keys():
            raise ValueError(f"the part {shape.part!r} has no size {min(unknown)!r}")
        inner = self._replace(book=book, variant=variant, nested=self.nested + 1)
        inner.draw(shape.part, sizes, place)


def _places(shape: PictureShape, names: dict[str, float], many: int) -> Sequence[tuple[float, ...]]:
    """Return the x and y of each copy of ``shape``, and a random fraction if it is scattered."""
    if shape.scattered is None:
        return [point for point in _points(shape.at, names) for _ in range(many)]
    seed = int(_number(shape.scattered, names, SIZE))
    points = list(scattered_points(seed, many, _number(shape.margin, names)))
    return sorted(points, key=itemgetter(1)) if shape.downwards else points


def _moved(place: Placing, across: float, down: float, *, mirrored: bool = False) -> Placing:
    if not (across or down or mirrored):
        return place

    def moved(x: float, y: float) -> Point:
        return place(1 - x - across if mirrored else x + across, y + down)

    return moved


def _from_diagonal(place: Placing) -> Placing:
    """Return ``place`` for points along the rising diagonal, which ends 0.1 from the corners."""

    def turned(along: float, off: float) -> Point:
        reach, side = 0.1 + 0.8 * along, off / sqrt(2)
        return place(reach + side, 1 - reach + side)

    return turned


def _placed(text: str, names: dict[str, float], place: Placing, least: int = 1) -> list[Point]:
    points = [place(x, y) for x, y in _points(text, names)]
    if len(points) < least:
        raise ValueError(f"{text!r} has fewer than {least} points")
    return points


def _points(text: str, names: dict[str, float]) -> list[Point]:
    """Return the points in ``text``, such as "0.1,0.2 0.3,0.4"."""
    return [(_number(x, names, POINT), _number(y, names, POINT)) for x, y in _pairs(text)]


def _number(value: Number | Query, names: dict[str, float], span: Sequence[float] = DRAWN) -> float:
    """Return ``value``, evaluated if it is a formula; raise ValueError if it is out of range."""
    formula = _formula(value) if isinstance(value, str) else value
    try:
        number = formula.meaning(names) if isinstance(formula, Query) else formula
    except ArithmeticError:
        number = inf
    except KeyError:
        raise ValueError(f"{_text(value)!r} is not a formula of {', '.join(names)}") from None
    if not span[0] <= number <= span[1]:
        raise ValueError(f"{_text(value)} is not a number from {span[0]} to {span[1]}")
    return number


def _text(value: Number | Query) -> str:
    return value.text if isinstance(value, Query) else str(value)


@lru_cache(maxsize=2000)
def _pairs(text: str) -> list[list[Query | float]]:
    """Compile the points in ``text``."""
    pairs = [(point, _between_commas(point)) for point in text.split()]
    for point, pair in pairs:
        if len(pair) != 2:
            raise ValueError(f"{point!r} is not a point such as 0.5,0.5")
    return [[_formula(number) for number in pair] for _, pair in pairs]


@lru_cache(maxsize=2000)
def _formula(text: str) -> Query | float:
    """Compile ``text`` to a query of the names in it, or to a number if there are none."""
    try:
        query = parse_formula(text, WORD.findall(text), FUNCTIONS)
    except ValueError:
        raise ValueError(f"{text!r} is not a formula") from None
    number = None if query.names else query.number({})
    return query if number is None else number


@lru_cache(maxsize=2000)
def _between_commas(text: str) -> list[str]:
    """Split ``text`` at the commas that are outside brackets."""
    pieces, depth = [""], 0
    for char in text:
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += char
    return pieces
