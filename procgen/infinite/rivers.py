"""Rivers: from springs in moist uplands downhill to a lake or the sea (D8 flow routing).

Elevation is sampled on a coarse lattice whose points drain to their lowest neighbour. Only a
spring whose water comes to rest within `LONGEST` steps becomes a river: so a window needs to know
only that many points around it, and every window sees the same rivers. The lattice is warped by
noise when rivers are drawn, or they would run along its lines.
"""

from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from procgen.chunk import Corner
from procgen.gradient_noise import purpose_noise
from procgen.infinite.elevation import TerrainHeights, drainage_elevation, elevation, moisture
from procgen.position_hash import Floats, position_noise

PITCH = 16
"""Tiles between two points of the lattice."""
LONGEST = 44
"""The most steps of a river."""
BEND, WINDING = 11.0, 1 / 32
"""Warp of the lattice in tiles, and lattice cells of that noise per tile."""
BANK_WIDTH = 14
"""Width in tiles of the lowered banks."""
SPRINGS = 12
"""Springs per 256 points that are moist and high enough."""

Places = NDArray[np.int64]


class RiverSegment(NamedTuple):
    """A river segment between two points, or a lake if both are equal; ``flow`` counts springs."""

    x: int
    y: int
    to_x: int
    to_y: int
    flow: int


def river_segments(
    seed: int, corner: Corner, side: int, heights: TerrainHeights
) -> list[RiverSegment]:
    """Return all segments that may touch a square window, in window coordinates."""
    # The points at the edge may drain outwards.
    left, top = corner[0] // PITCH - LONGEST - 3, corner[1] // PITCH - LONGEST - 3
    count = side // PITCH + 2 * LONGEST + 8
    rise = elevation(seed, (left, top), count, count, PITCH)
    slope = drainage_elevation(seed, (left, top), count, count, PITCH)
    down, rests = _downhill(slope, rise < heights.sea - 0.12)
    flow = _flows(_springs(seed, (left, top), rise, heights), down, rests)
    segments = []
    for place in np.flatnonzero(flow).tolist():
        (x, y), (to_x, to_y) = (
            ((left + at % count) * PITCH - corner[0], (top + at // count) * PITCH - corner[1])
            for at in (place, int(down[place]))
        )
        if all(-3 * PITCH < n < side + 3 * PITCH for n in (x, y)):
            segments.append(RiverSegment(x, y, to_x, to_y, int(flow[place])))
    return segments


def _springs(seed: int, first: Corner, rise: Floats, heights: TerrainHeights) -> Places:
    """Return the springs as flat indices."""
    count = len(rise)
    damp = moisture(seed, first, count, count, PITCH)
    noise = position_noise(seed, "springs", first, count, count)
    high = (rise > (heights.shore + heights.hills) / 2) & (damp > -0.15)
    return np.flatnonzero(high & (noise < SPRINGS))


def _downhill(slope: Floats, sea: NDArray[np.bool_]) -> tuple[Places, NDArray[np.bool_]]:
    """Return the index each point drains to, and whether water stops there: flat arrays."""
    count = len(slope)
    padded = np.pad(slope, 1, constant_values=np.inf)
    corners = [corner for corner in product(range(3), repeat=2) if corner != (1, 1)]
    stack = np.stack([padded[y : y + count, x : x + count] for y, x in corners])
    steps = np.array([(y - 1) * count + x - 1 for y, x in corners])
    lowest = stack.argmin(axis=0)
    rests = (stack.min(axis=0) >= slope) | sea
    down = np.arange(count * count) + np.where(rests, 0, steps[lowest]).ravel()
    return down, rests.ravel()


def _flows(springs: Places, down: Places, rests: NDArray[np.bool_]) -> Places:
    """Return the number of springs upstream of each point."""
    last = springs
    for _ in range(LONGEST):
        last = down[last]
    places = springs[rests[last]]
    flow = np.zeros(len(down), np.int64)
    moving = np.ones(len(places), np.bool_)
    for _ in range(LONGEST + 1):
        np.add.at(flow, places[moving], 1)
        moving &= ~rests[places]
        places = down[places]
    return flow


def water_depth(seed: int, corner: Corner, side: int, heights: TerrainHeights) -> Floats:
    """Return the depth [y, x] of rivers and their lakes in a window: above 0 in the water.

    Over the banks, `BANK_WIDTH` tiles wide, it falls from 0 to -1.
    """
    bend_x, bend_y = _bend(seed, "bend x", corner, side), _bend(seed, "bend y", corner, side)
    depth = np.full((side, side), -1.0)
    margin = int(BEND) + BANK_WIDTH + 8
    for segment in river_segments(seed, corner, side, heights):
        left, right = sorted((segment.x, segment.to_x))
        top, bottom = sorted((segment.y, segment.to_y))
        rows = slice(max(0, int(top) - margin), max(0, int(bottom) + margin))
        columns = slice(max(0, int(left) - margin), max(0, int(right) + margin))
        part = depth[rows, columns]
        if part.size:
            ys = np.arange(rows.start, rows.start + part.shape[0], dtype=np.float64)[:, None]
            xs = np.arange(columns.start, columns.start + part.shape[1], dtype=np.float64)[None]
            off = _distance(xs + bend_x[rows, columns], ys + bend_y[rows, columns], segment)
            width = _half_width(segment)
            np.maximum(part, np.minimum(1.0, (width - off) / BANK_WIDTH), out=part)
    return depth


def _half_width(segment: RiverSegment) -> float:
    """Return half the width of a segment in tiles; it grows with the flow, a lake is widest."""
    wide = min(0.7 + 0.35 * segment.flow, 3.2)
    return wide + 6.0 if segment[:2] == segment[2:4] else wide


def _bend(seed: int, purpose: str, corner: Corner, side: int) -> Floats:
    return purpose_noise(seed, purpose, corner, side, side, scale=WINDING, octaves=2) * BEND


def _distance(xs: Floats, ys: Floats, segment: RiverSegment) -> Floats:
    """Return the distance of the points from a segment."""
    dx, dy = segment.to_x - segment.x, segment.to_y - segment.y
    span = dx * dx + dy * dy
    along = ((xs - segment.x) * dx + (ys - segment.y) * dy) / span if span else xs * 0.0
    along = np.clip(along, 0.0, 1.0)
    off_x, off_y = xs - (segment.x + along * dx), ys - (segment.y + along * dy)
    return np.sqrt(off_x * off_x + off_y * off_y)
