"""Missions: a level as a graph of rooms and ways, with locks and keys, and proofs about it.

A mission is made before any tile is dug: a main path from the start to the exit, side paths, and
cycles, which are pairs of ways between two rooms that differ in what they ask of the player.
J. Dormans made levels so (cyclic dungeon generation, in *Unexplored*, 2017): a tree of rooms makes
players walk back, a cycle never does, and the lengths and gates of its two ways give it a meaning.

A proof on the graph costs microseconds, so a mission that could strand the player is dropped before
it is laid out. The same proof on tiles is part of `procgen.validate`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Gate = Literal["open", "lock", "secret", "window"]
"""A barrier between two rooms. A window lets you see and never pass."""

Holding = Literal["", "key", "treasure"]

MOST_LOCKS = 12
"""More locks than this in a level whose keys lie behind locks are not proved: 2**n orders."""


@dataclass(frozen=True)
class MissionRoom:
    """A room of a mission: what it is for, the path it belongs to, and what it holds.

    ``box`` (x, y, width, height) and ``anchor`` (x, y), a tile of its floor, are None until the
    mission is laid out.
    """

    name: str
    purpose: str
    path: str
    holds: Holding = ""
    box: tuple[int, int, int, int] | None = None
    anchor: tuple[int, int] | None = None


@dataclass(frozen=True)
class MissionEdge:
    """A way between the rooms numbered ``one`` and ``other``, and the gate on it.

    ``level`` counts the cycles around it; ``place`` (x, y) is the tile of the gate once it is laid
    out.
    """

    one: int
    other: int
    path: str
    gate: Gate = "open"
    level: int = 0
    place: tuple[int, int] | None = None


@dataclass(frozen=True)
class Mission:
    """The graph of a level. Room 0 is the start, room 1 the exit. ``cycles`` are the kinds used."""

    rooms: tuple[MissionRoom, ...]
    edges: tuple[MissionEdge, ...]
    cycles: tuple[str, ...] = ()

    @property
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

    def with_gate(self, edge: MissionEdge, gate: Gate) -> "Mission":
        """Return this mission with another gate on ``edge``."""
        gated = replace(edge, gate=gate)
        return replace(self, edges=tuple(gated if e is edge else e for e in self.edges))

    def parts(self, *passable: Gate, without: MissionEdge | None = None) -> list[int]:
        """Return for each room the number of its connected part, by edges with these gates."""
        part = list(range(len(self.rooms)))
        for edge in self.edges:
            if edge.gate in passable and edge is not without:
                one, other = part[edge.one], part[edge.other]
                part = [one if number == other else number for number in part]
        return part

    def is_bridge(self, edge: MissionEdge) -> bool:
        """Return True if there is no way round ``edge``, even through secret doors."""
        part = self.parts("open", "lock", "secret", without=edge)
        return part[edge.one] != part[edge.other]

    def summary(self) -> str:
        """Return the whole mission as one line, for digests."""
        rooms = [f"{r.name}/{r.purpose}/{r.path}/{r.holds}/{r.box}/{r.anchor}" for r in self.rooms]
        edges = [f"{e.one}-{e.gate}-{e.other}/{e.path}/{e.place}" for e in self.edges]
        return " ".join([*rooms, *edges, *self.cycles])


def always_opens(start: int, keys: Sequence[int], locks: Sequence[tuple[int, int]]) -> bool:
    """Return True if every lock gets open, whichever the player opens first.

    ``keys`` are the parts that keys lie in, one entry a key, and ``locks`` the two parts on the
    sides of each lock. A key opens any one lock, so a bad order could spend it on the wrong one.
    All sets of opened locks that can come about are searched, unless all keys lie at the start.
    """
    if len(keys) < len(locks):
        return False
    if all(key == start for key in keys):
        return _reached(start, locks, (1 << len(locks)) - 1) >= {p for lock in locks for p in lock}
    # The search below doubles with each lock.
    if len(locks) > MOST_LOCKS:
        return False
    seen, pending = {0}, [0]
    while pending:
        opened = pending.pop()
        reached = _reached(start, locks, opened)
        left = sum(key in reached for key in keys) - opened.bit_count()
        beside = [
            1 << number
            for number, sides in enumerate(locks)
            if not opened >> number & 1 and not reached.isdisjoint(sides)
        ]
        # A player can be stuck here: out of keys, or with no lock in reach.
        if opened != (1 << len(locks)) - 1 and not (left and beside):
            return False
        for bit in beside:
            if opened | bit not in seen:
                seen.add(opened | bit)
                pending.append(opened | bit)
    return True


def _reached(start: int, locks: Sequence[tuple[int, int]], opened: int) -> set[int]:
    """Return the parts that can be reached with some locks open, a bit each."""
    reached, before = {start}, 0
    while len(reached) > before:
        before = len(reached)
        for number, sides in enumerate(locks):
            if opened >> number & 1 and not reached.isdisjoint(sides):
                reached.update(sides)
    return reached


def mission_faults(mission: Mission) -> Iterator[str]:
    """Yield a sentence for each promise that ``mission`` breaks.

    Every lock can be opened, in any order and without finding a secret door; no lock has a way
    round; every room can be reached.
    """
    part = mission.parts("open")
    keys = [part[number] for number, room in enumerate(mission.rooms) if room.holds == "key"]
    locked = mission.gated("lock")
    if len(keys) != len(locked):
        yield f"there are {len(keys)} keys for {len(locked)} locks"
    elif not always_opens(part[0], keys, [(part[e.one], part[e.other]) for e in locked]):
        yield "a lock cannot be opened in every order"
    for edge in locked:
        if not mission.is_bridge(edge):
            yield f"there is a way round the lock {_way(mission, edge)}"
    for edge in mission.gated("secret"):
        if mission.parts("open", "lock")[edge.one] != mission.parts("open", "lock")[edge.other]:
            yield f"nothing but a secret door leads {_way(mission, edge)}"
    whole = mission.parts("open", "lock")
    for number, room in enumerate(mission.rooms):
        if whole[number] != whole[0]:
            yield f"no way leads to {room.name}"


def _way(mission: Mission, edge: MissionEdge) -> str:
    return f"from {mission.rooms[edge.one].name} to {mission.rooms[edge.other].name}"
