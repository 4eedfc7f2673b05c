"""The options screen and the key bindings screen; each change is applied and saved at once."""

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import Any

from msgspec.structs import replace

from entities.creature_kinds import creature_kinds
from render.map.map_view import creature_icon
from render.screens.menu import Choice, Menu, confirmation, notice
from render.screens.screen import Pop, Push, Reply, Screen
from render.ui.buttons import Hint, hint, hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.keymap import GROUPS, bindings, command_of, key_label, rebind, standard_bindings
from render.ui.options import TEXT_SIZES, Options, apply_and_save, current, options_path, presets
from render.ui.palette import palettes
from render.ui.text import (
    centered,
    fill,
    paragraphs,
    printable,
    write,
    write_icon,
    write_lines,
    write_parts,
)
from render.ui.texts import texts

REMAPPED = ("play", "move", "run", "menu")
"""Sections whose keys can be changed here; other sections can be changed only in the file."""
FIXED = ("escape", "enter")
"""Keys that can't be rebound: they must always open and close menus."""


class KeyBindingsScreen(Menu):
    """A list of commands with their keys, to rebind."""

    def __init__(self) -> None:
        self.commands = [(section, name) for section in REMAPPED for name in bindings()[section]]
        super().__init__("Key bindings", [])
        self._refresh()

    def _refresh(self) -> None:
        self.choices = [
            Choice(_label(*row), "", partial(Push, RebindScreen(*row)), _keys(*row))
            for row in self.commands
        ]

    def draw(self, frame: Frame) -> None:
        """Draw the commands with their current keys."""
        self._refresh()
        super().draw(frame)

    def hints(self) -> list[Hint]:
        """Return the hints to show under the commands."""
        section, name = self.commands[self.index]
        reset = [Hint("backspace", "reset")] if name in current().keys.get(section, {}) else []
        return [hint("menu", "choose", "change keys"), *reset, hint("menu", "back", "back")]

    def key(self, key: Key) -> Reply:
        """Reset a command's keys, else handle a key as any menu does."""
        if key.name == "backspace":
            fault = apply_and_save(_without(current(), *self.commands[self.index]))
            return Push(notice(fault, self.title)) if fault else None
        return super().key(key)


def _label(section: str, name: str) -> str:
    text = bindings()[section][name].help
    about = f"{texts().key_sections[section]}: {text}"
    return f"{text[:1].upper()}{text[1:]}" if section == "play" else about


def _keys(section: str, name: str) -> str:
    return "  ".join(key_label(key) for key in bindings()[section][name].keys)


class RebindScreen(Screen):
    """Waits for a key to add to a command or remove from it."""

    covers = False

    def __init__(self, section: str, name: str) -> None:
        self.section, self.name = section, name
        self.fault = ""

    def draw(self, frame: Frame) -> None:
        """Draw the command's keys and what to press."""
        intro = texts().dialogs["rebind"].format(command=_label(self.section, self.name))
        width = min(64, frame.columns - 2)
        lines = paragraphs(intro, width - 6)
        faults = paragraphs(self.fault, width - 6)[:3]
        rect = centered(frame, width, len(lines) + len(faults) + 8)
        inner = hinted_panel(frame, rect, "Change a key", [Hint("escape", "done")])
        y = write_lines(frame.text, inner.x, inner.y, lines, "text", inner.width) + 1
        write(frame.text, inner.x, y, _keys(self.section, self.name), "accent", inner.width)
        write_lines(frame.text, inner.x, y + 1, faults, "bad", inner.width)

    def key(self, key: Key) -> Reply:
        """Add or remove ``key``; Esc closes the screen."""
        if key.name == "escape":
            return Pop()
        if not key.repeat:
            self.fault = self._rebind(str(key))
        return None

    def _rebind(self, key: str) -> str:
        """Remove ``key`` from the command or else add it; return what is wrong, or ''."""
        if key in FIXED:
            return f"{key_label(key)} has a fixed meaning and can't be changed."
        old_keys, options = bindings()[self.section][self.name].keys, current()
        if old_keys == (key,):
            return "That is its only key. Add another first."
        if key in old_keys:
            keys = tuple(k for k in old_keys if k != key)
            return apply_and_save(_with(options, self.section, self.name, keys))
        last_owner = _command_with_only(self.section, key)
        replaced = next((k for k in old_keys if k not in FIXED), None)
        if last_owner is None:
            return apply_and_save(_with(options, self.section, self.name, (key, *old_keys)))
        if replaced is None:
            only = f"{key_label(key)} is the only key of: {_label(*last_owner)}."
            return f"{only} Give that another first."
        keys = (key, *(k for k in old_keys if k != replaced))
        options = _with(options, self.section, self.name, keys)
        return apply_and_save(_with(options, *last_owner, (replaced,)))


def _sections_on_screen(section: str) -> set[str]:
    """Return the sections that share a screen with ``section``, itself included."""
    return {other for group in GROUPS if section in group for other in group}


def _command_with_only(section: str, key: str) -> tuple[str, str] | None:
    """Return the (section, name) of a command on the same screen whose only key is ``key``."""
    for other in sorted(_sections_on_screen(section)):
        for name, binding in bindings()[other].items():
            if binding.keys == (key,):
                return other, name
    return None


def _with(options: Options, section: str, name: str, keys: tuple[str, ...]) -> Options:
    """Return ``options`` with these keys for a command, taken from others that had them."""
    shared = _sections_on_screen(section)
    claims = {
        part: {
            other: tuple(k for k in left if k not in keys) or left if part in shared else left
            for other, left in commands.items()
        }
        for part, commands in options.keys.items()
    }
    claims[section] = claims.get(section, {}) | {name: keys}
    return replace(options, keys=claims)


def _without(options: Options, section: str, name: str) -> Options:
    """Return ``options`` with a command's keys reset, and those of commands that share one."""
    preset = rebind(standard_bindings(), presets()[options.preset].keys, options.preset)
    preset_keys = set(preset[section][name].keys)
    commands = {other: k for other, k in options.keys.get(section, {}).items() if other != name}
    claims = {part: k for part, k in options.keys.items() if part != section}
    options = replace(options, keys=claims | ({section: commands} if commands else {}))
    for part in _sections_on_screen(section):
        for other, keys in options.keys.get(part, {}).items():
            if preset_keys.intersection(keys):
                options = _without(options, part, other)
    return options


LOUDEST = 10
LABEL, WIDTH = 22, 74


class OptionsScreen(Menu):
    """A row for each option with a value to step through."""

    def __init__(self) -> None:
        options = texts().options.values()
        rows = [Choice(row.label, row.key, lambda: self._turn(1)) for row in options]
        more = [
            Choice("Key bindings …", "s", lambda: Push(KeyBindingsScreen())),
            Choice("Reset to defaults", "r", self._reset),
            Choice("Done", "d", Pop),
        ]
        super().__init__("Options", [*rows, *more])
        self.fault = ""

    def _values_and_help(self) -> list[tuple[str, str]]:
        """Return each row's value and its help text."""
        chosen = [_values(name)[getattr(current(), name)] for name in texts().options]
        rows = [(f"‹ {value} ›", help_) for value, help_ in chosen]
        changed = sum(len(commands) for commands in current().keys.values())
        rows.append((f"{changed} changed" if changed else "", "rebind single commands"))
        return [*rows, ("", "reset every option, your own keys too"), ("", "")]

    def draw(self, frame: Frame) -> None:
        """Draw the rows, the help of the selected one, and a sample of the colours; or nothing."""
        if frame.above:  # As other menus.
            return
        rect = self.rect = centered(frame, WIDTH, len(self.choices) + 12)
        hints = [hint("tuning", "less", "previous value"), hint("tuning", "more", "next value")]
        inner = hinted_panel(frame, rect, self.title, [*hints, *self.hints()])
        rows = self._values_and_help()
        self.draw_choices(frame, Rect(inner.x, inner.y, inner.width, len(self.choices)))
        for row, (value, _) in enumerate(rows):
            x, color = inner.x + 4 + LABEL, "accent" if row == self.index else "dim"
            write(frame.text, x, inner.y + row, value, color, inner.width - LABEL - 4)
            if row == self.index and value.startswith("‹"):
                frame.buttons.append((Rect(x, inner.y + row, 1, 1), Key.read(hints[0].key)))
        help_ = paragraphs(self.fault or rows[self.index][1], inner.width)[:2]
        color = "bad" if self.fault else "text"
        write_lines(frame.text, inner.x, inner.y + len(rows) + 1, help_, color, inner.width)
        y = inner.y + len(rows) + 3
        if y + 4 <= inner.y + inner.height:
            _sample(frame, Rect(inner.x, y, inner.width, 2))
            note = f"Saved in {printable(str(options_path()))}"
            write(frame.text, inner.x, y + 3, note, "dim", inner.width)

    def key(self, key: Key) -> Reply:
        """Step through values by left and right, else handle a key as any menu does."""
        step = {"less": -1, "more": 1}.get(command_of("tuning", key) or "")
        return self._turn(step) if step else super().key(key)

    def _turn(self, change: int) -> Reply:
        """Set the selected option to its next or previous value."""
        if name := next(islice(texts().options, self.index, None), None):
            values = [*_values(name)]
            at = values.index(getattr(current(), name)) + change
            return self._take(replace(current(), **{name: values[at % len(values)]}))
        return None

    def _reset(self) -> Reply:
        """Ask whether to reset: the player's own colours and keys would be lost."""
        question = "Reset all options and keys?"
        return Push(confirmation(question, "Yes, reset them", lambda _: self._take(Options())))

    def _take(self, options: Options) -> Reply:
        self.fault = apply_and_save(options)
        return None


def _values(name: str) -> dict[Any, tuple[str, str]]:
    """Return the values of an option to step through, each with its name and its help text."""
    value, row = getattr(current(), name), texts().options[name]
    names: dict[Any, str]
    if isinstance(value, bool):
        names = {False: "off", True: "on"}
    elif name == "text_size":
        names = {size: f"{size:+}" if size else "usual" for size in TEXT_SIZES}
    elif isinstance(value, int):
        names = {volume: f"{volume or 'off'}" for volume in range(LOUDEST + 1)}
    else:
        entries: Mapping[str, Any] = presets() if name == "preset" else palettes()
        return row.values or {key: (entry.name, entry.help) for key, entry in entries.items()}
    return {value: (text, row.help) for value, text in names.items()}


def _sample(frame: Frame, rect: Rect) -> None:
    """Draw the palette's colours: those of messages and those of monsters."""
    fill(frame.text, rect, "ground")
    words = ("accent", "good", "warn", "bad", "cold", "text", "dim")
    write_parts(frame.text, rect.x + 1, rect.y, [(f"{word}  ", word) for word in words])
    x = rect.x + 1
    seen: set[str] = set()
    for name, kind in creature_kinds().items():
        if kind.color not in seen and x < rect.x + rect.width - 2:
            seen.add(kind.color)
            write_icon(frame, x, rect.y + 1, creature_icon(name))
            x += 3
