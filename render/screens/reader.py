"""Long text to read: help, message history."""

from collections.abc import Callable

from render.draw import centered, extent, panel, write_parts
from render.frame import Frame
from render.hints import Hint, hint, write_foot
from render.inputs import Key, Pointer
from render.keys import command
from render.lines import Line
from render.screen import Pop, Reply, Screen

WIDTH = 96


def _hints() -> list[Hint]:
    return [
        hint("menu", "page_up", "a page up"),
        hint("menu", "page_down", "a page down"),
        hint("menu", "back", "goes back"),
    ]


class Reader(Screen):
    """A panel of lines that scrolls; ``lines`` is asked for them, given the width there is."""

    covers = False

    def __init__(
        self, title: str, lines: Callable[[int], list[Line]], *, from_end: bool = False
    ) -> None:
        self.title = title
        self.lines = lines
        self.top = 10**9 if from_end else 0
        self._page = 1

    def draw(self, frame: Frame) -> None:
        """Draw the page that ``top`` is the first line of."""
        width = WIDTH if frame.columns >= WIDTH + 8 else frame.columns  # no shreds beside it
        lines = self.lines(width - 6)
        rect = centered(frame, width, max(8, min(frame.rows - 2, len(lines) + 4)))
        inner = panel(frame, rect, self.title)
        write_foot(frame, rect, _hints())
        self._page = max(1, inner.height)
        self.top = max(0, min(self.top, len(lines) - inner.height))
        for row, line in enumerate(lines[self.top : self.top + inner.height]):
            write_parts(frame.text, inner.x, inner.y + row, line)
        extent(frame, rect, self.top, inner.height, len(lines))

    def key(self, key: Key) -> Reply:
        """Scroll or leave."""
        match command("menu", key):
            case "up":
                self.top -= 1
            case "down":
                self.top += 1
            case "page_up":
                self.top -= self._page
            case "page_down":
                self.top += self._page
            case "first":
                self.top = 0
            case "last":
                self.top = 10**9
            case "back" | "choose":
                return Pop()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scroll by wheel; leave by the right button."""
        if pointer.kind == "wheel":
            self.top -= 3 * pointer.amount
        if pointer.kind == "press" and pointer.button == "right":
            return Pop()
        return None
