"""Surveys as data: what was measured, the spread of every metric, and how sure the figures are."""

import json
import shlex

from entities.program import VERSION
from support.command_line import assert_refused, run

FEWER = "sparse;rectangular_rooms.tries=5"
ASKED = ("survey", "--seeds", "0:9", "--workers", "1", "--generator")


def data(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def test_a_survey_says_what_was_measured():
    told = data(
        *ASKED, "sparse", "--depth", "3", "--size", "60x40", "--set", "rectangular_rooms.tries=5"
    )
    assert (told["program"], told["seeds"], told["depth"]) == (VERSION, "0:9", 3)
    assert {row["generator"] for row in told["metrics"]} == {FEWER}
    assert told["generators"][0]["size"] == "60x40"
    again = shlex.split(told["command"])
    assert data(*again[again.index("survey") :], "--workers", "1") == told
    usual = data("survey", "--generator", "sparse", "--workers", "1")
    assert usual["seeds"] == "0:200"
    assert "--seeds 0:200" in usual["command"]


def test_variants_of_one_generator_are_compared(tmp_path):
    asked = (*ASKED, f"sparse,{FEWER},sparse;rectangular_rooms.tries=25")  # The last is the first.
    told = data(*asked, "--set", "rectangular_rooms.min_side=9")
    small = ";rectangular_rooms.min_side=9"
    assert {row["generator"] for row in told["generators"]} == {
        f"sparse{small}",
        f"{FEWER}{small}",
    }
    medians = {
        row["generator"]: row["median"] for row in told["metrics"] if row["metric"] == "rooms"
    }
    assert medians[f"sparse{small}"] > medians[f"{FEWER}{small}"]
    run(*asked, "--output", tmp_path)
    assert f'<article id="{FEWER}">' in (tmp_path / "survey.html").read_text(encoding="utf-8")


def test_settings_of_one_generator_go_where_those_of_all_go(capsys):
    found = run("find", "--generator", FEWER, "--seeds", "0:3", "--where", "rooms >= 0").stdout
    assert "sparse.1;rectangular_rooms.tries=5:0:1@80x45" in found
    assert run("map", "--generator", FEWER, "--seed", "2").stdout.startswith("sparse.1;rect")
    checked = data("check", "--generator", f"sparse,{FEWER}", "--seeds", "0:2")
    assert [row["generator"] for row in checked["generators"]] == ["sparse", FEWER]
    for way in (("--words", "cave"), ("--evolve", "loops=2"), ("--illuminate", "loops,path")):
        assert_refused(["find", "--generator", FEWER, *way], "no settings in --generator", capsys)
    assert_refused([*ASKED, "sparse;tries=5"], "'tries=5'", capsys)


def test_a_simulation_says_what_was_played():
    told = data("simulate", "--runs", "1", "--turns", "30", "--generator", "walk", "--workers", "1")
    assert (told["program"], told["bot"]) == (VERSION, "plain")
    assert (told["generator"], told["most_turns"]) == ("walk", 30)
