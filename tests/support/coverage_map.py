"""Which tests reach which lines: a pytest plugin that records it, and a reader of what it wrote.

`python -m pytest -p support.coverage_map --coverage-map FILE tests/engine` writes FILE, a database
of the package coverage with one context per test, and FILE.json with the time each test takes.
"""

import json
import time
from pathlib import Path

import coverage
import pytest

NOT_COUNTED = ("golden", "test_recipe_variety", "test_mutation")
"""Tests with such names only say that something is not as it was, not what is wrong."""
LONG = (
    "combat_forecast_simulated", "concurrent_processes", "extreme_parameters", "hostile_run_files",
    "killed_processes", "leaves_every_kind_of_level", "random_recipes", "run_of_thirty_levels",
)  # fmt: skip
"""Sweeps and whole programs, known to be slow: not even tried."""
LEFT_OUT = (*NOT_COUNTED, *LONG)
SLOW = 8.0
"""Other tests that take more processor time than this, in seconds, are left out too."""


def pytest_addoption(parser):
    parser.addoption("--coverage-map", type=Path, required=True)
    parser.addoption("--coverage-of", default="engine,procgen")


def pytest_configure(config):
    config.pluginmanager.register(Recorder(config), "coverage-map-recorder")


class Recorder:
    """Records the lines and the processor time of each test that passes."""

    def __init__(self, config):
        self.path = config.getoption("--coverage-map")
        folders = config.getoption("--coverage-of").split(",")
        self.coverage = coverage.Coverage(str(self.path), source=folders, config_file=False)
        self.seconds, self.failed = {}, set()
        self.coverage.start()

    def pytest_collection_modifyitems(self, config, items):
        left_out = [item for item in items if any(name in item.nodeid for name in LEFT_OUT)]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        self.coverage.switch_context(item.nodeid)
        before = time.process_time()
        answer = yield
        self.seconds[item.nodeid] = time.process_time() - before
        return answer

    def pytest_runtest_logreport(self, report):
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self):
        self.coverage.stop()
        self.coverage.save()
        kept = {
            name: round(seconds, 3)
            for name, seconds in self.seconds.items()
            if seconds <= SLOW and name not in self.failed
        }
        self.path.with_suffix(".json").write_text(json.dumps(kept, indent=0))


class CoverageMap:
    """What the plugin wrote at ``path`` about the project in ``root``."""

    def __init__(self, path, root):
        self._data = coverage.CoverageData(str(path))
        self._data.read()
        self._root, self._lines = Path(root), {}
        self.seconds = json.loads(Path(path).with_suffix(".json").read_text())

    def reaching(self, file, lines):
        """Return the tests that run one of ``lines`` of ``file``, the most specific first.

        Those in the folder of tests that answers to the file's come first, then the quick ones.
        """
        if file not in self._lines:
            self._lines[file] = self._data.contexts_by_lineno(str(self._root / file))
        found = {name for line in lines for name in self._lines[file].get(line, ())}
        near = f"tests/{Path(file).parent.as_posix()}/"
        known = found & self.seconds.keys()
        return sorted(known, key=lambda name: (near not in name, self.seconds[name], name))
