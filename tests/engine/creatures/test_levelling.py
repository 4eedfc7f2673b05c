"""A hero learns from what it slays, chooses what it becomes, and finds what it came for."""

import numpy as np
import pytest

from engine.creatures.levelling import (
    experience_for_level,
    experience_value,
    make_monster,
    offered_talents,
    talents_owed,
)
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.digests import state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Choose, Descend, Move, Refused, Wait
from engine.state.compression import InvalidSave
from engine.state.events import Died, Dropped, Learned, LeveledUp, Won
from engine.state.identification import is_identified
from engine.state.run_setup import LAST_DEPTH, Mode, RunSetup
from engine.state.score import score
from entities.creature_kinds import creature_kinds
from entities.data_files import DATA, DataError
from entities.item_kinds import item_kinds
from entities.pack import MOST_STACKS, give_new
from entities.talents import talents
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from support.items import give
from support.other_data import read_from
from support.scenes import kinds, scene

DUEL = """
    #####
    #@o>#
    #####
"""


def slay(engine):
    events = []
    while Died not in kinds(events):
        events = engine.step(Move(1, 0))
    return events


def test_a_kill_teaches_what_the_kind_is_worth():
    engine = scene(DUEL)
    slay(engine)
    assert engine.state.hero.experience.points == experience_value("orc") > 0


def test_who_was_called_up_teaches_nothing():
    engine = scene(DUEL)
    engine.state.map.entity_at(2, 1).spawned_in_play = True
    slay(engine)
    assert engine.state.hero.experience.points == 0
    assert engine.state.kills == 1


@pytest.mark.parametrize("hp", [1, 99])
def test_a_hero_that_dies_in_the_fire_of_its_victim_reaches_no_level(hp):
    engine = scene(DUEL)
    hero, orc = engine.state.hero, engine.state.map.entity_at(2, 1)
    hero.fighter.hp, orc.fighter.hp = hp, 1
    hero.experience.points = experience_for_level(2) - 1
    engine.state.map.fires |= {(1, 1): 2, (2, 1): 2}
    assert (LeveledUp in kinds(engine.step(Wait()))) == hero.alive == (hp > 1)
    assert not orc.alive


def test_levels_come_later_and_later_and_each_brings_a_choice():
    steps = [
        experience_for_level(level + 1) - experience_for_level(level) for level in range(1, 30)
    ]
    assert steps == sorted(set(steps))
    engine = scene(DUEL)
    state = engine.state
    assert (offered_talents(state), talents_owed(state.hero)) == ([], 0)
    state.hero.experience.points = experience_for_level(3) - 1
    events = slay(engine)
    assert [e.level for e in events if isinstance(e, LeveledUp)] == [2, 3]
    assert talents_owed(state.hero) == 2
    assert len(set(offered_talents(state))) == 3
    first = offered_talents(state)
    assert first == offered_talents(state)
    for _ in range(2):
        assert kinds(engine.step(Choose(offered_talents(state)[0]))) == [Learned]
    assert state.hero.experience.talents[1] == first[0]
    before = state_digest(state)
    for name in [*talents(), "cheating", ""]:
        assert engine.step(Choose(name)) == Refused("not offered")
    assert state_digest(state) == before


@pytest.mark.parametrize("name", talents())
def test_every_talent_can_be_learned_and_goes_through_plain_data(name, monkeypatch):
    engine = scene(DUEL)
    state, hero = engine.state, engine.state.hero
    monkeypatch.setattr("engine.creatures.levelling.offered_talents", lambda _: [name])
    hero.experience.level, hero.experience.talents = 2, []
    before = (
        hero.fighter.max_hp,
        hero.fighter.power,
        hero.fighter.defense,
        -hero.fighter.regeneration_turns,
    )
    time = state.clock
    engine.step(Choose(name))
    assert state.clock == time
    after = (
        hero.fighter.max_hp,
        hero.fighter.power,
        hero.fighter.defense,
        -hero.fighter.regeneration_turns,
    )
    plain = talents()[name]
    assert (after > before) == bool(
        plain.hp + plain.power + plain.defense + plain.faster_regeneration
    )
    again = unpack_state(pack_state(save_state(state))).entities
    assert [one.experience.talents for one in again if one.experience] == [[name]]


def test_other_runs_offer_other_talents():
    found = set()
    for seed in range(12):
        state = new_game(RunSetup(seed, str(seed), generator="rooms"))
        state.hero.experience.level = 2
        found.add(tuple(offered_talents(state)))
    assert len(found) > 3


def test_talents_offered_at_one_level_are_not_offered_at_the_next():
    for seed in range(20):
        state = new_game(RunSetup(seed, str(seed), generator="rooms"))
        hero, last = state.hero, set()
        hero.experience.talents, hero.experience.level = ["hunter"], 9
        for _ in range(5):
            offered = offered_talents(state)
            assert len(offered) == 3
            assert not set(offered) & last
            last = set(offered)
            hero.experience.talents.append(offered[seed % 3])


def test_a_talent_can_be_chosen_asleep_and_takes_no_time():
    engine = scene("####\n#@>#\n####")
    engine.state.hero.experience.level = 2
    engine.state.hero.statuses["asleep"] = 5
    clock = engine.state.clock
    assert kinds(engine.step(Choose(offered_talents(engine.state)[0]))) == [Learned]
    assert (engine.state.clock, engine.state.hero.statuses) == (clock, {"asleep": 5})


def test_learning_that_cannot_be_is_refused():
    state = new_game(pinned(RunSetup(5, "5", Mode.ADVENTURE)))
    growth = state.hero.experience
    wrong = [
        {"level": 0}, {"level": 10**6}, {"points": -1}, {"talents": ["tough", "keen"]},
        {"level": 9, "talents": ["keen", "keen"]}, {"level": 9, "talents": ["omniscience"]},
    ]  # fmt: skip
    for fields in wrong:
        growth.level, growth.points, growth.talents = 1, 0, []
        for field, value in fields.items():
            setattr(growth, field, value)
        with pytest.raises(InvalidSave):
            load_state(state.setup, unpack_state(pack_state(save_state(state))))


def test_talents_that_bring_what_nobody_knows_or_are_too_few_are_refused(tmp_path):
    text = (DATA / "talents.toml").read_text()
    for name in ("items", "item_classes", "seeds", "statuses"):
        (tmp_path / f"{name}.toml").write_text((DATA / f"{name}.toml").read_text())
    (tmp_path / "talents.toml").write_text(text.replace("spear = 1", "lance = 1"))
    with pytest.raises(DataError, match=r"\[guard\]: items: there is no item 'lance'"):
        read_from(tmp_path, item_kinds)
    few = tmp_path / "few"
    few.mkdir()
    (few / "talents.toml").write_text(text.replace("level = 1", "level = 2"))
    with pytest.raises(DataError, match="fewer than three talents of level 1"):
        read_from(few, talents)
    later = text.replace("level = 1", "level = 2").replace("level = 2", "level = 1\ntimes = 3", 1)
    (few / "talents.toml").write_text(later)
    with pytest.raises(DataError, match="fewer than three talents of level 1"):
        read_from(few, talents)  # One that could be chosen three times is one choice.


def test_a_talent_that_brings_several_of_what_does_not_stack_is_refused(tmp_path):
    for name in ("items", "item_classes", "seeds", "statuses", "talents"):
        text = (DATA / f"{name}.toml").read_text().replace("short_bow = 1,", "short_bow = 2,")
        (tmp_path / f"{name}.toml").write_text(text)
    with pytest.raises(DataError, match=r"\[hunter\]: items: 'short_bow' does not stack"):
        read_from(tmp_path, item_kinds)


BACKGROUNDS = [name for name, talent in talents().items() if talent.level == 1]


def test_a_run_begins_with_a_choice_of_three_backgrounds_that_its_seed_decides():
    offers = set()
    for seed in range(40):
        state = new_game(RunSetup(seed, str(seed), generator="rooms"))
        offers.add(tuple(offered_talents(state)))
        assert talents_owed(state.hero) == 1
        assert offered_talents(state) == offered_talents(state)
    assert {name for offer in offers for name in offer} == set(BACKGROUNDS)
    assert {len(offer) for offer in offers} == {3}
    assert len(offers) > 15


@pytest.mark.parametrize("name", BACKGROUNDS)
def test_a_background_brings_its_items_identified_and_worn_instead_of_the_kit(name):
    setup = next(
        setup
        for setup in (RunSetup(seed, str(seed), generator="rooms") for seed in range(99))
        if name in offered_talents(new_game(setup))
    )
    engine = Engine(new_game(setup))
    state, hero = engine.state, engine.state.hero
    before = {item.kind: item.count for item in hero.inventory}
    worn, full = dict(hero.equipment), hero.fighter.hp
    assert kinds(engine.step(Choose(name))) == [Learned]
    talent = talents()[name]
    now = {item.kind: item.count for item in hero.inventory}
    assert now == {**before, **{kind: n + before.get(kind, 0) for kind, n in talent.items.items()}}
    assert all(is_identified(state, item.kind) and item.identified for item in hero.inventory)
    wands = [item for item in hero.inventory if item_kinds()[item.kind].item_class == "wand"]
    assert all(item.charges > 0 for item in wands)
    gear = {"hunter": "bow", "guard": "weapon", "burglar": "armour", "miner": "weapon"}.get(name)
    changed = {slot for slot, number in hero.equipment.items() if number != worn.get(slot)}
    assert changed == ({gear} if gear else set())
    assert hero.fighter.hp == hero.fighter.max_hp == full + talent.hp
    assert talents_owed(hero) == 0
    hero.experience.level = 2
    assert not {*offered_talents(state)} & {*BACKGROUNDS}


def test_what_a_background_brings_lies_at_the_feet_of_a_hero_whose_pack_is_full():
    engine = scene("####\n#@>#\n####")
    state, hero = engine.state, engine.state.hero
    hero.experience.talents = []
    name = offered_talents(state)[0]
    brought = talents()[name].items
    others = (kind for kind, it in item_kinds().items() if not it.kit and kind not in brought)
    while len(hero.inventory) < MOST_STACKS:
        give(engine, next(others))
    events = engine.step(Choose(name))
    assert [event.what.kind for event in events if isinstance(event, Dropped)] == [*brought]
    assert {item.kind for item in state.map.items_at(hero.x, hero.y)} == brought.keys()
    assert all(event.what.look is None for event in events if isinstance(event, Dropped))


def test_better_gear_than_the_kit_stays_on():
    engine = scene("####\n#@>#\n####")
    hero = engine.state.hero
    sword = give(engine, "sword")
    hero.equipment["weapon"] = sword.id
    assert give_new(hero, "hammer", 1, 9000) is None
    assert hero.equipment["weapon"] == sword.id
    assert "hammer" in {item.kind for item in hero.inventory}


def test_a_scholar_knows_every_scroll_and_nothing_else():
    setups = (RunSetup(seed, str(seed), generator="rooms") for seed in range(99))
    engine = next(
        Engine(new_game(setup)) for setup in setups if "scholar" in offered_talents(new_game(setup))
    )
    engine.step(Choose("scholar"))
    for kind, it in item_kinds().items():
        if it.item_class in ("scroll", "potion"):
            assert is_identified(engine.state, kind) == (it.item_class == "scroll" or it.obvious)


def test_maximum_hit_points_heal_only_those_who_are_unhurt():
    for hurt in (0, 20):
        engine = scene(DUEL)
        hero = engine.state.hero
        hero.fighter.hp -= hurt
        hp, most, hero.experience.level = hero.fighter.hp, hero.fighter.max_hp, 9
        while "tough" not in offered_talents(engine.state):
            engine.step(Choose(offered_talents(engine.state)[0]))
        engine.step(Choose("tough"))
        gain = talents()["tough"].hp
        assert (hero.fighter.hp, hero.fighter.max_hp) == (hp if hurt else hp + gain, most + gain)


@pytest.mark.parametrize("seed", range(4))
def test_the_goal_lies_within_reach_on_the_last_depth_and_taking_it_wins(seed):
    setup = pinned(RunSetup(seed, str(seed), Mode.ADVENTURE, depth=LAST_DEPTH))
    engine = Engine(new_game(setup))
    state, game_map = engine.state, engine.state.map
    ((row, column),) = np.argwhere(game_map.tiles == Tile.RELIC).tolist()
    place = column, row
    steps = distances(game_map.walkable, *game_map.start)
    assert UNREACHED > steps[place[1], place[0]] > 8
    for creature in [one for one in game_map.entities.values() if one.ai]:
        game_map.remove_entity(creature)
    dx, dy = next(
        (dx, dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy) and not game_map.is_blocked(place[0] - dx, place[1] - dy)
    )
    game_map.move_entity(state.hero, place[0] - dx, place[1] - dy)
    points = score(state).total
    assert Won in kinds(engine.step(Move(dx, dy)))
    assert state.won == 0
    assert score(state).total == points + 5000
    assert not (game_map.tiles == Tile.RELIC).any()
    assert state_digest(
        load_state(setup, unpack_state(pack_state(save_state(state))))
    ) == state_digest(state)
    game_map.move_entity(state.hero, *game_map.exit)
    engine.step(Descend())
    assert state.depth == LAST_DEPTH + 1
    assert score(state).beyond == 200
    assert not (state.map.tiles == Tile.RELIC).any()


def test_below_the_last_depth_it_only_gets_harder():
    strength = []
    for depth in (1, LAST_DEPTH, LAST_DEPTH + 1, LAST_DEPTH + 5, LAST_DEPTH + 500):
        troll = make_monster("troll", 1, 0, 0, depth)
        strength.append((troll.fighter.max_hp, troll.fighter.power))
        assert troll.fighter.hp == troll.fighter.max_hp
    assert (
        strength[0]
        == strength[1]
        == (creature_kinds()["troll"].hp, creature_kinds()["troll"].power)
    )
    assert strength[1:] == sorted(set(strength[1:]))


def test_points_say_what_they_are_for():
    state = scene(DUEL).state
    assert score(state).total == 0
    state.gold, state.deepest, state.hero.experience.points = 70, 4, 9
    found = score(state)
    assert (found.gold, found.depths, found.experience) == (70, 50 + 100 + 150, 9)
    assert found.total == 70 + 300 + 9
    assert score(state) == found


def test_waiting_brings_no_experience():
    engine = scene(DUEL)
    engine.step(Wait())
    assert engine.state.hero.experience.points == 0


def test_no_talent_is_owed_when_all_are_learned():
    state = scene(DUEL).state
    later = [name for name, talent in talents().items() for _ in range(talent.times)]
    learned = ["hunter", *(name for name in later if name not in BACKGROUNDS)]
    state.hero.experience.level, state.hero.experience.talents[:] = len(learned) + 5, learned
    assert (offered_talents(state), talents_owed(state.hero)) == ([], 0)
