"""Random walk (drunkard's walk)."""

from collections.abc import Iterator

from entities.terrain import Tile
from entities.wording import counted
from procgen.blueprint import Blueprint, Point
from procgen.rng import Rng
from procgen.step_registry import Count, Share, Steps, step

CAPTIONS = 200
"""The most captions for one walk."""

DIRECTIONS = ((0, -1), (0, 1), (1, 0), (-1, 0))


@step(gives="floor start exit", depends_on={"at_most": "until"})
def random_walk(
    plan: Blueprint, rng: Rng, *, steps: Steps = 500, until: Share = 0.0, at_most: Count = 50
) -> Iterator[str]:
    """Dig along a random walk from the middle; it starts the level and ends it.

    The digger digs, then steps north, south, east or west; a step that would come nearer than
    one tile to the edge stays in place. After ``steps`` steps it stops, or, if ``until`` is not
    0, once that share of the map is floor (after ``at_most`` times the map's area, at worst).
    Monsters on the start or the exit are removed.
    """
    x, y = (plan.width - 1) // 2, (plan.height - 1) // 2
    plan.start = Point(x, y)
    dug, walked, shown = 0, 0, 0
    tiles, rock, floor = plan.tiles, int(Tile.WALL), int(Tile.FLOOR)
    right, bottom = plan.width - 2, plan.height - 2
    goal = int(until * plan.width * plan.height)
    limit = at_most * plan.width * plan.height if goal else steps
    while walked < limit and (not goal or dug < goal):
        for direction in rng.integers(0, 3, min(64, limit - walked)).tolist():
            dug += tiles[y, x] == rock
            tiles[y, x] = floor
            dx, dy = DIRECTIONS[direction]
            x, y = max(1, min(right, x + dx)), max(1, min(bottom, y + dy))
        walked += min(64, limit - walked)
        if walked >= shown:
            shown = walked + limit // CAPTIONS
            yield f"{counted(walked, 'step')}, {counted(int(dug), 'tile')} dug"
    plan.tiles[y, x] = Tile.FLOOR
    plan.exit = Point(x, y)
    ends = (plan.start, plan.exit)
    plan.spawns[:] = [spawn for spawn in plan.spawns if Point(spawn.x, spawn.y) not in ends]
    if not walked:
        yield "The walk has no steps"
