"""One command keeps all golden files anew, and what documents say of it is so."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

import golden
import golden_runs
import keep
import variety
from engine.state.run_setup import RunSetup
from procgen.recipes import find_recipe
from support.paths import ROOT

GOLDEN = ROOT / "tests" / "golden"
PARTS = {"levels", *keep.PARTS}


@pytest.fixture
def copy(tmp_path, monkeypatch):
    """Let the golden files of one recipe and of short runs be written to a folder of the test."""
    recipes, short = [find_recipe("rooms")], golden_runs.Plan(RunSetup(8, "8"), 5)
    tables = tmp_path / "tables"
    tables.mkdir()
    monkeypatch.setattr(golden, "FOLDER", tmp_path / "levels")
    monkeypatch.setattr(golden, "INHABITANTS", tables / "inhabitants.txt")
    monkeypatch.setattr(golden, "SEEDS", golden.SEEDS[:1])
    monkeypatch.setattr(golden, "kept_recipes", lambda: recipes)
    monkeypatch.setattr(golden_runs, "FOLDER", tmp_path / "runs")
    monkeypatch.setattr(golden_runs, "SETUPS", {"adventure": short})
    record = golden_runs.record
    middle = "record_from_the_middle"
    monkeypatch.setattr(golden_runs, middle, lambda path: record("adventure", path))
    monkeypatch.setattr(variety, "KEPT", tables / "variety.json")
    monkeypatch.setattr(variety, "current_recipes", lambda: recipes)
    monkeypatch.setattr(keep, "CATALOG", tables / "catalog.csv")
    monkeypatch.setattr(keep.program, "main", lambda words: print(*words))
    monkeypatch.setattr(keep, "ProcessPoolExecutor", ThreadPoolExecutor)
    return tmp_path


def test_one_command_keeps_all(copy, capsys):
    assert keep.main([]) == 0
    written = {path.relative_to(copy).as_posix() for path in copy.rglob("*.*")}
    levels = {f"levels/rooms.{ending}" for ending in ("txt", "tiles.xz")}
    runs = {f"runs/{name}.jsonl" for name in ("adventure", "from-the-middle")}
    tables = {path.relative_to(GOLDEN).as_posix() for path in (GOLDEN / "tables").glob("[!.]*")}
    assert written - {"home"} == levels | runs | tables
    kept = (GOLDEN / "levels" / "rooms.txt").read_text(encoding="utf-8")
    assert kept.startswith((copy / "levels" / "rooms.txt").read_text(encoding="utf-8"))
    was = json.loads((GOLDEN / "tables" / "variety.json").read_text(encoding="utf-8"))
    assert json.loads(variety.KEPT.read_text(encoding="utf-8")) == {"rooms": was["rooms"]}
    assert keep.CATALOG.read_text(encoding="utf-8").split()[0] == "catalog"
    said = capsys.readouterr().out
    assert all(f"kept {part}" in said for part in PARTS - {"variety"})


def test_nothing_lies_among_golden_files_that_no_command_keeps():
    kinds = {path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("[!.]*.*")}
    kinds = {re.sub(r"^(levels|runs)/.+?\.", r"\1/*.", name) for name in kinds}
    assert kinds == {
        "levels/*.txt",
        "levels/*.tiles.xz",
        "runs/*.jsonl",
        "tables/catalog.csv",
        "tables/inhabitants.txt",
        "tables/variety.json",
    }


@pytest.mark.parametrize("words", [["levels", "roms"], ["tables"]])
def test_a_part_or_recipe_that_does_not_exist_is_said(copy, capsys, words):
    assert keep.main(words) == 2
    assert repr(words[-1]) in capsys.readouterr().err
    assert not (copy / "levels").exists()


def test_documents_name_parts_that_are_kept():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "tests" / "README.md"]
    named = [
        words.split()
        for page in pages
        for words in re.findall(r"tests/keep\.py((?: [\w-]+)+)`", page.read_text(encoding="utf-8"))
    ]
    assert len(named) > 8
    for words in named:
        assert words[0] == "levels" or set(words) <= PARTS
    policy = (ROOT / "docs" / "POLICY.md").read_text(encoding="utf-8")
    paragraph = policy.partition("**Creatures may be added between releases.**")[2]
    assert "`python tests/keep.py inhabitants runs catalog`" in paragraph.partition("\n\n")[0]
