"""Beginning a run, going on with one."""

import secrets
import time
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from engine.levels.level_choice import pinned
from engine.saves.files import new_run_path, recorded_paths
from engine.saves.playback import Playback, Trail
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.run_file import (
    OtherVersion,
    RecordedRun,
    RunFileError,
    Summary,
    read_run,
    summarize,
    unfinished,
)
from engine.saves.saved_state import save_state
from engine.state.run_setup import RunSetup
from procgen.level_code import parse_seed
from render.session.session import Session
from render.ui.text import printable

RANDOM_LIMIT = 10**9
REPLAYED_TURNS = 200
"""Turns whose messages are there again when one goes on with a run."""
REPLAY_SECONDS = 0.3
"""Seconds that this may take; what there is no time for is left out."""


def fresh_seed() -> tuple[int, str]:
    """Return a random seed and how it is written; short enough to say aloud."""
    seed = secrets.randbelow(RANDOM_LIMIT)
    return seed, str(seed)


def chosen_seed(text: str | None) -> tuple[int, str]:
    """Return the seed that ``text`` means and the text itself; a fresh one for no text."""
    if text is None or not text.strip():
        return fresh_seed()
    return parse_seed(text), text.strip()[:200]


def begin(setup: RunSetup) -> Session:
    """Start a run, recorded in the runs folder, and say where."""
    session = Session(Run.begin(setup, new_run_path(setup.seed)))
    announce_file(session)
    return session


def announce_file(session: Session) -> None:
    """Say where the run is written, or why it is not."""
    recorder = session.run.recorder
    if recorder and not recorder.problem:
        session.say(f"Kept as you play in {_short(recorder.path)}.", "dim")
    session.report_save_problems()


def _short(path: Path) -> str:
    """Return ``path`` as people write it, their own folder as ``~``."""
    with suppress(ValueError, RuntimeError):
        return str(Path("~") / path.relative_to(Path.home()))
    return str(path)


def last_unfinished() -> RecordedRun | None:
    """Return the run played last that can go on, if there is one.

    Raises `OtherVersion` if there are some, but all of them are of other versions.
    """
    foreign: OtherVersion | None = None
    for path in recorded_paths():
        if not unfinished(path):
            continue
        try:
            run = read_run(path)
        except OtherVersion as fault:
            foreign = foreign or fault
        except RunFileError:
            continue
        else:
            return run
    if foreign:
        raise foreign
    return None


def continuable() -> Summary | None:
    """Return what is to be said of the run that can be gone on with, None if there is none.

    Unlike `last_unfinished` this does not read its turns: it is asked whenever the title is seen.
    """
    for path in recorded_paths():
        if unfinished(path):
            with suppress(OSError):
                run = summarize(path)
                if run.result == "unfinished":
                    return run
    return None


def resume(recorded: RecordedRun) -> Session:
    """Go on with ``recorded`` where it ends; the last turns are told again.

    Raises `engine.records.run.OutOfSync` if it does not come out as recorded, `RunFileError` if it
    cannot be gone on with, e.g. because another process has it.
    """
    recorder = Recorder.resume(recorded)
    try:
        playback = Playback(recorded, Trail.KEYFRAMES)
        session = Session(Run(playback.engine))
        _replay_last_turns(playback, session)
    except BaseException:
        recorder.close()
        raise
    session.disturbed = False
    session.run = Run.resume(playback, recorder)
    session.say("You go on where you left.", "accent")
    session.report_save_problems()
    return session


def _replay_last_turns(playback: Playback, session: Session) -> None:
    """Go to the end and tell what came last again, as much of it as can be told in a moment."""
    session.jump()
    end, until = len(playback.recorded.actions), time.monotonic() + REPLAY_SECONDS
    for events in playback.approach(end, REPLAYED_TURNS):
        session.hear(events)
        if time.monotonic() > until:
            break
    if not playback.finished:
        session.say("…", "faint")
        for events in playback.approach(end):
            session.hear(events)


def successor_setup(recorded: RecordedRun, turn: int) -> RunSetup:
    """Return the setup of a run that goes on, under this version, from a state of ``recorded``.

    Raises `RunFileError` if there can be none.
    """
    parent = f"{printable(recorded.path.name)[:80]}@{turn}"
    # What this version chooses from: the other's recipes may be gone.
    setup = replace(recorded.header.setup, grew_from=parent, strata=(), version=None)
    try:
        return pinned(setup)
    except ValueError as fault:
        raise RunFileError(f"{recorded.path}: {fault}") from None


def take_over(recorded: RecordedRun) -> Session:
    """Begin a new, unscored run from the last state of ``recorded`` that can be had.

    That is its end or, if another version wrote it, the last of its keyframes. Raises
    `RunFileError` if there is none, `engine.records.run.OutOfSync` if its end cannot be reached.
    """
    playback = Playback(recorded)
    playback.seek(playback.last)
    state = playback.engine.state
    if not state.hero.alive:
        raise RunFileError(
            f"{recorded.path}: the hero is dead by then; there is nothing to take over"
        )
    setup = successor_setup(recorded, playback.position)
    path = new_run_path(setup.seed)
    session = Session(Run.begin_from(setup, save_state(state), path))
    session.say(f"You take over on turn {playback.position}. This run is not scored.", "accent")
    announce_file(session)
    return session
