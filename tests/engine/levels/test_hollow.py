"""The First Seed planted: the run's own level, and the way home."""

from dataclasses import replace as with_changes

import pytest
from msgspec.structs import replace

from engine.bots.simple_bot import Bot
from engine.levels.dungeon import _without_goal, levels_on_the_way
from engine.levels.stored_levels import unpack_level
from engine.saves.digests import state_digest
from engine.saves.high_scores import read_scores
from engine.saves.playback import Desync, Playback
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run, unfinished
from engine.saves.saved_state import load_state, save_state
from engine.state.actions import Climb, Descend, PlantFirstSeed, Refused, Wait
from engine.state.compression import InvalidSave
from engine.state.events import CameHome, GrewHollow, Won, creature_ref
from engine.state.run_setup import RunSetup
from engine.state.score import HOME, PLANTED, score
from entities.creature_kinds import creature_kinds
from entities.terrain import Tile, terrain
from procgen.analysis.distances import reachable
from procgen.blueprint import Point
from procgen.build import build
from procgen.level_code import parse_code
from procgen.recipes import find_recipe, recipes
from procgen.settings import complete
from render.screens.run_end import EndScreen, VictoryScreen
from render.session.start_run import take_over
from support.play_screens import playing, world_of
from support.rule_scenes import field, put
from support.stairs import adventure, stand_on, take
from workbench.search.bot_runs import simulate_run


def winner(depth=3):
    """Return an engine whose hero has the First Seed on ``depth``."""
    engine = adventure(3)
    for _ in range(depth - 1):
        take(engine, Descend())
    engine.state.won = engine.state.turn
    return engine


def test_without_the_first_seed_nothing_is_planted():
    engine = adventure(3)
    before = state_digest(engine.state)
    assert engine.step(PlantFirstSeed()) == Refused("no First Seed")
    assert state_digest(engine.state) == before


def test_it_grows_a_level_of_the_run_with_a_code_that_anyone_can_build():
    engine = winner()
    state = engine.state
    state.map.turns_here = 10_000
    recipe, points = state.code.recipe, score(state).total
    events = engine.step(PlantFirstSeed())
    assert GrewHollow(state.hollow) in events
    assert state.hollow == str(state.code)
    assert (state.code.recipe, state.code.overlays, state.depth) == (recipe, ("overgrown.1",), 3)
    assert (build(complete(parse_code(state.hollow))).tiles == state.map.level.tiles).all()
    assert state.map.goal is None
    assert score(state).total == points + PLANTED
    assert engine.step(PlantFirstSeed()) == Refused("no First Seed")


def test_it_keeps_the_version_of_its_recipe_when_a_newer_one_comes(monkeypatch):
    engine, known = winner(), recipes()
    newer = {name: with_changes(recipe, version=2) for name, recipe in known.items()}
    older = {f"{name}.1": recipe for name, recipe in known.items()}
    monkeypatch.setattr("procgen.recipes.recipes", lambda: newer | older)
    engine.step(PlantFirstSeed())
    assert engine.state.code.version == 1


def test_two_runs_grow_two_hollows():
    hollows = set()
    for wait in range(3):
        engine = winner()
        for _ in range(wait):
            engine.step(Wait())
        engine.state.hero.fighter.hp = engine.state.hero.fighter.max_hp
        engine.step(PlantFirstSeed())
        hollows.add(engine.state.hollow)
    assert len(hollows) == 3


def test_the_levels_above_have_grown_one_seed_on_and_hold_no_second_seed():
    engine = winner()
    state = engine.state
    before = [code for code, _ in levels_on_the_way(state)][:-1]
    engine.step(PlantFirstSeed())
    after = [unpack_level(state.stored_levels[code.depth]) for code in before]
    assert [one.code for one in after] == [
        str(type(code)(**{**_fields(code), "seed": code.seed + 1})) for code in before
    ]
    assert not any(tile == Tile.RELIC for one in after for tile in one.changes.values())


def test_bosses_guard_the_way_down_only():
    game_map = _without_goal(build(complete(parse_code("caves:5:12"))), winner().state)
    kinds = {creature.kind for creature in game_map.entities.values()}
    assert kinds
    assert not any(creature_kinds()[kind].lair for kind in kinds)


def _fields(code):
    return {name: getattr(code, name) for name in code.__dataclass_fields__}


def test_the_way_home_ends_the_run():
    engine = winner()
    state = engine.state
    engine.step(PlantFirstSeed())
    for depth in (2, 1):
        assert not take(engine, Climb()).again, "it has grown anew"
        assert state.depth == depth
    points = score(state).total
    stand_on(engine, state.map.start)
    assert CameHome() in engine.step(Climb())
    assert state.home is not None
    assert score(state).total == points + HOME
    assert engine.step(Wait()) == Refused("home")


def test_nothing_kills_a_hero_that_has_come_home():
    engine = field(3, 7)
    state = engine.state
    state.map.start, state.hollow, state.won = Point(3, 7), "rooms:7", 0
    state.hero.fighter.hp = 1
    state.hero.statuses["poisoned"] = 9
    put(engine, "orc", 4, 7)
    assert engine.step(Climb()) == [CameHome()]
    assert state.hero.alive


def test_it_is_saved_and_impossible_states_are_refused():
    engine = winner()
    engine.step(PlantFirstSeed())
    saved = save_state(engine.state)
    again = load_state(engine.state.setup, saved)
    assert state_digest(again) == state_digest(engine.state)
    for wrong in ({"won": None}, {"hollow": "", "home": 3}):
        with pytest.raises(InvalidSave):
            load_state(engine.state.setup, replace(saved, **wrong))


def test_a_recorded_planting_replays(tmp_path, monkeypatch):
    # Nobody comes to depth 12 in a test: the goal lies on depth 1 instead.
    monkeypatch.setattr("engine.levels.populate.LAST_DEPTH", 1)
    run, bot = Run.begin(RunSetup(4, "4"), tmp_path / "run.jsonl"), Bot()
    run.state.map.explored[:] = True
    place = run.state.map.goal
    run.close()
    run = Run.begin(RunSetup(4, "4"), tmp_path / "again.jsonl")
    assert run.state.map.goal == place
    for _ in range(900):
        if run.state.won is not None or not run.state.hero.alive:
            break
        events = run.act(bot.choose(run.state))
        bot.hear([] if isinstance(events, Refused) else events)
        if isinstance(events, Refused):
            run.act(Wait())
    assert run.state.won is not None
    run.act(PlantFirstSeed())
    assert run.state.hollow
    for _ in range(5):
        run.act(Wait())
    run.close()
    playback = Playback(read_run(tmp_path / "again.jsonl"))
    playback.seek(playback.last)
    assert state_digest(playback.engine.state) == state_digest(run.state)
    assert playback.engine.state.hollow == run.state.hollow


def test_a_run_that_comes_home_records_its_end_by_itself(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.levels.populate.LAST_DEPTH", 1)
    runs = (simulate_run(RunSetup(n, str(n)), 4000, tmp_path, "careful") for n in range(7, 20))
    path = tmp_path / f"run-{next(run.seed for run in runs if run.end == 'came home')}.jsonl"
    recorded = read_run(path)
    assert recorded.end == "came home"
    assert Playback(recorded).verify().home
    assert not unfinished(path)
    with pytest.raises(RunFileError, match="the run is over by then"):
        take_over(recorded)
    path.write_bytes(path.read_bytes().replace(b'"end":"came home"', b'"end":"won"'))
    with pytest.raises(Desync, match="records the end 'won', but the true end is 'came home'"):
        Playback(read_run(path)).verify()


def test_the_victory_screen_and_the_menu_plant_it_and_home_is_a_victory():
    person = playing(RunSetup(3, "3"))
    session = person.app.stack[-1].session
    state = world_of(person)
    state.won = 0
    person.app.answer(person.app.stack[-1]._event_screens.of([_won(state)]))
    assert isinstance(person.top, VictoryScreen)
    assert "Plant it here" in person.reads()
    person.presses("escape", "escape")
    assert "Plant the First Seed here" in person.reads()
    person.points("Plant the First Seed here")
    assert state.hollow
    assert state.hollow in " ".join(str(message) for message in session.log.messages)
    stand_on(session.run.engine, state.map.start)
    state.look()
    person.types("<")
    assert isinstance(person.top, EndScreen)
    assert "You are home" in person.reads()
    assert "Came home, turn" in person.reads()
    assert "You step out into the light." in person.reads()
    assert state.hollow in person.reads()
    assert [line.end for line in read_scores()] == ["came home"]


def _won(state):
    return Won(creature_ref(state.hero), state.turn)


@pytest.mark.parametrize("recipe", ["mission", "sunken_mission", "fortress_mission"])
def test_the_way_home_crosses_every_level_upwards(recipe):
    shut = 0
    for seed in range(8):
        level = build(find_recipe(recipe).code(seed, 8))
        ground = terrain().walkable[level.tiles] | (level.tiles == Tile.SECRET_DOOR)
        shut += not reachable(ground, *level.exit)[level.start.y, level.start.x]
        game_map = _without_goal(level, adventure(3).state)
        ground = game_map.walkable | (game_map.tiles == Tile.SECRET_DOOR)
        assert reachable(ground, *level.exit)[level.start.y, level.start.x]
    assert shut, "these levels are made to be crossed downwards"


def test_a_level_first_reached_from_below_can_be_crossed_upwards():
    shut = 0
    for seed in range(6):
        engine = adventure(seed, generator="mission", depth=4)
        take(engine, Climb())
        game_map = engine.state.map
        ground = terrain().walkable[game_map.level.tiles]
        shut += not reachable(ground, *game_map.exit)[game_map.start.y, game_map.start.x]
        ground = game_map.walkable | (game_map.tiles == Tile.SECRET_DOOR)
        assert reachable(ground, *game_map.exit)[game_map.start.y, game_map.start.x]
    assert shut
