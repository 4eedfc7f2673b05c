"""The numbers of the rules at their bounds: what is hit, burnt, pushed, heard, seen and earned."""

from itertools import product
from math import acos, degrees, hypot

import numpy as np
import pytest

from components import AiState
from components.inventory import Item
from engine.combat.damage import damage_after_armour
from engine.combat.melee import melee_hit, sneak_attack_multiplier
from engine.combat.targeting import aim, blast_tiles, foes_in_view
from engine.creatures.health import apply_damage, kill_if_dead
from engine.creatures.hearing import action_noise, alert, shout
from engine.creatures.levelling import (
    HIGHEST_LEVEL,
    experience_for_level,
    experience_value,
    gain_experience,
    offered_talents,
    talents_owed,
)
from engine.creatures.status_effects import apply_status, tick_statuses
from engine.monsters.perception import Senses
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Move, PickUp, Wait
from engine.state.events import LeveledUp, ShotFired, Struck, TookGold, creature_ref
from engine.state.score import score
from engine.terrain.fire import ignite, spread_fires
from engine.terrain.forced_movement import push_back, teleport_creature
from engine.terrain.levitation import sink
from engine.terrain.tile_effects import damage_trap, on_enter_tile
from entities.creature_kinds import creature_kinds, make_creature
from entities.light_levels import LIT
from entities.statuses import LONGEST_STATUS, status_kinds
from entities.talents import talents
from entities.target_shapes import Targeting, TargetShape
from entities.terrain import Tile
from entities.trap_kinds import trap_kinds
from procgen.analysis.distances import distances
from procgen.blueprint import Point
from support.items import bare
from support.scenes import scene

ROOM = "\n".join(["#" * 22, *["#" + "." * 20 + "#"] * 13, "#" * 22])


def field(x=10, y=7, drawing=ROOM, **more):
    """Return an engine whose bare hero stands at (x, y) of an open room."""
    rows = drawing.splitlines()
    rows[y] = f"{rows[y][:x]}@{rows[y][x + 1 :]}"
    return bare(scene("\n".join(rows), **more))


def put(engine, kind, x, y, state=AiState.HUNTING):
    """Return a new monster at (x, y)."""
    creature = make_creature(kind, engine.state.number(), x, y)
    engine.state.map.add_entity(creature)
    creature.ai.state = state
    return creature


def wear(engine, slot, kind):
    """Let the hero wear or wield a new thing."""
    hero = engine.state.hero
    hero.inventory.append(Item(engine.state.number(), kind))
    hero.equipment[slot] = hero.inventory[-1].id


def silent(_event):
    """Take an event and tell nobody."""


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
    ("steps", "wall", "at", "hurt"),
    [(1, None, 12, 0), (3, None, 14, 0), (3, 14, 13, 3), (1, 12, 11, 3), (2, 14, 13, 0)],
)
def test_a_push_moves_so_many_tiles_and_an_obstacle_hurts(steps, wall, at, hurt):
    engine = field()
    ogre = put(engine, "ogre", 11, 7)
    if wall:
        engine.state.map.set_tile(wall, 7, Tile.WALL)
    push_back(engine.state, ogre, (1, 0), steps, silent, engine.state.hero)
    assert (ogre.x, ogre.y) == (at, 7)
    assert ogre.fighter.max_hp - ogre.fighter.hp == hurt


def test_a_push_into_another_hurts_only_the_one_pushed_and_lava_takes_it():
    engine = field()
    one, other = put(engine, "ogre", 11, 7), put(engine, "ogre", 12, 7)
    push_back(engine.state, one, (1, 0), 2, silent, engine.state.hero)
    assert (one.x, one.fighter.hp, other.fighter.hp) == (11, 33, 36)
    engine.state.map.set_tile(14, 7, Tile.LAVA)
    push_back(engine.state, other, (1, 0), 3, silent, engine.state.hero)
    assert (other.x, other.alive) == (14, False)
    assert engine.state.kills == 1


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


@pytest.mark.parametrize(
    ("action", "event", "loudness"),
    [(Wait(), None, 1), (Move(1, 0), None, 6), (PickUp(), None, 4), (Wait(), Struck, 11),
     (Move(1, 0), ShotFired, 11)],
)  # fmt: skip
def test_each_action_is_heard_as_far_as_its_sort(action, event, loudness):
    engine = field()
    hero = engine.state.hero
    me = creature_ref(hero)
    events = [] if event is None else [event(me, me, *([3] if event is Struck else ["arrow", 3]))]
    noise = action_noise(hero, action, events)
    assert (noise.x, noise.y, noise.loudness) == (10, 7, loudness)
    hero.experience.talents.append("lightfoot")
    assert action_noise(hero, action, events).loudness == loudness // 2


def test_a_shout_is_heard_as_far_as_it_is_loud_by_all_or_by_kin():
    for kin in (False, True):
        engine = field()
        caller = put(engine, "orc", 3, 7)
        near, far, rat, asleep, busy = (
            put(engine, "orc", 7, 3, AiState.IDLE), put(engine, "orc", 8, 7, AiState.WANDERING),
            put(engine, "rat", 5, 9, AiState.IDLE), put(engine, "orc", 3, 11, AiState.ASLEEP),
            put(engine, "orc", 4, 7, AiState.FLEEING),
        )  # fmt: skip
        shout(engine.state, caller, 4, kin=kin)
        alerted = [c for c in (near, far, rat, asleep, busy) if c.ai.state is AiState.SEARCHING]
        assert alerted == ([near, asleep] if kin else [near, rat, asleep])
        for creature in alerted:
            assert creature.ai.goal == (10, 7)
            assert creature.ai.turns_left_tracking == creature.ai.memory_turns + 3


@pytest.mark.parametrize("state", list(AiState))
def test_an_alarm_draws_all_but_those_who_hunt_flee_or_lie_in_wait(state):
    engine = field()
    orc = put(engine, "orc", 3, 3, state)
    alert(orc, 5, 6)
    draws = state not in (AiState.HUNTING, AiState.FLEEING, AiState.HIDDEN)
    assert (orc.ai.state is AiState.SEARCHING) is (draws or state is AiState.SEARCHING)
    assert (orc.ai.goal == (5, 6)) is draws


def senses_of(engine):
    return Senses(engine.state, DijkstraMaps(engine.state.map))


@pytest.mark.parametrize("dark", [False, True])
def test_a_monster_sees_in_a_circle_as_far_as_its_sight_and_not_quite_twelve_tiles(dark):
    drawing = "\n".join(["#" * 34, *["#" + "." * 32 + "#"] * 17, "#" * 34])
    engine = field(2, 2, drawing, light="dark" if dark else LIT)
    orc = put(engine, "orc", 30, 15)
    for sight in (3, 8, 20):
        orc.ai.sight = sight
        reach = min(sight, 5) if dark else min(sight, 143**0.5)
        senses = senses_of(engine)
        for dx, dy in product(range(15), range(15)):
            if dx or dy:
                orc.x, orc.y = 2 + dx, 2 + dy
                near = max(dx, dy) <= 1
                assert senses.sees(orc) is (near or dx * dx + dy * dy <= reach * reach), (dx, dy)
    orc.x, orc.y = 4, 2
    assert senses_of(engine).sees(orc)
    orc.statuses["blind"] = 3
    assert not senses_of(engine).sees(orc)
    orc.x = 3
    assert senses_of(engine).sees(orc)
    del orc.statuses["blind"]
    engine.state.hero.statuses["invisible"] = 3
    assert senses_of(engine).sees(orc)
    orc.x = 4
    assert not senses_of(engine).sees(orc)


@pytest.mark.parametrize("apart", [1, 2, 3])
def test_an_ambush_begins_two_tiles_off(apart):
    engine = field()
    spider = put(engine, "spider", 10 + apart, 7, AiState.HIDDEN)
    engine.step(Wait())
    assert (spider.ai.state is AiState.HUNTING) is (apart <= 2)


@pytest.mark.parametrize("name", sorted(status_kinds()))
def test_a_status_lasts_as_long_as_it_is_given_for_and_half_of_that_on_the_stubborn(name):
    for turns in (1, 2, 5, LONGEST_STATUS + 5):
        engine = field()
        hero = engine.state.hero
        apply_status(hero, name, turns, silent)
        assert hero.statuses[name] == min(turns, LONGEST_STATUS)
        apply_status(hero, name, turns - 1, silent)
        assert hero.statuses[name] == min(turns, LONGEST_STATUS)
        hero.statuses.clear()
        hero.experience.talents.append("stubborn")
        apply_status(hero, name, turns, silent)
        half = turns if status_kinds()[name].good else (turns + 1) // 2
        assert hero.statuses[name] == min(half, LONGEST_STATUS)


def test_a_status_hurts_on_each_of_its_turns_and_is_gone_after_the_last():
    for name, kind in status_kinds().items():
        engine = field()
        ogre = put(engine, "ogre", 12, 7)
        ogre.statuses[name] = 3
        for turn in (1, 2, 3):
            tick_statuses(engine.state, ogre, silent)
            assert 36 - ogre.fighter.hp == kind.harm * turn
            assert ogre.statuses.get(name, 0) == 3 - turn


def test_levels_are_reached_with_the_last_point_and_not_before():
    assert [experience_for_level(level) for level in (1, 2, 3, 4, 5)] == [0, 60, 180, 360, 600]
    worth = experience_value("orc")
    for short in (0, 1):
        engine = field()
        growth, events = engine.state.hero.experience, []
        growth.points = 180 - worth - short
        growth.level = 2
        gain_experience(engine.state, put(engine, "orc", 3, 3), events.append)
        assert growth.level == 3 - short
        assert [event.level for event in events if isinstance(event, LeveledUp)] == [3] * (
            not short
        )
        assert talents_owed(engine.state.hero) == 2 - short
        assert len(offered_talents(engine.state)) == 3
    growth.points, growth.level = 10**9, HIGHEST_LEVEL - 1
    gain_experience(engine.state, put(engine, "orc", 4, 4), silent)
    assert growth.level == HIGHEST_LEVEL


def test_a_kill_is_worth_what_the_data_say_or_hit_points_power_and_defense():
    for name, kind in creature_kinds().items():
        by_numbers = kind.hp // 2 + 2 * kind.power + 3 * kind.defense
        assert experience_value(name) == (kind.experience or by_numbers)


def test_talents_are_offered_from_their_level_on_as_often_as_they_may_be_learned():
    for name, talent in talents().items():
        found = []
        for level, seed in product((talent.level - 1, talent.level), range(12)):
            engine = field(seed=seed)
            growth = engine.state.hero.experience
            growth.talents = ["filler"] * (level - 2 - bool(talent.needs))
            growth.talents += [talent.needs] if talent.needs else []
            growth.level = len(growth.talents) + 2
            offers = offered_talents(engine.state) if growth.level == level >= 2 else []
            assert name not in offers or level == talent.level
            found.append(name in offers)
        assert any(found) or talent.level > 8, name


@pytest.mark.parametrize(
    ("deepest", "depths", "beyond"),
    [(1, 0, 0), (2, 50, 0), (3, 150, 0), (12, 3300, 0), (13, 3300, 1000), (14, 3300, 2100),
     (15, 3300, 3300)],
)  # fmt: skip
def test_each_depth_is_worth_more_than_the_last(deepest, depths, beyond):
    state = field().state
    state.deepest = deepest
    found = score(state)
    assert (found.depths, found.beyond, found.goal) == (depths, beyond, 0)
    state.won = 0
    assert score(state).goal == 5000
    assert score(state).total == depths + beyond + 5000


def test_gold_shrines_and_keys_do_what_they_do_once():
    heaps = set()
    for seed in range(40):
        engine = field(seed=seed)
        state, events = engine.state, []
        state.map.set_tile(10, 7, Tile.TREASURE)
        on_enter_tile(state, events.append)
        assert [event.amount for event in events if isinstance(event, TookGold)] == [state.gold]
        heaps.add(state.gold)
        on_enter_tile(state, silent)
        assert state.gold in heaps
    assert heaps <= set(range(8, 17))
    assert {8, 16} <= heaps or len(heaps) >= 7
    hero = state.hero
    for lost in (0, 1, 20):
        state.map.set_tile(10, 7, Tile.SHRINE)
        hero.fighter.hp = hero.fighter.max_hp - lost
        on_enter_tile(state, silent)
        assert hero.fighter.hp == hero.fighter.max_hp
        assert state.map.tiles[7, 10] == (Tile.FLOOR if lost else Tile.SHRINE)
    state.map.set_tile(10, 7, Tile.KEY)
    on_enter_tile(state, silent)
    on_enter_tile(state, silent)
    assert state.map.keys == 1


def test_a_trap_does_from_its_least_to_its_most():
    trap, losses = trap_kinds()["dart"], set()
    for seed in range(60):
        engine = field(seed=seed)
        damage_trap(engine.state, engine.state.hero, trap, "dart", silent)
        losses.add(engine.state.hero.fighter.max_hp - engine.state.hero.fighter.hp)
    assert losses == set(range(trap.low, trap.high + 1))


def test_damage_takes_no_more_than_there_is_and_the_slain_are_counted_by_kind():
    engine = field()
    rat, ogre = put(engine, "rat", 3, 3), put(engine, "ogre", 5, 5)
    apply_damage(engine.state, ogre, 36 - 1, "fire", silent)
    assert ogre.alive
    apply_damage(engine.state, ogre, 9, "fire", silent, engine.state.hero)
    apply_damage(engine.state, ogre, 9, "fire", silent)
    assert (ogre.fighter.hp, engine.state.kills) == (0, 1)
    rat.fighter.hp = 1
    kill_if_dead(engine.state, rat, "fire", silent)
    assert engine.state.kills == 1
    apply_damage(engine.state, rat, 1, "fire", silent)
    assert (engine.state.kills, engine.state.kills_by_kind) == (2, {"ogre": 1, "rat": 1})
    apply_damage(engine.state, engine.state.hero, 999, "fire", silent, engine.state.hero)
    assert engine.state.killed_by == "fire"
