"""What a body does on its own: wait, step, strike, tear itself free; and how any action is done."""

from engine.combat.melee import attack, onward
from engine.creatures import levelling as growth
from engine.creatures.status_effects import TEAR, relieve, stumbles, willed
from engine.items import item_actions as handling
from engine.items import item_actions as using
from engine.items import throw_and_fire as throwing
from engine.levels import transitions as stairs
from engine.monsters import monster_actions as deed_rules
from engine.monsters import monster_actions as spell_deeds
from engine.state.action_registry import RULES, rule
from engine.state.actions import (
    Action,
    Deed,
    Descend,
    Done,
    Instead,
    Move,
    Outcome,
    Refused,
    Strike,
    Struggle,
    Unlock,
    Wait,
)
from engine.state.events import Moved, Struggled, Stumbled, Tell, who
from engine.state.game_state import World
from engine.state.run_setup import Mode
from engine.terrain.door_actions import locked
from engine.terrain.levitation import bears
from engine.terrain.tile_effects import tread
from entities.entity import Entity
from entities.statuses import Will, statuses
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point

ELSEWHERE = (deed_rules, spell_deeds, growth, handling, stairs, throwing, using)
"""The modules that hold the other rules."""


def perform(world: World, actor: Entity, action: Action | Deed, tell: Tell) -> Done | Refused:
    """Carry out ``action``, following what it means instead."""
    doing = willed(world, actor, action)
    while True:
        outcome = RULES[type(doing)](world, actor, doing, tell)
        if not isinstance(outcome, Instead):
            return outcome
        doing = outcome.action


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
    other = world.map.entity_at(x, y)
    if other is None and not bears(world.map, actor, x, y):
        opens = actor is world.hero and locked(world, x, y)
        return Instead(Unlock(action.dx, action.dy)) if opens else Refused("blocked")
    if stumbles(world, actor):
        return _stumble(world, actor, tell)
    if other:
        return Instead(Strike(action.dx, action.dy))
    _step(world, actor, x, y, tell)
    onward(world, actor, action.dx, action.dy, tell)
    if actor is world.hero and world.setup.mode is Mode.WORKSHOP and (x, y) == world.map.exit:
        return Instead(Descend())
    return Done()


def _step(world: World, actor: Entity, x: int, y: int, tell: Tell) -> None:
    origin = Point(actor.x, actor.y)
    world.map.move_entity(actor, x, y)
    tell(Moved(who(actor), origin))
    if actor is world.hero:
        tread(world, tell)


def _stumble(world: World, actor: Entity, tell: Tell) -> Outcome:
    """Step some other way than meant, if there is room."""
    dx, dy = world.stream("confusion").pick(DIRECTIONS)
    x, y = actor.x + dx, actor.y + dy
    tell(Stumbled(who(actor)))
    if not world.map.is_blocked(x, y):
        _step(world, actor, x, y, tell)
    return Done()


@rule(Strike)
def strike(world: World, actor: Entity, action: Strike, tell: Tell) -> Outcome:
    """Strike as the weapon in hand does."""
    target = world.map.entity_at(actor.x + action.dx, actor.y + action.dy)
    if target is None or target is actor:
        return Refused("nobody there")
    if actor is not world.hero and target is not world.hero:
        return Refused("friend")
    attack(world, actor, target, tell)
    return Done()


@rule(Struggle)
def struggle(world: World, actor: Entity, action: Struggle, tell: Tell) -> Outcome:
    """Tear at what holds the actor."""
    held = [name for name in actor.statuses if statuses()[name].moves is Will.HELD]
    if not held:
        return Refused("nothing holds you")
    for name in held:
        actor.statuses[name] -= min(actor.statuses[name], TEAR)
    free = not any(actor.statuses[name] for name in held)
    tell(Struggled(who(actor), free))
    for name in held:
        if not actor.statuses[name]:
            relieve(actor, name, tell)
    return Done()
