"""Export a level as JSON, JSON lines, text or NumPy archive."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from components.inventory import PlacedItem
from engine.items.loot import items_of
from entities.creature_kinds import creature_kinds
from entities.folders import USER_MARK
from entities.item_kinds import item_kinds
from entities.terrain import TILE_NAMES, terrain
from procgen.analysis.distances import UNREACHED
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.metrics import PATH_METRICS, ROOM_METRICS, measure
from procgen.mission import LOCKS, Mission
from workbench.exports.origin import ExportOptions


def level_record(level: Level, origin: str) -> dict[str, Any]:
    """Return the level as plain values, in the order of the JSON format."""
    code = level.code
    kinds = {TILE_NAMES[tile]: terrain().kinds[tile] for tile in np.unique(level.tiles).tolist()}
    return {
        "code": str(code),
        "generator": code.name,
        "version": code.version,
        "seed": code.seed,
        "depth": code.depth,
        "width": code.width,
        "height": code.height,
        "tiles": terrain().text(level.tiles),
        "legend": {
            kind.char: {"kind": kind_name, "name": kind.name}
            | {"walkable": kind.walkable, "transparent": kind.transparent}
            | ({"opens": kind.opens} if kind.opens else {})
            for kind_name, kind in kinds.items()
        },
        "start": list(level.start),
        "exit": list(level.exit) if level.has_exit else None,
        "rooms": [[room.x, room.y, room.width, room.height] for room in level.rooms],
        "spawns": [{"kind": s.kind, "x": s.x, "y": s.y} for s in level.spawns],
        "items": [item._asdict() for item in items_of(level)],
        "mission": _mission(level.mission),
        "metrics": metrics_record(level),
        "steps": [{"name": name, "digest": digest} for name, digest in level.steps],
        "command": origin,
    }


def _mission(mission: Mission | None) -> dict[str, Any] | None:
    """Return the graph of a mission as plain values; edges name rooms by their index."""
    if mission is None:
        return None
    return {
        "cycles": list(mission.cycles),
        "rooms": [msgspec.structs.asdict(room) for room in mission.rooms],
        "edges": [
            {"start": e.start, "end": e.end, "path": e.path, "gate": e.gate, "place": e.place}
            for e in mission.edges
        ],
        "locks": [list(edge.place or ()) for edge in mission.gated(*LOCKS)],
    }


def metrics_record(level: Level) -> dict[str, Any]:
    """Return the metrics; those that need a way to the exit or known rooms are None without."""
    metrics = msgspec.structs.asdict(measure(level))
    if not level.has_exit or metrics["path"] >= UNREACHED:
        metrics |= dict.fromkeys(PATH_METRICS)
    no_rooms = level.code.recipe == FROM_FILE and not level.rooms
    return metrics | dict.fromkeys(ROOM_METRICS if no_rooms else ())


def json(level: Level, _: ExportOptions, origin: str) -> bytes:
    """Return the record as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(level_record(level, origin))) + b"\n"


def json_line(level: Level, _: ExportOptions, origin: str) -> bytes:
    """Return the record as one line of JSON."""
    return msgspec.json.encode(level_record(level, origin)) + b"\n"


def level_text(level: Level) -> list[str]:
    """Return one string per row, `<` at the start and `>` at the exit if there is one."""
    rows = [list(row) for row in terrain().text(level.tiles)]
    rows[level.start.y][level.start.x] = "<"
    if level.has_exit:
        rows[level.exit.y][level.exit.x] = ">"
    return ["".join(row) for row in rows]


def text(level: Level, options: ExportOptions, origin: str) -> bytes:
    """Return the level's code, its rows and an empty line.

    With an ``origin``, the command that made it, or a program's recipe, it also has the creatures,
    items and the command and, if its code names what is a user's, theme and light.
    """
    lines = [str(level.code), *level_text(level)]
    if origin or options.recipe:
        drawn = [f"theme: {level.theme}", f"light: {level.light}"]
        lines[1:1] = drawn if USER_MARK in level.code.name else []
        lines += [f"spawn {spawn.x},{spawn.y} {spawn.kind}" for spawn in level.spawns]
        lines += [_item_line(item) for item in items_of(level)] + [origin] * bool(origin)
    return "\n".join([*lines, "", ""]).encode()


def _item_line(item: PlacedItem) -> str:
    usual, facts = PlacedItem._field_defaults, item._asdict()
    numbers = [f" {name}={facts[name]}" for name in usual if facts[name] != usual[name]]
    return f"item {item.x},{item.y} {item.kind}" + "".join(numbers)


def npz(level: Level, _: ExportOptions, origin: str) -> bytes:
    """Return an .npz archive of plain numbers and fixed-width text (no pickles).

    ``tiles``, ``walkable`` and ``transparent`` are [y, x]; ``start`` and ``exit`` [x, y] (empty for
    no exit); ``rooms`` rows of x, y, width, height; ``spawns`` records of kind, x, y and ``items``
    of kind, x, y, many, bonus, charges. ``tile_names`` are the names of tile numbers;
    ``spawn_kinds`` and ``item_kinds`` records of each kind and its English name, in the same order
    for all levels, so that kinds can be numbered; ``theme`` is the name of the theme. ``code``,
    ``command`` and ``metadata`` (JSON: the whole record except its tiles) are texts.
    """
    record = level_record(level, origin)
    tiles = record.pop("tiles")
    creatures = [(key, kind.name) for key, kind in creature_kinds().items()]
    items = [(key, kind.name) for key, kind in item_kinds().items()]
    stream = BytesIO()
    np.savez_compressed(
        stream,
        allow_pickle=False,
        tiles=level.tiles,
        text=np.array(tiles),
        walkable=terrain().walkable[level.tiles],
        transparent=terrain().transparent[level.tiles],
        start=np.array(level.start, np.int32),
        exit=np.array(level.exit if level.has_exit else (), np.int32),
        rooms=np.array(record["rooms"], np.int32).reshape(-1, 4),
        spawns=_records(level.spawns, "kind", "x", "y"),
        items=_records(items_of(level), "kind", "x", "y", "many", "bonus", "charges"),
        tile_names=np.array(TILE_NAMES),
        spawn_kinds=_records(creatures, "kind", "name"),
        item_kinds=_records(items, "kind", "name"),
        theme=np.array(level.theme),
        code=np.array(record["code"]),
        command=np.array(origin),
        metadata=np.array(msgspec.json.encode(record).decode()),
    )
    return stream.getvalue()


def _records(rows: Sequence[tuple[str | int, ...]], *names: str) -> NDArray[np.void]:
    """Return ``rows`` as records; kinds and names are as wide as the longest, the rest numbers."""
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    kinds = ["U" if name in {"kind", "name"} else "i4" for name in names]
    types = [np.array(*column).dtype for column in zip(columns, kinds, strict=True)]
    return np.array(list(rows), list(zip(names, types, strict=True)))
