"""Runs that were recorded once come out the same for ever."""

import pytest

from engine.saves.keyframes import keyframes_path
from engine.saves.run_file import summarize
from golden_runs import FOLDER, SETUPS, fault, record

RUNS = sorted(FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_golden_run_comes_out_as_recorded(path):
    assert fault(path) == "", "if that was meant: python tests/keep.py runs"
    assert not keyframes_path(path).exists()


@pytest.mark.skipif(not RUNS, reason="no golden runs are kept yet: tests/golden_runs.py --write")
def test_golden_runs_cover_what_there_is_to_record():
    assert {*SETUPS, "from-the-middle"} <= {path.stem for path in RUNS}
    results = [summarize(path).result for path in RUNS]
    assert any(result.startswith("killed by") for result in results)
    assert max(summarize(path).depth for path in RUNS) >= 9


def test_a_recording_made_now_comes_out_and_blames_a_changed_rule(tmp_path, monkeypatch):
    path = tmp_path / "city.jsonl"
    record("city", path)
    assert fault(path) == ""
    monkeypatch.setattr("engine.engine.STEP_COST", 150)
    assert "(actors" in fault(path)
