"""Searching: which levels are shown, and in which order."""

import json
import os
import signal
import subprocess
import sys
from functools import partial
from itertools import islice

import numpy as np
import pytest
from msgspec.structs import asdict

from main import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import SHAPE, measure
from procgen.recipe_builder import BuildFailed
from procgen.recipes import find_recipe
from procgen.settings import complete
from support.command_line import assert_refused
from support.paths import ROOT
from workbench.search.metric_space import distance_from, farthest_points, normalize_level
from workbench.search.process_pool import ordered_results
from workbench.search.search_jobs import METRIC_NAMES, Hit
from workbench.search.selection import DiverseHits, TopHits


def found(*arguments, capsys):
    """Return the exit code and the lines of a search."""
    code = main(["find", *map(str, arguments)])
    return code, capsys.readouterr().out.splitlines()


def test_a_line_of_a_terminal_has_the_metrics_asked_for_and_one_of_a_pipe_all(monkeypatch, capsys):
    words = "--where", "loops >= 0", "--generator", "rooms", "--seeds", "0:2", "--workers", "1"
    _, (heading, *_) = found(*words, capsys=capsys)
    assert heading.split() == ["code", *METRIC_NAMES]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    _, (heading, *levels) = found(*words, capsys=capsys)
    assert heading.split() == ["code", "loops"]
    assert {len(line.split()) for line in levels} == {2}


def test_numbers_in_lines_of_text_are_plain_for_other_programs(capsys):
    code, lines = found(
        "--sort", "largest_cut", "--generator", "caves", "--seeds=0:1", capsys=capsys
    )
    cells = dict(zip(*(line.split() for line in lines), strict=True))
    assert (code, int(cells["largest_cut"]) >= 1000) == (0, True)


@pytest.fixture(scope="module")
def walks():
    """Return the hits for 120 small levels, measured one by one."""
    codes = [find_recipe("walk").code(seed, 1, (30, 20)) for seed in range(120)]
    return [Hit(code, measure(build(code))) for code in codes]


SMALL = ("--generator", "walk", "--size", "30x20", "--seeds", "0:120")


def test_find_shows_exactly_the_levels_of_which_it_is_true(walks, capsys):
    where = "loops >= 1 and detour > 1.2"
    expected = [
        str(hit.code) for hit in walks if hit.metrics.loops >= 1 and hit.metrics.detour > 1.2
    ]
    assert 3 < len(expected) < 117
    for workers in (1, 2):
        asked = ("--where", where, *SMALL, "--workers", workers, "--format", "jsonl")
        code, lines = found(*asked, capsys=capsys)
        assert code == 0
        records = [json.loads(line) for line in lines]
        assert [record["code"] for record in records] == expected
    for record in records[:3]:
        metrics = asdict(measure(build(complete(parse_code(record["code"])))))
        assert {name: record[name] for name in METRIC_NAMES} == metrics


def test_all_conditions_hold_together(walks, capsys):
    first, second = "loops >= 1 or detour > 1.2", "path > 12"
    both = found(*SMALL, "--format", "codes", "--where", f"({first}) and {second}", capsys=capsys)
    assert 3 < len(both[1]) < 117
    apart = ("--where", first, "--where", second)
    assert found(*SMALL, "--format", "codes", *apart, capsys=capsys) == both


def test_the_limit_ends_the_search(walks, capsys):
    asked = ("--where", "floor > 0", *SMALL[:-1], "0:1000000000", "--limit", 3, "--workers", 2)
    code, lines = found(*asked, "--format", "codes", capsys=capsys)
    assert (code, lines) == (0, [str(hit.code) for hit in walks[:3]])


def test_sorted_by_any_number(walks, capsys):
    _, lines = found("--sort", "path / floor", *SMALL, "--limit", 5, capsys=capsys)
    best = sorted(walks, key=lambda hit: -hit.metrics.path / hit.metrics.floor)[:5]
    assert [line.split()[0] for line in lines] == ["code", *(str(hit.code) for hit in best)]
    _, lines = found("--sort=-path", *SMALL, "--limit", 1, "--format", "csv", capsys=capsys)
    header, row = (line.split(",") for line in lines)
    least = min(hit.metrics.path for hit in walks)
    assert dict(zip(header, row, strict=True))["path"] == str(least)


def test_a_sort_formula_that_is_not_a_number_for_any_level_is_said(walks, capsys):
    asked = ["find", *map(str, SMALL), "--sort", "path / (loops - loops)"]
    assert main(asked) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 1
    assert "--sort path / (loops - loops) is not a number for any" in told.err


def test_the_closest_comes_first(walks, capsys):
    goal = walks[77].metrics
    wishes = ", ".join(f"{name}={getattr(goal, name)}" for name in METRIC_NAMES)
    _, lines = found("--closest", wishes, *SMALL, "--limit", 2, "--format", "codes", capsys=capsys)
    assert lines[0] == str(walks[77].code)
    goals = {name: float(getattr(goal, name)) for name in METRIC_NAMES}
    cost = partial(distance_from, goals)
    costs = sorted(cost(hit) for hit in walks)
    assert cost(walks[77]) == costs[0] == 0
    assert cost(next(hit for hit in walks if str(hit.code) == lines[1])) == costs[1]


def test_a_table_has_what_its_levels_are_ranked_by(walks, capsys):
    ranked = {"--sort": ("path / 2", "value"), "--closest": ("path=30", "distance")}
    for option, (wish, name) in ranked.items():
        asked = (option, wish, *SMALL, "--limit", 3)
        rows = json.loads("".join(found(*asked, "--format", "json", capsys=capsys)[1]))
        paths = [row["path"] / 2 for row in rows]
        away = [distance_from({"path": 30.0}, hit) for hit in walks]
        expected = paths if option == "--sort" else sorted(away)[:3]
        assert [row[name] for row in rows] == expected
        _, lines = found(*asked, "--format", "csv", capsys=capsys)
        assert lines[0].endswith(f",{name}")
        _, lines = found(*asked, capsys=capsys)
        assert lines[0].split()[-1] == name
        assert lines[1].split()[-1] == f"{expected[0]:.2f}"


def closest_pair(hits):
    """Return how near the two nearest of some levels are."""
    where = np.array([normalize_level(hit.metrics, 30, 20)[SHAPE] for hit in hits])
    apart = np.linalg.norm(where[:, None] - where[None], axis=2)
    return apart[np.triu_indices(len(hits), 1)].min()


def test_diverse_levels_stand_further_apart_than_any_others_at_hand(walks, capsys):
    _, lines = found("--diverse", 6, *SMALL, "--format", "codes", capsys=capsys)
    chosen = [hit for hit in walks if str(hit.code) in lines]
    assert len(chosen) == 6
    draw = np.random.RandomState(1)
    others = [closest_pair([walks[n] for n in draw.permutation(120)[:6]]) for _ in range(200)]
    assert closest_pair(chosen) > max(others)


def test_the_pool_of_the_diverse_stays_small_and_loses_no_outlier(walks):
    selector = DiverseHits(4)
    selector.size = 20
    for hit in walks:
        selector.add(hit)
        assert len(selector.kept) < 40
    rest = selector.chosen()
    where = np.array([normalize_level(hit.metrics, 30, 20)[SHAPE] for hit in walks])
    whole = [walks[row] for row in farthest_points(where, 4)]
    assert closest_pair(rest) > 0.5 * closest_pair(whole)


def test_the_best_are_kept_without_keeping_all(walks):
    selector = TopHits(2, lambda hit: hit.metrics.path if hit.metrics.path > 3 else None)
    for hit in walks * 5:
        selector.add(hit)
        assert len(selector.kept) < 2 * 2 + 100
    shown = [hit.metrics.path for hit in selector.chosen()]
    assert shown == [min(hit.metrics.path for hit in walks if hit.metrics.path > 3)] * 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--where, --sort, --closest, --diverse, --evolve or --illuminate"),
        (["--where", "loop > 3"], "do you mean loops?"),
        (["--sort", "loops > 3"], "not a number"),
        (["--closest", "path"], "METRIC=NUMBER"),
        (["--closest", "path=120 loops=8"], "a comma before the next"),
        (["--closest", "path==120"], "write METRIC=NUMBER"),
        (["--diverse", "0"], "whole number from 1"),
        (["--diverse", "3", "--limit", "2"], "leave out --limit"),
        (["--sort", "path", "--diverse", "2"], "not both"),
        (["--where", "path > 3", "--generator", "nope"], "there is no generator"),
        (["--where", "path > 3", "--workers", "0"], "--workers"),
        (["--where", "path > 3", "--seeds", "3:3"], "must span"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_sentence(arguments, words, capsys):
    assert_refused(["find", *arguments], words, capsys)


@pytest.mark.skipif(os.name == "nt", reason="Windows sends no SIGINT to one process")
def test_an_interrupted_search_has_shown_what_it_found_and_exits_130():
    command = [sys.executable, str(ROOT / "main.py"), "find", "--where", "floor > 0"]
    options = ["--generator", "walk", "--size", "30x20", "--seeds", "0:900000000", "--workers", "2"]
    search = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    lines = [search.stdout.readline() for _ in range(4)]
    os.killpg(search.pid, signal.SIGINT)
    out, err = search.stdout.read(), search.stderr.read()
    assert search.wait(timeout=60) == 130, err
    assert "stopped early" in err
    shown = [line.split()[0] for line in [*lines[1:], *out.splitlines()]]
    assert shown == [f"walk.1:{seed}:1@30x20" for seed in range(len(shown))]


@pytest.mark.parametrize("command", ["survey", "find --where floor>0"])
def test_all_levels_that_could_not_be_built_are_counted_and_five_named(command, capsys):
    dense = "caves;scatter_rock.rock=0.75", "--size", "20x15", "--seeds", "0:22", "--workers", "1"
    assert main([*command.split(), "--generator", *dense, "--format", "json"]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "built" in line]
    code = "caves.1;scatter_rock.rock=0.75:{}:1@20x15"
    failed = []
    for seed in range(22):
        try:
            build(complete(parse_code(code.format(seed))))
        except BuildFailed as fault:
            failed.append(str(fault))
    assert len(failed) > 5
    named = [f"not built: {sentence}" for sentence in failed[:5]]
    assert lines == [*named, f"{len(failed)} of 22 levels could not be built"]


def test_an_interrupted_search_shows_the_best_so_far(walks, monkeypatch, capsys):
    def interrupted(*given):
        yield from islice(ordered_results(*given), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.find.ordered_results", interrupted)
    asked = ("--sort", "path", *SMALL, "--limit", 3, "--workers", 1, "--format", "codes")
    code, lines = found(*asked, capsys=capsys)
    assert code == 130
    best = sorted(walks[:100], key=lambda hit: -hit.metrics.path)[:3]
    assert lines == [str(hit.code) for hit in best]


@pytest.mark.parametrize(
    "way", [["--words", "caves"], ["--evolve", "rooms=9"], ["--illuminate", "loops,detour"]]
)
def test_these_ways_to_search_refuse_settings_of_a_generator(way, capsys):
    words = "--words, --evolve and --illuminate take a plain name in --generator"
    assert_refused(["find", *way, "--generator", "rooms;monsters_in_rooms=off"], words, capsys)
