"""How an endless map moves on: what it leaves is folded up, what it keeps gets new places."""

import numpy as np
from numpy.typing import NDArray

from components import Mood
from engine.endless.atlas import Left, fold_chunk
from engine.game_map import GameMap
from entities.entity import Entity
from procgen.blueprint import Point
from procgen.endless.chunk import SIDE

AFTER_SOMETHING = (Mood.HUNTING, Mood.SEARCHING, Mood.FLEEING)
"""Who is left behind in one of these moods forgets what it was after."""

FIRES = 64
"""Fires further from the hero than this go out: a world that burnt down would take for ever."""

Box = tuple[slice, slice]


def leave(game_map: GameMap, box: Box) -> bytes | None:
    """Take all that is in ``box``, a chunk, off the map; return it folded up.

    None stands for what nobody has seen or touched: it grows again as it was.
    """
    rows, columns = box
    top, left = rows.start, columns.start
    creatures = [one for one in game_map.entities.values() if _inside(one.x, one.y, box)]
    for one in creatures:
        game_map.remove_entity(one)
        _forget(one)
        one.x, one.y = one.x - left, one.y - top
    piles = [(x - left, y - top, pile) for x, y, pile in game_map.piles() if _inside(x, y, box)]
    for x, y, _ in piles:
        del game_map.items[x + left, y + top]
    changes = {}
    for place in list(game_map.changes):
        y, x = divmod(place, game_map.width)
        if _inside(x, y, box):
            changes[(y - top) * SIDE + x - left] = game_map.changes.pop(place)
    explored = game_map.explored[box]
    if explored.any() or changes or any(map(_met, creatures)):
        seen = np.packbits(explored).tobytes()
        return fold_chunk(Left(seen, changes, creatures, piles))
    return None


def _inside(x: int, y: int, box: Box) -> bool:
    rows, columns = box
    return bool(rows.start <= y < rows.stop and columns.start <= x < columns.stop)


def _met(creature: Entity) -> bool:
    """Whether ``creature`` is not as it was born."""
    hurt = creature.fighter.hp < creature.fighter.max_hp
    return hurt or bool(creature.pack) or creature.called_up


def _forget(creature: Entity) -> None:
    """Let ``creature`` lose track of places that are no longer on the map."""
    mind = creature.mind
    if mind is None:
        return
    mind.goal = None
    if mind.mood in AFTER_SOMETHING:
        mind.mood, mind.attention = Mood.WANDERING, 0


def burn_down(game_map: GameMap, x: int, y: int) -> None:
    """Let the fires far from (x, y) go out."""
    near = range(-FIRES, FIRES + 1)
    if game_map.fires:
        game_map.fires = {
            place: turns
            for place, turns in game_map.fires.items()
            if place[0] - x in near and place[1] - y in near
        }


def slide(game_map: GameMap, right: int, down: int) -> None:
    """Move the map ``right`` and ``down`` over the world by so many tiles."""
    for name in ("tiles", "walkable", "transparent", "seen", "explored"):
        setattr(game_map, name, _slid(getattr(game_map, name), right, down))
    game_map.recall(game_map.seen, game_map.explored)
    width, height = game_map.width, game_map.height
    game_map.fires = {(x - right, y - down): n for (x, y), n in game_map.fires.items()}
    changes = {divmod(place, width)[::-1]: tile for place, tile in game_map.changes.items()}
    game_map.changes = {(y - down) * width + x - right: tile for (x, y), tile in changes.items()}
    game_map.items = {(x - right, y - down): pile for (x, y), pile in game_map.items.items()}
    everyone = list(game_map.entities.values())
    for one in everyone:
        game_map.remove_entity(one)
    for one in everyone:
        one.x, one.y = one.x - right, one.y - down
        if one.mind and one.mind.goal:
            one.mind.goal = one.mind.goal[0] - right, one.mind.goal[1] - down
        game_map.add_entity(one)
    if game_map.exit != (-1, -1):
        door = Point(game_map.exit.x - right, game_map.exit.y - down)
        inside = 0 <= door.x < width and 0 <= door.y < height
        game_map.exit = door if inside else Point(-1, -1)
    game_map.edits += 1


def _slid(old: NDArray[np.generic], right: int, down: int) -> NDArray[np.generic]:
    """Return ``old`` moved, nothing where there was nothing."""
    new = np.zeros_like(old)
    height, width = old.shape
    rows, columns = height - abs(down), width - abs(right)
    if rows > 0 and columns > 0:
        from_y, from_x = max(0, down), max(0, right)
        to_y, to_x = max(0, -down), max(0, -right)
        new[to_y : to_y + rows, to_x : to_x + columns] = old[
            from_y : from_y + rows, from_x : from_x + columns
        ]
    return new
