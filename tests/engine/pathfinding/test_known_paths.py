"""Paths over known ground: what a search of the whole level finds, though windows are searched."""

import numpy as np
import pytest

from components import AiState
from components.inventory import Item
from engine.pathfinding import known_paths
from engine.pathfinding.known_paths import (
    WalkRules,
    attack_nearest,
    known_ground,
    known_way_down,
    nearest_decision,
    next_to_explore,
    path_to,
    pickup_targets,
    player_rules,
)
from engine.pathfinding.threats import attackers
from engine.state.actions import Move
from entities.terrain import Tile
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from support.scenes import scene

WIDE = (170, 130)
"""Wider than the first window on each side of a hero in the middle."""


def wide_level(seed, open_share=0.6, hero=(85, 65)):
    """Return the state of a level of random rock, of which round patches have been explored."""
    rng = np.random.default_rng(seed)
    width, height = WIDE
    rows = np.where(rng.random((height, width)) < open_share, ".", "#")
    rows[[0, -1]], rows[:, [0, -1]] = "#", "#"
    rows[hero[1], hero[0]], rows[1, 1] = "@", ">"
    state = scene("\n".join(map("".join, rows))).state
    y, x = np.mgrid[:height, :width]
    state.map.explored[:] = np.hypot(x - hero[0], y - hero[1]) < 30
    for _ in range(12):
        away = np.hypot(x - rng.integers(width), y - rng.integers(height))
        state.map.explored |= away < 25
    return state


def ground_of(state):
    return state.map.walkable & state.map.explored


def beside(mask):
    """Return the tiles with a tile of ``mask`` at most one step away."""
    padded = np.pad(mask, 1)
    return np.any(
        [padded[y : y + len(mask), x : x + len(mask[0])] for y in range(3) for x in range(3)], 0
    )


@pytest.fixture(params=["bits", "arrays"])
def searches(request, monkeypatch):
    """Either of the two ways to search a window: large ones are searched in an array."""
    if request.param == "arrays":
        monkeypatch.setattr(known_paths, "MOST_BITS", 0)
        monkeypatch.setattr(known_paths, "MOST_BITS_NEAR", 0)


@pytest.mark.usefixtures("searches")
@pytest.mark.parametrize("seed", range(4))
def test_a_path_is_as_short_as_one_over_all_that_is_known(seed):
    state = wide_level(seed, 0.55 + 0.1 * (seed % 2))
    state.map.tiles[::9][state.map.tiles[::9] == Tile.WALL] = Tile.LOCKED_DOOR
    hero, ground = state.hero, ground_of(state)
    steps = distances(ground, hero.x, hero.y)
    for x, y in np.random.default_rng(seed).integers(1, (169, 129), (15, 2)).tolist():
        path = path_to(state, (x, y))
        reached = min(steps[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].min(), UNREACHED - 1) + 1
        reached = steps[y, x] if ground[y, x] else reached
        reached *= state.map.tiles[y, x] != Tile.WALL  # A way may lead to a lock, and to no wall.
        known = state.map.explored[y, x] and 0 < reached < UNREACHED
        assert len(path) == (reached if known else 0), (x, y)
        for before, after in zip([(hero.x, hero.y), *path], path, strict=False):
            assert max(abs(after[0] - before[0]), abs(after[1] - before[1])) == 1
            assert ground[after[::-1]] or after == (x, y)


@pytest.mark.usefixtures("searches")
@pytest.mark.parametrize("hero", [(85, 65), (3, 3), (166, 126), (3, 65), (60, 126)])
def test_the_next_thing_to_explore_is_the_nearest_of_the_level(hero):
    state = wide_level(4, 0.7, hero)
    ground = ground_of(state)
    steps = distances(ground, *hero)
    wanted = ground & beside(~state.map.explored)
    for _ in range(6):
        found = next_to_explore(state)
        nearest = int(steps[wanted & (steps > 0)].min(initial=UNREACHED))
        assert (int(steps[found.y, found.x]) if found else UNREACHED) == nearest
        if not found:
            break
        assert wanted[found.y, found.x]
        # What lies further off, out of the first window at last, is asked for next.
        rim = steps <= nearest + 8
        state.map.explored |= rim
        ground = ground_of(state)
        steps, wanted = distances(ground, *hero), ground & beside(~state.map.explored)


def hall(drawing="#########\n#@......#\n#.......#\n#......>#\n#########", hidden=()):
    state = scene(drawing).state
    state.map.explored[:] = True
    for x, y in hidden:
        state.map.explored[y, x] = False
    return state


PLAYER, BOT = WalkRules(decides=False), WalkRules()


def left_out(state, rules=BOT):
    """Return the places inside the walls that are not known ground."""
    ground = known_ground(state.map, rules=rules)
    return {
        (x, y) for y, x in np.argwhere(state.map.tiles != Tile.WALL).tolist() if not ground[y, x]
    }


def test_known_ground_leaves_out_traps_fires_monsters_and_what_asks_for_a_decision():
    state = hall("#########\n#@.x.?..#\n#..].$..#\n#......>#\n#########", hidden=[(6, 3)])
    assert left_out(state) == {(3, 1), (6, 3), (3, 2)}
    assert left_out(state, PLAYER) == {(3, 1), (6, 3), (3, 2), (5, 1)}
    state.map.keys = 1
    assert left_out(state) == {(3, 1), (6, 3)}
    assert left_out(state, PLAYER) == {(3, 1), (6, 3), (3, 2), (5, 1)}
    state.map.fires[2, 3] = 4
    assert left_out(state) == {(3, 1), (6, 3), (2, 3)}
    assert left_out(state, WalkRules(fire=True)) == {(3, 1), (6, 3)}
    around = WalkRules(avoid=frozenset([(7, 1), (1, 3)]))
    assert left_out(state, around) == {(3, 1), (6, 3), (2, 3), (7, 1), (1, 3)}


def test_ground_of_a_part_is_that_part_of_the_ground_of_all():
    state = wide_level(5)
    state.map.fires = {(70, 50): 3, (71, 60): 3}
    avoid = frozenset([(50, 40), (69, 41), (70, 40), (50, 59), (49, 45), (60, 39), (60, 60)])
    state.map.items = {
        place: [Item(900, "net")] for place in [(52, 44), (50, 40), (79, 59), (80, 50)]
    }
    rules = WalkRules(avoid=avoid)
    part = np.s_[40:60, 50:80]
    assert np.array_equal(
        known_ground(state.map, part, rules), known_ground(state.map, rules=rules)[part]
    )
    assert np.array_equal(pickup_targets(state, part), pickup_targets(state)[part])
    assert pickup_targets(state).sum() == 4


def test_a_player_goes_round_monsters_in_view_only():
    state = hall("#########\n#@..r.#r#\n#.....###\n#......>#\n#########")
    assert player_rules(state) == WalkRules(False, frozenset([(4, 1)]))


@pytest.mark.parametrize(("ai_state", "bars"), [(AiState.WANDERING, False), (AiState.ASLEEP, True)])
def test_only_a_monster_that_stays_bars_a_doorway(ai_state, bars):
    state = hall("#########\n#@....r.#\n#######.#\n#......>#\n#########", hidden=[(8, 4)])
    state.map.entity_at(6, 1).ai.state = ai_state
    assert (path_to(state, (7, 3), player_rules(state)) == []) is bars
    assert (next_to_explore(state, rules=player_rules(state)) is None) is bars


@pytest.mark.parametrize("status", ["", "asleep", "held", "beside"])
def test_a_wanderer_that_stays_or_is_beside_is_bypassed_in_the_open(status):
    state = hall("#########\n#.......#\n#@.r....#\n#......>#\n#########")
    rat = state.map.entity_at(3, 2)
    rat.ai.state = AiState.WANDERING
    if status == "beside":
        state.map.move_entity(rat, 2, 2)
    elif status:
        rat.statuses[status] = 9
    path = path_to(state, (7, 2), player_rules(state))
    assert ((rat.x, rat.y) in path) is (status == "")
    assert path[-1] == (7, 2)


def test_a_walk_takes_what_there_is_room_for_and_not_what_was_dropped():
    state = hall("#########\n#@.?.$..#\n#..]....#\n#......>#\n#########")
    state.map.add_item(Item(900, "net"), 2, 3)
    state.map.add_item(Item(901, "dart"), 4, 3)
    state.map.add_item(Item(902, "healing_potion", letter="p"), 6, 3)

    def wanted(*, decides):
        return {(x, y) for y, x in np.argwhere(pickup_targets(state, decides=decides)).tolist()}

    assert wanted(decides=False) == {(5, 1), (2, 3), (4, 3)}
    assert wanted(decides=True) == {(3, 1), (5, 1), (2, 3), (4, 3)}
    state.map.keys = 1
    assert wanted(decides=True) == {(3, 1), (5, 1), (3, 2), (2, 3), (4, 3)}
    state.map.explored[3, 2] = state.map.explored[1, 5] = False
    assert wanted(decides=False) == {(4, 3)}


def test_exploring_leaves_out_the_exit_if_asked_to():
    state = hall()
    assert next_to_explore(state) is None
    state.map.add_item(Item(900, "net"), 5, 3)
    assert next_to_explore(state) == (5, 3)
    state.map.items.clear()
    state.map.add_item(Item(900, "net"), 7, 3)
    assert next_to_explore(state) == (7, 3)
    assert next_to_explore(state, avoid_exit=True) is None


@pytest.mark.parametrize(
    ("drawing", "keys", "goes"),
    [
        ("#########\n#@...?..#\n#......>#\n#########", 0, (5, 1)),
        ("#########\n#@?..?..#\n#......>#\n#########", 0, (2, 1)),
        ("#########\n#@.#?...#\n####...>#\n#########", 0, None),
        ("#########\n#@...]..#\n#......>#\n#########", 0, None),
        ("#########\n#@...]..#\n#......>#\n#########", 1, (5, 1)),
    ],
)
def test_the_nearest_decision_is_a_key_or_a_lock_that_it_fits(drawing, keys, goes):
    state = hall(drawing)
    state.map.keys = keys
    assert nearest_decision(state) == goes
    assert nearest_decision(state, passed=[Point(*goes)] if goes else []) != goes or not goes
    assert nearest_decision(state, [Tile.SHRINE]) is None


def test_the_way_down_is_known_once_it_has_been_seen():
    state = hall()
    assert known_way_down(state) == Point(7, 3)
    state.map.explored[3, 7] = False
    assert known_way_down(state) is None


def test_a_player_s_items_come_before_nearer_unexplored_ground_and_a_bot_s_do_not():
    state = scene("############\n#....@.....#\n#.........>#\n############").state
    state.map.explored[:] = True
    state.map.explored[:, 7] = False
    state.map.add_item(Item(9, "dart"), 1, 1)
    assert next_to_explore(state, rules=player_rules(state)) == (1, 1)
    assert next_to_explore(state) == (6, 1)


def test_a_fight_is_with_what_hunts_before_what_sleeps_and_what_is_harmless():
    state = hall("#########\n#.r.....#\n#r@r....#\n#......>#\n#########")
    asleep, hunter, put_to_sleep = (state.map.entity_at(*at) for at in ((2, 1), (3, 2), (1, 2)))
    for rat, ai_state, hp in (
        (asleep, "ASLEEP", 1),
        (hunter, "HUNTING", 5),
        (put_to_sleep, "HUNTING", 1),
    ):
        rat.ai.state, rat.fighter.hp = AiState[ai_state], hp
    put_to_sleep.statuses["asleep"] = 9
    assert attack_nearest(state) == Move(1, 0)


def test_a_hunter_put_to_sleep_beside_the_hero_stops_no_journey():
    state = hall("#########\n#@r.....#\n#.......#\n#......>#\n#########")
    rat = state.map.entity_at(2, 1)
    rat.ai.state = AiState.HUNTING
    assert attackers(state) == [rat]
    rat.statuses["asleep"] = 9
    assert attackers(state) == []
