"""The animations of a turn: events become missiles, glows, motion, numbers and particles."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

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
from entities.creature_kinds import creature_kinds
from entities.data_files import event_name, for_variant
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from render.map.map_view import creature_code, item_code, item_color, missile_code, own_color
from render.map.viewport import Viewport
from render.session.motion import SLIDE_SECONDS, Motions
from render.session.particles import Burst, particle_table
from render.session.rising_numbers import APART, RisingNumber, rising_number
from render.ui.frame import Color, Sprite
from render.ui.palette import colors, creature_colors, item_colors


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

    def sprite(self, time: float, view: Viewport) -> Sprite:
        """Return it on its way between two tiles, its point forward, while `at` gives a tile."""
        gone = (time - self.start) / self.pace
        here = self.path[min(len(self.path) - 1, int(gone))]
        there = self.path[min(len(self.path) - 1, int(gone) + 1)]
        x, y = (a + (b - a) * (gone % 1) for a, b in zip(here, there, strict=True))
        first, last = self.path[0], self.path[-1]
        # Pictures of missiles point to the upper right.
        angle = math.degrees(math.atan2(last.y - first.y, last.x - first.x)) + 45
        return Sprite(self.code_point, self.color, x - view.left, y - view.top, angle=angle % 360)


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


class FadingFigure(NamedTuple):
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


SECONDS_PER_TILE, HIT_SECONDS, EFFECT_SECONDS = 0.02, 0.16, 0.34
"""Duration in seconds of a tile of flight, of the glow of a hit, and of an effect."""
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
        self.fading: list[FadingFigure] = []
        self.bursts: list[Burst] = []
        self.marks: list[tuple[Point, str]] = []
        self.now = 0.0

    def show(self, event: Event) -> None:
        """Add the animations of ``event``."""
        if self._flights:
            self.motions.slide(event, self.now, self._slide_seconds)
        if isinstance(event, Struck):
            self._blow(event.attacker, event.target)
        before = self.now
        self._light(event)
        self._count(event)
        self._burst(event, before)
        match event:
            case Died(who) if self._flights:
                flip = self.motions.flipped(who.id, who.kind)
                self.fading.append(FadingFigure(who, flip, self.now))
            case Shifted(right, down):
                self.scheduled = [one.moved(-right, -down) for one in self.scheduled]
                self.numbers = [
                    one._replace(place=_moved(one.place, -right, -down)) for one in self.numbers
                ]
                self.bursts = [
                    one._replace(places=_shifted(one.places, -right, -down)) for one in self.bursts
                ]
                self.marks = [(_moved(place, -right, -down), color) for place, color in self.marks]

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

    def _burst(self, event: Event, before: float) -> None:
        """Throw the particles of ``event``, whose missile left at the time ``before``."""
        table, cue = particle_table(), _cue(event)
        if cue is None:
            return
        if color := for_variant(table.marks, cue.event, cue.variant):
            self.marks.append((cue.tiles[0], color))
        for name in (
            for_variant(table.events, cue.event, cue.variant) or () if self._flights else ()
        ):
            script = table.scripts[name]
            if name == "flash" and not self._glows:
                continue
            if script.shape != "trail":
                self.bursts.append(Burst(script, cue.tiles, cue.own, self.now, cue.toward))
            elif len(cue.path) > 1:
                pace = SECONDS_PER_TILE
                self.bursts.append(Burst(script, cue.path, cue.own, before, pace=pace))

    def _count(self, event: Event) -> None:
        """Let the number of hit points that ``event`` took or gave rise."""
        number = rising_number(event, self.now)
        if number and self._flights:
            later = APART * sum(one.place == number.place for one in self.numbers)
            self.numbers.append(number._replace(start=self.now + later))


class _Cue(NamedTuple):
    """The particles of an event depend on these."""

    event: str
    variant: str
    tiles: tuple[Point, ...]
    own: Color
    path: tuple[Point, ...] = ()
    toward: tuple[float, float] = (0.0, 0.0)


def _cue(event: Event) -> _Cue | None:
    """Return the cue of ``event``, None if nothing of it can be seen at a place."""
    name = event_name(type(event))
    match event:
        case Struck(attacker, target, damage):
            dx, dy = target.place.x - attacker.place.x, target.place.y - attacker.place.y
            far = math.hypot(dx, dy) or 1.0
            cue = _Cue(name, creature_kinds()[target.kind].color, (target.place,), (0, 0, 0))
            return cue._replace(toward=(dx / far, dy / far)) if damage else None
        case ShotFired(attacker, target, missile):
            path = _line(attacker.place, target.place)
            return _Cue(name, missile, (target.place,), _missile_color(missile), path)
        case Used(who, what, path, tiles):
            effect, color = item_kinds()[what.kind].effect or "", _effect_color(what.kind)
            return _Cue(name, effect, tiles or (who.place,), color, path)
        case Shattered(what, tiles):
            effect = item_kinds()[what.kind].effect or ""
            return _Cue(name, effect, tiles, _effect_color(what.kind)) if tiles else None
        case Grew(_, tiles):
            return _Cue(name, "", tiles, item_colors()["moss"]) if tiles else None
        case Died(who):
            return _Cue(name, creature_kinds()[who.kind].color, (who.place,), (0, 0, 0))
        case Healed(who):
            return _Cue(name, "", (who.place,), colors()["good"])
    variant = next((str(getattr(event, name)) for name in VARIANTS if hasattr(event, name)), "")
    place = getattr(event, "place", None) or getattr(getattr(event, "who", None), "place", None)
    color = colors()["accent" if isinstance(event, LeveledUp) else "cold"]
    return _Cue(name, variant, (place,), color) if place else None


VARIANTS = ("cause", "how", "trap")
"""The fields of events that choose among the scripts of an event."""


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
