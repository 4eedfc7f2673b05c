"""Two recipes side by side: both levels are built from one seed and shown in step."""

import numpy as np
from tcod.console import Console

from procgen.level_code import LevelCode
from procgen.recipes import TooSmall, find_recipe, known_recipes
from render.map.charts import ChartKind
from render.screens.reader import help_screen
from render.screens.screen import Pop, Push, Reply, Screen
from render.ui.buttons import draw_keys, keys_with_texts
from render.ui.frame import Frame, Fringes, LitGround, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.palette import colors
from render.ui.text import paint_bands, write, write_parts
from render.workshop import timeline
from render.workshop.build_player import BuildPlayer, PlayerPair
from render.workshop.build_view import BuildView, ChartPicker, draw_legend


class CompareScreen(Screen):
    """A level on the left, another recipe's on the right; `PlayerPair` keeps them in step."""

    def __init__(self, code: LevelCode, chart: ChartKind) -> None:
        self.code = code
        self.names = [recipe.name for recipe in known_recipes()]
        self.other = code.recipe
        self.views = BuildView(ChartPicker(chart)), BuildView(ChartPicker(chart))
        self._bars = timeline.TimelineBar(), timeline.TimelineBar()
        self._pair(0 if code.settings or code.overlays else 1)

    def _pair(self, offset: int) -> None:
        """Show the recipe ``offset`` places further in the list on the right."""
        at = self.names.index(self.other) if self.other in self.names else 0
        self.other = self.names[(at + offset) % len(self.names)]
        recipe = find_recipe(self.other)
        self.fault = ""
        try:
            code = recipe.code(self.code.seed, self.code.depth, (self.code.width, self.code.height))
        except TooSmall as fault:
            self.fault = f"{fault}."
            code = recipe.code(self.code.seed, self.code.depth)
        self.player: PlayerPair = PlayerPair(BuildPlayer(self.code), BuildPlayer(code))

    def draw(self, frame: Frame) -> None:
        """Draw both levels, their texts and bars, and the hints under them."""
        text = frame.text
        foot = 7 if frame.rows >= timeline.ROOMY else 6
        area = paint_bands(frame, 2, foot)
        codes = [player.recording.code for player in self.player.players]
        width, height = max(c.width for c in codes), max(c.height for c in codes)
        console = frame.open_map(area, (2 * width + 1, height))
        frame.ground = self._draw_halves(console, tall=not frame.tile_pixels)
        x = write_parts(text, 2, 0, [("Seed ", "dim"), (f"{self.code.seed}", "accent")])
        speed = timeline.speed_text(self.player.players[0])
        if self.fault:
            write(text, x + 2, 0, self.fault, "warn", frame.columns - x - 4)
        else:
            write(text, frame.columns - 2 - len(speed), 0, speed, "cold")
        half = frame.columns // 2
        for n, player in enumerate(self.player.players):
            side = Rect(2 + n * half, 1, max(1, half - 4), 1)
            self._draw_side(frame, side, frame.rows - foot + foot % 2, player, n)
        pause = "pause" if self.player.playing else "play"
        draw_keys(frame, frame.rows - 1, keys_with_texts("two_builds", pause=pause))

    def _draw_halves(self, console: Console, *, tall: bool) -> LitGround | None:
        """Draw both levels; return their lit ground, None unless both have one."""
        console.rgb["ch"], console.rgb["bg"] = 0x20, colors()["panel"]
        width = max(1, (console.width - 1) // 2)
        lit = []
        for n, (player, view) in enumerate(zip(self.player.players, self.views, strict=True)):
            half = Console(width, console.height)
            half.rgb["bg"] = colors()["ground"]
            if player.snapshot:
                ground = view.draw(half, player.recording, player.index, tall=tall)
                lit += [ground] if ground else []
            half.blit(console, dest_x=n * (console.width - width))
        return _side_by_side(lit[0], lit[1], console) if len(lit) == 2 else None

    def _draw_side(self, frame: Frame, head: Rect, top: int, player: BuildPlayer, n: int) -> None:
        name, code = player.recording.recipe.name, player.recording.code
        parts = [(name, "accent"), (f"  {code.width}x{code.height}", "dim")]
        if code.settings:
            parts.append((" tuned", "warn"))
        x = write_parts(frame.text, head.x, head.y, parts)
        draw_legend(frame, head.y, x + 2, head.x + head.width, self.views[n].picker)
        timeline.draw_decisions(frame, head._replace(y=2, height=top - 2), player)
        timeline.draw_step_text(frame, head._replace(y=top, height=3), player, "")
        self._bars[n].draw(frame.text, head._replace(y=frame.rows - 2), player)

    def key(self, key: Key) -> Reply:
        """Play or step both; change the recipe on the right."""
        name = command_of("player", key) or command_of("growth", key)
        if self.player.command(name):
            return None
        match name:
            case "previous" | "next":
                self._pair(1 if name == "next" else -1)
            case "chart":
                for view in self.views:
                    view.picker.next_kind(self.code.recipe)
            case "close_up":
                for view in self.views:
                    view.close = not view.close
            case "help":
                return Push(help_screen(("player", "growth", "any"), "build"))
            case "leave" | "compare":
                return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub both along either bar; step both by the wheel."""
        if pointer.kind == "wheel":
            self.player.to(self.player.place - pointer.amount)
        for bar in self._bars:
            if (share := bar.handle(pointer)) is not None:
                self.player.scrub(share)
        return None


def _side_by_side(left: LitGround, right: LitGround, console: Console) -> LitGround:
    """Return two grounds combined into one, at the left and right edges of ``console``."""
    tiles, cells = Console(console.width, console.height), console.rgb.copy()
    tiles.rgb[:] = cells
    light, glow = np.ones((2, console.height + 1, console.width + 1, 3), np.float32)
    glow[:] = 0
    fringes = []
    for x, part in ((0, left), (console.width - right.tiles.width, right)):
        end = x + part.tiles.width
        part.tiles.blit(tiles, dest_x=x)
        cells[:, x:end] = part.cells
        light[:, x : end + 1], glow[:, x : end + 1] = part.light, part.glow
        fringes.append(part.fringes._replace(places=part.fringes.places + np.array([x, 0])))
    joined = (np.concatenate(pair) for pair in zip(*fringes, strict=True))
    return LitGround(tiles, light, glow, Fringes(*joined), cells)
