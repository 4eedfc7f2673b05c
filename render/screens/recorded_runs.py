"""The menu of recorded runs, newest first, and the dialog for runs of another version."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from engine.saves.files import recorded_paths
from engine.saves.playback import Desync
from engine.saves.run_file import RecordedRun, RunFileError, RunHeader, Summary, read_run, summarize
from entities.wording import pluralise
from render.panels.morgue import ending_text
from render.screens.menu import LETTERS, Choice, Menu, notice
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Pop, Push, Reply, Stoppable, Swap
from render.session.start_run import take_over
from render.ui.text import printable

MAX_RUNS = 30


def recorded_runs_menu() -> Menu:
    """Return a menu of the newest recorded runs, to watch one."""
    paths = recorded_paths()
    runs = list(islice(_readable(paths), MAX_RUNS))
    if not runs:
        return notice("There are no recorded runs yet.", "Replay a run")
    choices = [_choice(*run, letter) for run, letter in zip(runs, LETTERS, strict=False)]
    intro, unreadable = newest_of(MAX_RUNS, len(paths)), len(paths) - len(runs)
    if unreadable and len(runs) < MAX_RUNS:
        intro = f"{pluralise(unreadable, 'file')} cannot be read; the command `runs` lists all."
    return Menu("Replay a run", choices, intro)


def _readable(paths: Iterable[Path]) -> Iterator[tuple[Summary, RunHeader]]:
    """Yield the runs that can be read, with their headers."""
    for path in paths:
        with suppress(OSError):
            run = summarize(path)
            if run.header:
                yield run, run.header


def newest_of(listed: int, total: int) -> str:
    """Return a sentence on runs that do not fit into a menu, '' if it shows all."""
    if total <= listed:
        return ""
    return f"The newest {listed} of {total} runs; the command `runs` lists all of them."


def _choice(run: Summary, header: RunHeader, letter: str) -> Choice:
    started = header.started[:16].replace("T", " ")
    ending = f"{pluralise(run.turns, 'turn')}, {ending_text(run.result)}"
    # The rest is a note, which is cut first: the end of the run must stay visible.
    label = printable(f"{started}  {header.kind_or_dungeon:<9}  {ending}")
    seed, origin = header.setup.typed_seed[:20], header.setup.taken_over
    note = printable(f"{run.place}  seed {seed}  {run.path.stem}  {origin}".strip())
    return Choice(label, letter, lambda: open_recording(run), note)


def open_recording(run: Summary) -> Reply:
    """Open a run up to its first damaged line; if another version recorded it, ask first."""

    def opened() -> Reply:
        recorded = read_run(run.path, tolerant=True)
        replay = ReplayScreen(recorded)
        return Push(_foreign_menu(recorded, replay) if recorded.foreign else replay)

    return Stoppable(opened)


def _foreign_menu(recorded: RecordedRun, replay: ReplayScreen) -> Menu:
    """Return the dialog for a run whose actions this version can't replay."""

    def over() -> Reply:
        try:
            return Swap(PlayScreen(take_over(recorded)))
        except (Desync, RunFileError) as fault:
            return Swap(notice(f"{fault}.", "Replay a run"))

    intro = f"{recorded.fault}. Its turns can't be played, but some saved states can be shown."
    choices = [
        Choice("Watch the saved states", "w", lambda: Swap(replay)),
        Choice("Play on from the last one, in a new unscored run", "g", lambda: Stoppable(over)),
        Choice("Back", "b", Pop),
    ]
    return Menu("A run of another version", choices, intro)
