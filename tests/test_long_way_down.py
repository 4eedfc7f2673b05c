"""A run of thirty levels, up and down, is recorded, replayed, rewound and gone on with."""

import pytest

from engine.levels.level_choice import pinned
from engine.pathfinding.known_paths import path_downhill
from engine.saves.keyframes import beside
from engine.saves.playback import Playback
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import capture, pack
from engine.state.actions import Climb, Descend, Move, Refused, Wait
from engine.state.game_state import World
from engine.state.run_setup import Mode, Setup
from entities.terrain import Tile
from procgen.analysis.distances import distances

DEEP = 30


def strong_world():
    """Return a world whose hero nothing stops."""
    world = World(pinned(Setup(6, "6", Mode.ADVENTURE, "rooms", size=(40, 25))))
    world.hero.fighter.max_hp = world.hero.fighter.hp = 900_000
    world.hero.fighter.power = 5000
    return world


def walk_to(run, goal):
    """Walk straight to ``goal``, through whoever is in the way."""
    world = run.world
    here = world.map
    for _ in range(600):
        if (world.hero.x, world.hero.y) == goal or world.map is not here:
            return
        ground = here.walkable & (here.tiles != Tile.TRAP)
        ground[world.hero.y, world.hero.x] = True
        x, y = path_downhill(distances(ground, *goal), world.hero.x, world.hero.y)[0]
        if isinstance(run.act(Move(x - world.hero.x, y - world.hero.y)), Refused):
            run.act(Wait())
    raise AssertionError("never got there")


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    path = tmp_path_factory.mktemp("long") / "run.jsonl"
    world = strong_world()
    run = Run.begin_from(world.setup, capture(world), path)
    world = run.world
    while world.depth < DEEP:
        walk_to(run, world.map.exit)
        run.act(Descend())
        if world.depth % 7 == 3:
            walk_to(run, world.map.start)
            run.act(Climb())
            walk_to(run, world.map.exit)
            run.act(Descend())
    run.close()
    return path, world


def test_every_level_of_it_is_remembered_and_the_state_stays_small(long_run):
    path, world = long_run
    assert (world.depth, world.deepest) == (DEEP, DEEP)
    assert sorted(world.remembered) == list(range(1, DEEP))
    assert len(pack(capture(world))) < 100_000
    assert beside(path).stat().st_size < 3_000_000


def test_it_replays_to_the_same_end_and_back_and_forth(long_run):
    path, world = long_run
    playback = Playback(read_run(path))
    for _ in playback.to_end():
        pass
    assert playback.engine.world.digest() == world.digest()
    last = playback.position
    for turn in (5, last // 2, 1, last - 1, last):
        playback.seek(turn)
        assert playback.engine.world.digest() == playback.recorded.actions[turn - 1][1]
    assert playback.engine.world.remembered == world.remembered


def test_it_goes_on_where_it_ended(long_run):
    path, _ = long_run
    playback = Playback(read_run(path))
    playback.seek(playback.last)
    run = Run.resume(playback, Recorder.resume(playback.recorded))
    walk_to(run, run.world.map.start)
    run.act(Climb())
    assert run.world.depth == DEEP - 1
    assert run.world.map.explored.any()
    digest = run.world.digest()
    run.close()
    again = Playback(read_run(path))
    for _ in again.to_end():
        pass
    assert again.engine.world.digest() == digest
