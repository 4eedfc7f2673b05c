"""`find --words`, and `describe`, which is the way back."""

import csv
import io
import shlex

import pytest

from main import main
from support.command_line import assert_refused

FEW = ("--seeds", "0:6", "--workers", "1")


def found(capsys, words, *more):
    assert main(["find", "--words", words, *FEW, *more]) == 0
    return capsys.readouterr()


def test_a_request_prints_what_was_understood_and_the_nearest_levels_first(capsys):
    said = found(capsys, "a purple bsp dungeon with many loops", "--limit", "3")
    lines = said.err.splitlines()
    assert lines[0].startswith("understood: bsp")
    assert "not understood: purple" in lines
    rows = [line.split() for line in said.out.splitlines()]
    loops = [int(row[rows[0].index("loops")]) for row in rows[1:]]
    assert loops == sorted(loops, reverse=True)
    assert len(loops) == 3
    said = found(capsys, "a bsp dungeon at depth 5", "--limit", "1")
    assert "not understood: depth, 5 (--depth gives the depth)" in said.err.splitlines()


def test_an_adjective_puts_an_overlay_on_and_the_same_command_without_words_works(capsys):
    said = found(capsys, "flooded rooms with exactly 10 rooms", "--generator", "rooms")
    assert "rooms.1+flooded.1:" in said.out
    line = next(line for line in said.err.splitlines() if line.startswith("without words: "))
    words = shlex.split(line.removeprefix("without words: "))
    assert words[words.index("--where") + 1] == "rooms == 10"
    assert main(words[words.index("find") :]) == 0
    assert "rooms.1+flooded.1:" in capsys.readouterr().out


def test_the_command_without_words_has_the_other_options_and_all_recipes_with_an_overlay(capsys):
    said = found(capsys, "dark levels", "--where", "doors >= 0", "--limit", "1")
    line = next(line for line in said.err.splitlines() if line.startswith("without words: "))
    words = shlex.split(line.removeprefix("without words: "))
    assert words[words.index("find") + 1 :][:4] == [
        "--generator",
        "all+dark",
        "--where",
        "(doors >= 0)",
    ]
    assert main([*words[words.index("find") :], "--limit", "1"]) == 0
    assert "+dark.1:" in capsys.readouterr().out


def test_a_wish_that_no_level_meets_is_said_with_the_nearest_value(capsys):
    said = found(capsys, "caves with exactly 40 loops", "--format", "codes")
    assert "no level of 6 has loops == 40: the nearest has " in said.err
    assert len(said.out.splitlines()) == 6


def test_a_size_in_words_makes_way_for_what_a_recipe_needs(capsys):
    said = found(capsys, "a tiny fortress of locks and keys", "--limit", "1", "--format", "codes")
    assert said.out.strip().endswith("@40x30")
    assert "; tiny (40x30)" in said.err.splitlines()[0]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--words", "xyzzy"], "nothing in it is understood"),
        (["--words", ""], "nothing in it is understood"),
        (["--words", "", "--generator", "rooms"], "nothing in it is understood"),
        (["--words", "xyzzy", "--generator", "rooms"], "nothing in it is understood"),
        (["--words", "flooded " * 10_000], "--words has more than 1000 characters"),
        (["--words", "caves", "--sort", "path"], "give --words or --sort, not both"),
        (["--words", "caves", "--evolve", "loops=1", "--generator", "bsp"], "not both"),
        (["--words", "caves", "--set", "loops.at_most=1"], "leave out --set"),
        (["--words", "caves", "--seeds", "4"], "is not a half-open range"),
        (["--words", "caves", "--workers", "0"], "--workers '0' must be"),
    ],
)
def test_a_request_that_asks_for_nothing_is_refused(more, words, capsys):
    assert_refused(["find", *more], words, capsys)


def test_a_bad_code_in_a_stream_does_not_lose_the_others(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("walk:1@30x20\nnope:1\nwalk:2@30x20\n"))
    assert main(["describe", "-"]) == 2
    said = capsys.readouterr()
    assert said.out.splitlines()[::2] == ["walk.1:1:1@30x20", "walk.1:2:1@30x20"]
    assert "there is no generator 'nope'" in said.err
    monkeypatch.setattr("sys.stdin", io.StringIO("\n"))
    assert_refused(["describe", "-"], "standard input has no level code", capsys)


def test_a_file_name_with_a_nul_is_not_a_level_code(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("caves:1\0.txt\n"))
    assert_refused(["describe", "-"], r"'caves:1\x00.txt' is not a level code", capsys)


def test_describe_says_a_level_in_three_sentences(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("keep+haunted:7\n"))
    assert main(["describe", "-", "wilds:1@40x30"]) == 0
    code, text, world, where = capsys.readouterr().out.splitlines()
    assert (code, world) == ("keep.1+haunted.1:7:1@80x45", "wilds.1:1:1@128,128@40x30")
    assert "haunted keep with " in text
    assert " steps from the start" in text
    assert (
        ". It has 18 chokepoints, 42 doors, one lock, one bridge and 31 creatures; 66% of it can"
        in text
    )
    assert text.count(". ") == 2
    assert where.startswith("A")
    assert_refused(["describe", "nope:1"], "there is no generator", capsys)


def test_with_one_wish_the_kinds_of_place_do_not_change_the_order(capsys):
    said = found(capsys, "a castle with a long detour", "--seeds", "0:12", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(said.out))]
    detours = [float(row["detour"]) for row in rows]
    assert detours == sorted(detours, reverse=True)
    assert {row["generator"] for row in rows} == {"keep", "fortress_mission"}
    said = found(capsys, "a castle", "--seeds", "0:2", "--format", "codes")
    assert [code.partition(".")[0] for code in said.out.split()] == [
        "keep", "keep", "fortress_mission", "fortress_mission",
    ]  # fmt: skip


def test_a_size_given_goes_before_a_word_for_one(capsys):
    said = found(capsys, "a small level", "--size", "60x40", "--limit", "1")
    assert said.err.startswith("understood: all\n")
    assert "@60x40" in said.out
