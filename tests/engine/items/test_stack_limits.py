"""How many alike make a stack, and what happens to one more."""

import pytest

from engine.state.actions import PickUp, Refused
from entities.pack import LARGEST_STACK, MOST_STACKS
from support.items import ALONE, bare, give, lay
from support.scenes import scene


def darts(engine):
    """Return how many darts each stack of the pack holds."""
    return [item.count for item in engine.state.hero.inventory if item.kind == "dart"]


@pytest.mark.parametrize(("more", "stacks"), [(1, [LARGEST_STACK]), (2, [LARGEST_STACK - 1, 2])])
def test_a_stack_is_filled_to_the_last_and_what_is_over_makes_another(more, stacks):
    engine = bare(scene(ALONE))
    give(engine, "dart", LARGEST_STACK - 1)
    lay(engine, "dart", 2, 2, more)
    engine.step(PickUp())
    assert darts(engine) == stacks


def test_what_a_full_stack_cannot_take_another_takes():
    engine = bare(scene(ALONE))
    give(engine, "dart", LARGEST_STACK)
    for _ in range(2):
        lay(engine, "dart", 2, 2)
        engine.step(PickUp())
    assert darts(engine) == [LARGEST_STACK, 2]


def test_a_full_stack_in_a_full_pack_takes_no_more():
    engine = bare(scene(ALONE))
    give(engine, "dart", LARGEST_STACK)
    for _ in range(MOST_STACKS - 1):
        give(engine, "dagger")
    lay(engine, "dart", 2, 2)
    assert engine.step(PickUp()) == Refused("pack full")
    assert darts(engine) == [LARGEST_STACK]
