"""A bot that wears, uses, throws, drops and shoots at random: it searches for crashes.

A good player never tries most combinations of rules (a ring of thorns against a bat, a scroll of
summoning on the stairs), so a bot that plays well never finds errors in them either.
"""

from engine.bots.discrete_actions import DROP, THROW, USE, game_action, pack_slots
from engine.bots.simple_bot import Bot
from engine.state.actions import Action, PickUp
from engine.state.game_state import GameState
from procgen.analysis.distances import DIRECTIONS
from procgen.rng import Rng

RANDOM_SHARE = 0.5
"""The share of turns in which an action is drawn; in the others the simple bot goes on."""


class RandomBot(Bot):
    """Explores and fights like the simple bot; in half of its turns it acts at random.

    A random action is one of the discrete actions of learning agents, possible or not; most use,
    throw or drop an item. It draws from a separate random stream, so a run can be played again.
    """

    def __init__(self) -> None:
        super().__init__()
        self._rng: Rng | None = None

    def choose(self, state: GameState) -> Action:
        """Return the next action."""
        if self._rng is None:
            self._rng = Rng(state.setup.seed, "random bot")
        if not self._rng.chance(RANDOM_SHARE):
            return super().choose(state)
        self._journey, number = None, self._rng.below(USE)
        if (slots := list(pack_slots(state))) and self._rng.chance(0.7):
            number = self._rng.pick((USE, USE, USE, THROW, DROP)) + self._rng.pick(slots)
        return game_action(state, number, self._rng.pick(DIRECTIONS)) or PickUp()
