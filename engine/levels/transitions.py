"""Coming to another depth: up or down the stairs, or through the floor."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from engine.levels.dungeon import above, close_door, code_under, surface
from engine.levels.level_choice import visited
from engine.state.action_registry import rule
from engine.state.actions import Climb, Descend, Done, Outcome, Refused, Visit
from engine.state.events import Arrived, Followed, Tell, who
from engine.state.game_state import World
from engine.state.run_setup import Mode
from engine.terrain.tile_effects import _hurt, _spring
from entities.entity import Entity
from entities.terrain import terrain
from entities.trap_kinds import Trap
from procgen.blueprint import Point
from procgen.build import build
from procgen.level import Level
from procgen.level_code import CodeError
from procgen.recipe_builder import BuildFailed
from procgen.recipes import TooSmall, UnknownRecipe


@_spring("fall")
def _fall(world: World, victim: Entity, trap: Trap, name: str, tell: Tell) -> None:
    _hurt(world, victim, trap, name, tell)
    if victim.alive and world.setup.mode is Mode.ADVENTURE:
        with suppress(TooSmall, BuildFailed):
            fall(world, tell)


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


NOWHERE = (CodeError, UnknownRecipe, TooSmall, BuildFailed)
"""Why there may be no level where a way leads."""


@rule(Descend)
def descend(world: World, actor: Entity, action: Descend, tell: Tell) -> Outcome:
    """Take the exit underfoot to the next depth."""
    if not world.map.is_way_down(actor.x, actor.y) or actor is not world.hero:
        return Refused("no exit here")
    in_workshop = world.setup.mode is Mode.WORKSHOP
    try:
        if in_workshop and not world.map.endless and surface(world) is None:
            world.enter(build(replace(world.code, depth=world.depth + 1)))
            tell(Arrived(str(world.code), world.depth))
        else:
            take_stairs(world, world.depth + 1, tell)
    except NOWHERE as fault:
        return Refused(str(fault))
    return Done()


@rule(Climb)
def climb(world: World, actor: Entity, action: Climb, tell: Tell) -> Outcome:
    """Take the stairs at the start of the level to the depth above; an adventure's only."""
    if (actor.x, actor.y) != world.map.start or actor is not world.hero:
        return Refused("no way up here")
    if world.setup.mode is Mode.WORKSHOP and surface(world) is None:
        return Refused("no stairs in the Workshop")
    if world.depth == 1:
        return Refused("no way back")
    try:
        take_stairs(world, above(world), tell)
    except NOWHERE as fault:
        return Refused(str(fault))
    return Done()


@rule(Visit)
def visit(world: World, actor: Entity, action: Visit, tell: Tell) -> Outcome:
    """Go to another level altogether; an adventure is no longer scored after that."""
    if actor is not world.hero:
        return Refused("not for you")
    try:
        level = build(visited(action.code))
    except NOWHERE as fault:
        return Refused(str(fault))
    unscored = world.scored
    world.scored = False
    world.enter(level)
    tell(Arrived(str(world.code), world.depth, unscored))
    return Done()
