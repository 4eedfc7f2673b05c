"""Monsters that are skipped in a turn are those whose turn would change nothing."""

import msgspec
import pytest

from components import AiState
from engine.bots.random_bot import RandomBot
from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.monsters.choose_action import ACTIVE_RANGE, Wakeups, choose_action, is_undisturbed
from engine.monsters.perception import FURTHEST_SIGHT, Senses, perceive
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.saves.digests import state_digest
from engine.state.actions import Move, Refused, Wait
from engine.state.game_state import Noise
from engine.state.run_setup import RunSetup
from entities.creature_kinds import creature_kinds, make_creature
from support.scenes import scene


def facts(state, creature):
    marks = {name: stream.state_bytes for name, stream in state.streams.items()}
    return msgspec.msgpack.encode((creature, marks))


def is_steady(creature):
    """Return True for wanderers that would change only because of what they see or hear."""
    ai, fighter = creature.ai, creature.fighter
    return (
        ai is not None
        and ai.state is AiState.WANDERING
        and not (creature.statuses or ai.cooldown)
        and fighter.max_hp == fighter.hp == ai.last_seen_hp
    )


def play_turn(engine, bot):
    events = engine.step(bot.choose(engine.state))
    bot.hear(engine.step(Wait()) if isinstance(events, Refused) else events)


@pytest.mark.parametrize(("seed", "recipe"), [(3, "rooms"), (5, "caves")])
def test_an_undisturbed_monster_waits_and_nothing_about_it_changes(seed, recipe):
    state = new_game(RunSetup(seed, str(seed), generator=recipe))
    engine, bot = Engine(state), Bot()
    skipped = 0
    for turn in range(120):
        play_turn(engine, bot)
        hero = state.hero
        state.noises = [Noise(hero.x, hero.y, 1 + turn % 12), Noise(20, 20, turn % 30)]
        senses = Senses(state, DijkstraMaps(state.map))
        for creature in state.map.entities.values():
            # Who is so far waits, whatever it would do.
            far = senses.distance_to(creature) > ACTIVE_RANGE
            if creature is hero or far or not is_undisturbed(creature, senses):
                continue
            events, before = [], facts(state, creature)
            assert choose_action(state, creature, senses, events.append) == Wait()
            assert (events, facts(state, creature)) == ([], before)
            skipped += 1
        state.noises.clear()
    assert skipped > 100


@pytest.mark.parametrize(("seed", "recipe"), [(3, "rooms"), (5, "caves"), (8, "labyrinth")])
def test_a_monster_out_of_reach_perceives_nothing(seed, recipe):
    """Silence, the noise of the hero and one from elsewhere take turns."""
    state = new_game(RunSetup(seed, str(seed), generator=recipe))
    engine, bot = Engine(state), RandomBot()
    for creature in state.map.entities.values():
        if creature.ai:
            creature.ai.state, creature.ai.last_seen_hp = AiState.WANDERING, creature.fighter.hp
    state.hero.fighter.hp = state.hero.fighter.max_hp = 10_000
    far = near = 0
    for turn in range(120):
        play_turn(engine, bot)
        hero = state.hero
        noises = [Noise(hero.x, hero.y, 1 + turn % 12), Noise(20, 20, turn % 5)]
        state.noises = noises[: turn % 3]
        senses = Senses(state, DijkstraMaps(state.map))
        for creature in state.map.entities.values():
            if creature is hero or senses.in_range(creature):
                near += 1
                continue
            assert not senses.sees(creature)
            if not is_steady(creature):
                continue
            events, before = [], facts(state, creature)
            perceive(state, creature, senses, events.append)
            assert (events, facts(state, creature)) == ([], before)
            far += 1
        state.noises.clear()
    assert far > 20 < near, (far, near)


def test_the_keenest_eyes_and_ears_are_within_reach_and_nothing_else_is():
    engine = scene("#" * 60 + "\n#@" + "." * 56 + ">#\n" + "#" * 60)
    hearing = max(kind.traits.hearing for kind in creature_kinds().values())
    for noises, furthest in (
        ([], FURTHEST_SIGHT),
        ([Noise(1, 1, 20)], 20 * hearing // 100),
        ([Noise(21, 1, 2)], 22 * hearing // 100),
    ):
        engine.state.noises = noises
        senses = Senses(engine.state, DijkstraMaps(engine.state.map))
        near = [x for x in range(2, 58) if senses.in_range(make_creature("orc", 9, x, 1))]
        assert near == list(range(2, 2 + furthest))


@pytest.mark.parametrize(("seed", "recipe"), [(3, "rooms"), (5, "caves"), (8, "wilds")])
def test_monsters_that_are_not_asked_would_have_changed_nothing(seed, recipe):
    """One of two runs asks every monster in every turn; nobody dies, so that both are long."""
    setup = RunSetup(seed, str(seed), generator=recipe)
    engines = [Engine(new_game(setup)), Engine(new_game(setup))]
    players = [(engine, RandomBot()) for engine in engines]
    for engine in engines:
        engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp = 10_000
    for _ in range(300):
        engines[0]._wakeups = Wakeups()
        for engine, bot in players:
            play_turn(engine, bot)
        assert state_digest(engines[0].state) == state_digest(engines[1].state)


def test_a_sleeper_is_asked_again_when_the_hero_may_be_heard_or_anything_but_steps_happens(
    monkeypatch,
):
    engine = scene("#" * 60 + "\n#@" + "." * 56 + ">#\n" + "#" * 60)
    orc = make_creature("orc", engine.state.new_id(), 41, 1)
    orc.ai.state = AiState.ASLEEP
    engine.state.map.add_entity(orc)
    distances = []

    def asked(creature, senses):
        if creature is orc:
            distances.append(senses.distance_to(orc))
        return is_undisturbed(creature, senses)

    monkeypatch.setattr("engine.monsters.choose_action.is_undisturbed", asked)
    for _ in range(10):
        engine.step(Move(1, 0))
    assert distances == [39]
    orc.statuses["burning"] = 1  # It hurts, which is an event.
    for _ in range(10):
        engine.step(Wait())
    assert distances[:2] == [39, 30]
    assert orc.fighter.hp < orc.fighter.max_hp
    assert orc.ai.state is AiState.HUNTING
    orc.ai.state, orc.fighter.hp, orc.ai.last_seen_hp = AiState.ASLEEP, 10, 10
    orc.fighter.max_hp = 10
    engine._wakeups = Wakeups()
    distances.clear()
    engine.state.map.move_entity(orc, 41, 1)
    for _ in range(26):
        engine.step(Move(1, 0))
    assert distances[:3] == [29, 6, 5]


def test_a_monster_that_goes_without_an_event_changes_nobody_elses_turn(monkeypatch):
    engine, asked = scene("#" * 60 + "\n#@" + "." * 56 + ">#\n" + "#" * 60), []
    sleepers = [make_creature("orc", engine.state.new_id(), x, 1) for x in (30, 50)]
    for one in sleepers:
        one.ai.state = AiState.ASLEEP
        engine.state.map.add_entity(one)

    def listed(creature, senses):
        asked.append(creature)
        return is_undisturbed(creature, senses)

    monkeypatch.setattr("engine.monsters.choose_action.is_undisturbed", listed)
    for _ in range(2):
        engine.step(Wait())
    assert all(asked.count(one) == 1 for one in sleepers)
    engine.state.map.remove_entity(sleepers[0])  # As when a chunk of an infinite world is unloaded.
    engine.step(Wait())
    assert [asked.count(one) for one in sleepers] == [1, 2]
