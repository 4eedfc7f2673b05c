"""The careful bot plants seeds: before and among foes that are too strong, and in peace."""

from dataclasses import replace

from components import AiState
from engine.bots.careful_bot import CarefulBot, SeedlessBot
from engine.bots.emergency import (
    plant_among,
    plant_barrier,
    plant_in_peace,
    use_combat_item,
)
from engine.bots.simple_bot import Tried
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.state.actions import Descend, PlantFirstSeed, Refused, Use
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.seed_kinds import seed_kinds
from procgen.blueprint import Point
from procgen.level_code import FROM_FILE
from support.items import first, give
from support.scenes import scene

HALL = """
    ##############################
    #............................#
    #............................#
    #.....@........o.............#
    #............................#
    #...........................>#
    ##############################
"""


def test_a_barrier_is_planted_before_a_distant_foe_and_not_beside_one():
    engine = scene(HALL)
    orc = first(engine, "orc")
    seed = give(engine, "thicket_seed")
    assert plant_barrier(engine.state, [orc], Tried()) == Use(seed.id, (10, 3))
    engine.state.map.move_entity(orc, 8, 3)
    assert plant_barrier(engine.state, [orc], Tried()) is None


def test_a_seed_is_planted_among_near_foes_unless_they_have_its_status_already():
    engine = scene(HALL)
    orc, state, bot = first(engine, "orc"), engine.state, CarefulBot()
    seed = give(engine, "frost_seed")
    state.map.move_entity(orc, 9, 3)
    orc.ai.state, state.hero.fighter.hp = AiState.HUNTING, 5
    assert bot.choose(state) == Use(seed.id, (9, 3))
    orc.statuses["weakened"] = 3
    assert bot.choose(state) == Use(seed.id, (9, 3))
    orc.statuses["slowed"] = 3
    assert plant_among(state, [orc], bot.tried) is None
    assert bot.choose(state) != Use(seed.id, (9, 3))


def test_a_seed_is_planted_before_a_potion_is_drunk_and_not_for_an_easy_foe():
    engine = scene(HALL.replace("o", "."))
    state, seed = engine.state, give(engine, "frost_seed")
    give(engine, "healing_potion").identified = True
    state.identified_kinds.append("healing_potion")
    foe = make_creature("ogre", state.new_id(), 9, 3)
    foe.ai.state, state.hero.fighter.hp = AiState.HUNTING, 9
    state.map.add_entity(foe)
    assert CarefulBot().choose(state) == Use(seed.id, (9, 3))
    assert CarefulBot().choose(state) != SeedlessBot().choose(state)
    state.map.remove_entity(foe)
    rat = make_creature("rat", state.new_id(), 9, 3)
    rat.ai.state, state.hero.fighter.hp = AiState.HUNTING, state.hero.fighter.max_hp
    state.map.add_entity(rat)
    assert CarefulBot().choose(state) != Use(seed.id, (9, 3))


def test_a_wand_is_not_used_again_on_a_foe_that_has_its_status():
    engine = scene(HALL)
    state, orc, wand = engine.state, first(engine, "orc"), give(engine, "slowness_wand")
    wand.charges = 3
    state.identified_kinds.append("slowness_wand")
    state.map.move_entity(orc, 9, 3)
    assert use_combat_item(state, [orc], desperate=False) == Use(wand.id, (9, 3))
    orc.statuses["slowed"] = 9
    assert use_combat_item(state, [orc], desperate=False) is None


def test_the_seedless_bot_leaves_seeds_alone_and_else_plays_with_the_same_care():
    engine = scene(HALL)
    orc, state = first(engine, "orc"), engine.state
    give(engine, "thicket_seed")
    state.map.move_entity(orc, 12, 3)
    orc.ai.state, state.hero.fighter.hp = AiState.HUNTING, 5
    careful, seedless = CarefulBot(), SeedlessBot()
    assert isinstance(careful.choose(state), Use)
    assert not isinstance(seedless.choose(state), Use)
    assert (careful.tried.total(), seedless.tried.total()) == (1, 0)


def test_a_vault_is_planted_in_peace_and_only_where_it_grows():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "rooms")))
    give(engine, "vault_seed")
    state = engine.state
    state.turn, tried = 8, Tried()
    action = plant_in_peace(state, tried)
    assert action is not None
    assert engine.step(action)
    assert [growing.kind for growing in state.map.growing] == ["vault_seed"]
    assert tried["vault_seed", False] == 1
    state.turn = 9
    assert plant_in_peace(state, tried) is None


def test_the_careful_bot_plays_on_with_every_seed_in_its_pack():
    engine = Engine(new_game(RunSetup(11, "11", Mode.ADVENTURE)))
    for kind in seed_kinds():
        give(engine, kind)
    bot, start = CarefulBot(), Point(engine.state.hero.x, engine.state.hero.y)
    for _ in range(150):
        assert not isinstance(engine.step(bot.choose(engine.state)), Refused)
    hero = engine.state.hero
    assert hero.alive
    assert (hero.x, hero.y) != start
    carried = {item.kind for item in hero.inventory}
    planted = set(seed_kinds()) - carried
    assert len(planted) >= 4


def test_seeds_that_give_a_status_are_kept_for_a_fight():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "rooms")))
    engine.state.turn = 8
    give(engine, "thicket_seed", 9)
    assert plant_in_peace(engine.state, Tried()) is None
    give(engine, "cavern_seed")
    assert plant_in_peace(engine.state, Tried()) is not None


def test_a_bridge_is_planted_at_water_and_never_tried_on_dry_ground():
    row = "#" + "." * 28 + "#\n"
    hall = "#" * 30 + "\n" + row * 8 + "#.......@" + "." * 20 + "#\n" + row * 8 + "#" * 30
    dry, wet = scene(hall), scene(hall.replace("@...........", "@..~~~~....."))
    for engine in (dry, wet):
        give(engine, "bridge_seed")
        engine.state.turn = 8
    tried = Tried()
    assert plant_in_peace(dry.state, tried) is None
    assert not tried
    assert isinstance(plant_in_peace(wet.state, tried), Use)


def test_on_the_way_home_the_bot_takes_no_stairs_down():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "rooms")))
    state = engine.state
    state.won, state.hollow = 1, str(state.code)
    state.map.move_entity(state.hero, *state.map.exit)
    state.look()
    bot = CarefulBot()
    assert not isinstance(bot._onward(state), Descend), "nor beside a monster that sleeps"
    for _ in range(30):
        action = bot.choose(state)
        assert not isinstance(action, Descend)
        bot.hear(engine.step(action))


def test_the_bot_takes_the_first_seed_of_a_level_from_a_file_down_to_one_where_it_grows():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "rooms")))
    state = engine.state
    for creature in [one for one in state.map.entities.values() if one is not state.hero]:
        state.map.remove_entity(creature)
    state.won, state.map.code = 1, replace(state.code, recipe=FROM_FILE)
    state.map.explored[:] = True
    state.map.items.clear()
    state.map.move_entity(state.hero, *state.map.exit)
    bot = CarefulBot()
    for _ in range(9):
        action = bot.choose(state)
        assert not isinstance(action, PlantFirstSeed)
        if isinstance(action, Descend):
            return
        bot.hear(engine.step(action))
    raise AssertionError("it stays")
