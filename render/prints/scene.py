"""A finished level as a whole: its ground lit evenly, everyone at home."""

import numpy as np
from tcod.console import Console

from entities.kinds import creatures
from procgen.build import Level
from render.glyphs import being_look
from render.map_view import draw_ground
from render.palette import creature_colors
from render.view import Ground, View


def level_console(level: Level) -> Console:
    """Return the level with its creatures, a cell for each tile."""
    console = ground_console(level)
    place_creatures(console, level)
    return console


def ground_console(level: Level, *, stairs: bool = True) -> Console:
    """Return the level without its creatures, and perhaps without its stairs."""
    everywhere = np.ones(level.tiles.shape, bool)
    marks = (level.start, level.exit) if stairs else (None, None)
    ground = Ground(level.tiles, everywhere, everywhere, level.theme, *marks)
    console = Console(ground.width, ground.height)
    draw_ground(console, ground, View(reveal=True))
    return console


def place_creatures(console: Console, level: Level) -> None:
    """Draw the creatures of ``level`` on a console of its size."""
    for spawn in level.spawns:
        kind = creatures()[spawn.kind]
        console.rgb[spawn.y, spawn.x]["ch"] = being_look(spawn.kind)
        console.rgb[spawn.y, spawn.x]["fg"] = creature_colors()[kind.color]
