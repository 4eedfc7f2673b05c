"""What every hundred units of time bring, whatever the hero does in them."""

from engine.afloat import sink
from engine.fire import blaze
from engine.healing import mending_of
from engine.statuses import tick
from engine.tell import Tell
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
    fighter, pace = world.hero.fighter, mending_of(world.hero)
    if pace and turn % pace == 0:
        fighter.hp = min(fighter.max_hp, fighter.hp + 1)
