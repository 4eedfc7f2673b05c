"""The ground of a seed, what may change on it, and in which order: tile by tile."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from msgspec.structs import replace

from entities.seed_kinds import GroundShape, Soil, seed_kinds
from entities.terrain import LOCK_TILES, SHUT_DOORS, Tile, terrain
from procgen import planting
from procgen.analysis.distances import closest_tile
from procgen.blueprint import Point, Rejected, Spawn
from procgen.planting import (
    EXTRA_STEPS,
    HALO,
    HASTE,
    _behind_locks,
    _blueprint,
    _box,
    _changeable,
    _hang_doors,
    _in_turns,
    _own_chain,
    _run,
    grow_plot,
)
from procgen.plot_ground import SOILS, ground_shape, repair_connectivity
from procgen.plots import Plot, TileChange
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.vaults.orientations import largest_rectangle
from support.blueprints import drawn_tiles
from support.by_definition import parts, places, steps_from
from support.step_twins import touching, widened

SEED = seed_kinds()["frost_seed"]
RUBBLE = (Tile.FLOOR, Tile.WALL, Tile.WATER, Tile.GRASS, Tile.STATUE)
"""Some tiles of every soil."""


def mixed(seed, width=21, height=15, among=RUBBLE):
    """Return tiles of the kinds ``among`` at random."""
    rng = np.random.default_rng(seed)
    return np.array(among, np.uint8)[rng.integers(0, len(among), (height, width))]


def rows_of(shape):
    return product(range(shape[1]), range(shape[0]))


@pytest.mark.parametrize("radius", [1, 2, 5])
@pytest.mark.parametrize(("here", "target"), [((3, 4), (15, 9)), ((8, 8), (8, 1)), ((5, 5), (5, 5)),
    ((0, 0), (20, 14)), ((19, 3), (4, 3))])  # fmt: skip
def test_the_ground_is_a_disc_or_a_strip_to_the_target(radius, here, target):
    tiles = np.zeros((15, 21), np.uint8)
    kind = replace(SEED, ground=GroundShape.DISC, radius=radius)
    disc = places(ground_shape(kind, tiles, Point(*here), Point(*target)))
    assert disc == {
        (x, y) for x, y in rows_of(tiles.shape)
        if (x - target[0]) ** 2 + (y - target[1]) ** 2 <= radius * (radius + 1)
    }  # fmt: skip
    strip = ground_shape(
        replace(kind, ground=GroundShape.LINE), tiles, Point(*here), Point(*target)
    )
    dx, dy = target[0] - here[0], target[1] - here[1]
    for x, y in rows_of(tiles.shape):
        along = ((x - here[0]) * dx + (y - here[1]) * dy) / max(1, dx * dx + dy * dy)
        along = min(1.0, max(0.0, along))
        off = np.hypot(x - here[0] - along * dx, y - here[1] - along * dy)
        assert abs(off - radius) < 1e-9 or strip[y, x] == (off < radius)
    for end in (here, target):
        assert strip[max(0, end[1] - radius), end[0]], "the ends are round, and the rim belongs"


@pytest.mark.parametrize("seed", range(6))
def test_the_room_is_the_largest_rectangle_of_bare_ground_within_so_many_steps(seed):
    tiles = mixed(seed, among=(Tile.FLOOR, Tile.FLOOR, Tile.GRASS, Tile.FLOOR, Tile.WATER))
    bare = places(tiles != Tile.WATER)
    for radius, place in product((1, 3, 6), ((0, 0), (10, 7), (20, 14), (4, 12))):
        kind = replace(SEED, ground=GroundShape.ROOM, radius=radius)
        near = {
            (x, y) for x, y in bare | {place}
            if max(abs(x - place[0]), abs(y - place[1])) <= radius
        }  # fmt: skip
        mask = np.zeros(tiles.shape, bool)
        for x, y in (spot for spot, n in steps_from(near, place).items() if n <= radius):
            mask[y, x] = True
        wanted = np.zeros(tiles.shape, bool)
        wanted[largest_rectangle(mask).inner] = True
        assert np.array_equal(ground_shape(kind, tiles, Point(0, 0), Point(*place)), wanted)


@pytest.mark.parametrize("seed", range(5))
def test_the_box_of_ground_and_the_nearest_footing(seed):
    rng = np.random.default_rng(seed)
    mask = rng.random((12, 17)) < 0.03
    mask[int(rng.integers(12)), int(rng.integers(17))] = True
    spots = places(mask)
    for halo in (0, 1, 4):
        left, top = (max(0, min(spot[axis] for spot in spots) - halo) for axis in (0, 1))
        box, corner = _box(mask, halo)
        assert corner == (left, top)
        inside = np.zeros(mask.shape, int)
        inside[box] = 1
        right, bottom = (max(spot[axis] for spot in spots) + halo for axis in (0, 1))
        assert places(inside) == {
            (x, y) for x, y in rows_of(mask.shape) if left <= x <= right and top <= y <= bottom
        }
    for place in ((0, 0), (9, 5), (16, 11)):
        away = {(x, y): (x - place[0]) ** 2 + (y - place[1]) ** 2 for x, y in spots}
        best = min(spots, key=lambda spot: (away[spot], spot[1], spot[0]))
        assert closest_tile(mask, *place) == best
        assert closest_tile(mask & False, *place) is None


def slow_behind(tiles, here):
    """Return the ground beside a lock or on the window's rim that is not joined with ``here``."""
    height, width = tiles.shape
    ground = places(terrain().walkable[tiles] | (tiles == Tile.SECRET_DOOR)) | {here}
    locks = widened(places(np.isin(tiles, LOCK_TILES)), 1)
    rim = {(x, y) for x, y in rows_of(tiles.shape) if x in (0, width - 1) or y in (0, height - 1)}
    return {
        spot for part in touching(ground) if part & (locks | rim) and here not in part
        for spot in part
    }  # fmt: skip


KEPT = (Tile.FLOOR, Tile.FLOOR, Tile.WALL, Tile.WALL, Tile.WALL, Tile.LOCKED_DOOR, Tile.SECRET_DOOR,
    Tile.PORTCULLIS, Tile.DOOR, Tile.WALL, Tile.WALL, Tile.WALL)  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
def test_what_lies_behind_a_lock_or_leads_out_of_the_window_is_out_of_reach(seed):
    tiles = mixed(seed, among=KEPT)
    if seed % 2:
        tiles[[0, -1]] = tiles[:, [0, -1]] = Tile.WALL
    for here in ((3, 4), (18, 12), (10, 7)):
        found = _behind_locks(tiles, terrain().walkable[tiles], Point(*here))
        assert places(found) == slow_behind(tiles, here)


@pytest.mark.parametrize("takes", [(Soil.BARE,), (Soil.BARE, Soil.ROCK), (Soil.WET,)])
@pytest.mark.parametrize("radius", [1, 3])
@pytest.mark.parametrize("among", [RUBBLE, KEPT])
def test_a_seed_may_change_its_soils_near_enough_and_away_from_locks_and_doors(
    takes, radius, among
):
    kind = replace(SEED, takes=takes, radius=radius)
    soils = {int(tile) for soil in takes for tile in SOILS[soil]}
    for seed in range(5):
        tiles = mixed(seed, 40, 30, among=(*among, Tile.WALL, Tile.FLOOR))
        tiles[[0, -1]] = tiles[:, [0, -1]] = Tile.WALL
        tiles[12:19, 4:13] = Tile.FLOOR  # Else most ground would lie behind a lock for ``here``.
        ground = np.zeros(tiles.shape, bool)
        ground[8:21, 9 : 14 + 6 * seed] = True
        target, here = ((15, 14), (11, 9), (20, 20), (9, 25), (3, 14))[seed], (10, 15)
        plot = Plot(tiles, ground, (), Point(*here), Point(*target), 1)
        spots = places(ground) | {target}
        (left, right), (top, bottom) = (
            (
                min(spot[axis] for spot in spots) - EXTRA_STEPS - 1,
                max(spot[axis] for spot in spots) + EXTRA_STEPS + 1,
            )
            for axis in (0, 1)
        )
        walkable = places(terrain().walkable[tiles])
        inside = {(x, y) for x, y in walkable if left <= x <= right and top <= y <= bottom}
        away = {spot: (spot[0] - target[0]) ** 2 + (spot[1] - target[1]) ** 2 for spot in inside}
        footing = min(inside, key=lambda spot: (away[spot], spot[1], spot[0]))
        steps = steps_from(inside, footing)
        reached = widened({spot for spot, n in steps.items() if n <= radius + EXTRA_STEPS}, 1)
        kept = slow_behind(tiles, here) | places(np.isin(tiles, (*SHUT_DOORS, Tile.DOOR)))
        wanted = {
            (x, y) for x, y in places(ground) - widened(kept, 1)
            if int(tiles[y, x]) in soils and ((x, y) in reached or (x, y) not in walkable)
        }  # fmt: skip
        assert places(_changeable(kind, plot)) == wanted


@pytest.mark.parametrize("seed", range(6))
def test_new_doors_stay_only_between_two_closed_tiles(seed):
    old = mixed(seed, among=(Tile.FLOOR, Tile.WALL, Tile.DOOR))
    new = mixed(
        seed + 99, among=(Tile.FLOOR, Tile.WALL, Tile.WALL, Tile.DOOR, Tile.WATER, Tile.LAVA)
    )
    before = new.copy()
    _hang_doors(old, new)

    def shut(x, y):
        if not (0 <= x < new.shape[1] and 0 <= y < new.shape[0]):
            return False
        tile = before[y, x]
        return not terrain().walkable[tile] and tile not in (Tile.WATER, Tile.LAVA)

    for x, y in rows_of(new.shape):
        hangs = (shut(x - 1, y) and shut(x + 1, y)) or (shut(x, y - 1) and shut(x, y + 1))
        fresh = before[y, x] == Tile.DOOR != old[y, x]
        assert new[y, x] == (Tile.FLOOR if fresh and not hangs else before[y, x])


@pytest.mark.parametrize("turns", [1, 3, 7, 300])
def test_what_opens_comes_first_then_what_the_steps_made_first_then_the_nearest(turns):
    rng = np.random.default_rng(turns)
    tiles, grown = mixed(1), mixed(2)
    frames = rng.integers(0, 3, tiles.shape).astype(np.int16)
    plot = Plot(tiles, tiles > 0, (), Point(1, 1), Point(9, 6), 1)
    walkable = terrain().walkable
    wanted = sorted(
        (bool(walkable[tiles[y, x]] and not walkable[grown[y, x]]), int(frames[y, x]),
         (x - 9) ** 2 + (y - 6) ** 2, y, x)
        for x, y in places(tiles != grown)
    )  # fmt: skip
    groups = _in_turns(plot, grown, frames, turns)
    assert [change for group in groups for change in group] == [
        TileChange(x, y, int(grown[y, x])) for *_, y, x in wanted
    ]
    assert len(groups) <= turns
    share = -(-len(wanted) // turns)
    assert {len(group) for group in groups[:-1]} <= {share}
    assert 0 < len(groups[-1]) <= share


@pytest.mark.parametrize(
    ("ground", "rooms"),
    [
        (GroundShape.ROOM, [(2, 2, 4, 3)]),
        (GroundShape.LINE, [(3, 2, 1, 1), (5, 4, 1, 1)]),
        (GroundShape.DISC, [(5, 4, 1, 1)]),
    ],
)
def test_steps_see_the_ground_with_a_rim_and_everybody_on_it(ground, rooms):
    tiles = mixed(3, among=(Tile.FLOOR, Tile.GRASS, Tile.PILLAR, Tile.WATER))
    tiles[9, 11] = tiles[7, 9] = Tile.FLOOR
    mask = np.zeros(tiles.shape, bool)
    mask[7:10, 8:12] = True
    box, corner = _box(mask, HALO)
    assert corner == (6, 5)
    plot = Plot(tiles, mask, (Point(8, 8), Point(2, 2)), Point(9, 7), Point(11, 9), 4)
    plan = _blueprint(replace(SEED, ground=ground), plot, box, corner)
    assert plan.tiles.shape == (7, 8)
    plain = {Tile.GRASS: Tile.FLOOR, Tile.PILLAR: Tile.WALL}
    assert plan.tiles.tolist() == [
        [plain.get(tile, tile) for tile in row] for row in tiles[5:12, 6:14].tolist()
    ]
    assert (plan.depth, plan.start, plan.spawns) == (4, (3, 2), [Spawn("hero", 2, 3)])
    assert [(room.x, room.y, room.width, room.height) for room in plan.rooms] == rooms
    wild = _blueprint(replace(SEED, ground=ground, plain=False), plot, box, corner)
    assert np.array_equal(wild.tiles, tiles[5:12, 6:14])
    far = Plot(tiles, mask, (), Point(1, 1), Point(20, 13), 4)
    nobody = _blueprint(replace(SEED, ground=ground), far, box, corner)
    assert (nobody.start, nobody.spawns) == (None, [])
    assert bool(nobody.rooms) == (ground is GroundShape.ROOM)
    tiles[9, 11] = Tile.WALL
    walled = _blueprint(replace(SEED, ground=ground), plot, box, corner)
    assert len(walled.rooms) == len(rooms) - (ground is GroundShape.DISC)


@pytest.mark.parametrize(("changes", "used"), [
    ((4, 9), None), ((10, 9), 0), ((9, 10), 1), ((10, 12), 1), ((12, 12), 0), ((20, 40), 0),
    ((19, 40), 1), ((0, 0), None), ((19, 20, 30), 1),
])  # fmt: skip
def test_the_first_chain_that_changes_enough_is_used_or_else_the_one_that_changes_most(
    changes, used, monkeypatch
):
    tiles = np.full((8, 20), Tile.FLOOR, np.uint8)
    kind = replace(SEED, enough=20, least=10, turns=1)
    monkeypatch.setitem(seed_kinds(), "frost_seed", kind)
    monkeypatch.setattr(planting, "seed_chains", lambda: {"frost_seed": range(len(changes))})

    def ran(_kind, plot, _may, chain, rng):
        assert rng.below(10**9) == Rng(5, "here", f"chain {chain}").below(10**9)
        grown = plot.tiles.copy()
        grown.ravel()[: changes[chain]] = (Tile.ICE, Tile.SAND, Tile.MOSS)[chain]
        return grown, np.zeros(tiles.shape, np.int16)

    monkeypatch.setattr(planting, "_run", ran)
    plot = Plot(tiles, tiles > -1, (), Point(3, 3), Point(5, 5), 1)
    found = grow_plot("frost_seed", plot, Rng(5, "here"))
    if used is None:
        assert found == []
    else:
        assert len(found[0]) == changes[used]
        assert {change.tile for change in found[0]} == {(Tile.ICE, Tile.SAND, Tile.MOSS)[used]}


@pytest.mark.parametrize(
    ("size", "fits"),
    [((12, 9), True), ((13, 9), False), ((12, 10), False), ((1, 1), True), ((40, 1), False)],
)
def test_the_steps_of_the_level_run_on_a_plot_that_is_large_enough_and_give_up_sooner(size, fits):
    ground = np.zeros((20, 40), bool)
    ground[7:12, 9:17] = True
    plot = Plot(np.zeros((20, 40), np.uint8), ground, (), Point(1, 1), Point(9, 9), 1)
    assert _own_chain(plot, None) == []
    steps = find_recipe("digger").steps
    recipe = SimpleNamespace(smallest=size, steps=steps)
    if not fits:
        assert _own_chain(plot, recipe) == []
        return
    (chain,) = _own_chain(plot, recipe)
    assert [use.label for use in chain] == [use.label for use in steps]
    for use, own in zip(chain, steps, strict=True):
        changed = {
            name: getattr(use.parameters, name) for name in use.parameters.__struct_fields__
            if getattr(use.parameters, name) != getattr(own.parameters, name)
        }  # fmt: skip
        assert changed == HASTE.get(use.step.name, {})
    assert {use.step.name for use in chain} & set(HASTE)


def chain_of(*strokes):
    """Return steps that each paint ``(tile, rows, columns)`` strokes, a caption after each."""

    def painted(plan, rng, stroke):
        for tile, rows, columns in stroke:
            plan.tiles[rows, columns] = tile
            yield "painted"
        if not stroke:
            raise Rejected("nothing to paint")

    return [
        SimpleNamespace(label=f"step {n}", step=SimpleNamespace(run=painted), parameters=stroke)
        for n, stroke in enumerate(strokes)
    ]


def test_each_tile_remembers_the_caption_after_which_it_changed_last():
    tiles = np.full((14, 20), Tile.FLOOR, np.uint8)
    ground = np.zeros(tiles.shape, bool)
    ground[4:10, 5:15] = True
    may = ground.copy()
    may[:, 14] = False
    plot = Plot(tiles, ground, (), Point(1, 1), Point(8, 6), 1)
    kind = replace(SEED, becomes={"sand": "moss"})
    strokes = [(Tile.ICE, 2, slice(2, None)), (Tile.GRASS, 3, slice(0, 5))], [(Tile.SAND, 2, 4)]
    grown, frames = _run(kind, plot, may, chain_of(*strokes), Rng(1))
    wanted, when = tiles.copy(), np.zeros(tiles.shape, int)
    wanted[4, 5:14], wanted[5, 5:8], wanted[4, 7] = Tile.ICE, Tile.GRASS, Tile.MOSS
    when[4, 5:17], when[5, 3:8], when[4, 7] = 1, 2, 4
    assert np.array_equal(grown, wanted)
    assert np.array_equal(frames, when)
    assert (tiles == Tile.FLOOR).all(), "the map in play stays as it was"
    rejected, _ = _run(kind, plot, may, chain_of(*strokes, []), Rng(1))
    assert np.array_equal(rejected, tiles)


def test_a_blank_seed_begins_with_solid_rock_and_opens_its_pockets_only_to_the_rest():
    tiles = np.full((14, 20), Tile.FLOOR, np.uint8)
    tiles[3:11, 4:16] = Tile.WALL
    tiles[6, 7:12] = Tile.FLOOR
    ground = tiles == Tile.WALL
    plot = Plot(tiles, ground, (Point(9, 6),), Point(1, 1), Point(8, 7), 1)
    kind = replace(SEED, blank=True)
    strokes = chain_of([(Tile.MOSS, slice(2, 4), slice(5, 7)), (Tile.KEY, 6, 4)])
    grown, _ = _run(kind, plot, np.ones(tiles.shape, bool), strokes, Rng(1))
    wanted = np.full(tiles.shape, Tile.FLOOR)
    wanted[1:13, 2:18] = grown[1:13, 2:18]
    assert np.array_equal(grown, wanted), "nothing changes beyond the ground and its rim"
    assert grown[6, 9] == Tile.FLOOR, "somebody stands there"
    assert not (grown == Tile.KEY).any()


@pytest.mark.parametrize(
    ("before", "after", "reopened"),
    [
        ("....... .......", "..###.. ..###..", 3),
        ("....... .......", "..###.. ..#....", 1),
        ("....... .......", "..#.... .......", 0),
        ("..#.... ..#....", "..#.##. ..#.##.", 2),
    ],
)
def test_as_few_tiles_as_needed_open_again_where_a_way_was_closed(before, after, reopened):
    old, new = (np.pad(drawn_tiles(text), 1, constant_values=Tile.WALL) for text in (before, after))
    mended = repair_connectivity(old, new)
    opened = mended != new
    assert opened.sum() == reopened
    assert (mended[opened] == old[opened]).all()
    counts = [len(parts(terrain().walkable[tiles])) for tiles in (old, mended)]
    assert counts[0] == counts[1]


def test_where_only_a_slanting_way_was_closed_all_opens_again():
    old = drawn_tiles("######\n#..###\n###..#\n#..###\n######")
    new = drawn_tiles("######\n#.####\n###..#\n#..###\n######")
    assert (repair_connectivity(old, new) == old).all()
