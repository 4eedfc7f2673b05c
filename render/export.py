"""A level as text and as JSON."""

from typing import Any

import numpy as np

from entities.terrain import terrain
from procgen.build import Level


def level_text(level: Level) -> list[str]:
    """Return one string per row, `<` at the start and `>` at the exit."""
    rows = [list(row) for row in terrain().text(level.tiles)]
    rows[level.start.y][level.start.x] = "<"
    rows[level.exit.y][level.exit.x] = ">"
    return ["".join(row) for row in rows]


def level_record(level: Level) -> dict[str, Any]:
    """Return the level as plain values, in the order of the JSON format."""
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
        "steps": [{"name": name, "digest": digest} for name, digest in level.steps],
    }
