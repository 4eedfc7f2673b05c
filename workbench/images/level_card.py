"""Level cards: a picture with name, code, metrics and monsters."""

from collections import Counter
from typing import NamedTuple

from PIL import Image
from tcod.console import Console

from engine.monsters.initial_monsters import initial_monsters
from entities.creature_kinds import creature_kinds
from procgen.level import Level
from procgen.metrics import SHAPE, Metrics, relative_metrics
from procgen.settings import generator_for_code
from render.messages.names import place_name
from render.tiles.glyphs import creature_tile
from render.tiles.letters import ADVANCE
from render.tiles.tileset import console_image
from render.ui.frame import Color
from render.ui.palette import colors, creature_colors, rgb, theme
from render.ui.text import blend
from workbench.images.level_pictures import MAX_PIXELS, flat_picture, level_picture, shrunk_to_fit
from workbench.images.picture_text import Pen, shortened, width_of, wrapped_lines

LIST_LETTERS, LIST_ROW, LIST_GAP = 20, 32, 26
"""Font size, row height, and the gap between two kinds, in pixels."""
SIDE, BELOW = 24, 5
"""The side of a monster's picture, and how far it extends below the baseline, in pixels."""


class CreatureCount(NamedTuple):
    """A kind of creature: its look and colour, its name, and the number of creatures."""

    look: int
    color: Color
    words: str

    @property
    def width(self) -> int:
        """The width in pixels."""
        return SIDE + width_of(self.words, LIST_LETTERS)


def creature_rows(level: Level, width: int) -> list[list[CreatureCount]]:
    """Return the monsters of ``level`` by kind, in rows of at most ``width`` pixels."""
    count = Counter(monster.kind for monster in initial_monsters(level))
    rows: list[list[CreatureCount]] = [[]]
    x = 0
    for name, kind in creature_kinds().items():
        if not count[name]:
            continue
        times = f" ×{count[name]}" if count[name] > 1 else ""
        color = creature_colors()[kind.color]
        entry = CreatureCount(creature_tile(name), color, f" {kind.name}{times}")
        if rows[-1] and x + entry.width > width:
            rows.append([])
            x = 0
        rows[-1].append(entry)
        x += entry.width + LIST_GAP
    return rows


def write_creatures(pen: Pen, at: tuple[int, int], rows: list[list[CreatureCount]]) -> int:
    """Write the rows from the baseline ``at`` on; return the baseline of the last row."""
    (x, y), ground = at, pen.image.getpixel((0, pen.image.height - 1))
    if not rows[0]:
        pen.write(at, "no monsters", colors()["dim"], LIST_LETTERS)
    for number, row in enumerate(rows):
        x, y = at[0], at[1] + number * LIST_ROW
        for kind in row:
            cell = Console(1, 1)
            cell.rgb[0, 0] = (kind.look, kind.color, ground)
            pen.image.paste(console_image(cell, SIDE), (x, y + BELOW - SIDE))
            x = pen.write((x + SIDE, y), kind.words, colors()["dim"], LIST_LETTERS) + LIST_GAP
    return y


MARGIN, GAP = 56, 36
WIDE, TALLEST, NARROWEST = 1488, 1000, 1280
"""In pixels: a picture's width above its metrics and greatest height, and a card's least width."""
COLUMN, SQUARE = 430, 1000
"""The width of the metrics beside a picture, and the widest such picture, in pixels."""
SQUAREST, CODE = 1.3, 0.64
"""Width by height below which the metrics stand beside the picture; the code's share of a line."""
TILE, SMALLEST = 32, 6
TITLE, WORDS, NUMBERS, SMALL = 46, 20, 22, 16
ROW, BAR, ACROSS = 62, 5, 5


def card(level: Level) -> Image.Image:
    """Return the card of ``level``."""
    height, width = level.tiles.shape
    return _Card(level).beside() if width < SQUAREST * height else _Card(level).below()


def _picture(level: Level, width: int, height: int) -> Image.Image:
    """Return a picture of ``level`` that fits, with whole pixels per tile if tiles stay legible."""
    rows, columns = level.tiles.shape
    side = min(TILE, width // columns, height // rows)
    if side >= SMALLEST:
        return level_picture(level, side)
    if level.tiles.size * SMALLEST**2 <= MAX_PIXELS:
        return shrunk_to_fit(level_picture(level, SMALLEST), width, height)
    return shrunk_to_fit(flat_picture(level), width, height)


class _Card:
    """Lays out one level's card."""

    def __init__(self, level: Level) -> None:
        self.level = level
        self.recipe = generator_for_code(level.code)
        self.name = level.code.recipe.replace("_", " ")  # The place names the overlays.
        self.place = place_name(level.code, level.theme)
        self.depth = f" · depth {level.code.depth}{'' if level.has_exit else ' · no exit'}"
        self.tint = rgb(theme(level.theme).wall)
        shape = {name.replace("_", " ") for name in Metrics.__struct_fields__[SHAPE]}
        every = [m for m in relative_metrics(level) if m[0] != "creatures"]  # They are listed.
        self.metrics = [m for m in every if m[0] in shape or m[1] not in {"0", "0%"}]

    def below(self) -> Image.Image:
        """Return a card with the metrics below the picture."""
        shown = _picture(self.level, WIDE, TALLEST)
        wide = max(shown.width, NARROWEST)
        rows = -(-len(self.metrics) // ACROSS)
        words = wrapped_lines(self.recipe.description, WORDS, wide)
        top = MARGIN + TITLE + 2 * WORDS + (len(words) - 1) * LIST_ROW + GAP // 2
        foot = top + shown.height + GAP
        people = creature_rows(self.level, wide - width_of(NOTE, SMALL) - GAP)
        beneath = rows * ROW + WORDS + (len(people) - 1) * LIST_ROW + MARGIN
        page, pen = self._page(wide + 2 * MARGIN, foot + beneath)
        y = MARGIN + TITLE - 10
        x = pen.write((MARGIN, y), self.name, self.tint, TITLE, "Bold") + 24
        code, size = self._code(int(CODE * (MARGIN + wide - x)))
        end = pen.write_left_of((MARGIN + wide, y), code, colors()["accent"], size)
        place = shortened(self.place, WORDS, end - GAP - x, self.depth)
        pen.write((x, y), place, colors()["dim"], WORDS)
        for number, line in enumerate(words):
            pen.write((MARGIN, y + 2 * WORDS + number * LIST_ROW), line, colors()["text"], WORDS)
        self._paste(page, shown, MARGIN + (wide - shown.width) // 2, top)
        width = (wide - (ACROSS - 1) * GAP) // ACROSS
        for number, metric in enumerate(self.metrics):
            row, column = divmod(number, ACROSS)
            at = (MARGIN + column * (width + GAP), foot + row * ROW + NUMBERS)
            self._metric(pen, at, width, *metric)
        y = write_creatures(pen, (MARGIN, foot + rows * ROW + WORDS), people)
        pen.write_left_of((MARGIN + wide, y), NOTE, colors()["dim"], SMALL)
        return page

    def beside(self) -> Image.Image:
        """Return a card with name and metrics beside the picture."""
        shown = _picture(self.level, SQUARE, TALLEST)
        lines = [(line, "dim") for line in wrapped_lines(self.place + self.depth, WORDS, COLUMN)]
        lines += [(line, "text") for line in wrapped_lines(self.recipe.description, WORDS, COLUMN)]
        people = creature_rows(self.level, COLUMN)
        line_count = len(lines) + len(people) + 3
        text_height = TITLE + line_count * LIST_ROW + len(self.metrics) * ROW + 2 * WORDS + GAP
        height = max(shown.height, text_height)
        page, pen = self._page(shown.width + COLUMN + 3 * MARGIN, height + 2 * MARGIN)
        self._paste(page, shown, MARGIN, MARGIN + (height - shown.height) // 2)
        x, y = 2 * MARGIN + shown.width, MARGIN + TITLE - 10
        title = min(TITLE, int(COLUMN / ADVANCE / len(self.name)))
        pen.write((x, y), self.name, self.tint, title, "Bold")
        code, size = self._code(COLUMN)
        pen.write((x, y + 40), code, colors()["accent"], size)
        y += 54
        for line, color in lines:
            y += LIST_ROW
            pen.write((x, y), line, colors()[color], WORDS)
        y += GAP
        for metric in self.metrics:
            self._metric(pen, (x, y + NUMBERS), COLUMN, *metric)
            y += ROW
        y = write_creatures(pen, (x, y + WORDS), people)
        pen.write((x, y + LIST_ROW), NOTE, colors()["dim"], SMALL)
        return page

    def _code(self, width: int) -> tuple[str, int]:
        """Return the level's code, its settings cut to fit ``width`` pixels, and a font size."""
        settings, colon, seed = str(self.level.code).partition(":")
        size = NUMBERS if width_of(settings + colon + seed, NUMBERS) <= width else SMALL
        return shortened(settings, size, width, colon + seed), size

    def _page(self, width: int, height: int) -> tuple[Image.Image, Pen]:
        """Return an empty page in a dark colour of the level's theme, and a pen for it."""
        page = Image.new("RGB", (width, height), blend(colors()["ground"], self.tint, 0.045))
        pen = Pen(page)
        pen.fill((0, 0, width, 6), self.tint)
        return page, pen

    def _paste(self, page: Image.Image, shown: Image.Image, x: int, y: int) -> None:
        """Paste the picture with a thin frame around it."""
        box = (x - 2, y - 2, x + shown.width + 2, y + shown.height + 2)
        Pen(page).fill(box, blend(colors()["ground"], self.tint, 0.3))
        page.paste(shown, (x, y))

    def _metric(
        self, pen: Pen, at: tuple[int, int], width: int, name: str, value: str, position: float
    ) -> None:
        """Write a metric on the baseline ``at`` and draw its bar below."""
        x, y = at
        pen.write(at, name, colors()["dim"], WORDS)
        pen.write_left_of((x + width, y), value, colors()["text"], NUMBERS, "Bold")
        bar = (y + 12, y + 12 + BAR)
        pen.fill((x, bar[0], x + width, bar[1]), blend(colors()["ground"], self.tint, 0.18))
        pen.fill((x, bar[0], x + round(width * position), bar[1]), self.tint)
        pen.fill((x + width // 2, bar[0] - 2, x + width // 2 + 2, bar[1] + 2), colors()["text"])


NOTE = "the mark is typical of all generators"
