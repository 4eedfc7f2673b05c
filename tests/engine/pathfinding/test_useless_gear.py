"""Gear that auto-explore leaves lying because the hero has its kind or wears something better."""

import pytest

from components.inventory import Item
from engine.pathfinding.auto_travel import Stop, explore
from engine.pathfinding.known_paths import nearest_without_room, wanted_items_at
from engine.state.actions import PickUp
from entities.pack import MOST_STACKS
from support.auto_travel import walk
from support.items import bare, give, lay
from support.rule_scenes import field, wear
from support.scenes import scene


@pytest.mark.parametrize(
    ("worn", "found", "wanted"),
    [
        ({}, "dagger", True), ({"weapon": "dagger"}, "dagger", False),
        ({"weapon": "axe"}, "sword", True), ({"weapon": "sword"}, "rapier", True),
        ({"armour": "chain_mail"}, "leather_armour", False),
        ({"armour": "plate_armour"}, "chain_mail", True),  # Plate is noisy.
        ({"armour": "chain_mail"}, "moss_cloak", True),
        ({"armour": "moss_cloak"}, "chain_mail", True),
        ({"bow": "long_bow"}, "short_bow", False), ({"bow": "short_bow"}, "long_bow", True),
        ({"ring": "might_ring"}, "might_ring", False), ({"ring": "might_ring"}, "stone_ring", True),
        ({"weapon": "dagger"}, "frost_wand", True), ({"weapon": "dagger"}, "dart", True),
    ],
)  # fmt: skip
def test_gear_of_a_kind_that_is_carried_or_outdone_is_not_worth_a_walk(worn, found, wanted):
    engine = field()
    for slot, kind in worn.items():
        wear(engine, slot, kind)
    lay(engine, found, 12, 7)
    assert bool(wanted_items_at(engine.state, 12, 7)) == wanted


def test_a_second_wand_has_charges_of_its_own():
    engine = field()
    give(engine, "frost_wand")
    lay(engine, "frost_wand", 12, 7)
    assert wanted_items_at(engine.state, 12, 7)


def test_another_of_a_kind_is_worth_a_walk_only_if_one_of_them_is_known_to_differ():
    engine = field()
    wear(engine, "weapon", "sword")
    mine = engine.state.hero.inventory[-1]
    other = lay(engine, "sword", 12, 7)
    for bonus, identified, wanted in ((0, True, False), (-1, False, False), (-1, True, True)):
        mine.bonus, mine.identified = bonus, identified
        assert bool(wanted_items_at(engine.state, 12, 7)) == wanted
    mine.bonus, other.bonus, other.identified = 0, 1, True
    assert wanted_items_at(engine.state, 12, 7) == [other]


def test_exploring_leaves_useless_gear_and_takes_what_lies_with_it():
    engine = bare(scene("#######\n#@...>#\n#######"))
    wear(engine, "weapon", "dagger")
    for kind in ("dagger", "dart", "dagger"):
        lay(engine, kind, 3, 1)
    reason, _ = walk(engine, explore(engine.state))
    assert reason is Stop.EXPLORED
    hero, game_map = engine.state.hero, engine.state.map
    assert [item.kind for item in hero.inventory] == ["dagger", "dart"]
    assert [item.kind for item in game_map.items_at(3, 1)] == ["dagger", "dagger"]
    game_map.move_entity(hero, 3, 1)
    engine.step(PickUp())
    assert [item.kind for item in hero.inventory].count("dagger") == 3


def test_a_full_pack_is_no_reason_to_name_useless_gear():
    engine = field()
    wear(engine, "weapon", "dagger")
    state = engine.state
    state.map.explored[:] = True
    while len(state.hero.inventory) < MOST_STACKS:
        state.hero.inventory.append(Item(state.new_id(), "frost_wand"))
    lay(engine, "dagger", 12, 7)
    assert nearest_without_room(state) is None
    lay(engine, "life_potion", 14, 7)
    assert nearest_without_room(state) == (14, 7)
