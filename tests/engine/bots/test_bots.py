"""Players made of rules keep to the rules, and care pays."""

from dataclasses import replace

import pytest

from components.inventory import Item
from engine.bots import BOTS, CarefulBot
from engine.bots.careful_bot import MOST_FLIGHTS
from engine.bots.simple_bot import (
    IDLE_TURNS,
    TURNS_UNDER_FIRE,
    Bot,
    explore_then_leave,
    step_onward,
)
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.state.actions import (
    Choose,
    Climb,
    Descend,
    Drop,
    Equip,
    Move,
    PickUp,
    PlantFirstSeed,
    Refused,
    Strike,
    Throw,
    Use,
    Wait,
)
from engine.state.events import CreatureRef, Equipped, ShotFired, TookOff
from engine.state.run_setup import RunSetup
from entities.item_kinds import item_kinds
from entities.pack import add_to_pack
from entities.terrain import Tile
from procgen.blueprint import Point
from procgen.recipes import current_recipes
from support.scenes import scene
from workbench.search.bot_runs import simulate_run


def play(name, seed, turns):
    """Let the bot called ``name`` play; return the world and how many actions were refused."""
    state = new_game(RunSetup(seed, str(seed), generator="rooms"))
    engine, bot, refused = Engine(state), BOTS[name](), 0
    while state.hero.alive and state.turn < turns:
        events = engine.step(bot.choose(state))
        if isinstance(events, Refused):
            refused += 1
            events = engine.step(Wait())
        bot.hear(events)
    return state, refused


@pytest.mark.parametrize("name", sorted(set(BOTS) - {"random"}))
def test_every_bot_plays_and_plays_the_same_again(name):
    first, refused = play(name, 3, 120)
    again, _ = play(name, 3, 120)
    assert state_digest(first) == state_digest(again)
    assert first.kills > 0 or first.depth > 1
    assert refused < 25


def test_the_careful_one_wears_what_is_better():
    engine = scene("######\n#@..>#\n######")
    engine.state.hero.inventory.append(Item(900, "sword"))
    assert CarefulBot().choose(engine.state) == Equip(900)


def test_the_careful_one_drinks_what_heals_when_it_is_time():
    engine = scene("######\n#@T>##\n######")
    state = engine.state
    state.hero.inventory.append(Item(900, "healing_potion"))
    state.identified_kinds.append("healing_potion")
    state.map.entity_at(2, 1).ai.state = "hunting"
    state.hero.fighter.hp = 8
    assert CarefulBot().choose(state).item == 900


def test_the_careful_one_stabs_who_sleeps_and_strikes_the_weakest():
    engine = scene("#####\n#@r.#\n#o.>#\n#####")
    for x, y in ((2, 1), (1, 2)):
        engine.state.map.entity_at(x, y).ai.state = "hunting"
    assert CarefulBot().choose(engine.state) == Strike(1, 0)


def at_the_stairs_up():
    """Return a world whose hero stands there, at depth 2, with an ogre too strong coming."""
    state = scene("###########\n#@.....P..#\n#........>#\n###########").state
    state.map.code = replace(state.map.code, depth=2)
    state.map.entity_at(7, 1).ai.state = "hunting"
    state.hero.inventory.clear()
    state.hero.fighter.hp = 15
    return state


def test_the_careful_one_flees_by_the_stairs_only_so_often_in_vain():
    state, bot = at_the_stairs_up(), CarefulBot()
    assert [bot.choose(state) for _ in range(MOST_FLIGHTS)] == [Climb()] * MOST_FLIGHTS
    assert not isinstance(bot.choose(state), Climb)
    state.hero.experience.points += 1
    assert bot.choose(state) == Climb()


@pytest.mark.parametrize(
    ("kind", "known", "does"),
    [
        ("slumber_potion", True, Throw(900, 5, 1)),
        ("oil_flask", True, Throw(900, 5, 1)),
        ("poison_potion", False, Use(900)),
    ],
)
def test_who_cannot_flee_any_more_throws_what_is_bad(kind, known, does):
    state, bot = at_the_stairs_up(), CarefulBot()
    state.hero.inventory.append(Item(900, kind))
    state.identified_kinds += [kind] if known else []
    ogre = state.map.entity_at(7, 1)
    for _ in range(MOST_FLIGHTS):
        bot.choose(state)
    state.map.move_entity(ogre, 5, 1)
    assert bot.choose(state) == does
    state.map.move_entity(ogre, 2, 1)
    state.identified_kinds += [kind]
    assert not isinstance(bot.choose(state), Throw | Use)  # it would fall on oneself, too


def test_the_careful_one_knows_what_to_learn():
    engine = scene("######\n#@..>#\n######")
    growth = engine.state.hero.experience
    growth.level, growth.points = 2, 60
    assert isinstance(CarefulBot().choose(engine.state), Choose)


def test_a_bot_goes_for_whoever_shoots_it_from_out_of_view():
    engine = scene("########\n#@....>#\n########")
    bot = BOTS["careful"]()
    engine.state.hero.fighter.hp = 5
    archer = CreatureRef(40, "archer", Point(5, 1))
    bot.hear([ShotFired(archer, CreatureRef(0, "hero", Point(1, 1)), "arrow", 2)])
    assert bot.choose(engine.state) == Move(1, 0)
    engine.state.map.explored[:, 3:] = False  # it may shoot from the dark, and not every turn
    bot.hear([])
    assert bot.choose(engine.state) == Move(1, 0)
    for _ in range(TURNS_UNDER_FIRE):
        bot.hear([])
    assert bot.choose(engine.state) == Wait()


def test_a_bot_whose_patience_is_out_leaves_by_the_exit_it_knows():
    engine = scene("############\n#>.@.p     #\n##########.#\n############".replace(" ", "."))
    state, bot = engine.state, Timid()
    thief = state.map.entity_at(5, 1)
    state.map.explored[1:3, 7:] = False
    for _ in range(IDLE_TURNS):
        thief.statuses["asleep"] = 9
        bot.choose(state)
        bot.hear(engine.step(Wait()))
        state.map.explored[1:3, 7:] = False
    assert bot.choose(state) == Move(-1, 0)
    state.map.remove_entity(thief)
    for _ in range(4):
        action = bot.choose(state)
        bot.hear(engine.step(action))
    assert action in (Move(-1, 0), Descend())


class Timid(Bot):
    """Will not fight whoever it sees."""

    def _fight(self, _world):
        return Wait()


def test_a_bot_walks_on_through_who_will_neither_fight_nor_go():
    engine = scene("########\n#@p..>.#\n########")
    state, bot = engine.state, Timid()
    thief = state.map.entity_at(2, 1)
    for _ in range(IDLE_TURNS):
        thief.statuses["asleep"] = 9
        assert bot.choose(state) == Wait()
        bot.hear(engine.step(Wait()))
    assert bot.choose(state) == Move(1, 0)


def test_a_bot_has_the_same_goal_with_a_monster_in_view_and_without():
    """With two goals it would turn about for ever where its way leads in and out of view."""
    engine = scene("#############\n#..@.......>#\n#############")
    state = engine.state
    state.map.explored[:, 8:] = False
    state.map.add_item(Item(900, "net"), 1, 1)
    for action in (Move(-1, 0), Move(-1, 0), PickUp(), Move(1, 0)):
        assert step_onward(state) == next(explore_then_leave(state, avoid_exit=False)) == action
        engine.step(action)


def test_the_random_bot_does_everything_and_never_stops_a_run():
    done = set()
    for seed, recipe in enumerate(("rooms", "caves", "bsp", "crypt")):
        state = new_game(RunSetup(seed, str(seed), generator=recipe, depth=1 + 5 * seed))
        state.hero.fighter.hp = state.hero.fighter.max_hp = 200
        for kind in list(item_kinds())[seed::4]:
            item = Item(state.new_id(), kind, charges=item_kinds()[kind].charges[1])
            add_to_pack(state.hero, item)
        engine, bot = Engine(state), BOTS["random"]()
        while state.hero.alive and state.turn < 200:
            action = bot.choose(state)
            events = engine.step(action)
            if isinstance(events, Refused):
                events = engine.step(Wait())
            else:
                done |= {type(action), *map(type, events)}
            bot.hear(events)
    assert done >= {Drop, Equipped, Move, PickUp, TookOff, Throw, Use, Wait}


@pytest.mark.slow
@pytest.mark.parametrize("recipe", [one.name for one in current_recipes()])
def test_the_random_bot_stops_none_of_a_thousand_runs(recipe):
    for seed in range(21):
        state = new_game(RunSetup(seed, str(seed), generator=recipe, depth=1 + seed % 14))
        state.hero.fighter.hp = state.hero.fighter.max_hp = 200
        for name, kind in list(item_kinds().items())[seed % 4 :: 4]:
            add_to_pack(state.hero, Item(state.new_id(), name, charges=kind.charges[1]))
        engine, bot = Engine(state), BOTS["random"]()
        while state.hero.alive and state.turn < 250:
            events = engine.step(bot.choose(state))
            bot.hear(engine.step(Wait()) if isinstance(events, Refused) else events)


@pytest.mark.parametrize(
    ("pack", "known", "hp", "does"),
    [
        (["poison_potion"], [], 1.0, Use(900)),
        (["poison_potion"], [], 0.8, None),
        (["poison_potion"], ["poison_potion"], 1.0, None),
        (["life_potion"], ["life_potion"], 1.0, Use(900)),
        (["mapping_scroll"], ["mapping_scroll"], 1.0, Use(900)),
        (["frost_wand"], [], 1.0, None),
        (["net"], [], 1.0, None),
        (["poison_potion", "mapping_scroll"], ["poison_potion"], 1.0, Use(901)),
    ],
)
def test_the_careful_one_learns_potions_and_scrolls_by_use_while_it_is_well(pack, known, hp, does):
    state = scene("######\n#@..>#\n######").state
    hero = state.hero
    hero.inventory.clear()
    hero.equipment.clear()
    hero.inventory += [Item(900 + number, kind) for number, kind in enumerate(pack)]
    state.identified_kinds += known
    hero.fighter.hp = int(hero.fighter.max_hp * hp)
    action = CarefulBot().choose(state)
    assert action == does if does else not isinstance(action, Use)
    hero.statuses["poisoned"] = 5
    assert not isinstance(CarefulBot().choose(state), Use)


@pytest.mark.parametrize(
    ("worn", "found", "better"),
    [
        ("dagger", Item(900, "sword"), True),
        ("sword", Item(900, "dagger"), False),
        ("sword", Item(900, "sword"), False),
        ("sword", Item(900, "sword", bonus=1, identified=True), True),
        ("sword", Item(900, "sword", bonus=1), False),
        (None, Item(900, "embers_ring"), False),
        (None, Item(900, "dart"), False),
    ],
)
def test_the_careful_one_compares_what_it_finds_with_what_it_wears(worn, found, better):
    state = scene("######\n#@..>#\n######").state
    hero = state.hero
    hero.inventory[:] = [found]
    hero.equipment.clear()
    if worn:
        hero.inventory.append(Item(901, worn))
        hero.equipment["weapon"] = 901
    assert (CarefulBot().choose(state) == Equip(900)) == better


def test_the_careful_one_walks_to_a_memory_among_other_shelves():
    engine = scene("#########\n#.......#\n#@......#\n#########")
    game_map, bot = engine.state.map, BOTS["careful"]()
    for x in (5, 6, 7):
        game_map.set_tile(x, 1, Tile.SHELF)
    game_map.memory_at = Point(6, 1)
    hurried = BOTS["careful"]()
    hurried._leaving = True  # A monster that it cannot fight has kept it for long.
    assert hurried.choose(engine.state) != bot.choose(engine.state)
    for _ in range(5):
        bot.hear(engine.step(bot.choose(engine.state)))
    assert game_map.remembered


def test_a_bot_that_leaves_takes_the_stairs_that_it_stands_on_whatever_is_left_to_explore():
    engine = scene("#########\n#@.....$#\n#########")
    state, bots = engine.state, [BOTS["careful"](), BOTS["careful"]()]
    state.map.exit = Point(1, 1)
    bots[0]._leaving = True
    assert [isinstance(bot.choose(state), Descend) for bot in bots] == [True, False]


def test_a_bot_that_leaves_an_infinite_world_walks_to_a_way_down_and_takes_it():
    engine = Engine(new_game(RunSetup(0, "0", generator="wilds")))
    state, bot = engine.state, BOTS["careful"]()
    for creature in [*state.map.entities.values()]:
        if creature is not state.hero:
            state.map.remove_entity(creature)
    state.map.explored[:] = True
    bot._leaving = True
    for _ in range(40):
        bot.hear(engine.step(bot.choose(state)))
    assert not state.map.is_infinite


def test_the_careful_one_plants_the_first_seed_and_brings_it_home():
    state = new_game(RunSetup(6, "6"))
    engine, bot, planted = Engine(state), CarefulBot(), []
    state.hero.fighter.max_hp = state.hero.fighter.hp = 3000
    state.hero.fighter.power = 60
    while state.home is None and state.turn < 2500:
        if state.depth == 2 and state.won is None:
            state.won = state.turn
        action = bot.choose(state)
        events = engine.step(action)
        bot.hear(engine.step(Wait()) if isinstance(events, Refused) else events)
        planted += [action] if isinstance(action, PlantFirstSeed) else []
    assert len(planted) == 1
    assert state.home is not None


def leaves_depth_1_of_crypt(seed):
    """Return whether the careful bot comes down the stairs of depth 1 alive."""
    state = new_game(RunSetup(seed, str(seed), generator="crypt"))
    engine, bot = Engine(state), CarefulBot()
    while state.depth == 1 and state.hero.alive and state.turn < 3000:
        events = engine.step(bot.choose(state))
        bot.hear(engine.step(Wait()) if isinstance(events, Refused) else events)
    return state.hero.alive and state.depth == 2


def test_care_is_enough_for_depth_1_of_crypt():
    assert leaves_depth_1_of_crypt(9)


@pytest.mark.slow
def test_care_is_enough_for_depth_1_of_nearly_every_crypt():
    assert sum(map(leaves_depth_1_of_crypt, range(20))) >= 19


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 8, 12, 19])
def test_no_careful_run_is_out_of_turns(seed):
    """Seed 7 waited 13,783 turns beside hunters that were jammed in a corridor."""
    assert simulate_run(RunSetup(seed, str(seed)), 20_000, None, "careful").end != "out of turns"
