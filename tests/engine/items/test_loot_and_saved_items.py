"""What is carried and what burns is put away and taken up again, and nothing else is believed."""

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

from components.inventory import Item
from engine.engine import Engine
from engine.items.loot import PlacedItem, _place, guaranteed_items, initial_loot, loot_table
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.levels.stored_levels import pack_level, restore_map, unpack_level
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Throw, Wait
from engine.state.compression import InvalidSave
from engine.state.run_setup import Mode, RunSetup
from entities.data_files import weight_at
from entities.item_kinds import item_class_of, item_kinds
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from procgen.build import build
from procgen.recipes import find_recipe
from procgen.rng import Rng
from support.items import give


def begun():
    return Engine(new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE, "caves"))))


def burning():
    """Return an engine with a full pack, known kinds and a fire."""
    engine = begun()
    state = engine.state
    give(engine, "frost_wand", charges=4)
    flask = give(engine, "fire_potion")
    state.identified_kinds.append("frost_wand")
    ys, xs = (state.map.visible & state.map.walkable).nonzero()
    place = max(zip(xs, ys, strict=True), key=lambda p: abs(p[0] - state.hero.x))
    engine.step(Throw(flask.id, int(place[0]), int(place[1])))
    assert state.map.fires
    return engine


def test_packs_lore_and_fires_go_on_as_if_nothing_had_happened():
    engine = burning()
    twin = Engine(
        load_state(engine.state.setup, unpack_state(pack_state(save_state(engine.state))))
    )
    assert twin.state.hero == engine.state.hero
    assert twin.state.identified_kinds == engine.state.identified_kinds
    for _ in range(8):
        assert engine.step(Wait()) == twin.step(Wait())
        assert state_digest(twin.state) == state_digest(engine.state)
    assert not engine.state.map.fires


def test_a_level_left_in_flames_is_found_in_flames():
    game_map = burning().state.map
    game_map.remove_entity(game_map.entities[0])
    again = restore_map(unpack_level(pack_level(game_map)), game_map.level)
    assert again.fires == game_map.fires
    assert again.items == game_map.items
    assert again.facts() == game_map.facts()


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "rubber_duck"}, {"count": 0}, {"count": -3}, {"count": 2, "kind": "sword"},
        {"count": 10**6, "kind": "dart"}, {"bonus": 10**6}, {"charges": -1}, {"charges": 10**9},
        {"id": -1}, {"id": 2**60}, {"letter": "A"}, {"letter": "ab"}, {"letter": "\x1b"},
    ],
)  # fmt: skip
def test_a_thing_that_cannot_be_is_refused(change):
    for carried in (True, False):
        state = begun().state
        values = {"id": 900, "kind": "dagger", "letter": "z", **change}
        item = Item(**values)
        if carried:
            state.hero.inventory.append(item)
        else:
            state.map.add_item(item, state.hero.x, state.hero.y)
        with pytest.raises(InvalidSave):
            load_state(state.setup, unpack_state(pack_state(save_state(state))))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda w: w.hero.equipment.update(weapon=999999),
        lambda w: w.hero.equipment.update(hat=w.hero.inventory[0].id),
        lambda w: w.hero.equipment.update(ring=w.hero.inventory[0].id),
        lambda w: w.hero.inventory.append(w.hero.inventory[0]),
        lambda w: w.hero.inventory.append(Item(777, "dart", letter=w.hero.inventory[0].letter)),
        lambda w: w.hero.inventory.append(Item(777, "dart")),
        lambda w: w.hero.inventory.extend(Item(700 + n, "dagger", letter="z") for n in range(30)),
        lambda w: w.identified_kinds.append("rubber_duck"),
        lambda w: w.identified_kinds.extend(["frost_wand", "frost_wand"]),
        lambda w: w.map.fires.update({(500, 500): 3}),
        lambda w: w.map.fires.update({(5, 5): 0}),
        lambda w: w.map.fires.update({(5, 5): 10**9}),
    ],
)
def test_belongings_that_cannot_be_are_refused(spoil):
    state = begun().state
    spoil(state)
    with pytest.raises(InvalidSave):
        load_state(state.setup, unpack_state(pack_state(save_state(state))))


def test_what_lies_about_is_decided_by_the_level():
    for seed in range(4):
        state = new_game(RunSetup(seed, str(seed)))
        level = state.map.level
        assert initial_loot(level) == initial_loot(level)
        steps = distances(state.map.walkable, *level.start)
        for thing in initial_loot(level):
            locked = steps[thing.y, thing.x] == UNREACHED
            assert (
                weight_at(1 + locked, item_kinds()[thing.kind].spawn_weight)
                or thing.kind in loot_table().guaranteed_per_10_depths
            )
            assert state.map.walkable[thing.y, thing.x]
            assert not locked or {Tile.LOCKED_DOOR, Tile.SECRET_DOOR} & {*level.tiles.flat}
            assert thing.many == 1 or item_class_of(thing.kind).stacks


def test_scrolls_lie_where_books_are_kept():
    homes, scrolls = 0, []
    for seed in range(40):
        level = build(find_recipe("vaulted").code(seed, 4))
        shelved = binary_dilation(level.tiles == Tile.SHELF, np.ones((3, 3), bool))
        homes += shelved.any()
        laid = initial_loot(level)
        assert len({(thing.x, thing.y) for thing in laid}) == len(laid)
        found = [thing for thing in laid if item_class_of(thing.kind).name == "scroll"]
        scrolls += [bool(shelved[thing.y, thing.x]) for thing in found if shelved.any()]
    assert homes >= 3
    assert sum(scrolls) > 0.6 * len(scrolls)  # the rest is dear, and hidden


def test_a_full_library_loses_nothing():
    here, there = Point(3, 3), Point(8, 8)
    laid = [PlacedItem("dart", *here, 1, 0, 0)]
    _place(laid, "teleportation_scroll", Rng(1), [here], [], [there])
    assert [(thing.kind, thing.x, thing.y) for thing in laid[1:]] == [
        ("teleportation_scroll", *there)
    ]
    _place(laid, "teleportation_scroll", Rng(1), [here], [there])
    assert len(laid) == 2  # no room at all


def test_the_rhythm_holds_for_every_seed():
    for seed in (0, 7, 99, 2**63):
        dealt = [kind for depth in range(1, 21) for kind in guaranteed_items(seed, depth)]
        for kind, share in loot_table().guaranteed_per_10_depths.items():
            assert dealt.count(kind) == 2 * share
        for depth in range(1, 20):
            both = guaranteed_items(seed, depth) + guaranteed_items(seed, depth + 1)
            assert "healing_potion" in both
