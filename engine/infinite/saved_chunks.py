"""Saved data of an infinite world: unloaded chunks and the dungeons below them."""

from collections.abc import Callable
from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta

from components.inventory import Item
from engine.state.compression import InvalidSave, decompress, no_limit
from entities.entity import Entity
from entities.terrain import TILES, Mask
from procgen.chunk import SIDE

LARGEST_CHUNK = 1 << 20
"""The most bytes of a chunk before compression; real ones have a few thousand."""
FURTHEST = 1 << 46
"""The largest absolute column or row of a chunk in a save."""
MOST_CHUNKS = 100_000

Column = Annotated[int, Meta(ge=-FURTHEST, le=FURTHEST)]
Inside = Annotated[int, Meta(ge=0, lt=SIDE)]
ChunkPlace = Annotated[int, Meta(ge=0, lt=SIDE * SIDE)]


class SavedChunk(msgspec.Struct, frozen=True, array_like=True):
    """A chunk as the hero left it; coordinates count from its upper left tile."""

    explored: bytes
    changes: dict[ChunkPlace, Annotated[int, Meta(ge=0, lt=len(TILES))]]
    entities: list[Entity]
    items: list[tuple[Inside, Inside, list[Item]]]


class InfiniteMemory(msgspec.Struct, frozen=True, array_like=True):
    """The fields of an `InfiniteMap` other than tiles, items and creatures, as plain data.

    ``corner`` is the chunk in the upper left; ``saved_chunks`` are (column, row, packed chunk);
    ``exit`` the stairs the hero took; ``levels_below`` are (x, y, packed levels by depth), for
    each entrance by its coordinates in the world.
    """

    corner: tuple[Column, Column]
    loaded: list[tuple[Column, Column]]
    saved_chunks: Annotated[list[tuple[Column, Column, bytes]], Meta(max_length=MOST_CHUNKS)]
    exit: tuple[int, int] | None = None
    levels_below: list[tuple[int, int, dict[int, bytes]]] = []


def unpack_chunk(packed: bytes, spend: Callable[[int], None] = no_limit) -> SavedChunk:
    """Return the chunk that was packed by `compress`; raise `InvalidSave` for any other bytes."""
    chunk = decompress(packed, SavedChunk, LARGEST_CHUNK, "a chunk", spend)
    unpack_mask(SIDE, SIDE, chunk.explored)
    return chunk


def unpack_mask(width: int, height: int, packed: bytes) -> Mask:
    """Return ``packed``, eight tiles to a byte, as bool [y, x]; `InvalidSave` for a wrong size."""
    if len(packed) != (width * height + 7) // 8:
        raise InvalidSave("the explored tiles do not match the size of the map")
    bits = np.unpackbits(np.frombuffer(packed, np.uint8), count=width * height)
    return bits.astype(bool).reshape(height, width)
