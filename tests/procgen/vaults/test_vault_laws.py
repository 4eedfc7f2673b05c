"""The random changes of a vault, its stamp, and the places where it fits, by definition."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from entities.creature_kinds import IMMOBILE, creature_kinds
from entities.terrain import Tile, terrain
from procgen.blueprint import Blueprint, Point, RectangularRoom, Spawn
from procgen.placement.monster_placement import pick_kind
from procgen.rng import Rng
from procgen.vaults import vault_stamp
from procgen.vaults.orientations import largest_rectangle, orientations
from procgen.vaults.vault_fitting import (
    LONGEST_TUNNEL,
    VIEW,
    fitting_places,
    place_piece,
    random_surroundings,
)
from procgen.vaults.vault_stamp import DRAWINGS, KEEP, may_fall_apart
from support.vault_texts import piece_of, read


def pieces(text, number=40):
    return [piece_of(f"[a]\nplace: open\nturn: no\n{text}", seed) for seed in range(number)]


def shown(piece):
    chars = terrain().text(np.where(piece.tiles == KEEP, Tile.WALL, piece.tiles))
    return "".join("".join(chars).split())


def test_each_target_becomes_any_of_its_choices():
    found = {shown(piece) for piece in pieces('subst ? = .:"\nmap:\n#??#\n')}
    assert found == {f"#{a}{b}#" for a, b in product('.:"', repeat=2)}


def test_as_many_targets_as_counted_are_changed_and_the_rest_is_the_rest():
    text = 'count p = 1 of ~, 2 of :, 0 of T, rest "\nmap:\n#pppppp#\n'
    found = [shown(piece) for piece in pieces(text)]
    assert {tuple(sorted(Counter(row).items())) for row in found} == {
        (('"', 3), ("#", 2), (":", 2), ("~", 1))
    }
    assert {row.index("~") for row in found} == {1, 2, 3, 4, 5, 6}
    few = {shown(piece) for piece in pieces("count p = 2 of ~, 1 of :, rest .\nmap:\n#pp.#\n")}
    assert few == {"#~~.#"}


def test_groups_change_places_letter_by_letter():
    found = Counter(shown(p) for p in pieces('shuffle .: "~\nmap:\n#.:"~:#\n', 60))
    assert set(found) == {'#.:"~:#', '#"~.:~#'}
    assert min(found.values()) > 15


def test_changes_are_made_one_after_the_other():
    found = {
        shown(piece) for piece in pieces("subst ? = pq\nsubst q = :\nsubst p = .\nmap:\n#?#\n")
    }
    assert found == {"#.#", "#:#"}


@pytest.mark.parametrize(
    ("text", "falls"),
    [
        ("subst ? = .#\nmap:\n@.?.\n", True),
        ("subst ? = .:\nmap:\n@.?.\n", False),
        ("subst ? = #O\nmap:\n@.?.\n", False),
        ("place: open\nsubst ? = .#\nmap:\n..?.\n", False),
        ("subst ? = .S1\nmap:\n@.?.\n", False),
    ],
)
def test_only_changes_between_ground_and_rock_can_break_a_vault_apart(text, falls):
    (vault,) = read(f"[a]\n{text}")
    assert may_fall_apart(vault) is falls


def test_a_vault_is_drawn_again_until_it_holds_together(monkeypatch):
    text = "[a]\nturn: no\nsubst ? = .#\nmap:\n######\n@.?S.#\n######\n"
    made = [piece_of(text, seed) for seed in range(30)]
    assert {shown(piece) for piece in made if piece} == {"#######..S.#######"}
    drawn = []
    make = vault_stamp._make
    monkeypatch.setattr(vault_stamp, "_make", lambda *args: drawn.append(1) or make(*args))
    assert piece_of("[a]\ncount p = 1 of #, rest .\nmap:\n#####\n#.p.@\n#####\n") is None
    assert len(drawn) == DRAWINGS


def test_creatures_stand_on_the_ground_under_them_and_are_from_as_deep_as_their_digit(monkeypatch):
    piece = piece_of('[a]\nturn: no\nunder: "\nmap:\n#1.2#\n#3..@\n')
    assert shown(piece) == '#"."##"..#'
    assert sorted(piece.creatures) == [(1, 0, "1"), (1, 1, "3"), (3, 0, "2")]
    deeper = []
    monkeypatch.setattr(vault_stamp, "pick_kind", lambda _p, _r, more: deeper.append(more) or "rat")
    plan = Blueprint.solid(12, 9)
    free = np.zeros(plan.tiles.shape, np.bool_)
    free[3, 7] = free[4, 5] = True
    assert piece.settle(plan, 4, 3, Rng(1), free) == 2
    assert plan.spawns == [Spawn("rat", 7, 3), Spawn("rat", 5, 4)]
    assert sorted(deeper) == [0, 2, 5]


def test_a_stamp_changes_all_but_the_gaps_and_lists_the_room():
    piece = piece_of("[a]\nturn: no\nmap:\n ####\n#..:#\n#...@\n ####\n")
    plan = Blueprint.solid(20, 12)
    plan.tiles[:] = Tile.SAND
    piece.stamp(plan, 6, 5)
    assert plan.rooms == [RectangularRoom(7, 6, 3, 2)]
    rows = terrain().text(plan.tiles)
    assert [row[6:11] for row in rows[5:9]] == ["`####", "#..:#", "#...#", "`####"]
    assert (plan.tiles != Tile.SAND).sum() == 18


def test_the_largest_rectangle_has_as_many_tiles_as_any():
    rng = np.random.default_rng(2)
    for _ in range(40):
        mask = rng.random(rng.integers(1, 7, 2)) < 0.7
        height, width = mask.shape
        wanted = max(
            (
                (b - t) * (r - x)
                for t, x in product(range(height), range(width))
                for b, r in product(range(t + 1, height + 1), range(x + 1, width + 1))
                if mask[t:b, x:r].all()
            ),
            default=0,
        )
        found = largest_rectangle(mask)
        assert (found.area if found else 0) == wanted
        assert found is None or mask[found.inner].all()


@pytest.mark.parametrize(
    ("turn", "drawing", "number"),
    [
        ("any", "#.:\n@..\n", 8), ("mirror", "#.:\n@..\n", 4), ("no", "#.:\n@..\n", 1),
        ("any", "...\n.@.\n", 4), ("any", ".@.\n@.@\n.@.\n", 1), ("mirror", ".:\n..\n", 4),
    ],
)  # fmt: skip
def test_forms_are_the_different_turns_and_reflections(turn, drawing, number):
    (vault,) = read(f"[a]\nturn: {turn}\nplace: open\nmap:\n{drawing}")
    forms = [form.grid.tolist() for form in orientations(vault)]
    assert len(forms) == number
    views, grid = [], vault.grid
    for _ in range(4):
        views += [grid.tolist(), grid[:, ::-1].tolist()]
        grid = np.rot90(grid)
    assert all(form in views for form in forms)
    assert turn != "mirror" or {len(form) for form in forms} == {len(vault.grid)}


def test_exits_lead_out_of_the_drawing_or_into_its_gaps():
    (vault,) = read("[a]\nturn: no\nmap:\n#@#\n@.@\n#@# \n.. @\n")
    (form,) = orientations(vault)
    ways = {(way.x, way.y, way.dx, way.dy) for way in form.exits}
    assert ways == {
        (1, 0, 0, -1), (0, 1, -1, 0), (2, 1, 1, 0), (3, 3, 1, 0), (3, 3, 0, 1), (3, 3, 0, -1),
        (3, 3, -1, 0),
    }  # fmt: skip
    assert form.rock.sum() + form.body.sum() == 16 - 4


def view_of(plan, seed=1):
    return random_surroundings(plan, Rng(seed))


def scenery():
    plan = Blueprint.solid(24, 15)
    plan.tiles[2:9, 3:15] = Tile.FLOOR
    plan.tiles[4:6, 6:9], plan.tiles[7, 4] = Tile.WATER, Tile.DOOR
    plan.rooms.append(RectangularRoom(3, 2, 4, 2))
    plan.spawns.append(Spawn("rat", 12, 7))
    return plan


@pytest.mark.parametrize("drawing", ["#@##\n#..#\n####\n", "@\n", "####@\n"])
def test_places_are_where_all_tiles_fit_and_an_exit_meets_floor(drawing):
    plan = scenery()
    (vault,) = read(f"[a]\nturn: no\nmap:\n{drawing}")
    (form,) = orientations(vault)
    view = view_of(plan)
    for mask in (view.rock, view.ground, view.plain):
        fits = [
            (x, y)
            for y, x in product(range(15), range(24))
            if x + form.width <= 24 and y + form.height <= 15
            and mask[y : y + form.height, x : x + form.width].all()
        ]  # fmt: skip
        assert sorted(fitting_places(view, form, mask, beside=False)) == sorted(fits)
        beside = [
            (x, y)
            for x, y in fits
            if any(
                terrain().walkable[plan.tiles[y + way.y + way.dy, x + way.x + way.dx]]
                for way in form.exits
            )
        ]
        assert sorted(fitting_places(view, form, mask, beside=True)) == sorted(beside)
    small = np.ones((form.height, form.width), np.bool_)
    assert fitting_places(view, form, small, beside=False) == [Point(0, 0)]
    for part in (small[1:], small[:, 1:]):
        assert not fitting_places(view, form, part, beside=False)


def test_surroundings_tell_rock_from_ground_and_rooms_and_those_who_stand_there():
    plan, view = scenery(), view_of(scenery())
    for y, x in product(range(15), range(24)):
        inside, tile = plan.inside(x, y), plan.tiles[y, x]
        plain = inside and bool(terrain().plain[tile]) and (x, y) != (12, 7)
        in_room = plan.rooms[0].contains(x, y)
        assert view.rock[y, x] == (inside and tile == Tile.WALL)
        assert view.open[y, x] == terrain().walkable[tile]
        assert view.plain[y, x] == plain
        assert view.ground[y, x] == ((plain or view.rock[y, x]) and not in_room)


def test_a_random_part_of_a_large_map_is_searched_as_far_as_its_last_tile():
    plan = Blueprint.solid(VIEW[0] + 2, VIEW[1] + 1)
    corners = {(view.left, view.top) for view in (view_of(plan, seed) for seed in range(60))}
    assert corners == set(product(range(3), range(2)))
    assert view_of(plan).rock.shape == VIEW[::-1]


@pytest.mark.parametrize(("away", "joined"), [(1, True), (LONGEST_TUNNEL, True), (26, False)])
@pytest.mark.parametrize("turn", range(4))
def test_a_tunnel_to_a_buried_vault_has_so_many_tiles_at_most(away, joined, turn):
    drawing = np.array([list("#####"), list("@...#"), list("#####")])
    drawing = np.rot90(drawing, turn)
    rows = "\n".join("".join(row) for row in drawing.tolist())
    piece = piece_of(f"[a]\nturn: no\nexits: +\nmap:\n{rows}\n")
    plan = Blueprint.solid(70, 70)
    (y, x), (dx, dy) = (
        np.argwhere(drawing == "@")[0].tolist(),
        ((-1, 0), (0, 1), (1, 0), (0, -1))[turn],
    )
    floor = 30 + x + (away + 1) * dx, 30 + y + (away + 1) * dy
    plan.tiles[floor[::-1]] = Tile.FLOOR
    assert place_piece(plan, piece, Point(30, 30)) is joined
    assert (plan.tiles == Tile.TUNNEL).sum() == away * joined
    assert plan.tiles[30 + y, 30 + x] == (Tile.DOOR if joined else Tile.WALL)


def test_who_stands_for_a_deeper_kind_is_never_rooted():
    plan = Blueprint.solid(12, 9, 12)
    drawn = {more: {pick_kind(plan, Rng(seed), more) for seed in range(300)} for more in (0, 2, 5)}
    rooted = {name for name, kind in creature_kinds().items() if kind.behaviour in IMMOBILE}
    assert drawn[0] & rooted
    assert not (drawn[2] | drawn[5]) & rooted
