"""Ways out of a losing fight for the careful bot: items, stairs, thrown potions; and seeds."""

from collections.abc import Iterator

from components.inventory import Item
from engine.bots.simple_bot import Tried
from engine.bots.tactics import distance_to, step_towards
from engine.combat.targeting import clear_line
from engine.items.aiming import aim_of, throw_aim
from engine.items.item_table import item_table
from engine.state.actions import Action, Climb, Descend, Throw, Use
from engine.state.game_state import GameState
from engine.state.identification import is_identified
from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.statuses import speed
from entities.target_shapes import TargetShape
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances
from procgen.blueprint import Point

HEALING = ("fruit", "healing_potion", "life_potion")
ESCAPING = ("teleportation_scroll", "invisibility_potion", "decoy_scroll")
STOPPING = ("lullaby_scroll", "terror_scroll", "warding_potion", "haste_potion", "confusion_scroll")
STRIKING = ("fireball_scroll", "lightning_scroll")
WANDS = (
    "banishing_wand", "slowness_wand", "webs_wand", "frost_wand", "flame_wand", "force_wand",
    "polymorph_wand",
)  # fmt: skip
THROWN = ("slumber_potion", "net", "fire_potion", "oil_flask", "poison_potion", "darkness_potion")
"""Items that are worth throwing at foes, best first."""
BARRIERS = (
    "fire_seed", "lake_seed", "collapse_seed", "partition_seed", "hedge_seed", "thicket_seed",
)  # fmt: skip
"""Seeds that lengthen a foe's way or hide the hero, best first."""
NEEDED = ("fire_seed", "collapse_seed", "bridge_seed")
"""Seeds that are not planted in peace: they harm, or need ground that is seldom there."""
SPOT_DISTANCE = 4
"""The steps from the hero to ground that is planted in peace."""
BARRIER_DISTANCE = 4
"""Foes nearer than this are here before a barrier has grown."""
WALL_DISTANCE = 9
"""Walls further away are out of the reach of seeds that grow in rock."""
BORDER = 6
"""Rock that is nearer to the border of the map has no space for a room."""
KEPT = 4
"""Seeds that give statuses are planted in peace only beyond so many."""
PLANT_EVERY = 8
"""A seed is tried in peace on every eighth turn only: finding out whether it grows takes time."""


def drink_healing(state: GameState) -> Action | None:
    """Return the use of an identified healing potion, None without one."""
    return _first(state, HEALING, [])


def use_combat_item(state: GameState, against: list[Entity], *, desperate: bool) -> Action | None:
    """Return the use of an item that turns a fight; of anything at all if ``desperate``."""
    order: tuple[str, ...] = (*STOPPING, *STRIKING, *WANDS)
    if desperate:
        order = (*ESCAPING, *order)
    found = _first(state, order, against)
    if found is None and desperate:
        found = next(_unknown(state, against), None)
    return found


def _first(state: GameState, kinds: tuple[str, ...], against: list[Entity]) -> Action | None:
    for kind in kinds:
        for item in state.hero.inventory:
            if (
                item.kind == kind
                and is_identified(state, kind)
                and (act := _use(state, item, against))
            ):
                return act
    return None


def _unknown(state: GameState, against: list[Entity]) -> Iterator[Action]:
    for item in state.hero.inventory:
        sort = item_table()[item.kind].item_class
        if not is_identified(state, item.kind) and sort in ("potion", "scroll", "wand"):
            if sort == "wand" and (act := _use(state, item, against)):
                yield act
            elif sort != "wand" and item_table()[item.kind].target is not None:
                target = item_table()[item.kind].target
                if target and target.shape is not TargetShape.ITEM:
                    yield Use(item.id)


def _use(state: GameState, item: Item, against: list[Entity]) -> Action | None:
    """Return the use of ``item`` that hits a foe and not the hero; None if it cannot."""
    hero, target = state.hero, item_table()[item.kind].target
    if target is None or (item_table()[item.kind].charges[1] and not item.charges):
        return None
    if not target.aimed and is_identified(state, item.kind):
        return None if aim_of(state, hero, item, None).why else Use(item.id)
    for foe in against:
        place = Point(foe.x, foe.y)
        if target.shape is TargetShape.PLACE:
            return None
        found = aim_of(state, hero, item, place)
        if found.why is None and place in found.tiles and Point(hero.x, hero.y) not in found.tiles:
            return Use(item.id, (place.x, place.y))
    return None


def plant_barrier(state: GameState, against: list[Entity], tried: Tried) -> Action | None:
    """Return the planting of a barrier between the hero and a foe that is still some steps away."""
    foe = against[0]
    if distance_to(state, foe) < BARRIER_DISTANCE:
        return None  # Growing takes turns: it would come too late.
    hero, apart = state.hero, distance_to(state, foe)
    line = clear_line(state.map, Point(hero.x, hero.y), Point(foe.x, foe.y), apart // 2)
    open_ = [place for place in line if state.map.walkable[place.y, place.x]]
    return _planting(state, BARRIERS, open_[-1:], tried)


def plant_among(state: GameState, against: list[Entity], tried: Tried) -> Action | None:
    """Return the planting of a seed that gives a status to foes that have none yet."""
    places = [Point(one.x, one.y) for one in against if not one.statuses]
    seeds = tuple(item.kind for item in state.hero.inventory if _gives(item))
    return _planting(state, seeds, places, tried)


def _gives(item: Item) -> bool:
    seed = item_kinds()[item.kind].seed
    return seed is not None and bool(seed.gives)


def plant_in_peace(state: GameState, tried: Tried) -> Action | None:
    """Return the planting of a seed for its fruit, and for what can be explored in it.

    The last barrier is kept for a fight.
    """
    if state.turn % PLANT_EVERY:
        return None
    seeds = [item for item in state.hero.inventory if item_kinds()[item.kind].seed]
    weapons = sum(item.count for item in seeds if _gives(item))
    for item in seeds:
        kept = _gives(item) and weapons <= KEPT
        if item.kind not in NEEDED and not kept:
            places = list(_peaceful_places(state, item.kind))
            if action := _planting(state, (item.kind,), places, tried):
                return action
    return None


def _peaceful_places(state: GameState, kind: str) -> Iterator[Point]:
    """Yield the places to plant a seed of ``kind`` at: in a wall, on open ground, or here."""
    game_map, target = state.map, item_table()[kind].target
    here = Point(state.hero.x, state.hero.y)
    if target and target.shape is TargetShape.SELF:
        yield here
        return
    in_walls = target and target.shape in (TargetShape.ROCK, TargetShape.BOLT)
    for way in DIRECTIONS[:4]:
        if in_walls and (wall := _wall_ahead(state, way)):
            yield wall
        x, y = here.x + SPOT_DISTANCE * way[0], here.y + SPOT_DISTANCE * way[1]
        seen = game_map.contains(x, y) and game_map.visible[y, x]
        if not in_walls and seen and game_map.walkable[y, x]:
            yield Point(x, y)


def _wall_ahead(state: GameState, way: tuple[int, int]) -> Point | None:
    """Return the wall the hero faces that ``way``, None if it is far or at the map's border."""
    game_map, (x, y) = state.map, (state.hero.x, state.hero.y)
    for _ in range(WALL_DISTANCE):
        x, y = x + way[0], y + way[1]
        deep = game_map.contains(x + BORDER * way[0], y + BORDER * way[1])
        if not deep or not game_map.visible[y, x]:
            return None
        if not game_map.transparent[y, x] and not game_map.walkable[y, x]:
            return Point(x, y)
    return None


def _planting(
    state: GameState, kinds: tuple[str, ...], places: list[Point], tried: Tried
) -> Action | None:
    """Return the first planting of one of ``kinds`` at one of ``places`` that would grow.

    None while something grows, because no other seed takes the ground beside it.
    """
    if state.map.growing:
        return None
    for kind in kinds:
        for item in state.hero.inventory:
            for place in places if item.kind == kind else ():
                why = aim_of(state, state.hero, item, place).why
                tried[kind, bool(why)] += 1
                if why is None:
                    return Use(item.id, (place.x, place.y))
    return None


def throw_harmful(state: GameState, against: list[Entity]) -> Action | None:
    """Return the throw of a harmful item at a foe far enough away; None if it cannot."""
    hero = state.hero
    for item in sorted(hero.inventory, key=_rank):
        if item.kind not in THROWN or not is_identified(state, item.kind):
            continue
        for foe in against:
            place = Point(foe.x, foe.y)
            found = throw_aim(state, hero, item, place)
            if found.why is None and place in found.tiles and (hero.x, hero.y) not in found.tiles:
                return Throw(item.id, *place)
    return None


def _rank(item: Item) -> int:
    return THROWN.index(item.kind) if item.kind in THROWN else len(THROWN)


def flee_by_stairs(state: GameState, against: list[Entity]) -> Action | None:
    """Return the step to the stairs if the foes do not get there first."""
    hero, game_map = state.hero, state.map
    here = (hero.x, hero.y)
    if here == game_map.exit:
        return Descend()
    if here == game_map.start and state.depth > 1 and game_map.explored[here[1], here[0]]:
        return Climb()
    faster = any(speed(one) > speed(hero) for one in against)
    if faster or any(distance_to(state, one) == 1 for one in against):
        return None
    exit_ = game_map.exit
    if not game_map.explored[exit_.y, exit_.x]:
        return None
    ground = game_map.walkable & game_map.explored
    steps = distances(ground, *exit_)
    mine = int(steps[hero.y, hero.x])
    theirs = min(int(steps[one.y, one.x]) for one in against)
    return step_towards(state, exit_) if mine < UNREACHED and mine < theirs else None
