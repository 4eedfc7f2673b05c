"""The command line as scripts depend on it: output, exit codes, one sentence per mistake."""

import argparse
import gc
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import replace
from itertools import islice

import pytest

from cli.argument_parsers import add_options, command_summaries
from cli.arguments import seed_range
from cli.check import CheckResult, _tables
from main import main
from procgen.build import build
from procgen.recipes import current_recipes
from procgen.world_types import world_types
from support.command_line import PLAIN, run, start_program
from support.paths import ROOT
from workbench.exports.formats import FORMATS
from workbench.search.process_pool import ordered_results


def test_every_option_that_a_command_refuses_is_one_of_its_own():
    tables = tomllib.loads((ROOT / "data" / "commands.toml").read_text(encoding="utf-8"))
    for name, command in tables["commands"].items():
        parser = argparse.ArgumentParser()
        add_options(parser, name)
        own = {action.dest for action in parser._actions}
        for rule in command.get("refused", ()):
            named = {*rule["options"], *rule.get("beside", ()), *rule.get("without", ())}
            assert named - own == set(), name
            assert ("beside" in rule) != ("without" in rule), name


def test_help_is_there_for_every_command():
    assert start_program("--help").stdout == run("--help").stdout
    for command in ([], *([name] for name in command_summaries())):
        done = run(*command, "--help")
        assert done.returncode == 0
        assert "usage: main.py" in done.stdout
        assert done.stderr == ""


def test_help_says_what_is_done_in_the_terminal():
    for command, verb in ((["--help"], "play"), (["replay", "--help"], "watch")):
        shown = " ".join(run(*command).stdout.split())
        assert f"{verb} in the terminal instead of a window" in shown


def test_loaded_modules_are_frozen_for_the_garbage_collector(capsys):
    assert main(["list"]) == 0
    kept = gc.get_freeze_count()
    assert kept > 10_000
    assert main(["list"]) == 0
    assert gc.get_freeze_count() <= kept  # or what a command leaves behind would stay as well


def test_a_map_as_text_shows_start_and_exit():
    done = start_program("map", "--generator", "rooms", "--seed", 42)
    rows = done.stdout.strip().splitlines()
    assert rows[0] == "rooms.1:42:1@80x45"
    assert len(rows) == 46
    assert {len(row) for row in rows[1:]} == {80}
    assert done.stdout.count("<") == done.stdout.count(">") == 1


def test_a_map_as_json_holds_what_the_format_says():
    level = json.loads(run("map", "caves:42:3@60x30", "--format", "json").stdout)
    assert list(level)[:7] == ["code", "generator", "version", "seed", "depth", "width", "height"]
    assert level["code"] == "caves.1:42:3@60x30"
    assert len(level["tiles"]) == 30
    assert all(len(row) == 60 for row in level["tiles"])
    assert set("".join(level["tiles"])) == set(level["legend"])
    for place in (level["start"], level["exit"], *([s["x"], s["y"]] for s in level["spawns"])):
        assert level["legend"][level["tiles"][place[1]][place[0]]]["walkable"]
    assert all(len(step["digest"]) == 16 for step in level["steps"])
    assert {"rooms", "spawns", "steps", "legend"} <= set(level)


def test_many_maps_come_as_lines():
    done = run("map", "--generator", "all", "--seeds", "0:2", "--format", "jsonl", "--depth", 2)
    codes = [json.loads(line)["code"] for line in done.stdout.splitlines()]
    assert len(codes) == 2 * len(current_recipes())
    assert len(set(codes)) == len(codes)


def test_a_code_alone_decides_the_level():
    once, again = (run("map", "bsp:hello world:2").stdout for _ in range(2))
    assert once == again
    assert once.startswith("bsp.1:")


def test_what_a_code_leaves_out_can_be_given_beside_it():
    beside = run("map", "caves:42", "--depth", "3", "--size", "60x40")
    assert beside.stdout == run("map", "caves:42:3@60x40").stdout
    assert beside.stdout.startswith("caves.1:42:3@60x40")


def test_an_output_file_is_never_overwritten(tmp_path):
    target = tmp_path / "level.txt"
    assert run("map", "rooms:1", "--output", target).returncode == 0
    before = target.read_text()
    done = run("map", "rooms:2", "--output", target)
    assert done.returncode == 2
    assert "not overwritten" in done.stderr
    assert target.read_text() == before


def test_the_list_names_every_recipe_and_its_parameters():
    records = json.loads(run("list", "--json").stdout)
    keys = {"name", "version", "description", "parameters", "default_size", "smallest_size"}
    assert all(set(record) == keys for record in records)
    every = [*current_recipes(), *world_types().values()]
    assert [record["name"] for record in records] == [one.name for one in every]
    assert records[0]["parameters"]["rectangular_rooms"]["tries"] == 30
    assert (records[0]["default_size"], records[0]["smallest_size"]) == ("80x45", "20x15")
    text = run("list").stdout
    assert all(record["description"] in text for record in records)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["map", "nope:1"], 2, "there are rooms, sparse"),
        (["map", "--generator", "nope"], 2, "there are rooms, sparse"),
        (["--generator", "nope", "--seed", "1"], 2, "there are rooms, sparse"),
        (["map", "caves:1@10x10"], 2, "its smallest size is 20x15"),
        (["map", "--generator", "rooms,mission", "--size", "30x20"], 2, "mission cannot be 30x20"),
        (["play", "--generator", "caves", "--size", "5x5"], 2, "its smallest size"),
        (["map", "rooms:1", "--seed", "2"], 2, "not both"),
        (["map", "rooms:1@40x30", "--size", "80x45"], 2, "another size"),
        (["map", "rooms:1:2", "--depth", "3"], 2, "not --depth 3"),
        (["map", "--size", "99999x3"], 2, "impossible"),
        (["map", "--size", "wide"], 2, "WIDTHxHEIGHT"),
        (["map", "--seed", "18446744073709551616"], 2, "out of range"),
        (["map", "--seed", "-1"], 2, "out of range"),
        (["map", "--seeds", "5:5"], 2, "span 1 to 1,000,000,000 seeds"),
        (["map", "--seeds", "a:b"], 2, "half-open"),
        (["map", "--seeds", "0:\N{SUPERSCRIPT TWO}"], 2, "half-open"),
        (["map", "--depth", "0"], 2, "from 1"),
        (["map", "--format", "json", "--seeds", "0:2"], 2, "jsonl"),
        (["check", "--seeds", "0:0"], 2, "must span"),
        (["simulate", "--runs", "x"], 2, "whole number"),
        (["simulate", "--runs", "3", "--seeds", "0:2"], 2, "number of seeds given (2)"),
        (["--seed", "42", "map"], 2, "put --seed after 'map'"),
        (["--workshop", "--generator", "bsp", "play"], 2, "put --workshop, --generator after"),
        (["replay", "no-such-file"], 2, "there is no run 'no-such-file'; `main.py runs` lists"),
        (["play", "--continue"], 2, "no unfinished run"),
        (["play", "--continue", "--seed", "1"], 2, "give no other options"),
        (["fly"], 2, "invalid choice"),
        (["survay"], 2, "'bench') (do you mean survey?)"),
        (["map", "--format=pg"], 2, f"'{[*FORMATS][-1]}') (do you mean png?)"),
        (["find", "--whre=x", "-y"], 2, "arguments: --whre=x -y (do you mean --where?)"),
        (["replay", "x", "--speed", "fast"], 2, "there is no run 'x'"),
        (["replay", ""], 2, "the name of a file cannot be empty"),
        (["check", ""], 2, "the name of a file cannot be empty"),
        (["play", ""], 2, "the name of a file cannot be empty"),
        (["play", "--take-over="], 2, "--take-over '' names no file; leave it out"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_sentence_and_its_code(arguments, code, words):
    assert_mistake(run(*arguments), code, words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("find --sort path --force", "--force needs --page"),
        ("find --sort path --workers 2 --cluster tcp://host:1", "leave out --workers"),
        ("survey --force", "--force needs --output"),
        ("survey --plane floor,loops", "--plane needs --output"),
        ("map rooms:1 --force", "--force needs --output"),
        ("map rooms:1 --seed=", "not both"),
        ("map --seed=", "a seed cannot be empty"),
        ("play --seed=", "a seed cannot be empty"),
        ("check a.txt --seeds 0:3", "give level files or --seeds, not both"),
        ("check a.txt --workers 2", "give level files or --workers, not both"),
        ("list --infinite wilds", "give names or --infinite, not both"),
        ("runs --yes", "--yes needs --delete"),
        ("bench --peers --levels 3", "leave out --levels"),
        ("bench --against=", "--against '' names no file; leave it out"),
        ("map rooms:1 --output=", "--output '' names no file; leave it out"),
        ("survey --output=", "--output '' names no file; leave it out"),
        ("simulate --runs 1 --output=", "--output '' names no file; leave it out"),
        ("find --illuminate loops,path --generator rooms --page=", "--page '' names no file"),
        ("play --seed 1 --generator=", "there is no generator ''"),
        ("simulate --runs 1 --turns 1 --generator=", "there is no generator ''"),
        ("catalog --seed 1 --depth 1 --generator=", "there is no generator ''"),
        ("find --words cave --seeds 0:1 --generator=", "there is no generator ''"),
    ],
)
def test_an_option_that_would_have_no_effect_is_refused(arguments, words):
    assert_mistake(run(*arguments.split()), 2, words)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["fly"], 2, "invalid choice"),
        (["map", "nope:1"], 2, "there are rooms, sparse"),
        (["replay", "no-such-file"], 2, "there is no run 'no-such-file'; `main.py runs` lists"),
        (["play", "--seed", "42"], 5, "no display"),
        (["play", "--workshop", "caves:7"], 5, "no display"),
        ([], 5, "no display"),
    ],
)
def test_a_mistake_ends_the_process_with_its_code(arguments, code, words):
    assert_mistake(start_program(*arguments), code, words)


def assert_mistake(done, code, words):
    assert done.returncode == code, done.stderr
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert len([line for line in done.stderr.splitlines() if line.startswith("main.py")]) <= 1


@pytest.mark.skipif(os.name == "nt", reason="a shell of its own kind")
@pytest.mark.parametrize(
    ("closed", "arguments", "code"), [(">&-", "list", 0), ("2>&-", "map nope:1", 2)]
)
def test_a_closed_stream_is_not_written_to_and_nothing_takes_its_place(closed, arguments, code):
    command = f'"{sys.executable}" "{ROOT / "main.py"}" {arguments} {closed}'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_check_prints_a_table_and_passes():
    done = run("check", "--seeds", "0:5", "--size", "40x30", "--generator", "walk")
    assert done.returncode == 0
    assert "walk" in done.stdout
    assert "0.00%" in done.stdout
    assert done.stderr == ""


def test_check_times_the_processor_and_no_first_build(monkeypatch):
    built = []

    def slow_build(code):
        time.sleep(0.2)  # As while another process has the processor.
        end = time.process_time() + (0 if built else 0.5)
        built.append(code)
        while time.process_time() < end:
            pass
        return build(code)

    monkeypatch.setattr("cli.check.build", slow_build)
    words = ("--generator", "walk", "--size", "30x21", "--workers", 1, "--json")
    (row,) = json.loads(run("check", "--seeds", "1:4", *words).stdout)["generators"]
    assert len(built) == 4
    assert row["levels"] == 3
    assert row["p99_ms"] < 150


def test_the_median_of_an_even_number_of_builds_is_between_the_middle_two():
    code = current_recipes()[0].code(0, 1, None)
    (row,) = _tables({code: CheckResult(times=[1.0, 9.0])})["generators"]
    assert row["median_ms"] == 5
    (row,) = _tables({code: CheckResult(times=[9.0, *[1.0] * 49])})["generators"]
    assert (row["median_ms"], row["p99_ms"]) == (1, 9), "in whatever order they came"


def test_check_counts_the_builds_of_levels_that_were_all_rejected():
    words = ("--generator", "rooms", "--set", "rectangular_rooms.tries=0", "--seeds", "0:3")
    done = run("check", *words, "--workers", 1, "--json")
    found = json.loads(done.stdout)
    (row,) = found["generators"]
    assert (row["levels"], row["broken"], row["rejected"]) == (0, 3, 1.0)
    assert (row["median_ms"], row["p99_ms"]) == (None, None)
    assert [(one["reason"], one["builds"]) for one in found["rejected"]] == [("no room fits", 192)]
    text = run("check", *words, "--workers", 1).stdout
    assert re.search(r"0 +│ +- │ +- │ +100.00% │ +3 ", text)
    assert text.endswith(": all 64 attempts were rejected (and 2 other levels)\n")


def test_check_goes_through_the_depths_as_its_help_says(monkeypatch):
    built = set()
    monkeypatch.setattr(
        "cli.check.build", lambda code: built.add((code.seed, code.depth)) or build(code)
    )
    words = ("--generator", "walk", "--size", "30x21", "--workers", 1)
    assert run("check", "--seeds", "0:13", *words).returncode == 0
    assert {(0, 1), (1, 2), (11, 12), (12, 1)} <= built
    told = " ".join(run("check", "--help").stdout.split())
    assert "depths go from 1 to 12 in turn, seed 0 at depth 1" in told


def test_check_counts_rejections_that_differ_in_the_names_of_rooms_as_one(monkeypatch):
    reasons = ("the mission cannot be laid out: room 1", "the mission cannot be laid out: room 2")
    monkeypatch.setattr("cli.check.build", lambda code: replace(build(code), rejected=reasons))
    words = ("--generator", "walk", "--size", "30x21", "--seeds", "1:3", "--workers", 1)
    (row,) = json.loads(run("check", *words, "--json").stdout)["rejected"]
    assert (row["reason"], row["builds"]) == ("the mission cannot be laid out", 4)
    narrow = run("check", *words).stdout
    assert row["example"] in "".join(re.findall(r"│ ([^│]*?) *│$", narrow, re.MULTILINE))


def test_a_table_of_every_generator_breaks_no_name_at_80_columns(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    longest = max((recipe.name for recipe in current_recipes()), key=len)
    table = run("check", "--seeds", "0:1", "--generator", longest, "--workers", 1).stdout
    assert longest in table
    assert len(table.splitlines()) == 6, "two lines of headers, one of figures"


@pytest.mark.parametrize("command", ["survey", "check"])
def test_levels_measured_before_an_interrupt_are_shown(command, monkeypatch, capsys):
    def interrupted(*given):
        yield from islice(ordered_results(*given), 1)
        raise KeyboardInterrupt

    monkeypatch.setattr(f"cli.{command}.ordered_results", interrupted)
    many = ["--generator", "walk", "--size", "30x20", "--seeds", "0:400", "--workers", "1"]
    assert main([command, *many]) == 130
    said = capsys.readouterr()
    assert "walk" in said.out
    assert said.err.startswith("stopped early")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


SMALL = "--generator walk,rooms --size 40x30 --seeds 0:3 --workers 1"


@pytest.mark.parametrize(
    "words",
    [
        "map --seeds 0:50",
        f"find --where 'path > 0' {SMALL}",
        f"check {SMALL}",
        "simulate --runs 1 --turns 5 --workers 1",
        f"survey {SMALL} --output .",
        f"survey {SMALL} --output . --json",
    ],
)
def test_output_into_a_closed_pipe_is_no_error(words, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)  # As by `head`, only sooner.
    command = [sys.executable, str(ROOT / "main.py"), *shlex.split(words)]
    done = subprocess.run(
        command, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False
    )
    os.close(writer)
    assert done.returncode == 0
    assert all(line.startswith("warning: ") for line in done.stderr.splitlines())
    assert (tmp_path / "survey.html").exists() == words.startswith("survey")


def test_the_first_line_goes_into_a_pipe_that_closes_then():
    command = f'"{sys.executable}" "{ROOT / "main.py"}" map --seeds 0:50 | head -1'
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=PLAIN, check=True
    )
    assert done.stdout.startswith("rooms.1:0")
    assert done.stderr == ""


@pytest.mark.parametrize("words", ["list", "list --infinite", "list rooms", "describe keep:3"])
@pytest.mark.parametrize("columns", [60, 80])
def test_a_terminal_breaks_prose_only_between_words(words, columns, capsys, monkeypatch):
    assert main(words.split()) == 0
    piped = capsys.readouterr().out
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert main(words.split()) == 0
    printed = capsys.readouterr().out
    for line in printed.splitlines():
        assert len(line) <= columns or len(line.split()) == 1, "only a longer word may stand out"
    assert printed.split() == piped.split()


def test_the_end_of_a_range_of_seeds_may_have_blanks_and_noughts():
    assert seed_range("2:" + " " * 50 + "5") == seed_range("2:" + "0" * 50 + "5") == range(2, 5)
