"""Where the monsters of a level stand at the start, and what they are doing."""

from collections import Counter
from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from components import AiState
from engine.levels.populate import populated_map
from engine.monsters.initial_monsters import (
    AMBUSH_FREE,
    BOSS_DISTANCE,
    CALM_RANGE,
    InitialMonster,
    _ambush_place,
    _initial_state,
    initial_monsters,
)
from engine.state.run_setup import RunSetup
from entities.creature_kinds import Hiding, MonsterTraits, creature_kinds
from entities.terrain import Tile, terrain
from procgen.analysis.distances import distances
from procgen.blueprint import Point, Spawn
from procgen.level_code import FROM_FILE
from procgen.rng import Rng
from support.scenes import level_of

ROW = "#" * 60 + "\n" + "\n".join(["#" + "." * 58 + "#"] * 9) + "\n" + "#" * 60


def hall(start, *treasures, tile=Tile.TREASURE, depth=1, spawns=(), exit_=(58, 9)):
    level = replace(
        level_of(ROW, depth), start=Point(*start), exit=Point(*exit_), spawns=tuple(spawns)
    )
    for x, y in treasures:
        level.tiles[y, x] = tile
    return level


def ambush(level, spawn, hides):
    free = terrain().walkable[level.tiles] & (level.tiles != Tile.DOOR)
    before = free.copy()
    place = _ambush_place(level, free, Spawn("rat", *spawn), MonsterTraits(hides=hides))
    changed = [(x, y) for y, x in np.argwhere(before != free).tolist()]
    assert changed == ([place] if place else []), "its place is taken, nothing else"
    return place


@pytest.mark.parametrize("start", [(20, 5), (5, 1), (50, 9)])
@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)])
@pytest.mark.parametrize(("far", "hidden"), [(AMBUSH_FREE - 1, False), (AMBUSH_FREE, True)])
def test_no_ambush_is_near_the_start(start, way, far, hidden):
    x, y = start[0] + way[0] * far, start[1] + way[1] * far
    if 0 < x < 59 and 0 < y < 10:
        found = ambush(hall(start, (x, y)), (30, 5) if abs(x - 30) < 15 else (x, 5), "treasure")
        assert found == ((x, y) if hidden else None)


@pytest.mark.parametrize("off", [(15, 3), (-15, 0), (2, -4)])
def test_an_ambush_is_the_nearest_place_within_reach_of_the_spawn(off, monkeypatch):
    monkeypatch.setattr("engine.monsters.initial_monsters.AMBUSH_SEARCH", 15)
    spawn, place = (30, 5), (30 + off[0], 5 + off[1])
    assert ambush(hall((58, 1), place, (place[0], 9)), spawn, Hiding.TREASURE) in (
        place, (place[0], 9),
    )  # fmt: skip
    assert ambush(hall((58, 1), place), spawn, Hiding.TREASURE) == place
    assert ambush(hall((58, 1), place), spawn, Hiding.PLACE) is None, "it hides where it is"
    among = ambush(hall((58, 1), place, tile=Tile.STATUE), spawn, Hiding.PLACE)
    assert max(abs(among.x - place[0]), abs(among.y - place[1])) == 1, "beside a statue"
    assert ambush(hall((58, 1), place), spawn, Hiding.NOWHERE) is None
    further = (30 + 16 * (-1 if off[0] < 0 else 1), 5)
    assert ambush(hall((58, 1), further), spawn, Hiding.TREASURE) is None
    assert ambush(hall((58, 1)), spawn, Hiding.TREASURE) is None


@pytest.mark.parametrize("tile", [Tile.DOOR, Tile.SECRET_DOOR])
@pytest.mark.parametrize("door", [(30, 5), (20, 1), (40, 9)])
def test_beside_a_door_is_any_of_the_eight_tiles_around_it(tile, door):
    around = {(door[0] + dx, door[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {door}
    inside = {(x, y) for x, y in around if 0 < x < 59 and 0 < y < 10}
    found = set()
    for x, y in inside:
        level = hall((58, 5), door, tile=tile)
        for a, b in inside - {(x, y)}:
            level.tiles[b, a] = Tile.WALL
        found.add(ambush(level, (door[0] + 3, 5), Hiding.DOOR))
    assert found == inside
    level = hall((58, 5), door, tile=tile)
    for a, b in inside:
        level.tiles[b, a] = Tile.WALL
    assert ambush(level, door, Hiding.DOOR) is None, "never in the door itself"


def moods(**traits):
    return Counter(_initial_state(MonsterTraits(**traits), Rng(s, "test")) for s in range(300))


def test_monsters_sleep_roam_or_wait_by_their_shares():
    assert moods(asleep=1.0) == {AiState.ASLEEP: 300}
    assert moods(asleep=0.0, roams=1.0) == {AiState.WANDERING: 300}
    assert moods(asleep=0.0, roams=0.0) == {AiState.IDLE: 300}
    assert moods(asleep=1.0, hides="place") == {AiState.HIDDEN: 300}
    found = moods(asleep=0.4, roams=0.5)
    assert 90 <= found[AiState.ASLEEP] <= 150
    assert 60 <= found[AiState.WANDERING] <= 120
    assert 60 <= found[AiState.IDLE] <= 120


@pytest.mark.parametrize(("depth", "far", "calm"), [
    (1, CALM_RANGE - 1, True), (1, CALM_RANGE, False), (2, 3, False)
])  # fmt: skip
@pytest.mark.parametrize("side", [-1, 1])
def test_on_the_first_depth_none_is_awake_near_the_start(depth, far, calm, side):
    start = (30, 2)
    spawns = [Spawn("goblin", 30 + side * far, y) for y in range(1, 10)] * 6
    found = initial_monsters(hall(start, depth=depth, spawns=spawns))
    states = {one.state for one in found}
    assert (states == {AiState.ASLEEP}) == calm
    assert [(one.x, one.y) for one in found] == [(one.x, one.y) for one in spawns]


@pytest.mark.parametrize(("x", "y"), [(30, 4), (31, 5), (29, 6), (30, 5), (1, 1)])
def test_who_stands_beside_a_key_dozes(x, y):
    key = Tile.KEY
    spawns = [Spawn("goblin", x, y)] * 30
    near = hall((58, 5), (30, 5), (1, 1), tile=key, depth=3, spawns=spawns)
    assert {one.state for one in initial_monsters(near)} == {AiState.ASLEEP}
    for dx, dy in ((2, 0), (-2, 0), (0, 2), (0, -2)):
        away = hall((58, 9), (30, 5), tile=key, depth=3,
            spawns=[Spawn("goblin", 30 + dx, 5 + dy)] * 30)  # fmt: skip
        assert {one.state for one in initial_monsters(away)} != {AiState.ASLEEP}


def test_bosses_wait_by_the_exit_of_their_depth_with_their_escort():
    for name, kind in creature_kinds().items():
        if not kind.lair:
            continue
        level = hall((2, 2), depth=kind.lair, spawns=[Spawn("rat", 55, 9)])
        rat, boss, *others = initial_monsters(level)
        assert rat.kind == "rat"
        assert (boss.kind, boss.state) == (name, AiState.IDLE)
        steps = distances(terrain().walkable[level.tiles], *level.exit)
        assert steps[boss.y, boss.x] == BOSS_DISTANCE
        escort = Counter(one.kind for one in others)
        for other, (low, high) in kind.traits.escort.items():
            assert low <= escort[other] <= high
        assert set(escort) <= set(kind.traits.escort)
        places = [(one.x, one.y) for one in (rat, boss, *others)]
        assert len(set(places)) == len(places)
        assert all(abs(steps[one.y, one.x] - BOSS_DISTANCE) <= 1 for one in others)
        assert not initial_monsters(hall((2, 2), depth=kind.lair + 1))
        assert not initial_monsters(hall((2, 2), depth=kind.lair - 1))


def test_a_monster_is_born_as_it_is_listed():
    born = InitialMonster("rat", 3, 4, AiState.WANDERING).to_entity(17, 1)
    assert (born.id, born.kind, born.x, born.y) == (17, "rat", 3, 4)
    assert born.ai.state is AiState.WANDERING


@pytest.mark.parametrize(("places", "nearest"), [
    ([(30, 8), (30, 1)], (30, 8)), ([(30, 9), (30, 2)], (30, 2)), ([(33, 5), (26, 5)], (33, 5)),
    ([(34, 5), (27, 5)], (27, 5)), ([(33, 8), (26, 2)], (33, 8)),
])  # fmt: skip
def test_of_two_ambush_places_the_nearest_in_columns_and_rows_is_taken(places, nearest):
    assert ambush(hall((58, 1), *places), (30, 5), Hiding.TREASURE) == nearest


@pytest.mark.parametrize(
    ("gold", "ground", "state"),
    [
        ([(30, 5)], Tile.FLOOR, AiState.HIDDEN),
        ([], Tile.FLOOR, AiState.HIDDEN),
        ([], Tile.REEDS, AiState.ASLEEP),
    ],
)
def test_a_mimic_lies_in_ambush_as_gold_and_brings_some_if_there_is_none(gold, ground, state):
    level = hall((1, 1), *gold, depth=3, spawns=[Spawn("mimic", 28, 5)])
    level.tiles[5, 28] = ground
    (mimic,) = [one for one in initial_monsters(level) if one.kind == "mimic"]
    assert mimic.state is state
    assert (mimic.x, mimic.y) == (gold or [(28, 5)])[0]
    ids = count(1)
    tiles = populated_map(level, RunSetup(1, "1"), lambda: next(ids)).tiles
    assert (tiles[mimic.y, mimic.x] == Tile.TREASURE) == (state is AiState.HIDDEN)
    assert (tiles == Tile.TREASURE).sum() == (state is AiState.HIDDEN)


def test_the_monsters_of_a_file_stay_where_it_puts_them():
    level = hall((1, 1), (20, 5), tile=Tile.STATUE, spawns=[Spawn("gargoyle", 28, 5)])
    (moved,) = initial_monsters(level)
    assert (moved.x, moved.y) != (28, 5)
    (kept,) = initial_monsters(replace(level, code=replace(level.code, recipe=FROM_FILE)))
    assert (kept.x, kept.y, kept.state) == (28, 5, AiState.HIDDEN)


def test_an_ambush_is_behind_no_wall():
    level = hall((1, 1), (20, 5), tile=Tile.STATUE, spawns=[Spawn("gargoyle", 28, 5)])
    level.tiles[:, 24] = Tile.WALL
    (stays,) = initial_monsters(level)
    assert (stays.x, stays.y) == (28, 5)


def test_a_spider_of_a_file_hides_beside_a_door_and_sleeps_elsewhere():
    level = hall((1, 1), (29, 5), tile=Tile.DOOR, spawns=[Spawn("spider", x, 5) for x in (28, 40)])
    spiders = initial_monsters(replace(level, code=replace(level.code, recipe=FROM_FILE)))
    assert [one.state for one in spiders] == [AiState.HIDDEN, AiState.ASLEEP]
