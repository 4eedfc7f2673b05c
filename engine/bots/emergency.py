"""Ways out of a losing fight for the careful bot (items, stairs, throws), and planting seeds."""

from collections.abc import Iterator

import numpy as np

from components.inventory import Item
from engine.bots.simple_bot import Tried
from engine.bots.tactics import step_towards
from engine.combat.targeting import clear_line
from engine.items.aiming import aim_of, throw_aim
from engine.pathfinding.known_paths import known_way_down
from engine.state.actions import Action, Climb, Descend, Throw, Use
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from engine.terrain.growth import FRUIT
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.seed_kinds import SeedKind, Soil
from entities.statuses import can_walk, speed
from entities.target_shapes import TargetShape
from entities.terrain import tile_mask
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from procgen.plot_ground import SOILS

HEALING = (FRUIT, "healing_potion", "life_potion")
ESCAPING = ("teleportation_scroll", "invisibility_potion", "decoy_scroll")
STOPPING = ("lullaby_scroll", "terror_scroll", "warding_potion", "haste_potion", "confusion_scroll")
STRIKING = ("storm_scroll", "fireball_scroll", "winter_scroll", "lightning_scroll")
WANDS = (
    "banishing_wand", "slowness_wand", "webs_wand", "frost_wand", "flame_wand", "force_wand",
    "polymorph_wand", "weakness_wand", "lightning_wand",
)  # fmt: skip
THROWN = ("slumber_potion", "net", "fire_potion", "oil_flask", "poison_potion", "darkness_potion")
"""Items that are worth throwing at foes, best first."""
BARRIER_SEEDS = (
    "fire_seed", "lake_seed", "collapse_seed", "partition_seed", "hedge_seed", "thicket_seed",
)  # fmt: skip
"""Seeds that lengthen a foe's way or hide the hero, best first."""
BARRIER_DISTANCE = 4
"""Distance in tiles below which a foe arrives before a barrier has grown."""
PEACEFUL_DISTANCE, PLACES_TRIED = 5, 3
"""Out of a fight, seeds are planted within this many tiles; about this many places are tried."""
BORDER = 6
"""Tiles from the border of the map: rock that is nearer to it has no space for a room."""
PLANT_EVERY = 8
"""Turns between attempts to plant out of a fight: testing whether a seed grows is slow."""


def drink_healing(state: GameState, kinds: tuple[str, ...] = HEALING) -> Action | None:
    """Return the use of an identified healing item of ``kinds``, None without one."""
    return _first_use(state, kinds, [])


def use_combat_item(state: GameState, against: list[Entity], *, desperate: bool) -> Action | None:
    """Return the use of an item that turns a fight, None without one.

    If ``desperate``, items to escape with come first, and unidentified ones last.
    """
    order = (*(ESCAPING if desperate else ()), *STOPPING, *STRIKING, *WANDS)
    action = _first_use(state, order, against)
    return action or (next(_unknown(state, against), None) if desperate else None)


def _first_use(state: GameState, kinds: tuple[str, ...], against: list[Entity]) -> Action | None:
    identified = (item for item in _items_of(state, kinds) if is_identified(state, item.kind))
    uses = (_use_on_foe(state, item, against) for item in identified)
    return next((use for use in uses if use), None)


def _items_of(state: GameState, kinds: tuple[str, ...]) -> Iterator[Item]:
    """Yield the items of the pack whose kind is in ``kinds``, in the order of ``kinds``."""
    for kind in kinds:
        yield from (item for item in state.hero.inventory if item.kind == kind)


def _unknown(state: GameState, against: list[Entity]) -> Iterator[Action]:
    for item in state.hero.inventory:
        item_class, target = item_kinds()[item.kind].item_class, item_kinds()[item.kind].target
        if is_identified(state, item.kind):
            continue
        if item_class == "wand" and (act := _use_on_foe(state, item, against)):
            yield act
        elif item_class in ("potion", "scroll") and target and target.shape is not TargetShape.ITEM:
            yield Use(item.id)


def _use_on_foe(state: GameState, item: Item, against: list[Entity]) -> Action | None:
    """Return the use of ``item``; if aimed, it hits a foe and not the hero. None if it cannot."""
    hero, target = state.hero, item_kinds()[item.kind].target
    if target is None or (item_kinds()[item.kind].charges[1] and not item.charges):
        return None
    if not target.aimed and is_identified(state, item.kind):
        return None if aim_of(state, hero, item, None).why else Use(item.id)
    for foe in against:
        place = Point(foe.x, foe.y)
        if target.shape is TargetShape.PLACE:
            return None
        if item_kinds()[item.kind].status in _useless_statuses(foe):
            continue
        aim = aim_of(state, hero, item, place)
        if aim.why is None and place in aim.tiles and Point(hero.x, hero.y) not in aim.tiles:
            return Use(item.id, (place.x, place.y))
    return None


def _useless_statuses(foe: Entity) -> set[str]:
    return {*foe.statuses, *creature_kinds()[foe.kind].traits.immune}


def plant_barrier(state: GameState, against: list[Entity], tried: Tried) -> Action | None:
    """Return the use of a seed that grows a barrier between the hero and a distant foe, or None."""
    hero, foe = state.hero, against[0]
    if (distance := state.hero.distance_to(foe)) < BARRIER_DISTANCE:
        return None  # Growing takes turns: the barrier would be too late.
    line = clear_line(state.map, Point(hero.x, hero.y), Point(foe.x, foe.y), distance // 2)
    open_ = [place for place in line if state.map.walkable[place.y, place.x]]
    return _planting(state, BARRIER_SEEDS, open_[-1:], tried)


def plant_among(state: GameState, against: list[Entity], tried: Tried) -> Action | None:
    """Return the use of a seed that gives a foe a status that it can still get, or None."""
    for item in state.hero.inventory:
        seed = item_kinds()[item.kind].seed
        gives = set(seed.gives) if seed else set()
        places = [Point(foe.x, foe.y) for foe in against if gives - _useless_statuses(foe)]
        if action := _planting(state, (item.kind,), places, tried):
            return action
    return None


def plant_in_peace(state: GameState, tried: Tried) -> Action | None:
    """Return the use of a seed for its fruit and for the new area to explore, or None.

    Seeds that give statuses are kept for fights.
    """
    for item in state.hero.inventory if state.turn % PLANT_EVERY == 0 else ():
        seed = item_kinds()[item.kind].seed
        if seed and not seed.gives:
            places = _peaceful_places(state, seed)
            if action := _planting(state, (item.kind,), places, tried):
                return action
    return None


def _peaceful_places(state: GameState, seed: SeedKind) -> list[Point]:
    """Return a few places where ``seed`` may grow: tiles in view that it takes."""
    game_map, hero = state.map, state.hero
    # Of wet tiles, only those that cannot be walked on need a bridge.
    fits = tile_mask(SOILS[seed.takes[0]])[game_map.tiles] & game_map.visible
    fits &= game_map.walkable == (seed.takes[0] is Soil.BARE)
    seen = np.argwhere(fits[BORDER:-BORDER, BORDER:-BORDER]) + BORDER
    away = np.abs(seen - (hero.y, hero.x)).max(1, initial=0)
    near = seen[away <= PEACEFUL_DISTANCE].tolist()
    return [Point(x, y) for y, x in near[:: max(1, len(near) // PLACES_TRIED)]]


def _planting(
    state: GameState, kinds: tuple[str, ...], places: list[Point], tried: Tried
) -> Action | None:
    """Return the use of the first seed of ``kinds`` that would grow at one of ``places``, or None.

    It counts each attempt in ``tried``. While another seed grows it returns None, because a second
    one cannot take the ground beside it.
    """
    if state.map.growing:
        return None
    for item in _items_of(state, kinds):
        for place in places:
            why = aim_of(state, state.hero, item, place).why
            tried[item.kind, bool(why)] += 1
            if why is None:
                return Use(item.id, (place.x, place.y))
    return None


def throw_harmful(state: GameState, against: list[Entity]) -> Action | None:
    """Return the throw of a harmful item that hits a foe and not the hero; None without one."""
    hero = state.hero
    for item in _items_of(state, THROWN):
        for foe in against if is_identified(state, item.kind) else ():
            place = Point(foe.x, foe.y)
            aim = throw_aim(state, hero, item, place)
            if aim.why is None and place in aim.tiles and (hero.x, hero.y) not in aim.tiles:
                return Throw(item.id, *place)
    return None


def flee_by_stairs(state: GameState, against: list[Entity]) -> Action | None:
    """Return the use of the stairs here, or the step to the exit if the hero is first, or None."""
    hero, game_map = state.hero, state.map
    place = (hero.x, hero.y)
    if game_map.is_way_down(*place):
        return Descend()
    if place == game_map.start and state.depth > 1 and game_map.explored[place[1], place[0]]:
        return Climb()
    if any(state.hero.distance_to(foe) == 1 and _pace(foe) >= speed(hero) for foe in against):
        return None
    exit_ = known_way_down(state)
    if exit_ is None:
        return None
    steps = distances(game_map.walkable & game_map.explored, *exit_)
    mine = int(steps[hero.y, hero.x])
    theirs = min(int(steps[foe.y, foe.x]) * speed(hero) / _pace(foe) for foe in against)
    return step_towards(state, exit_) if mine < UNREACHED and mine < theirs else None


def _pace(foe: Entity) -> int:
    """Return the speed at which ``foe`` follows: 1, not 0, if it sleeps or is held."""
    return speed(foe) if can_walk(foe) else 1
