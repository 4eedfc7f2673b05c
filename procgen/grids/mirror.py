"""A mirror: where the image of each tile and each room lies."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import Point, RectangularRoom

Axis = Literal["vertical", "horizontal", "both", "rotate"]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Mirror:
    """A mirror for maps of one size.

    ``flip_x`` and ``flip_y`` turn the map so that the part to keep, ``columns`` by ``rows``
    with the middle line included, comes to lie at the upper left.
    """

    width: int
    height: int
    axis: Axis
    flip_x: bool = False
    flip_y: bool = False

    @property
    def sideways(self) -> bool:
        """Whether there is a line that columns are counted from."""
        return self.axis != "horizontal"

    @property
    def upright(self) -> bool:
        """Whether there is a line that rows are counted from."""
        return self.axis in ("horizontal", "both")

    @property
    def columns(self) -> int:
        """Columns of the part that is kept."""
        return (self.width + 1) // 2 if self.sideways else self.width

    @property
    def rows(self) -> int:
        """Rows of the part that is kept."""
        return (self.height + 1) // 2 if self.upright else self.height

    def part(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return the part of ``array[y, x]`` that is kept, turned, as a view."""
        return self.view(array)[: self.rows, : self.columns]

    def view(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return ``array[y, x]`` turned, as a view."""
        return array[:: -1 if self.flip_y else 1, :: -1 if self.flip_x else 1]

    def spread(self, array: NDArray[Scalar]) -> None:
        """Fill the rest of ``array[y, x]`` with images of the part that is kept."""
        turned = self.view(array)
        if self.axis == "rotate":
            half = self.width // 2
            turned[:, self.width - half :] = turned[::-1, :half][:, ::-1].copy()
            return
        if self.sideways:
            turned[:, self.columns :] = turned[:, : self.width // 2][:, ::-1].copy()
        if self.upright:
            turned[self.rows :] = turned[: self.height // 2][::-1].copy()

    def turned(self, room: RectangularRoom) -> RectangularRoom:
        """Return ``room`` as it lies in the view, or back again."""
        x = self.width - room.x - room.width if self.flip_x else room.x
        y = self.height - room.y - room.height if self.flip_y else room.y
        return RectangularRoom(x, y, room.width, room.height)

    def folded(self, x: int, y: int) -> Point:
        """Return the place in the kept part, as it lies in the view, whose image (x, y) will be."""
        turned = self.turned(RectangularRoom(x, y, 1, 1))
        x, y = turned.x, turned.y
        if self.sideways and x >= self.columns:
            x = self.width - 1 - x
            y = self.height - 1 - y if self.axis == "rotate" else y
        if self.upright and y >= self.rows:
            y = self.height - 1 - y
        return Point(x, y)

    def images(self, rooms: list[RectangularRoom]) -> list[RectangularRoom]:
        """Return what becomes of ``rooms``: kept ones and their images, joined on the line."""
        found: dict[RectangularRoom, None] = {}
        for room in map(self.turned, rooms):
            width = min(room.width, self.columns - room.x)
            height = min(room.height, self.rows - room.y)
            if width < 1 or height < 1:
                continue
            if self.sideways and self.axis != "rotate" and room.x + width == self.columns:
                width = self.width - 2 * room.x
            if self.upright and room.y + height == self.rows:
                height = self.height - 2 * room.y
            kept = RectangularRoom(room.x, room.y, width, height)
            for image in self._reflections(kept):
                found[self.turned(image)] = None
        return list(found)

    def _reflections(self, room: RectangularRoom) -> Iterator[RectangularRoom]:
        x, y = self.width - room.x - room.width, self.height - room.y - room.height
        yield room
        if self.axis == "rotate":
            yield RectangularRoom(x, y, room.width, room.height)
            return
        if self.sideways:
            yield RectangularRoom(x, room.y, room.width, room.height)
        if self.upright:
            yield RectangularRoom(room.x, y, room.width, room.height)
        if self.sideways and self.upright:
            yield RectangularRoom(x, y, room.width, room.height)
