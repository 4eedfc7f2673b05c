"""Samples, waves and what is drawn by them."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from entities.terrain import terrain
from procgen.rng import Rng
from procgen.wfc.constraints import Patterns, _agreement
from procgen.wfc.wfc_map import WfcMap

WHOLE_MAPS = ("canals", "chambers", "pools", "ruins", "temple")


TILE = {kind.char: tile for tile, kind in enumerate(terrain().kinds)}


def drawn(*rows):
    return np.array([[TILE[char] for char in row] for row in rows], np.uint8)


def paint(lore, tiles, seed=1, **budget):
    canvas = WfcMap(lore, tiles)
    border = np.ones(tiles.shape, np.bool_)
    border[1:-1, 1:-1] = False
    canvas.allow(border, (lore.patterns.edge,))
    for _ in canvas.collapse(Rng(seed), **{"patches": 40, **budget}):
        pass
    return canvas


def wrapped(sheet):
    """Return the 3x3 patterns of a sheet that continues on its other side."""
    views = sliding_window_view(np.pad(sheet, ((0, 2), (0, 2)), mode="wrap"), (3, 3))
    seen = {}
    numbers = [seen.setdefault(view.tobytes(), len(seen)) for view in views.reshape(-1, 3, 3)]
    patterns = np.frombuffer(b"".join(seen), np.uint8).reshape(-1, 3, 3)
    reading = np.array(numbers, np.int32).reshape(sheet.shape)
    return Patterns(3, 1, 1, patterns, (reading,), _agreement(patterns, 1), int(sheet[0, 0]))


def windows(tiles):
    height, width = tiles.shape
    return {
        tuple(tiles[y : y + 3, x : x + 3].ravel().tolist())
        for y in range(height - 2)
        for x in range(width - 2)
    }
