"""The menu of recorded runs, newest first, and the dialog for runs of another version."""

from contextlib import suppress

from engine.saves.files import recorded_paths
from engine.saves.playback import Desync
from engine.saves.run_file import RecordedRun, RunFileError, RunHeader, Summary, read_run, summarize
from render.screens.menu import LETTERS, Choice, Menu, notice
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Pop, Push, Reply, Stoppable, Swap
from render.session.start_run import take_over
from render.ui.text import printable

MAX_RUNS = 30


def recorded_runs_menu() -> Menu:
    """Return a menu of the newest recorded runs, to watch one."""
    choices, paths = [], recorded_paths()
    for path, letter in zip(paths[:MAX_RUNS], LETTERS, strict=False):
        with suppress(OSError):
            run = summarize(path)
            if run.header:
                choices.append(_choice(run, run.header, letter))
    if not choices:
        return notice("There are no recorded runs yet.")
    return Menu("Replay a run", choices, newest_of(MAX_RUNS, len(paths)))


def newest_of(shown: int, total: int) -> str:
    """Return a sentence on runs that a menu has no room for, '' if it shows all."""
    if total <= shown:
        return ""
    return f"The newest {shown} of {total} runs; the command `runs` lists all of them."


def _choice(run: Summary, header: RunHeader, letter: str) -> Choice:
    name = header.setup.generator or header.setup.mode.value
    began, seed = header.started[:16].replace("T", " "), header.setup.typed_seed[:20]
    label = printable(f"{began}  {name}  seed {seed}")
    return Choice(label, letter, lambda: open_recording(run), f"{run.turns} turns, {run.result}")


def open_recording(run: Summary) -> Reply:
    """Open a run up to the first damaged line; if another version recorded it, ask first."""
    return Stoppable(lambda: _opened(run))


def _opened(run: Summary) -> Reply:
    try:
        recorded = read_run(run.path, tolerant=True)
        replay = ReplayScreen(recorded)
    except RunFileError as fault:
        return Push(notice(f"{fault}."))
    if not recorded.foreign:
        return Push(replay)
    return Push(_foreign_menu(recorded, replay))


def _foreign_menu(recorded: RecordedRun, replay: ReplayScreen) -> Menu:
    """Return the dialog for a run whose actions this version can't play."""

    def over() -> Reply:
        try:
            return Swap(PlayScreen(take_over(recorded)))
        except (Desync, RunFileError) as fault:
            return Swap(notice(f"{fault}."))

    going_on = Stoppable(over)

    lead = f"{recorded.fault}. Its turns can't be played, but some saved states can be shown."
    choices = [
        Choice("Watch the saved states", "w", lambda: Swap(replay)),
        Choice("Play on from the last one, in a new unscored run", "g", lambda: going_on),
        Choice("Back", "b", Pop),
    ]
    return Menu("A run of another version", choices, lead)
