"""What creatures hear, see and suffer, and what the hero gains: the exact numbers of rules."""

from itertools import product

import pytest

from components import AiState
from components.fighter import HIGHEST_LEVEL
from engine.creatures.health import apply_damage, kill_if_dead, tick_statuses
from engine.creatures.levelling import (
    experience_for_level,
    experience_value,
    gain_experience,
    offered_talents,
    talents_owed,
)
from engine.creatures.noise import action_noise, alert, shout
from engine.creatures.status_effects import apply_status
from engine.monsters.perception import Senses
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Move, PickUp, Wait
from engine.state.events import LeveledUp, ShotFired, StatusEnded, Struck, TookGold, creature_ref
from engine.state.score import score
from engine.terrain.tile_effects import damage_trap, on_enter_tile
from entities.creature_kinds import creature_kinds
from entities.light_levels import LIT
from entities.statuses import LONGEST_STATUS, status_kinds
from entities.talents import talents
from entities.terrain import Tile
from entities.trap_kinds import trap_kinds
from support.rule_scenes import field, put, silent


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
            assert creature.ai.state_turns_left == creature.ai.memory_turns + 3


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
def test_a_monster_sees_in_a_circle_that_ends_before_its_sight_and_twelve_tiles(dark):
    drawing = "\n".join(["#" * 34, *["#" + "." * 32 + "#"] * 17, "#" * 34])
    engine = field(2, 2, drawing, light="dark" if dark else LIT)
    orc = put(engine, "orc", 30, 15)
    for sight in (3, 8, 20):
        orc.ai.sight = sight
        reach = min(sight, 5 if dark else 12)
        senses = senses_of(engine)
        for dx, dy in product(range(15), range(15)):
            if dx or dy:
                orc.x, orc.y = 2 + dx, 2 + dy
                near = max(dx, dy) <= 1
                assert senses.sees(orc) is (near or dx * dx + dy * dy < reach * reach), (dx, dy)
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


@pytest.mark.parametrize("kind", ["warlord", "broodmother", "warden"])
def test_a_boss_shakes_off_what_a_seed_did_to_it_in_half_the_time(kind):
    engine = field()
    boss, ogre = put(engine, kind, 12, 7), put(engine, "ogre", 14, 7)
    for name in ("slowed", "weakened", "hasted"):
        for creature in (boss, ogre):
            apply_status(creature, name, 15, silent)
        assert ogre.statuses[name] == 15
        assert boss.statuses[name] == (15 if status_kinds()[name].good else 8)


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
    assert [experience_for_level(level) for level in (1, 2, 3, 4, 5)] == [0, 45, 135, 270, 450]
    worth = experience_value("orc")
    for short in (0, 1):
        engine = field()
        growth, events = engine.state.hero.experience, []
        growth.points = 135 - worth - short
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
            growth.talents, growth.level = ["filler"] * (level - 1), max(1, level)
            offers = offered_talents(engine.state) if level else []
            assert name not in offers or level == talent.level
            found.append(name in offers)
        assert any(found) or talent.level > 8, name


@pytest.mark.parametrize(
    ("deepest", "depths", "beyond"),
    [(1, 0, 0), (2, 50, 0), (3, 150, 0), (12, 3300, 0), (13, 3300, 200), (14, 3300, 420),
     (15, 3300, 660)],
)  # fmt: skip
def test_each_depth_is_worth_more_than_the_last(deepest, depths, beyond):
    state = field().state
    state.deepest = deepest
    found = score(state)
    assert (found.depths, found.beyond, found.goal) == (depths, 0, 0)
    state.won = 0
    assert (score(state).beyond, score(state).goal) == (beyond, 5000)
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


@pytest.mark.parametrize(("damage", "wakes"), [(1, True), (99, False)])
def test_damage_ends_magical_sleep_and_what_dies_in_it_does_not_wake(damage, wakes):
    engine = field()
    rat, told = put(engine, "rat", 3, 3), []
    rat.statuses["asleep"] = 9
    apply_damage(engine.state, rat, damage, "fire", told.append)
    assert any(isinstance(event, StatusEnded) for event in told) == wakes


@pytest.mark.parametrize("seen", [True, False])
def test_what_dies_in_a_fire_out_of_sight_gives_no_experience(seen):
    engine = field()
    state, rat = engine.state, put(engine, "rat", 3, 3)
    state.map.visible[3, 3] = seen
    apply_damage(state, rat, 99, "fire", silent)
    assert not rat.alive
    assert (state.kills, state.hero.experience.points > 0) == (seen, seen)
