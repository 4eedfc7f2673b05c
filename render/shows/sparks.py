"""Short sights, each with its time: what flies, what glows."""

from dataclasses import dataclass, replace

from procgen.blueprint import Point
from render.frame import Color


@dataclass(frozen=True)
class Flight:
    """A sign that flies along ``path`` from ``start`` on, ``pace`` seconds a tile."""

    path: tuple[Point, ...]
    sign: int
    """Its code point on the map."""
    color: Color
    start: float
    pace: float

    @property
    def end(self) -> float:
        """When it is over."""
        return self.start + self.pace * len(self.path)

    def moved(self, dx: int, dy: int) -> "Flight":
        """Return the same flight elsewhere."""
        return replace(self, path=_moved(self.path, dx, dy))

    def at(self, time: float) -> Point | None:
        """Return where it is at ``time``, if it is on its way."""
        if not self.start <= time < self.end:
            return None
        return self.path[min(len(self.path) - 1, int((time - self.start) / self.pace))]


@dataclass(frozen=True)
class Glow:
    """A light over ``tiles`` that begins at ``start`` and fades within ``length`` seconds."""

    tiles: tuple[Point, ...]
    color: Color
    start: float
    length: float

    @property
    def end(self) -> float:
        """When it is over."""
        return self.start + self.length

    def moved(self, dx: int, dy: int) -> "Glow":
        """Return the same light elsewhere."""
        return replace(self, tiles=_moved(self.tiles, dx, dy))

    def share(self, time: float) -> float:
        """Return how much of its light there is at ``time``, from 0 to 1."""
        if not self.start <= time < self.end:
            return 0.0
        return 1 - (time - self.start) / self.length


def _moved(places: tuple[Point, ...], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple(Point(x + dx, y + dy) for x, y in places)


Spark = Flight | Glow
"""One sight."""
