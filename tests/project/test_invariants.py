"""Invariants of ARCHITECTURE.md that can be read off the code: what is not there."""

import ast
import functools
import os
import subprocess
import sys

import pytest

from support.paths import ROOT

CLOCKS = {"time", "datetime"}
CHANCE = {"random", "secrets", "uuid"}
CODE = {"pickle", "marshal", "shelve"}
CALLS = {"hash", "eval", "exec", "compile"}
RULES = ["components", "entities", "procgen", "engine"]
WITH_CLOCKS = {
    "engine/infinite/chunk_loader.py": "how long a thread waits; never what it loads",
    "engine/saves/files.py": "names of run files, and pauses while a file is locked",
    "engine/saves/run_file.py": "when a run began",
    "engine/saves/recorder.py": "since when a process has a run",
    "engine/saves/high_scores.py": "when a run ended; the day of the daily dungeon",
}
"""Modules of the rules that look at a clock, and what for."""


def files(*packages):
    return [path for package in packages for path in sorted((ROOT / package).rglob("*.py"))]


def name(path):
    return path.relative_to(ROOT).as_posix()


@functools.cache
def nodes(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported(path):
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.split(".")[0]


def called(path):
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def test_no_clock_decides_anything():
    clocked = {name(path) for path in files(*RULES) if CLOCKS & set(imported(path))}
    assert clocked <= WITH_CLOCKS.keys()


def test_no_chance_but_from_named_streams():
    assert [name(path) for path in files(*RULES) if CHANCE & set(imported(path))] == []


@pytest.mark.parametrize("package", [*RULES, "render", "workbench", "cli"])
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
