"""Pictures as data: each is a list of shapes in a file of `data/pictures`, drawn by `draw_picture`.

Points are written ``"x,y x,y"`` on a square from (0, 0) to (1, 1), y down. Every number, also one
in a point, may be a formula (+ - * / min max) of these names: the shades dark, mid and pale;
``hair``, the width of the finest line; ``random``, a number from 0 to 1 that depends on the variant
of the tile and the copy of the shape; and the ``sizes`` of the picture.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

import msgspec

from entities.creature_kinds import creature_kinds
from entities.data_files import DataError, convert, read_entries, read_toml, shown_path
from entities.folders import own_folder
from entities.item_kinds import item_kinds
from procgen.metric_query import Query, parse_formula
from procgen.position_hash import hash_fraction
from render.tiles.tile_canvas import TileCanvas

Number = float | str
Point = tuple[float, float]
Placing = Callable[[float, float], Point]
"""Moves a point of a picture to its place on the tile."""

SHADES = {"dark": 0.1, "mid": 0.62, "pale": 1.0}
CLEAR = "clear"
"""The shade that cuts a hole."""
OWN_FILE = "pictures.toml"
PARTS = "parts"
"""The file whose pictures are parts of those in all files."""
LARGEST = 9
"""The most that a number may be from 0, so that no file can ask for endless work."""
MOST_NESTED = 4


class PictureShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A shape of a picture; exactly one of the first five fields is given."""

    bar: str = ""
    """Two corners of a rectangle that is snapped to whole pixels."""
    disc: str = ""
    """The middle of an ellipse with ``radius``, or of several."""
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
    """By how much the shape is moved, a point for each copy."""
    mirrored: bool = False
    """Draw the shape a second time, left and right exchanged."""
    variants: list[int] | None = None
    """The variants of the tile that have this shape; None for all."""


class DrawnPicture(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A picture, drawn shape by shape."""

    about: str
    """The subject in one line."""
    shapes: list[PictureShape]
    sizes: dict[str, Number] = {}
    """Names for numbers, also formulas of those before; a picture with this part may set others."""
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
    return PictureBook(shown_path(file), read_entries(file, DrawnPicture))


class OwnPictures(NamedTuple):
    """The player's own pictures: all, the names of creatures and items among them, and faults."""

    book: PictureBook
    names: frozenset[str]
    faults: list[str]


def picture_of(name: str, book: str) -> PictureBook | None:
    """Return the book with the picture ``name``: the player's own, else ``book``, or None."""
    with suppress(OSError):
        own = own_pictures(own_folder())
        if name in own.names:
            return own.book
    found = picture_book(book)
    return found if name in found.pictures else None


@cache
def own_pictures(folder: Path) -> OwnPictures:
    """Return the pictures in ``folder``, each drawn once to find its faults."""
    path = folder / OWN_FILE
    pictures: dict[str, DrawnPicture] = {}
    book, names, faults = PictureBook(str(path), pictures), set[str](), list[str]()
    try:
        tables = read_toml(path.name, folder) if path.is_file() else {}
    except DataError as fault:
        return OwnPictures(book, frozenset(), [str(fault)])
    for name, table in tables.items():
        try:
            pictures[name] = convert(table, DrawnPicture, f"{path}: [{name}]")
        except DataError as fault:
            faults.append(str(fault))
    parts = {shape.part for picture in pictures.values() for shape in picture.shapes}
    for name in pictures:
        try:
            if name in creature_kinds() or name in item_kinds():
                draw_picture(TileCanvas(16), book, name)
                names.add(name)
            elif name not in parts:
                faults.append(f"{path}: [{name}]: there is no creature or item of this name")
        except DataError as fault:
            faults.append(str(fault))
    return OwnPictures(book, frozenset(names), faults)


def draw_picture(canvas: TileCanvas, book: PictureBook, name: str, variant: int = 0) -> None:
    """Draw the picture ``name`` on ``canvas``; raise `DataError` naming a shape that is invalid."""
    _Drawing(canvas, variant, book).draw(name, {}, lambda x, y: (x, y))


class _Drawing(NamedTuple):
    """A picture being drawn, and how many pictures it is a part of."""

    canvas: TileCanvas
    variant: int
    book: PictureBook
    nested: int = 0

    def draw(self, name: str, given: Mapping[str, float], place: Placing) -> None:
        """Draw the picture ``name`` with the sizes ``given``; raise `DataError` as above."""
        picture = self.book.pictures[name]
        names = SHADES | {"hair": self.canvas.hair}
        for size, value in picture.sizes.items():
            names[size] = given[size] if size in given else _number(value, names)
        if picture.diagonal:
            place = _from_diagonal(place)
        for index, shape in enumerate(picture.shapes):
            if shape.variants is None or self.variant in shape.variants:
                try:
                    self._copies(shape, names, place)
                except ValueError as fault:
                    where = f"{self.book.where}: [{name}]: shapes[{index}]"
                    raise DataError(f"{where}: {fault}") from None

    def _copies(self, shape: PictureShape, names: dict[str, float], place: Placing) -> None:
        for copy, (across, down) in enumerate(_points(shape.at, names)):
            known = names | {"random": hash_fraction(self.variant, copy, 4)}
            self._form(shape, known, _moved(place, across, down))
            if shape.mirrored:
                self._form(shape, known, _moved(place, across, down, mirrored=True))

    def _form(self, shape: PictureShape, names: dict[str, float], place: Placing) -> None:
        """Draw one copy of ``shape``."""
        clear = shape.shade == CLEAR
        ink = (0, 0) if clear else (_number(shape.shade, names), _number(shape.cover, names))
        match [form for form in ("bar", "disc", "line", "polygon", "part") if getattr(shape, form)]:
            case ["part"]:
                self._part(shape, names, place)
            case ["bar"]:
                (x, y), (right, bottom) = _placed(shape.bar, names, place, 2)
                if place(1, 0) < place(0, 0):
                    x, right = right, x
                self.canvas.bar(x, y, right, bottom, *ink)
            case ["disc"]:
                radius = [_number(text, names) for text in str(shape.radius).split(",")]
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
        given = {name: _number(value, names) for name, value in shape.given.items()}
        if unknown := given.keys() - book.pictures[shape.part].sizes.keys():
            raise ValueError(f"the part {shape.part!r} has no size {min(unknown)!r}")
        inner = self._replace(book=book, nested=self.nested + 1)
        inner.draw(shape.part, given, place)


def _moved(place: Placing, across: float, down: float, *, mirrored: bool = False) -> Placing:
    def moved(x: float, y: float) -> Point:
        return place(1 - x - across if mirrored else x + across, y + down)

    return moved


def _from_diagonal(place: Placing) -> Placing:
    """Return ``place`` for points along the rising diagonal, whose ends are 0.1 off the corners."""

    def turned(along: float, off: float) -> Point:
        reach, side = 0.1 + 0.8 * along, off / sqrt(2)
        return place(reach + side, 1 - reach + side)

    return turned


def _placed(text: str, names: dict[str, float], place: Placing, least: int = 1) -> list[Point]:
    points = [place(x, y) for x, y in _points(text, names)]
    if len(points) < least:
        raise ValueError(f"{text!r} has fewer than {least} points")
    return points


def _points(text: str, names: dict[str, float]) -> Iterator[Point]:
    """Yield the points in ``text``, such as "0.1,0.2 0.3,0.4"."""
    for point in text.split():
        across, comma, down = point.partition(",")
        if not comma:
            raise ValueError(f"{point!r} is not a point such as 0.5,0.5")
        yield _number(across, names), _number(down, names)


def _number(value: Number, names: dict[str, float]) -> float:
    """Return ``value``, worked out if it is a formula; raise ValueError if it is no number."""
    try:
        number: float | None = float(value)
    except ValueError:
        number = _formula(str(value), tuple(names)).number(names)
    if number is None or not abs(number) <= LARGEST:
        raise ValueError(f"{value} is not a number from -{LARGEST} to {LARGEST}")
    return number


@lru_cache(maxsize=1000)
def _formula(text: str, names: tuple[str, ...]) -> Query:
    try:
        return parse_formula(text, names)
    except ValueError:
        raise ValueError(f"{text!r} is not a formula of {', '.join(names)}") from None
