"""The price of dawdling: the longer one stays on a level, the more come to look for one.

A level is quiet for about as long as it takes to explore and to rest a little. After that hunters
come down or up its stairs, each sooner after the last. They teach nothing when slain, and the count
goes on where it stood when one comes back, so waiting never pays.
"""

from enum import StrEnum

from components import Mood
from engine.monsters.initial_monsters import harden
from engine.state.events import Hunted, Stirred, Tell, who
from engine.state.game_state import World
from engine.state.goal import LAST_DEPTH
from engine.state.run_setup import Mode
from entities.creature_kinds import make, weights_at
from procgen.blueprint import Point


class Unrest(StrEnum):
    """How much a level minds that one is still there."""

    QUIET = "quiet"
    STIRRING = "stirring"
    HUNTED = "hunted"
    BESIEGED = "besieged"


STAGES = tuple(Unrest)
QUIET_AT_LEAST = 400
"""Turns that any level is quiet for; every three open tiles add one."""
STAGE = 300
"""Turns that each later stage lasts."""
APART = (0, 150, 80, 40)
"""Turns between two hunters on average, by stage."""
MOST_HUNTERS = 6
"""As many as are on a level at once."""
NEAR = 8
"""Nobody comes by stairs that are nearer to the hero than this, or in view."""
RESOLVE = 400
"""Turns for which a hunter follows its quarry before it has even seen it."""


def quiet_for(world: World) -> int:
    """Return how many turns the level of ``world`` is quiet for; less in the endless deep."""
    turns = QUIET_AT_LEAST + world.map.ground // 3
    below = max(0, world.depth - LAST_DEPTH)
    return max(QUIET_AT_LEAST // 2, turns * 20 // (20 + below))


def unrest(world: World) -> Unrest:
    """Return how much the level minds at the moment; the Workshop never does."""
    return STAGES[_stage(world)]


def until_worse(world: World) -> int | None:
    """Return the turns until the level minds more; None if it never will."""
    stage = _stage(world)
    if world.map.endless or world.setup.mode is Mode.WORKSHOP or stage == len(STAGES) - 1:
        return None
    return quiet_for(world) + stage * STAGE - world.map.lingered


def _stage(world: World) -> int:
    over = world.map.lingered - quiet_for(world)
    if world.map.endless or over < 0 or world.setup.mode is Mode.WORKSHOP:
        return 0
    return min(1 + over // STAGE, len(STAGES) - 1)


def stir(world: World, tell: Tell) -> None:
    """Let the turn that has passed count, and let a hunter come if it is time for one."""
    before = unrest(world)
    world.map.lingered += 1
    if unrest(world) is not before:
        tell(Stirred(unrest(world).value))
    stage = _stage(world)
    if stage and world.stream("unrest").chance(1 / APART[stage]):
        _send(world, stage, tell)


def _send(world: World, stage: int, tell: Tell) -> None:
    """Let a hunter come by the stairs, if there are not enough of them already."""
    sent = sum(creature.called_up for creature in world.map.entities.values())
    spot = _way_in(world)
    weights = weights_at(world.depth + stage - 1)
    if sent >= MOST_HUNTERS or spot is None or not weights:
        return
    creature = make(world.stream("unrest").weighted(weights), world.next_id, *spot)
    world.next_id += 1
    harden(creature, world.depth)
    creature.called_up = True
    if creature.mind:
        creature.mind.mood, creature.mind.attention = Mood.HUNTING, RESOLVE
        creature.mind.goal = world.hero.x, world.hero.y
    world.map.add_entity(creature)
    tell(Hunted(who(creature), spot == world.map.start))


def _way_in(world: World) -> Point | None:
    """Return the stairs furthest from the hero, if they are free, far enough and out of view."""
    hero, game_map = world.hero, world.map
    doors = sorted(
        (max(abs(x - hero.x), abs(y - hero.y)), x, y) for x, y in (game_map.start, game_map.exit)
    )
    away, x, y = doors[-1]
    if away < NEAR or game_map.seen[y, x] or game_map.is_blocked(x, y):
        return None
    return Point(x, y)
