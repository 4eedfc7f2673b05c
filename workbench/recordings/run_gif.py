"""Export a run as a GIF with a palette for each level."""

from collections.abc import Iterable, Iterator

import numpy as np

from render.backends.terminal_colors import Packed
from workbench.images.frame_pixels import frame_pixels, packed_colors
from workbench.images.gif_writer import Counts, GifFrame, GifPalette, gif_pieces, merged_counts
from workbench.recordings.frames import RecordedFrame

HOLD = 3.0
"""Seconds that the last picture stays."""


def level_palettes(samples: Iterable[RecordedFrame]) -> dict[str, GifPalette]:
    """Return a palette for each level that is seen on ``samples``."""
    counted: dict[str, tuple[Packed, Counts]] = {}
    for shot in samples:
        new = np.unique(packed_colors(frame_pixels(shot.frame)), return_counts=True)
        found = counted.get(shot.level)
        counted[shot.level] = merged_counts([found, new]) if found else new
    return {level: GifPalette(*found) for level, found in counted.items()}


def run_gif(shots: Iterable[RecordedFrame], palettes: dict[str, GifPalette]) -> Iterator[bytes]:
    """Yield the pieces of the file for ``shots``; ``palettes`` has one for each level."""
    return gif_pieces(_timed(shots, palettes))


def _timed(shots: Iterable[RecordedFrame], palettes: dict[str, GifPalette]) -> Iterator[GifFrame]:
    """Yield the frames, each shown until the next one begins."""
    held: GifFrame | None = None
    start, time = 0, 0.0
    for shot in shots:
        time = shot.time
        begins = round(100 * time)  # Rounded in all, not each stay: else a long run drifts.
        if held:
            yield held._replace(stay=begins - start)
        if shot.level not in palettes:
            palettes |= level_palettes([shot])
        palette = palettes[shot.level]
        held, start = GifFrame(palette.numbers(frame_pixels(shot.frame)), 0, palette), begins
    if held:
        yield held._replace(stay=round(100 * (time + HOLD)) - start)
