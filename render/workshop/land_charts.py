"""Charts of a world without an edge: how high its land lies, and how moist it is."""

import numpy as np

from procgen.endless.land import height_of, moisture_of
from procgen.endless.realms import realms
from procgen.noise.gradients import Floats
from render.frame import Color
from render.workshop.overlays import BONES, COUNTRY, Chart, Legend, Overlay, Shades

HEIGHTS: tuple[Color, ...] = (
    (24, 40, 92),
    (44, 104, 140),
    (62, 110, 66),
    (150, 128, 72),
    (140, 116, 108),
    (238, 236, 230),
)
DAMPNESS: tuple[Color, ...] = (
    (196, 160, 92),
    (150, 150, 88),
    (84, 140, 96),
    (52, 120, 150),
    (40, 70, 150),
)
"""From low to high, from dry to moist."""
REACH = 0.6
"""Heights and moisture from here on have the last colour, and the first below its negative."""
LINES = 0.1
"""What lies between two contour lines."""
COVER = 0.72


def kinds_for(world: str) -> tuple[Overlay, ...]:
    """Return the overlays that make sense for a generator, in the order a key goes through."""
    realm = realms().get(world)
    return COUNTRY if realm and realm.maker.name == "wilds" else BONES


def land_chart(kind: Overlay, seed: int, corner: tuple[int, int], shape: tuple[int, int]) -> Chart:
    """Return the chart of the land [y, x] of ``shape`` whose first tile lies at ``corner``."""
    height, width = shape
    if kind is Overlay.HEIGHT:
        values, colors = height_of(seed, corner, width, height), HEIGHTS
    else:
        values, colors = moisture_of(seed, corner, width, height), DAMPNESS
    paper = _shaded(values, colors)
    bands = np.floor(values / LINES)
    edge = np.zeros(values.shape, np.bool_)
    edge[:, 1:] |= bands[:, 1:] != bands[:, :-1]
    edge[1:] |= bands[1:] != bands[:-1]
    paper[edge] *= np.float32(0.7)
    cover = np.full(values.shape, COVER, np.float32)
    legend: Legend = [("█", color) for color in colors]
    legend.append((" low to high" if kind is Overlay.HEIGHT else " dry to moist", None))
    ink = paper + (255 - paper) * np.float32(0.35)
    return Chart(paper, cover, ink, cover * np.float32(0.5), np.zeros(shape, np.int32), legend)


def _shaded(values: Floats, colors: tuple[Color, ...]) -> Shades:
    stops = np.linspace(-REACH, REACH, len(colors))
    parts = [np.interp(values, stops, [color[n] for color in colors]) for n in range(3)]
    return np.stack(parts, axis=-1).astype(np.float32)
