"""The screens in front of a person who presses keys."""

import time

from engine.state.run_setup import RunSetup
from render.screens.play_screen import PlayScreen
from render.screens.run_end import EndScreen
from render.screens.screen import Push
from render.session.start_run import begin
from support.fake_backend import Person
from support.scenes import ROOMS


def playing(setup=None, **size):
    """Return a person in a run that has just begun."""
    person = Person(**size)
    person.app.answer(Push(PlayScreen(begin(setup or RunSetup(42, "42", strata=ROOMS)))))
    return person


def world_of(person):
    return next(s for s in person.app.stack if isinstance(s, PlayScreen)).session.run.state


def ended(person):
    """Wait until the last blow has been shown and the end screen is there."""
    until = time.monotonic() + 10
    while not isinstance(person.top, EndScreen) and time.monotonic() < until:
        time.sleep(0.01)
        person.waits()
    return person


def slain(setup=None, **size):
    """Return a person whose hero has just died in the arms of an orc."""
    person = playing(setup, **size)
    state = world_of(person)
    state.hero.fighter.hp = 0
    state.killed_by = "orc"
    return ended(person.types("."))
