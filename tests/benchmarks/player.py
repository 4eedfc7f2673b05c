"""How long the player for runs takes to go places: `python tests/benchmarks/player.py [TURNS]`."""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine.saves.run_file import read_run
from engine.state.run_setup import Mode, RunSetup
from render.screens.replay_screen import ReplayScreen
from render.ui.frame import Frame
from render.ui.input import Key
from workbench.search.bot_runs import simulate_run

KEYS = ["end", "left", "left", "pageup", "[", "left", "home", "n", "n", "N", "end", "left"]


def main() -> None:
    """Print the milliseconds from each key to the picture that answers it."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with TemporaryDirectory() as folder:
        simulate_run(RunSetup(5, "5", Mode.WORKSHOP, "rooms"), turns, Path(folder))
        for keyframes in (True, False):
            print(f"{turns} turns, {'with' if keyframes else 'without'} keyframes beside the file")
            replay = ReplayScreen(read_run(Path(folder) / "run-5.jsonl"))
            for key in KEYS:
                print(f"{key:>8} {1000 * _answered(replay, Key(key)):8.1f} ms")
            (Path(folder) / "run-5.jsonl.keys").unlink(missing_ok=True)


def _answered(replay: ReplayScreen, key: Key) -> float:
    start = time.perf_counter()
    replay.key(key)
    while replay.head.goal is not None:
        replay.tick()
    replay.draw(Frame(110, 36))
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
