"""The pack: what is carried, by letter, and what is worn of it."""

from collections.abc import Callable

from engine.things.pack import MOST_STACKS, slot_of
from entities.item import Item
from entities.items import item_kinds, sorts
from render.draw import centered, clipped, extent, fill, panel, write, write_parts
from render.frame import Frame, Rect
from render.hints import Hint, hint, write_foot
from render.inputs import Key
from render.pack.details import details
from render.screen import Reply
from render.screens.menu import Choice, Menu
from render.session import Session
from render.things import item_name, plural, thing_look

WIDTH, PANE, BOTH = 52, 44, 104
"""Columns of the list, of the details beside it, and the frame from which on both fit."""
SLOTS = {"weapon": "in hand", "bow": "slung on", "armour": "worn", "ring": "on a finger"}


class Inventory(Menu):
    """Things of the pack under headings; ``chosen`` answers the one that is chosen."""

    def __init__(
        self,
        session: Session,
        title: str,
        items: list[Item],
        chosen: Callable[[Item], Reply],
    ) -> None:
        order = list(sorts())
        self.session = session
        self.items = sorted(items, key=lambda item: order.index(item_kinds()[item.kind].sort))
        choices = [self._choice(item, chosen) for item in self.items]
        super().__init__(title, choices)

    def _choice(self, item: Item, chosen: Callable[[Item], Reply]) -> Choice:
        world = self.session.run.world
        slot = slot_of(world.hero, item)
        name = item_name(world, item)
        return Choice(name, item.letter, lambda: chosen(item), SLOTS.get(slot or "", ""))

    def draw(self, frame: Frame) -> None:
        """Draw the list and, where there is room, what the lit thing does."""
        room = frame.columns >= BOTH
        width = WIDTH + (PANE if room else 0)
        lines = self._lines()
        rect = centered(frame, width, max(min(len(lines) + 4, frame.rows - 2), 18 if room else 8))
        carried = len(self.session.run.world.hero.pack)
        inner = panel(frame, rect, f"{self.title} · {carried} of {MOST_STACKS}")
        write_foot(frame, rect, self.hints())
        list_width = min(WIDTH - 6, inner.width)
        first = self._draw_lines(frame, Rect(inner.x, inner.y, list_width, inner.height), lines)
        extent(frame, rect, first, inner.height, len(lines))
        if not self.choices:
            write(frame.text, inner.x, inner.y, "Nothing of the kind.", "dim", list_width)
        elif room:
            self._pane(frame, Rect(inner.x + list_width + 4, inner.y, PANE - 4, inner.height))

    def _pane(self, frame: Frame, rect: Rect) -> None:
        item, world = self.items[self.index], self.session.run.world
        name = item_name(world, item)
        write(frame.text, rect.x, rect.y, name[:1].upper() + name[1:], "accent", rect.width)
        for row, line in enumerate(details(world, item, rect.width)[: rect.height - 2]):
            write_parts(frame.text, rect.x, rect.y + 2 + row, line)

    def _lines(self) -> list[int | str]:
        """Return the numbers of choices, headings between them."""
        lines: list[int | str] = []
        before = ""
        for number, item in enumerate(self.items):
            sort = item_kinds()[item.kind].sort
            if sort != before:
                name = sorts()[sort].name
                lines.append(name if name.endswith("armour") else plural(name))
                before = sort
            lines.append(number)
        return lines

    def _draw_lines(self, frame: Frame, rect: Rect, lines: list[int | str]) -> int:
        """Draw as many lines as fit, the lit one among them; return the number of the first."""
        at = lines.index(self.index) if self.index in lines else 0
        first = max(0, min(at - rect.height // 2, len(lines) - rect.height))
        self._rows = {}
        for row, line in enumerate(lines[first : first + rect.height]):
            y = rect.y + row
            if isinstance(line, str):
                write(frame.text, rect.x, y, line[:1].upper() + line[1:], "dim", rect.width)
            else:
                self._rows[y] = line
                self._draw_item(frame, Rect(rect.x, y, rect.width, 1), line)
        return first

    def _draw_item(self, frame: Frame, rect: Rect, number: int) -> None:
        choice, lit = self.choices[number], number == self.index
        if lit:
            fill(frame.text, Rect(rect.x - 1, rect.y, rect.width + 2, 1), "line")
        glyph, color = thing_look(self.items[number].kind, self.session.setup.seed)
        write(frame.text, rect.x + 1, rect.y, choice.key, "accent")
        frame.text.print(rect.x + 4, rect.y, glyph, fg=color)
        room = rect.width - 7 - len(choice.note) - 1
        name = clipped(choice.label, room)
        write(frame.text, rect.x + 7, rect.y, name, "accent" if lit else "text")
        write(frame.text, rect.x + rect.width - len(choice.note), rect.y, choice.note, "good")

    def hints(self) -> list[Hint]:
        """Return the keys to show under the list."""
        chooses = [hint("menu", "choose", "or its letter chooses")] if self.choices else []
        return [*chooses, hint("menu", "back", "goes back")]

    def key(self, key: Key) -> Reply:
        """Answer as any menu; whatever is pressed leaves an empty one."""
        return super().key(key) if self.choices else self.back()
