"""A greyscale and alpha canvas for drawing one tile; pictures of particles."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from procgen.position_hash import hash_fraction

Pixels = NDArray[np.uint8]
CanvasPoints = Sequence[tuple[float, float]]


def blurred(cover: Image.Image | Pixels, deviation: float) -> NDArray[np.float32]:
    """Return ``cover``, 0 to 255, after a Gaussian blur, 0 to 1.

    It uses Pillow, since loading SciPy would take longer than all else before the first frame.
    """
    image = cover if isinstance(cover, Image.Image) else Image.fromarray(cover)
    blur = image.filter(ImageFilter.GaussianBlur(deviation))
    return np.asarray(blur, np.float32) / np.float32(255)


def hair_width(size: int) -> int:
    """Return the width in pixels of the finest line: one, or a few on large tiles."""
    return max(1, round(size / 26))


def with_halo(pixels: Pixels) -> Pixels:
    """Return ``pixels`` on a soft black halo, which makes them stand out on any ground."""
    size = len(pixels)
    ink = pixels[..., :3].astype(np.float32) / 255
    cover = pixels[..., 3].astype(np.float32) / 255
    halo = np.clip(blurred(pixels[..., 3], size / 20) * 2.6, 0, 0.85)
    alpha = cover + halo * (1 - cover)
    tile = np.dstack([ink * (cover / np.maximum(alpha, 1e-6))[..., None], alpha])
    return (tile * 255 + 0.5).astype(np.uint8)


class TileCanvas:
    """A tile of ``size`` pixels, painted in units of its side: (0, 0) to (1, 1), y down.

    ``shade`` is multiplied by the colour of the cell, ``cover`` is the alpha. Later shapes replace
    earlier ones. `bar` snaps to whole pixels, so that straight edges are crisp; other shapes are
    antialiased by supersampling.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._fine = 4 if size <= 24 else 3 if size <= 40 else 2
        self._side = size * self._fine
        self._image = Image.new("LA", (self._side, self._side), (0, 0))
        self._pen = ImageDraw.Draw(self._image)

    def bar(
        self, x: float, y: float, right: float, bottom: float, shade: float, cover: float = 1
    ) -> None:
        """Fill a rectangle snapped to whole pixels, at least one pixel wide and high."""
        x, y, right, bottom = (round(v * self.size) * self._fine for v in (x, y, right, bottom))
        right, bottom = max(right, x + self._fine), max(bottom, y + self._fine)
        self._pen.rectangle((x, y, right - 1, bottom - 1), _ink(shade, cover))

    def disc(
        self, x: float, y: float, across: float, down: float, shade: float, cover: float = 1
    ) -> None:
        """Fill an ellipse around (x, y) with the radii ``across`` and ``down``."""
        corners = self._path([(x - across, y - down), (x + across, y + down)])
        self._pen.ellipse(corners, _ink(shade, cover))

    def shape(self, points: CanvasPoints, shade: float, cover: float = 1) -> None:
        """Fill a polygon."""
        self._pen.polygon(self._path(points), _ink(shade, cover))

    def line(self, points: CanvasPoints, width: float, shade: float, cover: float = 1) -> None:
        """Draw a line through ``points``, never thinner than two thirds of a pixel."""
        thick = max(round(width * self._side), round(self._fine * 0.67), 1)
        self._pen.line(self._path(points), _ink(shade, cover), thick, joint="curve")

    def _path(self, points: CanvasPoints) -> list[tuple[float, float]]:
        # The pen truncates. Rounding first keeps 0.7 + 0.2 and 0.9 on the same pixel.
        return [(round(x * self._side, 6), round(y * self._side, 6)) for x, y in points]

    def pixels(self) -> Pixels:
        """Return the tile as uint8[size, size, 4]."""
        return np.asarray(self._image.reduce(self._fine))[:, :, [0, 0, 0, 1]]


def white(cover: NDArray[Any]) -> Pixels:
    """Return white pixels with the alpha ``cover`` [y, x], 0 to 255, truncated to integers."""
    pixels = np.full((*cover.shape, 4), 255, np.uint8)
    pixels[..., 3] = cover
    return pixels


def _ink(shade: float, cover: float) -> tuple[int, int]:
    return round(shade * 255), round(cover * 255)


def scattered_points(seed: int, count: int, margin: float) -> Iterator[tuple[float, float, float]]:
    """Yield ``count`` evenly spread points at least ``margin`` from the edges.

    Each is x, y and a random fraction.
    """
    turn, shift = hash_fraction(seed, 7), hash_fraction(seed, 11)
    for i in range(count):
        # A low-discrepancy sequence: independent random points would clump.
        x = (turn + (i + 1) * 0.7548776662) % 1
        y = (shift + (i + 1) * 0.5698402910) % 1
        room = 1 - 2 * margin
        yield margin + x * room, margin + y * room, hash_fraction(seed, i)


PARTICLES = ("soft", "drop", "chip", "hoop")
PARTICLE_SIDE = 32
"""The side of a particle in pixels; backends scale it."""


@cache
def particle_sheet() -> NDArray[np.uint8]:
    """Return the pictures side by side, white with alpha: uint8 [side, sides of all, 4]."""
    y, x = (np.indices((PARTICLE_SIDE, PARTICLE_SIDE)) + 0.5) * 2 / PARTICLE_SIDE - 1
    distance = np.hypot(x, y)
    edge = PARTICLE_SIDE / 4
    covers = {
        "soft": np.clip(1 - distance, 0, 1) ** 1.6,
        "drop": np.clip((0.85 - distance) * edge, 0, 1),
        "chip": np.clip((0.6 - np.abs(x + 0.35 * y) - 0.6 * np.abs(y - 0.2 * x)) * edge, 0, 1),
        "hoop": np.clip(1 - np.abs(distance - 0.8) * edge, 0, 1),
    }
    return white(np.concatenate([covers[name] for name in PARTICLES], axis=1) * 255)
