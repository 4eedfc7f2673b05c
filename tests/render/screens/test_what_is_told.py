"""What the hero sees is told, and only once; what happens out of sight is not."""

import pytest

from components import AiState
from engine.pathfinding.auto_travel import Stop
from engine.state.actions import Wait
from engine.state.events import (
    Burnt,
    Died,
    Displaced,
    Divided,
    Dropped,
    Fled,
    Hurt,
    ItemRef,
    Noticed,
    Spotted,
    Woke,
    creature_ref,
)
from entities.creature_kinds import HERO
from procgen.blueprint import Point
from support.drawn_play import playing
from support.items import first

NET = ItemRef(9, "net", 1, 0, 0, identified=True, letter="", look=None)


@pytest.mark.parametrize(("keys", "said"), [(0, "you have no key for it."), (1, "with a key.")])
def test_explore_says_of_a_locked_door_whether_the_hero_has_a_key(keys, said):
    person, engine = playing("""
        ##########
        #@.......#
        ########.#
        #.......]#
        ##########
    """)
    engine.state.map.keys = keys
    person.types("o").waits(20)
    assert person.top.session.log.messages[-1].text.startswith("You stop: there is a locked door")
    assert person.top.session.log.messages[-1].text.endswith(said)


def test_a_monster_that_notices_the_hero_is_not_told_twice(monkeypatch):
    def until_noticed(*_, **__):
        while not any(isinstance(event, Noticed) for event in person.top.session.news):
            yield Wait()
        return Stop.ENEMY

    person, engine = playing()
    first(engine, "orc").ai.state = AiState.WANDERING
    monkeypatch.setattr("render.screens.play_screen.auto_travel.explore", until_noticed)
    person.types("o").waits(20)
    told = [message.text for message in person.top.session.log.messages]
    assert not told[-1].startswith("You stop:")
    assert "The orc 6 tiles east notices you." in told


def test_a_monster_out_of_sight_that_hears_the_hero_is_not_told_of():
    person, engine = playing()
    session, orc = person.top.session, creature_ref(first(engine, "orc"))
    engine.state.map.visible[:] = False
    session.add_events([Noticed(orc)])
    assert "notices you" not in person.reads()
    session.add_events([Noticed(orc), Spotted(orc)])
    assert "An orc comes into view 7 tiles east and notices you." in person.reads()


def test_a_monster_that_woke_before_it_came_into_view_is_not_said_to_wake():
    person, engine = playing()
    session, orc = person.top.session, creature_ref(first(engine, "orc"))
    session.add_events([Woke(orc), Spotted(orc)])
    assert "The orc wakes." not in person.reads()
    assert "An orc comes into view 7 tiles east." in person.reads()
    session.add_events([Spotted(orc), Woke(orc)])
    assert "The orc wakes." in person.reads()


@pytest.mark.parametrize("at", range(3))
def test_a_monster_that_comes_into_view_and_notices_the_hero_is_not_said_to_wake(at):
    person, engine = playing()
    session, orc = person.top.session, creature_ref(first(engine, "orc"))
    events = [Spotted(orc), Noticed(orc)]
    events.insert(at, Woke(orc))
    session.add_events(events)
    assert "An orc comes into view 7 tiles east and notices you." in person.reads()
    assert "wakes" not in person.reads(), "who notices the hero is awake"


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (Woke, "The orc wakes."),
        (Fled, "The orc turns to flee."),
        (lambda orc: Displaced(orc, orc.place, "shoved"), "The orc is shoved aside"),
        (lambda orc: Burnt(NET, orc.place), "The net burns to ashes."),
        (lambda orc: Dropped(orc, NET), "The orc drops a net."),
        (lambda orc: Divided(orc, orc), "The orc splits in two."),
    ],
)
def test_what_happens_out_of_sight_is_not_told(of, said):
    person, engine = playing()
    session, visible = person.top.session, engine.state.map.visible
    event = of(creature_ref(first(engine, "orc")))
    visible[:] = False
    session.add_events([event])
    assert not any(said in message.text for message in session.log.messages)
    visible[:] = True
    session.add_events([event])
    assert any(said in message.text for message in session.log.messages)


def test_a_monster_teleported_out_of_sight_is_seen_to_vanish():
    person, engine = playing()
    session, orc = person.top.session, creature_ref(first(engine, "orc"))
    engine.state.map.visible[:] = False
    engine.state.map.visible[1, 1] = True
    session.add_events([Displaced(orc, Point(1, 1), "teleported")])
    assert "The orc is whisked away." in session.log.messages[-1].text


def test_a_sleeper_that_comes_into_view_is_said_to_sleep():
    person, engine = playing()
    session, orc = person.top.session, first(engine, "orc")
    orc.ai.state = AiState.ASLEEP
    session.add_events([Spotted(creature_ref(orc))])
    assert "An orc comes into view 7 tiles east, asleep." in person.reads()


def test_a_monster_that_thorns_kill_is_told_of_in_one_correct_sentence():
    person, engine = playing()
    orc = creature_ref(first(engine, "orc"))
    person.top.session.add_events([Hurt(orc, "thorns", 2), Died(orc, HERO)])
    assert "A thorn pricks the orc for 2 and kills it." in person.reads()
