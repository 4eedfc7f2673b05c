"""Many small draws for the price of one."""

from collections.abc import Sequence
from typing import TypeVar

from procgen.rng import Rng

Item = TypeVar("Item")

FACES = 2**40
"""So many that what is left over when they are shared out among a few does not matter."""

HANDFUL = 512


class Dice:
    """Draws from ``rng`` by the handful: for loops that draw thousands of times."""

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.thrown: list[int] = []

    def below(self, limit: int) -> int:
        """Return an integer from 0 up to, but not including, ``limit``."""
        if not self.thrown:
            self.thrown = self.rng.integers(0, FACES - 1, HANDFUL).tolist()
        return self.thrown.pop() % limit

    def chance(self, share: float) -> bool:
        """Return True in ``share`` of all calls."""
        return self.below(FACES) < share * FACES

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of ``items``."""
        return items[self.below(len(items))]
