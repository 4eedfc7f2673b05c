"""Plots for rooms and routes."""

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom


def with_rooms(*rooms, size=(40, 20)):
    plan = Blueprint.solid(*size)
    for room in rooms:
        plan.rooms.append(RectangularRoom(*room))
        plan.tiles[plan.rooms[-1].inner] = Tile.FLOOR
    return plan
