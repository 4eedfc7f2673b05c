"""The walk to keys and locks, and what is seen before it is reached, against plain searches."""

import numpy as np
import pytest
from tcod import libtcodpy
from tcod.map import compute_fov

from entities.creature_kinds import HERO, creature_kinds
from entities.terrain import MECHANISMS, SHUT_DOORS, Tile, terrain
from procgen.analysis.key_walk import FORESHADOW, foreshadowed_goals, key_distance, key_walk
from support.blueprints import drawn_tiles
from support.by_definition import places, steps_from

SIGHT = creature_kinds()[HERO].sight


def winding(seed, among, width=67, height=43):
    """Return ways like those of a maze through tiles of the kinds ``among``, and some doors."""
    rng = np.random.default_rng(seed)
    tiles = np.array(among, np.uint8)[rng.integers(0, len(among), (height, width))]
    stack, done = [(0, 0)], {(0, 0)}
    while stack:
        x, y = stack[-1]
        tiles[3 * y + 1, 3 * x + 1] = Tile.FLOOR
        ways = [(x + a, y + b) for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        ways = [
            (a, b) for a, b in ways
            if (a, b) not in done and 0 <= 3 * a < width - 2 and 0 <= 3 * b < height - 2
        ]  # fmt: skip
        if not ways:
            stack.pop()
            continue
        a, b = ways[int(rng.integers(len(ways)))]
        for n in (1, 2):
            tiles[3 * y + 1 + n * (b - y), 3 * x + 1 + n * (a - x)] = Tile.FLOOR
        if rng.random() < 0.1:
            tiles[3 * y + 1 + b - y, 3 * x + 1 + a - x] = (Tile.DOOR, Tile.SECRET_DOOR)[
                len(done) % 2
            ]
        stack.append((a, b))
        done.add((a, b))
    return tiles


@pytest.mark.parametrize("among", [(Tile.WATER,), (Tile.WATER, Tile.WATER, Tile.WALL)])
def test_a_place_is_seen_early_from_ground_nearer_the_start_that_is_far_from_it(among):
    answers = []
    for seed in range(3):
        tiles = winding(seed, among)
        ground = places(terrain().walkable[tiles] | np.isin(tiles, SHUT_DOORS))
        clear, start = terrain().transparent[tiles], ((1, 1), (34, 22), (64, 40))[seed]
        from_start = steps_from(ground, start)
        rng = np.random.default_rng(seed)
        spots = sorted(ground)
        goals = [spots[int(n)] for n in rng.integers(0, len(spots), 8)]
        goals += [spots[0], spots[-1], (1, 40), (64, 1)]
        for goal in goals:
            visible = places(compute_fov(clear, goal[::-1], SIGHT, True,
                libtcodpy.FOV_SYMMETRIC_SHADOWCAST))  # fmt: skip
            away = steps_from(ground, goal)
            early = any(
                away.get(spot, FORESHADOW) >= FORESHADOW
                and from_start.get(spot, 10**6) < from_start[goal]
                for spot in visible & ground
            )
            answers.append(early)
            assert foreshadowed_goals(tiles, start, [goal]) == early, (seed, goal)
        assert foreshadowed_goals(tiles, start, goals) == sum(answers[-len(goals) :])
    assert 0 < sum(answers) < len(answers)


def test_far_is_so_many_steps_before_it_is_reached():
    """A way round water, whose ends face each other across three tiles of it."""
    answers = set()
    for long in range(4, 14):
        tiles = np.full((9, long + 3), Tile.WATER, np.uint8)
        tiles[2, 1 : long + 2] = tiles[6, 1 : long + 2] = tiles[2:7, long + 1] = Tile.FLOOR
        steps = steps_from(places(tiles == Tile.FLOOR), (1, 6))[1, 2]
        assert foreshadowed_goals(tiles, (1, 2), [(1, 6)]) == (steps >= FORESHADOW)
        answers.add(steps - FORESHADOW)
    assert {-2, 0} <= answers, "just too near and just far enough"


OPENERS = {Tile.KEY: Tile.LOCKED_DOOR, **MECHANISMS}


def slow_walk(tiles, start, end):
    """Return the steps of the walk that always goes to the nearest thing that helps."""
    ground, here, held, total = places(terrain().walkable[tiles]), start, 0, 0
    keys, locks = places(tiles == Tile.KEY), places(tiles == Tile.LOCKED_DOOR)
    works = {opener: places(tiles == lock) for opener, lock in MECHANISMS.items()}
    while True:
        reached = steps_from(ground | (locks if held else set()), here)
        wanted = (keys if locks else set()) | (locks if held else set())
        for opener, shut in works.items():
            if shut:
                wanted |= places(tiles == opener)
        near = [spot for spot in wanted if spot in reached]
        if not near:
            return total + reached.get(end, 0)
        goal = min(near, key=lambda spot: (reached[spot], spot[1], spot[0]))
        total += reached[goal]
        here, tile = goal, tiles[goal[1], goal[0]]
        if tile in works:
            ground, works[tile] = ground | works[tile], set()
        held += (goal in keys) - (goal in locks)
        keys, locks = keys - {goal}, locks - {goal}
        ground = ground | {goal}


@pytest.mark.parametrize("seed", range(8))
def test_the_walk_goes_to_the_nearest_key_or_lock_and_last_to_the_exit(seed):
    tiles = winding(seed, (Tile.WALL,), 31, 22)
    rng = np.random.default_rng(seed + 50)
    floor = sorted(places(tiles == Tile.FLOOR))
    rng.shuffle(floor)
    start, end, *spots = [tuple(spot) for spot in floor]
    marks = [Tile.KEY, Tile.LOCKED_DOOR, Tile.KEY, Tile.LEVER, Tile.PORTCULLIS, Tile.LOCKED_DOOR,
        Tile.WINCH, Tile.CRYSTAL, Tile.BRAZIER][: 2 + seed]  # fmt: skip
    for tile, (x, y) in zip(marks, spots, strict=False):
        tiles[y, x] = tile
    steps, again = key_walk(tiles, start, end)
    assert steps == slow_walk(tiles, start, end)
    assert 0 <= again <= steps
    every = places(terrain().walkable[tiles] | np.isin(tiles, SHUT_DOORS))
    away = []
    for opener, lock in OPENERS.items():
        for spot in places(tiles == lock):
            steps = steps_from(every, spot)
            ways = [steps[one] for one in places(tiles == opener) if one in steps]
            away.append(min(ways, default=0))
    assert key_distance(tiles) == max(away, default=0)


@pytest.mark.parametrize(
    ("drawing", "steps", "again"),
    [
        ("?..<..]..>", 12, 3),
        ("<..?..]..>", 9, 0),
        ("<.......?>", 9, 0),
        ("?.<......>", 7, 0),
        (">.<.?.]...", 10, 4),
        ("?.<.]?].>.", 10, 2),
        ("<.?.=.].>", 2, 0),  # A file may have a lock that nothing opens.
        ("/.<../=.>", 10, 2),  # The other lever has nothing left to open.
    ],
)
def test_steps_back_over_known_ground_are_counted_again(drawing, steps, again):
    marks = {"]": Tile.LOCKED_DOOR, "?": Tile.KEY, "/": Tile.LEVER, "=": Tile.PORTCULLIS}
    row = np.pad(drawn_tiles("".join("." if char in marks else char for char in drawing)), 1)
    for x, char in enumerate(drawing, 1):
        row[1, x] = marks.get(char, row[1, x])
    start, end = ((drawing.index(char) + 1, 1) for char in "<>")
    assert key_walk(row, start, end) == (steps, again)
    assert steps == slow_walk(row, start, end)
