"""Draws the animations of a turn: missiles, particles, motion. They never delay a key.

A backend that draws at fractions of a cell gets sprites, particles and soft light; other backends
get characters and tinted cells.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tcod.console import Console

from engine.state.events import Event, Shifted
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from entities.terrain import Mask, Tile
from procgen.blueprint import Point
from render.map.viewport import Viewport
from render.session.motion import SLIDE_SECONDS, Motion, Motions
from render.session.particles import ParticleSystem, particle_table
from render.session.turn_animations import FADE_SECONDS, Glow, MissileFlight, TurnAnimations
from render.tiles.fringe_tiles import DECAL_VARIANTS, DECALS_FROM
from render.tiles.glyphs import is_creature_or_item, plain_char
from render.ui.frame import Color, Frame, Fringes, Particles, Rect, Sprite, as_color
from render.ui.options import current
from render.ui.palette import rgb
from render.ui.text import blend

ANIMATION_SECONDS = 1 / 40
"""Seconds between two frames while figures move."""
LONGEST_TURN = 0.9
"""The longest time in seconds for the animations of a turn; longer ones are sped up."""
GLOW_SIZE, GLOW_STRENGTH = 2.4, 0.5
"""Size in tiles and strength of the soft light that shows a glow in a window."""


class Animations:
    """Plays the animations of the last turn, until the next turn. ``clock`` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._motions = Motions()
        self._turn = TurnAnimations(self._motions, flights=False, glows=False)
        self._particles: ParticleSystem | None = None
        self._decals = Decals()
        self._begun = self._end = 0.0
        self._speed = 1.0
        self._corner = self._corner_before = (0, 0)
        self._turns = 0

    @property
    def playing(self) -> bool:
        """True if an animation is still playing."""
        return self._now < self._end

    @property
    def _now(self) -> float:
        """Seconds since the turn began; they pass faster in a turn with long animations."""
        return (self._clock() - self._begun) * self._speed

    def begin(self, events: Sequence[Event], game_map: GameMap) -> None:
        """Start the animations of ``events``, which led to ``game_map``, as the options allow."""
        options, now = current(), self._clock()
        # A held key leaves no time for a whole slide, so each lasts only as long as the last turn.
        slide_seconds = max(0.001, min(SLIDE_SECONDS, now - self._begun))
        self._begun, self._corner_before = now, self._corner
        self._turns += 1
        self._motions.begin(slide_seconds)
        self._turn = turn = TurnAnimations(
            self._motions, events, flights=options.animations, glows=options.flashes
        )
        for shift in (event for event in events if isinstance(event, Shifted)):
            left, top = self._corner_before
            self._corner_before = left - shift.right, top - shift.down
        self._decals.add(turn.decals, game_map)
        self._particles = ParticleSystem(turn.emitters, self._turns) if turn.emitters else None
        shown: list[MissileFlight | Glow] = [*turn.flights, *turn.glows]
        self._speed = max(1.0, max((one.end for one in shown), default=0.0) / LONGEST_TURN)
        end_times = [part.end for part in (*shown, *turn.numbers, *turn.emitters)]
        end_times += [figure.start + FADE_SECONDS for figure in turn.fading]
        self._end = max([*end_times, self._motions.end])

    def compose(self, frame: Frame, state: GameState, view: Viewport) -> None:
        """Add the animations to ``frame``, whose map console shows ``state`` in ``view``."""
        assert frame.map is not None
        self._decals.draw(frame, state, view)
        if self.playing and (frame.above or view.pointing_at):
            self._begun -= self._end  # Skip to the end: no tick redraws the map there.
        frame.sprites += self.sprites(state.map, view)
        if frame.fluid:
            area = Rect(0, 0, frame.map.width, frame.map.height)
            poses = self._motions.poses(state, view, self._now)
            frame.poses = {cell: pose for cell, pose in poses.items() if area.contains(*cell)}
            frame.scroll = self._scroll((view.left, view.top))
            if self.playing:
                frame.sprites += self._missiles(state.map, view)
                frame.particles = self._particles_in_view(state.map, view)
        elif self.playing:
            self._draw(frame.map, state.map, view)

    def _scroll(self, corner: tuple[int, int]) -> tuple[float, float]:
        """Return the map's distance from its final place while the view scrolls by a tile."""
        self._corner = corner
        dx, dy = (new - old for new, old in zip(corner, self._corner_before, strict=True))
        if not self._motions.arrived or max(abs(dx), abs(dy)) > 1:
            return 0.0, 0.0
        return Motion(dx, dy, 0.0, self._motions.slide_seconds).at(self._now)

    def sprites(self, game_map: GameMap, view: Viewport) -> list[Sprite]:
        """Return the figures and numbers that fade or rise over the map at this moment."""
        turn, now = self._turn, self._now
        faded = [it.sprites(now, view) for it in turn.fading if _is_seen(game_map, view, it.place)]
        risen = [it.sprites(now, view) for it in turn.numbers if _is_seen(game_map, view, it.place)]
        return [*chain(*faded, *risen)]

    def _missiles(self, game_map: GameMap, view: Viewport) -> Iterator[Sprite]:
        """Yield the missiles in flight, between tiles."""
        for flight in self._turn.flights:
            place = flight.at(self._now)
            if place and _is_seen(game_map, view, place):
                yield flight.sprite(self._now, view)

    def _particles_in_view(self, game_map: GameMap, view: Viewport) -> Particles:
        """Return the particles and the soft light of glows over tiles in sight, in map cells.

        They form one set of arrays, so that a backend draws all of them in two calls.
        """
        corner = np.array([view.left, view.top], np.float32)
        lights = [
            (x + 0.5, y + 0.5, *(part / 255 for part in glow.color), GLOW_STRENGTH * share)
            for glow in self._turn.glows
            if (share := glow.share(self._now))
            for x, y in glow.tiles
        ]
        light = np.array(lights, np.float32).reshape(-1, 6)
        sizes, glows = np.full(len(light), GLOW_SIZE, np.float32), np.ones(len(light), bool)
        pictures = np.zeros(len(light), np.int64)
        particles = Particles(light[:, :2], sizes, pictures, light[:, 2:], glows)
        if self._particles:
            particles |= self._particles.at(self._now)[0]
        particles = particles.taken(_seen_places(game_map, view, particles.places))
        return particles._replace(places=particles.places - corner)

    def _draw(self, console: Console, game_map: GameMap, view: Viewport) -> None:
        """Draw the animations in the cells of ``console`` that the hero sees."""
        for flight in self._turn.flights:
            place = flight.at(self._now)
            if place and (cell := _cell(console, game_map, view, place)) is not None:
                cell["ch"], cell["fg"] = flight.code_point, flight.color
        for glow in self._turn.glows:
            share = 0.75 * glow.share(self._now)
            for place in glow.tiles if share else ():
                if (cell := _cell(console, game_map, view, place)) is not None:
                    cell["bg"] = blend(as_color(cell["bg"]), glow.color, share)
        if self._particles:
            self._draw_glyphs(console, game_map, view, self._particles)

    def _draw_glyphs(
        self, console: Console, game_map: GameMap, view: Viewport, particle_system: ParticleSystem
    ) -> None:
        """Draw particles as characters, on cells of open ground without a creature or item."""
        flying, emitters, ages = particle_system.at(self._now)
        places = np.floor(flying.places).astype(int).tolist()
        colors = (flying.colors[:, :3] * 255).astype(int).tolist()
        for place, color, emitter, age in zip(places, colors, emitters.tolist(), ages, strict=True):
            glyphs = particle_system.glyphs[emitter]
            cell = _cell(console, game_map, view, Point(*place)) if glyphs else None
            if cell is None or is_creature_or_item(code := int(cell["ch"])):
                continue
            if plain_char(code) != "#":
                cell["ch"], cell["fg"] = ord(glyphs[int(age * len(glyphs))]), color


DIMMED, NEAR, FAR = 0.8, 2.5, 9.0
"""The light that `spotlight` removes, and the tiles at which darkening begins and is complete."""


def spotlight(frame: Frame, column: int, row: int) -> None:
    """Darken the map except around a cell of the map console, to show the last blow."""
    assert frame.map is not None
    across, down = np.arange(frame.map.width + 1), np.arange(frame.map.height + 1)
    radius = np.hypot(across[None, :] - column - 0.5, down[:, None] - row - 0.5)
    keep = 1 - DIMMED * np.clip((radius - NEAR) / (FAR - NEAR), 0, 1).astype(np.float32)[..., None]
    if frame.tile_pixels and frame.ground:
        light, glow = frame.ground.light * keep, frame.ground.glow * keep
        frame.ground = frame.ground._replace(light=light, glow=glow)
        return
    for part in ("fg", "bg"):
        frame.map.rgb[part] = (frame.map.rgb[part] * keep[:-1, :-1]).astype(np.uint8)


def _cell(console: Console, game_map: GameMap, view: Viewport, place: Point) -> Any:
    """Return the cell of ``console`` at ``place``, None if it is off screen or out of sight."""
    return view.cell_on(console, place) if _is_seen(game_map, view, place) else None


def _is_seen(game_map: GameMap, view: Viewport, place: Point) -> bool:
    return game_map.contains(*place) and bool(view.reveal or game_map.visible[place.y, place.x])


def _seen_places(game_map: GameMap, view: Viewport, places: NDArray[np.float32]) -> Mask:
    """Return which of ``places`` [n, 2] lie over tiles in sight: bool [n]."""
    x, y = np.floor(places).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < game_map.width) & (y < game_map.height)
    columns, rows = x.clip(0, game_map.width - 1), y.clip(0, game_map.height - 1)
    seen: Mask = inside & (game_map.visible[rows, columns] | view.reveal)
    return seen


BARE = (
    *(Tile.FLOOR, Tile.TUNNEL, Tile.ROAD, Tile.SAND, Tile.CARPET, Tile.BRIDGE, Tile.GRASS),
    *(Tile.RUBBLE, Tile.STAIN, Tile.ICE, Tile.MOSS, Tile.BONES),
)
"""Tiles on which decals can be seen."""
TINT = 0.35
"""The share of its colour that a decal adds to a cell's background if there are no pixels."""


class Decals:
    """Marks that stay on the ground: blood where creatures were hit, scorch marks after fires.

    They are colours by level and world coordinates. They belong to the picture, not to the state:
    a run that is continued later begins with the decals of its last turns.
    """

    def __init__(self) -> None:
        self._levels = defaultdict[str, dict[tuple[int, int], str]](dict)

    def add(self, decals: Iterable[tuple[tuple[int, int], str]], game_map: GameMap) -> None:
        """Add ``decals``, in coordinates of ``game_map``."""
        for place, color in decals:
            self._levels[game_map.name][game_map.world_place(*place)] = color

    def draw(self, frame: Frame, state: GameState, view: Viewport) -> None:
        """Draw the decals of the level of ``state``: fringes if there are pixels, else tints."""
        decals = list(self._in_view(frame, state, view))
        if not decals or frame.map is None:
            return
        if frame.tile_pixels and frame.ground:
            places, numbers, colors = zip(*decals, strict=True)
            old = frame.ground.fringes
            new = (np.array(places), np.array(numbers), np.array(colors, np.uint8))
            fringes = (np.concatenate(parts) for parts in zip(*[old, new], strict=True))
            frame.ground = frame.ground._replace(fringes=Fringes(*fringes))
            return
        for (column, row), _, shade in decals:
            cell = frame.map.rgb[row, column]
            cell["bg"] = blend(as_color(cell["bg"]), shade, TINT)

    def _in_view(
        self, frame: Frame, state: GameState, view: Viewport
    ) -> Iterator[tuple[tuple[int, int], int, Color]]:
        """Yield the decals on known bare ground: cell of the map console, fringe number, colour."""
        game_map, area = state.map, frame.map
        scorch = particle_table().decals["fire"]
        self.add(((burning, scorch) for burning in game_map.fires), game_map)
        for (x, y), color in self._levels[game_map.name].items() if area else ():
            place = Point(x - game_map.origin[0], y - game_map.origin[1])
            column, row = place.x - view.left, place.y - view.top
            inside = area and 0 <= column < area.width and 0 <= row < area.height
            if not (inside and game_map.contains(*place)):
                continue
            known = view.reveal or game_map.explored[place.y, place.x]
            if known and int(game_map.tiles[place.y, place.x]) in BARE:
                yield (column, row), DECALS_FROM + (x * 5 + y * 3) % DECAL_VARIANTS, rgb(color)
