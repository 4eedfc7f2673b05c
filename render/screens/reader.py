"""Long text to read: help, message history."""

from collections.abc import Callable

from render.messages.message_log import MessageLog
from render.panels.character_sheet import character_lines
from render.screens.screen import Pop, Reply, Screen
from render.session.session import Session
from render.ui.buttons import Hint, hint, write_foot
from render.ui.frame import Frame
from render.ui.input import Key, Pointer
from render.ui.keymap import SECTIONS, bindings, command_of, key_label
from render.ui.text import Line, centered, panel, paragraphs, write_extent, write_parts

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
        write_extent(frame, rect, self.top, inner.height, len(lines))

    def key(self, key: Key) -> Reply:
        """Scroll or leave."""
        match command_of("menu", key):
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


INTRODUCTION = (
    "Twelve depths down lies the First Seed; take it, and the way goes on without end. Walk into "
    "creatures to strike them; each level you gain is a talent to choose. Wounds close slowly and "
    "whoever stays on a level too long is hunted, so waiting never pays. Unknown potions, scrolls, "
    "wands and rings are learned by using them. Look at anything to learn what it is and what a "
    "fight with it comes to."
)
SEEDS = (
    "A dungeon grows from its seed: the same level code gives the same level, for ever. Every run "
    "is kept as it is played and can be watched again, turn by turn."
)
WORKSHOP = (
    "In the Workshop you switch generators and seeds freely and step into the exit for the next "
    "map, without end. In an Adventure the same keys ask first, for the run is no longer scored "
    "afterwards."
)
MOUSE = (
    "Mouse: point at anything to learn its name; press to walk there, one step at a time while "
    "something hostile is in view; press on yourself to take what lies there, use stairs or wait. "
    "The right button lists everything there is to do, and goes back; every key on the screen can "
    "be pressed; the wheel makes the map larger or smaller, and scrolls."
)


def help_screen(
    sections: tuple[str, ...] = ("move", "run", "play", "menu", "any"),
    texts: tuple[str, ...] = (INTRODUCTION, SEEDS, WORKSHOP, MOUSE),
) -> Reader:
    """Return the help for these sections of the key table, after ``texts``."""
    return Reader("Help", lambda width: _lines(width, sections, texts))


def _lines(width: int, sections: tuple[str, ...], texts: tuple[str, ...]) -> list[Line]:
    lines: list[Line] = []
    for text in texts:
        lines += [[(line, "text")] for line in paragraphs(text, width)]
        lines.append([])
    for section in sections:
        lines.append([(SECTIONS[section], "accent")])
        for binding in bindings()[section].values():
            keys = "  ".join(key_label(key) for key in binding.keys)
            lines.append([(f"  {keys:<26}", "cold"), (binding.help, "text")])
        lines.append([])
    return lines


def history_screen(log: MessageLog) -> Reader:
    """Return the message history, opened at its end."""
    return Reader("Messages", lambda width: _message_lines(log, width), from_end=True)


def _message_lines(log: MessageLog, width: int) -> list[Line]:
    lines: list[Line] = []
    for message in log.messages:
        for number, text in enumerate(paragraphs(str(message), width - 8)):
            turn = f"{message.turn:>6}  " if number == 0 else " " * 8
            lines.append([(turn, "faint"), (text, message.color)])
    return lines


def character_screen(session: Session) -> Reader:
    """Return the character sheet."""
    return Reader("You", lambda width: character_lines(session.run.state, width))
