"""The boards: sorted, safe from damage, one for every day, on the screen and printed."""

import json
import os
import re
from datetime import date, timedelta

import pytest
from msgspec.structs import replace

from engine.saves.files import append_line, new_run_path
from engine.saves.high_scores import (
    HighScore,
    add_score,
    daily_runs,
    daily_setup,
    day_of,
    high_score_of,
    read_scores,
    scores_path,
    today,
)
from engine.saves.run import Run
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup
from entities.folders import data_folder
from main import main
from procgen.level_code import SEED_LIMIT
from render.screens.replay_screen import ReplayScreen
from render.screens.run_end import ScoresScreen
from support.bot_runs import begun, rewritten
from support.fake_backend import Keyboard, Person
from support.play_screens import slain, world_of

SIZES = [(80, 30), (110, 44), (200, 60)]


def line(points, **more):
    facts = {"ended": "2026-01-02T03:04:05Z", "seed": "s", "depth": 1, "turns": 9, "kills": 0}
    return HighScore(points, **(facts | {"gold": 0, "level": 1, "end": "killed by orc"} | more))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_a_pipe_in_place_of_the_score_file_is_not_waited_for():
    scores_path().parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(scores_path())
    assert read_scores() == []


def test_the_board_is_sorted_and_survives_damage():
    for number in (5, 50, 20):
        add_score(line(number))
    append_line(scores_path(), b"not json")
    append_line(scores_path(), b'{"points": -3}')
    append_line(scores_path(), b"\xff\xfe")
    assert [score.points for score in read_scores()] == [50, 20, 5]


def test_the_command_says_how_many_lines_hold_no_score(capsys):
    add_score(line(5))
    assert main(["scores"]) == 0
    assert "could not be read" not in capsys.readouterr().err
    append_line(scores_path(), b"not json")
    assert main(["scores"]) == 0
    assert f"{scores_path()}: 1 line could not be read\n" in capsys.readouterr().err
    append_line(scores_path(), b'{"points": -3}')
    assert main(["scores", "--json"]) == 0
    said = capsys.readouterr()
    assert said.err == f"{scores_path()}: 2 lines could not be read\n"
    assert [score["points"] for score in json.loads(said.out)] == [5]


def test_the_command_says_that_the_file_cannot_be_read(capsys):
    scores_path().mkdir(parents=True)
    assert read_scores() == []
    assert main(["scores"]) == 1
    assert capsys.readouterr().err.startswith(f"main.py: {scores_path()} cannot be used (")


@pytest.mark.usefixtures("rooms_count")
def test_a_score_that_cannot_be_written_is_said():
    data_folder().mkdir(parents=True, exist_ok=True)
    scores_path().mkdir()
    person = slain()
    assert "score could not be written" in person.reads()
    (data_folder() / "morgue").rename(data_folder() / "elsewhere")
    (data_folder() / "morgue").write_text("in the way")
    fault = slain().top.ending.fault
    assert "score could not be written" in fault
    assert "morgue file could not be written" in fault


@pytest.mark.usefixtures("rooms_count")
@pytest.mark.parametrize("size", SIZES)
def test_the_screen_shows_the_best_first_and_watches_them(size):
    slain()
    add_score(line(1666, seed="x" * 150, end="killed by a-very-odd-thing " * 5))
    person = Person(*size).types("s")
    assert isinstance(person.top, ScoresScreen)
    rows = person.reads().splitlines()
    first, second = (n for n, row in enumerate(rows) if re.search(r"\b1 +1,666|\b2 +0 ", row))
    assert first < second
    person.presses("enter")
    assert "no longer here" in person.reads()
    person.presses("escape", "down", "enter")
    assert isinstance(person.top, ReplayScreen)


def test_every_day_has_its_dungeon_and_its_board():
    day = today()
    person = Person().types("d")
    assert f"daily {day.isoformat()}" in person.reads()
    person.types("p1")
    assert world_of(person).setup.typed_seed == daily_setup(day).typed_seed
    person.types(".")
    world_of(person).hero.fighter.hp = 0
    world_of(person).killed_by = "troll"
    person.types(".")
    assert f"1st of 1 on the board of {day.isoformat()}" in person.reads()
    person.app.stack[1].session.run.abandon("killed by a troll")
    person = Person().types("d")
    assert "You have already played it" in person.reads()
    person.types("p").reads()
    assert "One item from its pack lies" in person.reads()
    person.presses("escape").types("b")
    assert f"The dungeon of {day.isoformat()}" in person.reads()
    assert "killed by a troll" in person.reads()
    person.presses("left")
    assert "No scored runs yet" in person.reads()
    person.presses("right", "right")
    assert "High scores" in person.reads()


def test_what_is_no_run_file_keeps_no_daily_run_off_the_board():
    setup = daily_setup(today())
    (data_folder() / "runs" / f"{today():%Y%m%d}-000000-{setup.seed}.jsonl").mkdir(parents=True)
    path = begun()
    assert day_of(path.stem) == today().isoformat()


def test_a_run_of_a_longer_seed_that_begins_alike_is_no_daily_run():
    days = (date(2026, 1, 1) + timedelta(number) for number in range(366))
    day = next(day for day in days if daily_setup(day).seed * 10 < SEED_LIMIT)
    setup = daily_setup(day)
    for seed in (setup.seed * 10, setup.seed):
        path = new_run_path(seed).with_stem(f"{day:%Y%m%d}-000000-{seed}")
        run = Run.begin(replace(setup, seed=seed), path)
        run.act(Wait())
        run.close()
        rewritten(path, lambda lines: lines[0].update(started=f"{day}T00:00:00Z"))
    assert daily_runs(day.isoformat()) == [path]


def test_a_daily_dungeon_counts_only_on_its_day_and_as_it_is():
    setup, day = daily_setup(today()), today().isoformat()
    assert setup.typed_seed == f"daily {day}"
    changed = begun(replace(setup, generator="caves"))
    assert day_of(changed.stem) == ""
    assert day_of(begun(RunSetup(1, "1")).stem) == ""
    assert day_of(f"{today():%Y%m%d}-101010-5") == ""
    path = begun()
    assert day_of(path.stem) == day
    assert day_of(begun().stem) == "", "only the first counts"


def test_the_command_prints_boards(capsys):
    assert main(["scores"]) == 0
    assert "0 runs" in capsys.readouterr().err
    add_score(line(7, seed="\x1b[2Jbad", daily="2026-01-02"))
    add_score(line(8))
    assert main(["scores"]) == 0
    out = capsys.readouterr().out
    assert out.index(" 8 ") < out.index(" 7 ")
    assert "\x1b[2J" not in out
    assert main(["scores", "--daily", "2026-01-02", "--json"]) == 0
    assert [row["points"] for row in json.loads(capsys.readouterr().out)] == [7]
    assert main(["scores", "--daily", "2026-01-02"]) == 0
    assert "seed" not in capsys.readouterr().out, "each would be that of the day"
    assert main(["scores", "--daily", "2026-01-03"]) == 0
    assert "0 runs of 2026-01-03 in " in capsys.readouterr().err, "the file has others"
    assert main(["scores", "--daily", "--ghosts"]) == 2
    assert "no run with a ghost is on a daily board" in capsys.readouterr().err
    assert main(["scores", "--daily", "yesterday"]) == 2
    assert main(["scores", "--daily", "2026-13-01"]) == 2
    assert "is not a day" in capsys.readouterr().err


def test_a_narrow_board_leaves_room_for_the_end(capsys, monkeypatch):
    add_score(replace(line(7, seed="daily 2026-01-02"), end="killed by spider"))
    monkeypatch.setenv("COLUMNS", "60")
    assert main(["scores"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert "how it ended" in head
    assert [row.split()[-3:] for row in rows] == [["by", "a", "door"], ["spider"]]
    person = Person(columns=126).types("s")
    assert "daily 2026-01-02 killed by a door spider" in person.reads()


def test_a_long_end_is_cut_so_that_the_score_can_be_read_again():
    result = high_score_of(world_of(slain()), "killed by " + "a rat and " * 40, "r" * 300, "")
    assert (len(result.end), len(result.run)) == (200, 200)
    add_score(result)
    assert result in read_scores()


@pytest.mark.parametrize("words", ["--depth 500", "--size 60x40 --depth 9"])
def test_a_run_that_is_not_the_standard_one_stands_on_no_board(words, monkeypatch, capsys):
    """`--depth 500`, abandoned on turn 0, was first of the board."""
    monkeypatch.setattr("cli.play.open_backend", lambda *, terminal: Keyboard("..Qy"))
    assert main(["play", "--seed", "5", *words.split()]) == 0
    assert main(["scores"]) == 0
    assert "0 runs" in capsys.readouterr().err
