"""Measure run files: going on, going back, their size, replaying. Not part of the test run.

    python tests/benchmarks/run_files.py

The hero is given hit points without end here, so that the bot lives to turn 20,000. Times are
processor time, so that whatever else a machine does makes no difference.
"""

import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import msgspec

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from engine.saves.keyframes import keyframes_path
from engine.saves.playback import KeepKeyframes, Playback
from engine.saves.run_file import read_run
from entities.creature_kinds import HERO, creature_kinds
from render.replays.playhead import Playhead
from render.session.start_run import resume
from support.bot_runs import played

LENGTHS = (1_000, 5_000, 20_000)


def spent(call):
    """Return the milliseconds that ``call`` takes."""
    began = time.process_time()
    call()
    return 1000 * (time.process_time() - began)


def going_on(path):
    """Return the milliseconds from a closed file to a session one can play."""
    times = []
    for _ in range(5):
        began = time.process_time()
        session = resume(read_run(path))
        times.append(1000 * (time.process_time() - began))
        session.run.close()
    return median(times)


def going_back(path, played_through):
    """Return the sorted times of one turn back, from 200 places anywhere in a replay."""
    playback, chance = Playback(read_run(path), KeepKeyframes.CLOSE), random.Random(1)
    if played_through:
        playback.seek(0)
        for _ in playback.to_end():
            pass
    times = []
    for _ in range(200):
        playback.seek(chance.randrange(1, playback.last))
        times.append(spent(lambda: playback.seek(playback.position - 1)))
    return sorted(times)


def walking_back(path):
    """Return the sorted times of 100 turns back in a row, from five places, as in the player."""
    head, times = Playhead(read_run(path)), []
    for place in range(1, 6):
        arrive(head, head.end * place // 5)
        times += [spent(lambda: arrive(head, head.position - 1)) for _ in range(100)]
    return sorted(times)


def arrive(head, turn):
    """Go to ``turn`` and wait until one is there."""
    head.go(turn)
    while head.goal is not None:
        head.work()


def replaying(path):
    """Return turns a second, every digest compared."""
    playback = Playback(read_run(path))
    began = time.process_time()
    for _ in playback.to_end():
        pass
    return playback.position / (time.process_time() - began)


def main():
    """Print a line for each length."""
    creature_kinds()[HERO] = msgspec.structs.replace(creature_kinds()[HERO], hp=10**5)
    with tempfile.TemporaryDirectory() as folder:
        for turns in LENGTHS:
            path = Path(folder) / f"{turns}.jsonl"
            run = played(path, turns, seed=1)
            log, keys = path.stat().st_size, keyframes_path(path).stat().st_size
            print(f"{turns} turns, down to depth {run.state.depth}:")
            print(
                f"  size per 1,000 turns: log {log / turns:.1f} kB, keyframes {keys / turns:.1f} kB"
            )
            print(f"  replay: {replaying(path):,.0f} turns/s")
            print(f"  continue: {going_on(path):.0f} ms")
            for through in (False, True):
                back = going_back(path, through)
                how = "played through" if through else "just opened"
                print(
                    f"  one turn back, {how}: median {median(back):.1f} ms, worst {back[-1]:.1f} ms"
                )
            back = walking_back(path)
            print(f"  turns back in a row: median {median(back):.1f} ms, worst {back[-1]:.1f} ms")
            keyframes_path(path).unlink()
            print(f"  continue without keyframes: {spent(lambda p=path: gone_on(p)):.0f} ms")


def gone_on(path):
    """Go on with a run and let go of it."""
    resume(read_run(path)).run.close()


if __name__ == "__main__":
    main()
