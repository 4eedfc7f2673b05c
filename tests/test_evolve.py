"""Evolution: what may be turned, what a trial costs, and recipes that come nearer to a wish."""

import json
import shutil
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from entities.data import DATA
from main import main
from procgen.build import build, exhaust, grow
from procgen.code import parse_code
from procgen.measure.metrics import measure
from procgen.recipes import current_recipes, find_recipe, recipes
from render.evolution.breeding import Breeding, NoDials
from render.evolution.dials import dials, settings, variant
from render.evolution.trials import Outcome, Trial, Wish, tried
from render.search.jobs import OtherRecipes, fingerprint
from render.standing import TYPICAL
from render.workshop.tuning import Unfit, knobs

ROOMS = find_recipe("rooms")
SMALL = ("--generator", "rooms", "--size", "40x30", "--seeds", "0:4", "--workers", "1")
PRINT = fingerprint("rooms", ROOMS.version)


def trial(turned=(), seeds=range(4)):
    """Return a trial of small levels of rooms."""
    return Trial(ROOMS.code(0, 1, (40, 30)), "rooms_evolved", turned, seeds, PRINT)


def dial_of(name, recipe=ROOMS):
    return next(dial for dial in dials(recipe) if dial.knob.name == name)


@pytest.mark.parametrize("recipe", current_recipes(), ids=lambda recipe: recipe.name)
def test_every_number_is_a_dial_that_begins_at_its_own_value_and_stays_in_bounds(recipe):
    found = dials(recipe)
    numbers = [use.parameters for use in recipe.steps]
    assert len(found) > 1
    assert settings(found, [dial.place for dial in found]) == ()
    for dial in found:
        assert getattr(numbers[dial.knob.place], dial.knob.name) == dial.own == dial.at(dial.place)
        for share in (-1.0, 0.0, 0.37, 1.0, 2.0):
            assert dial.low <= dial.at(share) <= dial.high
    for share in (0.0, 1.0):
        variant(recipe, "other", settings(found, [share] * len(found)))  # Raises if refused.


def _place(dial):
    return dial.knob.place, dial.knob.name


def test_whole_numbers_stay_whole_and_shares_are_round():
    tries, share = dial_of("tries"), dial_of("horizontal_first")
    assert (tries.low, tries.high) == (10, 90)
    assert {type(tries.at(n / 50)) for n in range(51)} == {int}
    assert share.at(0.123456) == 0.12
    assert (share.at(0.0), share.at(1.0)) == (0, 1)


def test_a_variant_is_the_recipe_but_for_what_was_turned():
    (tries,) = (knob for knob in knobs(ROOMS) if knob.name == "tries")
    other = variant(ROOMS, "crowded", ((tries.place, "tries", 60),))
    assert (other.name, other.version) == ("crowded", 1)
    expected = {**ROOMS.parameters()}
    expected["rectangular_rooms"] = {**expected["rectangular_rooms"], "tries": 60}
    assert other.parameters() == expected
    with pytest.raises(Unfit):
        variant(ROOMS, "crowded", ((0, "nothing", 1),))
    with pytest.raises(Unfit, match="min_side: more than"):
        variant(ROOMS, "crowded", ((0, "min_side", 11),))
    variant(ROOMS, "crowded", ((0, "min_side", 11), (0, "max_side", 12)))
    assert tried(trial(((0, "min_side", 11),))) == Outcome((), 0, 4)


def test_the_cost_of_a_trial_counted_by_hand():
    level = measure(build(ROOMS.code(0, 1, (80, 45))))
    there = {"loops": float(level.loops), "path": float(level.path)}
    hits = Outcome(((0, level), (1, level)), 0, 0)
    assert Wish(there, "").cost(hits, 80, 45) == 0
    assert Wish(there, "loops < 0").cost(hits, 80, 45) == 1
    # Two levels at a distance of 1/2 in one of two metrics: an eighth is the mean square.
    far = {"loops": 0.0, "path": there["path"]}
    place = level.loops / (level.loops + TYPICAL["loops"])
    assert Wish(far, "").cost(hits, 80, 45) == pytest.approx(place / 2**0.5)
    assert Wish(there, "").cost(hits._replace(rejected=2), 80, 45) == 0.5
    assert Wish(there, "").cost(Outcome((), 64, 2), 80, 45) > Wish(far, "").cost(hits, 80, 45) + 1
    assert Wish({}, "loops >= 0").cost(hits, 80, 45) == 0


def test_a_trial_grows_what_the_pasted_entry_will_grow():
    turned = ((dial_of("tries").knob.place, "tries", 60),)
    recipe = variant(ROOMS, "rooms_evolved", turned)
    levels = [exhaust(grow(recipe.code(seed, 1, (40, 30)), recipe)) for seed in range(4)]
    assert tried(trial(turned)).levels == tuple(
        (seed, measure(level)) for seed, level in enumerate(levels)
    )


def test_numbers_that_nothing_grows_from_fail_instead_of_breaking(monkeypatch):
    caves = find_recipe("caves")
    rock = ((*_place(dial_of("rock", caves)), 1.0),)
    solid = Trial(caves.code(0, 1, (20, 15)), "solid", rock, range(4), fingerprint("caves", 1))
    assert tried(solid) == Outcome((), 0, 4)

    def broken(*_):
        raise ZeroDivisionError

    monkeypatch.setattr("render.evolution.trials.grow", broken)
    assert tried(trial()).failed == 4


def test_a_worker_with_another_recipe_is_refused():
    with pytest.raises(OtherRecipes, match="another recipe rooms"):
        tried(replace(trial(), recipe="0123"))


def test_dials_that_change_nothing_measured_are_left_alone():
    breeding = Breeding(trial(), Wish({"loops": 5.0}, ""), map)
    alive = {dial.knob.name for dial in breeding.alive(dials(ROOMS))}
    assert {"tries", "min_side", "max_side"} <= alive
    assert not alive & {"per_100", "rooms", "each"}
    with pytest.raises(NoDials):
        breeding.alive([dial_of("each")])


def test_numbers_the_best_does_as_well_without_are_set_back():
    breeding = Breeding(trial(), Wish({"rooms": 12.0}, ""), map)
    tries, each = dial_of("tries"), dial_of("each")
    breeding._keep(_candidate(breeding, ((*_place(tries), 80), (*_place(each), 3))))
    breeding.simplify()
    assert breeding.best.turned == ((*_place(tries), 80),)


def _candidate(breeding, turned):
    return type(breeding.best)(turned, breeding._costs([turned])[0])


@pytest.fixture
def cma(monkeypatch):
    """Skip without the optional library; with it, measure what comes out on fewer levels."""
    monkeypatch.setattr("render.cli.evolve.PROOF", 12)
    return pytest.importorskip("cma", reason="pip install -r requirements-evolve.txt")


def evolved(*arguments, capsys):
    code = main(["find", "--evolve", *map(str, arguments)])
    said = capsys.readouterr()
    assert said.err == ""
    return code, said.out


def test_what_was_bred_comes_nearer_on_other_levels_and_can_be_pasted(
    cma, capsys, tmp_path, monkeypatch
):
    asked = ("rooms=9, room_scale=0.1", *SMALL, "--generations", 4)
    code, out = evolved(*asked, capsys=capsys)
    assert code == 0
    assert "rooms_evolved" in tomllib.loads(out)
    folder = tmp_path / "data"
    shutil.copytree(DATA, folder)
    with (folder / "recipes.toml").open("a", encoding="utf-8") as file:
        file.write("\n" + out)
    pasted = recipes(folder)["rooms_evolved"]
    np.random.seed(99)  # noqa: NPY002 - not what it draws from
    _, line = evolved(*asked, "--format", "jsonl", capsys=capsys)
    record = json.loads(line)
    assert record["entry"] in out
    assert record["after"]["away"] < record["before"]["away"] - 0.02
    for text in record["codes"]:
        assert text in out
        level = exhaust(grow(pasted.code(parse_code(text).seed, 1, (40, 30)), pasted))
        assert str(level.code) == text
        goal = {"rooms": 9.0, "room_scale": 0.1}
        assert Wish(goal, "").away(measure(level), 40, 30) <= record["after"]["away"]
    for label, numbers in record["changes"].items():
        own = pasted.parameters()[label]
        assert numbers == {name: own[name] for name in numbers}


def test_another_seed_breeds_otherwise_and_several_have_names_of_their_own(cma, capsys):
    asked = ("rooms=9", *SMALL, "--generations", 2, "--format", "jsonl", "--limit", 2)
    _, out = evolved(*asked, "--seed", 1, capsys=capsys)
    records = [json.loads(line) for line in out.splitlines()]
    assert sorted(one["generator"] for one in records) == ["rooms_evolved", "rooms_evolved_b"]
    _, again = evolved(*asked, "--seed", 1, "--workers", 2, capsys=capsys)
    assert again == out


def test_a_condition_that_ever_more_levels_fulfil(cma, capsys):
    where = ("--where", "rooms >= 8")
    asked = ("room_scale=0.2", *where, *SMALL, "--generations", 4, "--format", "jsonl")
    _, out = evolved(*asked, capsys=capsys)
    record = json.loads(out)
    assert record["after"]["fulfils"] > record["before"]["fulfils"]


def test_an_interrupted_evolution_tells_how_far_it_got(cma, monkeypatch, capsys):
    whole = Breeding.evolve

    def interrupted(self, *given):
        yield next(whole(self, *given))
        raise KeyboardInterrupt

    monkeypatch.setattr(Breeding, "evolve", interrupted)
    code, out = evolved("rooms=9", *SMALL, capsys=capsys)
    assert code == 130
    assert "rooms_evolved" in tomllib.loads(out)


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr("render.cli.evolve.find_spec", lambda name: None)
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
        (["--where", "rooms > 9", "--generations", "5"], "--evolve"),
        (["--where", "rooms > 9", "--seed", "5"], "--seeds"),
    ],
)  # fmt: skip
def test_a_mistake_gets_one_sentence(arguments, words, capsys):
    assert main(["find", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert said.err.count("\n") == 1
