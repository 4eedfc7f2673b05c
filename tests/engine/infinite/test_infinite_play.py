"""Playing where there is no edge: the map moves on, and nothing is lost."""

import numpy as np
import pytest
from msgspec.structs import replace
from tcod.console import Console

from components.inventory import Item
from engine.bots.discrete_actions import SIMPLE, action_mask
from engine.bots.emergency import flee_by_stairs
from engine.creatures.levelling import make_monster
from engine.engine import Engine
from engine.infinite.chunk_loader import ChunkLoader
from engine.infinite.infinite_map import LOAD_DISTANCE, SPAN
from engine.levels.dungeon import levels_on_the_way, new_game
from engine.monsters.monster_actions import spawn_places
from engine.pathfinding.auto_travel import Stop, explore, run
from engine.pathfinding.known_paths import known_way_down
from engine.saves.digests import state_digest
from engine.saves.run import Run
from engine.saves.run_file import RunFileError
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Climb, Descend, Move, Refused, Use, Visit, Wait
from engine.state.compression import InvalidSave
from engine.state.events import Arrived, Polymorphed, Shifted, Summoned
from engine.state.game_map import Growing
from engine.state.game_state import Noise
from engine.state.run_setup import LAST_DEPTH, Mode, RunSetup
from engine.terrain.tile_effects import GOLD, trap_at
from entities.creature_kinds import spawn_weights
from entities.data_files import weight_at
from entities.terrain import Tile, terrain
from entities.trap_kinds import trap_kinds
from procgen.chunk import SIDE, chunk_of
from procgen.infinite.chunk_monsters import DEEPEST, chunk_danger
from procgen.infinite.chunk_window import window_tiles
from procgen.recipe_builder import BuildFailed
from procgen.world_types import world_types
from render.map.map_view import draw_ground
from render.map.viewport import Viewport, visible_level
from support.auto_travel import walk
from support.infinite_walks import (
    SETUP,
    by_the_border,
    eastward,
    go,
    jump,
    place,
    tough,
)
from support.items import first, give, told
from support.monsters import until
from support.rule_scenes import put
from support.stairs import stand_on, take


@pytest.fixture(autouse=True)
def at_leisure(monkeypatch):
    """Nobody makes chunks in the background that no test comes to."""
    monkeypatch.setattr(ChunkLoader, "prefetch", lambda *_, **__: None)


@pytest.fixture
def engine():
    return by_the_border()


def test_the_map_shows_the_world_and_goes_with_the_hero(engine):
    state = engine.state
    before, where = state.map.origin, place(state)
    events = go(engine.step, state, eastward(state))
    assert [event for event in events if isinstance(event, Shifted)] == [Shifted(SIDE, 0)]
    assert state.map.origin == (before[0] + SIDE, before[1])
    assert place(state)[0] == where[0] + 90
    assert state.map.entity_at(state.hero.x, state.hero.y) is state.hero
    assert state.map.visible[state.hero.y, state.hero.x]
    x, y = state.hero.x - LOAD_DISTANCE, state.hero.y - LOAD_DISTANCE
    tiles, _ = window_tiles(
        world_types()["wilds"],
        42,
        x + state.map.origin[0],
        y + state.map.origin[1],
        2 * LOAD_DISTANCE,
        2 * LOAD_DISTANCE,
    )
    shown = state.map.tiles[y : y + 2 * LOAD_DISTANCE, x : x + 2 * LOAD_DISTANCE]
    assert (shown != tiles).sum() <= len(state.map.changes)


def test_what_one_has_changed_and_left_behind_is_there_when_one_comes_back(engine):
    state = engine.state
    home, (x, y) = place(state), (state.hero.x + 1, state.hero.y)
    state.map.set_tile(x, y, Tile.STATUE)
    state.map.add_item(Item(state.new_id(), "healing_potion"), x, y)
    explored = state.map.explored.sum()
    creatures = len(state.map.entities)
    while not state.map.saved_chunks:
        jump(engine, state.hero.x + 90, state.hero.y)
    assert place(state)[0] > home[0] + 2 * SIDE
    assert len(state.map.entities) < 20 * creatures
    while place(state)[0] > home[0] + 1:
        left = home[0] - place(state)[0]
        jump(engine, state.hero.x + max(-90, left), state.hero.y)
    assert state.map.contains(home[0] + 1 - state.map.origin[0], home[1] - state.map.origin[1])
    x, y = home[0] + 1 - state.map.origin[0], home[1] - state.map.origin[1]
    assert state.map.tiles[y, x] == Tile.STATUE
    assert [item.kind for item in state.map.items_at(x, y)] == ["healing_potion"]
    assert state.map.explored.sum() >= explored


def test_a_state_comes_back_with_the_same_digest_and_future(engine):
    state = engine.state
    go(engine.step, state, eastward(state))
    other = Engine(load_state(SETUP, unpack_state(pack_state(save_state(state)))))
    assert state_digest(other.state) == state_digest(state)
    for _ in range(5):
        engine.step(Wait())
        other.step(Wait())
    assert state_digest(other.state) == state_digest(state)


def test_exploring_goes_on_where_the_map_moves(engine):
    state = engine.state
    moved = 0
    go(engine.step, state, eastward(state)[:66])
    for creature in [one for one in state.map.entities.values() if one is not state.hero]:
        state.map.remove_entity(creature)
    journey = explore(state)
    action = next(journey)
    for _ in range(60):
        events = engine.step(action)
        assert not isinstance(events, Refused)
        moved += any(isinstance(event, Shifted) for event in events)
        try:
            action = journey.send(events)
        except StopIteration:
            journey = explore(state)
            try:
                action = next(journey)
            except StopIteration:
                action = Wait()


def test_every_way_down_leads_into_a_dungeon_of_its_own_and_back(engine):
    state = engine.state
    ys, xs = np.nonzero(state.map.tiles == Tile.ENTRANCE)
    codes = []
    x, y = int(xs[0]), int(ys[0])
    for visited in (False, True):
        if state.map.entity_at(x, y) not in (None, state.hero):
            state.map.remove_entity(state.map.entity_at(x, y))
        if state.map.entity_at(x, y) is None:
            state.map.move_entity(state.hero, x, y)
        state.look()
        assert known_way_down(state) == (x, y)
        above = place(state)
        events = engine.step(Descend())
        assert any(isinstance(event, Arrived) for event in events)
        codes.append(str(state.code))
        assert not state.map.is_infinite
        assert state.code.depth > 1
        assert (state.map.tiles[state.map.exit.y, state.map.exit.x] == Tile.BONES) == visited
        state.map.set_tile(*state.map.exit, Tile.BONES)
        other = load_state(SETUP, unpack_state(pack_state(save_state(state))))
        assert state_digest(other) == state_digest(state)
        if (state.hero.x, state.hero.y) != state.map.start:
            state.map.move_entity(state.hero, *state.map.start)
        state.setup = replace(SETUP, mode=Mode.WORKSHOP)  # There, too, the stairs lead back.
        assert action_mask(state)[SIMPLE.index(Climb())]
        events = engine.step(Climb())
        state.setup = SETUP
        assert not isinstance(events, Refused)
        assert state.map.is_infinite
        assert not action_mask(state)[SIMPLE.index(Climb())]
        assert max(abs(a - b) for a, b in zip(place(state), above, strict=True)) <= 1
        assert not state.stored_levels
        assert state_digest(
            load_state(SETUP, unpack_state(pack_state(save_state(state))))
        ) == state_digest(state)
    assert codes[0] == codes[1]


def test_a_run_taken_over_below_a_world_finds_the_way_back_or_is_refused(engine, monkeypatch):
    y, x = np.argwhere(engine.state.map.tiles == Tile.ENTRANCE)[0].tolist()
    stand_on(engine, (x, y))
    above = place(engine.state)
    take_stairs = [engine.step(Descend()), engine.step(Wait())]
    assert not any(isinstance(events, Refused) for events in take_stairs)
    with monkeypatch.context() as patch:
        patch.setattr("engine.saves.run.LARGEST_START", 1)
        with pytest.raises(RunFileError, match="too large"):
            Run.begin_from(SETUP, save_state(engine.state))
    run = Run.begin_from(SETUP, save_state(engine.state))
    stand_on(run, run.state.map.start)
    assert not isinstance(run.act(Climb()), Refused)
    assert place(run.state) == above


def test_states_that_no_world_can_be_are_refused(engine):
    state = save_state(engine.state)
    atlas = state.atlas
    column, row = atlas.corner
    for wrong in (
        replace(atlas, loaded=[(column + 9, row)]),
        replace(atlas, loaded=[*atlas.loaded, atlas.loaded[0]]),
        replace(atlas, saved_chunks=[(column, row, b"nothing of ours")]),
        replace(atlas, exit=(SPAN, 0)),
        None,
    ):
        with pytest.raises(InvalidSave):
            load_state(SETUP, replace(state, atlas=wrong))
    plain = new_game(RunSetup(1, "1", Mode.WORKSHOP, "rooms"))
    with pytest.raises(InvalidSave):
        load_state(plain.setup, replace(save_state(plain), atlas=atlas))


def test_creatures_stand_on_open_ground_wherever_a_chunk_is_opened(engine):
    game_map = engine.state.map
    for creature in game_map.entities.values():
        assert terrain().walkable[game_map.tiles[creature.y, creature.x]]


@pytest.fixture
def far_out(engine):
    """Return an engine whose hero is alone where the danger is that below the last depth."""
    engine.step(Visit("wilds:42@12800,130"))
    state = engine.state
    for creature in [one for one in state.map.entities.values() if one is not state.hero]:
        state.map.remove_entity(creature)
    tough(state)
    assert chunk_danger(*chunk_of(*place(state))) == DEEPEST > LAST_DEPTH
    return engine


def beside(state):
    """Return a free tile next to the hero."""
    return spawn_places(state, state.hero.x, state.hero.y)[0]


def test_what_appears_far_from_home_is_as_strong_as_what_lives_there(far_out):
    state, hero = far_out.state, far_out.state.hero
    jelly, mage = (put(far_out, kind, *beside(state)) for kind in ("jelly", "necromancer"))
    state.identified_kinds += ["summoning_scroll", "polymorph_wand"]
    wand = give(far_out, "polymorph_wand", charges=1)
    assert told(far_out.step(Use(wand.id, (jelly.x, jelly.y))), Polymorphed)
    far_out.step(Use(give(far_out, "summoning_scroll").id))
    until(far_out, Summoned)
    came = [one for one in state.map.entities.values() if one not in (hero, mage)]
    assert len(came) > 2
    for one in came:
        assert one.fighter.max_hp == make_monster(one.kind, 0, 0, 0, DEEPEST).fighter.max_hp


def test_gold_far_from_home_is_worth_as_much_as_at_such_a_depth(far_out):
    state, spot = far_out.state, beside(far_out.state)
    state.map.set_tile(*spot, Tile.TREASURE)
    far_out.step(Move(spot.x - state.hero.x, spot.y - state.hero.y))
    assert GOLD[0] * DEEPEST <= state.gold <= GOLD[1] * DEEPEST


def test_what_grows_far_from_home_has_a_dweller_of_its_place_and_is_saved(far_out):
    state, hero = far_out.state, far_out.state.hero
    kind = next(name for name in spawn_weights(DEEPEST) if name not in spawn_weights(1))
    heart = hero.y * state.map.width + hero.x
    state.map.growing = [Growing("thicket_seed", [[]], heart, [], kind)]
    engine = Engine(load_state(state.setup, unpack_state(pack_state(save_state(state)))))
    engine.step(Wait())
    dweller = first(engine, kind)
    assert dweller.fighter.max_hp == make_monster(kind, 0, 0, 0, DEEPEST).fighter.max_hp


def test_a_bot_flees_from_a_foe_to_an_entrance_that_it_knows_and_to_no_stairs_off_the_map(far_out):
    state, hero = far_out.state, far_out.state.hero
    state.map.explored[-1, -1] = True  # Where an index of -1, -1 leads to.
    orc = put(far_out, "orc", hero.x + 6, hero.y)
    orc.statuses["held"] = 9
    assert flee_by_stairs(state, [orc]) is None
    state.map.set_tile(hero.x - 2, hero.y, Tile.ENTRANCE)
    state.map.set_tile(hero.x - 1, hero.y, Tile.FLOOR)
    state.map.explored[hero.y, hero.x - 2 : hero.x] = True
    assert flee_by_stairs(state, [orc]) == Move(-1, 0)
    state.map.move_entity(hero, hero.x - 2, hero.y)
    assert flee_by_stairs(state, [orc]) == Descend()


def test_a_run_ends_on_an_entrance_as_on_stairs(engine):
    state, hero = engine.state, engine.state.hero
    box = np.s_[hero.y - 2 : hero.y + 3, hero.x - 1 : hero.x + 9]
    for y, x in np.argwhere(state.map.tiles[box] >= 0).tolist():
        state.map.set_tile(hero.x - 1 + x, hero.y - 2 + y, Tile.FLOOR)
    for creature in [one for one in state.map.entities.values() if one is not hero]:
        state.map.remove_entity(creature)
    state.map.set_tile(hero.x + 3, hero.y, Tile.ENTRANCE)
    assert walk(engine, run(state, 1, 0)) == (Stop.ARRIVED, 3)


def test_a_seed_planted_far_from_home_grows_what_belongs_to_the_depth_of_its_place(far_out):
    hero, planted = far_out.state.hero, []
    far_out.state.levels.grow_seed = lambda state, seed, plot, rng: planted.append(plot) or []
    for x, y in np.argwhere(np.ones((7, 7))) - 3:
        if (x, y) != (0, 0):
            far_out.state.map.set_tile(int(hero.x + x), int(hero.y + y), Tile.FLOOR)
    seed = give(far_out, "thicket_seed")
    far_out.state.look()
    far_out.step(Use(seed.id, (hero.x + 2, hero.y)))
    assert [plot.depth for plot in planted] == [DEEPEST]


def test_no_level_below_a_world_is_said_to_be_visited_by_its_code(engine):
    state = engine.state
    state.map.set_tile(state.hero.x, state.hero.y, Tile.ENTRANCE)
    assert told(engine.step(Descend()), Arrived)
    take(engine, Descend())
    assert [ground for _, ground in levels_on_the_way(state)] == [0, 0, 0]


def test_nothing_leads_up_where_one_came_and_traps_keep_their_kind(engine):
    state = engine.state
    assert not state.map.contains(*state.map.start)
    assert isinstance(engine.step(Climb()), Refused)
    assert trap_at(state.map, -70_000_000_000, 5) == trap_at(state.map, -70_000_000_000, 5)


def test_traps_are_of_kinds_that_belong_to_the_danger_of_their_place(far_out):
    for state, depth in ((new_game(SETUP), 1), (far_out.state, DEEPEST)):
        hero = state.hero
        kinds = {trap_at(state.map, hero.x + x, hero.y) for x in range(100)}
        weights = {name: weight_at(depth, trap.spawn_weight) for name, trap in trap_kinds().items()}
        assert kinds <= {name for name, weight in weights.items() if weight}
        assert ("flame" in kinds) == (depth == DEEPEST)


def test_the_ground_looks_the_same_when_the_map_moves_on(engine):
    state, view = engine.state, Viewport(reveal=True)

    def looks():
        console = Console(60, 40)
        view.follow(state, console)
        draw_ground(console, visible_level(state), view)
        return console.ch.copy()

    spot = state.map.nearest_free(state.hero.x + 80, state.hero.y)
    state.map.move_entity(state.hero, *spot)
    before = looks()
    assert state.recentre() != (0, 0)
    assert (looks() == before).all()


def test_a_way_down_that_leads_to_no_level_is_refused_and_changes_nothing(engine, monkeypatch):
    state = engine.state
    ys, xs = np.nonzero(state.map.tiles == Tile.ENTRANCE)
    x, y = int(xs[0]), int(ys[0])
    if state.map.entity_at(x, y) is None:
        state.map.move_entity(state.hero, x, y)
    before = state_digest(state)

    def fails(*_, **__):
        raise BuildFailed("nothing grew there")

    monkeypatch.setattr("engine.levels.recipe_by_depth.build", fails)
    assert engine.step(Descend()) == Refused("nothing grew there")
    assert state_digest(state) == before
    monkeypatch.undo()
    assert not isinstance(engine.step(Descend()), Refused)


def test_what_changed_in_a_chunk_that_nobody_has_seen_is_not_forgotten(engine):
    state = engine.state
    found = None
    while found is None:
        jump(engine, state.hero.x, state.hero.y + SIDE)
        game_map, unseen = state.map, {}
        for one in game_map.entities.values():
            chunk = one.x // SIDE + game_map.corner[0], one.y // SIDE + game_map.corner[1]
            if not game_map.explored[game_map.box(chunk)].any():
                unseen.setdefault(chunk, []).append(one)
        found = next(iter(unseen.items()), None)
    chunk, born = found
    state.map.remove_entity(born[0])
    flown = Item(state.new_id(), "dagger")
    state.map.add_item(flown, born[0].x, born[0].y)
    home = state.hero.x + state.map.origin[0], state.hero.y + state.map.origin[1]
    for way in (1, 1, 1, -1, -1, -1):
        jump(engine, state.hero.x + way * SIDE, state.hero.y)
        assert (chunk in state.map.saved_chunks) == (chunk not in state.map.chunks)
    jump(engine, home[0] - state.map.origin[0], home[1] - state.map.origin[1])
    assert flown in [item for pile in state.map.items.values() for item in pile]
    assert sum(one.id in state.map.entities for one in born) == len(born) - 1


def test_a_noise_stays_where_it_was_made_when_the_map_moves_on(engine):
    state = engine.state
    state.map.move_entity(state.hero, *state.map.nearest_free(state.hero.x + 80, state.hero.y))
    state.noises.append(Noise(state.hero.x + 3, state.hero.y - 2, 9))
    before = state.map.world_place(state.hero.x + 3, state.hero.y - 2)
    assert state.recentre() != (0, 0)
    assert [state.map.world_place(noise.x, noise.y) for noise in state.noises] == [before]
