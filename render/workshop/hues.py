"""Colours for many regions: muted, far apart, and never alike on both sides of a border."""

import numpy as np
from numpy.typing import NDArray

from render.workshop.overlays import Labels, Shades

GOLDEN = 0.6180339887
PLASTIC = (0.7548776662, 0.5698402909)
"""What spreads points over a square as the golden ratio does over a line (Roberts, 2018)."""
TIERS = ((0.60, 0.085), (0.50, 0.09), (0.68, 0.075), (0.43, 0.075))
"""Lightness and chroma of the colours that take turns (Oklab)."""
APART = 0.11
"""How far apart (Oklab) the colours of neighbours must be."""
REACH = 3
"""Tiles of wall across which two regions still count as neighbours."""
TRIES = 9
MANY = 3000
"""Regions beyond which the smallest are only coloured by the way."""


def oklab(lightness: float, chroma: float, turn: float) -> NDArray[np.float64]:
    """Return the colour at a ``turn`` (0 to 1) of the wheel, as Oklab coordinates."""
    angle = 2 * np.pi * turn
    return np.array([lightness, chroma * np.cos(angle), chroma * np.sin(angle)])


def srgb(lab: NDArray[np.float64]) -> Shades:
    """Return Oklab colours [..., 3] as red, green and blue, 0 to 255 (Ottosson, 2020)."""
    to_cone = [[1, 0.3963378, 0.2158038], [1, -0.1055613, -0.0638542], [1, -0.0894842, -1.2914855]]
    to_light = [
        [4.0767417, -3.3077116, 0.2309699],
        [-1.2684380, 2.6097574, -0.3413194],
        [-0.0041961, -0.7034186, 1.7076147],
    ]
    light = np.clip((lab @ np.array(to_cone).T) ** 3 @ np.array(to_light).T, 0, 1)
    value = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    shades: Shades = (255 * value).astype(np.float32)
    return shades


def numbered(count: int) -> NDArray[np.float64]:
    """Return a place on the wheel, 0 to 1, for each region number from 0 up to ``count``.

    Regions whose numbers are near each other lie far apart. (Multiples of the golden ratio.)
    """
    turns: NDArray[np.float64] = np.arange(count + 1, dtype=np.float64) * GOLDEN % 1
    return turns


def placed(labels: Labels, count: int) -> NDArray[np.float64]:
    """Return a place on the wheel, 0 to 1, for each region of ``labels[y, x]`` up to ``count``.

    It goes by the region's first tile, so that a region that grows keeps it.
    """
    flat = labels.ravel()
    cells = np.flatnonzero(flat)[::-1]
    first = np.zeros(count + 1, np.int64)
    first[flat[cells]] = cells
    width = labels.shape[1]
    turns: NDArray[np.float64] = (first % width * PLASTIC[0] + first // width * PLASTIC[1]) % 1
    return turns


def region_colors(labels: Labels, turns: NDArray[np.float64]) -> Shades:
    """Return a colour [region, 3] for each region of ``labels[y, x]``, 0 being none.

    ``turns`` are their places on the wheel; one too much like a neighbour's moves on.
    """
    chosen = np.array([oklab(*TIERS[n % len(TIERS)], turn) for n, turn in enumerate(turns)])
    done: set[int] = set()
    around: dict[int, list[int]] = {}
    for one, other in touching(labels).tolist():
        around.setdefault(one, []).append(other)
        around.setdefault(other, []).append(one)
    for n in sorted(around) if len(around) < MANY else ():
        near = [chosen[other] for other in around[n] if other in done]
        done.add(n)
        if near:
            tries = np.array([_candidate(n, turns[n], k) for k in range(TRIES)])
            gaps = np.linalg.norm(tries[:, None] - np.array(near)[None], axis=2).min(axis=1)
            chosen[n] = tries[int((gaps > APART).argmax()) if gaps.max() > APART else gaps.argmax()]
    return srgb(chosen)


def _candidate(n: int, turn: float, number: int) -> NDArray[np.float64]:
    return oklab(*TIERS[(n + number) % len(TIERS)], turn + number * GOLDEN * GOLDEN)


def touching(labels: Labels) -> NDArray[np.int64]:
    """Return the pairs (lower, higher) of regions that lie at most `REACH` tiles apart."""
    span = int(labels.max(initial=0)) + 1
    found = []
    for step in range(1, REACH + 1):
        for one, other in (
            (labels[:, :-step], labels[:, step:]),
            (labels[:-step], labels[step:]),
        ):
            meet = (one != other) & (one > 0) & (other > 0)
            low, high = np.minimum(one, other)[meet], np.maximum(one, other)[meet]
            found.append(np.unique(low.astype(np.int64) * span + high))
    pairs = np.unique(np.concatenate(found))
    return np.column_stack([pairs // span, pairs % span])
