"""Numbers that rise from creatures that lose or gain hit points.

They fade while they rise, a key never waits for them, and only backends with pixels show them.
"""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from engine.state.events import Event, Healed, Hurt, Shifted, ShotFired, Struck
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


def rising_numbers(events: Iterable[Event]) -> list[RisingNumber]:
    """Return the numbers for the hit points that ``events`` took or gave."""
    numbers: list[RisingNumber] = []
    at: Counter[Point] = Counter()
    for event in events:
        match event:
            case Struck(_, who, amount) | ShotFired(_, who, _, amount) | Hurt(who, _, amount):
                color = "bad" if who.kind == HERO else "text"
            case Healed(who, _, amount):
                color = "good"
            case Shifted(right, down):  # The map moved under the places so far.
                numbers = [
                    one._replace(place=Point(one.place.x - right, one.place.y - down))
                    for one in numbers
                ]
                continue
            case _:
                continue
        if amount > 0:
            sign = "+" if color == "good" else ""
            start = APART * at[who.place]
            numbers.append(RisingNumber(who.place, f"{sign}{amount}", colors()[color], start))
            at[who.place] += 1
    return numbers


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
