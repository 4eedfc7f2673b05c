"""Surveys: figures against slow references, and the page as a browser reads it."""

import re
from base64 import b64decode
from html.parser import HTMLParser
from io import BytesIO
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from main import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import measure, relative_metrics
from procgen.recipes import find_recipe
from procgen.settings import complete
from workbench.search.metric_space import (
    mean_distances,
    metric_table,
    most_typical,
    most_unusual,
    normalize_level,
)
from workbench.search.search_jobs import METRIC_NAMES, run_search_job, search_jobs
from workbench.survey.recipe_statistics import (
    StatisticsParts,
    add_results,
    merge_statistics,
    percentiles,
    rank_correlations,
)
from workbench.survey.survey_charts import axis, correlation_chart, heat_map, metric_plane


@pytest.fixture(scope="module")
def found():
    """Return portraits of two recipes."""
    codes = [find_recipe(name).code(0, 1, (40, 30)) for name in ("walk", "rooms")]
    builders = StatisticsParts()
    add_results(builders, map(run_search_job, search_jobs(codes, range(60))))
    return merge_statistics(builders)


def test_a_portrait_holds_every_level_as_measured(found):
    for portrait in found:
        code = portrait.code
        levels = [build(find_recipe(code.recipe).code(seed, 1, (40, 30))) for seed in range(60)]
        assert portrait.seeds.tolist() == list(range(60))
        assert np.array_equal(portrait.metrics, metric_table([measure(level) for level in levels]))
        paths = sorted(measure(level).path for level in levels)
        median = percentiles(portrait.metrics)[1, METRIC_NAMES.index("path")]
        assert median == (paths[29] + paths[30]) / 2


def test_places_are_those_of_the_cards():
    level = build(find_recipe("bsp").code(3, 1, (60, 40)))
    expected = [position for *_, position in relative_metrics(level)]
    assert normalize_level(measure(level), 60, 40).tolist() == pytest.approx(expected)


def test_variety_is_the_mean_difference_of_all_pairs():
    where = np.random.RandomState(5).random_sample((30, len(METRIC_NAMES)))
    pairs = [abs(where[a] - where[b]) for a, b in combinations(range(30), 2)]
    own = [np.delete(abs(where - row), at, axis=0).mean() for at, row in enumerate(where)]
    assert mean_distances(where).tolist() == pytest.approx(own)
    assert mean_distances(where).mean() == pytest.approx(np.mean(pairs))
    assert not mean_distances(np.repeat(where[:1], 9, axis=0)).any()
    assert not mean_distances(where[:1]).any()
    assert mean_distances(where * 0.5) == pytest.approx(mean_distances(where) / 2)


def test_the_typical_is_in_the_middle_and_the_rarest_alone():
    where = np.random.RandomState(5).normal(0.5, 0.02, (50, len(METRIC_NAMES)))
    where[17] = 0.5
    where[31, :3] = 0.9
    assert most_typical(where) == 17
    assert most_unusual(where) == 31
    assert most_unusual(where[:1]) == most_typical(where[:1]) == 0


def test_marks_of_an_axis_stand_where_their_figures_lie(found):
    for name in METRIC_NAMES:
        scale = axis(name, found)
        marks = scale.marks()
        assert [place for place, _ in marks] == sorted(place for place, _ in marks)
        for place, text in marks:
            value = float(text.rstrip("%")) / (100 if "%" in text else 1)
            assert float(scale.at(np.array([value]))[0]) == pytest.approx(place, abs=1e-6)
    inside = axis("path", found).at(found[0].metrics[:, METRIC_NAMES.index("path")])
    assert ((inside >= 0) & (inside <= 1)).mean() > 0.95


class Page(HTMLParser):
    """What a browser finds in a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.pictures, self.codes, self.counts = [], [], [], [], []
        self.titles = self.open = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.open = (tag, given)
        self.links += [given[name] for name in ("src", "href") if name in given]
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "img":
            self.pictures.append(given)

    def handle_data(self, data):
        if self.open and "data-code" in self.open[1] and self.open[0] == "button":
            self.codes.append(data)
        self.open = None


def test_a_heat_map_counts_every_level_once(found):
    x, y = axis("floor", found), axis("detour", found)
    for portrait in found:
        drawn = heat_map(portrait, x, y)
        counts = [int(part.split("<")[0]) for part in drawn.split("<title>")[1:]]
        assert sum(counts) == len(portrait.seeds)


def test_names_of_metrics_stand_outside_of_the_maps(found):
    x, y = axis("floor", found), axis("detour", found)
    for drawn in (heat_map(found[0], x, y), metric_plane(found, x, y, 400, 472)):
        top, height = map(int, re.search(r'viewBox="0 (-\d+) \d+ (\d+)"', drawn).groups())
        high = int(re.search(r'class="ground"[^>]* y="0"[^>]* height="(\d+)"', drawn)[1])
        names = [float(at) for at in re.findall(r'class="axis[^>]* y="([-0-9.]+)"', drawn)]
        assert len(names) == 2
        assert all(top + 8 <= at < 0 or high + 8 < at <= top + height for at in names)


def test_metrics_go_together_as_their_ranks_do(found):
    from scipy.stats import spearmanr  # noqa: PLC0415 - it takes a second

    walks, _ = found
    expected = spearmanr(
        walks.metrics[:, [METRIC_NAMES.index("path"), METRIC_NAMES.index("loops")]]
    )
    together = rank_correlations([walks])
    assert together[2, METRIC_NAMES.index("loops")] == pytest.approx(expected.statistic)
    both = rank_correlations(found)
    assert np.allclose(both, both.T)
    varied = np.any([np.ptp(portrait.metrics, axis=0) > 0 for portrait in found], axis=0)
    assert both.diagonal().tolist() == pytest.approx(varied.astype(float).tolist())
    # What is the same in all levels goes with nothing.
    assert not together[METRIC_NAMES.index("rooms"), :].any()
    assert (
        correlation_chart(both).count("<title>") == len(METRIC_NAMES) * (len(METRIC_NAMES) - 1) // 2
    )


def test_the_page_stands_alone_and_its_codes_make_its_pictures(tmp_path, capsys):
    asked = ["survey", "--generator", "walk", "--seeds", "5:35", "--size", "30x20"]
    folder = tmp_path / "new" / "pages"
    assert main([*asked, "--output", str(folder), "--workers", "1"]) == 0
    said = capsys.readouterr()
    assert said.err.startswith("no quality: ")
    assert all(
        name in said.out for name in (*METRIC_NAMES, "quality", "diversity", "5%", "median", "95%")
    )
    text = (folder / "survey.html").read_text(encoding="utf-8")
    page = Page(text)
    assert 'main.py play "CODE"' in text
    assert page.links
    assert all(link.startswith(("data:image/webp;base64,", "#")) for link in page.links)
    assert not any(word in text for word in ("http:", "https:", "url(", "@import", "$"))
    assert "prefers-color-scheme: dark" in text
    assert len(page.codes) == len(page.pictures) == 2
    for code, picture in zip(page.codes, page.pictures, strict=True):
        level = build(complete(parse_code(code)))
        assert 5 <= level.code.seed < 35
        assert picture["alt"].endswith(code)
        data = b64decode(picture["src"].partition(",")[2])
        shown = Image.open(BytesIO(data))
        assert shown.size == (int(picture["width"]), int(picture["height"]))
    assert main([*asked, "--output", str(folder)]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert (folder / "survey.html").read_text(encoding="utf-8") == text
    assert main([*asked, "--output", str(folder), "--force", "--workers", "1"]) == 0
    assert (folder / "survey.html").read_text(encoding="utf-8") == text


def test_one_level_is_a_level(tmp_path, capsys):
    asked = ["survey", "--generator", "arena", "--seeds", "7:8", "--workers", "1"]
    assert main(asked) == 0
    assert ", 1 level " in capsys.readouterr().out
    assert main([*asked, "--output", str(tmp_path)]) == 0
    page = next(tmp_path.glob("*.html")).read_text()
    assert "1 level of 1 generator" in page
    assert "1 levels" not in page


def test_several_recipes_are_compared(tmp_path, capsys, monkeypatch):
    some = [find_recipe(name) for name in ("walk", "rooms", "sparse")]
    monkeypatch.setattr("cli.arguments.chosen_recipes", lambda *_: some)
    asked = ["survey", "--seeds", "0:6", "--plane", "loops,openness", "--workers", "1"]
    assert main([*asked, "--output", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "most varied first" in out
    for name in ("walk", "rooms", "sparse"):
        line = rf"^{name}: most typical {name}\.1:\d:1@80x45, rarest {name}\.1:\d:1@80x45$"
        assert re.search(line, out, re.MULTILINE)
    page = Page((tmp_path / "survey.html").read_text(encoding="utf-8"))
    assert page.ids == ["walk", "rooms", "sparse"]
    assert {link for link in page.links if link.startswith("#")} == {
        f"#{name}" for name in page.ids
    }
    assert "loops →" in (tmp_path / "survey.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--plane", "floor", "--output", "-"], "two metrics"),
        (["--plane", "floor,floor", "--output", "-"], "two metrics"),
        (["--plane", "flor,path", "--output", "-"], "do you mean floor?"),
        (["--seeds", "0:900000000"], "at most 2,000,000"),
        (["--generator", "nope"], "there is no generator"),
    ],
)
def test_a_mistake_gets_one_sentence(arguments, words, capsys):
    assert main(["survey", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main(["survey", "--seeds", "0:2", "--output", str(tmp_path / "file" / "in")]) == 1
    assert "the folder cannot be created" in capsys.readouterr().err


def test_a_survey_warns_of_little_variety_and_of_recipes_that_are_alike(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    (tmp_path / "recipes.toml").write_text(
        '[hive]\ndescription = "Another honeycomb."\nextends = "voronoi"\n'
        "change = { merge_regions = { share = 0.25 } }\n"
    )
    recipes = "voronoi,~hive,temple,one_rule_maze,digger"
    words = ["survey", "--generator", recipes, "--seeds", "0:30"]
    assert main([*words, "--workers", "1", "--size", "60x40"]) == 0  # not strict
    said = capsys.readouterr().err.splitlines()
    assert any(
        line.startswith("warning: one_rule_maze varies little: diversity 0.0") for line in said
    )
    assert [line.partition(":")[2].partition(":")[0] for line in said if "alike" in line] == [
        " voronoi and ~hive are alike"
    ]
    assert any(re.search(r"alike: separation [01]\.\d\d, below 1\.2$", line) for line in said)
    assert not any("digger" in line or "temple" in line for line in said)
    uniform = ["survey", "--generator", "one_rule_maze", "--seeds", "0:10", "--workers", "1"]
    assert main([*uniform, "--size", "60x40", "--strict"]) == 6
    capsys.readouterr()
    alike = ["survey", "--generator", "voronoi,~hive", "--seeds", "0:8", "--workers", "1"]
    assert main([*alike, "--size", "60x40", "--strict"]) == 6
    assert "varies little" not in capsys.readouterr().err
    varied = ["survey", "--generator", "digger,temple", "--seeds", "0:20", "--workers", "1"]
    assert main([*varied, "--strict"]) == 0
    assert "warning" not in capsys.readouterr().err
