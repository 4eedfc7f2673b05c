"""The controls of a replay: play, pause, step, search, at any speed."""

import math
import time
from bisect import bisect_left, bisect_right
from fractions import Fraction

from engine.saves.run_file import RecordedRun
from render.replays.playhead import Playhead
from render.session.animations import ANIMATION_SECONDS

TURNS_PER_SECOND = 8.0
FASTEST, SLOWEST = 64.0, 0.125
SPEEDS = (*(2.0**power for power in range(-3, 7)), math.inf)
"""The speeds that keys step through: 1/8 to 64, and as fast as possible."""
FRAME = 1 / 30
"""The least time in seconds that a frame is shown, however many turns pass."""
UNLIMITED = 1 << 40
"""More turns than any run has."""
LONGEST_GAP = 0.25
"""The longest time in seconds between two ticks that counts.

Without it a suspended program would rush through all the turns it missed.
"""


class PlaybackSpeed:
    """Converts seconds into turns; ``speed`` 1 is `TURNS_PER_SECOND`."""

    def __init__(self, speed: float) -> None:
        self.speed = speed
        self._before = 1.0
        self._owed = 0.0
        self._last: float | None = None

    @property
    def unlimited(self) -> bool:
        """True if the speed is as fast as possible."""
        return math.isinf(self.speed)

    @property
    def interval(self) -> float:
        """Seconds between two frames; 0 at full speed, where playing takes all the time."""
        return 0.0 if self.unlimited else max(FRAME, 1 / (TURNS_PER_SECOND * self.speed))

    def rest(self) -> None:
        """Forget the time that has passed: the next call of `turns` starts afresh."""
        self._last, self._owed = None, 0.0

    def turns(self, now: float) -> int:
        """Return how many turns have become due by ``now`` (seconds) since the last call."""
        if self.unlimited:
            return UNLIMITED
        last, self._last = self._last, now
        passed = self.interval if last is None else min(now - last, max(LONGEST_GAP, self.interval))
        self._owed += passed * TURNS_PER_SECOND * self.speed
        due = int(self._owed + 1e-6)
        self._owed -= due
        return due

    def change_speed(self, direction: int) -> None:
        """Go one speed step up or down."""
        if direction > 0:
            place = min(bisect_right(SPEEDS, self.speed), len(SPEEDS) - 1)
        else:
            place = max(bisect_left(SPEEDS, self.speed) - 1, 0)
        self._change(SPEEDS[place])

    def toggle_fastest(self) -> None:
        """Switch between as fast as possible and the speed before."""
        self._change(self._before if self.unlimited else math.inf)

    def _change(self, speed: float) -> None:
        if not self.unlimited:
            self._before = self.speed
        self.speed = speed
        self.rest()

    def __str__(self) -> str:
        if self.unlimited:
            return "as fast as possible"
        return f"{Fraction(self.speed)}x" if self.speed in SPEEDS else f"{self.speed:g}x"


STEPS = {"forward": 1, "back": -1, "forward_ten": 10, "back_ten": -10}
"""The turns by which commands move."""


class Replayer:
    """A playhead with play, pause and speed; ``note`` says why a command did nothing."""

    def __init__(self, recorded: RecordedRun, speed: float) -> None:
        self.head = Playhead(recorded)
        self.speed = PlaybackSpeed(speed)
        self.playing = True
        self.note = ""

    @property
    def interval(self) -> float | None:
        """Seconds until the next tick, None while nothing moves."""
        if self.head.goal is not None:
            return 0.0
        intervals = [self.speed.interval] if self.playing else []
        intervals += [ANIMATION_SECONDS] if self.head.session.animations.playing else []
        return min(intervals, default=None)

    @property
    def state(self) -> str:
        """The player's state in a few words."""
        if self.head.searching:
            return "searching"
        if self.head.goal is not None:
            return f"going to turn {self.head.goal}"
        return f"playing {self.speed}" if self.playing else f"paused ({self.speed})"

    def tick(self) -> None:
        """Work towards the goal, or play the turns that are due while a frame lasts."""
        if self.head.goal is not None:
            self.head.work()
            self.speed.rest()
        elif self.playing:
            start = time.monotonic()
            due = self.speed.turns(start)
            while due > 0 and self.playing:
                due -= 1
                self.playing = self.head.step()
                if time.monotonic() - start >= FRAME:
                    break

    def pause(self) -> None:
        """Pause or play; at the end, start again."""
        seeking = self.head.goal is not None
        self.head.stop()
        self.speed.rest()
        self.playing = not (self.playing or seeking)
        if self.playing and self.head.at_end:
            self.head.go(0)

    def to(self, turn: int) -> None:
        """Pause and jump to ``turn``."""
        self.playing = False
        self.head.go(turn)

    def command(self, name: str | None) -> bool:
        """Perform a command; return whether it was one of the player's."""
        head = self.head
        match name:
            case "pause":
                self.pause()
            case "faster" | "slower":
                self.speed.change_speed(1 if name == "faster" else -1)
            case "fastest":
                self.speed.toggle_fastest()
            case "forward" | "back" | "forward_ten" | "back_ten":
                here = head.position if head.goal is None or head.searching else head.goal
                self.to(here + STEPS[name])
            case "first" | "last":
                self.to(0 if name == "first" else head.end)
            case "previous_depth":
                self.to(head.chapters.previous_level(head.position))
            case "next_depth":
                turn = head.chapters.next_level(head.position)
                if turn is None:
                    self.note = "The run ends on this level."
                else:
                    self.to(turn)
            case "next_event":
                self.playing = False
                head.search(head.chapters.worth_seeing)
            case "previous_event":
                self.to(head.chapters.previous_event(head.position))
            case _:
                return False
        return True
