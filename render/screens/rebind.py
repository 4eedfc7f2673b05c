"""Other keys for single commands: choose a command, press a key."""

from collections.abc import Callable

from msgspec.structs import replace

from render.draw import centered, panel, paragraphs, write
from render.frame import Frame
from render.hints import Hint, hint, write_foot
from render.inputs import Key, Pointer
from render.keys import SECTIONS, bindings, shown
from render.options.choices import Options, current
from render.options.file import keep
from render.screen import Pop, Push, Reply, Screen
from render.screens.menu import Choice, Menu

REMAPPED = ("play", "move", "run", "menu")
"""Sections of which single keys can be changed here; the others in the file."""
FIXED = ("escape", "enter")
"""Keys that always mean the same, so that nobody gets lost."""


class KeysScreen(Menu):
    """Every command with its keys."""

    def __init__(self) -> None:
        self.commands = [(section, name) for section in REMAPPED for name in bindings()[section]]
        super().__init__("Single keys", [])
        self._refresh()

    def _refresh(self) -> None:
        self.choices = [
            Choice(_label(section, name), "", _asking(section, name), _keys(section, name))
            for section, name in self.commands
        ]

    def draw(self, frame: Frame) -> None:
        """Draw the commands with the keys they have now."""
        self._refresh()
        super().draw(frame)

    def hints(self) -> list[Hint]:
        """Return the keys to show under the commands."""
        return [
            hint("menu", "choose", "changes its keys"),
            Hint("backspace", "puts them back"),
            hint("menu", "back", "goes back"),
        ]

    def key(self, key: Key) -> Reply:
        """Put a command's keys back, else as in any menu."""
        if key.name == "backspace":
            keep(_without(current(), *self.commands[self.index]))
            return None
        return super().key(key)


def _label(section: str, name: str) -> str:
    about = "" if section == "play" else f"{SECTIONS[section]}: "
    return about + bindings()[section][name].help


def _keys(section: str, name: str) -> str:
    return "  ".join(shown(key) for key in bindings()[section][name].keys)


def _asking(section: str, name: str) -> Callable[[], Reply]:
    return lambda: Push(NewKey(section, name))


class NewKey(Screen):
    """Waits for a key to give to a command, or to take from it."""

    covers = False

    def __init__(self, section: str, name: str) -> None:
        self.section, self.name = section, name
        self.fault = ""

    def draw(self, frame: Frame) -> None:
        """Draw what the command has, and what may be done."""
        lead = (
            f"Press a key for: {_label(self.section, self.name)}. One that it has already is taken "
            "from it; one that another command has changes sides."
        )
        width = min(64, frame.columns - 2)
        lines = paragraphs(lead, width - 6)
        faults = paragraphs(self.fault, width - 6)[:3]
        rect = centered(frame, width, len(lines) + len(faults) + 7)
        inner = panel(frame, rect, "A new key")
        write_foot(frame, rect, [hint("menu", "back", "done")])
        for row, line in enumerate(lines):
            write(frame.text, inner.x, inner.y + row, line, "text", inner.width)
        y = inner.y + len(lines) + 1
        write(frame.text, inner.x, y, _keys(self.section, self.name), "accent", inner.width)
        for row, line in enumerate(faults):
            write(frame.text, inner.x, y + 1 + row, line, "bad", inner.width)

    def key(self, key: Key) -> Reply:
        """Give or take ``key``; Esc is done."""
        if key.name == "escape":
            return Pop()
        if key.repeat:
            return None
        if key.name in FIXED and not (key.ctrl or key.alt or key.shift):
            self.fault = f"{shown(key.name)} means the same everywhere and stays as it is."
            return None
        had = bindings()[self.section][self.name].keys
        text = str(key)
        keys = tuple(k for k in had if k != text) if text in had else (text, *had)
        if not keys:
            self.fault = "That is its only key; give it another first."
            return None
        self.fault = keep(_with(current(), self.section, self.name, keys))
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Be done by the right button."""
        return Pop() if pointer.kind == "press" and pointer.button == "right" else None


def _with(options: Options, section: str, name: str, keys: tuple[str, ...]) -> Options:
    """Return ``options`` with these keys for a command, taken from whatever else claims them."""
    claims = {
        part: {
            other: left if part != section else tuple(k for k in left if k not in keys) or left
            for other, left in commands.items()
        }
        for part, commands in options.keys.items()
    }
    claims[section] = claims.get(section, {}) | {name: keys}
    return replace(options, keys=claims)


def _without(options: Options, section: str, name: str) -> Options:
    """Return ``options`` without own keys for a command."""
    commands = {other: k for other, k in options.keys.get(section, {}).items() if other != name}
    claims = {part: k for part, k in options.keys.items() if part != section}
    return replace(options, keys=claims | ({section: commands} if commands else {}))
