"""Numbers that rise from creatures that lose or gain hit points.

They fade while they rise, a key never waits for them, and only backends with pixels show them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from engine.state.events import Event, Healed, Hurt, ShotFired, Struck
from engine.state.game_map import GameMap
from entities.creature_kinds import HERO
from procgen.blueprint import Point
from render.map.viewport import Viewport
from render.ui.frame import Color, Sprite
from render.ui.palette import colors

SECONDS, APART = 0.7, 0.12
"""The time a number is shown, and the pause between two from one tile."""
RISE, DIGIT = 0.8, 0.42
"""The height a number rises, and the width of a digit, in tiles."""


class RisingNumber(NamedTuple):
    """A number over a tile; it starts at ``start`` seconds."""

    place: Point
    text: str
    color: Color
    start: float

    @property
    def end(self) -> float:
        """The time it is gone, in seconds."""
        return self.start + SECONDS


def rising_number(event: Event, start: float) -> RisingNumber | None:
    """Return the number for the hit points that ``event`` took or gave, None for none."""
    match event:
        case Struck(_, who, amount) | ShotFired(_, who, _, amount) | Hurt(who, _, amount):
            color, sign = ("bad" if who.kind == HERO else "text"), ""
        case Healed(who, _, amount):
            color, sign = "good", "+"
        case _:
            return None
    if amount <= 0:
        return None
    return RisingNumber(who.place, f"{sign}{amount}", colors()[color], start)


def number_sprites(
    numbers: Iterable[RisingNumber], time: float, game_map: GameMap, view: Viewport
) -> list[Sprite]:
    """Return the digits of ``numbers`` at ``time``, where the hero can see, as sprites."""
    sprites: list[Sprite] = []
    for number in numbers:
        share = (time - number.start) / SECONDS
        x, y = number.place
        inside = game_map.contains(x, y) and (view.reveal or game_map.visible[y, x])
        if not 0 <= share < 1 or not inside:
            continue
        left = x - view.left - DIGIT * (len(number.text) - 1) / 2
        top = y - view.top - 0.25 - RISE * (1 - (1 - share) ** 2)
        alpha = round(255 * min(1.0, 2 * (1 - share)))
        for place, digit in enumerate(number.text):
            sprites.append(Sprite(ord(digit), number.color, left + DIGIT * place, top, alpha))
    return sprites
