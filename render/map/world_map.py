"""The overview map of an infinite world, composed of pictures of its chunks.

A terminal shows it in half blocks, a window as land in relief on paper (`painted_map`).

Unbuilt chunks are requested from the chunk loader's thread; the map fills in as they arrive.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw
from tcod.console import Console

from engine.infinite.chunk_loader import chunk_loader
from engine.infinite.infinite_map import InfiniteMap
from engine.infinite.populated_chunks import PopulatedChunk
from engine.infinite.saved_chunks import unpack_chunk, unpack_mask
from engine.state.game_map import GameMap
from entities.terrain import Mask, Tile
from procgen.blueprint import paste_clipped
from procgen.chunk import SIDE, ChunkIndex
from render.map.place_names import region_name
from render.map.whole_level import downscaled, plain_colors
from render.tiles.fringe_tiles import contours
from render.tiles.letters import ADVANCE, font
from render.tiles.tile_canvas import Pixels, blurred
from render.ui.frame import Color, Rect
from render.ui.palette import colors
from render.ui.text import write

KNOWN_LAND = 64
"""The number of tiles that must have been seen of a region before it is named."""
PLACES_UP_TO = 8
"""The greatest scale, in tiles per point, at which sites are labelled as well as regions."""


class MapLabel(NamedTuple):
    """A label at the world coordinates (x, y), of a region (``land``) or of a site."""

    text: str
    x: int
    y: int
    land: bool


def chunk_labels(
    seed: int, chunk: tuple[int, int], built: PopulatedChunk, seen: Mask
) -> list[MapLabel]:
    """Return the labels of a ``chunk`` for the tiles ``seen``."""
    left, top = chunk[0] * SIDE, chunk[1] * SIDE
    labels = []
    ys, xs = seen.nonzero()
    if len(xs) >= KNOWN_LAND:
        name = region_name(seed, chunk, built)
        labels.append(MapLabel(name, left + int(xs.mean()), top + int(ys.mean()), land=True))
    for kind, x, y in built.sites:
        if seen[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].any():
            labels.append(MapLabel(kind, left + x, top + y, land=False))
    return labels


class PlacedLabel(NamedTuple):
    """A label; ``column`` and ``row`` are the cell of the area that holds its first letter."""

    text: str
    column: int
    row: int
    color: Color


GAP = 2
"""The fewest free columns between two labels."""


class LabelLayout:
    """Places labels on an ``area`` of a console without overlap.

    The area shows points of ``scale`` tiles as half blocks, from ``corner`` (in points) on.
    ``placed`` are the labels for which there was room, ``pins`` the cells of their sites.
    """

    def __init__(self, console: Console, area: Rect, corner: tuple[int, int], scale: int) -> None:
        self.area, self.scale, self.placed = area, scale, list[PlacedLabel]()
        self.pins: list[tuple[int, int]] = []
        self._console, self._corner = console, corner
        self._taken = np.zeros((area.height + 2, area.width + 2 * GAP), np.bool_)

    def cell(self, x: int, y: int) -> tuple[int, int] | None:
        """Return column and row of the world coordinates (x, y), None outside the area."""
        column = x // self.scale - self._corner[0]
        row = (y // self.scale - self._corner[1]) // 2
        inside = 0 <= column < self.area.width and 0 <= row < self.area.height
        return (column, row) if inside else None

    def put(self, label: MapLabel, color: str, ground: str | None = None) -> None:
        """Write ``label`` at its place or up to two rows away, unless it would touch another there.

        The name of a site does not cover the site itself, if there is room elsewhere.
        """
        text, x, y, _ = label
        cell, length = self.cell(x, y), len(text)
        if cell is None or length > self.area.width:
            return
        column, row = cell
        start = min(max(0, column - length // 2), self.area.width - length)
        rows = (row, row - 1, row + 1, row - 2, row + 2)
        for line in rows if label.land else (*rows[1:], row):
            gap = self._taken[max(0, line) : line + 3, start : start + length + 2 * GAP]
            if 0 <= line < self.area.height and not gap.any():
                self._taken[line + 1, start + GAP : start + GAP + length] = True
                left, top = self.area.x + start, self.area.y + line
                write(self._console, left, top, text, color)
                if ground:
                    self._console.rgb["bg"][top, left : left + length] = colors()[ground]
                self.placed.append(PlacedLabel(text, start, line, colors()[color]))
                self.pins += [] if label.land else [cell]
                return

    def put_all(self, labels: Iterable[MapLabel]) -> None:
        """Write ``labels`` where there is room, regions before sites."""
        near = self.scale <= PLACES_UP_TO
        shown = [label for label in labels if (near or label.land) and self.cell(label.x, label.y)]
        for label in sorted(shown, key=lambda label: (not label.land, label.y, label.x)):
            self.put(label, "accent" if label.land else "text", "ground")


CACHED_PICTURES = 400
"""Size of the cache of chunk pictures."""
CHUNKS_ASKED = 6
"""Chunks requested at a time: with more, scrolling would wait for chunks out of view."""


class WorldPicture:
    """Draws any part of an infinite world: the explored tiles, or all if ``whole``.

    ``waiting`` is set while chunks are still being built.
    """

    def __init__(self, game_map: GameMap, *, whole: bool) -> None:
        assert isinstance(game_map, InfiniteMap)
        self.whole = whole
        self.waiting = False
        self._map = game_map
        self._shades = plain_colors(game_map.theme) * np.float32(1.15)
        self._pieces: dict[tuple[ChunkIndex, int], Pixels] = {}
        self._labels: dict[ChunkIndex, list[MapLabel]] = {}

    def labels(self) -> list[MapLabel]:
        """Return the labels of the chunks drawn so far."""
        return [label for labels in self._labels.values() for label in labels]

    def page(self, corner: tuple[int, int], width: int, height: int, scale: int) -> Pixels:
        """Return points of ``scale`` tiles from ``corner`` (in points) on: uint8 [y, x, 3]."""
        page = np.full((height, width, 3), colors()["ground"], np.uint8)
        side, requested, self.waiting = SIDE // scale, 0, False
        left, top = corner
        for cy in range(top // side, (top + height - 1) // side + 1):
            for cx in range(left // side, (left + width - 1) // side + 1):
                piece = self._piece((cx, cy), scale, ask=requested < CHUNKS_ASKED)
                if piece is None:
                    requested, self.waiting = requested + 1, True
                    continue
                paste_clipped(page, piece, cx * side - left, cy * side - top)
        return page

    def _piece(self, chunk: ChunkIndex, scale: int, *, ask: bool) -> Pixels | None:
        """Return the picture of a chunk; None if it is not built yet (request it with ``ask``)."""
        if (chunk, scale) in self._pieces:
            return self._pieces[chunk, scale]
        seen = self._seen(chunk)
        if not seen.any():
            piece = np.full((SIDE // scale, SIDE // scale, 3), colors()["ground"], np.uint8)
        else:
            built = self._built(chunk, ask=ask)
            if built is None:
                return None
            loaded = chunk in self._map.chunks
            tiles = self._map.tiles[self._map.box(chunk)] if loaded else built.tiles
            unknown = np.array(colors()["ground"], np.float32)
            piece = downscaled(np.where(seen[..., None], self._shades[tiles], unknown), scale)
            for y, x in np.argwhere((tiles == Tile.ENTRANCE) & seen).tolist():
                piece[y // scale : y // scale + 2, x // scale : x // scale + 2] = colors()["accent"]
            if chunk not in self._labels:
                self._labels[chunk] = chunk_labels(self._map.code.seed, chunk, built, seen)
        while len(self._pieces) >= CACHED_PICTURES:
            del self._pieces[next(iter(self._pieces))]
        while len(self._labels) > CACHED_PICTURES:
            del self._labels[next(iter(self._labels))]
        self._pieces[chunk, scale] = piece
        return piece

    def _built(self, chunk: ChunkIndex, *, ask: bool) -> PopulatedChunk | None:
        if chunk in self._map.chunks:
            return self._map.chunks[chunk]
        key = self._map.key(chunk)
        if ask:
            chunk_loader().prefetch([key], tiles_only=True)
        return chunk_loader().if_built(key)

    def _seen(self, chunk: ChunkIndex) -> Mask:
        if self.whole:
            return np.ones((SIDE, SIDE), np.bool_)
        if chunk in self._map.chunks:
            return self._map.explored[self._map.box(chunk)]
        if packed := self._map.saved_chunks.get(chunk):
            return unpack_mask(SIDE, SIDE, unpack_chunk(packed).explored)
        return np.zeros((SIDE, SIDE), np.bool_)


PAPER = np.array([48, 41, 32], np.float32)
"""The colour of unknown land."""
INK, RIM = (22, 17, 14), (255, 250, 236)
"""The outline of names and pins, and the outline of the hero's pin."""
TINT = np.array([0.94, 0.88, 0.78], np.float32)
"""The tint that paper gives to the colours of land."""
RELIEF, LINES = 0.9, 0.16
"""The strength of the shading of slopes, and of contour lines."""
CONTOUR_TILE = 48
"""Pixels of a quarter of the pattern of contour lines."""
HERO_MARK = "@"


def painted_map(points: Pixels, corner: tuple[int, int], board: LabelLayout, cell: float) -> Pixels:
    """Return ``points`` [y, x, 3] drawn in pixels for the area of ``board``: uint8 [y, x, 3].

    ``cell`` is the width of a cell in pixels, ``corner`` the number of the first point. Points in
    the background colour of the screen count as unknown.
    """
    width, height = round(board.area.width * cell), round(board.area.height * 2 * cell)
    known = (points != colors()["ground"]).any(axis=2)
    grey = points.mean(axis=2)
    slope = RELIEF * (grey - np.roll(grey, (1, 1), (0, 1))) * known
    lit = np.clip(points * TINT + slope[..., None], 0, 255).astype(np.uint8)
    resampling = Image.Resampling.BICUBIC
    land = np.asarray(Image.fromarray(lit).resize((width, height), resampling), np.float32)
    cover = Image.fromarray(known.astype(np.uint8) * 255).resize((width, height), resampling)
    share = np.asarray(cover, np.float32)[..., None] / 255
    # Shift the contour lines so that they move with the land.
    across = width / points.shape[1]
    shift = tuple(round(-place * across) for place in (corner[1], corner[0]))
    lines = np.roll(contours(CONTOUR_TILE), shift, (0, 1))
    times = [-(-length // len(lines)) for length in (height, width)]
    ink = np.tile(lines, times)[:height, :width, None] * np.float32(LINES / 255)
    paper = PAPER * (1 - 0.6 * blurred(cover, cell)[..., None])
    shades = (land * share + paper * (1 - share)) * (1 + ink * (1 - 2 * share))
    picture = Image.fromarray(np.clip(shades, 0, 255).astype(np.uint8))
    _letter(ImageDraw.Draw(picture), board, cell)
    return np.asarray(picture)


def _letter(pen: ImageDraw.ImageDraw, board: LabelLayout, cell: float) -> None:
    """Draw a pin for each site of ``board`` and for the hero, then the names."""
    letters, size = font("Bold", cell / ADVANCE), cell * 0.4
    pins = [(spot, "accent", INK) for spot in board.pins]
    pins += [((tag.column, tag.row), "cloak", RIM) for tag in board.placed if tag.text == HERO_MARK]
    for (column, row), shade, rim in pins:
        x, y = (column + 0.5) * cell, (2 * row + 1) * cell
        disc = (x - size, y - size, x + size, y + size)
        pen.ellipse(disc, colors()[shade], rim, max(1, round(cell / 5)))
    for text, column, row, color in board.placed:
        if text != HERO_MARK:
            start = (column * cell, (2 * row + 1) * cell)
            pen.text(start, text, color, letters, "lm", stroke_width=2, stroke_fill=INK)
