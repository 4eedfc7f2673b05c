"""The forecast of a fight, number by number, against the same fight counted out by hand."""

from fractions import Fraction
from itertools import product

import pytest

from components import AiState
from components.inventory import Item
from engine.combat.damage import damage_after_armour
from engine.monsters import combat_forecast
from engine.monsters.combat_forecast import (
    Danger,
    _attack_rates,
    _regeneration,
    _sneak_attacks,
    combined_danger,
    expected_hits,
    fight_cost,
    forecast,
)
from entities.creature_kinds import creature_kinds, make_creature
from entities.item_kinds import item_kinds
from entities.statuses import status_kinds
from support.rule_scenes import field, wear

LUCK = (-1, 0, 1)


def fighters(kind="ogre", power=6, hp=40, **numbers):
    """Return a hero and a monster without armour or regeneration, whose ``numbers`` are set."""
    hero, foe = field().state.hero, make_creature(kind, 5, 12, 7)
    hero.fighter.power, hero.fighter.hp, hero.fighter.max_hp = power, hp, hp
    hero.fighter.defense = foe.fighter.defense = 0
    hero.fighter.regeneration_turns = foe.fighter.regeneration_turns = 0
    foe.ai.state, foe.energy.speed = AiState.HUNTING, 100
    for name, value in numbers.items():
        setattr(foe.fighter, name, value)
    return hero, foe


def average(power, target):
    """Return the average damage of a hit of ``power`` on ``target``."""
    return Fraction(sum(damage_after_armour(power, luck, target) for luck in LUCK), 3)


@pytest.mark.parametrize(("power", "low", "high", "chance"), [
    (6, 5, 7, 1), (1, 0, 2, 2 / 3), (2, 1, 3, 1), (0, 0, 0, 0)
])  # fmt: skip
def test_a_hit_does_its_power_one_more_or_one_less(power, low, high, chance):
    _, foe = fighters(hp=40)
    found = expected_hits(power, foe)
    assert (found.low, found.high, found.chance) == (low, high, pytest.approx(chance))
    assert (found.hits is None) == (power == 0)


@pytest.mark.parametrize(("lost", "danger"), [
    (0, Danger.HARMLESS), (0.099, Danger.HARMLESS), (0.1, Danger.EASY), (0.399, Danger.EASY),
    (0.4, Danger.FAIR), (0.699, Danger.FAIR), (0.7, Danger.HARD), (0.999, Danger.HARD),
    (1, Danger.DEADLY), (7, Danger.DEADLY),
])  # fmt: skip
def test_danger_goes_by_the_share_of_the_hit_points_that_is_lost(lost, danger, monkeypatch):
    hero, foe = fighters()
    monkeypatch.setattr(combat_forecast, "fight_cost", lambda *_: lost)
    assert combined_danger(hero, [foe]) is danger


@pytest.mark.parametrize(("mine", "theirs"), [(0, 0), (9, 0), (0, 4), (7, 3)])
@pytest.mark.parametrize(("fast", "pace"), [(100, 100), (150, 100), (100, 70)])
def test_hit_points_come_back_between_two_hits_by_the_speed_of_who_strikes(
    mine, theirs, fast, pace
):
    hero, foe = fighters(regeneration_turns=theirs)
    hero.fighter.regeneration_turns, hero.energy.speed, foe.energy.speed = mine, fast, pace
    back, other = (Fraction(*ratio) for ratio in _regeneration(hero, foe))
    assert back == (Fraction(pace, fast * theirs) if theirs else 0)
    assert other == (Fraction(100, pace * mine) if mine else 0)


def test_who_does_not_regenerate_dies_after_so_many_hits():
    hero, foe = fighters(hp=20, power=6)
    foe.fighter.hp = 31
    assert forecast(hero, foe).received.hits == -(-20 // average(13, hero))
    assert forecast(hero, foe).dealt.hits == -(-31 // average(6, foe))


def hits_to_kill(hero, foe, free):
    """Return the hits on ``foe`` if the first ``free`` ones are sneak attacks, counted out."""
    left, hits = Fraction(foe.fighter.hp), 0
    while left > 0:
        times = 2 if hits < free else 1
        left -= average(hero.fighter.power * times, foe)
        hits += 1
    return hits


@pytest.mark.parametrize("hp", [1, 12, 13, 24, 25, 30, 31, 47])
@pytest.mark.parametrize("stored", [0, 20, 99, -150])
@pytest.mark.parametrize(("fast", "pace"), [(100, 100), (200, 100), (100, 40), (300, 30)])
def test_a_sleeper_is_surprised_until_it_has_the_energy_to_act(hp, stored, fast, pace):
    hero, foe = fighters()
    foe.fighter.hp, foe.ai.state = hp, AiState.ASLEEP
    hero.energy.speed, foe.energy.speed, foe.energy.stored = fast, pace, stored
    free, energy = 0, stored
    while energy < 100:
        free, energy = free + 1, energy + 100 * 100 // fast * pace // 100
    found = forecast(hero, foe).surprise
    assert _sneak_attacks(hero, foe) == max(1, free)
    assert found.hits == hits_to_kill(hero, foe, max(1, free))
    assert (found.low, found.high) == (11, 13)


@pytest.mark.parametrize(
    ("state", "talent", "free"),
    [
        (AiState.FLEEING, True, None), (AiState.FLEEING, False, 1), (AiState.HUNTING, False, 1),
        (AiState.HUNTING, True, 1),
        (AiState.WANDERING, False, 1), (AiState.WANDERING, True, 5), (AiState.ASLEEP, False, 5),
        (AiState.IDLE, True, 5), (AiState.SEARCHING, False, 1),
    ],
)  # fmt: skip
def test_sneak_attacks_are_of_sleepers_and_of_the_unaware_for_an_assassin(state, talent, free):
    hero, foe = fighters()
    foe.ai.state, foe.energy.speed = state, 20
    hero.experience.talents[:] = ["assassin"] if talent else []
    assert _sneak_attacks(hero, foe) == free


def test_a_sleeper_as_slow_as_can_be_gives_a_blow_for_every_unit_of_energy():
    hero, foe = fighters()
    hero.energy.speed, foe.energy.speed, foe.ai.state = 1000, 5, AiState.ASLEEP
    assert _sneak_attacks(hero, foe) == 100


def test_who_flees_from_an_assassin_is_surprised_by_every_hit():
    hero, foe = fighters()
    hero.experience.talents[:] = ["assassin"]
    foe.fighter.hp, foe.ai.state = 60, AiState.FLEEING
    assert forecast(hero, foe).surprise.hits == 4


@pytest.mark.parametrize("kind", ["ogre", "archer", "hag", "viper", "gazer", "demon", "salamander"])
@pytest.mark.parametrize("pace", [50, 100, 130])
@pytest.mark.parametrize("stubborn", [False, True])
def test_an_attack_takes_its_damage_and_what_its_status_takes(kind, pace, stubborn):
    hero, foe = fighters(kind)
    foe.energy.speed = pace
    hero.experience.talents[:] = ["stubborn"] if stubborn else []
    traits = creature_kinds()[kind].traits
    steps_back = creature_kinds()[kind].behaviour == "shooter"
    attacks = [(foe.fighter.power, pace / (200 if steps_back else 100))]
    if shot := traits.ranged_attack:
        attacks.append((shot.power, pace / 100 / shot.every))
    for (power, often), rate in zip(attacks, _attack_rates(hero, foe), strict=True):
        toll, share = average(power, hero) * often, 0
        if touch := traits.on_hit:
            lands = sum(damage_after_armour(power, luck, hero) > 0 for luck in LUCK) / 3
            turns = ((touch.turns + 1) // 2 if stubborn else touch.turns) * often
            free = (1 - touch.chance * lands) ** max(1, round(turns))
            share = (1 - free) * min(1, turns)
            toll += status_kinds()[touch.status].harm * share
        assert rate == pytest.approx((float(toll), share))


@pytest.mark.parametrize(("bow", "missile"), [
    (None, None), ("short_bow", None), ("short_bow", "arrow"), ("long_bow", "arrow"),
    (None, "dart"), ("short_bow", "dart"),
])  # fmt: skip
def test_what_the_hero_can_shoot_or_throw_is_in_the_forecast(bow, missile):
    engine, foe = field(), fighters()[1]
    hero = engine.state.hero
    if bow:
        wear(engine, "bow", bow)
    if missile:
        hero.inventory.append(Item(901, missile, 5, bonus=1))
    found = forecast(hero, foe).hero_shot
    flies = missile == "dart" or (bow and missile)
    assert (found is not None) == bool(flies)
    if flies:
        power = item_kinds()[missile].damage + 1
        power += item_kinds()[bow].power if missile == "arrow" else 0
        assert found == expected_hits(power, foe)


@pytest.mark.parametrize("every", ["archer", "hag", "salamander"])
def test_the_hero_heals_between_two_shots(every):
    hero, foe = fighters(every)
    shot = creature_kinds()[every].traits.ranged_attack
    hero.fighter.regeneration_turns = 2
    assert forecast(hero, foe).monster_shot == expected_hits(shot.power, hero, (shot.every, 2))


@pytest.mark.parametrize("many", range(5))
@pytest.mark.parametrize(("hp", "fast"), [(40, 100), (400, 100), (90, 200), (0, 100)])
def test_a_pack_bites_until_each_of_it_is_dead(many, hp, fast):
    hero, _ = fighters(hp=hp)
    hero.energy.speed = fast
    pack = []
    for number in range(many):
        foe = fighters("orc", power=4)[1]
        foe.fighter.hp, foe.fighter.power = 6 * (1 + number), 2 + number
        pack.append(foe)
    lost, blows = 0.0, 0
    costs = [(forecast(hero, foe).dealt.hits, average(foe.fighter.power, hero)) for foe in pack]
    for hits, toll in sorted(costs, key=lambda cost: -cost[1] / cost[0]):
        blows += hits
        lost += (blows * 100 / fast - 0.5) * toll
    assert fight_cost(hero, pack) == pytest.approx(lost / max(1, hp))
    assert fight_cost(hero, pack[::-1]) == fight_cost(hero, pack)


def test_one_of_a_pack_that_cannot_be_killed_is_deadly_if_it_harms():
    hero, foe = fighters(power=0)
    assert combined_danger(hero, [foe]) is Danger.DEADLY
    foe.fighter.power = 0
    assert combined_danger(hero, [foe]) is Danger.HARMLESS
    for state, other in product((AiState.ASLEEP, AiState.HUNTING), (AiState.HUNTING,)):
        hero.fighter.power, foe.fighter.power = 6, 6
        foe.ai.state, second = state, fighters()[1]
        second.ai.state = other
        assert combined_danger(hero, [foe, second]) is not Danger.HARMLESS


@pytest.mark.parametrize("apart", [1, 2, 6, 30])
@pytest.mark.parametrize("state", [AiState.HUNTING, AiState.ASLEEP])
@pytest.mark.parametrize("fast", [100, 50])
def test_the_way_to_one_that_shoots_and_steps_back_costs_turns_and_shots(apart, state, fast):
    hero, foe = fighters("archer", power=3)
    foe.x, foe.y, foe.ai.state, hero.energy.speed = hero.x + apart, hero.y, state, fast
    shot, found = creature_kinds()["archer"].traits.ranged_attack, forecast(hero, foe)
    steps = min(apart, shot.reach) - 1 if state is AiState.HUNTING else 0
    way, rate = steps * 100 / fast, average(shot.power, hero) / shot.every
    beside = max(rate, average(foe.fighter.power, hero) / 2)
    turns = (found.surprise or found.dealt).hits * 100 / fast * 2 * (100 / fast)
    assert found.fight.turns == pytest.approx(turns + way)
    assert found.fight.per_turn * found.fight.turns == pytest.approx(
        float(way * rate + turns * 0.7 * beside), abs=1e-9
    ), "it flees below 0.3 of its hit points"


def test_who_sleeps_and_dies_by_the_first_hit_costs_nothing():
    hero, foe = fighters("archer", power=20)
    foe.ai.state = AiState.ASLEEP
    assert fight_cost(hero, [foe]) == 0
    foe.ai.state = AiState.HUNTING
    assert fight_cost(hero, [foe]) > 0


def test_a_hero_that_is_slowed_fights_the_others_longer():
    hero, ogre = fighters(hp=1000)
    gazer = fighters("gazer", power=3)[1]
    together, slowing = fight_cost(hero, [ogre, gazer]), forecast(hero, gazer).fight.slowing
    assert slowing == 2, "it slows by every touch"
    first, then = (forecast(hero, foe).fight for foe in (ogre, gazer))
    lost = (2 * first.turns - 0.5) * first.per_turn
    lost += (2 * first.turns + then.turns - 0.5) * then.per_turn
    assert together == pytest.approx(lost / 1000)
    hero.statuses["slowed"] = 9
    assert forecast(hero, gazer).fight.slowing == 1, "it is as slow already"


@pytest.mark.parametrize("full", [9, 12])
def test_whoever_weakens_takes_more_hits_unless_the_hero_is_weak_already(full):
    hero, foe = fighters("vampire", power=full)
    foe.fighter.hp = 30
    share = max(_attack_rates(hero, foe))[1]
    mean_power = round(full * (1 - share / 2))
    assert forecast(hero, foe).dealt.hits == -(-30 // average(mean_power, foe))
    hero.statuses["weakened"] = 9
    assert forecast(hero, foe).dealt.hits == -(-30 // average(full // 2, foe))


@pytest.mark.parametrize("kind", ["necromancer", "broodmother", "warden"])
def test_a_fight_with_a_summoner_is_as_long_as_it_takes_to_kill_all_that_come(kind):
    hero, foe = fighters(kind, power=9, hp=60)
    foe.x, summons = hero.x + 1, creature_kinds()[kind].traits.summons
    other = make_creature(summons.kind, 6, 11, 7)
    brood = summons.number * expected_hits(9, other).hits
    turns, found = forecast(hero, foe).dealt.hits, forecast(hero, foe).fight.turns
    turns *= 2 if kind == "necromancer" else 1  # It steps back on every other turn.
    broods = found / summons.every
    assert found == pytest.approx(turns + (broods + 0.5) * brood)
    bites = sum(n * expected_hits(9, other).hits - 1 for n in range(1, summons.number + 1))
    harm = (broods + 0.5) * bites * max(_attack_rates(hero, other))[0]
    own = max(_attack_rates(hero, foe))[0] * (1 - 1 / summons.every)
    own *= found * (0.7 if kind == "necromancer" else 1)  # It flees below that.
    assert found * forecast(hero, foe).fight.per_turn == pytest.approx(harm + own)
