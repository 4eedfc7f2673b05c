"""What goes wrong, said in one sentence with the right exit code."""

import argparse
import os
import sys
import traceback
from collections.abc import Callable

from engine.saves.playback import Desync, LevelMismatch
from engine.saves.run_file import OtherVersion, RunFileError
from entities.data_files import DataError
from procgen.level_code import CodeError
from procgen.recipe_builder import BuildFailed
from procgen.recipes import TooSmall, UnknownRecipe
from render.ui.frame import NoDisplay
from render.ui.text import printable
from workbench.search.dask_pool import PoolUnavailable

OK, FAILURE, USAGE, OTHER_VERSION, OUT_OF_SYNC, NO_DISPLAY, CHECK_FAILED = range(7)
INTERRUPTED = 130


class UsageError(Exception):
    """The command line asks for what cannot be; the message is a sentence."""


class GameCrash(Exception):
    """The game broke while it was played; the message says where the run is."""


DEBUG = "SEEDHOLLOW_DEBUG"
"""An environment variable; if it is set, a fault of ours comes with its traceback."""

KEYFRAMES_HINT = (
    "what can still be done: watch what was kept of it with `main.py replay FILE --keyframes`, or "
    "go on from the last of that as a new run with `main.py play --take-over FILE`"
)
DESYNC_HINT = "`main.py replay FILE` shows the run up to there, and `t` there takes it over"

EXIT_CODES: dict[type[Exception], int] = {
    UsageError: USAGE,
    PoolUnavailable: USAGE,
    CodeError: USAGE,
    UnknownRecipe: USAGE,
    TooSmall: USAGE,
    OtherVersion: OTHER_VERSION,
    RunFileError: FAILURE,
    Desync: OUT_OF_SYNC,
    LevelMismatch: OTHER_VERSION,
    GameCrash: FAILURE,
    NoDisplay: NO_DISPLAY,
    DataError: FAILURE,
    BuildFailed: FAILURE,
    OSError: FAILURE,
}


def run_command(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Return the command's exit code; a fault a user can cause becomes a sentence on stderr."""
    try:
        code = command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has enough; the interpreter must not complain on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Desync as fault:
        return _report(fault, f"{fault}; {DESYNC_HINT}" if fault.turn > 1 else str(fault))
    except tuple(EXIT_CODES) as fault:
        return _report(fault, str(fault))
    except Exception as fault:  # noqa: BLE001 - whatever is left is ours, and still a sentence
        what = f"{type(fault).__name__}: {fault}"[:200]
        return _report(fault, f"a fault of the program, not yours ({what}); {DEBUG}=1 shows where")
    return code


def _report(fault: Exception, text: str) -> int:
    """Say what is wrong and return its exit code; `FAILURE` if there is none."""
    if os.environ.get(DEBUG):
        traceback.print_exception(fault)
    print(f"main.py: {printable(text)}", file=sys.stderr)
    return next((EXIT_CODES[kind] for kind in type(fault).__mro__ if kind in EXIT_CODES), FAILURE)
