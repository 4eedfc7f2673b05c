"""Where the bots' tactics begin and end: narrow places, walls, stairs and foes, by definition."""

import numpy as np
import pytest

from components import AiState
from engine.bots.emergency import (
    BORDER,
    PEACEFUL_DISTANCE,
    PLACES_TRIED,
    _peaceful_places,
    flee_by_stairs,
)
from engine.bots.tactics import (
    RETREAT,
    _open_sides,
    is_alert,
    step_to_narrow_place,
    step_towards,
    threatening_foes,
    weakest_adjacent,
)
from engine.monsters.combat_forecast import fight_cost
from engine.state.actions import Descend, Move
from entities.creature_kinds import make_creature
from entities.seed_kinds import seed_kinds
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS, distances
from support.scenes import scene


def cave(seed, hero=(10, 7)):
    """Return an engine in a cave that the hero knows."""
    rng = np.random.default_rng(seed)
    rock = rng.random((16, 22)) < 0.3
    rock[[0, -1]] = rock[:, [0, -1]] = True
    rows = [["#" if shut else "." for shut in row] for row in rock]
    rows[hero[1]][hero[0]] = "@"
    engine = scene("\n".join(map("".join, rows)))
    engine.state.map.explored[:] = True
    return engine


def put(engine, kind, x, y, state=AiState.HUNTING):
    creature = make_creature(kind, engine.state.new_id(), x, y)
    creature.ai.state = state
    engine.state.map.add_entity(creature)
    return creature


def sides(game_map, x, y):
    """Return the number of walkable tiles around (x, y)."""
    height, width = game_map.tiles.shape
    places = [(x + dx, y + dy) for dx, dy in DIRECTIONS]
    return sum(
        0 <= a < width and 0 <= b < height and bool(game_map.walkable[b, a]) for a, b in places
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_bot_falls_back_to_the_narrowest_place_that_it_reaches_before_its_foes(seed):
    engine = cave(seed)
    state, game_map = engine.state, engine.state.map
    for y, x in np.ndindex(game_map.tiles.shape):
        assert _open_sides(state, x, y) == sides(game_map, x, y)
    spots = [(x, y) for y, x in np.argwhere(game_map.walkable).tolist()]
    spots = [at for at in spots if max(abs(at[0] - 10), abs(at[1] - 7)) > 2 + seed % 3]
    foes = [
        put(engine, "orc", *spots[seed * 5 % 40]),
        put(engine, "orc", *spots[-1 - seed * 3 % 50]),
    ]
    steps = distances(game_map.walkable, 10, 7)
    near = min(state.hero.distance_to(foe) for foe in foes)
    better = [
        (sides(game_map, x, y), int(steps[y, x]), y, x)
        for y, x in np.argwhere((steps > 0) & (steps <= min(RETREAT, near))).tolist()
        if min(max(abs(foe.x - x), abs(foe.y - y)) for foe in foes) > steps[y, x]
        and not game_map.is_blocked(x, y)
        and sides(game_map, x, y) < sides(game_map, 10, 7) - 1
    ]
    wanted = min(better, default=None)
    found = step_to_narrow_place(state, foes)
    if wanted is None or sides(game_map, 10, 7) <= 2:
        assert found is None
    else:
        assert found == step_towards(state, (wanted[3], wanted[2]))


def test_with_a_foe_beside_it_the_bot_stands_and_strikes_the_one_that_dies_first():
    engine = cave(3)
    for x in range(9, 12):
        for y in range(6, 9):
            engine.state.map.set_tile(x, y, Tile.FLOOR)
    orc, rat = put(engine, "orc", 9, 7), put(engine, "rat", 11, 8)
    far = put(engine, "rat", 10, 9) if engine.state.map.walkable[9, 10] else None
    foes = [orc, rat] + ([far] if far else [])
    assert step_to_narrow_place(engine.state, foes) is None
    assert weakest_adjacent(engine.state, foes) is rat
    assert weakest_adjacent(engine.state, [far] if far else []) is None


@pytest.mark.parametrize("seed", range(6))
def test_places_to_plant_at_in_peace_are_seen_near_and_off_the_border(seed):
    state = cave(seed).state
    game_map = state.map
    for kind, in_rock in (("cavern_seed", True), ("burrow_seed", True), ("frost_seed", False)):
        found = _peaceful_places(state, seed_kinds()[kind])
        assert PLACES_TRIED <= len(found) <= 2 * PLACES_TRIED
        for x, y in found:
            assert game_map.visible[y, x]
            assert game_map.walkable[y, x] != in_rock
            assert max(abs(x - 10), abs(y - 7)) <= PEACEFUL_DISTANCE
            assert BORDER <= x < game_map.width - BORDER
            assert BORDER <= y < game_map.height - BORDER


@pytest.mark.parametrize(("foe", "flees"), [(6, False), (9, False), (10, True), (15, True)])
def test_the_bot_runs_for_stairs_that_it_reaches_before_its_foes(foe, flees):
    engine = scene("#" * 21 + "\n#@...>" + "." * 14 + "#\n" + "#" * 21)
    engine.state.map.explored[:] = True
    orc = put(engine, "orc", foe, 1)
    assert flee_by_stairs(engine.state, [orc]) == (Move(1, 0) if flees else None)
    engine.state.map.explored[1, 5] = False
    assert flee_by_stairs(engine.state, [orc]) is None
    engine.state.map.explored[1, 5] = True
    orc.energy.speed = 100 * (foe - 5) // 4 + 1
    assert flee_by_stairs(engine.state, [orc]) is None
    orc.statuses["slowed"] = 9
    assert flee_by_stairs(engine.state, [orc]) == Move(1, 0)
    engine.state.map.move_entity(engine.state.hero, 5, 1)
    assert flee_by_stairs(engine.state, [orc]) == Descend()


@pytest.mark.parametrize(
    ("status", "flees"),
    [("asleep", True), ("held", True), ("slowed", True), ("weakened", False), (None, False)],
)
def test_the_bot_runs_from_a_foe_beside_it_that_cannot_keep_up(status, flees):
    engine = scene("#" * 21 + "\n#.@......>..........#\n" + "#" * 21)
    orc = put(engine, "orc", 1, 1)
    if status:
        orc.statuses[status] = 9
    assert flee_by_stairs(engine.state, [orc]) == (Move(1, 0) if flees else None)


def test_foes_that_hunt_or_search_threaten_and_a_fight_costs_more_with_each():
    engine = scene("###########\n#@........#\n#.........#\n###########")
    near, far = put(engine, "ogre", 4, 1), put(engine, "ogre", 5, 2, AiState.SEARCHING)
    for state in AiState:
        near.ai.state = state
        assert is_alert(near) == (state in (AiState.HUNTING, AiState.SEARCHING))
    engine.state.look()
    near.ai.state = AiState.WANDERING
    assert threatening_foes(engine.state) == [far]
    near.ai.state = AiState.HUNTING
    assert threatening_foes(engine.state) == [near, far]
    one, two = fight_cost(engine.state.hero, [near]), fight_cost(engine.state.hero, [near, far])
    assert two > 2.9 * one, "the second strikes while the first is fought, too"
    assert fight_cost(engine.state.hero, []) == 0
    engine.state.hero.fighter.hp //= 2
    assert fight_cost(engine.state.hero, [near]) == pytest.approx(2 * one)
