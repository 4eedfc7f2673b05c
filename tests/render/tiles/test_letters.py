"""Letters and box drawing: nothing clipped, all on one line, and what should join joins."""

from itertools import product

import numpy as np
import pytest
from PIL import ImageFont

from entities.creature_kinds import creature_kinds
from entities.data_files import DATA
from entities.item_kinds import item_classes
from entities.terrain import TILES
from render.tiles.box_drawing import BLOCKS, BOXES
from render.tiles.glyphs import plain_char, tile_code
from render.tiles.letters import LATIN, symbol_chars
from render.tiles.tileset import EXTENDED, FRAMES, SIGNS, text_tileset
from support.paths import ROOT

HEIGHTS = (16, 20, 33)


@pytest.mark.parametrize("height", HEIGHTS)
def test_every_letter_of_text_can_be_seen(height):
    letters = text_tileset(height).whole()
    assert letters.tile_shape == (height, (height + 1) // 2)
    for char in LATIN + EXTENDED + SIGNS + FRAMES + symbol_chars():
        assert letters[ord(char)][:, :, 3].max() > 30, char


def test_text_has_the_sign_of_every_tile_item_and_creature():
    signs = {plain_char(tile_code(tile, 0)) for tile in TILES}
    signs |= {kind.glyph for kind in (*item_classes().values(), *creature_kinds().values())}
    assert not signs - set(LATIN + EXTENDED + SIGNS + FRAMES + symbol_chars())


def reach(cell, baseline):
    """How many rows of ink stand above and hang below the baseline."""
    rows = np.flatnonzero(cell.max(axis=1) > 40)
    return baseline - rows[0], rows[-1] + 1 - baseline


@pytest.mark.parametrize("height", HEIGHTS)
def test_no_letter_is_clipped(height):
    """Each reaches as high and as deep as the font's own outline says, give or take a pixel."""
    letters = {char: text_tileset(height).whole()[ord(char)][:, :, 3] for char in LATIN + EXTENDED}
    baseline = int(np.flatnonzero(letters["H"].max(axis=1) > 40)[-1]) + 1
    outline = ImageFont.truetype(str(DATA / "font" / "JetBrainsMono-Regular.ttf"), 1000)
    em = min((height + 1) // 2 / 0.6, height / 1.2)
    for char, cell in letters.items():
        if char in symbol_chars():
            continue
        _, top, _, bottom = outline.getbbox(char, anchor="ls")
        above, below = reach(cell, baseline)
        # What has marks all around it may have been cut a little smaller to fit.
        least = em / 1000 * (0.93 if char in LATIN else 0.8)
        assert above >= -top * least - 1, char
        assert bottom <= 0 or below >= bottom * least - 1, char


@pytest.mark.parametrize("height", HEIGHTS)
def test_letters_stand_on_one_line(height):
    feet = set()
    for char in "HExhnmkzAT147":
        cell = text_tileset(height).whole()[ord(char)][:, :, 3]
        feet.add(int(np.flatnonzero(cell.max(axis=1) > 90)[-1]))
    assert len(feet) == 1


SIDES = {"LEFT": np.s_[:, 0], "RIGHT": np.s_[:, -1], "UP": np.s_[0, :], "DOWN": np.s_[-1, :]}
JOINS = {"─━": ("LEFT", "RIGHT"), "│┃": ("UP", "DOWN"), "╭": ("RIGHT", "DOWN")}
JOINS |= {"╮": ("LEFT", "DOWN"), "╯": ("LEFT", "UP"), "╰": ("RIGHT", "UP")}


@pytest.mark.parametrize("height", HEIGHTS)
def test_box_drawing_runs_on_from_cell_to_cell(height):
    """All lines of one weight leave a cell where the next one takes them up."""
    letters = text_tileset(height).whole()
    for chars, sides in JOINS.items():
        for char, (side, edge) in product(chars, SIDES.items()):
            lit = letters[ord(char)][:, :, 3][edge] > 127
            assert lit.any() == (side in sides)
            if side in sides:
                straight = "━┃" if char in "━┃" else "─│"
                model = letters[ord(straight[side in {"UP", "DOWN"}])][:, :, 3][edge] > 127
                assert (lit == model).all(), (char, side)


def test_the_interface_uses_no_other_lines_and_blocks():
    """The font shows the others, but their lines and areas do not join."""
    drawn = {*BOXES, *BLOCKS}
    for path in (ROOT / "render").rglob("*.py"):
        if path.name != "terminal_screen.py":  # It prints on terminals, which draw them all.
            assert not {*FRAMES} & {*path.read_text("utf-8")} - drawn, path


@pytest.mark.parametrize("height", HEIGHTS)
def test_blocks_fill_their_cell(height):
    letters = text_tileset(height).whole()
    assert (letters[ord("█")][:, :, 3] == 255).all()
    assert (letters[ord("▀")][: height // 2, :, 3] == 255).all()
    shades = [int(letters[ord(char)][0, 0, 3]) for char in "░▒▓█"]
    assert shades == sorted(shades)
