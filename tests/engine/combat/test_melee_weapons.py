"""Weapons that strike in their own ways, and what is worn with a drawback."""

from itertools import permutations
from statistics import median

import pytest

from components import AiState
from engine.bots.simple_bot import Bot
from engine.combat import melee
from engine.combat.melee import SNEAK_ATTACK
from engine.creatures.status_effects import apply_status
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.state.actions import Equip, Move, Refused, Use, Wait
from engine.state.events import Died, Displaced, Hurt, StatusEnded, Struck
from engine.state.run_setup import RunSetup
from entities.creature_kinds import make_creature
from entities.equipment import defense_of, power_of
from entities.item_kinds import item_kinds
from support.items import bare, first, give, told
from support.scenes import drawn, picture, scene


def armed(drawing, weapon):
    """Return an engine whose hero wields ``weapon`` and nothing else."""
    engine = bare(scene(drawing))
    item = give(engine, weapon)
    engine.state.hero.equipment["weapon"] = item.id
    for creature in engine.state.map.entities.values():
        if creature.ai:
            creature.fighter.hp = creature.fighter.max_hp = 50
            creature.fighter.power = 0
    return engine


def struck(events):
    return [event.target.place for event in told(events, Struck) if event.attacker.kind == "hero"]


def test_a_dagger_slays_who_is_asleep():
    engine = armed("#####\n#@o.#\n#..>#\n#####", "dagger")
    orc = first(engine, "orc")
    orc.fighter.hp = 25
    orc.ai.state = AiState.ASLEEP
    assert told(engine.step(Move(1, 0)), Died)


def test_any_blow_is_worse_for_who_is_asleep():
    engine = armed("#####\n#@o.#\n#..>#\n#####", "sword")
    orc = first(engine, "orc")
    apply_status(orc, "asleep", 20, lambda event: None)
    damage = told(engine.step(Move(1, 0)), Struck)[0].damage
    assert damage >= SNEAK_ATTACK * power_of(engine.state.hero) - 1
    assert "asleep" not in orc.statuses


@pytest.mark.parametrize("kind", ["dart", "lightning_scroll", "flame_wand"])
def test_any_damage_ends_a_magical_sleep(kind):
    engine = armed("########\n#@...o.#\n#.....>#\n########", "sword")
    orc = first(engine, "orc")
    apply_status(orc, "asleep", 20, lambda event: None)
    engine.state.identified_kinds.append(kind)
    item, aimed = give(engine, kind, charges=kind == "flame_wand"), kind != "lightning_scroll"
    events = engine.step(Use(item.id, (5, 1) if aimed else None))
    assert orc.fighter.hp < 50
    assert [event.status for event in told(events, StatusEnded)] == ["asleep"]
    assert "asleep" not in orc.statuses


def test_a_spear_reaches_the_one_behind():
    engine = armed("#######\n#@oo.o#\n#....>#\n#######", "spear")
    assert struck(engine.step(Move(1, 0))) == [(2, 1), (3, 1)]


def test_an_axe_sweeps_all_around():
    engine = armed("#####\n#ooo#\n#.@.#\n#o.>#\n#####", "axe")
    assert len(struck(engine.step(Move(0, -1)))) == 4
    assert struck(engine.step(Move(1, 0))) == []


def test_no_weapon_is_better_than_another_in_everything():
    weapons = [kind for kind in item_kinds().values() if kind.item_class == "weapon"]
    for one, other in permutations(weapons, 2):
        stronger = one.power >= other.power and one.defense >= other.defense
        as_able = other.weapon_ability in (None, one.weapon_ability)
        as_quiet = set(one.worn_abilities) <= set(other.worn_abilities)
        assert not (stronger and as_able and as_quiet), (one.name, other.name)
    assert [kind.name for kind in weapons if not kind.weapon_ability] == ["sword"]


def test_a_hammer_pushes_back_and_walls_hurt(monkeypatch):
    monkeypatch.setattr(melee, "KNOCK_BACK_CHANCE", 1)
    engine = armed("#######\n#@o..>#\n#######", "hammer")
    events = engine.step(Move(1, 0))
    assert told(events, Displaced)[0].how == "pushed"
    engine = armed("#####\n#@o##\n#..>#\n#####", "hammer")
    events = engine.step(Move(1, 0))
    assert told(events, Displaced) == []
    assert told(events, Hurt)[0].cause == "wall"


def test_lava_takes_who_is_pushed_into_it(monkeypatch):
    monkeypatch.setattr(melee, "KNOCK_BACK_CHANCE", 1)
    engine = armed("#######\n#@o!!.#\n#....>#\n#######", "hammer")
    events = engine.step(Move(1, 0))
    assert told(events, Died)[0].killer == "hero"
    assert engine.state.kills == 1


def test_a_rapier_lunges_at_the_end_of_a_step():
    engine = armed("########\n#@..o..#\n#.....>#\n########", "rapier")
    first(engine, "orc").ai.behaviour = "hunter"
    engine.step(Wait())
    events = engine.step(Move(1, 0)) if "o" in drawn(engine) else []
    assert struck(events)
    assert told(events, Struck)[0].damage >= 2 * power_of(engine.state.hero) - 1


def test_a_rapier_does_not_lunge_where_a_trap_has_taken_its_wielder(monkeypatch):
    monkeypatch.setattr("engine.terrain.tile_effects.trap_at", lambda *_: "shift")
    room = "#########\n#.......#\n#@x..o..#\n####>####"
    for seed in range(30):
        engine = bare(scene(room, seed=seed))
        engine.state.hero.equipment["weapon"] = give(engine, "rapier").id
        assert not struck(engine.step(Move(1, 0))), seed


def test_thorns_hurt_who_strikes():
    engine = armed("#####\n#@o.#\n#..>#\n#####", "sword")
    first(engine, "orc").fighter.power = 9
    ring = give(engine, "thorns_ring")
    engine.step(Equip(ring.id))
    events = engine.step(Wait())
    assert [event.cause for event in told(events, Hurt)] == ["thorns"]


def test_every_weapon_of_the_upper_depths_strikes_in_its_own_way():
    weapons = [kind for kind in item_kinds().values() if kind.item_class == "weapon"]
    styles = [kind.weapon_ability for kind in weapons if min(map(int, kind.spawn_weight)) < 5]
    assert len(set(styles)) == len(styles) == 6


def test_a_picture_of_a_shove():
    engine = armed("#######\n#@o..>#\n#######", "hammer")
    engine.step(Move(1, 0))
    assert drawn(engine).splitlines()[1] in {"#@.o.>#", "#@o..>#"}
    assert drawn(engine) != picture("#######\n#....>#\n#######")


def test_a_hammer_pushes_every_other_time_and_never_a_heavy_foe():
    pushed = {}
    for glyph in "oG":
        engine = armed("##########\n#@.......#\n#.......>#\n##########", "hammer")
        kind = {"o": "orc", "G": "golem"}[glyph]
        pushed[kind] = 0
        for _ in range(60):
            foe = make_creature(kind, engine.state.new_id(), 2, 1)
            foe.fighter.hp = foe.fighter.max_hp = 500
            engine.state.map.add_entity(foe)
            pushed[kind] += bool(told(engine.step(Move(1, 0)), Displaced))
            engine.state.map.remove_entity(foe)
            engine.state.hero.fighter.hp = 30
    assert 15 < pushed["orc"] < 45
    assert pushed["golem"] == 0


def test_nobody_holds_tab_with_a_hammer_through_depth_12():
    assert median(map(left_of_a_hammerer, range(5, 10))) < 43


def left_of_a_hammerer(seed):
    engine = Engine(new_game(RunSetup(seed, str(seed), depth=12)))
    state = engine.state
    hero = state.hero
    engine.step(Equip(give(engine, "hammer", bonus=2).id))
    hero.fighter.max_hp = hero.fighter.hp = 86
    hero.fighter.power += 13 - power_of(hero)
    hero.fighter.defense += 9 - defense_of(hero)
    bot = Bot()  # It attacks whoever is in view, and explores.
    while hero.alive and state.turn < 150 and state.depth == 12:
        events = engine.step(bot.choose(state))
        bot.hear(engine.step(Wait()) if isinstance(events, Refused) else events)
    return hero.fighter.hp
