"""Perform an action; handlers of the basic ones: wait, move, strike, struggle."""

from engine.combat.melee import lunge_after_step, melee_attack
from engine.creatures import levelling, status_effects
from engine.creatures.noise import wake_without_blame
from engine.items import item_actions
from engine.levels import transitions
from engine.monsters import monster_actions
from engine.state import actions as act
from engine.state.action_registry import ACTION_HANDLERS, handles
from engine.state.events import CreatureRef, Emit, Moved, Struggled, Stumbled, creature_ref
from engine.state.game_map import ROW
from engine.state.game_state import GameState, NoLevel
from engine.state.run_setup import Mode
from engine.terrain.door_actions import is_locked_door, landing_below
from engine.terrain.forced_movement import relocate
from engine.terrain.levitation import can_enter
from engine.terrain.memories import memory_left, recall
from engine.terrain.tile_effects import on_enter_tile
from entities.entity import Entity
from entities.statuses import StepEffect, status_kinds
from entities.terrain import DEEP, LOCK_TILES, TILE_NAMES, Tile
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import cached_point

ELSEWHERE = (item_actions, levelling, monster_actions, transitions)
"""The modules with the other action handlers: importing them registers those handlers."""
NAMED_OBSTACLES = frozenset({*DEEP, *LOCK_TILES})
"""The tiles that a refused step names as its reason."""


def perform(
    state: GameState, actor: Entity, action: act.AnyAction, emit: Emit
) -> act.Done | act.Refused:
    """Perform ``action`` and return the outcome, following each `Alternate` to its action.

    The caller has passed it through `status_effects.action_after_statuses`. The handler is looked
    up by the action's type in `ACTION_HANDLERS`. If there is no level to go to, the action is
    refused; but a step onto an exit that leads nowhere counts as done.
    """
    doing = action
    while True:
        try:
            outcome = ACTION_HANDLERS[type(doing)](state, actor, doing, emit)
        except NoLevel as fault:
            return act.Refused(str(fault)) if doing is action else act.Done()
        if not isinstance(outcome, act.Alternate):
            return outcome
        doing = outcome.action


@handles(act.Wait)
def wait(state: GameState, actor: Entity, action: act.Wait, emit: Emit) -> act.Outcome:
    """Do nothing for the time of one step."""
    return act.Done()


@handles(act.Move)
def move(state: GameState, actor: Entity, action: act.Move, emit: Emit) -> act.Outcome:
    """Step to a neighbouring tile, or `Strike`, `Unlock` or `Descend` instead.

    The hero recalls the memory of a shelf or statue by walking into it.
    """
    if not (action.dx or action.dy):
        return act.Alternate(act.Wait())
    x, y, game_map = actor.x + action.dx, actor.y + action.dy, state.map
    taken = game_map.entity_at(x, y) is not None
    if not taken and not can_enter(game_map, actor, x, y):
        if actor is state.hero and memory_left(game_map) == (x, y):
            recall(game_map, emit)
            return act.Done()
        if landing := landing_below(state, actor, action.dx, action.dy):
            relocate(state, actor, *landing, "dropped", emit)
            return act.Done()
        if actor is state.hero and is_locked_door(state, x, y):
            return act.Alternate(act.Unlock(action.dx, action.dy))
        tile = game_map.tiles.item(y, x) if game_map.contains(x, y) else Tile.WALL
        return act.Refused(TILE_NAMES[tile] if tile in NAMED_OBSTACLES else "blocked")
    if actor.statuses and status_effects.stumbles(state, actor):
        return _stumble(state, actor, emit)
    if taken:
        return act.Alternate(act.Strike(action.dx, action.dy))
    _step(state, actor, x, y, emit)
    if actor.equipment and game_map.entity_at(x, y) is actor:  # No trap has moved it.
        lunge_after_step(state, actor, action.dx, action.dy, emit)
    at_exit = actor is state.hero and (x, y) == state.map.exit and not state.map.is_infinite
    leaves = at_exit and state.setup.mode is Mode.WORKSHOP
    return act.Alternate(act.Descend()) if leaves else act.Done()


def walks(state: GameState, monster: Entity, action: act.AnyAction, emit: Emit) -> bool:
    """Take a plain step, as most actions of a crowd are; return False if ``action`` is none.

    It is what `move` does for a monster without statuses or gear; none chooses a step off the map.
    """
    if type(action) is not act.Move or monster.statuses or monster.equipment:
        return False
    x, y, game_map = monster.x + action.dx, monster.y + action.dy, state.map
    if y * ROW + x in game_map.places or not game_map.walkable.item(y, x):
        return False
    origin = game_map.move_entity(monster, x, y)
    emit(Moved(CreatureRef(monster.id, monster.kind, cached_point(x, y)), origin))
    return True


def _step(state: GameState, actor: Entity, x: int, y: int, emit: Emit) -> None:
    origin = state.map.move_entity(actor, x, y)
    emit(Moved(creature_ref(actor), origin))
    if actor is state.hero:
        on_enter_tile(state, emit)


def _stumble(state: GameState, actor: Entity, emit: Emit) -> act.Outcome:
    """Step in a random direction, as confusion makes creatures do, if that tile is free."""
    dx, dy = state.stream("confusion").pick(DIRECTIONS)
    x, y = actor.x + dx, actor.y + dy
    emit(Stumbled(creature_ref(actor)))
    if state.map.entity_at(x, y) is None and can_enter(state.map, actor, x, y):
        _step(state, actor, x, y, emit)
    return act.Done()


@handles(act.Strike)
def strike(state: GameState, actor: Entity, action: act.Strike, emit: Emit) -> act.Outcome:
    """Attack the creature on a neighbouring tile with the wielded weapon."""
    target = state.map.entity_at(actor.x + action.dx, actor.y + action.dy)
    if target is None or target is actor:
        return act.Refused("nobody there")
    at_war = state.map.are_at_war(actor, target)
    if actor is not state.hero and target is not state.hero and not at_war:
        return act.Refused("friend")
    melee_attack(state, actor, target, emit)
    if at_war:
        wake_without_blame(target)
    return act.Done()


@handles(act.Struggle)
def struggle(state: GameState, actor: Entity, action: act.Struggle, emit: Emit) -> act.Outcome:
    """Shorten every status that holds the actor by `status_effects.STRUGGLE_TURNS`."""
    holding = [name for name in actor.statuses if status_kinds()[name].moves is StepEffect.HELD]
    if not holding:
        return act.Refused("nothing holds you")
    for name in holding:
        actor.statuses[name] -= min(actor.statuses[name], status_effects.STRUGGLE_TURNS)
    free = not any(actor.statuses[name] for name in holding)
    emit(Struggled(creature_ref(actor), free))
    for name in holding:
        if not actor.statuses[name]:
            status_effects.cure_status(actor, name, emit)
    return act.Done()
