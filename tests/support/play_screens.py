"""The screens in front of a person who presses keys."""

import time
from contextlib import nullcontext
from functools import cache
from unittest.mock import patch

from engine.levels import recipe_by_depth
from engine.state.run_setup import RunSetup
from render.screens.play_screen import PlayScreen
from render.screens.run_end import EndScreen
from render.screens.screen import Push
from render.session.start_run import begin
from support.fake_backend import Person
from support.scenes import ROOMS

usual_level = cache(recipe_by_depth.build)
"""The first level of a run without a setup, built once: hundreds of tests begin on it."""


def playing(setup=None, **size):
    """Return a person in a run that has just begun."""
    person = Person(**size)
    shared = nullcontext() if setup else patch.object(recipe_by_depth, "build", usual_level)
    with shared:
        session = begin(setup or RunSetup(42, "42", strata=ROOMS))
    person.app.answer(Push(PlayScreen(session)))
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
