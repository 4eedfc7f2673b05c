"""Going from level to level: stairs both ways, and codes."""

from dataclasses import replace

from engine.actions import Climb, Descend, Done, Outcome, Refused, Visit
from engine.below import above, surface
from engine.events import Arrived
from engine.passage import take_stairs
from engine.ruling import rule
from engine.setup import Mode, visited
from engine.tell import Tell
from engine.world import World
from entities.entity import Entity
from procgen.build import BuildFailed, build
from procgen.code import CodeError
from procgen.recipes import TooSmall, UnknownRecipe

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
