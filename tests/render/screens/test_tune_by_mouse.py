"""The panel of parameters under the mouse."""

from render.ui.input import Pointer
from support.build_screens import tuning


def clicks(person, x, y):
    person.app.handle(Pointer("press", x, y, None, "left"))
    person.reads()


def test_a_line_stays_where_it_was_clicked():
    person = tuning("digger:3")
    panel = person.top.panel
    for _ in range(3):
        person.reads()
        y, line = max(panel._rows.items())
        clicks(person, panel._left, y)
        assert panel._rows[y] == line == panel._chosen
        person.types("j")
    assert panel.place > 0, "the list has scrolled meanwhile"


def test_the_right_button_cancels_typing_as_escape_does_and_then_leaves():
    person = tuning("digger:3").types("7")
    screen, recipe = person.top, person.top.recipe
    person.points("7▏", button="right")
    assert person.top is screen
    assert screen.panel.text is None
    assert screen.recipe == recipe
    person.points("rooms", button="right")
    assert person.top is not screen
