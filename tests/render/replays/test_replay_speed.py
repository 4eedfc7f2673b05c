"""A replay keeps time: it plays by itself, at any speed, and no picture waits."""

import math
import time

import pytest

from render.app import App
from render.replays.replay_player import SPEEDS, PlaybackSpeed
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Push
from render.screens.title import TitleScreen
from render.ui.input import Closed, Pointer
from support.fake_backend import FakeBackend
from support.replays import TURNS, watching


def test_turns_become_due_with_time_and_absence_does_not_count():
    pace = PlaybackSpeed(1.0)
    pace.turns(100.0)
    assert sum(pace.turns(100.0 + part / 30) for part in range(1, 31)) == 8
    assert pace.turns(500.0) <= 2
    pace.speed = 64.0
    pace.rest()
    pace.turns(0.0)
    assert sum(pace.turns(part / 30) for part in range(1, 31)) == 512


def test_speed_goes_from_an_eighth_to_64_and_then_as_fast_as_possible():
    pace, heard = PlaybackSpeed(3.0), []
    for _ in range(20):
        pace.change_speed(-1)
    for _ in range(len(SPEEDS) + 3):
        heard.append(str(pace))
        pace.change_speed(1)
    assert heard[:4] == ["1/8x", "1/4x", "1/2x", "1x"]
    assert heard[9] == "64x"
    assert heard[10:] == ["as fast as possible"] * 4
    pace.change_speed(-1)
    assert pace.speed == 64
    pace.toggle_fastest()
    assert pace.speed == math.inf
    pace.toggle_fastest()
    assert pace.speed == 64


def test_slow_or_fast_no_more_than_thirty_pictures_a_second():
    for speed in (*SPEEDS, 3.0):
        assert math.isinf(speed) or PlaybackSpeed(speed).interval >= 1 / 30


class SlowFace(FakeBackend):
    """A backend that takes its time, as real ones do."""

    def wait(self, timeout):
        if len(self.shown) > 400:
            raise AssertionError("too many pictures")
        time.sleep(timeout or 0)
        return super().wait(timeout)


@pytest.mark.parametrize("speed", [64.0, math.inf])
def test_fast_forward_draws_few_pictures_of_many_turns(adventure, speed):
    face = SlowFace()
    app = App(face, TitleScreen())
    app.answer(Push(ReplayScreen(adventure, speed)))
    start = time.monotonic()
    app.run()
    seconds = time.monotonic() - start
    assert app.stack == []
    assert len(face.shown) <= 30 * seconds + 3
    assert len(face.shown) < TURNS / 2


class RestlessFace(SlowFace):
    """A backend whose mouse never rests."""

    def wait(self, timeout):
        if len(self.shown) == 60:
            return [Closed()]
        return super().wait(timeout) or [Pointer("move", 1, 1)]


@pytest.mark.parametrize("speed", [64.0, math.inf])
def test_a_moving_mouse_does_not_make_time_stand_still(adventure, speed):
    app = App(RestlessFace(), TitleScreen())
    replay = ReplayScreen(adventure, speed)
    app.answer(Push(replay))
    app.run()
    assert replay.head.position > 60


def test_it_plays_by_itself_stops_at_the_end_and_begins_again(adventure):
    person, replay = watching(adventure)
    assert replay.interval is None
    person.types("f").presses("space")
    while replay.interval is not None:
        person.waits()
    assert replay.head.position == len(adventure.actions)
    assert "paused (as fast as possible)" in person.reads()
    person.presses("space").waits()
    assert 0 < replay.head.position < len(adventure.actions)
