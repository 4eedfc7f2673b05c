"""The kept list of creatures in view is that of the plain definition, whoever moved."""

from engine.bots import RandomBot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.state.actions import Refused, Wait
from engine.state.game_map import is_hidden
from engine.state.run_setup import RunSetup


def seen_now(game_map):
    return [
        one for one in game_map.entities.values()
        if game_map.visible[one.y, one.x] and not is_hidden(one)
    ]  # fmt: skip


def test_the_creatures_in_view_are_those_on_visible_tiles_after_every_turn():
    engine, bot, found = Engine(new_game(pinned(RunSetup(6, "6", depth=6)))), RandomBot(), []
    for _ in range(150):
        events = engine.step(bot.choose(engine.state))
        if isinstance(events, Refused):
            events = engine.step(Wait())
        if isinstance(events, Refused):
            break  # The hero died.
        bot.hear(events)
        found.append(engine.state.map.entities_in_view())
        assert found[-1] == seen_now(engine.state.map)
    assert len({len(seen) for seen in found}) > 1
