"""A wave against its twin: sets of patterns on a grid in place of bit masks and look-up tables."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.rng import Rng
from procgen.wfc.constraints import MARGIN, Constraints, learn_patterns
from procgen.wfc.samples import read_sheets
from procgen.wfc.wave import Contradiction, Wave
from support.wfc_samples import drawn, wrapped

MANY, PATIENCE = 16, 8
COURSES = ((0, -1), (1, 0), (0, 1), (-1, 0))


class SlowWave:
    """``field`` are the patterns still possible at each (x, y); a torn place is left out."""

    def __init__(self, patterns, field, *, leave_out):
        self.patterns, self.field, self.tears = patterns, dict(field), leave_out
        self.places, self.fresh, self.failures = list(field), [], {}
        self.done = self.unsolved = 0
        self.beside = cache(self.beside)
        self.first = self.field
        talking = [place for place in self.places if len(field[place]) < MANY]
        for start in range(0, len(talking), 64):
            changed = {}
            while place := self.spread([*talking[start : start + 64], *changed], changed):
                self.leave_out(place)
                changed = {}
        self.first = dict(self.field)

    def beside(self, course, options):
        """Return what may stand on that side of one of ``options``."""
        masks = [self.patterns.agree[course][pattern] for pattern in options]
        return frozenset(p for p in range(self.patterns.number) if any(m >> p & 1 for m in masks))

    def spread(self, queue, changed):
        """Rule out what nothing beside supports; return a place without options, or None."""
        queue = [place for place in queue if 0 < len(self.field.get(place, ())) < MANY]
        for x, y in (waiting := queue):
            waiting = waiting[1:]
            sides = [(x + dx, y + dy) for dx, dy in COURSES]
            allowed = [self.beside(n, self.field[x, y]) for n in range(4)]
            for other, fine in zip(sides, allowed, strict=True):
                before = self.field.get(other, frozenset())
                if before <= fine:
                    continue
                if not before & fine:
                    return other
                changed.setdefault(other, before)
                self.field[other] = before & fine
                if len(before & fine) < MANY and other not in waiting:
                    queue.append(other)
                    waiting = [*waiting, other]
        return None

    def around(self, place, radius):
        x, y = place
        span = range(-radius, radius + 1)
        near = [(x + dx, y + dy) for dy, dx in product(span, repeat=2)]
        return [spot for spot in near if spot in self.field]

    def leave_out(self, place):
        if not self.tears:
            raise Contradiction
        self.unsolved += 1
        gone = {spot: self.field[spot] for spot in self.around(place, 1)}
        for spot in gone:
            self.first.pop(spot, None)
            self.field.pop(spot, None)
        return gone

    def collapse(self, rng, patches):
        queues = [[] for _ in range(MANY + 1)]
        for place in rng.shuffled(self.places):
            queues[min(len(self.field.get(place, ())), MANY)].append(place)
        self.fresh += queues[1]
        rolls = []
        while entropy := next((n for n in range(2, MANY + 1) if queues[n]), 0):
            place = queues[entropy].pop(0)
            options = len(self.field.get(place, ()))
            if min(options, MANY) != entropy:
                continue
            rolls = rolls or rng.integers(0, 2**31 - 1, 1024).tolist()
            changed, again = self.choose(place, rolls.pop()), {}
            if not changed:
                changed = again = self.patch(place, patches)
            for other in changed:
                options = len(self.field.get(other, ()))
                if options < 2:
                    self.fresh.append(other)
                elif options < MANY or other == place or len(again.get(other, [0] * MANY)) < MANY:
                    queues[min(options, MANY)].append(other)

    def choose(self, place, roll):
        before = self.field[place]
        shown = [
            (view, x, y)
            for pattern in sorted(before)
            for view in self.patterns.readings
            for y, x in np.argwhere(view == pattern).tolist()
        ]
        view, x, y = shown[roll % len(shown)]
        for reach in (2, 1, 0):
            changed, span = {}, range(-reach, reach + 1)
            for dy, dx in product(span, repeat=2):
                here = place[0] + dx, place[1] + dy
                b, a = y + dy * self.patterns.pace, x + dx * self.patterns.pace
                if here in self.field and 0 <= b < view.shape[0] and 0 <= a < view.shape[1]:
                    wanted = frozenset([int(view[b, a])])
                    if wanted < self.field[here]:
                        changed[here] = self.field[here]
                        self.field[here] = wanted
            if not self.spread(list(changed), changed):
                return changed
            self.field |= changed
        changed = {place: before}
        self.field[place] = before - {int(view[y, x])}
        if self.spread([place], changed):
            self.field |= changed
            return {}
        return changed

    def patch(self, place, patches):
        block = (place[0] + MARGIN) // 8, (place[1] + MARGIN) // 8
        while self.done < patches and self.failures.get(block, 0) < PATIENCE:
            self.done += 1
            self.failures[block] = self.failures.get(block, 0) + 1
            radius = self.failures[block] + 1
            near = self.around(place, radius)
            unsure = [spot for spot in self.around(place, radius + 3) if len(self.field[spot]) > 1]
            changed = {spot: self.field[spot] for spot in (*near, *unsure)}
            for spot in changed:
                self.field[spot] = self.first[spot]
            if not self.spread(self.around(place, radius + 4), changed):
                return changed
            self.field |= changed
        return self.leave_out(place)


def noise(side):
    """Return the patterns of noise that wraps around: few maps can be made of them."""
    dots = Rng(5).random_bytes(side, side) < 128
    sheet = np.where(dots, Tile.WALL, Tile.FLOOR).astype(np.uint8)
    return wrapped(sheet)


POND = drawn("########", "#......#", "#.~~...#", "#.~~.#.#", "#....#.#", "########")


def assert_twins(patterns, rules, size, seed, *, patches, leave_out):
    """Collapse a field of ``size`` under ``rules``, tiles by place, in both ways."""
    constraints, (wide, high) = Constraints(patterns), size
    stride = wide + 2 * MARGIN
    masks, field = [0] * ((high + 2 * MARGIN) * stride), {}
    for y, x in product(range(high), range(wide)):
        allowed = range(patterns.number)
        if (x, y) in rules:
            allowed = [n for n in allowed if patterns.windows[n, 1, 1] in rules[x, y]]
        if allowed:
            field[x, y] = frozenset(allowed)
            masks[(y + MARGIN) * stride + x + MARGIN] = sum(1 << n for n in allowed)
    results = []
    for number in (0, 1):
        wave = None
        try:
            if number:
                wave = SlowWave(patterns, field, leave_out=leave_out)
                wave.collapse(Rng(seed, "wave"), patches)
                done, fresh = wave.done, wave.fresh
                options = {spot: sum(1 << n for n in left) for spot, left in wave.field.items()}
            else:
                wave = Wave(constraints, masks, stride, leave_out=leave_out)
                for _ in wave.collapse(Rng(seed, "wave"), patches=patches):
                    pass
                done = wave.patches
                fresh = [(n % stride - MARGIN, n // stride - MARGIN) for n in wave.fresh]
                options = {
                    (n % stride - MARGIN, n // stride - MARGIN): mask
                    for n, mask in enumerate(wave.masks) if mask
                }  # fmt: skip
            results.append((options, done, wave.unsolved, fresh))
        except Contradiction:
            results.append("contradiction")
    assert results[0] == results[1]
    return results[0]


@pytest.mark.parametrize("size", [(9, 7), (14, 5)])
def test_a_wave_of_a_small_sample_collapses_as_its_twin(size):
    patterns = learn_patterns([POND])
    for seed in range(3):
        rules = {(2, 2): (Tile.WATER,), (6, 3): (Tile.WALL,), (4, 4): (Tile.FLOOR, Tile.WATER)}
        found = assert_twins(patterns, rules, size, seed, patches=20, leave_out=False)
        assert found != "contradiction"


@pytest.mark.parametrize(("patches", "leave_out"), [(0, True), (2, True), (9, True), (4, False)])
def test_where_nothing_fits_it_begins_anew_near_by_and_then_tears_as_its_twin(patches, leave_out):
    patterns, torn, again = noise(6), 0, 0
    for seed in range(3):
        draws = np.random.default_rng(seed)
        rules = {
            (int(x), int(y)): (Tile.WALL,)
            for x, y in zip(draws.integers(0, 11, 8), draws.integers(0, 8, 8), strict=True)
        }
        found = assert_twins(patterns, rules, (11, 8), seed, patches=patches, leave_out=leave_out)
        if found != "contradiction":
            again, torn = again + found[1], torn + found[2]
    assert bool(torn) == leave_out
    assert bool(again) == bool(patches and leave_out)


def test_a_place_where_nothing_is_possible_from_the_start_is_torn_or_contradicts():
    patterns = learn_patterns([POND])
    rules = {(3, 3): (Tile.WATER,), (4, 3): (Tile.WALL,), (5, 3): (Tile.WATER,)}
    assert assert_twins(patterns, rules, (9, 7), 1, patches=3, leave_out=False) == "contradiction"
    assert assert_twins(patterns, rules, (9, 7), 1, patches=3, leave_out=True)[2] > 0


@pytest.mark.parametrize(("name", "pace"), [("pools", 1), ("chambers", 2)])
def test_waves_of_whole_samples_collapse_as_their_twins(name, pace):
    patterns = learn_patterns(read_sheets(name), size=2 + pace, pace=pace)
    edge = patterns.edge
    rules = {(x, y): (edge,) for x, y in product(range(8), range(6)) if x in (0, 7) or y in (0, 5)}
    assert_twins(patterns, rules, (8, 6), 2, patches=6, leave_out=True)
