"""Fixtures for the whole program."""

import os
import subprocess

import pytest

from support.real_program import WINDOW


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
