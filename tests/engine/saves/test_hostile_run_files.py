"""A run file from a stranger: whatever is in it, there is one sentence and nothing else."""

import json
import os
import time
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.saves.files import append_line, recorded_paths
from engine.saves.keyframes import keyframes_path
from engine.saves.playback import Playback
from engine.saves.run_file import OtherVersion, RunFileError, read_run, summarize, unfinished
from engine.state.run_setup import RunSetup
from fuzz import COMMANDING, fuzz
from main import main
from render.screens.replay_screen import ReplayScreen
from render.screens.screen import Push
from support.bot_runs import headed, played
from support.fake_backend import Person
from support.sampling import sampled

resource = pytest.importorskip("resource")
ESCAPES = "\x1b]0;mine\x07\x1b[2J\x9b31m\u202e"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run.jsonl"


@pytest.mark.parametrize("many", sampled([20, 200], 2))
def test_spoiled_runs_and_keyframes_get_a_sentence_each(many):
    found, (slowest, case) = fuzz(many, seed=7)
    assert found.total() == many
    assert slowest < 10, case


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=3000))
def test_any_bytes_are_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    with pytest.raises(RunFileError) as fault:
        read_run(path)
    assert "\n" not in str(fault.value)
    assert summarize(path).header is None
    assert unfinished(path)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4)
    ),
    max_leaves=9,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from([*RunSetup.__struct_fields__, "program", "level"]), JUNK))
def test_any_header_is_read_or_refused(tmp_path_factory, run_lines, changes):
    path = headed(tmp_path_factory.getbasetemp() / "any.jsonl", run_lines, **changes)
    with suppress(RunFileError):
        Playback(read_run(path))


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": 10**300}, {"depth": 0}, {"depth": -1}, {"depth": 1.5}, {"seed": 2**64},
        {"seed": -1}, {"seed": 10**300}, {"seed": "1"}, {"size": [10**9, 10**9]}, {"size": [0, 0]},
        {"size": [4096, 4096]}, {"size": [501, 500]}, {"size": [80]}, {"size": [5, 5]},
        {"typed_seed": "x" * 201}, {"mode": "god"}, {"generator": "../../etc"}, {"version": 99},
        {"strata": [{"from_depth": 1, "recipes": {}}], "generator": None},
        {"strata": [{"from_depth": 2, "recipes": {"caves": 1}}], "generator": None},
        {"strata": [{"from_depth": 1, "recipes": {"nowhere": 1}}], "generator": None},
        {"strata": [{"from_depth": 1, "recipes": {"caves.x": 1}}], "generator": None},
        {"level": ["caves.1:1:1@4096x4096", "0" * 16]}, {"rules": "1"}, {"state": "AAAA"},
        {"state": "not base64!"}, {"program": None}, {"new": 1}, {"program": ["[" * 500]},
    ],
)  # fmt: skip
def test_absurd_headers_are_refused_at_once(path, run_lines, changes, capsys):
    headed(path, run_lines, **changes)
    began = time.monotonic()
    assert main(["replay", str(path), "--verify"]) in {1, 3, 4}
    assert time.monotonic() - began < 5
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("main.py: ")
    assert said.err.count("\n") == 1


def test_no_escape_of_a_file_reaches_a_terminal(own_home, tmp_path, capsys):
    runs = own_home / "runs"
    runs.mkdir(parents=True)
    played(tmp_path / "scored.jsonl", 12)
    run_lines = [json.loads(line) for line in (tmp_path / "scored.jsonl").read_text().splitlines()]
    changes = {"typed_seed": ESCAPES, "program": ESCAPES, "started": ESCAPES}
    path = headed(runs / f"{ESCAPES.replace('/', '')}.jsonl", run_lines, **changes)
    append_line(path, msgspec.json.encode({"end": ESCAPES}))
    assert main(["replay", str(path), "--verify"]) == 4  # that is not how it ended
    assert main(["runs"]) == 0
    headed(path, run_lines, **changes, grew_from=ESCAPES)
    assert main(["replay", str(path), "--verify"]) == 4  # a run taken over is not scored
    assert main(["runs"]) == 0
    headed(path, run_lines, **changes, rules=9)
    assert main(["replay", str(path), "--verify"]) == 3
    headed(path, run_lines, **changes, level=[ESCAPES, "0" * 16])
    assert main(["replay", str(path), "--verify"]) in {1, 3, 4}
    said = capsys.readouterr()
    assert "mine" in said.out
    assert not COMMANDING.search(said.out + said.err)
    headed(path, run_lines, **changes)
    person = Person().types("r")
    assert not COMMANDING.search(person.reads())
    person.app.answer(Push(ReplayScreen(read_run(path))))
    for key in "space", "right", "right":
        person.presses(key)
        assert not COMMANDING.search(person.reads())


def test_only_files_are_read(tmp_path, own_home):
    (own_home / "runs").mkdir(parents=True)
    os.mkfifo(own_home / "runs" / "pipe.jsonl")
    (own_home / "runs" / "folder.jsonl").mkdir()
    assert recorded_paths() == []
    for path in (own_home / "runs" / "pipe.jsonl", tmp_path, tmp_path / "none", tmp_path / "\0"):
        with pytest.raises(RunFileError, match="cannot be read"):
            read_run(path)


def test_no_summary_waits_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    pipe = os.open(tmp_path / "pipe.jsonl", os.O_RDWR)
    os.write(pipe, b"not a run\n")  # Or a test that fails would never end.
    with pytest.raises(OSError, match="a pipe or device"):
        summarize(tmp_path / "pipe.jsonl")
    os.close(pipe)


def test_a_run_that_another_process_deletes_hides_no_other(own_home, monkeypatch):
    (own_home / "runs").mkdir(parents=True)
    kept, deleted = (own_home / "runs" / f"{name}.jsonl" for name in ("kept", "deleted"))
    kept.touch()
    deleted.touch()
    is_file = Path.is_file

    def found_and_deleted(path):
        found = is_file(path)
        if path == deleted:
            path.unlink()
        return found

    monkeypatch.setattr(Path, "is_file", found_and_deleted)
    assert recorded_paths() == [kept]


def test_small_bad_files_take_little(path, run_lines):
    """Endless numbers, strings, brackets and spaces, a megabyte of each."""
    size = 1 << 20
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    header = json.dumps(run_lines[0])
    for text in (
        "9" * size,
        '"' + "x" * size,
        "[" * size,
        '{"a":' * (size // 5),
        " " * size,
        "[" + "[]," * (size // 3),
        header.replace('"typed_seed": "3"', f'"typed_seed": "{"x" * size}"'),
        header.replace('"seed": 3', f'"seed": {"9" * size}'),
        header.replace('"setup": {', '"setup": {' + '"a":1,' * (size // 6)),
        header + "\n" + "[" * size,
    ):
        path.write_text(text + "\n")
        with pytest.raises((RunFileError, OtherVersion)):
            read_run(path)
        keyframes_path(path).write_text(text)
        summarize(path)
    assert time.monotonic() - began < 10
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown / 1024 < 200
