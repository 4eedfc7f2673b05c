"""The recorded runs, newest first, to watch one; and what can be done with another version's."""

from contextlib import suppress

from engine.saves.files import recorded_paths
from engine.saves.playback import Desync
from engine.saves.run_file import RecordedRun, RunFileError, RunHeader, Summary, read_run, summarize
from render.screens.menu import LETTERS, Choice, Menu, notice
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Pop, Push, Reply, Swap
from render.session.start_run import take_over

MOST = 30


def record_list() -> Menu:
    """Return a list of the newest recorded runs to watch."""
    choices = []
    for path, letter in zip(recorded_paths()[:MOST], LETTERS, strict=False):
        with suppress(OSError):
            run = summarize(path)
            if run.header:
                choices.append(_choice(run, run.header, letter))
    return Menu("Replay a run", choices) if choices else notice("There are no recorded runs yet.")


def _choice(run: Summary, header: RunHeader, letter: str) -> Choice:
    name = header.setup.generator or header.setup.mode.value
    label = f"{header.started[:16].replace('T', ' ')}  {name}  seed {header.setup.typed_seed[:20]}"
    return Choice(label, letter, lambda: opened_record(run), f"{run.turns} turns, {run.result}")


def opened_record(run: Summary) -> Reply:
    """Show a run, as far as it is whole; of another version's, say first what is left."""
    try:
        recorded = read_run(run.path, tolerant=True)
        replay = ReplayScreen(recorded)
    except RunFileError as fault:
        return Push(notice(f"{fault}."))
    if not recorded.foreign:
        return Push(replay)
    return Push(_foreign(recorded, replay))


def _foreign(recorded: RecordedRun, replay: ReplayScreen) -> Menu:
    """Return the question what to do with a run whose actions mean nothing here."""

    def over() -> Reply:
        try:
            return Swap(PlayScreen(take_over(recorded)))
        except (Desync, RunFileError) as fault:
            return Swap(notice(f"{fault}."))

    lead = f"{recorded.fault}. Its turns cannot be played, but states were kept now and then."
    choices = [
        Choice("Watch those, one after another", "w", lambda: Swap(replay)),
        Choice("Go on from the last of them, in a new run that is not scored", "g", over),
        Choice("Back", "b", Pop),
    ]
    return Menu("A run of another version", choices, lead)
