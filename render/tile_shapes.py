"""Which look each tile takes: walls by their neighbours, floors by their place, water by time."""

import numpy as np
from numpy.typing import NDArray

from entities.terrain import Tile
from render.glyphs import NEIGHBOURS, TERRAIN, VARIANTS, WALLS
from render.palette import looks
from render.view import Ground, View


def tile_codes(ground: Ground, box: tuple[int, int, int, int], view: View) -> NDArray[np.int32]:
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
