"""Watching a build and asking which step made a tile."""

from render.tiles.glyphs import CURSOR
from render.ui.input import Pointer
from support.build_screens import watching


def first_made(recording, index, x, y):
    """Return the first snapshot since which the tile has been what it is, by looking at all."""
    value, found = recording.snapshots[index].tiles[y, x], index
    while found and recording.snapshots[found - 1].tiles[y, x] == value:
        found -= 1
    return found


def test_every_tile_knows_the_snapshot_that_made_it():
    recording = watching("caves:7@40x30").top.player.recording
    last = len(recording.snapshots) - 1
    for index in (0, last // 2, last):
        for x, y in [(x, y) for y in range(0, 30, 7) for x in range(0, 40, 9)]:
            assert recording.maker(index, x, y).index == first_made(recording, index, x, y)


def test_the_pointer_names_tile_and_step():
    person = watching("rooms:42@60x30")
    person.presses("end")
    person.reads()
    snapshot = person.top.player.snapshot
    x, y = snapshot.start
    column, row = person.top.view.cell((x, y))
    person.app.handle(Pointer("move", column, row + 1, (column, row)))
    made = person.top.player.recording.maker(snapshot.index, x, y)
    assert f"{x},{y} floor by step {made.step_index + 1}, {made.step}" in person.reads()


def test_the_cursor_names_it_too_and_esc_puts_it_away():
    person = watching("rooms:42@60x30").presses("end").types("x")
    assert "30,15" in person.reads()
    assert [one.code for one in person.app.picture().sprites] == [CURSOR]
    person.types("lj")
    assert "31,16" in person.reads()
    screen = person.top
    person.presses("escape")
    assert person.top is screen
    assert "31,16" not in person.reads()


def test_the_right_button_puts_the_cursor_away_first():
    person = watching("rooms:42@60x30").presses("end").points("x which step")
    screen = person.top
    assert "30,15" in person.reads()
    person.points("point", button="right")
    assert person.top is screen
    assert "30,15" not in person.reads()
    person.points("x which step").types("x")
    assert "30,15" not in person.reads()
    person.points("x which step", button="right")
    assert person.top is not screen


def test_a_point_of_the_overview_is_a_tile_under_it():
    person = watching("caves:7@300x200")
    person.presses("end").reads()
    view = person.top.view
    for tile in [(0, 0), (150, 100), (299, 199)]:
        x, y = view.tile(view.cell(tile))
        assert abs(x - tile[0]) < 8
        assert abs(y - tile[1]) < 12
    person.types("x")
    assert "by step" in person.reads()
