"""The whole program, when its terminal is closed or another one plays the same run."""

import os
import signal
import subprocess
import sys

from support.paths import ROOT
from support.real_program import SAVED, Session, recorded, start, until


def test_a_closed_terminal_ends_it_cleanly_and_the_run_goes_on(own_home):
    game = start(own_home, "--seed", "43", "--generator", "bsp")
    game.types("1l..")
    assert until(lambda: len(recorded(own_home)) == 4)
    os.kill(game.child, signal.SIGHUP)
    assert game.ends() == 0
    again = start(own_home, "--continue")
    assert until(lambda: b"You continue where you left off" in again.heard)
    again.types("\x03")
    again.ends()
    assert len(recorded(own_home)) == 4


def test_two_terminals_cannot_play_one_run(own_home):
    game = start(own_home, "--seed", "43", "--generator", "bsp")
    second = Session("--continue")
    assert second.ends() == 1
    assert until(lambda: b"another process is playing this run" in second.heard)
    game.types("\x03")
    assert game.ends() == 130


def test_a_window_whose_terminal_is_closed_ends_cleanly(screen, own_home):
    environment = {**os.environ, "DISPLAY": screen}
    command = [sys.executable, "main.py", "--seed", "43", "--generator", "bsp"]
    game = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE)
    assert until(lambda: list((own_home / "runs").glob("*.jsonl")))
    game.send_signal(signal.SIGHUP)
    _, errors = game.communicate(timeout=20)
    assert (game.returncode, errors) == (0, SAVED)
