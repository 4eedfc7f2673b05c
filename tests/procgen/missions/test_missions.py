"""Missions: every lock opens in every order, none has a way round, and the level follows its graph.

The flood fill here shares no code with the proof of the product.
"""

from collections import Counter
from statistics import fmean
from types import SimpleNamespace
from typing import get_args

import numpy as np
import pytest

from cli.catalog import build_with_vaults
from components import AiState
from engine.monsters.initial_monsters import initial_monsters
from entities.data_files import DataError
from entities.terrain import Tile, terrain
from main import main
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances
from procgen.blueprint import Blueprint, RectangularRoom, Rejected
from procgen.build import build
from procgen.mission import (
    LOCKS,
    Gate,
    Mission,
    MissionEdge,
    MissionRoom,
    always_opens,
    mission_faults,
)
from procgen.missions.cycle_kinds import cycle_kinds, room_name, smallest_mission, with_cycle
from procgen.missions.key_holders import hold_key, key_holders
from procgen.missions.layout import lay_out
from procgen.placement.safe_placement import FreeFloor
from procgen.recipes import current_recipes
from procgen.rng import Rng
from procgen.validate import ASTRAY, broken_invariants
from support.blueprints import run
from support.other_data import read_from

MISSIONS = [
    recipe
    for recipe in current_recipes()
    if any(use.step.name == "lay_out_mission" for use in recipe.steps)
]
PART, PARTS = 25, 10
names = pytest.mark.parametrize("recipe", MISSIONS, ids=lambda recipe: recipe.name)


def reached(tiles, start, opened):
    """Return what can be walked to from ``start`` with the locks at ``opened`` (y, x) open."""
    ground = terrain().walkable[tiles]
    for place in opened:
        ground[place] = True
    return distances(ground, *start) < UNREACHED


WORKS = {
    Tile.LEVER: Tile.PORTCULLIS,
    Tile.WINCH: Tile.DRAWBRIDGE,
    Tile.BRAZIER: Tile.CRYSTAL,
}
LOCK_TILES = (Tile.LOCKED_DOOR, *WORKS.values())


def worked(tiles, start, opened):
    """Return what can be walked to with ``opened`` locks open and every mechanism met used."""
    opened = set(opened)
    while True:
        reach = reached(tiles, start, opened)
        more = {
            tuple(place)
            for mechanism, lock in WORKS.items()
            if (reach & (tiles == mechanism)).any()
            for place in np.argwhere(tiles == lock).tolist()
        }
        if more <= opened:
            return reach
        opened |= more


def stuck_orders(level):
    """Yield the sets of opened doors from which no further one can be opened."""
    tiles = level.tiles
    locks = [tuple(place) for place in np.argwhere(tiles == Tile.LOCKED_DOOR).tolist()]
    seen, pending = {frozenset()}, [frozenset()]
    while pending:
        opened = pending.pop()
        reach = worked(tiles, level.start, opened)
        keys = int((reach & (tiles == Tile.KEY)).sum()) - len(opened)
        beside = [
            (y, x)
            for y, x in locks
            if (y, x) not in opened and any(reach[y + dy, x + dx] for dx, dy in DIRECTIONS)
        ]
        if len(opened) < len(locks) and (keys < 1 or not beside):
            yield opened
        for lock in beside if keys else ():
            if (more := opened | {lock}) not in seen:
                seen.add(more)
                pending.append(more)


def prove(level):
    """Hold a level to what its mission promises, by flood fills on its tiles."""
    mission, tiles = level.mission, level.tiles
    locks = [edge for edge in mission.edges if edge.gate in LOCKS]
    doors = {edge.place[::-1] for edge in locks}
    assert doors == {tuple(p) for p in np.argwhere(np.isin(tiles, LOCK_TILES)).tolist()}
    keyed = {(y, x) for y, x in doors if tiles[y, x] == Tile.LOCKED_DOOR}
    assert worked(tiles, level.start, keyed)[level.exit[::-1]], f"{level.code}: a lock stays shut"
    for lock in WORKS.values():
        assert (tiles == lock).sum() <= 1, f"{level.code}: one mechanism for two locks"
    assert not list(stuck_orders(level)), f"{level.code}: a player can get stuck"
    whole = reached(tiles, level.start, doors)
    assert whole[level.exit[::-1]], f"{level.code}: the exit cannot be reached"
    assert all(whole[room.anchor[::-1]] for room in mission.rooms), (
        f"{level.code}: a room is cut off"
    )
    secrets = {tuple(place) for place in np.argwhere(tiles == Tile.SECRET_DOOR).tolist()}
    for edge in locks:
        rest = reached(tiles, level.start, (doors | secrets) - {edge.place[::-1]})
        sides = [rest[mission.rooms[number].anchor[::-1]] for number in (edge.start, edge.end)]
        assert sum(sides) == 1, f"{level.code}: the lock at {edge.place} can be skipped"
    for edge in mission.edges:
        if edge.gate == "drop":
            prove_drop(level, edge)


def prove_drop(level, edge):
    """Hold a ledge to its promises: a brink above it, ground below, a way back up."""
    (x, y), tiles = edge.place, level.tiles
    assert tiles[y, x] == Tile.LEDGE
    landings = [
        (x + dx, y + dy)
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
        if tiles[y - dy, x - dx] == Tile.BRINK and terrain().walkable[tiles[y + dy, x + dx]]
    ]
    assert landings, f"{level.code}: nobody can jump at {edge.place}"
    one, other = (level.mission.rooms[number].anchor for number in (edge.start, edge.end))
    foot = reached(tiles, landings[0], ())
    assert foot[one[::-1]], f"{level.code}: the drop at {edge.place} strands"
    assert foot[other[::-1]], f"{level.code}: the drop at {edge.place} lands astray"


@names
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))]
)
def test_a_flood_fill_finds_every_lock_openable_and_none_skippable(recipe, part):
    for seed in range(part * PART, part * PART + PART):
        prove(build(recipe.code(seed, 1 + seed % 12, (60, 40))))


@pytest.mark.slow
@names
@pytest.mark.parametrize("part", range(10))
def test_a_flood_fill_finds_nothing_in_thousands_of_full_levels(recipe, part):
    for seed in range(1000 + 250 * part, 1250 + 250 * part):
        prove(build(recipe.code(seed, 1 + seed % 12)))


@names
def test_missions_have_locks_on_the_way_and_use_every_kind_of_cycle(recipe):
    used, gates, critical = set(), set(), 0
    for seed in range(60):
        level = build(recipe.code(seed))
        used.update(level.mission.cycles)
        gates.update(edge.gate for edge in level.mission.edges)
        critical += not reached(level.tiles, level.start, ())[level.exit[::-1]]
        if used == set(cycle_kinds()) and gates == set(get_args(Gate)) and critical >= 5:
            break
    assert used == set(cycle_kinds())
    assert gates == set(get_args(Gate))
    assert critical >= 5, "hardly any level has a lock between start and exit"


def test_there_are_ten_kinds_of_cycle_and_each_is_sound_at_any_length():
    assert len(cycle_kinds()) >= 10
    small = smallest_mission()
    for kind in cycle_kinds().values():
        for seed in range(5):
            assert not list(mission_faults(with_cycle(small, small.edges[0], kind, Rng(seed))))


def test_cycles_nest_up_to_three_deep():
    deep = dict.fromkeys(range(4), 0)
    for seed in range(20):
        plan = Blueprint.solid(80, 45)
        run("main_path", plan, seed)
        run("cycles", plan, seed, least=6, most=6, nested=3, most_rooms=40)
        for edge in plan.mission.edges:
            deep[edge.level] += 1
    assert all(deep.values()), deep


@pytest.mark.parametrize(
    ("way", "fault"),
    [
        ("entry -> cellar -> goal", "there is no purpose 'cellar'"),
        ("entry -moat-> goal", "value 'moat'; it can be crystal, drawbridge"),
        ("entry", "must lead from entry or goal to a room"),
        ("entry -lock-> goal", "there are 0 keys for 1 locks"),
        ("entry -crystal-> goal", "there are 0 braziers for 1 crystals"),
        ("entry -crystal-> brazier -> goal", "a lock cannot be opened in every order"),
        ("entry -drop-> goal", "no open way leads back up the drop from start to exit"),
        ("entry -lock-> key -> goal", "a lock cannot be opened in every order"),
        ("entry -> key -> lever -lock-> rooms 0-1 -portcullis-> goal", "are 1 keys for 0 locks"),
        ("entry -secret-> goal", "nothing but a secret door leads from start to exit"),
    ],
)
def test_a_faulty_kind_of_cycle_is_refused_by_file_and_entry(tmp_path, way, fault):
    (tmp_path / "cycles.toml").write_text(f'[odd]\ntext = "Odd."\nways = ["{way}"]\n')
    with pytest.raises(DataError, match=r"data/cycles.toml: \[odd\]: ways: ") as refusal:
        read_from(tmp_path, cycle_kinds)
    assert fault in str(refusal.value)


@pytest.mark.parametrize(
    ("keys", "locks", "opens"),
    [
        ([0], [(0, 1)], True),
        ([1], [(0, 1)], False),
        ([0, 1], [(0, 1), (1, 2)], True),
        ([0, 1], [(0, 1), (0, 2)], False),  # The one key may be spent on the room without a key.
        ([0, 1, 2], [(0, 1), (0, 2), (0, 3)], False),
        ([0, 0], [(0, 1), (0, 2)], True),
        ([0], [(0, 1), (0, 2)], False),
        ([0, 0], [(0, 1), (2, 3)], False),
    ],
)
def test_spending_a_key_on_the_wrong_lock_is_thought_of(keys, locks, opens):
    assert always_opens(0, keys, locks) is opens


def ring(*gates):
    """Return a mission whose rooms lie in a ring, with these gates from each to the next."""
    rooms = [MissionRoom(f"room {n}", "room", "main") for n in range(len(gates))]
    edges = [MissionEdge(n, (n + 1) % len(gates), "main", gate) for n, gate in enumerate(gates)]
    return Mission(tuple(rooms), tuple(edges))


def test_a_lock_with_a_way_round_and_a_room_without_a_way_are_named():
    round_it = ring("lock", "open", "open")
    keyed = round_it.added(
        [MissionRoom("key 1", "key", "main", "key")], [MissionEdge(0, 3, "main")]
    )
    assert list(mission_faults(keyed)) == ["there is a way around the lock from room 0 to room 1"]
    alone = ring("open", "open", "open").added([MissionRoom("cell", "room", "main")], [])
    assert list(mission_faults(alone)) == ["no way leads to cell"]


def test_a_mission_that_does_not_fit_is_refused_with_room_way_and_reason():
    star = Mission(
        tuple(MissionRoom(f"room {n}", "room", "main") for n in range(6)),
        tuple(MissionEdge(0, n, "main") for n in range(1, 6)),
    )
    with pytest.raises(Rejected, match="no space is left beside room 0 for the ways to come"):
        lay_out(star, (3, 3), [[(1, 1)]] * 6, Rng(1), 4)
    with pytest.raises(Rejected, match="6 rooms are too many for 4 cells"):
        lay_out(star, (2, 2), [[(1, 1)]] * 6, Rng(1), 4)
    with pytest.raises(Rejected, match="room 0 finds no free place on the map"):
        lay_out(star, (3, 3), [[(4, 1)]] * 6, Rng(1), 4)


def test_a_layout_joins_what_the_graph_joins_and_no_cell_serves_two():
    for seed in range(30):
        mission = ring(*["open"] * 7)
        layout = lay_out(mission, (7, 6), [[(1, 1), (2, 1)]] * 7, Rng(seed), 5)
        cells = [
            (x + dx, y + dy)
            for x, y, width, height in layout.rects.values()
            for dx in range(width)
            for dy in range(height)
        ]
        cells += [cell for route in layout.routes.values() for cell in route]
        assert len(cells) == len(set(cells))
        assert sorted(layout.routes) == list(range(7))
        for number, route in layout.routes.items():
            edge = mission.edges[number]
            chain = [layout.rects[edge.start], *((*cell, 1, 1) for cell in route)]
            for one, other in zip(chain, [*chain[1:], layout.rects[edge.end]], strict=True):
                assert share_a_side(one, other), (seed, number)


def share_a_side(one, other):
    (x, y, width, height), (x2, y2, wide, high) = one, other
    across = min(x + width, x2 + wide) - max(x, x2)
    down = min(y + height, y2 + high) - max(y, y2)
    return min(across, down) == 0 and max(across, down) > 0


def paths(*extra):
    plan = Blueprint.solid(80, 45)
    run("main_path", plan, least=3, most=3)
    for step, parameters in extra:
        run(step, plan, **parameters)
    return plan.mission


def test_a_lock_goes_on_a_path_by_name_and_its_key_on_another():
    side = ("side_path", {"name": "cellar", "rooms": 1})
    mission = paths(side, ("lock", {"locks": "cellar", "key_on": "main"}))
    (shut,) = mission.gated("lock")
    assert shut.path == "cellar"
    (key,) = [room for room in mission.rooms if room.holds == "key"]
    assert key.path == "main"
    assert not list(mission_faults(mission))


def test_what_cannot_be_locked_and_paths_that_do_not_exist_are_refused():
    ring = ("side_path", {"name": "loop", "rooms": 1, "rejoins": True})
    with pytest.raises(Rejected, match="no edge of 'loop' can be locked with a key on 'main'"):
        paths(ring, ("lock", {"locks": "loop"}))
    with pytest.raises(Rejected, match="the mission has no path 'attic'"):
        paths(("side_path", {"leaves": "attic"}))
    with pytest.raises(Rejected, match="the mission has no path 'attic'"):
        paths(("cycles", {"path": "attic"}))


def test_a_hole_in_a_wall_breaks_the_promise():
    recipe = MISSIONS[0]
    level = next(
        made for seed in range(50) if (made := build(recipe.code(seed))).mission.gated("lock")
    )
    plan = Blueprint(level.tiles.copy(), mission=level.mission, rooms=list(level.rooms))
    plan.start, plan.exit, plan.spawns = level.start, level.exit, list(level.spawns)
    assert not list(broken_invariants(plan))
    (edge, *_) = level.mission.gated("lock")
    plan.tiles[edge.place[::-1]] = Tile.DOOR
    assert ASTRAY in broken_invariants(plan)


@names
def test_check_finds_no_broken_promise(recipe, capsys):
    assert main(["check", "--generator", recipe.name, "--seeds", "0:4"]) == 0
    assert "broken:" not in capsys.readouterr().out


def test_there_are_eight_ways_to_hold_a_key_and_the_catalog_lists_them():
    names = {name.replace("_", " ") for name in key_holders()}
    assert len(names) >= 8
    listed = set()
    for seed in range(16):
        for recipe in MISSIONS:
            _, found = build_with_vaults(recipe.code(seed, 8))
            listed |= {words.partition(" (")[2].rstrip(")") for words in found if " (" in words}
        if listed >= names:
            break
    assert listed == names


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ('map = "xx"', "needs one '@'"),
        ('map = "@"', "and more around it"),
        ('map = "@?Q"', "there is no tile 'Q'"),
        ('map = "@g"\nkinds = { g = "unicorn" }', "there is no creature 'unicorn'"),
    ],
)
def test_a_faulty_way_to_hold_a_key_is_refused_by_file_and_entry(tmp_path, entry, fault):
    (tmp_path / "key_holders.toml").write_text(f'[odd]\ntext = "Odd."\n{entry}\n')
    with pytest.raises(DataError, match=r"data/key_holders.toml: \[odd\]: ") as refusal:
        read_from(tmp_path, key_holders)
    assert fault in str(refusal.value)


@pytest.mark.parametrize("key", [(5, 4), (3, 3), (3, 4)])
def test_the_way_to_hold_a_key_is_one_whose_pieces_all_have_room_if_there_is_one(key):
    site = SimpleNamespace(box=RectangularRoom(3, 2, 5, 5))
    for seed in range(12):
        plan = Blueprint.solid(20, 12, 30)
        plan.tiles[site.box.inner] = Tile.FLOOR
        floor = FreeFloor(plan)
        room = {
            name: fmean(3 <= key[0] + dx < 8 and 2 <= key[1] + dy < 7 for dx, dy, _ in way.pieces)
            for name, way in key_holders().items()
        }
        chosen = room[hold_key(plan, floor, site, "key", key, Rng(seed, "test"))]
        assert chosen == 1 or (chosen > 0.5 and max(room.values()) < 1)


def test_no_two_rooms_of_a_mission_have_one_name():
    used = Counter()
    names = [room_name(purpose, used) for purpose in ("hall", "room", "hall", "hall")]
    assert names == ["hall 1", "room 1", "hall 2", "hall 3"]


def test_those_beside_a_key_sleep():
    beside = 0
    for seed in range(10):
        level = build(MISSIONS[0].code(seed, 5))
        for one in initial_monsters(level):
            around = level.tiles[one.y - 1 : one.y + 2, one.x - 1 : one.x + 2]
            if np.isin(around, (Tile.KEY, *WORKS)).any():
                beside += 1
                assert one.state in (AiState.ASLEEP, AiState.HIDDEN)
    assert beside
