"""Things are drunk, aimed, thrown and shot; what was unknown is learned."""

import pytest

from engine.saves.digests import state_digest
from engine.state.actions import Equip, Fire, Refused, Throw, Use
from engine.state.events import Died, Fizzled, Healed, Hurt, Identified, Struck, Threw
from engine.state.identification import is_identified, item_ref, unidentified_looks
from entities.item_kinds import item_class_of, item_kinds
from entities.pack import find_item
from procgen.blueprint import Point
from support.items import ALONE, ROOM, bare, first, give, told
from support.scenes import scene


def test_a_draught_heals_and_is_known_from_then_on():
    engine = bare(scene(ALONE))
    state = engine.state
    state.hero.fighter.hp = 5
    potion = give(engine, "healing_potion", 2)
    assert not is_identified(state, "healing_potion")
    assert item_ref(state, potion).look == unidentified_looks(7)["healing_potion"]
    events = engine.step(Use(potion.id))
    assert told(events, Identified)[0].what.look is None
    assert told(events, Healed)[0].amount == item_kinds()["healing_potion"].strength
    assert potion.count == 1
    engine.step(Use(potion.id))
    assert find_item(state.hero, potion.id) is None
    assert state.identified_kinds == ["healing_potion"]


def test_looks_belong_to_the_seed_and_to_one_kind_each():
    assert unidentified_looks(1) == unidentified_looks(1)
    assert len({tuple(unidentified_looks(seed).values()) for seed in range(20)}) > 15
    for sort in {kind.item_class for kind in item_kinds().values()}:
        words = [
            word
            for kind, word in unidentified_looks(3).items()
            if item_kinds()[kind].item_class == sort
        ]
        assert len(set(words)) == len(words)
    assert all(
        kind in unidentified_looks(3)
        for kind in item_kinds()
        if item_class_of(kind).looks and not item_kinds()[kind].obvious
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
    assert engine.state.kills == 1


def test_nobody_near_wastes_only_what_was_unknown():
    engine = bare(scene(ALONE))
    scroll = give(engine, "lightning_scroll", 2)
    assert told(engine.step(Use(scroll.id)), Fizzled)
    assert scroll.count == 1
    before = state_digest(engine.state)
    assert engine.step(Use(scroll.id)) == Refused("no foe in view")
    assert state_digest(engine.state) == before


def test_a_fireball_burns_everyone_around_where_it_lands():
    engine = scene("""
        ############
        #@....oo...#
        #......o...#
        #....#####.#
        #....#o..#>#
        ############
    """)
    engine.state.identified_kinds.append("fireball_scroll")
    engine.state.hero.fighter.power = 0
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
    lying = [item for pile in engine.state.map.items.values() for item in pile]
    assert lying
    assert engine.state.hero.inventory == []


def test_what_can_hit_the_thrower_is_not_thrown_as_if_it_were_a_dart():
    engine = bare(scene(ROOM))
    for kind in ("oil_flask", "net", "short_bow"):
        give(engine, kind)
    assert engine.step(Fire(6, 2)) == Refused("nothing to fire")
    give(engine, "dart")
    assert told(engine.step(Fire(6, 2)), Threw)[0].what.kind == "dart"


def test_a_bow_shoots_arrows_and_nothing_else():
    engine = bare(scene(ROOM))
    assert engine.step(Fire(6, 2)) == Refused("nothing to fire")
    arrows, bow = give(engine, "arrow", 5), give(engine, "short_bow")
    assert engine.step(Fire(6, 2)) == Refused("nothing to fire")
    engine.step(Equip(bow.id))
    events = engine.step(Fire(6, 2))
    assert told(events, Threw)[0].bow == "short_bow"
    assert arrows.count == 4


@pytest.mark.parametrize("target", [(2, 2), (70, 70)])
def test_a_bow_that_cannot_be_aimed_there_costs_no_arrow_and_no_time(target):
    engine = bare(scene(ROOM))
    arrows, bow = give(engine, "arrow", 5), give(engine, "short_bow")
    engine.step(Equip(bow.id))
    before = state_digest(engine.state)
    assert isinstance(engine.step(Fire(*target)), Refused)
    assert (arrows.count, state_digest(engine.state)) == (5, before)


@pytest.mark.parametrize("target", [(0, 0), (2, 2), (70, 70)])
def test_what_cannot_be_aimed_at_is_refused(target):
    engine = bare(scene(ROOM))
    darts = give(engine, "dart", 2)
    before = state_digest(engine.state)
    if target != (0, 0):
        assert isinstance(engine.step(Throw(darts.id, *target)), Refused)
        assert state_digest(engine.state) == before
