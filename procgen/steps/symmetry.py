"""Symmetry: reflect or rotate one part of a level over the rest."""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from entities.terrain import terrain
from entities.wording import pluralise
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.carving.region_links import connect_parts, open_link
from procgen.placement.painting import interior
from procgen.rng import Rng
from procgen.step_registry import step

Axis = Literal["vertical", "horizontal", "both", "rotate"]
Scalar = TypeVar("Scalar", bound=np.generic)


class Mirror(NamedTuple):
    """The mirroring of maps of one size.

    ``flip_x`` and ``flip_y`` flip the map so that the part to keep, ``columns`` by ``rows`` with
    the middle line included, comes to lie at the upper left.
    """

    width: int
    height: int
    axis: Axis
    flip_x: bool = False
    flip_y: bool = False

    @property
    def sideways(self) -> bool:
        """True if one side is mirrored to the other, left or right."""
        return self.axis != "horizontal"

    @property
    def upright(self) -> bool:
        """True if one side is mirrored to the other, up or down."""
        return self.axis in ("horizontal", "both")

    @property
    def columns(self) -> int:
        """The number of columns of the part that is kept."""
        return (self.width + 1) // 2 if self.sideways else self.width

    @property
    def rows(self) -> int:
        """The number of rows of the part that is kept."""
        return (self.height + 1) // 2 if self.upright else self.height

    def part(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return the part of ``array[y, x]`` that is kept, flipped, as a view."""
        return self.view(array)[: self.rows, : self.columns]

    def view(self, array: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return ``array[y, x]`` flipped, as a view."""
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
        """Return ``room`` in the coordinates of the flipped map, or back again."""
        x = self.width - room.x - room.width if self.flip_x else room.x
        y = self.height - room.y - room.height if self.flip_y else room.y
        return RectangularRoom(x, y, room.width, room.height)

    def images(self, rooms: list[RectangularRoom]) -> list[RectangularRoom]:
        """Return ``rooms`` after mirroring: kept ones and their images, merged on the line."""
        images: dict[RectangularRoom, None] = {}
        for room in map(self.turned, rooms):
            width = min(room.width, self.columns - room.x)
            height = min(room.height, self.rows - room.y)
            if width < 1 or height < 1:
                continue
            if self.sideways and self.axis != "rotate" and room.x + width == self.columns:
                width = self.width - 2 * room.x
            if self.upright and room.y + height == self.rows:
                height = self.height - 2 * room.y
            x, y = self.width - room.x - width, self.height - room.y - height
            places = [(room.x, room.y), (x, y)]
            if self.axis != "rotate":
                xs = (room.x, x) if self.sideways else (room.x,)
                ys = (room.y, y) if self.upright else (room.y,)
                places = [(left, top) for top in ys for left in xs]
            for left, top in places:
                images[self.turned(RectangularRoom(left, top, width, height))] = None
        return list(images)


LEAST = 5


@step(needs="floor")
def symmetry(plan: Blueprint, rng: Rng, *, axis: Axis = "vertical") -> Iterator[str]:
    """Replace one half of the map, or three quarters, by the mirror image of the rest.

    With the ``axis`` "vertical" left and right agree, with "horizontal" top and bottom, with "both"
    all four quarters; "rotate" rotates one half by 180 degrees. The part with the start is kept,
    otherwise the one with the most floor. Before it is mirrored, its regions are connected to each
    other and to the line, so that the whole level is connected. Start, exit and spawns stay where
    they are, on ground that is mirrored with the rest.
    """
    if min(plan.width, plan.height) < LEAST or not plan.open.any():
        return
    mirror = _facing(plan, Mirror(plan.width, plan.height, axis))
    part = mirror.part(plan.tiles)
    sources = np.arange(plan.tiles.size).reshape(plan.tiles.shape)
    mirror.spread(sources)
    for x, y in plan.marks:  # Marks beyond the line keep their ground.
        source = sources.item(y, x)
        if not terrain().walkable[plan.tiles.flat[source]]:
            plan.tiles.flat[source] = plan.tiles[y, x]
    allowed = mirror.part(interior(plan)).copy()
    if axis == "rotate" and plan.width % 2:
        _balance_middle(part)
        allowed[:, -1] = False
    if (pieces := connect_parts(part, allowed, rng)) > 1:
        yield f"{pluralise(pieces, 'part')} of one side connected"
    if not terrain().walkable[part].any():
        raise Rejected("nothing to mirror")
    _reach_line(part, mirror)
    mirror.spread(plan.tiles)
    if plan.regions is not None:
        mirror.spread(plan.regions)
    passable = terrain().walkable[plan.tiles]
    rooms = [room for room in mirror.images(plan.rooms) if passable[room.center[::-1]]]
    if plan.rooms and not rooms:
        raise Rejected("no room on the side that is mirrored")
    plan.rooms = rooms
    plan.leaves = mirror.images(plan.leaves)
    yield f"Mirrored: {axis}"


def _facing(plan: Blueprint, mirror: Mirror) -> Mirror:
    """Return ``mirror`` flipped so that it keeps the part with the start, else the most floor."""
    choices = [
        mirror._replace(flip_x=flip_x, flip_y=flip_y)
        for flip_y in ((False, True) if mirror.upright else (False,))
        for flip_x in ((False, True) if mirror.sideways else (False,))
    ]

    def worth(choice: Mirror) -> tuple[bool, int]:
        floor = choice.part(plan.open)
        if not plan.start:
            return False, int(floor.sum())
        start = choice.turned(RectangularRoom(plan.start.x, plan.start.y, 1, 1))
        return start.x < choice.columns and start.y < choice.rows, int(floor.sum())

    return max(choices, key=worth)


def _balance_middle(part: NDArray[np.uint8]) -> None:
    """Make the middle column symmetric from top to bottom, open where either half was."""
    middle = part[:, -1]
    upper, lower = middle[: len(middle) // 2], middle[::-1][: len(middle) // 2]
    walkable = terrain().walkable
    upper[:] = np.where(walkable[upper] | ~walkable[lower], upper, lower)
    lower[:] = upper


def _reach_line(part: NDArray[np.uint8], mirror: Mirror) -> None:
    """Connect the kept part to each line it will be mirrored at, if it does not touch it yet."""
    height, width = part.shape
    walkable = terrain().walkable[part]
    ys, xs = np.nonzero(walkable)
    if mirror.axis == "rotate":
        if (walkable[:, -1] & walkable[::-1, -1]).any():
            return
        nearest = int((2 * (width - 1 - xs) + np.abs(2 * ys - (height - 1))).argmin())
        x, y = int(xs[nearest]), int(ys[nearest])
        open_link(part, [(column, y) for column in range(x, width)])
        low, high = sorted((y, height - 1 - y))
        open_link(part, [(width - 1, row) for row in range(low, high + 1)])
        return
    if mirror.sideways and not walkable[:, -1].any():
        x, y = int(xs[xs.argmax()]), int(ys[xs.argmax()])
        open_link(part, [(column, y) for column in range(x, width)])
    if mirror.upright and not walkable[-1].any():
        x, y = int(xs[ys.argmax()]), int(ys[ys.argmax()])
        open_link(part, [(x, row) for row in range(y, height)])
