"""The command line, as a process of its own or within this one."""

import contextlib
import io
import os
import subprocess
import sys
from unittest.mock import patch

from main import main
from support.paths import ROOT

PLAIN = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
"""An environment without a display."""


def run(*arguments):
    """Run a command within this process, without a display or a terminal: quick, no imports.

    Returns what `start_program` returns.
    """
    words = [str(argument) for argument in arguments]
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    plain = {**PLAIN, "SEEDHOLLOW_DATA": os.environ["SEEDHOLLOW_DATA"]}
    with (
        patch.dict(os.environ, plain, clear=True),
        patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = main(words)
        except SystemExit as left:  # argparse leaves so.
            code = left.code or 0
    printed, said = (stream.buffer.getvalue().decode() for stream in (out, err))
    return subprocess.CompletedProcess(words, code, printed, said)


def start_program(*arguments):
    """Run main.py as a process of its own, without a display or a terminal."""
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**PLAIN, "SEEDHOLLOW_DATA": os.environ["SEEDHOLLOW_DATA"]},
        timeout=120,
        check=False,
    )


def assert_refused(arguments, words, capsys, code=2):
    """Hold the command line to one sentence with ``words`` in it, and to an exit ``code``."""
    assert main([str(argument) for argument in arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1
