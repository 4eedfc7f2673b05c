"""Draw the map: lit tiles, items, fires and creatures; choose their code points and colours."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.game_state import GameState
from engine.state.identification import unidentified_looks
from engine.terrain.memories import memory_left
from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_class_of, item_kinds
from entities.statuses import is_asleep
from entities.terrain import OPENERS, Tile
from render.map.light import (
    FULL_LIGHT,
    CornerLight,
    carry_colors_on,
    corner_light,
    edge_fade,
    in_cells,
    lit_color,
)
from render.map.tile_colors import DOWN, KINDS, REMEMBERED_LIGHT, UP, paint_by_visibility
from render.map.tile_variants import (
    Box,
    KnownTiles,
    find_fringes,
    ground_under,
    known_tiles,
    position_hashes,
    tile_codes,
)
from render.map.viewport import Viewport, VisibleLevel, drawn_level, is_shown
from render.tiles import glyphs
from render.tiles.user_tiles import has_user_tile
from render.ui.frame import NO_FRINGES, Color, LitGround, Look, Shades, as_color
from render.ui.options import current
from render.ui.palette import colors, creature_colors, named_colors, theme

Cells = NDArray[Any]
"""Cells of a console, ``Console.rgb``: ch, fg, bg."""

GHOST_INK = 0.55
"""The share of a ghost's own colour in what is drawn; the rest is the ground's."""
_SHOTS = {"thorn": glyphs.THORN, "stone": glyphs.STONE}


def creature_code(kind: str) -> int:
    """Return the code point for a ``kind`` of creature, by the graphics option."""
    figures = current().figures
    letter = figures == "letters" or (kind == HERO and figures != "all")
    return ord(creature_kinds()[kind].glyph) if letter else glyphs.creature_tile(kind)


def item_code(kind: str) -> int:
    """Return the code point for a ``kind`` of item, by the graphics option."""
    return _tile_or_letter(glyphs.item_tile(kind))


def flame_code(x: int, y: int, phase: int) -> int:
    """Return the code point for fire at (x, y) in animation phase ``phase``."""
    return _tile_or_letter(glyphs.FLAMES + (x * 7 + y * 13 + phase) % glyphs.FLAME_PHASES)


def missile_code(missile: str) -> int:
    """Return the code point for a missile of a creature, or for a bolt of magic."""
    if missile in item_kinds():
        return item_code(missile)
    return _tile_or_letter(_SHOTS.get(missile, glyphs.BOLT))


def _tile_or_letter(code: int) -> int:
    """Return ``code``, or its ASCII letter if the graphics option is letters."""
    return ord(glyphs.plain_char(code)) if current().figures == "letters" else code


def draw_flames(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the fires, flickering with the phase of ``view``."""
    flame, game_map = tint("fire", creature_colors()["fire"]), state.map
    for x, y in game_map.fires:
        cell = view.cell_on(console, (x, y))
        if cell is not None and (view.reveal or game_map.visible[y, x]):
            cell["ch"], cell["fg"] = flame_code(x, y, view.phase), flame


SLEEPING_BRIGHTNESS = 0.62
"""Brightness of sleeping monsters."""
REMEMBERED_ITEM = 0.72
"""Brightness of items out of sight."""
PAPER_LIGHT, PAPER_HAZE = np.float32(1.05), np.float32(0.3)
"""The greatest factor for the background of cells, and the share of haze that it takes: in a
terminal letters must stand out from it. A window's figures have a dark halo instead."""


def draw_world(console: Console, state: GameState, view: Viewport) -> LitGround:
    """Draw the part of the map in ``view`` on the whole of ``console``; return the ground."""
    level = drawn_level(state)
    # Without the lamp, or half of a level that is shown whole would be dark.
    if view.reveal and view.lit:
        level = replace(level, visible=np.ones_like(level.visible), lamp=None)
    ground = draw_ground(console, level, view)
    for point in view.path:
        if (cell := view.cell_on(console, point)) is not None:
            cell["ch"], cell["fg"] = glyphs.PATH_DOT, colors()["accent"]
    draw_items(console, state, view)
    draw_flames(console, state, view)
    _draw_memory(console, state, view)
    _draw_ghost(console, state, view)
    draw_creatures(console, state, view)
    return ground


def draw_ground(console: Console, level: VisibleLevel, view: Viewport) -> LitGround:
    """Draw the tiles in ``view``: lit if in sight, in dimmer colours if remembered.

    Returns the tiles and the light separately, for a backend that draws pixels.
    """
    tiles = Console(console.width, console.height)
    corners = (console.height + 1, console.width + 1, 3)
    light, glow = np.full(corners, REMEMBERED_LIGHT, np.float32), np.zeros(corners, np.float32)
    fringes = NO_FRINGES
    _draw_unknown(console, tiles, level, view)
    x0, y0 = max(0, view.left), max(0, view.top)
    x1 = min(level.width, view.left + console.width)
    y1 = min(level.height, view.top + console.height)
    if x0 < x1 and y0 < y1:
        left, top = x0 - view.left, y0 - view.top
        part = np.s_[top : top + y1 - y0, left : left + x1 - x0]
        box, full = (x0, y0, x1, y1), tiles.rgb[part]
        known = known_tiles(level, box, view)
        under = ground_under(level.tiles[y0:y1, x0:x1], known.here)
        shed = _draw_tiles(console.rgb[part], full, level, box, known, under, view)
        hashes, wall_kind = position_hashes(box, level.origin), theme(level.theme).wall_kind
        fringes = find_fringes(under, known, hashes, full, wall_kind)
        fringes = fringes._replace(places=fringes.places + np.array([left, top]))
        part = np.s_[top : top + y1 - y0 + 1, left : left + x1 - x0 + 1]
        fade, void = edge_fade(known), np.array(colors()["ground"], np.float32)
        light[part], glow[part] = shed.factors * fade, shed.haze + void * (1 - fade)
    light /= np.float32(FULL_LIGHT)
    cells = console.rgb.copy()
    # Stairs count as lying on the ground, so a window draws them over the light. The light of
    # remembered tiles would be too weak for something that the player must find again.
    cells["ch"][np.isin(cells["ch"], (glyphs.STAIRS_UP, glyphs.STAIRS_DOWN))] = 0
    return LitGround(tiles, light, glow, fringes, cells)


def _draw_unknown(console: Console, tiles: Console, level: VisibleLevel, view: Viewport) -> None:
    """Fill both consoles with the texture of unknown tiles, which stays in place on the map."""
    ink, paper = (shades[0] for shades in paint_by_visibility(level.theme))
    if view.reveal:  # No tile is unknown; the texture would only make a hard edge around the level.
        ink = paper
    xs = np.arange(console.width) + view.left + level.origin[0]
    ys = np.arange(console.height) + view.top + level.origin[1]
    side = glyphs.UNKNOWN_SIDE
    codes = glyphs.UNKNOWN + ys[:, None] % side * side + xs % side
    for cells, factor in ((console.rgb, REMEMBERED_LIGHT), (tiles.rgb, FULL_LIGHT)):
        cells["ch"], cells["fg"], cells["bg"] = codes, ink * factor, paper * factor


def _draw_tiles(
    cells: Cells,
    tiles: Cells,
    level: VisibleLevel,
    box: Box,
    known: KnownTiles,
    under: NDArray[np.uint8],
    view: Viewport,
) -> CornerLight:
    """Draw the known tiles in ``box``: lit on ``cells``, in full light on ``tiles``.

    ``under`` is the ground under them; see `ground_under`.
    """
    x0, y0, x1, y1 = box
    codes = tile_codes(level, box, known, view)
    inks = level.tiles[y0:y1, x0:x1].copy()
    stairs = ((level.start, glyphs.STAIRS_UP, UP), (level.exit, glyphs.STAIRS_DOWN, DOWN))
    for point, mark, kind in stairs:
        if point and x0 <= point.x < x1 and y0 <= point.y < y1:
            spot = point.y - y0, point.x - x0
            codes[spot], inks[spot] = mark, kind
    light = corner_light(level, box, known, view)
    share = in_cells(light.sight)
    factors, haze = in_cells(light.factors), in_cells(light.haze)
    tables = paint_by_visibility(level.theme, outdoors=level.sky is not None)
    looks = zip(tables, (inks, under), strict=True)
    ink, paper = (_mixed(shades, numbers, share) for shades, numbers in looks)
    for console, name, color, by, more in (
        (cells, "fg", ink, factors, 0),
        (cells, "bg", paper, np.minimum(factors, PAPER_LIGHT), haze * PAPER_HAZE),
        (tiles, "fg", ink, np.float32(FULL_LIGHT), 0),
        (tiles, "bg", paper, np.float32(FULL_LIGHT), 0),
    ):
        console[name] = np.where(known.here[..., None], lit_color(color, by, more), console[name])
    for console in (cells, tiles):
        console["ch"] = np.where(known.here, codes, console["ch"])
    onward = carry_colors_on(tiles["bg"].astype(np.float32), known.here)
    rim = ~known.here & (onward.max(axis=2) > 0)
    tiles["ch"][rim], tiles["bg"][rim] = ord(" "), onward[rim]
    return light


def _mixed(shades: Shades, kinds: NDArray[np.uint8], share: Shades) -> Shades:
    """Return the colours of tiles of ``kinds``: seen by ``share`` [y, x, 1], else remembered."""
    past = shades.take(kinds + np.uint8(KINDS), axis=0)
    now = shades.take(kinds + np.uint8(2 * KINDS), axis=0)
    return past + (now - past) * share


def draw_items(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the top item of each known pile, dimmed if out of sight, but over no key and no goal."""
    game_map = state.map
    for (x, y), pile in game_map.shown_items().items():
        cell = view.cell_on(console, (x, y))
        known = view.reveal or game_map.explored[y, x]
        if cell is not None and known and game_map.tiles[y, x] not in (Tile.RELIC, *OPENERS):
            _, cell["ch"], (red, green, blue) = item_icon(pile[-1].kind, state.setup.seed)
            share = 1 if view.reveal or game_map.visible[y, x] else REMEMBERED_ITEM
            cell["fg"] = red * share, green * share, blue * share


def _draw_memory(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the shelf or statue that holds a memory in the accent colour."""
    if (place := memory_left(state.map)) is None:
        return
    cell = view.cell_on(console, place)
    if cell is not None and (view.reveal or state.map.explored[place.y, place.x]):
        cell["fg"] = colors()["accent"]


def _draw_ghost(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the hero of an earlier run, half transparent, where the level is known."""
    if view.ghost is None or not state.map.contains(*view.ghost):
        return
    (x, y), cell = view.ghost, view.cell_on(console, view.ghost)
    if cell is not None and (view.reveal or state.map.explored[y, x]):
        ink = np.array(creature_colors()["spirit"], np.float32)
        cell["ch"] = creature_code(HERO)
        cell["fg"] = (ink * GHOST_INK + cell["bg"] * (1 - GHOST_INK)).astype(np.uint8)


def draw_creatures(console: Console, state: GameState, view: Viewport) -> None:
    """Draw the creatures in sight, or all of them if ``view`` reveals the level."""
    for creature in state.map.entities.values():
        cell = view.cell_on(console, (creature.x, creature.y))
        if cell is not None and is_shown(state, creature, view):
            _, cell["ch"], (red, green, blue) = creature_icon(creature.kind)
            if not creature.alive:  # Only the hero: other dead have left the map.
                cell["ch"] = tile_icon(Tile.BONES, state.map.theme)[1]
            share = SLEEPING_BRIGHTNESS if is_asleep(creature) else 1
            cell["fg"] = red * share, green * share, blue * share


def tint(name: str, color: Color) -> Color:
    """Return ``color``, or white if ``name`` has a user tile, which brings its own colours."""
    return (255, 255, 255) if current().figures != "letters" and has_user_tile(name) else color


def item_icon(kind: str, seed: int) -> Look:
    """Return letter, code point and colour of an item kind in a run with ``seed``."""
    color = item_color(kind, unidentified_looks(seed).get(kind))
    return item_class_of(kind).glyph, item_code(kind), tint(kind, color)


def creature_icon(name: str) -> Look:
    """Return letter, code point and colour of a creature kind."""
    kind = creature_kinds()[name]
    return kind.glyph, creature_code(name), tint(name, creature_colors()[kind.color])


def tile_icon(tile: int, theme_name: str) -> Look:
    """Return letter, code point and colour of a kind of tile in full view."""
    code, ink = glyphs.tile_code(tile, 0), paint_by_visibility(theme_name)[0][2 * KINDS + tile]
    return glyphs.plain_char(code), _tile_or_letter(code), as_color(ink)


def item_color(kind: str, look: str | None) -> Color:
    """Return the colour of an item kind: that of its unidentified ``look`` if it has one."""
    color = item_kinds()[kind].color or item_class_of(kind).color
    return named_colors("looks").get(look or "") or named_colors("items")[color]
