"""The benchmark: figures of everything, as a table, as JSON, and beside earlier ones."""

import json
import os

import pytest

from main import main
from procgen.recipes import current_recipes
from procgen.world_types import world_types
from support.command_line import assert_refused
from workbench.benchmark import BenchmarkFigure, benchmark_parts, rate_figure, summarize_times


def bench(*arguments, capsys):
    """Return the exit code and what was printed; on stderr, nothing."""
    code = main(["bench", *map(str, arguments)])
    said = capsys.readouterr()
    assert said.err == ""
    return code, said.out


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Keep the benchmark short."""
    monkeypatch.setattr("workbench.benchmark.TURNS", 20)
    monkeypatch.setattr("workbench.benchmark.FRAMES", 3)
    monkeypatch.setattr("workbench.benchmark.STARTS", 1)
    monkeypatch.setattr("workbench.benchmark.CROWDED_TURNS", 2)
    monkeypatch.setattr("workbench.benchmark.CHUNKS", 1)


def test_the_usual_value_and_the_worst_of_a_hundred():
    assert summarize_times("a", [3.0, 1.0, 2.0]) == BenchmarkFigure("a", "ms", 2.0, 3.0)
    assert summarize_times("a", [float(n) for n in range(200)]).worst == 198
    assert rate_figure("b", 50, 2.0).median == 25


def test_every_generator_is_measured():
    assert len(benchmark_parts(current_recipes(), 1)) == 5 + len(current_recipes())


def test_json_says_what_was_measured_on_what_and_a_later_table_compares(tmp_path, capsys):
    code, out = bench("--generator", "walk", "--levels", 2, "--json", capsys=capsys)
    assert code == 0
    found = json.loads(out)
    assert list(found) == [
        "seedhollow", "program", "python", "numpy", "machine", "cores", "levels", "figures",
    ]  # fmt: skip
    assert [(one["name"], one["unit"]) for one in found["figures"]] == [
        ("start for --help, by the clock", "ms"),
        ("a picture of 100x50 cells", "ms"),
        ("turns played by the bot and recorded", "per second"),
        ("turns replayed and compared", "per second"),
        *((f"turns recorded with {awake} awake", "per second") for awake in (20, 100, 500)),
        *((f"{world}: a chunk", "ms") for world in world_types()),
        ("walk: a level", "ms"),
        ("walk: its metrics", "ms"),
    ]
    assert all(one["median"] > 0 and one["worst"] > 0 for one in found["figures"])
    for one in found["figures"]:
        one["median"] = 1e9
    (tmp_path / "then.json").write_text(json.dumps(found))
    asked = ("--generator", "walk", "--levels", 1, "--against", tmp_path / "then.json")
    code, out = bench(*asked, capsys=capsys)
    assert code == 0
    assert "then ┃ ratio" in out
    row = next(line for line in out.splitlines() if "walk: a level" in line)
    assert [cell.strip() for cell in row.split("│")][5:7] == ["1,000,000,000", "0.00"]


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--levels", "0"], 2, "--levels"),
        (["--generator", "nope"], 2, "there is no generator"),
        (["--against", "no-such-file"], 1, "no-such-file cannot be used (No such file"),
        (["--against", os.devnull], 1, "cannot be used (a pipe or device, not a file)"),
        (["--against", __file__], 1, "is not what `main.py bench --json` wrote"),
    ],
)
def test_a_mistake_gets_one_sentence(arguments, code, words, capsys):
    assert_refused(["bench", *arguments], words, capsys, code)
