"""Level invariants: connectivity, a closed border, reachable exit and keys; checked last."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import scipy
from numpy.typing import NDArray

from entities.creature_kinds import HERO, creature_kinds
from entities.terrain import LOCK_TILES, MECHANISMS, TILE_NAMES, TILES, Tile, terrain, tile_mask
from procgen.analysis.distances import CARDINALS, SQUARE, regions
from procgen.blueprint import Blueprint, Rejected
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.mission import Gate, Mission, MissionEdge, always_opens, mission_faults

GATE_TILES: dict[Gate, int] = {
    "lock": Tile.LOCKED_DOOR,
    "portcullis": Tile.PORTCULLIS,
    "drawbridge": Tile.DRAWBRIDGE,
    "crystal": Tile.CRYSTAL,
    "secret": Tile.SECRET_DOOR,
    "drop": Tile.LEDGE,
}
"""The tile of each gate of a mission; a window can be any of several."""


def broken_level(level: Level) -> Iterator[str]:
    """Yield a reason for each invariant that a finished ``level`` breaks.

    In one from a file, locks may block the way to the exit, and items must be on walkable ground.
    """
    plan = Blueprint(level.tiles, level.code.depth, mission=level.mission)
    plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
    yield from broken_invariants(plan, locked_way=level.code.recipe == FROM_FILE)
    walkable = terrain().walkable[plan.tiles]
    for item in level.items or ():
        if not (plan.contains(item.x, item.y) and walkable[item.y, item.x]):
            yield f"an item is not on walkable ground: {item.x},{item.y}"


def broken_invariants(plan: Blueprint, *, locked_way: bool = False) -> Iterator[str]:
    """Yield a reason for each invariant that ``plan`` breaks, with the place after a colon.

    The border is closed; the passable tiles (secret and locked doors included) are one
    4-connected region; start, exit and monsters stand in it, each on a tile of its own. The
    monsters are of kinds that exist. The path from start to exit needs no secret door, and a
    locked one only if the level's mission says so, or with ``locked_way``. There is a key for
    every locked door and at most one other lock of a kind, with its mechanism; whichever lock is
    opened first, all can be opened. The ways between the rooms of a mission are those of its graph
    (see `mission_faults`).
    """
    open_tiles = plan.open
    if open_tiles.sum() > open_tiles[1:-1, 1:-1].sum():
        y, x = np.argwhere(open_tiles > np.pad(open_tiles[1:-1, 1:-1], 1))[0]
        yield f"the border is open: {x},{y}"
    parts, count = regions(open_tiles)
    if count > 1:  # Name the smallest part: most likely that is the one to connect.
        y, x = np.argwhere(parts == 1 + np.bincount(parts[open_tiles])[1:].argmin())[0]
        yield f"the level is not in one piece: {x},{y} is cut off"
    elif count == 0:
        yield "there is no floor"
    if plan.start is None or plan.exit is None:
        yield "start or exit is missing"
        return
    if plan.start == plan.exit:
        yield "start and exit are the same tile"
    stands = Counter([plan.start, plan.exit, *((spawn.x, spawn.y) for spawn in plan.spawns)])
    walkable = terrain().walkable[plan.tiles]
    for x, y in stands:
        if not (plan.contains(x, y) and walkable[y, x]):
            yield f"start, exit or a spawn is not on walkable ground: {x},{y}"
            return
    kinds = {spawn.kind for spawn in plan.spawns} - (creature_kinds().keys() - {HERO})
    yield from (f"there is no monster {kind[:60]!r}" for kind in sorted(kinds))
    if shared := next((one for one in plan.spawns if stands[one.x, one.y] > 1), None):
        yield f"two of start, exit and spawns share a tile: {shared.x},{shared.y}"
    if (open_tiles != walkable).any():
        locked = tile_mask(LOCK_TILES)[plan.tiles]
        parts, _ = regions(walkable | locked if plan.mission or locked_way else walkable)
        if parts[plan.exit.y, plan.exit.x] != parts[plan.start.y, plan.start.x]:
            yield "the way to the exit needs a secret door"
    yield from _broken_locks(plan)
    if plan.mission:
        yield from _broken_mission(plan, plan.mission)


def _broken_locks(plan: Blueprint) -> Iterator[str]:
    """Yield a reason if a lock could stay shut after keys are used in some order."""
    assert plan.start
    count = np.bincount(plan.tiles.ravel(), minlength=len(TILES)).tolist()
    pairs = {Tile.KEY: Tile.LOCKED_DOOR, **MECHANISMS}.items()
    if odd := next((pair for pair in pairs if count[pair[0]] != count[pair[1]]), None):
        numbers = ", ".join(f"{TILE_NAMES[tile]} {count[tile]}" for tile in odd)
        yield f"there is not a key for every lock: {numbers}"
    elif any(count[lock] > 1 for lock in MECHANISMS.values()):
        yield "two locks share a mechanism"
    elif any(count[lock] for _, lock in pairs):
        keys, locked = plan.tiles == Tile.KEY, np.argwhere(plan.tiles == Tile.LOCKED_DOOR).tolist()
        works = [
            (np.argwhere(plan.tiles == opener), np.argwhere(plan.tiles == lock))
            for opener, lock in MECHANISMS.items()
            if count[lock]
        ]
        ground = terrain().walkable[plan.tiles]
        if not plan.mission:  # In a mission, keys must be in reach without a search for doors.
            ground = ground | (plan.tiles == Tile.SECRET_DOOR)
        parts, _ = regions(ground, diagonal=True)  # Diagonal steps must not bypass a lock.
        sides = [_sides(parts, x, y) for y, x in locked]
        openers = [(int(parts[tuple(at[0])]), _sides(parts, *shut[0][::-1])) for at, shut in works]
        if any(low == high for low, high in (*sides, *(shut for _, shut in openers))):
            yield "a lock can be bypassed"
        start = int(parts[plan.start.y, plan.start.x])
        if not always_opens(start, parts[keys].tolist(), sides, openers):
            yield "a key lies behind a lock"


def _sides(parts: NDArray[np.int32], x: int, y: int) -> tuple[int, int]:
    """Return the least and the greatest number of the parts beside the locked door (x, y)."""
    column, row = parts[max(0, y - 1) : y + 2, x], parts[y, max(0, x - 1) : x + 2]
    neighbours = [part for part in (*column.tolist(), *row.tolist()) if part]
    return min(neighbours, default=0), max(neighbours, default=0)


ASTRAY = "the level does not follow its mission"


def _broken_mission(plan: Blueprint, mission: Mission) -> Iterator[str]:
    """Yield a reason if the map does not connect rooms as the graph does, or if that is unsound.

    With every gate shut, the rooms must form the same components on the map, in 8 directions, as in
    the graph, with each gate in its place. Then what is proved of the graph holds for the map.
    """
    if not mission.laid_out:
        yield "the mission is not laid out"
        return
    yield from (f"the mission cannot be done: {fault}" for fault in mission_faults(mission))
    if not follows_mission(plan, mission):
        yield ASTRAY


def follows_mission(plan: Blueprint, mission: Mission) -> bool:
    """Return True if the tiles connect the rooms of a laid-out mission as its graph does."""
    parts, _ = scipy.ndimage.label(terrain().walkable[plan.tiles], SQUARE)
    places = [parts[room.anchor[::-1]] for room in mission.rooms if room.anchor]
    expected = mission.parts("open")
    pairs = set(zip(places, expected, strict=True))
    one_to_one = len(pairs) == len(set(places)) == len(set(expected))
    ends = [parts[point[::-1]] for point in (plan.start, plan.exit) if point]
    gates = mission.gated(*GATE_TILES, "window")
    return one_to_one and ends == places[:2] and all(_is_shut(plan, edge) for edge in gates)


def _is_shut(plan: Blueprint, edge: MissionEdge) -> bool:
    """Return True if the gate of ``edge`` stands where the mission says."""
    assert edge.place
    tile = int(plan.tiles[edge.place[::-1]])
    if edge.gate == "window":
        return bool(terrain().transparent[tile] and not terrain().walkable[tile])
    return tile == GATE_TILES[edge.gate] and (edge.gate != "drop" or _leads_down(plan, *edge.place))


def _leads_down(plan: Blueprint, x: int, y: int) -> bool:
    """Return True if a brink lies before the ledge (x, y), and ground to land on beyond it."""
    return any(
        plan.tiles[y - dy, x - dx] == Tile.BRINK and terrain().walkable[plan.tiles[y + dy, x + dx]]
        for dx, dy in CARDINALS
    )


def validate(plan: Blueprint) -> None:
    """Raise `Rejected` with the first broken invariant of ``plan``, if any."""
    for reason in broken_invariants(plan):
        raise Rejected(reason)
