"""Delta-compressed frames: each array is stored as the box that differs from the previous one."""

from typing import Generic, TypeVar
from zlib import compress, decompress

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import RectangularRoom, bounding_box

KEYFRAME_EVERY = 24
"""One frame in this many is stored whole, so random access decodes fewer deltas than this."""

Kind = TypeVar("Kind", bound=np.generic)


Delta = tuple[RectangularRoom | None, bytes]
"""The rectangle of a frame that changed, None if nothing did, and its content, compressed."""


class DeltaFrames(Generic[Kind]):
    """A sequence of arrays of one shape and type, stored as deltas."""

    def __init__(self) -> None:
        self._parts: list[Delta] = []
        self._newest: NDArray[Kind] | None = None
        self._shown: tuple[int, NDArray[Kind]] | None = None

    def __len__(self) -> int:
        return len(self._parts)

    def append(self, picture: NDArray[Kind]) -> None:
        """Store a copy of ``picture[y, x]`` at the end; all frames have one shape and type."""
        height, width = picture.shape
        box: RectangularRoom | None = RectangularRoom(0, 0, width, height)
        if self._newest is not None and len(self) % KEYFRAME_EVERY:
            box = bounding_box(self._newest != picture)
        if box is not None:
            self._newest = picture.copy()
        packed = b"" if box is None else compress(picture[box.inner].tobytes(), 1)
        self._parts.append((box, packed))

    def __getitem__(self, index: int) -> NDArray[Kind]:
        """Return frame ``index`` (from 0), read-only."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        if index == len(self) - 1 and self._newest is not None:
            return _sealed(self._newest)
        if self._shown is None or self._shown[0] != index:
            self._shown = index, _sealed(self._unrolled(index))
        return self._shown[1]

    def changed(self, index: int) -> RectangularRoom | None:
        """Return the part in which frame ``index`` differs from the previous one, None if none."""
        if index and not index % KEYFRAME_EVERY:
            return bounding_box(self[index - 1] != self[index])
        return self._parts[index][0]

    def last_change(self, index: int, y: int, x: int) -> int:
        """Return the last frame up to ``index`` that changed the cell [y, x]; 0 if none did.

        It goes back through the deltas that cover the cell, without decoding whole frames.
        """
        value, last = self[index][y, x], 0
        for number in range(index, -1, -1):
            box, packed = self._parts[number]
            if box and box.contains(x, y):
                cells = np.frombuffer(decompress(packed), value.dtype)
                if cells[(y - box.y) * box.width + x - box.x] != value:
                    return last
                last = number
        return last

    def _unrolled(self, index: int) -> NDArray[Kind]:
        first = index - index % KEYFRAME_EVERY
        assert self._newest is not None
        picture = np.empty_like(self._newest)
        if self._shown and first <= self._shown[0] < index:
            picture[:] = self._shown[1]
            first = self._shown[0] + 1
        for box, packed in self._parts[first : index + 1]:
            if box:
                area = picture[box.inner]
                area[:] = np.frombuffer(decompress(packed), picture.dtype).reshape(area.shape)
        return picture


def _sealed(picture: NDArray[Kind]) -> NDArray[Kind]:
    picture.setflags(write=False)
    return picture
