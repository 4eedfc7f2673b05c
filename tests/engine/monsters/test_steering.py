"""Single steps of monsters: past each other, aside, to a goal, away; and who makes way."""

from itertools import product

import pytest

from components import AiState
from engine.monsters.behaviours import blinker
from engine.monsters.perception import Senses
from engine.monsters.steering import SAFE_DISTANCE, WAYPOINT_RANGE, approach, flee, seek, wander
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.pathfinding.threats import threats_in_view
from engine.state.actions import Blink, Move, Strike, SwapPlaces, Wait
from entities.terrain import Tile
from support.rule_scenes import field, put
from support.scenes import scene

LANE = "\n".join(["#" * 40, "#@" + "." * 37 + "#", "#" * 40])


def senses_of(engine):
    """Return what monsters of the world know of the hero now."""
    return Senses(engine.state, DijkstraMaps(engine.state.map))


def meeting(mover, moved, drawing=LANE):
    """Return the action of a monster on its way to the hero, with another one in a corridor."""
    engine = scene(drawing)
    one, _ = (put(engine, kind, x, 1, state) for (kind, state), x in ((mover, 6), (moved, 5)))
    one.ai.goal = (1, 1)
    found = senses_of(engine)
    return (seek if one.ai.state is AiState.SEARCHING else approach)(engine.state, one, found)


RANKS = {
    ("orc", AiState.HUNTING): 3, ("archer", AiState.HUNTING): 2, ("shaman", AiState.HUNTING): 2,
    ("necromancer", AiState.HUNTING): 2, ("orc", AiState.SEARCHING): 1,
    ("archer", AiState.SEARCHING): 1, ("orc", AiState.WANDERING): 0, ("orc", AiState.IDLE): 0,
    ("orc", AiState.ASLEEP): -1, ("orc", AiState.FLEEING): -1, ("orc", AiState.HIDDEN): -1,
    ("puffball", AiState.HUNTING): -1, ("shriekcap", AiState.IDLE): -1,
}  # fmt: skip
"""The higher rank passes the lower one in a corridor; -1 neither passes nor is passed."""


@pytest.mark.parametrize("mover", RANKS)
def test_in_a_corridor_the_more_urgent_passes_the_less_urgent(mover):
    for moved, rank in RANKS.items():
        passes = RANKS[mover] > rank >= 0
        assert meeting(mover, moved) == (SwapPlaces(-1, 0) if passes else Wait()), moved


@pytest.mark.parametrize(("status", "passes"), [
    ("held", False), ("asleep", False), ("slowed", True), ("confused", True), (None, True)
])  # fmt: skip
def test_nobody_passes_or_is_passed_who_cannot_move(status, passes):
    for number in (0, 1):
        engine = scene(LANE)
        pair = put(engine, "orc", 6, 1), put(engine, "orc", 5, 1, AiState.IDLE)
        if status:
            pair[number].statuses[status] = 9
        action = approach(engine.state, pair[0], senses_of(engine))
        assert action == (SwapPlaces(-1, 0) if passes else Wait())


def test_one_whose_way_is_taken_steps_aside_to_where_it_goes_on():
    engine = field(3, 7)
    first, second = put(engine, "orc", 4, 8), put(engine, "orc", 5, 9)
    found = senses_of(engine)
    assert approach(engine.state, first, found) == Strike(-1, -1)
    assert approach(engine.state, second, found) in (Move(-1, 0), Move(0, -1))
    for x, y in ((2, 8), (3, 8), (4, 7), (4, 6)):
        put(engine, "orc", x, y)
    assert approach(engine.state, second, senses_of(engine)) == Wait(), "aside leads no further"


@pytest.mark.parametrize(("x", "does"), [(2, Strike(-1, 0)), (3, Move(-1, 0)), (30, Move(-1, 0))])
def test_a_hunter_comes_and_strikes(x, does):
    engine = scene(LANE)
    assert approach(engine.state, put(engine, "orc", x, 1), senses_of(engine)) == does


@pytest.mark.parametrize("apart", [1, 2, 17, 18, 19])
def test_one_that_flees_runs_until_it_is_safe(apart):
    engine = scene(LANE)
    rat = put(engine, "rat", 1 + apart, 1, AiState.FLEEING)
    assert flee(engine.state, rat, senses_of(engine)) == (
        Move(1, 0) if apart <= SAFE_DISTANCE else Wait()
    )


@pytest.mark.parametrize(("x", "does"), [(2, Strike(-1, 0)), (3, Wait())])
def test_one_that_cannot_run_strikes_only_from_beside_the_hero(x, does):
    engine = scene(LANE)
    engine.state.map.set_tile(x + 1, 1, Tile.WALL)
    assert flee(engine.state, put(engine, "rat", x, 1, AiState.FLEEING), senses_of(engine)) == does


@pytest.mark.parametrize(("goal", "does"), [
    (None, Wait()), ((20, 1), Wait()), ((10, 1), Move(-1, 0)), ((30, 1), Move(1, 0)),
    ((21, 1), Move(1, 0)), ((-1, 1), Wait()), ((40, 1), Wait()), ((20, 3), Wait()),
])  # fmt: skip
def test_a_searcher_goes_to_its_goal_on_the_map_and_waits_there(goal, does):
    engine = scene(LANE)
    orc = put(engine, "orc", 20, 1, AiState.SEARCHING)
    orc.ai.goal = goal
    assert seek(engine.state, orc, senses_of(engine)) == does


@pytest.mark.parametrize(("goal", "does"), [
    ((15, 1), Move(-1, 0)), ((22, 1), Move(1, 0)), ((18, 1), Move(-1, 0)),
])  # fmt: skip
def test_a_wanderer_walks_on_to_its_goal(goal, does):
    engine = scene(LANE)
    orc = put(engine, "orc", 20, 1, AiState.WANDERING)
    orc.ai.goal = goal
    assert wander(engine.state, orc, senses_of(engine)) == does
    assert orc.ai.goal == goal


@pytest.mark.parametrize("goal", [None, (20, 1), (21, 1), (19, 1), (-1, 1), (40, 1), (20, 3)])
def test_a_wanderer_at_its_goal_takes_another_some_way_off(goal):
    low, high = WAYPOINT_RANGE
    engine = scene(LANE)
    orc = put(engine, "orc", 20, 1, AiState.WANDERING)
    orc.ai.goal = goal
    assert wander(engine.state, orc, senses_of(engine)) == Wait()
    assert orc.ai.state is AiState.WANDERING
    assert orc.ai.goal not in (None, goal)
    assert low <= abs(orc.ai.goal[0] - 20) <= high


def test_a_wanderer_gives_up_a_goal_that_another_stands_before_and_one_shut_in_stays():
    engine = scene(LANE)
    orc, other = put(engine, "orc", 20, 1, AiState.WANDERING), put(engine, "orc", 19, 1)
    other.ai.state, orc.ai.goal = AiState.WANDERING, (10, 1)
    assert wander(engine.state, orc, senses_of(engine)) == Wait()
    assert (orc.ai.goal, orc.ai.state) == (None, AiState.WANDERING)
    for x in (19, 21):
        engine.state.map.set_tile(x, 1, Tile.WALL)
    assert wander(engine.state, orc, senses_of(engine)) == Wait()
    assert (orc.ai.goal, orc.ai.state) == (None, AiState.IDLE)


@pytest.mark.parametrize("unseen", [True, False])
@pytest.mark.parametrize("blind", [True, False])
def test_monsters_see_the_hero_from_beside_it_and_else_within_a_circle(unseen, blind):
    engine = field(10, 7)
    orc = put(engine, "orc", 1, 1)
    orc.ai.sight = 5
    engine.state.hero.statuses |= {"invisible": 9} if unseen else {}
    orc.statuses |= {"blind": 9} if blind else {}
    found = senses_of(engine)
    for x, y in product(range(1, 21), range(1, 14)):
        orc.x, orc.y = x, y
        dx, dy = x - 10, y - 7
        beside = max(abs(dx), abs(dy)) <= 1
        in_circle = dx * dx + dy * dy < 25
        assert found.sees(orc) == (beside or (in_circle and not unseen and not blind)), (dx, dy)
        assert found.distance_to(orc) == found.distance(x, y) == max(abs(dx), abs(dy))
        for reach in (0, 3, 5):
            assert found.within(orc, reach) == (dx * dx + dy * dy <= reach * reach)


@pytest.mark.parametrize("state", [AiState.HUNTING, AiState.SEARCHING, AiState.WANDERING])
def test_an_animal_in_a_doorway_walks_out_of_it(state):
    engine = scene("#" * 20 + "\n#@..+" + "." * 14 + "#\n" + "#" * 20)
    rat = put(engine, "rat", 4, 1, state)
    rat.ai.goal = None if state is AiState.WANDERING else (1, 1)
    act = {AiState.HUNTING: approach, AiState.SEARCHING: seek, AiState.WANDERING: wander}[state]
    actions = [act(engine.state, rat, senses_of(engine)) for _ in range(2)]
    assert actions[1] == Move(1 if state is AiState.WANDERING else -1, 0)
    rat.ai.state, engine.state.map.visible[:] = AiState.HUNTING, True
    assert threats_in_view(engine.state) == [rat]


def test_a_shade_does_not_blink_into_fire():
    engine = scene(LANE)
    shade = put(engine, "shade", 8, 1, AiState.HUNTING)
    senses = senses_of(engine)
    assert blinker(engine.state, shade, senses) == Blink(2, 1)
    engine.state.map.fires[2, 1] = 9
    assert blinker(engine.state, shade, senses) == Move(-1, 0)


@pytest.mark.parametrize("burns", [True, False])
def test_a_monster_runs_on_through_a_fire_that_it_stands_in(burns):
    engine = scene("#########\n#@...o..#\n#########")
    state = engine.state
    orc = state.map.entity_at(5, 1)
    state.map.fires |= {(3, 1): 9, (4, 1): 9} | ({(5, 1): 9} if burns else {})
    senses = Senses(state, DijkstraMaps(state.map))
    assert approach(state, orc, senses) == (Move(-1, 0) if burns else Wait())
