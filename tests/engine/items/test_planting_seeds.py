"""Seeds: planting, growing turn by turn, promises, and saving in the middle of a growth."""

import numpy as np
import pytest

from components import AiState
from components.inventory import Item
from engine.bots.emergency import PLANT_EVERY, plant_in_peace
from engine.bots.simple_bot import Bot, Tried
from engine.engine import Engine
from engine.items.aiming import aim_of
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Descend, Refused, Use, Wait
from engine.state.compression import InvalidSave
from engine.state.events import Displaced, Grew, Planted, Ripened, Used
from engine.state.game_map import Growing
from engine.state.run_setup import Mode, RunSetup
from engine.terrain.fire import ignite
from engine.terrain.growth import finish_growth
from entities.creature_kinds import spawn_weights
from entities.item_kinds import SEED, item_kinds
from entities.seed_kinds import seed_kinds
from entities.terrain import Tile, terrain
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from procgen.planting import seed_chains
from procgen.vaults.vault_library import vaults
from render.messages.item_descriptions import describe_item
from render.session.start_run import resume
from support.bot_runs import acted, copied
from support.items import give, lay, told
from support.paths import ROOT
from support.planting_scenes import HALL, POND, grown
from support.plantings import flood
from support.scenes import drawn, scene


def test_every_seed_is_an_item_and_names_steps_that_exist():
    seeds = {name for name, kind in item_kinds().items() if kind.item_class == SEED}
    assert seeds == set(seed_kinds()) == set(seed_chains())
    assert all(chain for chains in seed_chains().values() for chain in chains)


def test_the_page_for_players_lists_every_seed():
    page = (ROOT / "docs" / "playing.md").read_text(encoding="utf-8")
    for kind in seed_kinds().values():
        told = ", ".join(f"{name} ({turns} turns)" for name, turns in kind.gives.items())
        assert f"| {kind.text} | {told} |".replace("  ", " ") in page


@pytest.mark.parametrize(("background", "percent"), [("hunter", 100), ("gardener", 150)])
def test_others_on_the_ground_of_a_seed_get_its_status(background, percent):
    engine = scene(HALL.replace("@......", "@..o..o"))
    engine.state.hero.experience.talents[:] = [background]
    near, far = (engine.state.map.entity_at(x, 3) for x in (9, 12))
    engine.step(Use(give(engine, "frost_seed").id, (5, 3)))
    turns = seed_kinds()["frost_seed"].gives["slowed"] * percent // 100
    assert turns - 1 <= near.statuses["slowed"] <= turns
    assert "slowed" not in {*far.statuses, *engine.state.hero.statuses}
    assert f"Other creatures on its ground are slowed for {turns} turns." in describe_item(
        engine.state, give(engine, "frost_seed")
    )


def test_a_thicket_grows_turn_by_turn():
    engine = scene(HALL)
    seed = give(engine, "thicket_seed", 2)
    events = engine.step(Use(seed.id, (14, 3)))
    assert told(events, Planted) == [Planted("thicket_seed")]
    assert [event.what.count for event in told(events, Used)] == [1]
    assert seed.count == 1
    wood = [drawn(engine).count("T")]
    for _ in range(5):
        grew = told(engine.step(Wait()), Grew)
        assert len(grew) == 1
        wood.append(drawn(engine).count("T"))
    assert wood == sorted(set(wood)), "it grows in each of its turns"
    assert wood[-1] > 20
    assert not engine.state.map.growing


def test_a_grown_thicket_hides_what_is_behind_it_and_burns():
    engine = scene(HALL)
    state = engine.state
    seed = give(engine, "thicket_seed")
    engine.step(Use(seed.id, (14, 3)))
    for _ in range(6):
        engine.step(Wait())
    wood = state.map.tiles == Tile.FOREST
    assert not state.map.visible[1:6, 22:].any()
    ignite(state.map, Point(*np.argwhere(wood)[wood.sum() // 2][::-1].tolist()))
    for _ in range(60):
        engine.step(Wait())
    assert np.count_nonzero(state.map.tiles[wood] == Tile.FOREST) < wood.sum() / 2


def test_what_has_grown_bears_a_fruit_that_heals():
    engine = scene(HALL)
    state = engine.state
    engine.step(Use(give(engine, "lake_seed").id, (14, 3)))
    (ripe,) = told(grown(engine), Ripened)
    (fruit,) = state.map.items_at(*ripe.place)
    assert fruit.kind == "fruit"
    assert ripe.hero == (state.hero.x, state.hero.y)
    assert state.map.tiles[ripe.place.y, ripe.place.x] == Tile.FLOOR, "on dry ground"
    assert max(abs(ripe.place.x - 14), abs(ripe.place.y - 3)) <= 9
    state.map.remove_item(fruit, *ripe.place)
    state.hero.inventory.append(fruit)
    state.hero.fighter.hp = 5
    engine.step(Use(fruit.id))
    assert state.hero.fighter.hp == 5 + item_kinds()["fruit"].strength
    assert fruit not in state.hero.inventory


def test_a_chamber_sometimes_holds_an_item_and_sometimes_a_sleeping_monster():
    kind, planted, held, lived = seed_kinds()["chamber_seed"], 0, 0, 0
    for seed in range(45):
        engine = Engine(new_game(RunSetup(seed, str(seed), Mode.ADVENTURE, "rooms")))
        state = engine.state
        give(engine, "chamber_seed")
        state.turn = PLANT_EVERY
        action = plant_in_peace(state, Tried())
        if action is None:
            continue
        before = set(state.map.entities)
        engine.step(action)
        (ripe,) = told(grown(engine), Ripened)
        fruit, *rest = state.map.items_at(*ripe.place)
        assert (fruit.kind, len(rest)) in {("fruit", 0), ("fruit", 1)}
        planted, held = planted + 1, held + len(rest)
        for one in state.map.entities.keys() - before:
            dweller = state.map.entities[one]
            assert dweller.kind in spawn_weights(1)
            assert dweller.ai.state is AiState.ASLEEP
            lived += 1
    assert planted > 30
    assert abs(held / planted - kind.treasure_chance) < 0.2
    assert abs(lived / planted - kind.monster_chance) < 0.2


def test_pillars_rise_in_the_largest_hall_near_and_not_only_where_the_hero_stands():
    engine = scene("""
        ##############################
        #...........##################
        #...........##################
        #............@...............#
        #...........##################
        #...........################>#
        ##############################
    """)
    engine.step(Use(give(engine, "colonnade_seed").id))
    grown(engine)
    rows = drawn(engine).splitlines()
    assert sum(row[1:12].count("O") for row in rows) >= 2, rows


def test_a_run_begins_with_all_vaults_read_because_reading_takes_longer_than_growing():
    vaults.cache_clear()
    new_game(RunSetup(5, "5", Mode.ADVENTURE, "caves"))
    before = vaults.cache_info()
    vaults()
    assert before.currsize
    assert vaults.cache_info().misses == before.misses


def test_a_fruit_waits_on_a_level_that_the_hero_left_while_something_grew():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "caves")))
    state = engine.state
    engine.step(Use(give(engine, "weave_seed").id))
    assert state.map.growing
    left = state.map
    finish_growth(left, state.new_id)
    assert [item.kind for pile in left.items.values() for item in pile].count("fruit") == 1


def test_a_seed_that_finds_no_ground_is_refused_and_not_spent():
    engine = scene(HALL)
    seed = give(engine, "bridge_seed")
    before = state_digest(engine.state)
    assert engine.step(Use(seed.id, (14, 3))) == Refused(seed_kinds()["bridge_seed"].barren)
    assert state_digest(engine.state) == before
    assert seed in engine.state.hero.inventory


def test_a_bridge_leads_across():
    engine = scene(POND)
    engine.step(Use(give(engine, "bridge_seed").id, (8, 2)))
    grown(engine)
    for column in range(7, 11):
        assert any(engine.state.map.walkable[row, column] for row in range(1, 4))


def test_a_burrow_leads_through_rock():
    engine = scene("""
        ##############################
        ##############################
        #...##########...............#
        #.@.##########..............>#
        #...##########...............#
        ##############################
        ##############################
    """)
    engine.step(Use(give(engine, "burrow_seed").id, (4, 3)))
    grown(engine)
    tiles = engine.state.map.tiles
    assert all((tiles[1:6, column] == Tile.TUNNEL).any() for column in range(5, 14))
    assert flood(engine.state.map.walkable.tolist(), (2, 3), (0, 0, 29, 6)) >= {(14, 2), (28, 3)}


def test_a_burrow_may_be_aimed_at_rock_beyond_the_walls_in_view():
    engine = scene("""
        ###############
        #.@.###########
        #..>###########
        ###############
    """)
    state, seed = engine.state, give(engine, "burrow_seed")
    assert not state.map.visible[1, 8]
    assert aim_of(state, state.hero, seed, Point(8, 1)).why is None
    assert aim_of(state, state.hero, give(engine, "hedge_seed"), Point(8, 1)).why == "out of view"
    engine.step(Use(seed.id, (8, 1)))
    grown(engine)
    assert (state.map.tiles[:, 5:8] == Tile.TUNNEL).any(0).all()


def test_nobody_is_buried_and_a_growth_waits_for_the_hero():
    engine = scene("""
        ##############################
        #............................#
        #.....@......................#
        #............j...............#
        #...........................>#
        ##############################
    """)
    state = engine.state
    item = lay(engine, "dagger", 15, 3)
    place = 3 * state.map.width
    hero = state.hero.y * state.map.width + state.hero.x
    jackal = next(one for one in state.map.entities.values() if one.kind == "jackal")
    at = jackal.y * state.map.width + jackal.x
    state.map.growing = [
        Growing(
            "weave_seed", [[(place + 15, Tile.WALL), (hero, Tile.WALL), (at, Tile.WALL)], []], 0
        )
    ]
    here = state.hero.x, state.hero.y
    events = engine.step(Wait())
    assert [event.how for event in told(events, Displaced)] == ["shoved"]
    assert jackal.fighter.hp == jackal.fighter.max_hp, "only a flood hurts"
    assert (state.hero.x, state.hero.y) == here
    assert state.map.tiles[3, 15] == Tile.WALL
    assert [item in pile for pile in state.map.items.values()].count(True) == 1
    assert all(state.map.walkable[one.y, one.x] for one in state.map.entities.values())


def test_a_growth_that_would_cut_the_hero_off_stops_short():
    engine = scene(HALL)
    game_map = engine.state.map
    wall = [(y * game_map.width + 20, int(Tile.WALL)) for y in range(1, 6)]
    game_map.growing = [Growing("weave_seed", [wall], 0)]
    engine.step(Wait())
    assert (game_map.tiles[1:6, 20] == Tile.WALL).sum() == 4


def test_a_burrow_does_not_go_round_a_lock():
    engine = scene("""
        ########################
        ########################
        #...########....####...#
        #.@.########....]......#
        #...########....####...#
        ####################...#
        #.....................>#
        ########################
    """)
    state = engine.state
    engine.step(Use(give(engine, "burrow_seed").id, (4, 3)))
    grown(engine)
    hero = state.hero
    reached = flood(state.map.walkable.tolist(), (hero.x, hero.y), (0, 0, 23, 7))
    assert len(reached) > 20, "there is a burrow"
    assert (13, 3) not in reached
    assert (18, 3) not in reached


@pytest.mark.parametrize("seed", [13, 14, 15])
def test_what_grows_does_not_depend_on_who_moved_last_which_no_save_remembers(seed):
    engine = Engine(new_game(RunSetup(seed, str(seed), generator="vaulted", depth=5)))
    state, regrowth = engine.state, give(engine, "regrowth_seed")
    monster = next(one for one in state.map.entities.values() if one.ai)
    state.map.move_entity(state.hero, *state.map.nearest_free(monster.x, monster.y))
    state.look()
    saved = unpack_state(pack_state(save_state(state)))
    loaded = Engine(load_state(state.setup, saved, state.map.level))
    state.map.places = dict(reversed(state.map.places.items()))
    use = Use(regrowth.id)
    assert loaded.step(use) == engine.step(use)
    assert state_digest(loaded.state) == state_digest(state)


def test_a_growth_is_saved_in_its_middle():
    engine = scene(HALL)
    setup = RunSetup(5, "5", Mode.ADVENTURE, "caves")
    engine = Engine(new_game(setup))
    state = engine.state
    engine.step(Use(give(engine, "weave_seed").id))
    engine.step(Wait())
    assert state.map.growing
    twin = Engine(load_state(setup, unpack_state(pack_state(save_state(state)))))
    assert state_digest(twin.state) == state_digest(state)
    for _ in range(8):
        engine.step(Wait())
        twin.step(Wait())
        assert state_digest(twin.state) == state_digest(state)
    assert not state.map.growing
    assert state.map.changes


@pytest.mark.parametrize(
    "growing",
    [
        Growing("oak", [[(50, 1)]], 0),
        Growing("weave_seed", [], 0),
        Growing("weave_seed", [[(50, 1)]] * 99, 0),
        Growing("weave_seed", [[(10**9, 1)]], 0),
        Growing("weave_seed", [[(-1, 1)]], 0),
        Growing("weave_seed", [[(50, 99)]], 0),
        Growing("weave_seed", [[(50, 1)] * 1001], 0),
        Growing("weave_seed", [[(50, 1)]], 10**9),
        Growing("weave_seed", [[(50, 1)]], 0, [Item(1, "oak")]),
        Growing("weave_seed", [[(50, 1)]], 0, [], "hero"),
    ],
)
def test_an_impossible_growth_is_no_saved_state(growing):
    setup = RunSetup(5, "5", Mode.ADVENTURE, "caves")
    state = new_game(setup)
    state.map.growing = [growing]
    with pytest.raises(InvalidSave):
        load_state(setup, unpack_state(pack_state(save_state(state))))


def test_what_grows_is_finished_when_the_hero_leaves_the_level():
    engine = Engine(new_game(RunSetup(5, "5", Mode.ADVENTURE, "caves")))
    state = engine.state
    state.map.move_entity(state.hero, *state.map.exit)
    state.look()
    engine.step(Use(give(engine, "weave_seed").id))
    left = state.map
    assert left.growing
    engine.step(Descend())
    assert state.map is not left
    assert left.growing == []
    assert terrain().walkable[left.tiles[left.exit.y, left.exit.x]]


def test_a_run_with_a_planting_replays_and_is_saved_half_grown(tmp_path):
    path = tmp_path / "run.jsonl"
    run, bot = Run.begin(RunSetup(42, "42", Mode.ADVENTURE), path), Bot()
    planted = None
    while planted is None or len(run.state.map.growing) == 0:
        seeds = [item for item in run.state.hero.inventory if item.kind in seed_kinds()]
        here = run.state.hero.x, run.state.hero.y
        near = [(here[0] + dx, here[1] + dy) for dx, dy in DIRECTIONS]
        uses = [Use(seed.id, place) for seed in seeds for place in (None, *near)]
        planted = next((use for use in uses if not isinstance(run.act(use), Refused)), None)
        if planted is None:
            acted(run, bot)
        assert run.state.turn < 1500
        assert run.state.hero.alive
    copy = copied(path, tmp_path)  # As kill -9 leaves it: the run is not closed.
    run.close()
    killed = resume(read_run(copy))
    playback = Playback(read_run(path))
    playback.seek(playback.last)
    assert playback.engine.state.map.growing == run.state.map.growing
    assert state_digest(playback.engine.state) == state_digest(run.state)
    again = Engine(load_state(run.state.setup, save_state(run.state)))
    for _ in range(9):
        playback.engine.step(Wait())
        again.step(Wait())
        killed.act(Wait())
        assert state_digest(again.state) == state_digest(playback.engine.state)
        assert state_digest(killed.run.state) == state_digest(again.state)
    killed.run.close()


@pytest.mark.parametrize(("seed", "told"), [
    ("hedge_seed", "slowed and weakened for 20 turns"),
    ("fire_seed", "afraid for 10 turns and weakened for 20 turns"),
])  # fmt: skip
def test_the_statuses_of_a_seed_are_one_sentence(seed, told):
    engine = scene(HALL)
    lines = describe_item(engine.state, give(engine, seed))
    assert f"Other creatures on its ground are {told}." in lines
    assert sum("its ground are" in line for line in lines) == 1
