"""What bots choose in drawn scenes: which way, when to wait, whom to leave alone."""

import math

import pytest

from components import AiState
from components.inventory import Item
from engine.bots.careful_bot import MOST_FLIGHTS, CarefulBot
from engine.bots.emergency import flee_by_stairs
from engine.bots.simple_bot import IDLE_TURNS, Bot, CarelessBot, step_onward
from engine.bots.tactics import _harms, step_to_memory
from engine.monsters.combat_forecast import Danger, combined_danger, fight_cost
from engine.state.actions import (
    Climb,
    Descend,
    Fire,
    Move,
    PickUp,
    Strike,
    Use,
    Wait,
)
from engine.state.events import Arrived, CreatureRef, Struck
from entities.terrain import Tile
from procgen.blueprint import Point
from support.bot_scenes import lane, put_on
from support.items import give
from support.rule_scenes import field, put, wear
from support.scenes import scene

OTHER = CreatureRef(77, "rat", Point(4, 4))


@pytest.mark.parametrize(
    ("drawing", "keys", "does"),
    [
        ("@..>", 0, Move(1, 0)), (">..@", 0, Move(-1, 0)), ("@", 0, Wait()),
        ("@o.>", 0, Move(1, 0)), ("@#.>", 0, Wait()), ("@].>", 0, Wait()), ("@].>", 1, Move(1, 0)),
        ("@.].>", 1, Move(1, 0)), ("@.?.>", 0, Move(1, 0)), ("@", 1, Wait()),
    ],
)  # fmt: skip
def test_the_way_onward_leads_to_the_exit_through_monsters_and_locks_with_a_key(
    drawing, keys, does
):
    state = lane(drawing)
    state.map.keys = keys
    assert step_onward(state) == does


def test_a_bot_crosses_traps_only_where_no_other_way_leads_on():
    barred, free = lane("@x.>"), scene("######\n#@x.>#\n#....#\n######").state
    free.map.explored[:] = True
    assert Bot().choose(barred) == Move(1, 0)
    assert Bot().choose(free) == Move(1, 1)


def test_the_way_onward_ends_at_the_stairs_unless_the_bot_stays():
    state = lane("@..>")
    state.map.move_entity(state.hero, 4, 1)
    assert step_onward(state) == Descend()
    assert not isinstance(step_onward(state, stays=True), Descend)
    state.map.add_item(Item(900, "net"), 4, 1)
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
    assert CarefulBot()._attack_sleeper(world) == does
    foe.ai.state = AiState.HUNTING
    assert CarefulBot()._attack_sleeper(world) == Move(-1, 0), "it is no sleeper any more"


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


@pytest.mark.parametrize(("hp", "power", "pack", "does"), [
    (80, 6, ["healing_potion"], None), (30, 6, ["healing_potion"], Use(900)),
    (39, 6, ["healing_potion"], Use(900)), (40, 6, ["healing_potion"], None),
    (30, 1, ["healing_potion"], None), (30, 6, [], None),
])  # fmt: skip
def test_the_careful_one_drinks_when_half_dead_in_a_costly_fight(hp, power, pack, does):
    engine = field(3, 7)
    state, hero = engine.state, engine.state.hero
    state.map.explored[:] = True
    hero.fighter.max_hp, hero.fighter.hp = 80, hp
    hero.inventory += [Item(900 + n, kind) for n, kind in enumerate(pack)]
    state.identified_kinds += pack
    for x in (6, 7, 8):
        put(engine, "orc", x, 7).fighter.power = power
    state.look()
    action = CarefulBot().choose(state)
    assert action == does if does else not isinstance(action, Use)


@pytest.mark.parametrize("tired", [False, True])
@pytest.mark.parametrize(("share", "potion", "exit_", "does"), [
    (0.45, True, True, Use), (0.45, False, True, Descend), (0.55, True, True, Descend),
    (0.45, False, False, None), (0.55, True, False, None), (0.5, True, True, Descend),
])  # fmt: skip
def test_the_way_out_of_a_fight_is_a_potion_below_half_and_else_the_stairs(
    share, potion, exit_, does, tired
):
    engine = field(3, 7)
    state = engine.state
    state.map.explored[:] = True
    state.map.exit = Point(3, 7) if exit_ else Point(20, 13)
    if potion:
        state.hero.inventory.append(Item(900, "healing_potion"))
        state.identified_kinds.append("healing_potion")
    foe, bot = put(engine, "ogre", 4, 7), CarefulBot()
    bot._flights = MOST_FLIGHTS if tired else 0
    found = bot._escape(state, [foe], share)
    wanted = None if tired and does is Descend else does
    assert isinstance(found, wanted) if wanted else found is None


@pytest.mark.parametrize(("apart", "used"), [(4, True), (5, False)])
def test_items_turn_a_fight_with_foes_that_are_near(apart, used):
    engine = field(3, 7)
    state = engine.state
    state.hero.inventory.append(Item(900, "terror_scroll"))
    state.identified_kinds.append("terror_scroll")
    foe = put(engine, "ogre", 3 + apart, 7)
    state.look()
    assert (CarefulBot()._escape(state, [foe], 0.9) == Use(900)) == used


def test_the_careful_one_goes_for_the_nearest():
    engine = field(10, 7)
    engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp = 80
    engine.state.map.explored[:] = True
    near, far = put(engine, "orc", 13, 7), put(engine, "orc", 5, 7)
    assert CarefulBot()._engage(engine.state, [near, far]) == Move(1, 0)
    assert CarefulBot()._engage(engine.state, [far, near]) == Move(-1, 0)


@pytest.mark.parametrize("known", [True, False])
def test_the_bot_climbs_stairs_that_it_knows(known, monkeypatch):
    engine = field(4, 9)
    state, foe = engine.state, put(engine, "orc", 5, 9)
    monkeypatch.setattr(type(state), "depth", 3)
    state.map.start = Point(4, 9)
    state.map.explored[:] = not known
    state.map.explored[9, 4] = known
    assert (flee_by_stairs(state, [foe]) == Climb()) == known


def test_a_foe_that_cannot_be_killed_costs_everything():
    engine = field(4, 9)
    hero, foe = engine.state.hero, put(engine, "ogre", 6, 9)
    hero.fighter.power = 0
    assert fight_cost(hero, [foe]) == math.inf


@pytest.mark.parametrize(("turns", "leaves"), [(IDLE_TURNS, False), (IDLE_TURNS + 1, True)])
def test_a_bot_loses_its_patience_with_an_idle_foe_after_so_many_turns(turns, leaves):
    state = lane("@......o..>")
    state.map.entity_at(8, 1).ai.state = AiState.ASLEEP
    bot = Bot()
    for _ in range(turns):
        bot.choose(state)
        bot.hear([])
    assert bot._leaving == leaves
    bot.hear([Struck(OTHER, OTHER, 0)])
    assert bot._idle == turns
    bot.hear([Struck(OTHER, OTHER, 1)])
    assert (bot._idle, bot._leaving) == (0, leaves)
    bot.hear([Arrived("rooms:7", 2)])
    assert (bot._idle, bot._leaving) == (0, False)


def test_a_bot_is_wary_after_the_last_foe_went_out_of_view():
    state, bot = lane("@......o..>"), Bot()
    bot.choose(state)
    state.map.remove_entity(state.map.entity_at(8, 1))
    state.look()
    assert [bot.choose(state) for _ in range(3)] == [Wait(), Wait(), Move(1, 0)]


@pytest.mark.parametrize(("hp", "rests"), [(21, True), (22, False), (36, False)])
def test_a_bot_rests_below_three_fifths_of_its_hit_points(hp, rests):
    state = lane("@.....>")
    state.hero.fighter.max_hp, state.hero.fighter.hp = 36, hp
    assert Bot().choose(state) == (Wait() if rests else Move(1, 0))
    assert CarelessBot().choose(state) == Move(1, 0)


@pytest.mark.parametrize(("hp", "turns_here", "rests"), [
    (32, 0, True), (33, 0, False), (20, 10**4, False), (5, 10**4, False),
])  # fmt: skip
def test_the_careful_one_rests_until_nearly_whole_but_not_besieged(hp, turns_here, rests):
    state = lane("@.....>")
    state.hero.fighter.max_hp, state.hero.fighter.hp = 36, hp
    state.map.turns_here = turns_here
    assert CarefulBot().choose(state) == (Wait() if rests else Move(1, 0))


@pytest.mark.parametrize(("status", "hp", "drinks"), [
    ("poisoned", 6, True), ("poisoned", 7, False), (None, 6, False),
])  # fmt: skip
def test_in_peace_the_careful_one_drinks_only_if_it_may_die_of_a_status(status, hp, drinks):
    state = lane("@.....>")
    state.hero.fighter.max_hp, state.hero.fighter.hp = 20, hp
    state.hero.statuses |= {status: 9} if status else {}
    state.hero.inventory.append(Item(900, "healing_potion"))
    state.identified_kinds.append("healing_potion")
    assert (CarefulBot().choose(state) == Use(900)) == drinks


@pytest.mark.parametrize(("away", "walls", "goes"), [
    (3, (), True), (12, (), True), (13, (), False), (1, (), True), (5, (3,), False),
])  # fmt: skip
def test_a_memory_is_worth_a_dozen_steps(away, walls, goes):
    state = lane("@" + "." * 20)
    state.map.set_tile(1 + away, 0, Tile.SHELF)
    state.map.memory_at = Point(1 + away, 0)
    for x in walls:
        state.map.set_tile(x, 1, Tile.WALL)
    step = step_to_memory(state)
    assert (step is not None) == goes
    assert not goes or step == Move(1, -1 if away == 1 else 0)
    state.map.memory_at = None
    assert step_to_memory(state) is None


@pytest.mark.parametrize(("kind", "apart", "harms"), [
    ("puffball", 1, True), ("puffball", 5, False), ("gazer", 5, True), ("banshee", 6, True),
    ("key_thief", 9, True), ("ogre", 9, True),
])  # fmt: skip
def test_rooted_monsters_harm_from_beside_the_hero_alone_unless_they_shoot(kind, apart, harms):
    engine = field(3, 7)
    engine.state.hero.fighter.hp = 12
    foe = put(engine, kind, 3 + apart, 7)
    engine.state.look()
    harmless = combined_danger(engine.state.hero, [foe]) is Danger.HARMLESS
    assert _harms(engine.state, foe) == (harms or (harmless and apart <= 2))
