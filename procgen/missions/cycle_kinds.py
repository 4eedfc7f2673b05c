"""Kinds of cycle from data/cycles.toml, and the graph rewriting that puts one into a mission.

A kind is a small graph written as chains of rooms, so a new kind is three lines of data. Replacing
an edge by it is one rule of a graph grammar: entry and goal stay, the edge is removed (Dormans,
"Adventures in level design", 2010).
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

import msgspec

from entities.data_files import DataError, check_names, convert, read_entries
from procgen.mission import Gate, Holding, Mission, MissionEdge, MissionRoom, mission_faults
from procgen.rng import Rng

CYCLES_FILE = "cycles.toml"
ARROW = re.compile(r"\s+-(?:([a-z]+)-)?>\s+")
STRETCH = re.compile(r"rooms (\d)-(\d)")
ENDS = ("entry", "goal")
HOLDINGS: dict[str, Holding] = {
    "key": "key",
    "keeper": "key",
    "lever": "lever",
    "winch": "winch",
    "brazier": "brazier",
    "treasure": "treasure",
}
"""The contents of rooms by purpose; rooms of other purposes hold nothing."""
PURPOSES = (*HOLDINGS, "lair", "guard", "trap", "shrine", "library", "garden", "hall", "room")
"""Purposes of a room besides start and exit."""


class CycleEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of cycle as written; ``text`` tells readers of the file what it means to a player."""

    text: str
    ways: tuple[str, ...]


@dataclass(frozen=True)
class Way:
    """A chain of rooms; ``gates[i]`` stands between ``words[i]`` and the next."""

    words: tuple[str, ...]
    gates: tuple[Gate, ...]


@dataclass(frozen=True)
class CycleKind:
    """A kind of cycle: its name and its ways."""

    name: str
    ways: tuple[Way, ...]


@cache
def cycle_kinds() -> dict[str, CycleKind]:
    """Return every kind of cycle by name; raise `DataError` for one that cannot be used.

    Each is put into the smallest possible mission, which is then checked for faults.
    """
    kinds = {}
    for name, entry in read_entries(CYCLES_FILE, CycleEntry).items():
        where = f"data/{CYCLES_FILE}: [{name}]"
        kind = CycleKind(name, tuple(_way(text, where) for text in entry.ways))
        for longest in (False, True):
            small = smallest_mission()
            for fault in mission_faults(with_cycle(small, small.edges[0], kind, longest)):
                raise DataError(f"{where}: ways: {fault}")
        kinds[name] = kind
    return kinds


def smallest_mission() -> Mission:
    """Return a mission of a start, an exit, and a way between them."""
    ends = [MissionRoom(name, name, "main") for name in ("start", "exit")]
    return Mission(tuple(ends), (MissionEdge(0, 1, "main"),))


def _way(text: str, where: str) -> Way:
    parts = ARROW.split(text)
    rooms = tuple(parts[::2])
    for room in rooms:
        if room not in ENDS and not STRETCH.fullmatch(room):
            check_names(f"{where}: ways: {text!r}", [room.rstrip("'")], PURPOSES, "purpose")
    if len(rooms) < 2 or rooms[0] not in ENDS:
        raise DataError(f"{where}: ways: {text!r}: must lead from entry or goal to a room")
    gates = [word or "open" for word in parts[1::2]]
    return Way(rooms, convert(gates, tuple[Gate, ...], f"{where}: ways: {text!r}"))


def with_cycle(mission: Mission, edge: MissionEdge, kind: CycleKind, length: Rng | bool) -> Mission:
    """Return ``mission`` with ``edge`` replaced by a cycle of ``kind`` between its ends.

    ``length`` is the random stream for the number of rooms in each stretch of ordinary rooms;
    False makes all of them as short as they can be, True as long.
    """
    growth = _Growth(mission, edge, length)
    for way in kind.ways:
        growth.add(way)
    return mission.without(edge).added(growth.rooms, growth.edges, kind.name)


class _Growth:
    """The rooms and edges that the ways of a cycle add to a mission."""

    def __init__(self, mission: Mission, edge: MissionEdge, lengths: Rng | bool) -> None:
        self.edge, self.lengths = edge, lengths
        self.used = Counter(room.purpose for room in mission.rooms)
        self.first = len(mission.rooms)
        self.numbers = {"entry": edge.start, "goal": edge.end}
        self.rooms: list[MissionRoom] = []
        self.edges: list[MissionEdge] = []

    def add(self, way: Way) -> None:
        """Add a way; the gate before a stretch of no rooms moves to the room after it."""
        last, gate = self._numbers(way.words[0])[0], way.gates[0]
        for word, following in zip(way.words[1:], way.gates, strict=True):
            gate = gate if following == "open" else following
            for number in self._numbers(word):
                level = self.edge.level + 1
                self.edges.append(MissionEdge(last, number, self.edge.path, gate, level))
                last, gate = number, "open"

    def _numbers(self, word: str) -> list[int]:
        """Return the numbers of the rooms that ``word`` stands for; add rooms for a new word."""
        if stretch := STRETCH.fullmatch(word):
            low, high = map(int, stretch.groups())
            if isinstance(self.lengths, Rng):
                count = self.lengths.between(low, high)
            else:
                count = high if self.lengths else low
            return [self._room("room") for _ in range(count)]
        if word not in self.numbers:
            self.numbers[word] = self._room(word.rstrip("'"))
        return [self.numbers[word]]

    def _room(self, purpose: str) -> int:
        name, holds = room_name(purpose, self.used), HOLDINGS.get(purpose, "")
        self.rooms.append(MissionRoom(name, purpose, self.edge.path, holds))
        return self.first + len(self.rooms) - 1


def room_name(purpose: str, used: Counter[str]) -> str:
    """Return a name for a new room, its ``purpose`` and a number; count it in ``used``."""
    used[purpose] += 1
    return f"{purpose} {used[purpose]}"
