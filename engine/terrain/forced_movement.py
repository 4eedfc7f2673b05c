"""Forced movement: push, swap and teleport."""

import numpy as np

from engine.creatures.health import apply_damage
from engine.creatures.status_effects import release_holds
from engine.state.events import Displaced, Displacement, Emit, creature_ref
from engine.state.game_state import GameState
from engine.terrain.tile_effects import on_enter_tile, trap_effect
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.terrain import DEEP, Tile
from entities.trap_kinds import TrapKind
from procgen.analysis.distances import UNREACHED, distances, reachable
from procgen.blueprint import Point

BUMP_DAMAGE = 3
"""Hit points lost when pushed against a wall or a creature."""
TELEPORT_DISTANCE = 12
"""The least distance of a teleport in steps, if the level is large enough."""


def relocate(
    state: GameState, creature: Entity, x: int, y: int, how: Displacement, emit: Emit
) -> None:
    """Move ``creature`` to the free tile (x, y); ``how`` is the word for the message."""
    origin = Point(creature.x, creature.y)
    state.map.move_entity(creature, x, y)
    emit(Displaced(creature_ref(creature), origin, how))
    release_holds(creature, emit)
    if creature is state.hero:
        state.look()
        on_enter_tile(state, emit)


def push_back(
    state: GameState, creature: Entity, way: tuple[int, int], steps: int, emit: Emit, by: Entity
) -> None:
    """Push ``creature`` ``steps`` times by ``way``; obstacles except liquids hurt it, lava kills.

    A heavy one moves a step at most. Neither bosses nor what never burns go into lava.
    """
    x, y, levitates = creature.x, creature.y, "levitating" in creature.statuses
    kind, stopped, burnt = creature_kinds()[creature.kind], False, False
    shuns_lava = levitates or kind.lair or "burning" in kind.traits.immune
    for _ in range(min(steps, 1) if kind.traits.heavy else steps):
        ahead = x + way[0], y + way[1]
        free = state.map.contains(*ahead) and state.map.entity_at(*ahead) is None
        tile = int(state.map.tiles[ahead[1], ahead[0]]) if free else Tile.WALL
        burnt = tile == Tile.LAVA and not shuns_lava
        stopped = not (burnt or (levitates and tile in DEEP)) and state.map.is_blocked(*ahead)
        if stopped:
            break
        x, y = ahead
        if burnt:
            break
    if (x, y) != (creature.x, creature.y):
        relocate(state, creature, x, y, "pushed", emit)
    if burnt and creature.alive:
        apply_damage(state, creature, creature.fighter.hp, "lava", emit, by)
    elif stopped and creature.alive and tile not in DEEP:
        apply_damage(state, creature, BUMP_DAMAGE, "wall", emit, by)


def swap_places(state: GameState, creature: Entity, other: Entity, emit: Emit) -> None:
    """Exchange the places of two creatures; the hero's new tile takes effect after both moved."""
    origin, other_origin = Point(creature.x, creature.y), Point(other.x, other.y)
    state.map.swap_entities(creature, other)
    emit(Displaced(creature_ref(creature), origin, "swapped"))
    emit(Displaced(creature_ref(other), other_origin, "swapped"))
    for moved in (creature, other):
        release_holds(moved, emit)
    if creature is state.hero:  # A trap there may move the hero again, or to another level.
        state.look()
        on_enter_tile(state, emit)


def teleport_creature(state: GameState, creature: Entity, emit: Emit) -> bool:
    """Teleport ``creature`` to a distant reachable tile; return False if there is no free one."""
    game_map = state.map
    steps = distances(game_map.walkable, *game_map.nearest_ground(creature.x, creature.y))
    steps[steps == UNREACHED] = 0
    steps[game_map.occupied] = 0
    if (furthest := int(steps.max())) == 0:
        return False
    ys, xs = (steps >= min(TELEPORT_DISTANCE, furthest)).nonzero()
    index = state.stream("effects").below(len(xs))
    relocate(state, creature, int(xs[index]), int(ys[index]), "teleported", emit)
    return True


@trap_effect("shift")
def _teleport_trap(state: GameState, victim: Entity, trap: TrapKind, name: str, emit: Emit) -> None:
    # Not behind a lock: without its key the hero would be stuck there or have bypassed it.
    free = reachable(state.map.walkable, victim.x, victim.y) & (state.map.tiles != Tile.TRAP)
    cells = np.flatnonzero(free & ~state.map.occupied)
    if len(cells):
        y, x = divmod(int(cells[state.stream("traps").below(len(cells))]), state.map.width)
        relocate(state, victim, x, y, "vanished", emit)
