"""Gradient noise at any points: the formula that `fractal_noise` works out tile by tile."""

import numpy as np

from procgen.gradient_noise import fade
from procgen.position_hash import gradients


def gradient_noise(seed, xs, ys):
    """Return one octave of noise in [-1, 1] at points (``xs``, ``ys``), 0 at whole numbers.

    The arrays broadcast together. Float coordinates lose precision beyond about 2**40;
    `fractal_noise` does not.
    """
    left, top = np.floor(xs), np.floor(ys)
    across, down = xs - left, ys - top
    columns, rows = left.astype(np.int64), top.astype(np.int64)
    u, v = fade(across), fade(down)
    edges = []
    for row, below in ((rows, down), (rows + 1, down - 1.0)):
        ax, ay = gradients(seed, columns, row)
        bx, by = gradients(seed, columns + 1, row)
        near = ax * across
        level = near + (bx * (across - 1.0) - near) * u
        slope = ay + (by - ay) * u
        edges.append(level + slope * below)
    return edges[0] + (edges[1] - edges[0]) * v
