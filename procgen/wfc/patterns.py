"""Learning a sample map: its small windows, how often each is seen, which lie side by side."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Sheet = NDArray[np.uint8]
"""One drawn map: tile numbers [y, x]."""


@dataclass(frozen=True)
class Patterns:
    """What a sample teaches.

    ``windows[pattern, dy, dx]`` are its different windows of ``size`` by ``size`` tiles, in the
    order they are met; ``readings`` the sample's views with the number of the pattern met at
    each place. ``agree[direction][pattern]`` is a bit mask of the patterns that may stand
    ``pace`` tiles to the north, east, south or west: those that say the same where the windows
    overlap. ``edge`` is the tile the sample is framed by.
    """

    size: int
    pace: int
    windows: NDArray[np.uint8]
    readings: tuple[NDArray[np.int32], ...]
    agree: tuple[tuple[int, ...], ...]
    edge: int

    @property
    def number(self) -> int:
        """How many patterns there are."""
        return len(self.windows)


def learn(
    sheets: Sequence[Sheet],
    *,
    size: int = 3,
    pace: int = 1,
    turns: bool = True,
    mirrors: bool = True,
    wrap: bool = False,
) -> Patterns:
    """Learn the windows of one or more drawn maps.

    ``turns`` adds each sheet turned by 90, 180 and 270 degrees, ``mirrors`` each one seen in a
    mirror. Windows are to be laid ``pace`` tiles apart; of those that overlap by two, every 3x3
    window of a map lies whole in one. Beyond its edge a sheet goes on as its upper left tile, or,
    with ``wrap``, begins again on the other side.
    (Gumin's overlapping model, "WaveFunctionCollapse", 2016.)
    """
    seen: dict[bytes, int] = {}
    readings = []
    for sheet in sheets:
        if wrap:
            framed = np.pad(sheet, ((0, size - 1), (0, size - 1)), mode="wrap")
        else:
            framed = np.pad(sheet, size - 1, constant_values=sheet[0, 0])
        for view in _views(framed, turns=turns, mirrors=mirrors):
            windows = sliding_window_view(view, (size, size))
            numbers = [seen.setdefault(window, len(seen)) for window in _texts(windows, size**2)]
            readings.append(np.array(numbers, np.int32).reshape(windows.shape[:2]))
    found = np.frombuffer(b"".join(seen), np.uint8).reshape(-1, size, size)
    agree = _agreement(found, pace)
    return Patterns(size, pace, found, tuple(readings), agree, int(sheets[0][0, 0]))


def _views(sheet: Sheet, *, turns: bool, mirrors: bool) -> Iterator[Sheet]:
    for quarter in range(4 if turns else 1):
        turned = np.rot90(sheet, quarter)
        yield turned
        if mirrors:
            yield np.fliplr(turned)


def _texts(parts: NDArray[np.uint8], length: int) -> Iterator[bytes]:
    """Yield the ``length`` tiles of each part as bytes."""
    text = parts.tobytes()
    for start in range(0, len(text), length):
        yield text[start : start + length]


def _agreement(windows: NDArray[np.uint8], pace: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each direction and pattern, the mask of the patterns that fit there."""
    upper, lower = windows[:, :-pace], windows[:, pace:]
    left, right = windows[:, :, :-pace], windows[:, :, pace:]
    pairs = ((upper, lower), (right, left), (lower, upper), (left, right))
    return tuple(_matches(mine, theirs) for mine, theirs in pairs)


def _matches(mine: NDArray[np.uint8], theirs: NDArray[np.uint8]) -> tuple[int, ...]:
    """Return for each of ``mine`` the bit mask of ``theirs`` that are equal to it."""
    masks: dict[bytes, int] = {}
    for pattern, part in enumerate(_texts(theirs, theirs[0].size)):
        masks[part] = masks.get(part, 0) | 1 << pattern
    return tuple(masks.get(part, 0) for part in _texts(mine, mine[0].size))
