"""Dungeons grown of vaults: where each is joined to an earlier one, and by which tiles."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point, Rejected
from procgen.rng import Dice, Rng
from procgen.steps.vaults import _begin, _Choice, _extend
from procgen.vaults.orientations import Exit, orientations
from procgen.vaults.vault_growth import FURTHEST, NEAREST, SHORT, OpenExit, VaultGrowth, connectors
from support.blueprints import text
from support.vault_texts import read

CELL = "[cell]\ntags: plain\nturn: no\nexits: +\nmap:\n#####\n@...@\n#####\n"
CROSS = "[cross]\nexits: +\nmap:\n##@##\n#...#\n@...@\n#...#\n##@##\n"
SIDES = [(0, -1), (1, 0), (0, 1), (-1, 0)]


def vault_of(drawing):
    (vault,) = read(drawing)
    return vault


def growth_on(width=40, height=20, seed=1):
    rng = Rng(seed, "test")
    return VaultGrowth(Blueprint.solid(width, height), rng, Dice(rng))


def placed(drawing, x, y, *, growth=None, **size):
    growth = growth or growth_on(**size)
    (form, *_) = orientations(vault_of(drawing))
    assert growth._fits(form, Point(x, y))
    assert growth._put(form, Point(x, y))
    return growth


def exit_to(growth, side):
    (way,) = [way for way in growth.fresh if way.place[2:] == side]
    return way


def test_the_first_vault_lies_in_the_middle_third_of_what_is_left():
    corners = set()
    for seed in range(80):
        growth = growth_on(20, 18, seed)
        assert growth.begin(vault_of(CELL))
        corners.add(growth.pieces[0][1])
    assert {x for x, _ in corners} == set(range(5, 11))
    assert {y for _, y in corners} == set(range(5, 11))


@pytest.mark.parametrize(
    ("width", "height", "fine"), [(5, 9, True), (5, 8, False), (4, 40, False), (15, 3, True),
    (22, 2, False), (45, 3, True)]
)  # fmt: skip
def test_the_first_vault_must_fit_and_cover_no_more_than_a_third(width, height, fine):
    growth = growth_on(width, height)
    assert growth.begin(vault_of(CELL)) == fine
    assert len(growth.pieces) == fine


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("gap", [0, 1, 4, FURTHEST, FURTHEST + 1])
def test_room_beyond_an_exit_is_counted_to_the_next_thing_or_the_edge(side, gap):
    dx, dy = side
    across, down = (10 + gap, 12) if dx else (12, 10 + gap)
    edge = placed(CROSS, 3 + gap * (dx < 0), 3 + gap * (dy < 0), width=across + 2, height=down + 2)
    if dx + dy > 0:
        edge = placed(CROSS, 3, 3, width=across, height=down)
    assert edge.room_beyond(exit_to(edge, side)) == min(gap + 1 + (dx + dy < 0), FURTHEST)
    wall = placed(CROSS, 40, 40, width=100, height=100)
    x, y = 42 + dx * (3 + gap), 42 + dy * (3 + gap)
    wall.claimed[y] |= 1 << x
    assert wall.room_beyond(exit_to(wall, side)) == min(gap, FURTHEST)


def test_an_exit_to_beyond_the_map_is_none():
    growth = placed(CROSS, 0, 2)
    assert {way.place[2:] for way in growth.fresh} == {(0, -1), (1, 0), (0, 1)}
    assert set(growth.loose) == {(2, 2, 0, -1), (4, 4, 1, 0), (2, 6, 0, 1)}
    for way in growth.fresh:
        x, y, dx, dy = way.place
        assert way.outside == (x + dx, y + dy)
    above = placed(CROSS, 5, 1)
    assert (7, 1, 0, -1) not in above.loose
    placed(CELL, 20, 3, growth=growth)
    assert {way.place for way in growth.fresh} == {(20, 4, -1, 0), (24, 4, 1, 0)}
    assert len(growth.loose) == 5, "of all vaults, where those fresh are of the last"


@pytest.mark.parametrize(
    ("length", "row"),
    [
        (0, "+...+...#"),
        (1, "+...,,+...#"),
        (SHORT - 1, "+...,,,,+...#"),
        (SHORT, "+...+,,,,+...#"),
        (7, "+...+,,,,,,,+...#"),
    ],
)
def test_a_corridor_has_so_many_tiles_and_a_door_at_each_end_unless_it_is_short(length, row):
    growth = placed(CELL, 4, 4)
    way = exit_to(growth, (1, 0))
    assert growth.extend(way, growth.room_beyond(way), vault_of(CELL), length, 4)
    assert text(growth.plan).split()[5][4:].replace("#+", "++")[1:].startswith(row[1:-1])
    assert {place[2:] for place in growth.loose} == {(-1, 0), (1, 0)}
    assert [at for _, at in growth.pieces] == [(4, 4), (8 + length + (length > 0), 4)]
    assert (growth.plan.tiles[5, 9 : 8 + length + 1] == Tile.TUNNEL).all()


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("room", "length", "apart"), [(9, 5, 6), (8, 4, 5), (8, 5, 0), (4, 2, 0),
    (3, 3, 0), (9, 0, 0)])  # fmt: skip
def test_a_corridor_too_long_for_the_room_is_left_out(side, room, length, apart):
    """A cross is four tiles deep behind its exit."""
    dx, dy = side
    growth = placed(CROSS, 20, 20, width=46, height=46)
    way = exit_to(growth, side)
    assert growth.extend(way, room, vault_of(CROSS), length, 1)
    step = 4 + apart
    assert growth.pieces[1][1] == (20 + dx * step, 20 + dy * step)
    assert len(growth.loose) == 6
    assert not any(place[:2] == way.place[:2] for place in growth.loose)
    assert way.place not in growth.loose


@pytest.mark.parametrize(("room", "fine"), [(3, True), (2, False), (1, False)])
def test_a_vault_deeper_than_the_room_is_not_tried(room, fine):
    growth = placed(CROSS, 20, 20, width=46, height=46)
    assert growth.extend(exit_to(growth, (1, 0)), room, vault_of(CROSS), 0, 4) == fine
    assert len(growth.pieces) == 1 + fine


def test_the_depth_behind_an_exit_is_what_lies_beyond_it_in_the_vault():
    found = connectors(vault_of("[a]\nturn: no\nexits: +\nmap:\n##@###\n#....#\n@....@\n######\n"))
    assert {side: [(one.door, one.depth) for one in ways] for side, ways in found.items()} == {
        (0, -1): [(Exit(2, 0, 0, -1), 3)],
        (1, 0): [(Exit(5, 2, 1, 0), 5)],
        (0, 1): [],
        (-1, 0): [(Exit(0, 2, -1, 0), 5)],
    }


@pytest.mark.parametrize(
    ("x", "y", "fine"),
    [
        (0, 0, True), (35, 17, True), (-1, 0, False), (0, -1, False), (36, 0, False),
        (0, 18, False), (4, 0, False), (14, 8, True), (13, 8, False), (14, 6, False),
        (10, 10, True), (10, 9, False), (10, 6, True), (10, 7, False), (6, 8, True), (7, 8, False),
    ],
)  # fmt: skip
def test_vaults_may_share_walls_but_nothing_else(x, y, fine):
    growth = placed(CELL, 10, 8)
    (form,) = orientations(vault_of(CELL))
    if (x, y) == (4, 0):
        growth.filled[1] |= 1 << 4
        growth.claimed[1] |= 1 << 4
    elif (x, y) == (14, 6):
        fine = True  # Above the exit there is wall, and rock lies on rock.
        growth.claimed[6] |= 1 << 14
    assert growth._fits(form, Point(x, y)) == fine


@pytest.mark.parametrize(("room", "grows"), [(1, False), (2, True), (9, True)])
def test_an_exit_with_no_room_for_two_tiles_is_given_up(room, grows):
    for seed in range(8):
        growth = placed(CELL, 4, 4, seed=seed, width=40)
        growth.claimed[5] |= 1 << 9 + room
        growth.claimed[5] |= 1 << 3
        choice = _Choice([vault_of("[stub]\ntags: plain\nturn: no\nmap:\n###\n@.#\n###\n")], 1, 1)
        told = list(
            _extend(growth, choice, growth.dice, patience=9, share_wall=1, longest=6, turns=1)
        )
        assert bool(told) == grows


@pytest.mark.parametrize("longest", [1, 2, 5])
def test_corridors_of_a_vault_dungeon_have_two_tiles_to_the_longest_or_none(longest):
    stub = "[stub]\ntags: plain\nturn: no\nmap:\n###\n@.#\n###\n"
    for share, expected in ((0.0, set(range(2, max(longest, 2) + 1))), (1.0, {0})):
        found = set()
        for seed in range(40):
            growth = placed(CELL, 4, 4, seed=seed)
            del growth.loose[4, 5, -1, 0]
            choice = _Choice([vault_of(stub)], 1, 1)
            list(_extend(growth, choice, growth.dice, patience=1, share_wall=share,
                longest=longest, turns=1))  # fmt: skip
            (_, (x, _)) = growth.pieces[1]
            found.add(max(0, x - 9))
        assert found == expected


@pytest.mark.parametrize("patience", [1, 2, 5])
def test_so_many_vaults_are_tried_at_an_exit(patience, monkeypatch):
    tried = []
    monkeypatch.setattr(VaultGrowth, "extend", lambda _, way, *__: tried.append(way.place))
    growth = placed(CELL, 4, 4)
    list(_extend(growth, _Choice([vault_of(CELL)], 1, 1), growth.dice, patience=patience,
        share_wall=0.5, longest=6, turns=2))  # fmt: skip
    assert {place: tried.count(place) for place in tried} == {
        (8, 5, 1, 0): patience,
        (4, 5, -1, 0): patience,
    }


def test_remarkable_vaults_are_used_up_and_plain_ones_stay():
    rare = vault_of("[rare]\nweight: 3\nmap:\n###\n@.#\n###\n")
    plain = vault_of(CELL)
    choice = _Choice([rare, plain], 0.25, 2)
    dice = Dice(Rng(1, "test"))
    picked = [choice.pick(dice) for _ in range(800)]
    assert 150 <= picked.count(plain) <= 250
    assert (len(choice.other), len(choice.plain)) == (3, 10)
    for left in (True, False):
        choice.used(rare)
        choice.used(plain)
        assert (rare in choice.other) == left
        assert choice.plain == [plain] * 10
    assert choice.left
    assert choice.pick(dice) is plain
    only = _Choice([rare], 1.0, 1)
    assert only.pick(dice) is rare, "no plain one is left"
    only.used(rare)
    assert not only.left


def pair(gap, *, between=""):
    """Return two cells abreast, so many tiles apart, which are joined by the long way round."""
    growth = placed(CELL, 4, 4, width=60, height=30)
    placed(CELL, 9 + gap, 4, growth=growth)
    for place in [(4, 5, -1, 0), (13 + gap, 5, 1, 0)]:
        del growth.loose[place]
    if between:
        growth.claimed[5] |= 1 << 9 + gap // 2
    return growth


@pytest.mark.parametrize(
    ("gap", "reach", "joined"),
    [(1, 1, True), (1, 0, False), (4, 4, True), (4, 3, False), (9, 9, True), (9, 8, False)],
)
def test_loose_exits_nearer_than_reach_are_joined_by_a_tunnel(gap, reach, joined):
    growth = pair(gap)
    assert list(growth.link(3, reach, 5)) == [1] * joined
    assert (growth.plan.tiles[5, 9 : 9 + gap] == Tile.TUNNEL).all() == joined
    assert len(growth.loose) == (0 if joined else 2)


def test_no_tunnel_runs_through_what_is_taken_and_as_many_are_dug_as_asked_for():
    assert list(pair(6, between="taken").link(3, 20, 5)) == []
    assert list(pair(6).link(0, 20, 5)) == []
    growth = pair(6)
    placed(CELL, 4, 20, growth=growth)
    placed(CELL, 15, 20, growth=growth)
    assert list(growth.link(1, 9, 5)) == [1]
    assert list(growth.link(9, 9, 5)) == [1]


@pytest.mark.parametrize(("detour", "joined"), [(12, True), (13, False), (40, False)])
def test_exits_are_joined_only_where_the_way_on_foot_is_longer_than_the_detour(detour, joined):
    """Two cells joined below, 13 steps from the floor at one exit to that at the other."""
    growth = pair(4)
    tiles = growth.plan.tiles
    tiles[6:10, 7] = tiles[6:10, 14] = tiles[9, 7:15] = Tile.FLOOR
    assert list(growth.link(3, 9, detour)) == [1] * joined


def test_exits_that_share_a_wall_are_opened():
    growth = placed(CELL, 4, 4)
    placed(CELL, 8, 4, growth=growth)
    assert list(growth.link(3, 1, 5)) == [1]
    assert growth.plan.tiles[5, 8] == Tile.DOOR
    assert np.count_nonzero(growth.plan.open) == 7
    assert set(growth.loose) == {(4, 5, -1, 0), (12, 5, 1, 0)}


def test_so_many_of_the_nearest_exits_are_tried():
    growth = pair(6)
    (way,) = [way for way in growth.loose.values() if way.place[2] == 1]
    (other,) = [way for way in growth.loose.values() if way.place[2] == -1]
    buried = OpenExit((20, 12, 0, 1), other.vault, Point(20, 13))
    growth.loose[buried.place] = buried
    growth.claimed[11] |= (1 << 60) - 1
    assert [one for one, _ in growth._tunnels(way, [buried] * (NEAREST - 1) + [other])] == [other]
    assert not list(growth._tunnels(way, [buried] * NEAREST + [other]))
    assert [one for one, _ in growth._tunnels(way, [way] * NEAREST + [other])] == [other]
    growth.claimed[5] |= 1 << 9
    assert not list(growth._tunnels(way, [other])), "the exit itself is blocked"


def test_vaults_of_two_exits_alone_cannot_begin_a_dungeon():
    growth, choice = placed(CELL, 4, 4), _Choice([vault_of("[a]\nmap:\n#@#\n@.#\n###\n")], 0.5, 1)
    with pytest.raises(Rejected, match="no vault with 3 exits fits as the first"):
        list(_begin(growth, choice, Dice(Rng(1, "test"))))
