"""What a researcher relies on: pinned generators, errors of means, and hints that can help."""

import json
from math import sqrt

import pytest

from cli import check
from entities.data_files import DataError
from entities.program import VERSION
from support.command_line import run


def measured(*words):
    done = run("survey", "--workers", 1, *words)
    assert done.returncode == 0
    return done


def test_a_generator_can_be_pinned_to_a_version():
    few = ("--seeds", "0:3", "--format", "csv")
    assert (
        measured("--generator", "rooms.1,walk.1", *few).stdout
        == measured("--generator", "rooms,walk", *few).stdout
    )
    for name, fault in (
        ("rooms.2", "rooms has no version 2, only 1"),
        ("rooms.x", "there is no generator 'rooms.x' (do you mean rooms?)"),
        ("rooms.", "there is no generator 'rooms.' (do you mean rooms?)"),
        (f"rooms.{'9' * 5000}", "there is no generator 'rooms.999"),
    ):
        done = run("survey", "--generator", name, "--seeds", "0:2")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.startswith(f"main.py: {fault}")
    done = run("find", "--generator", "rooms.1+flooded", "--seeds", "0:1", "--format", "csv")
    assert "rooms.1+flooded.1:0:1@80x45" in done.stdout


def test_a_mean_has_its_standard_error_and_a_survey_says_that_it_is_complete():
    found = json.loads(measured("--generator", "rooms", "--seeds", "0:9", "--json").stdout)
    assert (found["complete"], found["program"]) == (True, VERSION)
    for row in found["metrics"]:
        assert row["levels"] == 9
        assert row["mean_error"] == pytest.approx(row["deviation"] / sqrt(9))
    assert any(row["mean_error"] for row in found["metrics"])
    found = json.loads(measured("--generator", "rooms", "--seeds", "0:1", "--json").stdout)
    assert {row["mean_error"] for row in found["metrics"]} == {None}, "one level tells of none"


def test_a_survey_stopped_early_does_not_pass_for_a_whole_one(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.survey._measure", interrupted)
    done = run("survey", "--generator", "rooms", "--seeds", "0:9", "--json")
    assert done.returncode == 130
    assert json.loads(done.stdout)["complete"] is False


def test_a_page_names_the_program_and_its_output_is_a_folder(tmp_path):
    few = ("--generator", "rooms", "--seeds", "0:2")
    measured(*few, "--output", tmp_path / "page")
    page = (tmp_path / "page" / "survey.html").read_text()
    assert f"Made by Seedhollow {VERSION} with <code" in page
    done = run("survey", *few, "--output", tmp_path / "page.html")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "takes a folder" in done.stderr
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize(
    ("where", "seeds", "hint"),
    [
        ("key_distance > 10", "0:9", "the same in all of them: take another generator"),
        ("key_distance == 0 and path > 900", "0:9", "--evolve path=N"),
        ("path > 900", "0:9", "--evolve path=N"),
        ("key_distance > 10", "0:1", "--evolve key_distance=N"),
    ],
)
def test_no_hint_says_to_evolve_what_never_changes(where, seeds, hint):
    few = ("--generator", "rooms", "--seeds", seeds, "--workers", 1)
    said = run("find", *few, "--where", where).stderr
    assert hint in said
    assert ("--evolve" in said) != ("the same in all" in said)


def test_a_kind_of_level_in_words_beside_another_generator_is_not_dropped_silently():
    words = ("--generator", "rooms", "--seeds", "0:1", "--workers", 1)
    done = run("find", *words, "--words", "a large keep")
    assert "not understood: keep beside --generator" in done.stderr
    assert "beside" not in run("find", *words, "--words", "rooms with loops").stderr
    few = ("--generator", "keep+flooded", "--seeds", "0:1", "--workers", 1)
    assert "keep beside" not in run("find", *few, "--words", "a large keep").stderr
    done = run("find", "--generator", "rooms.1", "--words", "many loops")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "take a plain name" in done.stderr


def test_check_knows_what_is_wrong_with_the_data_that_levels_only_name(monkeypatch):
    def fault():
        raise DataError("data/creatures.toml: [rat]: there is no behaviour 'huntr'")

    for rule in ("validate_items", "behaviours_by_kind"):
        with monkeypatch.context() as patch:
            patch.setattr(check, rule, fault)
            done = run("check", "--generator", "rooms", "--seeds", "0:1", "--workers", 1)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "huntr" in done.stderr


def test_runs_of_own_recipes_are_verified_with_the_folder_they_ask_for(tmp_path):
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "recipes.toml").write_text('[hall]\ndescription = "A hall."\nextends = "rooms"\n')
    few = ("--generator", "~hall", "--seeds", "1:2", "--turns", 20, "--workers", 1)
    runs = tmp_path / "runs"
    assert run("simulate", *few, "--mine", mine, "--output", runs).returncode == 0
    rows = json.loads(run("runs", runs, "--verify", "--json", "--mine", mine).stdout)
    assert [row["verified"] for row in rows] == [True]
    rows = json.loads(run("runs", runs, "--verify", "--json").stdout)
    assert [row["verified"] for row in rows] == [False]
