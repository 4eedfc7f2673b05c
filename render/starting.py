"""Beginning a run, going on with one."""

import secrets

from engine.places import new_run_path, recorded_paths
from engine.record import RecordedRun, Recorder, RunFileError, read_run
from engine.run import Playback, Run
from engine.setup import Setup
from procgen.code import parse_seed
from render.session import Session

RANDOM_LIMIT = 10**9


def fresh_seed() -> tuple[int, str]:
    """Return a random seed and how it is written; short enough to say aloud."""
    seed = secrets.randbelow(RANDOM_LIMIT)
    return seed, str(seed)


def chosen_seed(text: str | None) -> tuple[int, str]:
    """Return the seed that ``text`` means and the text itself; a fresh one for no text."""
    if text is None or not text.strip():
        return fresh_seed()
    return parse_seed(text), text.strip()[:200]


def begin(setup: Setup) -> Session:
    """Start a run, recorded in the runs folder."""
    session = Session(Run.begin(setup, new_run_path(setup.seed)))
    recorder = session.run.recorder
    if recorder and recorder.problem:
        session.say(f"Warning: {recorder.problem}.", "bad")
    return session


def last_unfinished() -> RecordedRun | None:
    """Return the run played last that can go on, if there is one."""
    for path in recorded_paths():
        try:
            run = read_run(path)
        except RunFileError:
            continue
        if run.end is None:
            return run
    return None


def resume(recorded: RecordedRun) -> Session:
    """Play ``recorded`` to its end in a moment and go on from there.

    Raises `engine.run.OutOfSync` if it does not come out as recorded.
    """
    playback = Playback(recorded)
    session = Session(Run(playback.engine))
    for events in playback.to_end():
        session.hear(events)
    session.disturbed = False
    session.run.recorder = Recorder.resume(recorded)
    session.say("You go on where you left.", "accent")
    return session
