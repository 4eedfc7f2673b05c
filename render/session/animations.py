"""Animations of a turn: flying missiles and glowing tiles. They never delay a key."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from tcod.console import Console
from tcod.los import bresenham

from engine.state.events import (
    Appeared,
    Blinked,
    Displaced,
    Event,
    Grew,
    Healed,
    Hurt,
    LeveledUp,
    Shattered,
    Shifted,
    ShotFired,
    Struck,
    Summoned,
    Threw,
    Used,
    Vanished,
)
from engine.state.game_map import GameMap
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from render.map.map_view import item_code, item_color, missile_code
from render.map.viewport import Viewport
from render.session.rising_numbers import RisingNumber, number_sprites, rising_numbers
from render.ui.frame import Color, Sprite
from render.ui.options import current
from render.ui.palette import colors, creature_colors, item_colors
from render.ui.text import blend


@dataclass(frozen=True)
class MissileFlight:
    """A glyph that flies along ``path``, from the time ``start`` on, ``pace`` seconds a tile."""

    path: tuple[Point, ...]
    code_point: int
    """Its code point on the map."""
    color: Color
    start: float
    pace: float

    @property
    def end(self) -> float:
        """The time it ends, in seconds."""
        return self.start + self.pace * len(self.path)

    def moved(self, dx: int, dy: int) -> "MissileFlight":
        """Return the flight with its path translated."""
        return replace(self, path=_shifted(self.path, dx, dy))

    def at(self, time: float) -> Point | None:
        """Return the tile it is over at ``time``, None before and after."""
        if not self.start <= time < self.end:
            return None
        return self.path[min(len(self.path) - 1, int((time - self.start) / self.pace))]


@dataclass(frozen=True)
class Glow:
    """A glow on ``tiles`` that starts at ``start`` and fades within ``length`` seconds."""

    tiles: tuple[Point, ...]
    color: Color
    start: float
    length: float

    @property
    def end(self) -> float:
        """The time it ends, in seconds."""
        return self.start + self.length

    def moved(self, dx: int, dy: int) -> "Glow":
        """Return the glow with its tiles translated."""
        return replace(self, tiles=_shifted(self.tiles, dx, dy))

    def share(self, time: float) -> float:
        """Return its strength at ``time``, 0 to 1."""
        if not self.start <= time < self.end:
            return 0.0
        return 1 - (time - self.start) / self.length


def _shifted(places: tuple[Point, ...], dx: int, dy: int) -> tuple[Point, ...]:
    return tuple(Point(x + dx, y + dy) for x, y in places)


Animation = MissileFlight | Glow


SECONDS_PER_TILE, HIT_SECONDS, EFFECT_SECONDS = 0.014, 0.16, 0.34
"""Duration in seconds of a tile of flight, of the glow of a hit, and of an effect."""
LONGEST_TURN = 0.9
"""The longest animation of a turn in seconds; longer ones are sped up."""
EFFECT_COLORS = {"burn": "fire", "oil": "fire", "freeze": "spirit", "strike_down": "goblin"}
"""Creature colours by effect; other effects glow in an interface colour."""

MISSILE_COLORS = {"thorn": "poison", "stone": "undead", "fire": "fire"}
"""Creature colours by missile; other missiles have that of spirits."""


def animate(events: Iterable[Event], *, flights: bool, glows: bool) -> list[Animation]:
    """Return the animations of ``events``, starting at time 0."""
    stage = _Stager(flights=flights, glows=glows)
    for event in events:
        stage.show(event)
    return stage.within(LONGEST_TURN)


class _Stager:
    """Schedules animations one after another."""

    def __init__(self, *, flights: bool, glows: bool) -> None:
        self._flights, self._glows = flights, glows
        self._scheduled: list[Animation] = []
        self._now = 0.0

    def show(self, event: Event) -> None:
        """Add the animations of ``event``."""
        shades = colors()
        match event:
            case Threw(_, what, path):
                self._fly(path, item_code(what.kind), item_color(what.kind, what.look))
            case ShotFired(attacker, target, missile):
                line = _line(attacker.place, target.place)
                self._fly(line, missile_code(missile), _missile_color(missile))
                self._glow((target.place,), shades["bad"], HIT_SECONDS)
            case Used(_, what, path, tiles):
                color = _effect_color(what.kind)
                if len(path) > 1:
                    self._fly(path, missile_code("magic"), color)
                self._glow(tiles, color, EFFECT_SECONDS)
            case Shattered(what, tiles):
                self._glow(tiles, _effect_color(what.kind), EFFECT_SECONDS)
            case Struck(_, target, damage) if damage:
                self._glow((target.place,), shades["bad"], HIT_SECONDS)
            case Hurt(who):
                self._glow((who.place,), shades["bad"], HIT_SECONDS)
            case Healed(who):
                self._glow((who.place,), shades["good"], EFFECT_SECONDS)
            case Grew(_, tiles):
                self._glow(tiles, item_colors()["moss"], EFFECT_SECONDS)
            case LeveledUp(who):
                self._glow((who.place,), shades["accent"], EFFECT_SECONDS)
            case Appeared(who) | Summoned(who):
                self._glow((who.place,), shades["cold"], EFFECT_SECONDS)
            case Displaced(who, origin) | Vanished(who, origin) | Blinked(who, origin):
                self._glow((origin, who.place), shades["cold"], EFFECT_SECONDS)
            case Shifted(right, down):
                self._scheduled = [animation.moved(-right, -down) for animation in self._scheduled]

    def _fly(self, path: tuple[Point, ...], code_point: int, color: Color) -> None:
        if self._flights and path:
            flight = MissileFlight(path, code_point, color, self._now, SECONDS_PER_TILE)
            self._scheduled.append(flight)
            self._now = flight.end

    def _glow(self, tiles: tuple[Point, ...], color: Color, length: float) -> None:
        if self._glows and tiles:
            self._scheduled.append(Glow(tiles, color, self._now, length))

    def within(self, longest: float) -> list[Animation]:
        """Return the animations, sped up if they would take more than ``longest`` seconds."""
        whole = max((animation.end for animation in self._scheduled), default=0.0)
        if whole <= longest:
            return self._scheduled
        share = longest / whole
        return [_sped_up(animation, share) for animation in self._scheduled]


def _sped_up(animation: Animation, share: float) -> Animation:
    match animation:
        case MissileFlight(path, code_point, color, start, pace):
            return MissileFlight(path, code_point, color, start * share, pace * share)
        case Glow(tiles, color, start, length):
            return Glow(tiles, color, start * share, length * share)


def _effect_color(kind: str) -> Color:
    """Return the glow colour of the effect of an item kind."""
    if item_kinds()[kind].seed:
        return item_colors()["moss"]
    name = EFFECT_COLORS.get(item_kinds()[kind].effect or "")
    return creature_colors()[name] if name else colors()["cold"]


def _missile_color(name: str) -> Color:
    """Return the colour of a creature's missile."""
    if name == "arrow":
        return item_colors()["wood"]
    return creature_colors()[MISSILE_COLORS.get(name, "spirit")]


def _line(start: Point, end: Point) -> tuple[Point, ...]:
    return tuple(
        Point(int(x), int(y)) for x, y in bresenham((start.x, start.y), (end.x, end.y))[1:]
    )


class Animations:
    """Plays the animations of the last turn; the next turn ends them. ``clock`` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._scheduled: list[Animation] = []
        self._numbers: list[RisingNumber] = []
        self._begun = 0.0
        self._end = 0.0

    @property
    def playing(self) -> bool:
        """True if an animation is still playing."""
        return bool(self._scheduled or self._numbers) and self._clock() - self._begun < self._end

    def begin(self, events: Iterable[Event]) -> None:
        """Start the animations of ``events``, as far as the options allow."""
        events, options = list(events), current()
        self._scheduled = animate(events, flights=options.animations, glows=options.flashes)
        self._numbers = rising_numbers(events) if options.animations else []
        ends = [one.end for one in (*self._scheduled, *self._numbers)]
        self._end = max(ends, default=0.0)
        self._begun = self._clock()

    def sprites(self, game_map: GameMap, view: Viewport) -> list[Sprite]:
        """Return what rises over the map at this moment."""
        now = self._clock() - self._begun
        return number_sprites(self._numbers, now, game_map, view) if self.playing else []

    def draw(self, console: Console, game_map: GameMap, view: Viewport) -> None:
        """Draw the animations over the map, where the hero can see."""
        if not self.playing:
            return
        now = self._clock() - self._begun
        for animation in self._scheduled:
            match animation:
                case MissileFlight():
                    _draw_missile(console, game_map, view, animation, now)
                case Glow():
                    _draw_glow(console, game_map, view, animation, now)


def _draw_missile(
    console: Console, game_map: GameMap, view: Viewport, flight: MissileFlight, now: float
) -> None:
    place = flight.at(now)
    cell = place and _cell(console, game_map, view, place)
    if cell:
        console.rgb[cell]["ch"], console.rgb[cell]["fg"] = flight.code_point, flight.color


def _draw_glow(console: Console, game_map: GameMap, view: Viewport, glow: Glow, now: float) -> None:
    share = 0.75 * glow.share(now)
    for place in glow.tiles if share else ():
        cell = _cell(console, game_map, view, place)
        if cell:
            red, green, blue = (int(part) for part in console.rgb[cell]["bg"])
            console.rgb[cell]["bg"] = blend((red, green, blue), glow.color, share)


def _cell(
    console: Console, game_map: GameMap, view: Viewport, place: Point
) -> tuple[int, int] | None:
    """Return the row and column of ``place``, None if it is off screen or out of sight."""
    column, row = place.x - view.left, place.y - view.top
    shown = 0 <= column < console.width and 0 <= row < console.height
    if not shown or not game_map.contains(*place):
        return None
    return (row, column) if view.reveal or game_map.visible[place.y, place.x] else None
