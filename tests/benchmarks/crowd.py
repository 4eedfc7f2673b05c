"""300 creatures awake on one level: what a turn takes, and how long from a key to its frame.

python tests/benchmarks/crowd.py [RECIPE ...]
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from components import AiState
from engine.saves.run import Run
from engine.state.actions import Move, Refused, Wait
from render.app import App
from render.screens.play_screen import PlayScreen
from render.session.session import Session
from render.ui.input import Key
from support.fake_backend import FakeBackend
from workbench.benchmark import crowded

AWAKE, TURNS = 300, 200
RECIPES = ("caves", "vaulted", "rooms", "city", "labyrinth", "islands")
MOODS = (AiState.WANDERING, AiState.HUNTING)
TO_AND_FRO = ((Move(1, 0), Key("l")), (Move(-1, 0), Key("h")))


def crowd(recipe: str, mood: AiState, path: Path | None = None) -> Run:
    """Return a run among `AWAKE` monsters that are all in this mood."""
    run = crowded(recipe, AWAKE, path)
    for creature in run.state.map.entities.values():
        if creature.ai:
            creature.ai.state = mood
    return run


def turns(recipe: str, mood: AiState) -> list[float]:
    """Return what each turn takes in milliseconds, the rules alone."""
    engine, times = crowd(recipe, mood).engine, []
    for turn in range(TURNS):
        action, _ = TO_AND_FRO[turn // 4 % 2]
        began = time.process_time()
        if isinstance(engine.step(action), Refused):
            engine.step(Wait())
        times.append(1000 * (time.process_time() - began))
    return times


def keys(recipe: str, mood: AiState) -> list[float]:
    """Return how long it takes from a key to the frame that answers it, recorded as in play."""
    with tempfile.TemporaryDirectory() as folder:
        run, times = crowd(recipe, mood, Path(folder) / "run.jsonl"), []
        face = FakeBackend(150, 50)
        app = App(face, PlayScreen(Session(run)))
        app.picture()
        for turn in range(TURNS):
            _, key = TO_AND_FRO[turn // 4 % 2]
            for pressed in (key, Key(".")):  # Where the way is barred, the hero waits.
                before, began = run.state.turn, time.process_time()
                app.handle(pressed)
                face.shown = [app.picture()]
                spent = 1000 * (time.process_time() - began)
                del app.stack[1:]  # Whatever came up is left unread.
                if run.state.turn != before:
                    times.append(spent)
                    break
        run.close()
    return times


def told(times: list[float]) -> str:
    """Return the median of ``times`` and what 99 of 100 stay below."""
    return f"median {median(times):5.2f} ms   99 % {sorted(times)[-1 - len(times) // 100]:6.2f} ms"


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("recipes", nargs="*", default=RECIPES, help=", ".join(RECIPES))
    for recipe in asked.parse_args().recipes:
        for mood in MOODS:
            title = f"{recipe:<14} {AWAKE} {mood.value:<10}"
            print(f"{title} a turn: {told(turns(recipe, mood))}", flush=True)
            print(f"{title}  frame: {told(keys(recipe, mood))}", flush=True)
