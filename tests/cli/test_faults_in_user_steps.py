"""Mistakes inside a user's step: the message names the line that made them."""

import pytest

from support.command_line import assert_refused
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
    assert_refused(["map", "~sluice:7", "--mine", mine], words, capsys, code=1)


def test_a_fault_in_a_file_beside_the_step_is_told_with_its_line(mine, capsys, monkeypatch):
    monkeypatch.syspath_prepend(mine / "steps")
    (mine / "steps" / "digging_helpers.py").write_text(DIG.format("raise ValueError(x)"))
    write_step(mine, "import digging_helpers; digging_helpers.dig(plan, 3)")
    words = "digging_helpers.py, line 3, in dig: ValueError: 3\n"
    assert_refused(["map", "~sluice:7", "--mine", mine], words, capsys, code=1)
