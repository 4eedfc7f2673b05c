"""Random walk (drunkard's walk)."""

from collections.abc import Iterator

from entities.terrain import Tile
from entities.wording import pluralise
from procgen.blueprint import Blueprint, Point
from procgen.placement import painting
from procgen.rng import Rng
from procgen.step_registry import Count, Share, Steps, step

CAPTIONS = 200
"""The maximum number of captions for one walk."""

MOVES = ((0, -1), (0, 1), (1, 0), (-1, 0))


@step(gives="floor start exit", depends_on={"at_most": "until"})
def random_walk(
    plan: Blueprint, rng: Rng, *, steps: Steps = 500, until: Share = 0.0, at_most: Count = 50
) -> Iterator[str]:
    """Dig along a random walk from the start, in the middle of the map; the exit is where it ends.

    The digger digs, then steps north, south, east or west; it stays in place instead of stepping on
    the map's border. The walk ends after ``steps`` steps on an 80x45 map, a proportional number on
    others, or, if ``until`` is not 0, once about that share of the map is floor. With ``until`` it
    takes at most ``at_most`` steps for each tile of the map. It removes monsters at both ends.
    """
    x, y = (plan.width - 1) // 2, (plan.height - 1) // 2
    plan.start = Point(x, y)
    dug, walked, shown = 0, 0, 0
    tiles, rock, floor = plan.tiles, int(Tile.WALL), int(Tile.FLOOR)
    right, bottom = plan.width - 2, plan.height - 2
    goal = int(until * plan.width * plan.height)
    limit = at_most * plan.width * plan.height if goal else painting.scaled_to_area(plan, steps)
    while walked < limit and (not goal or dug < goal):
        for direction in rng.integers(0, 3, min(64, limit - walked)).tolist():
            dug += tiles[y, x] == rock
            tiles[y, x] = floor
            dx, dy = MOVES[direction]
            x, y = max(1, min(right, x + dx)), max(1, min(bottom, y + dy))
        walked += min(64, limit - walked)
        if walked >= shown:
            shown = walked + limit // CAPTIONS
            yield f"{pluralise(walked, 'step')}, {pluralise(int(dug), 'tile')} dug"
    plan.tiles[y, x] = Tile.FLOOR
    plan.exit = Point(x, y)
    ends = (plan.start, plan.exit)
    plan.spawns[:] = [spawn for spawn in plan.spawns if Point(spawn.x, spawn.y) not in ends]
    if not walked:
        yield "The walk has no steps"
