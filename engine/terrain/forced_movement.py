"""Being moved by something else than one's own feet."""

from engine.creatures.health import harm
from engine.state.events import Displaced, Tell, who
from engine.state.game_state import World
from engine.terrain.tile_effects import tread
from entities.entity import Entity
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point

BUMP = 3
"""What it takes to be thrown against something."""
FAR = 12
"""A teleport leads at least so many steps away, if it can."""


def put(world: World, creature: Entity, x: int, y: int, how: str, tell: Tell) -> None:
    """Move ``creature`` to the free tile (x, y); ``how`` is a word for it."""
    origin = Point(creature.x, creature.y)
    world.map.move_entity(creature, x, y)
    tell(Displaced(who(creature), origin, how))
    if creature is world.hero:
        world.look()
        tread(world, tell)


def shove(
    world: World, creature: Entity, way: tuple[int, int], steps: int, tell: Tell, by: Entity
) -> None:
    """Push ``creature`` so many ``steps``: into lava is the end, against something hurts."""
    x, y = creature.x, creature.y
    stopped = burnt = False
    for _ in range(steps):
        ahead = x + way[0], y + way[1]
        burnt = _lava(world, *ahead)
        stopped = not burnt and world.map.is_blocked(*ahead)
        if stopped:
            break
        x, y = ahead
        if burnt:
            break
    if (x, y) != (creature.x, creature.y):
        put(world, creature, x, y, "pushed", tell)
    if burnt and creature.alive and "levitating" not in creature.statuses:
        harm(world, creature, creature.fighter.hp, "lava", tell, by)
    elif stopped and creature.alive:
        harm(world, creature, BUMP, "wall", tell, by)


def _lava(world: World, x: int, y: int) -> bool:
    inside = world.map.contains(x, y) and world.map.entity_at(x, y) is None
    return inside and bool(world.map.tiles[y, x] == Tile.LAVA)


def swap(world: World, one: Entity, other: Entity, tell: Tell) -> None:
    """Let two change places."""
    here, there = Point(one.x, one.y), Point(other.x, other.y)
    world.map.remove_entity(other)
    put(world, one, *there, "swapped", tell)
    other.x, other.y = here
    world.map.add_entity(other)
    tell(Displaced(who(other), there, "swapped"))


def whisk(world: World, creature: Entity, tell: Tell) -> None:
    """Take ``creature`` to a free tile far off that it could have walked to."""
    game_map = world.map
    steps = distances(game_map.walkable, creature.x, creature.y)
    steps[steps == UNREACHED] = 0
    for other in game_map.entities.values():
        steps[other.y, other.x] = 0
    furthest = int(steps.max())
    if furthest == 0:
        return
    ys, xs = (steps >= min(FAR, furthest)).nonzero()
    index = world.stream("effects").below(len(xs))
    put(world, creature, int(xs[index]), int(ys[index]), "teleported", tell)
