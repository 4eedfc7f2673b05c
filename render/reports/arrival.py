"""What one can tell of a level on arriving, and how long the last one took."""

from dataclasses import dataclass

from engine.goal import LAST_DEPTH
from engine.unrest import quiet_for, until_worse
from engine.world import World
from entities.lights import lights
from entities.terrain import Tile
from procgen.recipes import find_any
from render.lines import Line
from render.palette import theme
from render.whereabouts import size_words


@dataclass(frozen=True)
class Mark:
    """Where a run stood when a level began."""

    depth: int
    turn: int
    kills: int
    gold: int


def mark_of(world: World) -> Mark:
    """Return where the run stands now."""
    return Mark(world.depth, world.turn, world.kills, world.gold)


def arrival_lines(world: World, behind: Mark | None) -> list[Line]:
    """Return what there is to say of the level of ``world``, and of the one ``behind``."""
    code = world.code
    recipe = find_any(code.recipe, code.version)
    lines: list[Line] = [
        [(f"Depth {world.depth}", "accent"), (f"  {theme(world.map.theme).name}", "text")],
        [(f"grown by {recipe.name}, {size_words(world)}", "dim")],
        *_to_know(world),
    ]
    if behind:
        turns, kills = world.turn - behind.turn, world.kills - behind.kills
        gold = world.gold - behind.gold
        killed = "1 kill" if kills == 1 else f"{kills} kills"
        told = f"depth {behind.depth} took {turns} turns: {killed}, {gold} gold"
        lines += [[], [(told, "dim")]]
    return lines


def _to_know(world: World) -> list[Line]:
    """Return what the hero feels of the level."""
    lines: list[Line] = []
    light = lights().get(world.map.light)
    if light:
        lines.append([(light.name, "text")])
    if (world.map.tiles == Tile.LOCKED_DOOR).any():
        lines.append([("a vault is locked here, and its key lies about", "accent")])
    if until_worse(world) is not None:
        lines.append([(f"quiet for {quiet_for(world)} turns, then hunters come", "dim")])
    if world.depth == LAST_DEPTH and world.won is None:
        lines.append([("What you came for lies here.", "good")])
    elif world.depth > LAST_DEPTH:
        lines.append([("Nobody has been here before you.", "warn")])
    return lines
