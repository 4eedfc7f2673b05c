"""Watching a level being built: forwards, backwards, at any speed."""

from procgen.level_code import LevelCode
from procgen.recipes import Recipe, find_recipe
from render.screens.compare_recipes import CompareScreen
from render.screens.reader import help_screen
from render.screens.screen import Pop, Push, Reply, Screen
from render.screens.tune_recipe import TuningScreen
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.text import fill, write_parts
from render.workshop.build_player import Player
from render.workshop.build_recording import BuildRecording, Moment
from render.workshop.build_view import BuildWindow
from render.workshop.overlay_picker import draw_legend
from render.workshop.timeline import Bar, Keys, draw_keys, draw_words, named, pace

ROOMY = 36
"""Rows of text from which the words under the map may spread."""
FEW = 3
SECTIONS = ("player", "growth", "any")


class WatchScreen(Screen):
    """A player for one build, with a bar to scrub; ``recipe`` may be one of one's own."""

    def __init__(
        self, code: LevelCode, recipe: Recipe | None = None, window: BuildWindow | None = None
    ) -> None:
        self.code = code
        self.recipe = recipe
        self.player = Player(code, recipe)
        self.window = window or BuildWindow()
        if code.place and len(self.growth.recipe.steps) > FEW:
            self.player.hasten(-2)  # many acts of an endless world, and few moments of each
        self._bar = Bar()
        self._note = ""

    @property
    def growth(self) -> BuildRecording:
        """What is being watched."""
        return self.player.growth

    @property
    def index(self) -> int:
        """The number of the moment shown, from 0."""
        return self.player.index

    @property
    def moment(self) -> Moment | None:
        """What is shown now; None if the build had nothing to show."""
        return self.player.moment

    @property
    def interval(self) -> float | None:  # type: ignore[override]
        """The time until something changes by itself."""
        return self.player.interval

    def draw(self, frame: Frame) -> None:
        """Draw the level as it stands at this moment, its step and caption, and the bar."""
        fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "ground")
        foot = 8 if frame.rows >= ROOMY else 6
        area = Rect(0, 1, frame.columns, max(1, frame.rows - 1 - foot))
        console = frame.open_map(area, (self.code.width, self.code.height))
        if self.moment:
            self.window.draw(console, self.growth, self.index, tall=not frame.grain)
        self._head(frame)
        top = frame.rows - foot
        fill(frame.text, Rect(0, max(0, top), frame.columns, foot), "panel")
        margin = 1 if foot == 8 else 0
        words = Rect(2, top + margin, max(1, frame.columns - 4), foot - 3 - margin)
        draw_words(frame, words, self.player, pace(self.player))
        line = Rect(2, frame.rows - 2, max(1, frame.columns - 4), 1)
        self._bar.draw(frame.text, line, self.player)
        draw_keys(frame, frame.rows - 1, self._keys())

    def _head(self, frame: Frame) -> None:
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        parts = [("Growing ", "dim"), (str(self.code), "accent")]
        if self.recipe:
            parts.append((" retuned", "warn"))
        x = write_parts(frame.text, 2, 0, parts)
        x = write_parts(frame.text, x + 2, 0, [(self._note, "warn")]) if self._note else x
        draw_legend(frame.text, 0, x + 2, frame.columns - 2, self.window.lens)

    def _keys(self) -> Keys:
        return [
            (named("player", "pause"), "stop" if self.player.playing else "play"),
            (named("player", "back", "forward"), "moment"),
            (named("growth", "previous_step", "next_step"), "step"),
            (named("player", "slower", "faster"), "speed"),
            (named("growth", "tune"), "tune"),
            (named("growth", "compare"), "compare"),
            (named("player", "help"), "help"),
            (named("player", "leave"), "back"),
            (named("growth", "close_up"), "close-up"),
        ]

    def tick(self) -> Reply:
        """Let time pass."""
        self.player.tick()
        return None

    def key(self, key: Key) -> Reply:
        """Play, pause, step, jump, look otherwise, leave."""
        name = command_of("player", key) or command_of("growth", key)
        self._note = ""
        if self.player.command(name):
            return None
        match name:
            case "tune" if self.code.place:
                self._note = "Tuned in data/world_types.toml."
            case "overlay":
                self.window.lens.turn(self.code.recipe)
            case "close_up":
                self.window.close = not self.window.close
            case "tune":
                self.player.playing = False
                return Push(TuningScreen(self.code, self.growth.recipe, self.window, self._adopt))
            case "compare":
                self.player.playing = False
                return Push(CompareScreen(self.code, self.recipe, self.window.lens.kind))
            case "help":
                return Push(help_screen(SECTIONS))
            case "leave":
                return Pop()
            case _:
                if command_of("play", key) == "watch":
                    return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub along the bar by pressing it and dragging; leave by the right button."""
        if pointer.kind == "wheel":
            self.player.move(-pointer.amount)
        elif pointer.kind == "press" and pointer.button == "right":
            return Pop()
        elif (share := self._bar.hear(pointer)) is not None:
            self.player.scrub(share)
        return None

    def _adopt(self, player: Player) -> Reply:
        """Go on with the build of a recipe that was changed, or put back."""
        if player.growth.recipe != self.growth.recipe:
            self.player, changed = player, player.growth.recipe
            original = find_recipe(self.code.recipe, self.code.version)
            self.recipe = None if changed == original else changed
        return None
