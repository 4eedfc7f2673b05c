"""How far noises are heard, and at how few hit points a monster runs."""

import pytest

from components import AiState
from engine.state.actions import Move, Wait
from engine.state.events import Fled
from engine.state.game_state import Noise
from entities.creature_kinds import creature_kinds
from support.monsters import one
from support.scenes import kinds, scene

HALL = "########################\n#@#...................o#\n#>#....................#\n" + "#" * 24


def heard(engine, x, y, loudness):
    """Whether an orc that is awake goes to look for a noise at (x, y)."""
    orc = one(engine, "orc")
    assert creature_kinds()["orc"].traits.hearing == 100
    orc.ai.state = AiState.IDLE
    engine.state.noises.append(Noise(x, y, loudness))
    engine.step(Wait())
    return orc.ai.state is AiState.SEARCHING


@pytest.mark.parametrize(("steps", "hears"), [(1, True), (10, True), (11, False)])
def test_a_noise_is_heard_as_many_steps_away_as_it_is_loud(steps, hears):
    assert heard(scene(HALL), 22 - steps, 1, loudness=10) == hears


@pytest.mark.parametrize("state", [AiState.ASLEEP, AiState.WANDERING])
def test_a_noise_that_carries_no_step_is_not_heard_even_where_it_was_made(state):
    engine = scene(HALL)
    engine.state.hero.statuses["invisible"] = 9
    orc = one(engine, "orc")
    orc.ai.state = state
    engine.state.noises.append(Noise(orc.x, orc.y, 0))
    assert isinstance(engine.step(Wait()), list)
    assert orc.ai.state is state


@pytest.mark.parametrize(("loudness", "hears"), [(13, False), (14, False), (15, True)])
def test_walls_lengthen_the_way_of_a_noise(loudness, hears):
    engine = scene("""
        #############
        #@#........o#
        ###.#########
        #>#.........#
        #############
    """)
    assert heard(engine, 10, 3, loudness) == hears, "fifteen steps"


def woken(steps, loudness, seeds=40):
    """Return how many of so many sleeping orcs wake at a noise so many ``steps`` away."""
    count = 0
    for seed in range(seeds):
        engine = scene(HALL, seed=seed)
        orc = one(engine, "orc")
        orc.ai.state = AiState.ASLEEP
        engine.state.noises.append(Noise(orc.x - steps, orc.y, loudness))
        engine.step(Wait())
        count += orc.ai.state is not AiState.ASLEEP
    return count


def test_a_noise_wakes_the_more_the_nearer_it_is():
    beside, near, far = woken(1, 12), woken(7, 12), woken(12, 12)
    assert beside > near > far
    assert 6 <= beside <= 20, "three in ten"


def test_a_monster_runs_below_its_share_of_hit_points_not_at_it():
    share = creature_kinds()["rat"].traits.flee_below
    for hp, runs in ((int(40 * share), False), (int(40 * share) - 1, True)):
        engine = scene("#######\n#@r...#\n#....>#\n#######")
        rat = one(engine, "rat")
        rat.ai.state, rat.fighter.max_hp, rat.fighter.hp = AiState.HUNTING, 40, hp
        rat.ai.last_seen_hp = 40
        assert (Fled in kinds(engine.step(Wait()))) == runs


@pytest.mark.parametrize(
    ("status", "x", "hears"), [("", 15, True), ("held", 16, False), ("asleep", 20, False)]
)
def test_a_hero_is_heard_walking_only_if_its_statuses_let_it_walk(status, x, hears):
    engine = scene(HALL)
    hero, orc = engine.state.hero, one(engine, "orc")
    engine.state.map.move_entity(hero, x, 1)
    hero.statuses |= {name: 9 for name in ("invisible", status) if name}
    orc.ai.state = AiState.IDLE
    assert isinstance(engine.step(Move(1, 0)), list)
    assert (orc.ai.state is AiState.SEARCHING) == hears, "six steps away, asleep only two"
