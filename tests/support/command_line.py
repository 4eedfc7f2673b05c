"""The command line, as a process of its own or within this one."""

import os
import subprocess
import sys

from main import main
from support.paths import ROOT

PLAIN = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY"}}
"""An environment without a display."""


def run(*arguments, **options):
    """Run main.py without a display or a terminal."""
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**PLAIN, "SEEDHOLLOW_DATA": os.environ["SEEDHOLLOW_DATA"], **options.pop("env", {})},
        timeout=120,
        check=False,
        **options,
    )


def assert_refused(arguments, words, capsys, code=2):
    """Hold the command line to one sentence with ``words`` in it, and to an exit ``code``."""
    assert main([str(argument) for argument in arguments]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1
