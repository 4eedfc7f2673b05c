"""How monsters follow a hero out of sight, how long fright lasts, and when a jelly divides."""

import pytest

from components import AiState
from engine.creatures.noise import SCENT_TURNS
from engine.monsters.choose_action import choose_action
from engine.monsters.perception import FLEE_TURNS
from engine.perform import perform
from engine.state.actions import Done, Shoot, Wait
from engine.state.events import Fled
from engine.terrain.forced_movement import swap_places
from entities.terrain import Tile
from support.monsters import one
from support.rule_scenes import put
from support.scenes import kinds, scene

CORNER = """
    ###############
    #o............#
    #############.#
    #............@#
    #............>#
    ###############
"""


def test_a_hunter_knows_for_three_turns_where_the_hero_went_and_then_no_more():
    engine = scene(CORNER)
    state, orc = engine.state, one(engine, "orc")
    orc.statuses["held"] = 99
    orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, orc.ai.memory_turns
    orc.ai.goal = (13, 1)
    goals = []
    for x in range(12, 6, -1):
        state.map.move_entity(state.hero, x, 3)
        engine.step(Wait())
        goals.append(orc.ai.goal)
    assert SCENT_TURNS == 3
    assert goals == [(12, 3), (11, 3), (10, 3), (10, 3), (10, 3), (10, 3)]


def test_a_frightened_monster_runs_for_a_while_and_hunts_again():
    engine = scene("#################\n#@r............>#\n#################")
    rat = one(engine, "rat")
    rat.ai.state, rat.fighter.hp, rat.ai.last_seen_hp = AiState.HUNTING, 2, 5
    assert Fled in kinds(engine.step(Wait()))
    turns = 1
    while rat.ai.state is AiState.FLEEING:
        engine.step(Wait())
        turns += 1
        assert turns < 50
    # A rat is fast: it looks about more than once a turn.
    assert FLEE_TURNS / 2 <= turns <= FLEE_TURNS + 1
    assert rat.ai.state is AiState.HUNTING


@pytest.mark.parametrize(("hp", "divides"), [(3, False), (4, True), (11, True), (12, False)])
def test_a_jelly_divides_if_it_is_wounded_and_two_can_live_of_it(hp, divides):
    engine = scene("########\n#@..J..#\n#......#\n#.....>#\n########")
    jelly = one(engine, "jelly")
    jelly.fighter.max_hp, jelly.fighter.hp = 12, hp
    jelly.ai.state, jelly.ai.state_turns_left = AiState.HUNTING, 99
    jelly.ai.goal, jelly.ai.last_seen_hp = (1, 1), hp
    for _ in range(3):
        engine.step(Wait())
    count = sum(other.kind == "jelly" for other in engine.state.map.entities.values())
    assert (count > 1) == divides


def test_a_hero_that_a_monster_moves_is_hunted_where_it_is_now(monkeypatch):
    engine = scene("""
        ###############
        #..@...o...o..#
        ###############
    """)
    state = engine.state
    near, far = sorted(state.map.entities.values(), key=lambda orc: orc.x)[-2:]
    for orc in (near, far):
        orc.ai.state, orc.ai.state_turns_left = AiState.HUNTING, orc.ai.memory_turns

    def shoot_or_choose(state, creature, senses, emit):
        if creature is near:
            return Shoot()
        assert (senses.x, senses.y) == (state.hero.x, state.hero.y) == (7, 1)
        return choose_action(state, creature, senses, emit)

    def swap_or_perform(state, actor, action, emit):
        if actor is not near:
            return perform(state, actor, action, emit)
        swap_places(state, state.hero, near, emit)
        return Done()

    monkeypatch.setattr("engine.engine.choose_action", shoot_or_choose)
    monkeypatch.setattr("engine.engine.perform", swap_or_perform)
    engine.step(Wait())
    assert (near.x, far.x) == (3, 10)


@pytest.mark.parametrize("state", [AiState.HUNTING, AiState.SEARCHING])
@pytest.mark.parametrize("kind", ["mimic", "spider", "gargoyle"])
@pytest.mark.parametrize("wall", [False, True])
def test_an_ambusher_goes_back_into_hiding_only_where_the_hero_does_not_see_it(kind, state, wall):
    engine = scene("################\n#@......#......#\n#.............>#\n################")
    if not wall:
        engine.state.map.set_tile(8, 1, Tile.FLOOR)
    foe = put(engine, kind, 9, 1, state)
    foe.ai.sight, foe.ai.state_turns_left, foe.statuses["held"] = 3, 1, 99
    engine.state.hero.statuses["invisible"] = 99
    engine.state.look()
    for _ in range(4):
        engine.step(Wait())
    assert (foe.ai.state is AiState.HIDDEN) == wall
    assert (foe in engine.state.map.entities_in_view()) == (not wall)
