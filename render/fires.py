"""What burns in sight: flames that are never twice the same, and their light on all around."""

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.world import World
from render.figures import flame_code
from render.palette import creature_colors
from render.view import View

REACH, SHINE, WARM = 3, 0.6, 22
"""How far a fire is seen to shine, in tiles; how much it brightens colours; what it adds."""
EMBERS = ((92, 34, 12), (124, 48, 14), (108, 40, 12))
"""What glows beneath a flame, at one moment and the next."""

Mask = NDArray[np.bool_]


def draw_firelight(console: Console, world: World, view: View) -> None:
    """Brighten what is seen of the ground around fires, in the colour of fire."""
    burning = _burning(console, world, view)
    if not len(burning):
        return
    away = np.full((console.height, console.width), REACH + 1.0, np.float32)
    for row, column in burning:
        top, left = max(0, row - REACH), max(0, column - REACH)
        near = away[top : row + REACH + 1, left : column + REACH + 1]
        rows, columns = np.ogrid[: near.shape[0], : near.shape[1]]
        np.minimum(near, np.hypot(rows + (top - row), columns + (left - column)), out=near)
    share = (1 - away / (REACH + 1)) * _seen(world, view, away.shape)
    light = share[..., None] * np.array(creature_colors()["fire"], np.float32) / 255
    for part in ("fg", "bg"):
        shown = console.rgb[part] * (1 + SHINE * light) + WARM * light * (part == "bg")
        console.rgb[part] = np.minimum(shown, 255)


def draw_flames(console: Console, world: World, view: View) -> None:
    """Draw what burns, flickering with the phase of ``view``."""
    flame = creature_colors()["fire"]
    for row, column in _burning(console, world, view):
        x, y = column + view.left, row + view.top
        cell = console.rgb[row, column]
        cell["ch"], cell["fg"] = flame_code(x, y, view.phase), flame
        cell["bg"] = EMBERS[(x * 7 + y * 13 + view.phase) % len(EMBERS)]


def _burning(console: Console, world: World, view: View) -> list[tuple[int, int]]:
    """Return the row and column of each fire that is seen."""
    game_map, found = world.map, []
    for x, y in game_map.fires:
        column, row = x - view.left, y - view.top
        inside = 0 <= column < console.width and 0 <= row < console.height
        if inside and (view.reveal or game_map.seen[y, x]):
            found.append((row, column))
    return found


def _seen(world: World, view: View, shape: tuple[int, ...]) -> Mask:
    """Return which cells show what is in sight at this moment: bool[row, column]."""
    seen = np.full(shape, view.reveal)
    game_map = world.map
    x0, y0 = max(0, view.left), max(0, view.top)
    x1, y1 = min(game_map.width, view.left + shape[1]), min(game_map.height, view.top + shape[0])
    if x0 < x1 and y0 < y1:
        part = np.s_[y0 - view.top : y1 - view.top, x0 - view.left : x1 - view.left]
        seen[part] |= game_map.seen[y0:y1, x0:x1]
    return seen
