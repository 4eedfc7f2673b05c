"""Draw the map: lit tiles, items, fires and creatures, and their code points and colours."""

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from components import AiState
from engine.state.game_state import GameState
from engine.state.identification import unidentified_looks
from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of, item_kinds
from render.map.light import (
    DOWN,
    KINDS,
    UP,
    apply_light,
    light_map,
    paint_by_visibility,
    wall_shade,
)
from render.map.tile_variants import known_tiles, tile_codes
from render.map.viewport import Viewport, VisibleLevel, is_shown, visible_level
from render.tiles.glyphs import (
    BOLT,
    FLAME_PHASES,
    FLAMES,
    PATH_DOT,
    STAIRS_DOWN,
    STAIRS_UP,
    STONE,
    THORN,
    creature_tile,
    item_tile,
    plain_char,
)
from render.ui.frame import Color
from render.ui.options import current
from render.ui.palette import colors, creature_colors, item_colors, look_colors

_SHOTS = {"thorn": THORN, "stone": STONE}


def creature_code(kind: str) -> int:
    """Return the code point for a ``kind`` of creature, by the graphics option."""
    figures = current().figures
    letter = figures == "letters" or (kind == HERO and figures != "all")
    return ord(creature_kinds()[kind].glyph) if letter else creature_tile(kind)


def item_code(kind: str) -> int:
    """Return the code point for a ``kind`` of item, by the graphics option."""
    return _tile_or_letter(item_tile(kind))


def flame_code(x: int, y: int, phase: int) -> int:
    """Return the code point for fire at (x, y) in animation phase ``phase``."""
    return _tile_or_letter(FLAMES + (x * 7 + y * 13 + phase) % FLAME_PHASES)


def missile_code(missile: str) -> int:
    """Return the code point for a missile of a creature, or for a bolt of magic."""
    if missile == "arrow":
        return item_code(missile)
    return _tile_or_letter(_SHOTS.get(missile, BOLT))


def _tile_or_letter(code: int) -> int:
    """Return ``code``, or its ASCII letter if the graphics option is letters."""
    return ord(plain_char(code)) if current().figures == "letters" else code


FIRELIGHT_REACH, FIRELIGHT_GAIN, FIRELIGHT_WARMTH = 3, 0.6, 22
"""Firelight: reach in tiles, gain of colours, and what is added to the ground."""
EMBERS = ((92, 34, 12), (124, 48, 14), (108, 40, 12))
"""Ground colours under a flame, by phase."""

Mask = NDArray[np.bool_]


def draw_firelight(console: Console, state: GameState, view: Viewport) -> None:
    """Brighten the visible cells around fires, in the colour of fire."""
    burning = _visible_fires(console, state, view)
    if not len(burning):
        return
    away = np.full((console.height, console.width), FIRELIGHT_REACH + 1.0, np.float32)
    for row, column in burning:
        top, left = max(0, row - FIRELIGHT_REACH), max(0, column - FIRELIGHT_REACH)
        near = away[top : row + FIRELIGHT_REACH + 1, left : column + FIRELIGHT_REACH + 1]
        rows, columns = np.ogrid[: near.shape[0], : near.shape[1]]
        np.minimum(near, np.hypot(rows + (top - row), columns + (left - column)), out=near)
    share = (1 - away / (FIRELIGHT_REACH + 1)) * _visible_cells(state, view, away.shape)
    light = share[..., None] * np.array(creature_colors()["fire"], np.float32) / 255
    for part in ("fg", "bg"):
        shown = console.rgb[part] * (1 + FIRELIGHT_GAIN * light) + FIRELIGHT_WARMTH * light * (
            part == "bg"
        )
        console.rgb[part] = np.minimum(shown, 255)


def draw_flames(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the fires, flickering with the phase of ``view``."""
    flame = creature_colors()["fire"]
    for row, column in _visible_fires(console, state, view):
        x, y = column + view.left, row + view.top
        cell = console.rgb[row, column]
        cell["ch"], cell["fg"] = flame_code(x, y, view.phase), flame
        cell["bg"] = EMBERS[(x * 7 + y * 13 + view.phase) % len(EMBERS)]


def _visible_fires(console: Console, state: GameState, view: Viewport) -> list[tuple[int, int]]:
    """Return the row and column of each visible fire."""
    game_map, found = state.map, []
    for x, y in game_map.fires:
        column, row = x - view.left, y - view.top
        inside = 0 <= column < console.width and 0 <= row < console.height
        if inside and (view.reveal or game_map.visible[y, x]):
            found.append((row, column))
    return found


def _visible_cells(state: GameState, view: Viewport, shape: tuple[int, ...]) -> Mask:
    """Return which cells the hero sees at this moment: bool [row, column]."""
    seen = np.full(shape, view.reveal)
    game_map = state.map
    x0, y0 = max(0, view.left), max(0, view.top)
    x1, y1 = min(game_map.width, view.left + shape[1]), min(game_map.height, view.top + shape[0])
    if x0 < x1 and y0 < y1:
        part = np.s_[y0 - view.top : y1 - view.top, x0 - view.left : x1 - view.left]
        seen[part] |= game_map.visible[y0:y1, x0:x1]
    return seen


SLEEPING_BRIGHTNESS = 0.62
"""Brightness of sleeping monsters."""


def draw_world(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the part of the map in ``view`` on the whole of ``console``."""
    draw_ground(console, visible_level(state), view)
    draw_firelight(console, state, view)
    draw_items(console, state, view)
    draw_flames(console, state, view)
    draw_creatures(console, state, view)


def draw_ground(console: Console, ground: VisibleLevel, view: Viewport) -> None:
    """Draw the tiles in ``view``: lit if seen, in memory colours if remembered."""
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
    known = known_tiles(ground, (x0, y0, x1, y1), view)
    here = known.here
    seen = here & ground.visible[window]
    codes = tile_codes(ground, (x0, y0, x1, y1), known, view)
    kinds = tiles + (here.view(np.uint8) + seen) * np.uint8(KINDS)
    inks = kinds.copy()
    for point, mark, kind in ((ground.start, STAIRS_UP, UP), (ground.exit, STAIRS_DOWN, DOWN)):
        if point and x0 <= point.x < x1 and y0 <= point.y < y1:
            spot = point.y - y0, point.x - x0
            codes[spot] = mark
            inks[spot] += kind - tiles[spot]
    light = light_map(ground, (x0, y0), seen, view)
    ink, paper = paint_by_visibility(ground.theme)
    cells["ch"] = np.where(here, codes, 0x20)
    cells["fg"] = apply_light(ink.take(inks, axis=0), light)
    cells["bg"] = apply_light(paper.take(kinds, axis=0), light * wall_shade(known))
    _draw_path(console, view)


def _draw_path(console: Console, view: Viewport) -> None:
    for point in view.path:
        x, y = point.x - view.left, point.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height:
            console.rgb[y, x]["ch"] = PATH_DOT
            console.rgb[y, x]["fg"] = colors()["accent"]


def draw_items(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the top item of each known pile, dimmed where it is out of sight."""
    game_map = state.map
    for (x, y), pile in game_map.items.items():
        column, row = x - view.left, y - view.top
        inside = 0 <= column < console.width and 0 <= row < console.height
        if inside and (view.reveal or game_map.explored[y, x]):
            _, (red, green, blue) = item_look(pile[-1].kind, state.setup.seed)
            share = 1 if view.reveal or game_map.visible[y, x] else 2
            console.rgb[row, column]["ch"] = item_code(pile[-1].kind)
            console.rgb[row, column]["fg"] = red // share, green // share, blue // share


def draw_creatures(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the creatures in sight, or all of them if ``view`` reveals the level."""
    for creature in state.map.entities.values():
        x, y = creature.x - view.left, creature.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height and is_shown(state, creature, view):
            kind = creature_kinds()[creature.kind]
            console.rgb[y, x]["ch"] = creature_code(creature.kind)
            red, green, blue = creature_colors()[kind.color]
            share = (
                SLEEPING_BRIGHTNESS if creature.ai and creature.ai.state is AiState.ASLEEP else 1
            )
            console.rgb[y, x]["fg"] = red * share, green * share, blue * share


def item_look(kind: str, seed: int) -> tuple[str, Color]:
    """Return glyph and colour of an item kind in a run with ``seed``, which decides its look."""
    return item_class_of(kind).glyph, item_color(kind, unidentified_looks(seed).get(kind))


def item_color(kind: str, look: str | None) -> Color:
    """Return the colour of an item kind: that of its ``look`` if it has one."""
    form, sort = item_kinds()[kind], item_class_of(kind)
    return look_colors().get(look or "") or item_colors()[form.color or sort.color]
