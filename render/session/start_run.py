"""Start a run, continue a recorded one, or take one over."""

import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from engine.levels.recipe_by_depth import pinned
from engine.saves import run_file
from engine.saves.files import new_run_path, recorded_paths
from engine.saves.keyframes import keyframes_path, read_keyframes
from engine.saves.playback import Desync, KeepKeyframes, Playback
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.saves.saved_state import save_state, unpack_state
from engine.state.actions import Refused
from engine.state.compression import InvalidSave
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import HERO
from entities.entity import Entity
from procgen.level_code import parse_seed
from render.messages.message_log import GAP
from render.session.session import Session, level_start
from render.ui.text import printable

RANDOM_LIMIT = 10**9
LONGEST_NAME, LONGEST_SEED = 80, 200
REPLAYED_TURNS = 200
"""Turns replayed to fill the message log when a run is continued."""
REPLAY_SECONDS = 0.5
"""The most seconds for that; then the replay goes on halfway to the end of the run."""
LARGEST_CONTINUED = 64 << 20
"""The most bytes of a run that is offered; real runs have far fewer."""


def fresh_seed() -> tuple[int, str]:
    """Return a random seed, short enough to say aloud, and its text."""
    seed = secrets.randbelow(RANDOM_LIMIT)
    return seed, str(seed)


def chosen_seed(text: str | None) -> tuple[int, str]:
    """Return the seed for ``text`` and the text itself; a random seed for None."""
    if text is None:
        return fresh_seed()
    return parse_seed(text), text.strip() if len(text) <= LONGEST_SEED else str(parse_seed(text))


def begin(setup: RunSetup) -> Session:
    """Start a run that is recorded in the runs folder."""
    session = Session(Run.begin(setup, new_run_path(setup.seed)))
    session.report_save_problems()
    return session


def last_unfinished() -> run_file.RecordedRun | None:
    """Return the last run played that can be continued, None without; Workshop runs don't count.

    Raises `RunFileError` if there are runs, but all are damaged or of other versions.
    """
    unreadable: run_file.RunFileError | None = None
    for path in recorded_paths():
        if not run_file.unfinished(path):
            continue
        try:
            run = run_file.read_run(path)
        except run_file.RunFileError as fault:
            unreadable = unreadable or fault
        else:
            if run.header.setup.mode is not Mode.WORKSHOP:
                run.skipped = unreadable
                return run
    if unreadable:
        raise unreadable
    return None


def continuable_runs() -> Iterator[run_file.Summary | None]:
    """Yield, for each recorded run, its summary if it can be continued, else None; newest first.

    One file is read between two results, so that a caller can stop in between: with thousands of
    runs the title screen must not wait for all of them.
    """
    for path in recorded_paths():
        with suppress(OSError):
            stats = path.stat()
            yield _continuable(path, stats.st_mtime_ns, stats.st_size)


@lru_cache(maxsize=20_000)
def _continuable(path: Path, _changed: int, size: int) -> run_file.Summary | None:
    """Return the summary of the run at ``path``, cached until the file changes."""
    if size > LARGEST_CONTINUED or not run_file.unfinished(path):
        return None
    run = run_file.summarize(path)
    return run if run.result == "unfinished" else None


def hero_of(path: Path) -> tuple[int, Entity] | None:
    """Return the turn of the last keyframe beside the run at ``path`` and the hero in it."""
    try:
        frame = read_keyframes(run_file.read_run(path)).frames[-1]
        entities = unpack_state(frame.state).entities
        return frame.turns, next(entity for entity in entities if entity.kind == HERO)
    except (run_file.RunFileError, InvalidSave, IndexError, StopIteration):
        return None


def resume(recorded: run_file.RecordedRun) -> Session:
    """Continue ``recorded`` where it ends; the log shows the messages of the last turns.

    Raises `engine.saves.playback.Desync` if replaying it does not give the recorded states,
    `RunFileError` if it cannot be continued, e.g. because another process plays it.
    """
    recorder = Recorder.resume(recorded)
    try:
        playback = Playback(recorded, KeepKeyframes.STORED)
        session = Session(Run(playback.engine))
        _replay_last_turns(playback, session)
    except BaseException:
        recorder.close()
        raise
    session.disturbed, session.card = False, []
    session.run = Run.resume(playback, recorder)
    session.follow_ghost()
    if recorded.skipped:
        session.say(f"Skipped a newer run: {printable(str(recorded.skipped))}.", "bad")
    session.say("You continue where you left off.", "accent")
    session.asks_again = True
    session.report_save_problems()
    return session


def _replay_last_turns(playback: Playback, session: Session) -> None:
    """Go to the end of the run and fill the log with the messages of its last turns.

    They follow each other without a gap: if there is no time for all of them, or those of the level
    before differ from the record, only the turns nearest to the end are told.
    """
    arrived, end = max(playback.recorded.arrivals), len(playback.recorded.actions)
    greeting, told, lead = len(session.log.messages), 0, REPLAYED_TURNS
    state = session.run.state  # A run taken over begins in the middle of a level.
    session.skip_turns(None if state.turn else level_start(state))
    while not playback.finished:
        if playback.position < arrived <= end - lead:
            playback.seek(arrived)
            session.skip_turns(level_start(session.run.state))
        until = time.monotonic() + REPLAY_SECONDS
        try:
            for events in playback.play_to(end, lead):
                if playback.position > told + 1:
                    del session.log.messages[greeting:]
                    session.say(GAP, "dim")
                told = playback.position
                session.add_events(events)
                session.animations.begin(events, session.run.state.map)  # This adds decals.
                if time.monotonic() > until:
                    break
            lead = (end - playback.position) // 2
        except Desync:
            if playback.position >= arrived:
                raise
            playback.seek(0)  # From there the next keyframe is that of the current level.
            lead = end - arrived
            del session.log.messages[greeting:]
            session.say(GAP, "dim")
    session.animations.begin([], session.run.state.map)


def branch_setup(recorded: run_file.RecordedRun, turn: int) -> RunSetup:
    """Return the setup of a run that branches off after ``turn`` of ``recorded``."""
    parent = f"{printable(recorded.path.name)[:LONGEST_NAME]}@{turn}"
    return replace(recorded.header.setup, grew_from=parent)


def successor_setup(recorded: run_file.RecordedRun, turn: int) -> RunSetup:
    """Return the setup of a new run, under this version, from a state of ``recorded``.

    Raises `RunFileError` if this version cannot build it.
    """
    # The strata of this version: recipes of the other version may no longer exist.
    setup = replace(branch_setup(recorded, turn), strata=(), version=None)
    try:
        return pinned(setup)
    except ValueError as fault:
        raise run_file.RunFileError(f"{recorded.path}: {fault}") from None


def take_over(recorded: run_file.RecordedRun) -> Session:
    """Begin a new, unscored run from the last reachable state of ``recorded``.

    That is its end or, if another version wrote it, its last keyframe. Raises `RunFileError` if
    there is none, `engine.saves.playback.Desync` if its end cannot be reached.
    """
    playback = Playback(recorded)
    playback.seek(playback.last)
    state = playback.engine.state
    if state.end:
        why = "the run is over by then; there is nothing left to take over"
        raise run_file.RunFileError(f"{recorded.path}: {why}")
    setup = successor_setup(recorded, playback.position)
    session = Session(Run.begin_from(setup, save_state(state), new_run_path(setup.seed)))
    session.say(f"You take over on turn {playback.position}. This run is not scored.", "accent")
    session.report_save_problems()
    return session


class TakeOverFailed(Exception):
    """A recorded run can't be replayed into the new file; the message is a sentence."""


class Branch:
    """A new, unscored run that starts at the position of ``playback``.

    The actions so far are replayed into the new run's file, so that it can be replayed without the
    old one. A run of another version can't be replayed: then the file starts with the state.
    """

    def __init__(self, playback: Playback) -> None:
        self.recorded = recorded = playback.recorded
        state = playback.engine.state
        self.turn = state.turn if recorded.foreign else playback.position
        setup = branch_setup(recorded, self.turn)
        path = new_run_path(setup.seed)
        if recorded.foreign:
            run = Run.begin_from(successor_setup(recorded, self.turn), save_state(state), path)
        elif recorded.header.state is not None:
            run = Run.begin_from(setup, unpack_state(recorded.header.state), path)
        else:
            run = Run.begin(setup, path)
        self.session = Session(run)
        self._left = [] if recorded.foreign else recorded.actions[: self.turn][::-1]

    @property
    def share(self) -> float:
        """The share of the actions replayed, 0 to 1."""
        return 1 - len(self._left) / max(1, self.turn)

    def work(self, seconds: float) -> bool:
        """Replay for ``seconds``; return whether everything is done. Raises `TakeOverFailed`."""
        end = time.monotonic() + seconds
        while self._left and time.monotonic() < end:
            action, _ = self._left.pop()
            if isinstance(self.session.act(action), Refused):
                turn = self.turn - len(self._left)
                raise TakeOverFailed(f"turn {turn} of {self.recorded.path.name} cannot be repeated")
        if self._left:
            return False
        self.session.disturbed = False
        self.session.say(f"You take over on turn {self.turn}. This run is not scored.", "accent")
        self.session.report_save_problems()
        return True

    def give_up(self) -> None:
        """Close the new run and delete its files."""
        run = self.session.run
        run.close()
        if run.recorder:
            for path in (run.recorder.path, keyframes_path(run.recorder.path)):
                path.unlink(missing_ok=True)
