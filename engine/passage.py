"""Coming to another depth: up or down the stairs, or through the floor."""

from collections.abc import Sequence

import numpy as np

from engine.below import close_door, code_under
from engine.events import Arrived, Followed
from engine.tell import Tell, who
from engine.world import World
from entities.entity import Entity
from entities.terrain import terrain
from procgen.blueprint import Point
from procgen.build import Level, build


def take_stairs(world: World, depth: int, tell: Tell) -> None:
    """Go to the level at ``depth`` by the stairs; who hunts close by comes along."""
    upward = depth < world.depth
    level = build(code_under(world, depth))
    back = None if level.code.place else level.exit
    _go(world, level, back if upward else level.start, tell, world.pursuers())
    close_door(world)


def fall(world: World, tell: Tell) -> None:
    """Come down on the level below, under where one stood."""
    level = build(code_under(world, world.depth + 1))
    ys, xs = np.nonzero(terrain().walkable[level.tiles])
    away = np.maximum(np.abs(xs - world.hero.x), np.abs(ys - world.hero.y))
    nearest = int(away.argmin())
    _go(world, level, Point(int(xs[nearest]), int(ys[nearest])), tell)


def _go(
    world: World, level: Level, place: Point | None, tell: Tell, companions: Sequence[Entity] = ()
) -> None:
    depth = level.code.depth
    upward, again = depth < world.depth, depth in world.remembered
    world.go(level, place, companions)
    tell(Arrived(str(world.code), world.depth, again=again, upward=upward))
    for creature in companions:
        if creature.id in world.map.entities:
            tell(Followed(who(creature)))
