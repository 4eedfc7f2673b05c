"""Colonnades: rows of pillars along the walls of the larger rooms, sometimes round a carpet."""

from collections.abc import Iterator

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom
from procgen.furnishing.footing import Floorspace
from procgen.registry import Share, Side, step
from procgen.rng import Rng


@step(needs="rooms")
def colonnades(
    plan: Blueprint,
    rng: Rng,
    *,
    share: Share = 0.5,
    least: Side = 5,
    carpets: Share = 0.5,
    spacing: Side = 2,
) -> Iterator[str]:
    """Raise pillars along the two longer walls of this share of the rooms.

    Rooms under ``least`` tiles deep or wide, and those with anything in them but floor, are
    left alone. The pillars stand ``spacing`` tiles apart, the same from both ends; the share
    ``carpets`` of such rooms has a carpet between them.
    """
    floor = Floorspace(plan)
    done = 0
    for room in plan.rooms:
        if min(room.width, room.height) < least or not rng.chance(share):
            continue
        if (plan.tiles[room.inner] != Tile.FLOOR).any():
            continue
        carpet = rng.chance(carpets)
        pillars = sum(floor.stand(x, y, Tile.PILLAR) for x, y in _rows(room, spacing))
        if carpet:
            for y in range(room.y + 2, room.y + room.height - 2):
                for x in range(room.x + 2, room.x + room.width - 2):
                    floor.lay(x, y, Tile.CARPET)
        done += 1
        if (done - 1) % plan.scale == 0:
            yield f"{pillars} pillars" + (" round a carpet" if carpet else "")


def _rows(room: RectangularRoom, spacing: int) -> list[tuple[int, int]]:
    """Return the places of the pillars, one tile off the longer walls."""
    along, across = max(room.width, room.height), min(room.width, room.height)
    slack = (along - 3) % spacing
    if slack % 2:
        return []
    places = [
        (at, side) for at in range(1 + slack // 2, along - 1, spacing) for side in (1, across - 2)
    ]
    if room.width < room.height:
        places = [(side, at) for at, side in places]
    return [(room.x + dx, room.y + dy) for dx, dy in places]
