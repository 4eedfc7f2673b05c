"""Every test keeps its files to itself."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from render.options.choices import Options, use  # noqa: E402 - found by the path above


@pytest.fixture(autouse=True)
def own_home(tmp_path, monkeypatch):
    """Keep runs and pictures of a test in its own folder."""
    monkeypatch.setenv("SEEDHOLLOW_DATA", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def usual_options():
    """Let no test's options count in another."""
    use(Options())
    yield
    use(Options())
