"""Rooms with a meaning: treasury, lair, shrine, library, guard room, trap, garden, hall."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from procgen.blueprint import Blueprint
from procgen.furnishing.footing import Floorspace
from procgen.furnishing.furniture import garden, hall, library, shrine, trap_room, treasury
from procgen.furnishing.lairs import post_guards, settle_lair
from procgen.furnishing.sites import Site, find_sites
from procgen.measure.pockets import structure_of
from procgen.measure.structure import Structure
from procgen.registry import Count, Side, step
from procgen.rng import Rng


@dataclass(frozen=True)
class _Works:
    """The level at hand, for furnishings that also bring somebody in."""

    plan: Blueprint
    structure: Structure

    def lair(self, _floor: Floorspace, site: Site, rng: Rng) -> int:
        """Settle a pack at the far end of ``site``, larger the further from the start."""
        size = min(6, 3 + site.distance // 30)
        return settle_lair(self.plan, rng, site.deepest, self.structure.distance, size=size)

    def guards(self, floor: Floorspace, site: Site, rng: Rng) -> int:
        """Post two to four guards in the middle of ``site``."""
        return post_guards(self.plan, floor, site, rng, rng.between(2, 4))


@dataclass(frozen=True)
class _Meaning:
    """What a site can become: which sites it suits, which of them best, and what it takes."""

    caption: str
    suits: Callable[[Site], bool]
    best: Callable[[Site], tuple[int, int]]
    furnish: Callable[[Floorspace, Site, Rng], int]


def _meanings(works: _Works) -> dict[str, _Meaning]:
    """Return every meaning by name, the most demanding first."""
    return {
        "treasures": _Meaning("A treasury", _aside, _secluded, treasury),
        "lairs": _Meaning("A lair", _aside, _secluded, works.lair),
        "shrines": _Meaning("A shrine", _square(3), _modest, shrine),
        "libraries": _Meaning("A library", _square(5), _modest, library),
        "guards": _Meaning("A guard room", _passed, _far, works.guards),
        "traps": _Meaning("A trap", _square(3), _secluded, trap_room),
        "gardens": _Meaning("A garden", _square(4), _large, garden),
        "halls": _Meaning("A hall", _square(5), _large, hall),
    }


def _aside(site: Site) -> bool:
    return not site.on_way


def _passed(site: Site) -> bool:
    return site.on_way and site.area >= 12


def _square(side: int) -> Callable[[Site], bool]:
    """Return the test for sites that fill a box at least ``side`` tiles deep and wide."""
    return lambda site: site.shorter >= side and 4 * site.area >= 3 * site.box.area


def _secluded(site: Site) -> tuple[int, int]:
    return site.sealed, site.distance


def _modest(site: Site) -> tuple[int, int]:
    return not site.on_way, -abs(site.area - 35)


def _large(site: Site) -> tuple[int, int]:
    return site.area, site.distance


def _far(site: Site) -> tuple[int, int]:
    return site.distance, site.area


@step(needs="floor start exit")
def room_types(
    plan: Blueprint,
    rng: Rng,
    *,
    treasures: Count = 1,
    lairs: Count = 1,
    shrines: Count = 1,
    libraries: Count = 1,
    guards: Count = 1,
    traps: Count = 1,
    gardens: Count = 1,
    halls: Count = 1,
    least: Side = 9,
    most: Side = 200,
    choice: Side = 3,
) -> Iterator[str]:
    """Give rooms, pockets and clearings a meaning, each where the level's structure suits it.

    Gold lies behind chokepoints and off the way to the exit, packs live there too, guards stand
    on the way, shrines and libraries wait aside. So many of each for an 80x45 map; larger ones
    get their share more. Sites have ``least`` to ``most`` tiles; one of the ``choice`` best is
    taken. Nothing solid is put where it would cut the level, and a trap can be walked round.
    """
    structure = structure_of(plan)
    if not structure:
        return
    counts = {
        "treasures": treasures,
        "lairs": lairs,
        "shrines": shrines,
        "libraries": libraries,
        "guards": guards,
        "traps": traps,
        "gardens": gardens,
        "halls": halls,
    }
    sites = find_sites(plan, structure, rng, least=least, most=most)
    floor = Floorspace(plan)
    for name, meaning in _meanings(_Works(plan, structure)).items():
        fitting = sorted(filter(meaning.suits, sites), key=meaning.best, reverse=True)
        for _ in range(counts[name] * plan.scale):
            if not fitting:
                break
            site = rng.pick(fitting[:choice])
            fitting.remove(site)
            sites.remove(site)
            if meaning.furnish(floor, site, rng):
                floor.mind(plan)
                yield f"{meaning.caption}, {site.distance} steps from the start"
