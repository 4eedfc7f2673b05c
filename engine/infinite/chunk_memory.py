"""What is kept of an endless world: chunks one has left, and the dungeons below them."""

from typing import Annotated

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from components.inventory import Item
from engine.state.compression import InvalidSave, compress, decompress
from entities.entity import Entity
from entities.terrain import TILES
from procgen.chunk import SIDE

LARGEST = 1 << 20
"""Bytes of one chunk before it is folded: none comes near."""
FURTHEST = 1 << 46
"""How far away, in chunks, a world goes on."""
MOST_CHUNKS = 100_000

Column = Annotated[int, Meta(ge=-FURTHEST, le=FURTHEST)]
Inside = Annotated[int, Meta(ge=0, lt=SIDE)]
Place = tuple[Inside, Inside]


class SavedChunk(msgspec.Struct, frozen=True, array_like=True):
    """A chunk as it was left; places count from its own corner."""

    explored: bytes
    changes: dict[
        Annotated[int, Meta(ge=0, lt=SIDE * SIDE)], Annotated[int, Meta(ge=0, lt=len(TILES))]
    ]
    entities: list[Entity]
    items: list[tuple[Inside, Inside, list[Item]]]


class InfiniteMemory(msgspec.Struct, frozen=True, array_like=True):
    """What an endless map is beside its tiles and who is on it.

    ``corner`` is the chunk in its upper left, ``opened`` the chunks that are there, ``left``
    those one has left behind, folded; ``door`` the way down last taken, and ``below`` the levels
    under each way down that one has been in, by its place in the world.
    """

    corner: tuple[Column, Column]
    loaded: list[tuple[Column, Column]]
    left: Annotated[list[tuple[Column, Column, bytes]], Meta(max_length=MOST_CHUNKS)]
    door: tuple[int, int] | None = None
    below: list[tuple[int, int, dict[int, bytes]]] = []


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(SavedChunk).decode


def pack_chunk(left: SavedChunk) -> bytes:
    """Return ``left`` in few bytes."""
    return compress(_encode(left))


def unpack_chunk(folded: bytes) -> SavedChunk:
    """Return the chunk that was folded; raise `BadState` if it is none of ours."""
    left = decompress(folded, _decode, LARGEST, "a chunk")
    if len(left.explored) != SIDE * SIDE // 8:
        raise InvalidSave("what was seen is of another chunk")
    return left


def explored_mask(packed: bytes) -> NDArray[np.bool_]:
    """Return what was seen of a chunk, [y, x]."""
    return np.unpackbits(np.frombuffer(packed, np.uint8)).astype(bool).reshape(SIDE, SIDE)
