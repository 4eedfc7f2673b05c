"""A fortress: measured along its axis, the same on both sides, and one way in or two."""

from itertools import groupby, pairwise

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.steps.fortress import _halls
from support.blueprints import run

T = Tile
INDOORS = (T.FLOOR, T.CARPET, T.PILLAR, T.STATUE)
COURT = (T.ROAD, T.GRASS)
SIZES = [(70, 50), (51, 64), (45, 45), (24, 18), (19, 33), (11, 12)]


def fortress(size, seed=1, **parameters):
    """Return a fortress and its tiles, rotated so that the gate is below."""
    plan = Blueprint.solid(*size)
    run("fortress", plan, seed, **parameters)
    ways = [np.rot90(plan.tiles, turn) for turn in range(4)]
    (tiles,) = [one for one in ways if one[-2, one.shape[1] // 2] == T.ROAD]
    return plan, tiles


def runs(line):
    """Return a ``line`` of tiles as (tile, how many), court as road."""
    tiles = [T.ROAD if tile in COURT else int(tile) for tile in line]
    return [(tile, len(list(same))) for tile, same in groupby(tiles)]


@pytest.mark.parametrize("size", SIZES)
def test_both_sides_are_alike_and_all_rooms_are_walled_and_joined(size):
    for seed in range(8):
        plan, tiles = fortress(size, seed, breach=0.0, vary=float(seed % 2))
        built = np.where(np.isin(tiles, (*INDOORS, T.WALL, T.DOOR, T.WATER, T.BRIDGE)), tiles, 0)
        assert np.array_equal(built, built[:, ::-1])
        indoors, labels = np.zeros(plan.tiles.shape, int), regions(plan.open)[0]
        for room in plan.rooms:
            indoors[room.inner] += 1
            y, x = (
                slice(room.y - 1, room.y + room.height + 1),
                slice(room.x - 1, room.x + room.width + 1),
            )
            around = plan.tiles[y, x].copy()
            assert (around[[0, 0, -1, -1], [0, -1, 0, -1]] == T.WALL).all()
            around[1:-1, 1:-1] = T.WALL
            assert np.isin(around, (T.WALL, T.DOOR)).all()
            assert (around == T.DOOR).any()
        assert np.array_equal(indoors, np.isin(plan.tiles, INDOORS).astype(int))
        assert len(np.unique(labels[plan.open & (indoors > 0)])) == 1
        assert not plan.open[[0, -1]].any()
        assert not plan.open[:, [0, -1]].any()


@pytest.mark.parametrize(("moat", "ward", "wild"), [(2, 4, 0.14), (1, 3, 0.14), (3, 5, 0.2)])
@pytest.mark.parametrize("size", [(72, 51), (61, 84)])
def test_moat_wall_and_ward_are_as_wide_as_asked_for(size, moat, ward, wild):
    for seed in range(6):
        _, tiles = fortress(size, seed, moat=moat, ward=ward, wild=wild, breach=0.0)
        height, width = tiles.shape
        down, across = int(height * wild), int(width * wild)
        moat = min(moat, min(down, across) - 4)
        water = moat + 2
        column, row = tiles[:, width // 2], tiles[down + 7]
        back = [(T.WATER, water), (T.WALL, 1), (T.ROAD, ward), (T.WALL, 1)]
        assert runs(column[down - water :])[:4] == back
        front = [(T.ROAD, down - 1 - water), (T.BRIDGE, water), (T.DOOR, 1), (T.ROAD, 2 * ward - 1)]
        assert runs(column[:-1][::-1])[:4] == front
        assert runs(row[across - water :])[:3] == back[:3]
        moats = np.isin(tiles, (T.WATER, T.BRIDGE))
        assert not moats[: down - water].any()
        assert moats[down - water, across - water : width - across + water].all()
        assert moats[down - water : height - down + water, across - water].all()


def test_towers_stand_on_the_corners_and_beside_the_gate():
    plan, tiles = fortress((70, 50), 3, breach=0.0)
    towers = plan.rooms[:6]
    assert all((tower.width, tower.height) == (3, 3) for tower in towers)
    height, width = tiles.shape
    down, across, middle = int(height * 0.14), int(width * 0.14), (width - 1) // 2
    corners = {(down, across), (height - 1 - down, across), (height - 1 - down, middle - 3)}
    for y, x in corners | {(y, width - 1 - x) for y, x in corners}:
        tower = tiles[y - 2 : y + 3, x - 2 : x + 3]
        assert (tower[1:-1, 1:-1] == T.FLOOR).all()
        assert sorted(
            tower[0].tolist() + tower[-1].tolist() + tower[1:-1, [0, -1]].ravel().tolist()
        ) == [T.WALL] * 15 + [T.DOOR]


@pytest.mark.parametrize("seed", range(6))
def test_rooms_of_the_wings_keep_to_their_sides(seed):
    plan, _ = fortress((90, 70), seed, least=4, most=9)
    wings = [room for room in plan.rooms[6:] if T.CARPET not in plan.tiles[room.inner]]
    assert len(wings) >= 12
    assert all(min(room.width, room.height) >= 4 for room in wings)
    assert all(max(room.width, room.height) <= 9 for room in wings)


def axis_doors(straight, seed, size=(70, 50)):
    """Return the tiles of the axis within the keep: walls and doors only, from the gate on."""
    _, tiles = fortress(size, seed, straight=straight)
    axis = tiles[:, tiles.shape[1] // 2][::-1].tolist()
    return [tile for tile in axis if tile in (T.WALL, T.DOOR)]


@pytest.mark.parametrize("seed", range(5))
def test_the_last_room_opens_to_the_hall_or_only_to_the_wings(seed):
    doors = axis_doors(1.0, seed)
    assert doors == [T.DOOR] * (len(doors) - 2) + [T.WALL] * 2
    aside = axis_doors(0.0, seed)
    assert aside == [T.DOOR] * (len(aside) - 3) + [T.WALL] * 3


def test_halls_have_a_carpet_and_pillars_every_third_tile():
    plan, tiles = fortress((70, 50), 3)
    for hall in [room for room in plan.rooms if T.CARPET in plan.tiles[room.inner]]:
        inside = plan.tiles[hall.inner]
        inside = inside if (inside == T.CARPET).all(axis=0).any() else inside.T
        assert (inside == T.CARPET).all(axis=0).sum() == 2 - tiles.shape[1] % 2
        height, width = inside.shape
        pillars = [[y, x] for x in (1, width - 2) for y in range(1, height - 1, 3)]
        forward, backward = (
            np.argwhere(one == T.PILLAR).tolist() for one in (inside, inside[::-1])
        )
        wanted = sorted(pillars) if height >= 6 else []
        assert wanted in (forward, backward)
        assert (inside == T.STATUE).sum() == (2 if 4 <= height < 6 else 0)


def test_a_breach_fills_the_moat_beside_a_piece_of_wall_that_has_fallen():
    wide, sides = set(), set()
    for seed in range(40):
        plan, tiles = fortress((70, 50), seed, breach=1.0)
        ys, xs = np.nonzero(tiles == T.SHALLOWS)
        rows, columns = slice(ys.min(), ys.max() + 1), slice(xs.min(), xs.max() + 1)
        assert (tiles[rows, columns] == T.SHALLOWS).all()
        assert len(set(xs.tolist())) == 4
        left = int(xs[0]) < tiles.shape[1] // 2
        wall = tiles[rows, xs.max() + 1 if left else xs.min() - 1]
        assert (wall == T.RUBBLE).all()
        assert regions(plan.open)[1] == regions(fortress((70, 50), seed, breach=0.0)[0].open)[1]
        wide.add(len(set(ys.tolist())))
        sides.add(left)
        assert int(tiles.shape[0] * 0.14) + 5 <= ys.min()
    assert wide == {2, 3, 4}
    assert sides == {True, False}


def test_a_fortress_needs_eleven_tiles_and_without_room_for_a_ward_has_no_moat():
    with pytest.raises(Rejected):
        fortress((10, 30))
    assert fortress((11, 11))[0].rooms
    for size, moat in [((35, 60), False), ((36, 60), True), ((60, 35), False), ((60, 36), True)]:
        for seed in range(4):
            assert (fortress(size, seed)[1] == T.BRIDGE).any() == moat, size


def test_a_varied_fortress_has_other_wilderness_and_courts_with_every_seed():
    def curtain(seed, vary):
        _, tiles = fortress((72, 51), seed, moat=0, vary=vary)
        ys, xs = np.nonzero(tiles == T.WALL)
        return int(ys.min()), int(ys.max()), int(xs.min())

    assert len({curtain(seed, 0.0) for seed in range(12)}) <= 2
    assert len({curtain(seed, 0.8) for seed in range(12)}) >= 10


@pytest.mark.parametrize("least", [2, 3, 5])
def test_halls_follow_each_other_wall_to_wall_as_few_as_twenty_tiles_each_allow(least):
    for bottom in range(8, 110):
        spine = RectangularRoom(5, 3, 7, bottom - 3)
        halls = _halls(spine, least)
        assert (halls[0].y, halls[-1].y + halls[-1].height) == (3, bottom)
        assert all(one.y + one.height + 1 == other.y for one, other in pairwise(halls))
        assert {(hall.x, hall.width) for hall in halls} == {(5, 7)}
        lengths, rest = [hall.height for hall in halls], spine.height
        if spine.height >= 4 * least + 4:
            assert lengths.pop(0) == least + 1
            rest -= least + 2
        assert len(lengths) == max(1, -(-rest // 20))
        assert len(set(lengths[:-1])) <= 1
        assert 0 <= lengths[-1] - lengths[0] < len(lengths)
