"""What is known to take its time, so that one can say so before."""

from engine.actions import Action, Climb, Descend, Visit
from engine.setup import Setup, code_at, visited
from procgen.code import LevelCode

LARGE = 200_000
"""Tiles from which some recipes take more than a moment."""
GROWING = "A level grows; a large one takes its time …"


def begins_slowly(setup: Setup) -> bool:
    """Whether the first level of a run takes more than a moment to grow."""
    return _slow(code_at(setup, setup.depth))


def goes_slowly(action: Action, setup: Setup) -> bool:
    """Whether ``action`` leads to a level that takes more than a moment to grow."""
    match action:
        case Visit(code):
            try:
                return _slow(visited(code))
            except ValueError:
                return False  # It will be refused, with the reason.
        case Descend() | Climb():
            return setup.size is not None and setup.size[0] * setup.size[1] >= LARGE
    return False


def _slow(code: LevelCode) -> bool:
    return code.place is not None or code.width * code.height >= LARGE
