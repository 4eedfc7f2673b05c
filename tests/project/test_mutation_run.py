"""A mutation run on a small project: faults are planted, found or not, and taken out again."""

import subprocess
import sys

import pytest

from mutations import drawn
from support.equivalent_mutants import EQUIVALENT
from support.mutants import mutants_of, within_budget
from support.paths import ROOT

PRODUCT = '''
def fee(age):
    """Return what a visitor pays."""
    if age < 6:
        return 0
    return 4 + min(age, 2)


def never_called(x):
    return x - 1


def countdown(number):
    while number > 0:
        number -= 1
    return number
'''
LATE = """
def tax(fee):
    return fee // 2
"""
TESTS = """
import importlib
import pytest
from engine.fees import countdown, fee

@pytest.mark.parametrize("age", [3], ids=["#.. at 3 - young"])
def test_the_young_pay_nothing(age):
    assert fee(age) == 0

def test_others_pay():
    assert fee(40) > 0

def test_nothing_of_the_kind():
    assert True

def test_a_countdown_ends_at_0():
    assert countdown(3) == 0

def test_half_of_it_is_tax():
    assert importlib.import_module("engine.late").tax(8) == 4
"""
FREEZES = """
import gc

def pytest_collection_finish():
    gc.freeze()  # As the tests of this project do.
"""
RUN = """
import sys; from pathlib import Path
import support.mutants; support.mutants.LIMIT = 1
from mutations import drawn, random_run, recorded_map, summed_up
root = Path(sys.argv[1])
reached = recorded_map(root, ["tests"], ["engine"])
summed_up(random_run(root, drawn(root, ["engine"], 99, 1), reached))
"""


@pytest.fixture
def project(tmp_path):
    sources = {"engine/fees.py": PRODUCT, "engine/late.py": LATE, "tests/test_fees.py": TESTS}
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "engine/__init__.py").write_text("")
    (tmp_path / "tests/conftest.py").write_text(FREEZES)
    (tmp_path / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return tmp_path


def test_faults_that_show_are_killed_and_others_reported_with_their_place(project):
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(project)],
        env={"PYTHONPATH": str(ROOT / "tests"), "PATH": ""},
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout
    assert not done.returncode, done.stderr
    assert "killed    engine/fees.py:5: return 0  ->  return 1\n" in said
    assert "tests/test_fees.py::test_the_young_pay_nothing" in said
    assert "survived  engine/fees.py:4: if age < 6:  ->  if (age <= 6):\n" in said
    assert "unreached engine/fees.py:10: return x - 1  ->  return (x + 1)\n" in said
    assert "killed    engine/fees.py:15: number -= 1  ->  number -= 0\n" in said
    assert "test_a_countdown_ends_at_0 still running after 1 s" in said
    assert "hung" not in said
    assert "killed    engine/late.py:3: return fee // 2  ->  return (fee * 2)\n" in said
    assert (project / "engine/fees.py").read_text() == PRODUCT


def test_each_fault_is_one_small_change(tmp_path):
    (tmp_path / "a.py").write_text(PRODUCT + "\n\ndef other(a, b=1):\n    return not a or b\n")
    found = [mutant.after for mutant in mutants_of(tmp_path, "a.py")]
    for after in (
        "if (age <= 6):", "if False:", "if age < 7:", "if age < 5:", "return 4 + max(age, 2)",
        "return (4 - min(age, 2))", "return (not a and b)", "return a or b", "return (-1)",
    ):  # fmt: skip
        assert found.count(after) == 1, after
    assert not any("b=2" in after for after in found), "defaults are left alone"


def test_the_same_seed_draws_the_same_faults():
    first = drawn(ROOT, ["engine/combat"], 9, 4)
    assert first == drawn(ROOT, ["engine/combat"], 9, 4) != drawn(ROOT, ["engine/combat"], 9, 5)


def test_a_mutant_meets_only_so_many_seconds_of_tests():
    assert within_budget(["a", "b", "c"], {"a": 1.0, "b": 18.0, "c": 9.0}) == ["a", "b"]
    assert within_budget(["a", "b", "c"], {"a": 1.0, "b": 20.0, "c": 9.0}) == ["a", "c"]


def test_every_fault_that_is_said_to_change_nothing_can_still_be_planted():
    for path, before, after in EQUIVALENT:
        faults = [(mutant.before, mutant.after) for mutant in mutants_of(ROOT, path)]
        assert (before, after) in faults, (path, after)
