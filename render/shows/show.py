"""The sights of the last turn while they last."""

import time
from collections.abc import Callable, Iterable

from tcod.console import Console

from engine.events import Event
from engine.game_map import GameMap
from procgen.blueprint import Point
from render.draw import blend
from render.options.choices import current
from render.shows.sparks import Flight, Glow, Spark
from render.shows.staging import staged
from render.view import View


class Show:
    """Plays what ``begin`` was given; whatever comes next ends it. ``clock`` tells seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._sparks: list[Spark] = []
        self._begun = 0.0
        self._end = 0.0

    @property
    def lasts(self) -> bool:
        """Whether there is something to be seen still."""
        return bool(self._sparks) and self._clock() - self._begun < self._end

    def begin(self, events: Iterable[Event]) -> None:
        """Show what is to be seen of ``events``, as far as the options allow."""
        options = current()
        self._sparks = staged(events, flights=options.animations, glows=options.flashes)
        self._end = max((spark.end for spark in self._sparks), default=0.0)
        self._begun = self._clock()

    def draw(self, console: Console, game_map: GameMap, view: View) -> None:
        """Draw it over the map that ``view`` looks at, where the hero can see."""
        if not self.lasts:
            return
        now = self._clock() - self._begun
        for spark in self._sparks:
            match spark:
                case Flight():
                    _draw_flight(console, game_map, view, spark, now)
                case Glow():
                    _draw_glow(console, game_map, view, spark, now)


def _draw_flight(
    console: Console, game_map: GameMap, view: View, flight: Flight, now: float
) -> None:
    place = flight.at(now)
    cell = place and _cell(console, game_map, view, place)
    if cell:
        console.rgb[cell]["ch"], console.rgb[cell]["fg"] = flight.sign, flight.color


def _draw_glow(console: Console, game_map: GameMap, view: View, glow: Glow, now: float) -> None:
    share = 0.75 * glow.share(now)
    for place in glow.tiles if share else ():
        cell = _cell(console, game_map, view, place)
        if cell:
            red, green, blue = (int(part) for part in console.rgb[cell]["bg"])
            console.rgb[cell]["bg"] = blend((red, green, blue), glow.color, share)


def _cell(console: Console, game_map: GameMap, view: View, place: Point) -> tuple[int, int] | None:
    """Return the row and column that show ``place``, if it is in view of both."""
    column, row = place.x - view.left, place.y - view.top
    shown = 0 <= column < console.width and 0 <= row < console.height
    if not shown or not game_map.contains(*place):
        return None
    return (row, column) if view.reveal or game_map.seen[place.y, place.x] else None
