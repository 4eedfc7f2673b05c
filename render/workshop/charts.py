"""Charts of a level's bones: regions in colours, the way as heat, the places all must pass."""

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import UNREACHED, distances
from procgen.analysis import regions as connected
from procgen.blueprint import Point
from procgen.measure.structure import analyse
from render.frame import Color
from render.palette import colors
from render.workshop import hues, painting
from render.workshop.overlays import Chart, Labels, Legend, Mask, Overlay, Shades, Subject

WARMTH = ((255, 214, 134), (219, 118, 74), (133, 58, 98), (58, 50, 112), (34, 48, 88))
"""Near the start to far from it."""
CHOKE, END = ord("◆"), ord("×")
GLINT = (255, 240, 212)
CHALK = np.array((58, 62, 78), np.float32)
SLIGHT = 0.05
"""What share of a level a chokepoint must cut off to be among the brightest."""
SWATCHES = 5


def chart(kind: Overlay, subject: Subject) -> Chart | None:
    """Return the chart of one kind.

    While nothing is dug, the lines of the plan in chalk are all there is; later `Overlay.NONE`
    has no chart at all.
    """
    if kind is Overlay.REGIONS:
        if subject.canvas is not None:
            return _painted(subject, subject.canvas)
        if subject.regions is not None and subject.regions.any():
            return _regions(subject, subject.regions, hues.numbered(int(subject.regions.max())))
    if not subject.open.any():
        return _chalk(subject)
    match kind:
        case Overlay.REGIONS:
            labels, count = connected(subject.open)
            return _regions(subject, labels, hues.placed(labels, count))
        case Overlay.DISTANCE:
            return _distance(subject)
        case Overlay.CHOKEPOINTS:
            return _chokepoints(subject)
    return None


def _chalk(subject: Subject) -> Chart:
    """Return the lines between the parts of a plan."""
    height, width = subject.tiles.shape
    if subject.leaves:
        fields = painting.field_map(subject.leaves, width, height)
    elif subject.regions is not None:
        fields = subject.regions
    else:
        fields = np.zeros((height, width), np.int32)
    drawn = painting.lines(fields)
    paper = np.broadcast_to(CHALK, (height, width, 3))
    cover, marks = drawn.astype(np.float32), drawn.astype(np.int32) * 0x20
    return Chart(paper, cover, paper, cover, marks, [("no floor yet", None)])


def _chart(paper: Shades, cover: Shades, legend: Legend, hold: float = 0.45) -> Chart:
    """Return a chart whose ink is a lighter shade of its paper."""
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.zeros(cover.shape, np.int32)
    return Chart(paper, cover, ink, cover * np.float32(hold), marks, legend)


def _regions(subject: Subject, labels: Labels, turns: NDArray[np.float64]) -> Chart:
    shades = hues.region_colors(labels, turns)
    cover = np.where(subject.open, np.float32(0.78), np.float32(0.34)) * (labels > 0)
    sizes = np.bincount(labels.ravel())
    count = int(np.count_nonzero(sizes[1:]))
    largest = np.argsort(-sizes[1:], kind="stable")[: min(count, SWATCHES)] + 1
    legend: Legend = [("■", _color(shades[number])) for number in sorted(largest.tolist())]
    legend.append((f" {count} region{'s' * (count != 1)}", None))
    return _chart(shades[labels], cover.astype(np.float32), legend)


def _painted(subject: Subject, canvas: NDArray[np.uint8]) -> Chart:
    """Return a partition painted: rooms stand dark in fields of flat colour."""
    leaves, open_tiles = subject.leaves, subject.open
    paper = painting.pigments()[canvas]
    paper[painting.lines(canvas) & ~open_tiles] = painting.LINE
    cover = np.where(open_tiles, np.float32(0.36), np.float32(1.0))
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.where(open_tiles, 0, 0x20).astype(np.int32)
    legend: Legend = [("■", color) for color in painting.COLORS[:SWATCHES]]
    legend.append((f" {len(leaves)} field{'s' * (len(leaves) != 1)}", None))
    hold = np.where(open_tiles, np.float32(0.2), np.float32(0.0))
    return Chart(paper, cover, ink, hold, marks, legend)


def origin(subject: Subject, open_tiles: Mask) -> Point | None:
    """Return the start, or while there is none the middle of the largest region, if any."""
    if subject.start and open_tiles[subject.start.y, subject.start.x]:
        return subject.start
    labels, count = connected(open_tiles)
    if not count:
        return None
    ys, xs = np.nonzero(labels == np.bincount(labels.ravel())[1:].argmax() + 1)
    at = int(((xs - xs.mean()) ** 2 + (ys - ys.mean()) ** 2).argmin())
    return Point(int(xs[at]), int(ys[at]))


def _distance(subject: Subject) -> Chart:
    open_tiles = subject.open
    place = origin(subject, open_tiles)
    steps = np.full(open_tiles.shape, UNREACHED) if place is None else distances(open_tiles, *place)
    reached = open_tiles & (steps != UNREACHED)
    furthest = int(steps[reached].max(initial=0))
    heat = np.where(reached, steps, 0) / max(1, furthest)
    cover = np.where(reached, np.float32(0.82), np.float32(0.0))
    source = subject.source if place == subject.start else "the middle"
    legend: Legend = [("█", _color(warmth(np.array(n / 7)))) for n in range(8)]
    legend.append((f" 0–{furthest} steps from {source}", None))
    return _chart(warmth(heat), cover, legend)


def warmth(heat: NDArray[np.float64]) -> Shades:
    """Return the colours [..., 3] of distances [...] given as 0 (near) to 1 (far)."""
    stops = np.linspace(0, 1, len(WARMTH))
    parts = [np.interp(heat, stops, [color[n] for color in WARMTH]) for n in range(3)]
    return np.stack(parts, axis=-1).astype(np.float32)


def _chokepoints(subject: Subject) -> Chart:
    open_tiles = subject.open
    place = origin(subject, open_tiles)
    shape, ground = open_tiles.shape, np.array(colors()["ground"], np.float32)
    paper, ink = (np.broadcast_to(ground, (*shape, 3)).copy() for _ in range(2))
    cover, hold = np.full(shape, 0.45, np.float32), np.full(shape, 0.6, np.float32)
    marks = np.zeros(shape, np.int32)
    choke, end = colors()["accent"], colors()["cold"]
    most = ends = 0
    if place:
        bones = analyse(open_tiles, place)
        most, ends = bones.largest_cut, len(bones.dead_ends)
        ys, xs = np.nonzero(bones.cuts)
        brightest = max(most, SLIGHT * int(open_tiles.sum()))
        weight = np.sqrt(bones.cuts[ys, xs] / max(1, brightest)).astype(np.float32)
        paper[ys, xs], cover[ys, xs] = choke, 0.08 + 0.72 * weight
        ink[ys, xs], hold[ys, xs], marks[ys, xs] = GLINT, 0.3 + 0.7 * weight, CHOKE
        for x, y in bones.dead_ends:
            paper[y, x], ink[y, x] = end, end
            cover[y, x], hold[y, x], marks[y, x] = 0.4, 1.0, END
    legend: Legend = [("◆", choke), (f" cuts off up to {most}  ", None)]
    legend += [("×", end), (f" {ends} dead end{'s' * (ends != 1)}", None)]
    return Chart(paper, cover, ink, hold, marks, legend)


def _color(shade: Shades) -> Color:
    red, green, blue = (int(part) for part in shade)
    return red, green, blue
