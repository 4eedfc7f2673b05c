"""The wheel: turned up it goes up or nearer, turned down it goes on, and it stops at both ends."""

import pytest

from engine.state.run_setup import RunSetup
from render.screens.title import generator_menu
from render.screens.world_map_screen import SCALES, WorldMapScreen
from render.ui.input import Pointer
from support.build_screens import watching
from support.fake_backend import Person
from support.play_screens import playing


def turns(person, *amounts):
    """Turn the wheel by these amounts, up if positive, with a look at the screen after each."""
    for amount in amounts:
        person.app.handle(Pointer("wheel", 5, 5, amount=amount))
        person.reads()
    return person


@pytest.mark.parametrize("first", [None, generator_menu])
def test_the_wheel_walks_through_a_menu(first):
    person = Person(first=first and first())
    person.reads()
    assert turns(person, 1).top.index == 0
    assert turns(person, -1, -2).top.index == 3
    assert turns(person, -200).top.index == len(person.top.choices) - 1
    assert turns(person, 2).top.index == len(person.top.choices) - 3
    turns(person, 200).presses("down")
    assert person.top.index > 0


def test_the_wheel_and_the_keys_scroll_a_text():
    person = playing().types("?")
    head = person.reads()
    assert turns(person, 2).reads() == head
    assert turns(person, -1).top.top == 3
    assert turns(person, 1).reads() == head
    person.presses("pagedown").reads()
    page = person.top.top
    assert page > 20
    person.presses("up").reads()
    assert person.top.top == page - 1
    person.presses("pageup").reads()
    assert person.top.top == 0
    end = person.presses("end").reads()
    assert turns(person, -5).reads() == end
    assert person.presses("down").reads() == end
    assert turns(person, 1).reads() != end
    assert person.presses("home").reads() == head


def test_the_wheel_over_a_build_shows_earlier_and_later_snapshots():
    person = watching("bsp:3").presses("home")
    player = person.top.player
    assert [turns(person, amount).top.player.index for amount in (1, -1, -3, 2)] == [0, 1, 4, 2]
    assert not player.playing
    assert turns(person, -1000).top.player.index == player.last > 4
    assert turns(person, 1000).top.player.index == 0


def test_the_wheel_over_two_builds_shows_earlier_and_later_snapshots_of_both():
    person = watching("bsp:3", 128, 44).types("2")
    pair = person.top.player
    for player in pair.players:
        player.recording.to_end()
    person.presses("home", "space")
    assert [turns(person, amount).top.player.place for amount in (1, -1, -3, 2)] == [0, 1, 4, 2]
    assert not pair.playing
    turns(person, -1000)
    assert [player.index for player in pair.players] == [player.last for player in pair.players]
    turns(person, 1000)
    assert [player.index for player in pair.players] == [0, 0]


def test_the_wheel_over_the_world_map_comes_closer_and_goes_further():
    person = playing(RunSetup(5, "5", generator="wilds")).types("W")
    assert isinstance(person.top, WorldMapScreen)
    turns(person, *[1] * len(SCALES))
    assert f"{SCALES[0]} tile" in person.reads()
    turns(person, -1)
    assert f"{SCALES[1]} tiles per point" in person.reads()
    turns(person, *[-1] * len(SCALES))
    assert f"{SCALES[-1]} tiles per point" in person.reads()
    turns(person, 1)
    assert f"{SCALES[-2]} tiles per point" in person.reads()
