"""Things are taken, left, worn and used; what was unknown is learned."""

import pytest

from engine.actions import Drop, Equip, Fire, Move, PickUp, Refused, TakeOff, Throw, Use
from engine.events import (
    Died,
    Equipped,
    Fizzled,
    Healed,
    Hurt,
    Identified,
    NoRoom,
    PickedUp,
    Struck,
    Threw,
    TookOff,
)
from engine.things.gear import defense_of, power_of
from engine.things.lore import knows, looks, what
from engine.things.pack import MOST_STACKS, carried
from entities.items import item_kinds, sort_of
from procgen.blueprint import Point
from scenes import scene
from things import bare, first, give, lay, told

ROOM = """
    ########
    #......#
    #.@...o#
    #.....>#
    ########
"""
ALONE = ROOM.replace("o", ".")


def test_what_lies_underfoot_is_taken_and_stacks():
    engine = bare(scene(ALONE))
    lay(engine, "dart", 2, 2, 3)
    lay(engine, "dagger", 2, 2)
    events = engine.step(PickUp())
    assert [event.what.kind for event in told(events, PickedUp)] == ["dagger", "dart"]
    assert [(item.letter, item.kind) for item in engine.world.hero.pack] == [
        ("a", "dagger"),
        ("b", "dart"),
    ]
    lay(engine, "dart", 2, 2, 2)
    engine.step(PickUp())
    assert engine.world.hero.pack[1].count == 5
    assert engine.step(PickUp()) == Refused("nothing here")


def test_one_thing_of_a_pile_can_be_taken():
    engine = bare(scene(ALONE))
    dart = lay(engine, "dart", 2, 2)
    lay(engine, "dagger", 2, 2)
    engine.step(PickUp(dart.id))
    assert [item.kind for item in engine.world.map.items_at(2, 2)] == ["dagger"]


def test_a_thing_keeps_its_letter_while_it_can():
    engine = bare(scene(ALONE))
    sword, dagger = give(engine, "sword"), give(engine, "dagger")
    engine.step(Drop(sword.id))
    assert give(engine, "dart").letter == "a"
    engine.step(PickUp())
    assert (sword.letter, dagger.letter) == ("c", "b")
    engine.step(Drop(dagger.id))
    engine.step(PickUp())
    assert dagger.letter == "b"


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
    assert engine.world.hero.pack[0].count == 2


def test_gear_counts_while_it_is_worn():
    engine = bare(scene(ALONE))
    hero = engine.world.hero
    plain = power_of(hero), defense_of(hero)
    sword, mail = give(engine, "sword", bonus=1), give(engine, "chain_mail")
    assert (power_of(hero), defense_of(hero)) == plain
    event = told(engine.step(Equip(sword.id)), Equipped)[0]
    assert event.what.bonus == 1
    assert event.what.known
    engine.step(Use(mail.id))
    assert (power_of(hero), defense_of(hero)) == (plain[0] + 5, plain[1] + 3)
    dagger = give(engine, "dagger")
    engine.step(Equip(dagger.id))
    assert power_of(hero) == plain[0] + 2
    assert told(engine.step(TakeOff(dagger.id)), TookOff)
    engine.step(Drop(mail.id))
    assert (power_of(hero), defense_of(hero)) == plain


def test_armour_takes_its_time():
    engine = scene("""
        ###########
        #@.......o#
        #........>#
        ###########
    """)
    first(engine, "orc").mind.mood = "hunting"
    mail = give(engine, "chain_mail")
    engine.step(Equip(mail.id))
    assert first(engine, "orc").x <= 6


def test_a_draught_heals_and_is_known_from_then_on():
    engine = bare(scene(ALONE))
    world = engine.world
    world.hero.fighter.hp = 5
    potion = give(engine, "healing_potion", 2)
    assert not knows(world, "healing_potion")
    assert what(world, potion).look == looks(7)["healing_potion"]
    events = engine.step(Use(potion.id))
    assert told(events, Identified)[0].what.look is None
    assert told(events, Healed)[0].amount == item_kinds()["healing_potion"].strength
    assert potion.count == 1
    engine.step(Use(potion.id))
    assert carried(world.hero, potion.id) is None
    assert world.known == ["healing_potion"]


def test_looks_belong_to_the_seed_and_to_one_kind_each():
    assert looks(1) == looks(1)
    assert len({tuple(looks(seed).values()) for seed in range(20)}) > 15
    for sort in {kind.sort for kind in item_kinds().values()}:
        words = [word for kind, word in looks(3).items() if item_kinds()[kind].sort == sort]
        assert len(set(words)) == len(words)
    assert all(
        kind in looks(3)
        for kind in item_kinds()
        if sort_of(kind).looks and not item_kinds()[kind].obvious
    )


def test_lightning_strikes_the_nearest_in_view():
    engine = scene("""
        ##########
        #@...o..o#
        #.......>#
        ##########
    """)
    scroll = give(engine, "lightning_scroll")
    events = engine.step(Use(scroll.id))
    assert told(events, Hurt)[0].who.place == Point(5, 1)
    assert told(events, Died)[0].killer == "hero"
    assert engine.world.kills == 1


def test_nobody_near_wastes_only_what_was_unknown():
    engine = bare(scene(ALONE))
    scroll = give(engine, "lightning_scroll", 2)
    assert told(engine.step(Use(scroll.id)), Fizzled)
    assert scroll.count == 1
    before = engine.world.digest()
    assert engine.step(Use(scroll.id)) == Refused("no foe in view")
    assert engine.world.digest() == before


def test_a_fireball_burns_everyone_around_where_it_lands():
    engine = scene("""
        ############
        #@....oo...#
        #......o...#
        #....#####.#
        #....#o..#>#
        ############
    """)
    engine.world.known.append("fireball_scroll")
    engine.world.hero.fighter.power = 0
    scroll = give(engine, "fireball_scroll")
    events = engine.step(Use(scroll.id, (6, 1)))
    hurt = {event.who.place for event in told(events, Hurt)}
    assert {Point(6, 1), Point(7, 1), Point(7, 2)} <= hurt
    assert Point(6, 4) not in hurt


def test_a_dart_flies_hits_and_lies_there():
    engine = bare(scene(ROOM))
    darts = give(engine, "dart", 2)
    orc = first(engine, "orc")
    orc.fighter.hp = 99
    events = engine.step(Throw(darts.id, 6, 2))
    assert told(events, Threw)[0].path[-1] == (6, 2)
    assert told(events, Struck)[0].damage > 0
    assert darts.count == 1
    engine.step(Throw(darts.id, 3, 1))
    lying = [item for pile in engine.world.map.items.values() for item in pile]
    assert lying
    assert engine.world.hero.pack == []


def test_a_bow_shoots_arrows_and_nothing_else():
    engine = bare(scene(ROOM))
    assert engine.step(Fire(6, 2)) == Refused("nothing to fire")
    arrows, bow = give(engine, "arrow", 5), give(engine, "short_bow")
    assert engine.step(Fire(6, 2)) == Refused("nothing to fire")
    engine.step(Equip(bow.id))
    events = engine.step(Fire(6, 2))
    assert told(events, Threw)[0].bow == "short_bow"
    assert arrows.count == 4


@pytest.mark.parametrize("target", [(0, 0), (2, 2), (70, 70)])
def test_what_cannot_be_aimed_at_is_refused(target):
    engine = bare(scene(ROOM))
    darts = give(engine, "dart", 2)
    before = engine.world.digest()
    if target != (0, 0):
        assert isinstance(engine.step(Throw(darts.id, *target)), Refused)
        assert engine.world.digest() == before


def test_things_stay_when_one_walks_on():
    engine = bare(scene(ALONE))
    lay(engine, "sword", 3, 2)
    engine.step(Move(1, 0))
    engine.step(Move(1, 0))
    assert [item.kind for item in engine.world.map.items_at(3, 2)] == ["sword"]
