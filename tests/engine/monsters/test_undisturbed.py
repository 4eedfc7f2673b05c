"""Monsters that are skipped in a turn are those whose turn would change nothing."""

import msgspec
import pytest

from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.monsters.choose_action import choose_action, is_undisturbed
from engine.monsters.perception import Senses
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.state.actions import Refused, Wait
from engine.state.game_state import Noise
from engine.state.run_setup import RunSetup


def facts(state, creature):
    marks = {name: stream.mark for name, stream in state.streams.items()}
    return msgspec.msgpack.encode((creature, marks))


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
            if creature is hero or not is_undisturbed(creature, senses):
                continue
            events, before = [], facts(state, creature)
            assert choose_action(state, creature, senses, events.append) == Wait()
            assert (events, facts(state, creature)) == ([], before)
            skipped += 1
        state.noises.clear()
    assert skipped > 100
