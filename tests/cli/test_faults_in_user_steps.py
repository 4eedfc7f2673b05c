"""Mistakes inside a user's step: the message names the line that made them."""

import json
import re
import signal

import pytest

from main import main
from procgen.build import build, watched_builds
from procgen.recipe_builder import BuildFailed
from procgen.recipes import find_recipe
from render.workshop.build_recording import BuildRecording
from support.command_line import assert_refused, run
from support.user_folder import STEP

DIG = """
def dig(plan, x):
    {}
"""


def write_step(mine, body, helper="pass"):
    """Write the step `midway` with ``body`` before its caption, and `dig` above it."""
    text = STEP.replace("@step", f"{DIG.format(helper)}\n@step")
    path = mine / "steps" / "midway.py"
    path.write_text(text.replace("    yield", f"    {body}\n    yield"))
    return path


@pytest.mark.parametrize(
    ("helper", "words"),
    [
        ("plan.tiles[99, x] = 0", "midway.py, line 6, in dig: IndexError: "),
        ("dig(plan, x)", "midway.py, line 6, in dig: RecursionError: "),
        ("import numpy; numpy.stack([])", "midway.py, line 6, in dig: ValueError: need at least"),
    ],
)
def test_a_fault_in_a_helper_is_told_with_the_line_of_the_helper(mine, helper, words, capsys):
    write_step(mine, "dig(plan, 3)", helper)
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)


def test_a_fault_in_a_file_beside_the_step_is_told_with_its_line(mine, capsys, monkeypatch):
    monkeypatch.syspath_prepend(mine / "steps")
    (mine / "steps" / "digging_helpers.py").write_text(DIG.format("raise ValueError(x)"))
    write_step(mine, "import digging_helpers; digging_helpers.dig(plan, 3)")
    words = "digging_helpers.py, line 3, in dig: ValueError: 3\n"
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)


def interrupt_step(mine):
    """Let the step end as Ctrl-C would end it in an endless loop."""
    write_step(mine, "dig(plan, 3)", "import signal; signal.raise_signal(signal.SIGINT)")


def test_ctrl_c_in_an_endless_step_names_its_line(mine, capsys):
    interrupt_step(mine)
    before = signal.getsignal(signal.SIGINT)
    try:
        assert main(["map", "~trench:7", "--mine", str(mine)]) == 130
    finally:
        signal.signal(signal.SIGINT, before)
    first, second = capsys.readouterr().err.splitlines()
    assert first == "map: interrupted after 0"
    assert second.endswith("midway.py, line 6, in dig")
    assert ": interrupted in " in second


def test_ctrl_c_in_an_endless_step_does_not_end_the_program_in_play(mine, monkeypatch):
    monkeypatch.setenv("SEEDHOLLOW_MINE", str(mine))
    interrupt_step(mine)
    code = find_recipe("~trench").code(7)
    words = r"interrupted in .*midway.py, line 6, in dig"
    with watched_builds(lambda *_: None), pytest.raises(BuildFailed, match=words):
        build(code)
    recording = BuildRecording(code)
    recording.to_end()
    assert "midway.py, line 6, in dig" in recording.failure
    with pytest.raises(KeyboardInterrupt):
        build(code)


def test_a_step_that_yields_for_ever_is_stopped(mine, capsys, monkeypatch):
    monkeypatch.setattr("procgen.recipe_builder.MOST_STAGES", 50)
    write_step(mine, "while True: yield 'on and on'")
    words = "midway.py: midway yielded more than 3,000 times\n"
    assert_refused(["map", "~trench:7@20x15", "--mine", mine], words, capsys, code=1)


def test_of_many_reasons_for_rejections_the_commonest_three_are_told(mine, capsys):
    reject = "k = rng.below(9); raise Rejected(f'only {k * k // 9} rooms: {k}')"
    path = write_step(mine, reject)
    path.write_text(path.read_text().replace("import ", "import Rejected, "))
    assert main(["map", "~trench:7", "--mine", str(mine)]) == 1
    told = capsys.readouterr().err.strip().partition("rejected: ")[2].split("; ")
    assert [re.fullmatch(r"(\d+) x only (\d) rooms: \d", one)[2] for one in told[:1]] == ["0"]
    assert told[3:] == ["and 3 more"]


@pytest.mark.parametrize("code", ["~trench", "keep+~crossed"])
def test_check_notices_other_random_numbers_than_those_of_rng(mine, code):
    write_step(mine, "import random; y = random.randrange(5, 40); plan.tiles[y, 5:-5] = Tile.FLOOR")
    words = ("--generator", code, "--seeds", "1:4", "--workers", 1, "--mine", mine)
    done = run("check", *words, "--json")
    assert done.returncode == 6, done.stderr
    assert "building the same code twice gave different levels" in str(json.loads(done.stdout))


def test_check_goes_on_if_a_level_can_be_built_only_once(mine):
    write_step(mine, "dig.again = not getattr(dig, 'again', True); assert not dig.again")
    words = ("--generator", "~trench", "--seeds", "1:4", "--workers", 1, "--mine", mine)
    done = run("check", *words, "--json")
    assert (done.returncode, len(json.loads(done.stdout)["broken"])) == (6, 3)


def test_a_step_prints_to_standard_error_so_that_output_stays_whole(mine):
    path = write_step(mine, "print('corridor'); dig(plan, 3)", "print('dig', x)")
    path.write_text("print('loaded')\n" + path.read_text())
    done = run("map", "~trench:7", "--format", "json", "--output", "-", "--mine", mine)
    assert json.loads(done.stdout)["code"] == "~trench.1:7:1@80x45"
    assert done.stderr == "loaded\ncorridor\ndig 3\n"


def test_a_step_that_was_not_found_may_lack_what_makes_it_one(mine, capsys):
    path = write_step(mine, "pass")
    path.write_text(path.read_text().replace('@step(needs="floor")\n', ""))
    words = "there is no step 'midway'; see `list --steps`; your own have @step(...) above them"
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)


def test_a_step_that_rejects_levels_without_a_word_is_said_to_give_no_reason(mine, capsys):
    write_step(mine, "from procgen.blueprint import Rejected; raise Rejected")
    words = "all 64 attempts were rejected: no reason given\n"
    assert_refused(["map", "~trench:7", "--mine", mine], words, capsys, code=1)


def test_places_that_a_step_leaves_in_numbers_of_numpy_are_written_like_any_other(mine):
    asked = ("map", "~trench:7", "--format", "json", "--mine", mine)
    room = "plan.rooms.append(RectangularRoom(*(kind(n) for n in (4, 5, 3, 2))))"
    ends = "plan.start, plan.exit = (Point(kind(x), kind(y)) for x, y in (plan.start, plan.exit))"
    drawn = []
    for kind in ("int", "numpy.int64"):
        begin = f"import numpy; from procgen.blueprint import Point, RectangularRoom; kind = {kind}"
        write_step(mine, f"{begin}; {room}; {ends}")
        done = run(*asked)
        assert done.returncode == 0, done.stderr
        drawn.append(json.loads(done.stdout))
    assert drawn[0] == drawn[1]
