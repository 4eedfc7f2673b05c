"""A large level being built before it is played: its newest stage, a bar, and Esc to go back."""

import time
from collections.abc import Callable

from procgen.build import build_in_stages, recipe_of
from procgen.level import Level
from procgen.level_code import CodeError, LevelCode
from procgen.recipe_builder import BuildFailed, Stage
from procgen.recipes import TooSmall, UnknownRecipe
from render.map.whole_level import draw_overview
from render.screens.screen import Pop, Reply, Screen
from render.ui.buttons import hint, write_hints
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.text import bar, fill, write, write_parts

SLICE_SECONDS = 0.1
"""Seconds of work between two frames, so that Esc is heard."""


class BuildProgressScreen(Screen):
    """Builds the level of ``code`` in slices; ``then`` gets the level, None if it can't be built.

    Only the newest stage is kept: recording all of a large level, as the build player does,
    would take longer than building it.
    """

    interval = 0.0

    def __init__(self, code: LevelCode, then: Callable[[Level | None], Reply]) -> None:
        self.code = code
        self._then = then
        self._recipe = recipe_of(code)
        self._stages = build_in_stages(code)
        self._stage: Stage | None = None

    def tick(self) -> Reply:
        """Build one slice further; at the end close and hand the level over."""
        until = time.monotonic() + SLICE_SECONDS
        try:
            while time.monotonic() < until:
                self._stage = next(self._stages)
        except StopIteration as end:
            level: Level = end.value
            return Pop(lambda _: self._then(level))
        except (CodeError, UnknownRecipe, TooSmall, BuildFailed):
            return Pop(lambda _: self._then(None))
        return None

    def draw(self, frame: Frame) -> None:
        """Draw the level so far, the name of the step, its caption and the bar."""
        text, stage = frame.text, self._stage
        fill(text, Rect(0, 0, frame.columns, frame.rows), "ground")
        foot = min(3, frame.rows)
        area = Rect(0, 1, frame.columns, max(1, frame.rows - 1 - foot))
        console = frame.open_map(area, (self.code.width, self.code.height))
        if stage:
            tall = not frame.grain
            draw_overview(console, stage.plan.tiles, self._recipe.theme, None, [], tall=tall)
        top = frame.rows - foot
        fill(text, Rect(0, 0, frame.columns, 1), "panel")
        fill(text, Rect(0, top, frame.columns, foot), "panel")
        write_parts(text, 1, 0, [("Building ", "dim"), (str(self.code), "accent")])
        if stage:
            number = f"{stage.index + 1}/{len(self._recipe.steps)} "
            again = f"attempt {stage.attempt + 1}  " if stage.attempt else ""
            parts = [(number, "dim"), (f"{stage.use.label}  ", "accent"), (again, "warn")]
            end = write_parts(text, 1, top, parts)
            write(text, end, top, stage.caption, "text", max(0, frame.columns - end - 1))
        line = Rect(1, top + 1, max(1, frame.columns - 2), 1)
        bar(text, line, self._share(), "accent", "line")
        write_hints(frame, 1, frame.rows - 1, [hint("menu", "back", "go back")], frame.columns - 2)

    def _share(self) -> float:
        """Return roughly how much is done, 0 to 1, by steps of the recipe."""
        return (self._stage.index + 0.5) / len(self._recipe.steps) if self._stage else 0.0

    def key(self, key: Key) -> Reply:
        """Give up by Esc: nothing has been changed yet."""
        return Pop() if command_of("menu", key) == "back" else None

    def pointer(self, pointer: Pointer) -> Reply:
        """Give up by the right button."""
        return Pop() if pointer.kind == "press" and pointer.button == "right" else None

    def close(self) -> None:
        """Drop the unfinished build."""
        self._stages.close()
