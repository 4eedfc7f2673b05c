"""How runs end: the screen, the boards, the morgue file, the dungeon of the day."""

import json
import re
from datetime import date

import pytest

from engine.records.append import append_line
from engine.records.boards import Result, record, results, scores_path
from engine.records.daily import daily_setup, day_of, today
from engine.records.places import home
from engine.setup import Mode, Setup
from fakes import Person
from main import main
from playthings import playing, world_of
from render.reports.ending import morgue_folder, ordinal
from render.reports.morgue import told
from render.screens.death import EndScreen
from render.screens.play import PlayScreen
from render.screens.replay import ReplayScreen
from render.screens.scores import ScoresScreen
from render.screens.title import Title

SIZES = [(80, 30), (110, 44), (200, 60)]


def slain(setup=None, **size):
    """Return a person whose hero has just died in the arms of an orc."""
    person = playing(setup, **size)
    world = world_of(person)
    world.hero.fighter.hp = 0
    world.killed_by = "orc"
    person.types(".")
    return person


def line(points, **more):
    facts = {"ended": "2026-01-02T03:04:05Z", "seed": "s", "depth": 1, "turns": 9, "kills": 0}
    return Result(points, **(facts | {"gold": 0, "level": 1, "end": "killed by orc"} | more))


@pytest.mark.parametrize("size", SIZES)
def test_a_death_says_how_where_and_what_it_was_worth(size):
    person = slain(columns=size[0], rows=size[1])
    assert isinstance(person.top, EndScreen)
    text = person.reads()
    for words in ("Killed by an orc on depth 1", "0 points: 1st of 1", "morgue", "main.py replay"):
        assert words in text, words
    for choice in ("Look at the place", "Watch the run", "The same dungeon again", "To the title"):
        assert choice in text, choice


def test_a_death_is_told_once_however_often_one_looks():
    person = slain().presses("escape").types(".")
    assert isinstance(person.top, EndScreen)
    assert len(results()) == 1


def test_after_a_death_the_run_can_be_watched_and_begun_again():
    person = slain().types("w")
    assert isinstance(person.top, ReplayScreen)
    person = slain().types("a")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).turn == 0
    assert world_of(person).setup.typed_seed == "42"
    assert [type(screen) for screen in person.app.stack] == [Title, PlayScreen]


def test_the_morgue_holds_what_a_reader_asks_for():
    slain(Setup(42, "forty two", generator="rooms"))
    (path,) = morgue_folder().iterdir()
    text = path.read_text()
    for words in (
        "Killed by an orc on depth 1, turn 0.",
        "forty two",
        "rooms.1:42:1@80x45",
        "--seed 'forty two' --generator rooms",
        "The last messages",
        "In the pack",
        "leather armour",
        "replay",
        "@",
        "hit points",
    ):
        assert words in text, words
    assert max(map(len, text.splitlines()[:20])) <= 80


def test_an_abandoned_run_ends_on_the_boards_too():
    person = playing().types("Qy")
    assert isinstance(person.top, EndScreen)
    assert "Abandoned on depth 1" in person.reads()
    assert results()[0].end == "abandoned"
    person.types("t")
    assert isinstance(person.top, Title)


def test_the_workshop_and_branches_are_not_scored():
    person = slain(Setup(42, "42", Mode.WORKSHOP, "rooms"))
    assert "not scored" in person.reads()
    assert results() == []
    assert not morgue_folder().exists()
    playing(Setup(42, "42", Mode.WORKSHOP, "rooms")).types("Qy")
    assert results() == []


def test_the_board_is_sorted_and_survives_damage():
    for number in (5, 50, 20):
        record(line(number))
    append_line(scores_path(), b"not json")
    append_line(scores_path(), b'{"points": -3}')
    append_line(scores_path(), b"\xff\xfe")
    assert [score.points for score in results()] == [50, 20, 5]


def test_a_score_that_cannot_be_written_is_said():
    home().mkdir(parents=True, exist_ok=True)
    scores_path().mkdir()
    person = slain()
    assert "score could not be written" in person.reads()


@pytest.mark.parametrize("size", SIZES)
def test_the_screen_shows_the_best_first_and_watches_them(size):
    slain()
    record(line(999, seed="x" * 150, end="killed by a-very-odd-thing " * 5))
    person = Person(*size).types("s")
    assert isinstance(person.top, ScoresScreen)
    rows = person.reads().splitlines()
    first, second = (n for n, row in enumerate(rows) if re.search(r"\b1 +999|\b2 +0 ", row))
    assert first < second
    person.presses("enter")
    assert "not here any more" in person.reads()
    person.presses("escape", "down", "enter")
    assert isinstance(person.top, ReplayScreen)


def test_every_day_has_its_dungeon_and_its_board():
    day = today()
    person = Person().types("d")
    assert f"daily {day.isoformat()}" in person.reads()
    person.types("p")
    assert world_of(person).setup.typed_seed == daily_setup(day).typed_seed
    world_of(person).hero.fighter.hp = 0
    world_of(person).killed_by = "troll"
    person.types(".")
    assert f"1st of 1 on the board of {day.isoformat()}" in person.reads()
    person = Person().types("d")
    assert "your 2nd try" in person.reads()
    person.types("b")
    assert f"The dungeon of {day.isoformat()}" in person.reads()
    assert "killed by a troll" in person.reads()
    person.presses("left")
    assert "Nobody has been there yet" in person.reads()
    person.presses("right", "right")
    assert "High scores" in person.reads()


def test_a_daily_dungeon_counts_only_on_its_day_and_as_it_is():
    setup = daily_setup(date(2026, 3, 4))
    assert setup.typed_seed == "daily 2026-03-04"
    assert day_of(setup, "20260304-101010-5") == "2026-03-04"
    assert day_of(setup, "20260305-101010-5") == ""
    changed = Setup(setup.seed, setup.typed_seed, generator="caves")
    assert day_of(changed, "20260304-101010-5") == ""
    assert day_of(Setup(1, "1"), "20260304-101010-5") == ""


def test_the_command_prints_boards(capsys):
    assert main(["scores"]) == 0
    assert "0 runs" in capsys.readouterr().err
    record(line(7, seed="\x1b[2Jbad", daily="2026-01-02"))
    record(line(8))
    assert main(["scores"]) == 0
    out = capsys.readouterr().out
    assert out.index(" 8 ") < out.index(" 7 ")
    assert "\x1b[2J" not in out
    assert main(["scores", "--daily", "2026-01-02", "--json"]) == 0
    assert [row["points"] for row in json.loads(capsys.readouterr().out)] == [7]
    assert main(["scores", "--daily", "yesterday"]) == 2
    assert main(["scores", "--daily", "2026-13-01"]) == 2
    assert "is not a day" in capsys.readouterr().err


def test_words_for_ends_and_places():
    assert told("killed by orc") == "killed by an orc"
    assert told("killed by trap") == "killed by a dart trap"
    assert told("killed by poisoned") == "killed by poison"
    assert told("killed by nobody-knows") == "killed by nobody-knows"
    assert told("") == "unfinished"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "21st", "112th",
    ]  # fmt: skip


@pytest.mark.parametrize("size", SIZES)
def test_the_character_screen_tells_all(size):
    person = playing(columns=size[0], rows=size[1])
    world = world_of(person)
    world.hero.statuses["burning"] = 4
    world.hero.growth.talents.append("tough")
    world.slain, world.kills = {"orc": 3}, 3
    person.types("@")
    text = person.reads()
    person.presses("end")
    text += person.reads()
    assert re.search(r"orc +3", text)
    for words in ("hit points", "power", "burning, 4 turns", "Tough", "a dagger"):
        assert words in text, words
