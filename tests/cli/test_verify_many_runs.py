"""Verifying a folder of runs: what each is worth, for the organiser of a tournament."""

import csv
import json
import os
from io import StringIO
from pathlib import Path

import pytest

from engine.saves.high_scores import daily_setup, today
from engine.state.score import score
from main import main
from support.bot_runs import begun, played, rewritten
from support.kept_runs import golden_path

FACTS = ("verified", "scored", "why_not")


@pytest.fixture
def entries(tmp_path):
    """A folder of three runs: one as it should be, one changed, and one in caves."""
    folder = tmp_path / "entries"
    folder.mkdir()
    begun().rename(folder / "honest.jsonl")
    begun().rename(folder / "forged.jsonl")
    rewritten(folder / "forged.jsonl", lambda lines: lines[1].update(digest="0" * 16))
    played(folder / "caves.jsonl", 60, generator="caves")
    return folder


def test_a_folder_of_runs_is_verified_with_what_each_is_worth(entries, capsys):
    assert main(["runs", str(entries), "--verify", "--json"]) == 6
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert [rows["honest"][name] for name in FACTS] == [True, True, ""]
    assert rows["honest"]["seed"] == daily_setup(today()).typed_seed
    assert rows["honest"]["date"].startswith(today().isoformat())
    verified, scored, why = (rows["forged"][name] for name in FACTS)
    assert (verified, scored, rows["forged"]["points"]) == (False, False, None)
    assert "out of sync at turn 1" in why
    assert [rows["caves"][name] for name in FACTS[:2]] == [True, False]
    assert "not an adventure from depth 1" in rows["caves"]["why_not"]


def test_the_points_are_those_of_the_run_in_every_form_of_the_table(tmp_path, capsys):
    run = played(tmp_path / "one" / "run.jsonl", 300, seed=1)
    points = score(run.state).total
    assert points
    assert main(["runs", str(tmp_path / "one"), "--verify"]) == 0
    said = capsys.readouterr()
    assert f" {points} True" in said.out
    assert said.err == f"1 run in {tmp_path / 'one'}\n"
    assert main(["runs", str(tmp_path / "one"), "--verify", "--format", "csv"]) == 0
    (row,) = csv.DictReader(StringIO(capsys.readouterr().out))
    assert (row["points"], row["scored"]) == (str(points), "true")


def test_the_most_points_come_first_and_a_copy_is_not_scored(tmp_path, capsys):
    for number, (name, turns) in enumerate((("cleo", 300), ("anna", 1))):
        played(tmp_path / f"{name}.jsonl", turns, seed=1)
        os.utime(tmp_path / f"{name}.jsonl", (number, number))
    copy = tmp_path / "dora.jsonl"  # It goes on where the other ends.
    copy.write_bytes((tmp_path / "cleo.jsonl").read_bytes())
    with copy.open("a") as stream:
        stream.write('{"end":"abandoned"}\n')
    assert main(["runs", str(tmp_path), "--verify", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["scored"], row["why_not"]) for row in rows] == [
        ("cleo", True, ""),
        ("dora", False, "it is the same run as cleo"),
        ("anna", True, ""),
    ]
    assert rows[0]["identity"] == rows[1]["identity"] != rows[2]["identity"]
    assert main(["runs", str(tmp_path), "--verify"]) == 0
    assert "identity" not in capsys.readouterr().out


def test_of_the_copies_of_a_run_the_longest_counts_and_then_the_oldest(tmp_path, capsys):
    lines = played(tmp_path / "own.jsonl", 60, seed=1).recorder.path.read_bytes().splitlines(True)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "late.jsonl").write_bytes(b"".join(lines))
    (tmp_path / "saved.jsonl").write_bytes(b"".join(lines[:31]))
    for written, name in enumerate(("saved", "own", "below/late")):
        os.utime(tmp_path / f"{name}.jsonl", (written, written))
    assert main(["runs", str(tmp_path), "--verify", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    late = str(Path("below", "late"))
    assert rows["saved"]["turns"] < rows["own"]["turns"] == rows[late]["turns"]
    assert [name for name, row in rows.items() if row["scored"]] == ["own"]
    assert {rows[name]["why_not"] for name in ("saved", late)} == {"it is the same run as own"}


def test_branches_are_told_apart_in_a_folder_without_verifying(capsys):
    assert main(["runs", str(golden_path("from-the-middle").parent), "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["from-the-middle"]["mode"] == "branch"
    assert "points" not in rows["adventure"]


def test_only_recorded_runs_are_deleted_by_name(entries, capsys):
    assert main(["runs", str(entries), "--delete", "honest", "--yes"]) == 2
    assert "give no folder" in capsys.readouterr().err


def test_a_folder_that_is_not_there_is_an_error_and_not_an_empty_list(tmp_path, capsys):
    assert main(["runs", str(tmp_path / "none")]) == 2
    said = capsys.readouterr().err
    assert "there is no folder" in said
    assert "replay FILE" not in said
    (tmp_path / "anna.jsonl").touch()
    assert main(["runs", str(tmp_path / "anna.jsonl")]) == 2
    assert "replay FILE --verify` is for one run" in capsys.readouterr().err
    assert main(["runs", str(tmp_path)]) == 0
