"""The way to the hero: one distance map a turn, shared by everyone who hunts."""

import numpy as np
from numpy.typing import NDArray

from engine.actions import Action, Move, Wait
from engine.world import World
from entities.entity import Entity
from procgen.analysis import DIRECTIONS, UNREACHED, distances

REACH = 40


class Hunt:
    """Distances to the hero within `REACH` tiles of it, computed when first asked for."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._field: NDArray[np.int32] | None = None
        self._left = max(0, world.hero.x - REACH)
        self._top = max(0, world.hero.y - REACH)

    def distance(self, x: int, y: int) -> int:
        """Return the steps from (x, y) to the hero, `UNREACHED` if too far or cut off."""
        if self._field is None:
            hero = self._world.hero
            window = np.s_[self._top : hero.y + REACH + 1, self._left : hero.x + REACH + 1]
            ground = self._world.map.walkable[window]
            self._field = distances(ground, hero.x - self._left, hero.y - self._top)
        column, row = x - self._left, y - self._top
        rows, columns = self._field.shape
        if 0 <= row < rows and 0 <= column < columns:
            return int(self._field[row, column])
        return UNREACHED

    def step(self, creature: Entity) -> Action:
        """Return the free step that brings ``creature`` nearer, straight ones first, or a wait.

        With the way ahead taken, it steps aside to where the way goes on, so that a pack
        surrounds its quarry instead of queueing.
        """
        x, y = creature.x, creature.y
        here = self.distance(x, y)
        nearer = self._free(x, y, here - 1)
        if nearer:
            return Move(*nearer[0])
        for dx, dy in self._free(x, y, here):
            if self._free(x + dx, y + dy, here - 1):
                return Move(dx, dy)
        return Wait()

    def _free(self, x: int, y: int, at_most: int) -> list[tuple[int, int]]:
        """Return the steps from (x, y) to free tiles no further than ``at_most``, nearest first."""
        found = [
            (self.distance(x + dx, y + dy), dx, dy)
            for dx, dy in DIRECTIONS
            if not self._world.map.is_blocked(x + dx, y + dy)
        ]
        near = sorted((step for step in found if step[0] <= at_most), key=lambda step: step[0])
        return [(dx, dy) for _, dx, dy in near]
