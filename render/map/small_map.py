"""A small map of what is known of the level: one point a tile, scaled to the room there is."""

import numpy as np
from numpy.typing import NDArray

from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from render.map.tile_variants import solid_tiles
from render.map.viewport import Viewport, VisibleLevel, is_shown, visible_level
from render.map.whole_level import downscaled, plain_colors, print_half_blocks
from render.ui.frame import Color, Frame, Picture, Rect, as_color
from render.ui.palette import colors, creature_colors

POINT = 3
"""Pixels of a tile on the small map, where the backend draws pixels."""
MEMORY = 0.62
"""Brightness of what is out of sight."""

Pixels = NDArray[np.uint8]


def draw_small_map(frame: Frame, rect: Rect, state: GameState, view: Viewport) -> None:
    """Draw the small map into ``rect`` of the text, and as pixels for a window."""
    draw_points(frame, rect, small_map(state, view, _room(frame, rect)))


def draw_points(frame: Frame, rect: Rect, points: Pixels) -> None:
    """Draw ``points`` [y, x, 3] into ``rect``: half blocks, and as pixels for a window."""
    around = as_color(frame.text.bg[rect.y, rect.x])
    scale = max(1.0, points.shape[1] / rect.width, points.shape[0] / (2 * rect.height))
    page = downscaled(points.astype(np.float32), scale)
    if page.shape[0] % 2:
        ground = np.full((1, *page.shape[1:]), colors()["panel"], np.uint8)
        page = np.concatenate([ground, page])
    left, height = rect.x + (rect.width - page.shape[1]) // 2, page.shape[0] // 2
    print_half_blocks(frame.text, left, rect.y + rect.height - height, page)
    if frame.grain:
        frame.pictures.append(Picture(rect, points, around))


def small_map(state: GameState, view: Viewport, room: tuple[int, int]) -> Pixels:
    """Return the part of the level around the hero that fits into ``room`` tiles: [y, x, 3]."""
    level, hero = visible_level(state), state.hero
    x0, x1 = _part(level.width, room[0], hero.x)
    y0, y1 = _part(level.height, room[1], hero.y)
    points = ground_points(level, np.s_[y0:y1, x0:x1], reveal=view.reveal)
    marks: list[tuple[int, int, Color]] = []
    for place, color_name in ((level.start, "text"), (level.exit, "accent")):
        if place and (view.reveal or level.explored[place.y, place.x]):
            marks.append((*place, colors()[color_name]))
    marks += [
        (one.x, one.y, creature_colors()[creature_kinds()[one.kind].color])
        for one in state.map.entities.values()
        if one is not hero and is_shown(state, one, view)
    ]
    for x, y, color in [*marks, (hero.x, hero.y, (255, 255, 255))]:
        if x0 <= x < x1 and y0 <= y < y1:
            points[y - y0, x - x0] = color
    return points


def _room(frame: Frame, rect: Rect) -> tuple[int, int]:
    """Return how many tiles across and down fit into ``rect``."""
    if not frame.grain:
        return 4 * rect.width, 8 * rect.height
    cell = frame.grain / frame.tile[0], frame.grain / frame.tile[1]
    return int(rect.width * cell[0] / POINT), int(rect.height * cell[1] / POINT)


def _part(length: int, room: int, place: int) -> tuple[int, int]:
    """Return the first and the last coordinate (exclusive) of the part around ``place``."""
    start = max(0, min(place - room // 2, length - room))
    return start, min(length, start + room)


def ground_points(level: VisibleLevel, part: tuple[slice, slice], *, reveal: bool) -> Pixels:
    """Return the colours of the known tiles in ``part`` of ``level``, or of all: [y, x, 3]."""
    tiles = level.tiles[part]
    solid = solid_tiles(tiles)
    lit = plain_colors(level.theme)
    lit[solid_tiles(np.arange(len(lit), dtype=np.uint8))] = colors()["line"]
    # Colours are looked up twice, not computed for every point: this is drawn in each frame.
    shades = np.stack([lit * MEMORY, lit]).clip(0, 255).astype(np.uint8)
    here = np.full(tiles.shape, fill_value=True) if reveal else level.explored[part]
    # Rock shows only where it borders what is known to be open: as the outline of rooms.
    open_ground = np.pad(here & ~solid, 1)
    rows = open_ground[:-2] | open_ground[1:-1] | open_ground[2:]
    near = rows[:, :-2] | rows[:, 1:-1] | rows[:, 2:]
    points = shades[(level.visible[part] | reveal).astype(np.intp), tiles]
    points[~(here & near)] = colors()["panel"]
    return points
