"""Terminal colours: depth detection, and the nearest of 256 or 16 colours in OKLab."""

from collections.abc import Mapping
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Packed = NDArray[np.uint32]
"""Colours as 0xRRGGBB."""


class ColorDepth(IntEnum):
    """The number of colours that a terminal can show."""

    MONO = 0
    ANSI = 16
    INDEXED = 256
    TRUE = 1 << 24


def color_depth(colors: int, environ: Mapping[str, str]) -> ColorDepth:
    """Return the colour depth of a terminal whose terminfo has ``colors``.

    GNU screen passes COLORTERM on but has no true colour; Windows Terminal has: WT_SESSION tells.
    """
    if environ.get("NO_COLOR"):
        return ColorDepth.MONO
    if environ.get("STY"):
        colors = min(colors, ColorDepth.INDEXED)
    elif environ.get("COLORTERM") in {"truecolor", "24bit"} or environ.get("WT_SESSION"):
        colors = ColorDepth.TRUE
    if colors < 8:
        return ColorDepth.MONO
    depth = next(depth for depth in reversed(ColorDepth) if colors >= depth)
    return max(depth, ColorDepth.ANSI)


_LEVELS = (0, 95, 135, 175, 215, 255)
_CUBE = [(r, g, b) for r in _LEVELS for g in _LEVELS for b in _LEVELS]
_GREYS = [(grey, grey, grey) for grey in range(8, 239, 10)]
_ANSI = [(0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0)]
_ANSI += [(0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)]
_ANSI += [(127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0)]
_ANSI += [(92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255)]

TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""The matrices of OKLab: from linear red, green and blue to cones, and from their cube roots on."""


def unpack_rgb(colors: Packed) -> NDArray[np.int32]:
    """Return the channels of packed colours [...]: int32 [..., 3]."""
    shifts = np.array([16, 8, 0], np.uint32)
    return ((colors[..., None] >> shifts) & 0xFF).astype(np.int32)


def pack_rgb(channels: NDArray[np.integer]) -> Packed:
    """Return packed colours [...] from ``channels`` [..., 3]."""
    red, green, blue = (channels[..., channel].astype(np.uint32) for channel in range(3))
    return red << np.uint32(16) | green << np.uint32(8) | blue


def luma(colors: Packed) -> NDArray[np.float64]:
    """Return the perceived brightness of colours, 0 to 255 (Rec. 601)."""
    return np.asarray(unpack_rgb(colors) @ np.array([0.299, 0.587, 0.114]))


def _oklab(channels: NDArray[np.integer]) -> NDArray[np.float64]:
    """Return colours in Björn Ottosson's OKLab, where distance is perceived difference."""
    srgb = channels / 255.0
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(linear @ TO_CONES.T) @ TO_LAB.T)


COLORFUL = 0.075
"""The chroma (OKLab) from which no grey stands for a colour in a small palette."""


class TerminalPalette:
    """The fixed colours of a terminal, numbered from ``first``.

    The saturation of a wanted colour is multiplied by ``vivid``, so that its hue survives a small
    palette. Results are cached by the upper six bits of each channel: a lookup is one indexing,
    where computing distances for every cell of every frame would be far too slow.
    """

    def __init__(self, colors: list[tuple[int, int, int]], first: int, vivid: float = 1) -> None:
        self._lab = _oklab(np.array(colors))
        self._first = first
        self._vivid = np.array([1, vivid, vivid])
        self._greys = (np.hypot(*self._lab.T[1:]) < 0.01) & (vivid > 1)
        self._known = np.full(1 << 18, -1, np.int16)

    def nearest(self, colors: Packed) -> Packed:
        """Return the numbers of the nearest palette colours, for packed ``colors`` [...]."""
        keys = ((colors >> 6) & 0x3F000) | ((colors >> 4) & 0xFC0) | ((colors >> 2) & 0x3F)
        new = np.unique(keys[self._known[keys] < 0])
        for batch in np.split(new, range(1024, len(new), 1024)):
            channels = (batch[:, None] >> np.array([12, 6, 0])) % 64 * 255 // 63
            lab = _oklab(channels)
            distances = (self._lab**2).sum(axis=1) - 2 * lab * self._vivid @ self._lab.T
            distances[np.ix_(np.hypot(*lab.T[1:]) > COLORFUL, self._greys)] = np.inf
            self._known[batch] = distances.argmin(axis=1) + self._first
        return np.asarray(self._known[keys], np.uint32)


PALETTES = {
    ColorDepth.ANSI: TerminalPalette(_ANSI, 0, vivid=2),
    ColorDepth.INDEXED: TerminalPalette(_CUBE + _GREYS, 16),  # Users redefine the first 16.
}
BLACK, WHITE, GREY = 0, 7, 8
LIGHT_PAPERS = (2, 3, 6)
"""The green, yellow and cyan of 16 colours: white ink on them is hard to read."""
DUSK, NIGHT = 64, 28
"""With 16 colours: the brightness below which ink is grey, and that below which it is black."""


def to_palette(ink: Packed, paper: Packed, depth: ColorDepth) -> tuple[Packed, Packed]:
    """Return ink and paper as palette numbers.

    If two different colours map to the same number, their contrast is increased: otherwise dim
    text on a dark background would vanish.
    """
    inks, papers = _numbers(ink, depth, GREY), _numbers(paper, depth, BLACK)
    lost = (inks == papers) & (ink != paper)
    ground = unpack_rgb(paper[lost])
    contrast = unpack_rgb(ink[lost]) - ground
    pushed = np.clip(ground + 4 * contrast, 0, 255)
    inks[lost] = _numbers(pack_rgb(pushed), depth, GREY)
    if depth == ColorDepth.ANSI:
        inks[(inks == WHITE) & np.isin(papers, LIGHT_PAPERS)] = BLACK
    return np.where(ink == paper, papers, inks), papers


def _numbers(colors: Packed, depth: ColorDepth, dusk: int) -> Packed:
    numbers = PALETTES[depth].nearest(colors)
    if depth == ColorDepth.ANSI:
        light = luma(colors)
        numbers[light < DUSK] = dusk
        numbers[light < NIGHT] = BLACK
    return numbers
