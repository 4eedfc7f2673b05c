"""Pages of text: the button that turns them stays under the mouse, the key that opened closes."""

import pytest

from render.screens.play_screen import PlayScreen
from render.screens.reader import Reader
from render.screens.title import generator_menu
from render.ui.input import Pointer
from support.fake_backend import Person
from support.play_screens import playing, world_of


def clicks(person, text, times):
    """Click ``times`` times on the place where ``text`` is now, with a look after each."""
    rows = person.reads().splitlines()
    row = next(y for y, line in enumerate(rows) if text in line)
    for _ in range(times):
        person.app.handle(Pointer("press", rows[row].index(text), row, None, "left"))
        person.reads()
    return person


@pytest.mark.parametrize(("text", "last"), [("PgDn", False), ("PgUp", True)])
def test_clicks_on_one_place_read_a_text_to_its_other_end(text, last):
    lines = [[(f"line {number}", "text")] for number in range(100)]
    person = Person(80, 24, Reader("Long", lambda _: lines, from_end=last))
    assert f"line {99 if last else 0} " in person.reads()
    clicks(person, text, -(-100 // person.top._page) - 1)
    assert f"line {0 if last else 99} " in person.reads()


def test_clicks_on_one_place_page_through_the_generators():
    person = clicks(Person(80, 24, generator_menu()), "PgDn", 2)
    assert "page 3 of" in person.reads()


@pytest.mark.parametrize("key", ["X", "M", "?", "@"])
def test_the_key_that_opened_a_text_closes_it_unless_it_is_held(key, monkeypatch):
    person = playing()
    person.types(key * 9)
    assert isinstance(person.top, Reader)
    person.presses("escape")
    monkeypatch.setattr("render.app.DOUBLE_CLICK_SECONDS", 0)
    person.types(key)
    assert isinstance(person.top, Reader)
    person.types(key)
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).turn == 0
