"""Regions, the links between them and water, against their promises, tile by tile."""

from heapq import heappop, heappush
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy.ndimage import distance_transform_cdt

from entities.terrain import TILE_NAMES, Tile
from procgen.blueprint import Blueprint, Point
from procgen.carving.region_links import DisjointSets, adjacent_pairs, cheapest_links, meeting_tiles
from procgen.gradient_noise import fractal_noise
from procgen.placement.painting import highest_share, interior, scaled_to_area
from procgen.rng import Rng
from procgen.steps.lakes_rivers_fissures import _place, cross_again, flood, line_banks
from support.blueprints import drawn, run, text, with_rooms
from support.by_definition import EIGHT, FOUR, cells, parts, places, speckled

seeds = pytest.mark.parametrize("seed", range(4))


def labelled(plan):
    """Return the regions of ``plan`` as sets of places, and their numbers on the map."""
    homes = sorted(parts(places(plan.tiles != Tile.WALL)), key=min)
    labels = np.zeros(plan.tiles.shape, np.int32)
    for number, home in enumerate(homes, 1):
        for x, y in home:
            labels[y, x] = number
    return homes, labels


def apart(homes, prices):
    """Return the least price of closed tiles between each two of ``homes`` (Dijkstra)."""
    found = {}
    for number, home in enumerate(homes, 1):
        best, queue = {}, [(0, place) for place in sorted(home)]
        while queue:
            price, (x, y) = heappop(queue)
            if (x, y) in best:
                continue
            best[x, y] = price
            for dx, dy in FOUR:
                if next_price := prices.get((x + dx, y + dy)):
                    heappush(queue, (price + next_price, (x + dx, y + dy)))
        for other in range(number + 1, len(homes) + 1):
            near = {(x + dx, y + dy) for x, y in homes[other - 1] for dx, dy in FOUR}
            if ways := [best[place] for place in near if place in best]:
                found[number, other] = min(ways)
    return found


@seeds
def test_links_between_regions_cost_as_little_as_any_that_join_them_all(seed):
    plan, rng = speckled(seed, 0.35), np.random.default_rng(seed)
    homes, labels = labelled(plan)
    cost = rng.integers(0, 9, plan.tiles.shape).astype(np.int32)
    cost[labels > 0] = 1
    prices = {
        (x, y): int(cost[y, x]) for x, y in cells(plan) if not labels[y, x] and cost[y, x]
    }  # fmt: skip
    wanted, groups = 0, DisjointSets()
    for pair, price in sorted(apart(homes, prices).items(), key=lambda item: item[1]):
        wanted += price * groups.join(*pair)
    links = list(cheapest_links(labels, cost, Rng(seed)))
    spent = [sum(prices[place] for place in link.tiles) for link in links]
    assert spent == sorted(spent)
    assert sum(spent) == wanted
    for one, other, tiles in links:
        for number, (x, y) in ((one, tiles[0]), (other, tiles[-1])):
            assert any((x + dx, y + dy) in homes[number - 1] for dx, dy in FOUR)
        assert all(abs(a.x - b.x) + abs(a.y - b.y) == 1 for a, b in pairwise(tiles))
    most = list(cheapest_links(labels, cost, Rng(seed), 1.0))
    pairs = [tuple(sorted(link[:2])) for link in most]
    assert len(set(pairs)) == len(pairs) > len(links)


@seeds
def test_neighbours_are_those_that_share_a_side(seed):
    owner = np.random.default_rng(seed).integers(-1, 5 + 9 * seed, (9, 13)).astype(np.int32)
    wanted = set()
    for (y, x), (dx, dy) in product(np.ndindex(9, 13), ((1, 0), (0, 1))):
        if x + dx < 13 and y + dy < 9:
            pair = sorted((int(owner[y, x]), int(owner[y + dy, x + dx])))
            if pair[0] >= 0 and pair[0] != pair[1]:
                wanted.add(tuple(pair))
    assert adjacent_pairs(owner) == sorted(wanted)


@seeds
@pytest.mark.parametrize("below", [0, 2, 4, 400])
def test_small_islands_become_the_nearest_closed_tile_but_for_the_largest_and_the_needed(
    seed, below
):
    plan, rng = speckled(seed, 0.4), np.random.default_rng(seed)
    ground = places(plan.open)
    closed = set(cells(plan)) - ground
    for x, y in sorted(closed):
        plan.tiles[y, x] = rng.choice([Tile.WALL, Tile.WATER, Tile.MOUNTAIN])
    before, homes = plan.tiles.copy(), parts(ground)
    stands = min(min(homes, key=len))
    plan.start = Point(*stands)
    largest = min(homes, key=lambda home: (-len(home), min((y, x) for x, y in home)))
    gone = [home for home in homes if len(home) < below and stands not in home and home != largest]
    said = run("remove_small_islands", plan, below=below)
    sunk = {place for home in gone for place in home}
    for x, y in cells(plan):
        kinds = {int(before[y, x])}
        if (x, y) in sunk:
            away = {(a, b): abs(a - x) + abs(b - y) for a, b in closed}
            near = min(away.values())
            kinds = {int(before[b, a]) for (a, b), steps in away.items() if steps == near}
        assert int(plan.tiles[y, x]) in kinds
    assert said == ([f"{len(gone)} of {len(homes)} regions filled"] if gone else [])


@pytest.mark.parametrize("below", [0, 1, 3, 4, 9])
def test_rock_enclosed_by_ground_goes_if_it_is_small_and_touches_nothing_else(below):
    plan = drawn("""
        ################
        #..............#
        #.#..##...~....#
        #..#.#....#....#
        #....#...##..#.#
        #.............##
        #.O#...####....#
        #..............#
        ################
    """)
    before = plan.tiles.copy()
    run("remove_small_pillars", plan, below=below)
    gone = {(x, y) for y, x in np.argwhere(plan.tiles != before).tolist()}
    two, three, four = {(2, 2), (3, 3)}, {(5, 2), (6, 2), (5, 3), (5, 4)}, {(7, 6), (8, 6)}
    wanted = (two if below > 2 else set()) | (three if below > 4 else set())
    assert gone == wanted | (four | {(9, 6), (10, 6)} if below > 4 else set())


@seeds
def test_regions_are_joined_by_as_many_tunnels_as_it_takes(seed):
    plan = with_rooms((2, 2, 5, 4), (20 + seed, 3, 6, 3), (4 + seed, 13, 5, 4), (30, 12, 4, 5))
    homes = parts(places(plan.tiles != Tile.WALL))
    said = run("join_regions", plan, seed)
    assert len(parts(places(plan.tiles != Tile.WALL))) == 1
    assert len(said) == len(homes) - 1
    assert all(int(line.split()[1]) > int(line.split()[-1]) for line in said)
    before = plan.tiles.copy()
    assert run("join_regions", plan, seed) == []
    assert (plan.tiles == before).all()


@seeds
def test_candidates_for_tunnels_hold_the_shortest_that_join_all_regions(seed):
    homes, labels = labelled(speckled(seed, 0.2))
    shortest = sorted(
        (min(abs(x - a) + abs(y - b) for (x, y), (a, b) in product(one, other)), n, m)
        for (n, one), (m, other) in combinations(enumerate(homes, 1), 2)
    )
    steps, (rows, columns) = distance_transform_cdt(
        labels == 0, metric="taxicab", return_indices=True
    )
    meetings = meeting_tiles(steps, labels[rows, columns]).tolist()
    found = [(cost + 1, one, other) for cost, one, other, *_ in meetings]
    assert all(one != other for _, one, other in found)
    lengths = []
    for pairs in (shortest, found):
        groups = DisjointSets()
        lengths.append(sum(length for length, *pair in pairs if groups.join(*pair)))
    assert lengths[0] == lengths[1]


@pytest.mark.parametrize(
    ("number", "width", "height", "wanted"),
    [
        (0, 80, 45, 0), (1, 80, 45, 1), (4, 80, 45, 4), (1, 9, 9, 1), (4, 40, 45, 2),
        (3, 40, 45, 2), (1, 120, 45, 2), (1, 119, 45, 1), (0, 400, 400, 0), (4, 20, 18, 1),
    ],
)  # fmt: skip
def test_numbers_grow_with_the_map_and_are_rounded(number, width, height, wanted):
    assert scaled_to_area(Blueprint.solid(width, height), number) == wanted


@pytest.mark.parametrize("share", [0.0, 0.02, 0.1, 0.5, 1.0])
def test_the_highest_are_exactly_as_many_as_the_share(share):
    values = np.random.default_rng(3).random((9, 11))
    among = np.random.default_rng(4).random((9, 11)) < 0.7
    high = highest_share(values, among, share)
    assert high.sum() == int(share * among.sum() + 0.5)
    assert not (high & ~among).any()
    if high.any() and (among & ~high).any():
        assert values[high].min() > values[among & ~high].max()


@seeds
@pytest.mark.parametrize("liquid", [Tile.WATER, Tile.ICE])
def test_a_flood_spares_what_must_stay_and_ice_the_border_too(seed, liquid):
    plan = speckled(seed)
    plan.tiles[3, 3:6] = Tile.DOOR
    plan.start, wet = Point(5, 5), np.random.default_rng(seed).random(plan.tiles.shape) < 0.7
    wet[5, 5] = wet[3, 4] = True
    before = plan.tiles.copy()
    deep = flood(plan, wet, liquid)
    assert not deep[5, 5]
    for x, y in cells(plan):
        if deep[y, x]:
            assert wet[y, x]
            assert plan.tiles[y, x] == liquid
            assert liquid == Tile.WATER or plan.inside(x, y)
        else:
            assert plan.tiles[y, x] == before[y, x]
            spared = (x, y) == (5, 5) or before[y, x] == Tile.DOOR
            assert not wet[y, x] or spared or (liquid == Tile.ICE and not plan.inside(x, y))


@seeds
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_banks_line_a_share_of_the_free_ground_beside_deep_water(seed, share):
    plan, rng = speckled(seed, 0.7, 39, 30), np.random.default_rng(seed)
    deep, fixed = (rng.random(plan.tiles.shape) < part for part in (0.2, 0.2))
    plan.tiles[fixed], plan.tiles[deep] = Tile.SHRINE, Tile.WATER
    before = plan.tiles.copy()
    shore = {
        (x, y)
        for x, y in cells(plan)
        if before[y, x] == Tile.FLOOR
        and any(
            0 <= x + dx < 39 and 0 <= y + dy < 30 and deep[y + dy, x + dx] for dx, dy in EIGHT
        )
    }  # fmt: skip
    line_banks(plan, deep, Rng(seed), Tile.WALL, share)
    assert (plan.tiles == before).all(), "a wall is no bank"
    line_banks(plan, deep, Rng(seed), Tile.SAND, share)
    banks = {(x, y) for y, x in np.argwhere(plan.tiles != before).tolist()}
    assert banks <= shore
    assert abs(len(banks) - share * len(shore)) <= (3.5 * len(shore) ** 0.5 if share == 0.5 else 0)
    assert {int(tile) for tile in plan.tiles[plan.tiles != before]} <= {Tile.SAND}


@pytest.mark.parametrize(
    ("fords", "rows", "wanted"),
    [
        (0.0, ("#######", "#..~..#", "#..~..#", "#######"), "bridge"),
        (1.0, ("#######", "#..~..#", "#..~..#", "#######"), "shallows"),
        (0.0, ("#####", "#...#", "#~~~#", "#...#", "#####"), "bridge"),
        (0.0, ("######", "#.~~##", "###~.#", "######"), "shallows"),
        (0.0, ("#######", "#.....#", "#..~..#", "#######"), ""),
        (0.0, ("~~~~~~", "~.##.~", "~~~~~~"), ""),
    ],
)
def test_what_water_parts_is_joined_by_a_bridge_or_where_it_bends_by_a_ford(fords, rows, wanted):
    plan = drawn("\n".join(rows))
    deep = plan.tiles == Tile.WATER
    before = plan.tiles.copy()
    ways = cross_again(plan, Rng(1), deep, bridge=Tile.BRIDGE, ford=Tile.SHALLOWS, fords=fords)
    assert ways == (wanted != "")
    changed = plan.tiles != before
    assert {TILE_NAMES[tile] for tile in plan.tiles[changed].tolist()} == ({wanted} - {""})
    assert not (changed & ~deep).any()
    assert len(parts(plan.open)) == 1 or not wanted


def test_a_lake_may_lie_anywhere_inside_where_enough_of_it_is_on_floor():
    blob = np.ones((2, 3), np.bool_)
    plan = Blueprint.solid(9, 7)
    none = np.zeros(plan.tiles.shape, np.bool_)

    def places(open_tiles, share):
        rng = Rng(1)
        found = (_place(open_tiles, none, rng, blob, 12, share) for _ in range(250))
        return {place for place in found if place}

    assert places(plan.open, 0.0) == set(product(range(1, 6), range(1, 5)))
    assert places(plan.open, 0.01) == set()
    plan.tiles[1, 1:6] = Tile.FLOOR
    assert places(plan.open, 0.5) == {(1, 1), (3, 1)}, "only an end of the hall may drown"
    assert places(plan.open, 0.51) == set()
    assert _place(np.zeros((3, 9), np.bool_), none, Rng(1), blob, 12, 0.0) is None
    assert _place(np.zeros((4, 4), np.bool_), none, Rng(1), blob, 12, 0.0) is None
    assert _place(np.zeros((4, 5), np.bool_), none, Rng(1), blob, 12, 0.0) == (1, 1)


@pytest.mark.parametrize(
    ("size", "rivers", "wanted"),
    [((80, 45), 0, 0), ((80, 45), 2, 2), ((124, 125), 1, 1), ((125, 125), 1, 2), ((9, 9), 3, 3)],
)
def test_rivers_are_as_many_as_asked_for_and_more_on_long_maps(size, rivers, wanted):
    plan = Blueprint.solid(*size)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    said = run("river", plan, rivers=rivers, width=1)
    assert [line for line in said if line.endswith("crosses the map")] == [
        f"River {number} crosses the map" for number in range(1, wanted + 1)
    ]


@seeds
@pytest.mark.parametrize("share", [0.0, 0.05])
def test_cracks_run_where_the_noise_is_flat_or_changes_its_sign(seed, share):
    plan = Blueprint.solid(30, 22)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    relief = fractal_noise(Rng(seed, "fissures").below(2**62), 0, 0, 30, 22, scale=0.1, octaves=2)
    wanted = highest_share(-np.abs(relief), interior(plan), share)
    for x, y in cells(plan):
        if plan.inside(x, y):
            high = relief[y, x] > 0
            wanted[y, x] |= high != (relief[y, x + 1] > 0) or high != (relief[y + 1, x] > 0)
    run(
        "fissures", plan, seed, share=share, scale=0.1, octaves=2, liquid="lava", banks=0.0,
        bridge="road", ford="road",
    )  # fmt: skip
    cracked = np.isin(plan.tiles, (Tile.LAVA, Tile.ROAD))
    assert (cracked == wanted).all(), text(plan)
    assert len(parts(plan.open)) == 1
