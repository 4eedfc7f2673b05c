"""Doors in doorways, and secret doors."""

from collections.abc import Iterator

from entities.terrain import Mask, Tile, terrain, tile_mask
from entities.wording import pluralise
from procgen.analysis.bitboard import within_reach
from procgen.analysis.distances import CARDINALS, cut_off, reachable
from procgen.blueprint import Blueprint
from procgen.carving.doorways import DOOR_GROUND, free_doorways
from procgen.rng import Rng
from procgen.step_registry import AreaOrZero, Few, Share, Steps, step

DOORS = (int(Tile.DOOR), int(Tile.SECRET_DOOR), int(Tile.LOCKED_DOOR))


@step(needs="floor")
def doors(plan: Blueprint, rng: Rng, *, chance: Share = 0.5) -> Iterator[str]:
    """Place a door in each doorway with this ``chance``, not in line with one within two steps.

    A doorway is one tile wide, between two walls, and leads into a room or another wide place.
    """
    hung = 0
    for x, y in free_doorways(plan):
        if rng.chance(chance) and not _near_door(plan, x, y):
            plan.tiles[y, x] = Tile.DOOR
            hung += 1
    if hung:
        yield f"{pluralise(hung, 'door')} hung"


def _near_door(plan: Blueprint, x: int, y: int) -> bool:
    strips = plan.tiles[max(0, y - 2) : y + 3, x], plan.tiles[y, max(0, x - 2) : x + 3]
    near = sum(int(tile_mask(DOORS)[strip].sum()) for strip in strips)
    return near > 2 * (plan.tiles[y, x] in DOORS)  # Both strips contain (x, y) itself.


@step(needs="floor start exit")
def secret_doors(
    plan: Blueprint,
    rng: Rng,
    *,
    chance: Share = 0.6,
    at_most: Few = 2,
    hidden: Share = 0.15,
    worth: AreaOrZero = 6,
    detour: Steps = 16,
) -> Iterator[str]:
    """Make a few doors secret: each hides a dead-end part of the level or a shortcut.

    Doorways are tried in random order, each with this ``chance``. At most ``at_most`` become secret
    doors on an 80x45 map, a whole multiple on larger ones. At most a share ``hidden`` of the
    level lies behind secret doors. Each secret door hides at least ``worth`` tiles, or a shortcut
    that saves a walk of more than ``detour`` steps. The exit can be reached without secret doors.
    """
    assert plan.start
    assert plan.exit
    walkable = terrain().walkable[plan.tiles]
    reached = reachable(walkable, *plan.start, diagonal=False)
    least, total = int(plan.open.sum()) * (1 - hidden), int(reached.sum())
    left = at_most * plan.scale
    for x, y in rng.shuffled(free_doorways(plan, (*DOOR_GROUND, Tile.DOOR))):
        if not left:
            break
        if not rng.chance(chance) or not reached[y, x] or _near_door(plan, x, y):
            continue
        window, gone = cut_off(reached, (x, y), plan.start, diagonal=False)
        lost = int(gone.sum())
        walkable[y, x] = reached[y, x] = False
        reached[window] ^= gone
        worthwhile = lost >= worth if lost else _saves(walkable, x, y, detour)
        if not reached[plan.exit.y, plan.exit.x] or total - lost - 1 < least or not worthwhile:
            walkable[y, x] = reached[y, x] = True
            reached[window] ^= gone
            continue
        plan.tiles[y, x] = Tile.SECRET_DOOR
        total -= lost + 1
        left -= 1
        yield f"A secret door hides {pluralise(lost, 'tile') if lost else 'a shortcut'}"


def _saves(walkable: Mask, x: int, y: int, detour: int) -> bool:
    """Return True if the path around the closed tile (x, y) is longer than ``detour`` steps."""
    sides = [(x + dx, y + dy) for dx, dy in CARDINALS if walkable[y + dy, x + dx]]
    # Beside a lock only one side is open: there is no other side to walk to.
    return len(sides) > 1 and not within_reach(walkable, sides[0], sides[1], detour)
