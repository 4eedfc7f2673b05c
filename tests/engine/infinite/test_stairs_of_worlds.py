"""Stairs to and from infinite worlds."""

import pytest
from msgspec.structs import replace

from engine.infinite.chunk_loader import ChunkLoader
from engine.infinite.infinite_map import SPAN
from engine.levels.dungeon import forget_furthest
from engine.levels.stored_levels import unpack_level
from engine.saves.saved_state import load_state, save_state
from engine.state.actions import Climb, Descend, Move, Refused, Visit
from engine.state.compression import InvalidSave
from engine.state.events import Arrived
from engine.state.run_setup import Mode
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from support.infinite_walks import SETUP, by_the_border, place, tough
from support.scenes import kinds
from support.stairs import stand_on, take, written


@pytest.fixture
def engine(monkeypatch):
    """A game in an infinite world whose chunks are only made when they are needed."""
    monkeypatch.setattr(ChunkLoader, "prefetch", lambda *_, **__: None)
    return by_the_border()


def test_in_the_workshop_too_the_stairs_of_a_world_are_taken_on_purpose_only(engine):
    state = engine.state
    state.setup = replace(SETUP, mode=Mode.WORKSHOP)
    x, y = state.hero.x, state.hero.y
    dx, dy = next(way for way in DIRECTIONS if not state.map.is_blocked(x + way[0], y + way[1]))
    state.map.set_tile(x + dx, y + dy, Tile.ENTRANCE)
    state.map.exit = Point(x + dx, y + dy)  # As after a visit to the dungeon below.
    assert Arrived not in kinds(engine.step(Move(dx, dy)))
    assert Arrived in kinds(engine.step(Descend()))


@pytest.mark.parametrize("action", [Climb(), Descend()])
def test_stairs_to_a_new_world_lead_to_where_it_begins(engine, action):
    state = engine.state
    engine.step(Visit("caves:7:4"))
    stand_on(engine, state.map.start if isinstance(action, Climb) else state.map.exit)
    assert not isinstance(engine.step(action), Refused)
    assert state.map.is_infinite
    assert place(state) == state.code.place
    assert engine.step(Climb()) == Refused("no way up here")


@pytest.mark.parametrize(
    ("field", "value", "fine"),
    [
        ("exit", (SPAN - 1, SPAN - 1), True),
        ("exit", (SPAN, 0), False),
        ("exit", (0, -1), False),
        ("loaded", [(4, 3)], True),
        ("loaded", [(5, 3)], False),
        ("loaded", [(4, -1)], False),
    ],
)
def test_a_world_above_that_cannot_be_is_refused_before_the_hero_climbs_to_it(
    engine, field, value, fine
):
    state = engine.state
    state.map.set_tile(state.hero.x, state.hero.y, Tile.ENTRANCE)
    engine.step(Descend())
    world = unpack_level(state.stored_levels[1])
    left, top = world.atlas.corner
    if field == "loaded":
        value = [(left + column, top + row) for column, row in value]
    forged = replace(world, atlas=replace(world.atlas, **{field: value}))
    saved = replace(save_state(state), stored_levels={1: written(forged)})
    if fine:
        assert load_state(state.setup, saved).stored_levels
    else:
        with pytest.raises(InvalidSave, match=r"(on|off) the map"):
            load_state(state.setup, saved)


def test_below_a_world_only_levels_deeper_than_the_hero_are_forgotten(engine):
    state = engine.state
    state.map.set_tile(state.hero.x, state.hero.y, Tile.ENTRANCE)
    engine.step(Descend())
    for action in (Descend(), Descend(), Climb()):
        take(engine, action)
        tough(state)
    assert [*state.stored_levels] == [1, 2, 4]
    assert forget_furthest(state)
    assert not forget_furthest(state)
    assert take(engine, Climb()).depth == 2, "no stairs lead past a level"
    assert take(engine, Climb()).depth == 1
    assert state.map.is_infinite


@pytest.mark.parametrize("far", [30, 4000, -900])
def test_a_visit_to_a_place_of_the_same_world_keeps_what_is_known_of_it(engine, far):
    state, (x, y) = engine.state, place(engine.state)
    known, game_map, name = int(state.map.explored.sum()), state.map, state.code
    state.map.set_tile(state.hero.x + 1, state.hero.y, Tile.STATUE)
    assert Arrived in kinds(engine.step(Visit(f"wilds:42@{x + far},{y}")))
    assert state.map is game_map
    assert state.code == name
    assert max(abs(place(state)[0] - x - far), abs(place(state)[1] - y)) < 200
    assert state.map.entity_at(state.hero.x, state.hero.y) is state.hero
    assert sum(creature is state.hero for creature in state.map.entities.values()) == 1
    engine.step(Visit(f"wilds:42@{x},{y}"))
    assert state.map.tiles[y - state.map.origin[1], x + 1 - state.map.origin[0]] == Tile.STATUE
    assert int(state.map.explored.sum()) + bool(state.map.saved_chunks) >= known
    engine.step(Visit(f"wilds:43@{x},{y}"))
    assert state.map is not game_map
