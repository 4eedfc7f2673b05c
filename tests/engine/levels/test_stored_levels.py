"""What is stored of a level: small, plain data, and refused if no level can be so."""

from contextlib import nullcontext

import msgspec
import pytest

from engine.engine import Engine
from engine.levels import saved_map
from engine.levels.stored_levels import MAX_STORED_BYTES, SaveChecker, unpack_level
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Climb, Descend, Wait
from engine.state.compression import InvalidSave
from entities.creature_kinds import HERO, make_creature
from support.stairs import adventure, take, written


@pytest.mark.parametrize("turns", [0, 7])
def test_stored_levels_go_through_plain_data(turns):
    engine = adventure(11)
    for _ in range(3):
        take(engine, Descend())
        for _ in range(turns):
            engine.step(Wait())
    take(engine, Climb())
    state = engine.state
    twin = load_state(state.setup, unpack_state(pack_state(save_state(state))))
    assert state_digest(twin) == state_digest(state)
    assert twin.stored_levels == state.stored_levels
    other = Engine(twin)
    for action in (Climb(), Descend()):
        assert take(other, action) == take(engine, action)
        assert state_digest(twin) == state_digest(state)


def test_going_down_forty_levels_keeps_a_state_small():
    engine = adventure(3, generator="rooms")
    for _ in range(40):
        engine.state.map.explored[:] = True
        take(engine, Descend())
        engine.state.hero.fighter.hp = 30
    assert len(engine.state.stored_levels) == 40
    assert len(pack_state(save_state(engine.state))) < 60_000


def spoil(change):
    engine = adventure()
    take(engine, Descend())
    state = engine.state
    state.stored_levels = change(dict(state.stored_levels))
    return state.setup, unpack_state(pack_state(save_state(state)))


def again(**changes):
    """Return a change of a stored level, written as a hostile hand would."""

    def change(stored):
        return {1: written(msgspec.structs.replace(unpack_level(stored[1]), **changes))}

    return change


HOSTILE = [
    lambda stored: {1: b""},
    lambda stored: {1: stored[1][:-1]},
    lambda stored: {1: b"\0" * 8 + stored[1][8:]},
    lambda stored: {2: stored[1]},
    lambda stored: {-1: stored[1]},
    again(code="nowhere.1:5:1@80x45"),
    again(code="rooms:5:1"),
    again(code="rooms.1:5:1@4000x4000"),
    again(explored=b""),
    again(changes={10**9: 1}),
    again(changes={-5: 1}),
    again(items=[(99999, 1, [])]),
    again(explored=b"\0" * (MAX_STORED_BYTES + 1)),
    again(remembered=4),
]


@pytest.mark.parametrize("change", HOSTILE)
def test_a_stored_level_that_cannot_be_is_refused(change):
    setup, state = spoil(change)
    with pytest.raises(InvalidSave):
        load_state(setup, state)


@pytest.mark.parametrize(
    ("field", "value"),
    [("kind", "hero"), ("kind", "basilisk"), ("id", 10**9), ("x", -1), ("statuses", {"dull": 3})],
)
def test_a_stored_creature_that_cannot_be_is_refused(field, value):
    def change(stored):
        entities = unpack_level(stored[1]).entities
        setattr(entities[0], field, value)
        return again(entities=entities)(stored)

    setup, state = spoil(change)
    with pytest.raises(InvalidSave):
        load_state(setup, state)


def test_a_stored_level_with_monsters_of_too_much_energy_is_refused(monkeypatch):
    monkeypatch.setattr(saved_map, "MOST_ENERGY", 500)
    for energy in (500, 501):
        rat = make_creature("rat", 1, 1, 1)
        rat.energy.stored = energy
        setup, state = spoil(again(entities=[rat]))
        state.entities[:] = [one for one in state.entities if one.kind == HERO]
        with pytest.raises(InvalidSave, match="energy") if energy > 500 else nullcontext():
            load_state(setup, state)


@pytest.mark.parametrize("limit", ["MOST_BYTES", "MOST_IN_ALL", "MOST_DEPTHS"])
@pytest.mark.parametrize("less", [0, 1])
def test_all_stored_levels_together_have_a_limit_to_the_last_byte_and_thing(
    limit, less, monkeypatch
):
    engine = adventure(11)
    for _ in range(3):
        take(engine, Descend())
    stored, sizes = engine.state.stored_levels, []
    levels = [unpack_level(packed, sizes.append) for packed in stored.values()]
    things = [[*level.entities, *level.changes, *level.items] for level in levels]
    things += [pile for level in levels for *_, pile in level.items]
    things += [one.inventory for level in levels for one in level.entities]
    whole = {"MOST_BYTES": sum(sizes), "MOST_IN_ALL": sum(map(len, things)), "MOST_DEPTHS": 3}
    monkeypatch.setattr(f"engine.levels.stored_levels.{limit}", whole[limit] - less)
    checker = SaveChecker(engine.state.next_id)
    if less:
        with pytest.raises(InvalidSave, match=r"too (much|many levels) (is|are) stored"):
            checker.check_levels(stored, infinite=False)
    else:
        checker.check_levels(stored, infinite=False)
