"""A level as a record of plain values, in the order of the JSON format."""

from typing import Any

import msgspec
import numpy as np

from entities.terrain import terrain
from procgen.build import Level
from procgen.measure.metrics import measure


def level_record(level: Level, origin: str) -> dict[str, Any]:
    """Return everything that is known of the level."""
    code = level.code
    kinds = [terrain().kinds[number] for number in np.unique(level.tiles).tolist()]
    return {
        "code": str(code),
        "generator": code.recipe,
        "version": code.version,
        "seed": code.seed,
        "depth": code.depth,
        "width": code.width,
        "height": code.height,
        "tiles": terrain().text(level.tiles),
        "legend": {
            kind.char: {
                "name": kind.name,
                "walkable": kind.walkable,
                "transparent": kind.transparent,
            }
            for kind in kinds
        },
        "start": list(level.start),
        "exit": list(level.exit),
        "rooms": [[room.x, room.y, room.width, room.height] for room in level.rooms],
        "spawns": [{"kind": s.kind, "x": s.x, "y": s.y} for s in level.spawns],
        "metrics": msgspec.structs.asdict(measure(level)),
        "steps": [{"name": name, "digest": digest} for name, digest in level.steps],
        "command": origin,
    }


def json(level: Level, origin: str) -> bytes:
    """Return the record as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(level_record(level, origin))) + b"\n"


def json_line(level: Level, origin: str) -> bytes:
    """Return the record as one line of JSON."""
    return msgspec.json.encode(level_record(level, origin)) + b"\n"
