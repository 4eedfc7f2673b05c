"""How strong monsters are far down, how many blows they take, and where hunters come from."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from engine.creatures.levelling import make_monster
from engine.monsters.combat_forecast import LUCK, _hits_to_kill
from engine.monsters.wandering_monsters import _entrance
from engine.pathfinding.known_paths import MapWindow, nearest_tile
from engine.state.run_setup import LAST_DEPTH
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from support.scenes import scene


def test_below_the_last_depth_a_tenth_more_hit_points_each_and_one_more_power_every_other():
    for depth in (1, LAST_DEPTH, *range(LAST_DEPTH + 1, LAST_DEPTH + 9), 10**7):
        ogre = make_monster("ogre", 1, 0, 0, depth)
        below = max(0, depth - LAST_DEPTH)
        hit_points = min(100_000, 36 * (10 + below) // 10)
        assert (ogre.fighter.hp, ogre.fighter.max_hp) == (hit_points, hit_points)
        assert ogre.fighter.power == min(100_000, 16 + (below + 1) // 2)


@pytest.mark.parametrize("regrown", [(0, 1), (1, 1), (1, 3), (2, 1)])
def test_so_many_blows_are_the_first_number_that_is_enough(regrown):
    back = Fraction(regrown[0] * len(LUCK), regrown[1])
    for left, harm in product(range(1, 40, 3), range(10)):
        enough = (n for n in range(1, 130) if n * harm - (n - 1) * back >= left)
        assert _hits_to_kill(left, harm, regrown) == next(enough, None), (left, harm)


@pytest.mark.parametrize("apart", [7, 8, 9])
@pytest.mark.parametrize("way", [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1)])
def test_no_hunter_comes_by_stairs_nearer_than_eight_tiles(apart, way):
    rows = [["#"] * 31, *(["#", *"." * 29, "#"] for _ in range(29)), ["#"] * 31]
    rows[15][15] = "@"
    engine = scene("\n".join(map("".join, rows)))
    stairs = Point(15 + apart * way[0], 15 + apart * way[1])
    engine.state.map.exit, engine.state.map.start = stairs, Point(15, 15)
    assert _entrance(engine.state) == (stairs if apart >= 8 else None)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tiles", [1, 10**9])
def test_the_nearest_tile_is_found_alike_in_small_windows_and_large(seed, tiles):
    rng = np.random.default_rng(seed)
    ground, wanted = rng.random((14, 23)) < 0.75, rng.random((14, 23)) < 0.03
    y, x = np.argwhere(ground)[seed * 7].tolist()
    steps = distances(ground, x, y)
    near = [int(steps[b, a]) for b, a in np.argwhere(wanted).tolist()]
    for reach in (2, 5, UNREACHED):
        window = MapWindow(100, 50, reach, (slice(0, tiles), slice(0, 1)))
        found = nearest_tile(ground, wanted, window, 100 + x, 50 + y)
        least = min(near, default=UNREACHED)
        if least < UNREACHED and least <= reach:
            assert wanted[found.y - 50, found.x - 100]
            assert steps[found.y - 50, found.x - 100] == least
        else:
            assert found is None
