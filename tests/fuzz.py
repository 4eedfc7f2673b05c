"""Spoil run files and their keyframes in every way, and see that each gets a sentence.

    python tests/fuzz.py 20000       # or, to find others: 20000 SEED

Each case is a small run, spoiled: bytes changed, lines moved, numbers made absurd, strings made
endless, escapes and links put in, keyframes forged. The program verifies it, lists it and goes
about in it. It must never fail otherwise than in one sentence, take long or much memory, change
a file, or print what a terminal would obey.
"""

import contextlib
import io
import random
import re
import sys
import tempfile
import time
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

from cli.runs import _row
from engine.saves.digests import state_digest
from engine.saves.playback import Desync, Playback
from engine.saves.run_file import RunFileError, read_run, summarize
from engine.state.run_setup import Mode
from main import main as program
from support.bot_runs import played
from support.damaged_runs import Case, spoil, up_and_down

COMMANDING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def tried(path):
    """Verify, list and wander through the run at ``path``; return what came of it."""
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = program(["replay", str(path), "--verify"])
    said = out.getvalue() + err.getvalue()
    assert code in {0, 1, 3, 4}, f"exit {code}: {said}"
    assert "fault of the program" not in said, said
    assert "Traceback" not in said, said
    assert not COMMANDING.search(said), repr(said)
    assert len(said) < 3000, "a sentence, not a flood"
    _row(summarize(path))
    with contextlib.suppress(RunFileError, Desync):
        recorded = read_run(path, tolerant=True)
        playback = Playback(recorded)
        for turn in (len(recorded.actions), len(recorded.actions) // 2, 0):
            playback.seek(turn)
            if playback.position and not recorded.foreign:
                digest = state_digest(playback.engine.state)
                assert digest == recorded.actions[playback.position - 1][1]
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before, "a file changed"
    return code


def fuzz(count, seed, report=lambda *_: None):
    """Try ``count`` spoiled runs; return how often each way of spoiling came to each exit code."""
    chance, found, slowest = random.Random(seed), Counter(), (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        cases = [
            Case(folder, 1, lambda path: played(path, 130, 1)),
            Case(folder, 2, lambda path: played(path, 115, 2, Mode.WORKSHOP, "walk")),
            Case(folder, 3, lambda path: up_and_down(path, 3)),
        ]
        place = Path(folder) / "spoiled"
        place.mkdir()
        for number in range(count):
            for file in place.iterdir():
                file.unlink()
            path = place / "run.jsonl"
            way = spoil(chance, chance.choice(cases), path)
            began = time.perf_counter()
            try:
                found[way, tried(path)] += 1
            except BaseException:
                kept = Path(tempfile.mkdtemp(prefix="spoiled-"))
                for file in place.iterdir():
                    (kept / file.name).write_bytes(file.read_bytes())
                print(f"case {number} ({way}) is kept in {kept}", file=sys.stderr)
                raise
            slowest = max(slowest, (time.perf_counter() - began, f"case {number} ({way})"))
            report(number, slowest)
    return found, slowest


def main(arguments):
    """Fuzz as often as asked for and print what came of it."""

    def report(number, slowest):
        if number % 1000 == 999:
            print(f"{number + 1} cases; slowest {slowest[0]:.2f} s, {slowest[1]}", flush=True)

    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int, nargs="?", default=20_000, help="cases (20000)")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="others for each (0)")
    asked = parser.parse_args(arguments)
    found, slowest = fuzz(asked.count, asked.seed, report)
    for (way, code), times in sorted(found.items()):
        print(f"{way:<7} exit {code}: {times}")
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(f"{asked.count} cases, slowest {slowest[0]:.2f} s ({slowest[1]}), at most {peak:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
