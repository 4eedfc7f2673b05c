"""Every test keeps its files to itself."""

import gc
import json
import math
import os
import signal
import sys
from functools import partial
from itertools import count

import pytest
from msgspec.structs import replace

from engine.infinite.chunk_loader import chunk_loader
from engine.levels.recipe_by_depth import pinned
from engine.saves.run_file import read_run
from engine.state.run_setup import RunSetup
from render.ui.options import Options, apply_options
from support.bot_runs import TURNS, played, survived
from support.replays import bot_run
from support.scenes import ROOMS
from workbench.search import process_pool
from workbench.search.bot_runs import simulate_run

os.environ["SDL_AUDIODRIVER"] = "dummy"  # No test is heard, nor a program that it starts.

# Tests may be begun in the background, where such signals are ignored; what they start hears them.
for name, action in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
    number = getattr(signal, name, None)  # Windows has no SIGHUP
    if number is not None and signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, action)


def pytest_collection_finish():
    """Let the garbage collector pass over thousands of tests, which took a tenth of the run."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _homes(tmp_path_factory):
    """Paths of folders that do not exist: few tests write anything, so none is made for them."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in count())


@pytest.fixture(autouse=True)
def own_home(_homes):
    """Keep runs and pictures of a test in its own folder, even after ``monkeypatch.undo()``."""
    home = next(_homes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEEDHOLLOW_DATA", str(home))
        patch.setenv("SEEDHOLLOW_OPTIONS", "")  # Those of another test's command line.
        yield home


@pytest.fixture(autouse=True)
def usual_options():
    """Let no test's options count in another, and build no chunks for a test that is over."""
    apply_options(Options())
    yield
    apply_options(Options())
    chunk_loader().cancel_prefetch()


@pytest.fixture
def rooms_count(monkeypatch):
    """Let the boards take runs of nothing but rooms, as if data/adventure.toml named only those."""
    pins = partial(replace, strata=pinned(RunSetup(1, "1", strata=ROOMS)).strata)
    monkeypatch.setattr("engine.saves.high_scores.pinned", pins)


@pytest.fixture(scope="session")
def adventure(tmp_path_factory):
    """A bot's run through at least two depths, with keyframes beside it."""
    return bot_run(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="session")
def cave_run(tmp_path_factory):
    """A bot's run of 160 turns in caves."""
    folder = tmp_path_factory.mktemp("caves")
    simulate_run(RunSetup(4, "4", generator="caves", size=(60, 35)), 160, folder)
    return read_run(folder / "run-4.jsonl")


@pytest.fixture(scope="session")
def run_lines(tmp_path_factory):
    """The lines of a small run, as plain data; work on copies."""
    path = tmp_path_factory.mktemp("small") / "run.jsonl"
    played(path, 12, generator="walk")
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture(scope="session")
def deep_run(tmp_path_factory):
    """The path of a bot's run of `bot_runs.TURNS` through some levels; work on copies."""
    path = tmp_path_factory.mktemp("deep") / "run.jsonl"
    survived(path, TURNS, depth=3)
    return path


@pytest.fixture
def bare(adventure, tmp_path):
    """The adventure without the keyframes beside it."""
    path = tmp_path / "bare.jsonl"
    path.write_bytes(adventure.path.read_bytes())
    return read_run(path)


@pytest.fixture(autouse=True)
def _no_key_is_lost_to_a_slow_build(monkeypatch):
    """Show no build however slow the machine is: it would take the keys that a test has typed."""
    if module := sys.modules.get("render.screens.build_progress"):
        monkeypatch.setattr(module, "SHOW_AFTER_SECONDS", math.inf)


@pytest.fixture(autouse=True)
def _one_process_unless_asked_for_more(monkeypatch):
    """Let a command start worker processes only where a test says so: each imports everything."""
    monkeypatch.setattr(process_pool, "cores", lambda: 1)


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """Work in an empty folder."""
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
