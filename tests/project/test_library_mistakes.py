"""Steps of one's own in the library, and what it says of mistakes."""

import json
from functools import partial

import pytest

import seedhollow
from workbench.exports.formats import FORMATS


def unmarked(plan, rng):
    yield "nothing"


@seedhollow.step(gives="floor start exit")
def bare(plan, rng, *, wide: int):
    """Need a width, ``wide``."""
    yield "nothing"


@seedhollow.step(gives="floor start exit")
def early(plan, rng, wide: int = 3):
    """Take a width in front of the star."""
    yield "nothing"


@seedhollow.step(gives="floor start exit")
def hopeless(plan, rng):
    """Give up."""
    yield "Trying"
    raise seedhollow.Rejected("no room")


@seedhollow.step(gives="floor start exit")
def stepping(plan, rng, *, step: int = 1):
    """Go ``step`` tiles at a time."""
    yield "nothing"


@seedhollow.step(gives="floor start exit")
def sulking(plan, rng):
    """Give up without a word."""
    yield "Trying"
    raise seedhollow.Rejected


typed = {"step": seedhollow.step}
exec(
    """
@step(gives="floor start exit")
def odd(plan, rng):
    plan.tiles[3, 3] = 200
    yield "An odd tile"
""",
    typed,
)  # As in a console.


@seedhollow.step(gives="floor, start,exit")
def hall(plan, rng):
    """Dig one hall."""
    plan.tiles[5:9, 5:25] = seedhollow.Tile.FLOOR
    plan.start, plan.exit = seedhollow.Point(6, 6), seedhollow.Point(20, 7)
    yield "A hall"


@seedhollow.step(needs="flor bones start")
def misspelt(plan, rng):
    """Do nothing."""
    yield "Nothing"


other_hall = seedhollow.step(gives="floor")(type(hall)(hall.__code__, globals(), "hall"))


@pytest.mark.parametrize("form", FORMATS)
def test_a_level_of_own_steps_has_every_export(form):
    made = seedhollow.from_steps([{"step": hall}, {"step": "lakes"}], size=(30, 20))
    content = made.export(form)[""]
    assert content
    assert form != "html" or b"Dig one hall." in content
    named = made.export(form, name=f"own.{form}")[f"own.{form}"]
    assert b"main.py map" not in content + named, "its code builds nothing"
    if form == "json":
        assert json.loads(content)["command"] == ""


def test_a_level_of_own_steps_is_read_again_from_its_text(tmp_path):
    guard = {"step": "monsters_by_density", "per_100": 9}
    made = seedhollow.from_steps([{"step": hall}, guard], size=(30, 20))
    (tmp_path / "own.txt").write_bytes(made.export("text", name="own.txt")["own.txt"])
    read = seedhollow.from_file(tmp_path / "own.txt")
    assert (str(read), read.creatures, read.items) == (str(made), made.creatures, made.items)
    assert b"spawn" not in made.export("text")[""]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: seedhollow.level("nonsense"), ValueError, "is not a level code"),
        (lambda: seedhollow.level("nope:1"), ValueError, "there is no generator 'nope'"),
        (lambda: seedhollow.level("caves:1@3x3"), ValueError, "its smallest size"),
        (lambda: seedhollow.level("caves:1", ["a.b=1"]), ValueError, "caves has no step 'a'"),
        (lambda: list(seedhollow.find("loop > 1", "caves", range(2))), ValueError, "loops"),
        (lambda: seedhollow.from_steps([{"step": "doros"}]), ValueError, "do you mean doors"),
        (lambda: seedhollow.from_steps(["doors"]), TypeError, "a step is a table with its name"),
        (
            lambda: seedhollow.from_steps(None),
            TypeError,
            "a step is a table with its name, .* None",
        ),
        (
            lambda: seedhollow.from_steps([{"step": hall, 5: 1}]),
            TypeError,
            "a step is a table with",
        ),
        (lambda: seedhollow.step(gives="floor")(5), TypeError, "stands above a function, not 5"),
        (lambda: seedhollow.from_steps([{"setp": "doors"}]), TypeError, "a table with its name"),
        (
            lambda: seedhollow.from_steps([{"step": "doors"}]),
            ValueError,
            "doors needs floor from an earlier step$",
        ),
        (
            lambda: seedhollow.from_steps([{"step": hall}, {"step": misspelt}]),
            ValueError,
            r"misspelt needs bones and flor from an earlier step \(do you mean floor\?\)$",
        ),
        (lambda: seedhollow.from_steps([{"step": unmarked}]), ValueError, "unmarked is not a step"),
        (lambda: seedhollow.from_steps([{"step": partial(hall)}]), ValueError, "is not a step"),
        (
            lambda: seedhollow.from_steps([{"step": hall}, {"step": other_hall}]),
            ValueError,
            "two of the steps are named hall",
        ),
        (lambda: seedhollow.from_steps([{"step": bare}]), ValueError, "wide needs a default"),
        (lambda: seedhollow.step(unmarked), TypeError, r"write @step\(\), or @step\(needs="),
        (lambda: seedhollow.step(gives=["floor"]), TypeError, r"gives=\"start exit\"\)"),
        (lambda: seedhollow.from_steps([{"step": stepping}]), ValueError, "can be called step"),
        (lambda: seedhollow.from_steps([{"step": early}]), ValueError, r"early must be a function"),
        (lambda: seedhollow.from_steps([{"step": hopeless}]), RuntimeError, "no room"),
        (
            lambda: seedhollow.from_steps([{"step": sulking}]),
            RuntimeError,
            "rejected: no reason given",
        ),
        (
            lambda: seedhollow.from_steps([{"step": typed["odd"]}]),
            RuntimeError,
            "<string>: odd left",
        ),
        (lambda: seedhollow.from_steps([{"step": hopeless, "x": 1}]), ValueError, "unknown field"),
        (
            lambda: list(seedhollow.find("loops > 1", ["caves"], range(2))),
            TypeError,
            "a generator must be text",
        ),
        (lambda: seedhollow.levels("cavess", [1]), ValueError, "do you mean caves"),
        (lambda: seedhollow.level("walk:1;lakes.number=0"), ValueError, "come before the seed"),
        (lambda: seedhollow.level(5), TypeError, "a level code must be text, not 5"),
        (lambda: seedhollow.levels(["walk"], [3]), TypeError, "a generator must be text"),
        (lambda: list(seedhollow.find(None, "walk", [3])), TypeError, "a condition must be text"),
        (lambda: seedhollow.level("walk:1", 3), TypeError, "texts in a list"),
        (lambda: seedhollow.level("walk:1", iter(["lakes=off"])), TypeError, "texts in a list"),
        (lambda: list(seedhollow.levels("walk", 3)), TypeError, "seeds must be a range or a list"),
        (lambda: list(seedhollow.levels("walk", "12")), TypeError, "a list, not '12'"),
        (lambda: list(seedhollow.find("path > 0", "walk", 3)), TypeError, "seeds must be a range"),
        (lambda: list(seedhollow.find("path > 0", "walk", range(-2, 2))), ValueError, "seed -2 is"),
        (lambda: list(seedhollow.find("path > 0", "walk", range(2**65))), ValueError, "out of"),
        (lambda: list(seedhollow.find("path > 0", "walk", [1, -5, 3])), ValueError, "seed -5 is"),
        (
            lambda: list(seedhollow.find("path > 0", "walk", range(2), workers=-1)),
            ValueError,
            "workers must be a whole number from 1 to 256, not -1",
        ),
        (
            lambda: list(seedhollow.find("path > 0", "walk", range(2), workers=100_000)),
            ValueError,
            "workers must be a whole number from 1 to 256, not 100000",
        ),
        (
            lambda: list(seedhollow.find("path > 0", "walk", range(2), workers="2")),
            TypeError,
            "workers must be",
        ),
        (lambda: seedhollow.level("walk:1").export("nosuch"), ValueError, "no format 'nosuch'"),
        (
            lambda: seedhollow.level("walk:1").export([]),
            TypeError,
            r"a format must be text, not \[\]",
        ),
        (lambda: seedhollow.level("walk:1").export(None), TypeError, "a format must be text"),
        (lambda: seedhollow.level("walk:1").export("png", name=3), TypeError, "be text, not 3"),
        (lambda: list(seedhollow.levels("caves", [-4])), ValueError, "seed -4 is out of range"),
        (lambda: list(seedhollow.levels("caves", [2**70])), ValueError, "is out of range"),
        (lambda: list(seedhollow.levels("caves", [1.5])), TypeError, "number or text, not 1.5"),
        (lambda: list(seedhollow.levels("caves", [True])), TypeError, "number or text, not True"),
        (
            lambda: next(seedhollow.levels("caves", [1], depth=0)),
            ValueError,
            "depth must be a whole number from",
        ),
        (lambda: next(seedhollow.levels("caves", [1], depth=1.5)), TypeError, "not 1.5"),
        (lambda: next(seedhollow.levels("caves", [1], size="80x45")), TypeError, "not '80x45'"),
        (lambda: next(seedhollow.levels("caves", [1], size=(80,))), TypeError, "two whole numbers"),
        (lambda: next(seedhollow.levels("caves", [1], size=())), TypeError, "two whole numbers"),
        (lambda: next(seedhollow.levels("caves", [1], size=(9**9, 9))), ValueError, "impossible"),
        (lambda: seedhollow.level("caves:1", "lakes.number=0"), TypeError, "texts in a list"),
        (lambda: seedhollow.level("caves:1", [5]), TypeError, "texts in a list"),
        (
            lambda: seedhollow.from_steps([], depth=10**30),
            ValueError,
            "depth must be a whole number from",
        ),
    ],
)
def test_a_mistake_is_one_sentence(call, kind, words):
    with pytest.raises(kind, match=words) as fault:
        call()
    assert "\n" not in str(fault.value)
