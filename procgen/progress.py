"""Generators that report progress and return a result: loop over one and keep the result."""

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Stage = TypeVar("Stage")
Made = TypeVar("Made")


class Progress(Generic[Stage, Made]):
    """Iterate over the stages of ``growth``; after the last one ``made`` is its return value.

    A ``for`` loop over the generator itself would throw that value away.
    """

    made: Made
    """The generator's return value; not set before the loop has ended."""

    def __init__(self, growth: Generator[Stage, None, Made]) -> None:
        self._growth = growth

    def __iter__(self) -> Iterator[Stage]:
        self.made = yield from self._growth


def run_to_end(growth: Generator[Stage, None, Made]) -> Made:
    """Run ``growth`` to its end and return its value."""
    watched = Progress(growth)
    for _ in watched:
        pass
    return watched.made
