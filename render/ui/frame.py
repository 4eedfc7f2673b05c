"""One picture to show: a text console and, in one rectangle of it, a map console."""

from collections.abc import Iterable, Sequence
from math import ceil
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from render.ui.input import Input, Key, Pointer

Color = tuple[int, int, int]
Shades = NDArray[np.float32]
"""Colours, or factors of colours, before they are rounded: float32 [..., 3], or one channel."""


def as_color(channels: Iterable[Any]) -> Color:
    """Return red, green and blue, numbers of any type, as a colour; fractions are truncated."""
    red, green, blue = (int(channel) for channel in channels)
    return red, green, blue


TILE_SIZES_TO_FIT = (*range(6, 16), 16, 18, 20, 22, 24, 28, 32)
"""Tile sizes in pixels to choose from if a whole level must fit into the window."""
DIALOG_WIDTH = 60
"""Columns of the narrowest map that dialogs keep to."""
FLICKER_SECONDS = 0.125


class Rect(NamedTuple):
    """A rectangle of cells."""

    x: int
    y: int
    width: int
    height: int

    @property
    def cells(self) -> tuple[slice, slice]:
        """The cells as an index [y, x], without those left of the screen or above it."""
        down, right = max(0, self.y + self.height), max(0, self.x + self.width)
        return slice(max(0, self.y), down), slice(max(0, self.x), right)

    def contains(self, x: int, y: int) -> bool:
        """Return True if the cell (x, y) lies inside."""
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


class Fringes(NamedTuple):
    """Edges of overlapping ground: places [n, 2], tile numbers [n], colours uint8 [n, 3].

    Places are column and row on the map console, numbers those of `render.tiles.fringe_tiles`.
    """

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    colors: NDArray[np.uint8]


NO_FRINGES = Fringes(np.zeros((0, 2), np.int64), np.zeros(0, np.int64), np.zeros((0, 3), np.uint8))


class LitGround(NamedTuple):
    """The ground under a map console and the light on it, for a backend that draws pixels.

    A terminal has one colour per cell, so the map console holds the ground with the light of each
    cell. A window draws ``tiles``, multiplies them by ``light`` and adds ``glow``, both
    interpolated between the corners of cells. Over this it draws what has been drawn on the map
    console since: the cells that differ from ``cells``.
    """

    tiles: Console
    """The ground in full light."""
    light: NDArray[np.float32]
    """The share of full light at each corner of cells, 0 to 1: [rows + 1, columns + 1, 3]."""
    glow: NDArray[np.float32]
    """The colour added at each corner by haze around flames and lamps, 0 to 255; same shape."""
    fringes: Fringes
    """Fringes over ``tiles``, in full light as well."""
    cells: NDArray[Any]
    """The cells of the map console (``Console.rgb``) when only the ground was drawn."""


class Sprite(NamedTuple):
    """A tile drawn anywhere over the map: x and y in cells of the map console, alpha 0 to 255.

    It is ``size`` cells large, rotated by ``angle`` degrees clockwise and, with ``flip``, mirrored
    left to right. Backends without pixels do not show it.
    """

    code: int
    color: Color
    x: float
    y: float
    alpha: int = 255
    size: float = 1.0
    flip: bool = False
    angle: float = 0.0


class Particles(NamedTuple):
    """Small pictures drawn over the map: arrays with one entry each, places in map cells.

    ``places`` [n, 2] are centres, ``sizes`` [n] in cells, ``pictures`` [n] numbers as in
    `render.tiles.tile_canvas`, ``colors`` [n, 4] RGBA, 0 to 1; ``glows`` [n] is set for those
    that add light instead of covering. Backends without pixels do not show them.
    """

    places: NDArray[np.float32]
    sizes: NDArray[np.float32]
    pictures: NDArray[np.int64]
    colors: NDArray[np.float32]
    glows: NDArray[np.bool_]

    def taken(self, chosen: NDArray[np.bool_]) -> "Particles":
        """Return the particles that are ``chosen`` [n]."""
        return Particles._make(part[chosen] for part in self)

    def __or__(self, other: "Particles") -> "Particles":
        """Return the particles of both."""
        return Particles(*(np.concatenate(parts) for parts in zip(*[self, other], strict=True)))


class SoundCue(NamedTuple):
    """A sound to play: its gain 0 to 1, its pitch as a factor, and its delay in seconds."""

    name: str
    gain: float
    pitch: float
    delay: float


class Pose(NamedTuple):
    """The motion of the figure in a map cell, for a backend that draws pixels.

    It is displaced by (dx, dy) cells, mirrored with ``flip``, and ``size`` cells large; it stands
    on the middle of the cell's lower edge. With ``breath`` its upper part sinks by about a pixel.
    ``layers`` are sprites drawn over it, at places relative to the figure.
    """

    dx: float = 0.0
    dy: float = 0.0
    flip: bool = False
    size: float = 1.0
    breath: bool = False
    layers: tuple[Sprite, ...] = ()


Look = tuple[str, int, Color]
"""The letter of a thing, the code point of its tile and its colour."""


class Icon(NamedTuple):
    """A small tile in a line of text, which takes the cells (x, y) and (x + 1, y).

    A backend without pixels shows the letter under it.
    """

    code: int
    color: Color
    x: int
    y: int


class Heading(NamedTuple):
    """A line of text that a backend with pixels draws enlarged, over the same text in cells.

    It is ``size`` text cells high and begins at the column ``x``; ``y`` is its middle in rows. Its
    background is that of the cell (x, y).
    """

    text: str
    color: Color
    x: int
    y: float
    size: float

    def reaches(self, rect: Rect) -> bool:
        """Return True if a part of the enlarged text lies in ``rect``; none is above its row."""
        top, right = ceil(self.y - self.size / 2), self.x + len(self.text) * self.size
        across = self.x < rect.x + rect.width and rect.x < right
        return across and top < rect.y + rect.height and rect.y < self.y + self.size / 2


class Picture(NamedTuple):
    """Pixels drawn over a rectangle of text or map, for a backend that draws pixels.

    ``pixels`` is uint8 [y, x, 3], or [y, x, 4] with alpha. ``around`` is the colour of the rest of
    ``rect`` if pixels have no alpha; None means the background of its first cell. It covers the
    first ``layer`` overlays of the frame; the others cover it.
    """

    rect: Rect
    pixels: NDArray[np.uint8]
    around: Color | None = None
    layer: int = 0


class NoDisplay(Exception):
    """Neither a window nor a terminal is available; the message says what to do."""


class Frame:
    """The canvas of a screen: a text console and, over a part of it, a map console.

    ``text`` covers the whole frame. ``map`` covers ``map_rect`` of it, in cells ``tile`` times as
    wide and high as text cells (1 by 1 in a terminal). ``overlays`` are rectangles of ``text`` that
    cover the map again: menus, tool tips. Arrays of both are [y, x]. ``cursor`` is the cell of
    ``text`` where a terminal puts its cursor, which screen readers follow. ``buttons`` are areas of
    ``text`` that press a key when clicked, or make the mouse point at a cell of the map. ``ground``
    is the ground under the map console and its light, if it is lit. ``sprites`` are drawn over the
    map, ``pictures`` over the map or over text that shows the same in half blocks, ``icons`` and
    ``headings`` over text and overlays. ``tile_pixels`` is the size of a tile in pixels, 0 without
    pixels. ``sounds`` are to be played once, ``ambience`` as long as frames contain it ("" for
    none). ``fluid`` is set if the backend draws at fractions of a cell: ``poses`` displace the
    figures of map cells (column, row), ``particles`` fly over the map, ``scroll`` displaces the
    whole map, in cells. ``flicker`` is the number of seconds between two changes of flickering
    light, None for none. ``above`` are the screens over the one being drawn, none for the top one.
    """

    def __init__(
        self, columns: int, rows: int, tile: tuple[float, float] = (1.0, 1.0), tile_pixels: int = 0
    ) -> None:
        self.text = Console(columns, rows)
        self.tile = tile
        self.tile_pixels = tile_pixels
        self.map: Console | None = None
        self.map_rect: Rect | None = None
        self.ground: LitGround | None = None
        self.pictures: list[Picture] = []
        self.sprites: list[Sprite] = []
        self.fluid = False
        self.poses: dict[tuple[int, int], Pose] = {}
        self.particles: Particles | None = None
        self.sounds: list[SoundCue] = []
        self.ambience = ""
        self.scroll = (0.0, 0.0)
        self.icons: list[Icon] = []
        self.headings: list[Heading] = []
        self.overlays: list[Rect] = []
        self.cursor: tuple[int, int] | None = None
        self.buttons: list[tuple[Rect, Key | Pointer]] = []
        self.flicker: float | None = FLICKER_SECONDS
        self.above: Sequence[object] = ()

    @property
    def columns(self) -> int:
        """Text cells across."""
        return self.text.width

    @property
    def rows(self) -> int:
        """Text cells down."""
        return self.text.height

    @property
    def map_area(self) -> Rect:
        """The rectangle that dialogs cover: the map, or all columns if it is narrow or missing."""
        rect = self.map_rect or Rect(0, 0, self.columns, self.rows)
        return rect if rect.width >= DIALOG_WIDTH else rect._replace(x=0, width=self.columns)

    def open_map(self, rect: Rect, size: tuple[int, int] | None = None, margin: int = 0) -> Console:
        """Put a map console over ``rect`` and return it; its outermost tiles may be cut.

        ``size`` is the number of tiles across and down that must fit; tiles are shrunk for that.
        ``margin`` more tiles on each side lie out of view, for a map that scrolls smoothly.
        """
        if size and self.tile_pixels:
            self._shrink(rect, size)
        columns = max(1, ceil(rect.width / self.tile[0] - 1e-6))
        rows = max(1, ceil(rect.height / self.tile[1] - 1e-6))
        self.map_rect, self.ground = rect, None
        self.map = Console(columns + 2 * margin, rows + 2 * margin)
        return self.map

    def cover(self, rect: Rect) -> None:
        """Make the text in ``rect`` cover the map; drop icons there and headings that reach it."""
        self.overlays.append(rect)
        self.icons = [icon for icon in self.icons if not rect.contains(icon.x, icon.y)]
        self.headings = [head for head in self.headings if not head.reaches(rect)]

    def _shrink(self, rect: Rect, size: tuple[int, int]) -> None:
        """Choose the largest tile size at which ``size`` fits into ``rect``, or the smallest."""
        cell = self.tile_pixels / self.tile[0], self.tile_pixels / self.tile[1]
        width, height = rect.width * cell[0], rect.height * cell[1]
        fitting = [n for n in TILE_SIZES_TO_FIT if size[0] * n <= width and size[1] * n <= height]
        self.tile_pixels = max(fitting, default=TILE_SIZES_TO_FIT[0])
        self.tile = self.tile_pixels / cell[0], self.tile_pixels / cell[1]


class Backend(Protocol):
    """Shows frames and reads input: a window, or a terminal, which supports only a part of this."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *fault: object) -> None: ...

    def frame(self) -> Frame:
        """Return an empty frame of the current size."""

    def show(self, frame: Frame) -> None:
        """Show ``frame``."""

    def wait(self, timeout: float | None) -> list[Input]:
        """Return input as soon as there is some, or [] after ``timeout`` seconds (None: never)."""

    def discard(self) -> None:
        """Drop key presses that have not been read yet."""

    def zoom(self, change: int) -> bool:  # noqa: ARG002
        """Make the map ``change`` notches larger or smaller; return whether this backend can."""
        return False

    def zoom_text(self, change: int) -> bool:  # noqa: ARG002
        """Make the text ``change`` notches larger or smaller; return whether this backend can."""
        return False

    def toggle_fullscreen(self) -> bool:
        """Switch full screen on or off; return whether this backend can."""
        return False

    def copy(self, text: str) -> bool:
        """Put ``text`` on the clipboard; return whether that worked."""

    def screenshot(self, path: str) -> bool:  # noqa: ARG002
        """Write what is shown to ``path`` as PNG; return whether this backend can."""
        return False
