"""Golden runs to test with; one that no longer plays fails the test and says what to do."""

from functools import cache

import pytest

import golden_runs
from engine.saves.run_file import read_run

KEEP = "if that was meant: python tests/keep.py runs"


@cache
def fault_of(path):
    """Return in what a golden run does not come out as recorded, or ''; each is played once."""
    return golden_runs.fault(path)


def golden_path(name):
    """Return the file of the golden run ``name``; fail if it does not come out as recorded."""
    path = golden_runs.FOLDER / f"{name}.jsonl"
    if found := fault_of(path):
        pytest.fail(f"{found}\n{KEEP}")
    return path


def golden_run(name):
    """Return the golden run ``name``; fail if it does not come out as recorded."""
    return read_run(golden_path(name))
