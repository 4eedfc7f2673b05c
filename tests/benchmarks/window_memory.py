"""Memory of a long run in the window: the careful bot plays, and every turn is drawn.

python tests/benchmarks/window_memory.py [TURNS] [--where]

Prints the resident memory every few hundred turns; ``--where`` adds the lines of code whose memory
grew in the second half, at about a third of the speed. It needs no display.
"""

import os
import sys
import tempfile
import tracemalloc
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import psutil  # comes with dask.distributed
from tcod.cffi import lib

from engine.bots import CarefulBot
from engine.state.actions import Refused, Wait
from engine.state.run_setup import RunSetup
from render.backends.window import WindowBackend
from render.screens.play_screen import PlayScreen
from render.screens.screen import Pop, Push
from render.session.start_run import begin
from support.fake_backend import Person

SIZE = 640, 400
"""Small, so that frames cost little; caches hold as many things as in a large window."""
STEP = 500
"""Turns between two lines."""
GROWN = 12
"""How many lines of code are told."""


def resident():
    """Return the memory of this process in MB."""
    return psutil.Process().memory_info().rss / 2**20


def begun(person, seed):
    """Begin the run of ``seed`` in place of the last one; return its session and its bot."""
    while len(person.app.stack) > 1:
        person.app.answer(Pop())
    screen = PlayScreen(begin(RunSetup(seed, str(seed))))
    person.app.answer(Push(screen))
    return screen.session, CarefulBot()


def turn(session, bot):
    """Let ``bot`` play a turn."""
    events = session.act(bot.choose(session.run.state))
    bot.hear(session.act(Wait()) if isinstance(events, Refused) else events)


def play(window, turns):
    """Play ``turns`` turns, one run after another; print the memory as it goes on."""
    person, seed, middle = Person(), 1, None
    person.app.backend = window
    session, bot = begun(person, seed)
    for number in range(turns + 1):
        if number % STEP == 0:
            state = session.run.state
            print(f"{number:>6} turns {resident():6.0f} MB  run {seed} depth {state.depth}")
        if number == turns // 2 and tracemalloc.is_tracing():
            middle = tracemalloc.take_snapshot()
        if not session.run.state.hero.alive:
            seed += 1
            session, bot = begun(person, seed)
        turn(session, bot)
        window.show(person.app.picture())
        session.view.phase += 1
    return middle


def main():
    """Play as long as the command line says."""
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    for hint, value in ((b"SDL_VIDEO_DRIVER", b"dummy"), (b"SDL_RENDER_DRIVER", b"software")):
        lib.SDL_SetHintWithPriority(hint, value, lib.SDL_HINT_OVERRIDE)
    if "--where" in sys.argv:
        tracemalloc.start()
    with tempfile.TemporaryDirectory() as folder, WindowBackend() as window:
        os.environ["SEEDHOLLOW_DATA"] = folder
        window.resize(*SIZE)
        middle = play(window, numbers[0] if numbers else 10_000)
        if middle:
            for line in tracemalloc.take_snapshot().compare_to(middle, "lineno")[:GROWN]:
                print(line)


if __name__ == "__main__":
    main()
