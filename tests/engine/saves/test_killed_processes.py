"""A playing process is killed at 50 random moments, and goes on each time as if nothing were."""

import subprocess
import sys

import pytest

from support.paths import ROOT
from support.sampling import sampled


@pytest.mark.skipif(sys.platform == "win32", reason="it takes a fork")
@pytest.mark.parametrize("seed", sampled([1, 2, 3, 4], 4))
def test_a_process_killed_at_random_moments_loses_nothing(seed):
    options = ["50", "0.05", str(seed), "--small"]
    command = [sys.executable, str(ROOT / "tests" / "kill_game.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "50 of 50 kills survived" in done.stdout
    turns = int(done.stdout.split(": ")[1].split()[0])
    assert turns > 100, "they were killed before they could play"
