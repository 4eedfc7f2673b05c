"""A build that yields on its way, looped over without losing what it returns."""

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Stage = TypeVar("Stage")
Made = TypeVar("Made")


class Progress(Generic[Stage, Made]):
    """Whoever loops over it gets the stages of ``growth``; after the last one there is ``made``.

    (A ``for`` loop throws away the value that a generator returns; ``yield from`` has it.)
    """

    made: Made
    """What the growth returned; there is none before the loop has come to its end."""

    def __init__(self, growth: Generator[Stage, None, Made]) -> None:
        self._growth = growth

    def __iter__(self) -> Iterator[Stage]:
        self.made = yield from self._growth


def run_to_end(growth: Generator[Stage, None, Made]) -> Made:
    """Run ``growth`` to its end, whatever its stages, and return what it made."""
    watched = Progress(growth)
    for _ in watched:
        pass
    return watched.made
