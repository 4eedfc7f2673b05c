"""Tiles and terrain: the number of every tile, its name and what can pass it."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from entities.data_files import DataError, check_names, read_entries

Mask = NDArray[np.bool_]
"""True for some tiles of a map, [y, x]."""
Tiles = NDArray[np.uint8]
"""Tile numbers of a map, or of a part of one, [y, x]."""


class Tile:
    """Tile numbers as they stand in maps (``uint8``); each is described in data/terrain.toml.

    They are plain integers, not an enumeration: whenever a map is compared with a member, NumPy
    would ask its class for half a dozen attributes that do not exist. That takes five times as long
    as the comparison, and up to Python 3.11 a Ctrl-C pressed meanwhile is lost.
    """

    WALL, FLOOR, TUNNEL, DOOR, SECRET_DOOR, WATER, SHALLOWS, BRIDGE = range(8)
    GRASS, FOREST, MOUNTAIN, SAND, RUBBLE, PILLAR, STATUE, ROAD = range(8, 16)
    LAVA, EDGE, BONES, STAIN, SHRINE, SHELF, TRAP, CARPET = range(16, 24)
    MOSS, ICE, TREASURE, LOCKED_DOOR, KEY, RELIC, ENTRANCE, HILL = range(24, 32)
    HEATH, REEDS, EMBERS, PORTCULLIS, LEVER, DRAWBRIDGE, WINCH, CRYSTAL = range(32, 40)
    BRAZIER, LEDGE, BRINK, GRATING, GLOOM = range(40, 45)


TILE_NAMES: Final = tuple(name.lower() for name in vars(Tile) if name.isupper())
"""The names of tiles in data files, by number."""
TILES: Final = range(len(TILE_NAMES))
"""Every tile number."""


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of tile: its character in text maps and what can pass it.

    ``on_screen`` is its character in a terminal, if different; scenery never replaces a
    ``fixture``, furniture only ``plain`` ground. ``burnt`` is the tile that fire makes of it, if it
    burns. A lock ``opens`` with the tile of that name, and is the tile ``opened`` after that.
    """

    char: str
    name: str
    walkable: bool
    transparent: bool
    on_screen: str = ""
    fixture: bool = False
    plain: bool = False
    burnt: str | None = None
    opens: str | None = None
    opened: str = "floor"


@dataclass(frozen=True)
class TerrainTable:
    """The terrain kinds by tile number, and the same facts as arrays to index with a map.

    ``burnt`` maps each flammable tile to what a fire leaves, ``by_char`` characters to tiles.
    """

    kinds: tuple[Terrain, ...]
    walkable: Mask
    transparent: Mask
    fixture: Mask
    plain: Mask
    burnt: dict[int, int]
    codes: NDArray[np.int32]
    by_char: dict[str, int]

    def text(self, tiles: NDArray[np.uint8]) -> list[str]:
        """Return one string per row of ``tiles[y, x]``."""
        return ["".join(map(chr, row)) for row in self.codes[tiles].tolist()]


@cache
def terrain() -> TerrainTable:
    """Return the terrain table; raise `DataError` if it and the numbers of `Tile` disagree."""
    entries = read_entries("terrain.toml", Terrain)
    for name in [*TILE_NAMES, *entries]:
        if name not in entries or name not in TILE_NAMES:
            raise DataError(f"data/terrain.toml: [{name}]: entries and tile numbers must agree")
    kinds = tuple(entries[name] for name in TILE_NAMES)
    chars = [kind.char for kind in kinds]
    for name, kind in zip(TILE_NAMES, kinds, strict=True):
        if len(kind.char) != 1 or chars.count(kind.char) > 1 or kind.char in "<>":
            raise DataError(f"data/terrain.toml: [{name}]: char: must be one character of its own")
        for field in ("burnt", "opens", "opened"):
            check_names(f"data/terrain.toml: [{name}]: {field}", [getattr(kind, field)], TILE_NAMES)
    burnt = {tile: TILE_NAMES.index(kind.burnt) for tile, kind in enumerate(kinds) if kind.burnt}
    walkable, transparent, fixture, plain = (
        np.array([getattr(kind, fact) for kind in kinds])
        for fact in ("walkable", "transparent", "fixture", "plain")
    )
    codes, by_char = np.array([*map(ord, chars)], np.int32), {c: n for n, c in enumerate(chars)}
    return TerrainTable(kinds, walkable, transparent, fixture, plain, burnt, codes, by_char)


LOCK_TILES = (Tile.LOCKED_DOOR, Tile.PORTCULLIS, Tile.DRAWBRIDGE, Tile.CRYSTAL)
"""Tiles that block until they are opened."""
MECHANISMS = {Tile.LEVER: Tile.PORTCULLIS, Tile.WINCH: Tile.DRAWBRIDGE, Tile.BRAZIER: Tile.CRYSTAL}
"""Tiles that open the locks of one kind when the hero steps on them; a key is carried."""
OPENERS = (Tile.KEY, *MECHANISMS)
DEEP = (Tile.WATER, Tile.LAVA)
"""Tiles that only levitating creatures can be on."""
SHUT_DOORS = (Tile.SECRET_DOOR, *LOCK_TILES)
"""Tiles that block until they are found or opened."""


@lru_cache(maxsize=256)
def tile_mask(tiles: tuple[int, ...]) -> Mask:
    """Return, as bool [256] to index with a map, which tile numbers are among ``tiles``.

    `numpy.isin` takes five times as long.
    """
    mask = np.zeros(256, np.bool_)
    mask[list(tiles)] = True
    mask.setflags(write=False)
    return mask


def opened_tile(lock: int) -> int:
    """Return the tile that the tile ``lock`` becomes when it is opened."""
    return TILE_NAMES.index(terrain().kinds[lock].opened)


@cache
def openable_mask() -> Mask:
    """Return, as bool [256], which tiles are walkable or become so when a door is opened."""
    return tile_mask((*np.flatnonzero(terrain().walkable).tolist(), *SHUT_DOORS))
