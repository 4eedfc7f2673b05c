"""A world without an edge as plain data: it comes back as it was, and forged ones are refused."""

import pytest
from msgspec.structs import replace

from engine.engine import Engine
from engine.infinite.chunk_loader import Surveyor
from engine.infinite.chunk_memory import Left, fold_chunk
from engine.levels import level_memory as rolls
from engine.levels.level_choice import pinned
from engine.saves.saved_state import capture, filled, named, pack, restore, unpack
from engine.state.actions import Wait
from engine.state.compression import BadState
from engine.state.game_state import World
from engine.state.run_setup import Setup
from entities.creature_kinds import make
from procgen.chunk import SIDE

NOTHING = bytes(SIDE * SIDE // 8)


@pytest.fixture(scope="module")
def world():
    """A hero in the wilds, with a chunk left behind and a dungeon remembered below."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Surveyor, "expect", lambda *_, **__: None)
        world = World(pinned(Setup(5, "5", generator="wilds")))
    rat = make("rat", world.number(), 3, 4)
    world.map.left[9, 9] = fold_chunk(Left(NOTHING, {7: 1}, [rat], []))
    return world


def test_it_comes_back_as_it_was(world):
    state = capture(world)
    thin, folds = named(state)
    assert list(folds.values()) == list(world.map.left.values())
    assert len(pack(thin)) < len(pack(state))
    again = restore(world.setup, filled(unpack(pack(thin)), folds), world.map.level)
    assert again.digest() == world.digest()
    twin = restore(world.setup, unpack(pack(state)), world.map.level)
    for one in (again, twin):
        Engine(one).step(Wait())
    assert again.digest() == twin.digest() != world.digest()
    with pytest.raises(BadState, match="is missing"):
        filled(thin, {})


def crowd(many):
    return fold_chunk(Left(NOTHING, {}, [make("rat", 1, 3, 4)] * many, []))


@pytest.mark.parametrize(
    "change",
    [
        {"left": [(9, 9, b"x" * 40)]},
        {"left": [(9, 9, crowd(1)), (9, 9, crowd(1))]},
        {"left": [(9, 9, fold_chunk(Left(b"", {}, [], [])))]},
        {"left": [(9, 9, fold_chunk(Left(NOTHING, {}, [make("hero", 1, 3, 4)], [])))]},
        {"left": [(9, 9, fold_chunk(Left(NOTHING, {}, [make("rat", 1, 999, 4)], [])))]},
        {"below": [(1, 1, {2: b"x" * 40})]},
        {"door": (-5, 10**9)},
        {"opened": [(10**6, 0)]},
        {"corner": (1 << 60, 0)},
    ],
)
def test_a_world_that_cannot_be_is_refused(world, change):
    state = capture(world)
    forged = replace(state, atlas=replace(state.atlas, **change))
    with pytest.raises(BadState):
        restore(world.setup, unpack(pack(forged)), world.map.level)


def test_nobody_remembers_crowds(world, monkeypatch):
    monkeypatch.setattr(rolls, "MOST_IN_ALL", 500)
    state = capture(world)
    atlas = replace(state.atlas, left=[(n, 9, crowd(200)) for n in range(3)])
    with pytest.raises(BadState, match="so much of a world"):
        restore(world.setup, replace(state, atlas=atlas), world.map.level)


def test_what_lies_below_is_written_out_at_the_beginning(world):
    assert world.setup.strata
    assert all("." in name for stratum in world.setup.strata for name in stratum.recipes)
