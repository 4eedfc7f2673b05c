"""Axes for levels: marked in real figures, laid out like the space of levels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from render.search.jobs import NAMES
from render.search.space import Points, points
from render.standing import FROM_ONE
from render.survey.figures import WHOLE, figure
from render.survey.portrait import Portrait

USUAL_SIZE = (80, 45)
ROUND = (100, 50, 20, 10, 5, 2, 1)
"""What a number of three digits may be a multiple of, the roundest first."""


@dataclass(frozen=True)
class Axis:
    """One metric from ``low`` to ``high``, both as places from 0 to 1."""

    name: str
    low: float
    high: float

    def at(self, figures: Points) -> Points:
        """Return where ``figures`` of this metric lie on the axis, 0 to 1 within it."""
        rows = np.zeros((len(figures), len(NAMES)))
        rows[:, NAMES.index(self.name)] = figures
        places = points(rows, *USUAL_SIZE)[:, NAMES.index(self.name)]
        share: Points = (places - self.low) / (self.high - self.low)
        return share

    def marks(self, apart: float = 0.17) -> list[tuple[float, str]]:
        """Return (place, text) of round figures along the axis, at least so far ``apart``."""
        finest = 1.0 if self.name in WHOLE else 0.01
        least = 1.0 if self.name in FROM_ONE else 0.0
        found: dict[float, str] = {least: figure(self.name, least)}
        places = [float(self.at(np.array([least]))[0])]
        for step in ROUND:
            for power in (1e-4, 1e-3, 1e-2, 1e-1, 1, 10, 100):
                values: Points = np.arange(1.0, 1000 // step) * step * power
                for value, place in zip(values.tolist(), self.at(values).tolist(), strict=True):
                    exact = abs(value / finest - round(value / finest)) < 1e-6
                    if exact and 0.02 <= place <= 0.95 and _free(place, places, apart):
                        places.append(place)
                        found[value] = figure(self.name, value)
        marks = zip(places, found.values(), strict=True)
        return sorted(mark for mark in marks if 0 <= mark[0] <= 1)


def _free(place: float, taken: list[float], apart: float) -> bool:
    return all(abs(place - other) >= apart for other in taken)


def axis(name: str, portraits: Sequence[Portrait]) -> Axis:
    """Return the axis of a metric that holds nearly all levels of all portraits."""
    column = NAMES.index(name)
    rows = [points(one.figures, *USUAL_SIZE)[:, column] for one in portraits if len(one.figures)]
    places = np.concatenate(rows)
    low, high = np.percentile(places, (0.5, 99.5)).tolist()
    room = max(0.02, 0.06 * (high - low))
    return Axis(name, low - room, high + room)
