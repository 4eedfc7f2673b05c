"""What the creatures of a level can know of the hero in one turn; worked out once for all."""

import numpy as np
from numpy.typing import NDArray
from tcod import libtcodpy
from tcod.map import compute_fov

from engine.fields import Field
from engine.game_map import DARK
from engine.noise import Noise
from engine.ways import Ways
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from entities.lights import lights

FURTHEST = 12
"""No creature sees further than this, in tiles."""
NIGHT_EYES = 1
"""How many tiles further than the hero's lamp reaches they see it in the dark."""


class Senses:
    """The hero's place, who can see it and how it can be reached."""

    def __init__(self, world: World, ways: Ways) -> None:
        self.world = world
        self.ways = ways
        hero = world.hero
        self.x, self.y = hero.x, hero.y
        self.unseen = "invisible" in hero.statuses
        self._left, self._top = max(0, hero.x - FURTHEST), max(0, hero.y - FURTHEST)
        glow = world.map.glow
        lit = glow is None or bool(glow[hero.y, hero.x])
        self._furthest = FURTHEST if lit else lights()[DARK].sight + NIGHT_EYES
        self._view: NDArray[np.bool_] | None = None

    @property
    def noises(self) -> list[Noise]:
        """What there is to hear."""
        return self.world.noises

    def apart(self, creature: Entity) -> int:
        """Return how many tiles lie between ``creature`` and the hero, 1 if none."""
        return self.away(creature.x, creature.y)

    def away(self, x: int, y: int) -> int:
        """Return how many tiles (x, y) is away from the hero."""
        return max(abs(self.x - x), abs(self.y - y))

    def within(self, creature: Entity, reach: int) -> bool:
        """Whether ``creature`` is within a round ``reach`` of the hero, as light falls.

        The hero's own view is round: whoever saw further into its corners would be unfair.
        """
        return (self.x - creature.x) ** 2 + (self.y - creature.y) ** 2 <= reach**2

    def sees(self, creature: Entity) -> bool:
        """Whether ``creature`` sees the hero; who is next to it always does."""
        assert creature.mind
        if self.apart(creature) <= 1:
            return True
        if not self.within(creature, min(creature.mind.sight, self._furthest)) or self.unseen:
            return False
        if "blind" in creature.statuses:
            return False
        if self._view is None:
            self._view = self._look()
        return bool(self._view[creature.y - self._top, creature.x - self._left])

    def way(self, creature: Entity) -> Field:
        """Return the steps to the hero, as ``creature`` can walk."""
        return self.ways.to(self.x, self.y, doors=opens_doors(creature))

    def escape(self, creature: Entity) -> Field:
        """Return the field to run down to get away from the hero."""
        return self.ways.away(self.x, self.y, doors=opens_doors(creature))

    def _look(self) -> NDArray[np.bool_]:
        """Return what the hero's tile can be seen from: view is symmetric."""
        right, bottom = self.x + FURTHEST + 1, self.y + FURTHEST + 1
        return compute_fov(
            self.world.map.transparent[self._top : bottom, self._left : right],
            (self.y - self._top, self.x - self._left),
            radius=FURTHEST,
            algorithm=libtcodpy.FOV_SYMMETRIC_SHADOWCAST,
        )


def opens_doors(creature: Entity) -> bool:
    """Whether doors are no obstacle to ``creature``."""
    return creatures()[creature.kind].habits.doors
