"""A run is finished if its last line says so, however long its file is."""

import pytest

from engine.saves.keyframes import KEYFRAME_INTERVAL, read_keyframes
from engine.saves.run import Run
from engine.saves.run_file import LONGEST_LINE, read_run, summarize, unfinished
from engine.state.actions import Wait
from engine.state.run_setup import RunSetup

END = '{"end":"abandoned"}\n'


def waited(path, turns):
    """Return a run of so many waits, its file closed."""
    run = Run.begin(RunSetup(3, "3", generator="walk", size=(30, 20)), path)
    run.state.hero.fighter.max_hp = run.state.hero.fighter.hp = 10**6
    for _ in range(turns):
        run.act(Wait())
    run.close()
    return run


@pytest.fixture(scope="module")
def texts(tmp_path_factory):
    """The files of a short run and of a long one, without an end."""
    short = tmp_path_factory.mktemp("runs") / "run.jsonl"
    waited(short, 5)
    lines = short.read_text().splitlines(keepends=True)
    long = "".join(lines) + lines[-1] * (3 * LONGEST_LINE // len(lines[-1]))
    assert len(long) > 2 * LONGEST_LINE > len("".join(lines))
    return {"short": "".join(lines), "long": long}


@pytest.mark.parametrize("length", ["short", "long"])
def test_a_run_without_an_end_is_unfinished_and_one_with_an_end_is_not(texts, length, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(texts[length])
    assert unfinished(path)
    assert summarize(path).result == "unfinished"
    path.write_text(texts[length] + END)
    assert not unfinished(path)
    assert summarize(path).result == "abandoned"
    path.write_text(texts[length] + END + "half a li")
    assert not unfinished(path), "what a killed process leaves behind an end ends nothing"


def test_a_header_alone_and_a_torn_line_are_unfinished(texts, tmp_path):
    path = tmp_path / "run.jsonl"
    header, *_ = texts["short"].splitlines(keepends=True)
    for text in (header, texts["short"][:-9], header + "damage\n"):
        path.write_text(text)
        assert unfinished(path)
    assert not unfinished(tmp_path / "missing.jsonl")


@pytest.mark.parametrize("turns", [KEYFRAME_INTERVAL, KEYFRAME_INTERVAL + 1, 2 * KEYFRAME_INTERVAL])
def test_the_keyframe_of_the_last_turn_is_used(tmp_path, turns):
    waited(tmp_path / "run.jsonl", turns)
    kept = read_keyframes(read_run(tmp_path / "run.jsonl"))
    assert kept.sound
    assert [frame.turns for frame in kept.frames] == list(
        range(KEYFRAME_INTERVAL, turns + 1, KEYFRAME_INTERVAL)
    )
