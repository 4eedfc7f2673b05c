"""The dungeon of a run: builds levels, remembers those left behind, moves the hero between them.

On the surface of an infinite world each entrance leads to a different dungeon. Its levels are
stored in the state while the hero is in it, otherwise in the surface map, under the entrance.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import count

import numpy as np
from msgspec import structs

from engine.infinite.infinite_map import NOWHERE, InfiniteMap
from engine.levels import recipe_by_depth
from engine.levels.populate import give_starting_kit, populated_map
from engine.levels.saved_map import check_ghost, parse_full_code
from engine.levels.stored_levels import pack_level, restore_map, unpack_level
from engine.state.game_map import GameMap
from engine.state.game_state import GameState, NoLevel, Transition
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.growth import finish_growth
from entities.creature_kinds import creature_kinds
from entities.entity import Entity
from entities.seed_kinds import seed_kinds
from entities.terrain import LOCK_TILES, Tile, opened_tile, terrain, tile_mask
from procgen.analysis.distances import closest_tile, reachable
from procgen.blueprint import Point
from procgen.build import build
from procgen.level import Level
from procgen.level_code import FROM_FILE, SEED_LIMIT, CodeError, LevelCode, UnknownRecipe
from procgen.planting import grow_plot, seed_chains
from procgen.plots import Plot, TileChange
from procgen.recipe_builder import BuildFailed
from procgen.recipes import TooSmall, find_recipe
from procgen.rng import Rng
from procgen.settings import recipe_for_code
from procgen.vaults.vault_library import vaults


def new_game(setup: RunSetup, level: Level | None = None) -> GameState:
    """Return the state at the start of a run, on ``level`` or the first level of ``setup``.

    Raises `CodeError`, `UnknownRecipe`, `TooSmall` or `BuildFailed` if there is no such level,
    `InvalidSave` if the grave of ``setup`` holds an impossible item.
    """
    check_ghost(setup)
    ids = count(1)
    code = recipe_by_depth.code_at(setup, setup.depth)
    level = level or recipe_by_depth.level_of(setup, code)
    state = GameState(setup, Dungeon(setup), populated_map(level, setup, lambda: next(ids)))
    state.next_id = next(ids)
    _place_at_start(state)
    give_starting_kit(state.hero, state.new_id)
    return state


class Dungeon:
    """The `LevelSource` of every real run. Everything it must remember is in the state.

    It only caches the levels that were offered last, so that going there does not build them again.
    """

    def __init__(self, setup: RunSetup) -> None:
        """Load seed steps and vaults now: mistakes show, and the first planting is quick."""
        seed_chains()
        vaults()
        self._setup = setup
        self._offered: dict[LevelCode, Level] = {}

    def descend(self, state: GameState, choice: int = 0) -> Transition:
        """Take the stairs or the entrance under the hero; in the Workshop, forget the old level."""
        with _faults_as_no_level():
            choices = _choices_below(state)
            if choice >= len(choices):
                raise NoLevel("no such choice")
            level = self.offered_level(choices[choice])
        return _enter(state, level) if _in_workshop(state) else _take_stairs(state, level)

    def level_choices(self, state: GameState) -> list[LevelCode]:
        """Return the levels that the way down leads to; [] if none: `descend` then says why."""
        with suppress(NoLevel), _faults_as_no_level():
            return _choices_below(state)
        return []

    def offered_level(self, code: LevelCode) -> Level:
        """Return the level of ``code``; build it if it is not cached."""
        if code not in self._offered:
            if len(self._offered) >= recipe_by_depth.MAX_LEVEL_CHOICES:
                self._offered.clear()
            with _faults_as_no_level():
                level = recipe_by_depth.level_of(self._setup, code, nothing_changed=True)
                self._offered[code] = level
        return self._offered[code]

    def climb(self, state: GameState) -> Transition:
        """Take the stairs up, in an adventure or below an infinite world."""
        world = _depth_of_world(state)
        if state.setup.mode is Mode.WORKSHOP and world is None:
            raise NoLevel("no stairs in the Workshop")
        if state.depth == 1:
            raise NoLevel("no way back")
        # The first level below an entrance can be several depths deeper than the world.
        higher = [depth for depth in state.stored_levels if depth < state.depth]
        depth = state.depth - 1 if world is None else max(higher)
        with _faults_as_no_level():
            code = _code_at_depth(state, depth)
            level = recipe_by_depth.level_of(self._setup, code, nothing_changed=True)
        return _take_stairs(state, level)

    def fall(self, state: GameState) -> Transition:
        """Drop to the level below, on the walkable tile nearest to the hero's x and y.

        The tile is not behind a lock, where the hero would be stuck or have bypassed the lock
        without its key, nor a trap, which would not be triggered.
        """
        with _faults_as_no_level():
            level = recipe_by_depth.level_of(self._setup, _code_at_depth(state, state.depth + 1))
        ground = terrain().walkable[level.tiles]
        open_to_all = reachable(ground | (level.tiles == Tile.SECRET_DOOR), *level.start)
        free = ground & open_to_all & ~terrain().fixture[level.tiles]
        place = closest_tile(free, state.hero.x, state.hero.y, steps=True)
        return _go(state, level, place or level.start)

    def visit(self, state: GameState, code: str) -> Transition:
        """Go to the level that ``code`` names; forget the current one, unless it is its world."""
        with _faults_as_no_level():
            full = recipe_by_depth.parse_playable_code(code)
            level = recipe_by_depth.level_of(self._setup, full, nothing_changed=True)
        if isinstance(world := state.map, InfiniteMap) and full.shares_world(state.code):
            world.remove_entity(state.hero)
            state.place_hero(world.move_to(level, state.new_id))
            return Transition()
        return _enter(state, level)

    def hollow_fault(self, state: GameState) -> str:
        """Return why the First Seed cannot be planted on this level, "" if it can."""
        if state.won is None or state.hollow:
            return "no First Seed"
        if state.map.is_infinite or _depth_of_world(state) is not None:
            return "the First Seed grows in dungeons only"
        return "" if _recipe_stays(state) else "the First Seed grows no level that came from a file"

    def grow_hollow(self, state: GameState) -> None:
        """Replace the level by one of the recipe of the longest stay; rebuild the levels above.

        Those above get new seeds. The hero stands at the exit: the way home leads across the level.
        """
        if fault := self.hollow_fault(state):
            raise NoLevel(fault)
        codes = [parse_full_code(code) for _, code in _recipe_stays(state)]
        above = [code for code in codes if code.depth < state.depth]
        next_seeds = [replace(code, seed=(code.seed + 1) % SEED_LIMIT) for code in above]
        with _faults_as_no_level():
            level = build(_hollow_code(state), nothing_changed=True)
            regrown = [build(code, nothing_changed=True) for code in next_seeds]
        state.map.remove_entity(state.hero)
        for upper in regrown:
            state.stored_levels[upper.code.depth] = pack_level(_without_goal(upper, state))
        state.map = _without_goal(level, state)
        state.place_hero(state.map.exit)

    def grow_seed(
        self, state: GameState, seed: str, plot: Plot, rng: Rng
    ) -> list[list[TileChange]]:
        """Return the tiles that a planted seed will change, turn by turn; [] if it cannot grow."""
        # A level from a file has no steps: there, the seed grows by its own chains alone.
        own_recipe = seed_kinds()[seed].own_recipe and state.map.level.steps
        return grow_plot(seed, plot, rng, recipe_for_code(state.map.code) if own_recipe else None)


def _choices_below(state: GameState) -> list[LevelCode]:
    """Return the choices of the way down; one in the Workshop, below worlds, or if visited."""
    below = state.depth + 1
    if _in_workshop(state):
        return [replace(state.code, depth=below)]
    chosen = state.map.is_infinite or below in state.stored_levels
    if chosen or _depth_of_world(state) is not None:
        return [_code_at_depth(state, below)]
    return recipe_by_depth.level_choices_at(state.setup, state.code.seed, below)


def _recipe_stays(state: GameState) -> list[tuple[int, str]]:
    """Return the turns spent on each level of the run that a recipe made, and the level's code."""
    stored = [unpack_level(packed) for packed in state.stored_levels.values()]
    stays = [(state.map.turns_here, str(state.code))]
    stays += [(old.turns_here, old.code) for old in stored]
    return [stay for stay in stays if not stay[1].startswith(FROM_FILE)]


def _hollow_code(state: GameState) -> LevelCode:
    """Return the code of the run's own level: its longest recipe overgrown, a seed of its path."""
    base = parse_full_code(max(_recipe_stays(state))[1])
    path = " ".join(str(code) for code, _ in levels_on_the_way(state))
    seed = Rng(state.setup.seed, "hollow", path, state.turn).below(recipe_by_depth.CHOICE_SEEDS)
    overgrown = find_recipe(f"{base.recipe}+overgrown", base.version)
    return overgrown.code(seed, state.depth, (base.width, base.height))


def _without_goal(level: Level, state: GameState) -> GameMap:
    """Return the map of a new level for the way home: no First Seed, no bosses, the way up open."""
    game_map = populated_map(level, state.setup, state.new_id)
    for creature in list(game_map.entities.values()):
        if creature_kinds()[creature.kind].lair:  # It guarded the way down: there is only one.
            game_map.remove_entity(creature)
    if game_map.goal:
        game_map.set_tile(*game_map.goal, Tile.FLOOR)
    _open_way_up(game_map)
    return game_map


@contextmanager
def _faults_as_no_level() -> Iterator[None]:
    try:
        yield
    except (CodeError, UnknownRecipe, TooSmall, BuildFailed) as fault:
        raise NoLevel(str(fault)) from None


def _enter(state: GameState, level: Level) -> Transition:
    """Leave the current map for good and start on ``level``, populated anew."""
    state.stored_levels.pop(level.code.depth, None)
    if level.code.place:
        state.stored_levels.clear()
    state.map = populated_map(level, state.setup, state.new_id)
    _place_at_start(state)
    return Transition()


def _place_at_start(state: GameState) -> None:
    state.place_hero(state.map.start)
    if state.map.is_infinite:
        state.map.start = NOWHERE


def _take_stairs(state: GameState, level: Level) -> Transition:
    """Go to ``level`` by the stairs; adjacent monsters that hunt the hero follow."""
    place = None if level.code.depth < state.depth else level.start
    transition = _go(state, level, place, state.pursuers())
    game_map = state.map
    if isinstance(game_map, InfiniteMap) and state.stored_levels:  # Back on the surface.
        game_map.levels_below[game_map.world_place(*game_map.exit)] = dict(state.stored_levels)
        state.stored_levels.clear()
    return transition


def _go(
    state: GameState, level: Level, place: Point | None, companions: Sequence[Entity] = ()
) -> Transition:
    """Store the current level and bring the hero to ``place`` on ``level``, new or stored.

    Without a ``place`` the hero appears where it last went down on that map.
    """
    if level.code.place and level.code.depth not in state.stored_levels:
        return _enter(state, level)  # A new world: no stairs lead to its surface.
    if isinstance(state.map, InfiniteMap):  # The levels stored under this entrance come back.
        state.map.exit = Point(state.hero.x, state.hero.y)
        place_in_world = state.map.world_place(*state.map.exit)
        state.stored_levels.update(state.map.levels_below.pop(place_in_world, {}))
    depth, before = level.code.depth, state.map
    upward, packed = depth < state.depth, state.stored_levels.pop(depth, None)
    for creature in [state.hero, *companions]:
        before.remove_entity(creature)
    finish_growth(before, state.new_id)
    again = False
    if packed:
        stored = unpack_level(packed)
        state.map, again = restore_map(stored, level), any(stored.explored)
    else:
        state.map = populated_map(level, state.setup, state.new_id)
        if upward:
            _open_way_up(state.map)
    state.place_hero(place or state.map.exit, companions)
    for creature in companions:
        if creature.id not in state.map.entities:  # There was no room for it.
            before.add_near(creature, creature.x, creature.y)
    state.stored_levels[before.code.depth] = pack_level(before)
    return Transition(companions, again, upward)


def _open_way_up(game_map: GameMap) -> None:
    """Open all locks and ledges of a new level if they block the way from its exit to its start.

    Levels are made for the way from start to exit: keys come before locks, and ledges lead down.
    """
    ground = game_map.walkable | (game_map.tiles == Tile.SECRET_DOOR)
    if reachable(ground, *game_map.exit)[game_map.start.y, game_map.start.x]:
        return
    for y, x in np.argwhere(tile_mask((*LOCK_TILES, Tile.LEDGE))[game_map.tiles]).tolist():
        game_map.set_tile(x, y, opened_tile(int(game_map.tiles[y, x])))


def _code_at_depth(state: GameState, depth: int) -> LevelCode:
    """Return the code of the level at ``depth``: the stored one, or the first on offer."""
    if isinstance(state.map, InfiniteMap):
        place = state.map.world_place(state.hero.x, state.hero.y)
        code = recipe_by_depth.dungeon_at(state.setup, state.code, *place)
        return _stored_code(state.map.levels_below.get(place, {}), code.depth) or code
    if stored_code := _stored_code(state.stored_levels, depth):
        return stored_code
    if _depth_of_world(state) is not None:
        return replace(state.code, depth=depth)
    return recipe_by_depth.code_at(structs.replace(state.setup, seed=state.code.seed), depth)


def levels_on_the_way(state: GameState) -> list[tuple[LevelCode, int]]:
    """Return the levels down to the deepest remembered, each with its number among those offered.

    The number is 0 for the first, and where there was no choice; -1 for a level visited by code. In
    an infinite world the code is that of the hero's place.
    """
    stored = state.stored_levels.items()
    codes = {depth: parse_full_code(unpack_level(packed).code) for depth, packed in stored}
    place = state.map.world_place(state.hero.x, state.hero.y) if state.code.place else None
    codes[state.depth] = replace(state.code, place=place)
    levels, above = list[tuple[LevelCode, int]](), None
    for depth, code in sorted(codes.items()):
        offered = [code]
        if above and not any(other.place for other in codes.values()):
            with suppress(NoLevel), _faults_as_no_level():  # The user has edited the recipe.
                offered = recipe_by_depth.level_choices_at(state.setup, above.seed, depth)
        levels.append((code, offered.index(code) if code in offered else -1))
        above = code
    return levels


def _in_workshop(state: GameState) -> bool:
    """Return True if the hero is on a level of the Workshop, rather than in or below its worlds."""
    in_world = state.map.is_infinite or _depth_of_world(state) is not None
    return state.setup.mode is Mode.WORKSHOP and not in_world


def _stored_code(stored: dict[int, bytes], depth: int) -> LevelCode | None:
    packed = stored.get(depth)
    return parse_full_code(unpack_level(packed).code) if packed else None


def _depth_of_world(state: GameState) -> int | None:
    """Return the depth of the infinite world above the current level, None if there is none."""
    higher = [depth for depth in state.stored_levels if depth < state.depth]
    return max((d for d in higher if unpack_level(state.stored_levels[d]).atlas), default=None)


def forget_furthest(state: GameState) -> bool:
    """Forget the stored level furthest away in depth; return False if there is none to forget.

    A later visit builds the first level on offer there. Below an infinite world, all levels above
    the hero are kept: only they know where it went down, and their stairs up lead to each other.
    """
    least = 0 if _depth_of_world(state) is None else state.depth
    gaps = {depth: abs(depth - state.depth) for depth in state.stored_levels if depth > least}
    if gaps:
        del state.stored_levels[max(gaps, key=gaps.__getitem__)]
    return bool(gaps)
