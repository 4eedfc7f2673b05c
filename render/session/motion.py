"""Motion of figures: slides between tiles, lunges, facing and breathing.

A key never waits for any of it: the state changes at once, and the picture catches up.
"""

import math
from typing import NamedTuple

from engine.state.events import Charged, CreatureRef, Displaced, Event, Moved
from engine.state.game_state import GameState
from entities.creature_kinds import HERO, creature_kinds
from entities.entity import Entity
from entities.equipment import equipped
from procgen.blueprint import Point
from render.map.map_view import creature_code, item_code, item_color
from render.map.viewport import Viewport, is_shown
from render.tiles.glyphs import CREATURES
from render.tiles.user_tiles import has_user_tile
from render.ui.frame import Pose, Sprite

SLIDE_SECONDS, LUNGE_SECONDS = 0.08, 0.12
"""The time in seconds of a slide to the next tile, and of a lunge and the step back."""
LUNGE_REACH, RECOIL = 0.42, 0.12
"""The distances that attacker and target move in a blow, in tiles."""
PUSHED = frozenset(["pushed", "swapped", "washed", "shoved"])
"""Kinds of forced movement in which the figure slides."""
BOSS_SIZE = 1.7
"""The size of the figure of a boss, in tiles."""
PHASES_A_BREATH = 5
"""Phases of the flickering light for which each of a figure's two frames is shown."""
HAND, WEAPON_SIZE = (0.68, 0.06), 0.62
"""The place and size of the picture of the weapon in the hero's hand."""
LEFT_HANDED = frozenset(["kobold"])
"""Kinds whose portraits face left."""


class Motion(NamedTuple):
    """A slide from (dx, dy) tiles away; with ``lunge`` the figure goes there and comes back."""

    dx: float
    dy: float
    start: float
    seconds: float
    lunge: bool = False

    def at(self, time: float) -> tuple[float, float]:
        """Return how far it is from its tile at ``time``."""
        gone = min(1.0, max(0.0, (time - self.start) / self.seconds))
        share = math.sin(math.pi * gone) if self.lunge else 1 - gone
        return self.dx * share, self.dy * share

    @property
    def end(self) -> float:
        """The time at which it ends, in seconds."""
        return self.start + self.seconds


class Motions:
    """The motion of each creature in a turn, by its id, and which way it faces."""

    def __init__(self) -> None:
        self._moves: dict[int, list[Motion]] = {}
        self._turned_left: dict[int, bool] = {}
        self.slide_seconds = SLIDE_SECONDS
        self.arrived = 0.0
        """The time at which the last figure has reached its tile, in seconds."""

    @property
    def end(self) -> float:
        """The time at which all motion has ended, in seconds."""
        return max((move.end for moves in self._moves.values() for move in moves), default=0.0)

    def begin(self, slide_seconds: float) -> None:
        """Forget the last turn, but not which way figures face; set the seconds a slide takes."""
        self._moves, self.arrived, self.slide_seconds = {}, 0.0, slide_seconds

    def slide(self, event: Event, now: float) -> None:
        """Add a slide from the creature's former tile if it walked or was pushed in ``event``."""
        match event:
            case Moved(who, origin) | Charged(who, origin):
                pass
            case Displaced(who, origin, how) if how in PUSHED:
                pass
            case _:
                return
        dx, dy = origin.x - who.place.x, origin.y - who.place.y
        self._turn(who.id, -dx)
        move = Motion(dx, dy, now, self.slide_seconds)
        self._moves.setdefault(who.id, []).append(move)
        self.arrived = max(self.arrived, move.end)

    def blow(self, attacker: CreatureRef, target: CreatureRef, now: float) -> float:
        """Add a lunge of ``attacker`` at ``target``; return the time of the blow."""
        dx, dy = target.place.x - attacker.place.x, target.place.y - attacker.place.y
        self._turn(attacker.id, dx)
        length = math.hypot(dx, dy) or 1.0
        reach, back, hit = LUNGE_REACH / length, RECOIL / length, now + LUNGE_SECONDS / 2
        for creature, distance, start in ((attacker, reach, now), (target, back, hit)):
            lunge = Motion(dx * distance, dy * distance, start, LUNGE_SECONDS, lunge=True)
            self._moves.setdefault(creature.id, []).append(lunge)
        return hit

    def face(self, creature: CreatureRef, target: Point) -> None:
        """Turn ``creature`` to ``target``."""
        self._turn(creature.id, target.x - creature.place.x)

    def _turn(self, number: int, dx: int) -> None:
        if dx:
            self._turned_left[number] = dx < 0

    def flipped(self, number: int, kind: str) -> bool:
        """Return whether the figure of a creature is mirrored."""
        return self._turned_left.get(number, kind in LEFT_HANDED) != (kind in LEFT_HANDED)

    def pose(self, creature: Entity, phase: int, now: float) -> Pose:
        """Return the pose of ``creature`` at ``now``, with ``phase`` of the flicker of light."""
        moves = [move.at(now) for move in self._moves.get(creature.id, ())]
        dx, dy = (sum(axis) for axis in zip((0.0, 0.0), *moves, strict=True))
        if creature_code(creature.kind) < CREATURES:  # A letter has none but its place.
            return Pose(dx, dy)
        flip = self.flipped(creature.id, creature.kind)
        size = BOSS_SIZE if creature_kinds()[creature.kind].lair else 1.0
        breath = (phase // PHASES_A_BREATH + creature.id) % 2 == 1
        return Pose(dx, dy, flip, size, breath, _in_hand(creature))

    def poses(self, state: GameState, view: Viewport, now: float) -> dict[tuple[int, int], Pose]:
        """Return the poses of the figures in ``view``, by cell of the map console."""
        return {
            (creature.x - view.left, creature.y - view.top): self.pose(creature, view.phase, now)
            for creature in state.map.entities.values()
            if is_shown(state, creature, view)
        }


def _in_hand(creature: Entity) -> tuple[Sprite, ...]:
    """Return the weapon in the hero's hand; nothing over a picture of the player's own."""
    weapon = equipped(creature, "weapon") or equipped(creature, "bow")
    if creature.kind != HERO or not creature.alive or has_user_tile(HERO) or weapon is None:
        return ()
    return (Sprite(item_code(weapon.kind), item_color(weapon.kind, None), *HAND, size=WEAPON_SIZE),)
