"""Where runs are, what the list says of them, and how they are deleted."""

import json
import os
import re
import sys
from pathlib import Path

import pytest

from cli import play
from cli.runs import COLUMNS
from engine.saves.files import runs_folder
from engine.saves.keyframes import keyframes_path
from engine.saves.recorder import claim
from engine.saves.run_file import FORMAT, RULES, summarize, unfinished
from engine.state.run_setup import Mode
from main import main
from render.screens.title import continue_menu
from support.bot_runs import played
from support.fake_backend import Keyboard, Person


def listed(capsys, *options):
    assert main(["runs", "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_list_tells_what_there_is_to_know(own_home, capsys):
    run = played(own_home / "runs" / "one.jsonl", 400, seed=1)
    (row,) = listed(capsys)
    assert (row["name"], row["seed"], row["mode"], row["turns"]) == ("one", "1", "adventure", 400)
    assert (row["depth"], row["code"]) == (run.state.depth, str(run.state.code))
    assert row["end"] == "unfinished"
    log = own_home / "runs" / "one.jsonl"
    assert row["size"] == log.stat().st_size + keyframes_path(log).stat().st_size
    assert row["path"] == str(log)
    assert main(["runs"]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split() == list(COLUMNS)
    assert f"{row['turns']}" in said.out
    assert said.err == f"1 run in {own_home / 'runs'}\n"


def test_the_list_keeps_a_line_for_each_run_however_narrow(own_home, capsys, monkeypatch):
    first = own_home / "runs" / "20261122-071221-481214301.jsonl"
    played(first, 20)
    whole = first.read_text()
    for name, end in (("20261122-071222-481214302", "killed by archer"), ("b", "abandoned")):
        (first.parent / f"{name}.jsonl").write_text(f'{whole}{{"end":"{end}"}}\n')
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["runs"]) == 0
    piped = capsys.readouterr()
    assert piped.out.splitlines()[0].split() == list(COLUMNS)
    assert "wider" not in piped.err
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(["runs"]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert len(lines) == 4
    assert max(map(len, lines[1:])) <= 80  # The heading is bold.
    assert "killed by a goblin archer" in said.out
    assert "date and seed: in a wider terminal, or with" in said.err
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["runs"]) == 0
    assert "date, seed and size: in a wider terminal, or with" in capsys.readouterr().err
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["runs"]) == 0
    heading = capsys.readouterr().out.splitlines()[0]
    assert re.sub(r"\x1b\[\d+m", "", heading).split() == list(COLUMNS)


def test_results_are_told_apart_without_playing(own_home, capsys):
    runs = own_home / "runs"
    played(runs / "visit.jsonl", 20, mode=Mode.WORKSHOP, generator="walk")
    played(runs / "unfinished.jsonl", 20, generator="walk")
    whole = (runs / "unfinished.jsonl").read_text()
    (runs / "abandoned.jsonl").write_text(whole + '{"end":"abandoned"}\n')
    (runs / "torn.jsonl").write_text(whole[:-9])
    (runs / "old.jsonl").write_text(whole.replace(f'"rules":{RULES}', '"rules":0', 1))
    (runs / "older.jsonl").write_text(whole.replace(f'"format":{FORMAT}', '"format":1', 1))
    (runs / "damaged.jsonl").write_text(whole + "oops\n")
    (runs / "headless.jsonl").write_text(whole.replace('"rules"', '"rule"', 1))
    (runs / "foreign.jsonl").write_text("hello\n")
    (runs / "notes.txt").write_text("not listed")
    found = {row["name"]: (row["end"], row["turns"]) for row in listed(capsys)}
    assert found == {
        "visit": ("ended", 20),
        "unfinished": ("unfinished", 20),
        "abandoned": ("abandoned", 20),
        "torn": ("unfinished", 19),
        "old": ("another version", 20),
        "older": ("another version", 0),
        "damaged": ("damaged", 20),
        "headless": ("damaged", 0),
        "foreign": ("damaged", 0),
    }
    assert not unfinished(runs / "abandoned.jsonl")
    assert unfinished(runs / "torn.jsonl")


def test_a_run_that_goes_on_in_the_middle_is_a_branch(own_home, capsys, monkeypatch):
    played(own_home / "runs" / "one.jsonl", 60)
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("."))
    assert main(["play", "--take-over", "one"]) == 0
    row = next(row for row in listed(capsys) if row["name"] != "one")
    assert (row["mode"], row["grew_from"], row["turns"]) == ("branch", "one.jsonl@60", 1)
    assert main(["replay", row["path"], "--verify"]) == 0


def test_a_run_on_a_level_from_a_file_goes_by_its_name(own_home, tmp_path, capsys, monkeypatch):
    (tmp_path / "crypt.txt").write_text("########\n#<..+.>#\n#..##..#\n########\n")
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard("1.."))
    assert main(["play", str(tmp_path / "crypt.txt"), "--seed", "7"]) == 0
    (tmp_path / "crypt.txt").unlink()
    (row,) = listed(capsys)
    assert (row["file"], row["mode"], row["generator"]) == ("crypt.txt", "adventure", None)
    assert main(["runs"]) == 0
    (line,) = capsys.readouterr().out.splitlines()[1:]
    assert "crypt.txt" in line
    assert "~map" not in line
    assert re.search("crypt.txt  3 turns.* seed 7", Person().types("r").reads())
    (offer,) = continue_menu([summarize(Path(row["path"]))]).choices
    assert re.match(r"crypt.txt +depth 1", offer.label)
    assert "  unscored  " in offer.note
    assert main(["play", "--continue"]) == 0
    assert [(one["file"], one["turns"]) for one in listed(capsys)] == [("crypt.txt", 5)]
    assert main(["replay", row["name"], "--verify"]) == 0
    assert "turns   5" in capsys.readouterr().out
    assert main(["play", "--ghost", row["name"]]) == 0
    assert [one["file"] for one in listed(capsys)] == ["crypt.txt", "crypt.txt"]


def test_runs_are_deleted_by_name_with_all_that_belongs_to_them(own_home, capsys):
    for name in ("one", "two"):
        played(own_home / "runs" / f"{name}.jsonl", 60)
    assert main(["runs", "--delete", "one", "--yes"]) == 0
    assert sorted(path.name for path in (own_home / "runs").iterdir()) == [
        "two.jsonl",
        "two.jsonl.keys",
    ]
    assert "deleted" in capsys.readouterr().err


def test_a_run_named_twice_is_deleted_once(own_home, capsys):
    played(own_home / "runs" / "one.jsonl", 5)
    assert main(["runs", "--delete", "one", "one.jsonl", "--yes"]) == 0
    assert capsys.readouterr().err.count("\n") == 1
    assert not list((own_home / "runs").iterdir())


def test_the_end_of_input_deletes_nothing(own_home, monkeypatch, capsys):
    def ended(_):
        raise EOFError

    played(own_home / "runs" / "one.jsonl", 5)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", ended)
    assert main(["runs", "--delete", "one"]) == 0
    assert capsys.readouterr().err == "nothing was deleted\n"
    assert (own_home / "runs" / "one.jsonl").exists()


@pytest.mark.parametrize(("answer", "left"), [("n", 1), ("", 1), ("y", 0), ("Yes", 0)])
def test_deleting_asks_first(own_home, monkeypatch, answer, left, capsys):
    played(own_home / "runs" / "one.jsonl", 5)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with (own_home / "runs" / "one.jsonl").open("a") as log:
        log.write('{"end":"killed by poisoned"}\n')
    asked = []
    monkeypatch.setattr("builtins.input", lambda text: asked.append(text) or answer)
    assert main(["runs", "--delete", "one.jsonl"]) == 0
    assert asked == ["Delete this run for good? [y/N] "]
    assert len(list((own_home / "runs").glob("*.jsonl"))) == left
    _, row = capsys.readouterr().out.splitlines()
    assert re.search(r"^one +.* 3 .* 5 killed by poison", row)


@pytest.mark.parametrize(
    "name", ["../secret", "../runs/one", "/etc/passwd", "", "two", "one.jsonl.keys"]
)
def test_only_listed_runs_can_be_deleted(own_home, name, capsys):
    played(own_home / "runs" / "one.jsonl", 60)
    (own_home / "secret.jsonl").write_text("mine")
    assert main(["runs", "--delete", "one", name, "--yes"]) == 2
    assert "there is no run" in capsys.readouterr().err
    assert (own_home / "runs" / "one.jsonl").exists()
    assert (own_home / "secret.jsonl").read_text() == "mine"


@pytest.mark.parametrize("asked", [("replay", "--verify"), ("runs", "--yes", "--delete")])
def test_a_name_that_no_run_has_is_answered_with_the_likeliest(own_home, asked, capsys):
    played(own_home / "runs" / "20261122-071221-42.jsonl", 5)
    assert main([*asked, "20261122-071221-24"]) == 2
    said = "there is no run '20261122-071221-24' (do you mean 20261122-071221-42?); `main.py runs`"
    assert said in capsys.readouterr().err
    assert main(["replay", "20261122-071221-42", "--verify"]) == 0


@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="file names are Unicode here")
def test_a_name_that_is_not_utf8_is_listed_and_accepted_with_escapes(own_home, capsys):
    run = played(own_home / "runs" / "one.jsonl", 5).recorder.path
    Path(os.fsdecode(bytes(run.with_name("bad")) + b"\xff.jsonl")).write_bytes(run.read_bytes())
    assert sorted(row["name"] for row in listed(capsys)) == [r"bad\xff", "one"]
    assert main(["runs"]) == 0
    assert r"bad\xff" in capsys.readouterr().out
    for name in (r"bad\xff", r"bad\xff.jsonl"):
        assert main(["replay", name, "--verify"]) == 0
    assert main(["runs", "--delete", r"bad\xff", "--yes"]) == 0
    assert not list(run.parent.glob("bad*"))


def test_delete_without_a_terminal_needs_yes(own_home, capsys):
    played(own_home / "runs" / "one.jsonl", 5)
    assert main(["runs", "--delete", "one"]) == 2
    assert "--yes" in capsys.readouterr().err


def test_a_run_that_is_being_played_is_not_deleted(own_home, capsys):
    path = own_home / "runs" / "one.jsonl"
    played(path, 5)
    stream = claim(path, new=False)
    assert main(["runs", "--delete", "one", "--yes"]) == 1
    assert "is playing this run" in capsys.readouterr().err
    stream.close()
    assert path.exists()


def test_the_folder_can_be_chosen(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(play, "open_backend", lambda *, terminal: Keyboard(".."))
    chosen = str(tmp_path / "elsewhere")
    for number, place in enumerate(
        (["--data-dir", chosen, "play"], ["play", "--data-dir", chosen])
    ):
        assert main([*place, "--seed", str(number)]) == 0
    assert len(list((tmp_path / "elsewhere" / "runs").glob("*.jsonl"))) == 2
    assert len(listed(capsys, "--data-dir", chosen)) == 2
    assert runs_folder() == tmp_path / "elsewhere" / "runs"


def test_the_title_lists_runs_without_playing_them(own_home):
    played(own_home / "runs" / "one.jsonl", 60, generator="walk")
    (own_home / "runs" / "junk.jsonl").write_text("junk")
    text = Person().types("r").reads()
    assert re.search("walk +60 turns.* seed 3", text)
    assert "60 turns, unfinished" in text
    assert summarize(own_home / "runs" / "one.jsonl").turns == 60
