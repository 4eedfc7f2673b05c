"""Steps and what they rest on, compared with their definitions written out tile by tile."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Spawn
from procgen.carving.region_links import adjacent_pairs, cheapest_links, spanning_tree
from procgen.rng import Rng
from procgen.steps.chambers import square_rooms, thin_walls
from procgen.steps.voronoi import apart, nearest_site, voronoi_cells
from support.blueprints import drawn, run
from support.by_definition import EIGHT, FOUR, neighbours, parts, rubble


@pytest.mark.parametrize(("birth", "survive"), [(5, 4), (5, 5), (9, 4), (3, 6), (0, 0)])
@pytest.mark.parametrize("outside", ["rock", "open"])
def test_a_generation_of_the_automaton(birth, survive, outside):
    before, plan = rubble(), rubble()
    captions = run(
        "cellular_automaton", plan, rounds=1, birth=birth, survive=survive, outside=outside
    )
    assert len(captions) == 1
    for y, x in np.argwhere(np.ones(plan.tiles.shape)).tolist():
        on_border = x in (0, plan.width - 1) or y in (0, plan.height - 1)
        tile = Tile.WALL if on_border else before.tiles[y, x]
        rock = neighbours(before, x, y).count(Tile.WALL)
        if outside == "open":
            rock -= sum(
                not (0 <= x + dx < plan.width and 0 <= y + dy < plan.height) for dx, dy in EIGHT
            )
        stays = rock >= (survive if before.tiles[y, x] == Tile.WALL else birth)
        tile = Tile.WALL if on_border or stays else Tile.FLOOR
        assert plan.tiles[y, x] == tile, (x, y)


@pytest.mark.parametrize("below", [2, 5, 9])
def test_small_parts_are_filled_and_no_others(below):
    before, plan = rubble(rock=0.55), rubble(rock=0.55)
    held = min(parts(before.open), key=len)
    plan.spawns = [Spawn("orc", *min(held))]
    run("fill_small_regions", plan, below=below)
    for part in parts(before.open):
        stays = len(part) >= below or part == held
        assert all(plan.open[y, x] == stays for x, y in part)
    assert not (plan.open & ~before.open).any()


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_a_map_with_less_floor_than_its_share_is_rejected(share):
    plan = Blueprint.solid(10, 10)
    plan.tiles.flat[: int(share * 100)] = Tile.FLOOR
    run("require_floor", plan, share=share)
    plan.tiles[0, 0] = Tile.WALL
    with pytest.raises(Exception, match="too little floor"):
        run("require_floor", plan, share=share)


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev"])
@pytest.mark.parametrize("count", [2, 9, 60])
def test_every_tile_belongs_to_the_nearest_site(metric, count):
    rng = Rng(4, metric, count)
    sites = np.column_stack([rng.integers(0, 69, count), rng.integers(0, 49, count)])
    sites = np.array(list(dict.fromkeys(map(tuple, sites.tolist()))))
    ys, xs = np.indices((50, 70))
    away = np.stack([apart(metric, xs - x, ys - y) for x, y in sites.tolist()])
    assert np.array_equal(nearest_site(70, 50, sites, metric), away.argmin(axis=0))


def test_three_ways_to_say_how_far_off_a_site_is():
    dx, dy = np.array([3, -4]), np.array([-4, 1])
    assert apart("euclidean", dx, dy).tolist() == [25, 17]
    assert apart("manhattan", dx, dy).tolist() == [7, 5]
    assert apart("chebyshev", dx, dy).tolist() == [4, 4]


@pytest.mark.parametrize(("area", "stages"), [(75, 6), (40, 3), (500, 1), (5000, 0)])
def test_cells_grow_from_one_site_for_each_area_in_so_many_stages(area, stages):
    plan, edges = Blueprint.solid(60, 40), {1} if area > 75 else set()
    for seed in range(3):
        steps = voronoi_cells(plan, Rng(seed), area=area, stages=stages)
        caption, before = next(steps), plan.regions.copy()
        sites = int((before > 0).sum())
        assert max(2, 2400 // area) * 0.9 <= sites <= max(2, 2400 // area)
        assert caption == f"{sites} sites"
        ys, xs = np.nonzero(before)
        edges |= {int(xs.min()), int(59 - xs.max()), int(ys.min()), int(39 - ys.max())}
        shown = 0
        for shown, _ in enumerate(steps, 1):
            grown = plan.regions > 0
            assert np.array_equal(plan.regions[before > 0], before[before > 0])
            assert shown < stages or grown.all()
            assert stages < 3 or shown > 1 or not grown.all()
            before = plan.regions.copy()
        assert shown == stages
        assert sorted(np.unique(plan.regions).tolist()) == list(range(1, sites + 1))
    assert min(edges) == 1


def quarters(width=24, height=16):
    """Return a map whose inner part is six regions in two rows, rock around them."""
    plan = Blueprint.solid(width, height)
    plan.regions = np.zeros(plan.tiles.shape, np.int32)
    for number in range(6):
        x, y = 2 + 7 * (number % 3), 2 + 6 * (number // 3)
        plan.regions[y : y + 6, x : x + 7] = number + 1
    return plan


@pytest.mark.parametrize(("share", "swallowed"), [(0.0, 0), (0.16, 0), (0.17, 1), (0.34, 2)])
def test_regions_swallow_as_many_neighbours_as_their_share(share, swallowed):
    for seed in range(6):
        plan, before = quarters(), quarters().regions
        captions = run("merge_regions", plan, seed, share=share)
        assert captions == [f"{pluralise(swallowed, 'cell')} merged with a neighbour"] * (
            swallowed > 0
        )
        numbers = set(np.unique(plan.regions).tolist()) - {0}
        assert len(numbers) == 6 - swallowed
        assert ((plan.regions > 0) == (before > 0)).all()
        assert all(regions(plan.regions == number)[1] == 1 for number in numbers)
        assert all(len(np.unique(plan.regions[before == old])) == 1 for old in range(1, 7))


@pytest.mark.parametrize(("share", "left"), [(0.0, 6), (0.16, 6), (0.17, 5), (0.34, 4), (0.9, 2)])
def test_regions_left_to_the_rock_are_twigs(share, left):
    found = set()
    for seed in range(60):
        plan = quarters()
        run("drop_regions", plan, seed, share=share)
        kept = set(np.unique(plan.regions).tolist()) - {0}
        found.add(len(kept))
        assert regions(plan.regions > 0)[1] == 1
        assert all((plan.regions == number).sum() == 42 for number in kept)
    assert min(found) == left
    assert max(found) == max(left, 4), "a tree has two twigs at least"


def labelled(seed=2, count=12, width=40, height=30):
    """Return labels [y, x] of areas with walls one to three tiles thick between them."""
    plan = Blueprint.solid(width, height)
    run("voronoi_cells", plan, seed, area=width * height // count)
    labels = plan.regions.copy()
    edge = np.zeros(labels.shape, np.bool_)
    edge[:-1] |= labels[:-1] != labels[1:]
    edge[:, :-1] |= labels[:, :-1] != labels[:, 1:]
    edge[:, 10:14] |= edge[:, 9:13] | edge[:, 8:12]
    edge[[0, -1]] = edge[:, [0, -1]] = True
    labels[edge] = 0
    return labels


@pytest.mark.parametrize("thickness", [1, 2, 4])
def test_thin_walls_are_all_straight_ways_through_rock_between_two_areas(thickness):
    labels = labelled()
    height, width = labels.shape
    wanted = {}
    for thick, y, x in product(range(1, thickness + 1), range(height), range(width)):
        for dx, dy in ((1, 0), (0, 1)):
            end = x + dx * (thick + 1), y + dy * (thick + 1)
            if end[0] >= width or end[1] >= height:
                continue
            between = [int(labels[y + dy * n, x + dx * n]) for n in range(1, thick + 1)]
            one, other = sorted((int(labels[y, x]), int(labels[end[1], end[0]])))
            if one and one != other and not any(between):
                gap = [(x + dx * n, y + dy * n) for n in range(1, thick + 1)]
                wanted.setdefault((one, other), []).append(gap)
    found = thin_walls(labels, thickness)
    assert list(found) == sorted(wanted)
    for pair, gaps in found.items():
        assert sorted(gaps) == sorted(wanted[pair])
        assert [len(gap) for gap in gaps] == sorted(len(gap) for gap in gaps)


def test_the_square_of_an_area_is_its_largest_of_odd_side():
    labels, count = regions(labelled() > 0)
    for number, room in enumerate(square_rooms(labels, count), 1):
        own = labels == number
        assert own[room.inner].all()
        assert room.width == room.height
        assert room.width % 2 == 1
        side = room.width + 2
        corners = product(range(labels.shape[0] - side + 1), range(labels.shape[1] - side + 1))
        assert not any(own[y : y + side, x : x + side].all() for y, x in corners)
        same = product(range(room.y + 1), range(labels.shape[1] - room.width + 1))
        first = next((x, y) for y, x in same if own[y : y + room.width, x : x + room.width].all())
        assert first == (room.x, room.y)


@pytest.mark.parametrize("least", [0, 30, 60])
def test_chambers_are_their_regions_less_a_wall_one_tile_thick(least):
    plan = Blueprint.solid(48, 36)
    run("voronoi_cells", plan, 5, area=110)
    run("chambers_in_regions", plan, least=least)
    owner = plan.regions
    inside = plan.open
    assert len(plan.rooms) == regions(inside)[1]
    assert min(len(part) for part in parts(inside)) >= max(1, least)
    for y, x in np.argwhere(inside).tolist():
        alike = {int(owner[y + dy, x + dx]) for dx, dy in EIGHT if inside[y + dy, x + dx]}
        assert alike <= {int(owner[y, x])}
    if least:
        return
    cells = owner[1:-1, 1:-1]
    for y, x in np.argwhere(~inside[1:-1, 1:-1]).tolist():
        around = owner[y : y + 3, x : x + 3]
        assert (around != cells[y, x]).any(), "rock only where another region is near"


@pytest.mark.parametrize("loops", [0.0, 1.0])
@pytest.mark.parametrize("doors", [0.0, 1.0])
def test_walls_are_pierced_once_for_each_pair_of_chambers(loops, doors):
    plan = Blueprint.solid(48, 36)
    run("voronoi_cells", plan, 5, area=110)
    run("chambers_in_regions", plan)
    labels, count = regions(plan.open)
    walls = thin_walls(labels, 2)
    before = plan.open
    run("pierce_walls", plan, loops=loops, doors=doors, thickness=2)
    opened = parts(plan.open & ~before)
    tree = spanning_tree(list(walls))[0]
    if loops:
        assert sum(map(len, opened)) == sum(len(gaps[0]) for gaps in walls.values())
    assert regions(plan.open)[1] == count - len(tree)
    if not loops:
        assert len(opened) == len(tree)
    hung = plan.tiles == Tile.DOOR
    assert hung.any() == (doors > 0)
    for y, x in np.argwhere(hung).tolist():
        walled = [tile == Tile.WALL for tile in neighbours(plan, x, y, FOUR)]
        assert walled in ([True, False, True, False], [False, True, False, True])
    assert not hung.any() or hung.sum() <= len(opened)


def test_neighbouring_regions_and_the_ways_that_join_them_cost_least():
    owner = np.array([[0, 0, 1, 1], [2, 2, -1, 1], [2, 3, 3, 3]], np.int32)
    assert adjacent_pairs(owner) == [(0, 1), (0, 2), (1, 3), (2, 3)]
    tree, rest = spanning_tree([(1, 2), (2, 3), (1, 3), (4, 5), (5, 4)])
    assert (tree, rest) == ([(1, 2), (2, 3), (4, 5)], [(1, 3), (5, 4)])
    plan = drawn("""
        ###########
        #..##..#..#
        #..##..#..#
        ####.##.###
        ####...####
        ###########
    """)
    labels, _ = regions(plan.open)
    cost = np.where(labels > 0, 1, 3).astype(np.int32)
    cost[1, 3:5] = 2
    ways = list(cheapest_links(labels, cost, Rng(1)))
    assert [int(sum(cost[y, x] for x, y in way.tiles)) for way in ways] == [3, 3, 3, 4]
    all_of_them = list(cheapest_links(labels, cost, Rng(1), 1.0))
    assert len(all_of_them) > len(ways)
    cost[3, :] = 0
    assert not any(y == 3 for way in cheapest_links(labels, cost, Rng(1)) for _, y in way.tiles)
