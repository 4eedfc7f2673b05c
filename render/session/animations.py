"""Animations of a turn: flying missiles and glowing tiles. They never delay a key."""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from tcod.console import Console
from tcod.los import bresenham

from engine.state.events import (
    Appeared,
    Blinked,
    CreatureRef,
    Died,
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
from engine.state.game_state import GameState
from entities.creature_kinds import creature_kinds
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from render.map.map_view import creature_code, item_code, item_color, missile_code, own_color
from render.map.viewport import Viewport
from render.session.motion import SLIDE_SECONDS, Motions, Slide
from render.session.rising_numbers import APART, RisingNumber, number_sprites, rising_number
from render.ui.frame import Color, Frame, Sprite
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
    return tuple(_moved(place, dx, dy) for place in places)


def _moved(place: Point, dx: int, dy: int) -> Point:
    return Point(place.x + dx, place.y + dy)


Animation = MissileFlight | Glow


class Ghost(NamedTuple):
    """The figure of a creature that died at ``start``; it fades where it stood."""

    who: CreatureRef
    flip: bool
    start: float

    def sprite(self, time: float, view: Viewport) -> Sprite | None:
        """Return the figure at ``time``, None once it has faded."""
        share = (time - self.start) / FADE_SECONDS
        kind = creature_kinds()[self.who.kind]
        x, y = self.who.place.x - view.left, self.who.place.y - view.top
        alpha = round(255 * (1 - max(0.0, share)))
        color = own_color(self.who.kind, creature_colors()[kind.color])
        code = creature_code(self.who.kind)
        return Sprite(code, color, x, y, alpha, flip=self.flip) if share < 1 else None


SECONDS_PER_TILE, HIT_SECONDS, EFFECT_SECONDS = 0.014, 0.16, 0.34
"""Duration in seconds of a tile of flight, of the glow of a hit, and of an effect."""
LONGEST_TURN = 0.9
"""The longest animation of a turn in seconds; longer ones are sped up."""
FADE_SECONDS = 0.3
"""The time that the figure of a dead creature is seen."""
EFFECT_COLORS = {"burn": "fire", "oil": "fire", "freeze": "spirit", "strike_down": "goblin"}
"""Creature colours by effect; other effects glow in an interface colour."""

MISSILE_COLORS = {"thorn": "poison", "stone": "undead", "fire": "fire"}
"""Creature colours by missile; other missiles have that of spirits."""


def staged(events: Iterable[Event], *, flights: bool, glows: bool) -> "TurnAnimations":
    """Return the animations of ``events``, starting at time 0."""
    stage = TurnAnimations(Motions(), flights=flights, glows=glows)
    for event in events:
        stage.show(event)
    return stage


class TurnAnimations:
    """Schedules the animations of a turn one after another.

    Figures go to their tiles in ``slide_seconds``; then blows and shots follow in the order of
    events, each with its number. ``now`` is the time up to which the turn has been told.
    """

    def __init__(
        self, motions: Motions, *, flights: bool, glows: bool, slide_seconds: float = SLIDE_SECONDS
    ) -> None:
        self._flights, self._glows = flights, glows
        self._slide_seconds = slide_seconds
        self._thrower: int | None = None
        self.motions = motions
        self.scheduled: list[Animation] = []
        self.numbers: list[RisingNumber] = []
        self.ghosts: list[Ghost] = []
        self.now = 0.0

    def show(self, event: Event) -> None:
        """Add the animations of ``event``."""
        if self._flights:
            self.motions.slide(event, self.now, self._slide_seconds)
        if isinstance(event, Struck):
            self._blow(event.attacker, event.target)
        self._light(event)
        self._count(event)
        match event:
            case Died(who) if self._flights:
                flip = self.motions.flipped(who.id, who.kind)
                self.ghosts.append(Ghost(who, flip, self.now))
            case Shifted(right, down):
                self.scheduled = [one.moved(-right, -down) for one in self.scheduled]
                self.numbers = [
                    one._replace(place=_moved(one.place, -right, -down)) for one in self.numbers
                ]

    def _light(self, event: Event) -> None:
        """Add the missiles and glows of ``event``."""
        shades = colors()
        match event:
            case Threw(who, what, path):
                self._thrower = who.id
                if path:
                    self.motions.face(who, path[-1])
                self._fly(path, item_code(what.kind), item_color(what.kind, what.look))
            case ShotFired(attacker, target, missile):
                line = _line(attacker.place, target.place)
                self.motions.face(attacker, target.place)
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

    def _fly(self, path: tuple[Point, ...], code_point: int, color: Color) -> None:
        if self._flights and path:
            flight = MissileFlight(path, code_point, color, self.now, SECONDS_PER_TILE)
            self.scheduled.append(flight)
            self.now = flight.end

    def _glow(self, tiles: tuple[Point, ...], color: Color, length: float) -> None:
        if self._glows and tiles:
            self.scheduled.append(Glow(tiles, color, self.now, length))

    def _blow(self, attacker: CreatureRef, target: CreatureRef) -> None:
        """Let the attacker lunge, once everybody has arrived, unless it has thrown something."""
        near = max(abs(a - b) for a, b in zip(attacker.place, target.place, strict=True)) == 1
        if self._flights and near and attacker.id != self._thrower:
            self.now = max(self.now, self.motions.arrived)
            self.now = self.motions.blow(attacker, target, self.now)

    def _count(self, event: Event) -> None:
        """Let the number of hit points that ``event`` took or gave rise."""
        number = rising_number(event, self.now)
        if number and self._flights:
            later = APART * sum(one.place == number.place for one in self.numbers)
            self.numbers.append(number._replace(start=self.now + later))


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
        self._motions = Motions()
        self._stage = TurnAnimations(self._motions, flights=False, glows=False)
        self._begun = self._end = 0.0
        self._speed = 1.0
        self._slide_seconds = SLIDE_SECONDS
        self._corner = self._corner_before = (0, 0)

    @property
    def playing(self) -> bool:
        """True if an animation is still playing."""
        return self._now < self._end

    @property
    def _now(self) -> float:
        """Seconds since the turn began, faster in a turn in which too much happens."""
        return (self._clock() - self._begun) * self._speed

    def begin(self, events: Iterable[Event]) -> None:
        """Start the animations of ``events``, as far as the options allow."""
        options, now = current(), self._clock()
        # A held key leaves no time for a whole slide: each then lasts as long as the turn before.
        self._slide_seconds = max(0.001, min(SLIDE_SECONDS, now - self._begun))
        self._begun, self._corner_before = now, self._corner
        self._motions.begin()
        self._stage = stage = TurnAnimations(
            self._motions,
            flights=options.animations,
            glows=options.flashes,
            slide_seconds=self._slide_seconds,
        )
        for event in events:
            stage.show(event)
            if isinstance(event, Shifted):
                left, top = self._corner_before
                self._corner_before = left - event.right, top - event.down
        long = max((one.end for one in stage.scheduled), default=0.0)
        self._speed = max(1.0, long / LONGEST_TURN)
        ends = [one.end for one in (*stage.scheduled, *stage.numbers)]
        ends += [one.start + FADE_SECONDS for one in stage.ghosts]
        self._end = max([*ends, self._motions.end])

    def compose(self, frame: Frame, state: GameState, view: Viewport) -> None:
        """Put the animations into ``frame``, whose map console shows ``state`` as in ``view``."""
        assert frame.map is not None
        self.draw(frame.map, state.map, view)
        frame.sprites += self.sprites(state.map, view)
        if not frame.fluid:
            return
        width, height = frame.map.width, frame.map.height
        frame.poses = {
            (column, row): pose
            for (column, row), pose in self._motions.poses(state, view, self._now).items()
            if 0 <= column < width and 0 <= row < height
        }
        frame.scroll = self._scroll((view.left, view.top))

    def _scroll(self, corner: tuple[int, int]) -> tuple[float, float]:
        """Return how far the map is from where it belongs, after the view moved by a tile."""
        self._corner = corner
        dx, dy = (new - old for new, old in zip(corner, self._corner_before, strict=True))
        if not self._stage.motions.arrived or max(abs(dx), abs(dy)) > 1:
            return 0.0, 0.0
        return Slide(dx, dy, 0.0, self._slide_seconds).at(self._now)

    def sprites(self, game_map: GameMap, view: Viewport) -> list[Sprite]:
        """Return what rises or fades over the map at this moment."""
        if not self.playing:
            return []
        faded = [
            sprite
            for ghost in self._stage.ghosts
            if _is_seen(game_map, view, ghost.who.place)
            and (sprite := ghost.sprite(self._now, view))
        ]
        return faded + number_sprites(self._stage.numbers, self._now, game_map, view)

    def draw(self, console: Console, game_map: GameMap, view: Viewport) -> None:
        """Draw the animations over the map, where the hero can see."""
        if not self.playing:
            return
        now = self._now
        for animation in self._stage.scheduled:
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
    return (row, column) if shown and _is_seen(game_map, view, place) else None


def _is_seen(game_map: GameMap, view: Viewport, place: Point) -> bool:
    inside = game_map.contains(*place)
    return inside and bool(view.reveal or game_map.visible[place.y, place.x])
