"""The numbers of the rules at their bounds: what is hit, burnt, pushed, heard, seen and earned."""

from itertools import product
from math import acos, degrees, hypot

import numpy as np
import pytest

from components import AiState
from engine.combat.damage import damage_after_armour
from engine.combat.melee import melee_hit, sneak_attack_multiplier
from engine.combat.targeting import aim, blast_tiles
from engine.pathfinding.threats import foes_in_view
from engine.state.events import Struck
from engine.terrain.fire import ignite, spread_fires
from engine.terrain.forced_movement import push_back, teleport_creature
from engine.terrain.levitation import sink
from entities.creature_kinds import make_creature
from entities.target_shapes import Targeting, TargetShape
from entities.terrain import Tile
from procgen.analysis.distances import distances
from procgen.blueprint import Point
from support.rule_scenes import ROOM, field, put, silent, wear


@pytest.mark.parametrize("warded", [False, True])
def test_armour_takes_its_defense_off_and_half_at_most_and_a_ward_halves_the_rest(warded):
    target = make_creature("rat", 1, 0, 0)
    if warded:
        target.statuses["warded"] = 3
    for power, luck, defense in product(range(7), (-1, 0, 1), (0, 1, 3)):
        target.fighter.defense = defense
        force = max(0, power + luck) if power else 0
        left = max(force - defense, force - force // 2)
        assert damage_after_armour(power, luck, target) == (left // 2 if warded else left)


@pytest.mark.parametrize(
    ("weapon", "talent", "state", "times"),
    [
        (None, None, AiState.HUNTING, 1), (None, None, AiState.ASLEEP, 2),
        ("dagger", None, AiState.ASLEEP, 5), ("dagger", None, AiState.HUNTING, 1),
        (None, "assassin", AiState.WANDERING, 3), (None, "assassin", AiState.HUNTING, 1),
        (None, "assassin", AiState.ASLEEP, 3), ("dagger", "assassin", AiState.ASLEEP, 5),
        ("dagger", None, AiState.IDLE, 1),
    ],
)  # fmt: skip
def test_a_blow_at_who_does_not_expect_it_is_so_many_times_as_strong(weapon, talent, state, times):
    engine = field()
    hero, orc = engine.state.hero, put(engine, "orc", 11, 7, state)
    orc.fighter.hp = orc.fighter.max_hp = 90
    hero.fighter.power = 4
    if weapon:
        wear(engine, "weapon", weapon)
    if talent:
        hero.experience.talents.append(talent)
    assert sneak_attack_multiplier(hero, orc, hero=True) == times
    assert sneak_attack_multiplier(hero, orc, hero=False) == (1 if times == 2 else times)
    events = []
    melee_hit(engine.state, hero, orc, events.append)
    (struck,) = [event for event in events if isinstance(event, Struck)]
    assert 90 - orc.fighter.hp == struck.damage > 3 * (times - 1)


@pytest.mark.parametrize(
    ("weapon", "state", "times"),
    [
        (None, AiState.HUNTING, 2), ("dagger", AiState.HUNTING, 3), ("dagger", AiState.IDLE, 3),
        ("dagger", AiState.ASLEEP, 5),
    ],
)  # fmt: skip
def test_a_dagger_takes_less_advantage_of_magical_sleep_than_of_natural_sleep(weapon, state, times):
    engine = field()
    hero, orc = engine.state.hero, put(engine, "orc", 11, 7, state)
    orc.statuses["asleep"] = 20
    if weapon:
        wear(engine, "weapon", weapon)
    assert sneak_attack_multiplier(hero, orc, hero=True) == times


def test_a_blast_reaches_as_far_as_a_circle_of_half_a_tile_more():
    state = field().state
    for radius in range(4):
        tiles = blast_tiles(state.map, Point(10, 7), radius)
        wanted = {
            (10 + dx, 7 + dy)
            for dx, dy in product(range(-radius, radius + 1), repeat=2)
            if dx * dx + dy * dy < (radius + 0.5) ** 2
        }
        assert set(tiles) == wanted
        far = [(x - 10) ** 2 + (y - 7) ** 2 for x, y in tiles]
        assert far == sorted(far)
    corner = blast_tiles(state.map, Point(1, 1), 1)
    assert set(corner) == set(product((1, 2), repeat=2))
    for x, y in product(range(22), range(15)):
        state.map.set_tile(x, y, Tile.WATER)
    corner = blast_tiles(state.map, Point(2, 1), 2)
    assert {(0, 1), (2, 0), (1, 0), (3, 3), (4, 2)} <= set(corner), "to the last tile of the map"


@pytest.mark.parametrize("target", [(15, 7), (10, 2), (14, 11), (5, 5)])
def test_a_cone_opens_thirty_degrees_to_each_side(target):
    state = field().state
    found = aim(state.map, state.hero, Targeting(TargetShape.CONE, range=5), Point(*target))
    ax, ay = target[0] - 10, target[1] - 7
    wanted = set()
    for x, y in blast_tiles(state.map, Point(10, 7), 5)[1:]:
        bx, by = x - 10, y - 7
        cosine = (ax * bx + ay * by) / (hypot(ax, ay) * hypot(bx, by))
        if degrees(acos(max(-1.0, min(1.0, cosine)))) <= 30.000001:
            wanted.add((x, y))
    assert set(found.tiles) == wanted


@pytest.mark.parametrize("shape", [TargetShape.ONE, TargetShape.PLACE, TargetShape.BALL])
@pytest.mark.parametrize("apart", [1, 4, 5])
def test_what_is_aimed_reaches_its_range_and_no_tile_further(shape, apart):
    engine = field()
    if shape is TargetShape.ONE:
        put(engine, "orc", 10 + apart, 7)
    engine.state.look()
    found = aim(
        engine.state.map, engine.state.hero, Targeting(shape, range=4, radius=1),
        Point(10 + apart, 7),
    )  # fmt: skip
    assert found.why == ("out of range" if apart > 4 else None)


def test_foes_come_nearest_first_and_of_equals_the_oldest():
    engine = field()
    far, left, right = (put(engine, "rat", *at) for at in ((15, 9), (8, 6), (12, 8)))
    engine.state.look()
    hero = engine.state.hero
    assert foes_in_view(engine.state.map, hero) == [left, right, far]
    assert foes_in_view(engine.state.map, hero, 5) == [left, right, far]
    assert foes_in_view(engine.state.map, hero, 4) == [left, right]
    assert foes_in_view(engine.state.map, left) == [hero]


@pytest.mark.parametrize(
    ("steps", "wall", "tile", "at", "hurt"),
    [
        *((1, None, Tile.WALL, 12, 0), (3, None, Tile.WALL, 14, 0), (3, 14, Tile.WALL, 13, 3)),
        *((1, 12, Tile.WALL, 11, 3), (2, 14, Tile.WALL, 13, 0)),
        *((3, 14, Tile.WATER, 13, 0), (1, 12, Tile.WATER, 11, 0), (1, 12, Tile.PILLAR, 11, 3)),
    ],
)
def test_a_push_moves_so_many_tiles_walls_hurt_and_deep_water_stops(steps, wall, tile, at, hurt):
    engine = field()
    warg = put(engine, "warg", 11, 7)
    if wall:
        engine.state.map.set_tile(wall, 7, tile)
    push_back(engine.state, warg, (1, 0), steps, silent, engine.state.hero)
    assert (warg.x, warg.y) == (at, 7)
    assert warg.fighter.max_hp - warg.fighter.hp == hurt


def test_a_push_into_another_hurts_only_the_one_pushed_and_lava_takes_it():
    engine = field()
    one, other = put(engine, "warg", 11, 7), put(engine, "warg", 12, 7)
    push_back(engine.state, one, (1, 0), 2, silent, engine.state.hero)
    assert (one.x, one.fighter.hp, other.fighter.hp) == (11, 8, 11)
    engine.state.map.set_tile(14, 7, Tile.LAVA)
    push_back(engine.state, other, (1, 0), 3, silent, engine.state.hero)
    assert (other.x, other.alive) == (14, False)
    assert engine.state.kills == 1


@pytest.mark.parametrize(
    ("kind", "at", "left"),
    [("ogre", 12, 1), ("warden", 12, 1), ("salamander", 13, 1), ("broodmother", 13, 1)],
)
def test_heavy_monsters_move_a_step_and_lava_takes_neither_bosses_nor_what_never_burns(
    kind, at, left
):
    engine = field()
    engine.state.map.set_tile(14, 7, Tile.LAVA)
    creature = put(engine, kind, 11, 7)
    push_back(engine.state, creature, (1, 0), 4, silent, engine.state.hero)
    assert (creature.x, creature.y) == (at, 7)
    assert creature.fighter.hp == creature.fighter.max_hp * left


def test_a_teleport_leads_twelve_steps_away_or_as_far_as_can_be():
    for drawing, x, y in ((ROOM, 2, 2), ("######\n#....#\n######", 1, 1)):
        places = set()
        for seed in range(40):
            engine = field(x, y, drawing, seed=seed)
            hero, state = engine.state.hero, engine.state
            steps = distances(state.map.walkable, x, y)
            teleport_creature(state, hero, silent)
            places.add(int(steps[hero.y, hero.x]))
        assert min(places) == min(12, max(places))
        assert len(places) > 3 or max(places) < 12


@pytest.mark.parametrize(
    ("tile", "turns", "wanted"),
    [
        (Tile.FLOOR, 2, 2), (Tile.FLOOR, 5, 5), (Tile.GRASS, 2, 4), (Tile.GRASS, 4, 4),
        (Tile.GRASS, 7, 7), (Tile.FOREST, 1, 4), (Tile.WALL, 3, 0), (Tile.WATER, 3, 0),
    ],
)  # fmt: skip
def test_a_fire_burns_at_least_as_long_as_its_fuel(tile, turns, wanted):
    game_map = field().state.map
    game_map.set_tile(5, 5, tile)
    ignite(game_map, Point(5, 5), turns)
    assert game_map.fires.get((5, 5), 0) == wanted
    if wanted:
        ignite(game_map, Point(5, 5), 1)
        assert game_map.fires[5, 5] == max(wanted, 4 if tile == Tile.GRASS else wanted)


def test_a_fire_spreads_to_less_than_half_of_its_neighbours_in_a_turn_and_to_what_burns():
    caught = 0
    for seed in range(40):
        engine = field(1, 1, seed=seed)
        game_map = engine.state.map
        for x, y in product(range(9, 12), range(6, 9)):
            game_map.set_tile(x, y, Tile.GRASS)
        game_map.set_tile(9, 6, Tile.FLOOR)
        ignite(game_map, Point(10, 7))
        spread_fires(engine.state, silent)
        around = set(game_map.fires) - {(10, 7)}
        assert around <= set(product(range(9, 12), range(6, 9))) - {(9, 6)}
        assert game_map.fires[10, 7] == 3
        caught += len(around)
    assert 0.35 < caught / (40 * 7) < 0.55


@pytest.mark.parametrize(("floats", "lost"), [(False, 2), (True, 0)])
def test_a_turn_in_a_fire_takes_two_hit_points_from_who_does_not_float(floats, lost):
    engine = field()
    ogre = put(engine, "ogre", 12, 7)
    if floats:
        ogre.statuses["levitating"] = 9
    engine.state.map.fires[12, 7] = 3
    spread_fires(engine.state, silent)
    assert 36 - ogre.fighter.hp == lost
    assert ogre.statuses.get("burning", 0) == 4 * (not floats)


@pytest.mark.parametrize("shore", [(4, 3), (9, 9), (12, 12)])
def test_who_sinks_is_washed_to_the_nearest_shore_and_hurt(shore):
    engine = field(1, 1)
    game_map = engine.state.map
    for x, y in product(range(2, 21), range(2, 14)):
        game_map.set_tile(x, y, Tile.WATER)
    game_map.set_tile(*shore, Tile.FLOOR)
    game_map.set_tile(20, 13, Tile.FLOOR)
    ogre = put(engine, "ogre", 10, 8)
    sink(engine.state, silent)
    nearest = min(
        ((y, x) for y, x in np.argwhere(game_map.walkable).tolist()),
        key=lambda at: max(abs(at[0] - 8), abs(at[1] - 10)),
    )
    assert (ogre.y, ogre.x) == nearest
    assert ogre.fighter.hp == 33
