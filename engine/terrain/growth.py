"""Growth: planted seeds change the map turn by turn, and never bury or cut off anybody."""

import numpy as np

from components.inventory import Item
from engine.state.events import Displaced, Emit, Grew, Ripened, creature_ref
from engine.state.game_map import GameMap, Growing
from engine.state.game_state import GameState
from engine.terrain.fire import FIREPROOF_TILES
from entities.creature_kinds import HERO
from entities.entity import Entity
from entities.seed_kinds import Soil
from entities.terrain import terrain, tile_mask
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from procgen.plot_ground import MARGIN, SOILS, mend

Changes = dict[tuple[int, int], int]
"""New tiles by (x, y)."""
FRUIT = "fruit"
FRUIT_DISTANCE = 9
"""A fruit lies no further than this from the heart of what bears it, in columns and rows."""
BARE_TILES = tile_mask(SOILS[Soil.BARE])
"""True for the numbers of tiles that are bare ground."""
CHANGEABLE = frozenset(tile for tiles in SOILS.values() for tile in tiles)


def grow_turn(state: GameState, emit: Emit) -> None:
    """Let everything that grows on the level change its tiles of this turn."""
    for growing in state.map.growing:
        changed, moved = _grow(state.map, growing)
        for creature, origin in moved:
            emit(Displaced(creature_ref(creature), origin, "shoved"))
        emit(Grew(growing.kind, tuple(Point(x, y) for x, y in changed), len(growing.turns)))
        if not growing.turns and (place := _bear_fruit(state.map, growing)):
            emit(Ripened(place))
    if state.map.growing:
        state.map.growing = [growing for growing in state.map.growing if growing.turns]
        state.look()


def finish_growth(game_map: GameMap) -> None:
    """Let everything grow at once what it has yet to, as when the hero leaves the level."""
    for growing in game_map.growing:
        while growing.turns:
            _grow(game_map, growing)
        _bear_fruit(game_map, growing)
    game_map.growing = []


def _bear_fruit(game_map: GameMap, growing: Growing) -> Point | None:
    """Lay the fruit of what has grown on the bare ground nearest to its heart; return the place.

    None if water, fire or rock is all there is within `FRUIT_DISTANCE`.
    """
    y, x = divmod(growing.heart, game_map.width)
    top, left = max(0, y - FRUIT_DISTANCE), max(0, x - FRUIT_DISTANCE)
    around = np.s_[top : y + FRUIT_DISTANCE + 1, left : x + FRUIT_DISTANCE + 1]
    rows, columns = np.nonzero(BARE_TILES[game_map.tiles[around]] & game_map.walkable[around])
    dry = [Point(left + int(dx), top + int(dy)) for dy, dx in zip(rows, columns, strict=True)]
    dry = [place for place in dry if place not in game_map.fires]
    if not dry:
        return None
    place = min(dry, key=lambda one: ((one.x - x) ** 2 + (one.y - y) ** 2, one.y, one.x))
    game_map.lay(Item(growing.fruit, FRUIT), *place)
    return place


def _grow(game_map: GameMap, growing: Growing) -> tuple[Changes, list[tuple[Entity, Point]]]:
    """Make the next changes of ``growing``; return them and the creatures moved, with origins.

    What cannot be closed now, because somebody stands there or it would cut a way, is tried again
    next turn, and dropped after the last.
    """
    wanted = {
        (place % game_map.width, place // game_map.width): tile
        for place, tile in growing.turns.pop(0)
    }
    wanted = {
        place: tile
        for place, tile in wanted.items()
        if int(game_map.tiles[place[1], place[0]]) in CHANGEABLE
    }
    aside = _ways_aside(game_map, wanted)
    changes = _without_cuts(game_map, {place: wanted[place] for place in wanted if place in aside})
    moved = []
    for place, tile in changes.items():
        if (spot := aside[place]) and (creature := _clear(game_map, place, spot)):
            moved.append((creature, Point(*place)))
        game_map.set_tile(*place, tile)
        if place in game_map.fires and (
            tile in FIREPROOF_TILES or not (terrain().walkable[tile] or tile in terrain().burnt)
        ):
            del game_map.fires[place]
    waiting = [
        (y * game_map.width + x, tile) for (x, y), tile in wanted.items() if (x, y) not in changes
    ]
    if growing.turns:
        growing.turns[0] += waiting
    return changes, moved


def _ways_aside(game_map: GameMap, wanted: Changes) -> dict[tuple[int, int], Point | None]:
    """Return, for each tile that can change, where to move what is on it (None for nowhere).

    A tile that would close over the hero, or over somebody with no free tile beside it, is left
    out.
    """
    walkable = terrain().walkable
    closing = {
        place
        for place, tile in wanted.items()
        if game_map.walkable[place[1], place[0]] and not walkable[tile]
    }
    found: dict[tuple[int, int], Point | None] = {}
    reserved = set(closing)
    for place in wanted:
        creature = game_map.entity_at(*place)
        if walkable[wanted[place]] or (creature is None and place not in game_map.items):
            found[place] = None
            continue
        if creature and creature.kind == HERO:
            continue
        if spot := _free_beside(game_map, place, reserved):
            found[place] = spot
            reserved.add(spot)
    return found


def _free_beside(
    game_map: GameMap, place: tuple[int, int], reserved: set[tuple[int, int]]
) -> Point | None:
    for dx, dy in DIRECTIONS:
        spot = Point(place[0] + dx, place[1] + dy)
        if not game_map.is_blocked(*spot) and spot not in reserved:
            return spot
    return None


def _clear(game_map: GameMap, place: tuple[int, int], spot: Point) -> Entity | None:
    """Move creature and items from ``place`` to ``spot``; return the creature, if there is one."""
    pile: list[Item] = game_map.items.pop(place, [])
    for item in pile:
        game_map.lay(item, *spot)
    creature = game_map.entity_at(*place)
    if creature:
        game_map.move_entity(creature, *spot)
    return creature


def _without_cuts(game_map: GameMap, changes: Changes) -> Changes:
    """Return those of ``changes`` that leave all ground connected that is connected now."""
    if not changes:
        return changes
    xs, ys = [x for x, _ in changes], [y for _, y in changes]
    left, top = max(0, min(xs) - MARGIN), max(0, min(ys) - MARGIN)
    old = game_map.tiles[top : max(ys) + MARGIN + 1, left : max(xs) + MARGIN + 1]
    new = old.copy()
    for (x, y), tile in changes.items():
        new[y - top, x - left] = tile
    kept = np.equal(mend(old, new), new)
    return {(x, y): tile for (x, y), tile in changes.items() if kept[y - top, x - left]}
