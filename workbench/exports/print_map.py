"""Draw a level as a one-page map to print: hatched rock, numbered rooms, a legend and a key.

The drawing fits A4 and Letter paper without scaling. data/print_map.toml has the symbols.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from textwrap import wrap
from typing import NamedTuple

import msgspec
import numpy as np
import scipy
from numpy.typing import NDArray

from engine.items.loot import items_of
from engine.monsters.initial_monsters import initial_monsters
from engine.state.events import ItemRef
from entities.creature_kinds import creature_kinds
from entities.data_files import check_names, read_entries
from entities.terrain import TILE_NAMES, Tile, terrain
from procgen.analysis.distances import SQUARE, regions
from procgen.blueprint import Point, RectangularRoom, bounding_box
from procgen.level import Level
from procgen.rng import Rng
from render.messages.names import item_phrase, place_name, plural
from render.ui.palette import theme
from workbench.exports.vector_page import (
    WAYS,
    DrawnPath,
    Label,
    PageGrid,
    Path,
    VectorPage,
    circle,
    hatching,
    outlines,
    path_of,
    polygon,
    rectangle,
    rough_width,
    smooth_loop,
    subpaths,
)
from workbench.images.level_pictures import TooLarge

PAPER, ROOM = (842.0, 595.0), (720.0, 540.0)
"""The size of A4 in points, and that of the part which also fits Letter paper."""
HEAD, KEY, KEY_GAP, LINE = 44.0, 164.0, 16.0, 15.0
"""Height of the title, width of a key column and the gap beside it, height of a legend line."""
SIZES, MOST_OF_PAGE = (8.0, 7.5, 7.0, 6.5, 6.0, 5.5, 5.0), 0.3
"""Font sizes of the key, and the greatest share of the height that it takes below the map."""
SQUAREST = 1.4
"""Below this ratio of width to height the key is beside the map."""
LARGEST_CELL, SMALLEST_CELL = 22.0, 1.2
DETAIL = 3.2
"""The side of a tile in points below which symbols, letters and the grid are left out."""
ROCK = (Tile.WALL, Tile.EDGE)


class Symbol(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A symbol; data/print_map.toml explains the fields."""

    lines: str = ""
    solid: str = ""
    blank: str = ""
    shade: float = 1.0
    shore: bool = False
    turned: bool = False
    every: int = 1
    around: tuple[str, ...] = ()
    key: bool = False
    legend: str = ""


@cache
def map_symbols() -> dict[str, Symbol]:
    """Return the symbols by name; raise `DataError` for the name of an unknown tile."""
    symbols = read_entries("print_map.toml", Symbol)
    check_names("data/print_map.toml", symbols, [*TILE_NAMES, "start", "exit", "item"])
    return symbols


KeyLine = tuple[str, str]
"""A line of the key: the number, if it is the first line of its entry, and a text."""


class _KeyLayout(NamedTuple):
    """The key in columns of lines, beside the map or below it."""

    columns: list[list[KeyLine]]
    size: float
    beside: bool

    @property
    def height(self) -> float:
        return 1.22 * self.size * max(map(len, self.columns)) + (8 if self.columns[0] else 0)


def _in_columns(entries: list[list[KeyLine]], most: int) -> list[list[KeyLine]]:
    """Return whole ``entries`` in at most ``most`` columns that are as short as possible."""
    rows = -(-sum(map(len, entries)) // most)
    while True:
        columns: list[list[KeyLine]] = [[]]
        for entry in entries:
            if columns[-1] and len(columns[-1]) + len(entry) > rows:
                columns.append([])
            columns[-1] += entry
        if len(columns) <= most:
            return columns
        rows += 1


class PrintedMap:
    """Draws one level; raises `TooLarge` if tiles would be too small to see."""

    def __init__(self, level: Level) -> None:
        self.level, self.marks = level, list[DrawnPath | Label]()
        self.open = ~np.isin(level.tiles, ROCK)
        self.roomy = scipy.ndimage.binary_erosion(self.open, SQUARE)
        self.items, self.monsters = items_of(level), initial_monsters(level)
        placed = [(thing.x, thing.y) for thing in self.monsters]
        placed += [(thing.x, thing.y) for thing in self.items]
        over_stairs = [(x + n, y - 1) for x, y in (level.start, level.exit) for n in (-1, 0, 1)]
        self._taken = {level.start, level.exit, *over_stairs, *placed}
        self.areas = self._areas()
        box = bounding_box(self.open) or RectangularRoom(0, 0, *self.open.shape[::-1])
        self.box = box.grown(1)
        wide = self.box.width >= self.box.height
        self.width, self.height = PAPER if wide else PAPER[::-1]
        room = ROOM if wide else ROOM[::-1]
        self.left, self.top = (self.width - room[0]) / 2, (self.height - room[1]) / 2
        self.right, self.bottom = self.width - self.left, self.height - self.top
        self.entries = list(self._key())
        self.legend = self._legend_rows(detailed=True)
        self.grid = self._grid()
        if self.grid.cell < DETAIL:
            self.legend = self._legend_rows(detailed=False)

    def page(self) -> VectorPage:
        """Draw everything, the lowest layer first."""
        smooth = theme(self.level.theme).wall_kind != "masonry"
        outline = [smooth_loop(loop) if smooth else loop for loop in outlines(self.open)]
        walls = [step for loop in outline for step in polygon(self.grid.at(*spot) for spot in loop)]
        self.marks += hatching(self.open, self.box, self.grid)
        self.marks.append(DrawnPath(walls, fill=1.0))
        self._ground()
        self.marks.append(DrawnPath(walls, width=min(1.7, 0.16 * self.grid.cell)))
        if self.grid.cell >= DETAIL:
            self._tiles()
            self._inhabitants()
        self._numbers()
        self._stairs("start", "IN", self.level.start)
        if self.level.has_exit:
            self._stairs("exit", "DOWN", self.level.exit)
        self._title()
        self._write_legend()
        self._write_key()
        return VectorPage(self.width, self.height, self.marks)

    def _grid(self) -> PageGrid:
        """Return the largest grid that leaves room for title, legend and key."""
        columns, rows = self.box.width, self.box.height
        width, height = self.right - self.left, self.bottom - self.top - HEAD - 8
        height -= LINE * len(self.legend)
        self.key = self._key_column(columns / rows < SQUAREST, height)
        if self.key.beside:
            width -= KEY + KEY_GAP
        else:
            height -= self.key.height
        cell = min(width / columns, height / rows, LARGEST_CELL)
        if cell < SMALLEST_CELL:
            most = f"{int(width / SMALLEST_CELL)}x{int(height / SMALLEST_CELL)}"
            raise TooLarge(f"{columns}x{rows} tiles are too many to print; a page holds {most}")
        left = self.left + (width - cell * columns) / 2 - self.box.x * cell
        top = self.top + HEAD + (height - cell * rows) / 2 - self.box.y * cell
        return PageGrid(left, top, cell)

    def _ground(self) -> None:
        """Draw the grey of the ground, its shores, and the grid."""
        tiles, cell = self.level.tiles, self.grid.cell
        for name, symbol in map_symbols().items():
            if name not in TILE_NAMES or symbol.shade == 1:
                continue
            mask = np.isin(tiles, [TILE_NAMES.index(kind) for kind in (name, *symbol.around)])
            loops = [smooth_loop(loop) if symbol.shore else loop for loop in outlines(mask)]
            path = [s for loop in loops for s in polygon(self.grid.at(*spot) for spot in loop)]
            if path:
                self.marks.append(DrawnPath(path, symbol.shade, 0.6 if symbol.shore else 0.0))
        if cell < DETAIL:
            return
        lines: Path = []
        for dx, dy in WAYS[:2]:
            both = self.open[dy:, dx:] & self.open[: -dy or None, : -dx or None]
            for y, x in np.argwhere(both).tolist():
                corners = self.grid.at(x + dx, y + dy), self.grid.at(x + 1, y + 1)
                lines += polygon(corners, closed=False)
        self.marks.append(DrawnPath(lines, width=0.25, grey=0.72))

    def _tiles(self) -> None:
        """Draw the symbols of doors, furniture and ground."""
        rng = Rng(0, "scattering")
        for name, symbol in map_symbols().items():
            for y, x in self._places(name):
                if not rng.below(symbol.every):
                    self._symbol(name, x, y)

    def _places(self, name: str) -> list[tuple[int, int]]:
        """Return row and column of each tile of a kind; none if no tile has that name."""
        number = TILE_NAMES.index(name) if name in TILE_NAMES else -1
        return [(y, x) for y, x in np.argwhere(self.level.tiles == number).tolist()]

    def _symbol(self, name: str, x: int, y: int, grid: PageGrid | None = None) -> None:
        symbol, place = map_symbols()[name], grid or self.grid
        turned = symbol.turned and grid is None and self._runs_down(x, y)
        width = 0.055 * place.cell
        blank, lines, solid = (
            place.placed(path_of(text), x, y, turned=turned)
            for text in (symbol.blank, symbol.lines, symbol.solid)
        )
        self.marks += [DrawnPath(part, 1.0, width) for part in subpaths(blank)]
        self.marks += [DrawnPath(lines, None, width)] if lines else []
        self.marks += [DrawnPath(part, 0.0) for part in subpaths(solid)]

    def _runs_down(self, x: int, y: int) -> bool:
        """Return True if a passage runs up and down through the tile (x, y)."""
        around = np.pad(self.open, 1)[y : y + 3, x : x + 3]
        return int(around[::2, 1].sum()) > int(around[1, ::2].sum())

    def _inhabitants(self) -> None:
        size = 0.82 * self.grid.cell
        for item in self.items:
            self._symbol("item", item.x, item.y)
        for monster in self.monsters:
            x, y = self.grid.at(monster.x + 0.5, monster.y + 0.5)
            self.marks.append(DrawnPath(circle(x, y, 0.46 * self.grid.cell), 1.0, 0.3))
            glyph = creature_kinds()[monster.kind].glyph
            self.marks.append(Label(x, y + 0.28 * size, glyph, size, "Bold", centered=True))

    def _stairs(self, name: str, words: str, place: Point) -> None:
        """Draw stairs and write ``words`` above them."""
        x, y = self.grid.at(place.x + 0.5, place.y)
        self._symbol(name, *place)
        width = rough_width(words, 6) / 2 + 1
        self.marks.append(DrawnPath(rectangle(x - width, y - 6.5, x + width, y - 1), fill=1.0))
        self.marks.append(Label(x, y - 1.8, words, 6, "Bold", centered=True))

    def _areas(self) -> NDArray[np.int32]:
        """Return the number of the room or hall that each tile [y, x] lies in, 0 for none.

        Halls are open areas of at least 3 by 3 tiles; one around a single room counts as that room.
        Caves and the outdoors are no halls: over half of the open ground, or at the map's edge.
        """
        areas = np.zeros(self.level.tiles.shape, np.int32)
        for number, room in sorted(enumerate(self.level.rooms, 1), key=lambda pair: -pair[1].area):
            areas[room.inner] = number
        wide, count = regions(scipy.ndimage.binary_dilation(self.roomy, SQUARE))
        edges = np.concatenate([wide[0], wide[-1], wide[:, 0], wide[:, -1]])
        large = np.bincount(wide.ravel()) > np.count_nonzero(self.open) / 2
        unused = iter(range(len(self.level.rooms) + 1, len(self.level.rooms) + count + 1))
        for hall in sorted({*range(1, count + 1)} - {*edges.tolist()}):
            here = wide == hall
            known = {*areas[here].tolist()} - {0}
            if len(known) < 2 and not large[hall]:
                areas[here] = known.pop() if known else next(unused)
        return areas

    def _numbers(self) -> None:
        size = max(5.0, min(11.0, 1.1 * self.grid.cell))
        for number in np.unique(self.areas[self.areas > 0]).tolist():  # Others may cover a room.
            spot = self._free(number)
            x, y = self.grid.at(spot.x + 0.5, spot.y + 0.5)
            self.marks.append(DrawnPath(circle(x, y, 0.72 * size), fill=1.0))
            self.marks.append(Label(x, y + 0.34 * size, str(number), size, "Bold", centered=True))

    def _free(self, number: int) -> Point:
        """Return the tile nearest to the middle of an area, if possible one with nothing on it."""
        places = np.argwhere(self.areas == number)
        down, across = places.mean(axis=0)

        def rank(spot: Point) -> tuple[bool, bool, bool, float]:
            solid, tight = not self.open[spot.y, spot.x], not self.roomy[spot.y, spot.x]
            symbol = map_symbols().get(TILE_NAMES[self.level.tiles[spot.y, spot.x]], Symbol())
            busy = spot in self._taken or bool(symbol.blank or symbol.solid)
            return solid, busy, tight, (spot.x - across) ** 2 + (spot.y - down) ** 2

        return min((Point(x, y) for y, x in places.tolist()), key=rank)

    def _title(self) -> None:
        title = place_name(self.level.code, self.level.theme).capitalize()
        large = min(24, 0.6 * (self.right - self.left) / rough_width(title, 1))  # The code follows.
        y, x = self.top + 20, self.left + rough_width(title, large) + 14
        heading = Label(self.left, y, title, large, "Bold")
        code = f"depth {self.level.code.depth}  ·  {self.level.code}"
        size = min(9.5, (self.right - x) / rough_width(code, 1))
        rule = polygon([(self.left, y + 8), (self.right, y + 8)], closed=False)
        self.marks += [heading, Label(x, y, code, size, "Italic"), DrawnPath(rule, width=0.8)]

    def _legend(self, *, detailed: bool) -> Iterator[tuple[str, str]]:
        """Yield the symbol or letter and the text of each thing that is drawn on the map."""
        yield "start", map_symbols()["start"].legend
        if self.level.has_exit:
            yield "exit", map_symbols()["exit"].legend
        for name, symbol in map_symbols().items():
            seen = [place for place in self._places(name) if place[::-1] != self.level.exit]
            if (detailed or symbol.shade != 1) and seen:
                yield name, symbol.legend or terrain().kinds[TILE_NAMES.index(name)].name
        if not detailed:
            return
        if self.items:
            yield "item", "item"
        kinds = {monster.kind: creature_kinds()[monster.kind] for monster in self.monsters}
        for glyph in dict.fromkeys(kind.glyph for kind in kinds.values()):
            yield f"={glyph}", ", ".join(k.name for k in kinds.values() if k.glyph == glyph)

    def _legend_rows(self, *, detailed: bool) -> list[list[tuple[float, str, str]]]:
        """Return the legend in rows of entries: x, symbol, text."""
        rows: list[list[tuple[float, str, str]]] = [[]]
        x = self.left
        for name, words in self._legend(detailed=detailed):
            width = 26 + rough_width(words, 8.5)
            if x + width > self.right and rows[-1]:
                rows.append([])
                x = self.left
            rows[-1].append((x, name, words))
            x += width
        return rows

    def _write_legend(self) -> None:
        y = self.bottom - LINE * (len(self.legend) - 1)
        for row in self.legend:
            for x, name, words in row:
                grid = PageGrid(x, y - 8.5, 11)
                if name.startswith("="):
                    self.marks.append(DrawnPath(circle(x + 5.5, y - 3, 5.2), 1.0, 0.4))
                    self.marks.append(Label(x + 5.5, y, name[1:], 9, "Bold", centered=True))
                else:
                    frame = grid.placed(rectangle(0, 0, 1, 1), 0, 0)
                    self.marks.append(DrawnPath(frame, map_symbols()[name].shade, 0.3, 0.5))
                    self._symbol(name, 0, 0, grid)
                self.marks.append(Label(x + 15, y, words, 8.5))
            y += LINE

    def _key(self) -> Iterator[tuple[str, str]]:
        """Yield number and contents of each room and hall that holds something, then the rest."""
        things = defaultdict[int, Counter[str]](Counter)
        for (x, y), name, count in self._contents():
            things[int(self.areas[y, x])][name] += count
        for number, inside in sorted(things.items(), key=lambda pair: (pair[0] == 0, pair[0])):
            texts = [f"{n} {plural(thing)}" if n > 1 else thing for thing, n in inside.items()]
            words = ", ".join(texts)
            yield (str(number), words) if number else ("–", f"elsewhere: {words}")

    def _contents(self) -> Iterator[tuple[tuple[int, int], str, int]]:
        """Yield the place, name and number of every creature and item."""
        for monster in self.monsters:
            yield (monster.x, monster.y), creature_kinds()[monster.kind].name, 1
        for item in self.items:
            properties = 1, item.bonus, item.charges
            ref = ItemRef(0, item.kind, *properties, identified=True, look=None, letter="")
            name = item_phrase(ref).removeprefix("a ").removeprefix("an ")
            yield (item.x, item.y), name, item.many
        for name in (name for name, symbol in map_symbols().items() if symbol.key):
            for y, x in self._places(name):
                yield (x, y), terrain().kinds[TILE_NAMES.index(name)].name, 1

    def _key_column(self, beside: bool, height: float) -> _KeyLayout:
        """Lay out the key in the largest font size in which all of it fits."""
        most = 1 if beside else int((self.right - self.left + KEY_GAP) / (KEY + KEY_GAP))
        room = height if beside else MOST_OF_PAGE * height
        for size in SIZES:
            letters = int((KEY - 16) / (0.44 * size))
            entries = [
                [("" if n else number, line) for n, line in enumerate(wrap(words, letters))]
                for number, words in self.entries
            ]
            layout = _KeyLayout(_in_columns(entries, most), size, beside)
            if layout.height <= room:
                return layout
        rows, more = int(room / (1.22 * size)), [("", "… and more")]
        cut = [lines[: rows - 1] + more if len(lines) > rows else lines for lines in layout.columns]
        return layout._replace(columns=cut)

    def _write_key(self) -> None:
        columns, size, beside = self.key
        x, top = self.left, self.bottom - LINE * len(self.legend) - self.key.height
        if beside:
            x, top = self.right - KEY, self.top + HEAD
        for column, lines in enumerate(columns):
            left, y = x + column * (KEY + KEY_GAP), top
            for number, line in lines:
                y += 1.22 * size
                self.marks += [Label(left, y, number, size, "Bold")] if number else []
                self.marks.append(Label(left + 16, y, line, size))
