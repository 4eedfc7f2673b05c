"""In any legal order no step fails, and none harms what was there before."""

import os
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, event, given, note, settings
from hypothesis import strategies as st

from entities.creature_kinds import creature_kinds
from entities.terrain import TILES, Tile, terrain
from procgen import recipe_builder
from procgen.analysis.distances import regions, regions_intact
from procgen.blueprint import Blueprint, Point
from procgen.progress import run_to_end
from procgen.rng import Rng
from procgen.step_chain import StepUse
from procgen.step_registry import all_steps
from procgen.validate import ASTRAY, broken_invariants
from support.random_recipes import Chain, chains

MANY = int(os.environ.get("SEEDHOLLOW_CHAINS", "0"))
"""How many chains to try with each step; 0 for the few that are the same every time."""

FEW = 2
"""The simplest chain and one more, of small levels; 8 of any size in the slow run."""

ANEW = ("cellular_automaton",)
"""Steps that shape the ground anew although they give none: they may part it."""

CORRIDORS = (
    "cardinal_corridors",
    "cheapest_tunnels",
    "join_adjacent_leaves",
    "join_regions",
    "join_rooms_in_order",
)
"""Steps that dig from one place to another whatever lies between, a vault too."""

FORGIVEN = {
    "the level is not in one piece",
    "start and exit are the same tile",
    "the way to the exit needs a secret door",
    "a key lies behind a lock",
    "there is not a key for every lock",
    "the mission is not laid out",
    ASTRAY,
}
"""Promises that a chain may break, and be rejected, although each step did what it should.

Tunnels do not join what water parts, a walk may end where it began, and what is closed after a
secret door was hidden leaves a way round, but perhaps only through that door. Steps that dig do
not know the mission they dig through, nor the vault: after them a lock may shut nothing.
"""


class State:
    """What is to be compared when a step has done its work."""

    def __init__(self, plan: Blueprint) -> None:
        self.tiles = plan.tiles.copy()
        self.labels, _ = regions(plan.open)
        self.seen, _ = regions(terrain().walkable[self.tiles])
        self.marks = set(stands(plan))
        self.ends = (plan.start, plan.exit)
        self.hidden = np.count_nonzero(plan.tiles == Tile.SECRET_DOOR)


def stands(plan: Blueprint) -> list[Point]:
    ends = [point for point in (plan.start, plan.exit) if point]
    return ends + [Point(spawn.x, spawn.y) for spawn in plan.spawns]


def sound(plan: Blueprint, tiles: np.ndarray) -> None:
    """Hold ``plan`` to what is true at any moment of a build."""
    assert plan.tiles is tiles, "tiles were replaced, not changed"
    assert tiles.dtype == np.uint8
    assert int(tiles.max()) < len(TILES)
    edges = (plan.open[0], plan.open[-1], plan.open[:, 0], plan.open[:, -1])
    assert not any(edge.any() for edge in edges), "the border is open"
    if plan.regions is not None:
        assert (plan.regions.shape, plan.regions.dtype) == (tiles.shape, np.int32)
    for room in (*plan.rooms, *plan.leaves):
        assert 0 <= room.x < room.x + room.width <= plan.width, room
        assert 0 <= room.y < room.y + room.height <= plan.height, room
        assert all(type(side) is int for side in (room.x, room.y, room.width, room.height)), room
    places = stands(plan)
    assert all(type(number) is int for place in places for number in place), places
    assert all(plan.inside(*place) for place in places), places
    assert all(spawn.kind in creature_kinds() for spawn in plan.spawns), plan.spawns
    others = [Point(spawn.x, spawn.y) for spawn in plan.spawns]
    assert len(set(others)) == len(others), "two creatures on one tile"
    assert not {plan.start, plan.exit} & set(others), "a creature on the start or the exit"


def harmless(before: State, plan: Blueprint, use: StepUse) -> None:
    """Check that a step has not walled in anybody, nor parted what it had no business to."""
    walkable = terrain().walkable[plan.tiles]
    stood = [place for place in stands(plan) if place in before.marks]
    assert all(walkable[place[::-1]] for place in stood), f"buried: {stood}"
    if "floor" in use.step.gives or use.step.name in ANEW:
        return
    assert regions_intact(before.labels, plan.open), "parted what was joined"
    hidden = np.count_nonzero(plan.tiles == Tile.SECRET_DOOR) > before.hidden
    if hidden and before.ends == (plan.start, plan.exit) and None not in before.ends:
        seen, _ = regions(walkable)
        start, end = (place[::-1] for place in before.ends)
        if before.seen[start] == before.seen[end]:
            assert seen[start] == seen[end], "hid the way to the exit"


@dataclass
class Witness:
    """Looks on while a chain is built."""

    plan: Blueprint | None = None
    captions: list[str] = field(default_factory=list)
    step: str = ""
    done: int = 0
    dug_at_locks: bool = False

    def watching(self, use: StepUse) -> StepUse:
        """Return ``use`` with a step that does the same under the eyes of this witness."""

        def watched(plan: Blueprint, rng: Rng, **parameters: Any) -> Iterator[str]:
            self.plan, self.step = plan, use.label
            before, tiles, captions = State(plan), plan.tiles, 0
            for caption in use.step.function(plan, rng, **parameters):
                assert isinstance(caption, str)
                assert caption
                captions += 1
                self.captions.append(caption)
                before.labels[~plan.open] = 0  # Closed, it is joined to nothing any more.
                yield caption
            locked = (before.tiles == Tile.LOCKED_DOOR).any()
            digs = "floor" in use.step.gives or use.step.name in CORRIDORS
            self.dug_at_locks |= bool(locked) and digs
            sound(plan, tiles)
            harmless(before, plan, use)
            if not captions:
                assert np.array_equal(before.tiles, plan.tiles), "changed tiles without a caption"
            self.done += 1

        return replace(use, step=replace(use.step, function=watched))


def result(chain: Chain) -> tuple[Any, ...]:
    """Build ``chain`` under watch; return everything that must be the same next time."""
    witness = Witness()
    recipe = chain.recipe
    recipe = replace(recipe, steps=tuple(map(witness.watching, recipe.steps)))
    verdict, digests = "", ()
    try:
        with patch.object(recipe_builder, "ATTEMPTS", 1), warnings.catch_warnings(action="error"):
            digests = run_to_end(recipe_builder.build_recipe(chain.code, recipe)).steps
    except recipe_builder.BuildFailed as failure:
        (verdict,) = failure.rejected
        assert verdict
        if witness.done == len(recipe.steps):
            opened = {"a lock can be bypassed"} if witness.dug_at_locks else set()
            broken = {reason.partition(":")[0] for reason in broken_invariants(witness.plan)}
            assert broken <= FORGIVEN | opened
    except Exception as fault:
        fault.add_note(f"in step {witness.step}")
        raise
    return verdict, digests, witness.captions, witness.plan.digest()


def tried(count):
    """Return the settings of a test that tries ``count`` chains, or `MANY`."""
    return settings(
        max_examples=MANY or count,
        deadline=None,
        derandomize=not MANY,
        database=None,
        print_blob=False,
        suppress_health_check=list(HealthCheck),
    )


@pytest.mark.parametrize("hero", all_steps())
@tried(FEW)
@given(data=st.data())
def test_a_chain_is_rejected_with_a_reason_or_keeps_every_promise(hero, data):
    hold_to_promises(hero, data)


@pytest.mark.slow
@pytest.mark.parametrize("hero", all_steps())
@tried(4 * FEW)
@given(data=st.data())
def test_more_chains_are_rejected_with_a_reason_or_keep_every_promise(hero, data):
    hold_to_promises(hero, data, large=True)


def hold_to_promises(hero, data, *, large=False):
    """Build a chain with the step ``hero`` in it twice."""
    chain = data.draw(chains(hero, large=large))
    note(f"A recipe that fails:\n{chain!r}")
    first = result(chain)
    event(first[0] or "a level")
    assert result(chain) == first, "built twice, two results"


@settings(max_examples=20, deadline=None, derandomize=True, database=None)
@given(chains("scatter"))
def test_a_failing_chain_is_printed_as_a_recipe_that_can_be_read_back(chain):
    printed = tomllib.loads(repr(chain))["chain"]
    assert printed["steps"] == [dict(use) for use in chain.steps]
    assert str(chain.code) in repr(chain)
