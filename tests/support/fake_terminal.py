"""A terminal of the simplest kind, for tests to print on."""

import re

import numpy as np

from render.backends.terminal_screen import PrintableChars
from render.ui.frame import Frame

LETTERS = PrintableChars("utf-8")
PART = re.compile(
    r"\x1b\[\?[\d;]*[hl]|(?P<clear>\x1b\[2J)|\x1b\[(?P<y>\d+);(?P<x>\d+)H"
    r"|\x1b\[(?P<style>[\d;]*)m|(?P<text>[^\x00-\x1f\x7f-\x9f]+)"
)


class Paper:
    """A terminal of the simplest kind: keeps what is printed where, and in which style."""

    def __init__(self, columns, rows):
        self.cells = {(x, y): None for x in range(columns) for y in range(rows)}
        self.x = self.y = 0
        self.style = ""

    def print(self, text):
        """Return the cells printed on; fail at anything that is not understood."""
        touched, at = [], 0
        while at < len(text):
            part = PART.match(text, at)
            assert part, f"unexpected {text[at : at + 20]!r}"
            at = part.end()
            if part["clear"]:
                self.cells = dict.fromkeys(self.cells)
            elif part["y"]:
                self.x, self.y = int(part["x"]) - 1, int(part["y"]) - 1
            elif part["style"] is not None:
                self.style = part["style"]
            for char in part["text"] or "":
                assert (self.x, self.y) in self.cells
                self.cells[self.x, self.y] = char
                touched.append((self.x, self.y))
                self.x += 1
        return touched

    def rows(self):
        width = max(x for x, _ in self.cells) + 1
        chars = [self.cells[key] or " " for key in sorted(self.cells, key=lambda at: at[::-1])]
        return ["".join(chars[at : at + width]) for at in range(0, len(chars), width)]


def packed(*colors):
    return np.array([int(color, 16) for color in colors], np.uint32)


def scribble(text="", columns=12, rows=4):
    frame = Frame(columns, rows)
    frame.text.print(0, 0, text)
    return frame
