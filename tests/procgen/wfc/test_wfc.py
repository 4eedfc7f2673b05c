"""What is learned from a sample, and how a wave is solved."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile, terrain
from procgen.blueprint import mask_at
from procgen.rng import Rng
from procgen.wfc import constraints as lore_module
from procgen.wfc import wave as wave_module
from procgen.wfc.constraints import Constraints, learn_patterns
from procgen.wfc.samples import read_sheets, sample
from procgen.wfc.wave import Contradiction, Wave
from procgen.wfc.wfc_map import WfcMap
from support.wfc_samples import WHOLE_MAPS, drawn, paint, windows

STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))


SMALL = ("######", "#....#", "#.~..#", "#....#", "######")


def turned(rows):
    return [list(row) for row in zip(*rows[::-1], strict=True)]


def obvious_windows(rows, *, turns, mirrors):
    """Count every 3x3 window of a drawing, a tuple of 9, in all its views."""
    beyond = [rows[0][0]] * (len(rows[0]) + 4)
    middle = [[rows[0][0]] * 2 + list(row) + [rows[0][0]] * 2 for row in rows]
    rows = [beyond, beyond, *middle, beyond, beyond]
    counts = Counter()
    for _ in range(4 if turns else 1):
        for view in [rows, [row[::-1] for row in rows]] if mirrors else [rows]:
            for y in range(len(view) - 2):
                for x in range(len(view[0]) - 2):
                    counts[tuple(view[y + j][x + i] for j in range(3) for i in range(3))] += 1
        rows = turned(rows)
    return counts


def fits(one, other, dx, dy):
    """Whether two windows say the same where they overlap, the other being (dx, dy) away."""
    return all(
        one[(y + dy) * 3 + x + dx] == other[y * 3 + x]
        for y, x in product(range(3), repeat=2)
        if 0 <= y + dy < 3 and 0 <= x + dx < 3
    )


@pytest.mark.parametrize("views", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("sheet", [drawn(*SMALL), read_sheets("pools")[0][:9, :12]])
def test_the_same_windows_and_neighbours_are_learned_as_by_the_obvious_way(sheet, views):
    turns, mirrors = map(bool, views)
    patterns = learn_patterns([sheet], turns=turns, mirrors=mirrors)
    expected = obvious_windows(sheet.tolist(), turns=turns, mirrors=mirrors)
    ours = [tuple(window.ravel().tolist()) for window in patterns.windows]
    assert len(ours) == len(set(ours))
    seen = Constraints(patterns).seen
    assert {window: len(seen[number]) for number, window in enumerate(ours)} == dict(expected)
    for (dx, dy), allowed in zip(STEPS, patterns.agree, strict=True):
        pairs = {(one, two) for one in expected for two in expected if fits(one, two, dx, dy)}
        assert pairs == {
            (ours[one], ours[two])
            for one in range(len(ours))
            for two in range(len(ours))
            if allowed[one] >> two & 1
        }


def test_a_set_forbids_all_but_the_union_of_what_its_patterns_allow(monkeypatch):
    monkeypatch.setattr(lore_module, "REMEMBERED", 3)
    lore = Constraints(learn_patterns([drawn(*SMALL)]))
    forbidden = lore.forbidden
    for mask in (1, 6, 0b10101, lore.every, 6, 1):
        expected = []
        for agree in lore.patterns.agree:
            union = 0
            for pattern in range(lore.patterns.number):
                if mask >> pattern & 1:
                    union |= agree[pattern]
            expected.append(lore.every ^ union)
        assert list(forbidden(mask)) == expected
    assert forbidden.cache_info().currsize == 3


def test_rules_leave_the_patterns_that_keep_each_of_them(monkeypatch):
    monkeypatch.setattr(lore_module, "REMEMBERED", 3)
    lore = Constraints(learn_patterns([drawn(*SMALL)]))
    every = tuple(np.unique(lore.patterns.windows).tolist())
    for rules in (((), every[:1], every[1:]), ((), every), ((), every[1:]), ((), every[:1])):
        for code in (bytes(9), b"\1" + bytes(8), bytes(4) + b"\1" + bytes(4), bytes([1] * 9)):
            wanted = [set(rules[number] or every) for number in code]
            fitting = sum(
                1 << number
                for number, window in enumerate(lore.patterns.windows)
                if all(tile in tiles for tile, tiles in zip(window.flat, wanted, strict=True))
            )
            assert lore.allowed(rules, code) == fitting
    assert lore.allowed.cache_info().currsize == 3


def test_a_pattern_is_picked_as_often_as_it_was_seen():
    lore = Constraints(learn_patterns([drawn(*SMALL)]))
    picked = Counter(lore.atlas[lore.pick(lore.every, roll)] for roll in range(len(lore.atlas)))
    total = sum(map(len, lore.seen))
    rounds, rest = divmod(len(lore.atlas), total)
    assert rest < total
    for pattern, places in enumerate(lore.seen):
        assert rounds * len(places) <= picked[1 << pattern] <= (rounds + 1) * len(places)


@pytest.mark.parametrize("name", WHOLE_MAPS)
@pytest.mark.parametrize("size", [(24, 41), (15, 20)])
@pytest.mark.parametrize("pace", [1, 2, 3])
def test_every_window_of_a_solved_map_is_in_the_sample(name, size, pace):
    for seed in range(4):
        tiles = np.zeros(size, np.uint8)
        canvas = paint(sample(name, pace=pace), tiles, seed, restarts=5)
        assert canvas.unsolved == 0
        assert windows(tiles) <= {
            tuple(window.ravel().tolist()) for window in sample(name).patterns.windows
        }


def test_the_place_with_the_fewest_options_is_settled_first(monkeypatch):
    settle = Wave._choose
    choices = []

    def watched(wave, place, roll):
        options = [mask.bit_count() for mask in wave.masks if mask.bit_count() > 1]
        choices.append((wave.masks[place].bit_count(), min(options)))
        return settle(wave, place, roll)

    monkeypatch.setattr(Wave, "_choose", watched)
    paint(sample("pools"), np.zeros((20, 30), np.uint8))
    assert len(choices) > 10
    for chosen, least in choices:
        assert min(chosen, wave_module.MANY) == min(least, wave_module.MANY)


def test_fixed_tiles_stay_and_what_is_allowed_is_kept_to():
    lore = sample("pools")
    for seed in range(5):
        tiles = np.zeros((21, 31), np.uint8)
        canvas = WfcMap(lore, tiles)
        canvas.allow(mask_at([(15, 10)], canvas.tiles.shape), (Tile.WATER,))
        canvas.allow(mask_at([(5, 5)], canvas.tiles.shape), lore.walkable)
        canvas.allow(np.eye(21, 31, dtype=np.bool_), lore.closed)
        for _ in canvas.collapse(Rng(seed), patches=40, restarts=5):
            pass
        assert tiles[10, 15] == Tile.WATER
        assert not terrain().walkable[tiles[np.eye(21, 31, dtype=np.bool_)]].any()
        assert not terrain().walkable[tiles[5, 5]]


def test_what_is_kept_whole_need_not_be_in_the_sample_at_all():
    tiles = np.full((20, 30), Tile.LAVA, np.uint8)
    tiles[:, 15:] = Tile.WALL
    for kept_columns, leave_out in ((17, False), (16, True)):
        canvas = WfcMap(sample("pools"), tiles)
        kept = np.zeros(tiles.shape, np.bool_)
        kept[:, :kept_columns] = True
        canvas.keep(kept)
        for _ in canvas.collapse(Rng(1), patches=9, restarts=3, leave_out=leave_out):
            pass
        assert (tiles[:, :15] == Tile.LAVA).all()
        assert (tiles[:, 15] == Tile.WALL).all()
        assert (tiles[:, 17:] != Tile.LAVA).all()
        assert (tiles[:, 17:] != Tile.WALL).any()
    with pytest.raises(Contradiction):
        list(canvas.collapse(Rng(1), patches=9))
