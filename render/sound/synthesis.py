"""Synthesise sounds from the recipes of data/sounds.toml: oscillators, noise, envelopes, filters.

Noise is a hash of sample numbers, so a recipe always gives the same samples.
"""

from functools import cache, lru_cache
from typing import Annotated, Literal
from zlib import crc32

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.data_files import check_names, read_table
from entities.terrain import TILE_NAMES
from procgen.position_hash import hash_points

SOUNDS_FILE = "sounds.toml"
RATE = 22050
"""Samples a second."""
AMBIENCE_PEAK = 0.5
MOST_SECONDS = 20
Samples = NDArray[np.float32]
Wave = NDArray[np.float64]
Above = Annotated[float, Meta(gt=0)]
Least = Annotated[float, Meta(ge=0)]


class Voice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One voice of a sound; data/sounds.toml explains the fields."""

    wave: Literal["sine", "triangle", "square", "saw", "noise"] = "sine"
    pitch: tuple[Above, ...] = (440.0,)
    seconds: Annotated[float, Meta(gt=0, le=MOST_SECONDS)] = 0.2
    attack: Least = 0.003
    decay: Least = 0.0
    gain: Above = 1.0
    delay: Annotated[float, Meta(ge=0, le=MOST_SECONDS)] = 0.0
    low: Least = 0.0
    high: Least = 0.0
    vibrato: tuple[float, float] = (0.0, 0.0)
    count: Annotated[int, Meta(ge=0, le=200)] = 0
    sway: Annotated[float, Meta(ge=0, le=1)] = 0.0
    swells: Annotated[int, Meta(ge=0)] = 0


class SoundRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sum of voices, scaled to the greatest absolute sample ``peak``."""

    voices: Annotated[list[Voice], Meta(min_length=1)]
    peak: Annotated[float, Meta(gt=0, lt=1)] = 0.5


class AmbienceRecipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A loop of ``seconds``."""

    seconds: Annotated[int, Meta(ge=1, le=MOST_SECONDS)]
    voices: Annotated[list[Voice], Meta(min_length=1)]


class SoundTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Recipes, and which of them events, grounds and themes use."""

    sounds: dict[str, SoundRecipe]
    events: dict[str, str]
    grounds: dict[str, list[str]]
    ambience: dict[str, AmbienceRecipe]
    themes: dict[str, str]


@cache
def sound_table() -> SoundTable:
    """Return data/sounds.toml; raise `DataError` for an unknown name in it."""
    table = read_table(SOUNDS_FILE, SoundTable)
    for event, name in table.events.items():
        check_names(f"data/{SOUNDS_FILE}: [events]: {event}", [name], table.sounds, "sound")
    for theme, name in table.themes.items():
        check_names(f"data/{SOUNDS_FILE}: [themes]: {theme}", [name], table.ambience, "ambience")
    for ground, tiles in table.grounds.items():
        check_names(f"data/{SOUNDS_FILE}: [grounds]: {ground}", tiles, TILE_NAMES, "tile")
    return table


@cache
def sound(name: str) -> Samples:
    """Return the sound ``name``: float32 [n], scaled to the recipe's peak."""
    recipe = sound_table().sounds[name]
    length = max(voice.delay + voice.seconds for voice in recipe.voices)
    samples = np.zeros(round(length * RATE) + 1)
    for number, voice in enumerate(recipe.voices):
        played, start = _note(voice, crc32(name.encode()) + number), round(voice.delay * RATE)
        samples[start : start + len(played)] += played
    return _scaled(samples, recipe.peak)


@lru_cache(maxsize=2)
def ambience(name: str) -> Samples:
    """Return a seamless loop of the ambience ``name``: float32 [n]."""
    recipe = sound_table().ambience[name]
    samples = np.zeros(recipe.seconds * RATE)
    for number, voice in enumerate(recipe.voices):
        seed = crc32(name.encode()) + number
        if not voice.count:
            samples += _sustained(voice, len(samples), seed)
            continue
        note = _note(voice, seed)
        starts = _noise(voice.count, seed + 1000) * len(samples)
        for start in starts.astype(int).tolist():
            samples[(start + np.arange(len(note))) % len(samples)] += note
    return _scaled(samples, AMBIENCE_PEAK)


def _note(voice: Voice, seed: int) -> Wave:
    """Return ``voice`` with its envelope."""
    count = max(2, round(voice.seconds * RATE))
    time = np.arange(count) / RATE
    stops = np.linspace(0, voice.seconds, len(voice.pitch))
    pitch = np.exp(np.interp(time, stops, np.log(voice.pitch)))
    speed, depth = voice.vibrato
    pitch *= 1 + depth * np.sin(2 * np.pi * speed * time)
    wave = _filtered(voice, _oscillator(voice.wave, np.cumsum(pitch) / RATE, seed))
    ease = min(voice.seconds / 4, 0.01)
    edges = np.minimum(time / max(voice.attack, 1e-4), (voice.seconds - time) / ease)
    envelope = np.clip(edges, 0, 1) * np.exp(-voice.decay * time / voice.seconds)
    return np.asarray(wave * envelope * voice.gain / max(1e-9, np.abs(wave).max()))


def _sustained(voice: Voice, count: int, seed: int) -> Wave:
    """Return ``voice`` for a loop of ``count`` samples, in whole periods so that its ends join."""
    turns = np.arange(count) / count
    periods = turns * round(voice.pitch[0] * count / RATE)
    wave = _filtered(voice, _oscillator(voice.wave, periods, seed))
    swell = 1 - voice.sway * (0.5 + 0.5 * np.cos(2 * np.pi * (voice.swells * turns + seed % 7 / 7)))
    return np.asarray(wave * swell * voice.gain / max(1e-9, np.abs(wave).max()))


def _oscillator(wave: str, turns: Wave, seed: int) -> Wave:
    """Return a wave from -1 to 1 at the phases ``turns``, counted in periods, or noise."""
    phase = turns % 1
    match wave:
        case "noise":
            return _noise(len(turns), seed)
        case "triangle":
            return 4 * np.abs(phase - 0.5) - 1
        case "square":
            return np.where(phase < 0.5, 1.0, -1.0)
        case "saw":
            return 2 * phase - 1
    return np.asarray(np.sin(2 * np.pi * turns))


def _noise(count: int, seed: int) -> Wave:
    """Return white noise from 0 to 1."""
    columns = np.arange(count, dtype=np.int64)
    return np.asarray(hash_points(seed, columns, np.zeros(1, np.int64)) / 2.0**64)


def _filtered(voice: Voice, wave: Wave) -> Wave:
    """Return ``wave`` after the voice's low-pass and high-pass (second-order Butterworth).

    The filter is applied to the spectrum, so a loop stays seamless.
    """
    spectrum = np.fft.rfft(wave - wave.mean())
    pitch = np.fft.rfftfreq(len(wave), 1 / RATE)
    if voice.low:
        spectrum /= np.sqrt(1 + (pitch / voice.low) ** 4)
    if voice.high:
        spectrum /= np.sqrt(1 + (voice.high / np.maximum(pitch, 1e-9)) ** 4)
    return np.asarray(np.fft.irfft(spectrum, len(wave)))


def _scaled(samples: Wave, peak: float) -> Samples:
    """Return ``samples`` with the greatest absolute value ``peak``: float32 [n]."""
    return np.asarray(samples * (peak / max(1e-9, np.abs(samples).max())), np.float32)
