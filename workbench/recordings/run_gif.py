"""Export a run as a GIF: a palette per level, and only the changed part of each frame."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from PIL.GifImagePlugin import getdata, getheader

from render.backends.terminal_colors import Packed
from workbench.images.frame_pixels import frame_pixels, packed_colors
from workbench.images.gif_writer import MOST, Counts, Dyes
from workbench.recordings.frames import RecordedFrame


def dyes_of(samples: Iterable[RecordedFrame]) -> dict[str, Dyes]:
    """Return a palette for each level that is seen on ``samples``."""
    seen: dict[str, tuple[Packed, Counts]] = {}
    for shot in samples:
        new = np.unique(packed_colors(frame_pixels(shot.frame)), return_counts=True)
        known = seen.get(shot.level)
        seen[shot.level] = _together(known, new) if known else new
    return {level: Dyes(*found) for level, found in seen.items()}


def _together(one: tuple[Packed, Counts], other: tuple[Packed, Counts]) -> tuple[Packed, Counts]:
    """Add up how often colours were seen."""
    found, places = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
    counts = np.bincount(places, np.concatenate([one[1], other[1]]))
    return found, counts.astype(np.intp)


SAME = MOST
"""The number that leaves a pixel as it is."""
HOLD = 3.0
"""Seconds that the last picture stays."""
END = b";"

Numbers = NDArray[np.uint8]


class Patch(NamedTuple):
    """A changed part of a frame: colour numbers from column ``x`` and row ``y`` on."""

    time: float
    x: int
    y: int
    numbers: Numbers
    dyes: Dyes


def gif(shots: Iterable[RecordedFrame], dyes: dict[str, Dyes]) -> Iterator[bytes]:
    """Yield the pieces of the file for ``shots``; ``dyes`` has a palette for each level."""
    first: Dyes | None = None
    held: Patch | None = None
    time = 0.0
    for patch in _patches(shots, dyes):
        time = patch.time
        if held is None:
            first = patch.dyes
            yield from _header(patch)
        elif patch.numbers.size:
            yield from _written(held, patch.time, first)
        if held is None or patch.numbers.size:
            held = patch
    if held:
        yield from _written(held, time + HOLD, first)
        yield END


def _patches(shots: Iterable[RecordedFrame], dyes: dict[str, Dyes]) -> Iterator[Patch]:
    """Yield what changes with each shot; the numbers are empty where nothing does."""
    shown: Numbers | None = None
    last: Dyes | None = None
    for shot in shots:
        if shot.level not in dyes:
            dyes |= dyes_of([shot])
        palette = dyes[shot.level]
        numbers = palette.numbers(frame_pixels(shot.frame))
        if shown is None or palette is not last:
            yield Patch(shot.time, 0, 0, numbers, palette)
        else:
            yield _difference(shot.time, shown, numbers, palette)
        shown, last = numbers, palette


def _difference(time: float, shown: Numbers, numbers: Numbers, dyes: Dyes) -> Patch:
    changed = shown != numbers
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return Patch(time, 0, 0, numbers[:0], dyes)
    area = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    patch = np.where(changed[area], numbers[area], SAME).astype(np.uint8)
    return Patch(time, int(columns[0]), int(rows[0]), patch, dyes)


def _header(patch: Patch) -> list[bytes]:
    image = _image(patch)
    return getheader(image, info={"loop": 0, "duration": 10})[0]


def _written(patch: Patch, until: float, first: Dyes | None) -> list[bytes]:
    """Return a frame shown until ``until``, with its palette unless it is the first one."""
    hundredths = round(until * 100) - round(patch.time * 100)
    return getdata(
        _image(patch),
        (patch.x, patch.y),
        duration=10 * hundredths,
        transparency=SAME,
        disposal=1,
        include_color_table=patch.dyes is not first,
    )


def _image(patch: Patch) -> Image.Image:
    image = Image.fromarray(np.ascontiguousarray(patch.numbers), "P")
    image.putpalette(patch.dyes.table.tobytes())
    return image
