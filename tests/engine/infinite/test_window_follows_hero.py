"""The window of an infinite world follows the hero: which chunks are loaded, which fires go on."""

from itertools import product
from types import SimpleNamespace

import pytest

from engine.infinite.chunk_loader import ChunkLoader
from engine.infinite.infinite_map import (
    FIRE_DISTANCE,
    LOAD_DISTANCE,
    RADIUS,
    SLACK,
    SPAN,
    InfiniteMap,
)
from engine.levels.dungeon import new_game
from procgen.chunk import SIDE
from support.infinite_walks import SETUP

LOW, HIGH = RADIUS * SIDE - SLACK, (RADIUS + 1) * SIDE + SLACK - 1
MIDDLE = SPAN // 2


@pytest.fixture(scope="module")
def level():
    return new_game(SETUP).map.level


@pytest.fixture
def bare_map(level, monkeypatch):
    """A window on whose chunks there is nothing."""

    def load(game_map, chunk, _):
        game_map.chunks[chunk] = SimpleNamespace(monsters=(), items=())

    monkeypatch.setattr(InfiniteMap, "_load", load)
    monkeypatch.setattr(ChunkLoader, "prefetch", lambda *_, **__: None)
    return InfiniteMap(level)


def chunks_around(x, y):
    """Return the chunks with a tile within `LOAD_DISTANCE` of a place of the world."""
    near = [range((at - LOAD_DISTANCE) // SIDE, (at + LOAD_DISTANCE) // SIDE + 1) for at in (x, y)]
    return set(product(*near))


@pytest.mark.parametrize("x", [LOW - 1, LOW, MIDDLE, HIGH, HIGH + 1, SPAN - 120])
@pytest.mark.parametrize("y", [120, LOW - 1, LOW, MIDDLE + 30, HIGH, HIGH + 1])
def test_the_window_moves_by_chunks_once_the_hero_is_far_from_its_middle(bare_map, x, y):
    left, top = bare_map.origin
    inside = LOW <= x <= HIGH and LOW <= y <= HIGH
    fires = [
        (x + dx, y + dy) for dx, dy in product((0, -FIRE_DISTANCE, FIRE_DISTANCE + 1), repeat=2)
    ]
    bare_map.fires = dict.fromkeys(fires, 5)
    moved = bare_map.recentre(x, y, iter(range(99)).__next__)
    assert moved == ((0, 0) if inside else tuple((at // SIDE - RADIUS) * SIDE for at in (x, y)))
    assert bare_map.origin == (left + moved[0], top + moved[1])
    assert bare_map.corner == tuple(at // SIDE for at in bare_map.origin)
    assert set(bare_map.chunks) == chunks_around(left + x, top + y), "whatever the window does"
    assert {(at[0] + moved[0], at[1] + moved[1]) for at in bare_map.fires} == {
        (a, b) for a, b in fires if max(abs(a - x), abs(b - y)) <= FIRE_DISTANCE
    }


@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)])
def test_chunks_that_the_window_leaves_are_unloaded_and_loaded_again_on_the_way_back(bare_map, way):
    number = iter(range(99)).__next__
    bare_map.recentre(MIDDLE, MIDDLE, number)
    home = set(bare_map.chunks)
    for _ in range(3):
        bare_map.recentre(MIDDLE + SIDE * way[0], MIDDLE + SIDE * way[1], number)
        left, top = bare_map.corner
        span = range(2 * RADIUS + 1)
        assert all(one[0] - left in span and one[1] - top in span for one in bare_map.chunks)
    assert not home & set(bare_map.chunks)
    for _ in range(3):
        bare_map.recentre(MIDDLE - SIDE * way[0], MIDDLE - SIDE * way[1], number)
    assert home <= set(bare_map.chunks)
    assert not bare_map.saved_chunks, "nothing was seen or changed"
