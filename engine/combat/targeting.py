"""Targeting: the path and the tiles that an attack or an effect hits.

The rules and the aiming screen call the same functions, so the tiles shown are the tiles hit.
"""

from dataclasses import dataclass

import numpy as np

from engine.pathfinding.threats import foes_in_view
from engine.state.game_map import GameMap, is_disguised, is_hidden
from entities.creature_kinds import HERO
from entities.entity import Entity
from entities.target_shapes import Targeting, TargetShape
from procgen.analysis.field_of_view import field_of_view
from procgen.blueprint import Point

LINE_OFFSETS = (0, 1, -1, 2, -2, 3, -3)
"""Sideways shifts of a line that are tried in turn to get past a corner, in 1/8 tile.

Corners block a single Bresenham line but not the view: a foe could be seen but not be shot at.
"""


def straight_line(origin: Point, target: Point, length: int, lean: int = 0) -> list[Point]:
    """Return ``length`` tiles from ``origin`` (excluded) through ``target`` and beyond.

    ``lean`` is one of `LINE_OFFSETS`: how far the line is shifted sideways, in 1/8 tile.
    """
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


def clear_line(game_map: GameMap, origin: Point, target: Point, length: int) -> list[Point]:
    """Return the straightest line of ``length`` tiles that no wall blocks before ``target``.

    If walls block all of them, it is the line without a shift.
    """
    distance = max(abs(target.x - origin.x), abs(target.y - origin.y))
    for lean in LINE_OFFSETS:
        line = straight_line(origin, target, max(distance, length), lean)
        if all(flies_past(game_map, point) for point in line[: distance - 1]):
            return line[:length]
    return straight_line(origin, target, length)


def flies_past(game_map: GameMap, point: Point) -> bool:
    """Return True if a projectile flies on beyond ``point``: walls, doors and trees stop it."""
    return game_map.contains(*point) and bool(game_map.transparent[point.y, point.x])


def flies_into(game_map: GameMap, point: Point) -> bool:
    """Return True if a projectile can enter ``point``."""
    x, y = point
    return game_map.contains(x, y) and bool(game_map.transparent[y, x] or game_map.walkable[y, x])


def flight_path(
    game_map: GameMap, path: list[Point], *, pierces: bool = False, bores: bool = False
) -> list[Point]:
    """Return the part of ``path`` that a projectile flies: to the first creature, or before a wall.

    It passes hidden monsters, as it does real statues: aiming must not give them away. With
    ``pierces`` it passes all creatures, with ``bores`` everything but the border.
    """
    flown = []
    for point in path:
        inside = 0 < point.x < game_map.width - 1 and 0 < point.y < game_map.height - 1
        if not (inside if bores else flies_into(game_map, point)):
            break
        flown.append(point)
        if (creature := game_map.entity_at(*point)) and not (pierces or is_hidden(creature)):
            break
        if not (bores or flies_past(game_map, point)):
            break
    return flown


AT_ONESELF = frozenset({TargetShape.BALL, TargetShape.GROUND})
"""The aimed shapes whose target may be the user's own tile."""
WITHIN_RANGE = AT_ONESELF | {TargetShape.ONE, TargetShape.PLACE}
"""The aimed shapes that refuse a target beyond their range; others stop on the way."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The result of aiming: the ``path`` flown, the ``tiles`` hit, or ``why`` it is refused."""

    path: tuple[Point, ...] = ()
    tiles: tuple[Point, ...] = ()
    why: str | None = None


def aim(game_map: GameMap, actor: Entity, targeting: Targeting, target: Point | None) -> Aim:
    """Return the path and tiles that ``targeting`` hits if ``actor`` aims it at ``target``."""
    origin = Point(actor.x, actor.y)
    match targeting.shape:
        case TargetShape.ITEM:
            return Aim()
        case TargetShape.SELF:
            return Aim(tiles=(origin,))
        case TargetShape.NEAREST:
            nearest = foes_in_view(game_map, actor, targeting.range)[:1]
            tiles = tuple(Point(foe.x, foe.y) for foe in nearest)
            return Aim(tiles, tiles) if tiles else Aim(why="no foe in view")
        case TargetShape.VIEW:
            tiles = tuple(Point(foe.x, foe.y) for foe in foes_in_view(game_map, actor))
            return Aim(tiles=tiles) if tiles else Aim(why="no foe in view")
        case TargetShape.BURST:
            return Aim(tiles=blast_tiles(game_map, origin, targeting.radius)[1:])
    if target is None:
        return Aim(why="needs a target")
    if fault := _target_fault(game_map, actor, targeting, target):
        return Aim(why=fault)
    return _aimed(game_map, origin, targeting, target)


def _aimed(game_map: GameMap, origin: Point, targeting: Targeting, target: Point) -> Aim:
    """Return the path and tiles of an allowed ``target``, for the shapes that need one."""
    length = targeting.range
    match targeting.shape:
        case TargetShape.ONE | TargetShape.PLACE:
            return Aim((target,), (target,))
        case TargetShape.GROUND:
            return Aim(tiles=(target,))
        case TargetShape.ROCK:
            line = clear_line(game_map, origin, target, length)
            path = flight_path(game_map, line, pierces=True)
            ahead = (point for point in line[len(path) :][:1] if game_map.contains(*point))
            solid = tuple(point for point in ahead if not flies_into(game_map, point))
            return Aim(tuple(path), solid) if solid else Aim(why="no rock in reach")
        case TargetShape.CONE:
            spread = blast_tiles(game_map, origin, length)[1:]
            return Aim(tiles=tuple(p for p in spread if _in_cone(origin, target, p)))
        case TargetShape.BALL:
            distance = max(abs(target.x - origin.x), abs(target.y - origin.y))
            path = flight_path(game_map, clear_line(game_map, origin, target, distance))
            rest = path[-1] if path else origin
            return Aim(tuple(path), blast_tiles(game_map, rest, targeting.radius))
        case _:
            line = clear_line(game_map, origin, target, length)
            path = flight_path(game_map, line, pierces=targeting.pierces, bores=targeting.bores)
            return Aim(tuple(path), tuple(path))


def _target_fault(
    game_map: GameMap, actor: Entity, targeting: Targeting, target: Point
) -> str | None:
    """Return why ``actor`` cannot aim at ``target``, None if it can."""
    x, y = target if actor.kind == HERO else (actor.x, actor.y)
    if not game_map.contains(*target) or not (game_map.visible[y, x] or targeting.bores):
        return "out of view"
    if target == (actor.x, actor.y) and targeting.shape not in AT_ONESELF:
        return "not at yourself"
    distance = max(abs(target.x - actor.x), abs(target.y - actor.y))
    if distance > targeting.range and targeting.shape in WITHIN_RANGE:
        return "out of range"
    other = game_map.entity_at(*target)
    if targeting.shape is TargetShape.ONE and (other is None or is_hidden(other)):
        return "nobody there"
    looks_free = other and is_hidden(other) and not is_disguised(other)
    if targeting.shape is TargetShape.PLACE and game_map.is_blocked(*target) and not looks_free:
        return "no room"
    return None


def _in_cone(origin: Point, target: Point, place: Point) -> bool:
    """Return True if ``place`` is within 30 degrees of the line from ``origin`` to ``target``."""
    ax, ay = target.x - origin.x, target.y - origin.y
    bx, by = place.x - origin.x, place.y - origin.y
    along = ax * bx + ay * by
    return along > 0 and 4 * along**2 >= 3 * (ax**2 + ay**2) * (bx**2 + by**2)


def blast_tiles(game_map: GameMap, center: Point, radius: int) -> tuple[Point, ...]:
    """Return the tiles within ``radius`` that an explosion at ``center`` reaches, nearest first."""
    (rows, columns), seen = field_of_view(game_map.transparent, *center, radius, corners=True)
    places = [Point(x + columns.start, y + rows.start) for y, x in np.argwhere(seen).tolist()]
    ranked = sorted(((p.x - center.x) ** 2 + (p.y - center.y) ** 2, p) for p in places)
    near = (place for far, place in ranked if far <= radius * (radius + 1))
    return tuple(place for place in near if flies_into(game_map, place))
