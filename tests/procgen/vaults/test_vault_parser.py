"""How vaults are written, turned and changed."""

from collections import Counter

import numpy as np
import pytest

from entities.data_files import DataError
from entities.terrain import Tile, terrain
from procgen.recipes import recipes
from procgen.rng import Rng
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_library import vaults
from procgen.vaults.vault_parser import PLAIN_TAG
from procgen.vaults.vault_stamp import make_piece
from support.vault_texts import piece_of, read

ROOM = """
[cell]
tags: prison small
exits: +
map:
#####
#...#
#..1@
#####
"""


ENDLESS = "9" * 5000


def loaded(tmp_path, text):
    """Return the vaults of a folder with one file that says ``text``."""
    (tmp_path / "vaults").mkdir()
    (tmp_path / "vaults" / "test.txt").write_text(text)
    return vaults(tmp_path)


def shown(piece):
    tiles = np.where(piece.tiles == 255, Tile.EDGE, piece.tiles)
    return terrain().text(tiles)


def test_there_are_many_vaults_and_each_can_be_drawn_every_way():
    assert len([vault for vault in vaults() if PLAIN_TAG not in vault.header.tags]) >= 14
    for vault in vaults():
        for number, form in enumerate(orientations(vault)):
            piece = make_piece(form, Rng(number, vault.name))
            assert piece is not None, vault.name
            assert piece.tiles.shape == form.grid.shape


def test_each_recipe_asks_for_tags_that_some_vault_has():
    known = {tag for vault in vaults() for tag in vault.header.tags}
    for recipe in recipes().values():
        for use in recipe.steps:
            assert set(getattr(use.parameters, "tags", ())) <= known


def test_a_vault_says_what_it_is():
    (vault,) = read(ROOM)
    assert vault.name == "cell"
    assert vault.header.tags == ("prison", "small")
    assert vault.grid.shape == (4, 5)
    assert [len(form.exits) for form in orientations(vault)] == [1] * 8


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a]\nweight: none\nmap:\n#\n", "[a]: weight: Expected a whole number, got text"),
        ("[a]\nweight: 1001\nmap:\n#\n", "[a]: weight: Expected a whole number <= 1000"),
        ("[a]\nturn: all\nmap:\n#\n", "value 'all'; it can be any, mirror, no"),
        ("[a]\nturn: anny\nmap:\n#\n", "value 'anny' (do you mean any?)"),
        ("[a]\ncolour: red\nmap:\n#\n", "unknown field `colour`"),
        ("[a]\ntags: One\nmap:\n#\n", "[a]: tags[0]: Expected text matching regex"),
        ("[a]\ndepths: deep\nmap:\n#\n", "line 2: depths: 'deep' is not like 1-8 or 3+"),
        ("[a]\nsubst ? .\nmap:\n#\n", "cannot be read: 'subst ? .'; write lines as in: "),
        ("[a]\nweight: -3\nmap:\n#\n", "[a]: weight: Expected a whole number >= 1"),
        ("[a]\nshuffle ab c\nmap:\n#\n", "line 2: groups to shuffle must be equally long"),
        ("[a]\nsubst ? = #.\nmap:\n#\n", "[a]: subst ?: the map has no such letter"),
        ("[a]\nshuffle .q #.\nmap:\n#\n", "must be equally long, no letter twice"),
        ("[a]\nshuffle é. ,;\nmap:\n#\n", "line 2: cannot be read: 'shuffle é. ,;'"),
        ("[a]\nexits: +\nexits: .\nmap:\n#\n", "line 3: exits is given twice"),
        ("[a]\ntags: b\n", "[a]: the vault has no map"),
        ("[a]\n[b]\nmap:\n#\n", "[a]: line 2: the vault has no map"),
        ("weight: 3\n", "line 1: expected a name in brackets"),
        ("[a]\nmap:\n##\n\n#.\n", "line 5: expected a name in brackets"),
        ("[a]\n##\nmap:\n##\n", "line 2: cannot be read: '##'"),
        ("[a]\nmap:\n" + "#" * 41 + "\n", "[a]: a map is 1 to 40 tiles wide and high"),
        ("[a]\nmap:\n\n#\n", "[a]: a map is 1 to 40 tiles wide and high"),
        ("[a]\nweight: ²\nmap:\n#\n", "[a]: weight: Expected a whole number, got text"),
        (f"[a]\nweight: {ENDLESS}\nmap:\n#\n", "[a]: weight: Expected a whole number, got text"),
        ("[a]\ndepths: 8-1\nmap:\n#\n", "line 2: depths: '8-1' is not like 1-8 or 3+"),
        ("[a]\ndepths: 0-0\nmap:\n#\n", "line 2: depths: '0-0' is not like 1-8 or 3+"),
        (f"[a]\ndepths: {ENDLESS}+\nmap:\n#\n", "is not like 1-8 or 3+"),
        (f"[a]\ncount x = {ENDLESS} of y, rest z\nmap:\n#\n", "line 2: cannot be read: 'count"),
    ],
)
def test_a_fault_of_writing_is_named(text, fault):
    with pytest.raises(DataError) as caught:
        read(text)
    assert str(caught.value).startswith("data/vaults/test.txt: ")
    assert fault in str(caught.value)


@pytest.mark.parametrize(
    ("drawing", "fault"),
    [
        ("####\n#.Q@\n####", "line 4, column 3: 'Q' can end as 'Q', which is no tile"),
        ("####\n#..#\n####", "[a]: a vault in rock needs an exit"),
        ("####\n...@\n####", "line 4, column 1: what is not rock needs a wall around it"),
        ("####\n#.@#\n####", "line 4, column 3: an exit must have one side outside"),
        ("######\n#.#..@\n######", "line 4, column 4: cannot be reached from the rest"),
    ],
)
def test_a_fault_of_drawing_is_named(tmp_path, drawing, fault):
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, f"[a]\nmap:\n{drawing}\n")
    assert str(caught.value).startswith(f"{tmp_path / 'vaults' / 'test.txt'}: [a]: ")
    assert fault in str(caught.value)


def test_a_change_to_what_is_no_tile_is_named_by_both_characters(tmp_path):
    with pytest.raises(DataError, match=r"line 4, column 3: '\?' can end as 'X', which is no tile"):
        loaded(tmp_path, "[a]\nsubst ? = ..X\nmap:\n##?@\n####\n")


@pytest.mark.parametrize("place", ["open", "wild"])
def test_only_a_vault_in_rock_has_exits(tmp_path, place):
    with pytest.raises(DataError, match="line 5, column 3: only a vault in rock has exits"):
        loaded(tmp_path, f"[a]\nplace: {place}\nmap:\n####\n#.@#\n####\n")


@pytest.mark.parametrize("field", ["exits", "under"])
def test_a_character_that_is_no_ground_is_named_with_its_field(tmp_path, field):
    with pytest.raises(DataError, match=f": {field}: 'Z' is not walkable ground"):
        loaded(tmp_path, f"[a]\n{field}: Z\nmap:\n####\n#.@#\n####\n")


def test_two_vaults_cannot_share_a_name(tmp_path):
    with pytest.raises(DataError, match=r"\]: line [0-9]{2}: .*\] has this name"):
        loaded(tmp_path, ROOM + "\n" + ROOM)


def test_a_vault_can_be_turned_eight_ways_or_fewer():
    for turn, number in (("any", 8), ("mirror", 4), ("no", 1)):
        (vault,) = read(f"[a]\nturn: {turn}\nmap:\n####\n#.$#\n#..@\n####\n")
        assert len(orientations(vault)) == number
    (vault,) = read("[a]\nmap:\n#@#\n@.@\n#@#\n")
    assert len(orientations(vault)) == 1


def test_exits_lead_outside_whichever_way_a_vault_is_turned():
    for vault in vaults():
        for form in orientations(vault):
            for way in form.exits:
                x, y = way.x + way.dx, way.y + way.dy
                inside = 0 <= x < form.width and 0 <= y < form.height
                assert not inside or form.grid[y, x] == ord(" ")


def test_changes_are_made_in_order():
    piece = piece_of("[a]\ncount p = 3 of $, 2 of x, rest .\nmap:\n#######\n#pppppp@\n#######\n")
    row = shown(piece)[1]
    assert Counter(row[1:7]) == {"$": 3, "x": 2, ".": 1}
    rows = {
        shown(piece_of("[a]\nshuffle a b\nsubst a = $\nsubst b = |\nmap:\n####\n#ab@\n####\n", s))[
            1
        ]
        for s in range(20)
    }
    assert rows == {"#$|#", "#|$#"}


def test_creatures_stand_on_the_ground_the_vault_names():
    piece = piece_of("[a]\nunder: c\nmap:\n#####\n#1.3@\n#####\n")
    assert shown(piece)[1] == "#c.c#"
    assert piece.creatures == ((1, 1, "1"), (3, 1, "3"))
