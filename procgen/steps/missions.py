"""Missions: a graph of rooms, locks and keys first, then the level that follows it.

`main_path`, `side_path`, `cycles` and `lock` make the graph and dig nothing; `lay_out_mission` digs
it, `mission_gates` shuts its doors and places its keys, `mission_rooms` furnishes rooms by purpose.
(After J. Dormans' cyclic dungeon generation; paths with names after the flow graphs of Dungeon
Architect.)
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Literal

from entities.terrain import Tile
from procgen.analysis.chokepoints import structure_of
from procgen.blueprint import Blueprint, Point, RectangularRoom, Rejected
from procgen.mission import Mission, MissionEdge, MissionRoom, mission_faults
from procgen.missions.carving import Carver, lattice_spans
from procgen.missions.cycle_kinds import HOLDINGS, CycleKind, Namer, cycle_kinds, with_cycle
from procgen.missions.layout import NoLayout, lay_out
from procgen.placement.painting import occupied, passable, scaled_to_area
from procgen.placement.room_sites import RoomSite, find_sites
from procgen.placement.safe_placement import ROUND, FreeFloor
from procgen.rng import Rng
from procgen.step_registry import Few, Share, Side, Weight, step
from procgen.steps.room_types import furnishings

Purpose = Literal[
    "room", "treasure", "shrine", "library", "garden", "hall", "trap", "guard", "lair"
]

MAIN = "main"


@step(gives="mission")
def main_path(plan: Blueprint, rng: Rng, *, least: Few = 3, most: Few = 5) -> Iterator[str]:
    """Begin a mission: a path of ``least`` to ``most`` rooms from the start to the exit."""
    names = [*(f"room {n}" for n in range(1, rng.between(min(least, most), most) + 1))]
    rooms = [MissionRoom(end, end, MAIN) for end in ("start", "exit")]
    rooms += [MissionRoom(name, "room", MAIN) for name in names]
    order = [0, *range(2, len(rooms)), 1]
    edges = [MissionEdge(a, b, MAIN) for a, b in pairwise(order)]
    plan.mission = Mission(tuple(rooms), tuple(edges))
    yield f"Main path: {' - '.join(rooms[n].name for n in order)}"


@step(needs="mission")
def side_path(
    plan: Blueprint,
    rng: Rng,
    *,
    name: str = "side",
    leaves: str = MAIN,
    rejoins: bool = False,
    rooms: Few = 1,
    ends_in: Purpose = "treasure",
) -> Iterator[str]:
    """Add a path called ``name`` from a random room of the path ``leaves``.

    It has ``rooms`` ordinary rooms and one of the purpose ``ends_in`` at its end; from there it
    ``rejoins`` the path it left at another room, or is a dead end.
    """
    mission = _mission(plan)
    names = Namer(mission)
    purposes = ["room"] * rooms + [ends_in]
    added = [MissionRoom(names.name(p), p, name, HOLDINGS.get(p, "")) for p in purposes]
    first = len(mission.rooms)
    inner = list(range(first, first + len(added)))
    on_path = _on_path(mission, leaves)
    for begin, end in zip(rng.shuffled(on_path), rng.shuffled(on_path), strict=True):
        order = [begin, *inner, end] if rejoins and begin != end else [begin, *inner]
        edges = [MissionEdge(a, b, name) for a, b in pairwise(order)]
        grown = mission.added(added, edges)
        if not any(mission_faults(grown)):
            plan.mission = grown
            yield f"Path {name}: {' - '.join(grown.rooms[n].name for n in order)}"
            return
    raise Rejected(f"the path {name!r} would lead round a lock from every room of {leaves!r}")


@step(needs="mission")
def cycles(
    plan: Blueprint,
    rng: Rng,
    *,
    path: str = MAIN,
    kinds: tuple[str, ...] = (),
    least: Few = 1,
    most: Few = 3,
    nested: Side = 2,
    most_rooms: Side = 16,
) -> Iterator[str]:
    """Put cycles in the place of ways on ``path``, one within the other up to ``nested`` deep.

    Kinds are those of data/cycles.toml, or the ``kinds`` of them that are named, each once before
    any comes twice. There are ``least`` to
    ``most`` for an 80x45 map; the mission does not grow beyond ``most_rooms``. A cycle with which
    a player could get stuck is left out.
    """
    limit = scaled_to_area(plan, most_rooms)
    chosen = [_kind(name) for name in kinds or cycle_kinds()]
    for _ in range(scaled_to_area(plan, rng.between(min(least, most), most))):
        mission = _mission(plan)
        open_ways = [
            edge
            for edge in mission.edges
            if edge.path == path and edge.gate == "open" and edge.level < nested
        ]
        used = Counter(mission.cycles)
        fresh = sorted(rng.shuffled(chosen), key=lambda kind: used[kind.name])
        for edge, kind in zip(rng.shuffled(open_ways) * len(fresh), fresh, strict=False):
            grown = with_cycle(mission, edge, kind, rng)
            if len(grown.rooms) <= limit and not any(mission_faults(grown)):
                plan.mission = grown
                one, other = mission.rooms[edge.one].name, mission.rooms[edge.other].name
                yield f"{kind.name.replace('_', ' ').capitalize()}, from {one} to {other}"
                break
        else:
            return


def _kind(name: str) -> CycleKind:
    if name not in cycle_kinds():
        raise Rejected(f"there is no kind of cycle {name!r}")
    return cycle_kinds()[name]


@step(needs="mission")
def lock(plan: Blueprint, rng: Rng, *, locks: str = "side", key_on: str = MAIN) -> Iterator[str]:
    """Lock a way of the path ``locks`` that has no way round; the key lies on the path ``key_on``.

    It lies in a room on this side of the lock, and a player cannot spend it so that another lock
    stays shut for ever.
    """
    mission = _mission(plan)
    ways = [edge for edge in mission.edges if edge.path == locks and edge.gate == "open"]
    for edge in rng.shuffled([edge for edge in ways if mission.is_bridge(edge)]):
        shut = mission.with_gate(edge, "lock")
        for room in rng.shuffled(_on_path(mission, key_on)):
            if room < 2 or mission.rooms[room].holds:
                continue
            with_key = _holding_key(shut, room)
            if not any(mission_faults(with_key)):
                plan.mission = with_key
                yield f"A lock on {locks}, its key in {mission.rooms[room].name}"
                return
    raise Rejected(f"no way on {locks!r} can be locked with a key on {key_on!r}")


def _holding_key(mission: Mission, number: int) -> Mission:
    rooms = list(mission.rooms)
    old = rooms[number]
    rooms[number] = MissionRoom(old.name, old.purpose, old.path, "key")
    return Mission(tuple(rooms), mission.edges, mission.cycles)


def _mission(plan: Blueprint) -> Mission:
    assert plan.mission
    return plan.mission


def _on_path(mission: Mission, path: str) -> list[int]:
    """Return the numbers of the rooms on ``path``, the exit left out."""
    found = [n for n, room in enumerate(mission.rooms) if room.path == path and n != 1]
    if not found:
        raise Rejected(f"the mission has no path {path!r}")
    return found


SIZES: dict[str, list[tuple[int, int]]] = {
    "start": [(1, 1), (2, 1), (1, 2)],
    "exit": [(1, 1), (2, 1), (1, 2), (2, 2)],
    "key": [(1, 1), (2, 1), (1, 2)],
    "treasure": [(1, 1), (2, 1), (1, 2)],
    "hall": [(3, 2), (2, 2), (3, 1), (2, 3)],
    "garden": [(2, 2), (3, 2), (2, 3)],
    "lair": [(2, 2), (2, 1), (1, 2)],
    "room": [(1, 1), (2, 1), (1, 2), (2, 2)],
}
"""Sizes of rooms in cells of the lattice, by purpose; others are as those of "room"."""
BUSY = 3
"""Ways from which a room gets more than one cell: a small room would be all doors."""


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
    """Dig the mission: its rooms, and exactly its ways, on a lattice of cells of ``cell`` tiles.

    Rooms stand wall to wall or are joined by corridors of at most ``longest`` cells; they are up to
    ``inset`` tiles smaller than their cells allow. Cells are stretched until the mission fills the
    map. Beside corridors a share ``rough`` of the rock goes. ``rectangle``, ``circle``, ``cross``,
    ``ring``, ``hall``, ``chunky`` and ``cave`` are the weights of the shapes of rooms. Anything dug
    before is filled. A mission that does not fit is rejected with the room, the way and the reason.
    (Exact placement by backtracking.)
    """
    mission = _mission(plan)
    _clear(plan)
    size = max(1, (plan.width - 1) // (cell + 1)), max(1, (plan.height - 1) // (cell + 1))
    try:
        layout = lay_out(mission, size, _sizes(mission), rng.branch("layout"), longest)
    except NoLayout as fault:
        raise Rejected(f"the mission cannot be laid out: {fault}") from None
    columns, rows = layout.cropped()
    spans = (
        lattice_spans(plan.width, columns, cell, rng),
        lattice_spans(plan.height, rows, cell, rng),
    )
    weights = {"rectangle": rectangle, "circle": circle, "cross": cross, "ring": ring}
    weights |= {"hall": hall, "chunky": chunky, "cave": cave}
    carver = Carver(plan, mission, layout, spans, rng, rough)
    for dug in (carver.rooms(weights, inset), carver.ways()):
        for caption in dug:
            plan.mission = carver.mission
            yield caption
    plan.start, plan.exit = (
        Point(*room.anchor) for room in _mission(plan).rooms[:2] if room.anchor
    )


def _clear(plan: Blueprint) -> None:
    plan.tiles[:] = Tile.WALL
    plan.rooms.clear()
    plan.spawns.clear()
    plan.start = plan.exit = None


def _sizes(mission: Mission) -> list[list[tuple[int, int]]]:
    """Return the sizes in cells that each room may have."""
    ways = Counter(number for edge in mission.edges for number in (edge.one, edge.other))
    found = []
    for number, room in enumerate(mission.rooms):
        sizes = SIZES.get(room.purpose, SIZES["room"])
        busy = [size for size in sizes if size != (1, 1)] if ways[number] >= BUSY else sizes
        found.append(busy)
    return found


@step(needs="mission floor", gives="gates")
def mission_gates(plan: Blueprint, rng: Rng) -> Iterator[str]:
    """Lock the locks of the mission, hide its secret doors and put its keys in their rooms."""
    mission = _mission(plan)
    if not mission.laid_out:
        return
    taken = occupied(plan)
    for edge in mission.gated("lock", "secret"):
        assert edge.place
        x, y = edge.place
        if edge.place in taken:
            continue  # The level is rejected then: only a step that does not belong here does that.
        plan.tiles[y, x] = Tile.LOCKED_DOOR if edge.gate == "lock" else Tile.SECRET_DOOR
        yield f"{edge.gate.capitalize()} at {x}, {y}"
    for room in mission.rooms:
        if room.holds == "key":
            assert room.anchor
            x, y = room.anchor
            if passable(int(plan.tiles[y, x])):
                plan.tiles[y, x] = Tile.KEY
                yield f"A key in {room.name}"


@step(needs="mission floor start exit")
def mission_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    themes: tuple[Purpose, ...] = ("library", "shrine", "hall", "garden"),
    themed: Share = 0.6,
) -> Iterator[str]:
    """Furnish the rooms of the mission by their purpose.

    A share ``themed`` of the ordinary rooms get one of ``themes``, each in turn.
    """
    mission = _mission(plan)
    structure = structure_of(plan)
    if structure is None or not mission.laid_out:
        return
    floor, furnish = FreeFloor(plan), furnishings(plan, structure)
    sites = {site.box: site for site in find_sites(plan, structure, rng, least=4, most=400)}
    given = 0
    for number, room in enumerate(mission.rooms):
        site = _site(plan, room, sites)
        purpose = room.purpose
        if purpose == "room" and themes and rng.chance(themed):
            purpose = themes[given % len(themes)]
            given += 1
        if room.holds == "key" and site:
            _show_off(floor, site)
        work = furnish.get(PURPOSES.get(purpose, purpose))
        if site and work and number > 1 and work(floor, site, rng):
            floor.exclude_occupied(plan)
            yield f"{room.name}: {purpose}"


def _show_off(floor: FreeFloor, site: RoomSite) -> None:
    """Lay carpet around the middle of ``site``, where its key lies, between four statues."""
    x, y = site.box.center
    for dx, dy in ROUND:
        floor.place_walkable(x + dx, y + dy, Tile.CARPET)
    for dx, dy in product((-2, 2), repeat=2):
        if site.box.contains(x + dx, y + dy):
            floor.place_blocking(x + dx, y + dy, Tile.STATUE)


PURPOSES = {
    "treasure": "treasures",
    "keeper": "lairs",
    "lair": "lairs",
    "shrine": "shrines",
    "library": "libraries",
    "guard": "guards",
    "trap": "traps",
    "garden": "gardens",
    "hall": "halls",
}
"""The room type of each purpose."""


def _site(
    plan: Blueprint, room: MissionRoom, sites: dict[RectangularRoom, RoomSite]
) -> RoomSite | None:
    """Return the site in ``room``: the one whose box has the room's anchor in its middle."""
    return next((site for box, site in sites.items() if box.center == room.anchor), None)
