"""Where everything on the window lies, by arithmetic alone."""

import pytest

from render.backends.window_layout import (
    TEXT_HEIGHTS,
    TILE_SIZES,
    WindowLayout,
    largest_text,
    nearest_size,
)
from render.ui.frame import Frame, Rect


def test_first_sizes_and_notches():
    assert largest_text((1280, 800), 40, (128, 40)) == 20
    assert largest_text((2560, 1600), 40, (128, 40)) == 40
    assert largest_text((300, 200), 40) == TEXT_HEIGHTS[0]
    assert nearest_size(TILE_SIZES, 24) == 24
    assert nearest_size(TILE_SIZES, 24, 2) == 32
    assert nearest_size(TILE_SIZES, 60, 5) == 64
    assert nearest_size(TILE_SIZES, 16, -3) == 16


def laid_out():
    """80 by 30 cells of 10 by 20 in a window with 7 and 5 pixels to spare; tiles of 24."""
    frame = Frame(80, 30, (2.4, 1.2))
    frame.open_map(Rect(2, 3, 50, 20))
    frame.overlays.append(Rect(40, 5, 30, 4))
    return WindowLayout(frame, (807, 605), (10, 20), 24)


def test_layout():
    layout = laid_out()
    assert layout.origin == (3, 2)
    assert layout.area(Rect(2, 3, 50, 20)) == (23, 62, 500, 400)
    assert layout.area(Rect(70, -2, 50, 20)) == (703, 2, 100, 360)
    # 21 by 17 tiles are 4 by 8 pixels too large: half of that is cut off on each side.
    assert layout.map_area() == (21, 58, 504, 408)


@pytest.mark.parametrize(
    ("pixel", "cell", "spot"),
    [
        ((0.0, 0.0), (0, 0), None),
        ((806.9, 604.9), (79, 29), None),
        ((22.9, 62.0), (1, 3), None),
        ((23.0, 62.0), (2, 3), (0, 0)),
        ((44.9, 81.9), (4, 3), (0, 0)),
        ((45.0, 82.0), (4, 4), (1, 1)),
        ((522.9, 461.9), (51, 22), (20, 16)),
        ((523.0, 461.9), (52, 22), None),
        ((402.9, 110.0), (39, 5), (15, 2)),
        ((403.0, 110.0), (40, 5), None),
        ((403.0, 182.0), (40, 9), (15, 5)),
    ],
)
def test_what_lies_at_a_pixel(pixel, cell, spot):
    assert laid_out().cell_at(*pixel) == cell
    assert laid_out().spot_at(*pixel) == spot


def test_a_map_too_large_for_its_rectangle_is_only_seen_inside():
    layout = laid_out()._replace(tile=64)
    assert layout.spot_at(30.0, 70.0) is not None
    assert layout.spot_at(10.0, 70.0) is None
