"""Rectangular rooms wherever they fit."""

from collections.abc import Iterator

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.room_shapes import random_side
from procgen.rng import Dice, Rng
from procgen.step_registry import Count, Side, step


@step(gives="floor rooms")
def rectangular_rooms(
    plan: Blueprint, rng: Rng, *, tries: Count = 30, min_side: Side = 6, max_side: Side = 10
) -> Iterator[str]:
    """Place rooms by rejection sampling: draw them at random, discard those that touch others.

    ``tries`` rooms are drawn on an 80x45 map, a whole multiple on larger ones. The sides of a
    room are ``min_side`` to ``max_side`` tiles, and shrink where the map is so small that two rooms
    could not lie beside each other. (The classic roguelike tutorial's algorithm.)
    """
    rooms, tiles, dice = plan.rooms, plan.tiles, Dice(rng)
    for _ in range(tries * plan.scale):
        width = random_side(dice, min_side, max_side, plan.width)
        height = random_side(dice, min_side, max_side, plan.height)
        x = dice.between(1, plan.width - width - 1)
        y = dice.between(1, plan.height - height - 1)
        room = RectangularRoom(x, y, width, height)
        if tiles[y - 1 : y + height + 1, x - 1 : x + width + 1].any():  # Rock is 0.
            continue
        rooms.append(room)
        tiles[room.inner] = Tile.FLOOR
        yield f"Room {len(rooms)}: {width} by {height}"
    if not rooms:
        raise Rejected("no room fits")
