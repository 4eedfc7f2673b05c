"""The tuning screen: a recipe's steps and parameters; each change rebuilds the level."""

from collections import Counter
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine.saves.files import write_atomically
from entities.folders import USER_MARK, user_folder
from procgen.level_code import LevelCode
from procgen.recipe_entries import FIRST, OFF, edited_chain
from procgen.recipe_parameters import (
    InvalidParameter,
    parameter_value,
    parse_value,
    recipe_entry,
    stepped_value,
    with_value,
)
from procgen.recipes import RECIPES_FILE, usable_steps, user_recipes, with_edits, with_overlays
from procgen.settings import InvalidSetting, edited_recipe, raw_recipe, recipe_for_code, settings_of
from procgen.step_registry import RULES, Parameter
from procgen.user_content import name_fault
from render.screens.menu import Choice, Menu, TextEntry, notice
from render.screens.reader import Reader, help_screen
from render.screens.screen import Pop, Push, Reply, Screen
from render.ui.buttons import Keys, draw_keys, keys_with_texts
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.text import clipped, fill, paint_bands, paragraphs, write_lines, write_parts
from render.ui.texts import texts
from render.workshop.build_player import BuildPlayer
from render.workshop.build_view import BuildView, draw_legend
from render.workshop.parameter_panel import MetricsComparison, ParameterPanel
from render.workshop.timeline import draw_decisions

TURNS = {"less": -1, "more": 1, "much_less": -10, "much_more": 10}
LIST_MOVES = ("up", "down", "page_up", "page_down")


class TuningScreen(Screen):
    """A panel of parameters beside their level; on leaving, ``adopt`` gets the last build."""

    def __init__(
        self, code: LevelCode, view: BuildView, adopt: Callable[[BuildPlayer], Reply]
    ) -> None:
        self.code = code
        self.view = view
        self._adopt = adopt
        self._verdict = MetricsComparison(replace(code, settings=()))
        self._grow(code.settings)
        self._list_steps()
        self._earlier: list[tuple[tuple[str, ...], ParameterPanel]] = []

    def _grow(self, settings: tuple[str, ...]) -> None:
        """Build the level with these settings; raise `InvalidSetting` if a code can't hold them."""
        code = replace(self.code, settings=settings)
        self.recipe, self.code, self.fault = recipe_for_code(code), code, ""
        self.player: BuildPlayer = BuildPlayer(code)
        self.player.end()

    def _change(self, settings: tuple[str, ...]) -> None:
        """Build the level with these settings as `_grow` does; undo restores the present ones."""
        before = self.code.settings, copy(self.panel)
        self._grow(settings)
        if self.code.settings != before[0]:
            self._earlier.append(before)

    def _list_steps(self, place: int = 0) -> None:
        """List the steps of the recipe as it is now, and select the one at ``place``."""
        self.original = edited_recipe(self.recipe, self.recipe.settings)
        self.panel = ParameterPanel(self.original, min(place, len(self.recipe.steps) - 1))

    def _compose(self, edit: str) -> None:
        """Edit the chain of steps and rebuild the level, or show why that is impossible."""
        label = edit.partition("=")[0]
        chain = edited_chain([use.label for use in self.recipe.steps], [edit])
        try:
            self._change(settings_of(raw_recipe(self.recipe), with_edits(self.recipe, [edit])))
        except ValueError as fault:
            self.fault = f"{fault}."
        else:
            self._list_steps(chain.index(label) if label in chain else self.panel.place)

    def _move(self, offset: int) -> None:
        """Move the selected step ``offset`` places."""
        chain, place = [use.label for use in self.recipe.steps], self.panel.place
        if not 0 <= place + offset < len(chain):
            self.fault = f"{chain[place]} is the {'first' if offset < 0 else 'last'} step."
            return
        behind = [FIRST, *chain[:place], *chain[place + 1 :]]
        self._compose(f"{chain[place]}={behind[place + offset]}")

    def _choices(self) -> Menu:
        """Return the menu of steps to insert after the selected one; unsuitable ones say why."""
        place = self.recipe.steps[self.panel.place].label
        fitting: list[Choice] = []
        refused: list[Choice] = []
        used = Counter(use.step.name for use in self.recipe.steps if not use.overlay)
        for name, step in sorted(usable_steps(self.recipe).items()):
            edit = f"{name}#{used[name] + 1}={place}" if used[name] else f"{name}={place}"
            put_in, listed, note = partial(self._put_in, edit), fitting, step.summary
            try:
                with_edits(self.recipe, [edit])
            except ValueError as fault:
                listed, note = refused, f"not here: {fault}"
            listed.append(Choice(name.replace("_", " "), "", put_in, note.replace("``", "'")))
        return Menu(f"Insert after {place}", fitting + refused)

    def _put_in(self, edit: str) -> Reply:
        return Pop(lambda _: self._compose(edit))

    def draw(self, frame: Frame) -> None:
        """Draw the level, the parameters beside it, and the level's metrics."""
        text = frame.text
        wide = min(frame.columns // 2, 34 if frame.columns < 100 else 44)
        left, foot = frame.columns - wide, 4
        area = paint_bands(frame, 1, foot)._replace(width=max(1, left))
        console = frame.open_map(area, (self.code.width, self.code.height))
        recording, index = self.player.recording, self.player.index
        if recording.snapshots:
            frame.ground = self.view.draw(console, recording, index, tall=not frame.tile_pixels)
            draw_decisions(frame, area, self.player)
        code = clipped(str(self.code), max(12, frame.columns - 31))
        x = write_parts(text, 2, 0, [("Tuning ", "dim"), (code, "accent")])
        draw_legend(frame, 0, x + 2, frame.columns - 2, self.view.picker)
        self.panel.draw(frame, area._replace(x=left, width=wide), self.recipe)
        if frame.above:  # A dialog would leave only pieces of these lines.
            return
        self._verdict.draw(text, Rect(2, frame.rows - 3, frame.columns - 4, 1), recording)
        if self.fault:
            fill(text, Rect(0, max(0, frame.rows - 3), frame.columns, 1), "panel")
            lines = paragraphs(self.fault, frame.columns - 4)
            top = frame.rows - 3 - (len(lines) > 2)  # The reason is at the end of a longer message.
            write_lines(text, 2, top, lines[-foot + 1 :], "bad", frame.columns - 4)
        draw_keys(frame, frame.rows - 1, self._keys())

    def _keys(self) -> Keys:
        if self.panel.text is not None:
            return [(["enter"], "accept"), (["escape"], "cancel")]
        hidden = [] if self.panel.changed(self.recipe) else ["tuning.reset"]
        hidden += [] if self._earlier else ["tuning.undo"]
        return keys_with_texts("tuning", hidden)

    def key(self, key: Key) -> Reply:
        """Handle a key: choose, change, type, reset, undo, copy or leave."""
        selected = self.panel.selected
        if selected and self.panel.text is not None:
            if len(key.name) > 1 and command_of("menu", key) == "back":
                return self.back()
            self._type(key, selected)
            return None
        name = command_of("tuning", key)
        digit = bool(key.typed) and key.typed in "0123456789.-"
        if name in LIST_MOVES:
            self.fault = ""
            self.panel.walk(name)
        elif selected is None and (digit or name in {*TURNS, "type", "reset"}):
            self.fault = f"{self.recipe.steps[self.panel.place].label} has no parameters."
        elif selected and name in TURNS:
            self._turn(TURNS[name], selected)
        elif digit:
            self.panel.insert(key.typed)
        else:
            return self._command(name)
        return None

    def _command(self, name: str | None) -> Reply:
        selected = self.panel.selected
        match name:
            case "type" if selected:
                self.panel.begin(self.recipe, selected)
            case "reset" if selected:
                self._set(selected, parameter_value(self.original, selected))
            case "reset_all":
                self._change(())
                self._list_steps(self.panel.place)
            case "undo" if not self._earlier:
                self.fault = "There is nothing to undo."
            case "undo":
                settings, self.panel = self._earlier.pop()
                self.original = self.panel.original
                self._grow(settings)
            case "earlier" | "later":
                self._move(-1 if name == "earlier" else 1)
            case "put_in":
                return Push(self._choices())
            case "take_out":
                self._compose(f"{self.recipe.steps[self.panel.place].label}={OFF}")
            case "chart":
                self.view.picker.next_kind(self.code.recipe)
            case "close_up":
                self.view.close = not self.view.close
            case "copy":
                entry = recipe_entry(self.original, self.recipe)
                page = Reader(
                    "For recipes.toml",
                    lambda width: [[(line, "text")] for line in paragraphs(entry.rstrip(), width)],
                )
                return Push(page, copy=entry)
            case "save":
                return Push(self._saving())
            case "help":
                return Push(help_screen(("tuning", "any"), "tuning"))
            case "leave":
                return self.back()
        return None

    def _saving(self) -> TextEntry:
        """Return the dialog that asks for a name and saves the recipe under it."""

        def done(name: str) -> Reply:
            name = name.strip()
            path = save_user_recipe(name, recipe_entry(self.original, self.recipe, name))
            saved = with_overlays(f"{USER_MARK}{name}", 1, self.code.overlays)
            left = settings_of(saved, self.recipe)
            code = replace(self.code, recipe=f"{USER_MARK}{name}", version=1, settings=left)
            return Pop(lambda _: Push(notice(f"Saved in {path}. This level is now also {code}.")))

        return TextEntry("Save as a recipe of your own", texts().dialogs["save_recipe"], done)

    def _type(self, key: Key, parameter: Parameter) -> None:
        if (text := self.panel.edit(key)) is None:
            return
        try:
            self._set(parameter, parse_value(parameter, text))
        except InvalidParameter as fault:
            self.fault = f"{fault}."
        if self.fault:
            self.panel.begin(self.recipe, parameter, text)  # Let the player correct the text.

    def paste(self, text: str) -> Reply:
        """Type pasted text."""
        if self.panel.selected:
            self.panel.insert(" ".join(text.split()))
        return None

    def _turn(self, by: int, selected: Parameter) -> None:
        value = stepped_value(self.recipe, selected, by, parameter_value(self.original, selected))
        if value == parameter_value(self.recipe, selected):
            must = "typed" if selected.unit == RULES else selected.range
            self.fault = f"{selected.name} must be {must}."
        else:
            self._set(selected, value)

    def _set(self, parameter: Parameter, value: object) -> None:
        """Set a parameter and rebuild the level, or show why the value is invalid."""
        try:
            changed = with_value(self.recipe, parameter, value)
            self._change(settings_of(raw_recipe(self.recipe), changed))
        except (InvalidParameter, InvalidSetting) as fault:
            self.fault = f"{fault}."

    def back(self) -> Reply:
        """Leave with the present level; while a value is being typed, only stop that."""
        if self.panel.text is None:
            return Pop(lambda _: self._adopt(self.player))
        self.panel.text, self.fault = None, ""
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Choose a line by click or wheel; change its value by a click on the arrows."""
        if self.panel.text is not None:
            return None  # While a value is being typed, the selection must stay.
        if pointer.kind == "wheel":
            self.fault = ""
            self.panel.scroll(-pointer.amount)
        elif pointer.kind == "press" and (by := self.panel.press(pointer)) and self.panel.selected:
            self._turn(by, self.panel.selected)
        return None


def save_user_recipe(name: str, entry: str) -> Path:
    """Append ``entry`` to the user's recipes, return the file; `ValueError` says what is wrong."""
    existing = user_recipes()
    if problem := name_fault(name):
        raise ValueError(problem)
    if f"{USER_MARK}{name}" in {*existing.entries, *existing.faults}:
        raise ValueError(f"there is a recipe {USER_MARK}{name} already: choose another name")
    path = user_folder() / RECIPES_FILE
    if str(path) in existing.faults:
        raise ValueError(existing.faults[str(path)])
    try:
        before = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
        write_atomically(path.resolve(), (before + entry).encode())  # Keeps a symbolic link.
    except OSError as fault:
        raise ValueError(f"{path} cannot be written ({fault.strerror})") from None
    return path
