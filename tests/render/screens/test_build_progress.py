"""A large level shows itself while it is built, and can be given up."""

import pytest

from engine.saves.digests import state_digest
from engine.state.actions import Visit
from engine.state.run_setup import Mode, RunSetup
from render.screens.build_progress import BuildProgressScreen
from render.screens.play_screen import PlayScreen
from render.screens.screen import Act, Begin
from render.screens.title import TitleScreen
from render.session.start_run import begin
from support.fake_backend import Person
from support.play_screens import playing, world_of

LARGE = RunSetup(7, "7", Mode.WORKSHOP, "rooms", size=(300, 200))


@pytest.fixture(autouse=True)
def _slices_of_a_stage(monkeypatch):
    monkeypatch.setattr("render.screens.build_progress.SLICE_SECONDS", 0.001)


def built(person):
    for _ in range(100_000):
        if not isinstance(person.top, BuildProgressScreen):
            return
        person.waits()


def test_a_large_level_shows_its_steps_and_is_the_same_level():
    person = Person()
    person.app.answer(Begin(LARGE))
    assert isinstance(person.top, BuildProgressScreen)
    person.top._stage = next(person.top._stages)
    text = person.reads()
    assert "Building rooms.1:7:1@300x200" in text
    assert person.top._stage.use.label in text
    assert "Esc go back" in text
    built(person)
    assert [type(screen) for screen in person.app.stack] == [TitleScreen, PlayScreen]
    assert state_digest(world_of(person)) == state_digest(begin(LARGE).run.state)


def test_esc_gives_it_up_and_nothing_has_happened():
    person = Person()
    person.app.answer(Begin(LARGE))
    person.waits(2).presses("escape")
    assert [type(screen) for screen in person.app.stack] == [TitleScreen]
    person = playing(RunSetup(42, "42", Mode.WORKSHOP, "rooms"))
    before = state_digest(world_of(person))
    person.app.answer(Act(Visit("caves:7@300x200")))
    assert isinstance(person.top, BuildProgressScreen)
    person.waits(3).points("go back")
    assert isinstance(person.top, PlayScreen)
    assert state_digest(world_of(person)) == before


def test_stairs_to_a_large_level_are_taken_when_it_is_built():
    person = Person()
    person.app.answer(Begin(RunSetup(7, "7", generator="rooms", size=(300, 200))))
    built(person)
    state = world_of(person)
    state.place_hero(state.map.exit)
    person.types(">")
    assert isinstance(person.top, BuildProgressScreen)
    assert state.depth == 1
    built(person)
    assert state.depth == 2
