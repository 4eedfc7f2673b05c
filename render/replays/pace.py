"""How fast a recorded run goes by."""

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction

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
