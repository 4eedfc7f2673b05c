"""Gradient noise: the same everywhere, whoever looks and from wherever."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from procgen.gradient_noise import fractal_noise, noise_octaves
from support.point_noise import gradient_noise

FAR = 2**45

GOLDEN = [
    "0x1.886029c21f588p-9",
    "0x1.0c0da4cd9765cp-4",
    "0x1.30bb48a9f831ap-6",
    "-0x1.e171ac5f4c106p-3",
    "-0x1.f19f9e0409002p-3",
    "-0x1.8628a977c5a9dp-3",
    "-0x1.09d2cb81d2931p-3",
    "-0x1.9854a69545a01p-3",
]
GOLDEN_FAR = ["-0x1.a9f46abe31296p-2", "-0x1.664accdb121c7p-1", "-0x1.46a98bbb800d1p-1"]
GOLDEN_POINTS = ["-0x1.16fc7dceb4840p-2", "-0x1.4ea63b5084680p-4", "0x1.0f2c3d1691cafp-2"]


def hexes(values):
    return [float(value).hex() for value in values.ravel()]


def test_values_are_the_same_to_the_last_bit_for_ever():
    assert hexes(fractal_noise(42, 0, 0, 4, 2)) == GOLDEN
    assert hexes(fractal_noise(42, FAR + 3, -(2**50), 3, 1)) == GOLDEN_FAR
    points = np.array([0.5, -1.25, 1e9 + 0.25]), np.array([0.5, 3.75, -2.5])
    assert hexes(gradient_noise(7, *points)) == GOLDEN_POINTS


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**64 - 1),
    st.integers(-(2**60), 2**60),
    st.integers(-(2**60), 2**60),
    st.integers(0, 30),
    st.integers(0, 20),
)
def test_a_tile_has_one_value_in_every_window(seed, x, y, dx, dy):
    window = fractal_noise(seed, x, y, 31, 21)
    alone = fractal_noise(seed, x + dx, y + dy, 1, 1)
    assert window[dy, dx] == alone[0, 0]


@pytest.mark.parametrize("corner", [(0, 0), (-17, 5), (FAR, -FAR), (2**70, -(2**66))])
def test_neighbouring_windows_fit_without_a_seam(corner):
    x, y = corner
    whole = fractal_noise(3, x, y, 40, 40)
    halves = [fractal_noise(3, x + dx, y, 20, 40) for dx in (0, 20)]
    assert np.array_equal(whole, np.hstack(halves))
    assert np.abs(np.diff(whole, axis=1)).max() < 0.6


def test_one_octave_is_gradient_noise():
    one = next(noise_octaves(7, -9, 5, 60, 40, scale=0.0625, octaves=1))
    xs, ys = (np.arange(60) - 9) * 0.0625, (np.arange(40) + 5) * 0.0625
    grown = gradient_noise(7, xs[None, :], ys[:, None])
    inside = np.abs(one) < 1
    assert np.array_equal(one[inside], (1.75 * grown)[inside])


def test_one_octave_is_zero_on_the_lattice_and_never_beyond_one():
    whole = np.arange(-20.0, 20.0)
    assert not gradient_noise(5, whole[None, :], whole[:, None]).any()
    fine = np.arange(0, 60, 0.0625)
    values = gradient_noise(5, fine[None, :1000], fine[:, None])
    assert np.abs(values).max() <= 1
    assert np.abs(values).max() > 0.9


def test_four_octaves_fill_the_range_as_documented():
    values = np.concatenate([fractal_noise(seed, 0, 0, 400, 400).ravel() for seed in range(6)])
    assert values.min() >= -1
    assert values.max() <= 1
    assert abs(values.mean()) < 0.02
    assert (np.abs(values) == 1).mean() < 0.002
    shares = [(values < -0.3).mean(), ((values >= -0.3) & (values < 0)).mean()]
    assert shares == pytest.approx([0.19, 0.31], abs=0.02)


def test_noise_does_not_repeat_and_seeds_do_not_resemble_each_other():
    here = fractal_noise(1, 0, 0, 300, 300).ravel()
    for other in (
        fractal_noise(2, 0, 0, 300, 300),
        fractal_noise(1, 256 * 10, 0, 300, 300),
        fractal_noise(1, 2**32 * 10, 0, 300, 300),
        fractal_noise(1, 0, 0, 300, 300).T,
    ):
        assert abs(np.corrcoef(here, other.ravel())[0, 1]) < 0.12


def test_layers_grow_into_the_whole():
    layers = [layer.clip(-1, 1) for layer in noise_octaves(9, 0, 0, 50, 30, octaves=3)]
    assert len(layers) == 3
    assert np.array_equal(layers[-1], fractal_noise(9, 0, 0, 50, 30, octaves=3))
    assert not np.array_equal(layers[0], layers[1])
