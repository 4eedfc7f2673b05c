"""The whole program in a real window and a real terminal; what it did is read from its run file."""

import os
import signal
import subprocess
import sys

from PIL import Image

from engine.state.actions import Move
from support.paths import ROOT
from support.real_program import SAVED, Session, recorded, start, until


def test_a_key_in_the_window_moves_the_hero(screen, own_home):
    # Where Wayland is installed but not running, its library complains unless it is left alone.
    environment = {**os.environ, "DISPLAY": screen, "SDL_VIDEO_DRIVER": "x11"}
    command = [sys.executable, "main.py", "--seed", "43", "--generator", "bsp"]
    game = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)

    def key(name):
        subprocess.run(["xdotool", "key", name], env=environment, check=True)

    try:
        assert until(lambda: list((own_home / "runs").glob("*.jsonl")))

        def moved():
            key("1")  # Choose a background.
            key("l")
            return Move(1, 0) in recorded(own_home)

        assert until(moved)
        pictures = own_home / "screenshots"

        def whole():
            if not list(pictures.glob("*.png")):
                key("F12")  # Again, as with the step: a busy display can lose a key.
            # A PNG ends so.
            return [path for path in pictures.glob("*.png") if b"IEND" in path.read_bytes()[-12:]]

        assert until(whole)
        image = Image.open(whole()[0])
        assert image.size[0] >= 640
        assert len(image.convert("RGB").getcolors(10**6)) > 50
    finally:
        game.send_signal(signal.SIGTERM)
        _, errors = game.communicate(timeout=20)
    assert errors == SAVED


def test_the_terminal_plays_and_ctrl_c_leaves_it_as_it_was(own_home):
    game = start(own_home, "--seed", "43", "--generator", "bsp")
    game.types("1l.h")
    assert until(lambda: len(recorded(own_home)) == 4)
    game.types("\x03")
    assert game.ends() == 130
    assert b"\x1b[?1049l" in game.heard
    assert b"Traceback" not in game.heard


def test_a_killed_run_goes_on_where_it_was(own_home):
    game = start(own_home, "--seed", "43", "--generator", "bsp")
    game.types("1l..")
    assert until(lambda: len(recorded(own_home)) == 4)
    os.kill(game.child, signal.SIGKILL)
    assert game.ends() == -signal.SIGKILL
    again = start(own_home, "--continue")
    assert until(lambda: b"You continue where you left off" in again.heard)
    again.types(".")
    assert until(lambda: len(recorded(own_home)) == 5)
    again.types("S")
    assert until(lambda: b"New adventure" in again.heard)
    again.types("q")
    assert again.ends() == 0


def test_a_replay_plays_in_the_terminal(own_home):
    game = start(own_home, "--seed", "43", "--generator", "bsp")
    game.types("1l..h")
    assert until(lambda: len(recorded(own_home)) == 5)
    game.types("\x03")
    game.ends()
    path = next(iter((own_home / "runs").glob("*.jsonl")))
    again = Session("replay", str(path))
    assert until(lambda: b"5 of 5" in again.heard)
    again.types("q")
    assert again.ends() == 0
