"""The levels that a way down offers, and the choice between them."""

import random

import pytest

from components import AiState
from engine.bots.careful_bot import CarefulBot
from engine.bots.tactics import safest_choice
from engine.levels.dungeon import levels_on_the_way, new_game
from engine.levels.recipe_by_depth import code_at, level_choices_at, pinned
from engine.monsters.initial_monsters import InitialMonster
from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Climb, Descend, Refused, Wait
from engine.state.run_setup import LAST_DEPTH, Mode, RunSetup
from procgen.recipes import TooSmall
from support.stairs import adventure, stand_on, take


def codes(seed, choose):
    """Return the level codes of a run of ``seed`` that takes the choice ``choose(depth)``."""
    setup = pinned(RunSetup(seed, str(seed)))
    found = [code_at(setup, 1)]
    for depth in range(2, LAST_DEPTH + 1):
        choices = level_choices_at(setup, found[-1].seed, depth)
        found.append(choices[choose(depth) % len(choices)])
    return [str(code) for code in found]


def test_the_first_ground_is_the_level_that_the_seed_alone_gives():
    for seed in range(20):
        setup = pinned(RunSetup(seed, str(seed)))
        assert codes(seed, lambda _: 0) == [
            str(code_at(setup, depth)) for depth in range(1, LAST_DEPTH + 1)
        ]


def test_grounds_differ_in_recipe_and_seed_and_their_codes_stay_short():
    for seed in range(40):
        setup = pinned(RunSetup(seed, str(seed)))
        for depth in range(2, LAST_DEPTH + 3):
            choices = level_choices_at(setup, seed, depth)
            assert 2 <= len(choices) <= 3
            assert len({code.recipe for code in choices}) == len(choices)
            assert len({code.seed for code in choices}) == len(choices)
            assert all(code.seed < 10**9 for code in choices)
            assert {code.depth for code in choices} == {depth}


@pytest.mark.parametrize("size", [(20, 15), (40, 29), (44, 28)])
def test_a_run_of_small_levels_is_offered_only_recipes_that_can_be_so_small(size):
    for seed in range(10):
        setup = pinned(RunSetup(seed, str(seed), size=size))
        for depth in range(2, LAST_DEPTH + 3):
            choices = level_choices_at(setup, seed, depth)
            assert len(choices) >= 2
            assert {(code.width, code.height) for code in choices} == {size}


def test_a_size_that_no_recipe_can_have_is_refused():
    with pytest.raises(TooSmall, match="cannot be 19x15"):
        code_at(pinned(RunSetup(1, "1", size=(19, 15))), 1)


def test_runs_of_one_seed_with_other_choices_share_few_levels():
    shared = []
    for seed in range(60):
        chance = random.Random(seed)
        choices = [[chance.randrange(3) for _ in range(LAST_DEPTH + 1)] for _ in range(2)]
        one, other = (codes(seed, choice.__getitem__) for choice in choices)
        shared.append(len({*one} & {*other}) / len(one))
    assert sum(shared) / len(shared) < 0.25
    assert len({*codes(7, lambda _: 0)} & {*codes(7, lambda _: 1)}) == 1


def test_a_choice_is_an_action_and_decides_on_what_lies_below():
    engine = adventure(3)
    state = engine.state
    offered = state.levels.level_choices(state)
    take(engine, Descend(1))
    assert state.code == offered[1]
    assert {code.seed for code in state.levels.level_choices(state)} != {3}
    assert state.levels.level_choices(state)[0].seed == offered[1].seed
    take(engine, Descend())
    assert state.code.seed == offered[1].seed
    assert levels_on_the_way(state)[1:] == [(offered[1], 1), (state.code, 0)]


def test_there_is_no_choice_once_the_hero_was_there():
    engine = adventure(3)
    state = engine.state
    take(engine, Descend(1))
    chosen = state.code
    take(engine, Climb())
    assert state.levels.level_choices(state) == [chosen]
    stand_on(engine, state.map.exit)
    before = state_digest(state)
    assert engine.step(Descend(1)) == Refused("no such choice")
    assert state_digest(state) == before
    take(engine, Descend())
    assert state.code == chosen


@pytest.mark.parametrize("mode", list(Mode))
def test_there_is_no_choice_with_one_generator(mode):
    state = new_game(pinned(RunSetup(3, "3", mode, "rooms")))
    assert [str(code) for code in state.levels.level_choices(state)] == ["rooms.1:3:2@80x45"]


def test_a_fall_leads_to_the_first_ground_of_the_way_so_far():
    engine = adventure(3)
    take(engine, Descend(1))
    state = engine.state
    first = state.levels.level_choices(state)[0]
    state.levels.fall(state)
    assert state.code == first


def test_what_was_looked_at_changes_nothing():
    looked, not_looked = adventure(3), adventure(3)
    for code in looked.state.levels.level_choices(looked.state):
        looked.state.levels.offered_level(code)
    for engine in (looked, not_looked):
        take(engine, Descend(2))
        engine.step(Wait())
    assert state_digest(looked.state) == state_digest(not_looked.state)


def test_a_run_with_choices_replays_and_is_saved(tmp_path):
    run = Run.begin(RunSetup(3, "3"), tmp_path / "run.jsonl")
    for choice in (1, 2, 0):
        stand_on(run.engine, run.state.map.exit)
        run.act(Descend(choice))
    run.close()
    # The hero was put on the stairs by hand, so only the codes can be compared.
    recorded = read_run(tmp_path / "run.jsonl")
    assert [action.choice for action, _ in recorded.actions] == [1, 2, 0]
    assert [arrival.code for arrival in recorded.arrivals.values()] == [
        str(code) for code, _ in levels_on_the_way(run.state)
    ]


def test_a_careful_run_chooses_and_replays_exactly(tmp_path, monkeypatch):
    run = Run.begin(RunSetup(3, "3"), tmp_path / "run.jsonl")
    monkeypatch.setattr("engine.bots.tactics.safest_choice", lambda _: 1)
    bot = CarefulBot()
    for _ in range(1500):
        events = run.act(bot.choose(run.state))
        bot.hear([] if isinstance(events, Refused) else events)
        if isinstance(events, Refused):
            run.act(Wait())
        if run.state.depth > 1 or not run.state.hero.alive:
            break
    run.close()
    assert run.state.code.seed != 3
    playback = Playback(read_run(tmp_path / "run.jsonl"))
    playback.seek(playback.last)
    assert state_digest(playback.engine.state) == state_digest(run.state)


def test_the_careful_bot_takes_the_ground_with_the_weakest_monsters(monkeypatch):
    state = adventure(3).state
    choices = state.levels.level_choices(state)
    kinds = ["troll"], ["goblin"], ["ogre", "ogre"]
    monkeypatch.setattr(
        "engine.bots.tactics.initial_monsters",
        lambda level: [
            InitialMonster(kind, 1, 1, AiState.IDLE) for kind in kinds[choices.index(level.code)]
        ],
    )
    assert safest_choice(state) == 1
