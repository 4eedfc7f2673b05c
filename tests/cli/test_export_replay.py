"""The command that makes films of runs: its options, and what may go wrong."""

import json
import re
import shlex
from html import unescape

import pyte
import pytest

from engine.saves.playback import Desync, Playback
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from support.level_exports import run
from support.replays import broken


def test_a_film_never_overwrites_without_being_told(cave_run, tmp_path, capsys):
    target = tmp_path / "run.cast"
    target.write_text("dear")
    assert run("replay", cave_run.path, "--export", target) == 2
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == "dear"
    assert run("replay", cave_run.path, "--export", target, "--force") == 0
    assert json.loads(target.read_text().splitlines()[0])["width"] == 100
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["run.cast"]


def test_a_page_carries_a_command_that_replays_a_run_of_any_name(cave_run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my run's.jsonl").write_bytes(cave_run.path.read_bytes())
    assert run("replay", "my run's.jsonl", "--export", "a.html", "--to-turn", 2) == 0
    (command,) = re.findall("<code>(.*?)</code>", (tmp_path / "a.html").read_text("utf-8"))
    assert run(*shlex.split(unescape(command))[2:], "--verify") == 0


@pytest.mark.parametrize(("last", "end"), [(30, "abandoned"), (20, "goes on")])
@pytest.mark.parametrize("recipe", [None, "caves"])
def test_a_page_tells_the_points_and_the_end(tmp_path, recipe, last, end):
    path, page = tmp_path / "run.jsonl", tmp_path / "a.html"
    played = Run.begin(RunSetup(5, "5", generator=recipe), path)
    for action in [Wait()] * 30:
        played.act(action)
    played.abandon()
    played.close()
    assert run("replay", path, "--export", page, "--to-turn", last) == 0
    (film,) = re.findall('json" id="film">(.*?)</script>', page.read_text("utf-8"))
    points = "not scored" if recipe else "0"
    assert json.loads(film)["facts"] == [["points", points], ["end", end]]


def test_a_range_a_size_and_a_speed_are_kept_to(cave_run, tmp_path, capsys):
    target = tmp_path / "part.cast"
    options = ("--from-turn", 20, "--to-turn", 36, "--export-size", "90x24", "--speed", "1/2")
    assert run("replay", cave_run.path, "--export", target, *options) == 0
    assert "turns 20 to 36, 4.0 s, 17 frames" in capsys.readouterr().err
    header, *events = map(json.loads, target.read_text().splitlines())
    assert (header["width"], header["height"]) == (90, 24)
    screen = pyte.Screen(90, 24)
    stream = pyte.Stream(screen)
    stream.feed(events[0][2])
    assert "turn 20" in "\n".join(screen.display)
    for _, kind, text in events[1:]:
        stream.feed(text if kind == "o" else "")
    assert "turn 36" in "\n".join(screen.display)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--export", "a.png"], "must end in .cast, .gif or .html"),
        (["--export", "a.cast", "--export-size", "10x10"], "must be from 40x16 to 240x80"),
        (["--export", "a.cast", "--export-size", "100x15"], "must be from 40x16 to 240x80"),
        (["--export", "a.cast", "--export-size", "100x81"], "must be from 40x16 to 240x80"),
        (["--export", "a.cast", "--export-size", "241x36"], "must be from 40x16 to 240x80"),
        (["--export", "a.cast", "--export-size", "wide"], "must be from 40x16"),
        (["--export", "a.cast", "--from-turn", "9", "--to-turn", "3"], "comes after"),
        (["--export", "a.cast", "--to-turn", "99999"], "from 0 to 160"),
        (["--export", "a.cast", "--idle", "never"], "number of seconds"),
        (["--export", "a.cast", "--speed", "max"], "cannot be exported"),
        (["--export", "a.cast", "--speed", "1/0"], "from 1/8 to 64"),
        (["--export", "a.cast", "--speed", "1e99999999"], "from 1/8 to 64"),
        (["--export", "a.cast", "--speed", "nan"], "from 1/8 to 64"),
        (["--export", "a.cast", "--verify"], "give only one of"),
        (["--verify", "--speed", "abc"], "leave out --speed"),
        (["--verify", "--from-turn", "-4"], "leave out --from-turn"),
        (["--verify", "--keyframes"], "--keyframes is for watching"),
        (["--export", "a.gif", "--keyframes"], "--keyframes is for watching"),
        (["--to-turn", "5"], "need --export"),
        (["--force"], "need --export"),
    ],
)
def test_bad_options_are_said_in_a_sentence(
    cave_run, tmp_path, monkeypatch, capsys, options, sentence
):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run("replay", cave_run.path, *options) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_cannot_be_made_is_said(cave_run, tmp_path, capsys):
    (tmp_path / "file").touch()
    target = tmp_path / "file" / "a.cast"
    assert run("replay", cave_run.path, "--export", target) == 1
    assert f"{target.parent}: the folder cannot be created" in capsys.readouterr().err


def test_a_run_out_of_sync_makes_no_film_but_what_came_before_does(cave_run, tmp_path, capsys):
    path = broken(cave_run, tmp_path, 30).path
    target = tmp_path / "a.cast"
    target.write_text("dear")
    assert run("replay", path, "--export", target, "--force") == 4
    assert "turn 30" in capsys.readouterr().err
    assert target.read_text() == "dear"
    fresh = tmp_path / "b.cast"
    assert run("replay", path, "--export", fresh) == 4
    assert not fresh.exists()
    assert run("replay", path, "--export", fresh, "--to-turn", 29) == 0
    assert fresh.exists()
    with pytest.raises(Desync):
        list(Playback(read_run(path)).to_end())


def test_a_damaged_run_makes_a_film_up_to_the_damage_and_the_exit_code_says_so(
    cave_run, tmp_path, capsys
):
    lines = cave_run.path.read_bytes().splitlines(keepends=True)
    (tmp_path / "run.jsonl").write_bytes(b"".join([*lines[:30], b"\n", *lines[30:]]))
    target = tmp_path / "a.cast"
    assert run("replay", tmp_path / "run.jsonl", "--export", target) == 1
    assert "line 31 is not part of a run" in capsys.readouterr().err
    assert json.loads(target.read_text().splitlines()[0])["version"] == 2


def test_an_interrupted_film_leaves_nothing_behind(cave_run, tmp_path, monkeypatch):
    def interrupted(*_):
        yield b"half of it"
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.replay.asciicast", interrupted)
    target = tmp_path / "a.cast"
    assert run("replay", cave_run.path, "--export", target) == 130
    assert not target.exists()
    target.write_text("dear")
    assert run("replay", cave_run.path, "--export", target, "--force") == 130
    assert [path.read_text() for path in tmp_path.glob("a.cast*")] == ["dear"]


def test_a_run_without_a_single_turn_is_one_picture(tmp_path):
    Run.begin(RunSetup(5, "5", generator="rooms"), tmp_path / "new.jsonl").close()
    target = tmp_path / "a.cast"
    assert run("replay", tmp_path / "new.jsonl", "--export", target) == 0
    assert [json.loads(line)[1] for line in target.read_text().splitlines()[1:]] == ["o", "o"]
