"""What bots choose in drawn scenes: which way, when to wait, whom to leave alone."""

import pytest

from components import AiState
from components.inventory import Item
from engine.bots.careful_bot import CarefulBot
from engine.bots.simple_bot import Bot, step_onward
from engine.state.actions import Descend, Fire, Move, PickUp, Strike, Wait
from entities.creature_kinds import make_creature
from entities.terrain import Tile
from procgen.blueprint import Point
from support.items import bare, give
from support.rule_scenes import field, put, wear
from support.scenes import scene


def lane(drawing, **more):
    """Return the state of a lane that the hero knows, between two walls."""
    row = f"#{drawing}#"
    state = bare(scene(f"{'#' * len(row)}\n{row}\n{'#' * len(row)}", **more)).state
    state.map.explored[:] = True
    return state


@pytest.mark.parametrize(
    ("drawing", "keys", "does"),
    [
        ("@..>", 0, Move(1, 0)), (">..@", 0, Move(-1, 0)), ("@", 0, Wait()),
        ("@o.>", 0, Move(1, 0)), ("@#.>", 0, Wait()), ("@].>", 0, Wait()), ("@].>", 1, Move(1, 0)),
        ("@.].>", 1, Move(1, 0)), ("@.?.>", 0, Move(1, 0)),
    ],
)  # fmt: skip
def test_the_way_onward_leads_to_the_exit_through_monsters_and_locks_with_a_key(
    drawing, keys, does
):
    state = lane(drawing)
    state.map.keys = keys
    assert step_onward(state) == does


def test_the_way_onward_ends_at_the_stairs_unless_the_bot_stays():
    state = lane("@..>")
    state.map.move_entity(state.hero, 4, 1)
    assert step_onward(state) == Descend()
    assert not isinstance(step_onward(state, stays=True), Descend)
    state.map.lay(Item(900, "net"), 4, 1)
    assert step_onward(state) == Descend()
    assert step_onward(state, stays=True) == PickUp()
    workshop = lane("@..>", workshop=True)
    workshop.map.move_entity(workshop.hero, 4, 1)
    assert not isinstance(step_onward(workshop), Descend)


def test_the_way_onward_explores_first_unless_the_bot_leaves():
    state = lane(">..@....")
    state.map.explored[:, 6:] = False
    assert step_onward(state) == Move(1, 0)
    assert step_onward(state, leaving=True) == Move(-1, 0)
    state.map.explored[:, :2] = False
    assert step_onward(state, leaving=True) == Move(1, 0), "it knows no exit"


@pytest.mark.parametrize(
    ("apart", "kind", "first", "second"),
    [
        (1, "orc", Strike(1, 0), Strike(1, 0)), (2, "orc", Wait(), Move(1, 0)),
        (3, "orc", Move(1, 0), Move(1, 0)), (2, "kobold", Move(1, 0), Move(1, 0)),
    ],
)  # fmt: skip
def test_the_careful_one_lets_a_foe_take_the_last_step(apart, kind, first, second):
    engine = field(3, 7)
    hero, bot = engine.state.hero, CarefulBot()
    hero.fighter.hp = hero.fighter.max_hp = 80
    engine.state.map.explored[:] = True
    put(engine, kind, 3 + apart, 7).fighter.power = 6
    engine.state.look()
    assert [bot.choose(engine.state) for _ in range(2)] == [first, second]


def test_the_careful_one_shoots_a_foe_that_comes_if_it_can():
    engine = field(3, 7)
    hero = engine.state.hero
    hero.fighter.hp = hero.fighter.max_hp = 80
    wear(engine, "bow", "short_bow")
    give(engine, "arrow", 5)
    put(engine, "orc", 8, 7).fighter.power = 6
    engine.state.look()
    assert CarefulBot().choose(engine.state) == Fire(8, 7)


@pytest.mark.parametrize(
    ("kind", "apart", "state", "does"),
    [
        ("rat", 1, AiState.ASLEEP, Strike(1, 0)), ("rat", 2, AiState.ASLEEP, Move(1, 0)),
        ("rat", 8, AiState.ASLEEP, Move(1, 0)), ("rat", 9, AiState.ASLEEP, Move(-1, 0)),
        ("ogre", 1, AiState.ASLEEP, Move(-1, 0)), ("ogre", 5, AiState.ASLEEP, Move(-1, 0)),
    ],
)  # fmt: skip
def test_the_careful_one_attacks_only_sleepers_that_are_near_and_no_match(kind, apart, state, does):
    world = lane(">...@...........")
    foe = put_on(world, kind, 5 + apart, state)
    assert CarefulBot()._unnoticed(world) == does
    foe.ai.state = AiState.HUNTING
    assert CarefulBot()._unnoticed(world) == Move(-1, 0), "it is no sleeper any more"


def put_on(world, kind, x, state):
    """Return a monster put on a lane, which the hero has looked at."""
    creature = make_creature(kind, world.number(), x, 1)
    creature.ai.state = state
    world.map.add_entity(creature)
    world.look()
    return creature


@pytest.mark.parametrize(
    ("shot_from", "walls", "does"),
    [
        ((14, 7), (), Move(1, 0)), ((10, 2), (), Move(0, -1)), ((6, 11), (), Move(-1, 1)),
        ((14, 7), ((11, 7),), Move(1, -1)), ((11, 7), ((11, 7),), None),
    ],
)  # fmt: skip
def test_a_bot_under_fire_goes_for_the_place_that_the_shot_came_from(shot_from, walls, does):
    state = field().state
    state.map.explored[:] = False
    for place in walls:
        state.map.set_tile(*place, Tile.WALL)
    assert Bot()._under_fire(state, Point(*shot_from)) == does
