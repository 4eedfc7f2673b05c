"""Initial monsters of a level, their places and AI states: decided by the level alone."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from components import AiState
from engine.creatures.levelling import make_monster
from entities.creature_kinds import Hiding, MonsterTraits, creature_kinds
from entities.entity import Entity
from entities.terrain import OPENERS, Mask, Tile, terrain, tile_mask
from procgen.analysis.distances import closest_tile, distances, reachable, with_neighbours
from procgen.analysis.field_of_view import visible_from
from procgen.blueprint import Point, Spawn, window_around
from procgen.level import Level
from procgen.level_code import FROM_FILE
from procgen.rng import Rng

AMBUSH_SEARCH = 24
"""The distance from its spawn within which a monster looks for an ambush place, in tiles."""
AMBUSH_FREE = 7
"""No ambush is nearer to the start than this, in tiles."""
CALM_RANGE = 24
"""On depth 1, no monster is awake nearer to the start than this, in tiles."""
BOSS_DISTANCE = 3
"""A boss stands about this many steps before the exit."""
BOSS_SIGHT, HIDDEN_COST, CRAMPED_COST = 12, 6, 2
"""The reach of the exit's view; the steps that a place in it, and one off the walls, are worth."""
SMOOTH = (Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET)
"""Ground for bones, the relic and baits: `terrain().plain` but for rubble, which hides them."""
DOORS = (int(Tile.DOOR), int(Tile.SECRET_DOOR))


@dataclass(frozen=True, slots=True)
class InitialMonster:
    """One monster of a level: kind, place and AI state."""

    kind: str
    x: int
    y: int
    state: AiState

    def to_entity(self, number: int, depth: int) -> Entity:
        """Return the monster as an entity with the id ``number`` and the strength of ``depth``."""
        creature = make_monster(self.kind, number, self.x, self.y, depth)
        assert creature.ai
        creature.ai.state = self.state
        return creature


@lru_cache(maxsize=8)
def initial_monsters(level: Level) -> tuple[InitialMonster, ...]:
    """Return the spawns of ``level``, bosses and their escorts; only spawns in infinite worlds."""
    rng = Rng(level.code.seed, level.code.recipe, "dwellers", level.code.depth)
    free = terrain().walkable[level.tiles] & (level.tiles != Tile.DOOR)
    for x, y in [level.start, level.exit, *((spawn.x, spawn.y) for spawn in level.spawns)]:
        free[y, x] = False
    monsters, (x0, y0) = [], level.start
    for spawn in level.spawns:
        traits = creature_kinds()[spawn.kind].traits
        around = window_around(spawn.x, spawn.y, 1)[0]
        guards_key = tile_mask(OPENERS)[level.tiles[around]].any()
        stays = guards_key or level.code.place or level.code.recipe == FROM_FILE
        ambush = None if stays else _ambush_place(level, free, spawn, traits)
        ai_state = _initial_state(traits, rng)
        if ambush is None and traits.hides in (Hiding.TREASURE, Hiding.DOOR):
            near_door = np.isin(level.tiles[around], DOORS).any()
            bait = level.tiles[spawn.y, spawn.x] in (*SMOOTH, Tile.TREASURE)
            baits = bait if traits.hides is Hiding.TREASURE else near_door
            # Without gold under it, it would be invisible on bare ground.
            ai_state = ai_state if baits else AiState.ASLEEP
        place = ambush or Point(spawn.x, spawn.y)
        if level.code.depth == 1 and max(abs(place.x - x0), abs(place.y - y0)) < CALM_RANGE:
            ai_state = AiState.ASLEEP if ai_state in (AiState.WANDERING, AiState.IDLE) else ai_state
        if ai_state is not AiState.HIDDEN and guards_key:
            ai_state = AiState.ASLEEP  # Guards of a key or a mechanism sleep.
        monsters.append(InitialMonster(spawn.kind, *place, ai_state))
    return (*monsters, *_bosses(level, free, rng))


def _initial_state(traits: MonsterTraits, rng: Rng) -> AiState:
    """Return the AI state at the start.

    It always draws twice: if a trait decided how many numbers are drawn, changing one kind would
    change every monster after it.
    """
    asleep, roams = rng.chance(traits.asleep), rng.chance(traits.roams)
    if traits.hides is not Hiding.NOWHERE:
        return AiState.HIDDEN
    return AiState.ASLEEP if asleep else AiState.WANDERING if roams else AiState.IDLE


def _ambush_place(level: Level, free: Mask, spawn: Spawn, traits: MonsterTraits) -> Point | None:
    """Return an ambush place near ``spawn`` and occupy it; None for kinds that do not hide."""
    match traits.hides:
        case Hiding.TREASURE:
            good = free & (level.tiles == Tile.TREASURE)
        case Hiding.DOOR:
            good = free & with_neighbours(np.isin(level.tiles, DOORS))
        case Hiding.PLACE:
            good = free & with_neighbours(level.tiles == Tile.STATUE)
        case _:
            return None
    good[window_around(*level.start, AMBUSH_FREE - 1)[0]] = False
    good &= reachable(terrain().walkable[level.tiles], spawn.x, spawn.y)
    place = closest_tile(good, spawn.x, spawn.y, steps=True)
    if place is None or max(abs(place.x - spawn.x), abs(place.y - spawn.y)) > AMBUSH_SEARCH:
        return None
    free[place.y, place.x] = False
    return place


def _bosses(level: Level, free: Mask, rng: Rng) -> list[InitialMonster]:
    """Return the bosses of this depth, near the exit, each with its escort."""
    monsters: list[InitialMonster] = []
    for name, kind in creature_kinds().items():
        if kind.lair != level.code.depth or level.code.place:
            continue
        members = [name]
        for other, (low, high) in kind.traits.escort.items():
            members += [other] * rng.between(low, high)
        places = guard_places(level.tiles, free, level.exit)
        for member, (x, y) in zip(members, places, strict=False):
            free[y, x] = False
            monsters.append(InitialMonster(member, x, y, AiState.IDLE))
    return monsters


def guard_places(tiles: NDArray[np.uint8], free: Mask, place: Point) -> list[Point]:
    """Return the ``free`` places from which bosses guard ``place``, the best first.

    They are `BOSS_DISTANCE` steps off, in sight of ``place`` and off the walls, as far as possible.
    """
    open_tiles = terrain().walkable[tiles]
    steps = distances(open_tiles, *place)
    seen = visible_from(terrain().transparent[tiles], *place, BOSS_SIGHT)
    misfit = HIDDEN_COST * ~seen + CRAMPED_COST * with_neighbours(~open_tiles)
    misfit += np.abs(steps - BOSS_DISTANCE)
    ys, xs = np.nonzero(free & reachable(open_tiles, *place))
    order = np.argsort(misfit[ys, xs], kind="stable")
    return [Point(x, y) for x, y in zip(xs[order].tolist(), ys[order].tolist(), strict=True)]
