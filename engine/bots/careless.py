"""A player who runs at whatever moves, never rests and never looks into the pack."""

from engine.bots.plain import Bot
from engine.journeys import Journey
from engine.world import World


class Careless(Bot):
    """Explores and strikes, and that is all."""

    def _plan(self, world: World) -> Journey:
        return self._journey_on(world)
