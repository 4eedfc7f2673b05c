"""The level as it looks from here: tiles, ways, creatures."""

import numpy as np
from tcod.console import Console

from components import Mood
from engine.world import World
from entities.kinds import creatures
from render.figures import being_code, thing_code
from render.fires import draw_firelight, draw_flames
from render.glyphs import PATH_DOT, STAIRS_DOWN, STAIRS_UP
from render.light import DOWN, KINDS, UP, appearances, light_on, lit, shade
from render.palette import colors, creature_colors
from render.things import thing_look
from render.tile_shapes import known_around, tile_codes
from render.view import Ground, View, ground_of, shown

ASLEEP = 0.62
"""How bright who sleeps is beside who is awake."""


def draw_world(console: Console, world: World, view: View) -> None:
    """Draw the part of the world's map that ``view`` looks at on the whole of ``console``."""
    draw_ground(console, ground_of(world), view)
    draw_firelight(console, world, view)
    draw_things(console, world, view)
    draw_flames(console, world, view)
    draw_creatures(console, world, view)


def draw_ground(console: Console, ground: Ground, view: View) -> None:
    """Draw the tiles that ``view`` looks at, lit where seen, cold where remembered."""
    void = colors()["ground"]
    console.rgb["ch"], console.rgb["fg"], console.rgb["bg"] = 0x20, void, void
    x0, y0 = max(0, view.left), max(0, view.top)
    x1 = min(ground.width, view.left + console.width)
    y1 = min(ground.height, view.top + console.height)
    if x0 >= x1 or y0 >= y1:
        return
    window = np.s_[y0:y1, x0:x1]
    cells = console.rgb[y0 - view.top : y1 - view.top, x0 - view.left : x1 - view.left]
    tiles = ground.tiles[window]
    known = known_around(ground, (x0, y0, x1, y1), view)
    here = known.here
    seen = here & ground.seen[window]
    codes = tile_codes(ground, (x0, y0, x1, y1), known, view)
    kinds = tiles + (here.view(np.uint8) + seen) * np.uint8(KINDS)
    inks = kinds.copy()
    for point, mark, kind in ((ground.start, STAIRS_UP, UP), (ground.exit, STAIRS_DOWN, DOWN)):
        if point and x0 <= point.x < x1 and y0 <= point.y < y1:
            spot = point.y - y0, point.x - x0
            codes[spot] = mark
            inks[spot] += kind - tiles[spot]
    light = light_on(ground, (x0, y0), seen, view)
    ink, paper = appearances(ground.theme)
    cells["ch"] = np.where(here, codes, 0x20)
    cells["fg"] = lit(ink.take(inks, axis=0), light)
    cells["bg"] = lit(paper.take(kinds, axis=0), light * shade(known))
    _draw_path(console, view)


def _draw_path(console: Console, view: View) -> None:
    for point in view.path:
        x, y = point.x - view.left, point.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height:
            console.rgb[y, x]["ch"] = PATH_DOT
            console.rgb[y, x]["fg"] = colors()["accent"]


def draw_things(console: Console, world: World, view: View) -> None:
    """Draw what lies on known ground: the top of each pile, dim where it is out of sight."""
    game_map = world.map
    for (x, y), pile in game_map.items.items():
        column, row = x - view.left, y - view.top
        inside = 0 <= column < console.width and 0 <= row < console.height
        if inside and (view.reveal or game_map.explored[y, x]):
            _, (red, green, blue) = thing_look(pile[-1].kind, world.setup.seed)
            share = 1 if view.reveal or game_map.seen[y, x] else 2
            console.rgb[row, column]["ch"] = thing_code(pile[-1].kind)
            console.rgb[row, column]["fg"] = red // share, green // share, blue // share


def draw_creatures(console: Console, world: World, view: View) -> None:
    """Draw who stands in sight, or everyone if ``view`` reveals all."""
    for creature in world.map.entities.values():
        x, y = creature.x - view.left, creature.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height and shown(world, creature, view):
            kind = creatures()[creature.kind]
            console.rgb[y, x]["ch"] = being_code(creature.kind)
            red, green, blue = creature_colors()[kind.color]
            share = ASLEEP if creature.mind and creature.mind.mood is Mood.ASLEEP else 1
            console.rgb[y, x]["fg"] = red * share, green * share, blue * share
