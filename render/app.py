"""The main loop: a stack of screens on a backend, input to the top screen, replies carried out."""

import time
from dataclasses import replace
from datetime import UTC, datetime

from engine.levels.dungeon import destination
from engine.levels.level_choice import code_at
from engine.saves.files import data_folder
from engine.saves.run_file import summarize
from engine.state.actions import Action, Climb, Descend
from procgen.build import built_before
from procgen.level_code import CodeError, LevelCode
from procgen.recipes import TooSmall, UnknownRecipe
from render.screens.build_progress import BuildProgressScreen
from render.screens.play_screen import PlayScreen
from render.screens.recorded_runs import open_recording
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
from render.ui.input import Closed, Input, Key, Pointer, is_press, only_moves
from render.ui.keymap import command_of

LARGE = 50_000
"""Tiles from which building a level may take more than a moment."""
BUILDING = "The world is being built …"


def is_large(code: LevelCode) -> bool:
    """Return whether to show the level of ``code`` while it is built."""
    return code.place is None and code.width * code.height >= LARGE


NOTICE_SECONDS = 4.0


def _level_ahead(screen: PlayScreen, action: Action) -> LevelCode | None:
    """Return the code of the level that ``action`` leads to, None if it stays or is refused."""
    state = screen.session.run.state
    hero = state.hero
    on_exit, on_start = state.map.is_way_down(hero.x, hero.y), (hero.x, hero.y) == state.map.start
    if (isinstance(action, Descend) and not on_exit) or (
        isinstance(action, Climb) and not on_start
    ):
        return None
    try:
        return destination(state, action)
    except (CodeError, UnknownRecipe, TooSmall):
        return None


class App:
    """A stack of screens on a backend; the top one gets the input.

    ``lost`` is a sentence about what could not be saved of the last run, empty if all was.
    """

    def __init__(self, backend: Backend, first: Screen) -> None:
        self.backend = backend
        self.stack: list[Screen] = [first]
        self.lost = ""
        self._notice = ""
        self._notice_until = 0.0
        self._due: float | None = None
        self._alarmed = False
        self._buttons = Buttons()

    def run(self) -> None:
        """Draw and handle input until the stack is empty."""
        try:
            while self.stack:
                self.backend.show(self.picture())
                self._alarmed = False
                for event in self._wait():
                    if self.stack and not (self._alarmed and is_press(event)):
                        self.handle(event)
        finally:
            for screen in self.stack:
                self._close(screen)

    def picture(self) -> Frame:
        """Draw the visible screens into a new frame, the lowest of them first."""
        frame = self.backend.frame()
        lowest = max(n for n, screen in enumerate(self.stack) if screen.covers or n == 0)
        for screen in self.stack[lowest:]:
            frame.buttons.clear()  # only the top screen's buttons can be pressed
            screen.on_top = screen is self.stack[-1]
            screen.draw(frame)
        self._buttons.take(frame)
        if self._notice and time.monotonic() < self._notice_until:
            line = f" {self._notice} "[: frame.columns]
            frame.overlays.append(Rect(0, 0, len(line), 1))
            frame.text.print(0, 0, line, fg=(20, 18, 14), bg=(232, 183, 101))
        return frame

    def _wait(self) -> list[Input]:
        """Wait for input and return it; call the top screen's `tick` when it is due."""
        interval = self.stack[-1].interval
        now = time.monotonic()
        if interval is None:
            self._due = None
            return self.backend.wait(NOTICE_SECONDS if self._notice_until > now else None)
        if self._due is None or self._due > now + interval:
            self._due = now + interval
        events = self.backend.wait(max(0.0, self._due - now))
        if time.monotonic() >= self._due:
            self._due = None
            if all(map(only_moves, events)):
                self.answer(self.stack[-1].tick())
        return events if self.stack else []

    def handle(self, event: Input) -> None:
        """Handle one input: a button, a key of the whole program, else the top screen's."""
        before, given = [*self.stack], event
        event = self._buttons.meant(event)
        if isinstance(event, Key) and (name := command_of("any", event)):
            self._everywhere(name)
            return
        if isinstance(event, Closed):
            self.answer(Leave())
            return
        self.answer(self.stack[-1].handle(event))
        if isinstance(given, Pointer) and self.stack and self.stack[-1] not in before:
            self.stack[-1].opened_at = given

    def answer(self, reply: Reply) -> None:
        """Carry out a screen's reply."""
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
            case Begin():
                self._begin(reply)
            case Watch(path):
                self.answer(open_recording(summarize(path)))
            case Act():
                self._act(reply)
            case Play(action):
                if any(isinstance(screen, PlayScreen) for screen in self.stack):
                    while not isinstance(self.stack[-1], PlayScreen):
                        self.stack.pop().close()
                    if action:
                        self._act(Act(action))
            case Zoom(change):
                self.backend.zoom(change)
            case Copy(text):
                copied = self.backend.copy(text)
                line, *more = text.splitlines() or [""]
                said = f"Copied {line}{' …' if more else ''}"
                self._say(said if copied else "No clipboard available")
            case Leave():
                while self.stack:
                    self._close(self.stack.pop())
            case None:
                pass

    def _close(self, screen: Screen) -> None:
        """Close a screen; if its run is not wholly saved, remember and say what is missing."""
        screen.close()
        if isinstance(screen, PlayScreen) and (lost := screen.session.lost):
            self.lost = lost
            self._say(f"{lost[:1].upper()}{lost[1:]}")

    def _begin(self, begun: Begin) -> None:
        """Start a run; a large level is shown while it is built."""
        code = code_at(begun.setup, begun.setup.depth)
        if begun.wait and is_large(code):
            then = lambda level: replace(begun, level=level, wait=False)  # noqa: E731
            self.stack.append(BuildProgressScreen(code, then))
            return
        self.answer(Home())
        if code.place:
            self._announce_build()
        with built_before(begun.level):
            self.answer(Push(PlayScreen(begin(begun.setup))))

    def _act(self, act: Act) -> None:
        """Carry out an action on the topmost play screen; drop queued keys if danger came up."""
        found = (screen for screen in reversed(self.stack) if isinstance(screen, PlayScreen))
        if (screen := next(found, None)) is None:
            return
        code = _level_ahead(screen, act.action) if act.wait else None
        if code and is_large(code):
            then = lambda level: replace(act, level=level, wait=False)  # noqa: E731
            self.stack.append(BuildProgressScreen(code, then))
            return
        if code and code.place:
            self._announce_build()
        with built_before(act.level):
            self.answer(screen.act(act.action))
        if screen.session.disturbed:
            self._alarmed = True  # drop the other inputs of this batch, too
            self.backend.discard()

    def _announce_build(self) -> None:
        """Draw a notice before a world is built, which can't be shown in stages."""
        self._say(BUILDING)
        self.backend.show(self.picture())
        self._notice_until = 0.0

    def _everywhere(self, name: str) -> None:
        match name:
            case "fullscreen":
                self.backend.toggle_fullscreen()
            case "screenshot":
                self._screenshot()
            case "text_larger":
                self.backend.zoom_text(1)
            case "text_smaller":
                self.backend.zoom_text(-1)

    def _screenshot(self) -> None:
        folder = data_folder() / "screenshots"
        path = folder / f"{datetime.now(UTC).strftime('%Y%m%d-%H%M%S-%f')}.png"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            saved = self.backend.screenshot(str(path))
        except OSError as fault:
            self._say(f"The screenshot could not be saved ({fault.strerror})")
            return
        self._say(f"Saved {path}" if saved else "Screenshots work in a window only")

    def _say(self, text: str) -> None:
        self._notice = text
        self._notice_until = time.monotonic() + NOTICE_SECONDS
