"""The numbers shown, against blows played out: many seeds, the same situation."""

from statistics import mean

import pytest

from components import AiState
from engine.combat.melee import SNEAK_ATTACK
from engine.creatures.health import turns_per_hit_point
from engine.monsters.combat_forecast import _attack_rates, forecast
from engine.state.actions import Fire, Strike, Wait
from engine.state.events import ShotFired, StatusApplied, Struck
from support.items import bare, give, told
from support.scenes import scene

SEEDS = range(40)
CELL = "#####\n#@{}.#\n#..>#\n#####"
LONG = "########\n#@...{}.#\n#.....>#\n########"


def facing(
    glyph, seed=7, *, wear=(), talents=(), mood=AiState.HUNTING, at=CELL, statuses=(), **hero
):
    """Return an engine, its hero so worn and learned, and who stands before it."""
    engine = bare(scene(at.format(glyph), seed=seed))
    body = engine.state.hero
    for kind in wear:
        body.equipment[kind[1]] = give(engine, kind[0], bonus=kind[2]).id
    body.experience.talents += talents
    body.statuses.update(statuses)
    for name, value in hero.items():
        setattr(body.fighter, name, value)
    foe = next(one for one in engine.state.map.entities.values() if one is not body)
    foe.ai.state, foe.ai.last_seen_hp = mood, foe.fighter.hp
    return engine, foe


def dealt(events, by):
    return [event.damage for event in told(events, Struck) if event.attacker.id == by.id]


SWORD, DAGGER, BOW = ("sword", "weapon", 1), ("dagger", "weapon", 0), ("short_bow", "bow", 2)


@pytest.mark.parametrize("mood", list(AiState))
@pytest.mark.parametrize("talents", [(), ("assassin",)], ids=["plain", "assassin"])
@pytest.mark.parametrize("weapon", [DAGGER, SWORD, BOW], ids=lambda weapon: weapon[0])
def test_the_first_blow_does_what_was_said(weapon, talents, mood):
    seen, foreseen = set(), set()
    for seed in SEEDS[:14]:
        engine, ogre = facing("P", seed, wear=[weapon], talents=talents, mood=mood)
        found = forecast(engine.state.hero, ogre)
        first = found.surprise or found.dealt
        foreseen.add((first.low, first.high))
        seen.add(dealt(engine.step(Strike(1, 0)), engine.state.hero)[0])
    assert foreseen == {(min(seen), max(seen))}


@pytest.mark.parametrize("statuses", [{}, {"weakened": 99}], ids=["well", "weakened"])
def test_a_sleep_by_magic_is_a_surprise_as_well(statuses):
    engine, ogre = facing("P", wear=[DAGGER], statuses=statuses)
    ogre.statuses["asleep"] = 9
    found = forecast(engine.state.hero, ogre)
    assert found.surprise.low > SNEAK_ATTACK * found.dealt.high
    assert dealt(engine.step(Strike(1, 0)), engine.state.hero)[0] >= found.surprise.low
    assert forecast(engine.state.hero, ogre).surprise is None


@pytest.mark.parametrize(
    ("glyph", "hero"),
    [
        ("P", {"power": 6}),
        ("T", {"power": 4}),
        ("T", {"power": 9}),
        ("L", {"power": 5}),
        ("G", {"power": 7}),
        ("K", {"power": 8}),
    ],
)
@pytest.mark.parametrize("mood", [AiState.HUNTING, AiState.ASLEEP])
def test_so_many_blows_end_it_on_average(glyph, hero, mood):
    counts, shown = [], set()
    for seed in SEEDS:
        engine, foe = facing(glyph, seed, wear=[DAGGER], mood=mood, max_hp=999, hp=999, **hero)
        engine.state.turn = seed  # so that what grows back does not grow in step
        foe.statuses["held"] = 999
        found = forecast(engine.state.hero, foe)
        shown.add((found.surprise or found.dealt).hits)
        blows = 0
        while foe.alive:
            engine.state.hero.fighter.hp, engine.state.hero.statuses = 999, {}
            engine.step(Strike(1, 0))
            blows += 1
        counts.append(blows)
    assert len(shown) == 1
    assert abs(mean(counts) - shown.pop()) < 0.75


@pytest.mark.parametrize("glyph", ["r", "T", "v", "F", "K", "D"])
@pytest.mark.parametrize(
    "hero",
    [
        {"wear": [("chain_mail", "armour", 2)]},
        {"statuses": {"warded": 999}},
        {"defense": 4},
    ],
    ids=["mail", "warded", "guarded"],
)
def test_a_turn_takes_the_toll_that_was_said(glyph, hero):
    """Blows are in the range shown; harm and ailments of a turn come to the toll."""
    harms, took, turns = set(), 0, 0
    for seed in SEEDS[:10]:
        engine, foe = facing(glyph, seed, max_hp=5000, hp=5000, regeneration_turns=0, **hero)
        foreseen = forecast(engine.state.hero, foe)
        for turn in range(60):
            before = engine.state.hero.fighter.hp
            statuses = engine.state.hero.statuses
            statuses.pop("confused", None)
            engine.state.map.fires.clear()
            events = engine.step(Wait())
            harms.update(dealt(events, foe))
            if turn >= 10:  # an ailment takes a while to be there all the time
                took, turns = took + before - engine.state.hero.fighter.hp, turns + 1
    assert (min(harms), max(harms)) == (foreseen.received.low, foreseen.received.high)
    assert took / turns == pytest.approx(max(_attack_rates(engine.state.hero, foe))[0], rel=0.1)


@pytest.mark.parametrize("stubborn", [(), ("stubborn",)], ids=["plain", "stubborn"])
def test_a_touch_brings_what_was_said_as_often(stubborn):
    bites, turns = 0, []
    for seed in SEEDS:
        engine = facing("v", seed, talents=stubborn)[0]
        events = []
        while not any(isinstance(event, Struck) for event in events):
            events = engine.step(Wait())
        bites += 1
        turns += [event.turns for event in told(events, StatusApplied)]
    assert len(turns) / bites == pytest.approx(0.6, abs=0.15)
    assert set(turns) == {3 if stubborn else 6}


@pytest.mark.parametrize("glyph", ["k", "C"])
def test_shots_do_what_was_said(glyph):
    harms, turns = set(), []
    for seed in SEEDS[:20]:
        engine, foe = facing(glyph, seed, at=LONG, max_hp=999, hp=999)
        shot = forecast(engine.state.hero, foe).monster_shot
        foe.statuses["held"] = 999
        for turn in range(8):
            found = told(engine.step(Wait()), ShotFired)
            harms.update(event.damage for event in found)
            turns += [turn] * len(found)
    assert (min(harms), max(harms)) == (shot.low, shot.high)
    assert turns


@pytest.mark.parametrize(
    ("wear", "missile"), [((), "dart"), ((), "javelin"), ((BOW,), "arrow"), ((BOW,), "dart")]
)
def test_what_one_fires_does_what_was_said(wear, missile):
    harms = set()
    for seed in SEEDS[:30]:
        engine, orc = facing("o", seed, at=LONG, wear=wear)
        give(engine, missile, 5, bonus=1)
        fired = forecast(engine.state.hero, orc).hero_shot
        harms.update(dealt(engine.step(Fire(orc.x, orc.y)), engine.state.hero))
    assert (min(harms), max(harms)) == (fired.low, fired.high)


def test_nothing_to_fire_is_no_number():
    engine, orc = facing("o")
    give(engine, "net", 2)
    assert forecast(engine.state.hero, orc).hero_shot is None


@pytest.mark.parametrize("ring", [None, "mending_ring", "embers_ring"])
@pytest.mark.parametrize("statuses", [{}, {"poisoned": 9999}], ids=["well", "poisoned"])
def test_wounds_close_as_the_sheet_says(ring, statuses):
    wear = [(ring, "ring", 0)] if ring else []
    engine = facing("o", wear=wear, statuses=statuses, max_hp=9000, hp=5000)[0]
    hero = engine.state.hero
    engine.state.map.remove_entity(engine.state.map.entity_at(2, 1))
    pace = turns_per_hit_point(hero)
    for _ in range(180):
        engine.step(Wait())
    lost = 180 if statuses else 0
    assert hero.fighter.hp == 5000 - lost + (180 // pace if pace else 0)


def test_a_hero_dies_in_about_as_many_hits_as_forecast_poison_included():
    counts = []
    for seed in SEEDS[:20]:
        engine, foe = facing("v", seed, hp=60, max_hp=60)
        hits, hero = 0, engine.state.hero
        foreseen = forecast(hero, foe).received.hits
        while hero.alive:
            events = engine.step(Wait())
            hits += sum(event.attacker.id == foe.id for event in told(events, Struck))
        counts.append(hits)
    assert mean(counts) == pytest.approx(foreseen, rel=0.2), (foreseen, counts)
