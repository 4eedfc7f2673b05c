"""Seeds planted at random on many levels, and what a flood fill of its own says about them.

python tests/support/plantings.py 20     # so many plantings of each seed a recipe: figures
"""

import random
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

import numpy as np

from components.inventory import Item
from engine.items.plant_seed import plant
from engine.levels.dungeon import new_game
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.growth import grow_turn
from entities.pack import add_to_pack
from entities.seed_kinds import SeedKind, Soil, seed_kinds
from entities.target_shapes import TargetShape
from entities.terrain import Tile, terrain
from procgen.analysis.distances import distances
from procgen.blueprint import Point
from procgen.build import build
from procgen.recipes import current_recipes, find_any
from procgen.world_types import WorldType, world_types

EVERYWHERE = [*(recipe.name for recipe in current_recipes()), *world_types()]
REACH = 45
"""Tiles around the hero that are flooded; endless worlds have no end."""
NEAR_TARGET = 8
"""Tiles around the target to which the way is measured."""


@dataclass
class Planting:
    """One seed planted: where, what it changed, how long planning took, and what it broke.

    ``detour`` is the most steps by which the way to a tile near the target became longer or
    shorter; a way where there was none counts `UNREACHED`.
    """

    kind: str
    recipe: str
    place: tuple[int, int]
    target: Point | None
    why: str | None = None
    changed: int = 0
    detour: int = 0
    milliseconds: float = 0.0
    broken: list[str] = field(default_factory=list)


def plantings(recipe: str, kinds: list[str], each: int, chance: random.Random, depth: int = 1):
    """Yield plantings of ``kinds`` by a hero on random tiles of one level of ``recipe``."""
    found = find_any(recipe)
    level = build(found.code(chance.randrange(10**6), depth))
    setup = RunSetup(1, "1", Mode.WORKSHOP, recipe)
    endless = isinstance(found, WorldType)
    state = new_game(setup, level) if endless else None
    for kind in kinds:
        for number in range(each):
            # Every third planting is checked after each turn of its growth, others at its end.
            thorough = (number + each) % 3 == 0
            fresh = state or new_game(setup, level)
            yield from _planted(fresh, kind, recipe, chance, thorough=thorough)


def laid_items(game_map: GameMap) -> set[int]:
    """Return the numbers of the items on the ground."""
    return {item.id for pile in game_map.items.values() for item in pile}


def _planted(
    state: GameState, kind: str, recipe: str, chance: random.Random, *, thorough: bool
) -> Iterator[Planting]:
    game_map, hero = state.map, state.hero
    middle = Point(hero.x, hero.y)
    left, top = (max(0, side - REACH + 1) for side in middle)
    near = game_map.walkable[top : middle.y + REACH, left : middle.x + REACH]
    ground = [
        (x + left, y + top)
        for y, x in np.argwhere(near).tolist()
        if game_map.entity_at(x + left, y + top) is None
    ]
    game_map.move_entity(hero, *chance.choice(ground))
    state.look()
    seed = seed_kinds()[kind]
    target = sensible_target(state, seed, chance)
    if target is None and seed.target.shape is not TargetShape.SELF:
        return
    item = add_to_pack(hero, Item(chance.randrange(1, 10**6), kind, identified=True))
    found = Planting(kind, recipe, (hero.x, hero.y), target)
    before, guarded = game_map.tiles.copy(), _Promises(state)
    begun = time.process_time()
    found.why = plant(state, hero, item, target, lambda _: None)
    found.milliseconds = 1000 * (time.process_time() - begun)
    turns = 0
    while game_map.growing:
        grow_turn(state, lambda _: None)
        turns += 1
        if thorough or not game_map.growing:
            found.broken += [f"turn {turns}: {text}" for text in guarded.broken(state)]
    if found.why and item in hero.inventory:
        hero.inventory.remove(item)
    elif (item in hero.inventory) != bool(found.why):
        found.broken.append("refused and spent, or planted and not spent")
    found.changed = int(np.count_nonzero(before != game_map.tiles))
    found.detour = _detour(before, game_map.tiles, Point(hero.x, hero.y), target)
    yield found


def _detour(before: np.ndarray, after: np.ndarray, here: Point, target: Point | None) -> int:
    """Return by how many steps the way from ``here`` to a tile near ``target`` changed at most."""
    if target is None:
        return 0
    reach = 2 * NEAR_TARGET + 16
    left, top = max(0, here.x - reach), max(0, here.y - reach)
    box = np.s_[top : here.y + reach + 1, left : here.x + reach + 1]
    old, new = (terrain().walkable[tiles[box]] for tiles in (before, after))
    ways = [distances(open_, here.x - left, here.y - top) for open_ in (old, new)]
    rows, columns = np.indices(old.shape)
    far = np.maximum(abs(columns + left - target.x), abs(rows + top - target.y))
    near = old & new & (far <= NEAR_TARGET)
    return int(abs(ways[0] - ways[1])[near].max(initial=0))


def sensible_target(state: GameState, seed: SeedKind, chance: random.Random) -> Point | None:
    """Return a tile in view as a player would aim at: water for a bridge, rock for a burrow."""
    game_map, hero = state.map, state.hero
    if seed.target.shape is TargetShape.SELF:
        return None
    reach = min(9, seed.target.range or 9)
    near = [
        Point(x, y)
        for y, x in np.argwhere(game_map.visible).tolist()
        if 0 < max(abs(x - hero.x), abs(y - hero.y)) <= reach
    ]
    wet = (Tile.WATER, Tile.LAVA)
    first = seed.takes[0]

    def suits(place: Point) -> bool:
        tile = int(game_map.tiles[place.y, place.x])
        if first is Soil.WET:
            return tile in wet
        return bool(terrain().walkable[tile]) == (first is Soil.BARE) and tile not in wet

    fit = [place for place in near if suits(place)]
    return chance.choice(fit) if fit else None


class _Promises:
    """What could be reached before a planting, by a flood fill that shares no code with it."""

    def __init__(self, state: GameState) -> None:
        hero = state.hero
        self.start = hero.x, hero.y
        tiles = state.map.tiles
        self.box = self._box(state)
        self.walkable = self._rows(terrain().walkable[tiles])
        self.locks = {(x, y) for y, x in np.argwhere(tiles == Tile.LOCKED_DOOR).tolist()}
        self.secret = self._rows(terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR))
        self.reached = flood(self.walkable, self.start, self.box)
        self.reached_with_secrets = flood(self.secret, self.start, self.box)
        self.fixed = {
            (x, y, int(tiles[y, x]))
            for kind in (Tile.LOCKED_DOOR, Tile.KEY, Tile.RELIC, Tile.ENTRANCE, Tile.TREASURE)
            for y, x in np.argwhere(tiles == kind).tolist()
        }
        self.items = laid_items(state.map)
        self.stairs = [p for p in (state.map.exit, state.map.start) if state.map.contains(*p)]
        self.stairs_tiles = [int(tiles[y, x]) for x, y in self.stairs]

    def _box(self, state: GameState) -> tuple[int, int, int, int]:
        x, y = self.start
        if not state.map.is_infinite:
            return 0, 0, state.map.width - 1, state.map.height - 1
        return x - REACH, y - REACH, x + REACH, y + REACH

    def _rows(self, mask: np.ndarray) -> list[list[bool]]:
        """Return the rows of ``mask``, those outside the box empty: infinite worlds have many."""
        _, top, _, bottom = self.box
        return [[]] * top + mask[top : bottom + 1].tolist()

    def broken(self, state: GameState) -> Iterator[str]:
        """Yield a sentence for each promise that is broken now."""
        game_map = state.map
        walkable = self._rows(terrain().walkable[game_map.tiles])
        reached = flood(walkable, self.start, self.box)
        if cut := [(x, y) for x, y in self.reached if walkable[y][x] and (x, y) not in reached]:
            yield f"{len(cut)} tiles cut off, such as {cut[0]}"
        old = self.walkable
        gained = [
            (x, y) for x, y in reached if old[y][x] and (x, y) not in self.reached_with_secrets
        ]
        while gained:
            part = flood(self.secret, gained[0], self.box)
            if any(near in self.locks for x, y in part for near in around(x, y)):
                yield f"{len(part)} tiles behind a lock reached, such as {gained[0]}"
            gained = [place for place in gained if place not in part]
        for x, y, tile in self.fixed:
            if game_map.tiles[y, x] != tile:
                yield f"{tile} at {x}, {y} is gone"
        for (x, y), tile in zip(self.stairs, self.stairs_tiles, strict=True):
            if game_map.tiles[y, x] != tile:
                yield f"the stairs at {x}, {y} are gone"
        for one in game_map.entities.values():
            if not game_map.walkable[one.y, one.x]:
                yield f"the {one.kind} is buried"
        for x, y in game_map.items:
            if not game_map.walkable[y, x]:
                yield f"an item at {x}, {y} is buried"
        if not self.items <= laid_items(game_map):
            yield "an item is lost"


def flood(
    walkable: list[list[bool]], start: tuple[int, int], box: tuple[int, int, int, int]
) -> set[tuple[int, int]]:
    """Return the places that feet reach from ``start`` within ``box``, in eight directions."""
    left, top, right, bottom = box
    found, queue = {start}, deque([start])
    while queue:
        x, y = queue.popleft()
        for there in around(x, y):
            inside = left <= there[0] <= right and top <= there[1] <= bottom
            if inside and there not in found and walkable[there[1]][there[0]]:
                found.add(there)
                queue.append(there)
    return found


def around(x: int, y: int) -> list[tuple[int, int]]:
    """Return (x, y) and the places about it."""
    return [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def figures(found: list[Planting]) -> str:
    """Return one line about the plantings of one seed."""
    tiles = [one.changed for one in found if not one.why] or [0]
    times = [one.milliseconds for one in found]
    refused = sum(bool(one.why) for one in found)
    felt = sum(one.changed >= 20 or one.detour >= 8 for one in found if not one.why)
    where = Counter(one.recipe for one in found if one.why).most_common(3)
    return (
        f"{len(found):6} planted, {refused * 100 // len(found):3} % refused, 20 tiles or "
        f"8 steps: {100 * felt // len(tiles):3} %, tiles "
        f"{np.median(tiles):4.0f} (10 %: {np.percentile(tiles, 10):3.0f}), under 20: "
        f"{100 * sum(n < 20 for n in tiles) // len(tiles):3} %, ms {np.median(times):5.1f} "
        f"(99 %: {np.percentile(times, 99):5.1f}, most {max(times):5.1f}), "
        f"broken {sum(bool(one.broken) for one in found)} {where if refused else ''}"
    )


def main(arguments: list[str]) -> int:
    """Plant so many of each seed a recipe, or only the seeds named after that; print figures."""
    each, kinds = int(arguments[0]), arguments[1:] or list(seed_kinds())
    chance = random.Random(each)
    found: dict[str, list[Planting]] = {kind: [] for kind in kinds}
    for recipe in EVERYWHERE:
        for depth in (1, 4)[:each]:
            for one in plantings(recipe, kinds, -(-each // 2), chance, depth):
                found[one.kind].append(one)
                if one.broken:
                    print(f"BROKEN {one}", flush=True)
    for kind, some in found.items():
        print(f"{kind:16} {figures(some)}" if some else f"{kind:16} never")
    return any(one.broken for some in found.values() for one in some)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
