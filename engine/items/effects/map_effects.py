"""Effects on terrain, on map knowledge and on places: dig, overgrow, map, teleport, push."""

import numpy as np

from engine.items.effects.effect_registry import ANY_SHAPE, EffectUse, effect
from engine.state.events import Fizzled, FoundDoor, Grew, Mapped
from engine.terrain.forced_movement import push_back, relocate, swap_places, teleport_creature
from entities.target_shapes import TargetShape
from entities.terrain import Tile
from procgen.analysis.distances import with_neighbours
from procgen.blueprint import Point

SOLID = (Tile.MOUNTAIN, Tile.PILLAR, Tile.STATUE, Tile.SHELF, Tile.EDGE)
DUG = {Tile.WALL: Tile.TUNNEL, Tile.SECRET_DOOR: Tile.DOOR} | dict.fromkeys(SOLID, Tile.RUBBLE)
"""Solid terrain and the tile that digging turns it into."""
EARTH = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.RUBBLE, Tile.SAND, Tile.GRASS, Tile.MOSS, Tile.STAIN),
    *(Tile.CARPET, Tile.ROAD, Tile.BONES, Tile.HEATH, Tile.HILL),
)
"""Terrain that plants can grow on."""


@effect(TargetShape.BOLT)
def dig(cast: EffectUse) -> None:
    """Dig through solid terrain."""
    game_map = cast.state.map
    for x, y in cast.aim.tiles:
        if (dug := DUG.get(int(game_map.tiles[y, x]))) is not None:
            game_map.set_tile(x, y, dug)


@effect(TargetShape.BALL, TargetShape.BURST)
def overgrow(cast: EffectUse) -> None:
    """Grow forest, which blocks sight; grass where a creature stands."""
    game_map = cast.state.map
    stairs = game_map.start, game_map.exit
    earth = [at for at in cast.aim.tiles if game_map.tiles[at[::-1]] in EARTH and at not in stairs]
    for x, y in earth:
        occupied = game_map.entity_at(x, y) is not None
        game_map.set_tile(x, y, Tile.GRASS if occupied else Tile.FOREST)
    cast.emit(Grew("overgrow", tuple(earth), 0) if earth else Fizzled(cast.used))


@effect(TargetShape.SELF)
def reveal_map(cast: EffectUse) -> None:
    """Reveal the layout of the level, secret doors included."""
    game_map = cast.state.map
    for y, x in np.argwhere(game_map.tiles == Tile.SECRET_DOOR).tolist():
        game_map.set_tile(x, y, Tile.DOOR)
        cast.emit(FoundDoor(Point(x, y)))
    game_map.discover(with_neighbours(game_map.walkable))
    cast.emit(Mapped())


@effect(TargetShape.PLACE)
def blink(cast: EffectUse) -> None:
    """Move the user to the target tile, or beside it if a monster hides there."""
    if place := cast.state.map.nearest_free(*cast.place):
        relocate(cast.state, cast.user, *place, "blinked", cast.emit)


@effect(*ANY_SHAPE)
def teleport(cast: EffectUse) -> None:
    """Teleport creatures far away."""
    moved = [teleport_creature(cast.state, creature, cast.emit) for creature in cast.targets()]
    if not any(moved):
        cast.emit(Fizzled(cast.used))


@effect(TargetShape.BOLT, TargetShape.ONE, TargetShape.NEAREST)
def change_places(cast: EffectUse) -> None:
    """Swap the user with the first creature hit."""
    others = [creature for creature in cast.targets() if creature is not cast.user]
    if others:
        swap_places(cast.state, cast.user, others[0], cast.emit)
    else:
        cast.emit(Fizzled(cast.used))


@effect(TargetShape.BOLT, TargetShape.ONE, TargetShape.CONE, TargetShape.BURST)
def push(cast: EffectUse) -> None:
    """Push creatures up to ``strength`` steps away from the user, the farthest first.

    In the opposite order, each would be pushed into the one behind it.
    """
    targets = sorted(cast.targets(), key=cast.user.distance_to, reverse=True)
    if not targets:
        cast.emit(Fizzled(cast.used))
    for creature in targets:
        dx, dy = np.sign((creature.x - cast.user.x, creature.y - cast.user.y)).tolist()
        if dx or dy:
            push_back(cast.state, creature, (dx, dy), cast.kind.strength, cast.emit, cast.user)
