"""The map to print: one page, the same in both formats, with all that the level has."""

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL.PdfParser import PdfParser

from components.inventory import PlacedItem
from entities.creature_kinds import creature_kinds
from entities.terrain import TILE_NAMES
from procgen.blueprint import RectangularRoom, Spawn
from support.level_exports import CODES, level_of, run
from workbench.exports.formats import export_files
from workbench.exports.print_map import ROCK, PrintedMap, map_symbols
from workbench.exports.vector_page import (
    DrawnPath,
    Label,
    PageGrid,
    hatching,
    outlines,
    rough_width,
)

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = re.compile(r"-?[\d.]+")


def words_of_svg(content):
    root = ET.fromstring(content)
    return root, [text.text for text in root.iter(f"{SVG}text")]


def page_of_pdf(content):
    """Return the only page of a PDF, and what is drawn on it."""
    pdf = PdfParser(buf=content)
    (place,) = pdf.pages
    page = pdf.read_indirect(place)
    return page, pdf.read_indirect(page[b"Contents"]).decode().decode("cp1252")


def words_of_pdf(content):
    told = re.findall(r"Tm \(((?:\\.|[^)\\])*)\) Tj", page_of_pdf(content)[1])
    return [re.sub(r"\\(.)", r"\1", text) for text in told]


PLAIN = {"wall", "edge", "floor", "tunnel", "stain"}
"""The tiles that the hatching of rock and the grid of floors show well enough."""


def test_every_tile_that_can_stand_in_a_level_has_a_symbol_or_is_plain():
    assert {*TILE_NAMES} - {*map_symbols()} == PLAIN


@pytest.mark.parametrize("code", [*CODES, "mission:3"])
def test_both_formats_say_the_same_and_all_of_the_level(code):
    level = level_of(code)
    root, words = words_of_svg(export_files(level, "svg", name="a.svg")[""])
    content = export_files(level, "pdf", name="a.pdf")[""]
    assert words_of_pdf(content) == words
    assert any(str(level.code) in text for text in words)
    assert {str(number) for number in range(1, len(level.rooms) + 1)} <= {*words}
    told = " ".join(words)
    for spawn in level.spawns:
        assert creature_kinds()[spawn.kind].name in told
    glyphs = [creature_kinds()[spawn.kind].glyph for spawn in level.spawns]
    assert words.count(glyphs[0]) == glyphs.count(glyphs[0]) + 1
    assert ("locked door" in words) == bool((level.tiles == 27).any())
    wide, high = float(root.get("width")[:-2]), float(root.get("height")[:-2])
    assert page_of_pdf(content)[0][b"MediaBox"] == [0, 0, wide, high]
    assert sorted((wide, high)) == [595, 842]


@pytest.mark.parametrize("code", [*CODES, "walk:1@40x90", "wilds:3", "sparse:2@300x200"])
def test_everything_lies_on_a_page_of_a4_and_of_letter(code):
    page = PrintedMap(level_of(code)).page()
    left, top = ((page.width - 720) / 2, (page.height - 540) / 2)
    if page.width < page.height:
        left, top = (page.width - 540) / 2, (page.height - 720) / 2
    for mark in page.marks:
        if isinstance(mark, Label):
            spots = [(mark.x, mark.y)]
        else:
            numbers = np.array([number for _, some in mark.path for number in some])
            spots = numbers.reshape(-1, 2).tolist()
        for x, y in spots:
            assert left - 9 <= x <= page.width - left + 9
            assert top - 9 <= y <= page.height - top + 9


def test_outlines_enclose_what_is_set_and_nothing_else():
    rng = np.random.default_rng(3)
    for _ in range(20):
        mask = rng.random((9, 12)) < 0.5
        loops = outlines(mask)
        area = 0.0
        for loop in loops:
            sides = list(zip(loop, [*loop[1:], loop[0]], strict=True))
            area += sum(x * v - u * y for (x, y), (u, v) in sides) / 2
            assert all((x == u) != (y == v) for (x, y), (u, v) in sides)
        assert area == mask.sum()


def test_rock_is_hatched_and_the_land_beyond_the_edge_of_a_window_is_not():
    ground, grid = np.ones((6, 6), np.bool_), PageGrid(20, 20, 10)
    assert list(hatching(ground, RectangularRoom(-1, -1, 8, 8), grid)) == []
    assert list(hatching(np.pad(ground, 1), RectangularRoom(0, 0, 8, 8), grid))


def test_the_same_level_is_drawn_the_same_and_grey_is_grey():
    level = level_of(CODES[1])
    page = PrintedMap(level).page()
    assert PrintedMap(level).page() == page
    greys = {mark.fill for mark in page.marks if isinstance(mark, DrawnPath)} - {None}
    assert greys >= {0.0, 1.0}
    assert all(0 <= grey <= 1 for grey in greys)


def test_a_level_too_large_for_a_page_gets_a_sentence(inside, capsys):
    assert run("map", "sparse:1@900x700", "--output", "a.pdf") == 2
    assert "too many to print" in capsys.readouterr().err
    assert list(inside.iterdir()) == []


def numbers_of(level):
    """Return the numbers on the map; those of the key are not centred."""
    words = [mark for mark in PrintedMap(level).page().marks if isinstance(mark, Label)]
    return [int(word.text) for word in words if word.centered and word.text.isdigit()]


def wide_grounds(level):
    """Return the sets of tiles that a square of 3 by 3 tiles reaches over open ground."""
    rows, columns = range(level.code.height - 2), range(level.code.width - 2)
    rock = np.isin(level.tiles, ROCK)
    squares = {(x, y) for y in rows for x in columns if not rock[y : y + 3, x : x + 3].any()}
    while squares:
        edge, ground = [squares.pop()], set()
        while edge:
            x, y = edge.pop()
            ground |= {(x + dx, y + dy) for dx in range(3) for dy in range(3)}
            near = {(x + dx, y + dy) for dx in range(-3, 4) for dy in range(-3, 4)} & squares
            touching = {(u, v) for u, v in near if {abs(u - x), abs(v - y)} != {3}}
            squares -= touching
            edge += touching
        yield ground


@pytest.mark.parametrize("code", [f"vaulted:{seed}" for seed in range(1, 6)] + ["keep:1"])
def test_every_enclosed_hall_has_a_number(code):
    level = level_of(code)
    areas, numbers = PrintedMap(level).areas, numbers_of(level)
    height, width = areas.shape
    assert numbers == [*range(1, len(numbers) + 1)]
    assert len(numbers) >= len(level.rooms)
    for ground in wide_grounds(level):
        outdoors = any(x in {0, width - 1} or y in {0, height - 1} for x, y in ground)
        assert outdoors or any(areas[y, x] for x, y in ground)


def test_a_room_that_the_level_does_not_list_is_numbered_and_a_cave_is_not():
    level = level_of("rooms:1")
    fewer = replace(level, rooms=level.rooms[:2])
    assert numbers_of(fewer) == [*range(1, len(level.rooms) + 1)]
    assert numbers_of(level_of("caves:1")) == []


def test_a_number_is_not_hidden_under_the_stairs():
    level = level_of("keep:3")
    marks = PrintedMap(level).page().marks
    (down,) = (mark for mark in marks if isinstance(mark, Label) and mark.text == "DOWN")
    room = next(n for n, room in enumerate(level.rooms, 1) if room.contains(*level.exit))
    (number,) = (m for m in marks if isinstance(m, Label) and m.text == f"{room}" and m.centered)
    assert max(abs(number.x - down.x) / 8, abs(number.y - down.y) / 7) > 1


def test_the_legend_of_a_large_map_leaves_out_what_is_too_small_to_draw():
    level = level_of("sparse:2@300x200")
    assert level.spawns
    marks = PrintedMap(level).page().marks
    words = [mark.text for mark in marks if isinstance(mark, Label)]
    assert "stairs up: the way in" in words
    assert "item" not in words
    assert not {creature_kinds()[spawn.kind].glyph for spawn in level.spawns} & {*words}


def test_a_room_that_others_cover_has_no_number():
    level = level_of("rooms:1")
    twice = replace(level, rooms=(level.rooms[0], *level.rooms))
    assert numbers_of(twice) == [*range(2, len(level.rooms) + 2)]


def test_stacks_of_one_kind_are_added_up_in_the_key():
    level = level_of("walk:1")
    items = [PlacedItem("oil_flask", *level.start, many, 0, 0) for many in (2, 3)]
    marks = PrintedMap(replace(level, items=tuple(items), spawns=())).page().marks
    words = [mark.text for mark in marks if isinstance(mark, Label)]
    assert "elsewhere: 5 flasks of oil" in words


def test_the_key_puts_names_that_end_in_a_bonus_or_a_key_in_the_plural():
    level = level_of("walk:1")
    items = (PlacedItem("short_bow", *level.start, 1, 1, 0),) * 2
    thieves = (Spawn("key_thief", *level.start),) * 2
    entries = dict(PrintedMap(replace(level, items=items, spawns=thieves)).entries)
    assert entries["–"] == "elsewhere: 2 pilferers with a key, 2 short bows +1"


def test_the_key_counts_all_of_a_room_that_is_no_rectangle():
    level = level_of("digger;room_types=off:5:9")
    spawns = tuple(Spawn("golem", x, y) for x, y in ((42, 3), (51, 2), (27, 15)))
    entries = dict(PrintedMap(replace(level, spawns=spawns, items=())).entries)
    assert entries == {"7": "clay golem", "11": "clay golem", "–": "elsewhere: clay golem"}


@pytest.mark.parametrize("code", ["rooms:1", "dense:7", "vaulted:7", "mission:7"])
def test_no_entry_of_the_key_begins_in_one_column_and_ends_in_the_next(code):
    level = level_of(code)
    items = [PlacedItem("oil_flask", spawn.x, spawn.y, 1, 0, 0) for spawn in level.spawns]
    key = PrintedMap(replace(level, items=tuple(items))).key
    numbered = [column[0][0] for column in key.columns]
    assert all(numbered), key.columns
    assert key.beside or len(numbered) > 1


@pytest.mark.parametrize(("x", "y", "down"), [(3, 0, True), (3, 3, True), (0, 0, False)])
def test_a_bridge_at_the_edge_of_the_map_is_turned_as_the_way_there_runs(x, y, down):
    printed = PrintedMap(level_of("rooms:1"))
    printed.open = np.zeros((4, 4), np.bool_)
    printed.open[:, 3] = printed.open[0, :2] = True
    assert printed._runs_down(x, y) == down


def test_a_long_code_is_written_smaller_and_ends_on_the_page():
    settings = ";".join(f"attach_rooms.{name}=9" for name in ("rooms", "patience", "large"))
    settings += ";loops.at_most=0;loops.thickness=3;doors.chance=0.9"
    level = level_of(f"digger;{settings}:3@50x34")
    page = PrintedMap(level).page()
    (code,) = (m for m in page.marks if isinstance(m, Label) and str(level.code) in m.text)
    assert code.x + rough_width(code.text, code.size) <= (page.width + 720) / 2 + 0.01
    assert 4 < code.size < 9.5


def test_a_long_title_leaves_the_code_legible():
    level = level_of("caves+burning+overgrown+collapsed:1@40x60")
    page = PrintedMap(level).page()
    title, code = (mark for mark in page.marks if isinstance(mark, Label) and "caves" in mark.text)
    assert title.x + rough_width(title.text, title.size) < code.x
    assert code.x + rough_width(code.text, code.size) <= (page.width + 540) / 2 + 0.01
    assert title.size > 12
    assert code.size > 6


@pytest.mark.parametrize(("code", "several"), [("wilds:2@100x60", False), ("wilds:7", True)])
def test_the_legend_tells_the_way_on_from_other_ways_down_of_an_infinite_world(code, several):
    words = [
        mark.text for mark in PrintedMap(level_of(code)).page().marks if isinstance(mark, Label)
    ]
    assert words.count("stairs down: the way on") == 1
    assert words.count("other stairs down") == several


def test_a_key_without_room_for_all_says_that_there_is_more():
    key = PrintedMap(level_of("keep:1@400x300")).key
    assert [column[-1] for column in key.columns] == [("", "… and more")]
    whole = PrintedMap(level_of("rooms:1")).key
    assert ("", "… and more") not in [line for column in whole.columns for line in column]
