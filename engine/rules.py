"""What each action does: one small function per kind of action."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.actions import (
    Action,
    Descend,
    Done,
    Instead,
    Move,
    Outcome,
    Refused,
    Strike,
    Visit,
    Wait,
)
from engine.events import Arrived, Event, Moved, Struck
from engine.ground import fell, tread
from engine.setup import Mode, code_at, visited
from engine.tell import who
from engine.world import World
from entities.entity import Entity
from procgen.blueprint import Point
from procgen.build import BuildFailed, build
from procgen.code import CodeError
from procgen.recipes import TooSmall, UnknownRecipe

Tell = Callable[[Event], None]
Rule = Callable[[World, Entity, Any, Tell], Outcome]

RULES: dict[type, Rule] = {}


def rule(action: type) -> Callable[[Rule], Rule]:
    """Register the function that carries out ``action``."""

    def register(function: Rule) -> Rule:
        RULES[action] = function
        return function

    return register


def perform(world: World, actor: Entity, action: Action, tell: Tell) -> Done | Refused:
    """Carry out ``action``, following what it means instead."""
    while True:
        outcome = RULES[type(action)](world, actor, action, tell)
        if not isinstance(outcome, Instead):
            return outcome
        action = outcome.action


@rule(Wait)
def wait(world: World, actor: Entity, action: Wait, tell: Tell) -> Outcome:
    """Let a step's time pass."""
    return Done()


@rule(Move)
def move(world: World, actor: Entity, action: Move, tell: Tell) -> Outcome:
    """Step, strike who is in the way, or take the Workshop's exit."""
    if (action.dx, action.dy) == (0, 0):
        return Instead(Wait())
    x, y = actor.x + action.dx, actor.y + action.dy
    if world.map.entity_at(x, y):
        return Instead(Strike(action.dx, action.dy))
    if world.map.is_blocked(x, y):
        return Refused("blocked")
    origin = Point(actor.x, actor.y)
    world.map.move_entity(actor, x, y)
    tell(Moved(who(actor), origin))
    if actor is world.hero:
        tread(world, tell)
    if actor is world.hero and world.setup.mode is Mode.WORKSHOP and (x, y) == world.map.exit:
        return Instead(Descend())
    return Done()


@rule(Strike)
def strike(world: World, actor: Entity, action: Strike, tell: Tell) -> Outcome:
    """Hit for power less defense, one more or less by luck."""
    target = world.map.entity_at(actor.x + action.dx, actor.y + action.dy)
    if target is None or target is actor:
        return Refused("nobody there")
    if actor is not world.hero and target is not world.hero:
        return Refused("friend")
    luck = world.stream("combat").between(-1, 1)
    damage = max(0, actor.fighter.power + luck - target.fighter.defense)
    target.fighter.hp = max(0, target.fighter.hp - damage)
    tell(Struck(who(actor), who(target), damage))
    fell(world, target, actor.kind, tell)
    return Done()


@rule(Descend)
def descend(world: World, actor: Entity, action: Descend, tell: Tell) -> Outcome:
    """Take the exit underfoot to the next depth."""
    if (actor.x, actor.y) != world.map.exit or actor is not world.hero:
        return Refused("no exit here")
    code = world.code
    deeper = code_at(world.setup, code.depth + 1)
    if world.setup.mode is Mode.WORKSHOP:
        deeper = replace(code, depth=code.depth + 1)
    world.enter(build(deeper))
    tell(Arrived(str(world.code), world.depth))
    return Done()


@rule(Visit)
def visit(world: World, actor: Entity, action: Visit, tell: Tell) -> Outcome:
    """Go to another level altogether; an adventure is no longer scored after that."""
    if actor is not world.hero:
        return Refused("not for you")
    try:
        level = build(visited(action.code))
    except (CodeError, UnknownRecipe, TooSmall, BuildFailed) as fault:
        return Refused(str(fault))
    unscored = world.scored
    world.scored = False
    world.enter(level)
    tell(Arrived(str(world.code), world.depth, unscored))
    return Done()
