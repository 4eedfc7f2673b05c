"""The options: keys, colours, movement; every change counts at once and is kept."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from entities.kinds import creatures
from render.draw import centered, fill, panel, paragraphs, printable, write, write_parts
from render.frame import Frame, Rect
from render.hints import hint, write_foot
from render.inputs import Key
from render.keys import command
from render.options.choices import Options, current
from render.options.file import keep, options_path
from render.options.presets import presets
from render.palette import creature_colors
from render.palettes import palettes
from render.screen import Pop, Push, Reply
from render.screens.menu import Choice, Menu
from render.screens.rebind import KeysScreen

SWITCHES = (
    ("flashes", "Flashes", "f", "a short change of brightness when someone is hit"),
    ("motion", "Living light", "l", "the lamp flickers, water and lava flow"),
    ("animations", "Animations", "a", "what is thrown or cast is seen to fly"),
)
FIGURES = {
    "all": ("drawn", "in a window, creatures, things and you are small pictures"),
    "drawn": ("drawn, you are @", "in a window, creatures and things are small pictures"),
    "letters": ("letters", "a letter for each creature and thing, as in the terminal"),
}
LABEL, WIDTH = 18, 74


class OptionsScreen(Menu):
    """A row for each option, its values to step through."""

    def __init__(self) -> None:
        choices = [
            Choice("Keys", "k", lambda: self._turn(1)),
            Choice("Colours", "c", lambda: self._turn(1)),
            Choice("Figures", "g", lambda: self._turn(1)),
            *(Choice(label, key, lambda: self._turn(1)) for _, label, key, _ in SWITCHES),
            Choice("Single keys …", "s", lambda: Push(KeysScreen())),
            Choice("All as it came", "r", self._reset),
            Choice("Done", "d", Pop),
        ]
        super().__init__("Options", choices)
        self.fault = ""

    def _values(self) -> list[tuple[str, str]]:
        """Return each row's value and what it means."""
        options = current()
        preset, palette = presets()[options.preset], palettes()[options.palette]
        figures = FIGURES[options.figures]
        rows = [(preset.name, preset.help), (palette.name, palette.help), figures]
        for name, _, _, help_ in SWITCHES:
            rows.append(("on" if getattr(options, name) else "off", help_))
        own = sum(len(commands) for commands in options.keys.values())
        rows.append((f"{own} changed" if own else "", "another key for any command"))
        rows.append(("", "every option back to what it was at first, your own keys too"))
        return [*rows, ("", "")]

    def draw(self, frame: Frame) -> None:
        """Draw the rows, what the lit one means, and a sample of the colours."""
        rect = centered(frame, WIDTH, len(self.choices) + 14)
        inner = panel(frame, rect, self.title)
        hints = [hint("tuning", "less", "before"), hint("tuning", "more", "next")]
        write_foot(frame, rect, [*hints, *self.hints()])
        rows = self._values()
        self.draw_choices(frame, Rect(inner.x, inner.y, inner.width, len(self.choices)))
        for row, (value, _) in enumerate(rows):
            lit = row == self.index
            text = f"‹ {value} ›" if value and row < 3 + len(SWITCHES) else value
            x, color = inner.x + 4 + LABEL, "accent" if lit else "dim"
            write(frame.text, x, inner.y + row, text, color, inner.width - LABEL - 4)
        y = inner.y + len(rows) + 1
        help_ = paragraphs(self.fault or rows[self.index][1], inner.width)[:2]
        for line in help_:
            write(frame.text, inner.x, y, line, "bad" if self.fault else "text", inner.width)
            y += 1
        y = inner.y + len(rows) + 4
        _sample(frame, Rect(inner.x, y, inner.width, 3))
        kept = f"Kept in {printable(str(options_path()))}"
        write(frame.text, inner.x, y + 4, kept, "dim", inner.width)

    def key(self, key: Key) -> Reply:
        """Step through values by left and right, else as in any menu."""
        match command("tuning", key):
            case "less" | "more" as name:
                return self._turn(-1 if name == "less" else 1)
        return super().key(key)

    def _turn(self, by: int) -> Reply:
        """Take the next value of the lit row, or the one before."""
        options = current()
        names = ("preset", "palette", "figures", *(name for name, *_ in SWITCHES))
        if self.index >= len(names):
            return None
        name = names[self.index]
        value: Any = not getattr(options, name)
        stepped: dict[str, Iterable[str]] = {
            "preset": presets(),
            "palette": palettes(),
            "figures": FIGURES,
        }
        if name in stepped:
            known = list(stepped[name])
            value = known[(known.index(getattr(options, name)) + by) % len(known)]
        self._take(replace(options, **{name: value}))
        return None

    def _reset(self) -> Reply:
        self._take(Options())
        return None

    def _take(self, options: Options) -> None:
        self.fault = keep(options)


def _sample(frame: Frame, rect: Rect) -> None:
    """Show the palette's colours: what messages mean, and who is who."""
    fill(frame.text, rect, "ground")
    words = ("accent", "good", "warn", "bad", "cold", "text", "dim")
    parts = [(f"{word}  ", word) for word in words]
    write_parts(frame.text, rect.x + 1, rect.y, parts)
    x = rect.x + 1
    seen: set[str] = set()
    for kind in creatures().values():
        if kind.color not in seen and x < rect.x + rect.width - 2:
            seen.add(kind.color)
            frame.text.print(x, rect.y + 1, kind.glyph, fg=creature_colors()[kind.color])
            x += 2
