"""Particles that events emit, by the scripts of data/particles.toml.

A particle's path is a function of its age, so a frame can be drawn for any moment without stepping
a simulation. Random values are hashes, so no random stream changes.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.creature_kinds import creature_kinds
from entities.data_files import check_names, read_table
from entities.item_kinds import item_kinds
from procgen.blueprint import Point
from procgen.position_hash import hash_points
from render.tiles.tile_canvas import PARTICLES
from render.ui.frame import Color, Particles
from render.ui.palette import Interface, creature_colors, rgb

PARTICLES_FILE = "particles.toml"
Floats = NDArray[np.float32]
Span = tuple[float, float]
Shade = Annotated[str, Meta(pattern="^(own|#[0-9a-f]{6})$")]
STOPS = 4
"""The number of colours that a particle passes through in its life."""
SPREAD, RIM = 0.22, 0.4
"""The most tiles from the middle of its tile at which a particle starts, and those in a ring."""


class ParticleScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A way to emit particles; data/particles.toml explains the fields."""

    speed: Span
    life: Span
    size: Span
    colors: Annotated[list[Shade], Meta(min_length=1, max_length=STOPS)]
    shape: Literal["burst", "ring", "rise", "trail"] = "burst"
    count: Annotated[int, Meta(ge=1, le=40)] = 8
    along: float = 0.0
    gravity: float = 0.0
    opacity: float = 1.0
    picture: str = "soft"
    glows: bool = False
    glyphs: str = ""


class GlowScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The glow of the tiles of an event: an interface colour or ``own``, and its fading time."""

    color: str
    seconds: Annotated[float, Meta(gt=0)]


class ParticleTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Scripts, the scripts of each event, glows, and the colours of decals ("" for none).

    ``effects`` and ``missiles`` are names of creature colours.
    """

    scripts: dict[str, ParticleScript]
    events: dict[str, list[str]]
    glows: dict[str, GlowScript]
    decals: dict[str, str]
    effects: dict[str, str]
    missiles: dict[str, str]


@cache
def particle_table() -> ParticleTable:
    """Return data/particles.toml; raise `DataError` for an unknown script, picture or missile."""
    table = read_table(PARTICLES_FILE, ParticleTable)
    for event, names in table.events.items():
        check_names(f"data/{PARTICLES_FILE}: [events]: {event}", names, table.scripts, "script")
    glows = {event: glow.color for event, glow in table.glows.items()}
    for section, chosen, allowed in (
        ("glows", glows, {"own", *Interface.__struct_fields__}),
        ("effects", table.effects, {*creature_colors()}),
        ("missiles", table.missiles, {*creature_colors()}),
    ):
        for field, color in chosen.items():
            check_names(f"data/{PARTICLES_FILE}: [{section}]: {field}", [color], allowed, "colour")
    for name, script in table.scripts.items():
        where = f"data/{PARTICLES_FILE}: [scripts.{name}]: picture"
        check_names(where, [script.picture], PARTICLES, "picture")
    for name, kind in creature_kinds().items():
        if attack := kind.traits.ranged_attack:
            where = f"data/creatures.toml: [{name}]: traits.ranged_attack.missile"
            known = {*table.missiles, *item_kinds()}
            check_names(where, [attack.missile], known, "item or missile")
    return table


class ParticleEmitter(NamedTuple):
    """Emits the particles of one script at ``places``, from the time ``start`` on.

    ``toward`` is the direction of a blow, ``pace`` the seconds between two tiles of a trail.
    """

    script: ParticleScript
    places: tuple[Point, ...]
    color: Color
    start: float
    toward: tuple[float, float] = (0.0, 0.0)
    pace: float = 0.0

    @property
    def end(self) -> float:
        """The time at which the last particle disappears, in seconds."""
        return self.start + self.pace * len(self.places) + self.script.life[1]


class ParticleSystem:
    """The particles of a turn, of all emitters, as arrays with one entry per particle."""

    def __init__(self, emitters: Sequence[ParticleEmitter], seed: int) -> None:
        self.glyphs = [emitter.script.glyphs for emitter in emitters]
        parts = [_thrown(emitter, seed + number) for number, emitter in enumerate(emitters)]
        joined = [np.concatenate(column).astype(np.float32) for column in zip(*parts, strict=True)]
        self._from, self._speed, self._start, self._life, self._sizes, self._ramps, more = joined
        self._more = more
        self._emitter = np.repeat(np.arange(len(parts)), [len(part[0]) for part in parts])

    def at(self, time: float) -> tuple[Particles, NDArray[np.int64], Floats]:
        """Return the particles alive at ``time``, the emitter of each, and their ages from 0 to 1.

        Places are in tiles of the map.
        """
        ages = (np.float32(time) - self._start) / self._life
        alive = (ages >= 0) & (ages < 1)
        age, gone = ages[alive], (ages * self._life)[alive]
        gravity, opacity, picture, glows = self._more[alive].T
        places = self._from[alive] + self._speed[alive] * gone[:, None]
        places[:, 1] += gravity * gone**2 / 2
        sizes = self._sizes[alive]
        size = sizes[:, 0] + (sizes[:, 1] - sizes[:, 0]) * age
        stop = age * (STOPS - 1)
        index, share = stop.astype(int), (stop % 1)[:, None]
        ramp, each = self._ramps[alive], np.arange(len(age))
        color = ramp[each, index] * (1 - share) + ramp[each, index + 1] * share
        alpha = opacity * np.clip(2 * (1 - age), 0, 1)
        colors = np.concatenate([color, alpha[:, None]], axis=1).astype(np.float32)
        particles = Particles(places, size, picture.astype(np.int64), colors, glows > 0)
        return particles, self._emitter[alive], age


def _thrown(emitter: ParticleEmitter, seed: int) -> tuple[NDArray[Any], ...]:
    """Return the particles of ``emitter``: places, speeds, starts, lives, sizes, colours, more."""
    script, tiles = emitter.script, np.array(emitter.places, np.float64).reshape(-1, 2)
    count = script.count * len(tiles)
    number = np.arange(count, dtype=np.int64)[:, None]
    chance = hash_points(seed, number, np.arange(6, dtype=np.int64)) / 2.0**64
    where = np.repeat(tiles, script.count, axis=0) + 0.5
    turn = 2 * math.pi * chance[:, 0]
    spread = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    speed = script.speed[0] + (script.speed[1] - script.speed[0]) * chance[:, 1:2]
    if script.shape == "rise":
        where += chance[:, 2:4] * (0.8, 0.5) - (0.4, 0.1)
        motion = np.concatenate([0.25 * spread[:, :1], -np.ones((count, 1))], axis=1) * speed
    elif script.shape == "ring":
        turn = 2 * math.pi * (number[:, 0] % script.count) / script.count
        rim = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        where, motion = where + rim * RIM, rim * speed
    else:
        where += spread * SPREAD * chance[:, 2:3]
        motion = spread * speed + np.array(emitter.toward) * script.along * chance[:, 3:4]
    start = emitter.start + emitter.pace * np.repeat(np.arange(len(tiles)), script.count)
    life = script.life[0] + (script.life[1] - script.life[0]) * chance[:, 4]
    sizes = np.array(script.size) * (0.7 + 0.6 * chance[:, 5:6])
    shades = [emitter.color if name == "own" else rgb(name) for name in script.colors]
    stops = np.linspace(0, len(shades) - 1, STOPS).round().astype(int)
    ramp = np.broadcast_to(np.array(shades)[stops] / 255, (count, STOPS, 3))
    more = [script.gravity, script.opacity, list(PARTICLES).index(script.picture), script.glows]
    return where, motion, start, life, sizes, ramp, np.broadcast_to(np.array(more), (count, 4))
