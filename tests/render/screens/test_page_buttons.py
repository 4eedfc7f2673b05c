"""The button that turns the page stays under the mouse, so that clicks alone read on to the end."""

import pytest

from render.screens.reader import Reader
from render.screens.title import generator_menu
from render.ui.input import Pointer
from support.fake_backend import Person


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
