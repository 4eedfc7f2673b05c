"""A window pasted from chunks, and what grows in a chunk of caves, by definition."""

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.analysis.distances import closest_tile
from procgen.blueprint import Spawn, paste_clipped
from procgen.chunk import SIDE, Chunk
from procgen.infinite import chunk_window
from procgen.infinite.chunk_joining import HALO
from procgen.infinite.chunk_window import (
    FIRST_RADIUS,
    LAST_RADIUS,
    nearest_ground,
    spawns_within,
    window_corner,
    window_level,
)
from procgen.infinite.infinite_caves import (
    _initial_rock,
    _join_parts,
    _raise_stalagmites,
    _with_lakes,
)
from procgen.level_code import parse_code
from procgen.settings import complete


@pytest.mark.parametrize("x", [-SIDE, 1 - SIDE, -7, 0, 12, 29, 30])
@pytest.mark.parametrize("y", [-SIDE, 1 - SIDE, -1, 0, 19, 20])
def test_a_chunk_is_pasted_as_far_as_it_lies_in_the_window(x, y):
    chunk = np.arange(SIDE * SIDE, dtype=np.uint32).reshape(SIDE, SIDE) + 1
    window = np.zeros((20, 30), np.uint32)
    paste_clipped(window, chunk, x, y)
    for row in range(20):
        for column in (0, 1, 11, 12, 13, 28, 29):
            inside = 0 <= column - x < SIDE and 0 <= row - y < SIDE
            assert window[row, column] == (chunk[row - y, column - x] if inside else 0)


def test_spawns_of_a_chunk_move_with_it_and_are_left_out_beyond_the_window():
    chunk = Chunk(np.zeros((SIDE, SIDE), np.uint8), (Spawn("rat", 0, 0), Spawn("bat", 9, 4)))
    assert spawns_within(chunk, 3, 5, 40, 40) == [Spawn("rat", 3, 5), Spawn("bat", 12, 9)]
    for corner, size, left in [
        ((-9, -4), (1, 1), ["bat"]), ((-10, -4), (9, 9), []), ((-9, -5), (9, 9), []),
        ((0, 0), (9, 5), ["rat"]), ((0, 0), (10, 4), ["rat"]), ((0, 0), (10, 5), ["rat", "bat"]),
    ]:  # fmt: skip
        assert [spawn.kind for spawn in spawns_within(chunk, *corner, *size)] == left


@pytest.mark.parametrize("seed", range(5))
def test_the_nearest_tile_is_the_first_of_the_least_distance(seed):
    rng = np.random.default_rng(seed)
    among = rng.random((14, 19)) < 0.06
    x, y = int(rng.integers(0, 19)), int(rng.integers(0, 14))
    spots = [((b - y) ** 2 + (a - x) ** 2, b, a) for b, a in np.argwhere(among).tolist()]
    assert closest_tile(among, x, y) == min(spots)[:0:-1]
    assert closest_tile(among & False, x, y) is None
    assert closest_tile(~(among & False), x, y) == (x, y)


@pytest.mark.parametrize(("away", "looks"), [
    (0, 1), (FIRST_RADIUS, 1), (FIRST_RADIUS + 1, 2), (700, 5), (900, 0),
])  # fmt: skip
def test_ground_is_looked_for_ever_further_away(away, looks, monkeypatch):
    looked = []

    def land(_world, _seed, left, top, width, height):
        assert width == height
        looked.append(width // 2)
        tiles = np.full((height, width), Tile.WALL, np.uint8)
        if 0 <= 5 + away - left < width:
            tiles[7 - top, 5 + away - left] = Tile.FLOOR
        return tiles, ()

    monkeypatch.setattr(chunk_window, "window_tiles", land)
    found = nearest_ground(None, 1, 5, 7)
    assert found == ((5 + away, 7) if looks else (5, 7))
    assert looked == [FIRST_RADIUS * 2**n for n in range(looks or 5)]
    assert looked[-1] <= LAST_RADIUS


def test_a_window_lies_around_its_place_and_begins_on_the_nearest_ground():
    code = complete(parse_code("wilds:3@1000,-500@41x31"))
    left, top = window_corner(code)
    assert left <= 1000 < left + code.width
    assert (1000 - left, -500 - top) == (code.width // 2, code.height // 2)
    tiles = np.full((code.height, code.width), Tile.WALL, np.uint8)
    nowhere = window_level(code, tiles.copy(), ())
    assert nowhere.start == nowhere.exit == (code.width // 2, code.height // 2)
    assert not nowhere.has_exit
    tiles[4, 6:31] = Tile.FLOOR
    tiles[7, 30] = Tile.ENTRANCE  # The nearest stairs, but no way leads there in the window.
    assert not window_level(code, tiles.copy(), ()).has_exit
    tiles[5, 7] = tiles[3, 14] = tiles[2, 13] = Tile.ENTRANCE
    level = window_level(code, tiles, (Spawn("rat", 1, 1),))
    nearest = closest_tile(terrain().walkable[tiles], code.width // 2, code.height // 2)
    assert level.start == nearest
    assert level.exit == (14, 3)
    assert level.has_exit
    assert level.spawns == (Spawn("rat", 1, 1),)
    assert not level.tiles.flags.writeable


def test_rock_takes_its_share_and_swings_around_it():
    for rock in (0.2, 0.475, 0.8):
        even = _initial_rock(3, (0, 0), 200, rock, 0.0)
        assert abs(even.mean() - rock) < 0.01
        swung = _initial_rock(3, (0, 0), 200, rock, 0.4)
        assert swung[:50, :50].mean() != pytest.approx(even[:50, :50].mean(), abs=0.005)
    assert (_initial_rock(3, (40, 30), 60, 0.5, 0.1) == even[30:90, 40:100]).all() == (rock == 0.5)
    one = _initial_rock(3, (0, 0), 120, 0.5, 0.2)
    assert (_initial_rock(3, (40, 30), 60, 0.5, 0.2) == one[30:90, 40:100]).all()


def test_lakes_are_deep_in_the_middle_and_swallow_what_they_cut_off():
    stone = np.zeros((160, 160), np.bool_)
    stone[70:90] = True
    tiles = _with_lakes(5, (0, 0), stone, 0.1)
    for wetter, drier in ((0.0, 0.1), (0.1, 0.3)):
        wet = (_with_lakes(5, (0, 0), stone, wetter) == Tile.WATER).sum()
        assert wet > (_with_lakes(5, (0, 0), stone, drier) == Tile.WATER).sum()
    assert {Tile.WATER, Tile.SHALLOWS, Tile.FLOOR, Tile.WALL} == set(np.unique(tiles).tolist())
    deep = tiles == Tile.WATER
    assert deep[70:90].any(), "the deepest fill caves in the rock, too"
    assert not (tiles[70:90] == Tile.FLOOR).any()
    dry = _with_lakes(5, (0, 0), stone, 3.0)
    assert (dry == np.where(stone, Tile.WALL, Tile.FLOOR)).all()
    pocket = np.ones((160, 160), np.bool_)
    pocket[10:12, 10:14] = pocket[40:60, 40:60] = False
    filled = _with_lakes(5, (0, 0), pocket, 3.0)
    assert (filled[10:12, 10:14] == Tile.WALL).all()
    assert (filled[40:60, 40:60] == Tile.FLOOR).all()


def test_digging_opens_rock_and_fords_water_within_the_chunk_only():
    side = SIDE + 2 * HALO
    tiles = np.full((side, side), Tile.WALL, np.uint8)
    middle = HALO + SIDE // 2
    tiles[middle - 9 : middle + 9, middle - 9 : middle + 9] = Tile.FLOOR
    tiles[middle - 40 : middle - 30, HALO:-HALO] = Tile.WATER
    before = tiles.copy()
    _join_parts(3, 1, 1, tiles)
    changed = tiles != before
    assert {(int(a), int(b)) for a, b in zip(before[changed], tiles[changed], strict=True)} == {
        (Tile.WALL, Tile.FLOOR), (Tile.WATER, Tile.SHALLOWS)
    }  # fmt: skip
    inner = changed[HALO:-HALO, HALO:-HALO]
    assert inner.sum() == changed.sum()
    assert all(edge.sum() >= 1 for edge in (inner[0], inner[-1], inner[:, 0], inner[:, -1]))


def test_stalagmites_stand_alone_three_tiles_apart_on_open_floor():
    tiles = np.full((30, 30), Tile.FLOOR, np.uint8)
    tiles[10, 10], tiles[20, 5] = Tile.WALL, Tile.MOSS
    _raise_stalagmites(tiles, np.full((30, 30), 23, np.uint8))
    ys, xs = np.nonzero(tiles == Tile.PILLAR)
    wanted = {(x, y) for x in range(1, 29, 3) for y in range(1, 29, 3)} - {(10, 10)}
    assert set(zip(xs.tolist(), ys.tolist(), strict=True)) == wanted
    bare = np.full((30, 30), Tile.FLOOR, np.uint8)
    _raise_stalagmites(bare, np.full((30, 30), 24, np.uint8))
    assert (bare == Tile.FLOOR).all()
    grown = np.full((9, 9), Tile.FLOOR, np.uint8)
    grown[4, 4] = Tile.MOSS
    _raise_stalagmites(grown, np.zeros((9, 9), np.uint8))
    assert grown[4, 4] == Tile.MOSS
