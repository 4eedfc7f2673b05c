"""Every reason for which a journey stops or goes on, one at a time."""

import pytest

from components import AiState
from engine.pathfinding import auto_travel
from engine.pathfinding.auto_travel import (
    Journal,
    Stop,
    _danger,
    _follow,
    _is_bearable,
    _nothing_left,
    _sighted,
    explore,
    offer,
    rest,
    run,
    translated,
    travel,
)
from engine.pathfinding.known_paths import attack_nearest
from engine.state.actions import Move, PickUp, Wait
from engine.state.events import (
    CreatureRef,
    FoundGoal,
    Hurt,
    LevelAlerted,
    ShotFired,
    StatusApplied,
    Struck,
    creature_ref,
)
from entities.terrain import Tile
from procgen.blueprint import Point
from support.auto_travel import walk
from support.items import bare, lay
from support.rule_scenes import field, put
from support.scenes import scene

OTHER = CreatureRef(77, "rat", Point(4, 4))


def known(engine):
    """Let the hero know the whole level; return the engine."""
    engine.state.map.explored[:] = True
    return engine


@pytest.mark.parametrize(("event", "at_hero", "at_other"), [
    (lambda who: Struck(OTHER, who, 1), Stop.HURT, None),
    (lambda who: Struck(OTHER, who, 0), Stop.HURT, None),
    (lambda who: ShotFired(OTHER, who, "arrow", 1), Stop.HURT, None),
    (lambda who: StatusApplied(who, "poisoned", 5), Stop.HURT, None),
    (lambda who: StatusApplied(who, "slowed", 5), None, None),
    (lambda who: Hurt(who, "fire", 1), Stop.HURT, None),
    (lambda who: Hurt(who, "poisoned", 1), None, None),
    (lambda _: LevelAlerted("hunted"), Stop.ALERT, Stop.ALERT),
])  # fmt: skip
def test_harm_to_the_hero_stops_a_journey_and_harm_to_others_does_not(event, at_hero, at_other):
    state = field().state
    assert _danger(state, [event(creature_ref(state.hero))]) is at_hero
    assert _danger(state, [event(OTHER)]) is at_other
    assert _danger(state, []) is None


def test_nobody_rests_beside_a_monster_that_strikes_because_it_is_cornered():
    engine = scene("#####\n#@r.#\n#...#\n#..>#\n#####")
    rat = next(one for one in engine.state.map.entities.values() if one.kind == "rat")
    rat.ai.state, rat.ai.state_turns_left = AiState.FLEEING, 9
    engine.state.hero.fighter.hp -= 5
    assert walk(engine, rest(engine.state, [rat.id])) == (Stop.ATTACKED, 0)


def test_harm_counts_before_unrest_and_unrest_before_enemies():
    engine = field()
    orc = put(engine, "orc", 13, 7)
    engine.state.look()
    hurt = Struck(OTHER, creature_ref(engine.state.hero), 1)
    assert _danger(engine.state, [LevelAlerted("hunted"), hurt]) is Stop.HURT
    assert _danger(engine.state, [LevelAlerted("hunted")]) is Stop.ALERT
    assert _danger(engine.state, []) is Stop.ENEMY
    assert _danger(engine.state, [], {orc.id}) is None
    assert _danger(engine.state, [], {orc.id + 1}) is Stop.ENEMY


@pytest.mark.parametrize(("hp", "turns", "bears"), [
    (30, 0, True), (30, 18, True), (30, 20, True), (30, 21, False), (10, 0, True), (9, 0, False),
])  # fmt: skip
def test_poison_is_bearable_that_leaves_a_third_of_the_hit_points(hp, turns, bears):
    hero = field().state.hero
    hero.fighter.max_hp, hero.fighter.hp, hero.statuses["poisoned"] = 30, hp, turns
    assert _is_bearable(hero, "poisoned") == bears
    assert not _is_bearable(hero, "burning")
    assert not _is_bearable(hero, "fire")


@pytest.mark.parametrize(("stop", "keys", "place"), [
    (Stop.KEY, 0, (13, 7)), (Stop.LEVER, 0, (4, 7)), (Stop.WINCH, 0, None), (Stop.LOCK, 0, None),
    (Stop.LOCK, 1, (10, 12)), (Stop.GOAL, 0, None), (Stop.SHRINE, 0, None), (Stop.ENEMY, 0, None),
])  # fmt: skip
def test_the_nearest_key_lever_or_lock_with_a_key_is_on_offer_but_no_shrine(stop, keys, place):
    engine = known(field())
    engine.state.map.keys, engine.state.hero.fighter.hp = keys, 5
    for x, tile in ((13, Tile.KEY), (17, Tile.KEY), (4, Tile.LEVER), (9, Tile.SHRINE)):
        engine.state.map.set_tile(x, 7, tile)
    engine.state.map.set_tile(10, 12, Tile.LOCKED_DOOR)
    engine.state.map.set_tile(11, 6, Tile.RELIC)
    assert offer(engine.state, stop) == place


@pytest.mark.parametrize("hidden", [(9, 6), (11, 8), (10, 6), (12, 7), (10, 9), None])
def test_nothing_is_left_where_all_around_is_known_and_nothing_lies(hidden):
    engine = known(field(2, 2))
    game_map = engine.state.map
    if hidden:
        game_map.explored[hidden[1], hidden[0]] = False
    near = hidden is not None and max(abs(hidden[0] - 10), abs(hidden[1] - 7)) <= 1
    assert _nothing_left(engine.state, Point(10, 7), (0, 0), False) == (not near)
    game_map.origin = (3, -2)
    assert _nothing_left(engine.state, Point(13, 5), (0, 0), False) == (not near)
    game_map.explored[:] = True
    lay(engine, "net", 10, 7)
    assert not _nothing_left(engine.state, Point(13, 5), (0, 0), False)


@pytest.mark.parametrize("goal", [(-1, 5), (5, -1), (22, 5), (5, 15)])
def test_nothing_is_left_to_see_beyond_the_map(goal):
    state = field(2, 2).state
    state.map.explored[:] = False
    assert _nothing_left(state, Point(*goal), (0, 0), False)
    assert not _nothing_left(state, Point(0, 0), (0, 0), False)
    assert not _nothing_left(state, Point(21, 14), (0, 0), False)


@pytest.mark.parametrize(("decides", "left"), [(True, True), (False, False)])
def test_a_key_is_left_only_for_one_that_decides(decides, left):
    engine = known(field(2, 2))
    engine.state.map.set_tile(10, 7, Tile.KEY)
    assert _nothing_left(engine.state, Point(10, 7), (0, 0), decides) != left


def test_a_place_keeps_its_place_in_the_world():
    game_map = field().state.map
    game_map.origin = (4, 9)
    assert translated(game_map, Point(10, 11), (0, 0)) == (6, 2)
    assert translated(game_map, Point(10, 11), (1, 2)) == (7, 4)


def test_decisions_that_an_infinite_map_has_left_behind_are_not_passed_on():
    game_map = field(2, 2).state.map
    journal = Journal(passed={(game_map.name, x, y) for x, y in ((3, 4), (500, 2), (2, 500))})
    assert journal.passed_on(game_map) == [(3, 4)]
    game_map.origin = (4, 0)
    assert journal.passed_on(game_map) == []


def test_what_comes_into_view_is_told_once_and_not_after_the_map_has_moved():
    engine = field(2, 2)
    game_map = engine.state.map
    game_map.explored[:] = False
    found = _sighted(game_map, 2, 2)
    game_map.set_tile(9, 9, Tile.KEY)
    assert found() is None
    game_map.explored[9, 9] = True
    assert found() is Stop.KEY
    game_map.set_tile(8, 8, Tile.RELIC)
    game_map.explored[8, 8] = True
    assert found() is Stop.GOAL
    assert _sighted(game_map, 2, 2)() is None
    game_map.origin = (1, 0)
    assert found() is None


@pytest.mark.parametrize("at", [(2, 50), (98, 50), (50, 2), (50, 98), (50, 50)])
@pytest.mark.parametrize("way", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_deciding_tiles_are_looked_for_as_far_as_forty_tiles(at, way):
    rows = ["#" * 101, *["#" + "." * 99 + "#"] * 99, "#" * 101]
    rows[at[1]] = rows[at[1]][: at[0]] + "@" + rows[at[1]][at[0] + 1 :]
    game_map = scene("\n".join(rows)).state.map
    for far in (1, 40, 41):
        x, y = at[0] + way[0] * far, at[1] + way[1] * far
        if 0 <= x <= 100 and 0 <= y <= 100:
            game_map.explored[:] = False
            found = _sighted(game_map, *at)
            game_map.tiles[y, x], game_map.explored[y, x] = Tile.KEY, True
            assert found() is (Stop.KEY if far <= 40 else None)
            game_map.tiles[y, x] = Tile.FLOOR


@pytest.mark.parametrize(("drawing", "keys", "wanted"), [
    ("@....", 0, (Stop.ARRIVED, 4)), ("@.#..", 0, (Stop.BLOCKED, 1)),
    ("@.]..", 0, (Stop.BLOCKED, 1)), ("@.]..", 1, (Stop.ARRIVED, 2)),
])  # fmt: skip
def test_a_walk_ends_at_its_goal_or_before_an_obstacle(drawing, keys, wanted):
    row = f"#{drawing}#"
    engine = known(bare(scene(f"{'#' * len(row)}\n{row}\n{'#' * len(row)}")))
    engine.state.map.keys = keys
    path = [Point(x, 1) for x in range(2, 6)]
    assert walk(engine, _follow(engine.state, path, decides=True)) == wanted


def test_a_walk_ends_before_a_fire_and_when_it_is_done():
    engine = known(field(2, 2))
    path = [Point(x, 2) for x in range(3, 9)]
    engine.state.map.fires[6, 2] = 99
    reason, steps = walk(engine, _follow(engine.state, path))
    assert (reason, steps) == (Stop.FIRE, 3) or steps < 3
    engine = known(field(2, 2))
    done = iter([False, False, True])
    assert walk(engine, _follow(engine.state, path, lambda: next(done))) == (Stop.ARRIVED, 3)


def test_the_sight_of_the_goal_stops_only_one_that_does_not_decide():
    for decides in (True, False):
        engine = known(field(2, 2))
        journey = _follow(engine.state, [Point(3, 2), Point(4, 2)], decides=decides)
        next(journey)
        engine.step(Move(1, 0))
        if decides:
            assert journey.send([FoundGoal(Point(9, 9))]) == Move(1, 0)
            continue
        with pytest.raises(StopIteration) as end:
            journey.send([FoundGoal(Point(9, 9))])
        assert end.value.value is Stop.GOAL


def test_a_dead_hero_has_arrived():
    engine = known(field(2, 2))
    journey = _follow(engine.state, [Point(3, 2), Point(4, 2)])
    next(journey)
    engine.state.hero.fighter.hp = 0
    with pytest.raises(StopIteration) as end:
        journey.send([])
    assert end.value.value is Stop.ARRIVED


@pytest.mark.parametrize(("goal", "wanted"), [
    ((5, 2), (Stop.ARRIVED, 3)), ((2, 2), (Stop.ARRIVED, 0)), ((2, 5), (Stop.ARRIVED, 3)),
    ((21, 0), (Stop.NO_WAY, 0)), ((2, 0), (Stop.NO_WAY, 0)),
])  # fmt: skip
def test_a_traveller_arrives_or_finds_no_way(goal, wanted):
    engine = known(field(2, 2))
    engine.state.map.set_tile(2, 1, Tile.WALL)
    found = walk(engine, travel(engine.state, goal))
    assert found == wanted or (wanted[0] is Stop.NO_WAY and found[0] is not Stop.ARRIVED)


def test_an_enemy_that_is_acknowledged_lets_a_traveller_pass():
    engine = known(field(2, 2))
    cap = put(engine, "archer", 6, 9)
    cap.statuses["held"], cap.fighter.power, cap.ai.cooldown = 99, 0, 99
    engine.state.look()
    assert walk(engine, travel(engine.state, (4, 2))) == (Stop.ENEMY, 0)
    assert walk(engine, travel(engine.state, (4, 2), {cap.id}))[1] > 0


def test_an_explorer_picks_up_what_it_stands_on_and_walks_to_the_rest():
    engine = known(bare(field(2, 2)))
    lay(engine, "net", 2, 2)
    lay(engine, "dagger", 5, 2)
    journey = explore(engine.state)
    assert next(journey) == PickUp()
    assert walk(engine, explore(engine.state)) == (Stop.EXPLORED, 5)
    assert {item.kind for item in engine.state.hero.inventory} == {"net", "dagger"}


def test_an_explorer_leaves_what_the_hero_dropped_beside_what_it_picks_up():
    engine = known(bare(field(2, 2)))
    for kind, letter in (("net", ""), ("dagger", "d"), ("short_bow", "")):
        lay(engine, kind, 5, 2, letter=letter)
    assert walk(engine, explore(engine.state)) == (Stop.EXPLORED, 5)
    assert {item.kind for item in engine.state.hero.inventory} == {"net", "short_bow"}
    assert [item.kind for item in engine.state.map.items_at(5, 2)] == ["dagger"]


@pytest.mark.parametrize(("hurt", "embers", "wanted"), [
    (0, False, (Stop.HEALED, 0)), (1, False, (Stop.HEALED, None)), (1, True, (Stop.UNHEALING, 0))
])  # fmt: skip
def test_a_rest_ends_when_healed_or_where_nothing_heals(hurt, embers, wanted):
    engine = field()
    hero = engine.state.hero
    hero.fighter.hp -= hurt
    hero.fighter.regeneration_turns = 0 if embers else 4
    reason, turns = walk(engine, rest(engine.state))
    assert reason is wanted[0]
    assert turns == wanted[1] or (wanted[1] is None and 1 <= turns <= 4)
    assert hero.fighter.hp == hero.fighter.max_hp - (hurt if embers else 0)


def test_a_rest_is_a_wait_after_another_until_something_comes():
    engine = field()
    engine.state.hero.fighter.hp = 3
    journey = rest(engine.state)
    assert [next(journey), journey.send([]), journey.send([])] == [Wait()] * 3
    with pytest.raises(StopIteration) as end:
        journey.send([LevelAlerted("hunted")])
    assert end.value.value is Stop.ALERT


CROSSING = """
    #################
    #.......#.......#
    #.......#.......#
    ########.########
    #@..............#
    ########.########
    #.......#......>#
    #################
"""


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("shut", "end"), [
    ((), (Stop.JUNCTION, 6)), ((3,), (Stop.JUNCTION, 6)), ((5,), (Stop.JUNCTION, 6)),
    ((3, 5), (Stop.WALL, 14)),
])  # fmt: skip
def test_a_run_along_a_corridor_ends_where_a_side_opens(turned, shut, end):
    rows = [list(row.strip()) for row in CROSSING.strip().splitlines()]
    for row in shut:
        rows[row][8] = "#"
    rows = ["".join(row) for row in (zip(*rows, strict=True) if turned else rows)]
    engine = scene("\n".join(rows))
    assert walk(engine, run(engine.state, *((0, 1) if turned else (1, 0)))) == end


def test_exploring_stops_for_what_happens_while_the_hero_picks_something_up():
    engine = scene("##########\n#@......>#\n##########")
    lay(engine, "dart", engine.state.hero.x, engine.state.hero.y)
    engine.state.map.fires[engine.state.hero.x, engine.state.hero.y] = 1
    assert walk(engine, explore(engine.state)) == (Stop.HURT, 1)


@pytest.mark.parametrize("fire", [False, True])
def test_a_run_ends_before_a_trap_and_before_a_fire(fire):
    engine = scene(f"##########\n#@..{'.' if fire else 'x'}..>.#\n##########")
    engine.state.map.fires |= {(4, 1): 99} if fire else {}
    assert walk(engine, run(engine.state, 1, 0)) == (Stop.FIRE if fire else Stop.TRAP, 2)


def test_a_run_ends_on_the_exit_and_before_a_wall():
    engine = scene("########\n#@..>..#\n########")
    assert walk(engine, run(engine.state, 1, 0)) == (Stop.ARRIVED, 3)
    engine = scene("########\n#@.....#\n########")
    assert walk(engine, run(engine.state, 0, 1)) == (Stop.WALL, 0)
    engine = known(field(2, 2))
    put(engine, "rat", 3, 2)
    assert walk(engine, run(engine.state, 1, 0)) == (Stop.BLOCKED, 0)


def test_the_nearest_monster_in_view_is_attacked():
    engine = known(field())
    assert attack_nearest(engine.state) is None
    put(engine, "orc", 15, 7)
    engine.state.look()
    assert attack_nearest(engine.state).dx == 1
    put(engine, "orc", 10, 4)
    engine.state.look()
    assert attack_nearest(engine.state).dy == -1
    put(engine, "orc", 9, 8)
    engine.state.look()
    assert attack_nearest(engine.state) == Move(-1, 1)


def test_of_monsters_as_near_as_each_other_the_most_wounded_is_attacked():
    engine = known(field())
    for x in (9, 11):
        put(engine, "orc", x, 7)
    engine.state.look()
    assert attack_nearest(engine.state) == Move(-1, 0)
    engine.state.map.entity_at(11, 7).fighter.hp = 1
    assert attack_nearest(engine.state) == Move(1, 0)


@pytest.mark.parametrize("walks", [1, 5])
def test_an_explorer_gives_up_after_so_many_walks_in_vain(walks, monkeypatch):
    engine = known(field(2, 2))
    monkeypatch.setattr(auto_travel, "FRUITLESS_WALKS", walks)
    goals = iter([Point(3, 2), Point(2, 2)] * 50)
    monkeypatch.setattr(auto_travel.known_paths, "next_to_explore", lambda *_, **__: next(goals))
    assert walk(engine, explore(engine.state)) == (Stop.EXPLORED, walks + 1)


@pytest.mark.parametrize("state", [AiState.ASLEEP, AiState.HUNTING])
def test_a_sleeper_does_not_stop_an_explorer(state):
    engine = known(field(2, 2))
    put(engine, "orc", 7, 5, state)
    engine.state.look()
    stop = Stop.EXPLORED if state is AiState.ASLEEP else Stop.ENEMY
    assert walk(engine, explore(engine.state)) == (stop, 0)
