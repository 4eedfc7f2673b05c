"""Missions: a graph of rooms, locks and keys first, then the level that follows it.

These steps make the graph and dig nothing; `procgen.steps.mission_layout` puts it on the map.
(After J. Dormans' cyclic dungeon generation; named paths as in Dungeon Architect's flow graphs.)
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any, Literal

from entities.wording import did_you_mean
from procgen.blueprint import Blueprint, Rejected
from procgen.mission import OPENERS, Mission, MissionEdge, MissionRoom, mission_faults
from procgen.missions.cycle_kinds import HOLDINGS, cycle_kinds, room_name, with_cycle
from procgen.placement.painting import scaled_to_area
from procgen.rng import Rng
from procgen.step_registry import Few, Positive, Share, step

Purpose = Literal[
    "room", "treasure", "shrine", "library", "garden", "hall", "trap", "guard", "lair"
]

LockKind = Literal["portcullis", "drawbridge", "crystal"]

MAIN = "main"


@step(gives="mission")
def main_path(plan: Blueprint, rng: Rng, *, least: Few = 3, most: Few = 5) -> Iterator[str]:
    """Begin a mission: a path of ``least`` to ``most`` rooms between the start and the exit."""
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

    It has ``rooms`` ordinary rooms, then one with the purpose ``ends_in``. If it ``rejoins``, it
    leads back to a random room of the path it left; it is a dead end if that is where it began.
    """
    mission = mission_of(plan)
    used = Counter(room.purpose for room in mission.rooms)
    purposes = ["room"] * rooms + [ends_in]
    added = [MissionRoom(room_name(p, used), p, name, HOLDINGS.get(p, "")) for p in purposes]
    first = len(mission.rooms)
    inner = list(range(first, first + len(added)))
    on_path = rooms_on_path(mission, leaves)
    for begin, end in zip(rng.shuffled(on_path), rng.shuffled(on_path), strict=True):
        order = [begin, *inner, end] if rejoins and begin != end else [begin, *inner]
        grown = mission.added(added, [MissionEdge(a, b, name) for a, b in pairwise(order)])
        if not any(mission_faults(grown)):
            plan.mission = grown
            yield f"Path {name}: {' - '.join(grown.rooms[n].name for n in order)}"
            return
    raise Rejected(f"the path {name!r} would lead around a lock from every room of {leaves!r}")


GROWTH = 3
"""The largest mission, as a multiple of one on an 80x45 map: larger ones are seldom laid out."""


def _check_kinds(values: Any) -> None:
    if odd := [name for name in values.kinds if name not in cycle_kinds()]:
        raise ValueError(f"kinds: there is no {odd[0][:60]!r}{did_you_mean(odd[0], cycle_kinds())}")


@step(needs="mission", check=_check_kinds)
def cycles(
    plan: Blueprint,
    rng: Rng,
    *,
    path: str = MAIN,
    kinds: tuple[str, ...] = (),
    least: Few = 1,
    most: Few = 3,
    nested: Positive = 2,
    most_rooms: Positive = 16,
) -> Iterator[str]:
    """Replace edges of ``path`` by cycles, one within another up to ``nested`` deep.

    ``kinds`` are names of cycles in data/cycles.toml; none means all of them. Each kind is used
    once before any is repeated. There are ``least`` to ``most`` cycles on an 80x45 map. The mission
    has at most ``most_rooms`` rooms there. Larger maps get up to three times as many cycles and
    rooms, and then larger rooms. A cycle in which the player could get stuck is left out.
    """
    rooms_on_path(mission_of(plan), path)  # Rejects a path that does not exist.
    limit = min(scaled_to_area(plan, most_rooms), GROWTH * most_rooms)
    chosen = [cycle_kinds()[name] for name in kinds or cycle_kinds()]
    number = rng.between(min(least, most), most)
    for _ in range(min(scaled_to_area(plan, number), GROWTH * number)):
        mission = mission_of(plan)
        edges = (edge for edge in mission.edges if edge.path == path)
        open_ways = [edge for edge in edges if edge.gate == "open" and edge.level < nested]
        used = Counter(mission.cycles)
        fresh = sorted(rng.shuffled(chosen), key=lambda kind: used[kind.name])
        for edge, kind in zip(rng.shuffled(open_ways) * len(fresh), fresh, strict=False):
            grown = with_cycle(mission, edge, kind, rng)
            if len(grown.rooms) <= limit and not any(mission_faults(grown)):
                plan.mission = grown
                start, end = mission.rooms[edge.start].name, mission.rooms[edge.end].name
                yield f"Cycle from {start} to {end}: {kind.name.replace('_', ' ')}"
                break
        else:
            return


@step(needs="mission")
def lock(plan: Blueprint, rng: Rng, *, locks: str = "side", key_on: str = MAIN) -> Iterator[str]:
    """Lock an edge of the path ``locks``, with the key on the path ``key_on``.

    There is no way around the lock. The key lies in a room on the near side of it, and the player
    cannot spend it so that another lock stays shut for ever.
    """
    mission = mission_of(plan)
    ways = [edge for edge in mission.edges if edge.path == locks and edge.gate == "open"]
    for edge in rng.shuffled([edge for edge in ways if mission.is_bridge(edge)]):
        shut = mission.with_gate(edge, "lock")
        for room in rng.shuffled(rooms_on_path(mission, key_on)):
            if room < 2 or mission.rooms[room].holds:
                continue
            with_key = shut.holding(room, "key")
            if not any(mission_faults(with_key)):
                plan.mission = with_key
                yield f"Path {locks}: locked, with the key in {mission.rooms[room].name}"
                return
    raise Rejected(f"no edge of {locks!r} can be locked with a key on {key_on!r}")


@step(needs="mission")
def lock_kinds(
    plan: Blueprint,
    rng: Rng,
    *,
    kinds: tuple[LockKind, ...] = ("portcullis", "drawbridge", "crystal"),
    share: Share = 0.5,
) -> Iterator[str]:
    """Turn some locked doors into locks of other ``kinds``.

    Each kind is used with chance ``share``, and at most once. A key becomes the mechanism that
    opens the new lock. The player can still open every lock, in any order.
    """
    for kind in kinds:
        mission = mission_of(plan)
        keys = [number for number, room in enumerate(mission.rooms) if room.holds == "key"]
        pairs = list(product(mission.gated("lock"), keys)) if rng.chance(share) else []
        for edge, number in rng.shuffled(pairs):
            changed = mission.with_gate(edge, kind).holding(number, OPENERS[kind])
            if not any(mission_faults(changed)):
                plan.mission = changed
                yield f"A {kind}, with its {OPENERS[kind]} in {mission.rooms[number].name}"
                break


def mission_of(plan: Blueprint) -> Mission:
    """Return the mission of ``plan``."""
    assert plan.mission
    return plan.mission


def rooms_on_path(mission: Mission, path: str) -> list[int]:
    """Return the numbers of the rooms on ``path`` without the exit; raise `Rejected` if none."""
    rooms = [n for n, room in enumerate(mission.rooms) if room.path == path and n != 1]
    if not rooms:
        raise Rejected(f"the mission has no path {path!r}")
    return rooms
