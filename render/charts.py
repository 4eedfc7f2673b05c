"""Charts of a level's bones: regions in colours, the way as heat, the places all must pass."""

import numpy as np
from numpy.typing import NDArray

from procgen.analysis import UNREACHED, distances
from procgen.analysis import regions as connected
from procgen.blueprint import Point
from procgen.structure import analyse
from render import hues, painting
from render.frame import Color
from render.light import Shades
from render.overlays import Chart, Legend, Mask, Overlay, Subject
from render.palette import colors

WARMTH = ((255, 214, 134), (219, 118, 74), (133, 58, 98), (58, 50, 112), (34, 48, 88))
"""Near the start to far from it."""
CHOKE, END = ord("◆"), ord("×")
GLINT = (255, 240, 212)
SWATCHES = 5


def chart(kind: Overlay, subject: Subject) -> Chart | None:
    """Return the chart of one kind; None for `Overlay.NONE`."""
    match kind:
        case Overlay.REGIONS:
            height, width = subject.tiles.shape
            partition = subject.leaves and painting.covers(subject.leaves, width, height)
            return _painted(subject) if partition else _regions(subject)
        case Overlay.DISTANCE:
            return _distance(subject)
        case Overlay.CHOKEPOINTS:
            return _chokepoints(subject)
        case _:
            return None


def _chart(paper: Shades, cover: Shades, legend: Legend, hold: float = 0.45) -> Chart:
    """Return a chart whose ink is a lighter shade of its paper."""
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.zeros(cover.shape, np.int32)
    return Chart(paper, cover, ink, cover * np.float32(hold), marks, legend)


def _regions(subject: Subject) -> Chart:
    labels, known = subject.regions, subject.regions is not None and subject.regions.any()
    open_tiles = subject.open
    if labels is None or not known:
        labels, count = connected(open_tiles)
        shades = hues.region_colors(labels, hues.placed(labels, count))
    else:
        count = int(np.count_nonzero(np.bincount(labels.ravel())[1:]))
        shades = hues.region_colors(labels, hues.numbered(int(labels.max())))
    cover = np.where(open_tiles, np.float32(0.78), np.float32(0.34)) * (labels > 0)
    biggest = np.argsort(-np.bincount(labels.ravel(), minlength=2)[1:], kind="stable")[:SWATCHES]
    swatches: Legend = [("■", _color(shades[number + 1])) for number in sorted(biggest.tolist())]
    word = " region" if count == 1 else " regions"
    return _chart(shades[labels], cover.astype(np.float32), [*swatches, (f" {count}{word}", None)])


def _painted(subject: Subject) -> Chart:
    """Return a partition painted: rooms stand dark in fields of flat colour."""
    leaves, open_tiles = subject.leaves, subject.open
    height, width = subject.tiles.shape
    fields = painting.field_map(leaves, width, height)
    paper = painting.pigments(leaves, subject.pigments)[fields]
    drawn = painting.lines(fields) & ~open_tiles
    paper[drawn] = painting.LINE
    cover = np.where(open_tiles, np.float32(0.3), np.float32(1.0))
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.where(open_tiles, 0, 0x20).astype(np.int32)
    legend: Legend = [("■", color) for color in painting.COLORS[:SWATCHES]]
    word = " field" if len(leaves) == 1 else " fields"
    hold = np.where(open_tiles, np.float32(0.2), np.float32(0.0))
    return Chart(paper, cover, ink, hold, marks, [*legend, (f" {len(leaves)}{word}", None)])


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
    source = "the start" if place == subject.start else "the middle"
    legend: Legend = [("█", _color(warmth(np.array(n / 7)))) for n in range(8)]
    legend.append((f" 0–{furthest} steps from {source}", None))
    return _chart(warmth(heat), cover, legend)


def warmth(heat: NDArray[np.float64]) -> Shades:
    """Return the colours of distances given as 0 (near) to 1 (far)."""
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
        weight = np.sqrt(bones.cuts[ys, xs] / max(1, most)).astype(np.float32)
        paper[ys, xs], cover[ys, xs] = choke, 0.08 + 0.72 * weight
        ink[ys, xs], hold[ys, xs], marks[ys, xs] = GLINT, 0.3 + 0.7 * weight, CHOKE
        for x, y in bones.dead_ends:
            paper[y, x], ink[y, x] = end, end
            cover[y, x], hold[y, x], marks[y, x] = 0.4, 1.0, END
    legend: Legend = [("◆", choke), (f" cuts off up to {most}  ", None)]
    legend += [("×", end), (f" {ends} dead ends", None)]
    return Chart(paper, cover, ink, hold, marks, legend)


def _color(shade: Shades) -> Color:
    red, green, blue = (int(part) for part in shade)
    return red, green, blue
