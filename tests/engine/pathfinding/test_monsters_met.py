"""Journeys of a player remember the monsters that stopped them, and stop for what is new."""

import pytest

from components import AiState
from engine.pathfinding import auto_travel as journeys
from engine.pathfinding.auto_travel import Journal, Stop, explore, rest, run, travel
from engine.pathfinding.threats import threats_in_view
from engine.state.actions import Move
from engine.state.events import Noticed, Spotted, creature_ref
from entities.creature_kinds import make_creature
from procgen.blueprint import Point
from support.auto_travel import walk
from support.scenes import scene


@pytest.mark.parametrize(("state_of_rat", "kind"), [
    (AiState.ASLEEP, "rat"), (AiState.WANDERING, "rat"), (AiState.WANDERING, "key_thief"),
    (AiState.HUNTING, "shaman"),
])  # fmt: skip
def test_a_player_s_journey_stops_once_for_each_sleeper_and_each_shy_one(state_of_rat, kind):
    engine = scene("#############\n#@....r.....#\n#..........>#\n#############")
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    rat = state.map.entity_at(6, 1)
    state.map.remove_entity(rat)
    rat = make_creature(kind, 77, 6, 1)
    state.map.add_entity(rat)
    rat.ai.state = state_of_rat
    calm = state_of_rat is AiState.ASLEEP or kind != "rat"
    for stop in (Stop.ENEMY if calm else Stop.ARRIVED, Stop.ARRIVED):
        journey = travel(state, (11, 2), {rat.id} if kind == "rat" else (), journal)
        next(journey)
        with pytest.raises(StopIteration) as end:  # The hero is not moved: that ends it as well.
            journey.send([Spotted(creature_ref(rat))])
        assert end.value.value is stop


def test_a_hunter_that_comes_no_nearer_stops_a_player_s_journey_once():
    engine = scene("############\n#...@...o..#\n#.........>#\n############")
    state, journal = engine.state, Journal()
    state.map.explored[:] = True
    orc = state.map.entity_at(8, 1)
    orc.statuses["held"], orc.ai.state, orc.ai.state_turns_left = 99, AiState.HUNTING, 99

    def steps(*way, **known):
        return walk(engine, journeys._follow(state, [Point(x, 1) for x in way], **known))

    assert steps(3, 2, journal=journal) == (Stop.ENEMY, 1)
    assert steps(2, 1, journal=journal) == (Stop.ARRIVED, 2)
    assert steps(2, 3, 4, 5, journal=journal) == (Stop.ENEMY, 3), "nearer than before"
    assert steps(3, 2) == (Stop.ENEMY, 1), "no memory"
    assert walk(engine, travel(state, (1, 1), journal=journal)) == (Stop.ENEMY, 0), "asks first"
    assert walk(engine, explore(state, journal=journal)) == (Stop.ENEMY, 0)
    journey = travel(state, (1, 1), {orc.id}, journal)
    engine.step(next(journey))
    assert journey.send([Noticed(creature_ref(orc))]) == Move(-1, 0)


def test_a_theft_by_a_monster_that_was_passed_by_stops_the_journey():
    engine = scene("#############\n#..........>#\n#@p.........#\n#############")
    state = engine.state
    state.map.explored[:] = True
    thief, state.gold = state.map.entity_at(2, 2), 50
    thief.ai.state, thief.ai.state_turns_left = AiState.HUNTING, 99
    end, steps = walk(engine, travel(state, (11, 1), {thief.id}, Journal()))
    assert (end, thief.ai.state) == (Stop.HURT, AiState.FLEEING)
    assert steps == 1
    assert state.gold < 50


def test_a_monster_that_was_passed_by_stops_the_journey_when_it_notices_the_hero():
    engine = scene("#############\n#@....r.....#\n#..........>#\n#############")
    state = engine.state
    state.map.explored[:] = True
    rat = state.map.entity_at(6, 1)
    rat.ai.state = AiState.WANDERING
    journey = travel(state, (11, 2), {rat.id})
    next(journey)
    with pytest.raises(StopIteration) as end:
        journey.send([Noticed(creature_ref(rat))])
    assert end.value.value is Stop.ENEMY


@pytest.mark.parametrize("journey", [
    lambda state: explore(state, journal=Journal()),
    lambda state: travel(state, (4, 2), journal=Journal()),
    lambda state: run(state, 1, 0),
    rest,
], ids=["explore", "travel", "run", "rest"])  # fmt: skip
@pytest.mark.parametrize(("event", "seen"), [(Spotted, False), (Noticed, True), (Noticed, False)])
def test_a_hunter_seen_for_a_part_of_the_turn_stops_a_player_s_journey(event, seen, journey):
    engine = scene("###########\n#@......###\n#.......o.#\n#########.#\n#########>#\n###########")
    state = engine.state
    orc = state.map.entity_at(8, 2)
    orc.ai.state, state.hero.fighter.hp = AiState.HUNTING, 9
    met = event(creature_ref(orc))
    state.map.move_entity(orc, 9, 4)
    steps = journey(state)
    next(steps)
    state.map.visible[2, 8] = seen
    assert threats_in_view(state) == []
    try:
        stopped = steps.send([met])
    except StopIteration as end:
        stopped = end.value
    # Only a message stops it: nobody is told of a monster that notices the hero out of sight.
    assert (stopped is Stop.ENEMY) == (seen or event is Spotted)
