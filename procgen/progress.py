"""Generators that report progress and return a result: loop over one and keep the result."""

from collections.abc import Generator, Iterator
from typing import Generic, TypeVar

Stage = TypeVar("Stage")
Result = TypeVar("Result")


class Progress(Generic[Stage, Result]):
    """Iterate over the stages of ``growth``; after the last one ``result`` is its return value.

    A ``for`` loop over the generator itself would throw that value away.
    """

    result: Result
    """The generator's return value; not set before the loop has ended."""

    def __init__(self, growth: Generator[Stage, None, Result]) -> None:
        self._growth = growth

    def __iter__(self) -> Iterator[Stage]:
        self.result = yield from self._growth


def run_to_end(growth: Generator[Stage, None, Result]) -> Result:
    """Run ``growth`` to its end and return its value."""
    watched = Progress(growth)
    for _ in watched:
        pass
    return watched.result
