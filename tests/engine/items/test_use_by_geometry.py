"""Weapons and items by their geometry: the way of a lunge, the foe behind, the nearest of two."""

import pytest

from engine.bots.discrete_actions import SIMPLE, TALENT, action_mask, game_action
from engine.combat.melee import lunge_after_step, sweep, thrust
from engine.creatures.levelling import TALENT_CHOICES, offered_talents
from engine.state.actions import Choose, Climb, Refused, Throw, Use
from engine.state.events import Healed, Struck
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from support.items import give, told
from support.rule_scenes import field, put, wear


def struck(events):
    """Return whom the hero struck, in order."""
    return [event.target.id for event in events if isinstance(event, Struck)]


def tough(engine, *place):
    """Return an ogre at ``place`` that outlives many hits."""
    ogre = put(engine, "ogre", *place)
    ogre.fighter.hp = ogre.fighter.max_hp = 900
    return ogre


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
@pytest.mark.parametrize("weapon", ["rapier", "dagger", None])
def test_a_lunge_strikes_on_in_the_way_of_the_step(dx, dy, weapon):
    engine, told_ = field(10, 7), []
    if weapon:
        wear(engine, "weapon", weapon)
    ahead = tough(engine, 10 + dx, 7 + dy)
    for way in DIRECTIONS:
        if way != (dx, dy):
            tough(engine, 10 + way[0], 7 + way[1])
    lunge_after_step(engine.state, engine.state.hero, dx, dy, told_.append)
    assert struck(told_) == ([ahead.id] if weapon == "rapier" else [])
    engine.state.hero.fighter.hp = 0
    lunge_after_step(engine.state, engine.state.hero, dx, dy, told_.append)
    assert len(struck(told_)) == (weapon == "rapier")


@pytest.mark.parametrize(("dx", "dy"), DIRECTIONS)
def test_a_thrust_goes_through_to_the_foe_behind_and_a_sweep_all_around(dx, dy):
    engine = field(10, 7)
    ogres = {way: tough(engine, 10 + way[0], 7 + way[1]) for way in DIRECTIONS}
    behind = tough(engine, 10 + 2 * dx, 7 + 2 * dy)
    hero, events = engine.state.hero, []
    thrust(engine.state, hero, ogres[dx, dy], events.append)
    assert struck(events) == [ogres[dx, dy].id, behind.id]
    events.clear()
    sweep(engine.state, hero, ogres[dx, dy], events.append)
    assert struck(events)[0] == ogres[dx, dy].id
    assert sorted(struck(events)) == sorted(ogre.id for ogre in ogres.values())


@pytest.mark.parametrize("near", [(13, 9), (8, 3), (10, 12)])
def test_an_unknown_wand_is_aimed_at_the_nearest_foe(near):
    engine = field(10, 7)
    foe = tough(engine, *near)
    for place in ((16, 3), (3, 11), (16, 12)):
        tough(engine, *place)
    engine.state.look()
    wand = give(engine, "slowness_wand", charges=2)
    engine.step(Use(wand.id))
    slowed = [one for one in engine.state.map.entities.values() if "slowed" in one.statuses]
    assert slowed == [foe]


@pytest.mark.parametrize(("kind", "hp", "after", "healed"), [
    ("life_potion", 10, 42, 32), ("life_potion", 41, 42, 1), ("life_potion", 42, 42, 0),
    ("life_potion", 50, 50, 0), ("healing_potion", 35, 36, 1),
])  # fmt: skip
def test_healing_fills_up_what_is_missing_and_takes_nothing(kind, hp, after, healed):
    engine = field()
    fighter = engine.state.hero.fighter
    fighter.max_hp, fighter.hp, fighter.regeneration_turns = 36, hp, 0
    engine.state.identified_kinds.append(kind)
    events = engine.step(Use(give(engine, kind).id))
    assert [event.amount for event in told(events, Healed)] == [healed]
    assert fighter.hp == after


@pytest.mark.parametrize(("hp", "status", "known", "wasted"), [
    (36, None, True, True), (50, None, True, True), (36, "hasted", True, True),
    (35, None, True, False), (36, "poisoned", True, False), (36, None, False, False),
])  # fmt: skip
def test_a_known_draught_of_healing_is_not_drunk_in_full_health(hp, status, known, wasted):
    engine = field()
    hero = engine.state.hero
    hero.fighter.max_hp, hero.fighter.hp = 36, hp
    hero.statuses.update({status: 9} if status else {})
    engine.state.identified_kinds.extend(["healing_potion"] * known)
    outcome = engine.step(Use(give(engine, "healing_potion").id))
    assert (outcome == Refused("nothing to heal")) == wasted


@pytest.mark.parametrize(
    ("level", "chosen", "owed"), [(1, 0, 1), (1, 1, 0), (2, 1, 1), (3, 2, 1), (3, 3, 0)]
)
def test_talents_can_be_chosen_while_one_is_owed(level, chosen, owed):
    state = field().state
    growth = state.hero.experience
    growth.level, growth.talents[:] = level, ["hunter", "tough", "strong"][:chosen]
    offered = offered_talents(state)
    assert len(offered) == (TALENT_CHOICES if owed else 0)
    assert action_mask(state)[TALENT : TALENT + TALENT_CHOICES].tolist() == [bool(owed)] * 3
    for number in range(TALENT_CHOICES):
        wanted = Choose(offered[number]) if owed else None
        assert game_action(state, TALENT + number, (1, 0)) == wanted


@pytest.mark.parametrize(("kind", "hits"), [("dart", True), ("mapping_scroll", False)])
def test_only_missiles_strike_whom_they_are_thrown_at(kind, hits):
    engine = field(10, 7)
    orc = tough(engine, 14, 7)
    item = give(engine, kind)
    engine.state.look()
    events = engine.step(Throw(item.id, 14, 7))
    assert struck(events) == ([orc.id] if hits else [])
    assert hits or list(engine.state.map.items) == [(14, 7)]


@pytest.mark.parametrize(("depth", "hollow", "mode", "climbs"), [
    (1, "", False, False), (1, "rooms:7", False, True), (2, "", False, True), (2, "", True, False),
])  # fmt: skip
def test_the_mask_allows_the_way_up_from_below_and_home(depth, hollow, mode, climbs, monkeypatch):
    state = field(10, 7, workshop=mode).state
    monkeypatch.setattr(type(state), "depth", depth)
    state.map.start, state.hollow = Point(10, 7), hollow
    number = SIMPLE.index(Climb())
    assert bool(action_mask(state)[number]) == climbs
    state.map.start = Point(11, 7)
    assert not action_mask(state)[number]


@pytest.mark.parametrize(
    ("unknown", "wasted"), [(None, True), ("oak wand", False), ("sword", False)]
)
def test_insight_is_refused_if_nothing_in_the_pack_is_unknown(unknown, wasted):
    engine = field()
    state = engine.state
    scroll = give(engine, "insight_scroll")
    state.identified_kinds.append("insight_scroll")
    for item in state.hero.inventory:
        item.identified = True
    if unknown:
        give(engine, "digging_wand" if "wand" in unknown else unknown).identified = False
    outcome = engine.step(Use(scroll.id))
    assert (outcome == Refused("nothing unknown")) is wasted
