"""The level as it looks from here: light, memory, creatures."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from entities.terrain import Tile
from procgen.blueprint import Point
from render.glyphs import (
    NEIGHBOURS,
    PATH_DOT,
    STAIRS_DOWN,
    STAIRS_UP,
    TERRAIN,
    VARIANTS,
    WALLS,
)
from render.palette import Paint, colors, creature_colors, looks, paint

LIGHT_STEPS = 7
MEMORY = 0.42
FLICKER = (0.0, 0.012, -0.01, 0.018, 0.004, -0.014)

Shades = NDArray[np.float32]


@dataclass
class Ground:
    """What there is to see of a level: arrays [y, x], and where the lamp is, if anywhere."""

    tiles: NDArray[np.uint8]
    seen: NDArray[np.bool_]
    explored: NDArray[np.bool_]
    theme: str
    start: Point | None
    exit: Point | None
    lamp: Point | None = None
    reach: int = 9

    @property
    def width(self) -> int:
        """Columns."""
        return int(self.tiles.shape[1])

    @property
    def height(self) -> int:
        """Rows."""
        return int(self.tiles.shape[0])


def ground_of(world: World) -> Ground:
    """Return what the hero of ``world`` has to look at."""
    game_map, hero = world.map, world.hero
    return Ground(
        game_map.tiles,
        game_map.seen,
        game_map.explored,
        game_map.theme,
        game_map.start,
        game_map.exit,
        Point(hero.x, hero.y),
        creatures()[hero.kind].sight,
    )


@dataclass
class View:
    """Which part of a level is looked at, and what lies over it for a moment.

    ``left, top`` is the tile in the upper left corner; ``phase`` counts frames of slow motion;
    ``reveal`` shows all there is, as in the Workshop; ``path`` is a way to draw; ``looking_at``
    keeps the view off the hero.
    """

    left: int = 0
    top: int = 0
    phase: int = 0
    reveal: bool = False
    path: list[Point] = field(default_factory=list)
    looking_at: tuple[int, int] | None = None

    def center(self, x: int, y: int, ground: Ground, console: Console) -> None:
        """Look at (x, y), staying on the map; a map smaller than the view lies in its middle."""
        self.left = _scroll(x, ground.width, console.width)
        self.top = _scroll(y, ground.height, console.height)

    def follow(self, world: World, console: Console) -> None:
        """Look at the hero, or where ``looking_at`` says."""
        x, y = self.looking_at or (world.hero.x, world.hero.y)
        self.center(x, y, ground_of(world), console)

    def tile(self, spot: tuple[int, int]) -> tuple[int, int]:
        """Return the (x, y) of the tile at a cell of the map console."""
        return spot[0] + self.left, spot[1] + self.top


def _scroll(place: int, length: int, span: int) -> int:
    if length <= span:
        return -((span - length) // 2)
    return max(0, min(place - span // 2, length - span))


def draw_world(console: Console, world: World, view: View) -> None:
    """Draw the part of the world's map that ``view`` looks at on the whole of ``console``."""
    draw_ground(console, ground_of(world), view)
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
    tiles, seen = ground.tiles[window], ground.seen[window]
    known = np.ones(tiles.shape, bool) if view.reveal else ground.explored[window]
    codes = _codes(ground, (x0, y0, x1, y1), view)
    for point, mark in ((ground.start, STAIRS_UP), (ground.exit, STAIRS_DOWN)):
        if point and x0 <= point.x < x1 and y0 <= point.y < y1:
            codes[point.y - y0, point.x - x0] = mark
    shades = paint(ground.theme)
    light = _light(ground, (x0, y0), tiles, view)
    ink, back = shades.ink[tiles], shades.ground[tiles]
    _gild_exits(ink, codes, shades)
    cells["ch"] = np.where(known, codes, 0x20)
    cells["fg"] = _lit(ink, light, seen, known, shades)
    cells["bg"] = _lit(back, light, seen, known, shades)
    _draw_path(console, view)


def _codes(ground: Ground, box: tuple[int, int, int, int], view: View) -> NDArray[np.int32]:
    """Return the code point of every tile in the box (x0, y0, x1, y1)."""
    x0, y0, x1, y1 = box
    tiles = ground.tiles[y0:y1, x0:x1]
    ys, xs = np.ogrid[y0:y1, x0:x1]
    variant = ((xs * 73_856_093) ^ (ys * 19_349_663)) >> 3 & 0xFF
    flows = np.array([look.flows for look in looks()])[tiles]
    look = np.where(flows, (variant + view.phase) % VARIANTS, variant % VARIANTS)
    codes: NDArray[np.int32] = (TERRAIN + VARIANTS * tiles.astype(np.int32) + look).astype(np.int32)
    rock = _rock(tiles)
    if rock.any():
        codes[rock] = WALLS + _wall_masks(ground, box, view)[rock]
    return codes


def _rock(tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    return np.isin(tiles, (Tile.WALL, Tile.SECRET_DOOR))


def _wall_masks(ground: Ground, box: tuple[int, int, int, int], view: View) -> NDArray[np.int32]:
    """Return for every tile of the box which neighbours are known and not rock."""
    x0, y0, x1, y1 = box
    open_around = np.zeros((y1 - y0 + 2, x1 - x0 + 2), bool)
    ox0, oy0 = max(0, x0 - 1), max(0, y0 - 1)
    ox1, oy1 = min(ground.width, x1 + 1), min(ground.height, y1 + 1)
    window = np.s_[oy0:oy1, ox0:ox1]
    known = ~_rock(ground.tiles[window])
    if not view.reveal:
        known &= ground.explored[window]
    open_around[oy0 - y0 + 1 : oy1 - y0 + 1, ox0 - x0 + 1 : ox1 - x0 + 1] = known
    masks = np.zeros((y1 - y0, x1 - x0), np.int32)
    height, width = masks.shape
    for bit, (dx, dy) in enumerate(NEIGHBOURS):
        masks |= open_around[1 + dy : 1 + dy + height, 1 + dx : 1 + dx + width].astype(
            np.int32
        ) << np.int32(bit)
    return masks


def _light(
    ground: Ground, origin: tuple[int, int], tiles: NDArray[np.uint8], view: View
) -> NDArray[np.float32]:
    """Return how bright each tile is, 0 to about 1.2: the hero's lamp and what glows."""
    height, width = tiles.shape
    if ground.lamp is None:
        light = np.ones(tiles.shape, np.float32)
    else:
        ys = np.arange(origin[1], origin[1] + height, dtype=np.float32)[:, None] - ground.lamp.y
        xs = np.arange(origin[0], origin[0] + width, dtype=np.float32)[None, :] - ground.lamp.x
        reach = np.float32(ground.reach + 1.5)
        fall = np.clip(1.0 - (xs * xs + ys * ys) / (reach * reach), 0, 1)
        strength = np.float32(0.58 + FLICKER[view.phase % len(FLICKER)])
        light = np.float32(0.52) + strength * np.ceil(fall * LIGHT_STEPS) / LIGHT_STEPS
    glows = np.array([look.glows for look in looks()])[tiles]
    if glows.any():
        light = light + np.float32(0.3) * _blur(glows)
    return light.astype(np.float32, copy=False)


def _blur(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return a soft halo around the tiles of ``mask``, at most 1."""
    halo = mask.astype(np.float32)
    for axis in (0, 1, 0, 1):
        halo = halo + np.roll(halo, 1, axis) + np.roll(halo, -1, axis)
    return np.minimum(halo / 9, 1)


def _lit(
    color: Shades,
    light: NDArray[np.float32],
    seen: NDArray[np.bool_],
    known: NDArray[np.bool_],
    shades: Paint,
) -> NDArray[np.uint8]:
    """Return colours as they appear: lit and tinted in view, cold and dark in memory."""
    bright = color * light[..., None] * shades.light
    grey = color.mean(axis=2, keepdims=True)
    cold = np.array(colors()["memory"], np.float32)
    past = (0.35 * color + 0.65 * grey) * np.float32(MEMORY) + cold * np.float32(0.28)
    shown = np.where(seen[..., None], bright, past)
    void = np.array(colors()["ground"], np.float32)
    shown = np.where(known[..., None], shown, void)
    return np.clip(shown, 0, 255).astype(np.uint8)


def _gild_exits(ink: Shades, codes: NDArray[np.int32], shades: Paint) -> None:
    ink[codes == STAIRS_DOWN] = np.array(colors()["accent"], np.float32) * 1.05
    ink[codes == STAIRS_UP] = shades.ink[Tile.RUBBLE]


def _draw_path(console: Console, view: View) -> None:
    for point in view.path:
        x, y = point.x - view.left, point.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height:
            console.rgb[y, x]["ch"] = PATH_DOT
            console.rgb[y, x]["fg"] = colors()["accent"]


def draw_creatures(console: Console, world: World, view: View) -> None:
    """Draw who stands in sight, or everyone if ``view`` reveals all."""
    for creature in world.map.entities.values():
        x, y = creature.x - view.left, creature.y - view.top
        if 0 <= x < console.width and 0 <= y < console.height and shown(world, creature, view):
            kind = creatures()[creature.kind]
            console.rgb[y, x]["ch"] = ord(kind.glyph)
            console.rgb[y, x]["fg"] = creature_colors()[kind.color]


def shown(world: World, creature: Entity, view: View) -> bool:
    """Whether ``creature`` appears in ``view``."""
    return view.reveal or bool(world.map.seen[creature.y, creature.x])
