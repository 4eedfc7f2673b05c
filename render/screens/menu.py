"""Menus: lists to choose from by arrow keys, letter or mouse; the dialog to type a line."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from render.map.whole_level import draw_points
from render.screens.screen import Copy, Pop, Reply, Screen
from render.tiles.tile_canvas import Pixels
from render.ui.buttons import Hint, hint, hinted_panel, hints_width
from render.ui.frame import Frame, Look, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of, key_label
from render.ui.text import centered, fill, paragraphs, write, write_icon, write_lines, write_range

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
"""The keys of the lines of a long menu, in order."""
DESCRIBED_WIDTH = 66
"""Columns of a menu with texts."""
PICTURES = (26, 7), (20, 5)
"""Columns and rows of a picture beside a text, if there is room, or else."""
INTRO_WIDTH = 68
"""Columns at which the text above the choices is wrapped."""


@dataclass(frozen=True)
class Choice:
    """One line of a menu; ``key`` chooses it at once, ``note`` is written at the right.

    The tile of ``look`` is drawn before the label.
    """

    label: str
    key: str
    chosen: Callable[[], Reply]
    note: str = ""
    look: Look | None = None


class Menu(Screen):
    """A panel of choices over the screen below, with a text ``intro`` above them.

    ``choose_text`` and ``back_text`` describe Enter and Esc in the hints.
    """

    covers = False
    choose_text, back_text = "choose", "back"

    def __init__(self, title: str, choices: list[Choice], intro: str = "") -> None:
        self.title = title
        self.choices = choices
        self.intro = intro
        self.index = 0
        self._page = 10
        self._cells: list[tuple[Rect, int]] = []  # Where each choice in view was drawn.
        self._pointed_y: int | None = None  # Where the mouse last selected a choice.

    def draw(self, frame: Frame) -> None:
        """Draw the panel and its lines, the selected highlighted; nothing below another screen."""
        if frame.above:  # It might be the wider one.
            return
        widest = max(max(len(row.label), self._note_at) + len(row.note) + 8 for row in self.choices)
        hints = self.hints()
        if len(self.choices) + 4 > frame.rows:
            way = "up" if self.index == len(self.choices) - 1 else "down"
            hints = [*hints, hint("menu", f"page_{way}", f"page {way}")]
            widest = max(widest, hints_width(hints) - 2)
        width = max(widest, len(self.title) + 6, min(len(self.intro), INTRO_WIDTH)) + 8
        width = min(width, frame.map_area.width)
        intro = paragraphs(self.intro, width - 6) if self.intro else []
        room = width - 6 - self._label_at - 3 * any(choice.look for choice in self.choices)
        more = max((len(self._beyond(choice, room)) for choice in self.choices), default=0)
        more += bool(more)
        height = len(self.choices) + 5 + (len(intro) + bool(intro))
        rect = self.rect = centered(frame, width, height + more)
        inner = hinted_panel(frame, rect, self.title, hints)
        y = write_lines(frame.text, inner.x, inner.y, intro, "text", inner.width) + bool(intro)
        end = inner.y + inner.height + (rect.height < height and not more)  # No gap if crowded.
        place = Rect(inner.x, y, inner.width, end - y - more)
        self._page = max(1, place.height)
        rest = self._beyond(self.choices[self.index], room) if more else []
        x, below = inner.x + self._label_at, place.y + place.height + 1
        write_lines(frame.text, x, below, rest, "dim", room)
        write_range(frame, rect, self.draw_choices(frame, place), place.height, len(self.choices))

    def _beyond(self, choice: Choice, room: int) -> list[str]:
        """Return the full text of a line that does not fit ``room`` columns, to show below."""
        if len(choice.label) > room:
            return paragraphs(f"{choice.label}  {choice.note}".strip(), room)
        short = max(len(choice.label), self._note_at) + 2 + len(choice.note) <= room
        return paragraphs(choice.note, room) if choice.note and not short else []

    @property
    def _label_at(self) -> int:
        """The number of columns for the keys."""
        return max([4, *(len(key_label(choice.key)) + 1 for choice in self.choices)])

    @property
    def _note_at(self) -> int:
        """The columns left of the notes if they are sentences, which are aligned; else 0."""
        sentences = any(choice.note.endswith(".") for choice in self.choices)
        return sentences * max(len(choice.label) for choice in self.choices)

    def hints(self) -> list[Hint]:
        """Return the hints to show under the choices, if there are any."""
        # By mouse a line is clicked; on the way to a hint for Enter it would select others.
        by_key = self.choices and self._pointed_y is None
        chooses = [hint("menu", "choose", self.choose_text)] if by_key else []
        return [*chooses, hint("menu", "back", self.back_text)]

    def draw_choices(self, frame: Frame, rect: Rect) -> int:
        """Draw as many lines as fit ``rect``, scrolled to the selected one; return the first."""
        lines, height = self._lines(), max(0, rect.height)
        at = lines.index(self.index) if self.index in lines else 0
        # A line must not move under the mouse that selects it, or a click would choose another.
        above = height // 2 if self._pointed_y is None else self._pointed_y - rect.y
        first = max(0, min(at - max(0, min(above, height - 1)), len(lines) - height))
        self._cells = []
        for y, line in enumerate(lines[first : first + height], rect.y):
            if isinstance(line, str):
                write(frame.text, rect.x, y, line[:1].upper() + line[1:], "dim", rect.width)
                continue
            self._cells.append((Rect(rect.x - 1, y, rect.width + 2, 1), line))
            if line == self.index:
                fill(frame.text, self._cells[-1][0], "line")
            self._draw_choice(frame, Rect(rect.x, y, rect.width, 1), line)
        return first

    def _lines(self) -> Sequence[int | str]:
        """Return the lines of the list: the numbers of choices, with headings between them."""
        return range(len(self.choices))

    def _draw_choice(self, frame: Frame, rect: Rect, number: int) -> None:
        choice, y, lit = self.choices[number], rect.y, number == self.index
        write(frame.text, rect.x, y, key_label(choice.key), "accent")
        label = rect.x + self._label_at
        if choice.look:
            write_icon(frame, label, y, choice.look)
            label += 3
        end, column = rect.x + rect.width, self._note_at
        note_at = label + column + 2 if column else end - len(choice.note)
        label = write(frame.text, label, y, choice.label, "accent" if lit else "text", end - label)
        note_at = max(label + 2, note_at)
        if note_at + (len(choice.note) > 1) < end:
            write(frame.text, note_at, y, choice.note, "text" if lit else "dim", end - note_at)

    def key(self, key: Key) -> Reply:
        """Move the selection, choose, or go back."""
        for number, choice in enumerate(self.choices):
            if key.name == choice.key and not (key.ctrl or key.alt):
                self.index = number
                return choice.chosen()
        last = len(self.choices) - 1
        match command_of("menu", key):
            case "up" | "down" as way:
                self.index = (self.index + (1 if way == "down" else -1)) % len(self.choices)
            case "page_up":
                self.index = max(0, self.index - self._page)
            case "page_down":
                self.index = min(last, self.index + self._page)
            case "first" | "last" as end:
                self.index = 0 if end == "first" else last
            case "choose":
                return self.choices[self.index].chosen()
            case "back":
                return self.back()
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Select the line under the mouse; a click chooses it, and one outside closes the menu."""
        spot = pointer.x, pointer.y
        number = next((number for rect, number in self._cells if rect.contains(*spot)), None)
        if pointer.kind == "wheel":
            self.index = max(0, min(len(self.choices) - 1, self.index - pointer.amount))
        elif self.is_double_click(pointer) and pointer.kind != "press":
            return None
        elif number is not None:
            self.index, self._pointed_y = number, pointer.y
            self.opened_by = None
            if pointer.kind == "press" and pointer.button == "left":
                return self.choices[number].chosen()
        return self.back() if number is None and self.is_click_outside(pointer) else None


class DescribedMenu(Menu):
    """A menu whose choices each have a text, wrapped below the label.

    Its keys are digits, not letters: a movement key typed ahead must not choose anything.
    ``note`` is written below the choices, ``icons`` after their labels. ``pictures`` [y, x, 3], if
    ``pictured`` and if there is room, are drawn beside them; None for one that is not ready.
    """

    pictured = False

    def __init__(self, title: str, choices: list[Choice], texts: list[str], note: str = "") -> None:
        super().__init__(title, choices)
        self.texts = texts
        self.note = note
        self.pictures: list[Pixels | None] = [None] * len(choices)
        self.icons: list[list[Look]] = [[] for _ in choices]

    def draw(self, frame: Frame) -> None:
        """Draw the choices with their texts and pictures."""
        # Rows for each choice, if the frame and a row above and below it are left.
        room, each = frame.map_area.width, (frame.rows - 6) // max(1, len(self.choices)) - 1
        fits = (it for it in PICTURES if it[0] <= room - DESCRIBED_WIDTH and it[1] <= each)
        wide, high = next(fits, (0, 0)) if self.pictured else (0, 0)
        width = min(DESCRIBED_WIDTH + wide, frame.columns - 2)
        entries = [
            (paragraphs(choice.label, width - wide - 11), paragraphs(text, width - wide - 12))
            for choice, text in zip(self.choices, self.texts, strict=True)
        ]
        heights = [max(len(labels) + len(lines), high) for labels, lines in entries]
        height = sum(heights) + len(heights) + 4 + 2 * bool(self.note)
        rect = self.rect = centered(frame, width, height)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        # Where there is no room for all of them, the selected one and those below it are shown.
        end, first = inner.y + inner.height, self.index if rect.height < height else 0
        y, self._cells = inner.y, []
        for number, choice in enumerate(self.choices[first:], first):
            labels, lines = entries[number]
            lines = lines[: max(0, end - y - len(labels))]
            if y + len(labels) > end:
                break
            cell = Rect(inner.x - 1, y, inner.width + 2, min(heights[number], end - y))
            self._cells.append((cell, number))
            if lit := number == self.index:
                fill(frame.text, cell._replace(width=cell.width - wide), "line")
            write(frame.text, inner.x, y, choice.key, "accent")
            below = write_lines(frame.text, inner.x + 3, y, labels, "accent" if lit else "text")
            write_lines(frame.text, inner.x + 3, below, lines, "text" if lit else "dim")
            columns = range(inner.x + 5 + len(choice.label), inner.x + inner.width - 1, 3)
            for x, look in zip(columns, self.icons[number], strict=False):
                write_icon(frame, x, y, look)
            if wide and (points := self.pictures[number]) is not None:
                place = Rect(inner.x + inner.width - wide, y, wide, min(high, cell.height))
                draw_points(frame, place, points)
            y += heights[number] + 1
        write_range(frame, rect, first, len(self._cells), len(self.choices))
        if y < end:
            write(frame.text, inner.x, y, self.note, "good")


def confirmation(text: str, yes: str, then: Callable[[Screen], Reply]) -> Menu:
    """Return a yes/no question with the safe answer, No, selected."""
    return Menu(text, [Choice("No", "n", Pop), Choice(yes, "y", lambda: Pop(then))])


def notice(text: str, title: str = "Seedhollow") -> Menu:
    """Return a message box; ``title`` is that of the screen it is about."""
    return Menu(title, [Choice("Back", "b", Pop)], intro=text)


MAX_LENGTH = 120


@dataclass(eq=False)
class TextEntry(Screen):
    """Asks for one line; ``done`` returns the reply or raises ValueError saying what is wrong.

    Tab puts ``copies`` on the clipboard. So does Ctrl+C, which ends the program in a terminal.
    """

    covers = False

    title: str
    intro: str
    done: Callable[[str], Reply]
    text: str = ""
    copies: str = ""
    fault: str = ""

    def draw(self, frame: Frame) -> None:
        """Draw the question, the text typed so far, and the error."""
        width = min(76, frame.map_area.width - 2)
        intro = paragraphs(self.intro, width - 6)
        hints = [hint("menu", "choose", "accept"), hint("menu", "back", "back")]
        if self.copies:
            hints.append(Hint("tab", "copy"))
        fault = paragraphs(self.fault, width - 6) if self.fault else []
        rect = centered(frame, width, len(intro) + 7 + 2 * bool(self.copies) + max(2, len(fault)))
        inner = hinted_panel(frame, rect, self.title, hints)
        y = write_lines(frame.text, inner.x, inner.y, intro)
        if self.copies:
            write(frame.text, inner.x, y + 1, self.copies, "accent", inner.width)
            y += 2
        room = inner.width - 3
        write(frame.text, inner.x, y + 1, "> ", "accent")
        end = write(frame.text, inner.x + 2, y + 1, self.text[-room:], "text", room)
        write(frame.text, end, y + 1, "▏", "accent")
        frame.cursor = (end, y + 1)
        write_lines(frame.text, inner.x, y + 2, fault, "bad", inner.width)

    def key(self, key: Key) -> Reply:
        """Edit the text, accept it or go back."""
        if self.copies and str(key) in {"tab", "ctrl+c"}:
            return Copy(self.copies)
        match command_of("menu", key) if len(key.name) > 1 else None:
            case "back":
                return Pop()
            case "choose":
                try:
                    return self.done(self.text)
                except ValueError as fault:
                    message = str(fault)
                    name = not message.partition(" ")[0].isalpha()  # As in "my_recipe: ...".
                    self.fault = f"{message[:1] if name else message[:1].upper()}{message[1:]}."
                    return None
        if key.name == "backspace":
            self.text = "" if key.ctrl else self.text[:-1]
        elif key.name == "u" and key.ctrl:
            self.text = ""
        self._type(key.typed)
        return None

    def paste(self, text: str) -> Reply:
        """Append pasted text."""
        self._type(" ".join(text.split()))
        return None

    def _type(self, text: str) -> None:
        if text and text.isprintable():
            self.text = (self.text + text)[:MAX_LENGTH]
            self.fault = ""
