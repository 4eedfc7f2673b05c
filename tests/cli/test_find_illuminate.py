"""The command find --illuminate: a grid of levels that goes on where it was, and its page."""

import json
import re
from math import prod

import pytest
from msgspec.structs import replace

from main import main
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import measure
from procgen.recipes import find_recipe
from procgen.settings import complete
from support.command_line import assert_refused
from workbench.evolution.evaluation import tunable_numbers
from workbench.evolution.illumination import (
    BATCH,
    CELLS,
    Archive,
    Illumination,
    cell_edges,
    cell_of,
)
from workbench.exports.archive_page import cell_spans
from workbench.search.search_jobs import Hit

ASKED = ("find", "--illuminate", "loops,detour", "--generator", "rooms", "--size", "40x30")


def illuminated(capsys, *arguments):
    code = main([*ASKED, *map(str, arguments)])
    found = capsys.readouterr()
    assert code == 0, found.err
    return found.out


@pytest.fixture(scope="module")
def grid(tmp_path_factory):
    """Return an archive of four batches and its page."""
    folder = tmp_path_factory.mktemp("grid")
    words = ("--levels", 4 * BATCH, "--archive", folder / "a.json", "--page", folder / "a.html")
    assert main([*ASKED, "--workers", "1", *map(str, words)]) == 0
    return json.loads((folder / "a.json").read_text()), (folder / "a.html").read_text()


def test_each_cell_holds_a_level_that_belongs_there(grid):
    archive, _ = grid
    edges = [cell_edges(name, 40, 30) for name in archive["axes"]]
    assert archive["code"].startswith("rooms.1:0:1@")
    assert CELLS * CELLS / 8 < len(archive["cells"]) <= CELLS * CELLS
    for place, elite in archive["cells"].items():
        level = build(complete(parse_code(elite["code"])))
        found = [getattr(measure(level), name) for name in archive["axes"]]
        for value, cell, edge in zip(found, map(int, place.split(",")), edges, strict=True):
            assert edge[cell] - 1e-9 <= value < edge[cell + 1] + 1e-9
        assert -elite["fitness"] == len(level.code.settings)


def test_an_archive_explains_its_cells_and_shares(grid):
    archive, _ = grid
    assert archive["edges"] == {name: cell_edges(name, 40, 30)[:-1] for name in archive["axes"]}
    recipe = find_recipe("rooms")
    places = {
        f"{recipe.steps[number.parameter.step_index].label}.{number.parameter.name}": number.place
        for number in tunable_numbers(recipe)
    }
    assert archive["parameters"] == list(places)
    assert "rectangular_rooms.tries" in archive["parameters"]
    for elite in archive["cells"].values():
        changed = {setting.partition("=")[0] for setting in parse_code(elite["code"]).settings}
        shares = zip(places, elite["shares"], strict=True)
        # A share within the same step is the recipe's own value.
        assert changed <= {name for name, share in shares if share != round(places[name], 6)}
        assert str(elite["fitness"]) != "-0.0"


def test_cells_whose_values_no_level_has_do_not_count():
    axes = {("floor", "detour"): 9 * CELLS, ("rooms", "path"): 10 * CELLS}
    for names, cells in axes.items():
        spans = cell_spans(Archive(names, "rooms.1:0:1@40x30"))
        assert prod(map(len, spans)) == cells


def test_no_cell_goes_beyond_all_of_a_share():
    floor, water = cell_spans(Archive(("floor", "water"), "rooms.1:0:1@40x30"))
    assert list(floor.values())[-1] == "94% to 100%"
    assert list(water.values())[-1] == "55% to 100%"
    assert water[0] == "0%"
    _, dark = cell_spans(Archive(("floor", "darkness"), "rooms.1:0:1@40x30"))
    assert list(dark.values())[-2:] == ["70% to 100%", "100%"]


def test_a_level_is_in_the_column_whose_heading_has_its_number_of_rooms():
    archive = Archive(("rooms", "loops"), "rooms.1:0:1@55x40")
    code = complete(parse_code(archive.code))
    usual, (columns, _) = measure(build(code)), cell_spans(archive)
    for rooms in range(1, 60):
        column, _ = cell_of(Hit(code, replace(usual, rooms=rooms)), archive.axes)
        low, _, high = columns[column].replace(" and more", " to 999").partition(" to ")
        assert int(low) <= rooms <= int(high or low)


def test_it_goes_on_where_it_was_whatever_the_workers(grid, capsys, tmp_path):
    path = tmp_path / "b.json"
    for part, workers in ((BATCH, 2), (3 * BATCH, 1)):
        out = illuminated(capsys, "--levels", part, "--archive", path, "--workers", workers)
    assert json.loads(path.read_text()) == grid[0]
    assert len(out.splitlines()) == 1 + len(grid[0]["cells"])
    written = path.stat().st_mtime_ns, path.stat().st_ino
    few = illuminated(capsys, "--levels", 0, "--archive", path, "--in-cell", "2:5,1.2:1.6")
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == written  # It may be read-only.
    rows = [line.split() for line in few.splitlines()[1:]]
    assert rows
    assert all(2 <= int(loops) <= 5 and 1.19 < float(detour) < 1.61 for loops, detour, _ in rows)
    assert json.loads(path.read_text()) == grid[0]


def written_meanwhile(monkeypatch, path, archive):
    """Let another search write ``archive`` while the next one runs."""
    run = Illumination.run

    def with_another(self, *given):
        for tried in run(self, *given):
            path.write_text(json.dumps(archive))
            yield tried

    monkeypatch.setattr(Illumination, "run", with_another)


def test_hits_of_a_parallel_search_of_the_same_grid_are_kept(grid, capsys, tmp_path, monkeypatch):
    path = tmp_path / "shared.json"
    written_meanwhile(monkeypatch, path, grid[0])
    illuminated(capsys, "--levels", BATCH, "--workers", 1, "--archive", path)
    assert json.loads(path.read_text()) == grid[0]
    path.unlink()
    other = {**grid[0], "seed": 7}
    written_meanwhile(monkeypatch, path, other)
    few = ("--levels", str(BATCH), "--workers", "1", "--archive", str(path))
    assert main([*ASKED, *few]) == 2
    said = capsys.readouterr()
    assert "shared.json holds another grid" in said.err
    assert "rooms.1" in said.out, "what was found is printed, since it is not in the file"
    assert json.loads(path.read_text()) == other


def test_sort_says_which_level_is_better_and_where_which_count(capsys, tmp_path):
    cells = []
    for name, more in (("usual", ()), ("sorted", ("--sort", "path"))):
        path = tmp_path / f"{name}.json"
        asked = ("--levels", 2 * BATCH, "--workers", 1, "--where", "rooms >= 4", "--archive", path)
        illuminated(capsys, *asked, *more)
        cells.append(json.loads(path.read_text())["cells"])
    usual, longest = cells  # The same levels were tried: none is a variation of a kept one yet.
    assert usual.keys() == longest.keys()
    paths = [[grid[cell]["metrics"]["path"] for cell in usual] for grid in cells]
    assert all(map(int.__le__, *paths))
    assert sum(paths[0]) < sum(paths[1])
    assert all(elite["metrics"]["rooms"] >= 4 for elite in usual.values())


def test_the_page_has_every_level_as_a_picture_to_press(grid):
    archive, page = grid
    codes = re.findall(r'<button data-code title="([^"]+)"><img alt="" src="data:image/webp', page)
    assert sorted(codes) == sorted(elite["code"] for elite in archive["cells"].values())
    tried = archive["tried"]
    assert f"{len(codes)} of 96 cells, {tried} levels tried, {4 * BATCH - tried} more had" in page
    assert page.count("<td>") == 96  # Loops are whole: four columns of twelve have no values.
    assert page.count("Click") == 1
    assert not re.search(r'(src|href)="(?!data:|#)', page)
    assert len(page) < 2_000_000
    assert "--generator NAME" not in page  # That would leave out the parameters in a code.


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--illuminate", "loops"), "not two metrics"),
        (("--illuminate", "loops,lopps"), "lopps"),
        (("--in-cell", "3,4"), "A:B,C:D"),
        (("--in-cell", "nan:1,2:3"), "A:B,C:D"),
        (("--in-cell", "1:2,3:2"), "A:B,C:D"),
        (("--seeds", "0:9"), "not both"),
        (("--set", "loops.at_most=3"), "not both"),
        (("--generator", "rooms,bsp"), "one --generator"),
        (("--generator", "wilds"), "wilds"),
        (("--levels", "many"), "--levels"),
        (("--levels", "0"), "no such file"),
        (("--levels", "0", "--archive", "{folder}/none.json"), "no such file"),
        (("--archive", "{folder}/bad.json"), "is not an --illuminate archive"),
        (("--archive", "{folder}/list.json"), "illuminate archive: Expected a table, got a list"),
        (("--archive", "{folder}/other.json"), "another grid"),
        (("--archive", "{folder}"), "(Is a directory)"),
        (("--page", "{folder}/bad.json"), "not overwritten"),
    ],
)
def test_bad_input_gets_a_sentence_and_nothing_is_lost(words, sentence, grid, capsys, tmp_path):
    other = {**grid[0], "seed": 7}
    (tmp_path / "other.json").write_text(json.dumps(other))
    (tmp_path / "bad.json").write_text('{"axes": ["loops", "detour"]')
    (tmp_path / "list.json").write_text("[]")
    told = [word.format(folder=tmp_path) for word in words]
    unreadable = (
        "is not an --illuminate archive",
        "illuminate archive: Expected a table, got a list",
        "(Is a directory)",
    )
    code = 1 if sentence in unreadable else 2
    assert_refused([*ASKED, "--levels", "1", *told], sentence, capsys, code)
    assert not (tmp_path / "none.json").exists()
    assert json.loads((tmp_path / "other.json").read_text()) == other


def test_a_metric_beyond_all_numbers_is_refused(grid, capsys, tmp_path):
    place, elite = next(iter(grid[0]["cells"].items()))
    metrics = {**elite["metrics"], "path": 10**400}
    wrong = {**grid[0], "cells": {place: {**elite, "metrics": metrics}}}
    (tmp_path / "a.json").write_text(json.dumps(wrong))
    words = [*ASKED, "--levels", "0", "--archive", str(tmp_path / "a.json")]
    assert_refused(words, "is not an --illuminate archive", capsys, 1)


def test_an_archive_that_cannot_be_written_is_refused_before_the_search(capsys, tmp_path):
    (tmp_path / "file").touch()
    words = [*ASKED, "--levels", "1", "--archive", tmp_path / "file" / "a.json"]
    assert_refused(words, "the folder cannot be created", capsys, 1)


def test_levels_are_printed_if_the_archive_cannot_be_written_after_all(
    capsys, tmp_path, monkeypatch
):
    printed = illuminated(capsys, "--levels", "1")
    run = Illumination.run

    def without_folder(self, *given):
        yield from run(self, *given)
        (tmp_path / "folder" / "a.json").unlink()
        (tmp_path / "folder").rmdir()
        (tmp_path / "folder").touch()

    monkeypatch.setattr(Illumination, "run", without_folder)
    words = [*ASKED, "--levels", "1", "--archive", str(tmp_path / "folder" / "a.json")]
    assert main(words) == 1
    said = capsys.readouterr()
    assert said.out == printed
    assert said.err.startswith("main.py: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("count", [-1, 99999999999999999999])
@pytest.mark.parametrize("field", ["batches", "tried"])
def test_an_impossible_number_of_batches_or_levels_is_refused(field, count, grid, capsys, tmp_path):
    (tmp_path / "a.json").write_text(json.dumps({**grid[0], field: count}))
    words = [*ASKED, "--levels", "1", "--archive", str(tmp_path / "a.json")]
    assert_refused(words, f"is not an --illuminate archive: {field}: Expected", capsys, 1)


def test_a_cell_that_is_not_that_of_its_level_is_refused(grid, capsys, tmp_path):
    wrong = {**grid[0], "cells": {"0,11": next(iter(grid[0]["cells"].values()))}}
    (tmp_path / "a.json").write_text(json.dumps(wrong))
    words = [*ASKED, "--levels", "0", "--archive", str(tmp_path / "a.json")]
    assert_refused(words, "cell '0,11'", capsys, 1)


def test_a_level_whose_order_is_infinite_does_not_spoil_the_archive(capsys, tmp_path):
    words = ("--sort", "rooms * 1e308 * 10", "--archive", tmp_path / "a.json", "--workers", 1)
    illuminated(capsys, *words, "--levels", 1)
    illuminated(capsys, *words, "--levels", 1)
    assert json.loads((tmp_path / "a.json").read_text())["batches"] == 2
