"""The whole program, started in a real terminal or window."""

import contextlib
import os
import pty
import shutil
import sys
import threading
import time

from engine.saves.run_file import RunFileError, read_run
from support.paths import ROOT

WINDOW = shutil.which("Xvfb") and shutil.which("xdotool")


def recorded(home):
    """Return the actions recorded under ``home`` so far."""
    for path in (home / "runs").glob("*.jsonl"):
        with contextlib.suppress(RunFileError):
            return [action for action, _ in read_run(path).actions]
    return []


SAVED = b"Your run is saved: `main.py play --continue` continues it.\n"


def until(true, seconds=30):
    """Wait until ``true()`` is, and return whether it came to be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


class Session:
    """The game in a terminal of its own."""

    def __init__(self, *arguments):
        front = [arguments[0]] if arguments[0] == "replay" else []
        rest = [*arguments[len(front) :], "--terminal"]
        command = [sys.executable, str(ROOT / "main.py"), *front, *rest]
        self.heard = b""
        self.child, self.line = pty.fork()
        if self.child == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", COLUMNS="", LINES="")
            os.execv(command[0], command)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with contextlib.suppress(OSError):
            while data := os.read(self.line, 65536):
                self.heard += data

    def types(self, text):
        os.write(self.line, text.encode())

    def ends(self):
        """Return the exit code, or the signal as a negative number."""
        found = []

        def gone():
            pid, status = os.waitpid(self.child, os.WNOHANG)
            if pid:
                found.append(os.waitstatus_to_exitcode(status))
            return bool(pid)

        assert until(gone)
        return found[0]


def start(own_home, *arguments):
    game = Session(*arguments)
    assert until(lambda: list((own_home / "runs").glob("*.jsonl")))
    assert until(lambda: b"turn" in game.heard)
    return game
