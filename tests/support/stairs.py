"""Adventures, and their stairs."""

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.state.actions import Descend, Refused
from engine.state.compression import compress
from engine.state.events import Arrived
from engine.state.run_setup import Mode, RunSetup


def adventure(seed=5, **more):
    """Return an engine at the beginning of an adventure."""
    return Engine(new_game(pinned(RunSetup(seed, str(seed), Mode.ADVENTURE, **more))))


def quiet_world(seed=4, **more):
    """Return an engine on a real level with nobody else on it."""
    engine = adventure(seed, generator="rooms", **more)
    for creature in [one for one in engine.state.map.entities.values() if one.ai]:
        engine.state.map.remove_entity(creature)
    return engine


def stand_on(engine, place):
    """Put the hero on a stair, whoever stands there."""
    game_map = engine.state.map
    other = game_map.entity_at(*place)
    if other is not None and other is not engine.state.hero:
        game_map.remove_entity(other)
    if other is not engine.state.hero:
        game_map.move_entity(engine.state.hero, *place)


def take(engine, action):
    """Let the hero take the stairs that ``action`` is for; return that it arrived."""
    state = engine.state
    stand_on(engine, state.map.exit if isinstance(action, Descend) else state.map.start)
    events = engine.step(action)
    assert not isinstance(events, Refused)
    return next(event for event in events if isinstance(event, Arrived))


def written(memory):
    """Return a memory folded up, whether or not a level could be so."""
    return compress(memory)
