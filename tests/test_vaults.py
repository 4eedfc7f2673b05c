"""Vaults: how they are read, turned, changed, and set into levels."""

from collections import Counter

import numpy as np
import pytest

from entities.data import DATA, DataError
from entities.terrain import Tile, terrain
from procgen.analysis import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.build import build
from procgen.recipes import find_recipe, recipes
from procgen.rng import Rng
from procgen.steps.place_vaults import place_vaults
from procgen.steps.vault_dungeon import vault_dungeon
from procgen.validate import broken_promises
from procgen.vaults.fitting import settle_piece
from procgen.vaults.forms import forms, largest_rectangle
from procgen.vaults.pieces import draw
from procgen.vaults.shelf import fitting_vaults, vaults
from procgen.vaults.writing import PLAIN, read_vaults

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


def read(text):
    return read_vaults(text, "data/vaults/test.txt")


def loaded(tmp_path, text):
    """Return the vaults of a folder with one file that says ``text``."""
    (tmp_path / "vaults").mkdir()
    (tmp_path / "vaults" / "test.txt").write_text(text)
    return vaults(tmp_path)


def piece_of(text, seed=0):
    (vault,) = read(text)
    return draw(forms(vault)[0], Rng(seed, "test"))


def shown(piece):
    tiles = np.where(piece.tiles == 255, Tile.EDGE, piece.tiles)
    return terrain().text(tiles)


def dug(*rooms, width=40, height=20):
    plan = Blueprint.solid(width, height)
    for x, y, w, h in rooms:
        plan.rooms.append(RectangularRoom(x, y, w, h))
        plan.tiles[plan.rooms[-1].inner] = Tile.FLOOR
    return plan


def run(step, plan, seed=0, **parameters):
    return list(step(plan, Rng(seed, "test"), **parameters))


def test_there_are_many_vaults_and_each_can_be_drawn_every_way():
    assert len([vault for vault in vaults() if PLAIN not in vault.header.tags]) >= 14
    for vault in vaults():
        for number, form in enumerate(forms(vault)):
            piece = draw(form, Rng(number, vault.name))
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
    assert [len(form.exits) for form in forms(vault)] == [1] * 8


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[a]\nweight: none\nmap:\n#\n", "[a]: weight: Expected `int`, got `str`"),
        ("[a]\ncolour: red\nmap:\n#\n", "unknown field `colour`"),
        ("[a]\ntags: One\nmap:\n#\n", "[a]: tags[0]: Expected `str` matching regex"),
        ("[a]\ndepths: deep\nmap:\n#\n", "line 2: depths: 'deep' is neither like 1-8 nor like 3+"),
        ("[a]\nsubst ? .\nmap:\n#\n", "line 2: cannot be read: 'subst ? .'"),
        ("[a]\nshuffle ab c\nmap:\n#\n", "line 2: groups to shuffle must be equally long"),
        ("[a]\nexits: +\nexits: .\nmap:\n#\n", "line 3: exits is said twice"),
        ("[a]\ntags: b\n", "[a]: the vault has no map"),
        ("[a]\n[b]\nmap:\n#\n", "[a]: line 2: the vault has no map"),
        ("weight: 3\n", "line 1: expected a name in brackets"),
        ("[a]\nmap:\n" + "#" * 41 + "\n", "more than 40 tiles"),
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
        ("####\n#.Q@\n####", "line 4, column 3: 'Q' never becomes ground"),
        ("####\n#..#\n####", "[a]: a vault in rock needs an exit"),
        ("####\n...@\n####", "line 4, column 1: what is not rock needs a wall around it"),
        ("####\n#.@#\n####", "line 4, column 3: an exit must have one side outside"),
        ("######\n#.#..@\n######", "line 4, column 4: cannot be reached from the rest"),
    ],
)
def test_a_fault_of_drawing_is_named(tmp_path, drawing, fault):
    with pytest.raises(DataError) as caught:
        loaded(tmp_path, f"[a]\nmap:\n{drawing}\n")
    assert str(caught.value).startswith("data/vaults/test.txt: [a]: ")
    assert fault in str(caught.value)


def test_two_vaults_cannot_share_a_name(tmp_path):
    with pytest.raises(DataError, match="has the same name"):
        loaded(tmp_path, ROOM + "\n" + ROOM)


def test_a_vault_can_be_turned_eight_ways_or_fewer():
    for turn, number in (("any", 8), ("mirror", 4), ("no", 1)):
        (vault,) = read(f"[a]\nturn: {turn}\nmap:\n####\n#.$#\n#..@\n####\n")
        assert len(forms(vault)) == number
    (vault,) = read("[a]\nmap:\n#@#\n@.@\n#@#\n")
    assert len(forms(vault)) == 1


def test_exits_lead_outside_whichever_way_a_vault_is_turned():
    for vault in vaults():
        for form in forms(vault):
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


def test_what_would_fall_apart_is_drawn_again_or_given_up():
    text = "[a]\ncount p = 1 of #, rest .\nmap:\n#####\n#.p.@\n#####\n"
    assert piece_of(text) is None


def test_the_largest_rectangle_is_found():
    mask = np.array([[c == "." for c in row] for row in ("..#..", "..#..", ".....", "###..")])
    assert largest_rectangle(mask) == RectangularRoom(3, 0, 2, 4)
    assert largest_rectangle(np.zeros((2, 2), bool)) is None


def test_rooms_of_vaults_can_be_stood_in():
    for vault in vaults():
        for number, form in enumerate(forms(vault)):
            piece = draw(form, Rng(number, "stand"))
            if piece and form.room:
                x, y = form.room.center
                assert terrain().walkable[piece.tiles[y, x]], vault.name


def test_an_exit_beside_a_room_is_opened():
    plan = dug((1, 1, 6, 6))
    piece = piece_of("[a]\nturn: no\nexits: +\nmap:\n#####\n@...#\n#####\n")
    assert settle_piece(plan, piece, Point(7, 3))
    assert terrain().text(plan.tiles)[4][1:12] == "......+...#"
    assert regions(plan.open)[1] == 1


def test_a_buried_vault_is_joined_by_a_tunnel():
    plan = dug((1, 1, 6, 6))
    piece = piece_of("[a]\nturn: no\nmap:\n#####\n@...#\n#####\n")
    assert settle_piece(plan, piece, Point(14, 3))
    assert terrain().text(plan.tiles)[4][1:19] == "......,,,,,,,....#"


def test_a_vault_that_would_cut_the_level_is_undone():
    plan = dug((1, 1, 6, 6), (20, 1, 6, 6))
    plan.tiles[4, 7:20] = Tile.TUNNEL
    before = plan.tiles.copy()
    piece = piece_of("[a]\nturn: no\nmap:\n#####\n#...@\n#####\n")
    assert not settle_piece(plan, piece, Point(10, 3))
    assert (plan.tiles == before).all()
    assert len(plan.rooms) == 2


@pytest.mark.parametrize("recipe", ["rooms", "bsp", "caves", "walk"])
def test_placed_vaults_keep_the_level_whole_and_everyone_in_place(recipe):
    for seed in range(3):
        level = build(find_recipe(recipe).code(seed))
        plan = Blueprint(level.tiles.copy(), 3, list(level.rooms))
        plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
        run(place_vaults, plan, seed, count=4)
        run(place_vaults, plan, seed, count=2, outdoors=True)
        assert list(broken_promises(plan)) == []
        assert all(terrain().walkable[plan.tiles[room.center[::-1]]] for room in plan.rooms)


def test_vaults_are_chosen_by_tag_and_depth():
    assert {"forge"} <= {
        tag for vault in fitting_vaults(("forge",), 9, "rock") for tag in vault.header.tags
    }
    assert all(vault.header.depths[0] == 1 for vault in fitting_vaults((), 1, "rock"))
    assert run(place_vaults, dug((1, 1, 6, 6)), tags=("nothing",)) == []


def test_a_vault_dungeon_is_one_piece_with_loops():
    plan = Blueprint.solid(80, 45, 4)
    captions = run(vault_dungeon, plan, 5)
    assert regions(plan.open)[1] == 1
    assert len(plan.rooms) > 15
    assert any(caption.startswith("Loop") for caption in captions)


def test_remarkable_vaults_come_but_once():
    plan = Blueprint.solid(80, 45, 4)
    names = [caption.split(",")[0].lower() for caption in run(vault_dungeon, plan, 8)]
    plain = {vault.name for vault in vaults() if PLAIN in vault.header.tags}
    known = {vault.name for vault in vaults()}
    counts = Counter(name for name in names if name in known - plain)
    assert counts
    assert max(counts.values()) == 1


def test_every_vault_file_is_listed_in_order():
    assert sorted(path.name for path in (DATA / "vaults").glob("*.txt"))
    names = [vault.place for vault in vaults()]
    files = [place.split(":")[0] for place in names]
    assert files == sorted(files)
