"""Levels make sense to who walks them: stairs, doors, pools and rivers are where they belong."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
import scipy.ndimage

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.monsters.initial_monsters import initial_monsters
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile, terrain, tile_mask
from procgen.analysis.field_of_view import visible_from
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete

WET = (Tile.WATER, Tile.SHALLOWS, Tile.REEDS)
FEW = range(12)


def level_of(code):
    return build(complete(parse_code(code)))


def tiles_around(level, x, y, reach):
    return level.tiles[max(0, y - reach) : y + reach + 1, max(0, x - reach) : x + reach + 1]


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("recipe", ["islands", "trail_cave", "river_valley"])
def test_one_arrives_and_leaves_with_dry_feet(recipe, seed):
    level = level_of(f"{recipe}:{seed}:5")
    for x, y in (level.start, level.exit):
        assert level.tiles[y, x] not in WET


@pytest.mark.parametrize("seed", FEW)
def test_the_way_down_from_a_keep_is_in_the_keep_and_not_in_a_tower(seed):
    level = level_of(f"keep:{seed}:6")
    assert not (tiles_around(level, *level.exit, 4) == Tile.WATER).any()


@pytest.mark.parametrize("seed", FEW)
def test_no_door_of_rooms_and_mazes_leads_into_an_empty_closet(seed):
    level = level_of(f"rooms_and_mazes:{seed}:1")
    walkable = terrain().walkable[level.tiles]
    cross = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]])
    ways = scipy.ndimage.convolve(walkable.astype(int), cross, mode="constant")
    dead_end = walkable & (ways == 1) & np.isin(level.tiles, (Tile.TUNNEL, Tile.FLOOR))
    beside_door = scipy.ndimage.binary_dilation(level.tiles == Tile.DOOR, cross)
    assert not (dead_end & beside_door).any()


@pytest.mark.parametrize(
    ("recipe", "seed"),
    [*product(("city", "digger+ruined", "crypt+ruined", "bsp+collapsed"), range(6))],
)
def test_doors_of_fallen_walls_are_gone(recipe, seed):
    level = level_of(f"{recipe}:{seed}:4")
    walkable = terrain().walkable[level.tiles]
    ys, xs = np.nonzero(level.tiles == Tile.DOOR)
    loose = sum(
        bool(
            (walkable[y - 1, x] or walkable[y + 1, x])
            and (walkable[y, x - 1] or walkable[y, x + 1])
        )
        for y, x in zip(ys.tolist(), xs.tolist(), strict=True)
    )
    assert loose <= 2


@pytest.mark.parametrize("recipe", ["bsp", "crypt"])
def test_one_does_not_always_arrive_in_the_same_corner(recipe):
    quarters = Counter()
    for seed in range(24):
        level = level_of(f"{recipe}:{seed}:4")
        height, width = level.tiles.shape
        quarters[level.start.x * 2 > width, level.start.y * 2 > height] += 1
    assert len(quarters) == 4
    assert max(quarters.values()) < 16


def test_most_river_valleys_have_a_river_from_side_to_side():
    crossed = 0
    for seed in range(30):
        level = level_of(f"river_valley:{seed}:5")
        wet = np.isin(level.tiles, (*WET, Tile.BRIDGE))
        parts, _ = scipy.ndimage.label(wet, np.ones((3, 3)))
        wide = [part[1].stop - part[1].start for part in scipy.ndimage.find_objects(parts)]
        crossed += max(wide, default=0) >= 0.8 * level.tiles.shape[1]
    assert crossed >= 25


@pytest.mark.parametrize("seed", FEW)
def test_no_pool_takes_a_shrine_or_the_arrival(seed):
    level = level_of(f"sunken_mission:{seed}:8")
    shrines = np.argwhere(level.tiles == Tile.SHRINE).tolist()
    for y, x in [*shrines, (level.start.y, level.start.x)]:
        assert np.isin(tiles_around(level, x, y, 1), WET).sum() <= 4


def test_first_levels_differ_in_what_their_rooms_are_for():
    kinds = (Tile.SHRINE, Tile.SHELF, Tile.TRAP)
    found = Counter()
    for recipe, seed in product(
        ("three_by_three", "shaped_rooms", "digger", "rooms_and_mazes"), FEW
    ):
        tiles = level_of(f"{recipe}:{seed}:1").tiles
        found[tuple(bool((tiles == kind).any()) for kind in kinds)] += 1
    assert len(found) >= 5
    assert found[True, True, True] < 36


@pytest.mark.parametrize(("recipe", "depth"), [("vaulted", 4), ("ruins", 8), ("dla", 8)])
def test_a_boss_waits_in_sight_of_the_stairs_it_guards(recipe, depth):
    for seed in range(5):
        level = level_of(f"{recipe}:{seed}:{depth}")
        seen = visible_from(terrain().transparent[level.tiles], *level.exit, 12)
        bosses = [one for one in initial_monsters(level) if creature_kinds()[one.kind].lair]
        assert bosses
        for boss in bosses:
            assert seen[boss.y, boss.x]
            assert max(abs(boss.x - level.exit.x), abs(boss.y - level.exit.y)) <= 8


@pytest.mark.parametrize("recipe", ["ruins", "city", "keep"])
def test_the_last_boss_waits_in_sight_of_the_first_seed(recipe):
    for seed in range(5):
        game_map = new_game(pinned(RunSetup(seed, "", generator=recipe, depth=12))).map
        seen = visible_from(game_map.transparent, *game_map.goal, 12)
        (boss,) = [one for one in game_map.entities.values() if creature_kinds()[one.kind].lair]
        assert seen[boss.y, boss.x]


@pytest.mark.parametrize("seed", range(6))
def test_no_two_doors_hung_in_passages_are_a_step_apart(seed):
    tiles = level_of(f"mondrian:{seed}:7").tiles
    shut = tile_mask((Tile.DOOR, Tile.SECRET_DOOR))[tiles]
    assert not (shut[2:] & shut[:-2]).any()
    assert not (shut[:, 2:] & shut[:, :-2]).any()
