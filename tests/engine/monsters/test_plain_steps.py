"""The plain step of a crowd beside the handler of steps, which does the same and asks for more."""

import random

from engine.perform import perform, walks
from engine.saves.digests import state_digest
from engine.state.actions import Move, Wait
from procgen.analysis.distances import DIRECTIONS
from workbench.benchmark import crowded


def test_a_plain_step_is_what_the_handler_of_steps_does():
    quick, slow = crowded("caves", 60), crowded("caves", 60)
    chance, walked, refused = random.Random(5), 0, 0
    for number in list(quick.state.map.entities) * 20:
        one, other = (run.state.map.entities[number] for run in (quick, slow))
        if one is quick.state.hero:
            continue
        one.statuses = other.statuses = chance.choice([{}, {}, {"levitating": 3}])
        move, events, wanted = Move(*chance.choice(DIRECTIONS)), [], []
        before = state_digest(quick.state)
        if walks(quick.state, one, move, events.append):
            assert perform(slow.state, other, move, wanted.append).time == 100
            assert not one.statuses
            walked += 1
        else:
            assert state_digest(quick.state) == before
            refused += 1
        assert events == wanted
        assert state_digest(quick.state) == state_digest(slow.state)
    assert min(walked, refused) > 200
    assert not walks(quick.state, one, Wait(), events.append)
