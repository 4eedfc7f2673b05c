"""A hero learns from what it slays, chooses what it becomes, and finds what it came for."""

import numpy as np
import pytest

from engine.creatures.levelling import needed, offers, owed, worth
from engine.engine import Engine
from engine.levels.level_choice import pinned
from engine.monsters.initial_monsters import harden
from engine.saves.saved_state import capture, pack, restore, unpack
from engine.state.actions import Choose, Descend, Move, Refused, Wait
from engine.state.compression import BadState
from engine.state.events import Died, Learned, LeveledUp, Won
from engine.state.game_state import World
from engine.state.goal import LAST_DEPTH, score
from engine.state.run_setup import Mode, Setup
from entities.creature_kinds import creatures, make
from entities.data_files import DATA, DataError
from entities.talents import talents
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from scenes import kinds, scene

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
    assert engine.world.hero.growth.experience == worth("orc") > 0


def test_who_was_called_up_teaches_nothing():
    engine = scene(DUEL)
    engine.world.map.entity_at(2, 1).called_up = True
    slay(engine)
    assert engine.world.hero.growth.experience == 0
    assert engine.world.kills == 1


def test_levels_come_later_and_later_and_each_brings_a_choice():
    steps = [needed(level + 1) - needed(level) for level in range(1, 30)]
    assert steps == sorted(set(steps))
    engine = scene(DUEL)
    world = engine.world
    assert (offers(world), owed(world.hero)) == ([], 0)
    world.hero.growth.experience = needed(3) - 1
    events = slay(engine)
    assert [e.level for e in events if isinstance(e, LeveledUp)] == [2, 3]
    assert owed(world.hero) == 2
    assert len(set(offers(world))) == 3
    first = offers(world)
    assert first == offers(world)
    for _ in range(2):
        assert kinds(engine.step(Choose(offers(world)[0]))) == [Learned]
    assert world.hero.growth.talents[0] == first[0]
    before = world.digest()
    for name in [*talents(), "cheating", ""]:
        assert engine.step(Choose(name)) == Refused("not offered")
    assert world.digest() == before


@pytest.mark.parametrize("name", talents())
def test_every_talent_can_be_learned_and_goes_through_plain_data(name, monkeypatch):
    engine = scene(DUEL)
    world, hero = engine.world, engine.world.hero
    monkeypatch.setattr("engine.creatures.levelling.offers", lambda _: [name])
    hero.growth.level = 2
    before = (hero.fighter.max_hp, hero.fighter.power, hero.fighter.defense, -hero.fighter.mending)
    time = world.clock
    engine.step(Choose(name))
    assert world.clock == time
    after = (hero.fighter.max_hp, hero.fighter.power, hero.fighter.defense, -hero.fighter.mending)
    plain = talents()[name]
    assert (after > before) == bool(plain.hp + plain.power + plain.defense + plain.mending)
    again = unpack(pack(capture(world))).entities
    assert [one.growth.talents for one in again if one.growth] == [[name]]


def test_other_runs_offer_other_talents():
    found = set()
    for seed in range(12):
        world = World(Setup(seed, str(seed), generator="rooms"))
        world.hero.growth.level = 2
        found.add(tuple(offers(world)))
    assert len(found) > 3


def test_learning_that_cannot_be_is_refused():
    world = World(pinned(Setup(5, "5", Mode.ADVENTURE)))
    growth = world.hero.growth
    wrong = [
        {"level": 0}, {"level": 10**6}, {"experience": -1}, {"talents": ["tough"]},
        {"level": 9, "talents": ["keen", "keen"]}, {"level": 9, "talents": ["omniscience"]},
    ]  # fmt: skip
    for fields in wrong:
        growth.level, growth.experience, growth.talents = 1, 0, []
        for field, value in fields.items():
            setattr(growth, field, value)
        with pytest.raises(BadState):
            restore(world.setup, unpack(pack(capture(world))))


def test_a_talent_that_needs_nobody_knows_what_is_refused(tmp_path):
    text = (DATA / "talents.toml").read_text().replace('needs = "lightfoot"', 'needs = "wings"')
    (tmp_path / "talents.toml").write_text(text)
    with pytest.raises(DataError, match=r"talents.toml: \[swift\]: needs"):
        talents(tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_the_goal_lies_within_reach_on_the_last_depth_and_taking_it_wins(seed):
    setup = pinned(Setup(seed, str(seed), Mode.ADVENTURE, depth=LAST_DEPTH))
    engine = Engine(World(setup))
    world, game_map = engine.world, engine.world.map
    ((row, column),) = np.argwhere(game_map.tiles == Tile.RELIC).tolist()
    place = column, row
    steps = distances(game_map.walkable, *game_map.start)
    assert UNREACHED > steps[place[1], place[0]] > 8
    for creature in [one for one in game_map.entities.values() if one.mind]:
        game_map.remove_entity(creature)
    dx, dy = next(
        (dx, dy)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx or dy) and not game_map.is_blocked(place[0] - dx, place[1] - dy)
    )
    game_map.move_entity(world.hero, place[0] - dx, place[1] - dy)
    points = score(world).total
    assert Won in kinds(engine.step(Move(dx, dy)))
    assert world.won == 0
    assert score(world).total == points + 5000
    assert not (game_map.tiles == Tile.RELIC).any()
    assert restore(setup, unpack(pack(capture(world)))).digest() == world.digest()
    game_map.move_entity(world.hero, *game_map.exit)
    engine.step(Descend())
    assert world.depth == LAST_DEPTH + 1
    assert score(world).beyond == 1000
    assert not (world.map.tiles == Tile.RELIC).any()


def test_below_the_last_depth_it_only_gets_harder():
    strength = []
    for depth in (1, LAST_DEPTH, LAST_DEPTH + 1, LAST_DEPTH + 5, LAST_DEPTH + 500):
        troll = make("troll", 1, 0, 0)
        harden(troll, depth)
        strength.append((troll.fighter.max_hp, troll.fighter.power))
        assert troll.fighter.hp == troll.fighter.max_hp
    assert strength[0] == strength[1] == (creatures()["troll"].hp, creatures()["troll"].power)
    assert strength[1:] == sorted(set(strength[1:]))


def test_points_say_what_they_are_for():
    world = scene(DUEL).world
    assert score(world).total == 0
    world.gold, world.deepest, world.hero.growth.experience = 70, 4, 9
    found = score(world)
    assert (found.gold, found.depths, found.experience) == (70, 50 + 100 + 150, 9)
    assert found.total == 70 + 300 + 9
    assert score(world) == found


def test_waiting_brings_no_experience():
    engine = scene(DUEL)
    engine.step(Wait())
    assert engine.world.hero.growth.experience == 0
