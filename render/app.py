"""The loop that shows screens and hears the person, the same for every face."""

import time
from datetime import UTC, datetime

from engine.levels.level_choice import code_at, visited
from engine.saves.files import home
from engine.saves.run_file import summarize
from engine.state.actions import Action, Climb, Descend, Visit
from engine.state.run_setup import RunSetup
from procgen.level_code import LevelCode
from render.screens.play_screen import PlayScreen
from render.screens.recorded_runs import opened_record
from render.screens.screen import (
    Act,
    Begin,
    Copy,
    Home,
    Leave,
    Play,
    Pop,
    Push,
    Reply,
    Screen,
    Swap,
    Watch,
    Zoom,
)
from render.session.start_run import begin
from render.ui.buttons import Buttons
from render.ui.frame import Backend, Frame, Rect
from render.ui.input import Closed, Input, Key, is_press, only_moves
from render.ui.keymap import command_of

LARGE = 200_000
"""Tiles from which some recipes take more than a moment."""
GROWING = "A level grows; a large one takes its time …"


def begins_slowly(setup: RunSetup) -> bool:
    """Whether the first level of a run takes more than a moment to grow."""
    return _slow(code_at(setup, setup.depth))


def goes_slowly(action: Action, setup: RunSetup) -> bool:
    """Whether ``action`` leads to a level that takes more than a moment to grow."""
    match action:
        case Visit(code):
            try:
                return _slow(visited(code))
            except ValueError:
                return False  # It will be refused, with the reason.
        case Descend() | Climb():
            return setup.size is not None and setup.size[0] * setup.size[1] >= LARGE
    return False


def _slow(code: LevelCode) -> bool:
    return code.place is not None or code.width * code.height >= LARGE


NOTICE_SECONDS = 4.0


class App:
    """A stack of screens on a face.

    ``lost`` says what of the last run could not be saved before it was closed, if anything.
    """

    def __init__(self, face: Backend, first: Screen) -> None:
        self.face = face
        self.stack: list[Screen] = [first]
        self.lost = ""
        self._notice = ""
        self._notice_until = 0.0
        self._due: float | None = None
        self._alarmed = False
        self._buttons = Buttons()

    def run(self) -> None:
        """Show and listen until the stack is empty."""
        try:
            while self.stack:
                self.face.show(self.picture())
                self._alarmed = False
                for happening in self._wait():
                    if self.stack and not (self._alarmed and is_press(happening)):
                        self.hear(happening)
        finally:
            for screen in self.stack:
                self._close(screen)

    def picture(self) -> Frame:
        """Return a frame with every screen that can be seen."""
        frame = self.face.frame()
        lowest = max(n for n, screen in enumerate(self.stack) if screen.covers or n == 0)
        for screen in self.stack[lowest:]:
            frame.buttons.clear()  # what lies below another screen cannot be pressed
            screen.on_top = screen is self.stack[-1]
            screen.draw(frame)
        self._buttons.take(frame)
        if self._notice and time.monotonic() < self._notice_until:
            line = f" {self._notice} "[: frame.columns]
            frame.overlays.append(Rect(0, 0, len(line), 1))
            frame.text.print(0, 0, line, fg=(20, 18, 14), bg=(232, 183, 101))
        return frame

    def _wait(self) -> list[Input]:
        """Return what happened; let the top screen tick when its time has come."""
        interval = self.stack[-1].interval
        now = time.monotonic()
        if interval is None:
            self._due = None
            return self.face.wait(NOTICE_SECONDS if self._notice_until > now else None)
        if self._due is None or self._due > now + interval:
            self._due = now + interval
        happenings = self.face.wait(max(0.0, self._due - now))
        if time.monotonic() >= self._due:
            self._due = None
            if all(map(only_moves, happenings)):
                self.answer(self.stack[-1].tick())
        return happenings if self.stack else []

    def hear(self, happening: Input) -> None:
        """Give one input to the program's own keys, else to the top screen."""
        happening = self._buttons.meant(happening)
        if isinstance(happening, Key) and (name := command_of("any", happening)):
            self._everywhere(name)
            return
        if isinstance(happening, Closed):
            self.answer(Leave())
            return
        self.answer(self.stack[-1].hear(happening))

    def answer(self, reply: Reply) -> None:
        """Do what a screen answered."""
        match reply:
            case Push(screen, copy):
                self.stack.append(screen)
                if copy:
                    self.answer(Copy(copy))
            case Pop(then):
                self._close(self.stack.pop())
                if then and self.stack:
                    self.answer(then(self.stack[-1]))
            case Swap(screen):
                self._close(self.stack.pop())
                self.stack.append(screen)
            case Home():
                while len(self.stack) > 1:
                    self._close(self.stack.pop())
            case Begin(setup):
                self.answer(Home())
                if begins_slowly(setup):
                    self._excuse()
                self.answer(Push(PlayScreen(begin(setup))))
            case Watch(path):
                self.answer(opened_record(summarize(path)))
            case Act(action):
                self._act(action)
            case Play(action):
                if any(isinstance(screen, PlayScreen) for screen in self.stack):
                    while not isinstance(self.stack[-1], PlayScreen):
                        self.stack.pop().closed()
                    self._act(action)
            case Zoom(change):
                self.face.zoom(change)
            case Copy(text):
                copied = self.face.copy(text)
                line, *more = text.splitlines() or [""]
                said = f"Copied {line}{' …' if more else ''}"
                self._say(said if copied else "There is no clipboard here")
            case Leave():
                while self.stack:
                    self._close(self.stack.pop())
            case None:
                pass

    def _close(self, screen: Screen) -> None:
        """Let a screen let go of what it holds, and remember what of a run is not saved by now."""
        screen.closed()
        if isinstance(screen, PlayScreen) and (lost := screen.session.lost):
            self.lost = lost
            self._say(f"{lost[:1].upper()}{lost[1:]}")

    def _act(self, action: Action) -> None:
        """Let the nearest play screen carry out ``action``; forget queued keys if danger came."""
        for screen in reversed(self.stack):
            if isinstance(screen, PlayScreen):
                if goes_slowly(action, screen.session.setup):
                    self._excuse()
                self.answer(screen.act(action))
                if screen.session.disturbed:
                    self._alarmed = True  # what came together with this key is forgotten too
                    self.face.discard()
                return

    def _excuse(self) -> None:
        """Show that something takes its time, before it does."""
        self._say(GROWING)
        self.face.show(self.picture())
        self._notice_until = 0.0

    def _everywhere(self, name: str) -> None:
        match name:
            case "fullscreen":
                self.face.toggle_fullscreen()
            case "screenshot":
                self._screenshot()
            case "text_larger":
                self.face.zoom_text(1)
            case "text_smaller":
                self.face.zoom_text(-1)

    def _screenshot(self) -> None:
        folder = home() / "screenshots"
        path = folder / f"{datetime.now(UTC).strftime('%Y%m%d-%H%M%S-%f')}.png"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            saved = self.face.screenshot(str(path))
        except OSError as fault:
            self._say(f"The picture could not be saved ({fault.strerror})")
            return
        self._say(f"Saved {path}" if saved else "This face takes no pictures")

    def _say(self, text: str) -> None:
        self._notice = text
        self._notice_until = time.monotonic() + NOTICE_SECONDS
