"""Hit points stay between none and all of them, whatever wounds or heals."""

import pytest

from engine.creatures.levelling import experience_for_level, experience_value
from engine.state.actions import Choose, Move, Wait
from engine.state.events import Died, Hurt, LeveledUp
from engine.terrain.fire import FIRE_DAMAGE
from support.scenes import kinds, scene
from support.status_scenes import EMPTY

DUEL = """
    #####
    #@o>#
    #####
"""


def test_wounds_close_until_there_are_none_and_no_further():
    engine = scene(EMPTY)
    fighter = engine.state.hero.fighter
    fighter.hp = fighter.max_hp - 2
    seen = []
    for _ in range(5 * fighter.regeneration_turns):
        engine.step(Wait())
        seen.append(fighter.hp)
    assert sorted(set(seen)) == [fighter.max_hp - 2, fighter.max_hp - 1, fighter.max_hp]
    assert seen == sorted(seen)


def test_the_damage_of_a_fire_is_told_in_full_as_that_of_a_hit_is():
    engine = scene(DUEL)
    orc = engine.state.map.entity_at(2, 1)
    orc.fighter.hp = 1
    engine.state.map.fires[2, 1] = 3
    events = engine.step(Wait())
    assert [e.damage for e in events if isinstance(e, Hurt)] == [FIRE_DAMAGE] != [1]
    assert orc.fighter.hp == 0


def test_a_hero_that_burns_to_death_has_no_hit_points_left_not_fewer():
    engine = scene(EMPTY)
    hero = engine.state.hero
    hero.fighter.hp = 1
    engine.state.map.fires[hero.x, hero.y] = 3
    events = engine.step(Wait())
    assert Died in kinds(events)
    assert hero.fighter.hp == 0


def test_clothes_on_fire_leave_no_fewer_hit_points_than_none():
    engine = scene(EMPTY)
    engine.state.hero.fighter.hp = 1
    engine.state.hero.statuses["burning"] = 3
    events = engine.step(Wait())
    assert Died in kinds(events)
    assert engine.state.hero.fighter.hp == 0


@pytest.mark.parametrize(("short", "levels"), [(0, [2]), (1, [])])
def test_a_level_comes_with_the_very_point_that_it_takes(short, levels):
    engine = scene(DUEL)
    engine.state.hero.experience.points = experience_for_level(2) - experience_value("orc") - short
    events = []
    while Died not in kinds(events):
        events = engine.step(Move(1, 0))
    assert [e.level for e in events if isinstance(e, LeveledUp)] == levels


def test_a_talent_for_healing_never_stops_a_hero_that_heals_every_turn(monkeypatch):
    engine = scene(EMPTY)
    hero = engine.state.hero
    monkeypatch.setattr("engine.creatures.levelling.offered_talents", lambda _: ["hardy"])
    hero.experience.level, hero.fighter.regeneration_turns = 2, 2
    engine.step(Choose("hardy"))
    hero.fighter.hp = 1
    for _ in range(6):
        engine.step(Wait())
    assert hero.fighter.hp == 7
