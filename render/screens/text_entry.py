"""A dialog that asks for one line of text: a seed, a level code."""

from collections.abc import Callable

from render.screens.screen import Copy, Pop, Reply, Screen
from render.ui.buttons import Hint, hint, hinted_panel
from render.ui.frame import Frame
from render.ui.input import Key
from render.ui.keymap import command_of
from render.ui.text import centered, paragraphs, write, write_lines

MAX_LENGTH = 120


class TextEntry(Screen):
    """Asks for one line; ``done`` returns the reply or raises ValueError saying what is wrong.

    ``copies`` is a text that Ctrl+C puts on the clipboard.
    """

    covers = False

    def __init__(
        self,
        title: str,
        lead: str,
        done: Callable[[str], Reply],
        *,
        text: str = "",
        copies: str = "",
    ) -> None:
        self.title = title
        self.lead = lead
        self.done = done
        self.text = text
        self.copies = copies
        self.fault = ""

    def draw(self, frame: Frame) -> None:
        """Draw the question, the text typed so far, and the error."""
        width = min(76, frame.columns - 2)
        lead = paragraphs(self.lead, width - 6)
        hints = [hint("menu", "choose", "accept"), hint("menu", "back", "back")]
        if self.copies:
            hints.append(Hint("ctrl+c", "copy"))
        fault = paragraphs(self.fault, width - 6) if self.fault else []
        extra = 2 * bool(self.copies) + max(2, len(fault))
        rect = centered(frame, width, len(lead) + 7 + extra)
        inner = hinted_panel(frame, rect, self.title, hints)
        y = write_lines(frame.text, inner.x, inner.y, lead)
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
        if key.ctrl and key.name in {"c", "y"} and self.copies:
            return Copy(self.copies)
        match command_of("menu", key) if len(key.name) > 1 else None:
            case "back":
                return Pop()
            case "choose":
                try:
                    return self.done(self.text)
                except ValueError as fault:
                    self.fault = f"{str(fault)[:1].upper()}{str(fault)[1:]}."
                    return None
        if key.name == "backspace":
            self.text = "" if key.ctrl else self.text[:-1]
        elif key.name == "u" and key.ctrl:
            self.text = ""
        elif not (key.ctrl or key.alt):
            self._type(" " if key.name == "space" else key.name)
        return None

    def paste(self, text: str) -> Reply:
        """Append pasted text."""
        self._type(" ".join(text.split()), whole=True)
        return None

    def _type(self, text: str, *, whole: bool = False) -> None:
        if (whole or len(text) == 1) and text.isprintable():
            self.text = (self.text + text)[:MAX_LENGTH]
            self.fault = ""
