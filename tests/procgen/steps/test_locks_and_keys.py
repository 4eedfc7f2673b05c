"""Every lock that grows can be opened, whichever is opened first."""

import numpy as np
import pytest

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import code_at, pinned
from engine.pathfinding.auto_travel import Stop, explore
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile, terrain
from procgen.analysis.distances import DIRECTIONS, UNREACHED, distances
from procgen.blueprint import Blueprint, Point, Rejected, Spawn
from procgen.build import build
from procgen.placement.safe_placement import FreeFloor
from procgen.recipes import current_recipes, find_recipe
from procgen.rng import Rng
from procgen.step_registry import all_steps
from procgen.steps.treasure import KEY_TILES_PART, _key_place
from procgen.validate import validate
from support.auto_travel import walk
from support.blueprints import drawn
from support.sampling import sampled

LOCKING = [
    recipe
    for recipe in current_recipes()
    if any(use.step.name == "locked_vaults" for use in recipe.steps)
]


def locked(plan, seed=1, **parameters):
    step = all_steps()["locked_vaults"]
    settings = step.parameters(**{"chance": 1.0, "least": 4, **parameters})
    return list(step.run(plan, Rng(seed, "locks"), settings))


def solved(tiles, start):
    """Whether all locks get open in every order one might open them in; searches nothing."""
    open_tiles = terrain().walkable[tiles]
    locks = [tuple(place) for place in np.argwhere(tiles == Tile.LOCKED_DOOR).tolist()]
    stuck, seen, pending = [], {frozenset()}, [frozenset()]
    while pending:
        opened = pending.pop()
        ground = open_tiles.copy()
        for y, x in opened:
            ground[y, x] = True
        reach = distances(ground, *start) < UNREACHED
        keys = int((reach & (tiles == Tile.KEY)).sum()) - len(opened)
        beside = [
            (y, x)
            for y, x in locks
            if (y, x) not in opened and any(reach[y + dy, x + dx] for dx, dy in DIRECTIONS)
        ]
        if len(opened) < len(locks) and (keys < 1 or not beside):
            stuck.append(opened)
        for lock in beside if keys else ():
            if (more := opened | {lock}) not in seen:
                seen.add(more)
                pending.append(more)
    return not stuck


@pytest.mark.parametrize("recipe", sampled(LOCKING, 3), ids=lambda recipe: recipe.name)
def test_every_lock_can_be_opened_and_shuts_something_in(recipe):
    found = 0
    for seed in range(12):
        level = build(recipe.code(seed, 1 + seed % 12))
        locks = int((level.tiles == Tile.LOCKED_DOOR).sum())
        found += locks
        assert int((level.tiles == Tile.KEY).sum()) == locks
        if not locks:
            continue
        assert solved(level.tiles, level.start), level.code
        ground = terrain().walkable[level.tiles]
        hidden = ground | (level.tiles == Tile.SECRET_DOOR)
        steps = distances(hidden, *level.start)
        gold = level.tiles == Tile.TREASURE
        assert (gold & (steps == UNREACHED)).any(), level.code
        assert distances(ground, *level.start)[level.exit.y, level.exit.x] < UNREACHED
    assert found, f"{recipe.name} never locked anything"


def test_no_lock_hangs_behind_a_secret_door():
    plan = drawn("""
    ####################
    #<....#......#.....#
    #.....#......+.....#
    #....>#......#.....#
    ####################
    """)
    plan.tiles[2, 6] = Tile.SECRET_DOOR
    assert locked(plan, most=20) == []
    plan.tiles[2, 6] = Tile.DOOR
    assert len(locked(plan, most=20)) == 1
    assert solved(plan.tiles, plan.start)


def test_an_adventure_has_a_lock_every_few_levels():
    counts = []
    for seed in range(4):
        setup = pinned(RunSetup(seed, str(seed)))
        tiles = [build(code_at(setup, depth)).tiles for depth in range(1, 13)]
        counts.append(sum(bool((level == Tile.LOCKED_DOOR).any()) for level in tiles))
    assert min(counts) >= 2
    assert sum(counts) >= 12


TWO_ROOMS = """
    ##############
    #<....#......#
    #.....#......#
    #.....+......#
    #....>#......#
    ##############
"""


def test_a_room_on_one_door_is_locked_and_its_key_lies_outside():
    plan = drawn(TWO_ROOMS)
    captions = locked(plan)
    assert len(captions) == 1
    assert plan.tiles[3, 6] == Tile.LOCKED_DOOR
    ((_, x),) = np.argwhere(plan.tiles == Tile.KEY).tolist()
    assert x < 6
    assert (plan.tiles[1:5, 7:13] == Tile.TREASURE).sum() == 4
    assert solved(plan.tiles, plan.start)
    validate(plan)


@pytest.mark.parametrize(
    "drawing",
    [
        TWO_ROOMS.replace(">", ".").replace("#......#", "#.....>#", 1),
        TWO_ROOMS.replace("#......#", "#...?..#", 1),
        """
        ##############
        #<....#......#
        #.....+......#
        #.....#......#
        #.....+......#
        #....>#......#
        ##############
        """,
    ],
    ids=["the exit inside", "a key inside", "two ways in"],
)
def test_what_must_stay_open_is_not_locked(drawing):
    plan = drawn(drawing)
    before = plan.tiles.copy()
    assert locked(plan) == []
    assert (plan.tiles == before).all()


def test_who_stands_in_a_doorway_keeps_it_open():
    plan = drawn(TWO_ROOMS)
    plan.spawns.append(Spawn("orc", 6, 3))
    assert locked(plan) == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda tiles: tiles.__setitem__((2, 2), Tile.KEY), "not a key for every lock"),
        (lambda tiles: tiles.__setitem__((3, 6), Tile.LOCKED_DOOR), "not a key for every lock"),
        (
            lambda tiles: (
                tiles.__setitem__((3, 6), Tile.LOCKED_DOOR),
                tiles.__setitem__((2, 9), Tile.KEY),
            ),
            "a key lies behind a lock",
        ),
    ],
)
def test_a_lock_that_stays_shut_is_no_level(change, reason):
    plan = drawn(TWO_ROOMS)
    change(plan.tiles)
    with pytest.raises(Rejected, match=reason):
        validate(plan)


@pytest.mark.parametrize("seed", [1, 2, 5])
def test_a_hero_that_explores_opens_what_there_is(seed):
    engine = Engine(new_game(pinned(RunSetup(seed, str(seed), Mode.ADVENTURE, "digger", depth=2))))
    state = engine.state
    for creature in [one for one in state.map.entities.values() if one.ai]:
        state.map.remove_entity(creature)
    state.map.tiles[state.map.tiles == Tile.TRAP] = Tile.FLOOR
    state.hero.fighter.max_hp = state.hero.fighter.hp = 10_000
    assert walk(engine, explore(state, decides=True), limit=5000)[0] is Stop.EXPLORED
    reach = distances(state.map.walkable, state.hero.x, state.hero.y) < UNREACHED
    assert not (np.isin(state.map.tiles, (Tile.KEY, Tile.LOCKED_DOOR, Tile.TREASURE)) & reach).any()


def test_on_a_large_map_no_lock_takes_the_place_of_another_or_of_a_key():
    level = build(find_recipe("maze").code(5, 6, (200, 100)))
    assert level.rejected == ()
    locks, keys = ((level.tiles == tile).sum() for tile in (Tile.LOCKED_DOOR, Tile.KEY))
    assert locks == keys > 1


def test_a_key_lies_on_free_ground_in_reach_among_the_tiles_farthest_from_its_gate():
    plan = Blueprint.solid(30, 20)
    plan.tiles[1:-1, 1:-1] = Tile.FLOOR
    floor, gate = FreeFloor(plan), Point(15, 3)
    in_reach = np.zeros(plan.tiles.shape, np.bool_)
    in_reach[:, :12] = True
    far = [max(abs(x - gate.x), abs(y - gate.y)) for y in range(1, 19) for x in range(1, 12)]
    for seed in range(40):
        key = _key_place(floor, in_reach, gate, Rng(seed, "test"))
        assert in_reach[key.y, key.x]
        away = max(abs(key.x - gate.x), abs(key.y - gate.y))
        assert sum(other > away for other in far) < len(far) / KEY_TILES_PART
    assert _key_place(floor, ~floor.free, gate, Rng(1, "test")) is None
