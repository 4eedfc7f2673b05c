"""Numbers of a saved state at and beyond their limits, on both sides."""

import time
from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from components.fighter import NUMBER_LIMIT
from components.inventory import LARGEST_STACK, MOST_BONUS, MOST_CHARGES, Item
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import parse_playable_code, pinned
from engine.levels.saved_map import MOST_GROWN
from engine.levels.stored_levels import SaveChecker, unpack_level
from engine.saves.digests import state_digest
from engine.saves.run_file import LONGEST_HEADER
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Descend
from engine.state.compression import InvalidSave, compress
from engine.state.game_map import FLOOD, Growing
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.seed_kinds import MOST_TURNS
from entities.talents import talents
from entities.terrain import Tile
from support.stairs import adventure, take, written


def young():
    """Return the state of a run that begins."""
    return new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves", size=(40, 25))))


def again(state):
    """Return ``state`` after it has been saved and loaded."""
    return load_state(state.setup, unpack_state(pack_state(save_state(state))))


def changed(holder, field, value):
    """Set ``value`` in a field of a field of ``holder``."""
    *way, last = field.split(".")
    for name in way:
        holder = getattr(holder, name)
    setattr(holder, last, value)


FIELDS = {
    "fighter.hp": NUMBER_LIMIT,
    "fighter.power": NUMBER_LIMIT,
    "fighter.defense": NUMBER_LIMIT,
    "ai.state_turns_left": NUMBER_LIMIT,
    "ai.cooldown": NUMBER_LIMIT,
    "ai.stolen_gold": NUMBER_LIMIT,
    "energy.stored": 10_000,
}


@pytest.mark.parametrize("sign", [1, -1], ids=["above", "below"])
@pytest.mark.parametrize("field", FIELDS)
def test_a_creature_may_have_a_number_at_the_limit_but_not_beyond(field, sign):
    state = young()
    changed(state.map.entities[1], field, sign * FIELDS[field])
    assert state_digest(again(state)) == state_digest(state)
    changed(state.map.entities[1], field, sign * (FIELDS[field] + 1))
    with pytest.raises(InvalidSave):
        again(state)


@pytest.mark.parametrize(("speed", "fine"), [(1, True), (0, False), (1000, True), (1001, False)])
def test_who_has_no_speed_or_too_much_is_refused(speed, fine):
    state = young()
    state.map.entities[1].energy.speed = speed
    if fine:
        assert state_digest(again(state)) == state_digest(state)
    else:
        with pytest.raises(InvalidSave):
            again(state)


POSSIBLE = [
    {"count": 1}, {"count": LARGEST_STACK}, {"bonus": -MOST_BONUS}, {"bonus": MOST_BONUS},
    {"charges": 0}, {"charges": MOST_CHARGES}, {"id": 0}, {"letter": "z"},
]  # fmt: skip
IMPOSSIBLE = [
    {"count": 0}, {"count": -1}, {"count": LARGEST_STACK + 1}, {"bonus": -MOST_BONUS - 1},
    {"bonus": MOST_BONUS + 1}, {"charges": -1}, {"charges": MOST_CHARGES + 1}, {"id": -1},
    {"id": 1 << 53}, {"letter": "ab"}, {"letter": "A"}, {"kind": "basilisk"},
]  # fmt: skip


def lying(**fields):
    """Return a young state with an item on the ground, and the item."""
    state = young()
    item = Item(**{"id": 900, "kind": "dart", **fields})
    state.map.add_item(item, state.hero.x, state.hero.y)
    return state, item


@pytest.mark.parametrize("fields", POSSIBLE, ids=str)
def test_an_item_at_the_limit_comes_back_as_it_was(fields):
    state, item = lying(**fields)
    loaded = again(state)
    assert item in loaded.map.items_at(state.hero.x, state.hero.y)


@pytest.mark.parametrize("fields", IMPOSSIBLE, ids=str)
def test_an_item_beyond_the_limit_is_refused(fields):
    with pytest.raises(InvalidSave):
        again(lying(**fields)[0])


def test_what_does_not_stack_lies_singly():
    assert again(lying(kind="dagger")[0])
    with pytest.raises(InvalidSave):
        again(lying(kind="dagger", count=2)[0])


def test_the_next_number_is_higher_than_any_creature_has():
    state = young()
    state.next_id = max(state.map.entities) + 1
    assert again(state).next_id == state.next_id
    state.next_id -= 1
    with pytest.raises(InvalidSave, match="has an id that was not given out yet"):
        again(state)


@pytest.mark.parametrize(("level", "chosen", "fine"), [(2, 2, True), (1, 2, False), (3, 4, False)])
def test_a_hero_has_as_many_talents_as_levels_at_most(level, chosen, fine):
    state = young()
    state.hero.experience.level = level
    state.hero.experience.talents = ["hardy"] * chosen
    if fine:
        assert again(state).hero.experience.talents == ["hardy"] * chosen
    else:
        with pytest.raises(InvalidSave, match="more talents than its level"):
            again(state)


def test_no_saved_hero_has_a_higher_level_than_play_allows():
    state = young()
    state.hero.experience.level = 60
    assert again(state).hero.experience.level == 60
    state.hero.experience.level = 61
    with pytest.raises(InvalidSave):
        again(state)


def test_a_small_state_with_heaps_of_items_in_many_levels_is_refused_at_once():
    """30 KB of a file held 200 such levels, and checking them took 72 seconds."""
    engine = adventure()
    take(engine, Descend())
    state = engine.state
    pile = [Item(900, "dart") for _ in range(1000)]
    heaps = [(x, 1, pile) for x in range(1, 60)]
    level = unpack_level(state.stored_levels[1])
    code = parse_playable_code(level.code)
    for depth in range(1, 200):
        full = structs.replace(
            level, items=heaps, entities=[], code=str(replace(code, depth=depth))
        )
        state.stored_levels[depth] = written(full)
    began = time.monotonic()
    with pytest.raises(InvalidSave, match="too much is stored"):
        again(state)
    assert time.monotonic() - began < 10


def test_a_creature_on_the_map_and_one_on_a_stored_level_have_two_ids():
    engine = adventure()
    take(engine, Descend())
    state = engine.state
    assert again(state)
    level = unpack_level(state.stored_levels[1])
    level.entities[0].id = max(state.map.entities)
    state.stored_levels[1] = written(level)
    with pytest.raises(InvalidSave, match="two creatures have one id"):
        again(state)


def test_levels_that_are_large_only_before_they_are_decoded_are_refused():
    """A dictionary of many equal keys is one entry; 375 levels of them took 34 s."""
    engine = adventure()
    take(engine, Descend())
    state = engine.state
    level = unpack_level(state.stored_levels[1])
    code = parse_playable_code(level.code)
    for depth in range(1, 80):
        full = structs.replace(level, entities=[], code=str(replace(code, depth=depth)))
        fields = [*structs.astuple(full)]
        parts = [msgspec.msgpack.encode(field) for field in fields]
        fires = 900_000
        parts[6] = b"\xdf" + fires.to_bytes(4, "big") + b"\x05\x05" * fires
        state.stored_levels[depth] = compress(
            msgspec.Raw(bytes([0x90 + len(parts)]) + b"".join(parts))
        )
    packed = pack_state(save_state(state))
    assert len(packed) < LONGEST_HEADER // 4
    with pytest.raises(InvalidSave, match="too much is stored"):
        load_state(state.setup, unpack_state(packed))


def test_so_many_bytes_and_contents_are_checked_in_all_and_not_one_more(monkeypatch):
    monkeypatch.setattr("engine.levels.stored_levels.MOST_BYTES", 1000)
    monkeypatch.setattr("engine.levels.stored_levels.MOST_IN_ALL", 7)
    checker = SaveChecker(900)
    checker._spend(600)
    checker._spend(400)
    with pytest.raises(InvalidSave, match="too much is stored"):
        checker._spend(1)
    engine = adventure()
    take(engine, Descend())
    level = unpack_level(engine.state.stored_levels[1])
    pile, rat = [Item(1, "dart"), Item(2, "dart")], make_creature("rat", 3, 1, 1)
    rat.inventory = [Item(4, "dagger")]
    held = structs.replace(level, items=[(1, 1, pile)], entities=[rat], changes={5: 0})
    checker.count(structs.replace(held, changes={5: 0, 6: 0}))
    with pytest.raises(InvalidSave, match="too much is stored"):
        checker.count(structs.replace(level, items=[], entities=[], changes={5: 0}))
    with pytest.raises(InvalidSave, match="too much is stored"):
        SaveChecker(900).count(structs.replace(held, changes=dict.fromkeys(range(3), 0)))


TIMES = talents()["tough"].times


@pytest.mark.parametrize(("chosen", "level", "fine"), [
    ([], 1, True), (["tough"], 1, True), (["tough", "hardy"], 1, False), (["tough"], 2, True),
    (["tough"] * TIMES, TIMES + 1, True), (["tough"] * (TIMES + 1), TIMES + 2, False),
    (["swift", "no such"], 9, False),
])  # fmt: skip
def test_talents_are_no_more_than_levels_and_each_is_learned_so_many_times(chosen, level, fine):
    state = young()
    state.hero.experience.talents[:], state.hero.experience.level = chosen, level
    if fine:
        assert again(state).hero.experience.talents == chosen
    else:
        with pytest.raises(InvalidSave, match="talent"):
            again(state)


@pytest.mark.parametrize(("kinds", "fine"), [
    ([], True), (["dart", "net"], True), (["net", "net"], False), (["net", "no such"], False),
    (["no such", "no such"], False),
])  # fmt: skip
def test_identified_kinds_are_known_and_listed_once(kinds, fine):
    state = young()
    state.identified_kinds[:] = kinds
    if fine:
        assert again(state).identified_kinds == kinds
    else:
        with pytest.raises(InvalidSave, match="identified"):
            again(state)


TILES = 40 * 25
FULL = [(0, Tile.GRASS)] * MOST_GROWN


@pytest.mark.parametrize(("growing", "fine"), [
    ({}, True), ({"kind": FLOOD}, True), ({"kind": "no such seed"}, False), ({"turns": []}, False),
    ({"turns": [[]] * MOST_TURNS}, True), ({"turns": [[]] * (MOST_TURNS + 1)}, False),
    ({"turns": [FULL[1:], FULL[:1]]}, True), ({"turns": [FULL, FULL[:1]]}, False),
    ({"turns": [[(TILES - 1, Tile.GRASS)]]}, True), ({"turns": [[(TILES, Tile.GRASS)]]}, False),
    ({"turns": [[(-1, Tile.GRASS)]]}, False), ({"turns": [[(5, 250)]]}, False),
    ({"center": TILES - 1}, True), ({"center": TILES}, False), ({"center": -1}, False),
    ({"monster": "rat"}, True), ({"monster": "no such"}, False),
    ({"items": [Item(900, "dagger", LARGEST_STACK + 1)]}, False),
])  # fmt: skip
def test_what_grows_on_a_saved_level_could_grow_there(growing, fine):
    state = young()
    whole = {"kind": "thicket_seed", "turns": [[(3, Tile.GRASS)]], "center": 0, **growing}
    state.map.growing = [Growing(**whole)]
    if fine:
        assert again(state).map.growing == state.map.growing
    else:
        with pytest.raises(InvalidSave):
            again(state)
