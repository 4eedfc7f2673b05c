"""What the benchmark measures, part by part."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tcod.console import Console

from engine.records.playback import Playback
from engine.records.record import read_run
from engine.setup import Mode, Setup
from engine.world import World
from entities.data import DATA
from procgen.build import Level, build
from procgen.measure.metrics import measure
from procgen.recipes import Recipe
from render.bench.stopwatch import Figure, figure, milliseconds, pace
from render.map_view import draw_world
from render.search.playing import run_name, simulated
from render.view import View

Part = Callable[[], Iterator[Figure]]

WIDTH, HEIGHT, DEPTHS = 80, 45, 9
WARM = 999_999
"""The seed of a level that is grown first, so that nothing is measured that happens once."""
TURNS, SEED = 400, 7
FRAMES, STARTS = 60, 5


def parts(recipes: list[Recipe], levels: int) -> list[Part]:
    """Return the parts: every recipe with so many levels, and the game itself."""
    return [started, drawn, played, *(_of_recipe(recipe, levels) for recipe in recipes)]


def _of_recipe(recipe: Recipe, levels: int) -> Part:
    def grown() -> Iterator[Figure]:
        """Grow levels of usual size at several depths, and measure them."""
        size = (max(WIDTH, recipe.smallest[0]), max(HEIGHT, recipe.smallest[1]))
        measure(build(recipe.code(WARM, 1, size)))
        codes = [recipe.code(seed, 1 + seed % DEPTHS, size) for seed in range(levels)]
        found: list[Level] = []
        times = milliseconds(lambda code: found.append(build(code)), codes)
        yield figure(f"{recipe.name}: a level", times)
        yield figure(f"{recipe.name}: its metrics", milliseconds(measure, found))

    return grown


def started() -> Iterator[Figure]:
    """Start the program for ``--help``; by the clock, the only part that is."""
    command = [sys.executable, str(DATA.parent / "main.py"), "--help"]
    times = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)  # noqa: S603 - ourselves
        times.append(1000 * (time.perf_counter() - began))
    yield figure("start for --help, by the clock", times)


def drawn() -> Iterator[Figure]:
    """Draw a level of which all is known."""
    world = World(Setup(42, "42", generator="caves"))
    world.map.explored[:] = True
    console = Console(100, 50)
    times = milliseconds(lambda n: draw_world(console, world, View(phase=n)), range(FRAMES))
    yield figure("a picture of 100x50 cells", times[1:])


def played() -> Iterator[Figure]:
    """Let the bot play a run, and play the run file again with every digest compared."""
    setup = Setup(SEED, str(SEED), Mode.WORKSHOP, "rooms")
    with TemporaryDirectory(prefix="seedhollow-") as place:
        simulated(setup, 20, None)
        began = time.process_time()
        turns = simulated(setup, TURNS, Path(place)).turns
        yield pace("turns played by the bot and recorded", turns, time.process_time() - began)
        playback = Playback(read_run(Path(place) / run_name(SEED)))
        began = time.process_time()
        for _ in playback.to_end():
            pass
        yield pace("turns replayed and compared", turns, time.process_time() - began)
