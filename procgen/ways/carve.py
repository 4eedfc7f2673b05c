"""Digging: the lines and marks that steps cut into rock."""

from collections.abc import Iterable, Iterator

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point


def tunnel_between(
    start: tuple[int, int], end: tuple[int, int], *, horizontal_first: bool
) -> Iterator[Point]:
    """Yield every tile of the L-shaped way from ``start`` to ``end``, both included."""
    (x1, y1), (x2, y2) = start, end
    corner = (x2, y1) if horizontal_first else (x1, y2)
    yield from _straight(start, corner)
    yield from list(_straight(corner, end))[1:]


def _straight(start: tuple[int, int], end: tuple[int, int]) -> Iterator[Point]:
    (x1, y1), (x2, y2) = start, end
    dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
    for n in range(max(abs(x2 - x1), abs(y2 - y1)) + 1):
        yield Point(x1 + n * dx, y1 + n * dy)


def dig(plan: Blueprint, points: Iterable[tuple[int, int]], tile: int = Tile.TUNNEL) -> int:
    """Turn the rock among ``points`` to ``tile``, leaving what is open; return how many were."""
    tiles, rock, dug = plan.tiles, int(Tile.WALL), 0
    for x, y in points:
        if tiles[y, x] == rock:
            tiles[y, x] = tile
            dug += 1
    return dug


def close_border(plan: Blueprint, tile: int = Tile.WALL) -> None:
    """Turn the outermost row and column on each side to ``tile``."""
    plan.tiles[[0, -1], :] = tile
    plan.tiles[:, [0, -1]] = tile
