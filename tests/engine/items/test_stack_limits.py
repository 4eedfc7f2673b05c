"""How many alike make a stack, and what happens to one more."""

import pytest

from engine.state.actions import PickUp, Refused
from engine.state.events import PickedUp
from entities.pack import LARGEST_STACK, MOST_STACKS
from render.messages.message_log import turn_messages
from render.messages.names import item_name_bare
from support.items import ALONE, bare, give, lay, told
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


def test_wands_of_a_kind_become_one_with_the_charges_of_both():
    engine = bare(scene(ALONE))
    wand = give(engine, "digging_wand", charges=2, identified=True)
    for _ in range(MOST_STACKS - 1):
        give(engine, "dagger")
    lay(engine, "digging_wand", 2, 2, charges=3)
    (event,) = told(engine.step(PickUp()), PickedUp)
    assert (event.what.id, event.what.charges, event.what.count) == (wand.id, 5, 1)
    assert (wand.charges, wand.count, wand.identified) == (5, 1, True)
    assert event.taken == 0
    (told_of_it, _), *more = turn_messages([event])
    assert told_of_it == f"You take another {item_name_bare(event.what)} (a)."
    assert not more
    lay(engine, "slowness_wand", 2, 2, charges=3)
    assert engine.step(PickUp()) == Refused("pack full")


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
