"""Every command that prints a table prints it as text, JSON and CSV, by the same options."""

import ast
import csv
import io
import json
import re
import unicodedata
from functools import cache

import pytest

from cli.argument_parsers import command_summaries
from engine.saves.high_scores import HighScore, add_score
from main import main, parser
from procgen.level_code import parse_code
from procgen.settings import complete
from support.bot_runs import headed, played
from support.command_line import run
from support.paths import ROOT
from workbench.search.search_jobs import METRIC_NAMES

SMALL = ("--generator", "walk,rooms", "--seeds", "0:2", "--workers", 1)
GRID = ("--illuminate", "loops,detour", "--generator", "rooms", "--levels", 48, "--workers", 1)
TABLES = [
    ("list",),
    ("list", "--infinite"),
    ("list", "walk", "endless_rooms"),
    ("list", "--steps"),
    ("list", "--tiles"),
    ("check", *SMALL),
    ("check", "a.txt", "open.txt"),
    ("survey", *SMALL),
    ("find", "--where", "rooms >= 0", *SMALL),
    ("find", "--where", "rooms > 9999", *SMALL),
    ("find", "--sort", "path", *SMALL),
    ("find", *GRID),
    ("find", *GRID, "--in-cell", "900:901,900:901"),
    ("describe", "caves:1", "bsp:2", "a.txt"),
    ("simulate", "--runs", 2, "--turns", 40, "--workers", 1),
    ("catalog", "--seed", 1, "--depths", 1),
    ("scores",),
    ("scores", "--ghosts"),
    ("runs",),
    ("bench", "--generator", "walk", "--levels", 1),
    ("bench", "--generator", "walk", "--levels", 1, "--against", "earlier.json"),
]
"""Every command that prints tables, with every kind of table it has."""
NO_TABLE = {
    "play": "opens a window",
    "replay": "plays one run",
    "map": "writes levels, and says everything about them in formats of its own",
    "agent": "answers another program by lines of JSON",
    "gallery": "writes a picture",
}
"""The other commands, and why they print no table."""
WITHOUT_TEXT = {"catalog"}
"""Its rows have more columns than a terminal has room for."""
NESTED = {("list", "walk", "endless_rooms"), ("list", "--steps")}
"""Their JSON has generators with steps with parameters, their CSV a row for each parameter."""
MEASURED = {"median_ms", "p99_ms", "median", "worst", "then", "ratio"}
"""Times of `check` and `bench`, which differ from run to run."""
MAIN_TABLE = {"check": "generators", "survey": "metrics", "simulate": "runs", "bench": "figures"}
"""Those of several tables that CSV has."""
EVIL = "\x1b[31m=1+1\u202e\n\x9b\N{SNOWMAN}"


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """The figures of a short `bench` and a recorded run, made once."""
    folder = tmp_path_factory.mktemp("earlier")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEEDHOLLOW_DATA", str(folder))
        short_bench(patch)
        figures = run("bench", "--generator", "walk", "--json").stdout
    played(folder / "one.jsonl", 20)
    return figures, (folder / "one.jsonl").read_text()


def short_bench(patch):
    for name in ("TURNS", "FRAMES", "STARTS", "CHUNKS", "CROWDED_TURNS"):
        patch.setattr(f"workbench.benchmark.{name}", 2)


@pytest.fixture
def world(earlier, own_home, tmp_path, monkeypatch):
    """A folder with level files and earlier figures; runs and scores with an evil seed."""
    figures, recorded = earlier
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("########\n#<..+.>#\n#..##..#\n########\n")
    (tmp_path / "open.txt").write_text("###.###\n#<...>#\n###S###\n")
    short_bench(monkeypatch)
    (tmp_path / "earlier.json").write_text(figures)
    (own_home / "runs").mkdir(parents=True)
    (own_home / "runs" / "one.jsonl").write_text(recorded)
    lines = [json.loads(line) for line in recorded.splitlines()]
    headed(own_home / "runs" / "two.jsonl", lines, typed_seed=EVIL)
    for points in (7, 2**53 - 1):
        add_score(HighScore(points, "2026-01-01", EVIL, 1, 2, 3, 4, 5, "killed by rat"))


def rows_of(form, said, command):
    """Return the main table in what a command printed."""
    if form == "csv":
        return list(csv.DictReader(io.StringIO(said), restval=None, strict=True))
    found = json.loads(said)
    return found[MAIN_TABLE[command]] if command in MAIN_TABLE else found


def options_of(command):
    """Return the options of a command by name."""
    return parser().get_default("parsers")[command]._option_string_actions


def test_every_command_is_known_to_print_tables_or_not():
    tables = {command for command, *_ in TABLES}
    assert not tables & set(NO_TABLE)
    assert tables | set(NO_TABLE) == set(command_summaries())


@pytest.mark.parametrize("command", sorted({command for command, *_ in TABLES}))
def test_the_options_are_the_same_everywhere(command):
    options = options_of(command)
    assert {"json", "csv"} <= {*options["--format"].choices}
    assert ("text" in options["--format"].choices) == (command not in WITHOUT_TEXT)
    assert (options["--json"].dest, options["--json"].const) == ("format", "json")


def test_tables_are_printed_in_one_place_by_commands_with_the_options():
    """A command that draws a table itself, or prints one without the options, is found here."""
    printers = {"print_tables", "print_records", "print_json", "text_table", "print_hits"}
    for path in sorted((ROOT / "cli").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        names = {
            f"{node.module}.{alias.name}"
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        assert path.stem == "output" or not any(name.startswith("rich.table.") for name in names)
        if (
            path.stem in command_summaries()
            and {name.rpartition(".")[2] for name in names} & printers
        ):
            assert "csv" in options_of(path.stem)["--format"].choices, path
            assert "options.format" in text, path


@pytest.mark.parametrize("words", TABLES, ids=lambda words: " ".join(map(str, words)))
def test_a_table_is_text_json_and_csv_with_the_same_values(words, world):
    said = {
        form: run(*words, "--format", form)
        for form in ("text", "json", "csv")
        if form != "text" or words[0] not in WITHOUT_TEXT
    }
    done = 6 if words[:2] == ("check", "a.txt") else 0
    assert {form: one.returncode for form, one in said.items()} == dict.fromkeys(said, done)
    if "--against" in words:
        assert "ratio: median / then; below 1 is faster" in said["text"].stdout
    for one in said.values():
        printed = one.stdout.replace("\n", "")
        assert not [char for char in printed if unicodedata.category(char) == "Cc"]
    command = "" if words[:2] == ("check", "a.txt") else words[0]
    records, rows = (rows_of(form, said[form].stdout, command) for form in ("json", "csv"))
    heading = next(csv.reader([said["csv"].stdout.splitlines()[0]]))
    assert len({*heading}) == len(heading) > 1
    assert all(list(row) == heading and None not in row.values() for row in rows)
    if words in NESTED:
        assert sum(len(one.get("parameters", ())) for one in records) > 0
        assert all(row["step"] and row["name"] and row["range"] for row in rows)
        return
    if words[0] in explained_commands():
        assert set(heading) <= explained_commands()[words[0]] | set(METRIC_NAMES)
    assert len(rows) == len(records)
    for record, row in zip(records, rows, strict=True):
        assert list(record) == heading
        for name, value in record.items():
            if name in MEASURED and isinstance(value, float):
                assert float(row[name]) >= 0
            else:
                assert row[name] == cell_of(value)


LEVELS = [
    ("find", "--where", "rooms >= 0", *SMALL),
    ("describe", "walk:0", "rooms:0"),
    ("catalog", "--seed", 0, "--generator", "walk", "--depths", 1),
    ("runs",),
]


@pytest.mark.parametrize("words", LEVELS, ids=lambda words: words[0])
def test_a_level_is_called_by_the_same_keys_in_every_table(words, world):
    (first, *_), named = json.loads(run(*words, "--json").stdout), complete(parse_code("walk:0"))
    assert words[0] == "runs" or first["code"] == str(named)
    assert {"level", "recipe", "result"}.isdisjoint(first)
    if words[0] in {"find", "catalog"}:
        assert (first["generator"], first["width"], first["height"]) == ("walk", 80, 45)


@cache
def explained_commands():
    """Return the keys that the page of formats names for each command."""
    page = (ROOT / "docs" / "files-and-formats.md").read_text(encoding="utf-8")
    table = page.partition("| command | holds |")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table, re.MULTILINE))
    # A catalogue's columns of tiles and a list of tiles explain themselves.
    return {
        command: {*re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", told)))}
        for command, told in rows.items()
        if command not in {"catalog", "list"}
    }


def cell_of(value):
    """Return the cell of CSV that holds a value of JSON."""
    if isinstance(value, str):
        return "".join(char if char.isprintable() else "?" for char in value)
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return "" if value is None else repr(value)
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def test_json_holds_all_tables_and_text_the_first_rows(world):
    words = ("simulate", "--runs", 3, "--turns", 40, "--workers", 1)
    found = json.loads(run(*words, "--json").stdout)
    assert [*found][-6:] == ["runs", "summary", "depths", "ends", "items", "seeds"]
    assert [one["seed"] for one in found["runs"]] == [0, 1, 2]
    assert found["ends"] == [{"end": "out of turns", "runs": 3, "share": 1}]
    found = json.loads(run("check", *SMALL, "--json").stdout)
    assert (list(found), found["broken"]) == (["broken", "generators", "rejected"], [])
    found = json.loads(run("survey", *SMALL, "--json").stdout)
    assert [*found][-4:] == ["warnings", "metrics", "generators", "separations"]
    assert {one["generator"] for one in found["generators"]} == {"walk", "rooms"}


def test_what_people_typed_is_escaped_in_json_and_harmless_in_csv(world):
    for command in ("runs", "scores"):
        assert EVIL in {one["seed"] for one in json.loads(run(command, "--json").stdout)}
        plain = {row["seed"] for row in rows_of("csv", run(command, "--format", "csv").stdout, "")}
        assert cell_of(EVIL) in plain
    assert re.search(rf"1 +{2**53 - 1:,} ", run("scores").stdout), "as the end of a run says it"
    rows = rows_of("csv", run("scores", "--format", "csv").stdout, "")
    assert {row["points"] for row in rows} == {"7", str(2**53 - 1)}


@pytest.mark.parametrize(
    ("width", "seed"), [(72, ""), (87, ""), (88, "1" * 15 + "…"), (92, "1" * 20)]
)
def test_the_board_has_seeds_where_no_line_wraps_for_them(
    width, seed, own_home, capsys, monkeypatch
):
    monkeypatch.setenv("COLUMNS", str(width))
    for points in (12_345, 999):
        end = "killed by warlord"
        add_score(HighScore(points, "2026-01-01T10:00", "1" * 20, 12, 11, 4567, 4, 5, end))
    assert main(["scores"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert all("killed by Old Tusk the warlord" in line for line in lines)
    assert ("seed" in heading, f" {seed} " in lines[0]) == (bool(seed), True)


def test_a_page_and_a_table_do_not_share_standard_output(world):
    done = run("survey", *SMALL, "--output", "-", "--format", "csv")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "leave out --format" in done.stderr


def test_a_bad_code_costs_no_other_level_its_description(world):
    for form in ("text", "json", "csv"):
        done = run("describe", "walk:1", "nope:1", "walk:2", "--format", form)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "there is no generator 'nope'" in done.stderr
        assert all(f"walk.1:{seed}:1@80x45" in done.stdout for seed in (1, 2))
    assert run("describe", "nope:1", "--json").stdout == ""


IMPOSSIBLE = """
[pit]
description = "No level of it can be built."
steps = [
  { step = "vault_dungeon", tags = ["~none"] },
  { step = "start_and_exit_apart" },
]
"""


def test_a_table_without_rows_has_its_heading_in_csv(world, tmp_path, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", "")
    (tmp_path / "recipes.toml").write_text(IMPOSSIBLE)
    words = ("--generator", "~pit", "--seeds", "0:2", "--workers", 1, "--mine", tmp_path)
    done = run("survey", *words, "--format", "csv")
    assert done.stdout == "generator,metric,levels,mean,mean_error,deviation,p5,median,p95\n"
    assert json.loads(run("survey", *words, "--json").stdout)["metrics"] == []


def test_a_simulation_stopped_at_once_has_a_heading_too(world, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("cli.simulate.ordered_results", stopped)
    done = run("simulate", "--runs", 2, "--format", "csv")
    assert (done.returncode, done.stdout[:18]) == (130, "seed,depth,deepest")
    assert json.loads(run("simulate", "--runs", 2, "--json").stdout)["runs"] == []
    assert run("simulate", "--runs", 2).stdout == ""
