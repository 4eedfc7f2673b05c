"""Pressure plates: which kind each is, and what happens to whoever treads on one.

All of them can be seen and walked around; what a plate does is told by looking at it.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache

import numpy as np

from components import Mood
from engine.brains.perception import alert
from engine.events import Rang, Sprung, Vanished
from engine.harm import harm
from engine.passage import fall
from engine.setup import Mode
from engine.statuses import afflict, has
from engine.tell import Tell, who
from engine.world import World
from entities.entity import Entity
from entities.talents import has_talent
from entities.terrain import Tile
from entities.traps import Trap, traps
from procgen.blueprint import Point
from procgen.build import BuildFailed
from procgen.code import SEED_LIMIT, LevelCode
from procgen.recipes import TooSmall
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


@_spring("fall")
def _fall(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    _hurt(world, victim, trap, name, tell)
    if victim.alive and world.setup.mode is Mode.ADVENTURE:
        with suppress(TooSmall, BuildFailed):
            fall(world, tell)


def _around(world: World, victim: Entity, reach: int) -> list[Entity]:
    """Return who stands within ``reach`` of ``victim``, which is one of them, oldest first."""
    return [
        one
        for one in world.map.entities.values()
        if max(abs(one.x - victim.x), abs(one.y - victim.y)) <= reach
    ]
