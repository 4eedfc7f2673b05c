"""What each status does to whoever has it."""

import numpy as np
import pytest

from components import AiState
from engine.creatures.status_effects import apply_status, cure_status
from engine.items.item_actions import throw
from engine.monsters.combat_forecast import forecast
from engine.monsters.monster_actions import shoot
from engine.saves.digests import state_digest
from engine.state.actions import Move, Refused, Shoot, Struggle, Throw, Use, Wait
from engine.state.events import (
    Died,
    Fizzled,
    Hurt,
    Spotted,
    StatusApplied,
    StatusEnded,
    Struggled,
    Stumbled,
)
from entities.creature_kinds import make_creature
from render.map.viewport import Viewport, is_shown
from support.items import bare, give, told
from support.scenes import kinds, scene
from support.status_scenes import EMPTY, begun

LANE = """
    ########
    #@....>#
    ########
"""


def test_who_is_hasted_acts_twice_while_an_orc_acts_once():
    engine, _ = begun("hasted", 50)
    orc = next(e for e in engine.state.map.entities.values() if e.kind == "orc")
    engine.step(Wait())
    place = (orc.x, orc.y)
    for steps in range(1, 3):
        engine.step(Wait())
        apart = max(abs(orc.x - place[0]), abs(orc.y - place[1]))
        assert apart == steps // 2 or apart == (steps + 1) // 2
    assert apart == 1


def test_fire_burns_and_kills_and_is_the_cause():
    engine, _ = begun("burning", 99, EMPTY)
    hero = engine.state.hero
    events = engine.step(Wait())
    assert any(isinstance(e, Hurt) and (e.cause, e.damage) == ("burning", 2) for e in events)
    while hero.alive:
        events = engine.step(Wait())
    assert Died in kinds(events)
    assert engine.state.killed_by == "burning"


def test_water_puts_fire_out():
    engine, _ = begun(
        "burning",
        99,
        """
        #####
        #@->#
        #####
    """,
    )
    assert StatusEnded in kinds(engine.step(Move(1, 0)))
    assert "burning" not in engine.state.hero.statuses


def test_poison_keeps_wounds_open():
    engine, _ = begun("poisoned", 9, EMPTY)
    hero = engine.state.hero
    for _ in range(9):
        engine.step(Wait())
    assert hero.fighter.hp == hero.fighter.max_hp - 9
    assert engine.state.clock == 900


def test_poison_that_has_run_its_course_hurts_no_more():
    engine, _ = begun("poisoned", 1, EMPTY)
    told = kinds(engine.step(Wait()))
    assert told.index(Hurt) < told.index(StatusEnded)


@pytest.mark.parametrize("poisoned", [True, False])
def test_poison_keeps_the_wounds_of_creatures_open_too(poisoned):
    engine = scene("""
        #######
        #@...T#
        #######
    """)
    troll = next(e for e in engine.state.map.entities.values() if e.kind == "troll")
    fighter = troll.fighter
    fighter.hp, fighter.max_hp, fighter.regeneration_turns = 100, 200, 1
    apply_status(troll, "held", 99, lambda _: None)
    if poisoned:
        apply_status(troll, "poisoned", 99, lambda _: None)
    for _ in range(6):
        engine.step(Wait())
    assert fighter.hp == (94 if poisoned else 106)


def test_a_net_holds_until_it_is_torn():
    engine, _ = begun("held", 8)
    place = (engine.state.hero.x, engine.state.hero.y)
    assert Struggled in kinds(engine.step(Move(1, 0)))
    assert (engine.state.hero.x, engine.state.hero.y) == place
    events = engine.step(Struggle())
    assert StatusEnded in kinds(events)
    assert not isinstance(engine.step(Move(1, 0)), Refused)
    assert (engine.state.hero.x, engine.state.hero.y) != place
    before = state_digest(engine.state)
    assert engine.step(Struggle()) == Refused("nothing holds you")
    assert state_digest(engine.state) == before


def test_who_is_held_can_still_strike():
    engine, _ = begun(
        "held",
        9,
        """
        #####
        #@o>#
        #####
    """,
    )
    assert "Struck" in [type(e).__name__ for e in engine.step(Move(1, 0))]


def test_a_sleeper_does_nothing_and_pain_wakes_it():
    engine = scene("""
        #####
        #@T>#
        #####
    """)
    hero, told = engine.state.hero, []
    apply_status(hero, "asleep", 500, told.append)
    while "asleep" in hero.statuses:
        events = engine.step(Move(1, 0))
    assert StatusEnded in kinds(events)
    assert hero.fighter.hp < hero.fighter.max_hp


def test_confusion_leads_astray_but_walls_still_refuse():
    engine, _ = begun("confused", 99, EMPTY)
    astray = 0
    for _ in range(30):
        before = state_digest(engine.state)
        outcome = engine.step(Move(-1, 0))
        if isinstance(outcome, Refused):
            assert state_digest(engine.state) == before
            engine.step(Wait())
        elif Stumbled in kinds(outcome):
            astray += 1
        if not engine.state.hero.alive:
            break
    assert engine.state.turn > 0
    for _ in range(10):
        outcome = engine.step(Move(1, 0))
        astray += not isinstance(outcome, Refused) and Stumbled in kinds(outcome)
    assert astray


@pytest.mark.parametrize("way", [(1, 0), (1, 1)])
def test_a_blind_hero_sees_all_adjacent_tiles_and_no_others(way):
    engine, _ = begun("blind", 9)
    engine.step(Move(*way))
    hero = engine.state.hero
    around = {(hero.x + dx, hero.y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    assert {(x, y) for y, x in np.argwhere(engine.state.map.visible).tolist()} == around


def test_a_blind_hero_sees_its_hands():
    engine, _ = begun("blind", 9)
    engine.step(Wait())
    seen = engine.state.map.visible
    hero = engine.state.hero
    assert seen.sum() <= 9
    assert seen[hero.y, hero.x]
    cure_status(hero, "blind", lambda _: None)
    engine.step(Wait())
    assert seen.sum() > 9


def test_the_weak_strike_softly_and_the_warded_feel_half():
    blows = {}
    for name in ("none", "weakened", "warded"):
        engine = scene("""
            #####
            #@T>#
            #####
        """)
        troll = next(e for e in engine.state.map.entities.values() if e.kind == "troll")
        troll.fighter.hp = troll.fighter.max_hp = 500
        if name != "none":
            who = engine.state.hero if name == "weakened" else troll
            apply_status(who, name, 99, lambda _: None)
        for _ in range(4):
            engine.state.hero.fighter.hp = 32
            engine.step(Move(1, 0))
        blows[name] = 500 - troll.fighter.hp
    assert blows["weakened"] < blows["none"]
    assert blows["warded"] <= blows["none"] // 2 + 1


def test_the_weak_shoot_softly_and_the_forecast_knows_it():
    engine = bare(scene(LANE))
    hero, centaur = engine.state.hero, make_creature("centaur", 900, 6, 1)
    engine.state.map.add_entity(centaur)
    javelin = give(engine, "javelin", 30)
    before = forecast(hero, centaur)
    hero.statuses["weakened"] = centaur.statuses["weakened"] = 999
    after = forecast(hero, centaur)
    assert after.hero_shot.high <= before.hero_shot.high // 2 + 1
    assert after.monster_shot.high <= before.monster_shot.high // 2 + 1
    assert after.fight.per_turn < before.fight.per_turn
    hurt = (set(), set())
    for _ in range(30):
        hero.fighter.hp, centaur.fighter.hp = 20, 20
        throw(engine.state, hero, Throw(javelin.id, 6, 1), lambda _: None)
        shoot(engine.state, centaur, Shoot(hero.id), lambda _: None)
        for creature, damages in zip((hero, centaur), hurt, strict=True):
            damages.add(20 - creature.fighter.hp)
    assert (min(hurt[0]), max(hurt[0])) == after.monster_shot[:2]
    assert (min(hurt[1]), max(hurt[1])) == after.hero_shot[:2]


def test_who_is_immune_never_has_the_status_and_a_boss_is_no_other_monster():
    for kind, name in (("skeleton", "afraid"), ("salamander", "burning"), ("warden", "asleep")):
        creature = make_creature(kind, 900, 1, 1)
        events = []
        apply_status(creature, name, 9, events.append)
        assert not creature.statuses
        assert not events
    engine = bare(scene(LANE))
    boss = make_creature("warden", 900, 4, 1)
    engine.state.map.add_entity(boss)
    boss.ai.cooldown = 99  # Or it would summon those who can sleep.
    for kind in ("polymorph_wand", "lullaby_scroll"):
        item = give(engine, kind, charges=1)
        assert told(engine.step(Use(item.id, (4, 1))), Fizzled)
    assert boss.kind == "warden"


def test_who_feels_minds_sees_them_through_walls():
    engine = scene("""
        #######
        #@#.o.#
        #.#...#
        #.#..>#
        #######
    """)
    state, view = engine.state, Viewport()
    orc = next(one for one in state.map.entities.values() if one.ai)
    assert not is_shown(state, orc, view)
    apply_status(state.hero, "telepathic", 9, lambda _: None)
    assert is_shown(state, orc, view)


def test_a_hero_sees_again_on_the_turn_that_its_blindness_ends():
    engine, _ = begun("blind", 2)
    engine.step(Wait())
    assert engine.state.map.visible.sum() <= 9
    events = engine.step(Wait())
    assert {StatusEnded, Spotted} <= {*kinds(events)}
    assert engine.state.map.visible.sum() > 9


def test_magic_neither_puts_a_natural_sleeper_to_sleep_nor_wakes_it():
    sleeper, events = make_creature("orc", 900, 2, 1), []
    sleeper.ai.state = AiState.ASLEEP
    apply_status(sleeper, "asleep", 5, events.append)
    assert [event.again for event in told(events, StatusApplied)] == [True]
    cure_status(sleeper, "asleep", events.append)
    assert (sleeper.statuses, told(events, StatusEnded)) == ({}, [])
    sleeper.ai.state = AiState.HUNTING
    apply_status(sleeper, "asleep", 5, events.append)
    assert not events[-1].again
    cure_status(sleeper, "asleep", events.append)
    assert len(told(events, StatusEnded)) == 1
