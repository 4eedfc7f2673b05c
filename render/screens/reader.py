"""A pager for long text, and the texts it shows: help, message history, character sheet."""

from collections.abc import Callable
from itertools import chain

from entities.creature_kinds import creature_kinds
from entities.equipment import equipped_items
from entities.item_kinds import item_classes
from entities.terrain import TILES, Tile, terrain
from render.map.map_view import creature_icon, item_icon
from render.messages.message_log import MessageLog
from render.messages.names import item_name
from render.panels.character_sheet import character_lines
from render.screens.screen import Pop, Reply, Screen
from render.session.session import Session
from render.tiles.glyphs import FLAMES, STAIRS_UP, plain_char, tile_code
from render.ui.buttons import Hint, hint, hinted_panel, keys_with_texts
from render.ui.frame import Frame, Look
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings, command_of, key_label
from render.ui.text import Line, centered, paragraphs, write_icon, write_parts, write_range
from render.ui.texts import HelpPage, texts

WIDTH, KEYS, SIGN = 96, 28, 26
"""Columns: the most of a page, those of the keys in the help, and those of a legend entry."""


class Reader(Screen):
    """A scrolling panel; ``lines`` returns the text wrapped to a width in columns.

    ``icons`` are drawn before lines that begin, indented, with their names.
    """

    covers = False

    def __init__(
        self, title: str, lines: Callable[[int], list[Line]], *, from_end: bool = False
    ) -> None:
        self.title = title
        self.lines = lines
        self.icons: dict[str, Look] = {}
        self.top = 10**9 if from_end else 0
        self._ways = ("up", "down") if from_end else ("down", "up")  # The first hint never moves.
        self._page = 1

    def draw(self, frame: Frame) -> None:
        """Draw one page; ``top`` is its first line."""
        room = frame.map_area.width
        width = WIDTH if room >= WIDTH + 8 else room  # Avoid narrow strips beside the page.
        lines = self.lines(width - 6)
        rect = self.rect = centered(frame, width, max(8, min(frame.rows - 2, len(lines) + 5)))
        self._page = max(1, rect.height - 5)
        self.top = max(0, min(self.top, len(lines) - self._page))
        inner = hinted_panel(frame, rect, self.title, self._hints(len(lines)))
        for row, line in enumerate(lines[self.top : self.top + inner.height]):
            write_parts(frame.text, inner.x, inner.y + row, line)
            if line and (look := self.icons.get(line[0][0].strip())):
                write_icon(frame, inner.x, inner.y + row, look)
        write_range(frame, rect, self.top, inner.height, len(lines))

    def _hints(self, length: int) -> list[Hint]:
        """Return the hints that work at this position in a text of ``length`` lines."""
        works = {"up": self.top > 0, "down": self.top + self._page < length}
        ways = [hint("menu", f"page_{way}", f"page {way}") for way in self._ways if works[way]]
        return [*ways, hint("menu", "back", "back")]

    def key(self, key: Key) -> Reply:
        """Scroll or go back; the key that opened the text closes it, too."""
        moves = {"up": -1, "down": 1, "page_up": -self._page, "page_down": self._page}
        moves |= {"first": -self.top, "last": 10**9}
        name = command_of("menu", key) or ""
        self.top += moves.get(name, 0)
        return Pop() if name in {"back", "choose"} or key == self.opened_by else None

    def pointer(self, pointer: Pointer) -> Reply:
        """Scroll by the wheel; a click outside closes the text."""
        if pointer.kind == "wheel":
            self.top -= 3 * pointer.amount
        outside = self.is_click_outside(pointer) and not self.is_double_click(pointer)
        return self.back() if outside else None


def help_screen(
    sections: tuple[str, ...] = ("move", "run", "play", "menu", "any"), page: HelpPage = "game"
) -> Reader:
    """Return the help: the first keys (in a game), the texts of ``page``, the keys of sections."""

    def lines(width: int) -> list[Line]:
        rows: list[Line] = []
        for names, explanation in keys_with_texts("newcomer") if page in ("game", "world") else []:
            rows += _key_lines(" ".join(map(key_label, names)), explanation, width)
        rows += [[]] if rows else []
        for text in texts().help[page]:
            rows += [*([(line, "text")] for line in paragraphs(text, width)), []]
        for section in sections:
            rows.append([(texts().key_sections[section], "accent")])
            for binding in bindings()[section].values():
                explanation = (page == "workshop" and binding.workshop) or binding.help
                rows += _key_lines("  ".join(map(key_label, binding.keys)), explanation, width)
            rows.append([])
        return rows + _legend(width) if "play" in sections else rows

    return Reader("Help", lines)


def _key_lines(keys: str, explanation: str, width: int) -> list[Line]:
    """Return ``explanation`` beside ``keys``, or below them if they need a line of their own."""
    keys_beside = "" if len(keys) > KEYS - 4 else keys
    lines: list[Line] = [] if keys_beside else [[(f"  {keys}", "cold")]]
    for n, text in enumerate(paragraphs(explanation, width - KEYS)):
        lines.append([(f"  {'' if n else keys_beside:<{KEYS - 2}}", "cold"), (text, "text")])
    return lines


def _legend(width: int) -> list[Line]:
    """Return the characters that stand for items and tiles where no pictures are drawn."""
    signs = {kind.name: kind.glyph for kind in item_classes().values()}
    signs |= {"stairs up": plain_char(STAIRS_UP), "fire": plain_char(FLAMES)}
    ground = (tile for tile in TILES if tile != Tile.SECRET_DOOR)
    signs |= {terrain().kinds[tile].name: plain_char(tile_code(tile, 0)) for tile in ground}
    parts = [
        [(f"  {sign}  ", "cold"), (f"{name:<{SIGN - 5}}", "text")] for name, sign in signs.items()
    ]
    across = max(1, width // SIGN)
    rows = [[*chain(*parts[first : first + across])] for first in range(0, len(parts), across)]
    return [[("Letters of items and ground", "accent")], *rows]


def history_screen(log: MessageLog) -> Reader:
    """Return the message history, scrolled to its end."""

    def lines(width: int) -> list[Line]:
        rows: list[Line] = []
        for message in log.messages:
            for number, text in enumerate(paragraphs(str(message), width - 8)):
                turn = f"{message.turn:>6}  " if number == 0 else " " * 8
                rows.append([(turn, "dim"), (text, message.color)])
        return rows

    return Reader("Messages", lines, from_end=True)


def character_screen(session: Session) -> Reader:
    """Return the character sheet."""
    state = session.run.state
    sheet = Reader("You", lambda width: character_lines(state, width))
    for kind in state.kills_by_kind:
        sheet.icons[creature_kinds()[kind].name] = creature_icon(kind)
    for item in equipped_items(state.hero):
        sheet.icons[item_name(state, item)] = item_icon(item.kind, state.setup.seed)
    return sheet
