"""Rules of the ground at their bounds: growth, floods, ledges, secret doors, traps and noise."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from components import AiState
from components.inventory import Item
from engine.creatures.noise import action_noise
from engine.infinite.infinite_map import shift_map
from engine.state.actions import Done, Move, PickUp, Refused, Unlock, Wait
from engine.state.events import (
    CreatureRef,
    Displaced,
    Grew,
    Healed,
    Struck,
    TookGold,
    TookKey,
    TrapTriggered,
)
from engine.state.game_map import FLOOD, Growing
from engine.terrain.door_actions import KEEN_REACH, landing_below, notice_secret_doors, unlock
from engine.terrain.growth import (
    FLOOD_LAG,
    FLOOD_REACH,
    FRUIT_DISTANCE,
    _grow,
    _ripen,
    begin_flood,
    finish_growth,
    grow_turn,
)
from engine.terrain.levitation import can_enter
from engine.terrain.tile_effects import ALARM_TURNS, on_enter_tile, trigger_trap
from entities.terrain import Tile
from entities.trap_kinds import trap_kinds
from procgen.analysis.distances import DIRECTIONS, distances
from procgen.blueprint import Point
from support.items import lay
from support.rule_scenes import field, put, silent, wear
from support.scenes import kinds, scene

WIDTH = 22
"""The width of the field of `support.rule_scenes`."""
OTHER = CreatureRef(77, "rat", Point(4, 4))


def cell(x, y):
    """Return the number of the tile (x, y) of the field."""
    return y * WIDTH + x


def test_what_cannot_grow_now_waits_for_the_next_turn_and_not_longer():
    engine = field(10, 7)
    game_map = engine.state.map
    turns = [[(cell(10, 7), Tile.FOREST), (cell(12, 9), Tile.WATER)], [(cell(3, 3), Tile.GRASS)]]
    put(engine, "orc", 12, 9)
    for dx, dy in DIRECTIONS:
        game_map.set_tile(12 + dx, 9 + dy, Tile.WALL)
    growing = Growing("thicket_seed", turns, cell(10, 7))
    changes, moved = _grow(game_map, growing)
    assert (changes, moved) == ({(10, 7): Tile.FOREST}, [])
    assert growing.turns == [[(cell(3, 3), Tile.GRASS), (cell(12, 9), Tile.WATER)]]
    assert _grow(game_map, growing) == ({(3, 3): Tile.GRASS}, [])
    assert growing.turns == []
    assert game_map.tiles[9, 12] == Tile.FLOOR


def test_who_stands_where_water_rises_is_moved_to_a_free_tile_beside():
    engine = field(10, 7)
    game_map = engine.state.map
    orc = put(engine, "orc", 5, 5)
    lay(engine, "dagger", 5, 5)
    _, moved = _grow(game_map, Growing("lake_seed", [[(cell(5, 5), Tile.WATER)]], cell(5, 5)))
    assert moved == [(orc, Point(5, 5))]
    assert max(abs(orc.x - 5), abs(orc.y - 5)) == 1
    assert list(game_map.items) == [(orc.x, orc.y)]
    hero = Growing("lake_seed", [[(cell(10, 7), Tile.WATER)]], cell(10, 7))
    assert _grow(game_map, hero) == ({}, [])
    flood = Growing(FLOOD, [[(cell(10, 7), Tile.WATER)]], cell(10, 7))
    assert [origin for _, origin in _grow(game_map, flood)[1]] == [Point(10, 7)]


@pytest.mark.parametrize(("hp", "told"), [(9, 1), (0, 0)])
def test_a_hero_who_has_died_in_this_turn_is_not_said_to_be_washed_ashore(hp, told):
    engine, events = field(10, 7), []
    engine.state.hero.fighter.hp = hp
    engine.state.map.growing = [Growing(FLOOD, [[(cell(10, 7), Tile.WATER)]], cell(10, 7))]
    grow_turn(engine.state, events.append)
    assert kinds(events).count(Displaced) == told


@pytest.mark.parametrize("kind", ["lake_seed", FLOOD])
def test_who_is_moved_by_rising_water_leaves_its_net_behind(kind):
    engine = field(10, 7)
    orc = put(engine, "orc", 5, 5)
    orc.statuses["held"] = 9
    engine.state.map.growing = [Growing(kind, [[(cell(5, 5), Tile.WATER)]], cell(5, 5))]
    grow_turn(engine.state, silent)
    assert (orc.x, orc.y) != (5, 5)
    assert "held" not in orc.statuses


@pytest.mark.parametrize(("tile", "left"), [(Tile.WATER, False), (Tile.GRASS, True)])
def test_water_puts_out_the_fire_that_it_covers(tile, left):
    game_map = field().state.map
    game_map.fires[5, 5] = 4
    _grow(game_map, Growing("lake_seed", [[(cell(5, 5), tile)]], cell(5, 5)))
    assert ((5, 5) in game_map.fires) == left


@pytest.mark.parametrize(("far", "axis"), list(product([0, 1, 9, 10], [(1, 0), (0, 1), (1, 1)])))
def test_a_fruit_lies_on_the_nearest_bare_ground_within_nine_tiles(far, axis):
    engine = scene("\n".join(["~" * 40] * 40).replace("~", "@", 1))
    game_map = engine.state.map
    heart = 20 * 40 + 20
    x, y = 20 + far * axis[0], 20 + far * axis[1]
    game_map.set_tile(x, y, Tile.FLOOR)
    growing = Growing("thicket_seed", [], heart, [Item(900, "fruit")])
    found = _ripen(game_map, growing, engine.state.new_id)
    assert found == ((x, y) if far <= FRUIT_DISTANCE else None)
    assert list(game_map.items) == ([(x, y)] if found else [])
    assert _ripen(game_map, Growing(FLOOD, [], heart), engine.state.new_id) is None


def test_growth_is_finished_at_once_when_the_hero_leaves():
    engine = field()
    game_map = engine.state.map
    turns = [[(cell(4, 4), Tile.GRASS)], [(cell(5, 4), Tile.MOSS)]]
    game_map.growing = [Growing("thicket_seed", turns, cell(4, 4), [Item(900, "fruit")])]
    finish_growth(game_map, engine.state.new_id)
    assert (game_map.tiles[4, 4], game_map.tiles[4, 5]) == (Tile.GRASS, Tile.MOSS)
    assert game_map.growing == []
    assert [item.id for pile in game_map.items.values() for item in pile] == [900]


@pytest.mark.parametrize("side", DIRECTIONS)
def test_a_flood_rises_from_a_grating_beside_the_hero_step_by_step(side):
    engine = field(10, 7)
    game_map = engine.state.map
    game_map.exit = game_map.start = Point(1, 1)
    begin_flood(engine.state)
    assert game_map.growing == []
    game_map.set_tile(10 + side[0], 7 + side[1], Tile.GRATING)
    begin_flood(engine.state)
    (flood,) = game_map.growing
    assert (flood.kind, flood.center) == (FLOOD, cell(10, 7))
    assert game_map.tiles[7 + side[1], 10 + side[0]] == Tile.SHALLOWS
    steps = distances(game_map.walkable, 10, 7)
    steps[1, 1] = 999
    wanted = [[] for _ in range(FLOOD_REACH + FLOOD_LAG + 1)]
    for y, x in np.argwhere(steps <= FLOOD_REACH).tolist():
        wanted[steps[y, x] // 2].append((cell(x, y), Tile.SHALLOWS))
        wanted[steps[y, x] + FLOOD_LAG].append((cell(x, y), Tile.WATER))
    assert [sorted(turn) for turn in flood.turns] == [sorted(turn) for turn in wanted]


def test_a_flood_washes_the_hero_onto_what_lies_there():
    engine = field(10, 7)
    game_map, hero = engine.state.map, engine.state.hero
    for dx, dy in DIRECTIONS:
        game_map.set_tile(10 + dx, 7 + dy, Tile.KEY)
    game_map.growing = [Growing(FLOOD, [[(cell(10, 7), Tile.WATER)]], cell(10, 7))]
    assert TookKey in kinds(engine.step(Wait()))
    assert game_map.keys == 1
    assert game_map.tiles[hero.y, hero.x] == Tile.FLOOR


def test_a_flood_rises_under_what_floats_and_washes_away_only_what_lies_there():
    engine = field(10, 7)
    game_map, hero, orc = engine.state.map, engine.state.hero, put(engine, "orc", 12, 9)
    hero.statuses["levitating"] = orc.statuses["levitating"] = 9
    orc.statuses["asleep"] = 9
    lay(engine, "dagger", 10, 7)
    under = [(cell(10, 7), Tile.WATER), (cell(12, 9), Tile.WATER)]
    game_map.growing = [Growing(FLOOD, [under], cell(10, 7))]
    assert kinds(engine.step(Wait())) == [Grew]
    assert ((hero.x, hero.y), (orc.x, orc.y)) == ((10, 7), (12, 9))
    assert game_map.tiles[7, 10] == game_map.tiles[9, 12] == Tile.WATER
    assert (10, 7) not in game_map.items
    assert len(game_map.items) == 1


def test_a_hero_that_a_flood_drowns_takes_nothing():
    engine = field(10, 7)
    game_map, hero = engine.state.map, engine.state.hero
    for dx, dy in DIRECTIONS:
        game_map.set_tile(10 + dx, 7 + dy, Tile.SHRINE)
    hero.fighter.hp = 1
    game_map.growing = [Growing(FLOOD, [[(cell(10, 7), Tile.WATER)]], cell(10, 7))]
    engine.step(Wait())
    assert not hero.alive


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
def test_a_jump_leads_straight_over_the_ledge(dx, dy):
    engine = field(10, 7)
    state, hero = engine.state, engine.state.hero
    state.map.set_tile(10 + dx, 7 + dy, Tile.LEDGE)
    assert landing_below(state, hero, dx, dy) is None, "not from level ground"
    state.map.set_tile(10, 7, Tile.BRINK)
    straight = not (dx and dy)
    assert landing_below(state, hero, dx, dy) == ((10 + 2 * dx, 7 + 2 * dy) if straight else None)
    assert landing_below(state, hero, -dx, -dy) is None, "no ledge there"
    orc = put(engine, "orc", 10 + 2 * dx, 7 + 2 * dy)
    assert landing_below(state, hero, dx, dy) is None, "somebody stands there"
    assert landing_below(state, orc, dx, dy) is None


@pytest.mark.parametrize("keen", [False, True])
@pytest.mark.parametrize("at", [(10, 7), (1, 1), (20, 13)])
def test_secret_doors_are_found_as_far_as_the_hero_searches(keen, at):
    for dx, dy in product(range(-4, 5), repeat=2):
        x, y = at[0] + dx, at[1] + dy
        if (dx or dy) and 0 <= x < WIDTH and 0 <= y < 15:
            engine = field(*at)
            if keen:
                wear(engine, "ring", "shadows_ring")
            engine.state.map.set_tile(x, y, Tile.SECRET_DOOR)
            told = []
            notice_secret_doors(engine.state, told.append, waiting=True)
            found = max(abs(dx), abs(dy)) <= (KEEN_REACH if keen else 1)
            assert [event.place for event in told] == ([(x, y)] if found else [])
            assert (engine.state.map.tiles[y, x] == Tile.DOOR) == found


@pytest.mark.parametrize(("keys", "dx", "answer"), [
    (0, 1, Refused("locked")), (1, 1, Done()), (2, 1, Done()),
    (1, -1, Refused("nothing to unlock")), (1, 0, Refused("nothing to unlock")),
])  # fmt: skip
def test_a_key_opens_one_lock_and_is_gone(keys, dx, answer):
    engine = field(10, 7)
    state = engine.state
    state.map.set_tile(11, 7, Tile.LOCKED_DOOR)
    state.map.keys = keys
    assert unlock(state, state.hero, Unlock(dx, 0), silent) == answer
    opened = answer == Done()
    assert state.map.keys == keys - opened
    assert (state.map.tiles[7, 11] == Tile.DOOR) == opened
    orc = put(engine, "orc", 12, 7)
    assert unlock(state, orc, Unlock(-1, 0), silent) == Refused("nothing to unlock")


@pytest.mark.parametrize(("action", "events", "loud"), [
    (Wait(), [], 1), (Move(1, 0), [], 6), (PickUp(), [], 4),
    (Wait(), [Struck(OTHER, OTHER, 1)], 11), (Move(1, 0), [Struck(OTHER, OTHER, 1)], 11),
])  # fmt: skip
@pytest.mark.parametrize(("gear", "light", "times"), [
    (None, False, 1), (None, True, 0.5), ("quiet", False, 0.5), ("noisy", False, 2),
    ("noisy", True, 1), ("quiet", True, 0.5),
])  # fmt: skip
def test_gear_and_a_light_foot_change_how_loud_the_hero_is(
    action, events, loud, gear, light, times, monkeypatch
):
    hero = field(9, 4).state.hero
    monkeypatch.setattr(
        "engine.creatures.noise.worn_abilities", lambda _: {gear} if gear else set()
    )
    hero.experience.talents[:] = ["lightfoot"] if light else []
    noise = action_noise(hero, action, events)
    assert (noise.x, noise.y, noise.loudness) == (9, 4, int(loud * times))


@pytest.mark.parametrize("name", [name for name, trap in trap_kinds().items() if trap.status])
def test_a_trap_reaches_as_far_as_its_data_say(name, monkeypatch):
    trap = trap_kinds()[name]
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: name)
    for dx, dy in ((1, 0), (0, -1), (2, 1), (-1, 2), (3, 0), (0, -3), (3, 3)):
        engine = field(10, 7)
        state = engine.state
        orc = put(engine, "orc", 10 + dx, 7 + dy)
        state.map.set_tile(10, 7, Tile.TRAP)
        trigger_trap(state, silent)
        assert state.hero.statuses.get(trap.status) == trap.turns
        assert (trap.status in orc.statuses) == (max(abs(dx), abs(dy)) <= trap.reach)
        assert state.map.tiles[7, 10] == Tile.RUBBLE


@pytest.mark.parametrize(("state", "searches"), [
    (AiState.ASLEEP, True), (AiState.WANDERING, True), (AiState.HUNTING, False),
    (AiState.HIDDEN, False), (AiState.SEARCHING, True),
])  # fmt: skip
def test_an_alarm_sends_all_within_its_reach_to_search_for_long(state, searches, monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "alarm")
    engine = scene("\n".join(["#" * 60, "#@" + "." * 57 + "#", "#" * 60]))
    reach = trap_kinds()["alarm"].reach
    near, far = (put(engine, "orc", 1 + apart, 1, state) for apart in (reach, reach + 1))
    trigger_trap(engine.state, silent)
    assert near.ai.state is (AiState.SEARCHING if searches else state)
    assert near.ai.state_turns_left == (ALARM_TURNS if searches else 0)
    assert near.ai.goal == ((1, 1) if searches else None)
    assert far.ai.state is state
    assert far.ai.goal is None


def enters(tile, **hero):
    """Let the hero enter a tile; return the world and what is told."""
    engine, told = field(10, 7), []
    for name, value in hero.items():
        setattr(engine.state.hero.fighter, name, value)
    engine.state.map.set_tile(10, 7, tile)
    on_enter_tile(engine.state, told.append)
    return engine, told


@pytest.mark.parametrize(("hp", "healed", "left"), [
    (36, 0, Tile.SHRINE), (35, 1, Tile.FLOOR), (1, 35, Tile.FLOOR)
])  # fmt: skip
def test_a_shrine_heals_once(hp, healed, left):
    engine, told = enters(Tile.SHRINE, hp=hp, max_hp=36)
    assert [event.amount for event in told if isinstance(event, Healed)] == [healed]
    assert engine.state.hero.fighter.hp == 36
    assert engine.state.map.tiles[7, 10] == left


def test_treasure_is_worth_more_the_deeper_it_lies():
    found = {1: set(), 5: set()}
    for depth, seed in product(found, range(40)):
        engine = field(10, 7, seed=seed)
        engine.state.map.code = replace(engine.state.map.code, depth=depth)
        engine.state.map.set_tile(10, 7, Tile.TREASURE)
        told = []
        on_enter_tile(engine.state, told.append)
        assert [event.amount for event in told if isinstance(event, TookGold)] == [
            engine.state.gold
        ]
        found[depth].add(engine.state.gold)
    assert (min(found[1]), max(found[1])) == (8, 16)
    assert found[5] <= {5 * amount for amount in range(8, 17)}


def test_a_key_is_taken_and_plain_ground_does_nothing():
    engine, told = enters(Tile.KEY)
    assert [type(event) for event in told] == [TookKey]
    assert (engine.state.map.keys, engine.state.map.tiles[7, 10]) == (1, Tile.FLOOR)
    engine, told = enters(Tile.RELIC)
    assert engine.state.won == engine.state.turn
    for tile in (Tile.GRASS, Tile.STATUE, Tile.MOSS):
        engine, told = enters(tile)
        assert told == []
        assert engine.state.map.tiles[7, 10] == tile
    assert not any(isinstance(event, TrapTriggered) for event in told)


@pytest.mark.parametrize("floats", [True, False])
@pytest.mark.parametrize(("tile", "ground", "air"), [
    (Tile.FLOOR, True, True), (Tile.WATER, False, True), (Tile.LAVA, False, True),
    (Tile.WALL, False, False), (Tile.FOREST, True, True),
])  # fmt: skip
def test_deep_water_and_lava_are_entered_through_the_air_alone(tile, ground, air, floats):
    engine = field()
    hero, game_map = engine.state.hero, engine.state.map
    hero.statuses |= {"levitating": 5} if floats else {}
    game_map.set_tile(0, 0, tile)
    assert can_enter(game_map, hero, 0, 0) == (air if floats else ground)
    for x, y in ((-1, 0), (0, -1), (22, 0), (0, 15)):
        assert not can_enter(game_map, hero, x, y)


@pytest.mark.parametrize("move", [(-3, -2), (-1, -1), (2, 2)])
def test_a_map_without_an_exit_has_none_after_it_moved(move):
    game_map = field().state.map
    game_map.exit = Point(-1, -1)
    shift_map(game_map, *move)
    assert game_map.exit == (-1, -1)
    game_map.exit = Point(0, 14)
    shift_map(game_map, 0, 3)
    assert game_map.exit == (0, 11)


@pytest.mark.parametrize(
    ("around", "left"),
    [
        ([Tile.CARPET] * 5 + [Tile.FLOOR] * 3, Tile.CARPET),
        ([Tile.CARPET] * 3 + [Tile.ROAD] * 5, Tile.ROAD),
        ([Tile.LAVA] * 5 + [Tile.SAND] * 3, Tile.SAND),
        ([Tile.WATER] * 8, Tile.FLOOR),
    ],
)
def test_the_ground_around_goes_on_under_what_is_taken(around, left):
    engine = field(10, 7)
    places = [(10 + dx, 7 + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    for place, tile in zip(places, around, strict=True):
        engine.state.map.set_tile(*place, tile)
    engine.state.map.set_tile(10, 7, Tile.KEY)
    on_enter_tile(engine.state, lambda _: None)
    assert engine.state.map.tiles[7, 10] == left
