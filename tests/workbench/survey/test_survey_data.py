"""Surveys as data: what was measured, the spread of every metric, and how sure the figures are."""

import csv
import json
import re
import shlex
from dataclasses import replace
from statistics import mean, stdev

import numpy as np
import pytest

from entities.program import VERSION
from procgen.recipes import find_recipe
from support.command_line import assert_refused, run
from workbench.search.search_jobs import METRIC_NAMES, run_search_job, search_jobs
from workbench.survey.recipe_statistics import StatisticsParts, add_results, merge_statistics
from workbench.survey.survey_charts import axis, metric_plane

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
        assert_refused(["find", "--generator", FEWER, *way], "a plain name in --generator", capsys)
    assert_refused([*ASKED, "sparse;tries=5"], "'tries=5'", capsys)


def test_a_simulation_says_what_was_played():
    told = data("simulate", "--runs", "1", "--turns", "30", "--generator", "walk", "--workers", "1")
    assert (told["program"], told["bot"]) == (VERSION, "plain")
    assert (told["generator"], told["most_turns"]) == ("walk", 30)


def test_every_level_is_listed_and_the_survey_has_the_spread_of_their_metrics():
    levels = data("find", "--generator", "sparse", "--seeds", "0:9", "--workers", "1")
    assert [level["seed"] for level in levels] == [*range(9)]
    paths = [level["path"] for level in levels]
    (row,) = (row for row in data(*ASKED, "sparse")["metrics"] if row["metric"] == "path")
    assert row["levels"] == 9
    assert (row["mean"], row["deviation"]) == pytest.approx((mean(paths), stdev(paths)))
    heading, first, *_ = csv.reader(run(*ASKED, "sparse", "--format", "csv").stdout.splitlines())
    assert (heading, len(first)) == ([*row], len(row))
    (alone,) = {
        row["deviation"] for row in data(*ASKED[:2], "0:1", *ASKED[3:], "sparse")["metrics"]
    }
    assert alone == 0


def test_curves_are_of_the_seeds_of_the_survey():
    asked = ("survey", "--generator", "rooms", "--workers", "1", "--curves", "3", "--seeds")
    curves = [curve for curve in data(*asked, "7:11")["curves"] if curve["metric"] == "floor"]
    own = [curve["means"][curve["values"].index(curve["baseline"])] for curve in curves]
    levels = data("find", "--generator", "rooms", "--seeds", "7:10", "--workers", "1")
    assert own == [pytest.approx(mean(level["floor"] for level in levels))] * len(own)
    assert own
    assert data(*asked, f"{2**64 - 2}:{2**64}")["generators"][0]["levels"] == 2
    assert re.search(r"controllability +│ +│ +\d+% +│ +N=3 ", run(*asked, "0:4").stdout)


def test_the_separation_of_every_pair_is_told():
    told = data(*ASKED, "sparse,rooms,walk")["separations"]
    pairs = [{row["generator"], row["other"]} for row in told]
    assert pairs == [{"sparse", "rooms"}, {"sparse", "walk"}, {"rooms", "walk"}]
    assert all(row["separation"] > 1.2 for row in told)
    assert data(*ASKED, "sparse")["separations"] == []


@pytest.fixture(scope="module")
def every():
    """Return the statistics of 1,000 levels."""
    parts = StatisticsParts()
    add_results(
        parts, map(run_search_job, search_jobs([find_recipe("sparse").code(0)], range(1000)))
    )
    return merge_statistics(parts)[0]


def test_intervals_hold_the_figures_of_all_levels_nineteen_times_in_twenty(every):
    held = {"quality": 0, "diversity": 0}
    for first in range(0, 1000, 20):
        few = slice(first, first + 20)
        part = replace(every, seeds=every.seeds[few], metrics=every.metrics[few])
        for name in held:
            low, high = part.intervals[f"{name}_interval"]
            assert low < part.figures[name] < high + 1e-9
            held[name] += low <= every.figures[name] <= high
    assert all(count / 50 >= 0.84 for count in held.values())
    widths = [np.ptp(one.intervals["diversity_interval"]) for one in (part, every)]
    assert widths[0] / widths[1] == pytest.approx(50**0.5, rel=0.3)


def test_the_interval_of_quality_is_that_of_wilson_and_needs_a_figure(every):
    four = replace(every, seeds=every.seeds[:4], metrics=np.ones((4, len(METRIC_NAMES))))
    assert four.quality == 0
    assert four.intervals == {
        "quality_interval": pytest.approx([0, 0.49], abs=0.001),
        "diversity_interval": None,
    }
    small = replace(four, code=replace(four.code, width=60))
    assert small.intervals["quality_interval"] is None


def test_a_name_with_settings_is_text_on_the_plane(every):
    odd = replace(every, code=replace(every.code, settings=("a.b=<i>&",)))
    drawn = metric_plane([every, odd], axis("path", [odd]), axis("floor", [odd]), 400, 400)
    assert "sparse;a.b=&lt;i&gt;&amp;" in drawn
    assert "<i>" not in drawn
