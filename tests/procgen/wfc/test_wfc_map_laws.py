"""The way from a map to a wave and back: windows, rules and their codes, by definition."""

from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import mask_at
from procgen.rng import Rng
from procgen.wfc.constraints import MARGIN, Constraints, learn_patterns
from procgen.wfc.wave import MANY, Contradiction, Domains, Wave
from procgen.wfc.wfc_map import WfcMap, _seen_through
from support.wfc_samples import drawn

SAMPLE = drawn("######", "#....#", "#.~..#", "#....#", "######")


@pytest.mark.parametrize(("size", "pace"), [(3, 1), (4, 2), (5, 3)])
@pytest.mark.parametrize("side", [5, 6, 7, 11, 12])
def test_a_tile_is_seen_through_a_window_that_holds_it_as_near_its_middle_as_can_be(
    side, size, pace
):
    windows, inner = _seen_through(side, size, pace)
    last = -(-(side - size) // pace)
    for tile, window, spot in zip(range(side), windows.tolist(), inner.tolist(), strict=True):
        holding = {n: tile - n * pace for n in range(last + 1) if 0 <= tile - n * pace < size}
        assert holding[window] == spot
        off = {n: abs(2 * spot - size + 1) for n, spot in holding.items()}
        assert off[window] <= min(off.values()) + (size % 2 == 0) + (pace > 1)


@pytest.mark.parametrize(
    ("size", "pace", "shape"), [(3, 1, (5, 7)), (4, 2, (7, 9)), (3, 1, (3, 3)), (5, 3, (12, 9))]
)
def test_a_window_is_left_the_patterns_that_the_rules_of_its_tiles_allow(size, pace, shape):
    lore = Constraints(learn_patterns([SAMPLE], size=size, pace=pace))
    canvas, rng = WfcMap(lore, np.zeros(shape, np.uint8)), np.random.default_rng(1)
    for tiles in (lore.walkable, lore.closed, (*lore.walkable, *lore.closed)):
        canvas.allow(rng.random(shape) < 0.1, tiles)
    canvas.allow(mask_at([(1, 2)], canvas.tiles.shape), lore.walkable[:1])
    assert canvas._rules[2, 1] == canvas._allowed.index(lore.walkable[:1])
    masks, stride = canvas._masks(leave_out=True)
    down, across = (-(-(side - size) // pace) + 1 for side in shape)
    assert (stride, len(masks)) == (across + 2 * MARGIN, stride * (down + 2 * MARGIN))
    for row, column in product(range(down), range(across)):
        fitting = 0
        for number, window in enumerate(lore.patterns.windows):
            spots = product(range(size), repeat=2)
            at = [(row * pace + dy, column * pace + dx, window[dy, dx]) for dy, dx in spots]
            inside = [(y, x, tile) for y, x, tile in at if y < shape[0] and x < shape[1]]
            rules = [(canvas._allowed[canvas._rules[y, x]], tile) for y, x, tile in inside]
            fitting |= all(tile in tiles for tiles, tile in rules if tiles) << number
        assert masks[(row + MARGIN) * stride + MARGIN + column] == fitting


def test_masks_have_a_frame_of_nothing_and_nothing_where_all_is_kept():
    lore = Constraints(learn_patterns([SAMPLE]))
    tiles = np.full((6, 8), Tile.LAVA, np.uint8)
    canvas, kept = WfcMap(lore, tiles), np.zeros((6, 8), np.bool_)
    kept[:, :4] = True
    canvas.keep(kept)
    masks, stride = canvas._masks(leave_out=True)
    grid = np.array([mask != 0 for mask in masks]).reshape(-1, stride)
    assert grid.shape == (4 + 2 * MARGIN, 6 + 2 * MARGIN)
    free = {(x - MARGIN, y - MARGIN) for y, x in np.argwhere(grid).tolist()}
    assert free == set(product(range(4, 6), range(4)))
    with pytest.raises(Contradiction):
        canvas._masks(leave_out=False)


def test_what_is_kept_stays_by_rule_and_later_rules_replace_earlier_ones():
    lore = Constraints(learn_patterns([SAMPLE]))
    tiles = np.full((7, 9), Tile.FLOOR, np.uint8)
    tiles[3, 4] = Tile.WATER
    canvas, here = WfcMap(lore, tiles), np.zeros((7, 9), np.bool_)
    here[2:5, 3:6] = True
    canvas.allow(here, (Tile.WALL,))
    canvas.keep(here)
    for _ in canvas.collapse(Rng(2), patches=40, restarts=9):
        pass
    assert tiles[3, 4] == Tile.WATER
    assert (tiles[2:5, 3:6] == Tile.FLOOR).sum() == 8


def test_attempts_are_one_more_than_restarts_and_the_map_is_as_before_if_all_fail():
    lore = Constraints(learn_patterns([SAMPLE]))
    for restarts in (0, 1, 3):
        tiles = np.full((6, 8), Tile.FLOOR, np.uint8)
        canvas = WfcMap(lore, tiles)
        canvas.allow(mask_at([(2, 2)], canvas.tiles.shape), (Tile.WATER,))
        canvas.allow(mask_at([(3, 2)], canvas.tiles.shape), (Tile.WALL,))
        with pytest.raises(Contradiction):
            list(canvas.collapse(Rng(1), patches=0, restarts=restarts))
        assert (tiles == Tile.FLOOR).all()


def domains(columns=6, rows=5):
    lore, stride = Constraints(learn_patterns([SAMPLE])), columns + 2 * MARGIN
    masks = [0] * ((rows + 2 * MARGIN) * stride)
    for x, y in product(range(columns), range(rows)):
        masks[(y + MARGIN) * stride + x + MARGIN] = lore.every
    return lore, masks, stride


def place(x, y, stride):
    return (y + MARGIN) * stride + x + MARGIN


@pytest.mark.parametrize(("x", "y"), [(0, 0), (2, 2), (5, 4), (5, 0), (3, 4)])
@pytest.mark.parametrize("radius", [0, 1, 2, 9])
def test_the_places_around_one_are_those_of_the_field_in_a_square(x, y, radius):
    lore, masks, stride = domains()
    masks[place(2, 3, stride)] = 0
    wanted = [
        place(a, b, stride)
        for b, a in product(range(5), range(6))
        if max(abs(a - x), abs(b - y)) <= radius and (a, b) != (2, 3)
    ]
    assert Domains(lore, masks, stride).around(place(x, y, stride), radius) == wanted


def test_only_places_with_few_options_propagate():
    lore, masks, stride = domains()
    wave = Domains(lore, masks, stride)
    few, many, one = ((1 << n) - 1 for n in (MANY - 1, MANY, 1))
    for number, mask in enumerate((few, many, one, 0)):
        wave.masks[place(number, 1, stride)] = mask
    row = [place(number, 1, stride) for number in range(4)]
    assert wave.propagating(row) == [row[0], row[2]]


def union(lore, direction, mask):
    """Return what may stand beside any of the patterns of ``mask``."""
    found = 0
    for pattern, beside in enumerate(lore.patterns.agree[direction]):
        found |= beside * (mask >> pattern & 1)
    return found


def test_what_is_spread_leaves_no_option_without_support_and_can_be_undone():
    lore, masks, stride = domains()
    wave, lost = Domains(lore, masks, stride), 0
    at = place(2, 2, stride)
    for pattern in range(0, lore.patterns.number, 3):
        wave.masks[at], trail = 1 << pattern, {at: masks[at]}
        if wave.propagate([at], trail):
            lost += 1
        else:
            for one in wave.propagating(list(range(len(masks)))):
                for direction, step in enumerate((-stride, 1, stride, -1)):
                    allowed = union(lore, direction, wave.masks[one])
                    assert not wave.masks[one + step] & ~allowed
        assert {n for n, mask in enumerate(wave.masks) if mask != masks[n]} <= trail.keys()
        wave.undo(trail)
        assert wave.masks == masks
    assert lost < lore.patterns.number // 3


@pytest.mark.parametrize("leave_out", [False, True])
def test_a_place_without_options_is_torn_out_with_its_neighbours_or_contradicts(leave_out):
    lore, masks, stride = domains()
    one, other = place(2, 2, stride), place(3, 2, stride)
    water = lore.patterns_with(1, 1, (Tile.WATER,))
    masks[one] = masks[other] = water & -water
    if not leave_out:
        with pytest.raises(Contradiction):
            Wave(lore, masks, stride)
        return
    wave = Wave(lore, masks, stride, leave_out=True)
    assert wave.unsolved == 1
    gone = {at for at, mask in enumerate(masks) if mask and not wave.masks[at]}
    assert gone in (set(Domains(lore, masks, stride).around(at, 1)) for at in (one, other))
    for _ in wave.collapse(Rng(1), patches=5):
        pass
    assert all(mask.bit_count() <= 1 for mask in wave.masks)


@pytest.mark.parametrize("stages", [1, 2, 5])
def test_it_pauses_as_often_as_asked_for_at_most_and_settles_every_place_once(stages):
    lore, masks, stride = domains(9, 8)
    wave, settled, pauses = Wave(lore, masks, stride, leave_out=True), [], 0
    for _ in wave.collapse(Rng(3), patches=20, stages=stages):
        assert len(wave.fresh) >= 72 // stages + 1
        settled += wave.fresh
        wave.fresh.clear()
        pauses += 1
    settled += wave.fresh
    assert pauses <= stages
    assert pauses or stages == 1
    assert set(settled) >= {at for at, mask in enumerate(wave.masks) if mask}
