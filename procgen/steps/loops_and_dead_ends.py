"""Loops, bridges and dead ends: shortcuts where the path around is long, dead ends filled."""

from collections.abc import Iterator
from itertools import repeat
from typing import Annotated

import numpy as np
from msgspec import Meta

from entities.terrain import Mask, Tile
from entities.wording import pluralise
from procgen.analysis.bitboard import within_reach
from procgen.analysis.chokepoints import dead_ends
from procgen.blueprint import Blueprint
from procgen.carving.doorways import ends_and_between, straight_gaps
from procgen.placement import painting
from procgen.rng import Rng
from procgen.step_registry import Count, Few, Share, Side, Steps, Tries, step


@step(needs="floor", varies="at_most")
def loops(
    plan: Blueprint,
    rng: Rng,
    *,
    threshold: Steps = 20,
    at_most: Few = 8,
    thickness: Side = 1,
    doors: Share = 0.5,
) -> Iterator[str]:
    """Add loops: open walls with floor on both sides where the path around is long.

    Walls up to ``thickness`` tiles thick are tried in random order. A wall is opened if the path
    from one side to the other is longer than ``threshold`` steps. At most ``at_most`` walls are
    opened on an 80x45 map, a whole multiple on larger ones. A share ``doors`` of the openings
    gets a door. (The rule is Brogue's.)
    """
    open_tiles = plan.open
    most = at_most * plan.scale
    opened = 0
    doorless = open_tiles & (plan.tiles != Tile.DOOR) & (plan.tiles != Tile.SECRET_DOOR)
    breaches = _passages(doorless, plan.tiles == Tile.WALL, thickness, beside=True)
    for x, y, upright, thick in rng.shuffled(breaches):
        if opened == most:
            break
        before, *wall, behind = ends_and_between(x, y, not upright, upright, thick)
        if not _sound(plan, wall, upright) or within_reach(open_tiles, before, behind, threshold):
            continue
        tunnel = Tile.TUNNEL in (plan.tiles[y, x] for x, y in (before, behind))
        for spot in wall:
            plan.tiles[spot[::-1]] = Tile.TUNNEL if tunnel or thick > 1 else Tile.FLOOR
            open_tiles[spot[::-1]] = True
        if rng.chance(doors):
            plan.tiles[wall[0][::-1]] = Tile.DOOR
        opened += 1
        yield f"Loop {opened}: the way around was over {pluralise(threshold, 'step')}"


def _passages(
    ends: Mask, barrier: Mask, most: int, *, beside: bool = False
) -> list[tuple[int, int, bool, int]]:
    """Return the straight ways from ``ends`` to ``ends`` through 1 to ``most`` tiles of a barrier.

    Each is (x, y, down, thickness): the tile before the barrier, True if the way leads down and
    False if to the right, and the number of tiles between. ``beside`` is as in `straight_gaps`.
    """
    passages = []
    for _, down, thick, gaps in straight_gaps(ends, barrier, most, beside=beside):
        ys, xs = np.nonzero(gaps.T)[::-1] if down else np.nonzero(gaps)
        passages += list(zip(xs.tolist(), ys.tolist(), repeat(bool(down)), repeat(thick)))
    return passages


def _sound(plan: Blueprint, wall: list[tuple[int, int]], upright: bool) -> bool:
    """Return True if the wall and the rock beside it are still whole after earlier openings."""
    (left, top), (right, bottom) = wall[0], wall[-1]
    aside, above = (1, 0) if upright else (0, 1)
    around = plan.tiles[top - above : bottom + above + 1, left - aside : right + aside + 1]
    return bool((around == Tile.WALL).all())


@step(needs="floor")
def bridges(
    plan: Blueprint,
    rng: Rng,
    *,
    over: tuple[painting.TileName, ...] = ("water", "lava"),
    longest: Side = 12,
    ratio: Annotated[float, Meta(ge=1, le=100)] = 3.0,
    most: Few = 6,
    tries: Tries = 40,
    tile: painting.Paint = "bridge",
) -> Iterator[str]:
    """Build straight bridges where the path around is more than ``ratio`` times as long.

    A bridge leads over at most ``longest`` tiles of the kinds ``over`` from bank to bank. ``tries``
    candidates are tested, in random order, and at most ``most`` are built, on an 80x45 map; other
    maps get a proportional number. ``tile`` is what bridges are made of. (The rule is Brogue's.)
    """
    water = painting.mask_of(plan, over) & painting.interior(plan)
    spans = _passages(painting.walkable(plan) & ~water, water, longest)
    spans.sort(key=lambda span: (span[2], span[:2] if span[2] else span[1::-1]))  # By lines.
    open_tiles = plan.open
    built = 0
    for index in rng.shuffled(range(len(spans)))[: painting.scaled_to_area(plan, tries)]:
        x, y, down, length = spans[index]
        if built >= painting.scaled_to_area(plan, most):
            return
        before, *span, behind = ends_and_between(x, y, not down, down, length)
        columns, rows = zip(*span, strict=True)
        if open_tiles[rows, columns].any():
            continue
        if within_reach(open_tiles, before, behind, int((length + 1) * ratio), diagonal=True):
            continue
        plan.tiles[rows, columns] = painting.tile_named(tile)
        open_tiles[rows, columns] = True
        built += 1
        yield f"Bridge {built}, {length} long"


CAPTIONS = 20


@step(needs="floor")
def remove_dead_ends(
    plan: Blueprint, rng: Rng, *, share: Share = 1.0, rounds: Count = 1000
) -> Iterator[str]:
    """Fill a ``share`` of the dead ends, each from its tip back to the nearest fork.

    At most ``rounds`` tiles of each dead end are filled. Rooms and occupied tiles stay.
    """
    tips = np.flatnonzero(dead_ends(plan.open) & painting.interior(plan)).tolist()
    chosen = sorted(rng.shuffled(tips)[: int(share * len(tips) + 0.5)])
    pace = max(1, len(chosen) // CAPTIONS)
    fixed = plan.occupied | ~painting.interior(plan)
    for room in plan.rooms:
        fixed[room.inner] = True
    ground, fixed_flat = bytearray(plan.open.tobytes()), fixed.tobytes()
    filled = 0
    for number, tip in enumerate(chosen, 1):
        for place in _way_back(ground, fixed_flat, plan.width, tip, rounds):
            ground[place] = 0
            plan.tiles.flat[place] = Tile.WALL
            filled += 1
        if number % pace == 0:
            yield f"{pluralise(number, 'dead end')} removed, {pluralise(filled, 'tile')} filled"


def _way_back(ground: bytearray, fixed: bytes, width: int, tip: int, most: int) -> Iterator[int]:
    """Yield the places from ``tip`` back while each is a dead end once the one before is filled."""
    place, offsets = tip, (-width, 1, width, -1)
    for _ in range(most):
        ways = [] if fixed[place] else [place + way for way in offsets if ground[place + way]]
        if len(ways) != 1:
            return
        yield place
        place = ways[0]
