"""Watching a recorded run."""

from engine.record import RecordedRun
from engine.run import OutOfSync, Playback, Run
from render.draw import bar, fill, write
from render.frame import Frame, Rect
from render.hud import described, draw_play
from render.inputs import Key, Pointer
from render.keys import command
from render.screen import Pop, Push, Reply, Screen, Zoom
from render.screens.help import help_screen
from render.session import Session

TURNS_PER_SECOND = 8.0
FASTEST, SLOWEST = 64.0, 0.125
FRAME = 1 / 30


class ReplayScreen(Screen):
    """Plays a run on its own: pause, speed, one turn on or back."""

    def __init__(self, recorded: RecordedRun, speed: float = 1.0, from_turn: int = 0) -> None:
        self.recorded = recorded
        self.speed = speed
        self.playing = True
        self.fault = ""
        self.hover = ""
        self._owed = 0.0
        self._start()
        self._to(from_turn)

    def _start(self) -> None:
        self.playback = Playback(self.recorded)
        self.session = Session(Run(self.playback.engine))
        self.session.log.messages.clear()

    @property
    def interval(self) -> float | None:  # type: ignore[override]
        """The time between two pictures, while playing."""
        return max(FRAME, 1 / (TURNS_PER_SECOND * self.speed)) if self.playing else None

    def draw(self, frame: Frame) -> None:
        """Draw play as it was, with the bar of the replay over its foot."""
        draw_play(frame, self.session, self.hover)
        total = len(self.recorded.actions)
        state = "playing" if self.playing else "paused"
        text = f" replay {state} {self.speed:g}x   turn {self.playback.position} of {total} "
        fill(frame.text, Rect(0, 0, frame.columns, 1), "panel")
        x = write(frame.text, 1, 0, text, "accent")
        keys = "Space pause · ← → one turn · ↑ ↓ speed · Esc back"
        room = frame.columns - x - len(keys) - 4
        if room > 4:
            share = self.playback.position / max(1, total)
            bar(frame.text, Rect(x + 1, 0, room, 1), share, "accent", "line")
            x += room + 2
        write(frame.text, x, 0, keys, "dim")
        if self.fault:
            fill(frame.text, Rect(0, 1, frame.columns, 1), "bar_full")
            write(frame.text, 1, 1, self.fault, "text", frame.columns - 2)

    def tick(self) -> Reply:
        """Play as many turns as the time that passed is worth."""
        interval = self.interval or FRAME
        self._owed += TURNS_PER_SECOND * self.speed * interval
        while self._owed >= 1 and self.playing:
            self._owed -= 1
            self._step()
        return None

    def _step(self) -> None:
        if self.playback.finished or self.fault:
            self.playing = False
            return
        try:
            self.session.hear(self.playback.step())
        except OutOfSync as fault:
            self.fault = f"This replay is {fault}."
            self.playing = False

    def _to(self, turn: int) -> None:
        """Go to ``turn``, playing from the start again if it lies behind."""
        if turn < self.playback.position:
            self._start()
        while self.playback.position < turn and not (self.playback.finished or self.fault):
            self._step()

    def key(self, key: Key) -> Reply:
        """Pause, step, change speed, leave."""
        match command("player", key):
            case "pause":
                self.playing = not self.playing
            case "forward":
                self.playing = False
                self._step()
            case "back":
                self.playing, self.fault = False, ""
                self._to(max(0, self.playback.position - 1))
            case "faster":
                self.speed = min(FASTEST, self.speed * 2)
            case "slower":
                self.speed = max(SLOWEST, self.speed / 2)
            case "first":
                self.playing, self.fault = False, ""
                self._to(0)
            case "last":
                self.playing = False
                self._to(len(self.recorded.actions))
            case "reveal":
                self.session.view.reveal = not self.session.view.reveal
            case "help":
                return Push(help_screen(("player", "any")))
            case "leave":
                return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Name what is pointed at; zoom by the wheel."""
        if pointer.kind == "wheel":
            return Zoom(1 if pointer.amount > 0 else -1)
        spot = pointer.spot
        self.hover = described(self.session, *self.session.view.tile(spot)) if spot else ""
        return None
