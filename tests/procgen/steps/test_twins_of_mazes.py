"""Mazes against twins that grow them cell by cell."""

from itertools import product

import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.steps.maze import grow_maze
from support.step_twins import (
    assert_alike,
    tiles_of,
)


class SlowMaze:
    """A lattice of cells; those of a clearing are one place."""

    def __init__(self, plan, rng, corridor, wall):
        self.plan, self.rng, pitch = plan, rng, corridor + wall
        self.corridor, self.wall, self.pitch = corridor, wall, pitch
        shift = rng.below(pitch), rng.below(pitch)
        counts, starts = [], []
        for side, free in zip((plan.width, plan.height), shift, strict=True):
            fit, spare = divmod(side - 2 + wall - free, pitch)
            counts.append(max(0, fit))
            starts.append(1 + free + spare // 2)
        (self.columns, self.rows), (self.left, self.top) = counts, starts
        if self.columns * self.rows < 2:
            raise Rejected("")
        self.home = {(x, y): ("cell", y, x) for x, y in product(*map(range, counts))}
        self.batch = []

    def roll(self):
        if not self.batch:
            self.batch = self.rng.integers(0, 2**31 - 1, 512).tolist()
        return self.batch.pop(0)

    def box(self, x, y, wide=1, high=1):
        left, top = self.left + x * self.pitch, self.top + y * self.pitch
        sides = wide * self.pitch - self.wall, high * self.pitch - self.wall
        return RectangularRoom(left, top, *sides)

    def dig(self, box):
        for spot in tiles_of(box):
            if self.plan.tiles[spot[::-1]] == Tile.WALL:
                self.plan.tiles[spot[::-1]] = Tile.FLOOR

    def clear(self, share, least, most):
        goal, covered, told = int(self.columns * self.rows * share), 0, []
        for _ in range(4 + goal if share else 0):
            fits = max(1, self.columns // 2), max(1, self.rows // 2)
            if covered and covered + min(least, fits[0]) * min(least, fits[1]) > goal:
                break
            wide, high = (
                self.rng.between(min(least, fit), min(max(least, most), fit)) for fit in fits
            )
            x = self.rng.below(self.columns - wide + 1)
            y = self.rng.below(self.rows - high + 1)
            around = product(range(x - 1, x + wide + 1), range(y - 1, y + high + 1))
            taken = any(self.home.get(cell, "cell")[0] == "clearing" for cell in around)
            if covered and (covered + wide * high > goal or taken):
                continue
            self.plan.rooms.append(self.box(x, y, wide, high))
            for cell in product(range(x, x + wide), range(y, y + high)):
                self.home[cell] = ("clearing", len(self.plan.rooms))
            self.dig(self.plan.rooms[-1])
            covered += wide * high
            told.append(f"Clearing {len(self.plan.rooms)}: {wide} by {high} cells")
        return told

    def order(self):
        """Number the places in the order of their first cells."""
        in_rows = product(range(self.rows), range(self.columns))
        return list(dict.fromkeys(self.home[x, y] for y, x in in_rows))

    def ways(self):
        """Return the ways out of every place: cell, next cell; right and below of each cell."""
        found = {place: [] for place in self.order()}
        for y, x in product(range(self.rows), range(self.columns)):
            for other in ((x + 1, y), (x, y + 1)):
                if other in self.home and self.home[other] != self.home[x, y]:
                    found[self.home[x, y]].append(((x, y), other))
                    found[self.home[other]].append((other, (x, y)))
        return found

    def open(self, way):
        (x, y), (a, b) = min(way), max(way)
        self.dig(self.box(x, y, a - x + 1, b - y + 1))


def slow_tree(maze, newest, straight):
    """Grow from some place reached so far to a new one."""
    order, ways = maze.order(), maze.ways()
    first = order[maze.roll() % len(order)]
    reached, growing, opened = {first}, [(first, None)], []
    while len(reached) < len(order):
        roll = maze.roll()
        at = len(growing) - 1 if roll < newest * 2**31 else roll % len(growing)
        place, course = growing[at]
        choices = [way for way in ways[place] if maze.home[way[1]] not in reached]
        if not choices:
            growing[at] = growing[-1]
            growing.pop()
            continue
        onward = [(a, b) for a, b in choices if (b[0] - a[0], b[1] - a[1]) == course]
        roll = maze.roll()
        if onward and roll < straight * 2**31 and place[0] == "cell":
            choices = onward
        one, other = choices[roll % len(choices)]
        reached.add(maze.home[other])
        growing.append((maze.home[other], (other[0] - one[0], other[1] - one[1])))
        opened.append((one, other))
    return opened


def slow_walks(maze):
    """Let every place walk at random to the tree; its walk less the loops joins that."""
    order, ways, opened = maze.order(), maze.ways(), []
    reached, last = {order[maze.roll() % len(order)]}, {}
    for start in order:
        place = start
        while place not in reached:
            last[place] = ways[place][maze.roll() % len(ways[place])]
            place = maze.home[last[place][1]]
        place = start
        while place not in reached:
            reached.add(place)
            opened.append(last[place])
            place = maze.home[last[place][1]]
    return opened


def slow_lightest(maze):
    """Draw a weight for every wall, walls to the right first; open the lightest without a loop."""
    walls = []
    for dx, dy in ((1, 0), (0, 1)):
        for y, x in product(range(maze.rows), range(maze.columns)):
            other = x + dx, y + dy
            if other in maze.home and maze.home[other] != maze.home[x, y]:
                walls.append(((x, y), other))
    weights = maze.rng.integers(1, 2**29 - 2, len(walls)).tolist()
    group, opened = {place: place for place in maze.order()}, []
    for _, number in sorted((weight, number) for number, weight in enumerate(weights)):
        one, other = (group[maze.home[cell]] for cell in walls[number])
        if one != other:
            group = {place: one if now == other else now for place, now in group.items()}
            opened.append(walls[number])
    return opened


def slow_braids(maze, opened, share):
    links = {place: [] for place in maze.order()}

    def link(way):
        one, other = (maze.home[cell] for cell in way)
        links[one].append(other)
        links[other].append(one)

    for way in opened:
        link(way)
    ends, found, ways = [place for place in links if len(links[place]) == 1], [], maze.ways()
    left = int(len(ends) * share + 0.5)
    for place in maze.rng.shuffled(ends):
        choices = [way for way in ways[place] if maze.home[way[1]] not in links[place]]
        if left > 0 and len(links[place]) == 1 and choices:
            twice = [way for way in choices if len(links[maze.home[way[1]]]) == 1]
            way = maze.rng.pick(twice or choices)
            left -= 2 if twice else 1
            link(way)
            found.append(way)
    return found


def slow_growth(plan, rng, *, corridor, wall, texture, newest, straight, braid, clearings, **sizes):
    maze = SlowMaze(plan, rng, corridor, wall)
    maze.clear(clearings, sizes["min_clearing"], sizes["max_clearing"])
    grow = {"spanning_tree": slow_walks, "minimum_tree": slow_lightest}.get(texture)
    opened = grow(maze) if grow else slow_tree(maze, newest, straight)
    more = slow_braids(maze, opened, braid) if braid else []
    for way in [*opened, *more]:
        maze.open(way)


@pytest.mark.parametrize("texture", ["growing_tree", "spanning_tree", "minimum_tree"])
@pytest.mark.parametrize(("corridor", "wall", "size"), [(1, 1, (29, 21)), (2, 1, (33, 30)),
    (1, 3, (40, 31)), (3, 2, (7, 30)), (1, 1, (3, 6)), (2, 2, (5, 6))])  # fmt: skip
def test_a_maze_is_grown_as_the_twin_does(texture, corridor, wall, size):
    for seed in range(4):
        plan = Blueprint.solid(*size)
        plan.tiles[4, 1:3] = Tile.WATER
        assert_alike(
            grow_maze, slow_growth, plan, seed, corridor=corridor, wall=wall, texture=texture,
            newest=(0.9, 0.0, 1.0, 0.5)[seed], straight=(0.3, 1.0, 0.0, 0.7)[seed],
            braid=(0.0, 1.0, 0.5, 0.2)[seed], clearings=(0.12, 0.0, 0.4, 0.9)[seed],
            min_clearing=1 + seed, max_clearing=4,
        )  # fmt: skip
