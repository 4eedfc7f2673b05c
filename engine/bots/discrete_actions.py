"""Discrete actions for learning agents: what each number means, and which are possible now."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from components.inventory import Item
from engine.creatures.levelling import TALENT_CHOICES, offered_talents
from engine.items.aiming import MISSILE, fire_aim, needs_item, needs_target
from engine.levels.recipe_by_depth import MAX_LEVEL_CHOICES
from engine.pathfinding.threats import enemies_in_view
from engine.state import actions
from engine.state.game_state import GameState
from engine.terrain.door_actions import is_locked_door, landing_below
from engine.terrain.levitation import can_enter
from engine.terrain.memories import memory_left
from entities.equipment import slot_of
from entities.item_kinds import item_class_of, item_kinds
from entities.pack import MOST_STACKS, has_room, improvable
from entities.statuses import StepEffect, status_kinds
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point

FIRST_LETTER = ord("a")
AHEAD = 3
"""Distance in tiles at which items are aimed while no foe is in view."""
SIMPLE: tuple[actions.Action, ...] = (
    *(actions.Move(dx, dy) for dx, dy in DIRECTIONS),
    *(actions.Wait(), actions.Struggle(), actions.PickUp(), actions.Climb()),
    actions.PlantFirstSeed(),
    *(actions.Descend(choice) for choice in range(MAX_LEVEL_CHOICES)),
)
"""Actions whose number always means the same; groups of other actions follow."""
FIRE = len(SIMPLE)
TALENT = FIRE + 1
USE = TALENT + TALENT_CHOICES
THROW, DROP = USE + MOST_STACKS, USE + 2 * MOST_STACKS
COUNT = DROP + MOST_STACKS


def game_action(state: GameState, number: int, facing: tuple[int, int]) -> actions.Action | None:
    """Return the game action that ``number`` means now, None for an empty slot.

    Shots, throws and items are aimed at the nearest foe in view; without one, `AHEAD` tiles in the
    direction ``facing``, or at the first wall. A scroll that improves an item is used on the first
    worn item that can be improved.
    """
    if number < FIRE:
        return SIMPLE[number]
    if number == FIRE:
        return actions.Fire(*_target(state, facing))
    if number < USE:
        offered = dict(enumerate(offered_talents(state), TALENT))
        return actions.Choose(offered[number]) if number in offered else None
    item = pack_slots(state).get((number - USE) % MOST_STACKS)
    if item is None:
        return None
    if number >= DROP:
        return actions.Drop(item.id)
    if number >= THROW:
        return actions.Throw(item.id, *_target(state, facing))
    worn = [gear for gear in state.hero.inventory if slot_of(state.hero, gear) and improvable(gear)]
    on = worn[0].id if worn and needs_item(item) else None
    return actions.Use(item.id, _target(state, facing) if needs_target(state, item) else None, on)


def pack_slots(state: GameState) -> dict[int, Item]:
    """Return the items of the pack by slot: 0 for the letter a."""
    return {ord(item.letter) - FIRST_LETTER: item for item in state.hero.inventory}


def _target(state: GameState, facing: tuple[int, int]) -> tuple[int, int]:
    if foes := enemies_in_view(state):
        return foes[0].x, foes[0].y
    x, y = state.hero.x, state.hero.y
    for _ in range(AHEAD):
        if not state.map.contains(x + facing[0], y + facing[1]):
            break
        x, y = x + facing[0], y + facing[1]
        if not state.map.walkable[y, x]:
            break
    return x, y


def action_mask(state: GameState) -> NDArray[np.int8]:
    """Return int8 [action]: 0 if the game would refuse it, or for a throw or shot at nobody.

    Items are not tried out: an item that would have no effect here is refused only when used.
    """
    hero, game_map, mask = state.hero, state.map, bytearray(COUNT)  # Faster to set than arrays.
    if state.end:
        return np.frombuffer(mask, np.int8)
    holding = [name for name in hero.statuses if status_kinds()[name].moves is StepEffect.HELD]
    place, foes = (hero.x, hero.y), enemies_in_view(state)
    above = state.setup.mode == "adventure" and (state.depth > 1 or bool(state.hollow))
    above = above or any(depth < state.depth for depth in state.stored_levels)  # Below a world.
    takes = any(has_room(hero, item) for item in game_map.items_at(*place))
    simple = [*_possible_moves(state), True, bool(holding), takes]
    simple += [above and place == game_map.start, not state.levels.hollow_fault(state)]
    if game_map.is_way_down(*place):
        simple += [True] * len(state.levels.level_choices(state))
    mask[: len(simple)] = simple
    for talent in range(len(offered_talents(state))):
        mask[TALENT + talent] = 1
    if foes:
        mask[FIRE] = fire_aim(state, hero, Point(foes[0].x, foes[0].y)).why is None
    worn = hero.equipment.values()
    away = hero.distance_to(foes[0]) if foes else 10**9  # In view, only range refuses a throw.
    for slot, item in pack_slots(state).items():
        flies = away <= item_kinds()[item.kind].range
        mask[USE + slot] = _is_useful(item.kind, flies)
        mask[DROP + slot] = 1
        mask[THROW + slot] = flies and item.id not in worn
    return np.frombuffer(mask, np.int8)


@cache
def _is_useful(name: str, flies: bool) -> bool:
    """Return True if an item of this kind can be used; ``flies`` if it reaches a foe in view."""
    kind = item_kinds()[name]
    useful = flies if kind.item_class == MISSILE else kind.target is not None
    return item_class_of(name).slot is not None or useful


def _possible_moves(state: GameState) -> list[bool]:
    """Return for each of the `DIRECTIONS` whether a move does something: step, bump or drop."""
    game_map, hero, memory = state.map, state.hero, memory_left(state.map)
    return [
        game_map.entity_at(*(place := (hero.x + dx, hero.y + dy))) is not None
        or can_enter(game_map, hero, *place)
        or place == memory
        or (game_map.keys > 0 and is_locked_door(state, *place))
        or landing_below(state, hero, dx, dy) is not None
        for dx, dy in DIRECTIONS
    ]
