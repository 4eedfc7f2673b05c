"""Threat in numbers says what the rules do."""

import pytest

from components import AiState
from engine.combat.damage import damage_after_armour
from engine.monsters.combat_forecast import (
    Danger,
    _attack_rates,
    combined_danger,
    expected_hits,
    forecast,
)
from engine.saves.digests import state_digest
from engine.state.actions import Equip, Strike, Wait
from engine.state.events import Struck
from entities.equipment import worn_abilities
from support.items import give
from support.scenes import scene


def facing(glyph, **hero):
    engine = scene(f"#####\n#@{glyph}>#\n#####")
    engine.state.hero.inventory.clear()
    engine.state.hero.equipment.clear()
    for name, value in hero.items():
        setattr(engine.state.hero.fighter, name, value)
    return engine, engine.state.map.entity_at(2, 1)


def test_no_blow_is_outside_what_was_said():
    engine, troll = facing("T", hp=500, max_hp=500, power=6)
    troll.fighter.hp = troll.fighter.max_hp = 500
    foreseen = forecast(engine.state.hero, troll)
    given, taken = set(), set()
    for _ in range(40):
        for event in engine.step(Strike(1, 0)):
            if isinstance(event, Struck):
                (given if event.attacker.kind == "hero" else taken).add(event.damage)
    assert (min(given), max(given)) == (foreseen.dealt.low, foreseen.dealt.high)
    assert (min(taken), max(taken)) == (foreseen.received.low, foreseen.received.high)


def test_so_many_hits_on_average():
    engine, troll = facing("T", power=6, defense=3)
    foreseen = forecast(engine.state.hero, troll)
    assert foreseen.dealt.hits == -(-troll.fighter.hp // 5)
    assert foreseen.dealt.chance == 1


@pytest.mark.parametrize(
    ("power", "defense", "harms"),
    [
        (6, 0, [5, 6, 7]),
        (6, 2, [3, 4, 5]),
        (6, 9, [3, 3, 4]),
        (1, 9, [0, 1, 1]),
        (0, 0, [0, 0, 0]),
        (4, -2, [5, 6, 7]),
    ],
)
def test_defense_comes_off_a_blow_but_never_more_than_half_of_it(power, defense, harms):
    hero = facing("r", defense=defense)[0].state.hero
    assert [damage_after_armour(power, luck, hero) for luck in (-1, 0, 1)] == harms
    assert expected_hits(power, hero).high == harms[-1]
    hero.statuses["warded"] = 5
    assert [damage_after_armour(power, luck, hero) for luck in (-1, 0, 1)] == [
        harm // 2 for harm in harms
    ]


def test_nobody_is_beyond_all_harm():
    engine, rat = facing("r", defense=40, hp=20)
    assert forecast(engine.state.hero, rat).received.hits
    for _ in range(6):
        engine.step(Wait())
    assert engine.state.hero.fighter.hp < 20


def test_what_cannot_harm_says_so():
    engine, cap = facing("f")
    foreseen = forecast(engine.state.hero, cap)
    assert foreseen.received.hits is None
    assert combined_danger(engine.state.hero, [cap]) is Danger.HARMLESS
    assert combined_danger(cap, [engine.state.hero]) is Danger.DEADLY


def test_danger_grows_with_wounds():
    engine, ogre = facing("P", hp=300)
    order = list(Danger)
    before = combined_danger(engine.state.hero, [ogre])
    engine.state.hero.fighter.hp = 10
    assert order.index(combined_danger(engine.state.hero, [ogre])) > order.index(before)


def test_sleepers_are_surprised_and_shooters_shoot():
    engine, kobold = facing("k")
    assert forecast(engine.state.hero, kobold).monster_shot.high > 0
    assert forecast(engine.state.hero, kobold).surprise is None
    kobold.ai.state = AiState.ASLEEP
    before = state_digest(engine.state)
    assert forecast(engine.state.hero, kobold).surprise.high > 3
    assert state_digest(engine.state) == before
    engine.step(Wait())


def test_only_the_first_hit_on_a_fleeing_monster_in_magical_sleep_is_a_sneak_attack():
    engine, ogre = facing("P", hp=900, max_hp=900, power=6)
    ogre.ai.state, ogre.ai.state_turns_left, ogre.statuses["asleep"] = AiState.FLEEING, 99, 20
    ogre.statuses["held"] = 999
    foreseen = forecast(engine.state.hero, ogre).surprise.hits
    hits = 0
    while ogre.alive:
        engine.step(Strike(1, 0))
        hits += 1
    assert abs(hits - foreseen) <= 1
    assert foreseen == 1 + -(-(36 - 11) // 5)


def test_a_fireproof_hero_is_not_said_to_burn():
    engine, demon = facing("D", hp=500, max_hp=500)
    burning = max(_attack_rates(engine.state.hero, demon))
    ring = give(engine, "embers_ring")
    engine.step(Equip(ring.id))
    assert "fireproof" in worn_abilities(engine.state.hero)
    fireproof = max(_attack_rates(engine.state.hero, demon))
    for _ in range(20):
        engine.step(Wait())
        assert "burning" not in engine.state.hero.statuses
    assert burning > fireproof == pytest.approx((16 * 1.1, 0))
