"""Planting seeds: the part of the map a seed takes, and what will grow there."""

from dataclasses import replace

import numpy as np

from components.inventory import Item
from engine.combat.targeting import Aim, aim
from engine.creatures.status_effects import apply_status
from engine.items.loot import locked_treasure, make_item
from engine.state.events import Emit, Planted, Used, creature_ref
from engine.state.game_map import GameMap, Growing
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from engine.terrain.growth import BARE_TILES, FRUIT
from entities.creature_kinds import spawn_weights
from entities.entity import Entity
from entities.pack import take_one
from entities.seed_kinds import SeedKind, seed_kinds
from entities.talents import has_talent
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Point, mask_at
from procgen.plot_ground import HALO, MARGIN, ground_shape
from procgen.plots import Plot
from procgen.rng import Rng

GARDENER_PERCENT = 150
"""Percent of the usual turns that the statuses of a gardener's seeds last."""


def plant(
    state: GameState, user: Entity, item: Item, target: Point | None, emit: Emit
) -> str | None:
    """Plant one seed of ``item``; if it will not grow, change nothing and return the reason."""
    site, growing = planned_growth(state, user, item, target)
    if growing is None:
        return site.why
    emit(Used(creature_ref(user), replace(item_ref(state, item), count=1), site.path, site.tiles))
    take_one(user, item)
    _stock(state, growing, fruits=2 if has_talent(user, "green_thumb") else 1)
    state.map.growing.append(growing)
    emit(Planted(item.kind))
    creatures = [creature for place in site.tiles if (creature := state.map.entity_at(*place))]
    for creature in creatures:
        if creature is not user:
            for status, turns in statuses_given(user, item.kind).items():
                apply_status(creature, status, turns, emit)
    return None


def statuses_given(user: Entity, seed: str) -> dict[str, int]:
    """Return the statuses that others get from the ``seed`` of ``user``, and their turns."""
    percent = GARDENER_PERCENT if has_talent(user, "gardener") else 100
    return {name: turns * percent // 100 for name, turns in seed_kinds()[seed].gives.items()}


def _stock(state: GameState, growing: Growing, fruits: int) -> None:
    """Draw the items and the monster that the growth will contain, beside its ``fruits``."""
    kind, rng = seed_kinds()[growing.kind], state.stream("growth")
    y, x = divmod(growing.center, state.map.width)
    depth = state.map.depth_at(x, y)
    growing.items.append(Item(state.new_id(), FRUIT, count=fruits))
    if rng.chance(kind.treasure_chance) and (treasure := locked_treasure(depth, rng)):
        growing.items.append(make_item(treasure, state.new_id()))
    if rng.chance(kind.monster_chance) and (weights := spawn_weights(depth)):
        growing.monster = rng.weighted(weights)


def planned_growth(
    state: GameState, user: Entity, item: Item, target: Point | None
) -> tuple[Aim, Growing | None]:
    """Return the aim of a planting, and the growth, None if the aim says why it will not grow.

    It draws nothing from the streams of the run: a refused planting changes nothing, and another
    attempt gives the same result.
    """
    seed, game_map = seed_kinds()[item.kind], state.map
    site = aim(game_map, user, seed.target, target)
    # A seed aimed as a bolt is planted where the bolt ends, any other at its only tile.
    if not site.tiles:
        return replace(site, why=site.why or seed.barren), None
    origin, place = Point(user.x, user.y), site.tiles[-1]
    plot, corner = _plot(game_map, seed, origin, place)
    ground = np.argwhere(plot.ground).tolist()
    site = Aim(site.path, tuple(Point(x + corner.x, y + corner.y) for y, x in ground))
    rng = Rng(state.setup.seed, "play", "seed", item.id, item.count)
    turns = state.levels.grow_seed(state, item.kind, plot, rng) if ground else []
    if not turns:
        return replace(site, why=seed.barren), None
    start, width = corner.y * game_map.width + corner.x, game_map.width
    changes = [[(start + y * width + x, tile) for x, y, tile in turn] for turn in turns]
    if seed.treasure_chance:  # The middle of a room that grows is not the wall aimed at.
        changed = [change for turn in changes for change in turn]
        bare = [cell for cell, tile in changed if BARE_TILES[tile]] or [cell for cell, _ in changed]
        place = Point(*(int(np.median(part)) for part in np.divmod(bare, width)[::-1]))
    return site, Growing(item.kind, changes, place.y * width + place.x)


def _plot(game_map: GameMap, seed: SeedKind, origin: Point, place: Point) -> tuple[Plot, Point]:
    """Return the plot for ``seed`` around ``place``, and its upper left tile on the map."""
    reach = seed.radius + HALO + MARGIN
    left, top = max(0, min(origin.x, place.x) - reach), max(0, min(origin.y, place.y) - reach)
    right, bottom = max(origin.x, place.x) + reach + 1, max(origin.y, place.y) + reach + 1
    tiles = game_map.tiles[top:bottom, left:right]
    depth = game_map.depth_at(*place)
    origin, place = Point(origin.x - left, origin.y - top), Point(place.x - left, place.y - top)
    height, width = tiles.shape

    def inside(places: list[tuple[int, int]]) -> tuple[Point, ...]:
        moved = (Point(x - left, y - top) for x, y in places)
        return tuple(point for point in moved if 0 <= point.x < width and 0 <= point.y < height)

    ground = ground_shape(seed, tiles, origin, place)
    stairs = inside([game_map.start, game_map.exit])
    ground &= _free(game_map, left, top, width, height) & ~mask_at(stairs, ground.shape)
    # Sorted: a saved game does not keep the order in which creatures have moved.
    standing = [(creature.x, creature.y) for creature in game_map.entities.values()]
    occupied = inside(sorted([*standing, *game_map.items])) + stairs
    return Plot(tiles, ground, occupied, origin, place, depth), Point(left, top)


def _free(game_map: GameMap, left: int, top: int, width: int, height: int) -> np.ndarray:
    """Return the tiles of a window that are not on the map's border and where nothing grows."""
    free = np.zeros((height, width), np.bool_)
    right, bottom = game_map.width - 1 - left, game_map.height - 1 - top
    free[max(0, 1 - top) : bottom, max(0, 1 - left) : right] = True
    turns = [turn for growing in game_map.growing for turn in growing.turns]
    places = (divmod(place, game_map.width)[::-1] for turn in turns for place, _ in turn)
    pending = mask_at(places, game_map.tiles.shape)[top : top + height, left : left + width]
    return free & ~with_neighbours(pending)
