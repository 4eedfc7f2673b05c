"""Which tests reach which lines: a pytest plugin that records it, and a reader of what it wrote.

Each file of tests has a database of the package coverage, with one context per test, and beside
it the processor time of each test and a digest of all that these tests depend on, so that only
what has changed is recorded anew.
"""

import json
import re
import time
from collections import Counter
from hashlib import blake2b
from pathlib import Path

import coverage
import pytest

from support.mutants import clear_caches

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


class CoverageMap:
    """What is known, in ``root/.mutations``, of the tests in files and folders ``tests``."""

    def __init__(self, root, tests):
        self.root, self.folder = Path(root), Path(root) / ".mutations"
        found = [file for part in tests for file in sorted((self.root / part).rglob("test_*.py"))]
        names = [file.relative_to(root).as_posix() for file in found]
        self.files = [name for name in names if not any(word in name for word in LEFT_OUT)]
        shared = [self.root / "tests/conftest.py", *sorted((self.root / "data").rglob("*.toml"))]
        self._shared = [path for path in shared if path.exists()]
        self._known, self._lines, self._runs, self._digests = {}, {}, {}, {}

    def database(self, name):
        """Return the path of what was recorded of the file of tests ``name``."""
        return self.folder / f"{name.replace('/', '.')}.db"

    def digest(self, name, reached):
        """Return a digest of the file of tests ``name`` and of what it depends on.

        Files count as they were when first asked about: as what the tests have imported.
        """
        paths = [self.root / name, *self._shared, *(self.root / path for path in reached)]
        for path in paths:
            if path not in self._digests:
                data = path.read_bytes() if path.exists() else b""
                self._digests[path] = blake2b(data).digest()
        return blake2b(b"".join(self._digests[path] for path in paths)).hexdigest()

    def stale(self):
        """Return the files of tests that must be recorded; read what is known of the others."""
        self._known, self._lines, self._runs = {}, {}, {}
        for name in self.files:
            about = self.database(name).with_suffix(".json")
            known = json.loads(about.read_text()) if about.exists() else {"reached": []}
            if known.get("digest") == self.digest(name, known["reached"]):
                self._known[name] = known
        return [name for name in self.files if name not in self._known]

    @property
    def seconds(self):
        """The processor time of each test that is known."""
        return {test: time for known in self._known.values() for test, time in known["seconds"]}

    def reaching(self, path, lines):
        """Return the tests that run one of ``lines`` of the file ``path``, most specific first.

        First those of files that name the module, then those in the folder of tests that answers
        to the file's; among each, those that run the fewest lines of the product.
        """
        if path not in self._lines:
            self._lines[path] = self._read(path)
        found = {name for line in lines for name in self._lines[path].get(line, ())}
        near, module = f"tests/{Path(path).parent.as_posix()}/", Path(path).stem
        naming = {name for name in self._known if self._names(name, module)}
        known = found & self.seconds.keys()
        files = {test: test.partition("::")[0] for test in known}
        runs = {test: self._lines_run(files[test])[test] for test in known}
        return sorted(
            known, key=lambda test: (files[test] not in naming, near not in test, runs[test], test)
        )

    def _names(self, name, module):
        """Return True if the file of tests ``name`` has the word ``module``."""
        return re.search(rf"\b{module}\b", (self.root / name).read_text(encoding="utf-8"))

    def _lines_run(self, name):
        """Return how many lines of the product each test of the file ``name`` runs."""
        if name not in self._runs:
            data = coverage.CoverageData(str(self.database(name)))
            data.read()
            files = [data.contexts_by_lineno(file) for file in data.measured_files()]
            self._runs[name] = Counter(
                test for file in files for tests in file.values() for test in tests
            )
        return self._runs[name]

    def _read(self, path):
        """Return the tests that run each line of a file."""
        lines = {}
        for name, known in self._known.items():
            if path in known["reached"]:
                data = coverage.CoverageData(str(self.database(name)))
                data.read()
                for line, tests in data.contexts_by_lineno(str(self.root / path)).items():
                    lines.setdefault(line, []).extend(tests)
        return lines


class Recorder:
    """A pytest plugin: writes which lines of the folders ``of`` each test reaches, for ``map_``."""

    def __init__(self, map_, of):
        self.map, self.sources = map_, [str(map_.root / part) for part in of]
        imported = [file for part in of for file in (map_.root / part).rglob("*.py")]
        map_.digest(map_.files[0], [file.relative_to(map_.root) for file in imported])
        self.name, self.coverage, self.seconds, self.failed = "", None, {}, set()

    def pytest_collection_modifyitems(self, config, items):
        left_out = [item for item in items if any(name in item.nodeid for name in LEFT_OUT)]
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        name = item.nodeid.partition("::")[0]
        if name != self.name:
            self.pytest_sessionfinish()
            self.name, self.seconds = name, {}
            path = self.map.database(name)
            path.unlink(missing_ok=True)
            self.coverage = coverage.Coverage(str(path), source=self.sources, config_file=False)
            self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
            clear_caches()  # Else only the first file of tests would reach what fills them.
            self.coverage.start()
        self.coverage.switch_context(item.nodeid)
        before = time.process_time()
        answer = yield
        self.seconds[item.nodeid] = time.process_time() - before
        return answer

    def pytest_runtest_logreport(self, report):
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self):
        """Write what is known of the file of tests at hand."""
        if self.coverage is None:
            return
        self.coverage.stop()
        self.coverage.save()
        data = self.coverage.get_data()
        ran = sorted(Path(file) for file in data.measured_files() if data.lines(file))
        reached = [path.relative_to(self.map.root).as_posix() for path in ran]
        seconds = [
            (name, round(seconds, 3))
            for name, seconds in self.seconds.items()
            if seconds <= SLOW and name not in self.failed
        ]
        known = {"seconds": seconds, "reached": reached}
        known["digest"] = self.map.digest(self.name, reached)
        self.map.database(self.name).with_suffix(".json").write_text(json.dumps(known))
