"""Fights played to the end: they take what the forecast says, whatever the monster."""

from statistics import mean

import pytest

from engine.monsters.combat_forecast import Danger, combined_danger, fight_cost, forecast
from engine.state.actions import Move, Strike, Wait
from engine.state.events import Struck
from entities.creature_kinds import HERO, creature_kinds
from support.items import told
from support.rule_scenes import field, put

KINDS = [kind for kind in creature_kinds() if kind != HERO]
DEPTHS = {"key_thief": 3, "idol": 8, "spiderling": 8, "thornling": 12}
"""Where kinds appear that neither spawn by themselves nor have a lair."""
HEROES = {
    1: (36, 6, 2, 9), 2: (44, 6, 3, 9), 3: (48, 7, 4, 9), 4: (51, 7, 5, 8), 5: (55, 7, 6, 8),
    6: (58, 8, 6, 8), 7: (62, 8, 7, 8), 8: (64, 8, 7, 7), 9: (66, 9, 8, 7), 10: (70, 9, 8, 7),
    11: (71, 10, 8, 7), 12: (72, 9, 8, 7),
}  # fmt: skip
"""Hit points, power, defence and turns per hit point by depth: means of the careful bot's runs."""
STRONG, DEEP = (84, 11, 7, 8), 8
"""The numbers of a good player's hero, and where such heroes are tried as well."""
ROOMS = ((20, 13), (28, 15), (36, 19))
PLENTY = 5000
"""So many hit points that the hero survives: what it has lost by then is counted."""


def hero_for(kinds):
    """Return the numbers of an average hero where the last of ``kinds`` appears."""
    return HEROES[max(map(first_depth, kinds))]


def first_depth(kind):
    form = creature_kinds()[kind]
    depths = [int(depth) for depth, weight in form.spawn_weight.items() if weight]
    return form.lair or min(depths, default=DEPTHS.get(kind))


def duel(kinds, numbers, seed, gap):
    """Return an engine whose hero is ``gap`` steps from awake monsters, and these."""
    width, height = ROOMS[seed % len(ROOMS)]
    walls, y = "#" * (width + 2), height // 2
    engine = field(4, y, "\n".join([walls, *["#" + "." * width + "#"] * height, walls]), seed=seed)
    engine.state.turn, fighter = seed, engine.state.hero.fighter
    fighter.hp, fighter.power, fighter.defense, fighter.regeneration_turns = numbers
    fighter.max_hp = fighter.hp
    foes = [put(engine, kind, 4 + gap, y + number) for number, kind in enumerate(kinds)]
    for foe in foes:
        foe.ai.goal, foe.ai.state_turns_left = (4, y), 6
    return engine, foes


def fought(engine):
    """Let the hero walk up to the nearest foe and hit until one side is dead; yield the events."""
    state, hero = engine.state, engine.state.hero
    while hero.alive and (foes := [one for one in state.map.entities.values() if one is not hero]):
        assert state.turn < 1500
        if near := [one for one in foes if hero.distance_to(one) == 1]:
            foe = max(near, key=lambda one: (_harm_by_hit(hero, one), -one.fighter.hp))
            yield engine.step(Strike(foe.x - hero.x, foe.y - hero.y))
            continue
        foe = min(foes, key=lambda one: (hero.distance_to(one), one.id))
        dx, dy = (foe.x > hero.x) - (foe.x < hero.x), (foe.y > hero.y) - (foe.y < hero.y)
        ways = [way for way in ((dx, dy), (dx, 0), (0, dy)) if any(way)]
        free = [way for way in ways if not state.map.is_blocked(hero.x + way[0], hero.y + way[1])]
        yield engine.step(Move(*free[0]) if free else Wait())


def _harm_by_hit(hero, foe):
    found = forecast(hero, foe)
    return found.received.high / (found.dealt.hits or 99)


def blows(events, attacker, target):
    return sum(
        (event.attacker.id, event.target.id) == (attacker.id, target.id)
        for event in told(events, Struck)
    )


def check(kinds, numbers):
    """Let the hero fight ``kinds`` from several distances, and compare with the forecast."""
    hp, lost, foreseen = numbers[0], [], []
    for gap in (2, 5, 6, 7):
        deaths, dangers = 0, set()
        for seed in range(6):
            engine, foes = duel(kinds, numbers, seed, gap)
            hero = engine.state.hero
            foreseen.append(hp * fight_cost(hero, foes))
            dangers.add(combined_danger(hero, foes))
            hero.fighter.hp = hero.fighter.max_hp = PLENTY
            for _ in fought(engine):
                pass
            lost.append(PLENTY - hero.fighter.hp)
            deaths += lost[-1] >= hp
        assert deaths <= 6 / 4 or dangers <= {Danger.HARD, Danger.DEADLY}, (gap, deaths)
    real, said = mean(lost), mean(foreseen)
    assert 0.7 * real <= said <= 1.4 * real or abs(said - real) <= 0.05 * hp, (said, real)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fight_costs_what_was_foreseen(kind):
    check([kind], hero_for([kind]))
    if first_depth(kind) >= DEEP:
        check([kind], STRONG)


@pytest.mark.parametrize("kinds", [
    ["rat"] * 3, ["jackal"] * 3, ["goblin"] * 3, ["warg"] * 3, ["skeleton"] * 3,
    ["shaman", "orc", "orc"], ["warlord", "orc", "archer"], ["hag", "ogre"],
    ["centaur"] * 2, ["hag"] * 2, ["banshee"] * 2, ["salamander"] * 2,
], ids="-".join)  # fmt: skip
def test_a_fight_with_several_costs_what_was_foreseen(kinds):
    check(kinds, hero_for(kinds))
    if max(map(first_depth, kinds)) >= DEEP:
        check(kinds, STRONG)


@pytest.mark.parametrize("kind", KINDS)
def test_a_monster_dies_after_as_many_hits_as_foreseen(kind):
    counts, foreseen = [], set()
    for seed in range(12):
        engine, (foe,) = duel([kind], hero_for([kind]), seed, 6)
        hero = engine.state.hero
        foreseen.add(forecast(hero, foe).dealt.hits)
        hero.fighter.hp = hero.fighter.max_hp = PLENTY
        counts.append(sum(blows(events, hero, foe) for events in fought(engine)))
    assert mean(counts) == pytest.approx(foreseen.pop(), rel=0.2, abs=1)
    assert not foreseen


@pytest.mark.parametrize("kind", ["broodmother", "warden"])
def test_the_hits_that_kill_the_hero_count_what_is_summoned(kind):
    counts, foreseen = [], set()
    for seed in range(12):
        engine, (foe,) = duel([kind], hero_for([kind]), seed, 2)
        hero = engine.state.hero
        foreseen.add(forecast(hero, foe).received.hits)
        counts.append(sum(blows(events, foe, hero) for events in fought(engine)))
        assert not hero.alive
    assert mean(counts) == pytest.approx(foreseen.pop(), rel=0.3)
    assert not foreseen
