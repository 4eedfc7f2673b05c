"""The loader makes what lies ahead in the background: in good order, and never otherwise."""

from engine.engine import Engine
from engine.infinite.chunk_loader import ChunkLoader, ChunkPrefetch, chunk_loader
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Visit
from procgen.chunk import SIDE
from procgen.world_types import recent_chunks
from support.infinite_walks import BY_THE_BORDER, SETUP, eastward, go


def test_a_run_replays_whatever_the_loader_has_at_hand(tmp_path):
    run = Run.begin(SETUP, tmp_path / "run.jsonl")
    run.act(Visit(BY_THE_BORDER))
    go(run.act, run.state, eastward(run.state)[:75])
    assert run.state.map.origin[0] == -SIDE
    digest = state_digest(run.state)
    run.close()
    chunk_loader()._jobs.clear()
    playback = Playback(read_run(tmp_path / "run.jsonl"))
    for _ in playback.to_end():
        pass
    assert state_digest(playback.engine.state) == digest
    playback.seek(30)
    playback.seek(playback.last)
    assert state_digest(playback.engine.state) == digest


def test_the_loader_gives_the_same_plot_early_and_late():
    early, late = ChunkLoader(), ChunkLoader()
    key = ("endless_caves", 3, 7, -2)
    early.prefetch([key])
    one, other = early.load(key), late.load(key)
    assert (one.tiles == other.tiles).all()
    assert (one.monsters, one.items) == (other.monsters, other.items)


def test_what_lies_ahead_is_jobed_first():
    prefetch = ChunkPrefetch()
    assert prefetch.choose(128, 128, {(0, 0)})[0] in ((1, 0), (0, 1))
    for x in range(128, 100, -1):
        west = prefetch.choose(x, 128, {(0, 0)})
    assert west[0] == (-1, 0)
    assert west.index((1, 0)) > west.index((-1, -1))
    assert set(west) == set(ChunkPrefetch().choose(101, 128, {(0, 0)}))


def test_a_run_is_gone_on_with_whatever_is_made_meanwhile():
    engine = Engine(new_game(SETUP))
    state = engine.state
    engine.step(Visit(BY_THE_BORDER))
    go(engine.step, state, eastward(state)[:60])
    saved = pack_state(save_state(state))
    assert len(state.map.chunks) > 1
    recent_chunks().clear()
    chunk_loader()._jobs.clear()
    other = load_state(SETUP, unpack_state(saved))
    assert list(other.map.chunks) == list(state.map.chunks)
    assert (other.map.tiles == state.map.tiles).all()
    assert state_digest(other) == state_digest(state)
