"""Which turns a film shows, and when."""

import numpy as np
import pytest

from engine.state.actions import Move, Wait
from workbench.recordings.frames import FilmOptions, FrameTime, frame_times


def test_every_turn_is_shown_at_an_ordinary_pace():
    chosen = frame_times([Move(1, 0)] * 16, FilmOptions(0, 16, 1.0, 2.0, 30.0, 1000))
    assert [cue.turn for cue in chosen] == list(range(17))
    assert chosen[8].time == pytest.approx(1.0)
    part = frame_times([Move(1, 0)] * 16, FilmOptions(4, 8, 0.5, 2.0, 30.0, 1000))
    assert part == [
        FrameTime(4, 0.0),
        FrameTime(5, 0.25),
        FrameTime(6, 0.5),
        FrameTime(7, 0.75),
        FrameTime(8, 1.0),
    ]


@pytest.mark.parametrize("rate", [30.0, 12.5])
def test_in_a_hurry_turns_are_left_out_but_not_the_last(rate):
    chosen = frame_times([Move(1, 0)] * 999, FilmOptions(0, 999, 64.0, 2.0, rate, 1000))
    seconds = 999 / 512
    assert chosen[0] == FrameTime(0, 0.0)
    assert chosen[-1].turn == 999
    assert chosen[-1].time == pytest.approx(seconds)
    assert seconds * rate - 2 <= len(chosen) <= seconds * rate + 2
    gaps = np.diff([cue.time for cue in chosen[:-1]])
    assert gaps.min() > 0.9 / rate - 1 / 512


def test_waiting_takes_no_longer_than_the_idle_limit():
    run = [Move(1, 0), *[Wait()] * 400, Move(1, 0), *[Wait()] * 4]
    chosen = frame_times(run, FilmOptions(0, 406, 1.0, 2.0, 30.0, 10**6))
    assert chosen[-1].time == pytest.approx((1 + 1 + 4) / 8 + 2.0)


@pytest.mark.parametrize("most", [2, 10, 333])
def test_there_are_no_more_pictures_than_asked_for(most):
    chosen = frame_times([Move(1, 0)] * 5000, FilmOptions(0, 5000, 1.0, 2.0, 12.5, most))
    assert most / 2 <= len(chosen) <= most
    assert (chosen[0].turn, chosen[-1].turn) == (0, 5000)


def test_a_film_without_events_is_one_frame():
    assert frame_times([], FilmOptions(0, 0, 1.0, 2.0, 30.0, 1000)) == [FrameTime(0, 0.0)]
