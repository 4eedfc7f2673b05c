"""Entry point: parse the command line and run the chosen command."""

import argparse
import gc
import os
import re
import shlex
import signal
import sys
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from cli.argument_parsers import add_options, command_function, command_summaries, conflict
from entities.program import PROGRAM, VERSION
from workbench.search.interrupts import handle_interrupts

INTERRUPTED = 130
FOLDERS = {"data_dir": "SEEDHOLLOW_DATA", "mine": "SEEDHOLLOW_MINE"}
"""The options that choose folders, and the equivalent environment variables."""


class _Parser(argparse.ArgumentParser):
    """Reports what is wrong with a command line in one sentence."""

    def error(self, message: str) -> NoReturn:
        from cli.errors import UsageError, report_fault

        sentence = f"{message}{self._hint(message)} (see --help)"
        sys.exit(report_fault(UsageError(sentence), sentence, self.prog))

    def _print_message(self, message: str, file: Any = None) -> None:
        (file or sys.stderr).write(message)  # argparse itself would ignore a full disk.

    def _hint(self, message: str) -> str:
        """Return the word closest to the choice or option that ``message`` rejects."""
        from entities.wording import did_you_mean

        if choice := re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message):
            return did_you_mean(choice[1], re.findall(r"[\w-]+", choice[2]))
        option = re.search(r"unrecognized arguments:.*?(--[\w-]+)", message)
        return did_you_mean(option[1], self._option_string_actions) if option else ""


@cache
def parser() -> argparse.ArgumentParser:
    """Return the command-line parser without heavy imports, so that ``--help`` is quick."""
    top = _Parser(
        prog=PROGRAM,
        description="Seedhollow: a roguelike whose dungeons grow from a seed.",
        epilog="Without a command, the game starts: at the title menu, or directly in a dungeon "
        "with --seed or --generator.",
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"Seedhollow {VERSION}")
    add_options(top, "play", files=False)
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    for name, summary in command_summaries().items():
        # An abbreviation could mean another option: --depth in a command that has only --depths.
        add_options(commands.add_parser(name, help=summary, allow_abbrev=False), name)
    top.set_defaults(parsers=commands.choices, file=None)
    return top


def dispatch(options: argparse.Namespace) -> int:
    """Run the chosen command; reject options that exclude each other."""
    from cli.errors import UsageError

    if fault := conflict(options):
        raise UsageError(fault)
    command = command_function(options.command)
    _freeze_garbage_collector()
    return command(options)


@cache
def _freeze_garbage_collector() -> None:
    """Exempt everything loaded so far from garbage collection, once per process.

    A full collection over the loaded modules takes as long as building two levels, and could
    happen in the middle of a turn.
    """
    gc.freeze()


def main(arguments: list[str] | None = None) -> int:
    """Parse ``arguments``, run the command they name and return its exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    try:
        try:
            options = _parse(words)
        finally:
            sys.stdout.flush()  # Nothing else flushes it after --help and --version.
    except OSError as lost:
        from cli.errors import report_os_error

        return report_os_error(lost)
    folders = list[str]()
    for option, variable in FOLDERS.items():  # Worker processes inherit the environment.
        if option in options:
            os.environ[variable] = getattr(options, option)
            folders += [f"--{option.replace('_', '-')}", os.environ[variable]]
    os.environ["SEEDHOLLOW_OPTIONS"] = shlex.join(folders)
    try:
        with handle_interrupts():
            from cli.errors import run_command

            return run_command(dispatch, options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _not_utf8(words: list[str]) -> str | None:
    """Return a sentence on the first word that is not UTF-8; its bytes arrive as surrogates."""
    for word in words:
        if any("\ud800" <= char <= "\udfff" for char in word):
            raw = ascii(word.encode(errors="surrogateescape"))[2:-1]
            return f"the argument '{raw[:80]}' is not valid UTF-8"
    return None


def _parse(words: list[str]) -> argparse.Namespace:
    """Parse the command line; on a fault, exit with the usage of the command concerned."""
    top = parser()
    if fault := _not_utf8(words):
        top.error(fault)
    options, unknown = top.parse_known_args(words)
    chosen = options.parsers[options.command] if options.command else top
    if unknown:
        chosen.error(f"unrecognized arguments: {' '.join(unknown)}")
    for option, variable in FOLDERS.items():
        folder = vars(options).get(option, os.environ.get(variable) or None)
        if folder is None or (folder and Path(folder).is_dir()):
            continue
        if not folder or option == "mine" or Path(folder).exists():  # --data-dir is made later.
            name = f"--{option.replace('_', '-')}" if option in options else f"${variable}"
            chosen.error(f"{name} {folder!r} is not a folder")
    if options.command and (early := _options_before_command(words)):
        top.error(f"put {', '.join(early)} after {options.command!r}, not before")
    return options


def _options_before_command(words: list[str]) -> list[str]:
    """Return the options given before the command, which argparse would drop silently."""
    front = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    add_options(front, "play", files=False)
    front.add_argument("rest", nargs=argparse.REMAINDER)
    before = words[: len(words) - len(front.parse_args(words).rest)]
    names = [word.partition("=")[0] for word in before if word.startswith("--")]
    return [name for name in names if name not in {"--data-dir", "--mine"}]


def replace_closed_streams() -> None:
    """Open the null device in place of standard streams that were closed before the start.

    Python sets a closed stream to None, and print() to the other stream would then be used instead.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    if isinstance(sys.stdout, TextIOWrapper):  # Its encoding may lack a letter of a seed.
        sys.stdout.reconfigure(errors="backslashreplace")


def run_program() -> NoReturn:
    """Run the program in its own process, and exit."""
    if hasattr(sys, "frozen"):  # Worker processes of a PyInstaller program start here.
        from multiprocessing import freeze_support

        freeze_support()
    replace_closed_streams()
    code = main()
    if code == INTERRUPTED:  # A second Ctrl-C must not interrupt the interpreter's clean-up.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


if __name__ == "__main__":
    run_program()
