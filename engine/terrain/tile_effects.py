"""What the ground does to the hero who steps on it, and what the hero finds there."""

from collections.abc import Callable
from functools import cache

import numpy as np

from components import Mood
from engine.creatures.health import harm
from engine.creatures.hearing import alert
from engine.creatures.status_effects import afflict
from engine.state.events import Healed, Rang, Sprung, Tell, TookGold, TookKey, Vanished, Won, who
from engine.state.game_state import World
from entities.entity import Entity
from entities.statuses import has
from entities.talents import has_talent
from entities.terrain import Tile
from entities.trap_kinds import Trap, traps
from procgen.blueprint import Point
from procgen.level_code import SEED_LIMIT, LevelCode
from procgen.rng import Rng

Spring = Callable[[World, Entity, Trap, str, Tell], None]

SPRINGS: dict[str, Spring] = {}
"""What a trap does, by the word in its data."""
ROUSED = 60
"""Turns that whoever heard an alarm looks for what set it off."""


def trap_at(code: LevelCode, x: int, y: int) -> str:
    """Return the kind of the trap at (x, y) on the level of ``code``; always the same."""
    weights, place = _weights(code.depth), (x % SEED_LIMIT, y % SEED_LIMIT)
    return Rng(code.seed, code.recipe, code.depth, "trap", *place).weighted(weights)


@cache
def _weights(depth: int) -> dict[str, int]:
    weighed = {name: trap.weight(depth) for name, trap in traps().items()}
    return {name: weight for name, weight in weighed.items() if weight}


def spring(world: World, tell: Tell) -> None:
    """Let the trap under the hero go off, unless it does not feel the hero; it is spent then."""
    hero, game_map = world.hero, world.map
    if has(hero, "levitating") or has_talent(hero, "lightfoot"):
        return
    left, top = world.map.origin
    name = trap_at(world.code, hero.x + left, hero.y + top)
    trap = traps()[name]
    game_map.set_tile(hero.x, hero.y, Tile.RUBBLE)
    tell(Sprung(who(hero), name))
    SPRINGS[trap.spring](world, hero, trap, name, tell)


def _spring(word: str) -> Callable[[Spring], Spring]:
    def register(function: Spring) -> Spring:
        SPRINGS[word] = function
        return function

    return register


@_spring("hurt")
def _hurt(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    harm(world, victim, world.stream("traps").between(trap.low, trap.high), name, tell)


@_spring("status")
def _status(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    assert trap.status
    for creature in _around(world, victim, trap.reach):
        afflict(creature, trap.status, trap.turns, tell)


@_spring("alarm")
def _alarm(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    tell(Rang(Point(victim.x, victim.y)))
    for creature in _around(world, victim, trap.reach):
        alert(creature, victim.x, victim.y)
        if creature.mind and creature.mind.mood is Mood.SEARCHING:
            creature.mind.attention = ROUSED


@_spring("shift")
def _shift(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    free = world.map.walkable & (world.map.tiles != Tile.TRAP)
    for creature in world.map.entities.values():
        free[creature.y, creature.x] = False
    cells = np.flatnonzero(free)
    if len(cells):
        origin = Point(victim.x, victim.y)
        y, x = divmod(int(cells[world.stream("traps").below(len(cells))]), world.map.width)
        world.map.move_entity(victim, x, y)
        tell(Vanished(who(victim), origin))


def _around(world: World, victim: Entity, reach: int) -> list[Entity]:
    """Return who stands within ``reach`` of ``victim``, which is one of them, oldest first."""
    return [
        one
        for one in world.map.entities.values()
        if max(abs(one.x - victim.x), abs(one.y - victim.y)) <= reach
    ]


GOLD = (8, 16)
MEANINGFUL = frozenset(
    map(int, (Tile.TRAP, Tile.SHRINE, Tile.TREASURE, Tile.KEY, Tile.RELIC)),
)
"""The tiles that do something."""


def tread(world: World, tell: Tell) -> None:
    """Let the tile under the hero do what it does: hurt, heal or enrich, once."""
    hero, game_map = world.hero, world.map
    tile = int(game_map.tiles[hero.y, hero.x])
    if tile not in MEANINGFUL:
        return
    match tile:
        case Tile.TRAP:
            spring(world, tell)
            return
        case Tile.SHRINE if hero.fighter.hp < hero.fighter.max_hp:
            amount = hero.fighter.max_hp - hero.fighter.hp
            hero.fighter.hp = hero.fighter.max_hp
            tell(Healed(who(hero), "shrine", amount))
        case Tile.TREASURE:
            amount = world.stream("gold").between(*GOLD) * world.depth
            world.gold += amount
            tell(TookGold(who(hero), amount))
        case Tile.KEY:
            game_map.keys += 1
            tell(TookKey(who(hero)))
        case Tile.RELIC:
            world.won = world.turn
            tell(Won(who(hero), world.turn))
        case _:
            return
    game_map.set_tile(hero.x, hero.y, Tile.FLOOR)
