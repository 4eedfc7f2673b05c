"""States that no world can be in, and bytes that are no state, are refused."""

import zlib

import pytest

from components import Growth
from components.inventory import Item
from engine.levels.level_choice import pinned
from engine.levels.level_memory import fold
from engine.saves.saved_state import State, capture, pack, restore, unpack
from engine.state.compression import BadState
from engine.state.game_state import World
from engine.state.run_setup import Mode, Setup


def spoiled(change):
    """Return the state of a young world with ``change`` made to it as plain data."""
    world = World(pinned(Setup(5, "5", Mode.ADVENTURE, "caves")))
    state = capture(world)
    return world.setup, State(
        **{**{f: getattr(state, f) for f in State.__struct_fields__}, **change(world)}
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda w: {"entities": []},
        lambda w: {"entities": [w.hero, w.hero]},
        lambda w: {"entities": list(w.map.entities.values())[:-1]},
        lambda w: {"changes": {10**9: 1}},
        lambda w: {"changes": {-1: 1}},
        lambda w: {"seen": b""},
        lambda w: {"explored": b"\0" * 10**6},
        lambda w: {"code": "caves.1:5:1@5x5"},
        lambda w: {"code": "caves:5:1@80x45"},
        lambda w: {"code": "caves.1:5:1@4000x4000"},
        lambda w: {"code": "nowhere.1:5:1@80x45"},
        lambda w: {"code": "\x1b[2J"},
        lambda w: {"streams": {"combat": b"short"}},
        lambda w: {"streams": {str(n): w.stream("combat").mark for n in range(101)}},
        lambda w: {"next_id": 1},
        lambda w: {"remembered": {2: b"x" * 99}},
        lambda w: {"remembered": {2: fold(w.map)}},
        lambda w: {"remembered": {n: _bomb() for n in range(2, 9)}},
        lambda w: {"items": [(w.hero.x, w.hero.y, [Item(9, "dagger")] * 1001)]},
        lambda w: {"items": [(-1, 0, [Item(9, "dagger")])]},
        lambda w: {"known": ["dagger", "dagger"]},
        lambda w: {"slain": {"basilisk": 1}, "kills": 1},
        lambda w: {"slain": {"orc": 2}, "kills": 1},
    ],
)
def test_a_state_that_cannot_be_is_refused(change):
    setup, state = spoiled(change)
    with pytest.raises(BadState):
        restore(setup, unpack(pack(state)))


def _bomb():
    return b"\0" * 8 + zlib.compress(b"\0" * (3 << 20), 9)


WRONG = {
    "x": 10**6,
    "y": -1,
    "id": 0,
    "kind": "basilisk",
    "mind": None,
    "energy.speed": 10**9,
    "energy.stored": 10**9,
    "statuses": {"holy": 3},
    "growth": Growth(99, 0, ["tough"] * 10**6),
    "pack": [Item(9, "dagger", letter="a"), Item(9, "dagger", letter="b")],
    "worn": {"weapon": 7},
    "fighter.hp": 2**60,
    "mind.attention": 2**60,
    "mind.brain": "god",
}


@pytest.mark.parametrize("field", WRONG)
def test_a_creature_that_cannot_be_is_refused(field):
    world = World(pinned(Setup(5, "5", Mode.ADVENTURE, "caves")))
    holder = world.map.entities[1]
    for part in field.split(".")[:-1]:
        holder = getattr(holder, part)
    setattr(holder, field.split(".")[-1], WRONG[field])
    with pytest.raises(BadState):
        restore(world.setup, unpack(pack(capture(world))))


def test_bytes_that_are_no_state_are_refused():
    whole = pack(capture(World(pinned(Setup(5, "5", Mode.ADVENTURE, "caves")))))
    rubbish = whole[:2] + b"\0" * 99
    for data in (b"", b"x", whole[:-1], whole[1:], rubbish):
        with pytest.raises(BadState):
            unpack(data)


def test_a_bomb_is_not_unpacked():
    with pytest.raises(BadState, match="too large"):
        unpack(zlib.compress(b"\0" * (64 << 20), 9))
