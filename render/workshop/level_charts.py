"""Charts of a level in colours: regions, distances, chokepoints, missions and land.

The golden ratio spreads the hues of regions; a hue too close to a neighbour's is moved on (greedy
graph colouring in Oklab, where distance is perceived difference).
"""

from collections.abc import Sequence
from itertools import cycle

import numpy as np
from numpy.typing import NDArray

from entities.folders import USER_MARK
from entities.terrain import Mask
from entities.wording import pluralise
from procgen.analysis.chokepoints import Structure
from procgen.analysis.distances import UNREACHED, closest_tile, distances
from procgen.analysis.distances import regions as connected
from procgen.blueprint import Point, stepped_line
from procgen.carving.region_links import adjacent_pairs
from procgen.infinite.elevation import elevation, moisture
from procgen.mission import LOCKS, OPENERS, Gate, Mission, MissionEdge
from procgen.position_hash import Floats
from procgen.recipes import recipes, user_recipes
from procgen.world_types import world_types
from render.backends.terminal_colors import TO_CONES, TO_LAB
from render.map import charts
from render.map.charts import Chart, ChartInput, ChartKind, Labels, Legend
from render.ui.frame import Color, Shades, as_color
from render.ui.palette import chart_colors, colors
from render.workshop import partition_painting as painting

GOLDEN = 0.6180339887
PLASTIC = (0.7548776662, 0.5698402909)
"""The R2 sequence, which spreads points over a square as the golden ratio does over a line
(Roberts, 2018)."""
TIERS = ((0.60, 0.085), (0.50, 0.09), (0.68, 0.075), (0.43, 0.075))
"""Lightness and chroma (Oklab) pairs that regions get in turn."""
APART = 0.11
"""Least distance (Oklab) between the colours of neighbours."""
NEIGHBOUR_REACH = 3
"""The greatest distance in tiles at which two regions count as neighbours."""
TRIES = 9
MANY = 3000
"""The number of regions from which on the colours of neighbours may be close, to save time."""


def oklab_color(lightness: float, chroma: float, turn: float) -> NDArray[np.float64]:
    """Return the colour of a hue, ``turn`` (0 to 1), as Oklab coordinates."""
    angle = 2 * np.pi * turn
    return np.array([lightness, chroma * np.cos(angle), chroma * np.sin(angle)])


def oklab_to_srgb(lab: NDArray[np.float64]) -> Shades:
    """Return Oklab colours [..., 3] as red, green and blue, 0 to 255 (Ottosson, 2020)."""
    to_roots, to_light = np.linalg.inv(TO_LAB), np.linalg.inv(TO_CONES)
    light = np.clip((lab @ to_roots.T) ** 3 @ to_light.T, 0, 1)
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return np.asarray(255 * value, np.float32)


def hues_by_number(count: int) -> NDArray[np.float64]:
    """Return a hue, 0 to 1, for each region number from 0 up to ``count``.

    They are multiples of the golden ratio, so regions with near numbers get distant hues.
    """
    return np.arange(count + 1, dtype=np.float64) * GOLDEN % 1


def hues_by_position(labels: Labels, count: int) -> NDArray[np.float64]:
    """Return a hue, 0 to 1, for each region of ``labels[y, x]`` up to ``count``.

    It depends on the region's first tile only, so a growing region keeps its colour.
    """
    flat = labels.ravel()
    cells = np.flatnonzero(flat)[::-1]
    first = np.zeros(count + 1, np.int64)
    first[flat[cells]] = cells
    width = labels.shape[1]
    return np.asarray((first % width * PLASTIC[0] + first // width * PLASTIC[1]) % 1)


def region_colors(labels: Labels, turns: NDArray[np.float64]) -> Shades:
    """Return a colour [region, 3] for each region of ``labels[y, x]``, 0 being none.

    ``turns`` are their hues; a hue too close to a neighbour's is moved on.
    """
    chosen = np.array([oklab_color(*TIERS[n % len(TIERS)], turn) for n, turn in enumerate(turns)])
    done: set[int] = set()
    around: dict[int, list[int]] = {}
    for region, other in adjacent_pairs(np.where(labels > 0, labels, -1), NEIGHBOUR_REACH):
        around.setdefault(region, []).append(other)
        around.setdefault(other, []).append(region)
    for n in sorted(around) if len(around) < MANY else ():
        used = [chosen[other] for other in around[n] if other in done]
        done.add(n)
        if used:
            tints = [(*TIERS[(n + k) % len(TIERS)], turns[n] + k * GOLDEN**2) for k in range(TRIES)]
            tries = np.array([oklab_color(*tint) for tint in tints])
            gaps = np.linalg.norm(tries[:, None] - np.array(used)[None], axis=2).min(axis=1)
            chosen[n] = tries[int((gaps > APART).argmax()) if gaps.max() > APART else gaps.argmax()]
    return oklab_to_srgb(chosen)


CHOKE, END = ord("◆"), ord("×")
GLINT = (255, 240, 212)
CHALK = np.array((58, 62, 78), np.float32)
SLIGHT = 0.05
"""The least share of the open tiles that a chokepoint at full brightness cuts off."""
SWATCHES = 5


def chart(kind: ChartKind, subject: ChartInput) -> Chart | None:
    """Return the chart of one kind, None for `ChartKind.NONE`.

    Before anything is dug it is the outline of the partition, for every kind but a mission's.
    """
    if kind is ChartKind.MISSION:
        return mission_chart(subject, subject.mission)
    if kind is ChartKind.REGIONS:
        if subject.canvas is not None:
            return _painted(subject, subject.canvas)
        if subject.regions is not None and subject.regions.any():
            return _regions(subject, subject.regions, hues_by_number(int(subject.regions.max())))
    if not subject.open.any():
        return _chalk(subject)
    match kind:
        case ChartKind.REGIONS:
            labels, count = connected(subject.open)
            return _regions(subject, labels, hues_by_position(labels, count))
        case ChartKind.DISTANCE:
            return _distance(subject)
        case ChartKind.CHOKEPOINTS:
            return _chokepoints(subject)
    return None


def _chalk(subject: ChartInput) -> Chart:
    """Return a chart of the lines between the cells of a partition."""
    height, width = subject.tiles.shape
    if subject.leaves:
        fields = painting.field_map(subject.leaves, width, height)
    elif subject.regions is not None:
        fields = subject.regions
    else:
        fields = np.zeros((height, width), np.int32)
    borders = painting.border_mask(fields)
    paper = np.broadcast_to(CHALK, (height, width, 3))
    cover, marks = borders.astype(np.float32), borders.astype(np.int32) * 0x20
    return Chart(paper, cover, paper, cover, marks, [("no floor yet", None)])


def _chart(paper: Shades, cover: Shades, legend: Legend, hold: float = 0.45) -> Chart:
    """Return a chart whose glyphs are a lighter shade of their background."""
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.zeros(cover.shape, np.int32)
    return Chart(paper, cover, ink, cover * np.float32(hold), marks, legend)


def _regions(subject: ChartInput, labels: Labels, turns: NDArray[np.float64]) -> Chart:
    shades = region_colors(labels, turns)
    cover = np.where(subject.open, np.float32(0.78), np.float32(0.34)) * (labels > 0)
    sizes = np.bincount(labels.ravel())
    count = int(np.count_nonzero(sizes[1:]))
    largest = np.argsort(-sizes[1:], kind="stable")[: min(count, SWATCHES)] + 1
    legend: Legend = [("■", as_color(shades[number])) for number in sorted(largest.tolist())]
    legend.append((f" {pluralise(count, 'region')}", None))
    return _chart(shades[labels], cover.astype(np.float32), legend)


def _painted(subject: ChartInput, canvas: NDArray[np.uint8]) -> Chart:
    """Return a chart of a painted partition: dark rooms in fields of flat colour."""
    leaves, open_tiles = subject.leaves, subject.open
    paper = painting.paint_colors()[canvas]
    paper[painting.border_mask(canvas) & ~open_tiles] = painting.LINE
    cover = np.where(open_tiles, np.float32(0.36), np.float32(1.0))
    ink = paper + (255 - paper) * np.float32(0.35)
    marks = np.where(open_tiles, 0, 0x20).astype(np.int32)
    legend: Legend = [("■", color) for color in chart_colors()["paint"][:SWATCHES]]
    legend.append((f" {pluralise(len(leaves), 'field')}", None))
    hold = np.where(open_tiles, np.float32(0.2), np.float32(0.0))
    return Chart(paper, cover, ink, hold, marks, legend)


def distance_origin(subject: ChartInput, open_tiles: Mask) -> Point | None:
    """Return the start, else the middle of the largest region, None without floor."""
    if subject.start and open_tiles[subject.start.y, subject.start.x]:
        return subject.start
    labels, count = connected(open_tiles)
    if not count:
        return None
    largest = labels == np.bincount(labels.ravel())[1:].argmax() + 1
    y, x = np.argwhere(largest).mean(axis=0)
    return closest_tile(largest, x, y)


def _distance(subject: ChartInput) -> Chart:
    open_tiles = subject.open
    place = distance_origin(subject, open_tiles)
    steps = np.full(open_tiles.shape, UNREACHED) if place is None else distances(open_tiles, *place)
    reached = open_tiles & (steps != UNREACHED)
    furthest = int(steps[reached].max(initial=0))
    heat = np.where(reached, steps, 0) / max(1, furthest)
    cover = np.where(reached, np.float32(0.82), np.float32(0.0))
    source = subject.source if place == subject.start else "the middle"
    ramp = chart_colors()["distance"]
    swatches = _gradient(np.arange(8) / 7, 0, 1, ramp)
    legend: Legend = [("█", as_color(color)) for color in swatches]
    legend.append((f" 0–{furthest} steps from {source}", None))
    return _chart(_gradient(heat, 0, 1, ramp), cover, legend)


def _gradient(values: Floats, low: float, high: float, colors: Sequence[Color]) -> Shades:
    """Return the colours [..., 3] of values [...]: the first at ``low``, the last at ``high``."""
    stops = np.linspace(low, high, len(colors))
    parts = [np.interp(values, stops, [color[n] for color in colors]) for n in range(3)]
    return np.stack(parts, axis=-1).astype(np.float32)


def _chokepoints(subject: ChartInput) -> Chart:
    open_tiles = subject.open
    place = distance_origin(subject, open_tiles)
    shape, ground = open_tiles.shape, np.array(colors()["ground"], np.float32)
    paper, ink = (np.broadcast_to(ground, (*shape, 3)).copy() for _ in range(2))
    cover, hold = np.full(shape, 0.45, np.float32), np.full(shape, 0.6, np.float32)
    marks = np.zeros(shape, np.int32)
    choke, end = colors()["accent"], colors()["cold"]
    most = ends = 0
    if place:
        bones = Structure(open_tiles, place)
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
    legend += [("×", end), (f" {pluralise(ends, 'dead end')}", None)]
    return Chart(paper, cover, ink, hold, marks, legend)


LAND_LIMIT = 0.6
"""A height or moisture from this one up gets the last colour, one up to its negative the first."""
LINES = 0.1
"""The difference in height between two contour lines."""
COVER = 0.72


def charts_for(generator: str) -> tuple[ChartKind, ...]:
    """Return the charts that make sense for a generator, in the order of the key."""
    if world := world_types().get(generator):
        has_land = world.maker.__name__ == "wilderness"
        return charts.INFINITE_CHARTS if has_land else charts.LEVEL_CHARTS
    known = user_recipes().entries if generator.startswith(USER_MARK) else recipes()
    recipe = known.get(generator)
    gives = {word for use in recipe.steps for word in use.step.gives} if recipe else set()
    return charts.MISSION_CHARTS if "mission" in gives else charts.LEVEL_CHARTS


def land_chart(kind: ChartKind, seed: int, corner: tuple[int, int], size: tuple[int, int]) -> Chart:
    """Return the height or moisture chart [y, x] of ``size`` with its first tile at ``corner``."""
    height, width = size
    measure = elevation if kind is ChartKind.HEIGHT else moisture
    values = measure(seed, corner, width, height)
    colors = chart_colors()[kind.value]
    paper = _gradient(values, -LAND_LIMIT, LAND_LIMIT, colors)
    bands = np.floor(values / LINES)
    edge = np.diff(bands, axis=1, prepend=bands[:, :1]) != 0
    edge |= np.diff(bands, axis=0, prepend=bands[:1]) != 0
    paper[edge] *= np.float32(0.7)
    cover = np.full(values.shape, COVER, np.float32)
    legend: Legend = [("█", color) for color in colors]
    legend.append((" low to high" if kind is ChartKind.HEIGHT else " dry to moist", None))
    return _chart(paper, cover, legend, hold=0.5)


GATES: dict[Gate, tuple[str, str]] = {
    **dict.fromkeys(LOCKS, ("◆", "accent")),
    "drop": ("▼", "warn"),
    "secret": ("×", "cold"),
    "window": ("~", "cold"),
}
"""The character and interface colour of each gate."""
KEY = "◆"
ROOM, WAY = np.float32(0.35), np.float32(0.6)


def mission_chart(subject: ChartInput, mission: Mission | None) -> Chart:
    """Return the chart of ``mission``: rooms and edges in the colour of their path, gates, keys.

    A mission without a layout yet has a legend but no picture.
    """
    shape = subject.tiles.shape
    ink = np.zeros((*shape, 3), np.float32)
    paper, cover = ink.copy(), np.zeros(shape, np.float32)
    hold, marks = np.zeros(shape, np.float32), np.zeros(shape, np.int32)
    if mission is None:
        return Chart(paper, cover, ink, hold, marks, [("no mission", None)])
    paths = dict.fromkeys(room.path for room in mission.rooms)
    paint = dict(zip(paths, cycle(chart_colors()["mission"]), strict=False))
    for room in mission.rooms:
        if room.box:
            x, y, width, height = room.box
            box = np.s_[y : y + height, x : x + width]
            floor = subject.open[box]
            paper[box][floor], cover[box][floor] = paint[room.path], ROOM
    for edge in mission.edges:
        for x, y in _line(mission, edge) if edge.gate not in ("window", "drop") else ():
            paper[y, x], cover[y, x] = paint[edge.path], WAY
    pieces = [(edge.place, *GATES[edge.gate]) for edge in mission.edges if edge.gate in GATES]
    keys = OPENERS.values()
    pieces += [(room.anchor, KEY, "cold") for room in mission.rooms if room.holds in keys]
    for place, char, color in pieces:
        if place:
            x, y = place
            ink[y, x], hold[y, x], marks[y, x] = colors()[color], 1, ord(char)
    return Chart(paper, cover, ink, hold, marks, _legend(mission, paint))


def _line(mission: Mission, edge: MissionEdge) -> list[tuple[int, int]]:
    """Return the tiles of the lines from one room of ``edge`` through its gate to the other."""
    start, end = (mission.rooms[number].anchor for number in (edge.start, edge.end))
    if not (start and end and edge.place):
        return []
    return [*stepped_line(start, edge.place), *stepped_line(edge.place, end)]


def _legend(mission: Mission, paint: dict[str, Color]) -> Legend:
    """Return each path in its colour, then the meaning of the marks and the number of rooms."""
    legend: Legend = []
    for name, color in paint.items():
        legend += [("■", color), (f" {name}  ", None)]
    locks = len(mission.gated(*LOCKS))
    legend += [("◆", colors()["accent"]), (f" {pluralise(locks, 'lock')}  ", None)]
    legend += [("◆", colors()["cold"]), (" key  " if locks == 1 else " keys  ", None)]
    cycles = pluralise(len(mission.cycles), "cycle")
    return [*legend, (f"{len(mission.rooms)} rooms, {cycles}", None)]
