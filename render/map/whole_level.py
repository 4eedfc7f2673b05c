"""A whole level in one picture: evenly lit, or shrunk to one colour per point; the small map."""

from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.terrain import Mask, Tile
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Point
from procgen.level import Level
from render.map.charts import Chart
from render.map.map_view import draw_ground, item_color
from render.map.tile_variants import solid_tiles
from render.map.viewport import Viewport, VisibleLevel, drawn_level, is_shown
from render.tiles.glyphs import creature_tile, item_tile
from render.tiles.tile_canvas import Pixels
from render.ui.frame import Color, Frame, LitGround, Picture, Rect, Shades, as_color
from render.ui.palette import colors, creature_colors, theme_paint


def level_and_ground(level: Level) -> tuple[Console, LitGround]:
    """Return a console with a cell for each tile, items and creatures included; and the ground."""
    console, ground = empty_level_and_ground(level)
    place_inhabitants(console, level)
    return console, ground


def empty_level_and_ground(level: Level, *, stairs: bool = True) -> tuple[Console, LitGround]:
    """Return the same as `level_and_ground` without inhabitants, with the stairs if ``stairs``."""
    console = Console(level.tiles.shape[1], level.tiles.shape[0])
    seen = np.ones(level.tiles.shape, bool)
    start, end = (level.start, level.exit if level.has_exit else None) if stairs else (None, None)
    visible = VisibleLevel(level.tiles, seen, seen, level.theme, start, end, light=level.light)
    return console, draw_ground(console, visible, Viewport(reveal=True))


def place_inhabitants(console: Console, level: Level) -> None:
    """Draw the items and creatures of ``level`` on a console of its size."""
    for item in items_of(level):
        cell = console.rgb[item.y, item.x]
        cell["ch"], cell["fg"] = item_tile(item.kind), item_color(item.kind, None)
    for monster in initial_monsters(level):
        cell, color = console.rgb[monster.y, monster.x], creature_kinds()[monster.kind].color
        cell["ch"], cell["fg"] = creature_tile(monster.kind), creature_colors()[color]


HALF = ord("▀")
ColoredPoints = list[tuple[Point, Color]]


class Overview(NamedTuple):
    """A level as `draw_overview` placed it: tiles per point, first point, point rows per cell."""

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

    If cells are ``tall`` (text), each holds two square points as half blocks.
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
    mixed[Tile.FOREST] *= np.float32(0.72)  # darker than grass, whose hues it shares
    bright: Shades = np.minimum(mixed * np.float32(1.2), 255)
    return bright


def downscaled(picture: Shades, scale: float) -> NDArray[np.uint8]:
    """Return ``picture`` [y, x, 3] shrunk: each point is the mean of scale x scale tiles."""
    for axis in (0, 1):
        length = picture.shape[axis]
        edges = (np.arange(ceil(length / scale - 1e-6)) * scale).astype(int)
        counts = np.diff(np.append(edges, length)).reshape((-1, 1, 1) if axis == 0 else (1, -1, 1))
        picture = (np.add.reduceat(picture, edges, axis=axis) / counts).astype(np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)


def print_half_blocks(console: Console, x: int, y: int, points: NDArray[np.uint8]) -> None:
    """Print ``points`` [y, x, 3] as half blocks from the cell (x, y) on, two points per cell."""
    area = console.rgb[y : y + points.shape[0] // 2, x : x + points.shape[1]]
    area["ch"], area["fg"], area["bg"] = HALF, points[::2], points[1::2]


POINT = 3
"""Pixels per tile on the small map, if the backend draws pixels."""
MEMORY = 0.62
"""Brightness of remembered tiles."""


def draw_small_map(frame: Frame, rect: Rect, state: GameState, view: Viewport) -> None:
    """Draw the small map into ``rect`` of the text and, for a window, as pixels."""
    draw_points(frame, rect, small_map(state, view, _room(frame, rect)))


def draw_points(frame: Frame, rect: Rect, points: Pixels) -> None:
    """Draw ``points`` [y, x, 3] into ``rect`` as half blocks and, for a window, as pixels.

    Half blocks are shrunk if necessary.
    """
    around = as_color(frame.text.bg[rect.y, rect.x])
    scale = max(1.0, points.shape[1] / rect.width, points.shape[0] / (2 * rect.height))
    page = downscaled(points.astype(np.float32), scale)
    if page.shape[0] % 2:
        ground = np.full((1, *page.shape[1:]), colors()["panel"], np.uint8)
        page = np.concatenate([ground, page])
    left, height = rect.x + (rect.width - page.shape[1]) // 2, page.shape[0] // 2
    print_half_blocks(frame.text, left, rect.y + rect.height - height, page)
    if frame.tile_pixels:
        frame.pictures.append(Picture(rect, points, around, len(frame.overlays)))


def small_map(state: GameState, view: Viewport, room: tuple[int, int]) -> Pixels:
    """Return the part of the level around the hero that fits into ``room`` tiles: [y, x, 3]."""
    level, hero = drawn_level(state), state.hero
    x0, x1 = _part(level.width, room[0], hero.x)
    y0, y1 = _part(level.height, room[1], hero.y)
    part = np.s_[y0:y1, x0:x1]
    known, seen = (mask[part] | view.reveal for mask in (level.explored, level.visible))
    points = ground_points(level.tiles[part], level.theme, known=known, seen=seen)
    marks: list[tuple[int, int, Color]] = []
    for place, color_name in ((level.start, "text"), (level.exit, "accent")):
        if place and (view.reveal or level.explored[place.y, place.x]):
            marks.append((*place, colors()[color_name]))
    marks += [
        (entity.x, entity.y, creature_colors()[creature_kinds()[entity.kind].color])
        for entity in state.map.entities.values()
        if entity is not hero and is_shown(state, entity, view)
    ]
    for x, y, color in [*marks, (hero.x, hero.y, (255, 255, 255))]:
        if x0 <= x < x1 and y0 <= y < y1:
            points[y - y0, x - x0] = color
    return points


def _room(frame: Frame, rect: Rect) -> tuple[int, int]:
    """Return how many tiles across and down fit into ``rect``."""
    if not frame.tile_pixels:
        return 4 * rect.width, 8 * rect.height
    cell = frame.tile_pixels / frame.tile[0], frame.tile_pixels / frame.tile[1]
    return int(rect.width * cell[0] / POINT), int(rect.height * cell[1] / POINT)


def _part(length: int, room: int, place: int) -> tuple[int, int]:
    """Return the first and the last coordinate (exclusive) of the part around ``place``."""
    start = max(0, min(place - room // 2, length - room))
    return start, min(length, start + room)


def ground_points(
    tiles: NDArray[np.uint8], theme: str, *, known: Mask | bool = True, seen: Mask | bool = True
) -> Pixels:
    """Return the colours of ``tiles``, [y, x, 3]: of the ``known`` ones, dim unless ``seen``."""
    solid = solid_tiles(tiles)
    lit = plain_colors(theme)
    lit[solid_tiles(np.arange(len(lit), dtype=np.uint8))] = colors()["line"]
    # Drawn in every frame, so colours are looked up in two tables, not computed per point.
    shades = np.stack([lit * MEMORY, lit]).clip(0, 255).astype(np.uint8)
    # Rock shows only where it borders known open tiles: as the outline of rooms.
    near_open = with_neighbours(known & ~solid)
    points = shades[np.asarray(seen, np.intp), tiles]
    points[~(known & near_open)] = colors()["panel"]
    return points
