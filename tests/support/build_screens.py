"""The workshop in front of a person who presses keys."""

from procgen.level_code import parse_code
from procgen.settings import complete
from render.screens.tune_recipe import TuningScreen
from render.screens.watch_build import WatchBuildScreen
from support.fake_backend import Person


def full(text):
    return complete(parse_code(text))


def watching(code="rooms:42", columns=110, rows=44):
    """Return a person at a build that has come to its end in the background."""
    person = Person(columns, rows, WatchBuildScreen(full(code)))
    person.top.player.recording.to_end()
    return person


def colors_shown(person):
    """Return the papers and inks of the map as bytes."""
    cells = person.app.picture().map.rgb
    return cells["bg"].tobytes() + cells["fg"].tobytes()


def bar_of(person):
    """Return the row of the bar and its first and last column."""
    rows = person.reads().splitlines()
    y = next(y for y, row in enumerate(rows) if "▀" in row[:6] and row.strip()[0] == "▀")
    columns = [x for x, char in enumerate(rows[y]) if char in "▀▝"]
    return y, columns[0], columns[-1]


def tuning(code="caves:7"):
    person = watching(code).types("t")
    assert isinstance(person.top, TuningScreen)
    return person


def level_of(person):
    person.top.player.recording.to_end()
    return person.top.player.recording.level
