"""Creatures, gold, lairs and furnished rooms against twins that place them one by one."""

from itertools import product

import numpy as np
import pytest

from entities.creature_kinds import creature_kinds
from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.analysis.chokepoints import chokepoint_areas, structure_of
from procgen.blueprint import Point, RectangularRoom, Spawn
from procgen.placement.lairs import place_lair, place_minions, scatter_signs
from procgen.placement.monster_placement import (
    free_tiles,
    is_steady,
    pack_members,
    pick_kind,
    place_pack,
    sample_tiles,
)
from procgen.placement.painting import protected, tile_named
from procgen.placement.safe_placement import FreeFloor
from procgen.rng import Rng
from procgen.steps.monster_lairs import foreshadow, lairs_in_dead_ends
from procgen.steps.spawns import (
    monsters_by_density,
    monsters_by_region,
    monsters_clumped,
    monsters_in_rooms,
    monsters_per_tile_of_room,
)
from procgen.steps.treasure import treasure_behind_chokepoints
from support.blueprints import run
from support.by_definition import EIGHT, cells, places
from support.step_twins import assert_alike, level, mask_spots, open_ground, tiles_of, walkable

WIDE, HIGH = 44, 31


def slow_sample(spots, rng, number):
    """Draw up to ``number`` of ``spots``; the last takes the place of one drawn."""
    left, chosen = sorted(spots, key=lambda spot: spot[::-1]), []
    for _ in range(min(number, len(left))):
        at = rng.below(len(left))
        chosen.append(left[at])
        left[at] = left[-1]
        left.pop()
    return chosen


def slow_pack(plan, free, rng, at, kinds, reach=3):
    """Put a creature of each kind on the nearest of the ``free`` tiles, changed in place."""
    x, y = at
    if len(kinds) == 1 and at in free:
        free.discard(at)
        plan.spawns.append(Spawn(*kinds, *at))
        return 1
    near = {(a, b) for a, b in cells(plan) if max(abs(a - x), abs(b - y)) <= reach}
    ground = {spot for spot in near if walkable(plan, *spot)}
    steps = {spot: n for spot, n in steps_on(ground, at).items() if n <= reach}
    spots = [(a, b) for b, a in sorted((b, a) for a, b in steps.keys() & free)]
    order = sorted(rng.shuffled(spots), key=steps.__getitem__) if spots else []
    for kind, spot in zip(kinds, order, strict=False):
        plan.spawns.append(Spawn(kind, *spot))
        free.discard(spot)
    return min(len(kinds), len(order))


def steps_on(ground, at):
    steps, ring, number = {tuple(at): 0}, {tuple(at)}, 0
    while ring:
        number += 1
        ring = {(x + dx, y + dy) for x, y in ring for dx, dy in EIGHT} & ground - steps.keys()
        steps |= dict.fromkeys(ring, number)
    return steps


@pytest.mark.parametrize("seed", range(6))
def test_tiles_are_sampled_and_packs_placed_as_the_twins_do(seed):
    plan = level(seed, rooms=seed % 2)
    free = free_tiles(plan)
    for number in (0, 1, 7, 10**4):
        wanted = slow_sample(places(free), Rng(seed), number)
        assert sample_tiles(free, Rng(seed), number) == wanted
    other = level(seed, rooms=seed % 2)
    spots, rng = places(free), np.random.default_rng(seed)
    ground = sorted(open_ground(plan))
    for turn in range(12):
        at = ground[int(rng.integers(len(ground)))]
        kinds = ["rat"] * int(rng.integers(1, 60))
        done = place_pack(plan, free, Rng(turn), at, kinds=kinds)
        assert done == slow_pack(other, spots, Rng(turn), at, kinds)
        assert plan.spawns == other.spawns
        assert places(free) == spots


def rate(plan, per_100, deeper):
    return per_100 / 100 * min(3, 1 + (plan.depth - 1) * deeper)


def slow_in_rooms(plan, rng, *, rooms, each, first):
    free, before = places(free_tiles(plan)), len(plan.spawns)
    for room in plan.rooms[1 : rooms + 1]:
        for spot in slow_sample(free & tiles_of(room), rng, each):
            kind = first if first and plan.depth == 1 else pick_kind(plan, rng)
            plan.spawns.append(Spawn(kind, *spot))
    number = len(plan.spawns) - before
    return [f"{pluralise(number, 'monster')} placed"] if number else []


def slow_density(plan, rng, *, per_100, deeper, at_least):
    free, before = places(free_tiles(plan)), len(plan.spawns)
    number = max(at_least, int(len(open_ground(plan)) * rate(plan, per_100, deeper)))
    left = number
    for spot in slow_sample(free, rng, number):
        if left > 0:
            kinds = pack_members(rng, pick_kind(plan, rng))[:left]
            left -= slow_pack(plan, free, rng, spot, kinds)
    return [f"{pluralise(len(plan.spawns) - before, 'monster')} placed"]


def slow_per_tile(plan, rng, *, per_tile, pack):
    free, told = places(free_tiles(plan) & (plan.tiles != Tile.TRAP)), []
    for number, room in enumerate(plan.rooms[1:], 2):
        due = room.width * room.height * per_tile * (pack if rng.chance(1 / pack) else 0)
        wanted = int(due) + rng.chance(due - int(due))
        spots = slow_sample(free & tiles_of(room), rng, wanted)
        for kind, spot in zip(slow_kin(plan, rng, len(spots), 0.3), spots, strict=True):
            plan.spawns.append(Spawn(kind, *spot))
        free -= set(spots)
        told += [f"Monsters in room {number}: {len(spots)}"] if spots else []
    return told


def slow_kin(plan, rng, number, strangers):
    own, found = pick_kind(plan, rng), []
    while len(found) < number:
        found += pack_members(rng, own)
        alone = creature_kinds()[own].traits.pack[1] <= 1
        if alone or rng.branch("creatures").chance(strangers):
            own = pick_kind(plan, rng)
    return found[:number]


def slow_clumps(plan, rng, *, per_100, deeper, pack, spread, strangers, at_least):
    steps, free = steps_on(set(open_ground(plan)), plan.start), places(free_tiles(plan))
    told, spots = [], sorted(free & steps.keys(), key=lambda spot: spot[::-1])
    if not spots:
        return []
    furthest = max(1, *(steps[spot] for spot in spots))
    left = max(at_least, int(len(open_ground(plan)) * rate(plan, per_100, deeper)))
    homes, misses = [], 0
    while left and misses < 64:
        for _ in range(8):
            x, y = rng.pick(spots)
            if all(max(abs(x - a), abs(y - b)) >= spread for a, b in homes):
                break
        size = 1 + steps[x, y] * rng.between(pack - 1, 2 * (pack - 1)) // furthest
        settled = slow_pack(
            plan, free, rng, (x, y), slow_kin(plan, rng, min(left, size), strangers)
        )
        left -= settled
        if settled:
            homes.append((x, y))
            told.append(f"A pack of {settled} monsters" if settled > 1 else "A lone monster")
        else:
            misses += 1
    return told


def slow_regions(plan, rng, *, per_100, deeper, empty, crowded, strangers, at_least):
    free, owner, settled = places(free_tiles(plan)), {}, 0
    for x, y in sorted(free, key=lambda spot: spot[::-1]):
        if plan.regions is not None and plan.regions.any():
            home = int(plan.regions[y, x])
        elif plan.rooms:
            homes = [n for n, room in enumerate(plan.rooms) if room.contains(x, y)]
            home = homes[-1] if homes else None
        else:
            home = y // 16, x // 16
        owner.setdefault(home, []).append((x, y))
    owner.pop(None, None)
    for home in sorted(owner):
        spots = owner[home]
        if rng.chance(empty):
            continue
        due = len(spots) * rate(plan, per_100, deeper) * (3 if rng.chance(crowded) else 1)
        wanted = min(len(spots), int(due) + rng.chance(due - int(due)))
        chosen = rng.shuffled(spots)[:wanted]
        for kind, spot in zip(slow_kin(plan, rng, wanted, strangers), chosen, strict=True):
            plan.spawns.append(Spawn(kind, *spot))
        settled += wanted
    for spot in slow_sample(places(free_tiles(plan)), rng, max(0, at_least - settled)):
        plan.spawns.append(Spawn(pick_kind(plan, rng), *spot))
        settled += 1
    return [f"{pluralise(settled, 'monster')} placed, region by region"] if settled else []


@pytest.mark.parametrize("depth", [1, 4, 30])
@pytest.mark.parametrize("rooms", [True, False])
def test_creatures_move_in_as_the_twins_say(depth, rooms):
    for seed in range(3):
        common = {"per_100": (0.5, 2.0, 9.0)[seed], "deeper": 0.2, "at_least": (0, 3, 9)[seed]}
        pairs = [
            (monsters_in_rooms, slow_in_rooms,
             {"rooms": 2 + seed, "each": (1, 3, 40)[seed], "first": ("", "rat", "bat")[seed]}),
            (monsters_by_density, slow_density, common),
            (monsters_per_tile_of_room, slow_per_tile,
             {"per_tile": (0.05, 0.3, 1.0)[seed], "pack": 1 + seed}),
            (monsters_clumped, slow_clumps,
             common | {"pack": 1 + 2 * seed, "spread": 6 * seed, "strangers": 0.5}),
            (monsters_by_region, slow_regions,
             common | {"empty": 0.3, "crowded": 0.4, "strangers": 0.5}),
        ]  # fmt: skip
        for step, twin, given in pairs:
            for numbered in (False, True):
                plan = level(seed, rooms=rooms, depth=depth)
                if numbered:
                    plan.spawns.append(Spawn("rat", *plan.exit))  # From an earlier step.
                    plan.regions = np.zeros(plan.tiles.shape, np.int32)
                    plan.regions[:, 9:20], plan.regions[12:, 20:], plan.regions[:, 0] = 1, 2, -1
                assert_alike(step, twin, plan, seed, **given)


def slow_treasure(plan, rng, *, hoards, heaps, least, most):
    structure, told = structure_of(plan), []
    steps, floor = structure.distance, FreeFloor(plan)
    hidden = []
    for area in chokepoint_areas(structure, least, most):
        spots = [Point(cell % plan.width, cell // plan.width) for cell in area.cells.tolist()]
        if plan.exit not in spots and plan.start not in spots:
            hidden.append(sorted(spots, key=lambda spot: steps[spot[::-1]]))
    ends = [spot for spot in structure.dead_ends if steps[spot[::-1]] < 10**6]
    ends.sort(key=lambda spot: -steps[spot[::-1]])
    hoards *= plan.scale
    nooks = rng.shuffled(hidden) + rng.shuffled([[end] for end in ends[: 3 * hoards]])
    for spots in nooks:
        if len(told) < hoards:
            gold = rng.shuffled(spots[-max(heaps, len(spots) // 3) :])[:heaps]
            heaped = sum(floor.place_walkable(*spot, Tile.TREASURE) for spot in gold)
            if heaped:
                told.append(f"Hoard {len(told) + 1}: {pluralise(heaped, 'heap')} of gold")
    return told


@pytest.mark.parametrize(("hoards", "heaps", "sizes"), [(2, 3, (6, 150)), (9, 1, (2, 30)),
    (30, 5, (1, 400)), (0, 2, (6, 9))])  # fmt: skip
def test_treasure_is_laid_as_the_twin_says(hoards, heaps, sizes):
    for seed, rooms in product(range(3), (True, False)):
        plan = level(seed, rooms=rooms)
        run("doors", plan, seed, chance=1.0)
        assert_alike(
            treasure_behind_chokepoints, slow_treasure, plan, seed, hoards=hoards, heaps=heaps,
            least=sizes[0], most=sizes[1],
        )  # fmt: skip


def around(plan, source, reach, from_start):
    """Return steps to ``source`` in the window around it, and what of it is on the way there."""
    near = {
        (x, y) for x, y in cells(plan)
        if abs(x - source.x) <= reach and abs(y - source.y) <= reach
    }  # fmt: skip
    found = steps_on({spot for spot in near if walkable(plan, *spot)}, source)
    steps = {spot: min(found.get(spot, 10**6), reach + 1) for spot in near}
    whole = int(from_start[source.y, source.x])
    slack = whole + 3 if whole < 10**6 else -1
    far = {spot for spot in near if int(from_start[spot[::-1]]) + steps[spot] > slack}
    return steps, {spot for spot in near - far if steps[spot] <= reach}


def slow_signs(plan, rng, source, from_start, *, reach, dense, ground="rubble"):
    steps, ways = around(plan, source, reach, from_start)
    left, top = min(x for x, _ in steps), min(y for _, y in steps)
    size = 1 + max(y for _, y in steps) - top, 1 + max(x for x, _ in steps) - left
    kept, before = protected(plan, paint=Tile.BONES), plan.tiles.copy()
    roll, bare, bony = (rng.random_bytes(*size).tolist() for _ in range(3))
    walks = bool(terrain().walkable[tile_named(ground)])
    hits = 0
    for (x, y), far in steps.items():
        if not terrain().plain[before[y, x]] or kept[y, x]:
            continue
        a, b, near = x - left, y - top, max(0, reach - far)
        is_bare = before[y, x] in (Tile.FLOOR, Tile.TUNNEL) and 3 * far <= reach
        if is_bare and walks and bare[b][a] < 128:
            plan.tiles[y, x] = tile_named(ground)
        share = near * int(dense * 256) // (reach * (1 if (x, y) in ways else 3))
        if roll[b][a] < share:
            bones = bony[b][a] * reach < near * 224
            plan.tiles[y, x] = Tile.BONES if bones else Tile.STAIN
            hits += 1
    return hits


def slow_minions(plan, rng, source, from_start, *, reach, number):
    steps, ways = around(plan, source, reach, from_start)
    free = places(free_tiles(plan)) & ways
    spots = slow_sample({spot for spot in free if 3 * steps[spot] > reach}, rng, number)
    for spot in spots:
        plan.spawns.append(Spawn(pick_kind(plan, rng), *spot))
    return len(spots)


def slow_lair(plan, rng, den, from_start, *, size, deeper=2, reach=14, dense=0.4, minions=2):
    packs = pick_kind(plan, rng, suits=lambda it: is_steady(it) and it.traits.pack[1] > 1)
    kinds = [pick_kind(plan, rng, deeper)] + [packs] * (size - 1)
    settled = slow_pack(plan, places(free_tiles(plan)), rng, den, kinds)
    if settled:
        slow_signs(plan, rng, den, from_start, reach=reach, dense=dense)
        slow_minions(plan, rng, den, from_start, reach=reach, number=minions)
    return settled


@pytest.mark.parametrize("rooms", [True, False])
@pytest.mark.parametrize(("reach", "dense", "ground"), [(14, 0.4, "rubble"), (5, 1.0, "moss"),
    (1, 0.7, "statue"), (9, 0.0, "bones")])  # fmt: skip
def test_signs_minions_and_lairs_are_those_of_their_twins(rooms, reach, dense, ground):
    for seed in range(3):
        one, other = (level(seed, rooms=rooms, depth=3) for _ in range(2))
        field = structure_of(one).distance
        spots = sorted(open_ground(one))
        for number, spot in enumerate(spots[8 :: len(spots) // 4]):
            source, rngs = Point(*spot), (Rng(number), Rng(number))
            given = {"reach": reach, "dense": dense, "ground": ground}
            told = [
                scatter_signs(one, rngs[0], source, field, **given),
                place_minions(one, rngs[0], source, field, reach=reach, number=3),
                place_lair(one, rngs[0], source, field, size=number + 1),
            ]
            wanted = [
                slow_signs(other, rngs[1], source, field, **given),
                slow_minions(other, rngs[1], source, field, reach=reach, number=3),
                slow_lair(other, rngs[1], source, field, size=number + 1),
            ]
            assert told == wanted
            assert mask_spots(one.tiles != other.tiles) == set()
            assert one.spawns == other.spawns


def slow_dens(plan, *, lairs, size, least, most, reach, rng, **given):
    structure, told = structure_of(plan), []
    steps = structure.distance
    reached = {spot: int(steps[spot[::-1]]) for spot in cells(plan) if steps[spot[::-1]] < 10**6}
    far = max(reached.values())
    furthest = min((spot for spot in reached if reached[spot] == far), key=lambda spot: spot[::-1])
    areas = [area.cells.tolist() for area in chokepoint_areas(structure, least, most)]
    behind = [[Point(cell % plan.width, cell // plan.width) for cell in area] for area in areas]
    deep = [max(spots, key=reached.__getitem__) for spots in behind]
    dens = []
    for sort in (deep, structure.dead_ends, [Point(*furthest)]):
        fine = [den for den in sort if 3 * reached.get(den, -1) >= far]
        dens = dens or sorted(fine, key=lambda den: -reached[den])
    for number in range(1, lairs * plan.scale + 1):
        if not dens:
            break
        den = dens.pop(rng.below(len(dens) // 3 + 1))
        dens = [one for one in dens if max(abs(den.x - one.x), abs(den.y - one.y)) > reach]
        settled = slow_lair(plan, rng, den, steps, size=size, reach=reach, **given)
        told += [f"Lair {number}: {pluralise(settled, 'monster')}"] if settled else []
    return told


def slow_omens(plan, rng, *, clumps, least, reach, dense, minions, ground):
    structure, told, crowds = structure_of(plan), [], {}
    for one in plan.spawns:
        crowds.setdefault((one.x // 8, one.y // 8), []).append(Point(one.x, one.y))
    packs = sorted(crowds.values(), key=lambda pack: -len(pack))
    for pack in [pack for pack in packs if len(pack) >= least][: clumps * plan.scale]:
        given = {"reach": reach, "dense": dense, "ground": ground}
        signs = slow_signs(plan, rng, pack[0], structure.distance, **given)
        posted = slow_minions(plan, rng, pack[0], structure.distance, reach=reach, number=minions)
        if signs or posted:
            told.append(
                f"{pluralise(signs, 'sign')} and {pluralise(posted, 'lone monster')} near a pack"
            )
    return told


@pytest.mark.parametrize("rooms", [True, False])
@pytest.mark.parametrize(("lairs", "least", "most", "reach"), [(1, 12, 200, 14), (4, 3, 40, 3),
    (9, 500, 900, 1), (0, 2, 9, 5)])  # fmt: skip
def test_lairs_and_omens_lie_where_the_twins_put_them(rooms, lairs, least, most, reach):
    def dens(plan, rng, **given):
        return slow_dens(plan, rng=rng, **given)

    for seed in range(3):
        plan = level(seed, rooms=rooms, depth=2)
        assert_alike(
            lairs_in_dead_ends, dens, plan, seed, lairs=lairs, size=2 + seed, deeper=seed,
            least=least, most=most, reach=reach, dense=0.5, minions=seed,
        )  # fmt: skip
        run("monsters_clumped", plan, seed, per_100=3.0)
        assert_alike(
            foreshadow, slow_omens, plan, seed, clumps=lairs, least=1 + seed, reach=reach,
            dense=0.4, minions=2, ground="rubble",
        )  # fmt: skip
    plan.start = None
    plan.rooms = [RectangularRoom(1, 1, 1, 1)]
    assert run(lairs_in_dead_ends, plan) == run(foreshadow, plan) == []
