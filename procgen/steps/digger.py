"""The digging agent: one room at a time, each behind a door of an older one."""

from collections.abc import Iterator

from procgen.blueprint import Blueprint, Rejected
from procgen.registry import Count, Share, Side, step
from procgen.rng import Rng
from procgen.rooms.accretion import Growth, design
from procgen.rooms.drawings import drawn

CAPTIONS = 60
SHAPES = ("rectangle", "circle", "cross", "ring", "hall", "chunky", "cave")


@step(gives="floor rooms regions")
def attach_rooms(
    plan: Blueprint,
    rng: Rng,
    *,
    rooms: Side = 40,
    patience: Side = 25,
    tries: Side = 50,
    min_side: Side = 3,
    max_side: Side = 9,
    large: Count = 4,
    large_min: Side = 11,
    large_max: Side = 19,
    hallways: Share = 0.35,
    hallway_min: Side = 3,
    hallway_max: Side = 9,
    bent: Share = 0.2,
    rectangle: Count = 4,
    circle: Count = 2,
    cross: Count = 3,
    ring: Count = 1,
    hall: Count = 1,
    chunky: Count = 2,
    cave: Count = 2,
) -> Iterator[str]:
    """Grow a level from one room: design another, look for a wall where it can be attached.

    Ends with ``rooms`` rooms (on an 80x45 map; larger ones get their share more), or when
    ``patience`` designs in a row found no place at ``tries`` sites each. Sides are ``min_side``
    to ``max_side``; every other design is great, until there were ``large`` of those, and has
    sides of ``large_min`` to ``large_max``. A share ``hallways`` of the designs is entered
    through a hallway of ``hallway_min`` to ``hallway_max`` tiles, a share ``bent`` of these
    from its side. The shapes' names are their weights in the mix. (Brogue's accretion.)
    """
    mix = (rectangle, circle, cross, ring, hall, chunky, cave)
    weights = dict(zip(SHAPES, mix, strict=True))
    shares = plan.scale
    pace = max(1, rooms * shares // CAPTIONS)
    growth = Growth(plan)
    attached = designs = failures = 0
    standing = bool(growth.sites)
    while failures < patience and attached < rooms * shares:
        designs += 1
        great = designs % 2 == 0 and designs <= 2 * large * shares
        sides = (large_min, large_max) if great else (min_side, max_side)
        kind, shape = drawn(weights, rng, sides, plan)
        length = rng.between(hallway_min, max(hallway_min, hallway_max))
        hallway = length if rng.chance(hallways) and standing else 0
        room = design(shape, rng, hallway, bent=rng.chance(bent))
        if not (growth.attach(room, rng, tries) if standing else growth.begin(room, rng)):
            failures += 1
            continue
        standing, failures = True, 0
        attached += 1
        if (attached - 1) % pace == 0:
            yield f"Room {attached}: {kind}, {shape.width} by {shape.height}"
    if not plan.rooms:
        raise Rejected("no room found a place")
