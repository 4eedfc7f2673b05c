"""Armour takes its defense off every blow, but never more than half of the blow."""

import pytest

from engine.items.aiming import missile_power
from engine.state.actions import Fire, Strike, Wait
from engine.state.events import Struck
from entities.equipment import equipped
from support.items import bare, give
from support.rule_scenes import wear
from support.scenes import scene

DUEL = """
    #####
    #@o>#
    #####
"""


def damage_taken(power, defense, blows=60):
    """Return every damage that blows of ``power`` do through ``defense``, luck and all."""
    engine = bare(scene(DUEL))
    hero, orc = engine.state.hero, engine.state.map.entity_at(2, 1)
    orc.fighter.power, hero.fighter.defense = power, defense
    found = set()
    for _ in range(blows):
        hero.fighter.hp = hero.fighter.max_hp
        events = engine.step(Wait())
        found |= {e.damage for e in events if isinstance(e, Struck) and e.attacker.id == orc.id}
    return found


def test_the_best_armour_lets_half_of_every_blow_through_rounded_up():
    assert damage_taken(power=4, defense=99) == {2, 3}, "of 3, 4 and 5"
    assert damage_taken(power=1, defense=99) == {0, 1}, "of 0, 1 and 2"


def test_light_armour_takes_its_defense_off_every_blow():
    assert damage_taken(power=9, defense=2) == {6, 7, 8}


def test_a_monster_in_heavy_armour_can_be_worn_down():
    engine = bare(scene(DUEL))
    orc = engine.state.map.entity_at(2, 1)
    orc.fighter.defense, orc.fighter.hp = 99, 6
    engine.state.hero.fighter.power, engine.state.hero.fighter.hp = 4, 10**6
    for _ in range(3):
        engine.step(Strike(1, 0))
    assert not orc.alive


@pytest.mark.parametrize(("bow", "kind"), [(None, "dart"), ("short_bow", "arrow")])
@pytest.mark.parametrize("defense", [0, 2])
def test_shots_and_throws_have_luck_up_and_down_and_meet_armour(bow, kind, defense):
    engine, found = bare(scene(DUEL)), set()
    hero, orc = engine.state.hero, engine.state.map.entity_at(2, 1)
    orc.fighter.defense, orc.statuses["asleep"] = defense, 999
    missile = give(engine, kind, 60)
    if bow:
        wear(engine, "bow", bow)
    power = missile_power(hero, missile, equipped(hero, "bow"))
    for _ in range(60):
        orc.fighter.hp = hero.fighter.hp = 30
        events = engine.step(Fire(2, 1))
        found |= {e.damage for e in events if isinstance(e, Struck) and e.attacker.id == hero.id}
    assert found == {max(power + luck - defense, (power + luck + 1) // 2) for luck in (-1, 0, 1)}
