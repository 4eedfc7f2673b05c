"""A run of thirty levels, up and down, is recorded, replayed, rewound and gone on with."""

import pytest

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import pinned
from engine.pathfinding.known_paths import path_downhill
from engine.saves.digests import state_digest
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import pack_state, save_state
from engine.state.actions import Climb, Descend, Move, Refused, Wait
from engine.state.run_setup import Mode, RunSetup
from entities.terrain import Tile
from procgen.analysis.distances import distances

DEEP = 30


def strong_world():
    """Return a world whose hero nothing stops."""
    state = new_game(pinned(RunSetup(6, "6", Mode.ADVENTURE, "rooms", size=(40, 25))))
    state.hero.fighter.max_hp = state.hero.fighter.hp = 900_000
    state.hero.fighter.power = 5000
    return state


def walk_to(run, goal):
    """Walk straight to ``goal``, through whoever is in the way."""
    state = run.state
    here = state.map
    for _ in range(600):
        if (state.hero.x, state.hero.y) == goal or state.map is not here:
            return
        ground = here.walkable & (here.tiles != Tile.TRAP)
        ground[state.hero.y, state.hero.x] = True
        x, y = path_downhill(distances(ground, *goal), state.hero.x, state.hero.y)[0]
        if isinstance(run.act(Move(x - state.hero.x, y - state.hero.y)), Refused):
            run.act(Wait())
    raise AssertionError("never got there")


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "run.jsonl"
    state = strong_world()
    run = Run.begin_from(state.setup, save_state(state), path)
    state = run.state
    while state.depth < DEEP:
        walk_to(run, state.map.exit)
        run.act(Descend())
        if state.depth % 7 == 3:
            walk_to(run, state.map.start)
            run.act(Climb())
            walk_to(run, state.map.exit)
            run.act(Descend())
    run.close()
    return path, state


def test_every_level_of_it_is_stored_and_the_state_stays_small(long_run):
    path, state = long_run
    assert (state.depth, state.deepest) == (DEEP, DEEP)
    assert sorted(state.stored_levels) == list(range(1, DEEP))
    assert len(pack_state(save_state(state))) < 100_000
    assert keyframes_path(path).stat().st_size < 3_000_000


def test_it_replays_to_the_same_end_and_back_and_forth(long_run):
    path, state = long_run
    playback = Playback(read_run(path))
    for _ in playback.to_end():
        pass
    assert state_digest(playback.engine.state) == state_digest(state)
    last = playback.position
    for turn in (5, last // 2, 1, last - 1, last):
        playback.seek(turn)
        assert state_digest(playback.engine.state) == playback.recorded.actions[turn - 1][1]
    assert playback.engine.state.stored_levels == state.stored_levels


def test_it_goes_on_where_it_ended(long_run):
    path, _ = long_run
    playback = Playback(read_run(path))
    playback.seek(playback.last)
    run = Run.resume(playback, Recorder.resume(playback.recorded))
    walk_to(run, run.state.map.start)
    run.act(Climb())
    assert run.state.depth == DEEP - 1
    assert run.state.map.explored.any()
    digest = state_digest(run.state)
    run.close()
    again = Playback(read_run(path))
    for _ in again.to_end():
        pass
    assert state_digest(again.engine.state) == digest
