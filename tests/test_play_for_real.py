"""The whole program in a real window and a real terminal; what it did is read from its run file."""

import contextlib
import os
import pty
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest
from PIL import Image

from conftest import ROOT
from engine.saves.run_file import RunFileError, read_run
from engine.state.actions import Move

WINDOW = shutil.which("Xvfb") and shutil.which("xdotool")


def recorded(home):
    """Return the actions recorded under ``home`` so far."""
    for path in (home / "runs").glob("*.jsonl"):
        with contextlib.suppress(RunFileError):
            return [action for action, _ in read_run(path).actions]
    return []


def until(true, seconds=30):
    """Wait until ``true()`` is, and return whether it came to be."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def screen():
    """Start a virtual screen and return its name."""
    if not WINDOW:
        pytest.skip("Xvfb and xdotool are not installed")
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1300x850x24"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as pipe:
        number = pipe.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait()


def test_a_key_in_the_window_moves_the_hero(screen, own_home):
    # Where Wayland is installed but not running, its library complains unless it is left alone.
    environment = {**os.environ, "DISPLAY": screen, "SDL_VIDEO_DRIVER": "x11"}
    command = [sys.executable, "main.py", "--seed", "42", "--generator", "bsp"]
    game = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)

    def key(name):
        subprocess.run(["xdotool", "key", name], env=environment, check=True)

    try:
        assert until(lambda: list((own_home / "runs").glob("*.jsonl")))

        def moved():
            key("l")
            return Move(1, 0) in recorded(own_home)

        assert until(moved)
        key("F12")
        pictures = own_home / "screenshots"
        assert until(lambda: list(pictures.glob("*.png")))
        time.sleep(0.5)
        image = Image.open(next(iter(pictures.glob("*.png"))))
        assert image.size[0] >= 640
        assert len(image.convert("RGB").getcolors(10**6)) > 50
    finally:
        game.send_signal(signal.SIGTERM)
        _, errors = game.communicate(timeout=20)
    assert errors == b""


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


def test_the_terminal_plays_and_ctrl_c_leaves_it_as_it_was(own_home):
    game = start(own_home, "--seed", "42", "--generator", "bsp")
    game.types("l.h")
    assert until(lambda: len(recorded(own_home)) == 3)
    game.types("\x03")
    assert game.ends() == 130
    assert b"\x1b[?1049l" in game.heard
    assert b"Traceback" not in game.heard


def test_a_killed_run_goes_on_where_it_was(own_home):
    game = start(own_home, "--seed", "42", "--generator", "bsp")
    game.types("l..")
    assert until(lambda: len(recorded(own_home)) == 3)
    os.kill(game.child, signal.SIGKILL)
    assert game.ends() == -signal.SIGKILL
    again = start(own_home, "--continue")
    assert until(lambda: b"go on where you left" in again.heard)
    again.types(".")
    assert until(lambda: len(recorded(own_home)) == 4)
    again.types("S")
    assert until(lambda: b"New adventure" in again.heard)
    again.types("q")
    assert again.ends() == 0


def test_a_replay_plays_in_the_terminal(own_home):
    game = start(own_home, "--seed", "42", "--generator", "bsp")
    game.types("l..h")
    assert until(lambda: len(recorded(own_home)) == 4)
    game.types("\x03")
    game.ends()
    path = next(iter((own_home / "runs").glob("*.jsonl")))
    again = Session("replay", str(path))
    assert until(lambda: b"4 of 4" in again.heard)
    again.types("q")
    assert again.ends() == 0
