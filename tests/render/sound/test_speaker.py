"""The speaker plays on a thread of its own, ends with the program, and needs no device."""

import subprocess
import sys
import threading
import time

import numpy as np

from render.sound.speaker import FADE_SECONDS, Mixer, Speaker
from render.sound.synthesis import RATE
from render.ui.frame import SoundCue
from support.paths import ROOT

BLOW = SoundCue("blow", 1.0, 1.05, 0.0)


class FakeStream:
    def __init__(self):
        self.gain = self.frequency_ratio = 1.0
        self.played = []
        self.closed = False

    @property
    def queued_samples(self):
        return sum(map(len, self.played))

    def queue_audio(self, samples):
        assert samples.dtype == np.float32
        self.played.append(samples)

    def flush(self):
        pass

    def close(self):
        self.closed = True


class FakeDevice:
    def __init__(self):
        self.streams = []

    def new_stream(self, **_):
        self.streams.append(FakeStream())
        return self.streams[-1]


def test_each_sound_has_a_stream_with_its_gain_pitch_and_delay():
    device = FakeDevice()
    Mixer(device).play([BLOW, BLOW._replace(gain=0.5, delay=0.1)], "", 0.8, 0.0)
    first, second = [stream for stream in device.streams if stream.played]
    assert (first.gain, first.frequency_ratio) == (0.8, 1.05)
    assert second.gain == 0.4
    assert second.queued_samples - first.queued_samples == round(0.1 * RATE)


def test_more_sounds_than_streams_are_left_out():
    device = FakeDevice()
    mixer = Mixer(device)
    for _ in range(5):
        mixer.play([BLOW] * 6, "", 1.0, 0.0)
    assert all(len(stream.played) == 2 for stream in device.streams)


def test_one_ambience_fades_into_another_and_is_renewed():
    device = FakeDevice()
    mixer = Mixer(device)
    mixer.play([], "halls", 1.0, 0.4)
    pause, steps = mixer.update_loops(), 1
    while pause < 1:
        pause, steps = mixer.update_loops(), steps + 1
    halls = device.streams[-1]
    assert halls.gain == 0.4
    assert steps * 0.05 >= FADE_SECONDS - 0.1
    halls.played.clear()
    mixer.update_loops()
    assert halls.queued_samples > 5 * RATE
    mixer.play([], "cave", 1.0, 0.4)
    while mixer.update_loops() < 1:
        pass
    assert halls.closed
    assert device.streams[-1].gain == 0.4


def test_volumes_at_zero_open_nothing():
    speaker = Speaker()
    speaker.play([BLOW], "halls", 0.0, 0.0)
    assert threading.active_count() == 1 or "sound" not in [t.name for t in threading.enumerate()]
    speaker.close()


def test_without_a_device_no_orders_pile_up(monkeypatch):
    monkeypatch.setattr("render.sound.speaker._open_device", lambda: None)
    speaker = Speaker()
    speaker.play([BLOW], "halls", 0.5, 0.5)
    speaker._thread.join()
    waiting = speaker._orders.qsize()
    for _ in range(5):
        speaker.play([BLOW], "halls", 0.5, 0.5)
    assert speaker._orders.qsize() == waiting
    speaker.close()


SCRIPT = """
import os, sys, time
os.environ["SDL_AUDIODRIVER"] = sys.argv[1]
from render.sound.speaker import Speaker
from render.ui.frame import SoundCue
speaker = Speaker()
began = time.perf_counter()
for _ in range(3):
    speaker.play([SoundCue("blow", 1.0, 1.0, 0.0)], "halls", 0.5, 0.5)
print(time.perf_counter() - began)
time.sleep(0.3)
if len(sys.argv) < 3:
    speaker.close()
"""


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip


def test_a_real_device_is_fed_without_waiting_and_the_program_ends():
    began = time.monotonic()
    done = run("dummy")
    assert done.stderr == ""
    assert float(done.stdout) < 0.2
    assert time.monotonic() - began < 30


def test_without_a_device_nothing_is_said_and_forgetting_to_close_holds_nothing_up():
    assert run("no_such_driver").stderr == ""
    assert run("dummy", "open").stderr == ""
