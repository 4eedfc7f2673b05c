"""Talents that change a fight: thorns, kills that heal or leave seeds, aim, and the last stand."""

from dataclasses import replace

import pytest

from components.inventory import Item
from engine.combat.melee import THORNS_DAMAGE
from engine.creatures.health import HARVEST, apply_damage
from engine.items.aiming import MISSILE, SURE_AIM, missile_power
from engine.monsters.combat_forecast import forecast
from engine.state.actions import Fire, Move, Wait
from engine.state.events import Dropped, Healed, Hurt, Struck
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import positive_weights
from entities.equipment import CORNERED, power_of
from entities.item_kinds import SEED, item_kinds
from entities.talents import talents
from entities.terrain import Tile
from render.session.item_commands import fire_command
from support.items import give
from support.rule_scenes import wear
from support.scenes import scene

DUEL = """
    ######
    #@o.>#
    ######
"""


def duel(*talents, drawing=DUEL):
    engine = scene(drawing)
    engine.state.hero.experience.talents += talents
    return engine, engine.state.hero, engine.state.map.entity_at(2, 1)


def kill(engine, victim):
    events = []
    apply_damage(engine.state, victim, 10**4, HERO, events.append, engine.state.hero)
    return events


@pytest.mark.parametrize("talents", [(), ("thornskin",)])
def test_thornskin_pricks_what_hits_hand_to_hand(talents):
    engine, hero, orc = duel(*talents)
    hero.fighter.hp = hero.fighter.max_hp = 500
    pricks, hits = [], 0
    for _ in range(6):
        orc.fighter.hp = orc.fighter.max_hp
        events = engine.step(Wait())
        hits += sum(isinstance(it, Struck) and it.damage > 0 for it in events)
        pricks += [it.damage for it in events if isinstance(it, Hurt) and it.cause == "thorns"]
    assert hits > 3
    assert pricks == [THORNS_DAMAGE] * (hits if talents else 0)


@pytest.mark.parametrize(
    ("lost", "summoned", "gained"),
    [(10, False, HARVEST), (1, False, 1), (0, False, 0), (9, True, 0)],
)
def test_harvest_gives_back_hit_points_for_a_kill_that_brings_experience(lost, summoned, gained):
    engine, hero, orc = duel("harvest")
    hero.fighter.hp -= lost
    before, orc.spawned_in_play = hero.fighter.hp, summoned
    events = kill(engine, orc)
    assert hero.fighter.hp == before + gained
    assert [it.amount for it in events if isinstance(it, Healed)] == [gained] * (gained > 0)


def test_windfall_leaves_a_seed_where_about_one_victim_in_eight_fell():
    engine, _, orc = duel("windfall")
    kinds = []
    for number in range(500):
        orc.fighter.hp, orc.spawned_in_play = 1, number >= 400
        drops = [it.what.kind for it in kill(engine, orc) if isinstance(it, Dropped)]
        assert not (drops and orc.spawned_in_play)
        kinds += drops
        engine.state.map.add_entity(orc)
    assert 30 < len(kinds) < 75
    assert {item_kinds()[kind].item_class for kind in kinds} == {SEED}
    assert len(set(kinds)) > 4
    pile = engine.state.map.items_at(orc.x, orc.y)
    assert sum(item.count for item in pile) == len(kinds)


def test_sure_aim_adds_to_missiles_but_gives_none_to_what_does_no_damage():
    _, hero, _ = duel()
    for kind in (name for name, it in item_kinds().items() if it.item_class == MISSILE):
        item, damage = Item(1, kind), item_kinds()[kind].damage
        hero.experience.talents = []
        assert missile_power(hero, item, None) == damage
        hero.experience.talents = ["sure_aim"]
        assert missile_power(hero, item, None) == damage + SURE_AIM * (damage > 0)


@pytest.mark.parametrize("talents", [(), ("cornered",)])
def test_the_cornered_hit_harder_with_a_third_of_their_hit_points_and_know_it(talents):
    _, hero, orc = duel(*talents)
    hero.fighter.max_hp, usual = 30, []
    for hp in (30, 11, 10, 1):
        hero.fighter.hp = hp
        usual.append((power_of(hero), forecast(hero, orc).dealt.high))
    gain = CORNERED if talents else 0
    (power, most), *_ = usual
    assert usual == [(power, most)] * 2 + [(power + gain, most + gain)] * 2
    assert power_of(orc) == orc.fighter.power


def test_a_blow_of_the_cornered_is_as_strong_as_it_says():
    engine, hero, orc = duel("cornered")
    hero.fighter.max_hp, hero.fighter.hp, orc.fighter.max_hp, orc.fighter.hp = 300, 90, 500, 500
    expected, blows = forecast(hero, orc).dealt, []
    for _ in range(20):
        hero.fighter.hp = 90
        blows += [it.damage for it in engine.step(Move(1, 0)) if isinstance(it, Struck)][:1]
    assert (min(blows), max(blows)) == (expected.low, expected.high)


def test_no_talent_heals_a_hero_who_died_first():
    engine, hero, orc = duel("harvest", "windfall")
    hero.fighter.hp = 0
    for _ in range(40):
        assert not [it for it in kill(engine, orc) if isinstance(it, Healed | Dropped)]
        orc.fighter.hp = 1
        engine.state.map.add_entity(orc)
    assert hero.fighter.hp == 0


@pytest.mark.parametrize("depth", [1, 9])
def test_windfall_leaves_seeds_of_the_depth(depth):
    engine, _, orc = duel("windfall")
    engine.state.map.code = replace(engine.state.map.code, depth=depth)
    kinds = set()
    for _ in range(700):
        orc.fighter.hp = 1
        kinds |= {it.what.kind for it in kill(engine, orc) if isinstance(it, Dropped)}
        engine.state.map.add_entity(orc)
    seeds = {name: it for name, it in item_kinds().items() if it.item_class == SEED}
    assert kinds <= set(positive_weights(depth, seeds))
    assert (kinds <= set(positive_weights(1, seeds))) == (depth == 1)


@pytest.mark.parametrize("tile", [Tile.WATER, Tile.KEY])
def test_a_windfall_lies_where_it_can_be_taken_and_hides_no_key(tile):
    engine, _, orc = duel("windfall")
    engine.state.map.set_tile(2, 1, tile)
    for _ in range(60):
        orc.fighter.hp = 1
        kill(engine, orc)
        engine.state.map.add_entity(orc)
    (pile,) = [(x, y) for x, y, _ in engine.state.map.piles()]
    assert pile in ((1, 1), (3, 1))


def test_thorny_gear_adds_nothing_to_thornskin():
    engine, hero, orc = duel("thornskin")
    wear(engine, "ring", "thorns_ring")
    hero.fighter.hp = hero.fighter.max_hp = 500
    pricks = hits = 0
    for _ in range(6):
        orc.fighter.hp = orc.fighter.max_hp
        events = engine.step(Wait())
        hits += sum(isinstance(it, Struck) and it.damage > 0 for it in events)
        pricks += sum(it.damage for it in events if isinstance(it, Hurt) and it.cause == "thorns")
    assert pricks == THORNS_DAMAGE * hits > 0


@pytest.mark.parametrize("talents", [(), ("sure_aim",)])
def test_sure_aim_counts_in_hits_forecasts_and_aiming(talents):
    engine, hero, orc = duel(*talents, drawing=DUEL.replace("o.", ".o"))
    orc = engine.state.map.entity_at(3, 1)
    give(engine, "dart", 40)
    power = item_kinds()["dart"].damage + SURE_AIM * len(talents)
    assert fire_command(engine.state).power == power
    assert forecast(hero, orc).hero_shot.high == power + 1
    found = set()
    for _ in range(30):
        orc.fighter.hp, orc.statuses["asleep"] = 30, 99
        hero.fighter.hp = hero.fighter.max_hp
        blows = [it for it in engine.step(Fire(3, 1)) if isinstance(it, Struck)]
        found |= {it.damage for it in blows if it.attacker.id == hero.id}
        engine.state.map.move_entity(orc, 3, 1)
    assert found == {power - 1, power, power + 1}


def test_what_a_background_brings_is_what_its_text_says():
    words = {1: "a", 2: "two", 3: "three"}
    for talent in talents().values():
        for kind, count in talent.items.items():
            name = item_kinds()[kind].name.removesuffix(" seed")
            assert name in talent.text
            if count > 1:
                assert f"{words.get(count, count)} " in talent.text


def test_nobody_heals_so_fast_that_resting_costs_no_time():
    fastest = creature_kinds()[HERO].regeneration_turns
    background = max(it.faster_regeneration for it in talents().values() if it.level == 1)
    later = sum(it.faster_regeneration * it.times for it in talents().values() if it.level > 1)
    assert fastest - background - later >= 4
