"""What an answer of `agent` tells: the sentences of the game, and what the player sees."""

import json

import pytest

pytest.importorskip("gymnasium", reason="pip install -r requirements-env.txt")

from cli.agent import observed
from engine.state.events import CreatureRef, Noticed, Struck, creature_ref
from engine.state.run_setup import RunSetup
from entities.creature_kinds import make_creature
from workbench.learning.environment import SeedhollowEnv


def begun(seed=1, **more):
    """Return an environment in which the run of ``seed`` has begun."""
    env = SeedhollowEnv(observations=["text", "figures", "pack"])
    env.begin(RunSetup(seed, f"{seed}", **more))
    return env


def told(env):
    """Return the answer on the state as it is, as a client reads it."""
    return json.loads(json.dumps(observed(env, *env._observed())))


def put(env, kind, right, down=0):
    """Return a new monster beside the hero."""
    hero = env.state.hero
    creature = make_creature(kind, env.state.new_id(), hero.x + right, hero.y + down)
    env.state.map.add_entity(creature)
    env.state.look()
    return creature


def test_the_sentences_are_those_of_the_game():
    env = begun()
    hero = creature_ref(env.state.hero)
    rats = [creature_ref(put(env, "rat", way)) for way in (1, -1)]
    env.events = [Struck(hero, rats[0], 20), Noticed(rats[1])]
    text = told(env)["messages"]
    assert "You sink your dagger into the cellar rat for 20." in text
    assert "The cellar rat west of you notices you." in text
    env.events = [Noticed(CreatureRef(99, "broodmother", hero.place))]
    assert "“Children." in told(env)["messages"]
