"""The panel of a recipe's parameters by step, and the line that compares level metrics."""

from itertools import groupby
from operator import itemgetter
from textwrap import wrap

from tcod.console import Console

from procgen.level import Level
from procgen.level_code import LevelCode
from procgen.metrics import Metrics, measure
from procgen.recipe_parameters import idle_parameters, parameter_value, parameters_of
from procgen.recipes import Recipe
from procgen.step_registry import RULES, Parameter
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import command_of
from render.ui.text import Line, clipped, fill, paragraphs, plain_text, write, write_parts
from render.workshop.build_recording import BuildRecording, format_value

NOTES = 6
"""Lines under the list on the selected parameter; long notes may take half of the panel."""
LONGEST = 1000


class ParameterPanel:
    """A list of steps and parameters; ``text`` is the value being typed, None while not typing.

    A line of the list is (index of the step, name of the parameter); a step without parameters has
    one line, with the name "".
    """

    def __init__(self, original: Recipe, place: int) -> None:
        self.original = original
        self.text: str | None = None
        self._fresh = False  # Whether the next key replaces the text.
        self._parameters = {(one.step_index, one.name): one for one in parameters_of(original)}
        self._chosen = (place, "")
        self._find_lines(original)
        self._chosen = next(line for line in self._found if line[0] == place)
        self._rows: dict[int, tuple[int, str]] = {}
        self._arrows = (0, 0)
        self._left = 0
        self._pointed_y: int | None = None  # Where the mouse last selected a line.

    @property
    def place(self) -> int:
        """The index of the selected step."""
        return self._chosen[0]

    @property
    def selected(self) -> Parameter | None:
        """The selected parameter; None for a step without any."""
        return self._parameters.get(self._chosen)

    def _find_lines(self, recipe: Recipe) -> None:
        """Find the lines, without parameters that have no effect with the other values."""
        hidden = idle_parameters(recipe) - {self._chosen}
        self._found: list[tuple[int, str]] = []
        for place in range(len(recipe.steps)):
            lines = [line for line in self._parameters if line[0] == place and line not in hidden]
            self._found += lines or [(place, "")]

    def changed(self, recipe: Recipe) -> bool:
        """Return whether the selected parameter differs from that of the original recipe."""
        this = self.selected
        return bool(this and parameter_value(recipe, this) != parameter_value(self.original, this))

    def walk(self, name: str) -> None:
        """Select the next or previous line, or the first of the next or previous step."""
        offset = 1 if name in {"down", "page_down"} else -1
        if name in {"up", "down"}:
            at = self._found.index(self._chosen) + offset
            self._chosen = self._found[at % len(self._found)]
        else:
            place = (self.place + offset) % len(self.original.steps)
            self._chosen = next(line for line in self._found if line[0] == place)

    def scroll(self, count: int) -> None:
        """Select the line ``count`` lines further down, but not beyond the first or last."""
        at = self._found.index(self._chosen) + count
        self._chosen = self._found[max(0, min(len(self._found) - 1, at))]

    def begin(self, recipe: Recipe, parameter: Parameter, refused: str = "") -> None:
        """Start typing, with the parameter's value or a ``refused`` text: keys replace a number."""
        value = parameter_value(recipe, parameter)
        now = format_value(value) if not isinstance(value, float) else f"{value:.12g}"
        self.text, self._fresh = refused or now, isinstance(value, int | float)

    def insert(self, text: str) -> None:
        """Type ``text``."""
        self.text = (("" if self._fresh else self.text or "") + text)[:LONGEST]
        self._fresh = False

    def edit(self, key: Key) -> str | None:
        """Handle a key while typing: return the text on Enter, else None."""
        assert self.text is not None
        if len(key.name) > 1 and command_of("menu", key) == "choose":
            done, self.text = self.text, None
            return done
        if key.name == "backspace":
            self.text, self._fresh = self.text[:-1], False
        if key.typed:
            self.insert(key.typed)
        return None

    def press(self, pointer: Pointer) -> int:
        """Select the line that was clicked; return -1 or 1 for a click on an arrow, else 0."""
        line = self._rows.get(pointer.y)
        if line is None or pointer.x < self._left:
            return 0
        if line != self._chosen:
            self._chosen, self._pointed_y = line, pointer.y
            return 0
        return {self._arrows[0]: -1, self._arrows[1]: 1}.get(pointer.x, 0)

    def draw(self, frame: Frame, rect: Rect, recipe: Recipe) -> None:
        """Draw the list, scrolled to the selected line, and the notes on that line."""
        console = frame.text
        fill(console, rect, "panel")
        wide = max(1, rect.width - 4)
        most = max(NOTES, rect.height // 2)
        note_lines = self._notes(recipe, wide, most)[:most]
        below = max(NOTES, len(note_lines))
        inner = Rect(rect.x + 2, rect.y + 1, wide, rect.height - below - 4)
        self._find_lines(recipe)
        lines = self._lines()
        at = lines.index(self._chosen)
        # A line must not move under the mouse that selects it, or a second click selects another.
        above = inner.height // 2 if self._pointed_y is None else self._pointed_y - inner.y
        top = max(0, min(at - max(0, min(above, inner.height - 1)), len(lines) - inner.height))
        self._rows, self._left = {}, rect.x
        for y, line in enumerate(lines[top : top + max(0, inner.height)], inner.y):
            if isinstance(line, str):
                write(console, inner.x, y, line, "cold", inner.width)
            elif line is not None:
                self._rows[y] = line
                if line == self._chosen:
                    fill(console, Rect(inner.x - 1, y, inner.width + 2, 1), "line")
                if line in self._parameters:
                    self._draw_line(frame, Rect(inner.x, y, inner.width, 1), recipe, line)
                else:
                    label = self.original.steps[line[0]].label
                    write(console, inner.x, y, label, "cold", inner.width)
        notes = Rect(inner.x, rect.y + rect.height - below - 1, inner.width, below)
        write(console, notes.x, notes.y - 1, "─" * notes.width, "line")
        if (hidden := len(lines) - top - inner.height) > 0:
            more = f" {hidden} more ↓"
            write(console, notes.x + notes.width - len(more), notes.y - 1, more, "dim")
        for y, line in enumerate(note_lines, notes.y):
            write(console, notes.x, y, line, "dim", notes.width)

    def _lines(self) -> list[str | tuple[int, str] | None]:
        """Return the lines to draw: names of steps, parameters, None for empty lines."""
        lines: list[str | tuple[int, str] | None] = []
        for place, group in groupby(self._found, itemgetter(0)):
            found = list(group)
            lines += [None] if lines else []
            lines += [self.original.steps[place].label] if found[0][1] else []
            lines += found
        return lines

    def _draw_line(self, frame: Frame, rect: Rect, recipe: Recipe, line: tuple[int, str]) -> None:
        console, parameter = frame.text, self._parameters[line]
        lit, now = line == self._chosen, parameter_value(recipe, parameter)
        changed = now != parameter_value(self.original, parameter)
        right = rect.x + rect.width
        text, color = clipped(format_value(now), rect.width // 2 - 3), "warn" if changed else "text"
        if lit and self.text is not None:
            text, color = (self.text + "▏")[2 - rect.width :], "accent"
            frame.cursor = (right - 3, rect.y)
        room = rect.width - len(text) - 5  # Up to the arrow beside the value.
        if len(parameter.name) <= room or not lit or self.text is None:
            write(console, rect.x, rect.y, parameter.name, "text" if lit else "dim", room)
        write(console, right - 2 - len(text), rect.y, text, color)
        if lit and self.text is None:
            self._arrows = (right - 4 - len(text), right - 1)
            write(console, self._arrows[0], rect.y, "◄", "accent")
            write(console, self._arrows[1], rect.y, "►", "accent")

    def _notes(self, recipe: Recipe, width: int, most: int) -> list[str]:
        """Return the meaning of the parameter, its range, and the recipe's own value.

        Rules are too long for their line in the list, so they are given here, each on new lines.
        """
        selected, step = self.selected, self.original.steps[self.place].step
        if selected is None:
            return paragraphs(step.summary.replace("``", "'"), width)
        if selected.unit == RULES:
            rules = parameter_value(recipe, selected) if self.text is None else self.text.split(",")
            return [line for rule in rules for line in paragraphs(f"• {rule.strip()}", width)]
        original = format_value(parameter_value(self.original, selected))
        meaning = (step.meaning(selected.name) or step.summary).replace("``", "'")
        # The recipe's value comes first, since a list of tiles may be cut off.
        values = f"The recipe says {original}; {selected.range}"
        ranges = wrap(values, width, max_lines=NOTES // 2, placeholder=" …")
        return wrap(meaning, width, max_lines=most - len(ranges), placeholder=" …") + ranges


LARGE = 40_000
"""The number of tiles above which measuring would make the screen lag."""
COMPARED_METRICS = ("floor", "rooms", "path", "loops", "dead_ends", "chokepoints")
MISSION_METRICS = ("locks", "cycles")


class MetricsComparison:
    """Measures the level and the untuned (else first) one once, and shows the differences."""

    def __init__(self, code: LevelCode) -> None:
        self.code = code
        self._before: Metrics | None = None
        self._after: tuple[Level, Metrics] | None = None

    def draw(self, console: Console, rect: Rect, recording: BuildRecording) -> None:
        """Write a line with the failure, the progress or the metrics of the build."""
        if recording.failure:
            for y, line in enumerate(paragraphs(recording.failure, rect.width)[:2], rect.y):
                write(console, rect.x, y, line, "bad", rect.width)
        elif recording.level is None or recording.level.tiles.size > LARGE:
            count = f"{len(recording.snapshots)} snapshots"
            text = "building …" if recording.level is None else count
            write(console, rect.x, rect.y, text, "dim", rect.width)
        else:
            rejected, x = len(recording.level.rejected), rect.x
            tries: Line = [(f"attempt {rejected + 1}", "warn")] if rejected else []
            for parts in (tries, *self._numbers(recording.level)):
                if parts and x + len(plain_text([parts])) <= rect.x + rect.width:
                    x = write_parts(console, x, rect.y, parts) + 3

    def _numbers(self, level: Level) -> list[Line]:
        """Return the metrics of ``level``, with the old value of each that changed."""
        if self._after is None or self._after[0] is not level:
            self._after = level, measure(level)
        if self._before is None:
            untuned = BuildRecording(self.code)
            untuned.to_end()  # It fails for a recipe that makes no level until it is tuned.
            self._before = measure(untuned.level or level)
        lines: list[Line] = []
        for name in (*(MISSION_METRICS if level.mission else ()), *COMPARED_METRICS):
            value, before = getattr(self._after[1], name), getattr(self._before, name)
            was = f" was {_short(before)}" if _short(value) != _short(before) else ""
            label = name.replace("_", " ")
            lines.append([(f"{label} ", "dim"), (_short(value), "text"), (was, "warn")])
        return lines


def _short(number: float) -> str:
    return f"{number:.0%}" if isinstance(number, float) else str(number)
