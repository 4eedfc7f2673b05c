"""Initial loot: which items lie where on a new level.

They depend only on the finished level, its seed and its depth, never on the run: the level of a
code always holds the same items.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from typing import Annotated

import msgspec
import numpy as np
import scipy
from msgspec import Meta

from components.inventory import Item, PlacedItem
from entities.data_files import DataError, check_names, positive_weights, read_table
from entities.item_kinds import SEED, item_classes, item_kinds
from entities.terrain import LOCK_TILES, SHUT_DOORS, TILE_NAMES, Mask, Tile, terrain, tile_mask
from procgen.analysis.chokepoints import Structure
from procgen.analysis.distances import bitboard_distances, reachable, with_neighbours
from procgen.blueprint import Point, scale_of, window_around
from procgen.level import Level
from procgen.rng import Rng

LOOT_GROUND = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.GRASS, Tile.SAND, Tile.MOSS, Tile.CARPET),
    *(Tile.RUBBLE, Tile.ICE, Tile.BONES, Tile.STAIN),
)
"""The terrain that items lie on."""
START_STEPS = 4
"""No item lies fewer than this many steps from the start."""
SIDE_AREA_LEAST, SIDE_AREA_MOST = 4, 150
"""The fewest and the most tiles of a side area, which a single tile cuts off."""
LARGE_ROOM = 60
"""Locked parts of more tiles hold, besides the prize, their share of what lies on open ground."""
MOST_PLACES = 128
"""The most places of each sort that are kept."""
LOOT_FILE = "loot.toml"
Count = Annotated[int, Meta(ge=0, le=100)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Weight = Annotated[int, Meta(ge=1)]


class LootTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of items on a level of the standard area; `scale_of` multiplies some of them.

    ``usual`` is the least and greatest number of items drawn by weight, and there is another for
    every ``monsters_per_item`` monsters, so that a dangerous level is worth its danger; ``odds``
    are the percent of equipment that is plain, +1 and +2; the rest is -1. There are
    ``guaranteed_per_10_depths`` of a kind in every ten depths. ``hidden``, ``locked`` and ``boss``
    are the weights of the item classes there and on bosses. ``seeds`` is the least and greatest
    number of seeds, ``seeds_locked`` the percent of locked or secret rooms with another. ``beside``
    is the tile next to which items of a class lie, on levels that have it.
    """

    usual: tuple[Count, Count]
    monsters_per_item: Weight
    odds: tuple[Percent, Percent, Percent]
    guaranteed_per_10_depths: dict[str, Count]
    hidden: dict[str, Weight]
    locked: dict[str, Weight]
    boss: dict[str, Weight]
    seeds: tuple[Count, Count]
    seeds_locked: Percent
    beside: dict[str, str]


@cache
def loot_table() -> LootTable:
    """Return the loot table; raise `DataError` if it is invalid or names an unknown kind."""
    table = read_table(LOOT_FILE, LootTable)
    where, guaranteed = f"data/{LOOT_FILE}", table.guaranteed_per_10_depths
    check_names(f"{where}: guaranteed_per_10_depths", guaranteed, item_kinds(), "item")
    for field in ("hidden", "locked", "boss", "beside"):
        check_names(f"{where}: {field}", getattr(table, field), item_classes(), "item class")
    for name, tile in table.beside.items():
        check_names(f"{where}: beside: {name}", [tile], TILE_NAMES, "tile")
    for field in ("usual", "seeds"):
        least, most = getattr(table, field)
        if least > most:
            raise DataError(f"data/{LOOT_FILE}: {field}: least and most are not a range")
    if sum(table.odds) > 100:
        raise DataError(f"data/{LOOT_FILE}: odds: more than 100 percent")
    return table


@dataclass
class LootPlaces:
    """Shuffled places for items: ``open`` ground, ``hidden`` side areas, each ``locked`` room.

    Ground in a large locked room is open, too.

    ``beside`` are places next to furniture of a kind, by the name of the tile.
    """

    open: list[Point]
    hidden: list[Point]
    locked: list[list[Point]]
    beside: dict[str, list[Point]]


def find_loot_places(level: Level, rng: Rng, furniture: Iterable[str]) -> LootPlaces:
    """Return the places for loot on ``level``; ``furniture`` names tiles to put loot beside."""
    walkable = terrain().walkable[level.tiles]
    inside = _reachable(walkable, level.start)
    rooms = _locked_rooms(level, walkable & ~inside)
    bare = tile_mask(LOOT_GROUND)[level.tiles]
    bare[level.exit.y, level.exit.x] = False
    at_locks = with_neighbours(tile_mask(LOCK_TILES)[level.tiles], diagonal=False)
    locked = [room for room in rooms if (room & at_locks).any()]  # Not behind a secret door alone.
    halls = [room for room in locked if np.count_nonzero(room) > LARGE_ROOM]
    free = bare & reduce(np.logical_or, halls, inside) & ~_near_start(walkable, level.start)
    hidden = free & (_side_areas(walkable, level.start) | _beside(level, "treasure"))
    return LootPlaces(
        _shuffled_places(free & ~hidden, rng),
        _shuffled_places(hidden, rng),
        [_shuffled_places(room & bare, rng) for room in rooms],
        {name: _shuffled_places(free & _beside(level, name), rng) for name in furniture},
    )


def _reachable(walkable: Mask, start: Point) -> Mask:
    """Return the tiles that can be walked to from ``start``."""
    ground = walkable.copy()
    ground[start.y, start.x] = True
    return reachable(ground, *start)


def _near_start(walkable: Mask, start: Point) -> Mask:
    """Return the tiles fewer than `START_STEPS` steps from ``start``, found in a small window."""
    near = np.zeros(walkable.shape, np.bool_)
    box, left, top = window_around(*start, START_STEPS)
    steps = bitboard_distances(walkable[box], start.x - left, start.y - top, START_STEPS)
    near[box] = steps < START_STEPS
    return near


def _shuffled_places(mask: Mask, rng: Rng) -> list[Point]:
    ys, xs = mask.nonzero()
    chosen = rng.shuffled(range(len(xs)))[:MOST_PLACES]
    return [Point(int(xs[index]), int(ys[index])) for index in chosen]


def _side_areas(walkable: Mask, start: Point) -> Mask:
    """Return the small areas that one articulation point cuts off from ``start``."""
    cuts = Structure(walkable, start).cuts
    gates = (cuts >= SIDE_AREA_LEAST) & (cuts <= SIDE_AREA_MOST)
    parts, count = scipy.ndimage.label(walkable & ~gates)
    sizes = np.bincount(parts.ravel(), minlength=count + 1)
    small = sizes <= SIDE_AREA_MOST
    small[0] = False
    bordering = np.unique(parts[with_neighbours(gates, diagonal=False)])
    shut = np.zeros(count + 1, bool)
    shut[bordering] = True
    shut &= small
    shut[parts[start.y, start.x]] = False
    return shut[parts]


def _beside(level: Level, name: str) -> Mask:
    """Return the tiles named ``name`` and those next to them."""
    return with_neighbours(level.tiles == TILE_NAMES.index(name))


def _locked_rooms(level: Level, unreachable: Mask) -> list[Mask]:
    """Return the rooms behind locked or secret doors, in reading order."""
    doors = tile_mask(SHUT_DOORS)[level.tiles]
    if not doors.any():
        return []
    rooms, count = scipy.ndimage.label(unreachable)
    at_doors = with_neighbours(doors, diagonal=False)
    masks = (rooms == number for number in range(1, count + 1))
    return [room for room in masks if (room & at_doors).any()]


WITH_BONUS = ("weapon", "bow", "armour")
"""The item classes that can have a bonus."""
BOSS_BONUS = 3
PERIOD = 10


def make_item(placed: PlacedItem, number: int) -> Item:
    """Return ``placed`` as an item with the id ``number``."""
    return Item(number, placed.kind, placed.many, placed.bonus, placed.charges)


@lru_cache(maxsize=8)
def initial_loot(level: Level, share: int | None = None) -> tuple[PlacedItem, ...]:
    """Return the items of a new ``level``, in the order they were placed.

    With a ``share``, they are those of so many levels of the standard area. It is called twice for
    each level: to place the items, and for its hash in the run file.
    """
    if level.items is not None:
        return level.items
    code = level.code
    rng = Rng(code.seed, code.recipe, code.depth, "stock")
    places = find_loot_places(level, rng, dict.fromkeys(loot_table().beside.values()))
    laid: list[PlacedItem] = []
    for room in places.locked:
        _place(laid, _draw_locked(code.depth, rng), rng, room, better=1)
    scale = share or scale_of(level.tiles.size)
    for _ in range(scale):
        if places.hidden:
            _place(laid, _draw_by_class(code.depth, loot_table().hidden, rng), rng, places.hidden)
    guaranteed = guaranteed_items(code.seed, code.depth) * (share or 1)
    for kind in [*guaranteed, *_usual_items(level, scale, rng)]:
        _place(laid, kind, rng, *_preferred_places(places, kind, rng))
    _place_seeds(laid, level, scale, places)
    return tuple(laid)


def items_of(level: Level) -> tuple[PlacedItem, ...]:
    """Return the items that lie on a level when the hero first comes there.

    Empty for a window of an infinite world, where items belong to chunks.
    """
    return () if level.code.place else initial_loot(level)


def boss_treasure(level: Level, boss: str) -> PlacedItem | None:
    """Return the item that the ``boss`` of a ``level`` carries, better gear than behind locks."""
    code = level.code
    rng = Rng(code.seed, code.recipe, code.depth, "treasure", boss)
    prize = locked_treasure(code.depth, rng, loot_table().boss)
    gear = prize and item_kinds()[prize.kind].item_class in WITH_BONUS
    return prize._replace(bonus=BOSS_BONUS) if prize and gear else prize


def locked_treasure(
    depth: int, rng: Rng, weights: dict[str, int] | None = None
) -> PlacedItem | None:
    """Return an item as good as those behind locks at ``depth``; ignore its place."""
    laid: list[PlacedItem] = []
    _place(laid, _draw_locked(depth, rng, weights), rng, [Point(0, 0)], better=1)
    return laid[0] if laid else None


def _place_seeds(laid: list[PlacedItem], level: Level, scale: int, places: LootPlaces) -> None:
    """Place the seeds of a level, drawn from a separate stream: anywhere, and behind locks."""
    code, table = level.code, loot_table()
    rng = Rng(code.seed, code.recipe, code.depth, "seeds")
    for _ in range(rng.between(*table.seeds) * scale):
        _place(laid, _draw_by_class(code.depth, {SEED: 1}, rng), rng, places.open, places.hidden)
    for room in places.locked:
        if rng.below(100) < table.seeds_locked:
            _place(laid, _draw_by_class(code.depth, {SEED: 1}, rng), rng, room)


def guaranteed_items(seed: int, depth: int) -> list[str]:
    """Return the guaranteed kinds due at ``depth``: a fixed number in every ten depths.

    The seed shifts the phase of each kind. Drawing by chance instead would leave some runs without
    the healing potions that the difficulty assumes.
    """
    kinds = []
    for kind, share in loot_table().guaranteed_per_10_depths.items():
        phase = Rng(seed, "rhythm", kind).below(PERIOD)
        many = (depth * share + phase) // PERIOD - ((depth - 1) * share + phase) // PERIOD
        kinds += [kind] * many
    return kinds


def _usual_items(level: Level, scale: int, rng: Rng) -> list[str]:
    kinds = {name: kind for name, kind in item_kinds().items() if kind.item_class != SEED}
    weights, table = positive_weights(level.code.depth, kinds), loot_table()
    many = rng.between(*table.usual) * scale + len(level.spawns) // table.monsters_per_item
    return [rng.weighted(weights) for _ in range(many)]


def _draw_locked(depth: int, rng: Rng, weights: dict[str, int] | None = None) -> str | None:
    """Draw an item for a place behind a lock: one of those found a depth further down.

    On depth 1 a quarter of the prizes would be no better than what the hero wears already.
    """
    return _draw_by_class(depth + 1, loot_table().locked if weights is None else weights, rng)


def _draw_by_class(depth: int, weights: dict[str, int], rng: Rng) -> str | None:
    """Draw an item class by ``weights``, then a kind of it; None if there is none."""
    available = {name: weight for name, weight in weights.items() if _kinds_of(name, depth)}
    return rng.weighted(_kinds_of(rng.weighted(available), depth)) if available else None


@cache
def _kinds_of(item_class: str, depth: int) -> dict[str, int]:
    """Return the kinds of an item class that occur at ``depth``, with their weights."""
    weights = positive_weights(depth, item_kinds())
    return {name: n for name, n in weights.items() if item_kinds()[name].item_class == item_class}


def _preferred_places(places: LootPlaces, kind: str, rng: Rng) -> Iterator[list[Point]]:
    """Yield places for a ``kind``, best first: for half of the items, hidden ones.

    For items that are not guaranteed, places beside the furniture of their class come before those.
    """
    guaranteed, hides = kind in loot_table().guaranteed_per_10_depths, rng.chance(0.5)
    if guaranteed and hides:
        yield places.hidden
    yield places.beside.get(loot_table().beside.get(item_kinds()[kind].item_class, ""), [])
    if hides:
        yield places.hidden
    yield places.open
    yield places.hidden


def _place(
    laid: list[PlacedItem], name: str | None, rng: Rng, *places: list[Point], better: int = 0
) -> None:
    """Place one item in the first of ``places`` with a free tile, gear ``better`` by that much."""
    occupied = {(placed.x, placed.y) for placed in laid}
    for spots in places:
        while spots and spots[-1] in occupied:
            spots.pop()
    free = next((spots for spots in places if spots), None)
    if name is None or free is None:
        return
    kind = item_kinds()[name]
    bonus = _bonus(rng) + better if kind.item_class in WITH_BONUS else 0
    many, charges = rng.between(*kind.stack_size), rng.between(*kind.charges)
    laid.append(PlacedItem(name, *free.pop(), many, bonus, charges))


def _bonus(rng: Rng) -> int:
    roll, (plain, better, best) = rng.below(100), loot_table().odds
    if roll < plain:
        return 0
    if roll < plain + better:
        return 1
    return 2 if roll < plain + better + best else -1
