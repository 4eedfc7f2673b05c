"""Watching a level being built: forwards, backwards, at any speed."""

import numpy as np

from procgen.code import LevelCode
from procgen.recipes import find_recipe
from render.draw import bar, fill, write, write_parts
from render.frame import Frame, Rect
from render.growth import Growth, Moment
from render.inputs import Key, Pointer
from render.keys import command
from render.map_view import draw_ground
from render.palette import colors
from render.screen import Pop, Reply, Screen, Zoom
from render.view import Ground, View

DELAYS = (0.8, 0.4, 0.2, 0.1, 0.05, 0.025, 0.012)


class WatchScreen(Screen):
    """A player for one build, with a bar to scrub."""

    def __init__(self, code: LevelCode) -> None:
        self.code = code
        self.growth = Growth(code)
        self.growth.advance()
        self.index = 0
        self.playing = True
        self.speed = 3
        self.view = View(reveal=True)
        self._bar = Rect(0, 0, 1, 1)

    @property
    def interval(self) -> float | None:  # type: ignore[override]
        """The time a moment is shown, while playing."""
        return DELAYS[self.speed] if self.playing else None

    @property
    def moment(self) -> Moment | None:
        """What is shown now; None if the build had nothing to show."""
        return self.growth.moments[self.index] if self.growth.moments else None

    def draw(self, frame: Frame) -> None:
        """Draw the level as it stands at this moment, its step and caption, and the bar."""
        fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "ground")
        area = Rect(0, 1, frame.columns, max(1, frame.rows - 6))
        console = frame.open_map(area, (self.code.width, self.code.height))
        moment = self.moment
        if moment:
            everywhere = np.ones(moment.tiles.shape, bool)
            theme = find_recipe(self.code.recipe, self.code.version).theme
            ground = Ground(moment.tiles, everywhere, everywhere, theme, moment.start, moment.exit)
            self.view.center(ground.width // 2, ground.height // 2, ground, console)
            draw_ground(console, ground, self.view)
            for x, y in moment.spawns:
                column, row = x - self.view.left, y - self.view.top
                if 0 <= column < console.width and 0 <= row < console.height:
                    console.rgb[row, column]["ch"] = ord("•")
                    console.rgb[row, column]["fg"] = colors()["bad"]
        self._words(frame, moment)

    def _words(self, frame: Frame, moment: Moment | None) -> None:
        text, bottom = frame.text, frame.rows
        fill(text, Rect(0, 0, frame.columns, 1), "panel")
        write_parts(text, 1, 0, [("Growing ", "dim"), (str(self.code), "accent")])
        fill(text, Rect(0, bottom - 5, frame.columns, 5), "panel")
        if moment:
            attempt = f"   attempt {moment.attempt + 1}" if moment.attempt else ""
            parts = [(moment.step, "accent"), ("   ", "dim"), (moment.parameters, "dim")]
            write_parts(text, 2, bottom - 5, [*parts, (attempt, "warn")])
            write(text, 2, bottom - 4, moment.caption, "text", frame.columns - 4)
        if self.growth.failure:
            write(text, 2, bottom - 4, self.growth.failure, "bad", frame.columns - 4)
        count = len(self.growth.moments)
        known = f"{count}" if self.growth.finished else f"{count}+"
        shown = f" {self.index + 1} / {known}"
        self._bar = Rect(2, bottom - 2, max(1, frame.columns - 5 - len(shown)), 1)
        share = (self.index + 1) / max(1, count) if self.growth.finished else 0.0
        bar(text, self._bar, share, "accent", "line")
        write(text, self._bar.x + self._bar.width + 1, bottom - 2, shown, "dim")
        state = "Space pauses" if self.playing else "Space plays"
        keys = f"{state} · ← → one step · ↑ ↓ speed · Home End · Esc back"
        write(text, 2, bottom - 1, keys, "faint", frame.columns - 4)

    def tick(self) -> Reply:
        """Show the next moment; stop at the last."""
        if not self._to(self.index + 1):
            self.playing = False
        return None

    def _to(self, index: int) -> bool:
        """Show moment ``index``, building on as far as needed; return whether it exists."""
        while index >= len(self.growth.moments) and self.growth.advance():
            pass
        last = max(0, len(self.growth.moments) - 1)
        self.index = max(0, min(index, last))
        return self.index == index

    def key(self, key: Key) -> Reply:
        """Play, pause, step, jump, leave."""
        match command("player", key):
            case "pause":
                if self.growth.finished and self.index == len(self.growth.moments) - 1:
                    self._to(0)
                self.playing = not self.playing
            case "forward":
                self.playing = False
                self._to(self.index + 1)
            case "back":
                self.playing = False
                self._to(self.index - 1)
            case "faster":
                self.speed = min(len(DELAYS) - 1, self.speed + 1)
            case "slower":
                self.speed = max(0, self.speed - 1)
            case "first":
                self.playing = False
                self._to(0)
            case "last":
                self.playing = False
                self.growth.to_end()
                self._to(len(self.growth.moments) - 1)
            case "leave":
                return Pop()
            case _:
                if command("play", key) == "watch":
                    return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub along the bar; zoom by the wheel."""
        if pointer.kind == "wheel":
            return Zoom(1 if pointer.amount > 0 else -1)
        if pointer.kind == "press" and self._bar.contains(pointer.x, pointer.y):
            self.growth.to_end()
            self.playing = False
            share = (pointer.x - self._bar.x) / max(1, self._bar.width - 1)
            self._to(round(share * (len(self.growth.moments) - 1)))
        elif pointer.kind == "press" and pointer.button == "right":
            return Pop()
        return None
