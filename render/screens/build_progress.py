"""A long build in progress: its newest stage, a bar, and Esc if the build can be stopped."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from procgen.build import BuildStopped, recipe_of
from procgen.level_code import LevelCode
from procgen.recipe_builder import Stage
from render.map.whole_level import draw_overview
from render.ui.buttons import Buttons, hint, write_hints
from render.ui.frame import Backend, Frame, Rect
from render.ui.input import Closed, Key, Pointer
from render.ui.keymap import command_of
from render.ui.text import bar, paint_bands, write, write_parts

SHOW_AFTER_SECONDS = 0.25
"""Seconds of building before anything is shown: most levels are there by then."""
FRAME_SECONDS = 0.1
"""Seconds between two frames, after each of which input is checked for Esc."""


class BuildProgress:
    """Watches builds (`procgen.build.watched_builds`) and shows those that take long.

    Input during the build is dropped: it was meant for the screen shown before.
    ``closed`` is set if the window was closed meanwhile.
    """

    def __init__(self, backend: Backend) -> None:
        self.closed = False
        self._backend = backend
        self._buttons = Buttons()
        self._stoppable = self._always = False
        self._code: LevelCode | None = None
        self._due = 0.0

    @contextmanager
    def stoppable(self, *, always: bool) -> Iterator[None]:
        """Let Esc raise `BuildStopped` in this context: ``always``, or if nothing has changed."""
        self._stoppable, self._always, self._code = True, always, None
        try:
            yield
        finally:
            self._stoppable = False

    def __call__(self, code: LevelCode, stage: Stage, nothing_changed: bool) -> None:
        """Show ``stage`` if a frame is due, and listen for Esc."""
        now = time.monotonic()
        if code != self._code:
            self._code, self._due = code, now + SHOW_AFTER_SECONDS
        if now < self._due:
            return
        frame = self._backend.frame()
        stoppable = self._stoppable and (self._always or nothing_changed)
        _draw(frame, code, stage, stoppable=stoppable)
        self._buttons.take(frame)
        self._backend.show(frame)
        for event in self._backend.wait(0.0):
            decoded = self._buttons.meant(event)
            self.closed |= isinstance(decoded, Closed)
            back = isinstance(decoded, Key) and command_of("menu", decoded) == "back"
            if isinstance(decoded, Pointer):
                back = decoded.kind == "press" and decoded.button == "right"
            if stoppable and (back or self.closed):
                raise BuildStopped
        self._due = time.monotonic() + FRAME_SECONDS


def _draw(frame: Frame, code: LevelCode, stage: Stage, *, stoppable: bool) -> None:
    """Draw the level so far, the name of the step, its caption and the bar."""
    text, recipe = frame.text, recipe_of(code)
    foot = min(3, frame.rows)
    console = frame.open_map(paint_bands(frame, 1, foot), (code.width, code.height))
    draw_overview(console, stage.plan.tiles, recipe.theme, None, [], tall=not frame.tile_pixels)
    top = frame.rows - foot
    write_parts(text, 1, 0, [("Building ", "dim"), (str(code), "accent")])
    number = f"{stage.index + 1}/{len(recipe.steps)} "
    again = f"attempt {stage.attempt + 1}  " if stage.attempt else ""
    parts = [(number, "dim"), (f"{stage.use.label}  ", "accent"), (again, "warn")]
    end = write_parts(text, 1, top, parts)
    write(text, end, top, stage.caption, "text", max(0, frame.columns - end - 1))
    line = Rect(1, top + 1, max(1, frame.columns - 2), 1)
    bar(text, line, (stage.index + 0.5) / len(recipe.steps), "accent", "line")
    if stoppable:
        write_hints(frame, 1, frame.rows - 1, [hint("menu", "back", "go back")], frame.columns - 2)
