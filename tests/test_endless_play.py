"""Playing where there is no edge: the map moves on, and nothing is lost."""

import numpy as np
import pytest
from msgspec.structs import replace
from tcod.console import Console

from components.inventory import Item
from engine.engine import Engine
from engine.infinite.chunk_loader import Surveyor
from engine.infinite.infinite_map import NEAR, SPAN
from engine.pathfinding.auto_travel import explore
from engine.pathfinding.known_paths import way_down
from engine.saves.saved_state import capture, pack, restore, unpack
from engine.state.actions import Climb, Descend, Refused, Visit, Wait
from engine.state.compression import BadState
from engine.state.events import Arrived, Shifted
from engine.state.game_state import World
from engine.state.run_setup import Mode, Setup
from engine.terrain.tile_effects import trap_at
from entities.terrain import Tile, terrain
from procgen.chunk import SIDE
from procgen.infinite.chunk_window import assembled
from procgen.world_types import realms
from render.map.map_view import draw_ground
from render.map.viewport import View, ground_of
from wandering import BY_THE_BORDER, SETUP, eastward, go, jump, place, tough


@pytest.fixture(autouse=True)
def at_leisure(monkeypatch):
    """Nobody makes chunks in the background that no test comes to."""
    monkeypatch.setattr(Surveyor, "expect", lambda *_, **__: None)


@pytest.fixture
def engine():
    found = Engine(World(SETUP))
    found.step(Visit(BY_THE_BORDER))
    tough(found.world)
    return found


def test_the_map_shows_the_world_and_goes_with_the_hero(engine):
    world = engine.world
    before, where = world.map.origin, place(world)
    events = go(engine.step, world, eastward(world))
    assert [event for event in events if isinstance(event, Shifted)] == [Shifted(SIDE, 0)]
    assert world.map.origin == (before[0] + SIDE, before[1])
    assert place(world)[0] == where[0] + 90
    assert world.map.entity_at(world.hero.x, world.hero.y) is world.hero
    assert world.map.seen[world.hero.y, world.hero.x]
    x, y = world.hero.x - NEAR, world.hero.y - NEAR
    tiles, _ = assembled(
        realms()["wilds"], 42, x + world.map.origin[0], y + world.map.origin[1], 2 * NEAR, 2 * NEAR
    )
    shown = world.map.tiles[y : y + 2 * NEAR, x : x + 2 * NEAR]
    assert (shown != tiles).sum() <= len(world.map.changes)


def test_what_one_has_changed_and_left_behind_is_there_when_one_comes_back(engine):
    world = engine.world
    home, (x, y) = place(world), (world.hero.x + 1, world.hero.y)
    world.map.set_tile(x, y, Tile.STATUE)
    world.map.lay(Item(world.number(), "healing_potion"), x, y)
    explored = world.map.explored.sum()
    creatures = len(world.map.entities)
    while not world.map.left:
        jump(engine, world.hero.x + 90, world.hero.y)
    assert place(world)[0] > home[0] + 2 * SIDE
    assert len(world.map.entities) < 20 * creatures
    while place(world)[0] > home[0] + 1:
        left = home[0] - place(world)[0]
        jump(engine, world.hero.x + max(-90, left), world.hero.y)
    assert world.map.contains(home[0] + 1 - world.map.origin[0], home[1] - world.map.origin[1])
    x, y = home[0] + 1 - world.map.origin[0], home[1] - world.map.origin[1]
    assert world.map.tiles[y, x] == Tile.STATUE
    assert [item.kind for item in world.map.items_at(x, y)] == ["healing_potion"]
    assert world.map.explored.sum() >= explored


def test_a_state_comes_back_with_the_same_digest_and_future(engine):
    world = engine.world
    go(engine.step, world, eastward(world))
    other = Engine(restore(SETUP, unpack(pack(capture(world)))))
    assert other.world.digest() == world.digest()
    for _ in range(5):
        engine.step(Wait())
        other.step(Wait())
    assert other.world.digest() == world.digest()


def test_exploring_goes_on_where_the_map_moves(engine):
    world = engine.world
    moved = 0
    go(engine.step, world, eastward(world)[:66])
    journey = explore(world)
    action = next(journey)
    for _ in range(60):
        events = engine.step(action)
        assert not isinstance(events, Refused)
        moved += any(isinstance(event, Shifted) for event in events)
        try:
            action = journey.send(events)
        except StopIteration:
            journey = explore(world)
            try:
                action = next(journey)
            except StopIteration:
                action = Wait()


def test_every_way_down_leads_into_a_dungeon_of_its_own_and_back(engine):
    world = engine.world
    ys, xs = np.nonzero(world.map.tiles == Tile.ENTRANCE)
    codes = []
    x, y = int(xs[0]), int(ys[0])
    for visited in (False, True):
        if world.map.entity_at(x, y) not in (None, world.hero):
            world.map.remove_entity(world.map.entity_at(x, y))
        if world.map.entity_at(x, y) is None:
            world.map.move_entity(world.hero, x, y)
        world.look()
        assert way_down(world) == (x, y)
        above = place(world)
        events = engine.step(Descend())
        assert any(isinstance(event, Arrived) for event in events)
        codes.append(str(world.code))
        assert not world.map.endless
        assert world.code.depth > 1
        assert (world.map.tiles[world.map.exit.y, world.map.exit.x] == Tile.BONES) == visited
        world.map.set_tile(*world.map.exit, Tile.BONES)
        other = restore(SETUP, unpack(pack(capture(world))))
        assert other.digest() == world.digest()
        if (world.hero.x, world.hero.y) != world.map.start:
            world.map.move_entity(world.hero, *world.map.start)
        events = engine.step(Climb())
        assert not isinstance(events, Refused)
        assert world.map.endless
        assert max(abs(a - b) for a, b in zip(place(world), above, strict=True)) <= 1
        assert not world.remembered
        assert restore(SETUP, unpack(pack(capture(world)))).digest() == world.digest()
    assert codes[0] == codes[1]


def test_states_that_no_world_can_be_are_refused(engine):
    state = capture(engine.world)
    atlas = state.atlas
    column, row = atlas.corner
    for wrong in (
        replace(atlas, opened=[(column + 9, row)]),
        replace(atlas, opened=[*atlas.opened, atlas.opened[0]]),
        replace(atlas, left=[(column, row, b"nothing of ours")]),
        replace(atlas, door=(SPAN, 0)),
        None,
    ):
        with pytest.raises(BadState):
            restore(SETUP, replace(state, atlas=wrong))
    plain = World(Setup(1, "1", Mode.WORKSHOP, "rooms"))
    with pytest.raises(BadState):
        restore(plain.setup, replace(capture(plain), atlas=atlas))


def test_creatures_stand_on_open_ground_wherever_a_chunk_is_opened(engine):
    game_map = engine.world.map
    for creature in game_map.entities.values():
        assert terrain().walkable[game_map.tiles[creature.y, creature.x]]


def test_nothing_leads_up_where_one_came_and_traps_keep_their_kind(engine):
    world = engine.world
    assert not world.map.contains(*world.map.start)
    assert isinstance(engine.step(Climb()), Refused)
    assert trap_at(world.code, -70_000_000_000, 5) == trap_at(world.code, -70_000_000_000, 5)


def test_the_ground_looks_the_same_when_the_map_moves_on(engine):
    world, view = engine.world, View(reveal=True)

    def looks():
        console = Console(60, 40)
        view.follow(world, console)
        draw_ground(console, ground_of(world), view)
        return console.ch.copy()

    spot = world.map.nearest_free(world.hero.x + 80, world.hero.y)
    world.map.move_entity(world.hero, *spot)
    before = looks()
    assert world.roam() != (0, 0)
    assert (looks() == before).all()
