"""Export the build of a level as an HTML page that plays it, with captions and parameters."""

from collections.abc import Iterator

import numpy as np
from tcod.console import Console
from tcod.tileset import Tileset

from procgen.level import Level
from procgen.metrics import relative_metrics
from render.map.whole_level import downscaled
from render.tiles.tileset import map_tileset
from render.ui.frame import Rect
from workbench.exports.build_gif import BuildFrames
from workbench.exports.origin import ExportOptions
from workbench.images.player_page import Cells, Chapter, Film, FilmLayer, PageTexts, player_page

FRAMES, CELLS = 400, 24_000_000
"""Most frames, and most cells of all frames together: a browser must hold them."""
LARGEST_SIDE = 480
"""Points on the longer side of a level in plain colours, if it has more tiles."""


def build_page(level: Level, options: ExportOptions, origin: str) -> bytes:
    """Return a page that plays the build from the first change to the finished level."""
    frames = BuildFrames(level, options)
    snapshots = frames.recording.snapshots
    area = min(max(level.tiles.shape), LARGEST_SIDE) ** 2 if frames.flat else level.tiles.size
    shown = frames.shown(max(2, min(FRAMES, CELLS // area)))
    cells = np.stack([_cells(frames, index) for index in (*shown, len(snapshots))])
    # Plain colours are tiles without any shape.
    tiles = Tileset(frames.tile, frames.tile) if frames.flat else map_tileset(frames.tile)
    width, height = (cells.shape[axis] * frames.tile for axis in (2, 1))
    stay, chapters = frames.stay(shown), list(_chapters(frames))
    begins = {begin: number for number, begin in enumerate(frames.recording.starts)}
    part_of = np.cumsum([index in begins for index in range(len(snapshots))]) - 1
    film = Film(
        (width, height),
        [FilmLayer(cells, tiles, 0, 0, Rect(0, 0, width, height))],
        [stay * number for number in range(len(shown) + 1)],
        [*(int(part_of[index]) for index in shown), len(chapters) - 1],
        [*(snapshots[index].caption for index in shown), ""],
        chapters,
        facts=[(metric.name, metric.value) for metric in relative_metrics(level)],
    )
    about = frames.recording.recipe.description
    told = PageTexts(level.code.name, about, str(level.code), origin, "a step", "Steps")
    return player_page(film, told)


def _chapters(frames: BuildFrames) -> Iterator[Chapter]:
    """Yield the steps in the order they were run, those of rejected attempts too, and the end."""
    recording = frames.recording
    for begin in recording.starts:
        snapshot = recording.snapshots[begin]
        tries = f", attempt {snapshot.attempt + 1}" if snapshot.attempt else ""
        name = snapshot.step.replace("_", " ") + tries
        values = [(told.replace("_", " "), value) for told, value in snapshot.parameters]
        yield Chapter(name, snapshot.use.step.summary.replace("``", "'"), values)
    yield Chapter("the finished level")


def _cells(frames: BuildFrames, index: int) -> Cells:
    """Return the cells of a frame, [y, x] of ch, fg, bg."""
    if not frames.flat:
        return frames.console(index).rgb
    points = frames.points(index)
    if (scale := max(points.shape) / LARGEST_SIDE) > 1:
        points = downscaled(points.astype(np.float32), scale)
    console = Console(points.shape[1], points.shape[0])
    console.rgb["ch"], console.rgb["bg"] = ord(" "), points
    return console.rgb
