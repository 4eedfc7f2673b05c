"""Export the build of a level as an animated GIF, or as an HTML page that plays it."""

from collections.abc import Iterator
from itertools import chain, pairwise

import numpy as np
from PIL import Image
from tcod.console import Console
from tcod.tileset import Tileset

from procgen.level import Level
from procgen.metrics import relative_metrics
from render.map.charts import ChartKind
from render.map.whole_level import downscaled, level_and_ground, plain_colors
from render.tiles.tile_canvas import Pixels
from render.tiles.tileset import console_image, map_tileset
from render.ui.frame import Rect
from render.ui.palette import colors
from render.workshop.build_recording import BuildRecording
from render.workshop.build_view import BuildView, ChartPicker
from render.workshop.partition_painting import is_partition
from workbench.exports.origin import ExportOptions
from workbench.images.gif_writer import GifFrame, GifPalette, color_counts, gif_pieces
from workbench.images.level_pictures import TooLarge, flat_colors
from workbench.images.picture_text import Pen, shortened
from workbench.images.player_page import Cells, Chapter, Film, FilmLayer, player_page

TILE_SIDES, LONGEST, MOST_SIDE = (12, 10, 8, 6), 1280, 2560
"""Tile sizes in pixels; the longest side of a frame by default, and with ``--tile``."""
FLAT_SIDE = 960
"""The approximate longest side of a frame in plain colours."""
FRAMES, MOST_FRAMES = 100, 1000
SECONDS, SLOWEST, HOLD = 8.0, 0.4, 250
"""Most seconds for the whole build and per snapshot; 1/100 seconds for the finished level."""
SAMPLES = 8
"""The least number of frames from which the palette is chosen, if there are as many."""
CAPTION, LETTERS = 36, 17
"""The heights of the caption and of its letters in pixels."""


def build_gif(level: Level, options: ExportOptions, origin: str) -> bytes:
    """Return a GIF of the build; of too many snapshots, evenly spaced ones are shown."""
    frames = BuildFrames(level, options)
    shown, last = frames.shown(FRAMES), len(frames.recording.snapshots)
    samples = [*shown[:: max(1, len(shown) // SAMPLES)], last]
    palette = GifPalette([color_counts(frames.frame(number)) for number in samples])
    stay = max(3, round(100 * frames.stay(shown)))
    pictures = chain(((frames.frame(n), stay) for n in shown), [(frames.frame(last), HOLD)])
    timed = (GifFrame(palette.numbers(pixels), stay, palette) for pixels, stay in pictures)
    return b"".join(gif_pieces(timed, f"{level.code}\n{origin}"))


def evenly_chosen(count: int, most: int) -> list[int]:
    """Return at most ``most`` of ``count`` indices, evenly spaced, first and last included."""
    return [int(index) for index in np.linspace(0, count - 1, min(count, most)).round()]


class BuildFrames:
    """Draws the frames of a build; the frame after the last snapshot is the finished level."""

    def __init__(self, level: Level, options: ExportOptions) -> None:
        self.level, self.options = level, options
        self.recording = BuildRecording(level.code, options.recipe)
        self.recording.to_end()
        self._view = BuildView()
        self._painted = BuildView(ChartPicker(ChartKind.REGIONS))
        pairs = pairwise(self.recording.snapshots)
        self._splitting = [now.use for was, now in pairs if now.leaves and now.leaves != was.leaves]
        """The steps that change the cells of a partition."""
        longest = max(level.tiles.shape)
        tile = options.tile or next((side for side in TILE_SIDES if longest * side <= LONGEST), 0)
        self.flat = options.flat or not tile
        if self.flat:
            tile = options.tile or max(1, FLAT_SIDE // longest)
        if options.tile and longest * tile > MOST_SIDE:
            raise TooLarge(
                f"--tile {tile} makes a moving picture of {longest * tile} pixels a side, the "
                f"most is {MOST_SIDE}"
            )
        self.tile = tile

    def shown(self, most: int) -> list[int]:
        """Return the snapshots to show: with the finished level at most ``most``, or `--frames`."""
        return evenly_chosen(len(self.recording.snapshots), (self.options.frames or most) - 1)

    def stay(self, shown: list[int]) -> float:
        """Return the seconds for which each snapshot is shown."""
        return min(SLOWEST, SECONDS / len(shown))

    def console(self, index: int) -> Console:
        """Draw snapshot ``index``, a cell for each tile."""
        height, width = self.level.tiles.shape
        if index == len(self.recording.snapshots):
            return level_and_ground(self.level)[0]
        console = Console(width, height)
        view = self._painted if self._shows_partition(index) else self._view
        view.draw(console, self.recording, index, tall=False)
        return console

    def points(self, index: int) -> Pixels:
        """Draw snapshot ``index`` in plain colours, a point for each tile: [y, x, 3]."""
        if index == len(self.recording.snapshots):
            return flat_colors(self.level)
        points = plain_colors(self.level.theme)[self.recording.snapshots[index].tiles]
        if self._shows_partition(index):
            chart = self._painted.picker.on_snapshot(self.recording, index)
            assert chart
            share = chart.cover[..., None]
            points = points * (1 - share) + chart.paper * share
        return points.astype(np.uint8)

    def frame(self, index: int) -> Pixels:
        """Draw snapshot ``index`` for a GIF."""
        if self.flat:
            points = self.points(index)
            if max(points.shape) > MOST_SIDE // 2:
                points = downscaled(points.astype(np.float32), max(points.shape) / FLAT_SIDE)
            image = Image.fromarray(points.repeat(self.tile, axis=0).repeat(self.tile, axis=1))
        else:
            image = console_image(self.console(index), self.tile)
        return self._captioned(image, min(index, len(self.recording.snapshots) - 1))

    def _shows_partition(self, index: int) -> bool:
        """Return True if a step that splits the map made the snapshot and shows its cells."""
        snapshot, code = self.recording.snapshots[index], self.recording.code
        size = code.width, code.height
        return snapshot.use in self._splitting and is_partition(snapshot.leaves, *size)

    def _captioned(self, image: Image.Image, index: int) -> Pixels:
        if not self.options.captions:
            return np.asarray(image)
        page = Image.new("RGB", (image.width, image.height + CAPTION), colors()["ground"])
        page.paste(image)
        pen, snapshot = Pen(page), self.recording.snapshots[index]
        y, right = image.height + CAPTION - 12, image.width - 12
        total = len(self.recording.snapshots)
        left = pen.write_left_of((right, y), f"{index + 1}/{total}", colors()["dim"], LETTERS)
        step = snapshot.use.step.name.replace("_", " ")
        text = shortened(f"{step}: {snapshot.caption}", LETTERS, left - 36)
        pen.write((12, y), text, colors()["text"], LETTERS)
        done = image.width * (index + 1) // total
        pen.fill((0, image.height, done, image.height + 2), colors()["accent"])
        return np.asarray(page)


PAGE_FRAMES, CELLS = 400, 24_000_000
"""The most frames, and the most cells of all frames together, which a browser must hold."""
LARGEST_SIDE = 480
"""The most points on the longer side of a level in plain colours."""


def build_page(level: Level, options: ExportOptions, origin: str) -> bytes:
    """Return a page that plays the build from the first change to the finished level."""
    frames = BuildFrames(level, options)
    snapshots = frames.recording.snapshots
    area = min(max(level.tiles.shape), LARGEST_SIDE) ** 2 if frames.flat else level.tiles.size
    shown = frames.shown(max(2, min(PAGE_FRAMES, CELLS // area)))
    cells = np.stack([_cells(frames, index) for index in (*shown, len(snapshots))])
    # Plain colours use empty tiles.
    tiles = Tileset(frames.tile, frames.tile) if frames.flat else map_tileset(frames.tile).whole()
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
        facts=[(name, value) for name, value, _ in relative_metrics(level)],
    )
    names = {"title": level.code.name, "code": str(level.code), "part": "a step", "parts": "Steps"}
    about = frames.recording.recipe.description
    return player_page(film, about=about, command=origin, **names)


def _chapters(frames: BuildFrames) -> Iterator[Chapter]:
    """Yield the steps in the order in which they ran, also in rejected attempts, then the end."""
    recording = frames.recording
    for begin in recording.starts:
        snapshot = recording.snapshots[begin]
        tries = f", attempt {snapshot.attempt + 1}" if snapshot.attempt else ""
        name = snapshot.step.replace("_", " ") + tries
        values = [(label.replace("_", " "), value) for label, value in snapshot.parameters]
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
