"""Continue finds every run that waits, hides none behind another, and reads files lazily."""

import os
import re
import time

from engine.saves import run_file
from engine.saves.high_scores import today
from engine.saves.run import Run
from engine.state.actions import Wait
from engine.state.run_setup import Mode, RunSetup
from main import main
from render.screens.play_screen import PlayScreen
from render.screens.run_end import EndScreen
from render.session.start_run import begin, last_unfinished
from support.bot_runs import played
from support.fake_backend import Person
from support.play_screens import world_of


def waits(seed, **setup):
    """Begin a run, wait a turn and close it."""
    session = begin(RunSetup(seed, str(seed), **setup))
    session.act(Wait())
    session.run.close()


def test_a_workshop_visit_never_stands_for_continue(own_home):
    waits(1)
    waits(2, mode=Mode.WORKSHOP, generator="rooms")
    person = Person()
    assert "depth 1, 1 turn " in person.reads()
    person.types("c")
    assert world_of(person).setup.seed == 1
    assert last_unfinished().header.setup.seed == 1


def test_leaving_the_workshop_promises_no_save(own_home, capsys):
    person = Person().types("wa").presses("escape")
    assert "Return to the title; this visit can be replayed, not continued" in person.reads()
    person.presses("escape").types("?")
    told = person.reads() + "".join(person.presses("pagedown").reads() for _ in range(9))
    assert "return to the title; this visit" in told
    assert "save and return" not in told
    person.presses("escape").types(".S")
    assert "nothing to continue" in person.reads()
    assert "1 turn, ended" in person.types("r").reads()
    (run,) = (own_home / "runs").glob("*.jsonl")
    assert main(["replay", str(run), "--verify"]) == 0
    assert "end     ended" in capsys.readouterr().out


def test_the_title_says_how_far_a_run_is_each_time_it_is_seen(own_home):
    person = Person().types("ndeep\n1..S")
    assert "depth 1, 3 turns" in person.reads()
    person.types("c...S")
    assert "depth 1, 6 turns" in person.reads()


def test_the_title_names_the_infinite_world_of_the_run_that_waits(own_home):
    waits(3, generator="endless_caves")
    assert "endless caves, 1 turn " in Person().reads()


def test_several_runs_are_a_list_and_each_of_them_goes_on(own_home):
    played(own_home / "runs" / "20250101-1.jsonl", 60, seed=1)
    waits(2, generator="wilds")
    person = Person()
    assert "2 runs" in person.reads()
    person.types("c")
    lines = [line for line in person.reads().splitlines() if " turn" in line]
    assert "wilds" in lines[0]
    assert "1 turn " in lines[0]
    assert "depth" not in lines[0], "an infinite world has none"
    assert "unscored" in lines[0]
    assert "adventure  depth 1" in lines[1]
    assert all(f"seed {seed} " in line for seed, line in zip("21", lines, strict=True))
    person.types("b")
    assert "HP on turn 50" in lines[1]
    assert world_of(person).setup.seed == 1
    assert f"level {world_of(person).hero.experience.level}, " in lines[1]
    assert world_of(person).turn == 60
    assert world_of(person).scored


def test_the_list_never_shows_around_the_end_of_a_run_that_it_opened(own_home):
    played(own_home / "runs" / "20250101-1.jsonl", 60, seed=1)
    waits(2, generator="wilds")
    person = Person(columns=160, rows=50).types("c")
    assert "HP on turn 50" in person.reads()
    person.types("b").types("Qy")
    assert isinstance(person.top, EndScreen)
    rows = [row.strip() for row in person.reads().splitlines() if row.strip()]
    assert all(row[0] in "╭│╰" and row[-1] in "╮│╯" for row in rows)
    assert len({len(row) for row in rows}) == 1, "nothing stands beside the end screen"


def test_at_80_columns_the_date_of_a_run_gives_way_to_turns_and_hit_points(own_home):
    path = own_home / "runs" / "20250101-1.jsonl"
    played(path, 60, seed=1, generator="fortress_mission+flooded")
    waits(2)
    rows = Person(columns=80, rows=24).types("c").reads().splitlines()
    (row,) = [row for row in rows if "fortress_mission" in row]
    assert "60 turns" in row
    assert re.search(r"level \d, \d+/36 HP", row)


def test_a_run_taken_over_is_listed_as_a_branch_and_as_unscored_at_80_columns(own_home):
    waits(77)
    waits(77, grew_from="a.jsonl@1")
    for _ in range(2):  # Saved once each, so that their hit points are known.
        person = Person(columns=80, rows=24).types("cb.\x1bS")
    rows = [row for row in person.types("c").reads().splitlines() if "turn" in row]
    assert {row.split()[2] for row in rows} == {"adventure", "branch"}
    assert all(re.search(r"level 1, 36/36 HP +seed 77 ", row) for row in rows)
    assert [("branch" in row) == ("seed 77  unscored" in row) for row in rows] == [True, True]


def test_a_saved_run_is_listed_with_the_hit_points_of_that_turn(own_home):
    waits(2, generator="wilds")
    person = Person().types("ndeep\n\x1b..")
    hero = world_of(person).hero.fighter
    hero.hp = 7
    person.types(".Sc")
    assert f"3 turns     level 1, {hero.hp}/{hero.max_hp} HP" in person.reads()


def test_a_damaged_run_says_so_instead_of_being_denied(own_home):
    path = own_home / "runs" / "20250101-1.jsonl"
    played(path, 60, seed=1)
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join([*lines[:30], "nonsense\n", *lines[31:]]), "utf-8")
    person = Person().types("c")
    told = " ".join(person.reads().replace("│", " ").split())
    assert "line 31 is not part of a run" in told
    assert "Replay on the title screen shows what can be done." in told


def test_looks_at_the_workshop_and_the_dungeon_of_the_day_hide_no_adventure(own_home):
    person = Person().types("ndeep\n\x1b..S").types("wa.S").types("dp\x1b.S").types("c")
    lines = [line for line in person.reads().splitlines() if "depth 1" in line]
    day = f"{today():%m-%d}"
    assert all(word in line for word, line in zip(("daily", "adventure"), lines, strict=True))
    assert all(day in line for line in lines)
    person.types("b")
    state = world_of(person)
    assert (state.setup.typed_seed, state.turn, state.scored) == ("deep", 2, True)


def test_thousands_of_finished_runs_never_slow_the_title(own_home, monkeypatch):
    waits(1)
    first = next((own_home / "runs").glob("*.jsonl"))
    text = first.read_bytes() + b'{"end":"abandoned"}\n'
    os.utime(first, (1, 1))
    for number in range(300):
        (own_home / "runs" / f"{number}.jsonl").write_bytes(text)
    seen, real = [], run_file.unfinished

    def slow(path):
        seen.append(path)
        time.sleep(0.002)
        return real(path)

    monkeypatch.setattr(run_file, "unfinished", slow)
    person = Person()
    person.reads()
    assert len(seen) < 60
    person.waits(60)
    assert "depth 1, 1 turn " in person.reads()
    count = len(seen)
    assert count == 301
    Person().waits(60)
    assert len(seen) == count


def test_lists_say_how_many_runs_they_have_no_room_for(own_home):
    waits(1)
    text = next((own_home / "runs").glob("*.jsonl")).read_bytes()
    for number in range(49):
        (own_home / "runs" / f"{number}.jsonl").write_bytes(text)
    person = Person()
    person.waits(60)
    person.types("c")
    assert "The newest 36 of 50 runs" in person.reads()
    person.types("\x1br")
    assert "The newest 30 of 50 runs" in person.reads()


def test_a_sparse_file_of_gigabytes_is_passed_over(own_home):
    waits(1)
    with (own_home / "runs" / "big.jsonl").open("wb") as stream:
        stream.truncate(3 << 30)
    began = time.monotonic()
    assert "depth 1, 1 turn " in Person().reads()
    assert time.monotonic() - began < 5


def test_only_a_standard_run_is_scored_and_the_top_line_says_so_at_once(own_home):
    """`--depth 500`, abandoned on turn 0, was worth twelve million points."""
    assert Run.begin(RunSetup(1, "1")).state.scored
    for setup in (
        RunSetup(1, "1", depth=9),
        RunSetup(1, "1", generator="rooms"),
        RunSetup(1, "1", generator="wilds"),
        RunSetup(1, "1", size=(60, 40)),
    ):
        session = begin(setup)
        assert not session.run.state.scored
        assert "unscored" in playing_of(session)
        session.run.close()


def playing_of(session):
    return Person(first=PlayScreen(session)).reads().splitlines()[0]
