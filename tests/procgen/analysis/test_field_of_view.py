"""The field of view against the function of tcod that checks what it is given."""

import numpy as np
from tcod import libtcodpy
from tcod.map import compute_fov

from procgen.analysis.field_of_view import field_of_view, visible_from


def test_it_is_what_tcod_finds_on_any_part_of_a_larger_map():
    rng = np.random.default_rng(1)
    for _ in range(300):
        height, width, radius = rng.integers(1, 30, 3).tolist()
        whole = rng.random((height + 4, width + 4)) > rng.random()
        part = whole[2:-2, 2:-2]
        x, y = int(rng.integers(width)), int(rng.integers(height))
        for reach in (0, radius):
            shadows = libtcodpy.FOV_SYMMETRIC_SHADOWCAST
            expected = compute_fov(part, (y, x), reach, algorithm=shadows)
            assert (visible_from(part, x, y, reach) == expected).all()


def test_a_window_has_what_the_whole_map_has_around_it_and_nothing_else():
    rng = np.random.default_rng(2)
    for _ in range(100):
        open_tiles = rng.random((20, 31)) > 0.2
        x, y, radius = (int(rng.integers(limit)) for limit in (31, 20, 9))
        radius += 1
        window, seen = field_of_view(open_tiles, x, y, radius)
        whole = visible_from(open_tiles, x, y, radius)
        assert (whole[window] == seen).all()
        assert whole.sum() == seen.sum()
        square = field_of_view(open_tiles, x, y, radius, corners=True)[1]
        assert (square | seen == square).all()
