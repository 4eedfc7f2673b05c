"""The replay screen: plays a recorded run with a bar to scrub, and lets you take over."""

from engine.saves.run_file import RecordedRun
from render.panels.examine import short_description
from render.replays.replay_player import Replayer
from render.screens.choose_tile import ChooseTile
from render.screens.reader import help_screen, history_screen
from render.screens.replay_dialogs import desync_menu, go_to_entry, take_over_menu
from render.screens.replay_panel import draw_above, draw_panel, panel_rows
from render.screens.screen import Copy, Pop, Push, Reply, Screen, Zoom
from render.screens.watch_build import WatchBuildScreen
from render.ui.buttons import hint_list
from render.ui.frame import Frame
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.workshop.timeline import DraggedBar


class ReplayScreen(Screen):
    """Plays a recorded run; ``away`` is the reply to leaving."""

    def __init__(
        self,
        recorded: RecordedRun,
        speed: float = 1.0,
        from_turn: int = 0,
        away: Reply = Pop(),  # noqa: B008 - a frozen value
    ) -> None:
        self.player: Replayer = Replayer(recorded, speed)
        self.head, self.session = self.player.head, self.player.head.session
        self.session.hints = hint_list("replay")
        self.hover = ""
        self._away = away
        self._told = False
        self._bar = DraggedBar()
        self.head.go(from_turn)

    @property
    def interval(self) -> float | None:
        """Seconds between two frames; None while nothing moves."""
        return 0.0 if self._untold else self.player.interval

    @property
    def _untold(self) -> bool:
        """True if the end of a damaged run was reached and the reason not shown yet."""
        return bool(self.head.fault) and self.head.at_end and not self._told

    def draw(self, frame: Frame) -> None:
        """Draw the play view and the panel."""
        self._scene(frame, self.hover)

    def _scene(self, frame: Frame, hover: str) -> None:
        status = "the whole level is shown" if self.session.view.reveal else ""
        draw_above(frame, panel_rows(frame.rows), self.session, hover, status)
        self._bar.rect = draw_panel(frame, self.player)

    def tick(self) -> Reply:
        """Advance the replay."""
        self.player.tick()
        return self._trouble()

    def _trouble(self) -> Reply:
        """Open, once, the dialog that says why the replay can't go on."""
        if not self._untold:
            return None
        self._told = True
        self.player.playing = False
        return Push(desync_menu(self.player, self._away))

    def key(self, key: Key) -> Reply:
        """Handle a key; a digit starts typing the turn to go to."""
        self.player.note = ""
        if key.name in "0123456789" and not (key.ctrl or key.alt):
            return self._go_to(key.name)
        name = command_of("replay", key) or command_of("player", key)
        if self.player.command(name):
            return self._trouble()
        match name:
            case "go_to":
                return self._go_to()
            case "reveal":
                self.session.view.reveal = not self.session.view.reveal
            case "zoom_in" | "zoom_out":
                return Zoom(1 if name == "zoom_in" else -1)
            case "leave" if self.head.goal is not None:
                self.head.stop()
            case "leave":
                return self.back()
            case _:
                return self._screen(name)
        return None

    def back(self) -> Reply:
        """Leave the replay."""
        return self._away

    def _screen(self, name: str | None) -> Reply:
        """Return the reply to a command that opens another screen."""
        match name:
            case "look":
                return Push(ChooseTile(self.session, "Look", None, self._scene))
            case "history":
                return Push(history_screen(self.session.log))
            case "watch":
                return Push(WatchBuildScreen(self.session.run.state.code))
            case "code":
                return Copy(str(self.session.run.state.code))
            case "take_over":
                self.player.playing = False
                return Push(take_over_menu(self.player))
            case "help":
                return Push(help_screen(("player", "replay", "any"), "replay"))
        return None

    def _go_to(self, typed: str = "") -> Reply:
        def there(turn: int) -> Reply:
            self.player.to(turn)
            return self._trouble()

        return Push(go_to_entry(self.head, there, typed))

    def pointer(self, pointer: Pointer) -> Reply:
        """Scrub by click or drag on the bar; name what is under the pointer; zoom by the wheel."""
        if pointer.kind == "wheel":
            return Zoom(1 if pointer.amount > 0 else -1)
        turn = round(self._bar.share_at(pointer.x) * len(self.head.recorded.actions))
        self.player.note = ""
        if self._bar.handle(pointer) is not None:
            self.player.to(turn)
            return self._trouble()
        if self._bar.rect.contains(pointer.x, pointer.y):
            depth = self.head.chapters.depth(turn)
            self.player.note = f"Turn {turn}, depth {depth}: click to go there."
        spot = pointer.spot
        self.hover = short_description(self.session, *self.session.view.tile(spot)) if spot else ""
        return None
