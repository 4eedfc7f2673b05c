"""Show that levels and runs come out the same on other Pythons, with old and new libraries.

    python tests/across_versions.py python3.11 python3.13 python3.15

For each interpreter, with the oldest libraries that requirements.txt allows and with the newest
(where there are such), this makes a virtual environment in a temporary folder, compares the golden
levels there and plays a bot's run in each of three hash seeds; it prints one line for each and
fails if any differs.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from support.paths import ROOT

REQUIREMENTS = (ROOT / "requirements.txt").read_text("utf-8")
LIBRARIES = {"oldest": re.sub(r">=([\d.]+)(,<\d+)?", r"==\1", REQUIREMENTS), "newest": REQUIREMENTS}
RUN = """
import sys; sys.path.insert(0, sys.argv[1])
import numpy
from engine.bots.simple_bot import Bot
from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.digests import state_digest
from engine.state.run_setup import RunSetup
state = new_game(RunSetup(42, "42")); engine = Engine(state); bot = Bot()
while state.hero.alive and state.turn < 1500:
    bot.hear(engine.step(bot.choose(state)))
print(sys.version.split()[0], numpy.__version__, state.turn, state_digest(state))
"""


def check(python: str, libraries: str) -> list[str]:
    """Return the lines printed for one pair, or why the pair does not exist."""
    with tempfile.TemporaryDirectory() as folder:
        binary = Path(folder) / "bin" / "python"
        subprocess.run([python, "-m", "venv", folder], check=True)
        install = [binary, "-m", "pip", "install", "-q", "--only-binary", ":all:"]
        wanted = Path(folder) / "requirements.txt"
        wanted.write_text(LIBRARIES[libraries], "utf-8")
        if subprocess.run([*install, "-r", wanted], capture_output=True, check=False).returncode:
            return [f"{python} with the {libraries} libraries: not available"]
        golden = subprocess.run(
            [binary, ROOT / "tests" / "golden.py"], capture_output=True, text=True, check=False
        )
        lines = [golden.stdout.strip()] if golden.returncode == 0 else ["FAILED " + golden.stdout]
        for seed in ("0", "1", "99"):
            lines += subprocess.run(
                [binary, "-c", RUN, str(ROOT)],
                env={**os.environ, "PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout.splitlines()
        return lines


def main(pythons: list[str]) -> int:
    """Check every pair; return the exit code."""
    digests, failed = set(), False
    for python in pythons or [sys.executable]:
        for libraries in LIBRARIES:
            for line in check(python, libraries):
                print(line, flush=True)
                failed |= line.startswith("FAILED")
                if line[0].isdigit() and "recipes" not in line:
                    digests.add(line.split(maxsplit=2)[2])
    print("all the same" if len(digests) == 1 and not failed else "THEY DIFFER")
    return int(failed or len(digests) != 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
