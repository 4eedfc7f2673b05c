"""Ways out of a fight for the careful bot: which item it takes, at whom, and when not."""

from collections import Counter

import pytest

from engine.bots.careful_bot import CarefulBot, _gear
from engine.bots.emergency import (
    BARRIER_DISTANCE,
    ESCAPING,
    STOPPING,
    STRIKING,
    THROWN,
    WANDS,
    _pace,
    drink_healing,
    flee_by_stairs,
    plant_among,
    plant_barrier,
    throw_harmful,
    use_combat_item,
)
from engine.bots.tactics import _harms, step_home
from engine.monsters.combat_forecast import fight_cost
from engine.state.actions import Choose, Climb, Move, PlantFirstSeed, Refused, Throw, Use
from entities.creature_kinds import make_creature
from entities.item_kinds import item_class_of, item_kinds
from procgen.blueprint import Point
from support.items import bare, give
from support.scenes import scene

FIELD = "#" * 24 + "\n" + "\n".join(["#" + "." * 22 + "#"] * 9) + "\n" + "#" * 24


def field(*foes, hero=(4, 5), known=True):
    rows = [list(row) for row in FIELD.split()]
    rows[hero[1]][hero[0]] = "@"
    engine = bare(scene("\n".join(map("".join, rows))))
    state = engine.state
    state.map.explored[:] = True
    found = []
    for kind, x, y in foes:
        found.append(make_creature(kind, state.new_id(), x, y))
        state.map.add_entity(found[-1])
    if known:
        state.identified_kinds += [*item_kinds()]
    state.look()
    return engine, found


def test_the_first_known_thing_that_heals_is_drunk():
    engine, _ = field(known=False)
    assert drink_healing(engine.state) is None
    potion = give(engine, "healing_potion")
    assert drink_healing(engine.state) is None, "it is not known yet"
    engine.state.identified_kinds.append("healing_potion")
    assert drink_healing(engine.state) == Use(potion.id)
    fruit = give(engine, "fruit")
    assert drink_healing(engine.state) == Use(fruit.id)


@pytest.mark.parametrize("desperate", [True, False])
def test_items_that_turn_a_fight_are_used_in_their_order_and_escapes_only_in_need(desperate):
    engine, foes = field(("orc", 8, 5))
    order = [*(ESCAPING if desperate else ()), *STOPPING, *STRIKING, *WANDS]
    for kind in reversed((*ESCAPING, *STOPPING, *STRIKING, *WANDS)):
        give(engine, kind, charges=3 if kind in WANDS else 0)
    used = []
    while action := use_combat_item(engine.state, foes, desperate=desperate):
        (item,) = [one for one in engine.state.hero.inventory if one.id == action.item]
        used.append(item.kind)
        engine.state.hero.inventory.remove(item)
    assert [order.index(kind) for kind in used] == sorted(order.index(kind) for kind in used)
    assert len(used) >= len(order) - 2
    assert not desperate or used[0] in ESCAPING


def test_an_empty_wand_is_not_used_and_one_that_would_hit_the_hero_neither():
    engine, foes = field(("orc", 8, 5))
    wand = give(engine, "slowness_wand", charges=0)
    assert use_combat_item(engine.state, foes, desperate=False) is None
    wand.charges = 1
    assert use_combat_item(engine.state, foes, desperate=False) == Use(wand.id, (8, 5))
    foes[0].statuses["slowed"] = 5
    assert use_combat_item(engine.state, foes, desperate=False) is None, "it is slow already"
    engine, foes = field(("hag", 8, 5))
    give(engine, "slowness_wand", charges=1)
    assert use_combat_item(engine.state, foes, desperate=False) is None, "a hag is never slow"
    engine, foes = field(("orc", 5, 5))
    give(engine, "fireball_scroll")
    assert use_combat_item(engine.state, foes, desperate=False) is None, "the blast is too near"
    engine, foes = field(("orc", 5, 5), ("orc", 10, 5))
    scroll = give(engine, "fireball_scroll")
    assert use_combat_item(engine.state, foes[1:], desperate=False) in (None, Use(scroll.id))


def test_what_is_unknown_is_tried_only_in_need():
    engine, foes = field(("orc", 8, 5), known=False)
    potion = give(engine, "haste_potion")
    assert use_combat_item(engine.state, foes, desperate=False) is None
    assert use_combat_item(engine.state, foes, desperate=True) == Use(potion.id)
    engine.state.hero.inventory.clear()
    wand = give(engine, "frost_wand", charges=2)
    assert use_combat_item(engine.state, foes, desperate=True) == Use(wand.id, (8, 5))
    engine.state.hero.inventory.clear()
    give(engine, "dagger")
    assert use_combat_item(engine.state, foes, desperate=True) is None


@pytest.mark.parametrize("kind", THROWN)
def test_harmful_things_are_thrown_at_foes_far_enough_away(kind):
    engine, foes = field(("orc", 8, 5))
    item = give(engine, kind)
    assert throw_harmful(engine.state, foes) == Throw(item.id, 8, 5)
    assert not isinstance(engine.step(throw_harmful(engine.state, foes)), Refused)
    engine, foes = field(("orc", 8, 5), known=False)
    give(engine, kind)
    assert throw_harmful(engine.state, foes) is None or kind in ("net", "oil_flask")


def test_of_things_to_throw_the_best_comes_first():
    engine, foes = field(("orc", 8, 5))
    for kind in reversed(THROWN):
        give(engine, kind)
    for kind in THROWN:
        action = throw_harmful(engine.state, foes)
        (item,) = [one for one in engine.state.hero.inventory if one.id == action.item]
        assert item.kind == kind
        engine.state.hero.inventory.remove(item)
    assert throw_harmful(engine.state, foes) is None


@pytest.mark.parametrize("apart", [2, BARRIER_DISTANCE - 1, BARRIER_DISTANCE, 7, 10])
def test_a_barrier_is_planted_half_way_to_a_foe_that_is_some_steps_away(apart):
    engine, foes = field(("orc", 4 + apart, 5))
    seed, tried = give(engine, "thicket_seed"), Counter()
    action = plant_barrier(engine.state, foes, tried)
    if apart < BARRIER_DISTANCE:
        assert action is None
        assert not tried
        return
    assert action in (None, Use(seed.id, (4 + apart // 2, 5)))
    assert tried["thicket_seed", action is None] == 1
    engine.state.map.growing = ["something"]
    assert plant_barrier(engine.state, foes, tried) is None


def test_seeds_that_give_a_status_are_planted_among_foes_without_it():
    engine, foes = field(("orc", 7, 5), ("orc", 9, 5))
    seed = give(engine, "frost_seed")
    assert plant_among(engine.state, foes, Counter()) == Use(seed.id, (7, 5))
    foes[0].statuses["slowed"] = 9
    assert plant_among(engine.state, foes, Counter()) == Use(seed.id, (9, 5))
    foes[1].statuses["slowed"] = 9
    assert plant_among(engine.state, foes, Counter()) is None
    engine.state.hero.inventory.clear()
    give(engine, "dagger")
    assert plant_among(engine.state, foes, Counter()) is None


@pytest.mark.parametrize(("depth", "explored", "climbs"), [
    (1, True, False), (2, True, True), (3, True, True), (3, False, False)
])  # fmt: skip
def test_the_bot_flees_up_the_stairs_it_stands_on(depth, explored, climbs, monkeypatch):
    engine, foes = field(("orc", 5, 5))
    engine.state.map.explored[:] = explored
    monkeypatch.setattr(type(engine.state), "depth", property(lambda _: depth))
    assert (flee_by_stairs(engine.state, foes) == Climb()) == climbs


def test_a_foe_that_sleeps_or_is_held_follows_at_next_to_no_pace():
    orc = make_creature("orc", 1, 1, 1)
    whole = _pace(orc)
    assert whole == orc.energy.speed
    for status, pace in (("asleep", 1), ("held", 1), ("weakened", whole), ("slowed", whole // 2)):
        orc.statuses = {status: 5}
        assert _pace(orc) == pytest.approx(pace, abs=whole // 6)
        assert (_pace(orc) == 1) == (pace == 1)


@pytest.mark.parametrize(("kind", "far", "harms"), [
    ("rat", 2, True), ("ogre", 9, True), ("archer", 8, True)
])  # fmt: skip
def test_foes_that_cannot_reach_the_hero_or_hardly_hurt_count_only_when_near(kind, far, harms):
    engine, (foe,) = field((kind, 4 + far, 5))
    assert _harms(engine.state, foe) == harms
    engine.state.hero.fighter.max_hp = engine.state.hero.fighter.hp = 9000
    for away in (1, 2, 3, 9):
        engine.state.map.move_entity(foe, 4 + away, 5)
        assert _harms(engine.state, foe) == (away <= 2), "it hardly hurts any more"


def test_the_bot_goes_home_by_the_stairs_up_once_the_seed_is_planted():
    engine, _ = field(hero=(4, 5))
    state = engine.state
    assert step_home(state) is None
    state.won = 1
    assert step_home(state) == PlantFirstSeed()
    state.hollow = "rooms:7"
    assert step_home(state) == Climb()
    state.map.start = Point(10, 5)
    assert step_home(state) == Move(1, 0)
    state.map.explored[5, 10] = False
    assert step_home(state) is None


def test_the_cost_of_a_fight_counts_the_turns_before_each_foe_is_dead():
    engine, foes = field(("orc", 8, 5), ("rat", 9, 5))
    alone = [fight_cost(engine.state.hero, [foe]) for foe in foes]
    both = fight_cost(engine.state.hero, foes)
    assert both > sum(alone)
    assert both == fight_cost(engine.state.hero, foes[::-1])
    engine.state.hero.statuses["hasted"] = 9
    assert fight_cost(engine.state.hero, foes) < both


def test_gear_is_worth_its_power_armour_and_mending_less_what_is_a_nuisance():
    for name, kind in item_kinds().items():
        slot, worth = _gear(name)
        nuisance = {"noisy": 2, "unmending": 3, "mending": -2}
        less = sum(nuisance.get(ability, 0) for ability in kind.worn_abilities)
        assert worth == kind.power + kind.defense * 1.5 - less
        assert slot == item_class_of(name).slot


@pytest.mark.parametrize(("offered", "taken"), [
    (["swift", "strong", "tough"], "tough"), (["assassin", "hardy"], "hardy"), (["a", "b"], "a")
])  # fmt: skip
def test_the_first_talent_of_the_list_is_learned(offered, taken):
    assert CarefulBot()._learn(offered) == Choose(taken)
