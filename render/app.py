"""The main loop: it passes input to the top screen of a stack and carries out the reply."""

import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from engine.levels.recipe_by_depth import code_at, parse_playable_code
from engine.saves.playback import Desync
from engine.saves.run_file import RunFileError, summarize
from engine.state.actions import Action, Visit
from engine.state.run_setup import RunSetup
from entities.folders import data_folder
from procgen.build import BuildStopped, watched_builds
from procgen.level_code import CodeError, LevelCode, UnknownRecipe
from procgen.recipe_builder import BuildFailed
from render.screens.build_progress import BuildProgress
from render.screens.hero_choices import talent_screen
from render.screens.menu import DescribedMenu, notice
from render.screens.play_screen import PlayScreen
from render.screens.reader import Reader
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
    Stoppable,
    Swap,
    Watch,
    Zoom,
)
from render.session.start_run import begin
from render.ui.buttons import Buttons
from render.ui.frame import Backend, Frame, Rect
from render.ui.input import Closed, Input, Key, Pointer, is_press, only_moves
from render.ui.keymap import command_of
from render.ui.palette import colors

BUILDING = "The world is being built …"
NOTICE_SECONDS = 4.0
DOUBLE_CLICK_SECONDS = 0.5


class App:
    """A stack of screens on a backend; the top one gets the input.

    ``lost`` is a sentence on the part of the last run that could not be saved, "" if all was.
    """

    def __init__(self, backend: Backend, first: Screen) -> None:
        self.backend = backend
        self.stack: list[Screen] = [first]
        self.lost = ""
        self.last_run: Path | None = None  # The file of the run closed last.
        self._notice = ""
        self._notice_until = 0.0
        self._due: float | None = None
        self._alarmed = False
        self._guarded_until = 0.0
        self._buttons = Buttons()
        self._builds = BuildProgress(backend)

    @property
    def _game(self) -> PlayScreen | None:
        """The topmost play screen: lists and aiming screens on top of it act on its run."""
        return next((it for it in reversed(self.stack) if isinstance(it, PlayScreen)), None)

    def run(self) -> None:
        """Draw and handle input until the stack is empty."""
        try:
            while self.stack:
                self.backend.show(self.picture())
                self._alarmed = False
                for event in self._wait():
                    if self.stack and not (self._alarmed and is_press(event)):
                        self.handle(event)
                if self._builds.closed:
                    self.answer(Leave())
        finally:
            for screen in self.stack:
                self._close(screen)

    def picture(self) -> Frame:
        """Return a new frame with the visible screens, drawn from the lowest up."""
        frame = self.backend.frame()
        # Skip the screens below one that covers the frame: they would not be visible.
        lowest = max(n for n, screen in enumerate(self.stack) if screen.covers or n == 0)
        for number, screen in enumerate(self.stack[lowest:], lowest):
            frame.buttons.clear()  # only the top screen's buttons can be pressed
            frame.above = self.stack[number + 1 :]
            screen.draw(frame)
        self._buttons.take(frame)
        if self._notice and time.monotonic() < self._notice_until:
            line = f" {self._notice}".ljust(frame.columns)[: frame.columns]
            frame.cover(Rect(0, 0, frame.columns, 1))
            frame.text.print(0, 0, line, fg=colors()["ground"], bg=colors()["accent"])
        return frame

    def _wait(self) -> list[Input]:
        """Wait for input and return it; call the top screen's `tick` when it is due."""
        interval = self.stack[-1].interval
        now = time.monotonic()
        if interval is None:
            self._due = None
            return self.backend.wait(NOTICE_SECONDS if self._notice_until > now else None)
        # The screen on top may have changed to one with a shorter interval.
        if self._due is None or self._due > now + interval:
            self._due = now + interval
        events = self.backend.wait(max(0.0, self._due - now))
        if time.monotonic() >= self._due:
            self._due = None
            # Keys come first: a journey must not take one more step before the key that stops it.
            if all(map(only_moves, events)):
                with watched_builds(self._builds):
                    self.answer(self.stack[-1].tick())
        return events if self.stack else []

    def handle(self, event: Input) -> None:
        """Handle one input: a button, a key of the whole program, else input for the top screen."""
        before, original = [*self.stack], event
        event = self._buttons.meant(event)
        if is_press(original):  # A notice is about the previous input.
            self._notice_until = 0.0
        guarded = time.monotonic() < self._guarded_until
        match original:
            case Pointer(kind="press") if guarded and self.stack[-1].is_double_click(original):
                return
            case Key() if guarded and isinstance(top := self.stack[-1], Reader):
                if original == top.opened_by:  # The key is held.
                    self._guarded_until = time.monotonic() + DOUBLE_CLICK_SECONDS
                    return
        if isinstance(event, Key) and (name := command_of("any", event)):
            self._everywhere(name)
            return
        top = self.stack[-1]
        if isinstance(event, Key) and command_of("play", event) == "help":
            # The choice of a background hides the game, which says that this key gives help.
            top = (isinstance(top, DescribedMenu) and self._game) or top
        try:
            self.answer(Leave() if isinstance(event, Closed) else top.handle(event))
        except (BuildFailed, UnknownRecipe, RunFileError, Desync) as fault:
            # A user recipe has just been edited, or another file has changed since it was listed.
            self.answer(Push(notice(f"{fault}.")))
        # The second click of a double click must not act on a screen that the first one opened, or
        # on the game if the first one closed a menu over it.
        if self.stack and self.stack[-1] is not before[-1]:
            if isinstance(self.stack[-1], PlayScreen) or self.stack[-1] not in before:
                self.stack[-1].opened_by = original
            self._guarded_until = time.monotonic() + DOUBLE_CLICK_SECONDS

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
            case Begin(setup):
                self._make(lambda: self._begun(setup), always=True)
            case Stoppable(make):
                self._make(make, always=True)
            case Watch(path):
                self.answer(open_recording(summarize(path)))
            case Act(action):
                self._act(action)
            case Play(action):
                if self._game:
                    while not isinstance(self.stack[-1], PlayScreen):
                        self.stack.pop().close()
                    if action:
                        self._act(action)
            case Zoom(change, by_wheel):
                self._refuse_unless(self.backend.zoom(change) or by_wheel)
            case Copy(text):
                copied = self.backend.copy(text)
                line, *more = text.splitlines() or [""]
                message = f"Copied {len(more) + 1} lines" if more else f"Copied {line}"
                self._say(message if copied else "No clipboard available")
            case Leave():
                while self.stack:
                    self._close(self.stack.pop())

    def _close(self, screen: Screen) -> None:
        """Close a screen; if its run is not fully saved, remember and report what is missing."""
        screen.close()
        if not isinstance(screen, PlayScreen):
            return
        if recorder := screen.session.run.recorder:
            self.last_run = recorder.path
        if lost := screen.session.lost:
            self.lost = lost
            self._say(f"{lost[:1].upper()}{lost[1:]}")

    def _make(self, make: Callable[[], Reply], *, always: bool) -> None:
        """Answer with the reply of ``make`` unless the player stops a level that it builds."""
        with suppress(BuildStopped), watched_builds(self._builds):
            with self._builds.stoppable(always=always):
                reply = make()
            self.answer(reply)

    def _begun(self, setup: RunSetup) -> Reply:
        """Start a run and close every screen but the first."""
        self._announce_world(code_at(setup, setup.depth))
        screen = PlayScreen(begin(setup))
        self.answer(Home())
        self.answer(Push(screen))
        self.backend.discard()  # A key typed ahead must not choose a background unseen.
        self._alarmed = True
        offer = None if screen.session.workshop else talent_screen(screen.session)
        return Push(offer) if offer else None

    def _act(self, action: Action) -> None:
        """Carry out an action on the topmost play screen; drop queued keys if danger came up."""
        if (screen := self._game) is None:
            return
        if isinstance(action, Visit):
            with suppress(CodeError, UnknownRecipe):
                self._announce_world(parse_playable_code(action.code))
        self._make(lambda: screen.act(action), always=False)
        if screen.session.disturbed:
            self._alarmed = True  # drop the other inputs of this batch, too
            self.backend.discard()

    def _announce_world(self, code: LevelCode) -> None:
        """Draw a notice before an infinite world is built, which takes half a second or more."""
        if code.place:
            self._say(BUILDING)
            self.backend.show(self.picture())
            self._notice_until = 0.0

    def _everywhere(self, name: str) -> None:
        match name:
            case "fullscreen":
                self._refuse_unless(self.backend.toggle_fullscreen())
            case "screenshot":
                self._screenshot()
            case "text_larger" | "text_smaller":
                self._refuse_unless(self.backend.zoom_text(1 if name == "text_larger" else -1))

    def _refuse_unless(self, done: bool) -> None:
        """Report that a key works in a window only, unless the backend has ``done`` its command."""
        if not done:
            self._say("That works in a window only")

    def _screenshot(self) -> None:
        path = data_folder() / "screenshots" / f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.png"
        try:
            saved = self.backend.screenshot(str(path))
            self._say(f"Saved {path}" if saved else "Screenshots work in a window only")
        except OSError as fault:
            self._say(f"The screenshot could not be saved ({fault.strerror})")

    def _say(self, text: str) -> None:
        self._notice = text
        self._notice_until = time.monotonic() + NOTICE_SECONDS
