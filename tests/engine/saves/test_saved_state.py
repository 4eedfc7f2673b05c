"""A world taken apart into plain data and put together again goes on as if nothing had happened."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.saves.digests import LETTERS, SUBSYSTEMS, differing_subsystems, state_digest
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Descend, Refused, Visit, Wait
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile
from procgen.rng import Rng
from support.scenes import scene

MODES = (Mode.ADVENTURE, Mode.WORKSHOP)


def acted(engine, bot):
    """Let the bot act once and return what it did and what came of it."""
    action = bot.choose(engine.state)
    events = engine.step(action)
    if isinstance(events, Refused):
        action, events = Wait(), engine.step(Wait())
    if not isinstance(events, Refused):
        bot.hear(events)
    return action, events


def again(state):
    """Return ``state`` after it has been plain data."""
    return load_state(state.setup, unpack_state(pack_state(save_state(state))))


COUNTS = {"tile_edits", "discoveries", "item_edits", "entity_edits", "_sights_edits"}
DERIVED = {"_view", "_in_view", "_sights", "_packed", "_found", "memory_at"} | COUNTS
"""Attributes of a map that are worked out from the others when asked for, or count its changes."""


def same(one, other):
    """Compare two worlds attribute by attribute, arrays and streams included."""
    assert vars(one).keys() == vars(other).keys()
    for name, value in vars(one).items():
        if name == "streams":
            marks = [
                {key: stream.state_bytes for key, stream in w.streams.items()} for w in (one, other)
            ]
            assert marks[0] == marks[1]
        elif name not in ("map", "levels"):
            assert value == vars(other)[name], name
    assert vars(one.map).keys() - DERIVED == vars(other.map).keys() - DERIVED
    for name, value in vars(one.map).items():
        if isinstance(value, np.ndarray):
            assert np.array_equal(value, vars(other.map)[name]), name
        elif name == "level":
            assert value.steps == other.map.level.steps
        elif name not in DERIVED:
            assert value == vars(other.map)[name], name
    assert list(one.map.entities) == list(other.map.entities)
    assert one.map.entities_in_view() == other.map.entities_in_view()
    assert one.map.memory_at == other.map.memory_at
    assert other.hero is other.map.entities[other.hero.id]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**64 - 1), turns=st.integers(0, 400), mode=st.sampled_from(MODES))
def test_a_restored_world_is_the_same_and_goes_on_the_same(seed, turns, mode):
    engine, bot = Engine(new_game(pinned(RunSetup(seed, "any", mode)))), Bot()
    for _ in range(turns):
        if engine.state.hero.alive:
            acted(engine, bot)
    twin = Engine(again(engine.state))
    same(engine.state, twin.state)
    bot = Bot()
    for _ in range(200):
        action, events = acted(engine, bot)
        assert twin.step(action) == events
        assert state_digest(twin.state) == state_digest(engine.state)


def test_changed_tiles_and_other_levels_come_back():
    engine = Engine(new_game(pinned(RunSetup(5, "5", Mode.WORKSHOP, "bsp"))))
    engine.step(Visit("caves:7:3@60x40"))
    game_map = engine.state.map
    game_map.set_tile(3, 4, Tile.RUBBLE)
    game_map.set_tile(3, 4, Tile.DOOR)
    state = again(engine.state)
    assert str(state.code) == "caves.1:7:3@60x40"
    assert state.map.tiles[4, 3] == Tile.DOOR
    assert not state.map.transparent[4, 3]
    same(engine.state, state)


def test_a_stream_goes_on_in_the_middle_of_a_draw():
    one = Rng(1, "play", "combat")
    for drawn in range(20):
        other = Rng(1, "play", "combat")
        other.restore(one.state_bytes)
        assert [other.below(6) for _ in range(9)] == [one.below(6) for _ in range(9)], drawn
        one.below(6)


def test_a_digest_blames_the_part_that_differs():
    engine = scene("""
        #######
        #@..oo#
        #######
    """)
    state = engine.state
    before = state_digest(state)
    assert len(before) == LETTERS * len(SUBSYSTEMS)
    assert state_digest(state) == before
    changes = {
        "map": lambda: state.map.set_tile(2, 1, Tile.RUBBLE),
        "actors": lambda: setattr(state.map.entity_at(4, 1).ai, "state_turns_left", 3),
        "run": lambda: setattr(state, "gold", 7),
        "streams": lambda: state.stream("combat").below(6),
    }
    for name, change in changes.items():
        before = state_digest(state)
        change()
        assert differing_subsystems(before, state_digest(state)) == (name,)
    assert differing_subsystems(before, before) == ()


def test_a_digest_of_another_length_is_compared_with_none_and_blames_every_part():
    digest = state_digest(scene("#####\n#@.>#\n#####").state)
    for other in ("", digest[:LETTERS], digest + "0" * LETTERS):
        assert differing_subsystems(other, digest) == SUBSYSTEMS


def test_what_was_seen_and_who_acts_first_are_part_of_the_digest():
    state = new_game(RunSetup(5, "5", Mode.ADVENTURE, "caves"))
    before, explored = state_digest(state), state.map.explored.copy()
    explored[0, 0] ^= True
    state.map.restore_view(state.map.visible.copy(), explored)
    assert differing_subsystems(before, state_digest(state)) == ("map",)
    explored[0, 0] ^= True
    state.map.restore_view(state.map.visible.copy(), explored)
    assert state_digest(state) == before
    first = state.map.entities.pop(1)
    state.map.entities[1] = first
    assert differing_subsystems(before, state_digest(state)) == ("actors",)


def test_a_run_stays_on_the_recipes_it_began_with():
    setup = pinned(RunSetup(3, "3"))
    assert all("." in name for stratum in setup.strata for name in stratum.recipes)
    assert pinned(setup) == setup
    assert pinned(RunSetup(3, "3", generator="bsp")).version == 1
    state = new_game(setup)
    state.map.move_entity(state.hero, *state.map.exit)
    assert not isinstance(Engine(state).step(Descend()), Refused)
    assert str(state.code).split(":")[0] in {n for s in setup.strata for n in s.recipes}
