"""A whole level in one picture: evenly lit, or shrunk to one colour a point."""

from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.items.loot import items_of
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.level import Level
from render.map.map_view import draw_ground, item_color
from render.map.overlays import Chart, Shades
from render.map.viewport import Viewport, VisibleLevel
from render.tiles.glyphs import creature_tile, item_tile
from render.ui.frame import Color, LitGround
from render.ui.palette import colors, creature_colors, theme_paint


def level_console(level: Level) -> Console:
    """Return the level with its items and creatures, a cell for each tile."""
    return level_and_ground(level)[0]


def level_and_ground(level: Level) -> tuple[Console, LitGround]:
    """Return the level with its items and creatures, and the ground with its light."""
    console = Console(level.tiles.shape[1], level.tiles.shape[0])
    ground = _draw(console, level, stairs=True)
    place_inhabitants(console, level)
    return console, ground


def ground_console(level: Level, *, stairs: bool = True) -> Console:
    """Return the level without its items and creatures, and perhaps without its stairs."""
    console = Console(level.tiles.shape[1], level.tiles.shape[0])
    _draw(console, level, stairs=stairs)
    return console


def _draw(console: Console, level: Level, *, stairs: bool) -> LitGround:
    everywhere = np.ones(level.tiles.shape, bool)
    marks = (level.start, level.exit if level.has_exit else None) if stairs else (None, None)
    ground = VisibleLevel(level.tiles, everywhere, everywhere, level.theme, *marks)
    ground.light = level.light
    return draw_ground(console, ground, Viewport(reveal=True))


def place_inhabitants(console: Console, level: Level) -> None:
    """Draw the items and creatures of ``level`` on a console of its size."""
    for item in items_of(level):
        cell = console.rgb[item.y, item.x]
        cell["ch"], cell["fg"] = item_tile(item.kind), item_color(item.kind, None)
    for spawn in level.spawns:
        kind = creature_kinds()[spawn.kind]
        console.rgb[spawn.y, spawn.x]["ch"] = creature_tile(spawn.kind)
        console.rgb[spawn.y, spawn.x]["fg"] = creature_colors()[kind.color]


HALF = ord("▀")
ColoredPoints = list[tuple[Point, Color]]


class Overview(NamedTuple):
    """A level as `draw_overview` placed it: tiles per point, first point, points per cell."""

    scale: float
    left: int
    top: int
    rows_per_cell: int

    def tile(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Return the first tile (x, y) under a cell."""
        x, y = spot[0] - self.left, spot[1] * self.rows_per_cell - self.top
        return floor(x * self.scale), floor(y * self.scale)

    def cell(self, tile: tuple[int, int]) -> tuple[int, int]:
        """Return the cell that shows a tile."""
        x, y = int(tile[0] / self.scale), int(tile[1] / self.scale)
        return x + self.left, (y + self.top) // self.rows_per_cell


def draw_overview(
    console: Console,
    tiles: NDArray[np.uint8],
    theme: str,
    chart: Chart | None,
    dots: ColoredPoints,
    *,
    tall: bool,
) -> Overview:
    """Draw all of ``tiles`` shrunk to fit ``console``, with ``dots`` over them.

    Where cells are ``tall`` (text), half blocks put two square points into each.
    """
    picture = plain_colors(theme)[tiles]
    if chart:
        share = chart.cover[..., None]
        picture = picture * (1 - share) + chart.paper * share
    per_cell = 2 if tall else 1
    rows = console.height * per_cell
    scale = max(1.0, tiles.shape[1] / console.width, tiles.shape[0] / rows)
    points = downscaled(picture, scale)
    for (x, y), color in dots:
        points[int(y / scale), int(x / scale)] = color
    height, width = points.shape[:2]
    left, top = (console.width - width) // 2, (rows - height) // 2
    page = np.empty((rows, console.width, 3), np.uint8)
    page[:] = colors()["ground"]
    page[top : top + height, left : left + width] = points
    if tall:
        print_half_blocks(console, 0, 0, page)
    else:
        console.rgb["ch"], console.rgb["bg"] = 0x20, page
    return Overview(scale, left, top, per_cell)


def plain_colors(theme: str) -> Shades:
    """Return one colour for each kind of tile, mixed from ink and ground: float32 [tile, 3]."""
    shades = theme_paint(theme)
    mixed: Shades = (0.35 * shades.ink + 0.85 * shades.ground).astype(np.float32)
    for tile in (Tile.WALL, Tile.SECRET_DOOR):
        mixed[tile] = colors()["ground"]
    mixed[Tile.FOREST] *= np.float32(0.72)  # darker than the grass it is painted in the hues of
    bright: Shades = np.minimum(mixed * np.float32(1.2), 255)
    return bright


def downscaled(picture: Shades, scale: float) -> NDArray[np.uint8]:
    """Return ``picture`` [y, x, 3] with the mean of scale x scale tiles for each point."""
    for axis in (0, 1):
        length = picture.shape[axis]
        edges = (np.arange(ceil(length / scale - 1e-6)) * scale).astype(int)
        counts = np.diff(np.append(edges, length)).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        sums = np.add.reduceat(picture, edges, axis=axis)
        picture = (sums / counts).astype(np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)


def print_half_blocks(console: Console, x: int, y: int, points: NDArray[np.uint8]) -> None:
    """Print ``points`` from the cell (x, y) on as half blocks, two points to a cell."""
    area = console.rgb[y : y + points.shape[0] // 2, x : x + points.shape[1]]
    area["ch"], area["fg"], area["bg"] = HALF, points[::2], points[1::2]
