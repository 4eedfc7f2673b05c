"""The score: points for depths, the goal, gold and experience."""

from functools import lru_cache
from typing import NamedTuple

from engine.state.game_state import GameState
from engine.state.run_setup import LAST_DEPTH

A_DEPTH = 50
"""Points for reaching depth 2; each further depth is worth this many more than the one before."""
BEYOND = 200
"""Points for the first depth below `LAST_DEPTH` once the goal is taken; each adds a tenth more."""
GOAL = 5000
"""Points for taking the goal."""
PLANTED, HOME = 1000, 4000
"""Points for planting it, and for bringing the hero home after that."""


class Score(NamedTuple):
    """The points of a run by source."""

    depths: int
    goal: int
    beyond: int
    gold: int
    experience: int

    @property
    def total(self) -> int:
        """The sum of all points."""
        return self.depths + self.goal + self.beyond + self.gold + self.experience


def score(state: GameState) -> Score:
    """Return the points of the run so far, whether or not it is scored (`GameState.scored`)."""
    xp = state.hero.experience
    planted = PLANTED * bool(state.hollow) + HOME * (state.home is not None)
    goal = GOAL * (state.won is not None) + planted
    return _score(state.deepest, goal, state.gold, xp.points if xp else 0)


@lru_cache(maxsize=64)
def _score(deepest: int, goal: int, gold: int, experience: int) -> Score:
    """Return the points of a run; cached, because most actions do not change them."""
    down, below = min(deepest, LAST_DEPTH) - 1, max(0, deepest - LAST_DEPTH) * bool(goal)
    beyond = BEYOND * below + BEYOND // 10 * below * (below - 1) // 2
    return Score(A_DEPTH * down * (down + 1) // 2, goal, beyond, gold, experience)
