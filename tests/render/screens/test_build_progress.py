"""A level that takes long shows itself while it is built, and is given up where nothing changed."""

from dataclasses import replace

import pytest

from engine.saves.digests import state_digest
from engine.saves.files import recorded_paths
from engine.state.actions import Move, Visit
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile
from render.screens.menu import Menu
from render.screens.play_screen import PlayScreen
from render.screens.screen import Act, Begin
from render.screens.title import TitleScreen
from render.session.start_run import begin
from render.ui.input import Closed, Key, Pointer
from render.ui.palette import colors
from support.fake_backend import Person
from support.play_screens import playing, world_of

LARGE = RunSetup(7, "7", Mode.WORKSHOP, "rooms", size=(200, 120))
ADVENTURE = RunSetup(7, "7", generator="rooms", size=(200, 120))


@pytest.fixture(autouse=True)
def _every_stage_is_shown(monkeypatch):
    monkeypatch.setattr("render.screens.build_progress.SHOW_AFTER_SECONDS", 0.0)
    monkeypatch.setattr("render.screens.build_progress.FRAME_SECONDS", 0.0)


def text_of(frame):
    rows = [[chr(code) if code else " " for code in row] for row in frame.text.ch.tolist()]
    return "\n".join("".join(row) for row in rows)


def filled(person):
    """Return how long the bar was in each frame that showed a build, in cells."""
    full = colors()["accent"]
    shown = [frame.text for frame in person.backend.shown if "Building" in text_of(frame)]
    return [(text.bg[-2] == full).all(axis=-1).sum() for text in shown]


def frames(person):
    """Return the texts of the frames that showed a build, and forget them."""
    found = [text for text in map(text_of, person.backend.shown) if "Building" in text]
    person.backend.shown.clear()
    return found


def screens(person):
    return [type(screen) for screen in person.app.stack]


def test_a_large_level_shows_its_steps_and_is_the_same_level():
    person = Person()
    person.app.answer(Begin(LARGE))
    bar = filled(person)
    assert 0 < bar[0] < bar[-1] < person.backend.size[0]
    assert bar == sorted(bar)
    shown = frames(person)
    assert "Building rooms.1:7:1@200x120" in shown[0]
    assert "1/5 rectangular_rooms" in shown[0]
    assert "5/5 monsters_in_rooms" in shown[-1]
    assert "Esc go back" in shown[-1]
    assert screens(person) == [TitleScreen, PlayScreen]
    assert state_digest(world_of(person)) == state_digest(begin(LARGE).run.state)


def test_a_level_that_is_there_at_once_shows_nothing(monkeypatch):
    monkeypatch.setattr("render.screens.build_progress.SHOW_AFTER_SECONDS", 60)
    assert frames(playing(LARGE)) == []


def test_esc_gives_it_up_and_nothing_has_happened():
    person = Person()
    person.backend.inputs = [Key("x"), Key("escape")]
    person.app.answer(Begin(LARGE))
    assert len(frames(person)) == 2
    assert screens(person) == [TitleScreen]
    assert recorded_paths() == []
    person = playing(RunSetup(42, "42", Mode.WORKSHOP, "rooms"))
    before = state_digest(world_of(person))
    hint = Pointer("press", 3, person.backend.size[1] - 1, None, "left")
    for event in (hint, replace(hint, button="right", x=50, y=20), Key("escape")):
        person.backend.inputs = [event]
        person.app.answer(Act(Visit("caves:7@200x120")))
        assert frames(person)
        assert screens(person) == [TitleScreen, PlayScreen]
        assert state_digest(world_of(person)) == before


def test_stairs_to_a_large_level_are_taken_when_it_is_built():
    person = Person()
    person.app.answer(Begin(ADVENTURE))
    person.types("1")
    state = world_of(person)
    state.place_hero(state.map.exit)
    frames(person)
    person.backend.inputs = [Key("escape")]
    person.types(">")
    assert "Esc go back" in frames(person)[0]
    assert state.depth == 1
    person.types(">")
    assert state.depth == 2


def test_a_fall_shows_the_level_and_cannot_be_taken_back(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "fall")
    person = playing(ADVENTURE)
    state = world_of(person)
    hero = state.hero
    state.map.set_tile(hero.x + 1, hero.y, Tile.TRAP)
    frames(person)
    person.backend.inputs = [Key("escape")]
    person.app.answer(Act(Move(1, 0)))
    shown = frames(person)
    assert "Building rooms.1:7:2@200x120" in shown[0]
    assert "go back" not in shown[0]
    assert state.depth == 2


def test_going_on_with_a_run_shows_its_levels_and_esc_leaves_it_as_it_was():
    session = begin(ADVENTURE)
    session.run.close()
    (path,) = recorded_paths()
    before = path.read_bytes()
    person = Person()
    person.reads()
    person.backend.inputs = [Key("escape")]
    person.types("c")
    assert "Building rooms.1:7:1@200x120" in frames(person)[0]
    assert isinstance(person.top, Menu)
    assert path.read_bytes() == before
    person.types("c")
    assert screens(person) == [TitleScreen, PlayScreen]


def test_a_window_closed_meanwhile_is_closed():
    person = Person(first=TitleScreen())
    person.backend.inputs = [Key("c"), Closed()]
    session = begin(ADVENTURE)
    session.run.close()
    person.app.run()
    assert person.app.stack == []
    assert recorded_paths()
