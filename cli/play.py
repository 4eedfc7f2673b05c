"""`play`: open a window or the terminal and show the first screens."""

import argparse
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path

from cli.arguments import optional_int, optional_size, run_path
from cli.errors import DEBUG, OK, GameCrash, UsageError, keyframes_hint
from engine.levels.drawn_level import pack_drawn
from engine.levels.recipe_by_depth import code_at, parse_playable_code, setup_at
from engine.saves.ghost import setup_with_ghost
from engine.saves.run_file import OtherVersion, RecordedRun, read_run, unfinished
from engine.state.run_setup import Mode, RunSetup
from entities.data_files import DataError
from entities.program import PROGRAM
from procgen.level_code import CodeError
from procgen.level_overlays import user_overlays
from procgen.recipes import find_any, user_recipes
from procgen.settings import set_up
from render.app import App
from render.screens.menu import notice
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Begin, Leave, Push, Reply, Stoppable
from render.screens.title import TitleScreen
from render.session.start_run import chosen_seed, last_unfinished, resume, take_over
from render.tiles.user_tiles import user_tiles
from render.ui.frame import Backend, NoDisplay
from render.ui.options import load_options
from workbench.level_files import is_level_file, read_level


def run_app(app: App) -> int:
    """Run ``app``; turn any exception into a `GameCrash` that says where the run is saved."""
    try:
        app.run()
    except Exception as fault:
        problem = f"{type(fault).__name__}: {fault}"[:200]
        app.last_run = None  # The sentence below says how to continue it.
        text = f"something went wrong in the game ({problem}); {_where_run_is_kept(app)}"
        raise GameCrash(f"{text}; {DEBUG}=1 shows where it happened") from fault
    if app.lost:
        raise GameCrash(app.lost)
    return OK


def _where_run_is_kept(app: App) -> str:
    runs = [screen.session.run for screen in app.stack if isinstance(screen, PlayScreen)]
    recorders = [run.recorder for run in runs if run.recorder]
    if not recorders:
        return "no run was open"
    if recorders[-1].lost:
        return recorders[-1].lost
    return f"your run is kept in {recorders[-1].path} and `{PROGRAM} play --continue` continues it"


def play_game(options: argparse.Namespace) -> int:
    """Open a backend and play: from the title screen, or directly if the options name a dungeon."""
    start = _start(options)
    fault = load_options()
    app: App | None = None
    try:
        with open_backend(terminal=options.terminal) as backend:
            app = App(backend, TitleScreen())
            if start:
                app.answer(start)
            entry_faults = (user_recipes().faults | user_overlays().faults).values()
            for bad in [*user_tiles().faults, *entry_faults][:1]:
                app.answer(Push(notice(f"{bad}.")))
            if fault:
                app.answer(Push(notice(f"{fault}. Default options are used until it is fixed.")))
            return run_app(app)
    finally:  # Ctrl-C ends a run, too, and its terminal may be gone.
        if app and not app.lost and app.last_run and unfinished(app.last_run):
            with suppress(OSError):
                saved = f"Your run is saved: `{PROGRAM} play --continue` continues it."
                print(saved, file=sys.stderr)


def _start(options: argparse.Namespace) -> Reply:
    """Check the options; return the reply that starts play, None for the title screen."""
    if options.resume or options.take_over or options.ghost:
        return _resume_run(options)
    direct = (options.file, options.seed, options.generator, options.depth, options.size)
    if not options.workshop and all(value is None for value in direct):
        return None
    return Begin(chosen_setup(options))


def chosen_setup(options: argparse.Namespace) -> RunSetup:
    """Return the setup of the run that the options name; raise before anything is shown."""
    if options.file:
        return _setup_on(options)
    seed, typed = chosen_seed(options.seed)
    if options.generator is not None:
        set_up(find_any(options.generator), options.settings)
    mode = Mode.WORKSHOP if options.workshop else Mode.ADVENTURE
    depth = optional_int(options.depth, "--depth") or 1
    size, settings = optional_size(options.size), tuple(options.settings)
    setup = RunSetup(seed, typed, mode, options.generator, depth, size, settings=settings)
    code_at(setup, depth)  # Raises for an impossible size.
    return setup


def _setup_on(options: argparse.Namespace) -> RunSetup:
    """Return the setup of an adventure on a level file, or of a Workshop run on a level code."""
    if not is_level_file(options.file):
        if (options.seed, options.depth) != (None, None):
            raise UsageError("a level code has its seed and depth: leave out --seed and --depth")
        return setup_at(parse_playable_code(options.file))
    if options.workshop:
        raise UsageError("a level from a file is played as an adventure: leave out --workshop")
    level = read_level(Path(options.file))
    depth = optional_int(options.depth, "--depth") or level.code.depth
    seed, typed = chosen_seed(options.seed)
    name = Path(options.file).name
    try:
        return RunSetup(seed, typed, depth=depth, drawn=pack_drawn(level, depth), drawn_from=name)
    except CodeError as fault:
        raise DataError(f"{options.file}: {fault}") from None


def _resume_run(options: argparse.Namespace) -> Reply:
    """Read the run file; return the reply to continue it, take it over or meet its ghost."""
    if options.ghost:
        return Begin(setup_with_ghost(run_path(options.ghost)))
    if options.take_over:
        taken = read_run(run_path(options.take_over), tolerant=True)
        return Stoppable(lambda: Push(PlayScreen(take_over(taken))))
    try:
        recorded = last_unfinished()
    except OtherVersion as fault:
        raise OtherVersion(f"{fault}; {keyframes_hint(fault.path)}") from None
    if recorded is None:
        raise UsageError("there is no unfinished run to continue")
    return Stoppable(lambda: Push(PlayScreen(resume(recorded))))


def watch_replay(recorded: RecordedRun, *, terminal: bool, speed: float, from_turn: int) -> int:
    """Show a recorded run."""
    load_options()
    with open_backend(terminal=terminal) as backend:
        app = App(backend, TitleScreen())  # The title is shown after a run that was taken over.
        app.answer(Stoppable(lambda: Push(ReplayScreen(recorded, speed, from_turn, away=Leave()))))
        return run_app(app)


def open_backend(*, terminal: bool) -> Backend:
    """Return a window, or the terminal if asked for or if there is no display.

    Raises `NoDisplay`, with a sentence, if neither is available.
    """
    if not terminal and _display_available():
        from render.backends.window import WindowBackend  # noqa: PLC0415 - SDL is heavy

        with suppress(NoDisplay):
            window = WindowBackend()
            # SDL ignores SIGHUP: quit properly when the terminal that started the game closes.
            if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
                signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
            return window
    from render.backends.terminal import TerminalBackend  # noqa: PLC0415 - not with a window

    return TerminalBackend()


def _display_available() -> bool:
    """Return True if a window may open; on Linux and similar systems environment variables tell."""
    if sys.platform in {"win32", "darwin"}:
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEO_DRIVER", "SDL_VIDEODRIVER")
    return any(os.environ.get(name) for name in names)
