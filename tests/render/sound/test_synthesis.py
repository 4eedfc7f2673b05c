"""Sounds are samples that can be checked: shape, peak, spectrum, and the same every time."""

import numpy as np
import pytest

from entities.data_files import DATA, DataError
from render.sound import synthesis
from render.sound.synthesis import RATE, SOUNDS_FILE, ambience, sound, sound_table
from render.ui.palette import themes
from support.other_data import read_from


def middle(samples):
    """Return the mean frequency of a sound in Hz, weighted by power."""
    power = np.abs(np.fft.rfft(samples)) ** 2
    return (power * np.fft.rfftfreq(len(samples), 1 / RATE)).sum() / power.sum()


@pytest.mark.parametrize("name", sound_table().sounds)
def test_a_sound_is_as_long_and_loud_as_its_recipe_and_ends_in_silence(name):
    recipe, samples = sound_table().sounds[name], sound(name)
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    assert np.isfinite(samples).all()
    assert np.abs(samples).max() == pytest.approx(recipe.peak, abs=1e-5)
    assert recipe.peak < 1
    length = max(voice.delay + voice.seconds for voice in recipe.voices)
    assert len(samples) / RATE == pytest.approx(length, abs=0.001)
    assert np.abs(samples[-20:]).max() < 0.02
    assert abs(samples[0]) < 0.1  # A sound that begins with a jump clicks.


def test_a_sound_is_the_same_every_time():
    first = sound("fire").copy()
    sound.cache_clear()
    assert np.array_equal(sound("fire"), first)
    assert sound("fire") is not first


def test_no_two_sounds_have_the_same_spectrum():
    spectra = {}
    for name in sound_table().sounds:
        power = np.abs(np.fft.rfft(sound(name), 2**16)) ** 2
        bands = np.add.reduceat(power, np.geomspace(1, len(power) - 1, 24).astype(int))
        spectra[name] = bands / np.linalg.norm(bands)
    names = list(spectra)
    for place, one in enumerate(names):
        for other in names[place + 1 :]:
            assert spectra[one] @ spectra[other] < 0.995, (one, other)


def test_sounds_are_as_high_as_they_should_be():
    assert middle(sound("step")) < middle(sound("step_grass"))
    assert middle(sound("hurt")) < middle(sound("miss")) < 8000
    assert middle(sound("death")) < 400 < middle(sound("coins"))


@pytest.mark.parametrize("name", sound_table().ambience)
def test_an_ambience_is_a_quiet_loop_without_a_seam(name):
    loop = ambience(name)
    assert loop.dtype == np.float32
    assert len(loop) == sound_table().ambience[name].seconds * RATE
    assert np.abs(loop).max() <= 0.5 + 1e-6
    steps = np.abs(np.diff(loop))
    assert abs(loop[0] - loop[-1]) <= max(steps.max(), 1e-3)
    quarters = np.array_split(loop, 4)
    assert min(np.abs(quarter).max() for quarter in quarters) > 0.01


def test_themes_and_sounds_are_all_used():
    table = sound_table()
    assert set(table.events.values()) == set(table.sounds)
    assert set(table.themes) <= set(themes())
    assert {*table.themes.values(), "halls"} == set(table.ambience)


@pytest.mark.parametrize(("change", "complaint"), [
    (('"struck" = "blow"', '"struck" = "blew"'), "struck: there is no sound 'blew'"),
    (('moss = "cave"', 'moss = "pit"'), "there is no ambience 'pit'"),
    (('["water", "shallows"]', '["watr"]'), "there is no tile 'watr'"),
    (("peak = 0.16", "peak = 1.5"), "peak"),
    (('wave = "noise"', 'wave = "drum"'), "drum"),
    (("seconds = 0.07", "seconds = 700"), "seconds"),
])  # fmt: skip
def test_faults_in_the_data_are_named(tmp_path, change, complaint):
    text = (DATA / SOUNDS_FILE).read_text()
    assert change[0] in text
    (tmp_path / SOUNDS_FILE).write_text(text.replace(*change, 1))
    with pytest.raises(DataError, match=complaint):
        read_from(tmp_path, synthesis.sound_table)
