"""The way that something thrown or shot flies."""

from engine.game_map import GameMap
from procgen.blueprint import Point

LEANS = (0, 1, -1, 2, -2, 3, -3)
"""How far off its middle a line may run to get past a corner, in eighths of a tile."""


def line(origin: Point, target: Point, length: int, lean: int = 0) -> list[Point]:
    """Return so many tiles from ``origin``, not included, through ``target`` and beyond."""
    dx, dy = target.x - origin.x, target.y - origin.y
    steps = max(abs(dx), abs(dy))
    if not steps:
        return []

    def offset(step: int, across: int) -> int:
        eighths = lean if abs(across) < steps else 0
        return (step * across * 16 + steps * (8 + 2 * eighths)) // (16 * steps)

    return [
        Point(origin.x + offset(step, dx), origin.y + offset(step, dy))
        for step in range(1, length + 1)
    ]


def way(game_map: GameMap, origin: Point, target: Point, length: int) -> list[Point]:
    """Return the line through ``target`` that no wall keeps from it, the straightest such."""
    apart = max(abs(target.x - origin.x), abs(target.y - origin.y))
    for lean in LEANS:
        found = line(origin, target, max(apart, length), lean)
        if all(lets_past(game_map, point) for point in found[: apart - 1]):
            return found[:length]
    return line(origin, target, length)


def lets_past(game_map: GameMap, point: Point) -> bool:
    """Whether what flies goes on beyond ``point``: not past a wall, a door or a tree."""
    return game_map.contains(*point) and bool(game_map.transparent[point.y, point.x])


def lets_in(game_map: GameMap, point: Point) -> bool:
    """Whether what flies comes as far as ``point``."""
    if not game_map.contains(*point):
        return False
    return bool(game_map.transparent[point.y, point.x] or game_map.walkable[point.y, point.x])


def flown(
    game_map: GameMap, path: list[Point], *, pierces: bool = False, bores: bool = False
) -> list[Point]:
    """Return as much of ``path`` as is flown: to the first creature, or before a wall."""
    found = []
    for point in path:
        inside = 0 < point.x < game_map.width - 1 and 0 < point.y < game_map.height - 1
        if not (inside if bores else lets_in(game_map, point)):
            break
        found.append(point)
        if game_map.entity_at(*point) and not pierces:
            break
        if not (bores or lets_past(game_map, point)):
            break
    return found
