"""Coming to another depth: up or down the stairs, or through the floor."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from engine.levels.dungeon import above, close_door, code_under, surface
from engine.levels.level_choice import visited
from engine.state.action_registry import handles
from engine.state.actions import Climb, Descend, Done, Outcome, Refused, Visit
from engine.state.events import Arrived, Emit, Followed, creature_ref
from engine.state.game_state import GameState
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
def _fall(state: GameState, victim: Entity, trap: Trap, name: str, emit: Emit) -> None:
    _hurt(state, victim, trap, name, emit)
    if victim.alive and state.setup.mode is Mode.ADVENTURE:
        with suppress(TooSmall, BuildFailed):
            fall(state, emit)


def take_stairs(state: GameState, depth: int, emit: Emit) -> None:
    """Go to the level at ``depth`` by the stairs; who hunts close by comes along."""
    upward = depth < state.depth
    level = build(code_under(state, depth))
    back = None if level.code.place else level.exit
    _go(state, level, back if upward else level.start, emit, state.pursuers())
    close_door(state)


def fall(state: GameState, emit: Emit) -> None:
    """Come down on the level below, under where one stood."""
    level = build(code_under(state, state.depth + 1))
    ys, xs = np.nonzero(terrain().walkable[level.tiles])
    away = np.maximum(np.abs(xs - state.hero.x), np.abs(ys - state.hero.y))
    nearest = int(away.argmin())
    _go(state, level, Point(int(xs[nearest]), int(ys[nearest])), emit)


def _go(
    state: GameState,
    level: Level,
    place: Point | None,
    emit: Emit,
    companions: Sequence[Entity] = (),
) -> None:
    depth = level.code.depth
    upward, again = depth < state.depth, depth in state.remembered
    state.go(level, place, companions)
    emit(Arrived(str(state.code), state.depth, again=again, upward=upward))
    for creature in companions:
        if creature.id in state.map.entities:
            emit(Followed(creature_ref(creature)))


NOWHERE = (CodeError, UnknownRecipe, TooSmall, BuildFailed)
"""Why there may be no level where a way leads."""


@handles(Descend)
def descend(state: GameState, actor: Entity, action: Descend, emit: Emit) -> Outcome:
    """Take the exit underfoot to the next depth."""
    if not state.map.is_way_down(actor.x, actor.y) or actor is not state.hero:
        return Refused("no exit here")
    in_workshop = state.setup.mode is Mode.WORKSHOP
    try:
        if in_workshop and not state.map.is_infinite and surface(state) is None:
            state.enter(build(replace(state.code, depth=state.depth + 1)))
            emit(Arrived(str(state.code), state.depth))
        else:
            take_stairs(state, state.depth + 1, emit)
    except NOWHERE as fault:
        return Refused(str(fault))
    return Done()


@handles(Climb)
def climb(state: GameState, actor: Entity, action: Climb, emit: Emit) -> Outcome:
    """Take the stairs at the start of the level to the depth above; an adventure's only."""
    if (actor.x, actor.y) != state.map.start or actor is not state.hero:
        return Refused("no way up here")
    if state.setup.mode is Mode.WORKSHOP and surface(state) is None:
        return Refused("no stairs in the Workshop")
    if state.depth == 1:
        return Refused("no way back")
    try:
        take_stairs(state, above(state), emit)
    except NOWHERE as fault:
        return Refused(str(fault))
    return Done()


@handles(Visit)
def visit(state: GameState, actor: Entity, action: Visit, emit: Emit) -> Outcome:
    """Go to another level altogether; an adventure is no longer scored after that."""
    if actor is not state.hero:
        return Refused("not for you")
    try:
        level = build(visited(action.code))
    except NOWHERE as fault:
        return Refused(str(fault))
    unscored = state.scored
    state.scored = False
    state.enter(level)
    emit(Arrived(str(state.code), state.depth, unscored))
    return Done()
