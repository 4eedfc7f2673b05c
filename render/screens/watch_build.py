"""Watch a level being built: forwards, backwards, at any speed, step by step."""

from dataclasses import replace

from engine.state.actions import Visit
from entities.terrain import terrain
from entities.wording import pluralise
from procgen.level_code import LevelCode
from render.screens.choose_level import overlay_menu, settings_with
from render.screens.compare_recipes import CompareScreen
from render.screens.menu import Choice, Menu
from render.screens.reader import help_screen
from render.screens.screen import Act, Pop, Push, Reply, Screen
from render.screens.tune_recipe import TuningScreen
from render.tiles.glyphs import CURSOR
from render.ui.buttons import Keys, draw_keys, keys_with_texts
from render.ui.frame import Frame, Rect, Sprite
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of, cursor_step
from render.ui.palette import colors
from render.ui.text import clipped, paint_bands, plain_text, write_parts
from render.workshop import timeline
from render.workshop.build_player import BuildPlayer
from render.workshop.build_view import BuildView, draw_legend

FEW = 3
CURSOR_RUN = 8
"""Tiles by which a run key moves the cursor."""
SCORED = "Scored run: only what you know of it."


class WatchBuildScreen(Screen):
    """A player for one build, with a bar to scrub.

    ``kept`` holds settings by recipe, for this run. Leaving with settings other than those at the
    beginning asks whether to play their level or to keep them. With ``opened_itself`` a key that
    has no meaning here but has one in play closes the screen and is carried out in play. ``note``
    is shown until the first key.
    """

    def __init__(
        self,
        code: LevelCode,
        view: BuildView | None = None,
        tuned: dict[str, tuple[str, ...]] | None = None,
        *,
        opened_itself: bool = False,
        note: str = "",
    ) -> None:
        self._played = code.settings
        if tuned and not code.place:
            code = replace(code, settings=tuned.get(code.name, code.settings))
        self.code = self._before = code
        self.player: BuildPlayer = BuildPlayer(code)
        self.view = view or BuildView()
        self._tuned, self._opened_itself = tuned, opened_itself
        if code.place and len(self.player.recording.recipe.steps) > FEW:
            self.player.change_speed(-2)  # an infinite world has many steps with few snapshots each
        self._bar = timeline.TimelineBar()
        self._tile: tuple[int, int] | None = None
        self._has_cursor = False
        self._note = SCORED if self.view.explored else note

    def draw(self, frame: Frame) -> None:
        """Draw the snapshot, its step and caption, and the bar."""
        foot, margin = (8, 1) if frame.rows >= timeline.ROOMY else (6, 0)
        area = paint_bands(frame, 1, foot)
        console = frame.open_map(area, (self.code.width, self.code.height))
        recording, index = self.player.recording, self.player.index
        if recording.snapshots:
            frame.ground = self.view.draw(console, recording, index, tall=not frame.tile_pixels)
            if not self.view.explored:
                timeline.draw_decisions(frame, area, self.player)
            if self._has_cursor and self._tile:
                column, row = self.view.cell(self._tile)
                if 0 <= column < console.width and 0 <= row < console.height:
                    console.rgb[row, column]["bg"] = colors()["bar_full"]
                    frame.sprites.append(Sprite(CURSOR, colors()["accent"], column, row))
        self._head(frame)
        words = Rect(2, frame.rows - foot + margin, max(1, frame.columns - 4), foot - 3 - margin)
        speed, captions = timeline.speed_text(self.player), not self.view.explored
        timeline.draw_step_text(frame, words, self.player, speed, captions=captions)
        line = Rect(2, frame.rows - 2, max(1, frame.columns - 4), 1)
        self._bar.draw(frame.text, line, self.player)
        draw_keys(frame, frame.rows - 1, self._keys())

    def _head(self, frame: Frame) -> None:
        note = self._maker() or [(self._note, "warn")]
        tuned = " tuned" if self.code.settings else ""
        room = frame.columns - 15 - len(tuned) - max(18, len(plain_text([note])))
        code = clipped(str(self.code), max(12, room))
        x = write_parts(frame.text, 2, 0, [("Building ", "dim"), (code, "accent"), (tuned, "warn")])
        x = write_parts(frame.text, x + 2, 0, note) if note[0][0] else x
        if not self.view.explored:
            draw_legend(frame, 0, x + 2, frame.columns - 2, self.view.picker)

    def _maker(self) -> list[tuple[str, str]]:
        """Return the kind of the tile pointed at, and the step and snapshot that made it."""
        if self._tile is None or self.player.snapshot is None:
            return []
        (x, y), tiles = self._tile, self.player.snapshot.tiles
        if not (0 <= y < tiles.shape[0] and 0 <= x < tiles.shape[1]):
            return []
        if self.view.explored and not self.view.explored.mask[y, x]:
            return [("not explored", "dim")]
        maker = self.player.recording.maker(self.player.index, x, y)
        step = f"by step {maker.step_index + 1}, {maker.step}"
        return [(f"{x},{y} {terrain().kinds[int(tiles[y, x])].name} ", "text"), (step, "accent")]

    def _point_at(self, x: int, y: int) -> None:
        self._tile = max(0, min(x, self.code.width - 1)), max(0, min(y, self.code.height - 1))

    def _keys(self) -> Keys:
        if self._has_cursor:
            return [(["left", "right", "up", "down"], "point"), (["escape"], "back")]
        pause = "pause" if self.player.playing else "play"
        hidden = ["growth.tune", "growth.overlays"] if self.view.explored or self.code.place else []
        hidden += ["growth.compare"] if self.view.explored else []
        if not (self.view.close or self.view.overview):  # All tiles are in view already.
            hidden.append("growth.close_up")
        return keys_with_texts("build", hidden, pause=pause)

    def key(self, key: Key) -> Reply:
        """Handle a key: play, pause, step, jump, change the view or leave."""
        if self._has_cursor and self._tile and (push := cursor_step(key, CURSOR_RUN)):
            self._point_at(self._tile[0] + push[0], self._tile[1] + push[1])
            return None
        name = command_of("player", key) or command_of("growth", key)
        self._note = ""
        if self.player.command(name):
            return None
        if self.view.explored and name in {"tune", "compare", "chart", "overlays"}:
            self._note = SCORED
            return None
        match name:
            case "tune" if self.code.place:
                self._note = "Infinite worlds are tuned in data/world_types.toml."
            case "overlays" if self.code.place:
                self._note = "An infinite world takes no overlays."
            case "overlays":
                self.player.playing = False
                return Push(overlay_menu(self.code, lambda code: self._adopt(BuildPlayer(code))))
            case "inspect" if not self._has_cursor:
                self._has_cursor, self.player.playing = True, False
                self._point_at(self.code.width // 2, self.code.height // 2)
            case "chart":
                self.view.picker.next_kind(self.code.recipe)
            case "close_up":
                self.view.close = not self.view.close
            case "tune":
                self.player.playing = False
                return Push(TuningScreen(self.code, self.view, self._adopt))
            case "compare":
                self.player.playing = False
                return Push(CompareScreen(self.code, self.view.picker.kind))
            case "help":
                return Push(help_screen(("player", "growth", "any"), "build"))
            case _ if name in {"leave", "inspect"} or command_of("play", key) == "watch":
                return self.back()
            case None if self._opened_itself and command_of("play", key):
                return Pop(lambda below: below.handle(key))
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub on the bar; point at a tile to show which step made it."""
        if pointer.kind == "wheel":
            self.player.move(-pointer.amount)
        elif (share := self._bar.handle(pointer)) is not None:
            self.player.scrub(share)
        elif pointer.spot:
            self._has_cursor, self._tile = False, self.view.tile(pointer.spot)
        elif not self._has_cursor:
            self._tile = None
        return None

    def back(self) -> Reply:
        """Hide the tile cursor, else close; ask first what to do with changed parameters."""
        if self._has_cursor:
            self._has_cursor, self._tile = False, None
            return None
        name, tuned, settings = self.code.name, self._tuned, self.code.settings
        new_overlays = self.code.overlays != self._before.overlays
        if tuned is None or self.code == self._before:
            return Pop()
        if not settings and not self._played and not new_overlays:
            tuned.pop(name, None)
            return Pop()

        def keep(then: Reply = None) -> Reply:
            for code in (self._before, self.code):
                tuned[code.name] = settings_with(settings, code.overlays)
            return Pop(lambda _: Pop(lambda _: then))

        choices = [
            Choice("Play this level", "p", lambda: keep(Act(Visit(str(self.code))))),
            *([Choice("Keep for this run", "k", keep)] if settings else []),
            Choice("Discard", "d", lambda: Pop(lambda _: Pop())),
            Choice("Stay here", "s", Pop),
        ]
        parts = [pluralise(len(settings), "setting")] * bool(settings) + ["overlays"] * new_overlays
        again = " or ".join(dict.fromkeys([self._before.name, name]))
        intro = f"You changed {' and '.join(parts)}: the code is {self.code}."
        intro += f" Kept settings apply when you next watch {again}." if settings else ""
        return Push(Menu(f"Keep what you changed in {name}?", choices, intro))

    def _adopt(self, player: BuildPlayer) -> Reply:
        """Show the last build of the tuning screen."""
        if player.recording.code != self.code:
            self.player, self.code = player, player.recording.code
        return None
