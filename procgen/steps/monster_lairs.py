"""Lairs at the far ends of a level, and signs that foreshadow them."""

from collections.abc import Iterator

from entities.wording import pluralise
from procgen.analysis.chokepoints import Structure, chokepoint_areas, structure_of
from procgen.analysis.distances import UNREACHED, distances, furthest_tile
from procgen.blueprint import Blueprint, Point
from procgen.placement.lairs import place_lair, place_minions, scatter_signs
from procgen.placement.painting import Paint
from procgen.rng import Rng
from procgen.step_registry import Area, Few, Positive, Share, Side, step

BLOCK = 8


@step(needs="floor start exit")
def lairs_in_dead_ends(
    plan: Blueprint,
    rng: Rng,
    *,
    lairs: Few = 1,
    size: Positive = 4,
    deeper: Few = 2,
    least: Area = 12,
    most: Area = 200,
    reach: Side = 14,
    dense: Share = 0.4,
    minions: Few = 2,
) -> Iterator[str]:
    """Place packs with a leader behind chokepoints and in dead ends, preferably far from the start.

    There are ``lairs`` packs on an 80x45 map, a whole multiple on larger ones. A pack has
    ``size`` monsters. The leader is of a kind from ``deeper`` levels below. Packs live in areas of
    ``least`` to ``most`` tiles that a single tile cuts off, otherwise in dead ends, otherwise at
    the furthest point. Packs are over ``reach`` tiles apart. For ``reach``, ``dense`` and
    ``minions`` see `foreshadow`.
    """
    structure = structure_of(plan)
    if not structure:
        return
    dens, steps = _dens(plan, structure, least, most), structure.distance
    for number in range(1, lairs * plan.scale + 1):
        if not dens:
            return
        den = dens.pop(rng.below(len(dens) // 3 + 1))
        dens = [other for other in dens if max(abs(den.x - other.x), abs(den.y - other.y)) > reach]
        settled = place_lair(
            plan, rng, den, steps, size, deeper=deeper, reach=reach, dense=dense, minions=minions
        )
        if settled:
            yield f"Lair {number}: {pluralise(settled, 'monster')}"


def _dens(plan: Blueprint, structure: Structure, least: int, most: int) -> list[Point]:
    """Return places for lairs from far to near: behind chokepoints, or dead ends, or the furthest.

    None is nearer to the start than a third of the greatest distance.
    """
    steps = structure.distance
    areas = [area.cells for area in chokepoint_areas(structure, least, most)]
    deepest = [divmod(int(cells[steps.take(cells).argmax()]), plan.width) for cells in areas]
    behind = [Point(x, y) for y, x in deepest]
    x, y = furthest_tile(structure.walkable, *structure.start)
    groups = (behind, list(structure.dead_ends), [Point(x, y)])
    places: list[Point] = []
    for group in groups:
        dens = [den for den in group if steps[den.y, den.x] < UNREACHED]
        dens = [den for den in dens if 3 * steps[den.y, den.x] >= steps[y, x]]
        places = places or sorted(dens, key=lambda den: -int(steps[den.y, den.x]))
    return places


@step(needs="floor start")
def foreshadow(
    plan: Blueprint,
    rng: Rng,
    *,
    clumps: Few = 1,
    least: Area = 3,
    reach: Side = 14,
    dense: Share = 0.35,
    minions: Few = 2,
    ground: Paint = "rubble",
) -> Iterator[str]:
    """Foreshadow the largest packs by bones, stains and lone monsters around them.

    ``clumps`` packs are foreshadowed on an 80x45 map, a whole multiple on larger ones. Only
    packs of at least ``least`` monsters count. Signs lie up to ``reach`` steps away, most on the
    way from the start. Signs cover a share ``dense`` of the tiles near the pack, and fewer further
    out. ``ground`` replaces bare floor near the pack. ``minions`` lone monsters stand on the way.
    """
    if not plan.start or not plan.open[plan.start.y, plan.start.x]:
        return
    steps = distances(plan.open, *plan.start)  # Signs do not change it: they can be walked on.
    for source in _clumps(plan, least)[: clumps * plan.scale]:
        signs = scatter_signs(plan, rng, source, steps, reach=reach, dense=dense, ground=ground)
        posted = place_minions(plan, rng, source, steps, reach=reach, number=minions)
        if signs or posted:
            yield f"{pluralise(signs, 'sign')} and {pluralise(posted, 'lone monster')} near a pack"


def _clumps(plan: Blueprint, least: int) -> list[Point]:
    """Return a monster's place in each square of tiles with ``least`` or more, fullest first."""
    squares: dict[tuple[int, int], list[Point]] = {}
    for spawn in plan.spawns:
        squares.setdefault((spawn.y // BLOCK, spawn.x // BLOCK), []).append(Point(spawn.x, spawn.y))
    crowds = [crowd for crowd in squares.values() if len(crowd) >= least]
    return [crowd[0] for crowd in sorted(crowds, key=len, reverse=True)]
