"""Invariants of ARCHITECTURE.md that can be read off the code: what is not there."""

import ast
import functools
import os
import re
import subprocess
import sys

import pytest

from support.paths import ROOT

CLOCKS = {"time", "datetime"}
CHANCE = {"random", "secrets", "uuid", "numpy.random", "os.urandom"}
NAMED = {name.split(".")[-1] for name in CHANCE}
CODE = {"pickle", "marshal", "shelve"}
CALLS = {"hash", "eval", "exec", "compile"}
RULES = ["components", "entities", "procgen", "engine"]
CODE_FOLDERS = [*RULES, "render", "workbench", "cli"]
WITH_CLOCKS = {
    "engine/infinite/chunk_loader.py": "how long a thread waits; never what it loads",
    "engine/saves/files.py": "names of run files, and pauses while a file is locked",
    "engine/saves/run_file.py": "when a run began",
    "engine/saves/high_scores.py": "when a run ended; the day of the daily dungeon",
}
"""Modules of the rules that look at a clock, and what for."""
WITH_CHANCE = {
    "procgen/rng.py": "makes the named streams",
    "render/session/start_run.py": "the seed of a new run",
    "render/screens/title.py": "the seed of a new run",
    "workbench/exports/ldtk.py": "ids made of a level's code, not drawn",
    "workbench/evolution/cma_es.py": "a normal distribution over a named stream, for the optimiser",
    "workbench/peers.py": "actions whose time is measured",
}
"""Modules that use a source of random numbers or ids other than `Rng`, and what for."""


def files(*packages):
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def name(path):
    return path.relative_to(ROOT).as_posix()


@functools.cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def nodes(path):
    return list(ast.walk(tree_of(path)))


def imported(path):
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


def draws(tree):
    """Return whether code imports a source of random numbers or ids, or names one of NumPy's."""
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Attribute):
            names = [re.sub(r"^np\b", "numpy", ast.unparse(node))] * (node.attr in NAMED)
        if any(name.split(".")[0] in CHANCE or name in CHANCE for name in names):
            return True
    return False


def called(path):
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def test_no_clock_decides_anything():
    clocked = {name(path) for path in files(*RULES) if CLOCKS & set(imported(path))}
    assert clocked == WITH_CLOCKS.keys()


def test_no_random_numbers_but_from_named_streams():
    found = {name(path) for path in files(*CODE_FOLDERS) if draws(tree_of(path))}
    assert found == WITH_CHANCE.keys()


@pytest.mark.parametrize(
    "text",
    [
        "import random",
        "from uuid import uuid4",
        "import numpy.random",
        "from numpy import random",
        "from numpy.random import default_rng",
        "np.random.rand()",
        "numpy.random.default_rng(7).integers(3)",
        "rand = np.random.rand",
        "os.urandom(8)",
    ],
)
def test_every_way_to_draw_random_numbers_is_noticed(text):
    assert draws(ast.parse(text))
    assert not draws(ast.parse("rng.random()"))


@pytest.mark.parametrize("package", CODE_FOLDERS)
def test_no_file_is_executed_and_no_hash_differs_between_processes(package):
    for path in files(package):
        assert not CODE & set(imported(path)), name(path)
        assert not CALLS & set(called(path)), name(path)


def test_state_knows_neither_saves_nor_infinite_worlds():
    for path in files("engine/state"):
        text = path.read_text(encoding="utf-8")
        assert "engine.saves" not in text, name(path)
        assert "engine.infinite" not in text, name(path)


PROGRAMS = [
    path
    for folder in (ROOT / "tests", ROOT / "tests" / "benchmarks")
    for path in sorted(folder.glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", PROGRAMS, ids=name)
def test_a_program_of_the_tests_finds_what_it_imports(path):
    """Started as a file, it sees `tests/engine` before `engine`, unless it puts that first."""
    code = "import runpy, sys; sys.path[0] = sys.argv[1]; runpy.run_path(sys.argv[2])"
    command = [sys.executable, "-c", code, str(path.parent), str(path)]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
