"""What a chunk that leaves the map takes along, what it forgets, and when the window moves."""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from components import AiState
from engine.infinite import infinite_map
from engine.infinite.infinite_map import (
    FIRE_DISTANCE,
    LOAD_DISTANCE,
    RADIUS,
    SLACK,
    SPAN,
    InfiniteMap,
    put_out_far_fires,
    unload_chunk,
)
from engine.infinite.saved_chunks import unpack_chunk, unpack_mask
from entities.terrain import Tile
from procgen.blueprint import paste_clipped
from procgen.chunk import SIDE
from support.items import first, lay
from support.rule_scenes import put
from support.scenes import scene

WIDE = SIDE + 20
BOX = np.s_[2 : 2 + SIDE, 3 : 3 + SIDE]


ONE_ORC = SimpleNamespace(monsters=[SimpleNamespace(kind="orc")], items=[])
EMPTY = SimpleNamespace(monsters=[], items=[])


def land(*orcs):
    """Return an engine on open ground that is larger than a chunk, the hero beyond the chunk."""
    rows = [["."] * WIDE for _ in range(SIDE + 6)]
    rows[0][0] = "@"
    for x, y in orcs:
        rows[y][x] = "o"
    engine = scene("\n".join(map("".join, rows)))
    engine.state.map.explored[:] = False
    return engine


@pytest.mark.parametrize("place", [(3, 2), (2 + SIDE, 1 + SIDE), (40, 60)])
def test_a_chunk_takes_along_its_creatures_items_and_changes_from_corner_to_corner(place):
    engine = land(place)
    game_map, orc = engine.state.map, first(engine, "orc")
    lay(engine, "dagger", *place)
    game_map.set_tile(*place, Tile.RUBBLE)
    game_map.explored[place[1], place[0]] = True
    orc.ai.goal = (5, 5)
    saved = unpack_chunk(unload_chunk(game_map, BOX, ONE_ORC))
    local = place[0] - 3, place[1] - 2
    assert [(one.kind, one.x, one.y) for one in saved.entities] == [("orc", *local)]
    assert saved.entities[0].ai.goal is None
    assert [(x, y, [item.kind for item in pile]) for x, y, pile in saved.items] == [
        (*local, ["dagger"])
    ]
    assert dict(saved.changes) == {local[1] * SIDE + local[0]: Tile.RUBBLE}
    assert np.argwhere(unpack_mask(SIDE, SIDE, saved.explored)).tolist() == [[local[1], local[0]]]
    assert not game_map.items
    assert not game_map.changes
    assert game_map.entity_at(*place) is None


@pytest.mark.parametrize("place", [(2, 2), (3, 1), (3 + SIDE, 40), (40, 2 + SIDE)])
def test_what_lies_a_tile_beyond_the_chunk_stays(place):
    engine = land(place)
    game_map = engine.state.map
    lay(engine, "dagger", *place)
    game_map.set_tile(*place, Tile.RUBBLE)
    game_map.explored[place[1], place[0]] = True
    assert unload_chunk(game_map, BOX, EMPTY) is None
    assert game_map.entity_at(*place) is first(engine, "orc")
    assert list(game_map.items) == [place]
    assert list(game_map.changes) == [place[1] * WIDE + place[0]]


@pytest.mark.parametrize("state", AiState)
def test_who_follows_the_hero_wanders_when_its_chunk_is_gone(state):
    engine = land((9, 9))
    orc = first(engine, "orc")
    orc.ai.state, orc.ai.state_turns_left, orc.ai.goal = state, 5, (9, 9)
    unload_chunk(engine.state.map, BOX, ONE_ORC)
    follows = state in (AiState.HUNTING, AiState.SEARCHING, AiState.FLEEING)
    assert orc.ai.state is (AiState.WANDERING if follows else state)
    assert orc.ai.state_turns_left == (0 if follows else 5)
    assert orc.ai.goal is None


@pytest.mark.parametrize(
    "change",
    ["nothing", "hurt", "laden", "rich", "called", "seen", "changed", "gone", "come", "littered"],
)
def test_a_chunk_is_kept_only_if_something_in_it_is_not_as_it_was(change):
    engine = land((9, 9))
    game_map, orc = engine.state.map, first(engine, "orc")
    match change:
        case "hurt":
            orc.fighter.hp -= 1
        case "laden":
            dagger = lay(engine, "dagger", 0, 1)
            game_map.remove_item(dagger, 0, 1)
            orc.inventory.append(dagger)
        case "rich":
            orc.ai.stolen_gold = 1
        case "called":
            orc.spawned_in_play = True
        case "seen":
            game_map.explored[50, 50] = True
        case "changed":
            game_map.set_tile(50, 50, Tile.WALL)
        case "gone":
            game_map.move_entity(orc, 0, 1)
        case "come":
            put(engine, "orc", 10, 9)
        case "littered":
            lay(engine, "dagger", 9, 9)
    assert (unload_chunk(game_map, BOX, ONE_ORC) is None) == (change == "nothing")


def test_fires_go_out_when_they_are_far_away():
    game_map = scene("@.\n..").state.map
    far = FIRE_DISTANCE + 1
    near = [(100 + dx, 80 + dy) for dx, dy in product((-FIRE_DISTANCE, 0, FIRE_DISTANCE), repeat=2)]
    out = [(100 + far, 80), (100 - far, 80), (100, 80 + far), (100, 80 - far)]
    game_map.fires = dict.fromkeys([*near, *out], 3)
    put_out_far_fires(game_map, 100, 80)
    assert game_map.fires == dict.fromkeys(near, 3)


@pytest.mark.parametrize(
    "move", [*product((-4, -1, 0, 2), repeat=2), (6, 0), (-6, 1), (0, 5), (8, -9), (-8, 9)]
)
def test_an_array_moves_with_the_window_and_what_is_new_is_empty(move):
    old = np.arange(1, 31).reshape(5, 6)
    new = np.zeros_like(old)
    paste_clipped(new, old, -move[0], -move[1])
    for y, x in np.ndindex(old.shape):
        a, b = x + move[0], y + move[1]
        assert new[y, x] == (old[b, a] if 0 <= a < 6 and 0 <= b < 5 else 0)


def window():
    """Return an infinite map without a world."""
    game_map = InfiniteMap.__new__(InfiniteMap)
    game_map.place_window((10, -7))
    game_map.chunks, game_map.saved_chunks = {}, {}
    return game_map


@pytest.mark.parametrize(
    "place", [(600, 700), (0, 0), (SPAN - 1, SPAN - 1), (255, 256), (112, 111)]
)
@pytest.mark.parametrize("reach", [0, 1, LOAD_DISTANCE, 300])
def test_chunks_near_a_place_are_those_with_a_tile_within_reach(place, reach):
    game_map, (x, y) = window(), place
    wanted = [
        (10 + column, row - 7)
        for row, column in product(range(2 * RADIUS + 1), repeat=2)
        if column * SIDE <= x + reach
        and (column + 1) * SIDE > x - reach
        and row * SIDE <= y + reach
        and (row + 1) * SIDE > y - reach
    ]
    assert game_map._chunks_near(x, y, reach) == wanted


def test_a_chunk_has_its_box_in_the_window():
    assert window().box((10, -7)) == np.s_[0:SIDE, 0:SIDE]
    assert window().box((12, -6)) == np.s_[SIDE : 2 * SIDE, 2 * SIDE : 3 * SIDE]


LOW, HIGH = RADIUS * SIDE - SLACK, (RADIUS + 1) * SIDE + SLACK


@pytest.mark.parametrize(
    ("place", "chunks"),
    [
        ((LOW, LOW), (0, 0)), ((HIGH - 1, HIGH - 1), (0, 0)), ((LOW - 1, 600), (-1, 0)),
        ((600, LOW - 1), (0, -1)), ((HIGH, 600), (1, 0)), ((600, HIGH), (0, 1)),
        ((0, SPAN - 1), (-2, 2)),
    ],
)  # fmt: skip
def test_the_window_moves_by_chunks_when_the_hero_is_too_far_from_its_middle(
    place, chunks, monkeypatch
):
    told, unloaded = [], []
    monkeypatch.setattr(infinite_map, "finish_growth", lambda *_: None)
    monkeypatch.setattr(infinite_map, "shift_map", lambda _, *by: told.append(by))
    monkeypatch.setattr(
        infinite_map, "unload_chunk", lambda _, box, __: unloaded.append(box) or b"kept"
    )
    game_map = window()
    every = [(10 + x, y - 7) for y, x in product(range(2 * RADIUS + 1), repeat=2)]
    game_map.chunks = dict.fromkeys(every)
    moved = game_map._move_window(*place, lambda: 1)
    assert moved == (chunks[0] * SIDE, chunks[1] * SIDE)
    assert told == ([moved] if any(chunks) else [])
    left, top = 10 + chunks[0], chunks[1] - 7
    assert game_map.corner == (left, top)
    stay = [(x, y) for x, y in every if left <= x < left + 5 and top <= y < top + 5]
    assert list(game_map.chunks) == stay
    assert set(game_map.saved_chunks) == set(every) - set(stay)
    assert len(unloaded) == len(every) - len(stay)
