"""Things are taken, left and worn."""

import pytest

from components.inventory import Item
from engine.items.aiming import missile_power
from engine.state.actions import Drop, Equip, Move, PickUp, Refused, TakeOff, Throw, Use
from engine.state.events import Equipped, Identified, NoRoom, PickedUp, StatusEnded, TookOff
from engine.state.identification import is_identified
from entities.equipment import defense_of, equipped, power_of, worn_abilities
from entities.item_kinds import item_kinds
from entities.pack import MOST_STACKS, give_new, remove_from_pack
from support.items import ALONE, bare, first, give, lay, told
from support.scenes import scene


def test_what_lies_underfoot_is_taken_and_stacks():
    engine = bare(scene(ALONE))
    lay(engine, "dart", 2, 2, 3)
    lay(engine, "dagger", 2, 2)
    events = engine.step(PickUp())
    taken = [(event.what.kind, event.taken) for event in told(events, PickedUp)]
    assert taken == [("dagger", 1), ("dart", 3)]
    assert [(item.letter, item.kind) for item in engine.state.hero.inventory] == [
        ("a", "dagger"),
        ("b", "dart"),
    ]
    lay(engine, "dart", 2, 2, 2)
    (event,) = told(engine.step(PickUp()), PickedUp)
    assert (event.taken, event.what.count) == (2, 5)
    assert engine.state.hero.inventory[1].count == 5
    assert engine.step(PickUp()) == Refused("nothing here")


def test_one_thing_of_a_pile_can_be_taken():
    engine = bare(scene(ALONE))
    dart = lay(engine, "dart", 2, 2)
    lay(engine, "dagger", 2, 2)
    engine.step(PickUp(dart.id))
    assert [item.kind for item in engine.state.map.items_at(2, 2)] == ["dagger"]


def test_an_item_keeps_its_letter_while_it_is_gone():
    engine = bare(scene(ALONE))
    sword, dagger = give(engine, "sword"), give(engine, "dagger")
    engine.step(Drop(sword.id))
    assert give(engine, "dart").letter == "c"
    engine.step(PickUp())
    assert (sword.letter, dagger.letter) == ("a", "b")
    engine.step(Drop(dagger.id))
    engine.step(PickUp())
    assert dagger.letter == "b"


def test_no_two_stacks_have_one_letter_and_the_pack_is_in_the_order_of_letters():
    engine = bare(scene(ALONE))
    hero = engine.state.hero
    give(engine, "sword"), give(engine, "dagger"), give(engine, "axe")
    assert give(engine, "spear", letter="b").letter == "d"
    remove_from_pack(hero, hero.inventory[0])
    assert give(engine, "short_bow", letter="a").letter == "a"
    assert [item.letter for item in hero.inventory] == ["a", "b", "c", "d"]


def test_what_is_carried_but_not_worn_protects_and_changes_nobody():
    engine = bare(scene(ALONE))
    hero, sword = engine.state.hero, give(engine, "sword")
    engine.step(Equip(sword.id))
    before = defense_of(hero), power_of(hero)
    ring = give(engine, "thorns_ring")
    give(engine, "chain_mail"), give(engine, "embers_ring")
    assert worn_abilities(hero) == frozenset()
    assert (defense_of(hero), power_of(hero)) == before
    engine.step(Equip(ring.id))
    assert worn_abilities(hero) == {"thorns"}


def test_a_wand_that_a_hero_is_given_has_the_least_charges_and_is_known():
    hero = bare(scene(ALONE)).state.hero
    assert give_new(hero, "flame_wand", 1, 900) is None
    (wand,) = hero.inventory
    least, most = item_kinds()["flame_wand"].charges
    assert (wand.charges, wand.identified) == (least, True)
    assert 0 < least < most


def test_a_full_pack_takes_only_what_stacks():
    engine = bare(scene(ALONE))
    give(engine, "dart")
    for _ in range(MOST_STACKS - 1):
        give(engine, "dagger")
    sword = lay(engine, "sword", 2, 2)
    assert engine.step(PickUp()) == Refused("pack full")
    lay(engine, "dart", 2, 2)
    events = engine.step(PickUp())
    assert told(events, NoRoom)[0].what.id == sword.id
    assert engine.state.hero.inventory[0].count == 2


def test_gear_counts_while_it_is_worn():
    engine = bare(scene(ALONE))
    hero = engine.state.hero
    plain = power_of(hero), defense_of(hero)
    sword, mail = give(engine, "sword", bonus=1), give(engine, "chain_mail")
    assert (power_of(hero), defense_of(hero)) == plain
    event = told(engine.step(Equip(sword.id)), Equipped)[0]
    assert event.what.bonus == 1
    assert event.what.identified
    engine.step(Use(mail.id))
    assert (power_of(hero), defense_of(hero)) == (plain[0] + 5, plain[1] + 3)
    dagger = give(engine, "dagger")
    engine.step(Equip(dagger.id))
    assert power_of(hero) == plain[0] + 3
    assert told(engine.step(TakeOff(dagger.id)), TookOff)
    engine.step(Drop(mail.id))
    assert (power_of(hero), defense_of(hero)) == plain


def test_a_bow_adds_to_its_arrows_alone():
    engine = bare(scene(ALONE))
    hero = engine.state.hero
    plain = power_of(hero)
    engine.step(Equip(give(engine, "long_bow", bonus=2).id))
    arrow = give(engine, "arrow")
    assert power_of(hero) == plain
    bow = equipped(hero, "bow")
    thrown, shot = (missile_power(hero, arrow, launcher) for launcher in (None, bow))
    assert shot == thrown + item_kinds()["long_bow"].power + 2


def test_what_was_known_before_or_later_is_one_stack():
    engine = bare(scene(ALONE))
    old = give(engine, "healing_potion", 2)
    new = give(engine, "healing_potion", identified=True)
    assert new is old
    assert (old.count, old.identified) == (3, True)


def test_armour_takes_its_time():
    engine = scene("""
        ###########
        #@......o.#
        #........>#
        ###########
    """)
    first(engine, "orc").ai.state = "hunting"
    mail = give(engine, "chain_mail")
    engine.step(Equip(mail.id))
    assert first(engine, "orc").x <= 6


@pytest.mark.parametrize("is_worn", [False, True])
def test_worn_armour_is_thrown_as_slowly_as_it_is_dropped(is_worn):
    clocks = []
    for action in (Drop(900), Throw(900, 4, 2)):
        engine = bare(scene(ALONE))
        hero = engine.state.hero
        hero.inventory.append(Item(900, "chain_mail"))
        hero.equipment |= {"armour": 900} if is_worn else {}
        engine.step(action)
        clocks.append(engine.state.clock)
    assert clocks == [400 if is_worn else 100] * 2


def test_things_stay_when_one_walks_on():
    engine = bare(scene(ALONE))
    lay(engine, "sword", 3, 2)
    engine.step(Move(1, 0))
    engine.step(Move(1, 0))
    assert [item.kind for item in engine.state.map.items_at(3, 2)] == ["sword"]


def test_a_ring_is_identified_by_wearing_it():
    engine = bare(scene(ALONE))
    ring = give(engine, "thorns_ring")
    assert told(engine.step(Equip(ring.id)), Identified)
    assert is_identified(engine.state, "thorns_ring")


def test_a_ring_against_fire_puts_out_its_wearer():
    engine = bare(scene(ALONE))
    ring, hero = give(engine, "embers_ring"), engine.state.hero
    hero.statuses["burning"] = 4
    assert told(engine.step(Equip(ring.id)), StatusEnded)[0].status == "burning"
    assert hero.fighter.hp == hero.fighter.max_hp


def test_a_letter_stays_with_its_kind_for_the_run():
    engine = bare(scene(ALONE))
    hero = engine.state.hero
    wand = give(engine, "force_wand")
    letter = wand.letter
    remove_from_pack(hero, wand)
    assert give(engine, "healing_potion").letter != letter
    assert give(engine, "force_wand").letter == letter
