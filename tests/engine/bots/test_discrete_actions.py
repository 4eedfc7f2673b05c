"""The numbered actions of programs that play: what the mask allows is not refused, and no more."""

from dataclasses import replace
from itertools import product

import pytest

from engine.bots.discrete_actions import (
    AHEAD,
    COUNT,
    DROP,
    FIRE,
    SIMPLE,
    THROW,
    USE,
    _possible_moves,
    action_mask,
    game_action,
)
from engine.bots.tactics import step_home
from engine.state.actions import (
    Climb,
    Descend,
    Drop,
    Fire,
    Move,
    PickUp,
    PlantFirstSeed,
    Refused,
    Throw,
)
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.levitation import can_enter
from entities.pack import MOST_STACKS
from entities.terrain import Tile
from procgen.analysis.distances import DIRECTIONS
from procgen.level_code import FROM_FILE
from render.screens.play_commands import commands_menu
from support.items import bare, give, lay
from support.play_screens import playing
from support.scenes import scene

PLACES = {
    "a corner": "######\n#@...#\n#....#\n#...>#\n######",
    "a neighbour": "######\n#....#\n#.@o.#\n#.#.>#\n######",
    "water": "######\n#.~..#\n#.@~.#\n#.#.>#\n######",
    "a door": "######\n#.+..#\n##@].#\n#.#.>#\n######",
    "a brink": "######\n#....#\n##@(.#\n#.#.>#\n######",
    "the stairs": "######\n#....#\n##.#.#\n#.#@.#\n######",
}


def world(name, *, held=False, lying=False):
    engine = bare(scene(PLACES[name]))
    hero = engine.state.hero
    if name == "the stairs":
        engine.state.map.exit = type(engine.state.map.exit)(hero.x, hero.y)
    if name == "a brink":
        engine.state.map.set_tile(hero.x, hero.y, Tile.BRINK)
    if held:
        hero.statuses["held"] = 9
    if lying:
        lay(engine, "healing_potion", hero.x, hero.y)
    return engine


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize(("held", "lying"), [(False, False), (False, True), (True, False)])
def test_what_the_mask_allows_is_not_refused_and_what_it_forbids_is(name, held, lying):
    mask = action_mask(world(name, held=held, lying=lying).state)
    assert len(mask) == COUNT
    for number, action in enumerate(SIMPLE):
        engine = world(name, held=held, lying=lying)
        if isinstance(action, Descend) and mask[number]:
            continue  # It builds the level below.
        if held and isinstance(action, (Move, Climb, Descend)) and not mask[number]:
            continue  # It is a struggle, which has its own number.
        refused = isinstance(engine.step(game_action(engine.state, number, (1, 0))), Refused)
        assert refused == (not mask[number]), action
    assert mask[SIMPLE.index(PickUp())] == lying


@pytest.mark.parametrize("where", ["a dungeon", "a level from a file", "below a world", "a world"])
def test_the_first_seed_is_offered_where_it_grows_alone_to_programs_bots_and_in_the_menu(where):
    setup = RunSetup(5, "5", Mode.ADVENTURE, "wilds" if "world" in where else "rooms")
    session = playing(setup).app.stack[-1].session
    state = session.run.state
    if where == "below a world":
        state.map.set_tile(state.hero.x, state.hero.y, Tile.ENTRANCE)
        state.levels.descend(state)
    elif where == "a level from a file":
        state.map.code = replace(state.code, recipe=FROM_FILE)
    for state.won, state.hollow in ((None, ""), (3, ""), (3, "rooms:7")):
        grows = where == "a dungeon" and state.won is not None and not state.hollow
        assert action_mask(state)[SIMPLE.index(PlantFirstSeed())] == grows
        if not state.hollow:
            assert (step_home(state) == PlantFirstSeed()) == grows
        labels = [choice.label for choice in commands_menu(session).choices]
        assert ("Plant the First Seed here" in labels) == grows
        if not grows:
            assert isinstance(session.run.engine.step(PlantFirstSeed()), Refused)


def test_a_move_is_possible_onto_ground_into_somebody_and_through_the_air_over_water():
    for flies, (name, keys) in product(
        (False, True), (("water", 0), ("neighbour", 0), ("door", 1))
    ):
        engine = world(f"a {name}" if name != "water" else name)
        state = engine.state
        state.map.keys = keys
        if flies:
            state.hero.statuses["levitating"] = 9
        x, y = state.hero.x, state.hero.y
        wanted = [
            can_enter(state.map, state.hero, x + dx, y + dy)
            or state.map.entity_at(x + dx, y + dy) is not None
            or (keys > 0 and state.map.tiles[y + dy, x + dx] == Tile.LOCKED_DOOR)
            for dx, dy in DIRECTIONS
        ]
        assert [bool(one) for one in _possible_moves(state)] == wanted


@pytest.mark.parametrize("place", [(0, 0), (0, 2), (5, 4), (3, 4)])
def test_a_hero_that_floats_at_the_edge_of_the_map_moves_to_what_is_on_it(place):
    engine = scene("~~~~~~\n~~~~~~\n~~@~~~\n~~~~~~\n~~~~~~")
    state = engine.state
    state.hero.statuses["levitating"] = 9
    state.map.move_entity(state.hero, *place)
    inside = [state.map.contains(place[0] + dx, place[1] + dy) for dx, dy in DIRECTIONS]
    assert action_mask(state)[: len(DIRECTIONS)].tolist() == inside


def test_things_are_aimed_at_the_nearest_foe_or_a_few_tiles_ahead():
    engine = bare(scene("#" * 12 + "\n#@.........#\n#........>.#\n" + "#" * 12))
    dart = give(engine, "dart", 3)
    for facing, wanted in (((1, 0), (1 + AHEAD, 1)), ((0, 1), (1, 3)), ((-1, 0), (0, 1))):
        assert game_action(engine.state, FIRE, facing) == Fire(*wanted)
    slot = ord(dart.letter) - ord("a")
    mask = action_mask(engine.state)
    assert (mask[FIRE], mask[USE + slot], mask[THROW + slot], mask[DROP + slot]) == (0, 0, 0, 1)
    assert game_action(engine.state, DROP + slot, (1, 0)) == Drop(dart.id)
    assert game_action(engine.state, DROP + slot + 1, (1, 0)) is None
    engine = bare(scene("#" * 12 + "\n#@...o.....#\n#........>.#\n" + "#" * 12))
    dart = give(engine, "dart", 3)
    assert game_action(engine.state, THROW + slot, (0, 1)) == Throw(dart.id, 5, 1)
    mask = action_mask(engine.state)
    assert (mask[FIRE], mask[USE + slot], mask[THROW + slot]) == (1, 1, 1)


@pytest.mark.parametrize(("kind", "fits"), [("dart", True), ("net", False)])
def test_picking_up_is_possible_only_if_the_pack_has_room(kind, fits):
    engine = world("a corner")
    for _ in range(MOST_STACKS - 1):
        give(engine, "dagger")
    give(engine, "dart", 3)
    lay(engine, kind, engine.state.hero.x, engine.state.hero.y)
    assert action_mask(engine.state)[SIMPLE.index(PickUp())] == fits
    assert isinstance(engine.step(PickUp()), Refused) != fits


def test_the_dead_can_do_nothing():
    engine = world("a corner")
    assert action_mask(engine.state).any()
    engine.state.hero.fighter.hp = 0
    assert not action_mask(engine.state).any()


@pytest.mark.parametrize(
    ("foes", "near"),
    [
        ("..o..\n....o", (3, 1)), ("....o\n..o..", (3, 2)), ("#.o..\n....o", (3, 1)),
        ("....o\n#####", None), (".#...\n.#.o.", None), ("o.o.o\no.o.o", (1, 2)),
    ],
)  # fmt: skip
def test_the_mask_allows_a_shot_at_the_nearest_foe_whatever_row_the_others_are_in(foes, near):
    rows = ["#" * 9, *(f"#{row}..#" for row in foes.split()), "#@#####>#", "#" * 9]
    engine = bare(scene("\n".join(rows)))
    give(engine, "dart", 3)
    allowed = action_mask(engine.state)[FIRE]
    assert bool(allowed) == (near is not None)
    if near:
        action = game_action(engine.state, FIRE, (1, 0))
        assert action == Fire(*near)
        assert not isinstance(engine.step(action), Refused)


@pytest.mark.parametrize("at", [(0, 0), (4, 0), (0, 4), (4, 4), (2, 2), (1, 3)])
@pytest.mark.parametrize("facing", DIRECTIONS)
def test_nothing_is_aimed_off_the_map_or_beyond_the_first_wall(at, facing):
    state = bare(scene("@....\n.....\n....#\n.....\n....>")).state
    if at != (0, 0):
        state.map.move_entity(state.hero, *at)
    x, y = at
    for _ in range(AHEAD):
        x, y = x + facing[0], y + facing[1]
        if not (0 <= x < 5 and 0 <= y < 5):
            x, y = x - facing[0], y - facing[1]
            break
        if (x, y) == (4, 2):
            break
    assert game_action(state, FIRE, facing) == Fire(x, y)


@pytest.mark.parametrize("foe", [True, False])
def test_each_slot_of_the_pack_has_an_action_to_use_throw_and_drop(foe):
    row = "#@...o.....#" if foe else "#@.........#"
    engine = bare(scene("#" * 12 + f"\n{row}\n#........>.#\n" + "#" * 12))
    hero = engine.state.hero
    for kind in ("dart", "dagger", "haste_potion", "terror_scroll", "leather_armour"):
        give(engine, kind)
    hero.equipment["weapon"] = hero.inventory[1].id
    mask = action_mask(engine.state)
    for slot in range(6):
        allowed = tuple(int(mask[group + slot]) for group in (USE, THROW, DROP))
        held = slot < 5
        assert allowed == (int(held and (foe or slot != 0)), int(held and foe and slot != 1), held)
        assert (game_action(engine.state, USE + slot, (1, 0)) is None) == (not held)


@pytest.mark.parametrize("away", [3, 6, 7, 8])
@pytest.mark.parametrize("kind", ["net", "oil_flask", "dart", "dagger", "haste_potion"])
def test_a_throw_that_does_not_reach_the_nearest_foe_is_not_possible(kind, away):
    row = "@" + "." * (away - 1) + "o" + "." * (10 - away)
    for group in (THROW, USE):
        engine = bare(scene("#" * 13 + f"\n#{row}#\n#.........>.#\n" + "#" * 13))
        slot = ord(give(engine, kind).letter) - ord("a")
        mask = action_mask(engine.state)
        action = game_action(engine.state, group + slot, (1, 0))
        assert bool(mask[group + slot]) != isinstance(engine.step(action), Refused), group


def test_an_improvement_goes_to_the_first_worn_item_that_can_be_improved():
    engine = world("a corner")
    hero = engine.state.hero
    ring, sword = give(engine, "might_ring"), give(engine, "sword")
    scroll = give(engine, "enchanting_scroll")
    hero.equipment |= {"ring": ring.id, "weapon": sword.id}
    action = game_action(engine.state, USE + ord(scroll.letter) - ord("a"), (1, 0))
    assert action.on == sword.id
    assert not isinstance(engine.step(action), Refused)
