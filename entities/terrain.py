"""The ground: every kind of tile, its number, and what it lets through."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from entities.data import DATA, DataError, read_entries


class Tile(IntEnum):
    """Tile numbers as they stand in maps (``uint8``); each is described in data/terrain.toml."""

    WALL = 0
    FLOOR = 1
    TUNNEL = 2
    DOOR = 3
    SECRET_DOOR = 4
    WATER = 5
    SHALLOWS = 6
    BRIDGE = 7
    GRASS = 8
    FOREST = 9
    MOUNTAIN = 10
    SAND = 11
    RUBBLE = 12
    PILLAR = 13
    STATUE = 14
    ROAD = 15
    LAVA = 16
    EDGE = 17
    BONES = 18
    STAIN = 19
    SHRINE = 20
    SHELF = 21
    TRAP = 22
    CARPET = 23
    MOSS = 24
    ICE = 25
    TREASURE = 26
    LOCKED_DOOR = 27
    KEY = 28
    RELIC = 29
    ENTRANCE = 30
    HILL = 31
    HEATH = 32
    REEDS = 33


class Terrain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of tile: its character in text maps and what passes it.

    ``burnt`` is the tile that fire makes of it, if it burns.
    """

    char: str
    name: str
    walkable: bool
    transparent: bool
    burnt: str | None = None


@dataclass(frozen=True)
class TerrainTable:
    """The kinds of tile by number, and the same facts as arrays to index with a map.

    ``burnt`` gives, for the tiles that burn, what is left of them.
    """

    kinds: tuple[Terrain, ...]
    walkable: NDArray[np.bool_]
    transparent: NDArray[np.bool_]
    burnt: dict[int, int]
    codes: NDArray[np.int32]

    def text(self, tiles: NDArray[np.uint8]) -> list[str]:
        """Return one string per row of ``tiles[y, x]``."""
        return ["".join(map(chr, row)) for row in self.codes[tiles].tolist()]


@cache
def terrain(folder: Path = DATA) -> TerrainTable:
    """Return the terrain table, checked against `Tile`."""
    entries = read_entries("terrain.toml", Terrain, folder)
    names = [tile.name.lower() for tile in Tile]
    for name in [*names, *entries]:
        if name not in entries or name not in names:
            raise DataError(f"data/terrain.toml: [{name}]: entries and tile numbers must agree")
    kinds = tuple(entries[name] for name in names)
    chars = [kind.char for kind in kinds]
    for name, kind in zip(names, kinds, strict=True):
        if len(kind.char) != 1 or chars.count(kind.char) > 1 or kind.char in "<>":
            raise DataError(f"data/terrain.toml: [{name}]: char: must be one character of its own")
    for name, kind in zip(names, kinds, strict=True):
        if kind.burnt is not None and kind.burnt not in names:
            raise DataError(f"data/terrain.toml: [{name}]: burnt: there is no {kind.burnt!r}")
    return TerrainTable(
        kinds,
        np.array([kind.walkable for kind in kinds]),
        np.array([kind.transparent for kind in kinds]),
        {
            number: names.index(kind.burnt)
            for number, kind in enumerate(kinds)
            if kind.burnt is not None
        },
        np.array([ord(char) for char in chars], np.int32),
    )


SHUT_DOORS = (Tile.SECRET_DOOR, Tile.LOCKED_DOOR)
"""Doors that nobody walks through as they are, but that can be opened."""


@cache
def openable() -> NDArray[np.bool_]:
    """Return for every tile number whether one can walk there, or could once a door is open."""
    found = np.zeros(256, np.bool_)
    found[: len(Tile)] = terrain().walkable
    found[list(SHUT_DOORS)] = True
    found.setflags(write=False)
    return found
