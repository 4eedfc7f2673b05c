"""Endless maps as plain data and back: what no map can be is refused."""

from engine.endless.atlas import Atlas, unfold_chunk
from engine.endless.map import NOWHERE, RADIUS, SPAN, EndlessMap
from engine.game_map import GameMap
from engine.records.bad_state import BadState
from engine.records.belongings import check_item
from engine.records.settling import MOST_IN_ALL, check_creature
from entities.kinds import HERO
from procgen.blueprint import Point
from procgen.build import Level
from procgen.code import LevelCode
from procgen.endless.chunk import SIDE


def rolled(game_map: EndlessMap) -> Atlas:
    """Return what ``game_map`` is beside its tiles, what lies there, and who is there."""
    door = None if game_map.exit == (-1, -1) else (game_map.exit.x, game_map.exit.y)
    return Atlas(
        game_map.corner,
        list(game_map.opened),
        [(*chunk, folded) for chunk, folded in game_map.left.items()],
        door,
        [(*place, levels) for place, levels in game_map.below.items()],
    )


def unroll(game_map: EndlessMap, atlas: Atlas) -> None:
    """Make ``game_map`` the one that ``atlas`` is of; raise `BadState` if it is of none."""
    game_map.stand_at(atlas.corner)
    span = 2 * RADIUS + 1
    left, top = atlas.corner
    on_map = [0 <= x - left < span and 0 <= y - top < span for x, y in atlas.opened]
    if not all(on_map) or len(set(atlas.opened)) < len(atlas.opened):
        raise BadState("a chunk is open that is not on the map")
    game_map.lay_out_all(atlas.opened)
    game_map.left = {(column, row): folded for column, row, folded in atlas.left}
    game_map.below = {(x, y): levels for x, y, levels in atlas.below}
    game_map.start = NOWHERE
    if atlas.door:
        if not game_map.contains(*atlas.door):
            raise BadState("a way down lies where none can")
        game_map.exit = Point(*atlas.door)


def laid_out(level: Level, atlas: Atlas | None) -> GameMap:
    """Return the map of ``level`` with nobody on it, an endless one as ``atlas`` says."""
    if atlas is None:
        return GameMap(level)
    game_map = EndlessMap(level)
    unroll(game_map, atlas)
    return game_map


def extent(code: LevelCode, atlas: Atlas | None, next_id: int) -> tuple[int, int]:
    """Return how wide and high the map of ``code`` is; raise `BadState` if ``atlas`` is wrong."""
    if (code.place is None) != (atlas is None):
        raise BadState(f"{code} is another kind of map")
    if atlas is None:
        return code.width, code.height
    check_atlas(atlas, next_id)
    return SPAN, SPAN


def check_atlas(atlas: Atlas, next_id: int) -> None:
    """Raise `BadState` unless one could come back to every chunk that was left."""
    opened = set(atlas.opened)
    if len({(x, y) for x, y, _ in atlas.left} | opened) < len(atlas.left) + len(opened):
        raise BadState("a chunk is in two places")
    amount = 0
    for _, _, folded in atlas.left:
        chunk = unfold_chunk(folded)
        amount += len(chunk.entities) + len(chunk.items) + len(chunk.changes)
        if amount > MOST_IN_ALL:
            raise BadState("nobody remembers so much of a world")
        for entity in chunk.entities:
            check_creature(entity)
            inside = 0 <= entity.x < SIDE and 0 <= entity.y < SIDE
            if not inside or entity.kind == HERO or not 0 < entity.id < next_id:
                raise BadState("somebody is remembered who cannot be there")
        for _, _, pile in chunk.items:
            for item in pile:
                check_item(item)
