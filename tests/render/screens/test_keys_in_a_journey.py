"""Keys pressed during a journey: those that take no game time are carried out, too."""

import pytest

from render.screens.play_screen import PlayScreen
from support.play_screens import playing, world_of


@pytest.mark.parametrize("key", "ietdx")
def test_a_list_opens_at_once_although_its_key_stops_a_journey(key):
    person = playing().types("o").waits(2)
    state = world_of(person)
    turn = state.turn
    person.types(key)
    assert not isinstance(person.top, PlayScreen)
    person.presses("escape").waits(5)
    assert isinstance(person.top, PlayScreen)
    assert state.turn == turn


@pytest.mark.parametrize("key", "f.gZ>")
def test_a_key_that_may_take_time_only_stops_it(key):
    person = playing().types("o").waits(2)
    state = world_of(person)
    turn = state.turn
    person.types(key).waits(5)
    assert isinstance(person.top, PlayScreen)
    assert state.turn == turn
