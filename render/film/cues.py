"""Which turns of a run a film shows, and when."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from engine.actions import Action, Wait
from render.replays.pace import TURNS_PER_SECOND


class Cue(NamedTuple):
    """A turn to show, from so many seconds on."""

    turn: int
    time: float


class Cut(NamedTuple):
    """What of a run to show, and how.

    From turn ``first`` to ``last``, at ``speed`` eights of a turn a second, at most ``rate``
    pictures a second and ``most`` in all; a stretch of waiting takes at most ``idle`` seconds.
    """

    first: int
    last: int
    speed: float
    idle: float
    rate: float
    most: int


def cues(actions: Sequence[Action], cut: Cut) -> list[Cue]:
    """Return the pictures to take of a run; the first and the last turn are always among them."""
    times = _times(actions[cut.first : cut.last], cut)
    rate = cut.rate
    while True:
        chosen = _chosen(times, cut.first, rate)
        if len(chosen) <= max(2, cut.most):
            return chosen
        rate *= 0.98 * cut.most / len(chosen)


def _times(actions: Sequence[Action], cut: Cut) -> list[float]:
    """Return when each turn begins to be seen, the first at 0."""
    step, times = 1 / (TURNS_PER_SECOND * cut.speed), [0.0]
    for waiting, stretch in groupby(isinstance(action, Wait) for action in actions):
        length = len(list(stretch))
        each = min(step, cut.idle / length) if waiting else step
        times += [times[-1] + each * count for count in range(1, length + 1)]
    return times


def _chosen(times: list[float], first: int, rate: float) -> list[Cue]:
    """Return the last turn of each picture's time."""
    chosen = [Cue(first, 0.0)]
    last = 0
    for number, time in enumerate(times[1:], 1):
        slot = int(time * rate + 1e-6)
        if slot > last or number == len(times) - 1:
            chosen.append(Cue(first + number, time))
            last = slot
    return chosen
