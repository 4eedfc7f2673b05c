"""Measure levels, frames, turns and run files; prints a line per figure. Not part of the test run.

python tests/benchmarks/foundation.py
"""

import os
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from subprocess import DEVNULL

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import msgspec
import tcod.console

from engine.bots import Bot, CarefulBot
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Refused, Wait
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO, creature_kinds
from procgen.build import build
from procgen.recipes import current_recipes
from render.map.map_view import draw_world
from render.map.viewport import Viewport

TURNS = 10_000


def milliseconds(call, runs):
    """Return the sorted times of ``runs`` calls with 0, 1, 2 ..."""
    times = []
    for number in range(runs):
        began = time.perf_counter()
        call(number)
        times.append(1000 * (time.perf_counter() - began))
    return sorted(times)


def levels():
    for recipe in current_recipes():
        size = (max(80, recipe.smallest[0]), max(45, recipe.smallest[1]))
        build(recipe.code(999, 1, size))
        times = milliseconds(lambda n, r=recipe, s=size: build(r.code(n, 1 + n % 9, s)), 200)
        print(f"level {recipe.name:<14} median {median(times):6.2f} ms   99 % {times[-3]:6.2f} ms")


def frame():
    state = new_game(RunSetup(42, "42", generator="caves"))
    state.map.explored[:] = True
    console = tcod.console.Console(100, 50)
    times = milliseconds(lambda n: draw_world(console, state, Viewport(phase=n)), 300)
    print(f"frame of 100x50 cells: median {median(times):.2f} ms")


def recorded(bot, seed, path, turns):
    """Let ``bot`` play for ``turns`` or to its end, and return its run."""
    run = Run.begin(RunSetup(seed, str(seed)), path)
    while run.state.turn < turns and run.state.hero.alive:
        events = run.act(bot.choose(run.state))
        if isinstance(events, Refused):
            events = run.act(Wait())
        bot.hear(events)
    run.close()
    return run


def replayed(path, run):
    """Replay the run in ``path`` three times; return its actions and the median of the seconds."""
    times = []
    for _ in range(3):
        playback = Playback(read_run(path))
        began = time.process_time()
        for _ in playback.to_end():
            pass
        times.append(time.process_time() - began)
        assert state_digest(playback.engine.state) == state_digest(run.state)
    return playback.position, median(times)


def careful_replay():
    """Replay careful bots' runs, one after the other as they come, `TURNS` turns in all."""
    actions, seconds, depths = 0, 0.0, []
    with tempfile.TemporaryDirectory() as folder:
        for seed in count(1):
            path = Path(folder) / f"{seed}.jsonl"
            run = recorded(CarefulBot(), seed, path, TURNS - actions)
            played, took = replayed(path, run)
            actions, seconds = actions + played, seconds + took
            depths.append(str(run.state.depth))
            if actions >= TURNS:
                break
    where = f"down to depths {', '.join(depths)}"
    print(f"replay of {actions} turns of careful bots {where}: {actions / seconds:.0f} turns/s")


def replay():
    """Replay a bot's run of `TURNS` turns; hit points without end let it live so long."""
    mortal = creature_kinds()[HERO]
    creature_kinds()[HERO] = msgspec.structs.replace(mortal, hp=10**5)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        run = recorded(Bot(), 1, path, TURNS)
        _, seconds = replayed(path, run)
        depth, speed = run.state.depth, TURNS / seconds
        print(f"replay of {TURNS} turns down to depth {depth}: {speed:.0f} turns/s")
        print(f"run file: {path.stat().st_size / TURNS:.0f} bytes a turn")
    creature_kinds()[HERO] = mortal


def start():
    command = [sys.executable, str(ROOT / "main.py"), "--help"]
    times = milliseconds(lambda _: subprocess.run(command, capture_output=True, check=True), 9)
    print(f"--help: median {median(times):.0f} ms")


FIRST_FRAME = """
import sys
import main
from render.backends import window
show = window.WindowBackend.show
def shown(self, frame):
    show(self, frame)
    print("shown", flush=True)
    main.os._exit(0)
window.WindowBackend.show = shown
main.main(sys.argv[1:])
"""


def first_frame():
    """Time from the command to the first picture in the window; needs a display, real or Xvfb."""
    if not os.environ.get("DISPLAY"):
        print("first frame: there is no DISPLAY")
        return
    command = [sys.executable, "-c", FIRST_FRAME, "--seed", "42", "--generator", "bsp"]
    with tempfile.TemporaryDirectory() as folder:
        new = {"PYTHONPATH": str(ROOT), "SEEDHOLLOW_DATA": folder, "PYTHONDONTWRITEBYTECODE": ""}
        once = partial(subprocess.run, command, env=os.environ | new, check=True, stdout=DEVNULL)
        first = milliseconds(lambda _: once(), 1)[0]
        times = milliseconds(lambda _: once(), 9)
        print(f"first frame: at first {first:.0f} ms, then median {median(times):.0f} ms")


if __name__ == "__main__":
    start()
    first_frame()
    frame()
    replay()
    careful_replay()
    levels()
