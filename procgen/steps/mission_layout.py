"""Missions on the map: dig a mission, cut ledges and windows, shut its gates, furnish its rooms."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isqrt

import numpy as np

from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.chokepoints import structure_of
from procgen.blueprint import Blueprint, Point, RectangularRoom, dig
from procgen.carving.doorways import in_open_square, straight_gaps
from procgen.mission import LOCKS, OPENERS, Gate, Mission, MissionEdge, mission_faults
from procgen.missions.carving import Carver, lattice_spans
from procgen.missions.key_holders import hold_key
from procgen.missions.layout import lay_out
from procgen.placement.painting import passable
from procgen.placement.room_sites import sites_in
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Few, Share, Side, Weight, step
from procgen.steps.missions import GROWTH, MAIN, Purpose, mission_of, rooms_on_path
from procgen.steps.room_types import all_room_types
from procgen.validate import GATE_TILES

ROOM_TYPES = {"keeper": "lairs", "library": "libraries"}
"""The room types of purposes whose plural is not the name of the type."""
SIZES: dict[str, list[tuple[int, int]]] = {
    **{purpose: [(1, 1), (2, 1), (1, 2)] for purpose in ("start", "key", "treasure")},
    **{purpose: [(1, 1), (2, 1), (1, 2), (2, 2)] for purpose in ("exit", "room")},
    "hall": [(3, 2), (2, 2), (3, 1), (2, 3)],
    "garden": [(2, 2), (3, 2), (2, 3)],
    "lair": [(2, 2), (2, 1), (1, 2)],
}
"""Sizes of rooms in cells of the lattice, by purpose; others have those of "room"."""
BUSY = 3
"""A room with this many ways gets more than one cell: a small room would be all doors."""


@step(needs="mission", gives="floor rooms regions start exit")
def lay_out_mission(
    plan: Blueprint,
    rng: Rng,
    *,
    cell: Side = 4,
    inset: Few = 1,
    longest: Side = 6,
    rough: Share = 0.0,
    rectangle: Weight = 6,
    circle: Weight = 1,
    cross: Weight = 2,
    ring: Weight = 0,
    hall: Weight = 2,
    chunky: Weight = 0,
    cave: Weight = 0,
) -> Iterator[str]:
    """Dig the rooms of the mission, and passages for exactly its edges, on a lattice of cells.

    Cells are ``cell`` tiles a side, and a few more where that fills the map. They are several times
    as large on very large maps, where the mission does not grow in proportion. Rooms are up to
    ``inset`` tiles smaller than their cells allow. Rooms stand wall to wall or are joined by
    corridors of at most ``longest`` cells. A share ``rough`` of the rock beside corridors is dug
    away. ``rectangle``, ``circle``, ``cross``, ``ring``, ``hall``, ``chunky`` and ``cave`` are the
    weights of the shapes of rooms. Anything dug before is filled. A mission that does not fit is
    rejected with the room, the edge and the reason. (Exact placement by backtracking.)
    """
    mission = mission_of(plan)
    plan.tiles[:] = Tile.WALL
    plan.rooms.clear()
    plan.spawns.clear()
    plan.start = plan.exit = None
    times = max(1, isqrt(plan.scale // GROWTH))
    pitch = times * cell + 1
    size = max(1, (plan.width - 1) // pitch), max(1, (plan.height - 1) // pitch)
    layout = lay_out(mission, size, _sizes(mission), rng.branch("layout"), longest)
    columns, rows = layout.cropped()
    spans = (
        lattice_spans(plan.width, columns, cell, rng, times),
        lattice_spans(plan.height, rows, cell, rng, times),
    )
    weights = {"rectangle": rectangle, "circle": circle, "cross": cross, "ring": ring}
    weights |= {"hall": hall, "chunky": chunky, "cave": cave}
    carver = Carver(plan, mission, layout, spans, rng, rough)
    for dug in (carver.rooms(weights, inset), carver.ways()):
        for caption in dug:
            plan.mission = carver.mission
            yield caption
    ends = mission_of(plan).rooms[:2]
    plan.start, plan.exit = (Point(*room.anchor) for room in ends if room.anchor)


def _sizes(mission: Mission) -> list[list[tuple[int, int]]]:
    """Return the sizes in cells that each room may have."""
    ways = Counter(number for edge in mission.edges for number in (edge.start, edge.end))
    sizes = [SIZES.get(room.purpose, SIZES["room"]) for room in mission.rooms]
    return [
        [size for size in each if ways[number] < BUSY or size != (1, 1)]
        for number, each in enumerate(sizes)
    ]


@step(needs="mission floor regions")
def one_way(plan: Blueprint, rng: Rng, *, path: str = MAIN, least: Few = 2) -> Iterator[str]:
    """Cut a ledge between two adjoining rooms, from which the player can jump down.

    The rooms are at least ``least`` edges apart. The upper room is on ``path``. The drop bypasses
    no lock, and there is an open way back up.
    """
    rooms = range(len(mission_of(plan).rooms))
    for tiles, (dx, dy), names in _thin_walls(plan, rng, rooms, path, "drop", least):
        x, y = tiles[0]
        for spot in tiles:
            plan.tiles[spot[::-1]] = Tile.TUNNEL
        plan.tiles[y, x], plan.tiles[y - dy, x - dx] = Tile.LEDGE, Tile.BRINK
        yield f"A ledge from {names[0]} down to {names[1]}"
        return


@step(needs="mission floor regions")
def vista(plan: Blueprint, rng: Rng, *, path: str = MAIN, least: Few = 2) -> Iterator[str]:
    """Open a view across water on the exit, on gold, or on what opens a lock.

    The view is from a room of ``path`` into one that adjoins it, ``least`` or more edges away.
    """
    goals = [n for n, room in enumerate(mission_of(plan).rooms) if n == 1 or room.holds]
    for tiles, _, names in _thin_walls(plan, rng, goals, path, "window", least):
        dig(plan, tiles, Tile.WATER)
        yield f"A view across water from {names[0]} to {names[1]}"
        return


THICKEST = 3
"""The most tiles of rock between two rooms that a ledge or a window cuts through."""
Wall = tuple[int, int, list[tuple[int, int]], tuple[int, int]]
"""Two rooms, the wall tiles in a line from one to the other, and its direction (dx, dy)."""


def _thin_walls(
    plan: Blueprint, rng: Rng, goals: Sequence[int], path: str, gate: Gate, least: int
) -> Iterator[tuple[list[tuple[int, int]], tuple[int, int], tuple[str, str]]]:
    """Yield (tiles, direction, names) of walls from a room of ``path`` to one of ``goals``.

    In random order, at least ``least`` edges apart, with rock on both sides of the cut, and where
    the mission stays sound with a ``gate`` there. ``plan.mission`` has the gate of the last wall.
    """
    mission, on_path = mission_of(plan), rooms_on_path(mission_of(plan), path)
    ways = {room: mission.distances_from(room) for room in on_path}
    sound = {(room, goal): ways[room][goal] >= least for room in on_path for goal in goals}
    pairs = {pair for pair, is_sound in sound.items() if is_sound} if mission.laid_out else set()
    for room, goal, tiles, direction in rng.shuffled(list(_walls_between_rooms(plan, pairs))):
        first, second = mission.rooms[room], mission.rooms[goal]
        grown = mission.added([], [MissionEdge(room, goal, first.path, gate, place=tiles[0])])
        # Two rooms share many walls: if a gate is unsound in one of them, it is in all.
        sound[room, goal] = sound[room, goal] and not any(mission_faults(grown))
        if sound[room, goal]:
            plan.mission = grown
            yield tiles, direction, (first.name, second.name)


def _walls_between_rooms(plan: Blueprint, pairs: set[tuple[int, int]]) -> Iterator[Wall]:
    """Yield every wall of up to `THICKEST` tiles between wide places in the rooms of ``pairs``."""
    assert plan.regions is not None
    regions = np.where(terrain().walkable[plan.tiles], plan.regions, 0)
    floor, rock = in_open_square(regions > 0), plan.tiles == Tile.WALL
    for dx, dy, thick, gaps in straight_gaps(floor, rock, THICKEST, beside=True):
        ys, xs = np.nonzero(gaps)
        for begin, end, sign in ((0, thick + 1, 1), (thick + 1, 0, -1)):
            rooms = ((regions[ys + n * dy, xs + n * dx] - 1).tolist() for n in (begin, end))
            for x, y, first, second in zip(xs.tolist(), ys.tolist(), *rooms, strict=True):
                if first != second and (first, second) in pairs:
                    tiles = [(x + n * dx, y + n * dy) for n in range(begin + sign, end, sign)]
                    yield first, second, tiles, (sign * dx, sign * dy)


@step(needs="mission floor", gives="gates")
def mission_gates(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Place the mission's locks and secret doors, and its keys and mechanisms in their rooms."""
    mission = mission_of(plan)
    if not mission.laid_out:
        return
    taken = plan.marks
    for edge in mission.gated(*LOCKS, "secret"):
        assert edge.place
        x, y = edge.place
        if edge.place in taken:
            continue  # Only a step that does not belong here takes it; the level is rejected.
        plan.tiles[y, x] = GATE_TILES[edge.gate]
        yield f"{terrain().kinds[GATE_TILES[edge.gate]].name.capitalize()} at {x}, {y}"
    for room in mission.rooms:
        if room.holds in OPENERS.values():
            assert room.anchor
            x, y = room.anchor
            if passable(int(plan.tiles[y, x])):
                plan.tiles[y, x] = TILE_NAMES.index(room.holds)
                yield f"A {room.holds} in {room.name}"


@step(needs="mission floor start exit")
def mission_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    themes: tuple[Purpose, ...] = ("library", "shrine", "hall", "garden"),
    themed: Share = 0.6,
) -> Iterator[str]:
    """Furnish the rooms of the mission by their purpose.

    A share ``themed`` of the ordinary rooms gets a theme. ``themes`` are used in turn.
    """
    mission = mission_of(plan)
    structure = structure_of(plan)
    if structure is None or not mission.laid_out:
        return
    floor, types = FreeFloor(plan), all_room_types(plan, structure)
    boxes = [RectangularRoom(*room.box) for room in mission.rooms if room.box]
    sites = {site.box: site for site in sites_in(structure, boxes, least=4, most=400)}
    themes_used = 0
    for number, room in enumerate(mission.rooms):
        assert room.anchor
        site = sites.get(boxes[number])
        purpose = room.purpose
        if purpose == "room" and themes and rng.chance(themed):
            purpose = themes[themes_used % len(themes)]
            themes_used += 1
        if room.holds in OPENERS.values() and site:
            name = hold_key(plan, floor, site, room.holds, room.anchor, rng).replace("_", " ")
            yield f"{room.name}: {room.holds} ({name})"
        room_type = types.get(ROOM_TYPES.get(purpose, f"{purpose}s"))
        if site and room_type and number > 1 and room_type.furnish(floor, site, rng):
            floor.exclude_occupied(plan)
            yield f"{room.name}: furnished as {purpose}"
