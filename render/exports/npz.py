"""A level as NumPy arrays in one file, to be loaded without running anything."""

from io import BytesIO

import msgspec
import numpy as np

from entities.terrain import terrain
from procgen.build import Level
from render.exports.record import level_record


def npz(level: Level, origin: str) -> bytes:
    """Return the file: every array is of plain numbers or fixed-width text.

    ``tiles``, ``walkable`` and ``transparent`` are [y, x]; ``start`` and ``exit`` [x, y];
    ``rooms`` rows of x, y, width, height; ``spawns`` records of kind, x, y. ``code``, ``command``
    and ``metadata`` (JSON: the whole record but its tiles) are texts.
    """
    record = level_record(level, origin)
    tiles = record.pop("tiles")
    names = [spawn.kind for spawn in level.spawns]
    kind = f"<U{max(map(len, names), default=1)}"
    stream = BytesIO()
    np.savez_compressed(
        stream,
        allow_pickle=False,
        tiles=level.tiles,
        text=np.array(tiles),
        walkable=terrain().walkable[level.tiles],
        transparent=terrain().transparent[level.tiles],
        start=np.array(level.start, np.int32),
        exit=np.array(level.exit, np.int32),
        rooms=np.array(record["rooms"], np.int32).reshape(-1, 4),
        spawns=np.array(list(level.spawns), [("kind", kind), ("x", "<i4"), ("y", "<i4")]),
        code=np.array(record["code"]),
        command=np.array(origin),
        metadata=np.array(msgspec.json.encode(record).decode()),
    )
    return stream.getvalue()
