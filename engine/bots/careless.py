"""A player who runs at whatever moves, never rests and never looks into the pack."""

from engine.bot import Bot, explore_then_leave
from engine.journeys import Journey
from engine.setup import Mode
from engine.world import World


class Careless(Bot):
    """Explores and strikes, and that is all."""

    def _plan(self, world: World) -> Journey:
        return explore_then_leave(world, avoid_exit=world.setup.mode is Mode.WORKSHOP)
