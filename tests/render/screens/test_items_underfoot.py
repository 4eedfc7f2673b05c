"""What lies on the hero's tile is said when a step ends there, and by the mouse on the hero."""

from render.ui.input import Pointer
from support.drawn_play import last, playing
from support.items import lay

ON_DAGGER = "You stand on a dagger: g picks up."


def test_a_step_that_ends_on_an_item_names_it_once():
    person, engine = playing()
    lay(engine, "dagger", 2, 1)
    person.types("l")
    assert last(person) == ON_DAGGER
    shown = person.top.session.log.messages
    person.types(".")
    assert [message.text for message in shown].count(ON_DAGGER) == 1
    person.types("l")
    assert [message.text for message in shown].count(ON_DAGGER) == 1


def test_a_click_that_ends_on_an_item_names_it_but_not_one_passed_by():
    person, engine = playing()
    orc = engine.state.map.entity_at(8, 3)
    engine.state.map.remove_entity(orc)
    lay(engine, "sword", 3, 1)
    lay(engine, "dagger", 5, 1)
    view = person.app.picture() and person.top.session.view
    person.app.handle(Pointer("press", 9, 9, (5 - view.left, 1 - view.top), "left"))
    for _ in range(9):
        person.waits()
    assert (engine.state.hero.x, engine.state.hero.y) == (5, 1)
    assert last(person) == ON_DAGGER
    assert not any("sword" in message.text for message in person.top.session.log.messages)


def test_the_mouse_on_the_hero_names_the_items_under_it():
    person, engine = playing()
    lay(engine, "sword", 1, 1)
    lay(engine, "dagger", 1, 1)
    view = person.app.picture() and person.top.session.view
    person.app.handle(Pointer("move", 9, 9, (1 - view.left, 1 - view.top)))
    assert "HP, on a dagger and 1 more" in person.reads().splitlines()[-1]
    engine.state.map.items.clear()
    assert "HP, on stairs up" in person.reads().splitlines()[-1]
