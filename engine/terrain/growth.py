"""Growth: seeds and floods change the map turn by turn; they never bury or cut off a creature."""

from collections.abc import Callable

import numpy as np

from components import AiState
from engine.creatures.health import apply_damage
from engine.creatures.levelling import make_monster
from engine.creatures.status_effects import release_holds
from engine.state.events import Displaced, Emit, Grew, Ripened, creature_ref
from engine.state.game_map import FLOOD, GameMap, Growing
from engine.state.game_state import GameState
from engine.terrain.fire import FIREPROOF_TILES
from entities.creature_kinds import HERO
from entities.entity import Entity
from entities.seed_kinds import Soil
from entities.terrain import DEEP, SHUT_DOORS, Tile, terrain, tile_mask
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances, with_neighbours
from procgen.blueprint import Point, mask_at
from procgen.plot_ground import MARGIN, SOILS, repair_connectivity

Changes = dict[tuple[int, int], int]
"""New tiles by (x, y)."""
FRUIT = "fruit"
FRUIT_DISTANCE = 9
"""A fruit lies no further than this from the centre of what bears it, in columns and rows."""
BARE_TILES = tile_mask(SOILS[Soil.BARE])
"""True for the numbers of tiles that are bare ground."""
CHANGEABLE = frozenset(tile for tiles in SOILS.values() for tile in tiles)

FLOOD_REACH, FLOOD_LAG = 8, 3
"""The steps that a flood reaches, and the turns by which deep water lags behind a running hero."""
FLOOD_DAMAGE = 2
"""Hit points that a creature loses when a flood washes it aside."""
FLOOD_TURNS = FLOOD_REACH + FLOOD_LAG
"""The turns that a flood goes on after its first."""


def begin_flood(state: GameState) -> None:
    """Let water rise around the hero, turn by turn, if there is a grating next to it."""
    game_map, x, y = state.map, state.hero.x, state.hero.y
    around = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
    gratings = [(x, y) for x, y in around if game_map.tiles[y, x] == Tile.GRATING]
    if not gratings:
        return
    for place in gratings:
        game_map.set_tile(*place, Tile.SHALLOWS)
    steps = distances(game_map.walkable & (game_map.tiles != Tile.DOOR), x, y)
    # A lock could not be opened from deep water, and stairs are never under it.
    spared = tile_mask((*SHUT_DOORS, Tile.LEDGE))[game_map.tiles]
    stairs = mask_at((game_map.start, game_map.exit), steps.shape)
    steps[with_neighbours(spared) | stairs] = UNREACHED
    turns: list[list[tuple[int, int]]] = [[] for _ in range(FLOOD_TURNS + 1)]
    for cell in np.flatnonzero(steps <= FLOOD_REACH).tolist():
        far = int(steps.flat[cell])
        turns[far // 2].append((cell, Tile.SHALLOWS))
        turns[far + FLOOD_LAG].append((cell, Tile.WATER))
    game_map.growing.append(Growing(FLOOD, turns, y * game_map.width + x))


def grow_turn(state: GameState, emit: Emit) -> None:
    """Make this turn's tile changes of all seeds and floods that grow on the level."""
    for growing in state.map.growing:
        changed, moved = _grow(state.map, growing)
        for creature, origin in moved:
            floods = growing.kind == FLOOD
            if creature.alive:  # The hero may have died earlier in this turn.
                emit(Displaced(creature_ref(creature), origin, "washed" if floods else "shoved"))
            release_holds(creature, emit)
            if floods:
                apply_damage(state, creature, FLOOD_DAMAGE, "water", emit)
        emit(Grew(growing.kind, tuple(Point(x, y) for x, y in changed), len(growing.turns)))
        if not growing.turns and (place := _ripen(state.map, growing, state.new_id)):
            emit(Ripened(place, Point(state.hero.x, state.hero.y)))
    if state.map.growing:
        state.map.growing = [growing for growing in state.map.growing if growing.turns]


def finish_growth(game_map: GameMap, new_id: Callable[[], int]) -> None:
    """Make all remaining tile changes at once, for instance when the hero leaves the level."""
    for growing in game_map.growing:
        while growing.turns:
            _grow(game_map, growing)
        _ripen(game_map, growing, new_id)
    game_map.growing = []


def _ripen(game_map: GameMap, growing: Growing, new_id: Callable[[], int]) -> Point | None:
    """Place what a growth bears on the bare ground nearest to its centre, and return the place.

    Return None, with nothing placed, for a flood or if there is no such ground in `FRUIT_DISTANCE`.
    """
    if growing.kind == FLOOD:
        return None
    y, x = divmod(growing.center, game_map.width)
    reach = range(-FRUIT_DISTANCE, FRUIT_DISTANCE + 1)
    near = sorted((dx * dx + dy * dy, y + dy, x + dx) for dy in reach for dx in reach)
    places = (Point(x, y) for _, y, x in near if game_map.contains(x, y))
    bare = (at for at in places if BARE_TILES[game_map.tiles[at.y, at.x]])
    taken = {*game_map.fires, game_map.start, game_map.exit}
    place = next((at for at in bare if at not in taken), None)
    if place is None:
        return None
    for item in growing.items:
        game_map.add_item(item, *place)
    if growing.monster and (spot := game_map.nearest_free(*place)):
        monster = make_monster(growing.monster, new_id(), *spot, game_map.depth_at(x, y))
        assert monster.ai
        monster.ai.state = AiState.ASLEEP
        game_map.add_entity(monster)
    return place


def _grow(game_map: GameMap, growing: Growing) -> tuple[Changes, list[tuple[Entity, Point]]]:
    """Make the next changes of ``growing``; return them and the creatures moved, with origins.

    A tile that cannot be closed now, because a creature stands there or it would disconnect the
    level, is retried next turn, and dropped after the last turn.
    """
    due = {
        (place % game_map.width, place // game_map.width): tile
        for place, tile in growing.turns.pop(0)
        if int(game_map.tiles.flat[place]) in CHANGEABLE
    }
    aside = _ways_aside(game_map, due, moves_hero=growing.kind == FLOOD)
    changes = _without_cuts(game_map, {place: due[place] for place in due if place in aside})
    moved = []
    for place, tile in changes.items():
        if (spot := aside[place]) and (creature := _clear(game_map, place, tile, spot)):
            moved.append((creature, Point(*place)))
        game_map.set_tile(*place, tile)
        if place in game_map.fires and (
            tile in FIREPROOF_TILES or not (terrain().walkable[tile] or tile in terrain().burnt)
        ):
            del game_map.fires[place]
    width = game_map.width
    waiting = [(y * width + x, tile) for (x, y), tile in due.items() if (x, y) not in changes]
    if growing.turns:
        growing.turns[0] += waiting
    return changes, moved


def _ways_aside(
    game_map: GameMap, due: Changes, *, moves_hero: bool
) -> dict[tuple[int, int], Point | None]:
    """Return, for each tile that can change, where to move what is on it (None for nowhere).

    Left out are tiles that would close over a creature with no free tile beside it, and those that
    would close over the hero, unless the growth ``moves_hero``.
    """
    walkable = terrain().walkable
    solid = [(x, y) for (x, y), tile in due.items() if not walkable[tile]]
    reserved = {(x, y) for x, y in solid if game_map.walkable[y, x]}
    spots: dict[tuple[int, int], Point | None] = {}
    for place in due:
        creature = _covered(game_map, place, due[place])
        if walkable[due[place]] or (creature is None and place not in game_map.items):
            spots[place] = None
            continue
        if creature and creature.kind == HERO and not moves_hero:
            continue
        neighbours = (Point(place[0] + dx, place[1] + dy) for dx, dy in DIRECTIONS)
        free = (at for at in neighbours if at not in reserved and not game_map.is_blocked(*at))
        if spot := next(free, None):
            spots[place] = spot
            reserved.add(spot)
    return spots


def _covered(game_map: GameMap, place: tuple[int, int], tile: int) -> Entity | None:
    """Return the creature at ``place`` unless it levitates and ``tile`` is deep water or lava."""
    creature = game_map.entity_at(*place)
    levitates = creature and tile in DEEP and "levitating" in creature.statuses
    return None if levitates else creature


def _clear(game_map: GameMap, place: tuple[int, int], tile: int, spot: Point) -> Entity | None:
    """Move what ``tile`` covers from ``place`` to ``spot``; return the creature, if any."""
    for item in game_map.items.pop(place, ()):
        game_map.add_item(item, *spot)
    if creature := _covered(game_map, place, tile):
        game_map.move_entity(creature, *spot)
    return creature


def _without_cuts(game_map: GameMap, changes: Changes) -> Changes:
    """Return those of ``changes`` that disconnect no ground that is connected now."""
    if not changes:
        return changes
    xs, ys = [x for x, _ in changes], [y for _, y in changes]
    left, top = max(0, min(xs) - MARGIN), max(0, min(ys) - MARGIN)
    old = game_map.tiles[top : max(ys) + MARGIN + 1, left : max(xs) + MARGIN + 1]
    new = old.copy()
    for (x, y), tile in changes.items():
        new[y - top, x - left] = tile
    allowed = np.equal(repair_connectivity(old, new), new)
    return {(x, y): tile for (x, y), tile in changes.items() if allowed[y - top, x - left]}
