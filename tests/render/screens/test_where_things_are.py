"""Distance and direction of what the map cursor points at, for those who do not see the map."""

import pytest

from entities.terrain import Tile
from render.screens.play_screen import PlayScreen
from support.drawn_play import playing
from support.items import first, give, lay

ROOM = """
    ###########
    #@........#
    #.........#
    #....o....#
    #........>#
    ###########
"""


def foot(person):
    return person.reads().splitlines()[-1].strip()


def test_a_cursor_on_the_map_tells_distance_and_direction():
    person, engine = playing(ROOM, columns=80, rows=24)
    give(engine, "dart", 3)
    assert foot(person.types("_>")).endswith("stairs down, 8 tiles east")
    assert foot(person.presses("k")).endswith("floor, 8 tiles east")
    person.presses("escape").types("f")
    assert foot(person).startswith("an orc, 4 SE, 10/10 HP, unaware, trivial: it dies in")
    person.presses("escape").types("x")
    assert "│  4 tiles south-east." in person.reads(), "below its name"
    head = person.presses("tab").reads().splitlines()[0]
    assert "an orc, 4 tiles south-east · Esc back" in head


def test_the_terminal_cursor_follows_the_cursor_on_the_map():
    person, engine = playing(ROOM, columns=80, rows=24)
    give(engine, "dart", 3)
    x, y = person.app.picture().cursor
    for keys, step in (("_>", (8, 3)), ("f", (4, 2)), ("x", (4, 2))):
        person.types(keys)
        assert person.app.picture().cursor == (x + step[0], y + step[1]), keys
        person.presses("escape")
    assert person.app.picture().cursor == (x, y), "on the hero again"


def test_a_look_finds_known_stairs_out_of_sight_and_names_no_place_it_is_on():
    person, engine = playing(ROOM.replace("o", "."), columns=80, rows=24)
    engine.state.map.visible[:] = False
    person.types("x")
    assert "Tab next: stairs down, 8 tiles east" in person.reads()
    assert person.types(">").top.target == engine.state.map.exit
    assert "Tab" not in person.reads()
    person.presses("escape").types("_>").presses("h", "tab")
    assert person.top.target == engine.state.map.exit


def test_everything_in_view_is_listed_in_words_nearest_first():
    person, engine = playing(ROOM, columns=80, rows=24)
    engine.state.map.set_tile(3, 1, Tile.DOOR)
    engine.state.map.set_tile(1, 4, Tile.TRAP)
    lay(engine, "dagger", 1, 3)
    lay(engine, "dart", 2, 1)
    orc = first(engine, "orc")
    lay(engine, "fruit", orc.x, orc.y)
    engine.state.map.visible[3, 1] = False
    text = " ".join(person.types("X").reads().replace("│", " ").split())
    found = ["1 tile east", "2 tiles east", "4 tiles south-east"]
    places = [text.index(one) for one in [", here", *found, "stairs down, 8 tiles east"]]
    assert places == sorted(places)
    assert "door, 2 tiles east" in text
    assert "dart trap, 3 tiles south" in text
    assert "an orc, 4 tiles south-east, 10/10 HP, unaware, trivial: it dies in" in text
    assert ", on a fruit" in text, "what lies under a monster is listed with it"
    assert "a dagger" not in text, "it is out of view"
    assert isinstance(person.presses("escape").top, PlayScreen)


@pytest.mark.parametrize("columns", [60, 40, 30])
def test_the_way_back_is_the_last_hint_that_is_left_out(columns):
    person, engine = playing(ROOM, columns=columns, rows=20)
    give(engine, "dart")
    for keys, name in (("_", "Esc back"), ("x", "Esc back"), ("f", "Esc cancel")):
        assert name in person.types(keys).reads().splitlines()[0], keys
        person.presses("escape")
