"""Quality, controllability and the curves of parameters: definitions, and what survey shows."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import SHAPE, measure
from procgen.recipe_builder import ATTEMPTS
from procgen.recipes import find_recipe
from procgen.settings import complete, recipe_for_code
from support.command_line import assert_refused, run
from workbench.search.metric_space import metric_table
from workbench.search.search_jobs import METRIC_NAMES, run_search_job, search_jobs
from workbench.survey.parameter_curves import (
    SIGNIFICANT,
    VALUES,
    controllability,
    explained_variance,
    parameter_curves,
    parameter_sweeps,
    smoothness,
)
from workbench.survey.recipe_statistics import RecipeStatistics, StatisticsParts, add_results

ROOMS = find_recipe("rooms").code(0, 1, (40, 30))
ASKED = ("survey", "--generator", "rooms", "--size", "40x30", "--seeds", "0:6", "--workers", "1")


@pytest.fixture(scope="module")
def curves():
    """Return the curves of rooms, with five levels at each value."""
    codes = {one for at in parameter_sweeps(ROOMS).values() for one in at.values()}
    parts = StatisticsParts()
    ordered = sorted(codes, key=str)
    add_results(parts, map(run_search_job, search_jobs(ordered, range(5))))
    return parameter_curves(ROOMS, {code: one.metrics for code, (one,) in parts.items()})


def test_quality_counts_every_build_and_every_wish():
    rows = np.zeros((8, len(METRIC_NAMES)))
    rows[:, METRIC_NAMES.index("rooms")] = [9, 9, 9, 9, 9, 9, 5, 9]
    rows[:, METRIC_NAMES.index("path")] = [30, 30, 30, 30, 30, 19, 90, 20]
    usual = replace(ROOMS, width=80, height=45)
    stats = RecipeStatistics(usual, np.arange(8, dtype=np.uint64), rows)
    assert recipe_for_code(ROOMS).wishes == "rooms >= 6 and path >= 20"
    assert stats.quality == 6 / 8
    assert replace(stats, rejected=4).quality == 6 / 12
    assert replace(stats, failed=("no level",)).quality == 6 / (8 + ATTEMPTS)
    flooded = replace(stats, code=replace(usual, recipe="rooms", overlays=("flooded",)))
    assert flooded.quality == 6 / 8  # An overlay leaves the wishes as they are.


def test_at_another_size_there_is_no_quality_and_a_sentence_says_why(tmp_path):
    shown = run(*ASKED, "--output", str(tmp_path))
    assert re.search(r"quality +│ +│ +- ", shown.stdout)
    assert "no quality: " in shown.stderr
    assert "quality -" in (tmp_path / "survey.html").read_text(encoding="utf-8")
    told = run(*ASKED, "--json")
    assert json.loads(told.stdout)["generators"][0]["quality"] is None
    assert told.stderr == shown.stderr
    usual = run("survey", "--generator", "rooms", "--size", "80x45", "--seeds", "0:2", "--json")
    assert json.loads(usual.stdout)["generators"][0]["quality"] > 0
    assert usual.stderr == ""


def test_a_wish_in_a_folder_of_ones_own_is_counted_and_a_mistake_named(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setenv("SEEDHOLLOW_MINE", "")  # The option sets it; this undoes that.
    entry = '[mine]\ndescription = "Mine."\nextends = "rooms"\nwishes = "{}"\n'
    for wishes, quality in (("rooms > 99", "0%"), ("rooms < 99", "100%")):
        (tmp_path / "recipes.toml").write_text(entry.format(wishes))
        asked = ["survey", "--generator", "~mine", "--seeds", "0:6", "--mine", str(tmp_path)]
        assert re.search(rf"quality +│ +│ +{quality} ", run(*asked).stdout)
    (tmp_path / "recipes.toml").write_text(entry.replace('wishes = "{}"', ""))
    wishless = run(*asked)
    assert re.search(r"quality +│ +│ +- ", wishless.stdout)
    assert "no quality: the generator has no wishes" in wishless.stderr
    (tmp_path / "recipes.toml").write_text(entry.format("roms > 2"))
    assert_refused(asked, "[mine]: wishes: there is no metric 'roms'", capsys, code=1)


def test_explained_variance_is_that_of_an_analysis_of_variance():
    from scipy.stats import f_oneway  # noqa: PLC0415 - it takes a second

    random = np.random.RandomState(7)
    moves = np.linspace(0, 2, len(METRIC_NAMES))  # From a metric at rest to one that moves most.
    levels = [random.normal(at * moves, 1.0, (30, len(METRIC_NAMES))) for at in range(5)]
    found = explained_variance(levels)
    significant = f_oneway(*levels).pvalue < SIGNIFICANT
    assert (found > 0).tolist() == significant.tolist()
    assert found[0] == 0
    expected = 2 * moves[-1] ** 2 / (2 * moves[-1] ** 2 + 1)  # Variance of 0 to 4 is 2.
    assert found[-1] == pytest.approx(expected, abs=0.03)
    decided = [np.full((3, len(METRIC_NAMES)), float(at)) for at in range(3)]
    assert explained_variance(decided) == pytest.approx(1)
    assert not explained_variance([decided[0], decided[0]]).any()
    assert not explained_variance([rows[:1] for rows in decided]).any()  # One level tells nothing.


def test_chance_hardly_ever_passes_for_a_parameter():
    random = np.random.RandomState(3)
    shape = (8, len(METRIC_NAMES))
    tries = [explained_variance([random.normal(size=shape) for _ in range(6)]) for _ in range(60)]
    assert (np.array(tries) > 0).mean() < 5 * SIGNIFICANT


@pytest.mark.parametrize(
    ("values", "means", "expected"),
    [
        ((0, 1, 2, 3, 4, 5), (3, 5, 7, 9, 11, 13), 1),
        ((0, 1, 2, 4, 8), (3, 2, 1, -1, -5), 1),
        ((0, 1, 2, 3, 4, 5), (2, 2, 2, 9, 9, 9), 1 / 5),
        ((0, 1, 2, 3, 4), (1, 5, 9, 5, 1), 0),
        ((0, 1, 2), (4, 4, 4), 0),
    ],
)
def test_a_smooth_parameter_moves_a_metric_evenly(values, means, expected):
    rows = np.repeat(np.array(means, float)[:, None], len(METRIC_NAMES), axis=1)
    assert smoothness(values, rows) == pytest.approx(expected, abs=1e-9)


def test_a_sweep_changes_one_parameter_through_its_range():
    sweeps = parameter_sweeps(ROOMS)
    assert "rectangular_rooms.max_side" in sweeps
    for name, codes in sweeps.items():
        assert len(codes) <= VALUES + 1
        assert [*codes] == sorted(codes)
        assert ROOMS in codes.values()
        for value, code in codes.items():
            changed = [setting.split("=") for setting in code.settings]
            assert changed in ([], [[name, f"{value:g}"]])
    assert "rectangular_rooms.tries" not in parameter_sweeps(find_recipe("caves").code(0))


def test_curves_tell_the_levels_of_their_codes(curves):
    assert {curve.metric for curve in curves} == set(METRIC_NAMES)
    one = next(
        curve
        for curve in curves
        if (curve.parameter, curve.metric) == ("rectangular_rooms.min_side", "openness")
    )
    assert (one.baseline, one.levels) == (6, 5)
    assert one.baseline in one.values
    for value, mean, low, high in zip(one.values, one.means, *one.quartiles, strict=True):
        texts = [f"rooms;rectangular_rooms.min_side={value:g}:{seed}:1@40x30" for seed in range(5)]
        rows = metric_table([measure(build(complete(parse_code(text)))) for text in texts])
        column = rows[:, METRIC_NAMES.index("openness")]
        assert mean == pytest.approx(column.mean())
        assert [low, high] == pytest.approx(np.percentile(column, (25, 75)).tolist())
    assert one.explained > 0.5
    per_monster = [c for c in curves if c.parameter == "monsters_in_rooms.each" and c.explained]
    assert [curve.metric for curve in per_monster] == ["creatures"]
    assert per_monster[0].smoothness == pytest.approx(1, abs=0.1)


def test_controllability_is_the_best_parameter_of_the_mean_metric_of_the_shape(curves):
    shape = METRIC_NAMES[SHAPE]
    best = {
        name: max(curve.explained for curve in curves if curve.metric == name) for name in shape
    }
    assert controllability(curves) == pytest.approx(np.mean([*best.values()]))
    assert 0.1 < controllability(curves) < 0.9
    idle = [curve for curve in curves if curve.parameter == "join_rooms_in_order.horizontal_first"]
    assert controllability(idle) < 0.1
    assert controllability([]) == 0


def test_the_survey_shows_three_figures_and_keeps_the_curves_in_its_page(tmp_path):
    pages = []
    for workers in ("1", "2"):
        asked = [*ASKED[:-1], workers, "--curves", "4", "--output", str(tmp_path / workers)]
        out = run(*asked).stdout
        assert all(name in out for name in ("quality", "diversity", "controllability"))
        pages.append((tmp_path / workers / "survey.html").read_text(encoding="utf-8"))
    assert pages[0] == pages[1]
    data = re.search(r'<script type="application/json">(.*?)</script>', pages[0])[1]
    drawn = json.loads(data)
    assert all(curve["explained"] > 0 and curve["levels"] == 4 for curve in drawn)
    idle = re.search(r"Parameters that changed no metric: ([^<]*)\.<", pages[0])[1].split(", ")
    moved = {curve["parameter"] for curve in drawn}
    assert moved.isdisjoint(idle)
    assert moved | set(idle) == set(parameter_sweeps(ROOMS))
    assert "controllability" in pages[0]
    assert "The figure beside its name is the\nsmoothness" in pages[0]
    assert "--curves 4" in pages[0]


def test_without_curves_there_is_no_controllability():
    out = run(*ASKED).stdout
    assert "diversity" in out
    assert "controllability" not in out


@pytest.mark.parametrize("many", ["1", "1001", "few"])
def test_a_number_of_levels_that_cannot_be_is_refused(many, capsys):
    assert_refused([*ASKED, "--curves", many], "--curves", capsys)


def test_the_figures_and_curves_come_as_data():
    told = json.loads(run(*ASKED, "--curves", "3", "--format", "json").stdout)
    (row,) = told["generators"]
    assert row["quality"] is None
    assert row["diversity"] > 0
    moved = [curve for curve in told["curves"] if curve["metric"] in METRIC_NAMES[SHAPE]]
    assert 0 < row["controllability"] <= sum(curve["explained"] for curve in moved)
    assert {curve["generator"] for curve in told["curves"]} == {"rooms"}
