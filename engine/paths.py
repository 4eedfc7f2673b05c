"""The ways the hero knows, and what it knows to be worth a walk."""

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from engine.game_map import GameMap
from engine.pack import has_room
from engine.world import World
from entities.items import item_kinds
from entities.terrain import Tile
from procgen.analysis import DIRECTIONS, UNREACHED, distances
from procgen.blueprint import Point

PRIZES = (Tile.TREASURE, Tile.KEY, Tile.RELIC)
"""Ground that one walks to for what lies on it."""


def known_ground(game_map: GameMap) -> NDArray[np.bool_]:
    """Return where the hero knows one can walk and would, [y, x]: traps and fires are gone around.

    With a key in hand it would walk through locked doors.
    """
    known: NDArray[np.bool_] = game_map.walkable & game_map.explored
    known &= game_map.tiles != Tile.TRAP
    if game_map.keys:
        known |= (game_map.tiles == Tile.LOCKED_DOOR) & game_map.explored
    for x, y in game_map.fires:
        known[y, x] = False
    return known


def frontier(game_map: GameMap) -> NDArray[np.bool_]:
    """Return the known ground that touches what has not been seen, [y, x]."""
    unknown = ndimage.binary_dilation(~game_map.explored, np.ones((3, 3), bool))
    return known_ground(game_map) & unknown


def path_downhill(field: NDArray[np.int32], x: int, y: int) -> list[Point]:
    """Return the tiles from (x, y), not included, down to the field's nearest zero."""
    path = []
    height, width = field.shape
    while 0 < field[y, x] < UNREACHED:
        here = field[y, x]
        for dx, dy in DIRECTIONS:
            column, row = x + dx, y + dy
            if 0 <= column < width and 0 <= row < height and field[row, column] < here:
                x, y = column, row
                break
        else:
            break
        path.append(Point(x, y))
    return path


def path_to(world: World, goal: tuple[int, int]) -> list[Point]:
    """Return the known way from the hero to ``goal``; empty if there is none."""
    x, y = goal
    if not world.map.contains(x, y) or not world.map.explored[y, x]:
        return []
    ground = known_ground(world.map)
    ground[y, x] = ground[world.hero.y, world.hero.x] = True
    return path_downhill(distances(ground, x, y), world.hero.x, world.hero.y)


def prizes(world: World) -> NDArray[np.bool_]:
    """Return the known ground on which something lies that the hero wants, [y, x]."""
    game_map = world.map
    wanted: NDArray[np.bool_] = np.isin(game_map.tiles, PRIZES) & game_map.explored
    if game_map.keys:
        wanted |= (game_map.tiles == Tile.LOCKED_DOOR) & game_map.explored
    for x, y in game_map.items:
        wanted[y, x] |= bool(game_map.explored[y, x]) and wants(world, x, y)
    return wanted


def wants(world: World, x: int, y: int) -> bool:
    """Whether something lies at (x, y) that is worth a walk: what was laid down is not."""
    return any(
        (not item.letter or item_kinds()[item.kind].damage) and has_room(world.hero, item)
        for item in world.map.items_at(x, y)
    )
