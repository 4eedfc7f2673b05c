"""The Workshop's choice of a generator: a grid in which a level of each grows."""

from time import monotonic

import numpy as np
from numpy.typing import NDArray

from engine.levels.recipe_by_depth import code_at
from engine.state.run_setup import RunSetup
from procgen.build import recipe_of
from render.map.whole_level import draw_points, ground_points
from render.screens.menu import Choice, Menu
from render.screens.reader import help_screen
from render.screens.screen import Push, Reply
from render.tiles.tile_canvas import Pixels
from render.ui.buttons import hint, write_hints
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import fill, paragraphs, write, write_lines
from render.workshop.build_recording import BuildRecording

CELL = 20, 7
"""The fewest columns and rows of a cell of the grid; its first row names the generator."""
HEAD, FOOT = 2, 4
"""Rows above and below the grid."""
SLICE_SECONDS, TICK_SECONDS = 0.012, 0.03
"""Levels are built in slices of this length, at these intervals; a key waits for one at most."""


class Thumbnail(BuildRecording):
    """A level that is built stage by stage and shown with one point per tile."""

    def __init__(self, setup: RunSetup) -> None:
        code = code_at(setup, setup.depth)
        # The recipe is kept, since the file of a user recipe may change meanwhile.
        super().__init__(code, recipe_of(code))
        self._tiles: NDArray[np.uint8] | None = None
        self._points: Pixels | None = None

    def points(self) -> Pixels | None:
        """Return the colours of the tiles, [y, x, 3]; None before the first stage."""
        newest = self.snapshots[-1].tiles if self.snapshots else None
        if newest is not None and newest is not self._tiles:
            self._tiles, self._points = newest, ground_points(newest, self.recipe.theme)
        return self._points


def _grid(columns: int, rows: int, count: int) -> tuple[int, int]:
    """Return the cells across and down so that ``count`` fit on one page, as large as possible.

    If even the smallest cells do not fit, they are divided into pages of about equal length.
    """
    most = max(1, columns // CELL[0])
    for across in range(1, most + 1):
        down = rows // max(CELL[1], columns // across * CELL[1] // CELL[0])
        if across * down >= count:
            return across, down
    lines, fitting = -(-count // most), max(1, rows // CELL[1])
    return most, -(-lines // -(-lines // fitting))


class GeneratorChooser(Menu):
    """A grid of generators; those with a setup show the level that a run of it starts with."""

    covers = True
    choose_text = "or a letter: choose"

    def __init__(self, title: str, choices: list[Choice], setups: list[RunSetup]) -> None:
        super().__init__(title, choices)
        self._thumbnails = [Thumbnail(setup) for setup in setups]
        self._across = 1
        self._next = 0

    @property
    def interval(self) -> float | None:
        """Seconds until more is built; None when all levels in view are finished."""
        return TICK_SECONDS if not all(level.finished for level in self._shown()) else None

    def tick(self) -> Reply:
        """Continue building the levels in view for one slice of time, a stage of each in turn."""
        until = monotonic() + SLICE_SECONDS
        growing = [level for level in self._shown() if not level.finished]
        while growing and monotonic() < until:
            self._next = (self._next + 1) % len(growing)
            if not growing[self._next].advance():
                break
        return None

    def _shown(self) -> list[Thumbnail]:
        last = len(self._thumbnails)
        return [self._thumbnails[number] for _, number in self._cells if number < last]

    def draw(self, frame: Frame) -> None:
        """Draw the page with the selected generator, and its description below the grid."""
        fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "panel")
        write(frame.text, 2, 0, self.title, "accent", frame.columns - 4)
        columns, rows = frame.columns - 2, max(1, frame.rows - HEAD - FOOT)
        self._across, down = _grid(columns, rows, len(self.choices))
        wide, high = columns // self._across, rows // down
        page = self._page = self._across * down
        first = self.index // page * page
        self._cells = []
        for number in range(first, min(len(self.choices), first + page)):
            row, column = divmod(number - first, self._across)
            rect = Rect(1 + column * wide, HEAD + row * high, wide - 1, high - 1)
            self._cells.append((rect, number))
            self._draw_cell(frame, rect, number)
        self._draw_foot(frame, first // page + 1, -(-len(self.choices) // page))

    def _draw_cell(self, frame: Frame, rect: Rect, number: int) -> None:
        choice, lit = self.choices[number], number == self.index
        if lit:
            fill(frame.text, rect._replace(height=1), "line")
        write(frame.text, rect.x + 1, rect.y, choice.key, "accent")
        name = choice.label
        write(frame.text, rect.x + 3, rect.y, name, "accent" if lit else "text", rect.width - 4)
        # In a window a picture is in the middle between two names, in a terminal just above one.
        below = rect.height - (not frame.tile_pixels)
        place = Rect(rect.x + 1, rect.y + 1, rect.width - 2, below)
        if number < len(self._thumbnails) and min(place.width, place.height) > 0:
            points = self._thumbnails[number].points()
            if points is not None:
                draw_points(frame, place, points)

    def _draw_foot(self, frame: Frame, page: int, pages: int) -> None:
        top, width = frame.rows - FOOT + 1, frame.columns - 4
        lines = paragraphs(self.choices[self.index].note, width)[: FOOT - 2]
        write_lines(frame.text, 2, top, lines, "text", width)
        hints = self.hints()
        if pages > 1:
            turns = [("page_down", "page down")] * (page < pages)  # Stays under the mouse.
            turns += [("page_up", "page up")] * (page > 1)
            hints[-1:-1] = [hint("menu", name, text) for name, text in turns]
            position = f"page {page} of {pages}"
            write(frame.text, frame.columns - 2 - len(position), 0, position, "dim")
        write_hints(frame, 2, frame.rows - 1, hints, width)

    def key(self, key: Key) -> Reply:
        """Move through the grid, open the help, or handle a key as any menu does."""
        chosen = any(key.name == choice.key for choice in self.choices)
        steps = {"up": -self._across, "down": self._across}
        step = steps.get(command_of("menu", key) or "") or {"left": -1, "right": 1}.get(key.name)
        if chosen or step is None:
            asks = not chosen and command_of("play", key) == "help"
            return Push(help_screen(("menu", "any"), "generators")) if asks else super().key(key)
        self.index = max(0, min(len(self.choices) - 1, self.index + step))
        return None
