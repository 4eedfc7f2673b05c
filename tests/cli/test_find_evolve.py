"""The command find --evolve: what it prints comes nearer, and can be pasted."""

import json
import tomllib

import numpy as np
import pytest

from main import main
from procgen.build import build_in_stages
from procgen.level_code import parse_code
from procgen.metrics import measure
from procgen.progress import run_to_end
from procgen.recipes import find_recipe
from support.command_line import assert_refused
from workbench.evolution.cma_es import Evolution
from workbench.evolution.evolved_recipe import measure_evolved
from workbench.search.metric_space import distance_from
from workbench.search.search_jobs import Hit

SMALL = ("--generator", "rooms", "--size", "40x30", "--seeds", "0:4", "--workers", "1")


@pytest.fixture
def cma(monkeypatch):
    """Skip without the optional library; with it, measure what comes out on fewer levels."""
    monkeypatch.setattr("cli.find_evolve.PROOF", 12)
    return pytest.importorskip("cma", reason="pip install -r requirements-evolve.txt")


def evolved(*arguments, capsys):
    code = main(["find", "--evolve", *map(str, arguments)])
    said = capsys.readouterr()
    assert said.err == ""
    return code, said.out


def test_an_evolved_recipe_comes_nearer_on_other_levels_and_can_be_pasted(
    cma, capsys, tmp_path, monkeypatch
):
    asked = ("rooms=9, room_scale=0.1", *SMALL, "--generations", 4)
    code, out = evolved(*asked, capsys=capsys)
    assert code == 0
    assert "rooms_evolved" in tomllib.loads(out)
    np.random.seed(99)  # noqa: NPY002 - not what it draws from
    _, line = evolved(*asked, "--format", "jsonl", capsys=capsys)
    record = json.loads(line)
    assert record["entry"] in out
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(tmp_path))
    (tmp_path / "recipes.toml").write_text(out)
    pasted = find_recipe("~rooms_evolved")
    assert record["after"]["cost"] < record["before"]["cost"] - 0.02
    for text in record["codes"]:
        assert text in out
        level = run_to_end(build_in_stages(pasted.code(parse_code(text).seed, 1, (40, 30)), pasted))
        assert str(level.code) == text
        goal = {"rooms": 9.0, "room_scale": 0.1}
        assert distance_from(goal, Hit(level.code, measure(level))) <= record["after"]["cost"]
    for label, numbers in record["changes"].items():
        own = pasted.parameters()[label]
        assert numbers == {name: own[name] for name in numbers}


def test_another_seed_breeds_otherwise_and_several_have_names_of_their_own(cma, capsys):
    asked = ("rooms=9", *SMALL, "--generations", 2, "--format", "jsonl", "--limit", 2)
    _, out = evolved(*asked, "--seed", 1, capsys=capsys)
    records = [json.loads(line) for line in out.splitlines()]
    assert sorted(one["generator"] for one in records) == ["~rooms_evolved", "~rooms_evolved_b"]
    _, again = evolved(*asked, "--seed", 1, "--workers", 2, capsys=capsys)
    assert again == out


def test_a_recipe_that_is_worse_on_other_levels_is_not_handed_out(cma, capsys, monkeypatch):
    def swapped(*given):
        found = measure_evolved(*given)
        return found._replace(before=found.after, after=found.before)

    monkeypatch.setattr("cli.find_evolve.measure_evolved", swapped)
    asked = ("--evolve", "rooms=9, room_scale=0.1", *SMALL, "--generations", "4")
    assert main(["find", *asked]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("nothing better was found")
    assert said.err.count("\n") == 1


def test_a_condition_that_ever_more_levels_fulfil(cma, capsys):
    where = ("--where", "rooms >= 8")
    asked = ("room_scale=0.2", *where, *SMALL, "--generations", 4, "--format", "jsonl")
    _, out = evolved(*asked, capsys=capsys)
    record = json.loads(out)
    assert record["after"]["matching"] > record["before"]["matching"]


def test_an_interrupted_evolution_tells_how_far_it_got(cma, monkeypatch, capsys):
    whole = Evolution.evolve

    def interrupted(self, *given):
        yield next(whole(self, *given))
        raise KeyboardInterrupt

    monkeypatch.setattr(Evolution, "evolve", interrupted)
    assert main(["find", "--evolve", "rooms=9", *SMALL]) == 130
    said = capsys.readouterr()
    assert "rooms_evolved" in tomllib.loads(said.out)
    assert said.err == "stopped early: the best so far\n"


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("cli.find_evolve.find_spec", lambda name: None)
    assert main(["find", "--evolve", "rooms=9", *SMALL]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "pip install -r requirements-evolve.txt" in said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--evolve", "rooms=9"], "--generator"),
        (["--evolve", "rooms=9", "--generator", "all"], "--generator"),
        (["--evolve", "romos=9", "--generator", "rooms"], "do you mean rooms?"),
        (["--evolve", "rooms", "--generator", "rooms"], "METRIC=NUMBER"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--where", "path"], "--where"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--sort", "path"], "not both"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--format", "csv"], "jsonl"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--generations", "0"], "--generations"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--seeds", "0:99999"], "10,000"),
        (["--evolve", "rooms=9", "--generator", "rooms", "--levels", "9"], "needs --illuminate"),
        (["--where", "rooms > 9", "--generations", "5"], "--evolve"),
        (["--where", "rooms > 9", "--seed", "5"], "--seeds"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_sentence(arguments, words, capsys):
    assert_refused(["find", *arguments], words, capsys)
