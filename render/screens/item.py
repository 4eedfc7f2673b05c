"""One thing: what it does, how it compares, what to do with it."""

from collections.abc import Callable

from entities.item import Item
from render.draw import centered, panel, write_parts
from render.frame import Frame, Rect
from render.hints import write_foot
from render.pack.details import details
from render.pack.doing import Deed, deeds
from render.screen import Reply
from render.screens.inventory import BOTH, PANE
from render.screens.inventory import WIDTH as PACK
from render.screens.menu import Choice, Menu
from render.session import Session
from render.things import item_name, thing_look

WIDTH = 64


class ItemScreen(Menu):
    """A thing with all that is known of it; ``do`` answers the deed that is chosen."""

    def __init__(self, session: Session, item: Item, do: Callable[[str, Item], Reply]) -> None:
        self.session, self.item = session, item
        world = session.run.world
        name = item_name(world, item)
        choices = [self._choice(deed, do) for deed in deeds(world, item)]
        super().__init__(f"{name[:1].upper()}{name[1:]}", choices)

    def _choice(self, deed: Deed, do: Callable[[str, Item], Reply]) -> Choice:
        return Choice(deed.text, deed.key, lambda: do(deed.word, self.item))

    def draw(self, frame: Frame) -> None:
        """Draw what it does, then what to do with it."""
        width = min(WIDTH, frame.columns - 2)
        lines = details(self.session.run.world, self.item, width - 6)
        rect = centered(frame, width, len(lines) + len(self.choices) + 5)
        if frame.columns >= BOTH:  # Over the details beside the pack, the list stays in view.
            rect = rect._replace(x=rect.x + (PACK + PANE - width) // 2)
        inner = panel(frame, rect, self.title)
        glyph, color = thing_look(self.item.kind, self.session.setup.seed)
        frame.text.print(rect.x + rect.width - 5, rect.y, f" {glyph} ", fg=color)
        write_foot(frame, rect, self.hints())
        for row, line in enumerate(lines[: inner.height - len(self.choices) - 1]):
            write_parts(frame.text, inner.x, inner.y + row, line)
        y = inner.y + inner.height - len(self.choices)
        self.draw_choices(frame, Rect(inner.x, y, inner.width, len(self.choices)))
