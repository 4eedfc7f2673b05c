"""Runs played by bots, as tasks for a pool; tasks return files as bytes."""

from functools import cache
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from engine.bots import BOTS
from engine.saves.run import Run
from engine.saves.run_file import RULES, RunFileError
from engine.state.actions import Refused, Wait
from engine.state.events import Threw, Used
from engine.state.run_setup import RunSetup
from engine.state.score import score
from entities.data_files import DATA
from entities.program import VERSION


class BotResult(NamedTuple):
    """The course of one run; ``tried`` has each seed it tried to plant, and whether it failed."""

    seed: int
    depth: int
    turns: int
    kills: int
    end: str
    deepest: int = 0
    used: tuple[str, ...] = ()
    tried: tuple[tuple[str, bool], ...] = ()
    points: int = 0


def play_run(
    setup: RunSetup, turns: int, bot: str, fingerprint: str, *, recorded: bool
) -> tuple[BotResult, dict[str, bytes]]:
    """Let ``bot`` play a run; return its result and, if ``recorded``, its files by name.

    ``fingerprint`` is that of the rules and data on the asking machine. Files are written to a
    temporary folder first: a task repeated because a worker was lost must not leave files twice.
    """
    require_same_data(fingerprint)
    if not recorded:
        return simulate_run(setup, turns, None, bot), {}
    with TemporaryDirectory(prefix="seedhollow-") as place:
        folder = Path(place)
        result = simulate_run(setup, turns, folder, bot)
        return result, {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def simulate_run(
    setup: RunSetup, turns: int, folder: Path | None, bot_name: str = "plain"
) -> BotResult:
    """Let a bot play one run until death, victory or ``turns`` turns; return its course.

    It is recorded in ``folder``, if given. Raises `OSError` if that is impossible.
    """
    path = folder / run_file_name(setup.seed) if folder else None
    run, bot = Run.begin(setup, path), BOTS[bot_name]()
    used: list[str] = []
    if run.recorder and run.recorder.problem:
        raise OSError(f"{path}: {run.recorder.problem}")
    state = run.state

    def over() -> bool:
        won = state.won is not None and not bot.goes_home
        return won or state.end is not None or state.turn >= turns

    while not over():
        events = run.act(bot.choose(state))
        if isinstance(events, Refused):
            events = run.act(Wait())
        assert not isinstance(events, Refused)
        bot.hear(events)
        spent = (event for event in events if isinstance(event, Used | Threw))
        used += [event.what.kind for event in spent if event.who.id == state.hero.id]
    end = state.end or ("victory" if state.won is not None else "out of turns")
    tried = tuple(bot.tried.elements())
    run.close()
    if run.recorder and run.recorder.lost:
        raise RunFileError(f"{path}: {run.recorder.lost}")
    reached = state.depth, state.turn, state.kills, end, state.deepest
    return BotResult(setup.seed, *reached, tuple(used), tried, score(state).total)


def run_file_name(seed: int | str) -> str:
    """Return the file name of the run of a seed."""
    return f"run-{seed}.jsonl"


def require_same_data(fingerprint: str) -> None:
    """Raise `OSError` on a worker whose rules or data differ from those of ``fingerprint``."""
    if data_fingerprint() != fingerprint:
        raise OSError("a worker has other rules or data; give it this version of the program")


@cache
def data_fingerprint() -> str:
    """Return a hash of program, rules and data files: runs are equal only if these are.

    It covers the hand-written data files, in the same order on every system.
    """
    digest = blake2b(f"{VERSION} {RULES}".encode(), digest_size=8)
    paths = [path for path in DATA.rglob("*") if path.suffix in {".toml", ".txt"}]
    for path in sorted(paths, key=lambda path: path.relative_to(DATA).as_posix()):
        digest.update(path.relative_to(DATA).as_posix().encode())
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()
