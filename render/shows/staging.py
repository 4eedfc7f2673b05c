"""Events as sights: what is seen of a turn, one thing after another."""

from collections.abc import Iterable

from tcod.los import bresenham

from engine.events import (
    Appeared,
    Blinked,
    Displaced,
    Event,
    Healed,
    Hurt,
    LeveledUp,
    Shattered,
    Shifted,
    Shot,
    Struck,
    Summoned,
    Threw,
    Used,
    Vanished,
)
from entities.items import item_kinds
from procgen.blueprint import Point
from render.figures import shot_code, thing_code
from render.frame import Color
from render.palette import colors, creature_colors, thing_colors
from render.shows.sparks import Flight, Glow, Spark
from render.things import thing_color

PACE, HIT, FALL = 0.014, 0.16, 0.34
"""Seconds: a tile of flight, the glow of a hit, that of what falls on many tiles."""
LONGEST = 0.9
"""Seconds that all of a turn takes at most; more of it goes by faster."""
FALLS = {"burn": "fire", "oil": "fire", "freeze": "spirit", "strike_down": "goblin"}
"""The colours of creatures that effects glow in; the others in that of the interface."""

MISSILES = {"thorn": "poison", "stone": "undead", "fire": "fire"}
"""The colours of creatures that what they shoot has; all else that is no arrow is cold."""


def staged(events: Iterable[Event], *, flights: bool, glows: bool) -> list[Spark]:
    """Return what is to be seen of ``events``, from time 0 on."""
    stage = _Stage(flights=flights, glows=glows)
    for event in events:
        stage.show(event)
    return stage.within(LONGEST)


class _Stage:
    """Puts sights one after another."""

    def __init__(self, *, flights: bool, glows: bool) -> None:
        self._flights, self._glows = flights, glows
        self._sparks: list[Spark] = []
        self._now = 0.0

    def show(self, event: Event) -> None:
        """Add what is to be seen of ``event``."""
        shades = colors()
        match event:
            case Threw(_, what, path):
                self._fly(path, thing_code(what.kind), thing_color(what.kind, what.look))
            case Shot(attacker, target, missile):
                line = _line(attacker.place, target.place)
                self._fly(line, shot_code(missile), _missile_color(missile))
                self._glow((target.place,), shades["bad"], HIT)
            case Used(_, what, path, tiles):
                color = _fall(what.kind)
                if len(path) > 1:
                    self._fly(path, shot_code("magic"), color)
                self._glow(tiles, color, FALL)
            case Shattered(what, tiles):
                self._glow(tiles, _fall(what.kind), FALL)
            case Struck(_, target, damage) if damage:
                self._glow((target.place,), shades["bad"], HIT)
            case Hurt(who):
                self._glow((who.place,), shades["bad"], HIT)
            case Healed(who):
                self._glow((who.place,), shades["good"], FALL)
            case LeveledUp(who):
                self._glow((who.place,), shades["accent"], FALL)
            case Appeared(who) | Summoned(who):
                self._glow((who.place,), shades["cold"], FALL)
            case Displaced(who, origin) | Vanished(who, origin) | Blinked(who, origin):
                self._glow((origin, who.place), shades["cold"], FALL)
            case Shifted(right, down):
                self._sparks = [spark.moved(-right, -down) for spark in self._sparks]

    def _fly(self, path: tuple[Point, ...], sign: int, color: Color) -> None:
        if self._flights and path:
            flight = Flight(path, sign, color, self._now, PACE)
            self._sparks.append(flight)
            self._now = flight.end

    def _glow(self, tiles: tuple[Point, ...], color: Color, length: float) -> None:
        if self._glows and tiles:
            self._sparks.append(Glow(tiles, color, self._now, length))

    def within(self, longest: float) -> list[Spark]:
        """Return all of it, faster if it would take longer than that."""
        whole = max((spark.end for spark in self._sparks), default=0.0)
        if whole <= longest:
            return self._sparks
        share = longest / whole
        return [_faster(spark, share) for spark in self._sparks]


def _faster(spark: Spark, share: float) -> Spark:
    match spark:
        case Flight(path, sign, color, start, pace):
            return Flight(path, sign, color, start * share, pace * share)
        case Glow(tiles, color, start, length):
            return Glow(tiles, color, start * share, length * share)


def _fall(kind: str) -> Color:
    """Return the colour that what ``kind`` does glows in."""
    name = FALLS.get(item_kinds()[kind].effect or "")
    return creature_colors()[name] if name else colors()["cold"]


def _missile_color(name: str) -> Color:
    """Return the colour of what a creature shoots."""
    if name == "arrow":
        return thing_colors()["wood"]
    return creature_colors()[MISSILES.get(name, "spirit")]


def _line(start: Point, end: Point) -> tuple[Point, ...]:
    return tuple(
        Point(int(x), int(y)) for x, y in bresenham((start.x, start.y), (end.x, end.y))[1:]
    )
