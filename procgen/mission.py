"""Missions: lock-and-key graphs of rooms and edges, and proofs that every lock can be opened.

A mission is made before any tile is dug: a main path from the start to the exit, side paths, and
cycles, which are pairs of ways between two rooms that differ in what they ask of the player. This
is J. Dormans' cyclic dungeon generation (in *Unexplored*, 2017): a tree of rooms makes players
backtrack, a cycle never does, and the lengths and gates of its two ways give it a meaning.

A proof on the graph costs microseconds, so a mission that could strand the player is discarded
before it is laid out. The same proof on tiles is part of `procgen.validate`.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Gate = Literal["open", "lock", "portcullis", "drawbridge", "crystal", "secret", "window", "drop"]
"""A barrier between two rooms. A window only gives a view; a drop leads down only."""

Holding = Literal["", "key", "lever", "winch", "brazier", "treasure"]

OPENERS: dict[Gate, Holding] = {
    "lock": "key",
    "portcullis": "lever",
    "drawbridge": "winch",
    "crystal": "brazier",
}
"""The opener of each kind of lock: a key opens any door, a mechanism the one lock of its kind."""
LOCKS = tuple(OPENERS)
MOST_LOCKS = 12
"""More locks than this are refused if keys lie behind locks: the proof searches 2**n sets."""


class MissionRoom(Struct, frozen=True):
    """A room of a mission: what it is for, the path it belongs to, and what it holds.

    ``box`` (x, y, width, height) and ``anchor`` (x, y), on its floor, are None until laid out.
    """

    name: str
    purpose: str
    path: str
    holds: Holding = ""
    box: tuple[int, int, int, int] | None = None
    anchor: tuple[int, int] | None = None


class MissionEdge(Struct, frozen=True):
    """A way between the rooms numbered ``start`` and ``end``, and the gate on it.

    ``level`` counts the cycles around it; ``place`` (x, y) is the tile of the gate once laid out.
    """

    start: int
    end: int
    path: str
    gate: Gate = "open"
    level: int = 0
    place: tuple[int, int] | None = None


class Mission(Struct, frozen=True, dict=True):
    """The graph of a level. Room 0 is the start, room 1 the exit. ``cycles`` are the kinds used."""

    rooms: tuple[MissionRoom, ...]
    edges: tuple[MissionEdge, ...]
    cycles: tuple[str, ...] = ()

    @cached_property
    def laid_out(self) -> bool:
        """True if rooms and ways have places on the map."""
        return all(room.anchor for room in self.rooms) and all(edge.place for edge in self.edges)

    def gated(self, *gates: Gate) -> tuple[MissionEdge, ...]:
        """Return the edges with one of ``gates``."""
        return tuple(edge for edge in self.edges if edge.gate in gates)

    def added(
        self, rooms: Sequence[MissionRoom], edges: Sequence[MissionEdge], cycle: str = ""
    ) -> "Mission":
        """Return this mission with more rooms and edges, and the kind of ``cycle`` they make."""
        cycles = (*self.cycles, cycle) if cycle else self.cycles
        return Mission((*self.rooms, *rooms), (*self.edges, *edges), cycles)

    def without(self, edge: MissionEdge) -> "Mission":
        """Return this mission with one edge less."""
        return replace(self, edges=tuple(other for other in self.edges if other is not edge))

    def holding(self, number: int, holding: Holding) -> "Mission":
        """Return this mission with ``holding`` in the room ``number``."""
        rooms = enumerate(self.rooms)
        changed = tuple(replace(room, holds=holding) if n == number else room for n, room in rooms)
        return replace(self, rooms=changed)

    def with_gate(self, edge: MissionEdge, gate: Gate) -> "Mission":
        """Return this mission with another gate on ``edge``."""
        gated = replace(edge, gate=gate)
        return replace(self, edges=tuple(gated if e is edge else e for e in self.edges))

    def parts(self, *passable: Gate, without: MissionEdge | None = None) -> list[int]:
        """Return for each room the number of its connected component.

        Rooms are connected by edges with ``passable`` gates, except for the edge ``without``.
        """
        part = list(range(len(self.rooms)))
        for edge in self.edges:
            if edge.gate in passable and edge is not without:
                first, second = part[edge.start], part[edge.end]
                part = [first if number == second else number for number in part]
        return part

    @cached_property
    def neighbours(self) -> list[list[int]]:
        """For each room, the numbers of the rooms at the other ends of its edges."""
        neighbours: list[list[int]] = [[] for _ in self.rooms]
        for edge in self.edges:
            neighbours[edge.start].append(edge.end)
            neighbours[edge.end].append(edge.start)
        return neighbours

    def distances_from(self, room: int) -> dict[int, int]:
        """Return, by room number, the fewest edges from ``room`` to each room, ignoring gates."""
        distances, queue = {room: 0}, [room]
        for room_number in queue:  # The queue grows during the loop.
            for other in self.neighbours[room_number]:
                if other not in distances:
                    distances[other] = distances[room_number] + 1
                    queue.append(other)
        return distances

    def is_bridge(self, edge: MissionEdge) -> bool:
        """Return True if there is no path around ``edge``, even through secret doors."""
        part = self.parts("open", *LOCKS, "secret", without=edge)
        return part[edge.start] != part[edge.end]

    @cached_property
    def summary(self) -> str:
        """The whole mission as one line, for digests."""
        rooms = [f"{r.name}/{r.purpose}/{r.path}/{r.holds}/{r.box}/{r.anchor}" for r in self.rooms]
        edges = [f"{e.start}-{e.gate}-{e.end}/{e.path}/{e.place}" for e in self.edges]
        return " ".join([*rooms, *edges, *self.cycles])


Sides = tuple[int, int]
"""The parts on the two sides of a lock."""
Mechanisms = Sequence[tuple[int, Sides]]
"""The part that each mechanism lies in, and the sides of the lock that it opens."""


def always_opens(
    start: int, keys: Sequence[int], locks: Sequence[Sides], mechanisms: Mechanisms = ()
) -> bool:
    """Return True if every lock can be opened, in whatever order the player opens them.

    ``keys`` are the parts in which keys lie, one entry per key, and ``locks`` the two parts on the
    sides of each lock. A key opens any one lock, so a bad order could spend it on the wrong one;
    the locks of ``mechanisms`` open as soon as the mechanism is reached. The search covers all
    reachable sets of opened locks, unless all keys lie in the part of the start.
    """
    if len(keys) < len(locks):
        return False
    everywhere = {part for at, sides in mechanisms for part in (at, *sides)}.union(*locks)
    if not _reached(start, locks, (1 << len(locks)) - 1, mechanisms) >= everywhere:
        return False
    if all(key == start for key in keys):
        return True
    # The search below doubles with each lock.
    if len(locks) > MOST_LOCKS:
        return False
    seen, pending = {0}, [0]
    while pending:
        opened = pending.pop()
        reached = _reached(start, locks, opened, mechanisms)
        left = sum(key in reached for key in keys) - opened.bit_count()
        openable = [
            1 << number
            for number, sides in enumerate(locks)
            if not opened >> number & 1 and not reached.isdisjoint(sides)
        ]
        # A player can be stuck here: out of keys, or with no lock in reach.
        if opened != (1 << len(locks)) - 1 and not (left and openable):
            return False
        for bit in openable:
            if opened | bit not in seen:
                seen.add(opened | bit)
                pending.append(opened | bit)
    return True


def _reached(start: int, locks: Sequence[Sides], opened: int, mechanisms: Mechanisms) -> set[int]:
    """Return the parts reached through the locks whose bits are ``opened``, and ``mechanisms``."""
    reached, before = {start}, 0
    while len(reached) > before:
        before = len(reached)
        for number, sides in enumerate(locks):
            if opened >> number & 1 and not reached.isdisjoint(sides):
                reached.update(sides)
        for mechanism, sides in mechanisms:
            if mechanism in reached and not reached.isdisjoint(sides):
                reached.update(sides)
    return reached


def mission_faults(mission: Mission) -> Iterator[str]:
    """Yield a sentence for each invariant that ``mission`` breaks.

    Every lock can be opened, in any order and without finding a secret door; no lock can be
    bypassed; every room can be reached; and an open way leads back up from the foot of a drop.
    """
    part, unlocked = mission.parts("open"), mission.parts("open", *LOCKS)
    sides = {gate: [(part[e.start], part[e.end]) for e in mission.gated(gate)] for gate in LOCKS}
    holders = {
        opener: [part[n] for n, room in enumerate(mission.rooms) if room.holds == opener]
        for opener in OPENERS.values()
    }
    for gate, opener in OPENERS.items():
        keys, locks = len(holders[opener]), len(sides[gate])
        if keys != locks:
            yield f"there are {keys} {opener}s for {locks} {gate}s"
        elif locks > 1 and gate != "lock":
            yield f"there is more than one {gate}"
    if all(len(holders[opener]) == len(sides[gate]) for gate, opener in OPENERS.items()):
        openers = [(holders[OPENERS[g]][0], sides[g][0]) for g in LOCKS if g != "lock" and sides[g]]
        if not always_opens(part[0], holders["key"], sides["lock"], openers):
            yield "a lock cannot be opened in every order"
    yield from _ways_round(mission, part, unlocked)
    for number, room in enumerate(mission.rooms):
        if unlocked[number] != unlocked[0]:
            yield f"no way leads to {room.name}"


def _ways_round(mission: Mission, part: list[int], unlocked: list[int]) -> Iterator[str]:
    """Yield a sentence for each lock that can be bypassed, and each faulty secret door or drop."""
    for edge in mission.gated(*LOCKS):
        if not mission.is_bridge(edge):
            yield f"there is a way around the lock {_way(mission, edge)}"
    for edge in mission.gated("secret"):
        if unlocked[edge.start] != unlocked[edge.end]:
            yield f"nothing but a secret door leads {_way(mission, edge)}"
    for edge in mission.gated("drop"):
        if part[edge.start] != part[edge.end]:
            yield f"no open way leads back up the drop {_way(mission, edge)}"


def _way(mission: Mission, edge: MissionEdge) -> str:
    return f"from {mission.rooms[edge.start].name} to {mission.rooms[edge.end].name}"
