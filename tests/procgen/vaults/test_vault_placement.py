"""Vaults in a level: where they fit, what they never cut."""

from collections import Counter

import numpy as np
import pytest

from entities.data_files import DATA, DataError
from entities.terrain import Tile, terrain
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint, Point, RectangularRoom
from procgen.build import build
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.steps.vaults import place_vaults, vault_dungeon
from procgen.validate import broken_invariants
from procgen.vaults.orientations import largest_rectangle, orientations
from procgen.vaults.vault_fitting import place_piece
from procgen.vaults.vault_library import fitting_vaults, vaults
from procgen.vaults.vault_parser import PLAIN_TAG
from procgen.vaults.vault_stamp import make_piece
from support.blueprints import run
from support.vault_texts import piece_of


def dug(*rooms, width=40, height=20):
    plan = Blueprint.solid(width, height)
    for x, y, w, h in rooms:
        plan.rooms.append(RectangularRoom(x, y, w, h))
        plan.tiles[plan.rooms[-1].inner] = Tile.FLOOR
    return plan


def test_what_would_fall_apart_is_drawn_again_or_given_up():
    text = "[a]\ncount p = 1 of #, rest .\nmap:\n#####\n#.p.@\n#####\n"
    assert piece_of(text) is None


def test_the_largest_rectangle_is_found():
    mask = np.array([[c == "." for c in row] for row in ("..#..", "..#..", ".....", "###..")])
    assert largest_rectangle(mask) == RectangularRoom(3, 0, 2, 4)
    assert largest_rectangle(np.zeros((2, 2), bool)) is None


def test_rooms_of_vaults_can_be_stood_in():
    for vault in vaults():
        for number, form in enumerate(orientations(vault)):
            piece = make_piece(form, Rng(number, "stand"))
            if piece and form.room:
                x, y = form.room.center
                assert terrain().walkable[piece.tiles[y, x]], vault.name


def test_an_exit_beside_a_room_is_opened():
    plan = dug((1, 1, 6, 6))
    piece = piece_of("[a]\nturn: no\nexits: +\nmap:\n#####\n@...#\n#####\n")
    assert place_piece(plan, piece, Point(7, 3))
    assert terrain().text(plan.tiles)[4][1:12] == "......+...#"
    assert regions(plan.open)[1] == 1


def test_a_buried_vault_is_joined_by_a_tunnel():
    plan = dug((1, 1, 6, 6))
    piece = piece_of("[a]\nturn: no\nmap:\n#####\n@...#\n#####\n")
    assert place_piece(plan, piece, Point(14, 3))
    assert terrain().text(plan.tiles)[4][1:19] == "......,,,,,,,....#"


def test_a_vault_that_would_cut_the_level_is_undone():
    plan = dug((1, 1, 6, 6), (20, 1, 6, 6))
    plan.tiles[4, 7:20] = Tile.TUNNEL
    before = plan.tiles.copy()
    piece = piece_of("[a]\nturn: no\nmap:\n#####\n#...@\n#####\n")
    assert not place_piece(plan, piece, Point(10, 3))
    assert (plan.tiles == before).all()
    assert len(plan.rooms) == 2


def test_a_way_may_be_closed_if_another_leads_round_however_far():
    plan = dug((1, 1, 6, 6), (110, 1, 6, 6), width=120, height=70)
    plan.tiles[4, 7:110] = Tile.TUNNEL
    piece = piece_of("[a]\nturn: no\nmap:\n#####\n#...@\n#####\n")
    assert not place_piece(plan, piece, Point(60, 3))
    plan.tiles[7:61, [3, 113]] = plan.tiles[60, 3:114] = Tile.TUNNEL
    assert place_piece(plan, piece, Point(60, 3))


@pytest.mark.parametrize("recipe", ["rooms", "bsp", "caves", "walk"])
def test_placed_vaults_keep_the_level_whole_and_everyone_in_place(recipe):
    for seed in range(3):
        level = build(find_recipe(recipe).code(seed))
        plan = Blueprint(level.tiles.copy(), 3, list(level.rooms))
        plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
        run(place_vaults, plan, seed, count=4)
        run(place_vaults, plan, seed, count=2, outdoors=True)
        assert list(broken_invariants(plan)) == []
        assert all(terrain().walkable[plan.tiles[room.center[::-1]]] for room in plan.rooms)


def test_vaults_are_chosen_by_tag_and_depth():
    assert {"forge"} <= {
        tag for vault in fitting_vaults(("forge",), 9, "rock") for tag in vault.header.tags
    }
    assert all(vault.header.depths[0] == 1 for vault in fitting_vaults((), 1, "rock"))
    with pytest.raises(DataError, match="there is no vault with the tag 'nothing'"):
        run(place_vaults, dug((1, 1, 6, 6)), tags=("nothing",))


def test_a_vault_dungeon_is_one_piece_with_loops():
    plan = Blueprint.solid(80, 45, 4)
    captions = run(vault_dungeon, plan, 5)
    assert regions(plan.open)[1] == 1
    assert len(plan.rooms) > 15
    assert any(caption.startswith("Loop") for caption in captions)


def test_remarkable_vaults_come_but_once():
    plan = Blueprint.solid(80, 45, 4)
    names = [caption.partition(": ")[2] for caption in run(vault_dungeon, plan, 8)]
    plain = {vault.name for vault in vaults() if PLAIN_TAG in vault.header.tags}
    known = {vault.name for vault in vaults()}
    counts = Counter(name for name in names if name in known - plain)
    assert counts
    assert max(counts.values()) == 1


def test_every_vault_file_is_listed_in_order():
    assert sorted(path.name for path in (DATA / "vaults").glob("*.txt"))
    names = [vault.place for vault in vaults()]
    files = [place.split(":")[0] for place in names]
    assert files == sorted(files)
