"""The catalogue says what lies on each depth of a seed, and keeps saying it."""

import csv
from io import StringIO
from types import SimpleNamespace

import numpy as np
import pytest

import main
from cli.catalog import COLUMNS, build_with_vaults
from engine.levels.recipe_by_depth import code_at, level_choices_at
from engine.monsters.initial_monsters import initial_monsters
from engine.state.run_setup import RunSetup
from entities.terrain import Tile
from procgen.build import build
from procgen.level_code import parse_code
from procgen.recipe_builder import Stage
from procgen.settings import complete
from support.paths import ROOT
from support.sampling import sampled

GOLDEN = ROOT / "tests" / "golden" / "tables" / "catalog.csv"
"""Kept by: python tests/keep.py catalog"""
KEPT = ("catalog", "--seeds", "0:5", "--workers", "1")


@pytest.fixture
def catalog(capsys, tmp_path, monkeypatch):
    """Run the command in an empty folder and return what it prints; it writes nothing else."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        assert main.main([str(argument) for argument in arguments]) == 0
        told = capsys.readouterr()
        assert told.err == ""
        assert [path.name for path in tmp_path.iterdir()] == []
        return told.out

    return run


def rows(text):
    return list(csv.DictReader(StringIO(text)))


def test_every_depth_of_every_seed_has_a_row(catalog):
    found = rows(catalog("catalog", "--seeds", "3:5", "--depths", 4))
    assert tuple(found[0]) == COLUMNS
    first = [row for row in found if row["choice"] == "1"]
    assert [(row["seed"], row["depth"]) for row in first] == [
        (str(seed), str(depth)) for seed in (3, 4) for depth in range(1, 5)
    ]


def test_the_codes_are_those_on_offer_to_an_adventure(catalog):
    found = rows(catalog("catalog", "--seed", "hello", "--depths", 3))
    setup = RunSetup(int(found[0]["seed"]), "hello")
    below = [code for depth in (2, 3) for code in level_choices_at(setup, setup.seed, depth)]
    assert [row["code"] for row in found] == [str(code) for code in (code_at(setup, 1), *below)]
    assert [row["choice"] for row in found] == ["1", *("1", "2", "3") * 2]


def test_creatures_and_items_of_the_catalog_are_on_the_level(catalog):
    for row in rows(catalog("catalog", "--seeds", "7:8", "--depths", 6)):
        level = build(complete(parse_code(row["code"])))
        assert (row["generator"], row["theme"]) == (level.code.name, level.theme)
        assert (int(row["height"]), int(row["width"])) == level.tiles.shape
        told = dict(pair.split("=") for pair in row["creature_kinds"].split())
        kinds = [monster.kind for monster in initial_monsters(level)]
        assert ("warlord" in told) == (row["depth"] == "4")
        assert told == {kind: str(kinds.count(kind)) for kind in dict.fromkeys(told)}
        assert int(row["creatures"]) == sum(map(int, told.values())) == len(kinds)
        for column, tile in (("treasure", Tile.TREASURE), ("traps", Tile.TRAP)):
            assert int(row[column]) == np.count_nonzero(level.tiles == tile)


def test_vaults_are_named_and_plain_ones_are_not(catalog):
    found = rows(catalog("catalog", "--seeds", "0:2", "--generator", "vaulted", "--depths", 2))
    for row in found:
        names = row["vault_names"].split("; ")
        assert int(row["vaults"]) == len(names) > 0
        assert {"square room", "chamber", "fork"}.isdisjoint(names)
    assert len({row["vault_names"] for row in found}) == len(found)


def test_vaults_of_a_rejected_build_are_not_listed(monkeypatch):
    set_down = SimpleNamespace(step=SimpleNamespace(name="place_vaults"))
    other = SimpleNamespace(step=SimpleNamespace(name="doors"))
    stages = [
        (0, set_down, "Vault at 3, 4: chapel"),
        (1, set_down, "Vault at 5, 6: warden's block"),
        (1, set_down, "Vault at 1, 2: chamber"),
        (1, other, "Vault at 1, 2: forge"),
        (1, set_down, "Vault 7: larder"),
    ]

    def grow(code):
        yield from (Stage(None, attempt, 0, use, said) for attempt, use, said in stages)
        return SimpleNamespace(rejected=("too small",))

    monkeypatch.setattr("cli.catalog.build_in_stages", grow)
    assert build_with_vaults(None)[1] == ["warden's block", "larder"]


@pytest.mark.skipif(not GOLDEN.exists(), reason="no catalog is kept yet")
@pytest.mark.parametrize("seeds", sampled(range(1, 6), 5))
def test_the_catalog_is_as_it_was_kept(catalog, seeds):
    kept = GOLDEN.read_text(encoding="utf-8").splitlines()
    part = [kept[0], *(row for row in kept[1:] if int(row.split(",")[1]) < seeds)]
    now = catalog("catalog", "--seeds", f"0:{seeds}", *KEPT[3:]).splitlines()
    assert now == part, "if meant: python tests/keep.py catalog"


def test_another_catalog_names_the_command_that_keeps_it():
    with pytest.raises(AssertionError, match=r"python tests/keep\.py catalog"):
        test_the_catalog_is_as_it_was_kept(lambda *_: "another", 1)


def test_a_generator_must_be_one(capsys):
    assert main.main(["catalog", "--seed", "1", "--generator", "all"]) == 2
    assert "leave out --generator" in capsys.readouterr().err


def test_it_says_the_same_whoever_leafs_through_it(catalog):
    asked = ("catalog", "--seeds", "1:4", "--depths", 2, "--generator", "walk")
    assert catalog(*asked, "--workers", 1) == catalog(*asked, "--workers", 2)
