"""Plays sounds through SDL: a thread feeds streams that SDL mixes, so that no frame waits.

Without an audio device it is silent and reports no error.
"""

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue

import numpy as np
import tcod.sdl.audio
import tcod.sdl.sys
from tcod.sdl.audio import AudioDevice, AudioStream

from render.sound.synthesis import RATE, ambience, sound
from render.ui.frame import SoundCue

STREAMS = 12
"""The most sounds that are played at a time; more are left out."""
FADE_SECONDS, FADE_STEP, CHECK_SECONDS = 1.2, 0.05, 2.0
"""Seconds of a cross-fade between two ambiences, of a step of it, and between checks of a loop."""
STDERR = 2


_Order = tuple[Sequence[SoundCue], str, float, float]
"""The arguments of `Mixer.play`."""


class Speaker:
    """Passes orders to the thread that owns the audio device; the first audible one opens it."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[_Order | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._last: tuple[str, float, float] = ("", 0.0, 0.0)

    def play(self, cues: Sequence[SoundCue], loop: str, effects: float, background: float) -> None:
        """Play ``cues`` and the ambience ``loop`` ("" for none); return at once."""
        state = (loop if background else "", effects, background)
        cues = cues if effects else ()
        if not cues and state == self._last:
            return
        self._last = state
        if self._thread is None:
            if not cues and not state[0]:
                return
            self._thread = threading.Thread(target=self._run, name="sound", daemon=True)
            self._thread.start()
        if self._thread.is_alive():  # It has ended if there is no audio device.
            self._orders.put((cues, *state))

    def close(self) -> None:
        """Stop everything and release the device."""
        if self._thread:
            self._orders.put(None)
            self._thread.join(timeout=2.0)

    def _run(self) -> None:
        if device := _open_device():
            mixer = Mixer(device)
            while order := self._next(mixer):
                mixer.play(*order)
            mixer.close()

    def _next(self, mixer: "Mixer") -> _Order | None:
        """Wait for the next order and return it; meanwhile keep the ambience playing."""
        while True:
            try:
                return self._orders.get(timeout=mixer.update_loops())
            except Empty:
                continue


class Mixer:
    """The streams of an audio device: several for sounds, one for each ambience being played."""

    def __init__(self, device: AudioDevice) -> None:
        self._device = device
        self._streams = [self._new_stream() for _ in range(STREAMS)]
        self._loops: dict[str, AudioStream] = {}
        self._levels: dict[str, float] = {}
        self._wanted = ""
        self._background = 0.0

    def _new_stream(self) -> AudioStream:
        return self._device.new_stream(format=np.float32, channels=1, frequency=RATE)

    def play(self, cues: Sequence[SoundCue], loop: str, effects: float, background: float) -> None:
        """Play ``cues`` and change to the ambience ``loop``, at these volumes, 0 to 1."""
        free = (stream for stream in self._streams if not stream.queued_samples)
        for cue, stream in zip(cues, free, strict=False):
            stream.gain, stream.frequency_ratio = cue.gain * effects, cue.pitch
            stream.queue_audio(np.zeros(round(cue.delay * RATE) + 1, np.float32))
            stream.queue_audio(sound(cue.name))
            stream.flush()
        self._wanted, self._background = loop, background
        if self._wanted and self._wanted not in self._loops:
            self._loops[self._wanted], self._levels[self._wanted] = self._new_stream(), 0.0

    def update_loops(self) -> float:
        """Refill loops and fade them in and out; return the seconds until the next call is due."""
        fading = False
        for name, stream in [*self._loops.items()]:
            goal = float(name == self._wanted)
            level = self._levels[name]
            step = FADE_STEP / FADE_SECONDS
            level = min(goal, level + step) if goal > level else max(goal, level - step)
            fading |= level != goal
            self._levels[name], stream.gain = level, level * self._background
            if level == goal == 0:
                self._loops.pop(name).close()
            elif stream.queued_samples < CHECK_SECONDS * 2 * RATE:
                stream.queue_audio(ambience(name))
        return FADE_STEP if fading else CHECK_SECONDS

    def close(self) -> None:
        """Release streams and device."""
        for stream in (*self._streams, *self._loops.values()):
            stream.close()
        self._device.close()
        tcod.sdl.sys.quit(tcod.sdl.sys.Subsystem.AUDIO)


def _open_device() -> AudioDevice | None:
    """Return the default audio device, None if there is none."""
    with suppress(RuntimeError), _quiet_stderr():
        playback = tcod.sdl.audio.get_default_playback()
        return playback.open(format=np.float32, channels=1, frequency=RATE)
    return None


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Discard output of C libraries to standard error: ALSA prints long warnings there."""
    try:
        saved = os.dup(STDERR)
    except OSError:  # Standard error is closed.
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, STDERR)
        yield
    finally:
        os.dup2(saved, STDERR)
        os.close(saved)
        os.close(nowhere)
