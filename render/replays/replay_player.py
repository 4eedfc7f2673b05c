"""Watching a recorded run: played, paused, stepped through, searched, at any speed."""

import math
import time
from bisect import bisect_left, bisect_right
from fractions import Fraction

from engine.saves.run_file import RecordedRun
from render.replays.playhead import Playhead
from render.ui.input import Pointer

TURNS_PER_SECOND = 8.0
FASTEST, SLOWEST = 64.0, 0.125
SPEEDS = (*(2.0**power for power in range(-3, 7)), math.inf)
"""The notches: 1/8 to 64, and as fast as possible."""
FRAME = 1 / 30
"""Seconds that a picture is shown at least, however many turns go by."""
BOUNDLESS = 1 << 40
"""More turns than any run has."""
LONGEST_GAP = 0.25
"""Seconds that count between two ticks: whoever was away misses nothing."""


class Pace:
    """Turns time into turns; ``speed`` is in eights of a turn a second."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._before = 1.0
        self._owed = 0.0
        self._last: float | None = None

    @property
    def boundless(self) -> bool:
        """Whether it goes as fast as possible."""
        return math.isinf(self.speed)

    @property
    def interval(self) -> float:
        """Seconds between two pictures; none where the work between them takes long enough."""
        return 0.0 if self.boundless else max(FRAME, 1 / (TURNS_PER_SECOND * self.speed))

    def rest(self) -> None:
        """Let the time until the next `turns` not count."""
        self._last, self._owed = None, 0.0

    def turns(self, now: float) -> int:
        """Return how many turns have become due by ``now`` (seconds) since the last call."""
        if self.boundless:
            return BOUNDLESS
        last, self._last = self._last, now
        passed = self.interval if last is None else min(now - last, max(LONGEST_GAP, self.interval))
        self._owed += passed * TURNS_PER_SECOND * self.speed
        due = int(self._owed + 1e-6)
        self._owed -= due
        return due

    def hasten(self, by: int) -> None:
        """Go ``by`` notches faster."""
        if by > 0:
            place = min(bisect_right(SPEEDS, self.speed), len(SPEEDS) - 1)
        else:
            place = max(bisect_left(SPEEDS, self.speed) - 1, 0)
        self._change(SPEEDS[place])

    def rush(self) -> None:
        """Go as fast as possible, or as before."""
        self._change(self._before if self.boundless else math.inf)

    def _change(self, speed: float) -> None:
        if not self.boundless:
            self._before = self.speed
        self.speed = speed
        self.rest()

    def __str__(self) -> str:
        if self.boundless:
            return "as fast as possible"
        return f"{Fraction(self.speed)}x" if self.speed in SPEEDS else f"{self.speed:g}x"


LEAP = 10


class Replayer:
    """A place in a recorded run and the way it moves; ``note`` says why it did not."""

    def __init__(self, recorded: RecordedRun, speed: float = 1.0) -> None:
        self.head = Playhead(recorded)
        self.pace = Pace(speed)
        self.playing = True
        self.note = ""
        self._dragging = False

    @property
    def interval(self) -> float | None:
        """The time until something changes by itself, None for never."""
        if self.head.goal is not None:
            return 0.0
        return self.pace.interval if self.playing else None

    @property
    def state(self) -> str:
        """What it is doing, in a few words."""
        if self.head.searching:
            return "searching"
        if self.head.goal is not None:
            return f"going to turn {self.head.goal}"
        return f"playing {self.pace}" if self.playing else f"paused {self.pace}"

    def tick(self) -> None:
        """Go on: towards a goal, or by as many turns as the time that passed is worth."""
        if self.head.goal is not None:
            self.head.work()
            self.pace.rest()
        elif self.playing:
            self._play()

    def _play(self) -> None:
        """Play what is due, or for as long as a picture can wait."""
        start = time.monotonic()
        due = self.pace.turns(start)
        while due > 0 and self.playing:
            due -= 1
            self.playing = self.head.step()
            if time.monotonic() - start >= FRAME:
                return

    def pause(self) -> None:
        """Stop or go on; from the end, begin again."""
        going = self.head.goal is not None
        self.head.halt()
        self.pace.rest()
        self.playing = not (self.playing or going)
        if self.playing and self.head.at_end:
            self.head.go(0)

    def to(self, turn: int) -> None:
        """Stop playing and go to ``turn``."""
        self.playing = False
        self.head.go(turn)

    def dragged(self, pointer: Pointer, *, on_bar: bool) -> bool:
        """Whether the mouse takes hold of the bar, or has and moves it."""
        if pointer.kind == "press":
            self._dragging = on_bar and pointer.button == "left"
        elif pointer.button != "left":
            self._dragging = False
        return self._dragging

    def command(self, name: str | None) -> bool:
        """Do what a key asks; return whether it was one of these."""
        match name:
            case "pause":
                self.pause()
            case "faster" | "slower":
                self.pace.hasten(1 if name == "faster" else -1)
            case "fastest":
                self.pace.rush()
            case _:
                return self._travel(name)
        return True

    def _travel(self, name: str | None) -> bool:
        head = self.head
        here = head.position if head.goal is None or head.searching else head.goal
        match name:
            case "forward" | "back":
                self.to(here + (1 if name == "forward" else -1))
            case "forward_ten" | "back_ten":
                self.to(here + (LEAP if name == "forward_ten" else -LEAP))
            case "first" | "last":
                self.to(0 if name == "first" else head.end)
            case "previous_depth":
                self.to(head.chapters.previous_level(head.position))
            case "next_depth":
                self._to_next_depth()
            case "next_event":
                self.playing = False
                head.pursue(head.chapters.worth_seeing)
            case "previous_event":
                self.to(head.chapters.previous_event(head.position))
            case _:
                return False
        return True

    def _to_next_depth(self) -> None:
        turn = self.head.chapters.next_level(self.head.position)
        if turn is None:
            self.note = "The run ends on this level."
        else:
            self.to(turn)
