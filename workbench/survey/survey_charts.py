"""Charts of metrics as SVG: heat maps, and all recipes on one plane."""

from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import product
from typing import NamedTuple

import numpy as np

from procgen.metrics import COUNT_METRICS, format_metric, metric_scales
from workbench.search.metric_space import Points, normalize
from workbench.search.search_jobs import METRIC_NAMES
from workbench.survey.recipe_statistics import RecipeStatistics, percentiles
from workbench.templates import filled_part

part = partial(filled_part, "survey/parts.toml")
USUAL_SIZE = (80, 45)
ROUND = (100, 50, 20, 10, 5, 2, 1)
"""The steps to which a three-digit number is rounded, the roundest first."""


class Axis(NamedTuple):
    """A chart axis for one metric; ``low`` and ``high`` are normalised values."""

    name: str
    low: float
    high: float

    def at(self, figures: Points) -> Points:
        """Return the places of ``figures`` of this metric on the axis, 0 to 1 within it."""
        rows = np.zeros((len(figures), len(METRIC_NAMES)))
        rows[:, METRIC_NAMES.index(self.name)] = figures
        places = normalize(rows, *USUAL_SIZE)[:, METRIC_NAMES.index(self.name)]
        return (places - self.low) / (self.high - self.low)

    def marks(self, spacing: float = 0.17) -> list[tuple[float, str]]:
        """Return (place, text) of round numbers along the axis, at least ``spacing`` apart."""
        finest = 1.0 if self.name in COUNT_METRICS else 0.01
        values = [float(metric_scales()[self.name].least)]
        for step, power in product(ROUND, (1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100)):
            values += (np.arange(1.0, 1000 // step) * step * power).tolist()
        marks: list[tuple[float, str]] = []
        for value, place in zip(values, self.at(np.array(values)).tolist(), strict=True):
            exact = abs(value / finest - round(value / finest)) < 1e-6
            free = all(abs(place - other) >= spacing for other, _ in marks)
            if not marks or (exact and free and 0.02 <= place <= 0.95):
                marks.append((place, format_metric(self.name, value)))
        return sorted(mark for mark in marks if 0 <= mark[0] <= 1)


def axis(name: str, all_stats: Sequence[RecipeStatistics]) -> Axis:
    """Return the axis of a metric that covers nearly all levels of all recipes."""
    column = METRIC_NAMES.index(name)
    places = np.concatenate([normalize(s.metrics, *USUAL_SIZE)[:, column] for s in all_stats])
    low, high = np.percentile(places, (0.5, 99.5)).tolist()
    room = max(0.02, 0.06 * (high - low))
    return Axis(name, low - room, high + room)


HEAT_MAP, COARSE, FINE, MANY = (320, 232), (15, 10), (24, 16), 400
"""Size of a heat map; its columns and rows for few levels, and for at least ``MANY`` levels."""
HEAD, FOOT, SIDE = 16, 30, 34
"""Space above a map for the name of the vertical axis, below and beside it for marks and a name."""
LETTER = 6.6
"""The approximate width of a letter of a label."""

Box = tuple[float, float, float, float]


def heat_map(stats: RecipeStatistics, x: Axis, y: Axis) -> str:
    """Return a heat map of a recipe's levels over two metrics."""
    wide, high = HEAT_MAP[0] - SIDE, HEAT_MAP[1] - FOOT
    columns, rows = FINE if len(stats.seeds) >= MANY else COARSE
    shares = (scale.at(stats.metrics[:, METRIC_NAMES.index(scale.name)]) for scale in (y, x))
    up, across = (np.clip(share, 0, 1) for share in shares)
    counts = np.histogram2d(up, across, (rows, columns), ((0, 1), (0, 1)))[0].astype(int)
    cell_width, cell_height = wide / columns, high / rows
    cells = [
        part(
            "heat",
            x=SIDE + column * cell_width,
            y=high - (row + 1) * cell_height,
            width=cell_width + 0.1,
            height=cell_height + 0.1,
            strength=0.16 + 0.84 * (counts[row, column] / counts.max()) ** 0.5,
            count=counts[row, column],
        )
        for row, column in zip(*np.nonzero(counts), strict=True)
    ]
    return _chart(x, y, HEAT_MAP, f"{stats.name}: levels by {x.name} and {y.name}", cells)


def metric_plane(
    all_stats: Sequence[RecipeStatistics], x: Axis, y: Axis, width: int, height: int
) -> str:
    """Return all recipes on the plane of two metrics: median, 5th to 95th percentile, name."""
    wide, high = width - SIDE, height - FOOT
    dots, boxes, drawn = {}, [], []
    for number, stats in enumerate(all_stats):
        shares = percentiles(stats.metrics)
        across = SIDE + wide * np.clip(x.at(shares[:, METRIC_NAMES.index(x.name)]), 0, 1)
        up = high - high * np.clip(y.at(shares[:, METRIC_NAMES.index(y.name)]), 0, 1)
        color = f'style="--hue:{round(number * 360 / len(all_stats))}"'
        (left, dot_x, right), (low, dot_y, top) = across.tolist(), up.tolist()
        dots[escape(stats.name)] = (dot_x, dot_y, color)
        boxes.append((dot_x - 5, dot_y - 5, dot_x + 5, dot_y + 5))
        ends = {"left": left, "right": right, "low": low, "top": top}
        drawn.append(part("span", color=color, x=dot_x, y=dot_y, **ends))
    for name, (dot_x, dot_y, color) in dots.items():
        drawn.append(part("dot", name=name, color=color, x=dot_x, y=dot_y))
    for name, (dot_x, dot_y, color) in dots.items():
        if spot := _free_label_box(name, dot_x, dot_y, boxes, (SIDE, 0, width, high)):
            boxes.append(spot)
            drawn.append(part("name", name=name, color=color, x=spot[0], y=spot[3] - 3))
    return _chart(x, y, (width, height), f"all generators by {x.name} and {y.name}", drawn)


def _free_label_box(name: str, x: float, y: float, taken: list[Box], within: Box) -> Box | None:
    """Return a free box for a label near its dot, None if there is none."""
    long = LETTER * len(name)
    for distance, (dx, dy) in product((8, 16, 26), SIDES):
        left = x + distance * dx if dx > 0 else x + distance * dx - long if dx < 0 else x - long / 2
        top = y - 7 + (distance + 4) * dy
        box = (left, top, left + long, top + 14)
        inside = within[0] <= left and within[1] <= top
        inside = inside and box[2] <= within[2] and box[3] <= within[3]
        if inside and not any(_meet(box, other) for other in taken):
            return box
    return None


SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (0.8, -0.6), (0.8, 0.6), (-0.8, -0.6), (-0.8, 0.6))


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _chart(x: Axis, y: Axis, size: tuple[int, int], label: str, inside: Sequence[str]) -> str:
    """Return a chart with background, grid, marks and, outside, the names of its axes."""
    width, height = size
    wide, high = width - SIDE, height - FOOT
    parts = [part("ground", left=SIDE, width=wide, height=high)]
    for place, text in x.marks(46 / wide):
        parts.append(part("column", x=SIDE + place * wide, foot=high, y=high + 13, text=text))
    for place, text in y.marks(30 / high):
        at, left = high - place * high, {"left": SIDE, "x": SIDE - 4}
        parts.append(part("row", **left, width=width, y=at, below=at + 3, text=text))
    across, up = (scale.name.replace("_", " ") for scale in (x, y))
    parts.append(part("axes", x=width - 2, y=height - 4, left=SIDE, across=across, up=up))
    room = {"top": -HEAD, "width": width, "tall": HEAD + height}
    return part("chart", **room, label=escape(label), inside="".join([*parts, *inside]))


WIDE, HIGH, LEFT = 40, 24, 116
"""Size of a cell of the correlation matrix, and the room for names on the left."""
LEAST = 0.005
"""Smaller correlations are shown as 0."""


def correlation_chart(correlations: Points) -> str:
    """Return the lower triangle of the correlation matrix as SVG."""
    count = len(METRIC_NAMES)
    width, height = LEFT + count * WIDE + 30, count * HIGH
    parts = []
    for row, name in enumerate(METRIC_NAMES):
        y = row * HIGH
        label = name.replace("_", " ")
        if row < count - 1:
            parts.append(part("matrix_column", x=LEFT + row * WIDE + 6, y=y + 16, name=label))
        if row:
            parts.append(part("matrix_row", x=LEFT - 6, y=y + 16, name=label))
        for column, other in enumerate(METRIC_NAMES[:row]):
            parts.append(_cell(correlations[row, column], column, y, f"{label}, {other}"))
    return part("matrix", width=width, height=height, inside="".join(parts))


def _cell(correlation: float, column: int, y: int, title: str) -> str:
    x, signed = LEFT + column * WIDE, f"{correlation:+.2f}"
    return part(
        "correlation",
        place=part("place", x=x, y=y, width=WIDE - 1, height=HIGH - 1),
        kind="heat" if correlation > 0 else "cool",
        strength=min(1.0, abs(correlation)),
        title=title.replace("_", " "),
        shown=signed.replace("0.", ".").replace("-", "−") if abs(correlation) >= LEAST else "0",
        x=x + WIDE / 2 - 0.5,
        y=y + 16,
    )
