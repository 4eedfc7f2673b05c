"""States that no world can be in, and bytes that are no state, are refused."""

import zlib

import pytest

from components import Experience
from components.inventory import Item
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.levels.stored_levels import pack_level
from engine.saves.saved_state import SavedState, load_state, pack_state, save_state, unpack_state
from engine.state.compression import InvalidSave
from engine.state.run_setup import Mode, RunSetup


def spoiled(change):
    """Return the state of a young world with ``change`` made to it as plain data."""
    state = new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves")))
    saved = save_state(state)
    return state.setup, SavedState(
        **{**{f: getattr(saved, f) for f in SavedState.__struct_fields__}, **change(state)}
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda w: {"entities": []},
        lambda w: {"entities": [w.hero, w.hero]},
        lambda w: {"entities": list(w.map.entities.values())[:-1]},
        lambda w: {"changes": {10**9: 1}},
        lambda w: {"changes": {-1: 1}},
        lambda w: {"visible": b""},
        lambda w: {"explored": b"\0" * 10**6},
        lambda w: {"code": "caves.1:5:1@5x5"},
        lambda w: {"code": "caves:5:1@80x45"},
        lambda w: {"code": "caves.1:5:1@4000x4000"},
        lambda w: {"code": "nowhere.1:5:1@80x45"},
        lambda w: {"code": "\x1b[2J"},
        lambda w: {"streams": {"combat": b"short"}},
        lambda w: {"streams": {str(n): w.stream("combat").state_bytes for n in range(101)}},
        lambda w: {"next_id": 1},
        lambda w: {"stored_levels": {2: b"x" * 99}},
        lambda w: {"stored_levels": {2: pack_level(w.map)}},
        lambda w: {"stored_levels": {n: _bomb() for n in range(2, 9)}},
        lambda w: {"items": [(w.hero.x, w.hero.y, [Item(9, "dagger")] * 1001)]},
        lambda w: {"items": [(-1, 0, [Item(9, "dagger")])]},
        lambda w: {"identified_kinds": ["dagger", "dagger"]},
        lambda w: {"kills_by_kind": {"basilisk": 1}, "kills": 1},
        lambda w: {"kills_by_kind": {"orc": 2}, "kills": 1},
    ],
)
def test_a_state_that_cannot_be_is_refused(change):
    setup, saved = spoiled(change)
    with pytest.raises(InvalidSave):
        load_state(setup, unpack_state(pack_state(saved)))


def _bomb():
    return b"\0" * 8 + zlib.compress(b"\0" * (3 << 20), 9)


WRONG = {
    "x": 10**6,
    "y": -1,
    "id": 0,
    "kind": "basilisk",
    "ai": None,
    "energy.speed": 10**9,
    "energy.stored": 10**9,
    "statuses": {"holy": 3},
    "experience": Experience(60, 0, ["tough"] * 10**6),
    "inventory": [Item(9, "dagger", letter="a"), Item(9, "dagger", letter="b")],
    "equipment": {"weapon": 7},
    "fighter.hp": 2**60,
    "ai.state_turns_left": 2**60,
    "ai.behaviour": "god",
}


@pytest.mark.parametrize("field", WRONG)
def test_a_creature_that_cannot_be_is_refused(field):
    state = new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves")))
    holder = state.map.entities[1]
    for part in field.split(".")[:-1]:
        holder = getattr(holder, part)
    setattr(holder, field.split(".")[-1], WRONG[field])
    with pytest.raises(InvalidSave):
        load_state(state.setup, unpack_state(pack_state(save_state(state))))


def test_bytes_that_are_no_state_are_refused():
    whole = pack_state(save_state(new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves")))))
    rubbish = whole[:2] + b"\0" * 99
    for data in (b"", b"x", whole[:-1], whole[1:], rubbish):
        with pytest.raises(InvalidSave):
            unpack_state(data)


def test_a_bomb_is_not_unpacked():
    with pytest.raises(InvalidSave, match="too large"):
        unpack_state(zlib.compress(b"\0" * (64 << 20), 9))
