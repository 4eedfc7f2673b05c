"""Exit codes, and one sentence on stderr for every error a user can cause."""

import argparse
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Desync, LevelMismatch
from engine.saves.run_file import OtherVersion, RunFileError
from entities.data_files import DataError
from entities.program import PROGRAM
from procgen.level_code import CodeError, FaultyRecipe, UnknownRecipe
from procgen.recipe_builder import BuildFailed, StepInterrupted
from procgen.recipes import TooSmall
from render.ui.frame import NoDisplay
from render.ui.text import clipped, printable
from workbench.search.dask_pool import PoolUnavailable

OK, FAILURE, USAGE, OTHER_VERSION, OUT_OF_SYNC, NO_DISPLAY, CHECK_FAILED = range(7)
INTERRUPTED = 130


class UsageError(Exception):
    """The command line asks for something impossible; the message is a sentence."""


class GameCrash(Exception):
    """The game crashed while it was played; the message says where the run is saved."""


LONGEST = 2000
"""The most characters printed of a sentence, which may quote a very long word of a file."""
DEBUG = "SEEDHOLLOW_DEBUG"
"""Environment variable: if set, errors are printed with their traceback."""

DESYNC_HINT = f"`{PROGRAM} replay FILE` shows the run up to that turn, where `t` takes it over"

EXIT_CODES: dict[type[Exception], int] = {
    **dict.fromkeys((UsageError, PoolUnavailable, CodeError, UnknownRecipe, TooSmall), USAGE),
    **dict.fromkeys((FaultyRecipe, RunFileError, GameCrash, DataError, BuildFailed), FAILURE),
    OSError: FAILURE,
    **dict.fromkeys((OtherVersion, LevelMismatch), OTHER_VERSION),
    Desync: OUT_OF_SYNC,
    NoDisplay: NO_DISPLAY,
}


def keyframes_hint(path: Path | None) -> str:
    """Return what can still be done with the run of another version at ``path``."""
    if not (path and keyframes_path(path).exists()):
        return "it has no keyframes to watch"
    continues = f"`{PROGRAM} play --take-over FILE` continues from the last of them as a new run"
    return f"`{PROGRAM} replay FILE --keyframes` shows its keyframes, and {continues}"


def run_command(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Run ``command`` and return its exit code; turn exceptions into one sentence on stderr."""
    try:
        code = command(options)
        sys.stdout.flush()
    except Desync as fault:
        return report_fault(fault, f"{fault}; {DESYNC_HINT}" if fault.turn > 1 else str(fault))
    except StepInterrupted as stop:
        print(f"{PROGRAM}: {stop}", file=sys.stderr)
        raise
    except SystemExit as left:
        if not isinstance(left.__context__, BrokenPipeError):
            raise
        return OK  # A rich console raises this when the reader (head, less) closes the pipe.
    except OSError as fault:
        return report_os_error(fault)
    except tuple(EXIT_CODES) as fault:
        return report_fault(fault, str(fault))
    except Exception as fault:  # noqa: BLE001 - a bug, but still one sentence
        problem = f"{type(fault).__name__}: {fault}"[:200]
        return report_fault(
            fault, f"a bug in the program ({problem}); {DEBUG}=1 shows the traceback"
        )
    return code


def report_os_error(fault: OSError) -> int:
    """Print which file or output cannot be used; return the exit code, `OK` for a closed pipe."""
    if not fault.errno:
        return report_fault(fault, str(fault))
    flush_or_drop(sys.stdout)
    if isinstance(fault, BrokenPipeError):  # As above, but raised by print.
        return OK
    text = f"{fault.filename} cannot be used" if fault.filename else "the output cannot be written"
    return report_fault(fault, f"{text} ({fault.strerror})")


def flush_or_drop(stream: TextIO) -> None:
    """Flush ``stream``; drop unwritable output, since Python would exit with 120 because of it."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def report_fault(fault: Exception, text: str, program: str = PROGRAM) -> int:
    """Print ``program`` and ``text``; return the exit code of ``fault``, `FAILURE` without one."""
    with suppress(OSError):  # If stderr cannot be written, the exit code still tells.
        if os.environ.get(DEBUG):
            traceback.print_exception(fault)
        print(f"{program}: {printable(clipped(text, LONGEST))}", file=sys.stderr)
    flush_or_drop(sys.stderr)
    return next((EXIT_CODES[kind] for kind in type(fault).__mro__ if kind in EXIT_CODES), FAILURE)
