"""Runs that were recorded once come out the same for ever."""

import pytest

from engine.saves.keyframes import keyframes_path
from engine.saves.run_file import summarize
from golden_runs import FOLDER, SETUPS, fault, record
from support import kept_runs
from support.kept_runs import KEEP

RUNS = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_golden_run_comes_out_as_recorded(path):
    assert fault(path) == "", KEEP
    assert not keyframes_path(path).exists()


def test_a_run_that_comes_out_otherwise_names_the_command_that_keeps_it(monkeypatch):
    monkeypatch.setitem(globals(), "fault", lambda path: "out of sync at turn 1")
    with pytest.raises(AssertionError, match=r"python tests/keep\.py runs"):
        test_a_golden_run_comes_out_as_recorded(RUNS[0])


@pytest.mark.parametrize("read", [kept_runs.golden_path, kept_runs.golden_run])
def test_a_test_that_uses_a_golden_run_names_the_command_too(read, monkeypatch):
    monkeypatch.setattr(kept_runs, "fault_of", lambda path: "out of sync at turn 1")
    with pytest.raises(pytest.fail.Exception, match=r"turn 1\n.*python tests/keep\.py runs"):
        read("adventure")


@pytest.mark.skipif(not RUNS, reason="no golden runs are kept yet: tests/golden_runs.py --write")
def test_golden_runs_cover_what_there_is_to_record():
    assert {*SETUPS, "from-the-middle"} == {path.stem for path in RUNS}, KEEP
    results = [summarize(path).result for path in RUNS]
    assert any(result.startswith("killed by") for result in results)
    assert max(summarize(path).depth for path in RUNS) >= 9


def test_a_recording_made_now_comes_out_and_blames_a_changed_rule(tmp_path, monkeypatch):
    path = tmp_path / "city.jsonl"
    record("city", path)
    assert fault(path) == ""
    monkeypatch.setattr("engine.engine.TURN", 150)
    assert "actors" in fault(path)
