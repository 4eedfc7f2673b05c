"""Rivers against twins: where they spring, which reach a window, how deep they lie in it."""

from itertools import product

import numpy as np
import pytest

from procgen.gradient_noise import fractal_noise
from procgen.infinite.elevation import TerrainHeights, drainage_elevation, elevation, moisture
from procgen.infinite.rivers import (
    BANK_WIDTH,
    LONGEST,
    PITCH,
    RiverSegment,
    _springs,
    river_segments,
    water_depth,
)
from procgen.position_hash import position_noise, purpose_seed

HEIGHTS = TerrainHeights(-0.2, -0.15, 0.2, 0.34)


@pytest.mark.parametrize("heights", [HEIGHTS, TerrainHeights(-0.3, -0.25, 0.05, 0.2)])
def test_rivers_spring_on_some_moist_ground_halfway_from_the_shore_to_the_hills(heights):
    corner, side = (40, -9), 70
    rise = elevation(6, corner, side, side, PITCH)
    damp = moisture(6, corner, side, side, PITCH)
    luck = position_noise(6, "springs", corner, side, side)
    wanted = [
        y * side + x
        for y, x in product(range(side), repeat=2)
        if 2 * rise[y, x] > heights.shore + heights.hills and damp[y, x] > -0.15 and luck[y, x] < 12
    ]
    assert wanted
    assert _springs(6, corner, rise, heights).tolist() == wanted


def slow_segments(seed, corner, side, heights):
    """Follow the water of every spring around the window downhill, point by point."""
    left, top = (n // PITCH - LONGEST - 2 for n in corner)
    count = side // PITCH + 2 * LONGEST + 6
    rise = elevation(seed, (left, top), count, count, PITCH)
    slope = drainage_elevation(seed, (left, top), count, count, PITCH)
    flow, below = {}, {}
    for spring in _springs(seed, (left, top), rise, heights).tolist():
        y, x = divmod(spring, count)
        course = [(x, y)]
        while len(course) <= LONGEST + 1:
            around = [
                (slope[b, a], b, a)
                for b, a in product(range(y - 1, y + 2), range(x - 1, x + 2))
                if (a, b) != (x, y) and 0 <= a < count and 0 <= b < count
            ]
            if rise[y, x] < heights.sea - 0.12 or min(around)[0] >= slope[y, x]:
                below[x, y] = (x, y)
                break
            _, y, x = min(around)
            below[course[-1]] = (x, y)
            course.append((x, y))
        if below.get(course[-1]) == course[-1] and len(course) <= LONGEST + 1:
            for point in course:
                flow[point] = flow.get(point, 0) + 1
    found = []
    for x, y in sorted(flow, key=lambda point: point[::-1]):
        ends = [
            ((a + left) * PITCH - corner[0], (b + top) * PITCH - corner[1])
            for a, b in ((x, y), below[x, y])
        ]
        if all(-3 * PITCH < n < side + 3 * PITCH for n in ends[0]):
            found.append(RiverSegment(*ends[0], *ends[1], flow[x, y]))
    return found


WINDOWS = [((0, 0), 352), ((-1007, 2050), 200), ((4096, -4096), 96)]


@pytest.mark.parametrize(("corner", "side"), WINDOWS)
def test_segments_are_those_of_water_followed_point_by_point(corner, side):
    for seed in (21, 3):
        found = river_segments(seed, corner, side, HEIGHTS)
        assert found == slow_segments(seed, corner, side, HEIGHTS)


@pytest.mark.parametrize(("corner", "side"), WINDOWS[:2])
def test_water_is_as_deep_as_the_nearest_bent_segment_lets_it(corner, side):
    def bend(purpose):
        own = purpose_seed(21, purpose)
        return 11 * fractal_noise(own, *corner, side, side, scale=1 / 32, octaves=2)

    xs, ys = bend("bend x") + np.arange(side), bend("bend y") + np.arange(side)[:, None]
    wanted = np.full((side, side), -1.0)
    segments = river_segments(21, corner, side, HEIGHTS)
    assert segments
    for x, y, to_x, to_y, flow in segments:
        dx, dy = to_x - x, to_y - y
        along = np.clip(((xs - x) * dx + (ys - y) * dy) / max(1, dx * dx + dy * dy), 0, 1)
        off = np.hypot(xs - x - along * dx, ys - y - along * dy)
        half = min(3.2, 0.7 + 0.35 * flow) + (6 if (dx, dy) == (0, 0) else 0)
        wanted = np.maximum(wanted, np.minimum(1, (half - off) / BANK_WIDTH))
    assert np.allclose(water_depth(21, corner, side, HEIGHTS), wanted, atol=1e-9)
