"""Standard output in an encoding that lacks letters."""

import json
import os
import subprocess
import sys

import pytest

from support.bot_runs import played, rewritten
from support.paths import ROOT


def test_an_output_whose_encoding_lacks_a_letter_gets_an_escape(own_home):
    """It was called a bug in the program, and the table ended there."""
    played(own_home / "runs" / "one.jsonl", 20)
    rewritten(
        own_home / "runs" / "one.jsonl", lambda it: it[0]["setup"].update(typed_seed="\u9f8d")
    )
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "runs", "--format", "csv"],
        env={**os.environ, "PYTHONIOENCODING": "cp1252"},
        capture_output=True,
        check=True,
    )
    assert b",\\u9f8d," in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_json_is_valid_in_every_encoding_of_the_output(own_home, encoding):
    seed = "Zo\u00eb \U0001f409 \x7f\u2028"
    played(own_home / "runs" / "one.jsonl", 20)
    rewritten(own_home / "runs" / "one.jsonl", lambda it: it[0]["setup"].update(typed_seed=seed))
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "runs", "--json"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout)[0]["seed"] == seed
