"""Where one is, for people: the code of a level, or of a place in a world without an edge."""

from dataclasses import replace

from engine.world import World
from procgen.code import LevelCode
from procgen.endless.realms import realms


def place_here(world: World) -> tuple[int, int]:
    """Return the hero's place in the world its map is a window of."""
    left, top = world.map.origin
    return world.hero.x + left, world.hero.y + top


def place_code(world: World, x: int, y: int) -> str:
    """Return a code for the place (x, y) of the endless world at hand: short, and in full."""
    code = world.code
    depth = f":{code.depth}" if code.depth != 1 else ""
    return f"{code.recipe}.{code.version}:{code.seed}{depth}@{x},{y}"


def code_here(world: World) -> str:
    """Return the code of the current level; in an endless world, of the very place."""
    return place_code(world, *place_here(world)) if world.map.endless else str(world.code)


def around(world: World) -> LevelCode:
    """Return the code of the current level; in an endless world, of a window around the hero."""
    if not world.map.endless:
        return world.code
    return replace(world.code, place=place_here(world))


def size_words(world: World) -> str:
    """Return how large the level is, in words."""
    if world.code.recipe in realms():
        return "without an edge"
    return f"{world.code.width} by {world.code.height}"
