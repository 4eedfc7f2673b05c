"""A lattice: square cells in rows and columns with walls between, for mazes to grow on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from procgen.blueprint import RectangularRoom
from procgen.ways.spanning import Pair


@dataclass(frozen=True)
class Lattice:
    """Cells of ``corridor`` tiles a side, ``wall`` tiles apart, the first one at (left, top).

    Cells are numbered in reading order. A pair of neighbouring cells stands for the wall
    between them, which a maze may open.
    """

    columns: int
    rows: int
    corridor: int
    wall: int
    left: int
    top: int

    @classmethod
    def fit(cls, width: int, height: int, corridor: int, wall: int) -> "Lattice":
        """Return the largest lattice in the middle of a map that leaves its border alone."""
        pitch = corridor + wall
        columns, rows = (width - 2 + wall) // pitch, (height - 2 + wall) // pitch
        left = 1 + (width - 2 + wall - columns * pitch) // 2
        top = 1 + (height - 2 + wall - rows * pitch) // 2
        return cls(max(0, columns), max(0, rows), corridor, wall, left, top)

    @property
    def count(self) -> int:
        """The number of cells."""
        return self.columns * self.rows

    def block(self, column: int, row: int, columns: int = 1, rows: int = 1) -> RectangularRoom:
        """Return the tiles of ``columns`` by ``rows`` cells, the walls between them included."""
        pitch = self.corridor + self.wall
        return RectangularRoom(
            self.left + column * pitch,
            self.top + row * pitch,
            columns * pitch - self.wall,
            rows * pitch - self.wall,
        )

    def ways(self, nodes: Sequence[int]) -> list[list[Pair]]:
        """Return the ways out of every node, where ``nodes`` says whose each cell is.

        A way is a pair of cells, the node's own first. Several cells of one node form one open
        place; there are no ways within it.
        """
        found: list[list[Pair]] = [[] for _ in range(max(nodes, default=-1) + 1)]
        for cell, next_cell in self._neighbours():
            if nodes[cell] != nodes[next_cell]:
                found[nodes[cell]].append((cell, next_cell))
                found[nodes[next_cell]].append((next_cell, cell))
        return found

    def _neighbours(self) -> Iterator[Pair]:
        for cell in range(self.count):
            if (cell + 1) % self.columns:
                yield cell, cell + 1
            if cell + self.columns < self.count:
                yield cell, cell + self.columns

    def openings(self, ways: list[Pair]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the (ys, xs) of all tiles of the cells of ``ways`` and the walls between."""
        pairs = np.array(ways, np.int64).reshape(-1, 2)
        beside = np.abs(pairs[:, 0] - pairs[:, 1]) == 1
        pitch = self.corridor + self.wall
        rows, columns = np.divmod(pairs.min(axis=1), self.columns)
        ys, xs = self.top + rows * pitch, self.left + columns * pitch
        short, long = self.corridor, self.corridor + pitch
        found_y, found_x = [], []
        for chosen, high, wide in ((beside, short, long), (~beside, long, short)):
            dy, dx = np.divmod(np.arange(high * wide), wide)
            found_y.append((ys[chosen, None] + dy).ravel())
            found_x.append((xs[chosen, None] + dx).ravel())
        return np.concatenate(found_y), np.concatenate(found_x)
