"""Benchmark: the time to start, build, measure, play, replay, draw and build chunks of worlds."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
from tcod.console import Console

from components import AiState
from engine.levels.dungeon import new_game
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Wait
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import creature_kinds, make_creature
from entities.data_files import DATA
from entities.program import INSTALLED
from procgen.build import build
from procgen.level import Level
from procgen.metrics import measure
from procgen.recipes import Recipe
from procgen.rng import Rng
from procgen.world_types import recent_chunks, world_types
from render.map.map_view import draw_world
from render.map.viewport import Viewport
from workbench.search.bot_runs import run_file_name, simulate_run


class BenchmarkFigure(msgspec.Struct, frozen=True):
    """A measured value: name, unit, median and 99th percentile.

    Lower is better, except for values per second.
    """

    name: str
    unit: str
    median: float
    worst: float


def time_tasks(function: Callable[[Any], object], tasks: Iterable[Any]) -> list[float]:
    """Return the processor time of each task in milliseconds."""
    times = []
    for task in tasks:
        started = time.process_time_ns()
        function(task)
        times.append((time.process_time_ns() - started) / 1e6)
    return times


def summarize_times(name: str, times: list[float]) -> BenchmarkFigure:
    """Return median and 99th percentile of ``times``, in milliseconds."""
    worst = sorted(times)[len(times) * 99 // 100]
    return BenchmarkFigure(name, "ms", round(median(times), 3), round(worst, 3))


def rate_figure(name: str, count: int, spent: float) -> BenchmarkFigure:
    """Return the figure of ``count`` per second, given ``spent`` seconds of processor time."""
    rate = round(count / max(spent, 1e-9), 1)
    return BenchmarkFigure(name, "per second", rate, rate)


BenchmarkPart = Callable[[], Iterator[BenchmarkFigure]]

WIDTH, HEIGHT, DEPTHS = 80, 45, 9
WARM = 999_999
"""The seed of a level built first, so that filling caches is not measured."""
TURNS, SEED = 400, 7
FRAMES, STARTS, CHUNKS = 60, 5, 3
AWAKE = (20, 100, 500)
CROWDED_TURNS = 60
"""The numbers of awake monsters in the turns that are timed, and the number of these turns."""


def benchmark_parts(recipes: list[Recipe], levels: int) -> list[BenchmarkPart]:
    """Return all parts: start, drawing, play, crowds, chunks, and ``levels`` of each recipe."""
    once = [time_startup, time_drawing, time_playing, time_crowds, time_chunks]
    return [*once, *(partial(time_building, recipe, levels) for recipe in recipes)]


def time_building(recipe: Recipe, levels: int) -> Iterator[BenchmarkFigure]:
    """Build levels of the usual size at several depths, and compute their metrics."""
    size = (max(WIDTH, recipe.smallest[0]), max(HEIGHT, recipe.smallest[1]))
    measure(build(recipe.code(WARM, 1, size)))
    codes = [recipe.code(seed, 1 + seed % DEPTHS, size) for seed in range(levels)]
    built: list[Level] = []
    times = time_tasks(lambda code: built.append(build(code)), codes)
    yield summarize_times(f"{recipe.name}: a level", times)
    yield summarize_times(f"{recipe.name}: its metrics", time_tasks(measure, built))


def time_startup() -> Iterator[BenchmarkFigure]:
    """Start the program for ``--help``; the only part in wall-clock time."""
    program = ["-m", "seedhollow"] if INSTALLED else [str(DATA.parent / "main.py")]
    command = [sys.executable, *program, "--help"]
    times = []
    for _ in range(STARTS):
        started = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - ourselves
        times.append(1000 * (time.perf_counter() - started))
    yield summarize_times("start for --help, by the clock", times)


def time_drawing() -> Iterator[BenchmarkFigure]:
    """Draw a fully explored level."""
    state = new_game(RunSetup(42, "42", generator="caves"))
    state.map.explored[:] = True
    console = Console(100, 50)
    times = time_tasks(lambda n: draw_world(console, state, Viewport(phase=n)), range(FRAMES))
    yield summarize_times("a picture of 100x50 cells", times[1:])


def time_playing() -> Iterator[BenchmarkFigure]:
    """Let the bot play a run, then replay the run file and compare every digest."""
    setup = RunSetup(SEED, str(SEED), Mode.WORKSHOP, "rooms")
    with TemporaryDirectory(prefix="seedhollow-") as place:
        simulate_run(setup, 20, None)
        started = time.process_time()
        turns = simulate_run(setup, TURNS, Path(place)).turns
        spent = time.process_time() - started
        yield rate_figure("turns played by the bot and recorded", turns, spent)
        playback = Playback(read_run(Path(place) / run_file_name(SEED)))
        started = time.process_time()
        for _ in playback.to_end():
            pass
        yield rate_figure("turns replayed and compared", turns, time.process_time() - started)


def crowded(recipe: str, awake: int, path: Path | None = None) -> Run:
    """Return a run on a level with ``awake`` monsters of all kinds that hunt forever.

    None summons or divides, so their number is constant; the hero has too many hit points to die.
    """
    run = Run.begin(RunSetup(42, "42", generator=recipe), path)
    state, rng = run.state, Rng(1, "crowd")
    kinds = [
        name
        for name, kind in creature_kinds().items()
        if kind.behaviour not in (None, "splitter") and not kind.lair and not kind.traits.summons
    ]
    while len(state.map.entities) <= awake:
        x, y = rng.below(state.map.width), rng.below(state.map.height)
        if not state.map.is_blocked(x, y):
            state.map.add_entity(make_creature(rng.pick(kinds), state.new_id(), x, y))
    for creature in state.map.entities.values():
        if creature.ai:
            creature.ai.state = AiState.HUNTING
            creature.ai.state_turns_left = creature.ai.memory_turns = 10_000
    state.hero.fighter.hp = state.hero.fighter.max_hp = 10**6
    return run


def time_crowds() -> Iterator[BenchmarkFigure]:
    """Play recorded turns of waiting with many monsters awake."""
    with TemporaryDirectory(prefix="seedhollow-") as place:
        for awake in AWAKE:
            run = crowded("caves", awake, Path(place) / f"{awake}.jsonl")
            times = time_tasks(run.act, [Wait()] * CROWDED_TURNS)
            run.close()
            yield rate_figure(f"turns recorded with {awake} awake", len(times), sum(times) / 1000)


def time_chunks() -> Iterator[BenchmarkFigure]:
    """Build chunks of each infinite world, none of which was built before."""
    for name, world in world_types().items():
        recent_chunks().clear()
        numbers = [40 + 3 * number for number in range(CHUNKS)]
        times = time_tasks(partial(world.chunk, SEED, 0), numbers)
        yield summarize_times(f"{name}: a chunk", times)
