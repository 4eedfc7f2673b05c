"""The animations of a turn: events become missiles, glows, motion, numbers and particles."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from tcod.los import bresenham

from engine.state import events as ev
from engine.state.events import CreatureRef, Event, Healed, Hurt, ShotFired, Struck
from engine.state.game_map import FLOOD
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import event_name, for_variant
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from render.map.map_view import creature_code, item_code, item_color, missile_code, tint
from render.map.viewport import Viewport
from render.session.motion import Motions
from render.session.particles import ParticleEmitter, particle_table
from render.ui.frame import Color, Sprite
from render.ui.palette import colors, creature_colors, named_colors

SECONDS_PER_TILE, FADE_SECONDS = 0.02, 0.3
"""The time a missile takes per tile, and the time a dead creature's figure takes to fade."""
NUMBER_SECONDS, APART = 0.7, 0.45
"""The time a number is shown; the pause before the next one on its tile, or both would overlap."""
RISE, DIGIT = 0.8, 0.42
"""The height by which a number rises, and the width of a digit, in tiles."""
Tiles = tuple[Point, ...]


class MissileFlight(NamedTuple):
    """A glyph that flies along ``path``, from the time ``start`` on."""

    path: Tiles
    code_point: int
    """The code point of the glyph on the map."""
    color: Color
    start: float

    @property
    def end(self) -> float:
        """The time it ends, in seconds."""
        return self.start + SECONDS_PER_TILE * len(self.path)

    def at(self, time: float) -> Point | None:
        """Return the tile under the missile at ``time``, None before and after the flight."""
        if not self.start <= time < self.end:
            return None
        return self.path[min(len(self.path) - 1, int((time - self.start) / SECONDS_PER_TILE))]

    def sprite(self, time: float, view: Viewport) -> Sprite:
        """Return the missile between two tiles, pointing forward; `at` must return a tile."""
        gone = (time - self.start) / SECONDS_PER_TILE
        last_tile = self.path[min(len(self.path) - 1, int(gone))]
        next_tile = self.path[min(len(self.path) - 1, int(gone) + 1)]
        x, y = (a + (b - a) * (gone % 1) for a, b in zip(last_tile, next_tile, strict=True))
        first, last = self.path[0], self.path[-1]
        # Pictures of missiles point to the upper right.
        angle = math.degrees(math.atan2(last.y - first.y, last.x - first.x)) + 45
        return Sprite(self.code_point, self.color, x - view.left, y - view.top, angle=angle % 360)


class Glow(NamedTuple):
    """A glow on ``tiles`` that starts at ``start`` and fades within ``length`` seconds."""

    tiles: Tiles
    color: Color
    start: float
    length: float

    @property
    def end(self) -> float:
        """The time it ends, in seconds."""
        return self.start + self.length

    def share(self, time: float) -> float:
        """Return the strength of the glow at ``time``, 0 to 1."""
        if not self.start <= time < self.end:
            return 0.0
        return 1 - (time - self.start) / self.length


class FadingFigure(NamedTuple):
    """The fading figure of a kind of creature that died on ``place`` at ``start``."""

    kind: str
    place: Point
    flip: bool
    start: float

    def sprites(self, time: float, view: Viewport) -> list[Sprite]:
        """Return the figure at ``time``, nothing once it has faded."""
        share = (time - self.start) / FADE_SECONDS
        if share >= 1:
            return []
        x, y = self.place.x - view.left, self.place.y - view.top
        alpha = round(255 * (1 - max(0.0, share)))
        color = tint(self.kind, creature_colors()[creature_kinds()[self.kind].color])
        return [Sprite(creature_code(self.kind), color, x, y, alpha, flip=self.flip)]


class RisingNumber(NamedTuple):
    """A number of hit points lost or gained, over a tile from ``start`` seconds on."""

    place: Point
    text: str
    color: Color
    start: float

    @property
    def end(self) -> float:
        """The time at which it disappears, in seconds."""
        return self.start + NUMBER_SECONDS

    def sprites(self, time: float, view: Viewport) -> list[Sprite]:
        """Return the digits at ``time``; they fade while they rise."""
        share = (time - self.start) / NUMBER_SECONDS
        if not 0 <= share < 1:
            return []
        left = self.place.x - view.left - DIGIT * (len(self.text) - 1) / 2
        top = self.place.y - view.top - 0.25 - RISE * (1 - (1 - share) ** 2)
        alpha = round(255 * min(1.0, 2 * (1 - share)))
        return [
            Sprite(ord(digit), self.color, left + DIGIT * place, top, alpha)
            for place, digit in enumerate(self.text)
        ]


def rising_number(event: Event, start: float) -> RisingNumber | None:
    """Return the number for the hit points that ``event`` took or gave, None if it did neither."""
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


class TurnAnimations:
    """The animations of the ``events`` of a turn, one after another.

    Figures slide to their tiles; then blows and shots follow in the order of events, each with its
    number. ``now`` is the time at which the next animation begins.
    """

    def __init__(
        self, motions: Motions, events: Sequence[Event] = (), *, flights: bool, glows: bool
    ) -> None:
        self._shows_flights, self._shows_glows = flights, glows
        self._thrower: int | None = None
        self.motions = motions
        self.flights: list[MissileFlight] = []
        self.glows: list[Glow] = []
        self.numbers: list[RisingNumber] = []
        self.fading: list[FadingFigure] = []
        self.emitters: list[ParticleEmitter] = []
        self.decals: list[tuple[Point, str]] = []
        self.now = 0.0
        # Convert places to the map after the turn: an infinite map may have moved during it.
        shifts = [event for event in events if isinstance(event, ev.Shifted)]
        dx, dy = -sum(shift.right for shift in shifts), -sum(shift.down for shift in shifts)
        for event in events:
            if isinstance(event, ev.Shifted):
                dx, dy = dx + event.right, dy + event.down
            self._show(event, dx, dy)

    def _show(self, event: Event, dx: int, dy: int) -> None:
        """Add the animations of ``event``, moved by (dx, dy)."""
        if self._shows_flights:
            self.motions.slide(event, self.now)
        match event:
            case ev.Struck(attacker, target):
                self._blow(attacker, target)
            case ev.Threw(who, _, path):
                self._thrower = who.id
                if path:
                    self.motions.face(who, path[-1])
            case ev.ShotFired(attacker, target):
                self.motions.face(attacker, target.place)
        if cue := _cue(event):
            tiles, lit, path = (_moved(part, dx, dy) for part in (cue.tiles, cue.lit, cue.path))
            self._animate(cue._replace(tiles=tiles, lit=lit, path=path))
        number = rising_number(event, self.now)
        if number and self._shows_flights:
            (place,) = _moved((number.place,), dx, dy)
            later = APART * sum(other.place == place for other in self.numbers)
            self.numbers.append(number._replace(place=place, start=self.now + later))
        if isinstance(event, ev.Died) and self._shows_flights:
            (place,) = _moved((event.who.place,), dx, dy)
            flip = self.motions.flipped(event.who.id, event.who.kind)
            self.fading.append(FadingFigure(event.who.kind, place, flip, self.now))

    def _blow(self, attacker: CreatureRef, target: CreatureRef) -> None:
        """Make the attacker lunge once all figures have arrived, unless it has thrown something."""
        adjacent = max(abs(a - b) for a, b in zip(attacker.place, target.place, strict=True)) == 1
        if self._shows_flights and adjacent and attacker.id != self._thrower:
            self.now = max(self.now, self.motions.arrived)
            self.now = self.motions.blow(attacker, target, self.now)

    def _animate(self, cue: "_Cue") -> None:
        """Make the missile of ``cue`` fly, then its tiles glow, and emit its particles."""
        table, before = particle_table(), self.now
        if self._shows_flights and cue.path and cue.missile:
            flight = MissileFlight(cue.path, cue.missile, cue.color, before)
            self.flights.append(flight)
            self.now = flight.end
        if self._shows_glows and cue.lit and (glow := table.glows.get(cue.event)):
            color = cue.color if glow.color == "own" else colors()[glow.color]
            self.glows.append(Glow(cue.lit, color, self.now, glow.seconds))
        if color_name := for_variant(table.decals, cue.event, cue.variant):
            self.decals.append((cue.tiles[0], color_name))
        for name in for_variant(table.events, cue.event, cue.variant) or ():
            script = table.scripts[name]
            if not self._shows_flights or (name == "flash" and not self._shows_glows):
                continue
            if script.shape != "trail":
                burst = ParticleEmitter(script, cue.tiles, cue.color, self.now, cue.toward)
                self.emitters.append(burst)
            elif len(cue.path) > 1:
                trail = ParticleEmitter(script, cue.path, cue.color, before, pace=SECONDS_PER_TILE)
                self.emitters.append(trail)


def _moved(tiles: Tiles, dx: int, dy: int) -> Tiles:
    return tuple(Point(x + dx, y + dy) for x, y in tiles)


class _Cue(NamedTuple):
    """The visible effects of an event: particles over ``tiles`` in ``color``, a glow on ``lit``.

    ``missile`` is the code point that flies along ``path``, ``toward`` the direction of a blow.
    """

    event: str
    variant: str
    tiles: Tiles
    color: Color
    lit: Tiles = ()
    path: Tiles = ()
    missile: int = 0
    toward: tuple[float, float] = (0.0, 0.0)


def _cue(event: Event) -> _Cue | None:
    """Return the cue of ``event``, None if it has no visible effect at a place."""
    name = event_name(type(event))
    match event:
        case ev.Struck(attacker, target, damage):
            dx, dy = target.place.x - attacker.place.x, target.place.y - attacker.place.y
            length = math.hypot(dx, dy) or 1.0
            kind, here = creature_kinds()[target.kind], (target.place,)
            cue = _Cue(name, kind.color, here, (0, 0, 0), here, toward=(dx / length, dy / length))
            return cue if damage else None
        case ev.Threw(who, what, path):
            color = item_color(what.kind, what.look)
            return _Cue(name, "", (who.place,), color, (), path, item_code(what.kind))
        case ev.ShotFired(attacker, target, missile):
            line = bresenham(attacker.place, target.place)[1:].tolist()
            own, way = particle_table().missiles.get(missile), tuple(Point(x, y) for x, y in line)
            color = creature_colors()[own] if own else item_color(missile, None)
            here, code = (target.place,), missile_code(missile)
            return _Cue(name, missile, here, color, here, way, code)
        case ev.Used(who, what, path, tiles):
            effect, color = item_kinds()[what.kind].effect or "", _effect_color(what.kind)
            path = path if len(path) > 1 else ()
            code = missile_code("magic")
            return _Cue(name, effect, tiles or (who.place,), color, tiles, path, code)
        case ev.Shattered(what, tiles):
            effect = item_kinds()[what.kind].effect or ""
            return _Cue(name, effect, tiles, _effect_color(what.kind), tiles) if tiles else None
        case ev.Grew(kind, tiles):
            color = colors()["cold"] if kind == FLOOD else named_colors("items")["moss"]
            return _Cue(name, "", tiles, color, tiles) if tiles else None
        case ev.Died(who):
            return _Cue(name, creature_kinds()[who.kind].color, (who.place,), (0, 0, 0))
        case ev.Healed(who):
            return _Cue(name, "", (who.place,), colors()["good"], (who.place,))
    variant = next((str(getattr(event, name)) for name in VARIANTS if hasattr(event, name)), "")
    place = getattr(event, "place", None) or getattr(getattr(event, "who", None), "place", None)
    if place is None:
        return None
    origin = getattr(event, "origin", None)
    color = colors()["accent" if isinstance(event, ev.LeveledUp) else "cold"]
    return _Cue(name, variant, (place,), color, (origin, place) if origin else (place,))


VARIANTS = ("cause", "how", "trap")
"""The fields of an event that choose among its scripts and sounds."""


def _effect_color(kind: str) -> Color:
    """Return the glow colour of the effect of an item kind."""
    if item_kinds()[kind].seed:
        return named_colors("items")["moss"]
    name = particle_table().effects.get(item_kinds()[kind].effect or "")
    return creature_colors()[name] if name else colors()["cold"]
