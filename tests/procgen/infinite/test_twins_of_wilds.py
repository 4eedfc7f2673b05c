"""Wilderness and endless halls against twins: land, sites, monsters, rooms on borders."""

from itertools import pairwise, product
from types import SimpleNamespace

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, Point, Spawn
from procgen.chunk import SIDE, ChunkSite
from procgen.gradient_noise import fractal_noise
from procgen.infinite import infinite_dungeon as dungeon_module
from procgen.infinite.chunk_joining import HALO, dijkstra_costs, roll_downhill, small_regions
from procgen.infinite.chunk_monsters import (
    add_ways_down,
    chunk_danger,
    spawn_monsters,
)
from procgen.infinite.elevation import (
    TerrainHeights,
    drainage_elevation,
    elevation,
    moisture,
    terrain_tiles,
)
from procgen.infinite.infinite_dungeon import (
    _border_rooms,
    _dig_to_exits,
    _first_tiles,
    infinite_dungeon,
)
from procgen.infinite.rivers import BANK_WIDTH, water_depth
from procgen.infinite.wilderness import (
    PADDED_SIDE,
    _wanted_sites,
    chunk_elevation,
    elevation_bands,
    natural_terrain,
)
from procgen.infinite.wilderness_sites import CROSSROADS, crossroads_center, place_sites
from procgen.placement.monster_placement import pick_kind, place_pack, sample_tiles
from procgen.position_hash import position_noise, position_random, purpose_seed
from procgen.progress import run_to_end
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_library import fitting_vaults, weighted_vault
from procgen.vaults.vault_stamp import make_piece
from support.by_definition import parts, places
from support.step_twins import widened

HEIGHTS = TerrainHeights(-0.2, -0.15, 0.2, 0.34)
LAST = SIDE - 1


def noise_of(seed, purpose, corner, size, scale, octaves):
    return fractal_noise(purpose_seed(seed, purpose), *corner, *size, scale=scale, octaves=octaves)


@pytest.mark.parametrize(("corner", "pitch"), [((0, 0), 1), ((-70, 33), 1), ((5, -9), 16)])
def test_the_land_is_broad_seas_rough_ground_and_ranges_on_high_ground(corner, pitch):
    size = 60, 40
    broad, rough, ridge, plain = (
        noise_of(8, purpose, corner, size, pitch / cell, octaves)
        for purpose, cell, octaves in
        (("broad", 512, 2), ("rough", 128, 3), ("ridge", 256, 3), ("rough", 128, 1))
    )  # fmt: skip
    rise = elevation(8, corner, *size, pitch)
    drained = drainage_elevation(8, corner, *size, pitch)
    for y, x in np.ndindex(rise.shape):
        upland = min(1.0, max(0.0, 2 * broad[y, x] + 0.35))
        range_ = max(0.0, 1 - 4 * abs(ridge[y, x]))
        wanted = 0.45 * broad[y, x] + 0.5 * rough[y, x] + 0.38 * range_ * upland
        assert rise[y, x] == pytest.approx(wanted, abs=1e-12)
        assert drained[y, x] == pytest.approx(broad[y, x] + 0.16 * plain[y, x], abs=1e-12)
    assert rise.shape == (40, 60)
    damp = noise_of(8, "damp", corner, size, pitch / 128, 3)
    assert np.array_equal(moisture(8, corner, *size, pitch), damp)


def slow_terrain(rise, damp, fine, luck, cleft, heights):
    """Return the tile of a place, the last rule that holds first."""
    edge, wet = rise + 0.05 * fine, damp + 0.2 * fine
    high = edge > heights.hills
    thick = 2.4 * (damp + 0.06) + 1.1 * fine - (0.35 if high else 0)
    peaks = heights.peaks + 0.4 * max(0.0, 1 - 6 * abs(cleft))
    rules = [
        (edge < heights.sea - 0.045, Tile.WATER),
        (edge < heights.sea + 0.02 and wet > 0.06 and luck < 170, Tile.REEDS),
        (edge < heights.sea, Tile.SHALLOWS),
        (edge < heights.shore and wet > 0.06, Tile.GRASS),
        (edge < heights.shore, Tile.SAND),
        (edge > peaks, Tile.MOUNTAIN),
        (luck < 256 * min(0.8, max(0.012, thick)), Tile.FOREST),
        (edge > heights.peaks - 0.035 and luck > 120, Tile.RUBBLE),
        (high and luck > 236, Tile.RUBBLE),
        (high, Tile.HILL),
        (damp + 0.3 * fine < -0.24, Tile.HEATH),
    ]
    return next((tile for holds, tile in rules if holds), Tile.GRASS)


def test_what_grows_depends_on_height_moisture_and_luck():
    size, corner = (150, 90), (-40, 500)
    rise = np.broadcast_to(np.linspace(-0.4, 0.9, 150), (90, 150)).copy()
    damp = np.broadcast_to(np.linspace(-0.7, 0.6, 90)[:, None], (90, 150)).copy()
    fine = noise_of(6, "fine", corner, size, 1 / 16, 3)
    cleft = noise_of(6, "clefts", corner, size, 1 / 64, 3)
    luck = position_noise(6, "leaves", corner, *size)
    found = terrain_tiles(6, corner, rise, damp, HEIGHTS)
    for y, x in np.ndindex(found.shape):
        at = (float(field[y, x]) for field in (rise, damp, fine, luck, cleft))
        assert found[y, x] == slow_terrain(*at, HEIGHTS), (x, y)
    assert len(np.unique(found)) == 10


def test_bands_of_height_are_the_first_thing_shown():
    rise = np.array([[-0.9, -0.2451, -0.2449, -0.21, -0.19, -0.16, -0.14, 0.19, 0.21, 0.33, 0.35]])
    bands = elevation_bands(rise, HEIGHTS)
    low, high = (Tile.WATER, Tile.SHALLOWS, Tile.SAND), (Tile.GRASS, Tile.HILL, Tile.MOUNTAIN)
    assert bands.tolist() == [[tile for tile in (*low, *high) for _ in range(2)][:-1]]


@pytest.mark.parametrize("chunk", [(0, 0), (-3, 2)])
def test_rivers_cut_their_valleys_and_drown_what_they_cut_off(chunk):
    corner = tuple(n * SIDE - HALO for n in chunk)
    rise = chunk_elevation(21, *chunk)
    assert np.array_equal(rise, elevation(21, corner, SIDE + 2 * HALO, SIDE + 2 * HALO))
    found = natural_terrain(21, *chunk, HEIGHTS, rise.copy())
    water = water_depth(21, corner, PADDED_SIDE, HEIGHTS)
    bank, floor = np.minimum(1, np.maximum(0, 1 + water)), -0.15 + 0.02
    low = np.where(rise > floor, rise - (rise - floor) * bank * bank, rise)
    damp = moisture(21, corner, PADDED_SIDE, PADDED_SIDE) + bank * 0.1
    dry = terrain_tiles(21, corner, low, damp, HEIGHTS)
    wet = np.where((water > 0) & (dry != Tile.WATER), Tile.SHALLOWS, dry)
    wet[water > 1 / BANK_WIDTH] = Tile.WATER
    lost = small_regions(terrain().walkable[wet])
    seas = places(wet == Tile.WATER)
    for y, x in np.argwhere(lost).tolist():
        near = any((x + a, y + b) in seas for a, b in product((-1, 0, 1), repeat=2))
        wet[y, x] = Tile.WATER if near else Tile.MOUNTAIN
    assert lost.any()
    unlike = np.mean(found != wet)  # A rounding more or less may decide on a tile of its own.
    assert unlike < 1e-4


def test_a_chunk_wants_entrances_and_four_to_seven_other_sites():
    for x in range(40):
        rng = position_random(3, "wanted", x, 7)
        entrances = rng.between(3, 5)
        weights = {"ruin": 4, "camp": 4, "stones": 3, "village": 3}
        others = [rng.weighted(weights) for _ in range(rng.between(4, 7))]
        assert _wanted_sites(3, x, 7) == ["entrance"] * entrances + others


def slow_sites(seed, chunk, plan, wanted):
    """Place a vault for each tag; return their centres."""
    rng, found = position_random(seed, "sites", *chunk), []
    soils = (Tile.GRASS, Tile.HEATH, Tile.HILL, Tile.FOREST, Tile.SAND, Tile.RUBBLE)
    free = np.isin(plan.tiles, soils)
    for tag in wanted:
        margins = (64, 64, 64) if tag == "crossroads" else (4, 4, 4)
        if chunk == (0, 0):
            margins = (116, 104, 84) if tag == "crossroads" else (72, 48, 24, 4)
        for margin in margins:
            vault = weighted_vault(fitting_vaults((tag,), plan.depth, "wild"), rng)
            form = rng.pick(orientations(vault))
            wide, high = form.width, form.height
            spots = [
                (x, y) for y, x in product(range(margin, SIDE - margin), repeat=2)
                if x + wide + 2 <= SIDE - margin and y + high + 2 <= SIDE - margin
                and free[y, x] and free[y : y + high + 2, x : x + wide + 2].all()
            ]  # fmt: skip
            if not spots:
                continue
            left, top = rng.pick(spots)
            piece = make_piece(form, rng)
            if piece is not None:
                ring = np.s_[top : top + high + 2, left : left + wide + 2]
                plan.tiles[ring] = np.where(
                    plan.tiles[ring] == Tile.FOREST, Tile.GRASS, plan.tiles[ring]
                )
                piece.stamp(plan, left + 1, top + 1)
                piece.settle(plan, left + 1, top + 1, rng, np.ones(plan.tiles.shape, bool))
                free[ring] = False
            found.append(ChunkSite(vault.name, left + 1 + wide // 2, top + 1 + high // 2))
            break
    return found


@pytest.mark.parametrize(
    ("chunk", "open_share"), [((0, 0), 0.999), ((2, -1), 0.9995), ((4, 4), 0.99)]
)
def test_sites_are_placed_as_the_twin_does(chunk, open_share):
    rng = np.random.default_rng(chunk[0])
    tiles = np.array((Tile.GRASS, Tile.FOREST, Tile.HILL), np.uint8)[
        rng.integers(0, 3, (SIDE, SIDE))
    ]
    tiles[rng.random(tiles.shape) > open_share] = Tile.WATER
    one, other = Blueprint(tiles.copy(), 3), Blueprint(tiles.copy(), 3)
    wanted = [CROSSROADS, "entrance", "ruin", "camp"]
    found = list(place_sites(5, *chunk, one, wanted))
    assert found == slow_sites(5, chunk, other, wanted)
    assert np.array_equal(one.tiles, other.tiles)
    assert (one.spawns, one.rooms) == (other.spawns, other.rooms)
    crossroads = [site for site in found if site.kind == found[0].kind]
    assert crossroads_center(found[1:]) is None
    assert crossroads_center(found[::-1]) == Point(crossroads[0].x, crossroads[0].y)


@pytest.mark.parametrize(
    ("chunk", "depth"),
    [((0, 0), 1), ((1, -1), 2), ((2, 0), 3), ((0, -3), 4), ((-9, 4), 10), ((22, 2), 23),
     ((23, 0), 24), ((0, -900), 24)],
)  # fmt: skip
def test_it_is_more_dangerous_with_every_chunk_from_the_centre(chunk, depth):
    assert chunk_danger(*chunk) == depth


@pytest.mark.parametrize("chunk", [(0, 0), (0, 1), (7, -2)])
def test_packs_settle_on_dry_ground_but_not_around_the_start_of_the_world(chunk):
    rng = np.random.default_rng(3)
    kinds = (Tile.GRASS, Tile.GRASS, Tile.SHALLOWS, Tile.REEDS, Tile.WALL, Tile.DOOR, Tile.BRIDGE)
    tiles = np.array(kinds, np.uint8)[rng.integers(0, len(kinds), (SIDE, SIDE))]
    one, other = (
        Blueprint(tiles, chunk_danger(*chunk)),
        Blueprint(tiles.copy(), chunk_danger(*chunk)),
    )
    for seed in range(6):
        one.spawns, other.spawns = ([Spawn("rat", 128, 90), Spawn("bat", 9, 9)] for _ in range(2))
        spawn_monsters(seed, *chunk, one)
        free = tiles == Tile.GRASS
        free[90, 128] = free[9, 9] = False
        draws = position_random(seed, "life", *chunk)
        for at in sample_tiles(free, draws, draws.between(65, 80)):
            kind = pick_kind(other, draws)
            size = draws.pick((1, 1, 1, 2, 2, 3))
            place_pack(other, free, draws, at, kinds=[kind] * size)
        if chunk == (0, 0):
            other.spawns = [
                spawn for spawn in other.spawns
                if abs(spawn.x - 128) > 40 or abs(spawn.y - 128) > 40
            ]  # fmt: skip
        assert one.spawns == other.spawns


def test_of_two_monsters_on_a_tile_the_later_stays_and_none_in_rock():
    plan = Blueprint(np.full((5, 8), Tile.BRIDGE, np.uint8))  # No further monster is placed there.
    plan.tiles[2, 3] = Tile.WALL
    plan.spawns = [Spawn("rat", 1, 1), Spawn("bat", 3, 2), Spawn("orc", 2, 3), Spawn("bat", 1, 1)]
    assert spawn_monsters(1, 3, 3, plan) == (Spawn("bat", 1, 1), Spawn("orc", 2, 3))


def slow_row(rng, border):
    """Return the tiles of the rooms on a border that lies above row ``border``."""
    x, found = 12, set()
    while x < SIDE - 12:
        width, length = rng.between(3, 9), rng.between(3, 8)
        top = border - rng.between(0, width)
        found |= set(product(range(x, min(x + length, SIDE - 12)), range(top, top + width)))
        x += length + rng.between(2, 5)
    return {(x, y) for x, y in found if 0 <= y < SIDE}


@pytest.mark.parametrize("chunk", [(0, 0), (3, -2)])
def test_rooms_lie_on_all_four_borders_and_both_chunks_agree_about_them(chunk):
    cx, cy = chunk
    for seed in range(5):

        def row(side, x, y, border, seed=seed):
            return slow_row(position_random(seed, f"{side} rooms", x, y), border)

        north, south = row("south", cx, cy - 1, 0), row("south", cx, cy, SIDE)
        west, east = row("east", cx - 1, cy, 0), row("east", cx, cy, SIDE)
        wanted = north | south | {(y, x) for x, y in west | east}
        assert places(_border_rooms(seed, cx, cy)) == wanted


def halls(seed):
    """Return rooms with a locked vault, a secret door and a pillar, and doors on the rim."""
    rng = np.random.default_rng(seed)
    tiles = np.full((SIDE, SIDE), Tile.WALL, np.uint8)
    for x, y in rng.integers(20, 210, (14, 2)).tolist():
        tiles[y : y + 12, x : x + 16] = Tile.FLOOR
    tiles[100:103, 20:240] = Tile.FLOOR
    tiles[30:40, 2:14] = Tile.FLOOR  # Not joined with the rest: a vault near the border.
    tiles[35, 14], tiles[101, 60], tiles[3, 150] = Tile.LOCKED_DOOR, Tile.SECRET_DOOR, Tile.PILLAR
    return tiles


@pytest.mark.parametrize("seed", range(3))
def test_halls_are_dug_to_as_the_twin_does(seed):
    tiles, halves = halls(seed), _border_rooms(seed, 0, 0)
    exits = [(120, 0), (LAST, 70), (40, LAST), (0, 33), (200, 0), (LAST, 200)]
    before, rooms = tiles.copy(), places(halves)
    _dig_to_exits(tiles, halves, exits)
    ground = places(terrain().walkable[before] | (before == Tile.SECRET_DOOR))
    whole = max(parts(ground), key=len)
    vault = ground - whole
    cost = np.where(before == Tile.WALL, 1, 4).astype(np.int32)
    for x, y in widened(vault, 1):
        cost[y, x] = 400
    odd = places(~np.isin(before, (Tile.WALL, Tile.FLOOR, Tile.TUNNEL)))
    opened = (rooms & places(before == Tile.WALL)) - widened(vault | odd, 1)
    assert opened <= rooms
    goal = np.zeros(before.shape, bool)
    for x, y in whole:
        goal[y, x] = True
    field = dijkstra_costs(goal, cost)
    wanted = before.copy()
    starts = [min(part, key=lambda spot: spot[::-1]) for part in parts(opened)]
    for x, y in {
        spot for start in [*starts, *exits] for spot in roll_downhill(field, *start)
    } - ground:
        wanted[y, x] = Tile.TUNNEL
    for x, y in opened:
        wanted[y, x] = Tile.FLOOR
    for x, y in exits:
        if (x, y) not in opened and LAST in (x, y):
            wanted[y, x] = Tile.DOOR
    assert not places(tiles != wanted)
    assert sorted(_first_tiles(halves)) == sorted(starts)


@pytest.mark.parametrize("doors", [1, 3, 4])
def test_a_chunk_of_halls_has_doors_to_all_sides_and_some_stairs(doors, monkeypatch):
    level = SimpleNamespace(tiles=halls(1), exit=Point(30, 101))

    def built(name, without, _seed):
        assert (name, without) == ("digger", ["doors"])
        return level
        yield

    monkeypatch.setattr(dungeon_module, "_build_level", built)
    given = {"styles": {"digger": 1}, "without": ["doors"], "doors": doors}
    row = [run_to_end(infinite_dungeon(9, cx, 1, **given)) for cx in range(7)]
    for chunk, east in pairwise(row):
        assert chunk.tiles.shape == (SIDE, SIDE)
        walkable = terrain().walkable
        meet = walkable[chunk.tiles[:, LAST]] & walkable[east.tiles[:, 0]]
        assert meet.sum() >= doors
        assert level.tiles[101, 30] == Tile.FLOOR, "the level itself stays as it was"
        assert 3 <= (chunk.tiles == Tile.ENTRANCE).sum() <= 5


@pytest.mark.parametrize("chunk", [(0, 0), (0, 1), (-2, 0)])
def test_ways_down_lie_on_floor_and_one_of_them_near_the_start(chunk):
    for seed in range(20):
        tiles = np.full((SIDE, SIDE), Tile.WALL, np.uint8)
        tiles[90:170:3, 90:230] = tiles[10:40, 10:40] = Tile.FLOOR
        floor = tiles == Tile.FLOOR
        add_ways_down(seed, *chunk, tiles)
        doors = np.argwhere(tiles == Tile.ENTRANCE)
        assert 3 <= len(doors) <= 5
        assert all(floor[y, x] for y, x in doors)
        assert (abs(doors - SIDE // 2) <= 64).all() or chunk != (0, 0)
