"""A backend without a screen: frames are kept, inputs come from a list."""

from render.app import App
from render.screens.title import TitleScreen
from render.ui.frame import Frame
from render.ui.input import Closed, Key, Pointer

NAMED = {" ": "space", "\n": "enter", "\x1b": "escape"}


class FakeBackend:
    """Implements `Backend` for tests; ``copied`` and ``zooms`` remember requests."""

    def __init__(self, columns=110, rows=44):
        self.size = (columns, rows)
        self.shown = []
        self.inputs = []
        self.copied = []
        self.zooms = []
        self.discarded = 0

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        pass

    def frame(self):
        return Frame(*self.size)

    def show(self, frame):
        self.shown.append(frame)

    def wait(self, timeout):
        return [self.inputs.pop(0)] if self.inputs else [] if timeout is not None else [Closed()]

    def discard(self):
        self.discarded += 1

    def zoom(self, change):
        self.zooms.append(change)
        return True

    def zoom_text(self, change):
        self.zooms.append(change)
        return True

    def toggle_fullscreen(self):
        self.zooms.append("full")
        return True

    def copy(self, text):
        self.copied.append(text)
        return True

    def screenshot(self, path):
        return False


class Keyboard(FakeBackend):
    """A backend on which some keys are pressed before it is closed."""

    def __init__(self, keys):
        super().__init__()
        self.inputs = [*map(Key, keys), Closed()]


class Person:
    """Someone at the keyboard of an app that starts at the title."""

    def __init__(self, columns=110, rows=44, first=None):
        self.backend = FakeBackend(columns, rows)
        self.app = App(self.backend, first or TitleScreen())

    @property
    def top(self):
        return self.app.stack[-1] if self.app.stack else None

    def types(self, keys):
        """Press keys: one character each, or names in a list."""
        for key in keys:
            self.app.handle(key if isinstance(key, Key) else Key(NAMED.get(key, key)))
        return self

    def presses(self, *names):
        return self.types([Key(name) for name in names])

    def points(self, text, kind="press", button="left"):
        """Point at the first cell of ``text`` as it is shown now."""
        for y, row in enumerate(self.reads().splitlines()):
            if text in row:
                pointer = Pointer(kind, row.index(text), y, None, button)
                self.app.handle(pointer)
                return self
        raise AssertionError(f"{text!r} is not shown")

    def waits(self, ticks=1):
        """Let the top screen tick."""
        for _ in range(ticks):
            if self.top and self.top.interval is not None:
                self.app.answer(self.top.tick())
        return self

    def reads(self):
        """Return the text shown, menus and panels over the map included, the map not."""
        frame = self.app.picture()
        rows = [[chr(code) if code else " " for code in row] for row in frame.text.ch.tolist()]
        return "\n".join("".join(row) for row in rows)
