"""What goes wrong, said in one sentence with the right exit code."""

import argparse
import os
import sys
from collections.abc import Callable

from engine.record import OtherVersion, RunFileError
from engine.run import OutOfSync
from entities.data import DataError
from procgen.build import BuildFailed
from procgen.code import CodeError
from procgen.recipes import TooSmall, UnknownRecipe
from render.frame import NoDisplay

OK, FAILURE, USAGE, OTHER_VERSION, OUT_OF_SYNC, NO_DISPLAY, CHECK_FAILED = range(7)


class UsageError(Exception):
    """The command line asks for what cannot be; the message is a sentence."""


CODES: dict[type[Exception], int] = {
    UsageError: USAGE,
    CodeError: USAGE,
    UnknownRecipe: USAGE,
    TooSmall: USAGE,
    OtherVersion: OTHER_VERSION,
    RunFileError: FAILURE,
    OutOfSync: OUT_OF_SYNC,
    NoDisplay: NO_DISPLAY,
    DataError: FAILURE,
    BuildFailed: FAILURE,
    OSError: FAILURE,
}


def explained(command: Callable[[argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Return the command's exit code; a fault a user can cause becomes a sentence on stderr."""
    try:
        code = command(options)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has enough; the interpreter must not complain on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except tuple(CODES) as fault:
        print(f"main.py: {fault}", file=sys.stderr)
        return next(CODES[kind] for kind in type(fault).__mro__ if kind in CODES)
    return code
