"""A world without an edge as plain data: it comes back as it was, and forged ones are refused."""

import pytest
from msgspec.structs import replace

from engine.engine import Engine
from engine.infinite.chunk_loader import ChunkLoader
from engine.infinite.saved_chunks import SavedChunk
from engine.levels import stored_levels as rolls
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.digests import state_digest
from engine.saves.saved_state import (
    join_parts,
    load_state,
    pack_state,
    save_state,
    split_parts,
    unpack_state,
)
from engine.state.actions import Wait
from engine.state.compression import InvalidSave, compress
from engine.state.run_setup import RunSetup
from entities.creature_kinds import make_creature
from procgen.chunk import SIDE

NOTHING = bytes(SIDE * SIDE // 8)


@pytest.fixture(scope="module")
def state():
    """A hero in the wilds, with a chunk left behind and a dungeon stored below."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ChunkLoader, "prefetch", lambda *_, **__: None)
        state = new_game(pinned(RunSetup(5, "5", generator="wilds")))
    rat = make_creature("rat", state.new_id(), 3, 4)
    state.next_id = 5000
    state.map.saved_chunks[9, 9] = compress(SavedChunk(NOTHING, {7: 1}, [rat], []))
    return state


def test_it_comes_back_as_it_was(state):
    saved = save_state(state)
    thin, parts = split_parts(saved)
    assert list(parts.values()) == list(state.map.saved_chunks.values())
    assert len(pack_state(thin)) < len(pack_state(saved))
    again = load_state(
        state.setup, join_parts(unpack_state(pack_state(thin)), parts), state.map.level
    )
    assert state_digest(again) == state_digest(state)
    twin = load_state(state.setup, unpack_state(pack_state(saved)), state.map.level)
    for one in (again, twin):
        Engine(one).step(Wait())
    assert state_digest(again) == state_digest(twin) != state_digest(state)
    with pytest.raises(InvalidSave, match="is missing"):
        join_parts(thin, {})


def crowd(many, first=2000):
    """Return a packed chunk with ``many`` rats, numbered from ``first``."""
    rats = [make_creature("rat", first + number, 3, 4) for number in range(many)]
    return compress(SavedChunk(NOTHING, {}, rats, []))


@pytest.mark.parametrize(
    "change",
    [
        {"saved_chunks": [(9, 9, b"x" * 40)]},
        {"saved_chunks": [(9, 9, crowd(1)), (9, 9, crowd(1))]},
        {"saved_chunks": [(9, 9, compress(SavedChunk(b"", {}, [], [])))]},
        {
            "saved_chunks": [
                (9, 9, compress(SavedChunk(NOTHING, {}, [make_creature("hero", 2000, 3, 4)], [])))
            ]
        },
        {
            "saved_chunks": [
                (
                    9,
                    9,
                    compress(SavedChunk(NOTHING, {}, [make_creature("rat", 2000, 999, 4)], [])),
                )
            ]
        },
        {"saved_chunks": [(8, 9, crowd(1)), (9, 9, crowd(1))]},
        {"saved_chunks": [(9, 9, crowd(1, first=1))]},
        {"levels_below": [(1, 1, {2: b"x" * 40})]},
        {"exit": (-5, 10**9)},
        {"loaded": [(10**6, 0)]},
        {"corner": (1 << 60, 0)},
    ],
)
def test_a_world_that_cannot_be_is_refused(state, change):
    saved = save_state(state)
    forged = replace(saved, atlas=replace(saved.atlas, **change))
    with pytest.raises(InvalidSave):
        load_state(state.setup, unpack_state(pack_state(forged)), state.map.level)


def test_chunks_and_the_map_may_hold_creatures_of_different_ids(state):
    saved = save_state(state)
    chunks = [(8, 9, crowd(2)), (9, 9, crowd(2, first=2002))]
    forged = replace(saved, atlas=replace(saved.atlas, saved_chunks=chunks))
    assert load_state(state.setup, forged, state.map.level).map.saved_chunks.keys() == {
        (8, 9),
        (9, 9),
    }


def test_nobody_remembers_crowds(state, monkeypatch):
    monkeypatch.setattr(rolls, "MOST_IN_ALL", 500)
    saved = save_state(state)
    atlas = replace(
        saved.atlas, saved_chunks=[(n, 9, crowd(200, first=2000 + 200 * n)) for n in range(3)]
    )
    with pytest.raises(InvalidSave, match="too much is stored"):
        load_state(state.setup, replace(saved, atlas=atlas), state.map.level)


def test_what_lies_below_is_written_out_at_the_beginning(state):
    assert state.setup.strata
    assert all("." in name for stratum in state.setup.strata for name in stratum.recipes)
