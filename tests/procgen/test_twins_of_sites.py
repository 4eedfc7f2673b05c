"""Sites to furnish, and notches of a recipe's numbers, against twins that look at every tile."""

from itertools import product

import pytest

from entities.terrain import Tile
from procgen.analysis.chokepoints import chokepoint_areas, structure_of
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.placement.room_sites import CLEARINGS, SLACK, WIDEST, find_sites, sites_in
from procgen.recipe_parameters import parameter_value, parameters_of, stepped_value, with_value
from procgen.recipes import find_recipe
from procgen.rng import Rng
from support.blueprints import cave, run
from support.by_definition import cells
from support.step_twins import open_ground, tiles_of


def slow_sites(plan, structure, rng, least, most):
    steps, seals, found = structure.distance, structure.sealed(), []
    back = distances(structure.walkable, *plan.exit)
    whole = int(steps[plan.exit[::-1]])
    free = {spot for spot in cells(plan) if steps[spot[::-1]] < UNREACHED}
    free -= {plan.start, plan.exit}

    def add(spots, box=None):
        nonlocal free
        if not least <= len(spots) <= most or not spots <= free:
            return
        free = free - spots
        rows = sorted(spots, key=lambda spot: spot[::-1])
        order = sorted(rows, key=lambda spot: steps[spot[::-1]])
        ranks = sorted(int(seals[spot[::-1]]) for spot in spots)
        seal = (ranks[(len(ranks) - 1) // 2] + ranks[len(ranks) // 2]) // 2
        xs, ys = [x for x, _ in rows], [y for _, y in rows]
        box = box or RectangularRoom(min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1)
        around = [
            int(back[spot[::-1]]) + int(steps[spot[::-1]]) - whole
            for spot in spots if back[spot[::-1]] < UNREACHED
        ]  # fmt: skip
        on_way = min(around, default=10**9) <= SLACK
        far = int(steps[order[-1][::-1]])
        found.append((order, box, far, 0 < seal <= 2 * len(spots), on_way))

    for room in plan.rooms:
        add({spot for spot in tiles_of(room) if steps[spot[::-1]] < UNREACHED}, room)
    for area in chokepoint_areas(structure, least, most):
        add({(cell % plan.width, cell // plan.width) for cell in area.cells.tolist()})
    if plan.rooms:
        return found
    reach = {}
    for x, y in cells(plan):
        side = 0
        while side <= WIDEST and len(square(x, y, side)) <= most and square(x, y, side) <= free:
            side += 1
        reach[x, y] = side
    rows = [(x, y) for y, x in product(range(plan.height), range(plan.width))]
    rows = [spot for spot in rows if spot in free and (2 * reach[spot] - 1) ** 2 >= least]
    left = CLEARINGS * plan.scale
    for x, y in sorted(rng.shuffled(rows), key=lambda spot: -reach[spot]):
        side = reach[x, y] - 1
        if left and (x, y) in free and (x - side, y - side) in free:
            left -= 1
            room = RectangularRoom(x - side, y - side, 2 * side + 1, 2 * side + 1)
            add({spot for spot in tiles_of(room) if steps[spot[::-1]] < UNREACHED}, room)
            free = free - square(x, y, side + 2)
    return found


def square(x, y, reach):
    span = range(-reach, reach + 1)
    return {(x + dx, y + dy) for dx, dy in product(span, repeat=2)}


@pytest.mark.parametrize(("least", "most"), [(9, 200), (4, 40), (1, 15), (25, 400)])
@pytest.mark.parametrize("rooms", [True, False])
def test_sites_are_found_as_the_twin_finds_them(rooms, least, most):
    for seed in range(4):
        plan = cave(seed, 40, 28)
        if rooms:
            plan = Blueprint.solid(40, 28)
            run("binary_space_partition", plan, seed, min_leaf=6, rounds=6)
            run("loose_rooms_in_leaves", plan, seed)
            run("join_adjacent_leaves", plan, seed, loops=0.1)
            plan.rooms = plan.rooms[::2] + plan.rooms[:1]
        spots = sorted(open_ground(plan))
        plan.start, plan.exit = Point(*spots[4]), Point(*spots[-6])
        structure = structure_of(plan)
        found = find_sites(plan, structure, Rng(seed), least=least, most=most)
        shown = [(list(one.spots), one.box, one.distance, one.sealed, one.on_way) for one in found]
        assert shown == slow_sites(plan, structure, Rng(seed), least, most)


def test_clearings_on_a_wide_floor_are_as_large_as_allowed():
    plan = Blueprint.solid(40, 28)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    plan.start, plan.exit = Point(1, 1), Point(38, 26)
    for most, side in ((200, 7), (48, 5), (9, 3), (8, 1)):
        found = find_sites(plan, structure_of(plan), Rng(1), least=1, most=most)
        assert {site.area for site in found} == {side**2}


@pytest.mark.parametrize(("least", "most"), [(10, 20), (20, 400)])
def test_a_box_is_a_site_of_all_that_can_be_reached_in_it(least, most):
    sizes = set()
    for seed in range(4):
        plan = cave(seed, 40, 28)
        plan.start = Point(*min(open_ground(plan)))
        structure = structure_of(plan)
        boxes = [RectangularRoom(x, y, 6, 5) for x, y in product(range(1, 34, 6), (3, 12, 20))]
        found = {one.box: one for one in sites_in(structure, boxes, least=least, most=most)}
        for box in boxes:
            steps = {spot: int(structure.distance[spot[::-1]]) for spot in tiles_of(box)}
            inside = {spot for spot, far in steps.items() if far < UNREACHED}
            sizes.add(least <= len(inside) <= most)
            assert (box in found) == (least <= len(inside) <= most)
            if box in found:
                site, (x, y) = found[box], box.center
                assert set(site.spots) == inside
                assert [steps[spot] for spot in site.spots] == sorted(map(steps.get, inside))
                assert (site.distance, site.deepest) == (steps[site.spots[-1]], site.spots[-1])
                assert site.middle == min(
                    inside, key=lambda spot: (abs(spot[0] - x) + abs(spot[1] - y), spot)
                )
                assert (site.sealed, site.on_way) == (False, False)
    assert sizes == {True, False}


def test_from_several_names_a_notch_leads_to_the_first_or_the_last():
    several = find_recipe("terrain")
    names = 0
    for parameter in parameters_of(several):
        value, kind = (
            parameter_value(several, parameter),
            getattr(parameter.kind, "item_type", None),
        )
        if not isinstance(value, tuple) or len(value) < 2 or not hasattr(kind, "values"):
            continue
        names += 1
        assert stepped_value(several, parameter, 1, value) == (kind.values[0],)
        assert stepped_value(several, parameter, -1, value) == (kind.values[-1],)
        for at, name in enumerate(kind.values):
            single = with_value(several, parameter, (name,))
            after = kind.values[(at + 1) % len(kind.values)]
            assert stepped_value(single, parameter, 1, value) == (after,)
            assert stepped_value(single, parameter, -1, value) == (kind.values[at - 1],)
    assert names
