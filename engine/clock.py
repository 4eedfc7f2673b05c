"""What every hundred units of time bring, whatever the hero does in them."""

from engine.afloat import sink
from engine.fire import blaze
from engine.statuses import mends, tick
from engine.tell import Tell
from engine.things.gear import gifts
from engine.unrest import stir
from engine.world import World

TURN = 100
"""Units of time to a turn: an ordinary step at an ordinary pace."""


def pass_time(world: World, time: int, tell: Tell) -> None:
    """Let ``time`` pass: wounds close and statuses run out with every full turn."""
    before = world.clock
    world.clock += time
    for turn in range(before // TURN + 1, world.clock // TURN + 1):
        if not world.hero.alive:
            return
        _mend(world, turn)
        for creature in [one for one in world.map.entities.values() if one.statuses]:
            tick(world, creature, tell)
        blaze(world, tell)
        sink(world, tell)
        stir(world, tell)


def _mend(world: World, turn: int) -> None:
    """Let the hero's wounds close, a point at a time."""
    hero = world.hero
    fighter = hero.fighter
    given = gifts(hero)
    pace = max(1, fighter.mending // 2) if "mending" in given else fighter.mending
    closing = mends(hero) and "unmending" not in given
    if pace and turn % pace == 0 and closing:
        fighter.hp = min(fighter.max_hp, fighter.hp + 1)
