"""Going to another level: stairs, falling through the floor, and level codes."""

from contextlib import suppress

from engine.creatures.status_effects import release_holds
from engine.state import events as ev
from engine.state.action_registry import handles
from engine.state.actions import Climb, Descend, Done, Outcome, PlantFirstSeed, Refused, Visit
from engine.state.game_state import GameState, NoLevel, Transition
from engine.state.identification import item_ref
from engine.state.run_setup import Mode
from engine.terrain.growth import FRUIT
from engine.terrain.tile_effects import damage_trap, trap_effect
from entities.entity import Entity
from entities.pack import remove_from_pack
from entities.trap_kinds import TrapKind


@trap_effect("fall")
def _fall(state: GameState, victim: Entity, trap: TrapKind, name: str, emit: ev.Emit) -> None:
    """Damage the victim and drop it one level; in the Workshop only damage it."""
    damage_trap(state, victim, trap, name, emit)
    if victim.alive and state.setup.mode is Mode.ADVENTURE:
        with suppress(NoLevel):
            _emit_arrival(state, state.levels.fall(state), emit)


@handles(Descend)
def descend(state: GameState, actor: Entity, action: Descend, emit: ev.Emit) -> Outcome:
    """Take the exit under the hero to the level of the next depth that was chosen."""
    if not state.map.is_way_down(actor.x, actor.y) or actor is not state.hero:
        return Refused("no exit here")
    _emit_arrival(state, state.levels.descend(state, action.choice), emit)
    return Done()


@handles(Climb)
def climb(state: GameState, actor: Entity, action: Climb, emit: ev.Emit) -> Outcome:
    """Take the stairs at the start of the level to the depth above."""
    if (actor.x, actor.y) != state.map.start or actor is not state.hero:
        return Refused("no way up here")
    if state.hollow and state.depth == 1:
        state.home = state.turn
        emit(ev.CameHome())
        return Done(0)  # The run is over: nothing may hurt the hero after that.
    _emit_arrival(state, state.levels.climb(state), emit)
    return Done()


@handles(PlantFirstSeed)
def plant_first_seed(
    state: GameState, actor: Entity, action: PlantFirstSeed, emit: ev.Emit
) -> Outcome:
    """Grow the run's own level here; from then on the stairs up lead home."""
    if actor is not state.hero:
        return Refused("no First Seed")
    state.levels.grow_hollow(state)
    state.hollow = str(state.code)
    _arrive(state, ev.Arrived(state.hollow, state.depth, grown=True), emit)
    emit(ev.GrewHollow(state.hollow))
    return Done()


@handles(Visit)
def visit(state: GameState, actor: Entity, action: Visit, emit: ev.Emit) -> Outcome:
    """Go to the level of a code; after that, an adventure is no longer scored."""
    if actor is not state.hero:
        return Refused("not for you")
    state.levels.visit(state, action.code)
    _arrive(state, ev.Arrived(str(state.code), state.depth, state.scored), emit)
    state.scored = False
    return Done()


def _arrive(state: GameState, arrival: ev.Arrived, emit: ev.Emit) -> None:
    """Emit the hero's ``arrival``, out of any net and without fruits, which wilt."""
    emit(arrival)
    release_holds(state.hero, emit)
    wilt(state, emit)


def wilt(state: GameState, emit: ev.Emit) -> None:
    """Let the hero's fruits wilt: it is far from where they grew."""
    for item in [item for item in state.hero.inventory if item.kind == FRUIT]:
        remove_from_pack(state.hero, item)
        emit(ev.Wilted(item_ref(state, item)))


def _emit_arrival(state: GameState, transition: Transition, emit: ev.Emit) -> None:
    """Emit the hero's arrival and that of each companion that found room."""
    code, again, upward = str(state.code), transition.again, transition.upward
    _arrive(state, ev.Arrived(code, state.depth, again=again, upward=upward), emit)
    for creature in transition.companions:
        if creature.id in state.map.entities:
            emit(ev.Followed(ev.creature_ref(creature)))
