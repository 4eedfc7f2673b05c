"""Worlds without an edge, measured: `python tests/benchmarks/infinite.py [STEPS]`."""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil  # comes with dask.distributed

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.infinite.infinite_map import LOAD_DISTANCE
from engine.pathfinding.known_paths import path_downhill
from engine.saves.keyframes import keyframes_path
from engine.saves.run import Run
from engine.state.actions import Move, Refused, Wait
from engine.state.run_setup import Mode, RunSetup
from procgen.analysis.distances import UNREACHED, distances
from procgen.blueprint import Point
from procgen.world_types import world_types
from render.screens.play_screen import PlayScreen
from render.screens.world_map_screen import WorldMapScreen
from render.session.session import Session
from render.ui.frame import Frame

CHUNKS = 24
MARKS = (0, 5_000, 10_000, 20_000)
FIRST = 120


def resident() -> float:
    """Return the megabytes this process holds."""
    return psutil.Process().memory_info().rss / 2**20


def chunks() -> None:
    """Print how much of a processor's time a chunk takes, median and worst."""
    for name, realm in world_types().items():
        times = []
        for number in range(CHUNKS):
            start = time.process_time()
            realm.chunk(5, 40 + number, -number)
            times.append(1000 * (time.process_time() - start))
        print(f"chunk of {name}: median {np.median(times):.0f} ms, worst {max(times):.0f} ms")


def eastward(run: Run, furthest: int) -> list[Point]:
    """Return the way to the east of all that is near, by its places in the world.

    Where that is no further east than one has been, in a bay, it leads north instead, or south.
    """
    hero, game_map, reach = run.state.hero, run.state.map, LOAD_DISTANCE - 10
    box = np.s_[hero.y - reach : hero.y + reach + 1, hero.x - reach : hero.x + reach + 1]
    ground = game_map.walkable[box]
    steps = distances(ground, reach, reach)
    rows, columns = (steps < UNREACHED).nonzero()
    left, top = hero.x - reach + game_map.origin[0], hero.y - reach + game_map.origin[1]
    goals = columns == columns.max()
    if columns.max() + left <= furthest:
        goals = rows == (rows.min() if rows.min() < reach else rows.max())
    nearest = steps[rows[goals], columns[goals]].argmin()
    field = distances(ground, int(columns[goals][nearest]), int(rows[goals][nearest]))
    return [Point(x + left, y + top) for x, y in path_downhill(field, reach, reach)[:60]]


def next_step(run: Run, way: list[Point], furthest: int) -> Move:
    """Return the step to the first place of ``way`` one is not on yet."""
    hero, (left, top) = run.state.hero, run.state.map.origin
    if not way or (max(abs(way[0].x - left - hero.x), abs(way[0].y - top - hero.y))) > 1:
        way[:] = eastward(run, furthest)
    return Move(way[0].x - left - hero.x, way[0].y - top - hero.y)


def walk(most: int) -> None:
    """Walk east, drawing every step as a player would see it."""
    path = Path(tempfile.mkdtemp()) / "walk.jsonl"
    run = Run.begin(RunSetup(42, "42", Mode.ADVENTURE, "wilds"), path)
    screen, frame, times = PlayScreen(Session(run)), Frame(150, 50), []
    way: list[Point] = []
    furthest = run.state.hero.x + run.state.map.origin[0] - 1
    for turn in range(most + 1):
        if turn in MARKS:
            print(f"resident after {turn} steps: {resident():.0f} MB", flush=True)
        run.state.hero.fighter.hp = run.state.hero.fighter.max_hp
        action = next_step(run, way, furthest)
        frame.buttons.clear()
        start = time.perf_counter()
        if isinstance(run.act(action), Refused):
            run.act(Wait())
            way.clear()
        screen.draw(frame)
        times.append(1000 * (time.perf_counter() - start))
        furthest = max(furthest, run.state.hero.x + run.state.map.origin[0])
        if way and (run.state.hero.x, run.state.hero.y) == (
            way[0].x - run.state.map.origin[0],
            way[0].y - run.state.map.origin[1],
        ):
            way.pop(0)
    run.close()
    east = run.state.hero.x + run.state.map.origin[0]
    print(f"key to frame over {most} steps, {east} tiles east: median {np.median(times):.1f} ms, ")
    print(f"  99 % within {np.percentile(times, 99):.0f} ms, longest {max(times):.0f} ms")
    first = max(times[:FIRST])
    print(f"  longest of the first {FIRST}, keys sent as fast as frames come: {first:.0f} ms")
    size, keys = path.stat().st_size, keyframes_path(path).stat().st_size
    print(f"on disk: run {size / 2**20:.1f} MB, keyframes {keys / 2**20:.1f} MB")


def fly() -> None:
    """Print how fast flying over goes."""
    run = Run.begin(RunSetup(42, "42", Mode.WORKSHOP, "wilds"))
    screen, frame = WorldMapScreen(Session(run), lambda *_: None), Frame(150, 50)
    times = []
    for _ in range(600):
        start = time.perf_counter()
        screen.x += 8
        frame.buttons.clear()
        screen.draw(frame)
        times.append(time.perf_counter() - start)
        time.sleep(0.016)
    worst = 1000 * max(times)
    print(f"flying over: {1 / np.mean(times):.0f} frames a second, longest {worst:.0f} ms")


if __name__ == "__main__":
    chunks()
    fly()
    walk(int(sys.argv[1]) if len(sys.argv) > 1 else MARKS[-1])
