"""Effects of the tile that the hero enters: traps, shrines, gold, keys, levers, the First Seed."""

from collections.abc import Callable

import numpy as np

from components import AiState
from engine.creatures.health import apply_damage, restore_hit_points
from engine.creatures.noise import alert
from engine.creatures.status_effects import apply_status
from engine.state import events as ev
from engine.state.events import Emit, creature_ref
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.terrain.fire import ignite
from engine.terrain.growth import begin_flood
from entities.data_files import positive_weights
from entities.entity import Entity
from entities.talents import has_talent
from entities.terrain import MECHANISMS, OPENERS, TILE_NAMES, Tile, opened_tile
from entities.trap_kinds import TrapKind, trap_kinds
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point, window_around
from procgen.level_code import SEED_LIMIT
from procgen.rng import Rng

TrapEffect = Callable[[GameState, Entity, TrapKind, str, Emit], None]

TRAP_EFFECTS: dict[str, TrapEffect] = {}
"""Trap effects by their word in data/traps.toml."""
LAID = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.CARPET, Tile.SAND)
"""Ground that goes on under what is taken, if most of it around is of that kind."""
ALARM_TURNS = 60
"""Turns for which monsters search after hearing an alarm trap."""


def trap_at(game_map: GameMap, x: int, y: int) -> str:
    """Return the kind of the trap at (x, y): a hash of level code and place in the world."""
    code, weights = game_map.code, positive_weights(game_map.depth_at(x, y), trap_kinds())
    place = [number % SEED_LIMIT for number in game_map.world_place(x, y)]
    return Rng(code.seed, code.recipe, code.depth, "trap", *place).weighted(weights)


def trigger_trap(state: GameState, emit: Emit) -> None:
    """Trigger the trap under the hero and remove it, unless the hero is too light for it."""
    hero, game_map = state.hero, state.map
    if "levitating" in hero.statuses or has_talent(hero, "lightfoot"):
        return
    name = trap_at(game_map, hero.x, hero.y)
    trap = trap_kinds()[name]
    game_map.set_tile(hero.x, hero.y, Tile.RUBBLE)
    emit(ev.TrapTriggered(creature_ref(hero), name))
    TRAP_EFFECTS[trap.spring](state, hero, trap, name, emit)


def trap_effect(word: str) -> Callable[[TrapEffect], TrapEffect]:
    """Register the effect of the traps whose ``spring`` is ``word`` in data/traps.toml."""

    def register(function: TrapEffect) -> TrapEffect:
        TRAP_EFFECTS[word] = function
        return function

    return register


@trap_effect("hurt")
def damage_trap(state: GameState, victim: Entity, trap: TrapKind, name: str, emit: Emit) -> None:
    """Damage the victim, by a roll between the trap's ``low`` and ``high``."""
    apply_damage(state, victim, state.stream("traps").between(trap.low, trap.high), name, emit)


@trap_effect("status")
def _status_trap(state: GameState, victim: Entity, trap: TrapKind, name: str, emit: Emit) -> None:
    assert trap.status
    for creature in _around(state, victim, trap.reach):
        apply_status(creature, trap.status, trap.turns, emit)
    for dx, dy in (*DIRECTIONS, (0, 0)) if trap.status == "burning" else ():
        ignite(state.map, Point(victim.x + dx, victim.y + dy))


@trap_effect("alarm")
def _alarm_trap(state: GameState, victim: Entity, trap: TrapKind, name: str, emit: Emit) -> None:
    emit(ev.AlarmRang(Point(victim.x, victim.y)))
    for creature in _around(state, victim, trap.reach):
        alert(creature, victim.x, victim.y)
        if creature.ai and creature.ai.state is AiState.SEARCHING:
            creature.ai.state_turns_left = ALARM_TURNS


def _around(state: GameState, victim: Entity, reach: int) -> list[Entity]:
    """Return the creatures within ``reach`` of ``victim``, itself among them, oldest first."""
    return [who for who in state.map.entities.values() if victim.distance_to(who) <= reach]


GOLD = (8, 16)


def on_enter_tile(state: GameState, emit: Emit) -> None:
    """Apply the effect of the tile under the hero once; it becomes ground, a trap rubble."""
    hero, game_map = state.hero, state.map
    tile = int(game_map.tiles[hero.y, hero.x])
    match tile:
        case Tile.TRAP:
            trigger_trap(state, emit)
            return
        case Tile.SHRINE:
            if not restore_hit_points(hero, hero.fighter.max_hp, "shrine", emit):
                return
        case Tile.TREASURE:
            amount = state.stream("gold").between(*GOLD) * game_map.depth_at(hero.x, hero.y)
            state.gold += amount
            emit(ev.TookGold(creature_ref(hero), amount))
        case Tile.KEY:
            game_map.keys += 1
            emit(ev.TookKey(creature_ref(hero)))
        case _ if tile in MECHANISMS:
            lock = MECHANISMS[tile]
            for y, x in np.argwhere(game_map.tiles == lock).tolist():
                game_map.set_tile(x, y, opened_tile(lock))
                emit(ev.MechanismUsed(TILE_NAMES[tile], Point(x, y)))
        case Tile.RELIC:
            state.won = state.turn
            emit(ev.Won(creature_ref(hero), state.turn))
        case _:
            return
    around = game_map.tiles[window_around(hero.x, hero.y, 1)[0]]
    laid = around[np.isin(around, LAID)]  # Else gold would leave holes in a carpet.
    game_map.set_tile(hero.x, hero.y, int(np.bincount(laid).argmax()) if laid.size else Tile.FLOOR)
    if tile in OPENERS:
        begin_flood(state)
