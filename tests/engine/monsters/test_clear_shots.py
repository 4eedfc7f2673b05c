"""Who shoots past whom: no shot goes through a friend, wherever in the line it stands."""

import pytest

from components import AiState
from engine.state.actions import Wait
from engine.state.events import ShotFired
from support.monsters import one
from support.scenes import kinds, scene


def shots(row, turns=8):
    """Return how often the slinger in a corridor shoots."""
    engine = scene("#########\n" + row + "\n#########")
    engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp = 999
    kobold = one(engine, "kobold")
    kobold.ai.state, kobold.ai.state_turns_left, kobold.ai.goal = AiState.HUNTING, 99, (1, 1)
    return sum(kinds(engine.step(Wait())).count(ShotFired) for _ in range(turns))


def test_a_slinger_shoots_along_a_free_line():
    assert shots("#@....k>#") > 1


@pytest.mark.parametrize("row", ["#@f...k>#", "#@.f..k>#", "#@..f.k>#", "#@...fk>#"])
def test_a_friend_anywhere_in_the_line_is_spared(row):
    assert shots(row) == 0
