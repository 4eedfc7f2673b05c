"""Kill a playing process at random moments, and see that no turn is lost and each run goes on.

    python tests/kill_game.py 200 1.5  # a bot's process, each time after at most so many seconds
    python tests/kill_game.py 50 0.08 --small SEED  # on small levels, where a life is short
    python tests/kill_game.py 5 --terminal  # the program itself, in a terminal, by its keys

A process says after every action how far it is; when it is dead, the file must hold all of that,
and at most the action after it. Three of ten are killed while they still read the file. Then the
run is continued from its keyframes and, now and then, played from its beginning; both must come
out with the digest in the file.
"""

import contextlib
import mmap
import os
import pty
import random
import signal
import sys
import tempfile
import threading
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from functools import partial
from pathlib import Path

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

from engine.bots.simple_bot import Bot
from engine.saves.digests import state_digest
from engine.saves.playback import Playback
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.state.run_setup import RunSetup
from render.session import start_run as starting
from support.bot_runs import acted

LONGEST = 0.3
"""Seconds that a process may live, if nothing else is said."""


def opened(path, seed, options):
    """Continue the run at ``path``, or begin one if there is not even a whole header."""
    try:
        recorded = read_run(path)
    except RunFileError:
        path.unlink(missing_ok=True)
        return Run.begin(RunSetup(seed, str(seed), **options), path)
    return starting.resume(recorded).run


def play(path, seed, options, said):
    """Begin or continue the run at ``path``, and play until killed or dead."""
    run, bot = opened(path, seed, options), Bot()
    said[8] = True
    while run.state.hero.alive:
        acted(run, bot)
        said[:8] = run.state.turn.to_bytes(8, "little")
    run.close()


def killed(work, seconds, begun):
    """Let a child ``work`` for so long, kill it, and return whether it was still at it.

    The time counts from when it has ``begun``, but it is given ten seconds at most for that.
    """
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    end = time.monotonic() + 10
    while not begun() and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in {0, -signal.SIGKILL}, f"the process failed with {code}"
    return code == -signal.SIGKILL


def checked(path, said, *, wholly):
    """Check that the file holds what was said, and that it can be gone on with."""
    told = int.from_bytes(said[:8], "little")
    try:
        recorded = read_run(path)
    except RunFileError:
        recorded = None
    if recorded is None:
        assert told == 0, f"{told} turns are lost"
        return 0
    assert told <= len(recorded.actions) <= told + 1, f"{told} said, {len(recorded.actions)} kept"
    if recorded.actions:
        quick = Playback(recorded)
        quick.seek(len(recorded.actions))
        assert state_digest(quick.engine.state) == recorded.actions[-1][1]
    if wholly:
        for _ in Playback(recorded).to_end():
            pass
    return len(recorded.actions)


def headless(count, chance, longest, **options):
    """Kill a bot's process ``count`` times; return the turns played and the lives."""
    Run.begin(
        RunSetup(0, "0", **options)
    )  # what is read once is read now, before there are children
    said, kills, turns, seed = mmap.mmap(-1, 9), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while kills < count:
            seed, before = seed + 1, 0
            path = Path(folder) / f"{seed}.jsonl"
            said[:8] = bytes(8)
            while kills < count:
                said[8], early = False, chance.random() < 0.3
                at_work = killed(
                    lambda p=path, s=seed: play(p, s, options, said),
                    chance.uniform(0, longest),
                    lambda early=early: early or said[8],
                )
                kills += at_work
                before = checked(path, said, wholly=not at_work or kills % 20 == 0)
                said[:8] = before.to_bytes(8, "little")
                if not at_work:
                    break
            turns += before
    return turns, seed


def terminal(count, chance, _):
    """Kill the program in a terminal ``count`` times while it explores; return turns and lives."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SEEDHOLLOW_DATA"] = folder
        turns, lives, options = 0, 0, ["--seed", "42"]
        for _ in range(count):
            child, line = pty.fork()
            if child == 0:
                os.environ.update(TERM="xterm-256color", COLUMNS="", LINES="")
                program = [sys.executable, str(ROOT / "main.py"), "--terminal", *options]
                os.execv(program[0], program)
            threading.Thread(target=_drained, args=(line,), daemon=True).start()
            end = time.monotonic() + 4 + chance.uniform(0, 3)
            while time.monotonic() < end:
                os.write(line, b"o")
                time.sleep(chance.uniform(0.01, 0.2))
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            recorded = starting.last_unfinished()
            options = ["--continue"]
            if recorded is None:
                lives, options = lives + 1, ["--seed", str(lives)]
                continue
            assert len(recorded.actions) >= turns, "turns are lost"
            turns = len(recorded.actions)
            for _ in Playback(recorded).to_end():
                pass
    return turns, lives + 1


def _drained(line):
    with contextlib.suppress(OSError):
        while os.read(line, 65536):
            pass


def main(arguments):
    """Kill as often as asked for; print what survived."""
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=200, help="kills (200)")
    parser.add_argument(
        "longest", type=float, nargs="?", default=LONGEST, help=f"seconds of life ({LONGEST})"
    )
    parser.add_argument("seed", type=int, nargs="?", help="others for each (the count)")
    parser.add_argument("--small", action="store_true", help="on small levels")
    parser.add_argument("--terminal", action="store_true", help="the program in a terminal")
    asked = parser.parse_intermixed_args(arguments)
    chance = random.Random(asked.count if asked.seed is None else asked.seed)
    small = {}
    if asked.small:
        small, starting.REPLAYED_TURNS = {"generator": "rooms", "size": (30, 20)}, 0
    way = terminal if asked.terminal else partial(headless, **small)
    turns, lives = way(asked.count, chance, asked.longest)
    kills = f"{asked.count} of {asked.count} kills"
    print(f"{kills} survived: {turns} turns in {lives} runs, nothing lost")


if __name__ == "__main__":
    main(sys.argv[1:])
