"""Golden runs: whole run files of this version, kept, to be played on every push for ever.

    python tests/golden_runs.py            # play all; say which come out otherwise, and where
    python tests/golden_runs.py --write    # record those that are missing
    python tests/golden_runs.py --write NAME ...    # record these anew; `all` for all

A run is played by a bot and covers adventures from their beginning, plain and careful, one
generator to the end, deaths, a world without an edge, the Workshop, a large level and a run from
the middle of another. One that does not come
out any more means that rules or recipes changed: docs/POLICY.md says what to raise then.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from support.paths import ROOT

sys.path.insert(0, str(ROOT))

from engine.bots import BOTS, Bot
from engine.saves.playback import Desync, Playback
from engine.saves.run import Run
from engine.saves.run_file import RunFileError, read_run
from engine.saves.saved_state import save_state
from engine.state.actions import Visit
from engine.state.run_setup import Mode, RunSetup
from support.bot_runs import acted

FOLDER = ROOT / "tests" / "golden" / "runs"


class Plan(NamedTuple):
    """What is played, for how many turns at most, and which bot plays."""

    setup: RunSetup
    turns: int
    bot: str = "plain"


SETUPS = {
    "adventure": Plan(RunSetup(42, "42"), 1200),
    "adventure-by-name": Plan(RunSetup(1, "hello world"), 800),
    "careful-adventure": Plan(RunSetup(21, "21"), 2500, "careful"),
    "deep-adventure": Plan(RunSetup(7, "7", depth=9), 400, "careful"),
    "caves-to-the-end": Plan(RunSetup(5, "5", generator="caves", depth=2), 5000),
    "vaulted": Plan(RunSetup(11, "11", generator="vaulted"), 600),
    "city": Plan(RunSetup(3, "3", generator="city"), 500),
    "large-dungeon": Plan(RunSetup(2, "2", generator="bsp", size=(200, 120)), 500),
    "wilds": Plan(RunSetup(4, "4", generator="wilds"), 250),
    "workshop": Plan(RunSetup(8, "8", Mode.WORKSHOP, "rooms"), 500),
}
VISITS = ("maze:1@41x31", "islands:x:3", "keep:9:2@120x60")

STARTED, FIXED = r'"started":"[^"]*"', '"started":"2026-01-01T00:00:00Z"'


def record(name: str, path: Path) -> None:
    """Let the bot play the run called ``name`` into a new file at ``path``."""
    setup, turns, player = SETUPS[name]
    run, bot = Run.begin(setup, path), BOTS[player]()
    while run.state.turn < turns and run.state.hero.alive:
        acted(run, bot)
        if name == "workshop" and run.state.turn % 150 == 0:
            run.act(Visit(VISITS[run.state.turn // 150 - 1]))
            bot = Bot()
    run.close()


def record_from_the_middle(path: Path) -> None:
    """Let the bot take an adventure over in its middle, into a new file at ``path``."""
    with tempfile.TemporaryDirectory() as folder:
        record("adventure", Path(folder) / "run.jsonl")
        playback = Playback(read_run(Path(folder) / "run.jsonl"))
    playback.seek(playback.last // 2)
    state, bot = playback.engine.state, Bot()
    run = Run.begin_from(state.setup, save_state(state), path)
    for _ in range(200):
        if run.state.hero.alive:
            acted(run, bot)
    run.close()


def fault(path: Path) -> str:
    """Return in what the run at ``path`` does not come out as recorded, or ''."""
    try:
        playback = Playback(read_run(path))
        for _ in playback.to_end():
            pass
    except (RunFileError, Desync) as found:
        return str(found)
    return ""


def write(names: list[str]) -> None:
    """Record runs anew, all that are missing if none is named."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in [*SETUPS, "from-the-middle"]:
        path = FOLDER / f"{name}.jsonl"
        if name in names or names == ["all"] or not (names or path.exists()):
            path.unlink(missing_ok=True)
            record(name, path) if name in SETUPS else record_from_the_middle(path)
            # The date of recording would make every run differ whenever one is kept.
            text = path.read_text(encoding="utf-8")
            path.write_text(re.sub(STARTED, FIXED, text, count=1), encoding="utf-8")
            for other in FOLDER.glob(f"{path.name}.*"):
                other.unlink()
            print(f"kept {path.name}: {len(read_run(path).actions)} turns")


def main(arguments: list[str]) -> int:
    """Play or write golden runs; return the exit code."""
    if "--write" in arguments:
        write([name for name in arguments if name != "--write"])
        return 0
    paths = sorted(FOLDER.glob("*.jsonl"))
    faults = [found for path in paths if (found := fault(path))]
    print("\n".join(faults) or f"{len(paths)} runs as they were")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
